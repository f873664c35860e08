"""The command line: data on stdout, messages on stderr, one line for every error."""

import contextlib
import csv
import gzip
import io
import itertools
import json
import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
from operator import itemgetter
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from answers import read_results
from capcurve import (
    CapCurve,
    FewEventsWarning,
    accuracy_ratio_interval,
    accuracy_ratio_score,
    accuracy_ratio_test,
    accuracy_ratio_test_initial,
    accuracy_ratio_test_joint,
    capture_rate_test,
    gain_capture,
    gains_table,
)
from capcurve._cli.run import main
from capcurve._files.progress import show_progress
from capcurve.datasets import make_portfolio
from versions import needs

LOANS = pl.DataFrame(make_portfolio(1_500))
COMMANDS = (
    "demo",
    "score",
    "table",
    "plot",
    "compare",
    "cut-offs",
    "plan",
    "implied",
    "segments",
    "change",
    "reference",
    "report",
)
SEGMENTS = ("corporate", "retail", "small business")
OPTIONS = ["--truth", "default", "--estimate", "champion_pd"]


@pytest.fixture
def folder(tmp_path):
    LOANS.write_csv("loans.csv")
    LOANS.write_parquet("loans.parquet")
    return tmp_path


@pytest.fixture
def capcurve(folder, capsys):
    """Run a command and give exit code, stdout and stderr."""
    assert folder.is_dir()

    def run(*arguments):
        code = main(arguments)
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def refused(capcurve):
    """Run a command that must fail, and give its one line."""

    def run(*arguments):
        code, out, err = capcurve(*arguments)
        assert (code, out) == (2, "")
        assert err.startswith("capcurve: error: ")
        assert err.count("\n") == 1
        return err.removeprefix("capcurve: error: ").rstrip("\n")

    return run


def few(names):
    """Write out the note on intervals that rest on few events."""
    return (
        "capcurve: note: fewer than 20 events or non-events, so the coverage of the "
        f"interval may fall below its confidence level: {names}\n"
    )


def wide(names):
    """Write out the note on intervals of few events that hold for any number of them."""
    return (
        "capcurve: note: fewer than 20 events or non-events, so the interval is wide, as "
        f"limits by 'exact' hold for any number of them: {names}\n"
    )


def scored(output):
    return read_results(output)[0]


EXPECTED = accuracy_ratio_score(LOANS["default"], LOANS["champion_pd"])


@pytest.mark.parametrize("file", ["loans.csv", "loans.parquet"])
def test_score_prints_the_numbers_of_the_library(capcurve, file):
    code, out, err = capcurve("score", file, *OPTIONS, "--format", "json")
    curve = CapCurve.from_predictions(LOANS["default"], LOANS["champion_pd"])
    estimate = accuracy_ratio_interval(LOANS["default"], LOANS["champion_pd"])
    assert (code, err) == (0, "")
    assert scored(out) == {
        "estimate": "champion_pd",
        "accuracy_ratio": curve.accuracy_ratio,
        "low": estimate.low,
        "high": estimate.high,
        "ks": curve.ks,
        "capture_10": curve.capture_rate_at(0.1),
        "capture_50": curve.capture_rate_at(0.5),
        "worst_ties": curve.tie_bounds.worst,
        "best_ties": curve.tie_bounds.best,
        "n": 1500,
        "n_events": LOANS["default"].sum(),
        "response_rate": curve.response_rate,
        "method": "beta",
    }


def test_several_estimates_have_a_row_each(capcurve):
    command = ("score", "loans.csv", *OPTIONS, "--estimate", "challenger_pd")
    _, out, _ = capcurve(*command, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["estimate"] for row in rows] == ["champion_pd", "challenger_pd"]
    assert float(rows[0]["accuracy_ratio"]) == EXPECTED
    _, out, _ = capcurve(*command, "--format", "markdown")
    assert [line.count("|") for line in out.splitlines()] == [14, 14, 14, 14]
    assert f"| champion_pd | {EXPECTED:.4f} |" in out
    _, out, _ = capcurve(*command)
    assert f"{EXPECTED:.4f}" in out
    assert "challenger_pd" in out
    assert max(map(len, out.splitlines())) <= 130


def test_weights_amounts_and_direction(capcurve):
    _, out, _ = capcurve(
        *("score", "loans.parquet", "--truth", "loss", "--estimate", "champion_pd"),
        *("--weight", "exposure", "--format", "json"),
    )
    expected = accuracy_ratio_score(
        LOANS["loss"], LOANS["champion_pd"], sample_weight=LOANS["exposure"]
    )
    assert scored(out)["accuracy_ratio"] == pytest.approx(expected, rel=1e-12)
    _, out, err = capcurve(
        "score", "loans.csv", *OPTIONS, "--ascending", "--format", "json"
    )
    assert scored(out)["accuracy_ratio"] == pytest.approx(-EXPECTED)
    assert err == (
        "capcurve: note: the AR of 'champion_pd' is negative, so the score may be "
        "reversed; without --ascending, high scores rank first\n"
    )


@pytest.mark.parametrize(
    ("truth", "event"), [("yes,no,no", "yes"), ("2,1,1", "2"), ("2.5,1,1", "2.5")]
)
def test_the_event_is_named_as_the_file_writes_it(capcurve, truth, event):
    rows = zip(truth.split(","), (3, 2, 1), strict=True)
    Path("f.csv").write_text("y,s\n" + "".join(f"{y},{s}\n" for y, s in rows))
    code, out, _ = capcurve(
        *("score", "f.csv", "--truth", "y", "--estimate", "s"),
        *("--pos-label", event, "--format", "json"),
    )
    assert code == 0
    assert scored(out)["accuracy_ratio"] == 1


def test_a_boolean_column_of_parquet(capcurve):
    pl.DataFrame({"y": [True, False], "s": [2, 1]}).write_parquet("b.parquet")
    for event, ratio in (("true", 1), ("false", -1)):
        _, out, _ = capcurve(
            *("score", "b.parquet", "--truth", "y", "--estimate", "s"),
            *("--pos-label", event, "--format", "json"),
        )
        assert scored(out)["accuracy_ratio"] == ratio


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("semicolon.csv", "id;s;y\n1;0.5;1\n2;0.2;0\n3;0.1;0\n"),
        ("tab.tsv", "s\ty\n0.5\t1\n0.2\t0\n0.1\t0\n"),
        ("quotes.csv", '"s","y"\n"0.5","1"\n"0.2","0"\n"0.1","0"\n'),
        ("windows.txt", "s|y\r\n0.5|1\r\n0.2|0\r\n0.1|0\r\n"),
        ("part-*.csv", None),
        ("packed.csv.gz", None),
    ],
)
def test_text_files_of_many_kinds(capcurve, name, content):
    if content is not None:
        Path(name).write_bytes(content.encode())
    elif "*" in name:
        Path("part-1.csv").write_text("s,y\n0.5,1\n0.2,0\n")
        Path("part-2.csv").write_text("y,s\n0,0.1\n")
    else:
        Path(name).write_bytes(gzip.compress(b"s,y\n0.5,1\n0.2,0\n0.1,0\n"))
    code, out, err = capcurve(
        "score", name, "--truth", "y", "--estimate", "s", "--format", "csv"
    )
    assert (code, err) == (0, wide("s"))
    (row,) = csv.DictReader(io.StringIO(out))
    assert (row["accuracy_ratio"], row["n"], row["n_events"]) == ("1.0", "3", "1")


def test_column_names_may_hold_anything(capcurve):
    names = {"y": 'my "outcome"', "s": "naïve; score, 'v2'"}
    frame = pl.DataFrame({names["y"]: [1, 0], names["s"]: [2.0, 1.0]})
    frame.write_csv("odd.csv")
    frame.write_parquet("odd.parquet")
    for file in ("odd.csv", "odd.parquet"):
        code, out, _ = capcurve(
            *("score", file, "--truth", names["y"], "--estimate", names["s"]),
            *("--format", "markdown"),
        )
        assert code == 0
        assert f"| {names['s']} | 1.0000 |" in out


