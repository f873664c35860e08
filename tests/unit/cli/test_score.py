"""Methods of the interval and of the test, and scores that are the outcome itself."""

import re
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from answers import read_results
from capcurve import accuracy_ratio_interval, accuracy_ratio_test
from capcurve.datasets import make_portfolio

LOANS = pl.DataFrame(make_portfolio(800))
COLUMNS = [LOANS[name] for name in ("default", "champion_pd", "challenger_pd")]
FILE = ("f.csv", "--truth=default", "--estimate=champion_pd")


@pytest.fixture
def shell(run):
    LOANS.write_csv("f.csv")
    return run


@pytest.mark.parametrize("method", ["beta", "logit-t", "wald", "newcombe", "exact"])
def test_the_interval_is_by_the_method_that_was_asked_for(shell, method):
    asked = ("--method", method, "--confidence=0.9", "--format=json")
    (row,) = read_results(shell("score", *FILE, *asked)[1])
    expected = accuracy_ratio_interval(*COLUMNS[:2], method=method, confidence_level=0.9)
    assert (row["low"], row["high"]) == (expected.low, expected.high)
    assert row["method"] == expected.method


def test_a_bootstrap_gives_the_same_limits_for_the_same_seed(shell):
    def find_limits(*more):
        command = ("score", *FILE, "--method=bootstrap", *more, "--format=json")
        (row,) = read_results(shell(*command)[1])
        return row["low"], row["high"]

    seven = accuracy_ratio_interval(*COLUMNS[:2], method="bootstrap", random_state=7)
    assert find_limits("--seed=7") == (seven.low, seven.high)
    assert find_limits() == find_limits("--seed=0") != find_limits("--seed=7")


def test_other_methods_require_the_rows(shell):
    code, out, err = shell("score", *FILE, "--method=wald", "--approx")
    assert (code, out) == (2, "")
    assert err.splitlines()[-1] == (
        "capcurve: error: --method wald requires the rows in memory, got rows that were "
        "binned; leave it out, or leave out --approx and --memory-limit"
    )


@pytest.mark.parametrize("method", ["score", "delong", "delong-t", "eht"])
def test_scores_are_compared_by_the_method_that_was_asked_for(shell, method):
    pair = ("compare", *FILE, "--estimate=challenger_pd", "--format=json")
    (row,) = read_results(shell(*pair, "--method", method)[1])
    expected = accuracy_ratio_test(*COLUMNS, method=method)
    assert (row["p_value"], row["low"]) == (expected.p_value, expected.low)


@pytest.mark.parametrize("command", [("score",), ("report", "--format=json")])
def test_a_score_that_is_the_outcome_is_named(run, command):
    Path("f.csv").write_text("y,s,t\n1,1,1\n0,0,0\n1,1,1\n0,0,1\n")
    name, *more = command
    columns = ("--truth=y", "--estimate=s", "--estimate=t")
    _, _, err = run(name, "f.csv", *columns, *more)
    notes = [line for line in err.splitlines() if "equals the outcome" in line]
    (note,) = notes
    assert note == (
        "capcurve: note: 's' equals the outcome in every row, so AR is 1; check that it "
        "was known before the outcome"
    )
    _, _, err = run(name, "f.csv", *columns, *more, "--ascending")
    assert "'s' equals the outcome in every row, so AR is -1, as low scores rank" in err
    Path("f.csv").write_text("y,s,t\n1,0,1\n0,1,0\n1,0,1\n0,1,1\n")
    _, _, err = run(name, "f.csv", *columns, *more, "--ascending")
    assert (
        "capcurve: note: 's' equals 1 minus the outcome in every row, so AR is 1, as low "
        "scores rank first; check that it was known before the outcome\n"
    ) in err


@pytest.mark.parametrize("command", [("score",), ("report", "--format=json")])
def test_a_report_prints_the_notes_of_score(run, command):
    rows = [f"{row % 4 // 3},{row % 7},{'ab'[row < 3]}" for row in range(200)]
    Path("f.csv").write_text("\n".join(["y,s,g", *rows, "1,,a"]))
    name, *more = command
    _, _, err = run(name, "f.csv", "--truth=y", "--estimate=s", "--by=g", *more)
    assert "note: left out 1 of 201 rows with a missing value (s 1)" in err
    assert "note: undefined because all outcomes are equal: b, s" in err


@pytest.mark.parametrize("command", ["score", "table"])
def test_a_group_of_rows_that_are_all_left_out_has_no_complete_row(run, command):
    rows = ["1,0.5,a", "0,0.3,a", "1,,b", "0,,b", "1,0.2,c", "1,0.1,c"]
    Path("f.csv").write_text("\n".join(["y,s,g", *rows]))
    _, _, err = run(command, "f.csv", "--truth=y", "--estimate=s", "--by=g")
    assert "note: undefined because all outcomes are equal: c, s\n" in err
    assert "note: undefined because no row is complete: b, s\n" in err


