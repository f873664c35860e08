"""Words such as NA among the labels of an outcome: a missing value, or a label."""

import shlex
import sqlite3
from contextlib import closing

import pytest

from capcurve._input.usual_words import DOUBTFUL_LABELS, USUAL_WORDS

EXPECTED = "`y` must hold labels that cannot be taken for missing values, got"
TEXT = "y,s\nyes,1\nNA,2\nno,3\nna ,4\nNA,5\n"
NULL = "y,s\nyes,1\nnull,2\n.,3\n.,4\nno,5\n"


@pytest.mark.parametrize(
    ("content", "found", "remedy"),
    [
        ("y,s\nTRUE,1\nNA,2\nFALSE,3\n", "'NA' in 1 row", "--na NA"),
        ("y,s\na,1\nb,2\nc,3\n#N/A,4\n", "'#N/A' in 1 row", "--na '#N/A'"),
        (TEXT, "'NA' in 2 rows and 'na' in 1 row", "--na NA"),
    ],
)
def test_a_label_that_may_be_a_missing_value_is_refused(refused, content, found, remedy):
    assert refused(content) == (
        f"{EXPECTED} {found}; pass {remedy} if it is a missing value, or --na-only '' if "
        "it is a label"
    )


def test_several_words_are_refused_together(refused):
    assert refused(NULL) == (
        f"{EXPECTED} '.' in 2 rows and 'null' in 1 row; pass --na . --na null if they are "
        "missing values, or --na-only '' if they are labels"
    )


def test_a_question_mark_is_asked_about_even_beside_numbers(read, refused):
    content = "y,s\n1,1\n0,2\n?,3\n"
    assert refused(content) == (
        f"{EXPECTED} '?' in 1 row; pass --na '?' if it is a missing value, or --na-only '' "
        "if it is a label"
    )
    assert read(content, missing=["?"])[0]["y"] == [1, 0, None]


@pytest.mark.slow
@pytest.mark.parametrize("word", DOUBTFUL_LABELS)
def test_every_usual_word_is_refused_among_labels(refused, word):
    assert refused(f"y,s\nyes,1\n{word},2\n").startswith(f"{EXPECTED} {word!r} in 1 row")


def test_none_is_a_label_like_any_other(read):
    assert set(USUAL_WORDS) - set(DOUBTFUL_LABELS) == {"none"}
    columns, _ = read("y,s\nnone,1\nminor,2\nmajor,3\n")
    assert columns["y"] == ["none", "minor", "major"]


def test_the_options_say_whether_it_is_missing_or_a_label(read, refused):
    columns, words = read(TEXT, missing=["NA"])
    assert columns["y"] == ["yes", None, "no", None, None]
    assert words["y"] == {"NA": 2, "na": 1}
    columns, _ = read(TEXT, missing=[""], usual_words=False)
    assert columns["y"] == ["yes", "NA", "no", "na ", "NA"]
    assert "'null' in 1 row; pass --na null if it" in refused(NULL, missing=["."])


def test_booleans_with_a_missing_word_stay_booleans(read):
    columns, words = read("y,s\nTRUE,1\nNA,2\nFALSE,3\n", missing=["NA"])
    assert columns["y"] == [True, None, False]
    assert words == {"y": {"NA": 1}}


def test_only_the_rows_and_the_outcome_of_a_query_count(read, refused):
    content = "y,s,k\nyes,1,NA\nNA,2,a\nno,3,b\n"
    told = refused(content, query="select * from data where s > 1")
    assert told.startswith(f"{EXPECTED} 'NA' in 1 row;")
    columns, _ = read(query="select * from data where y <> 'NA'")
    assert columns["y"] == ["yes", "no"]
    columns, _ = read(query="select (y = 'yes')::int as y, s from data")
    assert columns["y"] == [1, 0, 0]


def test_text_of_sqlite_is_text_of_a_file(read, refused):
    with closing(sqlite3.connect("f.db")) as connection, connection:
        connection.execute("create table t (y text, s real)")
        rows = [("yes", 1), ("NA", 2), ("no", 3)]
        connection.executemany("insert into t values (?, ?)", rows)
    told = refused(None, "f.db")
    assert told.startswith(f"{EXPECTED} 'NA' in 1 row;")
    assert read(None, "f.db", missing=["NA"])[0]["y"] == ["yes", None, "no"]


def test_a_format_that_has_missing_values_is_taken_at_its_word(read):
    lines = '{"y": "yes", "s": 1}\n{"y": "NA", "s": 2}\n'
    assert read(lines, "f.jsonl")[0]["y"] == ["yes", "NA"]


def test_a_word_that_is_a_label_here_and_missing_there_has_a_way_out(read, refused):
    content = "y,s\nyes,1\nNA,2\nno,3\nno, NA\n"
    told = refused(content, missing=[""], usual_words=False)
    query = """select * replace (nullif(trim("s"), 'NA')::double as "s") from data"""
    assert told == (
        "`s` must hold numbers, got ' NA' in line 5 of f.csv; pass it as --na if it is a "
        f"missing value in every column, or --query {shlex.quote(query)} if in this one "
        "alone"
    )
    columns, _ = read(content, missing=[""], usual_words=False, query=query)
    assert (columns["y"], columns["s"]) == (["yes", "NA", "no", "no"], [1, 2, 3, None])