def test_groups_have_a_row_each(capcurve):
    command = ("score", "loans.csv", *OPTIONS, "--by", "segment", "--by", "year")
    code, out, err = capcurve(*command, "--format", "json")
    assert code == 0
    few_events, single = err.splitlines()
    assert few_events.endswith("; 4 more")
    rows = read_results(out)
    with pytest.warns(FewEventsWarning, match="(; 4 more|any number of them: .*)$"):
        tidy = gain_capture(
            LOANS,
            "default",
            "champion_pd",
            by=["segment", "year"],
            confidence_level=0.95,
        ).sort("segment", "year")
    single_rows = [row for row in rows if row["method"] == "exact"]
    assert single.count("champion_pd") == len(single_rows)
    assert {row["n_events"] for row in single_rows} == {1}
    assert [(row["segment"], row["year"]) for row in rows] == [
        (segment, str(year)) for segment, year in tidy.select("segment", "year").iter_rows()
    ]
    for shell, frame in (("accuracy_ratio", "estimate"), ("low", "low"), ("high", "high")):
        values = [row[shell] for row in rows]
        assert values == pytest.approx(tidy[frame].to_list(), rel=1e-12)


def test_compare_prints_a_row_for_each_pair(capcurve):
    command = ("compare", "loans.csv", *OPTIONS, "--estimate", "challenger_pd")
    code, out, err = capcurve(*command, "--confidence", "0.9", "--format", "json")
    assert (code, err) == (0, "")
    expected = accuracy_ratio_test(
        *(LOANS[name] for name in ("default", "champion_pd", "challenger_pd")),
        confidence_level=0.9,
    )
    assert scored(out) == {
        "estimate_a": "champion_pd",
        "estimate_b": "challenger_pd",
        "ar_a": expected.first,
        "ar_b": expected.second,
        "difference": expected.value,
        "std_error": expected.standard_error,
        "low": expected.low,
        "high": expected.high,
        "statistic": expected.statistic,
        "p_value": expected.p_value,
        "p_holm": expected.p_value,
        "n_events": expected.n_events,
        "n": 1500,
        "alternative": "two-sided",
        "margin": 0.0,
    }
    _, out, _ = capcurve(*command, "--estimate", "exposure", "--by", "segment")
    assert out.count("challenger_pd") == 6


def test_compare_with_the_initial_auc(capcurve):
    command = ("compare", "loans.csv", *OPTIONS, "--initial-auc", "0.85")
    code, out, err = capcurve(*command, "--format", "json")
    assert (code, err) == (0, "")
    current = accuracy_ratio_interval(LOANS["default"], LOANS["champion_pd"])
    expected = accuracy_ratio_test_initial(
        current, initial_auc=0.85, initial_variance=0.0004
    )
    assert scored(out)["p_value"] == expected.ecb.p_value
    assert scored(out)["statistic"] == expected.ecb.statistic
    assert scored(out)["auc_current"] == current.to_auc().value
    _, out, _ = capcurve(*command, "--initial-variance", "0.0004", "--format", "json")
    rows = read_results(out)
    assert [row["test"] for row in rows] == ["ECB", "two samples"]
    assert rows[1]["p_value"] == expected.two_sample.p_value


def test_grades_in_words_beside_probabilities(capcurve):
    order = ("--order", "A,B,C,D,E,F,G,H")
    pair = ("--estimate", "grade", "--estimate", "challenger_pd")
    compared = ("compare", "loans.csv", "--truth", "default", *pair, "--format", "json")
    code, out, _ = capcurve(*compared, *order)
    assert code == 0
    expected = accuracy_ratio_test(
        LOANS["default"], [*map("ABCDEFGH".index, LOANS["grade"])], LOANS["challenger_pd"]
    )
    assert scored(out)["p_value"] == pytest.approx(expected.p_value)
    table = ("table", "loans.csv", "--truth", "default", *pair, *order)
    rows = read_results(capcurve(*table, "--bands", "4", "--format", "json")[1])
    ends = {row["estimate"]: row["highest_score"] for row in rows if row["band"] == 1}
    assert ends["grade"] == "H"
    assert 0 < ends["challenger_pd"] < 1
    known = "case when loan > 20 then challenger_pd end"  # so that models have own rows
    code, _, err = capcurve(
        *("report", "loans.csv", "--truth", "default", "--estimate", "grade", *order),
        *("--compare", "challenger_pd", "-o", "r.json"),
        *("--query", f"select * replace ({known} as challenger_pd) from data"),  # noqa: S608
    )
    assert code == 0, err


def test_an_ar_as_the_initial_auc_and_few_events_are_told(capcurve):
    for command in (("compare",), ("report", "-o", "r.json")):
        asked = (command[0], "loans.csv", *command[1:], *OPTIONS)
        _, _, err = capcurve(*asked, "--initial-auc", "0.57")
        assert "is 0.57 an AR? As an AUC it is (AR + 1) / 2 = 0.785" in err
        assert "an AR?" not in capcurve(*asked, "--initial-auc", "0.785")[2]
        few = ("--query", 'from data where "default" = 0 or loan < 300')
        _, _, err = capcurve(*asked, *few, "--initial-auc", "0.8")
        told = "capcurve: note: the ECB's test against initial validation is based on"
        assert told in err


def test_compare_tests_each_score_against_its_own_initial_auc(capcurve, refused):
    """As in a report: a plain number is the champion's, others are named."""
    pair = ("compare", "loans.csv", *OPTIONS, "--estimate", "challenger_pd")
    pair = (*pair, "--format", "json")
    _, out, err = capcurve(*pair, "--initial-auc", "0.85")
    (row,) = read_results(out)
    assert (row["estimate"], row["auc_initial"]) == ("champion_pd", 0.85)
    assert "note: 'challenger_pd' not tested, as only the AUC of 'champion_pd' was" in err
    named = ("--initial-auc", "champion_pd=0.85", "--initial-auc", "challenger_pd=0.9")
    _, out, err = capcurve(*pair, *named, "--initial-variance", "challenger_pd=0.0004")
    rows = read_results(out)
    assert "not tested" not in err
    assert [(row["estimate"], row["test"], row["auc_initial"]) for row in rows] == [
        ("champion_pd", "ECB", 0.85),
        ("challenger_pd", "ECB", 0.9),
        ("challenger_pd", "two samples", 0.9),
    ]
    assert rows[0]["p_value"] == row["p_value"]
    assert rows[2]["p_holm"] == rows[2]["p_value"]
    message = refused(*pair[:-2], "--initial-auc", "0.8", "--initial-auc", "0.9")
    assert message.startswith("--initial-auc must be one number, the champion's, or one")


def test_compare_shows_groups_without_events_and_counts_them(capcurve):
    Path("f.csv").write_text("g,s,t,y\na,2,1,1\na,1,2,0\nb,1,1,1\n")
    options = ("--truth", "y", "--estimate", "s", "--estimate", "t", "--by", "g")
    _, out, _ = capcurve("compare", "f.csv", *options, "--format", "json")
    rows = read_results(out)
    assert [(row["g"], row["n_events"], row["n"]) for row in rows] == [
        ("a", 1, 2),
        ("b", 1, 1),
    ]
    known = {"g": "b", "estimate_a": "s", "estimate_b": "t", "n_events": 1, "n": 1}
    assert {name: cell for name, cell in rows[1].items() if cell is not None} == known
    assert rows[0]["p_holm"] == rows[0]["p_value"]  # b is no test
    _, out, _ = capcurve("compare", "f.csv", *options, *INITIAL, "--format", "json")
    rows = read_results(out)
    assert [(row["g"], row["auc_initial"]) for row in rows] == [*(("a", 0.7), ("b", None))]


INITIAL = ("--initial-auc", "0.7")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            [],
            "compare requires two or more scores, --against or --initial-auc, got one --e",
        ),
        (
            ["--initial-variance", "1"],
            "--initial-variance requires the --initial-auc of the same score, got",
        ),
        (["--initial-auc", "80"], "--initial-auc must be an AUC from 0 to 1, got 80.0; "),
        (
            [*INITIAL, "--share", "0.1"],
            "--initial-auc is about AR and AUC, got --share too; leave one of them out",
        ),
        (
            ["--estimate", "loss", "--method", "eht", "--share", "0.1"],
            "--method is about AR and AUC, got --share too; leave one of them out",
        ),
        (["--share", "10"], "--share must be a fraction in (0, 1], got 10.0; 10 % is 0.1"),
        (
            [*INITIAL, "--alternative", "less"],
            "--initial-auc tests for a decrease, got --alternative less; leave one of them",
        ),
        ([*INITIAL, "--confidence", "95"], "--confidence must lie between 0 and 1, got 95"),
    ],
)
def test_compare_says_what_it_takes(refused, options, message):
    assert refused("compare", "loans.csv", *OPTIONS, *options).startswith(message)


