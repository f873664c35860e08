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


@pytest.mark.parametrize("count", [3, 1_500])
def test_numbers_that_a_missing_word_made_text_are_told_as_such(count):
    scores = [str(number / 8) for number in range(count)]
    frame = pl.DataFrame({"y": [0, 1] * (count + 1), "s": [*scores, "n/a"] * 2})
    word = "n/a" if count == 3 else "NA"  # of many labels, the first ones are known
    told = (
        f"convert it to numbers, with null for words such as '{word}' "
        rf"\(null_values='{word}' in polars.read_csv\)$"
    )
    for each in (frame, frame.lazy(), frame.to_pandas()):
        with pytest.raises(CapcurveError, match=told):
            gain_capture(each, "y", "s")


@pytest.mark.parametrize("scores", [["A", "NA"], ["1", "2"], ["NA", "NA"]])
def test_other_text_may_be_grades(scores):
    frame = pl.DataFrame({"y": [0, 1], "s": scores})
    with pytest.raises(CapcurveError, match="list its grades from the lowest score"):
        gain_capture(frame, "y", "s")


def test_grades_written_as_numbers_are_listed_whole():
    with pytest.raises(CapcurveError, match="lacks '3'; it lists '1', '2'"):
        gain_capture(GRADED, "y", "grade", order=["1", "2"])
