"""Scores that are numbers, and grades that an order makes numbers."""

import narwhals as nw
import polars as pl
import pytest

from capcurve import CapcurveError, gain_capture
from capcurve.__main__ import main
from capcurve._input.score import is_number_text

GRADED = pl.DataFrame(
    {"y": [1, 0, 1, 0], "pd": [0.3, 0.2, 0.1, 0.05], "grade": ["3", "2", "2", "1"]}
)


def test_underscores_are_no_digits():
    assert not is_number_text("1_000")
    assert is_number_text("1000")
    assert not is_number_text("x")


def test_an_order_is_refused_for_numbers_alone(capsys):
    GRADED.write_csv("graded.csv")
    told = "`order` lists the grades of a text score, but `pd` holds numbers; leave `order`"
    with pytest.raises(CapcurveError, match=told):
        gain_capture(GRADED, "y", ["pd"], order=["1", "2", "3"])
    asked = "score", "graded.csv", "--truth", "y", "--estimate", "pd"
    assert main([*asked, "--order", "1,2,3"]) == 2
    expected = "--order lists the grades of a text score, but `pd` holds numbers; leave --"
    assert expected in capsys.readouterr().err


@pytest.mark.parametrize("frame", [GRADED, GRADED.lazy(), GRADED.to_pandas()])
def test_numbers_stay_numbers_beside_grades(frame):
    both = gain_capture(frame, "y", ["pd", "grade"], order=["1", "2", "3"])
    both = nw.from_native(both).lazy().collect().sort("model")
    alone = [
        gain_capture(GRADED, "y", "grade", order=["1", "2", "3"]),
        gain_capture(GRADED, "y", "pd"),
    ]
    expected = [each["estimate"][0] for each in alone]
    assert both["estimate"].to_list() == expected


def test_grades_written_as_numbers_are_listed_whole():
    with pytest.raises(CapcurveError, match="lacks '3'; it lists '1', '2'"):
        gain_capture(GRADED, "y", "grade", order=["1", "2"])