def test_compare_takes_no_levels(refused):
    Path("f.csv").write_text("t,a,b,c\na,3,1,1\nb,1,3,1\nc,1,1,3\n")
    estimates = ("--estimate", "a", "--estimate", "b", "--estimate", "c")
    message = refused("compare", "f.csv", "--truth", "t", *estimates)
    assert message == (
        "compare requires an outcome with two class labels, got a score for each of "
        "several; pass one label as --pos-label"
    )


BANDS = ("band", "random-band")  # of a curve, and of a random score


def test_plot_fills_bands(capcurve):
    sizes = []
    for options in ([], ["--band", "simultaneous", "--random-band", "pointwise"]):
        assert capcurve("plot", "loans.csv", *OPTIONS, "-o", "cap.svg", *options)[0] == 0
        drawn = Path("cap.svg").read_text()
        sizes.append([drawn.count(f"capcurve-{band}") for band in BANDS])
    assert sizes == [[0, 0], [1, 1]]


@pytest.mark.parametrize(
    "command",
    [
        ("plot", "-o", "cap.svg", "--band", "pointwise"),
        ("plot", "-o", "cap.svg", "--random-band", "pointwise"),
        ("plot", "-o", "cap.svg"),
        ("table",),
        ("table", "--approx"),
    ],
)
def test_clusters_are_refused_where_nothing_allows_for_them(refused, command):
    name, *more = command
    message = refused(name, "loans.csv", *OPTIONS, *more, "--cluster", "segment")
    without = " without --confidence" if name == "table" else ""
    assert message == (
        "--cluster requires intervals or tests of dependent rows, as of score, compare, "
        f"report and table --confidence, got {name}{without}; leave it out if rows are "
        "independent"
    )
    assert not Path("cap.svg").exists()


@pytest.mark.parametrize("option", ["--pos-label=1", "--target-type=binary"])
def test_counted_events_need_no_word_about_the_outcome(refused, option):
    Path("f.csv").write_text("n,e,s\n5,1,4\n5,2,3\n")
    command = ("score", "f.csv", "--events=e", "--counts=n", "--estimate=s", option)
    assert refused(*command) == (
        "--pos-label and --target-type require --truth, got --events, which counts the "
        "events; leave them out"
    )


@pytest.mark.parametrize("command", [("score",), ("report", "--format", "json")])
def test_counts_of_events_are_not_the_outcome(refused, command):
    Path("f.csv").write_text("n,e,s\n5,1,4\n5,2,3\n2,0,1\n")
    columns = ("--truth=e", "--counts=n", "--estimate=s")
    assert refused(command[0], "f.csv", *columns, *command[1:]) == (
        "`e` must be the outcome of each row, got whole numbers up to `n`; pass it as "
        "--events if it counts the events among them, --pos-label for labels or "
        "--target-type continuous for amounts"
    )
    message = refused("score", "f.csv", *columns, "--pos-label=3")
    assert message.startswith("--pos-label is 3, which is not among the labels of `e`")
    Path("f.csv").write_text("n,e,s\n5,1,4\n5,7,3\n2,0,1\n")
    assert "other than 0 and 1 (7), which may be class" in refused(
        "score", "f.csv", *columns
    )


def test_lines_that_stand_for_counted_rows_are_called_lines(capcurve):
    Path("f.csv").write_text("y,s,n\n1,1,300\n0,2,400\n,3,500\n1,5,200\n0,4,100\n")
    command = ("score", "f.csv", "--truth=y", "--estimate=s")
    lines = "capcurve: note: left out 1 of 5 lines of counted rows with a missing value (y "
    assert lines in capcurve(*command, "--counts=n")[2]
    assert "left out 1 of 5 rows with a missing" in capcurve(*command, "--weight=n")[2]


def test_few_events_are_noted_and_whether_limits_hold_for_any_distribution(capcurve):
    events = {"one": (1, 5), "two": (2, 4)}
    lines = [
        f"{int(row < n)},{6 - row},{name}\n"
        for name, (n, others) in events.items()
        for row in range(n + others)
    ]
    Path("f.csv").write_text("".join(["y,s,g\n", *lines]))
    given = ("f.csv", "--truth", "y", "--estimate", "s")
    by = (*given, "--by", "g")
    # Of two events above all others, with AUC a both are so in at most a**2 of samples.
    limits = " (distribution-free limits -0.684 to 1.000)"
    assert capcurve("score", *by)[2] == few(f"two, s{limits}") + wide("one, s")
    exact = ("--method", "exact")
    assert capcurve("score", *by, *exact)[2] == wide("one, s; two, s")
    err = capcurve("report", *by, "-o", "r.html")[2]
    assert few("s; two, s") + wide("one, s") in err
    err = capcurve("report", *by, "-o", "e.html", *exact)[2]
    assert "may fall" not in err
    assert wide("s; one, s; two, s") in err
    one = ("--query", "SELECT * FROM data WHERE g = 'one'")
    assert wide("s") in capcurve("report", *given, *one, "-o", "o.html")[2]


def test_few_events_of_a_class_label_are_noted_as_they_are_those_of_the_average(capcurve):
    Path("f.csv").write_text("y,a,b\na,6,1\nb,5,2\nb,4,3\nb,3,4\n")
    _, _, err = capcurve("score", "f.csv", "--truth=y", "--estimate=a", "--estimate=b")
    assert "confidence level: a, a (distribution-free limits " in err


@pytest.mark.parametrize(
    ("form", "keys"),
    [
        ("text", ["9", "10", "EU", "null", "(missing)"]),
        ("markdown", ["9", "10", "EU", "null", "(missing)"]),
        ("csv", ["9", "10", "EU", "null", ""]),
        ("json", ["9", "10", "EU", "null", None]),
    ],
)
@pytest.mark.parametrize("plan", [(), ("--memory-limit", "1GB")])
def test_groups_are_sorted_and_a_missing_one_is_not_the_text_null(
    capcurve, form, keys, plan
):
    lines = [f"1,2,{key}\n0,1,{key}\n" for key in ("null", "", "EU", "10", "9")]
    Path("f.csv").write_text("".join(["y,s,g\n", *lines]))
    command = ("score", "f.csv", "--truth=y", "--estimate=s", "--by=g", *plan)
    _, out, err = capcurve(*command, "--format", form, "--fail-below", "1")
    if form == "json":
        found = [row["g"] for row in read_results(out)]
    elif form == "csv":
        found = [row["g"] for row in csv.DictReader(io.StringIO(out))]
    else:
        cells = [line.strip("| ").split()[0] for line in out.splitlines()]
        found = cells[-len(keys) :]
    assert found == keys
    (note,) = err.splitlines()  # limits of one event hold for any distribution
    assert "so the interval is wide, as limits by 'exact' hold for any number" in note
    _, _, err = capcurve(*command, "--fail-below", "1", "--fail-on-lower-bound")
    assert "of (missing), s is -0.9" in err


def test_tiny_numbers_are_not_written_as_zero(capcurve):
    command = ("compare", "loans.csv", *OPTIONS, "--estimate", "exposure")
    out = capcurve(*command)[1]
    p_value = scored(capcurve(*command, "--format", "json")[1])["p_value"]
    assert 0 < p_value < 0.00005
    assert f" {p_value:.1e}" in out


