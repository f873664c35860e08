"""Scores beside an order: words in a list of grades, or numbers."""

import duckdb
import pytest

ORDER = ("good", "fair", "bad")


@pytest.mark.parametrize(
    ("fields", "order", "values"),
    [
        (["good", "bad", ""], ORDER, ["good", "bad", None]),
        (["0.5", "NA", " 1 "], ORDER, [0.5, None, 1]),
        (["1", "2", "n/a"], ORDER, [1, 2, None]),
        (["1", "2", "NA"], ("1", "2", "NA"), ["1", "2", "NA"]),
        (["1", "2", "3"], ("1", "2"), ["1", "2", "3"]),  # of which the list lacks one
        (["1", "0.5", "0.2"], ("0", "1", "2"), [1, 0.5, 0.2]),  # by chance
        (["0.5", "x", "1"], ORDER, ["0.5", "x", "1"]),
        (["", "", ""], ORDER, [None, None, None]),
    ],
)
def test_a_score_is_text_unless_all_its_values_are_numbers_and_no_grades(
    read, fields, order, values
):
    text = "y,s,g\n" + "".join(f"1,1,{field}\n" for field in fields)
    columns, _ = read(text, graded=["g"], order=order)
    assert columns["g"] == values
    columns, _ = read(text, graded=["g"], order=order, keys=["g"])
    assert all(value is None or isinstance(value, str) for value in columns["g"])


def test_numbers_are_read_exactly_beside_grades(refused):
    text = "y,s,g\n1,1,0.5\n0,1,9007199254740993\n"
    assert "`g` must hold numbers that a float" in refused(text, graded=["g"], order=ORDER)


def test_words_for_missing_values_are_told(read):
    text = "y,s,g\n1,1,0.5\n0,1,-9.0\n"
    columns, words = read(text, graded=["g"], order=ORDER, missing=["-9"])
    assert columns["g"] == [0.5, None]
    assert words == {"g": {"-9.0": 1}}


def test_wide_numbers_of_typed_files_stay_numbers(read):
    for value in ("0.25::decimal(4, 2)", "'good'"):
        duckdb.sql(f"select 1 as y, 1 as s, {value} as g").write_parquet("f.parquet")
        columns, _ = read(name="f.parquet", graded=["g"], order=ORDER)
        assert columns["g"] == ([0.25] if "decimal" in value else ["good"])
