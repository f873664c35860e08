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


@pytest.mark.parametrize("count", [3, 1_500, 100_000])
def test_numbers_that_a_missing_word_made_text_are_told_as_such(count):
    scores = [str(number / 8) for number in range(count)]
    frame = pl.DataFrame({"y": [0, 1] * (count + 1), "s": [*scores, "n/a"] * 2})
    word = "NA" if count == 100_000 else "n/a"  # of many labels, the first ones are known
    told = (
        f"convert it to numbers, with null for words such as '{word}' "
        rf"\(null_values='{word}' in polars.read_csv, nullstr='{word}' in DuckDB\)$"
    )
    refuse_everywhere(frame, told)


@pytest.mark.parametrize("scores", [["A", "NA"], ["1", "2"], ["NA", "NA"]])
def test_other_text_may_be_grades(scores):
    frame = pl.DataFrame({"y": [0, 1], "s": scores})
    with pytest.raises(CapcurveError, match="list its grades from the lowest score"):
        gain_capture(frame, "y", "s")


def test_grades_written_as_numbers_are_listed_whole():
    with pytest.raises(CapcurveError, match="lacks '3'; it lists '1', '2'"):
        gain_capture(GRADED, "y", "grade", order=["1", "2"])


def refuse_everywhere(frame, told):
    """Check that a score is refused in eager and lazy frames of Polars, and in pandas."""
    for each in (frame, frame.lazy(), frame.to_pandas()):
        with pytest.raises(CapcurveError, match=told):
            gain_capture(each, "y", "s")


@pytest.mark.parametrize("words", [["-Inf", "Inf"], ["inf"], ["-Infinity"]])
@pytest.mark.parametrize("count", [1, 1_500])
def test_infinity_of_r_is_to_be_cast_like_the_numbers_beside_it(words, count):
    """Polars reads a column of a CSV file with Inf as text."""
    scores = [*(f"{number / 7:.5f}" for number in range(count)), *words]
    frame = pl.DataFrame({"y": [0, 1] * len(scores), "s": scores * 2})
    told = (
        f"convert it to numbers, which {', '.join(map(repr, words))} are too "
        r"\(schema_overrides={'s': pl.Float64} in polars.read_csv, or a cast\)$"
    )
    refuse_everywhere(frame, told)
    frame.write_csv("inf.csv")
    read = pl.read_csv("inf.csv", schema_overrides={"s": pl.Float64})
    assert read["s"].is_infinite().sum() == 2 * len(words)
    assert len(gain_capture(read, "y", "s")) == 1


def test_of_infinity_and_missing_values_the_missing_ones_come_first():
    frame = pl.DataFrame({"y": [0, 1, 1], "s": ["0.5", "Inf", "NA"]})
    with pytest.raises(CapcurveError, match="with null for words such as 'NA'"):
        gain_capture(frame, "y", "s")


def test_few_words_among_numbers_are_named():
    scores = [str(number / 8) for number in range(300)]
    frame = pl.DataFrame({"y": [0, 1] * 151, "s": [*scores, "n.d.", "3,5"]})
    told = (
        "convert it to numbers, as all but '3,5', 'n.d.' are, which are to be corrected, "
        "or made null, first$"
    )
    with pytest.raises(CapcurveError, match=told):
        gain_capture(frame, "y", "s")


def test_numbers_beside_a_word_may_be_grades_if_they_are_few():
    frame = pl.DataFrame({"y": [0, 1] * 12, "s": [*map(str, range(1, 24)), "D"]})
    with pytest.raises(CapcurveError, match="list its grades from the lowest score"):
        gain_capture(frame, "y", "s")


@pytest.mark.parametrize(
    "scores", [["0.1", "2"], [str(i) for i in range(101)], ["-1", "1"]]
)
def test_numbers_alone_are_to_be_cast_unless_they_may_be_grades(scores):
    frame = pl.DataFrame({"y": [0, 1] * len(scores), "s": scores * 2})
    told = (
        r"convert it to numbers, which all of its values are \(pl.col\('s'\)"
        r".cast\(pl.Float64\) in polars, astype\(float\) in pandas\)$"
    )
    refuse_everywhere(frame, told)
    cast = frame.with_columns(pl.col("s").cast(pl.Float64))
    assert len(gain_capture(cast, "y", "s")) == 1