def test_groups_without_a_ratio_are_noted_and_empty(capcurve):
    Path("f.csv").write_text("g,s,y\na,2,1\na,1,0\n,1,1\n,2,1\n")
    command = ("score", "f.csv", "--truth", "y", "--estimate", "s", "--by", "g")
    code, out, err = capcurve(*command, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0
    assert [(row["g"], row["accuracy_ratio"]) for row in rows] == [
        ("a", "1.0"),
        ("", ""),
    ]
    undefined = "capcurve: note: undefined because all outcomes are equal: g (missing), s\n"
    assert err == undefined + wide("a, s")
    assert " -" in capcurve(*command)[1]
    table = capcurve("table", *command[1:], "--bands", "1", "--format", "json")[1]
    assert [row["g"] for row in read_results(table)] == ["a"]
    assert capcurve("plot", *command[1:], "-o", "cap.png")[0] == 0


def test_groups_that_are_all_undefined(refused):
    Path("f.csv").write_text("g,s,y\na,2,1\nb,1,0\n")
    message = refused("table", "f.csv", "--truth", "y", "--estimate", "s", "--by", "g")
    assert message == (
        "the CAP curve requires outcomes that differ, but within each group all are equal; "
        "choose another --truth or coarser groups"
    )


def test_levels_with_an_estimate_each(capcurve):
    rng = np.random.default_rng(2)
    scores = {f"p_{grade}": rng.random(1_500).round(2) for grade in "HGFEDCBA"}
    LOANS.with_columns(**{name: pl.Series(s) for name, s in scores.items()}).write_csv(
        "f.csv"
    )
    options = [option for name in scores for option in ("--estimate", name)]
    code, out, _ = capcurve(
        "score", "f.csv", "--truth", "grade", *options, "--format", "json"
    )
    rows = {row["level"]: row["accuracy_ratio"] for row in read_results(out)}
    assert code == 0
    assert list(rows) == [*"ABCDEFGH", "macro", "macro_weighted"]
    matrix = np.column_stack([scores[f"p_{grade}"] for grade in "ABCDEFGH"])
    for average, name in (("macro", "macro"), ("weighted", "macro_weighted")):
        expected = accuracy_ratio_score(LOANS["grade"], matrix, average=average)
        assert rows[name] == pytest.approx(expected, rel=1e-12)


def test_estimates_that_name_no_levels_need_the_event(refused, capcurve):
    estimates = [f"--estimate={name}_pd" for name in ("champion", "challenger")]
    command = ("loans.csv", "--truth", "grade", *estimates, "--estimate", "exposure")
    message = refused("score", *command)
    assert message.startswith(
        "`grade` must hold 0/1, -1/1 or boolean events, got the labels"
    )
    code, out, _ = capcurve("score", *command, "--pos-label", "H", "--format", "csv")
    assert code == 0
    assert len(out.splitlines()) == 4


def test_levels_that_are_all_undefined_in_a_group(capcurve):
    Path("f.csv").write_text("g,t,a,b,c\n1,a,3,1,1\n1,b,1,3,1\n1,c,1,1,3\n2,a,1,1,1\n")
    options = ("--estimate", "a", "--estimate", "b", "--estimate", "c", "--by", "g")
    _, out, err = capcurve("score", "f.csv", "--truth", "t", *options, "--format", "json")
    rows = read_results(out)
    assert [row["accuracy_ratio"] for row in rows] == [1] * 5 + [None] * 5
    assert "g 2, a, a; g 2, b, b; g 2, c, c" in err


@pytest.mark.parametrize(
    ("bands", "shares"),
    [("4", [0.25, 0.5, 0.75, 1]), ("0.01,0.5", [0.01, 0.5, 1]), ("scores", None)],
)
def test_table_prints_the_gains_table(capcurve, bands, shares):
    command = ("table", "loans.csv", *OPTIONS, "--bands", bands)
    code, out, err = capcurve(*command, "--format", "json")
    assert (code, err) == (0, "")
    rows = read_results(out)
    curve = CapCurve.from_predictions(LOANS["default"], LOANS["champion_pd"])
    shares = curve.population_share[1:].tolist() if shares is None else shares
    assert [row["population_share"] for row in rows] == shares
    captured = [curve.capture_rate_at(share) for share in shares]
    assert [row["capture_rate"] for row in rows] == pytest.approx(captured)
    assert sum(row["n"] for row in rows) == pytest.approx(1_500)


def test_table_prints_the_limits_of_the_frame(capcurve, refused):
    command = ("table", "loans.csv", *OPTIONS, "--bands", "0.05,0.3")
    options = ("--confidence", "0.9", "--format", "json")
    code, out, err = capcurve(*command, *options)
    assert (code, err) == (0, "")
    expected = gains_table(
        LOANS, "default", "champion_pd", bands=[0.05, 0.3], confidence_level=0.9
    )
    for row, band in zip(read_results(out), expected.to_dicts(), strict=True):
        assert row == pytest.approx({"estimate": "champion_pd", **band})
    few = capcurve(*command, *options, "--cluster", "segment")
    assert "fewer than 20 events" in few[2]
    assert "--confidence requires the rows in memory, got" in refused(
        *command, *options, "--approx"
    )
    assert "--confidence must lie between 0 and 1, got 95.0" in refused(
        *command, "--confidence", "95"
    )


def test_infinite_scores_are_null_in_json(capcurve):
    Path("f.csv").write_text("s,y\ninf,1\n0.2,0\n-inf,0\n")
    command = ("table", "f.csv", "--truth", "y", "--estimate", "s", "--bands", "scores")
    code, out, err = capcurve(*command, "--format", "json")
    assert (code, err.count("\n")) == (0, 1)
    assert err.startswith("capcurve: note: 's' is infinite in 2 rows, which rank first")
    assert [row["lowest_score"] for row in read_results(out)] == [None, 0.2, None]
    assert "inf" in capcurve(*command)[1]


def test_decimal_commas(capcurve, refused):
    Path("f.csv").write_text("s;y\n0,5;1\n0,25;0\n")
    options = ("score", "f.csv", "--truth", "y", "--estimate", "s")
    assert refused(*options) == (
        "`s` must hold numbers, got '0,5' in line 2 of f.csv; "
        "pass --decimal-comma if the file has decimal commas"
    )
    assert capcurve(*options, "--decimal-comma")[0] == 0


def test_rows_with_missing_values_are_left_out_and_counted(capcurve):
    Path("f.csv").write_text("s,y,t\n0.5,1,1\nNA,0,1\n0.2,0,1\n0.1,,1\nnan,1,1\n-,1,1\n")
    code, out, err = capcurve(
        *("score", "f.csv", "--truth", "y", "--estimate", "s", "--estimate", "t"),
        *("--na", "-", "--format", "csv"),
    )
    assert code == 0
    assert [row["n"] for row in csv.DictReader(io.StringIO(out))] == ["2", "2"]
    words = "capcurve: note: `s`: 3 missing: 1 '-', 1 'NA', 1 'nan'\n"
    left_out = "capcurve: note: left out 4 of 6 rows with a missing value (y 1, s 3)\n"
    alike = "capcurve: note: 't' is the same in all rows, so that its AR is 0; check it\n"
    assert err == words + left_out + alike + wide("s; t")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "cannot read f.csv: the file is empty"),
        ("s,y\n", "f.csv must have rows, got none; check the file"),
        ("s,y\n,1\n1,\n", "f.csv must have rows without a missing value in y, s, got none"),
        (
            "s,y\n1,1\n2\n3,0,0\n",
            "cannot read f.csv: line 3 has 1 field, but the header has 2",
        ),
        ("s,y\n1,1\nabc,0\n", "`s` must hold numbers, got 'abc' in line 3 of f.csv; fix"),
        ("s,y\n1,1\n2,1\n", "the CAP curve of f.csv is undefined: `y` holds only eve"),
        ("s,y\n1,a\n2,b\n", "`y` must hold 0/1, -1/1 or boolean events, got the "),
        ("s,y\n1,1\n2,2\n", "`y` holds whole numbers other than 0 and 1 (2), which "),
        ("s,y\n1,-1.5\n2,2\n", "`y` must hold finite amounts that are not negative"),
        ("\xe9,y\n1,1\n", "cannot read f.csv: the file is not text in UTF-8; pass its enc"),
    ],
)
def test_broken_files_say_what_is_wrong(refused, content, message):
    Path("f.csv").write_bytes(content.encode("latin-1"))
    answer = refused("score", "f.csv", "--truth", "y", "--estimate", "s")
    assert answer.startswith(message)


