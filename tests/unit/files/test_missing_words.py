"""Words for a missing value: usual ones in numeric columns, empty fields in text."""

import math
from collections import Counter
from pathlib import Path

import pytest
from pandas._libs.parsers import STR_NA_VALUES

from capcurve._files.delimited import Source
from capcurve._files.missing_words import describe_words
from capcurve._files.open import read_table
from capcurve._input.usual_words import USUAL_WORDS

NAMED_IN_THE_ISSUE = (
    *("", "NA", "N/A", "#N/A", "NaN", "NULL", "None", "NaT", "<NA>", "n/a", ".", "#NV"),
    *("-nan", "#VALUE!", "none", " na ", "nULL", "\u00a0NA\t"),
)


def test_every_word_that_pandas_knows_is_missing_in_a_numeric_column(read):
    texts = sorted({*STR_NA_VALUES, *NAMED_IN_THE_ISSUE})
    columns, words = read("y,s\n0,0.5\n" + "".join(f"1,{text}\n" for text in texts))
    assert columns["s"] == [0.5] + [None] * len(texts)
    assert words["s"] == Counter(text.strip("\u00a0\t ") for text in texts)


def test_words_are_counted_as_they_are_written(read):
    fields = ["NA"] * 3 + ["na"] * 2 + [""] * 4 + ["7", "8"]
    _, words = read("y,s\n" + "".join(f"1,{field}\n" for field in fields))
    assert words == {"s": {"": 4, "NA": 3, "na": 2}}
    assert list(words["s"]) == ["", "NA", "na"]
    assert describe_words(words["s"]) == "9 missing: 4 empty, 3 'NA', 2 'na'"


def test_a_number_among_words_keeps_its_type(read):
    columns, _ = read("y,s\n1,9223372036854775807\n0,n/a\n0,9223372036854775806\n")
    assert columns["s"] == [9223372036854775807, None, 9223372036854775806]


def test_in_text_columns_only_an_empty_field_is_missing(read):
    text = "y,s,k\nyes,1,NA\nnone,2,\nno,3,None\n,4,  \n"
    columns, words = read(text, keys=["k"])
    assert columns["y"] == ["yes", "none", "no", None]
    assert columns["k"] == ["NA", None, "None", None]
    assert words == {"y": {"": 1}}


def test_an_outcome_is_numeric_if_all_but_missing_words_are_numbers(read):
    columns, words = read("y,s\n1,1\nNA,2\n0,3\n,4\n")
    assert columns["y"] == [1, None, 0, None]
    assert words == {"y": {"": 1, "NA": 1}}


def test_an_outcome_without_any_number_is_text(read):
    assert read("y,s\nnone,1\nnone,2\n")[0]["y"] == ["none", "none"]
    assert read("y,s\n,1\n,2\n")[0]["y"] == [None, None]


def test_a_score_of_missing_words_alone_is_numeric(read):
    columns, words = read("y,s\n1,NA\n0,n/a\n")
    assert columns["s"] == [None, None]
    assert words == {"s": {"NA": 1, "n/a": 1}}


def test_added_words_are_missing_in_every_column(read):
    text = "y,s,k\nyes,-,west\nno,2,Unknown\nunknown,3,NA\n"
    columns, words = read(text, keys=["k"], missing=["unknown", "-"])
    assert columns == {
        "y": ["yes", "no", None],
        "s": [None, 2, 3],
        "k": ["west", None, "NA"],
    }
    assert words == {"y": {"unknown": 1}, "s": {"-": 1}, "k": {"Unknown": 1}}


def test_an_added_word_may_look_like_a_number(read):
    columns, words = read("y,s\n1,-999\n0,0.5\n-999,1\n", missing=["-999"])
    assert columns == {"y": [1, 0, None], "s": [None, 0.5, 1]}
    assert words == {"y": {"-999": 1}, "s": {"-999": 1}}
    columns, _ = read("y;s\n1;8,0 %\n0;0,5\n", missing=["8,0 %"], decimal=",")
    assert columns["s"] == [None, 0.5]


FORMS = ["-9999.0", " -9999 ", "-9999.00", "-9.999e3", "-999900%"]


@pytest.mark.parametrize("word", ["-9999", "-9999.0", "-9.999e3"])
def test_an_added_number_is_missing_however_it_is_written(read, word):
    text = "y,s,k\n" + "".join(f"{field},{field},{field}\n" for field in FORMS)
    text += "1,0.5,7\n0,-9998.9,7\n"
    columns, words = read(text, keys=["k"], missing=[word])
    assert columns["s"] == [None] * len(FORMS) + [0.5, -9998.9]
    assert columns["y"] == [None] * len(FORMS) + [1, 0]
    assert words["s"] == dict.fromkeys(map(str.strip, FORMS), 1)
    kept = [field if field.strip() != word else None for field in FORMS]
    assert columns["k"] == [*kept, "7", "7"]  # a name of a group


def test_an_added_number_is_compared_exactly(read):
    big = 2**60
    columns, _ = read(f"y,s\n1,{big}\n0,{big + 1}\n", missing=[f"{big}.0"])
    assert columns["s"] == [None, big + 1]
    columns, _ = read("y,s\n1,0\n0,-0.0\n1,1e-9\n", missing=["0.00"])
    assert columns["s"] == [None, None, 1e-9]
    columns, _ = read("y,s\n1,Inf\n0,-inf\n1,infinity\n", missing=["inf"])
    assert columns["s"] == [None, -math.inf, None]
    text = "y;s\n1;-9.999,0\n0;-9999\n1;0,5\n"
    for word in ("-9999", "-9.999,00"):
        assert read(text, missing=[word], decimal=",")[0]["s"] == [None, None, 0.5]
    columns, _ = read(text, missing=["-9999.00"], decimal=",")  # no number there
    assert columns["s"] == [-9999, -9999, 0.5]


def test_an_added_number_stays_text_among_labels(read):
    columns, words = read("y,s\nyes,1\n-9999.0,2\n-9999,3\n", missing=["-9999"])
    assert columns["y"] == ["yes", "-9999.0", None]
    assert words == {"y": {"-9999": 1}}


@pytest.mark.parametrize(
    ("words", "unmatched"),
    [
        (["-9999", "?", "none"], ["?"]),
        (["-9998", "west", "EAST", ""], ["-9998"]),
        (["-", "?", "-"], ["-", "?"]),
        (["n/a"], ["n/a"]),
        ([], []),
    ],
)
def test_added_words_that_no_field_holds_are_listed(words, unmatched):
    Path("f.csv").write_text("y,s,k,x\n1,-9999.0,west,-\n0,none,east,?\n1,2,,?\n")
    for query in (None, "select y, s, k from data"):
        found = read_table(Source("f.csv", ["y"], ["s"], ["k"], words, query=query))
        listed = [word for word in unmatched if query is None or word not in "-?"]
        assert list(found.unmatched) == listed


def test_the_usual_words_can_be_turned_off(read, refused):
    for word in ("NA", "nan"):
        message = refused(f"y,s\n1,{word}\n0,-\n0,1\n", missing=["-"], usual_words=False)
        assert message.startswith(
            f"`s` must hold numbers, got {word!r} in line 2 of f.csv; pass it as --na if"
        )
    columns, words = read("y,s\n1,\n0,-\n", missing=["-"], usual_words=False)
    assert columns["s"] == [None, None]
    assert words == {"s": {"": 1, "-": 1}}


def test_usual_words_are_compared_as_they_are_listed():
    assert [word for word in USUAL_WORDS if word != word.strip().lower()] == []
    assert len(set(USUAL_WORDS)) == len(USUAL_WORDS)
