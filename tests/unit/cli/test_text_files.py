"""How the commands read text files: missing words, encodings, forms of numbers."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from answers import read_results

PLANS = [(), ("--memory-limit", "1GB"), ("--approx",)]
ROWS = "1,0.9\n0,0.1\n1,0.4\n0,0.5\n"
FEW = "capcurve: note: fewer than 20 events or non-events, so the coverage of the "


def ratio(output):
    (row,) = read_results(output)
    return row["accuracy_ratio"]


# -- Missing words -------------------------------------------------------------------------


@pytest.mark.parametrize("plan", PLANS)
def test_usual_words_are_missing_and_counted_in_a_note(score, plan):
    words = ["n/a"] * 3 + ["NULL"] * 2 + ["#NV", " nan ", ".", ""]
    content = f"y,s\n{ROWS}" + "".join(f"1,{word}\n" for word in words)
    code, out, err = score(content, *plan)
    assert (code, ratio(out)) == (0, 0.5)
    note, left_out, _ = err.splitlines()
    assert note == (
        "capcurve: note: `s`: 9 missing: 3 'n/a', 2 'NULL', 1 empty, 1 '#NV', 1 '.', "
        "1 'nan'"
    )
    assert left_out == "capcurve: note: left out 9 of 13 rows with a missing value (s 9)"


KEYED = "y,s,k\n" + "".join(
    f"{y},{s},{key}\n"
    for y, s, key in zip(
        [1, 0, 1, 0] * 3,
        range(12),
        [*"11223344", "NA", "NA", "null", ""],
        strict=True,
    )
)


@pytest.mark.parametrize(
    ("options", "words", "remedy", "n_missing"),
    [
        ((), "2 'NA', 1 'null'", "--na NA --na null", 1),
        (("--na", "na"), "1 'null'", "--na null", 3),
        (("--na", "NA", "--na", "null"), "", "", 4),
        (("--na-only", "?"), "", "", 1),
    ],
)
def test_words_among_numbered_clusters_are_names_with_a_note(
    score, options, words, remedy, n_missing
):
    code, _, err = score(KEYED, "--cluster", "k", *options)
    note = (
        f"capcurve: note: `k`: {words} count as names; pass {remedy} if they mean a "
        "missing value\n"
    )
    assert (code, note in err, "as names" in err) == (0, bool(words), bool(words))
    assert f"left out {n_missing} of 12 rows" in err


def test_words_among_names_are_names(score):
    code, _, err = score(KEYED.replace(",4\n", ",EU\n"), "--cluster", "k")
    assert (code, "as names" in err) == (0, False)


def test_empty_fields_are_counted_once(score):
    _, _, err = score(f"y,s\n{ROWS}1,\n")
    note, few = err.splitlines()
    assert note == "capcurve: note: left out 1 of 5 rows with a missing value (s 1)"
    assert few.startswith(FEW)


def test_a_report_counts_the_words_too(run, score):
    score(f"y,s\n{ROWS}1,n/a\n")
    options = ("--truth", "y", "--estimate", "s", "--format", "json")
    code, out, err = run("report", "f.csv", *options)
    assert (code, json.loads(out)["rows"]["missing"]) == (0, {"s": 1})
    assert err.startswith("capcurve: note: `s`: 1 missing: 1 'n/a'\n")


def test_a_query_counts_missing_values_without_words(score):
    query = "select * from data where s > 0.2 or s is null"
    code, _, err = score(f"y,s\n{ROWS}1,n/a\n", "--query", query)
    assert code == 0
    left_out, few = err.splitlines()
    assert left_out == "capcurve: note: left out 1 of 4 rows with a missing value (s 1)"
    assert few.startswith("capcurve: note: fewer than 20 events or non-events")


@pytest.mark.parametrize("plan", PLANS)
def test_north_america_is_no_missing_value(score, plan):
    regions = "y,s,g\n1,2,NA\n0,1,NA\n1,2,None\n0,1,None\n1,5,\n0,3,\n"
    code, out, _ = score(regions, "--by", "g", *plan)
    assert code == 0
    assert [row["g"] for row in read_results(out)] == ["NA", "None", None]


@pytest.mark.parametrize("plan", PLANS)
def test_grades_are_to_be_ordered_not_left_out(refused, plan):
    grades = "y,s\n0,AAA\n1,A\n0,AA\n1,AAA\n"
    for content in (grades, grades + "1,7\n0,8\n" * 10):
        assert refused(content, *plan) == (
            "`s` must hold numbers, got 'AAA' in line 2 of f.csv; if it is a score in "
            "grades, list them from the lowest score to the highest as --order; otherwise "
            "fix the value"
        )
    assert "; fix the value, or pass it as --na" in refused(grades + "1,7\n" * 40, *plan)


def test_words_are_added_and_replaced(score, refused):
    content = f"y,s\n{7 * ROWS}1,?\n1,-\n1,n/a\n"
    assert (
        "got '?' in line 30 of f.csv, one of 2 values that are no numbers, with their "
        "rows: '-' (1), '?' (1); fix the value, or pass it as --na if that means"
    ) in refused(content)
    _, out, err = score(content, "--na", "?", "--na", "-")
    assert (ratio(out), err[:40]) == (0.5, "capcurve: note: `s`: 3 missing: 1 '-', 1")
    assert "got 'n/a' in line 32" in refused(content, "--na-only", "?", "--na", "-")
    _, out, _ = score(content, *(f"--na-only={word}" for word in "?-"), "--na=n/a")
    assert ratio(out) == 0.5
    assert "got 'NA' in line 6" in refused(f"y,s\n{ROWS}1,NA\n", "--na-only", "")


@pytest.mark.parametrize("plan", PLANS)
def test_a_missing_word_is_no_label_without_being_asked_about(score, refused, plan):
    content = "y,s\nTRUE,0.9\nFALSE,0.1\nNA,0.6\nTRUE,0.4\nFALSE,0.5\n"
    gate = ("--fail-if-left-out", "0.05")
    for event in ((), ("--pos-label", "TRUE")):
        told = refused(content, *event, *gate, "--quiet", *plan)
        assert "got 'NA' in 1 row; pass --na NA if it is a missing value, or" in told
        code, out, _ = score(content, *event, "--na", "NA", *plan)
        assert (code, ratio(out)) == (0, 0.5)
    assert score(content, "--na", "NA", *gate, *plan)[0] == 1
    options = ("--pos-label", "TRUE", "--na-only", "")
    assert ratio(score(content, *options, *plan)[1]) == pytest.approx(1 / 3)


@pytest.mark.parametrize("plan", PLANS)
def test_a_word_that_no_field_holds_is_told(score, plan):
    content = f"y,s\n{7 * ROWS}1,-9999.0\n"
    _, out, err = score(content, "--na", "?", "--na=-9999", "--na-only", "no", *plan)
    assert ratio(out) == 0.5
    told = "--na '?' and --na-only 'no' matched no field of the columns used in f.csv"
    note = f"capcurve: note: {told}\n"
    assert note in err
    assert "matched" not in score(content, "--na=-9999", *plan)[2]
    assert "matched" not in score(content, "--na-only", "", *plan)[2]
    assert score(content, "--na", "?", "--quiet", *plan)[2] == ""


def test_two_files_are_told_apart(run, score):
    score(f"y,s\n{7 * ROWS}1,?\n", name="a.csv")
    score(f"y,s\n{7 * ROWS}", name="b.csv")
    options = ("--truth", "y", "--estimate", "s", "--na", "?")
    _, _, err = run("compare", "a.csv", "--against", "b.csv", *options)
    assert "--na '?' matched no field of the columns used in b.csv\n" in err
    assert "a.csv" not in err
    assert "matched" not in run("score", "a.csv", "b.csv", *options)[2]
    _, _, err = run("sketch", "make", "b.csv", *options, "-o", "b.sketch")
    assert "--na '?' matched no field of the columns used in b.csv\n" in err


@pytest.mark.parametrize("option", ["--na", "--na-only"])
def test_words_are_for_text(score, refused, option):
    rows = duckdb.sql("select * from (values (1, '-'), (0, '2'), (1, '3')) as t(y, s)")
    rows.write_parquet("f.parquet")
    assert refused(None, option, "-", name="f.parquet") == (
        "--na and --na-only require a text file, got f.parquet; "
        "remove them, or write null for these values in a --query"
    )
    with closing(sqlite3.connect("f.db")) as connection:  # whose columns have none
        connection.execute("create table t (y, s)")
        connection.executemany("insert into t values (?, ?)", rows.fetchall())
        connection.commit()
    assert ratio(score(None, option, "-", name="f.db")[1]) == 1


def test_a_report_says_how_text_was_read(run):
    Path("f.csv").write_bytes("y;s\n1;0,5\n0;-\n0;0,25\n".encode("utf-16"))
    options = ("--truth", "y", "--estimate", "s", "--na", "-", "--na-only", "x")
    code, out, _ = run(
        *("report", "f.csv", *options, "--encoding", "utf-16", "--decimal-comma"),
        *("--format", "json"),
    )
    assert code == 0
    options = json.loads(out)["provenance"]["options"]
    assert (options["na"], options["na_only"]) == (["-"], ["x"])
    assert options["decimal_comma"] is True
    assert options["encoding"] == "utf-16"


# -- Encodings -----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "utf-16", "UTF-16-LE", "UTF8"])
@pytest.mark.parametrize("plan", PLANS)
def test_text_files_of_other_encodings_are_read(score, encoding, plan):
    content = "y,s,g\n1,0.9,süd\n0,0.1,süd\n".encode(encoding)
    code, out, _ = score(content, "--encoding", encoding, "--by", "g", *plan)
    (row,) = read_results(out)
    assert (code, row["g"], row["accuracy_ratio"]) == (0, "süd", 1)


@pytest.mark.parametrize(
    ("encoding", "told"),
    [
        ("cp1252", "not text in UTF-8; pass its encoding as --encoding, such as cp1252"),
        ("utf-16", "must be text in utf-8, but is text in utf-16; pass --encoding utf-16"),
    ],
)
def test_other_encodings_must_be_named(refused, encoding, told):
    message = refused("y,s,g\n1,0.9,süd\n".encode(encoding))
    assert message.startswith("cannot read f.csv: ")
    assert told in message


def test_names_of_encodings(refused):
    message = refused("y,s\n1,2\n", "--encoding", "cp99")
    assert message.startswith("--encoding must be the name of a text encoding, such as ")
    message = refused("y,s,g\n1,0.9,süd\n".encode("cp1252"), "--encoding", "ascii")
    assert message.startswith("cannot read f.csv: it must be text in ascii, but holds ")
    message = refused(b"PAR1", "--encoding", "cp1252", name="f.parquet")
    assert message == "--encoding requires a text file, got f.parquet; remove it"


# -- Numbers -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("high", "low", "options"),
    [
        ("8,3 %", "8,2 %", ["--decimal-comma"]),
        ("8.3 %", "0.082", []),
        ("3.081,00", "308,1", ["--decimal-comma"]),
        ("9223372036854775807", "9223372036854775806", []),
        ("18446744073709551615", "18446744073709551614", []),
    ],
)
def test_numbers_are_read_as_they_are_meant(score, high, low, options):
    code, out, _ = score(f"y;s\n0;{low}\n1;{high}\n", *options)
    assert (code, ratio(out)) == (0, 1)


ALL_SIGNS = "all 4 values have a percent sign and are divided by 100: 20% is 0.2\n"
SOME_SIGNS = (
    "2 of 4 values have a percent sign and are divided by 100: 20% is 0.2, 20 is 20"
)


@pytest.mark.parametrize("plan", PLANS)
def test_percent_signs_are_counted_in_a_note(score, plan):
    code, out, err = score("y,s,g\n1,9%,a%\n0,8 %,b\n0,7%,c\n1,+6%,\n1,na,d\n", *plan)
    assert (code, ratio(out)) == (0, 0)
    assert f"capcurve: note: `s`: {ALL_SIGNS}" in err
    assert err.count("percent sign") == 1
    _, _, err = score("y,s\n1,9%\n0,0.08\n0,7\n1,6%\n", *plan)
    assert f"capcurve: note: `s`: {SOME_SIGNS}\n" in err
    _, _, err = score("y,s\na%,9\nb,8\n", "--pos-label", "b", *plan)
    assert "percent sign" not in err


def test_percent_signs_of_a_database_are_counted_in_a_note(score):
    with closing(sqlite3.connect("f.db")) as connection:
        connection.execute("create table t (y, s)")
        rows = [(1, "9%"), (0, 0.08), (0, 7), (1, "6%")]
        connection.executemany("insert into t values (?, ?)", rows)
        connection.commit()
    _, _, err = score(None, name="f.db")
    assert f"capcurve: note: `s`: {SOME_SIGNS}\n" in err


def test_a_report_tells_percent_signs_where_others_have_none(run):
    texts = {"mixed": ["9%", "0.08", "7", "6%"], "all": ["9%", "8%", "7%", "6%"]}
    for name, values in texts.items():
        lines = [f"{row % 2},{value}\n" for row, value in enumerate(values)]
        Path(f"{name}.csv").write_text("y,s\n" + "".join(lines), encoding="utf-8")
        args = ("--truth", "y", "--estimate", "s", "--format", "json")
        code, out, _ = run("report", f"{name}.csv", *args)
        told = f"In 's', {SOME_SIGNS}." in json.loads(out)["limitations"]
        assert (code, told) == (0, name == "mixed")


@pytest.mark.slow
@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize(
    ("value", "remedy"),
    [
        ("8,2 %", "; pass --decimal-comma if the file has decimal commas"),
        ("3.081,00", "; pass --decimal-comma if the file has decimal commas"),
        ("1e-400", "; fix the value, or pass it as --na if that means a missing value"),
        ("1_000", "; fix the value, or pass it as --na if that means a missing value"),
    ],
)
def test_what_is_no_number_is_refused(refused, value, remedy, plan):
    message = refused(f"y;s\n1;5\n0;{value}\n", *plan)
    assert message == f"`s` must hold numbers, got {value!r} in line 3 of f.csv{remedy}"


@pytest.mark.slow
@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize(
    ("high", "low"),
    [
        ("9007199254740993", "9007199254740992"),
        ("9223372036854775807", "9223372036854775806"),
        ("-9223372036854775807", "-9223372036854775808"),
        ("18446744073709551615", "18446744073709551614"),
        ("18446744073709551617", "18446744073709551616"),
        ("1" + "0" * 39 + "1", "1" + "0" * 40),
        ("0.10000000000000000556", "0.10000000000000000555"),
        ("9007199254740992.75", "9007199254740992.25"),
    ],
)
def test_neighbours_are_told_apart_or_refused(score, high, low, plan):
    code, out, err = score(f"y,s\n0,{low}\n1,{high}\n", *plan)
    if code:
        assert err.startswith(("capcurve: error: `s` must", "capcurve: error: bins hold"))
        assert err.count("\n") == 1
    else:
        assert ratio(out) == 1


def test_amounts_of_any_length_in_a_query(score):
    content = f"id,y,s\n{'9' * 30},1,2\n{'8' * 50},0,1\n"
    code, out, _ = score(content, "--query", "select y, s from data")
    assert (code, ratio(out)) == (0, 1)


def test_all_words_in_a_column_of_numbers_are_listed_at_once(refused):
    words = [f"w{place:02}" for place in range(12)]
    lines = "".join(f"1,{word}\n" for word in ["missing", "missing ", "missing", *words])
    message = refused(f"y,s\n{ROWS * 60}{lines}")
    shown = ", ".join(f"'{word}' (1)" for word in words[:9])
    assert f"values that are no numbers, with their rows: 'missing' (3), {shown}" in message
    assert "one of 13 values" in message
    assert "(1) and 3 more; fix the value, or pass it as --na" in message


@pytest.mark.parametrize("options", [(), ("--memory-limit", "1GB")])
def test_copies_of_a_file_are_noted(run, options):
    for name in ("jan.csv", "copy of jan.csv"):
        Path(name).write_text("y,s\n1,2\n0,1\n", encoding="utf-8")
    files = ("jan.csv", "copy of jan.csv", "--truth", "y", "--estimate", "s")
    note = (
        "capcurve: note: jan.csv and copy of jan.csv hold the same bytes, so their rows "
        "count twice; leave one out if it is a copy\n"
    )
    assert run("score", *files, *options)[2].startswith(note)
    assert note in run("sketch", "make", *files, "-o", "jan.sketch")[2]


@pytest.mark.parametrize("options", [(), ("--approx",)])
def test_files_without_rows_are_noted(run, options):
    Path("a.csv").write_text("y,s\n1,2\n0,1\n", encoding="utf-8")
    Path("header.csv").write_text("y,s\n", encoding="utf-8")
    files = ("a.csv", "header.csv", "--truth", "y", "--estimate", "s")
    note = "capcurve: note: header.csv has no rows\n"
    assert run("score", *files, *options)[2].startswith(note)
    assert note in run("sketch", "make", *files, "-o", "a.sketch")[2]


def test_a_report_lists_copies_among_its_limitations(run):
    for name in ("a.csv", "b.csv", "c.csv"):
        more = "0,0.3\n" if name == "c.csv" else ""
        Path(name).write_text(f"y,s\n{ROWS}{more}", encoding="utf-8")
    options = ("--truth", "y", "--estimate", "s", "--format", "json")
    found = json.loads(run("report", "a.csv", "b.csv", "c.csv", *options)[1])
    copies = "a.csv and b.csv hold the same bytes: their rows count twice."
    assert found["limitations"][-1] == copies


@pytest.mark.parametrize("options", [(), ("--memory-limit", "1GB")])
def test_several_other_labels_are_told(score, options):
    labels = ["default", "cured", "ok", "ok", "", "a", "b", "c", "d"]
    content = "y,s\n" + "".join(f"{label},{s}\n" for s, label in enumerate(labels))
    code, _, err = score(content, "--pos-label", "default", *options)
    shown = "2 'ok', 1 'a', 1 'b', 1 'c', 1 'cured', 1 more"
    others = f"{shown} (counted before rows are left out)"
    assert (code, f"capcurve: note: `y`: non-events are {others}\n" in err) == (0, True)
    code, _, err = score(content, "--pos-label", "nothing", *options)
    assert code == 2


def test_a_single_other_label_needs_no_note(score):
    assert "non-events are" not in score("y,s\n2,1\n1,0\n", "--pos-label", "2")[2]
    assert "non-events are 1 1, 1 3" in score("y,s\n2,1\n1,0\n3,0\n", "--pos-label", "2")[2]


def test_groups_keep_their_zeros_with_and_without_a_query(score):
    groups = ["01", "1", "001", "1.0"]
    rows = "".join(f"1,0.9,{group}\n0,0.1,{group}\n" for group in groups)
    for options in ((), ("--query", "select * from data")):
        _, out, _ = score(f"y,s,g\n{rows}", "--by", "g", *options)
        assert sorted(row["g"] for row in read_results(out)) == sorted(groups)


@pytest.mark.parametrize(
    "texts", [("2024-01-31", "2024-04-01"), ("2024-01-31T23:30:00Z", "2024-04-01 10:00")]
)
def test_periods_of_json_lines_are_those_of_text_files(run, texts):
    rows = [(n % 2, n, text) for n in range(60) for text in texts]
    lines = "".join(f"{y},{s},{t}\n" for y, s, t in rows)
    Path("f.csv").write_text(f"y,s,t\n{lines}")
    lines = "".join(json.dumps({"y": y, "s": s, "t": t}) + "\n" for y, s, t in rows)
    Path("f.jsonl").write_text(lines)
    command = ("--truth", "y", "--estimate", "s", "--period", "t", "--format", "json")
    text, objects = (
        json.loads(run("report", name, *command, "--period-by", "quarter")[1])["periods"]
        for name in ("f.csv", "f.jsonl")
    )
    assert text == objects
    assert [group["group"] for group in text[0]["groups"]] == ["2024-Q1", "2024-Q2"]