@pytest.mark.parametrize("options", [("--weight", "w"), ("--counts", "w")])
@pytest.mark.parametrize("more", [(), ("--approx",), ("--memory-limit", "1GB")])
def test_weights_that_are_all_zero_are_told(refused, options, more):
    Path("f.csv").write_text("s,y,w\n1,1,0\n2,0,0\n", encoding="utf-8")
    args = ("score", "f.csv", "--truth", "y", "--estimate", "s", *options, *more)
    assert "with `w` above 0" in refused(*args)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["score", "loans.csv", "--truth", "defualt", "--estimate", "champion_pd"],
            "loans.csv has no column 'defualt'; did you mean 'default'?",
        ),
        (
            ["score", "loans.csv", "--truth", "default", "--estimate", "xyzzy"],
            "loans.csv has no column 'xyzzy'; its columns are 'loan', 'segment', ",
        ),
        (
            ["score", "loans.csv", *OPTIONS, "--weight", "segment"],
            "`segment` must hold numbers",
        ),
        (
            ["score", "loans.csv", *OPTIONS, "--pos-label", "x"],
            (
                "--pos-label is 'x', which is not among the labels of `default`: 0, 1; "
                "pass the one that is the event, as the column holds it"
            ),
        ),
        (
            ["score", "loans.csv", "--truth", "default"],
            "capcurve score requires --estimate, which was not given; add it",
        ),
        (
            ["table", "loans.csv", *OPTIONS, "--bands", "ten"],
            (
                "--bands must be a number of bands, population shares such as "
                "0.01,0.05,0.1, or the word scores, got 'ten'"
            ),
        ),
        (
            ["score", "loans.csv", *OPTIONS, "--by", "default"],
            "--by must not name the truth column 'default', as every group",
        ),
        (["scor", "loans.csv"], "capcurve has no command 'scor'; did you mean score?"),
        (["xyz"], "capcurve has no command 'xyz'; see capcurve --help"),
        (
            ["score", ".", *OPTIONS],
            "cannot read .: it is a folder; pass its files, such as",
        ),
        (
            ["score", "loans.xls", *OPTIONS],
            "cannot read loans.xls: the name must end in one of .parquet",
        ),
        (
            ["score", "none.csv", *OPTIONS],
            "cannot read none.csv: no such file; check the name",
        ),
        (
            ["score", "loans.csv", *OPTIONS, "--format", "yaml"],
            "--format must be one of text, json, ndjson, csv, markdown, got 'yaml'; choose",
        ),
        (
            ["plot", "loans.csv", *OPTIONS, "-o", "cap.gif"],
            "--output must end in one of .png, .svg, .pdf, got 'cap.gif'; choose one of",
        ),
        (
            ["plot", "loans.csv", *OPTIONS, "-o", "no/cap.png"],
            (
                "--output must be in an existing folder, got 'no/cap.png'; create the "
                "folder 'no' first"
            ),
        ),
        (
            ["plot", "loans.csv", *OPTIONS, "-o", "cap.png", "--mark", "50"],
            "--mark must be a fraction in [0, 1], got 50.0; 10 % is 0.1",
        ),
    ],
    ids=lambda value: None if isinstance(value, list) else value[:30],
)
def test_mistakes_are_answered_in_one_line(refused, arguments, message):
    assert refused(*arguments).startswith(message)
    assert {path.name for path in Path().iterdir()} == {"loans.csv", "loans.parquet"}


def test_a_file_of_another_format_is_to_be_converted(refused):
    remedies = {
        "loans.feather": "convert the file, to Parquet for example",
        "loans.dat": "rename it, or convert the file",
    }
    for name, remedy in remedies.items():
        told = refused("score", name, *OPTIONS)
        assert told.endswith(f"(text also in .gz or .zst); {remedy}")


def test_a_misspelt_option_lists_the_close_one(refused):
    message = refused("score", "loans.csv", "--truht", "default")
    assert message == "capcurve score has no option --truht; did you mean --truth?"


def test_a_file_of_one_column(refused):
    texts = (
        "y\n1\n0\n",
        '"y, or not"\n1\n0\n',
        '"a, b"\n"1, 2"\n',
        "y\1s\n1\1002\n",
        "y^s\n1^2\n",
    )
    for content in texts:
        Path("f.csv").write_text(content)
        message = refused("score", "f.csv", "--truth", "y", "--estimate", "s")
        assert message.startswith("f.csv has no column ")
        advice = "; separate columns by a comma, semicolon, tab or |"
        assert message.endswith(advice)


def test_numbers_stored_as_text_are_not_parsed(refused):
    pl.DataFrame({"y": [1, 0], "s": ["2", "1"]}).write_parquet("t.parquet")
    message = refused("score", "t.parquet", "--truth", "y", "--estimate", "s")
    assert message.startswith("`s` must hold numbers or an ordered categorical, got text")
    assert message.endswith("as --order")


def test_a_file_that_is_no_parquet(refused):
    Path("f.parquet").write_bytes(b"nothing of the kind")
    message = refused("score", "f.parquet", *OPTIONS)
    assert message.startswith("cannot read f.parquet: ")