@pytest.mark.parametrize("command", [("score",), ("report", "--format=json")])
def test_a_note_names_the_first_groups(run, command):
    groups = [f"{row % 2},{row % 5},a" for row in range(40)]
    groups += [f"0,{row},g{row:02}" for row in range(30)]
    Path("f.csv").write_text("\n".join(["y,s,g", *groups]))
    name, *more = command
    _, _, err = run(name, "f.csv", "--truth=y", "--estimate=s", "--by=g", *more)
    (note,) = (line for line in err.splitlines() if "note: undefined because" in line)
    named = re.findall("g[0-9]{2}", note)
    assert named == [f"g{row:02}" for row in range(len(named))]
    assert note.endswith(f"; {30 - len(named)} more")
    assert len(named) < 30


def test_a_report_names_what_rests_on_few_events(run):
    rows = [f"{row % 4 // 3},{row % 7},{'ab'[row < 30]}" for row in range(200)]
    Path("f.csv").write_text("\n".join(["y,s,g", *rows]))
    command = ("f.csv", "--truth=y", "--estimate=s", "--by=g")
    _, _, err = run("report", *command, "--format=json")
    assert err.endswith("may fall below its confidence level: b, s\n")
    _, _, of_score = run("score", *command)
    assert of_score.startswith(err.rstrip("\n"))


def test_a_group_of_a_single_event_is_named_too(run):
    """Its limits hold, so that no note said that it has few events."""
    rows = [
        f"{int(row < 1 + group)},{row},{group}" for group in (0, 9) for row in range(50)
    ]
    Path("f.csv").write_text("\n".join(["y,s,g", *rows]))
    _, _, err = run(
        "score", "f.csv", "--truth=y", "--estimate=s", "--by=g", "--format=json"
    )
    few, wide = (line for line in err.splitlines() if "fewer than 20" in line)
    assert wide == (
        "capcurve: note: fewer than 20 events or non-events, so the interval is wide, as "
        "limits by 'exact' hold for any number of them: g 0, s"
    )
    assert "may fall below its confidence level: g 9, s" in few


def test_groups_whose_ar_is_negative_beyond_chance_are_named(run):
    """Group b is reversed; the one event of c ranks last, as it may by chance."""
    lines = ["g,y,s"]
    for place in range(100):
        lines += [f"a,{int(place > 80)},{place}", f"b,{int(place < 20)},{place}"]
    lines += ["c,1,0", "c,0,1", "c,0,2"]
    Path("f.csv").write_text("\n".join(lines) + "\n")
    command = ("score", "f.csv", "--truth=y", "--estimate=s", "--by=g")
    _, _, err = run(*command, "--format", "json")
    assert [line for line in err.splitlines() if "reversed" in line] == [
        (
            "capcurve: note: the AR of 's' is negative in b, so the score may be reversed; "
            "--ascending ranks low scores first"
        )
    ]
    Path("f.csv").write_text("\n".join([lines[0], *lines[-3:]]) + "\n")
    assert "reversed" not in run(*command, "--format", "json")[2]


def test_one_of_several_reversed_scores_is_turned_by_a_query(run):
    rows = "".join(f"{int(i % 3 == 0)},{i % 3},{-(i % 3)}\n" for i in range(90))
    Path("f.csv").write_text(f"y,points,p d\n{rows}", encoding="utf-8")
    command = ("score", "f.csv", "--truth", "y", "--estimate", "p d", "--estimate")
    query = 'select *, -"points" as turned from data'
    notes = run(*command, "points")[2]
    assert f"reversed; --query '{query}' turns it alone\n" in notes
    assert "reversed" not in run(*command, "turned", "--query", query)[2]
    notes = run(*command, "points", "--query", "select * from data")[2]
    told = 'the column -"points" as turned, added to what --query selects, turns it alone'
    assert f"reversed; {told}\n" in notes
    report = ("report", "f.csv", *command[2:], "points", "--format=json")
    assert told in run(*report, "--query", "select * from data")[2]


@pytest.mark.parametrize("truth", ["default", "status"])
def test_a_score_is_computed_without_pandas(tmp_path, truth):
    loans = pl.DataFrame(make_portfolio(200)).with_columns(
        status=pl.when(pl.col("default") == 1).then(pl.lit("bad")).otherwise(pl.lit("good"))
    )
    loans.write_csv(tmp_path / "loans.csv")
    event = {"default": "1", "status": "bad"}[truth]
    command = ["score", "loans.csv", "--truth", truth, "--estimate", "champion_pd"]
    program = (
        "import sys\n"
        "from capcurve._cli.run import main\n"
        f"assert main({[*command, '--pos-label', event]}) == 0\n"
        "print('pandas' in sys.modules)"
    )
    run = subprocess.run(  # noqa: S603 -- our own text
        [sys.executable, "-c", program],
        check=True,
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert run.stdout.splitlines()[-1] == "False"