@pytest.mark.parametrize(
    ("suffix", "magic"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_plot_writes_each_format(capcurve, suffix, magic):
    file = Path(f"cap.{suffix}")
    command = (
        "plot",
        "loans.csv",
        *OPTIONS,
        "--estimate",
        "challenger_pd",
        "-o",
        str(file),
    )
    code, out, err = capcurve(*command, "--mark", "0.5", "--shade")
    assert (code, out, err) == (0, "", f"picture written to {file}\n")
    assert file.read_bytes().startswith(magic)
    plain = Path("plain")
    plain.touch()
    assert stat.S_IMODE(file.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


def test_plot_of_lift_is_another_picture(capcurve):
    capcurve("plot", "loans.csv", *OPTIONS, "-o", "cap.svg")
    capcurve("plot", "loans.csv", *OPTIONS, "-o", "lift.svg", "--lift")
    assert "Capture rate" in Path("cap.svg").read_text()
    assert "Lift" in Path("lift.svg").read_text()


def test_a_picture_is_replaced_by_renaming(capcurve):
    Path("cap.png").write_text("before")
    os.link("cap.png", "same file")
    assert capcurve("plot", "loans.csv", *OPTIONS, "-o", "cap.png")[0] == 0
    assert Path("same file").read_text() == "before"


def test_demo(capcurve):
    code, out, err = capcurve("demo", "--output-dir", "out")
    assert code == 0
    loans = make_portfolio()
    ratio = accuracy_ratio_score(loans["default"], loans["champion_pd"])
    assert f"{ratio:.4f}" in out
    assert (
        len([line for line in out.splitlines() if line.split()[1:3] == ["10", "1,000"]])
        == 1
    )
    assert str(Path("out/cap.png").resolve()) in err
    assert Path("out/cap.png").read_bytes().startswith(b"\x89PNG")


def test_demo_does_without_the_libraries_of_reports(capcurve, monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    code, _, err = capcurve("demo", "--output-dir", "out")
    assert code == 0
    assert "note: no report written: " in err
    assert 'pip install "capcurve[report]"' in err
    assert [path.name for path in Path("out").iterdir()] == ["cap.png"]


def test_the_command_tells_its_version(capcurve):
    assert capcurve("--version")[1].startswith("capcurve, version ")


BEYOND = ["--memory-limit=200MB", "--approx"]


@pytest.mark.slow
@pytest.mark.parametrize("file", ["loans.csv", "loans.parquet"])
@pytest.mark.parametrize("by", [(), ("--by", "segment")])
def test_files_beyond_memory_give_the_same_numbers(capcurve, file, by):
    command = ("score", file, *OPTIONS, "--estimate", "challenger_pd", *by)
    code, out, err = capcurve(*command, "--format", "json", "--memory-limit", "200MB")
    assert code == 0
    assert "binned scores" not in err  # as each bin holds one score
    expected = read_results(capcurve(*command, "--format", "json")[1])
    key = itemgetter("estimate", *(["segment"] if by else []))
    found, expected = sorted(read_results(out), key=key), sorted(expected, key=key)
    for row, exact in zip(found, expected, strict=True):
        assert row.keys() == exact.keys()
        for name, value in exact.items():
            near = value if isinstance(value, str) else pytest.approx(value, rel=1e-12)
            assert row[name] == near
    table = ("table", file, *OPTIONS, "--format", "csv")
    for bands in ("10", "0.01,0.3"):
        exact = capcurve(*table, "--bands", bands)[1]
        beyond = capcurve(*table, "--bands", bands, "--memory-limit", "200MB")[1]
        for row, other in zip(
            csv.DictReader(io.StringIO(exact)),
            csv.DictReader(io.StringIO(beyond)),
            strict=True,
        ):
            del row["estimate"], other["estimate"]
            assert list(map(float, row.values())) == pytest.approx(
                list(map(float, other.values())), rel=1e-12
            )


def test_approximate_files_have_limits(capcurve):
    command = ("loans.parquet", *OPTIONS, "--format", "json")
    (row,) = read_results(capcurve("score", *command, "--approx")[1])
    (exact,) = read_results(capcurve("score", *command)[1])
    assert row["lower"] <= exact["accuracy_ratio"] <= row["upper"]
    assert row["upper"] - row["lower"] < 1e-3
    rows = read_results(capcurve("table", *command, "--approx")[1])
    exact = read_results(capcurve("table", *command)[1])
    for row, other in zip(rows, exact, strict=True):
        assert row["lower"] - 1e-12 <= other["capture_rate"] <= row["upper"] + 1e-12
    assert (
        capcurve("plot", *command[:-2], "--approx", "-o", "cap.png", "--mark=0.1")[0] == 0
    )


def test_groups_beyond_memory_say_how_exact_they_are(capcurve):
    rng = np.random.default_rng(4)
    s = rng.random(100_000)
    columns = {
        "g": s > 0.4,
        "y": rng.random(100_000) < s,
        "s": s + rng.normal(size=100_000),
    }
    pl.DataFrame(columns).write_parquet("f.parquet")
    command = ("score", "f.parquet", "--truth", "y", "--estimate", "s", "--format", "json")
    beyond = ("--memory-limit", "200MB")
    assert capcurve(*command, *beyond)[2] == ""
    table = ("table", *command[1:])
    exact = read_results(capcurve(*table)[1])
    for row, other in zip(read_results(capcurve(*table, *beyond)[1]), exact, strict=True):
        assert row.pop("estimate") == other.pop("estimate")
        assert row == pytest.approx(other, rel=1e-11)
    _, out, err = capcurve(*command, "--by", "g", *beyond)
    most = float(re.search(r"read from binned scores; .* off by at most (\S+)", err)[1])
    assert 0 < most < 1e-3
    rows = {row["g"]: row for row in read_results(capcurve(*command, "--by", "g")[1])}
    for row in read_results(out):
        exact = rows[row["g"]]
        assert row["accuracy_ratio"] == pytest.approx(exact["accuracy_ratio"], rel=1e-12)
        assert row["low"] == pytest.approx(exact["low"], rel=1e-12)
        for name in ("ks", "capture_10", "capture_50"):
            assert row[name] == pytest.approx(exact[name], abs=most)


@pytest.mark.slow
@pytest.mark.parametrize("option", BEYOND)
def test_amounts_weights_and_labels_beyond_memory(capcurve, refused, option):
    amounts = ("score", "loans.csv", "--truth", "loss", "--estimate", "champion_pd")
    for more in ((), ("--weight", "exposure"), ("--ascending",)):
        code, out, err = capcurve(*amounts, *more, option, "--format", "json")
        (row,) = read_results(out)
        (exact,) = read_results(capcurve(*amounts, *more, "--format", "json")[1])
        assert (code, row["low"], row["high"]) == (0, None, None)
        assert "no interval: for amounts or weighted rows it requires the indiv" in err
        assert row["accuracy_ratio"] == pytest.approx(exact["accuracy_ratio"], abs=1e-5)
    assert capcurve(*amounts, option)[1].split()[-8:-6] != ["nan", "nan"]
    Path("f.csv").write_text("g,s,y\na,2,yes\na,1,no\n,1,yes\nb,2,no\nb,,no\n")
    labels = ("score", "f.csv", "--truth", "y", "--estimate", "s", "--pos-label", "yes")
    code, out, err = capcurve(*labels, "--by", "g", option, "--format", "csv")
    rows = {row["g"]: row["accuracy_ratio"] for row in csv.DictReader(io.StringIO(out))}
    assert (code, rows) == (0, {"a": "1.0", "": "", "b": ""})
    assert "left out 1 of 5 rows with a missing value (s 1)" in err
    assert "undefined because all outcomes are equal: b, s; g (missing), s" in err
    assert "--pos-label" in refused(*labels[:-2], option)
    levels = ("score", "loans.csv", "--truth", "segment", "--estimate", "champion_pd")
    assert "--pos-label" in refused(*levels, "--estimate", "challenger_pd", option)
    LOANS.write_parquet("l.parquet")
    text = ("score", "l.parquet", "--truth", "default", "--estimate", "segment")
    expected = "`segment` must hold numbers or an ordered categorical, got text"
    assert refused(*text, option).startswith(expected)
    assert refused(*text).startswith(expected)


@needs("duckdb", "2", "a memory limit in per cent")
def test_large_files_are_left_to_the_engine(capcurve, refused, monkeypatch):
    command = ("score", "loans.parquet", *OPTIONS, "--verbose")
    assert "plan memory: 1,500 rows ranked in memory" in capcurve(*command)[2]
    monkeypatch.setattr("capcurve._engines.plan.MAX_FILE_BYTES_IN_MEMORY", 1_000)
    for more, plan in (
        ((), "batches"),
        (("--memory-limit", "2GB"), "batches"),
        (("--memory-limit", "90%"), "batches"),
        (("--memory-limit", "60MiB"), "bucketed"),
        (("--approx",), "bins"),
    ):
        monkeypatch.setattr("capcurve._engines.plan.BYTES_PER_RANK", 1 << 20)
        assert f"plan {plan}: " in capcurve(*command, *more)[2]
    scores = ("table", "loans.parquet", *OPTIONS, "--bands", "scores")
    assert capcurve(*scores)[0] == 0
    monkeypatch.setattr("capcurve._engines.query_batches.MAX_EDGES", 60)
    assert "got too many for one band per score; pass a number of bands" in refused(
        *("table", "loans.parquet", "--truth", "default", "--estimate", "exposure"),
        *("--bands", "scores"),
    )
    message = refused(*command[:-1], "--memory-limit", "lots")
    assert message == (
        "--memory-limit must be a size such as 2GB or 500MB, got 'lots'; "
        "pass a number with its unit"
    )


@pytest.mark.slow
def test_many_files_are_one_data_set(capcurve):
    Path("parts").mkdir()
    for number, part in enumerate(LOANS.iter_slices(8)):
        part.write_csv(f"parts/{number:03}.csv")
    whole = capcurve("score", "loans.csv", *OPTIONS, "--format", "ndjson")
    assert len(list(Path("parts").iterdir())) == 188
    for option in ((), ("--memory-limit", "300MB")):
        found = capcurve("score", "parts/*.csv", *OPTIONS, "--format", "ndjson", *option)
        assert found == whole
        few = ("parts/00*.csv", "parts/0[1-9]*.csv", "parts/1*.csv")
        assert capcurve("score", *few, *OPTIONS, "--format", "ndjson", *option) == whole


def test_files_are_named_one_by_one(capcurve, refused):
    LOANS.head(700).write_csv("a.csv")
    LOANS.tail(800).write_csv("b.csv")
    command = ("score", "a.csv", *OPTIONS, "b.csv", "--format", "json")
    found = json.loads(capcurve(*command)[1])
    assert found["results"][0]["accuracy_ratio"] == EXPECTED
    assert [file["name"] for file in found["provenance"]["files"]] == ["a.csv", "b.csv"]
    facts = json.loads(capcurve("report", *command[1:])[1])
    assert facts["rows"]["read"] == 1_500
    Path("link.csv").symlink_to("a.csv")
    message = refused("score", "a.csv", "link.csv", *OPTIONS)
    assert message.startswith("each file must be named once, or its rows would count twi")
    Path("link.csv").unlink()
    assert refused("score", "a.csv", "b.csv", "./*.csv", "a.csv", *OPTIONS) == (
        "each file must be named once, or its rows would count twice, got a.csv more "
        "often; leave one out"
    )
    assert refused("score", "a.csv", "-", *OPTIONS) == (
        "- stands for standard input, which must be the only file, got 2; leave it out, or "
        "the others"
    )
    assert refused("score", "a.csv", "loans.parquet", *OPTIONS) == (
        "all files must be of one kind, got a.csv, loans.parquet; convert some of them"
    )
    assert refused("score", "a.csv", "none.csv", *OPTIONS) == (
        "cannot read none.csv: no such file; check the name"
    )
    message = refused("score", "a.csv", "b.csv", "--truth", "x", "--estimate", "y")
    assert message.startswith("a.csv (the first of 2 files) has no column 'x'")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "y,s,s\n1,2,3\n",
            "cannot read f.csv: its header names 's' more than once",
        ),
        (
            "y,s\n1,2\n0,1\n1,2,3,4,5\n",
            "cannot read f.csv: line 4 has more fields than the 2 of the header",
        ),
        (
            'y,s\n1,2\n0,"1\n',
            "cannot read f.csv: line 3 opens a quoted value that",
        ),
        (
            "y,s\n" + "1,2\n" * 99_999 + "0,\xe9\n",
            "cannot read f.csv: line 100001 is not text in UTF-8; pass its encoding as",
        ),
        ("y,s\n" + "1,2\n" * 99_999 + "0,n.a.\n", "`s` must hold numbers, got 'n.a.'"),
        ("y;s\n1;0.5\n", "`s` must hold numbers, got '0.5' in line 2 of f.csv; remove -"),
        (
            "\0\1,\n\0",
            "cannot read f.csv: line 1 must be text, but holds NUL bytes; it may have",
        ),
    ],
)
def test_every_line_of_a_text_file_counts(refused, content, message):
    Path("f.csv").write_bytes(content.encode("latin-1"))
    command = ["score", "f.csv", "--truth", "y", "--estimate", "s"]
    for option in ([], BEYOND[:1]):
        more = ["--decimal-comma"] if ";" in content else []
        assert refused(*command, *option, *more).startswith(message)


@pytest.mark.parametrize(
    ("name", "advice"),
    [("f.csv", "check the file and --na"), ("f.parquet", "check the file")],
)
def test_a_file_without_complete_rows_has_advice_of_its_kind(refused, name, advice):
    frame = pl.DataFrame({"y": [1], "s": [None]}, schema={"y": pl.Int64, "s": pl.Float64})
    frame.write_csv(name) if name == "f.csv" else frame.write_parquet(name)
    message = refused("score", name, "--truth", "y", "--estimate", "s")
    assert message.endswith(f"in y, s, got none; {advice}")


def test_files_of_other_columns(refused):
    Path("a-1.csv").write_text("y,s\n1,2\n")
    Path("a-2.csv").write_text("y,z\n1,2\n")
    assert refused("score", "a-*.csv", "--truth", "y", "--estimate", "s") == (
        "cannot read a-*.csv: a-1.csv and a-2.csv must have the same columns, but a-1.csv "
        "lacks 'z' and a-2.csv lacks 's'; give them the same header"
    )
    Path("a-2.csv").write_text("s,y\nx,2\n")
    assert "got 'x' in line 2 of a-2.csv; fix the value" in refused(
        "score", "a-*.csv", "--truth", "y", "--estimate", "s"
    )
    assert refused("score", "b-*.csv", "--truth", "y", "--estimate", "s") == (
        "cannot read b-*.csv: no file matches this pattern; correct it"
    )


def test_a_bar_shows_how_far_a_long_job_is(monkeypatch):
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr("capcurve._files.progress.DELAY_SECONDS", 0.01)
    monkeypatch.setattr("capcurve._files.progress.PERIOD_SECONDS", 0.01)
    monkeypatch.setenv("TERM", "xterm")
    asked = threading.Event()

    def share_done():
        asked.set()
        return 40.0

    with show_progress(share_done, "reading", enabled=True):
        assert asked.wait(20)
    assert "reading" in terminal.getvalue()
    asked.clear()
    with show_progress(share_done, lambda: "the second part", enabled=True):
        assert asked.wait(20)
    assert "the second part" in terminal.getvalue()
    quiet = io.StringIO()
    monkeypatch.setattr("sys.stderr", quiet)
    with show_progress(share_done, "reading", enabled=True):
        pass
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr("capcurve._files.progress.DELAY_SECONDS", 60)
    before = terminal.getvalue()
    with show_progress(share_done, "reading", enabled=True):
        pass
    assert (quiet.getvalue(), terminal.getvalue()) == ("", before)


@pytest.mark.parametrize(
    ("library", "extra"),
    [
        ("click", "cli"),
        ("duckdb", "cli"),
        ("matplotlib.pyplot", None),
        ("pandas", None),
        ("rich.console", None),
    ],
)
def test_missing_libraries_are_named(capcurve, monkeypatch, library, extra):
    monkeypatch.setitem(sys.modules, library, None)
    code, out, err = capcurve("score", "loans.csv", *OPTIONS)
    if extra is None:  # a number needs no drawing library, no pandas
        assert (code, err) == (0, "")
    else:
        assert (code, out) == (2, "")
        assert f'pip install "capcurve[{extra}]"' in err


@pytest.mark.slow
@pytest.mark.parametrize("command", [["capcurve"], [sys.executable, "-m", "capcurve"]])
def test_the_installed_command(folder, command):
    if command == ["capcurve"]:
        command = [str(Path(sys.executable).with_name("capcurve"))]
    run = subprocess.run(  # noqa: S603 -- our own command
        [*command, "score", "loans.csv", *OPTIONS, "--format", "json"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONWARNINGS": "error"},
    )
    assert scored(run.stdout)["accuracy_ratio"] == EXPECTED
    failed = subprocess.run(  # noqa: S603 -- our own command
        [*command, "score", "loans.csv", "--truth", "x"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (failed.returncode, failed.stdout) == (2, "")
    assert failed.stderr == (
        "capcurve: error: capcurve score requires --estimate, which was not given; add it\n"
    )


RETAIL = "where segment = 'retail'"


@pytest.fixture
def every_kind(folder):
    """Write the loans to every kind of file there is."""
    assert folder.is_dir()
    LOANS.write_ndjson("loans.jsonl")
    with duckdb.connect("loans.duckdb") as connection:
        connection.execute("create table loans as from 'loans.parquet'").fetchall()
    with contextlib.closing(sqlite3.connect("loans.sqlite")) as connection:
        # An automatic number makes SQLite keep a table of its own.
        connection.execute("create table gone (id integer primary key autoincrement)")
        connection.execute("drop table gone")
        LOANS.to_pandas().to_sql("loans", connection, index=False)
    shutil.copy("loans.sqlite", "loans.db")


@pytest.mark.usefixtures("every_kind")
def test_every_kind_of_file_gives_the_same_numbers(capcurve):
    command = (*OPTIONS, "--by", "segment", "--format", "ndjson")
    expected = capcurve("score", "loans.csv", *command)
    for ending in ("parquet", "jsonl", "duckdb", "sqlite", "db"):
        assert capcurve("score", f"loans.{ending}", *command) == expected
    for ending in ("jsonl", "duckdb", "sqlite"):
        more = ("--memory-limit", "200MB")
        out = capcurve("score", f"loans.{ending}", *OPTIONS, "--format", "json", *more)[1]
        (row,) = read_results(out)
        assert row["n"] == 1_500
        versions = json.loads(out)["provenance"]["versions"]
        assert ("sqlite" in versions) == (ending == "sqlite")


@pytest.mark.usefixtures("every_kind")
def test_questions_are_asked_of_every_kind_of_file(capcurve, refused):
    LOANS.filter(pl.col("segment") == "retail").write_csv("retail.csv")
    expected = capcurve("score", "retail.csv", *OPTIONS, "--format", "ndjson")
    for file, table in (
        ("loans.csv", "data"),
        ("loans.parquet", "data"),
        ("loans.jsonl", "data"),
        ("loans.duckdb", "loans"),
        ("loans.sqlite", "loans"),
    ):
        query = f"select * from {table} {RETAIL}"  # noqa: S608 -- of these files
        command = ("score", file, *OPTIONS, "--format", "ndjson", "--query", query)
        assert capcurve(*command) == expected
        assert "has no column 'default'" in refused(
            *command[:-1], query.replace("*", "1 as a")
        )
        message = refused(*command[:-1], "selec 1")
        assert message.startswith(
            (f"cannot read {file}: ", "--query must be a SELECT that")
        )
        assert "syntax error" in message


@pytest.mark.usefixtures("every_kind")
def test_tables_are_chosen_by_name(capcurve, refused):
    with duckdb.connect("loans.duckdb") as connection:
        connection.execute("create table other as select 1 as a").fetchall()
    command = ("score", "loans.duckdb", *OPTIONS)
    told = (
        "cannot read loans.duckdb: name a table with --table; its tables are 'loans', "
        "'other'"
    )
    assert refused(*command) == told
    assert capcurve(*command, "--table", "loans")[0] == 0
    assert "it has no table 'x'; its tables are 'loans', 'other'" in refused(
        *command, "--table", "x"
    )
    assert "--table requires a database file, got loans.csv; remove it" in refused(
        "score", "loans.csv", *OPTIONS, "--table", "x"
    )
    told = "--table and --query cannot be combined, as a query names its tables; remove one"
    query = ("--query", "select * from loans")
    for table in ("loans", "x"):
        assert refused(*command, "--table", table, *query) == f"{told} of them"
    approx = (*command, "--table", "loans", *query, "--approx")
    assert refused(*approx) == f"{told} of them"


def pack(content, codec):
    """Compress bytes, or leave them as they are."""
    return pa.compress(content, codec=codec, asbytes=True) if codec else content


def give_stdin(monkeypatch, content):
    """Let standard input hold bytes."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))


@pytest.mark.parametrize(
    ("file", "codec"),
    [
        ("loans.parquet", None),
        *itertools.product(["loans.csv", "loans.jsonl"], [None, "gzip", "zstd"]),
    ],
)
def test_stdin_is_what_it_looks_like(capcurve, monkeypatch, file, codec):
    LOANS.write_ndjson("loans.jsonl")
    expected = capcurve("score", "loans.csv", *OPTIONS)
    give_stdin(monkeypatch, pack(Path(file).read_bytes(), codec))
    assert capcurve("score", "-", *OPTIONS) == expected


@pytest.mark.parametrize(
    ("end", "told"),
    [
        (None, "if compressed, it must be text or JSON lines, got a Parquet file; dec"),
        (9, "its compression breaks off; it may have been copied in part: copy it again"),
    ],
)
def test_compressed_stdin_that_cannot_be_read(refused, monkeypatch, end, told):
    give_stdin(monkeypatch, pack(Path("loans.parquet").read_bytes(), "gzip")[:end])
    assert f"cannot read stdin: {told}" in refused("score", "-", *OPTIONS)


def test_errors_of_stdin_name_it(refused, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"y,s\n1,2\n0,x\n")))
    message = refused("score", "-", "--truth", "y", "--estimate", "s")
    assert message.startswith("`s` must hold numbers, got 'x' in line 3 of stdin; fix")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"y,s\n1,2\n0,1\n")))
    report = ("report", "-", "--truth", "y", "--estimate", "s", "--format", "json")
    assert main(list(report)) == 0


def test_limits_for_pipelines(capcurve, refused):
    command = ("score", "loans.csv", *OPTIONS, "--format", "json", "--fail-below")
    (row,) = read_results(capcurve(*command, "0")[1])
    ratio, low = row["accuracy_ratio"], row["low"]
    between = str((ratio + low) / 2)
    code, out, err = capcurve(*command, between)
    assert (code, read_results(out)[0]["passed"], err) == (0, "yes", "")
    code, out, err = capcurve(*command, between, "--fail-on-lower-bound")
    assert (code, read_results(out)[0]["passed"]) == (1, "no")
    assert err.startswith(
        "capcurve: failed: lower confidence limit of champion_pd is "
        f"{low:.4f}, required is at least "
    )
    Path("f.csv").write_text("g,s,y\na,2,1\na,1,0\nb,1,1\n")
    options = ("score", "f.csv", "--truth", "y", "--estimate", "s", "--by", "g")
    code, out, err = capcurve(*options, "--fail-below", "0.5")
    assert code == 1
    assert "accuracy ratio of b, s is undefined (all outcomes are equal), requ" in err
    message = refused("score", "loans.csv", *OPTIONS, "--fail-on-lower-bound")
    assert message == (
        "--fail-on-lower-bound requires --fail-below, which was not given; add the "
        "smallest AR that passes"
    )


def test_reports_from_the_shell(capcurve, refused):
    command = ("report", "loans.csv", *OPTIONS)
    code, out, err = capcurve(*command, "--weight", "exposure", "-o", "r.json")
    assert (code, out) == (0, "")
    assert err.endswith("report written to r.json\n")
    facts = json.loads(Path("r.json").read_text("utf-8"))
    assert facts["provenance"]["options"]["weight"] == "exposure"
    assert refused(*command) == (
        "report requires either -o FILE or --format json, got neither; pass one of the two"
    )
    assert refused(*command, "-o", "r.doc").startswith(
        "the file name of a report must end in one of .html"
    )
    assert refused(*command, "-o", "no/r.html") == (
        "--output must be in an existing folder, got 'no/r.html'; create the folder 'no' "
        "first"
    )
    levels = ("--truth", "segment", *(f"--estimate={name}" for name in SEGMENTS))
    scores = [pl.int_range(pl.len()).alias(name) for name in SEGMENTS]
    LOANS.with_columns(*scores).write_csv("l.csv")
    assert "pass one label as --pos-label" in refused(
        "report", "l.csv", *levels, "-o", "r.html"
    )
    Path("parts").mkdir()
    for number, part in enumerate(LOANS.iter_slices(50)):
        part.write_csv(f"parts/{number}.csv")
    report = ("report", "parts/*.csv", *OPTIONS, "--format", "json")
    files = json.loads(capcurve(*report)[1])["provenance"]["files"]
    sizes = {path.as_posix(): path.stat().st_size for path in Path("parts").iterdir()}
    assert {file["name"]: file["size"] for file in files} == sizes


@pytest.mark.slow
def test_names_of_any_kind(capcurve):
    names = ["a b", 'q"t', "line\nbreak", "<script>", "ünï", "=1+1"]
    columns = dict.fromkeys(names, LOANS["champion_pd"])
    LOANS.with_columns(**columns).write_csv("odd.csv")
    LOANS.with_columns(**columns).write_parquet("odd.parquet")
    for file, name in itertools.product(("odd.csv", "odd.parquet"), names):
        options = ("--truth", "default", "--estimate", name, "--by", "segment")
        assert capcurve("score", file, *options, "--format", "json")[0] == 0
        assert capcurve("report", file, *options, "--format", "json")[0] == 0


def test_the_shell_completes_commands():
    environment = {**os.environ, "_CAPCURVE_COMPLETE": "bash_complete"}
    environment |= {"COMP_WORDS": "capcurve sc", "COMP_CWORD": "1"}
    program = [sys.executable, "-m", "capcurve"]
    done = subprocess.run(  # noqa: S603
        program, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "plain,score\n"


def test_compare_takes_hypotheses_and_shares(capcurve):
    options = ("--truth", "default", "--estimate", "challenger_pd", *OPTIONS[2:])
    margin = ("--alternative", "equivalent", "--margin", "0.1")
    code, out, err = capcurve("compare", "loans.csv", *options, *margin, "--format", "json")
    scores = [LOANS[name] for name in ("default", "challenger_pd", "champion_pd")]
    expected = accuracy_ratio_test(*scores, alternative="equivalent", margin=0.1)
    found = scored(out)
    assert (found["p_value"], found["low"]) == (expected.p_value, expected.low)
    assert (found["alternative"], found["margin"]) == ("equivalent", 0.1)
    code, out, err = capcurve(
        "compare", "loans.csv", *options, "--share", "0.2", "--format", "json"
    )
    assert (code, err) == (0, "")
    expected = capture_rate_test(*scores, fraction=0.2)
    found = scored(out)
    assert (found["capture_a"], found["p_value"]) == (expected.first, expected.p_value)
    _, out, _ = capcurve(
        "compare", "loans.csv", *options, "--alternative", "less", "--format", "json"
    )
    assert scored(out)["low"] is None
    assert "p_all_equal" not in scored(out)


def test_compare_tells_of_few_rows_selected(capcurve):
    options = (*OPTIONS, "--estimate", "challenger_pd", "--share", "0.001")
    code, _, err = capcurve("compare", "loans.csv", *options)
    assert code == 0
    assert err == (
        "capcurve: note: effectively fewer than 15 rows are selected or left out, so the "
        "coverage of the interval may fall below its confidence level: champion_pd, "
        "challenger_pd\n"
    )


def test_compare_tests_whether_all_scores_are_equal(capcurve):
    names = ("champion_pd", "challenger_pd", "exposure")
    estimates = [word for name in names for word in ("--estimate", name)]
    command = ("compare", "loans.csv", *OPTIONS[:2], *estimates, "--format", "json")
    expected = accuracy_ratio_test_joint(
        LOANS["default"], {name: LOANS[name] for name in names}
    )
    rows = read_results(capcurve(*command)[1])
    assert [row["p_all_equal"] for row in rows] == [expected.p_value] * 3
    rows = read_results(capcurve(*command, "--share", "0.2")[1])
    assert all("p_all_equal" not in row for row in rows)
