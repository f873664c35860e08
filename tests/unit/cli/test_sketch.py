"""The commands `sketch`: the same numbers as from rows, and no guess about files."""

import csv
import hashlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from answers import read_results
from capcurve import CapSketch, accuracy_ratio_interval, report
from capcurve._cli import sketch_files
from capcurve.datasets import make_portfolio

LOANS = pl.DataFrame(make_portfolio(2_000))
COLUMNS = ("--truth", "default", "--estimate", "champion_pd")


@pytest.fixture
def made(run):
    """Make sketches of the two halves of the loans, and of all."""
    parts = {"all": LOANS, "first": LOANS[:700], "second": LOANS[700:]}
    for name, part in parts.items():
        part.write_csv(f"{name}.csv")
        code, out, _ = run(
            "sketch", "make", f"{name}.csv", *COLUMNS, "-o", f"{name}.sketch"
        )
        assert (code, out) == (0, "")
    return [f"{name}.sketch" for name in parts]


def read(path):
    return CapSketch.from_bytes(Path(path).read_bytes())


def test_merged_sketches_are_that_of_the_whole_bit_for_bit(run, made):
    code, out, err = run("sketch", "merge", *made[1:], "-o", "both.sketch")
    assert (code, out) == (0, "")
    assert err.startswith("2 sketches merged: 2,000 rows in ")
    assert Path("both.sketch").read_bytes() == Path("all.sketch").read_bytes()
    assert run("sketch", "merge", "second.sketch", "first.sketch", "-o", "back.sketch")
    assert Path("back.sketch").read_bytes() == Path("all.sketch").read_bytes()


@pytest.mark.usefixtures("made")
def test_a_sketch_file_is_that_of_python():
    sketch = CapSketch()
    sketch.update(LOANS["default"], LOANS["champion_pd"])
    assert Path("all.sketch").read_bytes() == sketch.to_bytes()


def test_every_option_reaches_the_sketch(run):
    rows = LOANS.with_columns(
        status=pl.when(pl.col("default") == 1).then(pl.lit("bad")).otherwise(pl.lit("good"))
    )
    rows.write_csv("f.csv", separator=";")
    options = "--pos-label bad --ascending --max-bins 64 --memory-limit 500MB --quiet"
    columns = ("--truth", "status", "--estimate", "champion_pd", "--weight", "exposure")
    code, _, err = run(
        "sketch", "make", "f.csv", *columns, *options.split(), "-o", "f.sketch"
    )
    assert (code, err) == (0, "")
    sketch = CapSketch(64, pos_label="bad", descending=False)
    sketch.update(
        rows["status"].to_numpy(), rows["champion_pd"], sample_weight=rows["exposure"]
    )
    assert read("f.sketch").accuracy_ratio == pytest.approx(sketch.accuracy_ratio)
    assert read("f.sketch").max_bins == 64


@pytest.mark.parametrize("ascending", [(), ("--ascending",)])
@pytest.mark.parametrize("weight", [(), ("--weight", "w")])
def test_the_table_by_score_shows_every_bin(run, ascending, weight):
    """Rows between the ends of a bin are those of the file, and so is the curve there."""
    rows = LOANS.with_columns(w=pl.int_range(pl.len()) % 3, s=pl.col("champion_pd") + 1e-9)
    rows.write_csv("f.csv")
    options = (*weight, *ascending, "--max-bins=40", "--quiet")
    columns = ("--truth=default", "--estimate=s")
    code, _, err = run("sketch", "make", "f.csv", *columns, *options, "-o", "f.sketch")
    assert (code, err) == (0, "")
    code, out, _ = run("sketch", "table", "f.sketch", "--bands=scores", "--format=json")
    assert code == 0
    found = read_results(out)
    assert len(found) == len(read("f.sketch").curve.by_score) <= 40
    score, event = rows["s"].to_numpy(), rows["default"].to_numpy()
    weights = rows["w"].to_numpy() if weight else np.ones(len(rows))
    captured = 0.0
    for row in found:
        inside = (score >= row["lowest_score"]) & (score <= row["highest_score"])
        assert row["n"] == weights[inside].sum()
        assert row["n_events"] == (weights * event)[inside].sum()
        captured += row["n_events"] / (weights * event).sum()
        assert row["capture_rate"] == pytest.approx(captured)
        assert row["lower"] == row["upper"] == row["capture_rate"]
    assert sum(row["n"] for row in found) == weights.sum()
    highest = [row["highest_score"] for row in found]
    assert highest == sorted(highest, reverse=not ascending)
    assert any(row["lowest_score"] < row["highest_score"] for row in found)


def test_the_rows_that_can_be_read_from_a_sketch_are_counted(run):
    Path("f.csv").write_text("y,s\n1,3\n0,2\n0,2\n1,1\n", encoding="utf-8")
    make = ("sketch", "make", "f.csv", "--truth", "y", "--estimate", "s", "-o", "f.sketch")
    _, _, err = run(*make)
    assert "note: 2 of the bins hold a single row, whose score and outcome can be" in err
    _, _, err = run(*make, "--query", "select * from data where s = 2")
    assert err == "sketch of 2 rows in 1 bin written to f.sketch\n"
    _, _, err = run(*make, "--query", "select * from data where s < 3")
    assert "note: 1 of the bins holds a single row, whose score" in err


def test_rows_of_amounts_and_of_weights_can_be_read_too(run):
    rows = "y,s,w\n100.5,3,1\n0,2,2\n7,2,1\n7,1,4\n"
    Path("f.csv").write_text(rows, encoding="utf-8")
    make = ("sketch", "make", "f.csv", "--estimate", "s", "-o", "f.sketch", "--truth")
    advice = "can be read from the sketch; --max-bins makes bins coarser\n"
    told = f"note: 3 of the bins of outcomes hold a single amount, which {advice}"
    _, _, err = run(*make, "y")
    assert f"note: 2 of the bins hold a single row, whose score and outcome {advice}" in err
    assert told in err
    read = f"single row, whose score, weight and outcome {advice}"
    _, _, err = run(*make, "y", "--weight", "w")
    assert f"note: at least 2 of the bins hold a {read}" in err
    assert told in err
    events = ("y", "--weight", "w", "--query", "select y::double > 50 as y, s, w from data")
    _, _, err = run(*make, *events)
    assert f"note: at least 2 of the bins hold a {read}" in err
    assert "amount" not in err
    _, _, err = run(*make, "y", "--query", "select * from data where y <> '7'")
    assert "2 of the bins of outcomes hold a single amount" in err
    _, _, err = run(*make, "y", "--max-bins", "1", "--weight", "w")
    assert "note" not in err


@pytest.mark.usefixtures("made")
def test_commands_may_be_quiet(run):
    Path("equal.csv").write_text("default,champion_pd\n1,2\n1,3\n")
    make = ("sketch", "make", "equal.csv", *COLUMNS)
    assert run(*make, "-o", "equal.sketch", "--quiet")[2] == ""
    for command in (
        ("merge", "all.sketch", "equal.sketch", "-o", "both.sketch"),
        ("show", "all.sketch", "equal.sketch"),
        ("show", "all.sketch", "-o", "all.json"),
        ("table", "all.sketch", "-o", "all.json"),
        ("plot", "all.sketch", "-o", "all.png"),
        ("report", "all.sketch", "-o", "all.html"),
    ):
        code, _, err = run("sketch", *command)
        assert (code, err == "") == (0, False), command
        code, _, err = run("sketch", *command, "--quiet")
        assert (code, err) == (0, ""), command


def test_what_its_rows_may_mean_is_told_when_a_sketch_is_made(run):
    """A sketch does not know its rows, so nobody can tell later."""
    rows = "y,s\ngood,0.1\nbad,0.4\ngood,0.2\nopen,0.3\nbad,-9999\ngood,-9999\nbad,inf\n"
    Path("f.csv").write_text(rows, encoding="utf-8")
    make = ("sketch", "make", "f.csv", "--truth", "y", "--estimate", "s", "-o", "f.sketch")
    _, _, err = run(*make, "--pos-label", "bad")
    assert "note: `y`: non-events are 3 'good', 1 'open' (counted" in err
    assert "note: 's' is infinite in 1 row, which ranks first or last" in err
    assert "note: 's' is -9999 in 2 rows and from 0.1 to 0.4 in all others" in err


def test_an_empty_sketch_is_told(run):
    Path("f.csv").write_text("y,s\n", encoding="utf-8")
    make = ("sketch", "make", "f.csv", "--truth", "y", "--estimate", "s", "-o", "f.sketch")
    _, _, err = run(*make)
    assert err.endswith("note: the sketch is empty, as no row is complete\n")
    _, _, err = run(*make, "--quiet")
    assert err == "capcurve: note: the sketch is empty, as no row is complete\n"
    code, _, err = run("sketch", "show", "f.sketch")
    assert (code, err) == (0, "capcurve: note: undefined because no row is complete: f\n")
    code, _, err = run("sketch", "table", "f.sketch")
    assert code == 2
    assert "requires outcomes that differ, got f, in which no row is complete; " in err


def test_an_empty_part_is_told_in_the_merge(run):
    for name, rows in {"a": "1,1\n0,2\n", "n": ""}.items():
        Path(f"{name}.csv").write_text(f"y,s\n{rows}", encoding="utf-8")
        make = ("sketch", "make", f"{name}.csv", "--truth", "y", "--estimate", "s")
        assert run(*make, "-o", f"{name}.sketch")[0] == 0
    code, _, err = run("sketch", "merge", "n.sketch", "a.sketch", "-o", "b.sketch")
    assert code == 0
    assert err == (
        "capcurve: note: n.sketch is empty, so it adds no row\n"
        "2 sketches merged: 2 rows in 2 bins written to b.sketch\n"
    )
    assert Path("b.sketch").read_bytes() == Path("a.sketch").read_bytes()


def test_a_merge_of_amounts_with_flags_is_told(run):
    Path("a.csv").write_text("y,s\n0.5,1\n0,2\n", encoding="utf-8")
    Path("f.csv").write_text("y,s\n1,1\n0,2\n", encoding="utf-8")
    for name in "af":
        make = ("sketch", "make", f"{name}.csv", "--truth", "y", "--estimate", "s")
        assert run(*make, "-o", f"{name}.sketch")[0] == 0
    _, _, err = run("sketch", "merge", "f.sketch", "a.sketch", "-o", "b.sketch", "--quiet")
    assert err == (
        "capcurve: note: a holds amounts and f only 0 and 1; merged as amounts, which are "
        "wrong if the outcomes are not the same\n"
    )
    Path("n.csv").write_text("y,s\n", encoding="utf-8")
    make = ("sketch", "make", "n.csv", "--truth", "y", "--estimate", "s")
    assert run(*make, "-o", "n.sketch")[0] == 0
    _, _, err = run("sketch", "merge", "a.sketch", "n.sketch", "-o", "c.sketch", "--quiet")
    assert err == "capcurve: note: n.sketch is empty, so it adds no row\n"


def show_as_json(run, *arguments):
    code, out, err = run("sketch", "show", *arguments, "--format", "json")
    assert code == 0
    rows = read_results(out)
    keys = ("sketch", "statistic", "population_share")
    return {tuple(row[key] for key in keys): row for row in rows}, err


@pytest.mark.usefixtures("made")
def test_shown_numbers_are_those_of_the_rows(run):
    rows, err = show_as_json(run, "all.sketch", "--confidence", "0.9", "--share", "0.25")
    assert err == ""
    alone = accuracy_ratio_interval(
        LOANS["default"], LOANS["champion_pd"], confidence_level=0.9
    )
    ratio = rows["all", "accuracy_ratio", None]
    assert ratio["value"] == ratio["lower"] == ratio["upper"]
    assert [ratio[name] for name in ("value", "low", "high")] == pytest.approx(
        [alone.value, alone.low, alone.high]
    )
    sketch = read("all.sketch")
    assert rows["all", "ks", None]["value"] == pytest.approx(sketch.ks.value)
    captured = rows["all", "capture_rate", 0.25]
    assert captured["value"] == pytest.approx(sketch.capture_rate_at(0.25).value)
    assert rows["all", "n", None]["value"] == 2_000
    assert rows["all", "n_events", None]["value"] == LOANS["default"].sum()
    assert rows["all", "n_bins", None]["value"] == LOANS["champion_pd"].n_unique()


@pytest.mark.usefixtures("made")
def test_bounds_of_coarse_sketches_hold_the_numbers_of_the_rows(run):
    run("sketch", "make", "all.csv", *COLUMNS, "--max-bins", "40", "-o", "coarse.sketch")
    rows, _ = show_as_json(run, "all.sketch", "coarse.sketch")
    for statistic, share in (("accuracy_ratio", None), ("ks", None), ("capture_rate", 0.1)):
        exact, coarse = (rows[name, statistic, share] for name in ("all", "coarse"))
        assert coarse["lower"] <= exact["value"] <= coarse["upper"]
        assert coarse["lower"] < coarse["upper"]


def test_weights_have_no_interval_and_few_events_a_note(run):
    Path("f.csv").write_text("y,s,w\n1,3,2\n0,2,1\n0,2,1\n1,1,1\n", encoding="utf-8")
    make = ("sketch", "make", "f.csv", "--truth", "y", "--estimate", "s")
    run(*make, "--weight", "w", "-o", "weighted.sketch")
    run(*make, "-o", "few.sketch")
    rows, err = show_as_json(run, "weighted.sketch", "few.sketch")
    assert rows["weighted", "accuracy_ratio", None]["low"] is None
    assert rows["weighted", "n", None]["value"] == 5
    assert "no interval: for amounts or weighted rows it requires the individual" in err
    assert "its confidence level: few\n" in err
    Path("f.csv").write_text("y,s\n1,3\n0,2\n0,1\n", encoding="utf-8")
    run(*make, "-o", "single.sketch")
    _, err = show_as_json(run, "few.sketch", "single.sketch")
    assert "limits by 'exact' hold for any number of them: single\n" in err
    assert "its confidence level: few\n" in err


def test_undefined_sketches(run):
    Path("f.csv").write_text("y,s\n0,3\n0,2\n", encoding="utf-8")
    run(*["sketch", "make", "f.csv", "--truth", "y", "--estimate", "s", "-o", "f.sketch"])
    rows, err = show_as_json(run, "f.sketch")
    assert (
        rows["f", "ks", None]["value"] is rows["f", "accuracy_ratio", None]["low"] is None
    )
    assert rows["f", "n", None]["value"] == 2
    assert err == "capcurve: note: undefined because all outcomes are equal: f\n"
    for command in (("table",), ("plot", "-o", "f.png"), ("report", "-o", "-")):
        code, out, err = run("sketch", command[0], "f.sketch", *command[1:])
        assert (code, out) == (2, "")
        assert "the CAP curve requires outcomes that differ, got f, in which all" in err


def test_tables_pictures_and_reports(run, made):
    code, out, _ = run("sketch", "table", "all.sketch", "--bands", "4", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0
    assert [row["n"] for row in rows] == ["500"] * 4
    assert rows[0]["lower"] <= rows[0]["capture_rate"] <= rows[0]["upper"]
    code, _, err = run("sketch", "plot", *made[1:], "-o", "cap.svg", "--mark", "0.1")
    assert (code, err) == (0, "picture written to cap.svg\n")
    assert "first (AR" in Path("cap.svg").read_text(encoding="utf-8")
    code, out, err = run(
        "sketch", "report", "all.sketch", "--initial-auc", "0.8", "-o", "-"
    )
    facts = json.loads(out)
    assert (code, facts["title"], facts["rows"]["used"]) == (0, "all", 2_000)
    assert facts["initial"]
    code, out, err = run(
        *("sketch", "report", "all.sketch", "--title", "March", "-o", "march.json")
    )
    assert (code, out, err) == (0, "", "report written to march.json\n")
    assert json.loads(Path("march.json").read_text(encoding="utf-8"))["title"] == "March"


@pytest.mark.usefixtures("made")
def test_several_reports_of_a_sketch(run):
    command = ("sketch", "report", "all.sketch", "-o", "a.html", "-o")
    code, out, err = run(*command, "a.json")
    assert (code, out) == (0, "")
    assert err == "report written to a.html\nreport written to a.json\n"
    assert Path("a.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert json.loads(Path("a.json").read_text())["title"] == "all"
    for again in ("-", "./a.html"):
        code, _, err = run(*command, again)
        assert (code, "several --output must be different files" in err) == (2, True)


@pytest.mark.usefixtures("made")
def test_a_report_of_a_sketch_says_how_to_make_it_again(run, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    options = ("--initial-auc", "0.8", "--bands", "0.1,0.5", "--confidence", "0.9")
    assert run("sketch", "report", "all.sketch", *options, "-o", "r.json")[0] == 0
    text = Path("r.json").read_text(encoding="utf-8")
    facts = json.loads(text)
    provenance = facts["provenance"]
    content = Path("all.sketch").read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    file = {"name": "all.sketch", "size": len(content), "sha256": digest}
    assert provenance["files"] == [file]
    assert run(*shlex.split(provenance["command"])[1:])[0] == 0
    assert Path("r.json").read_text(encoding="utf-8") == text
    call, _, data = provenance["call"].partition("  # data: ")
    assert data == "CapSketch.from_bytes of the file"
    again = eval(call, {"report": report, "data": read("all.sketch")})  # noqa: S307
    del facts["provenance"]
    assert {name: again.facts[name] for name in facts} == facts
    stdin = io.TextIOWrapper(io.BytesIO(content))
    monkeypatch.setattr(sys, "stdin", stdin)
    code, out, _ = run("sketch", "report", "-", "-o", "-")
    assert code == 0
    (found,) = json.loads(out)["provenance"]["files"]
    assert found == file | {"name": "stdin"}


@pytest.mark.usefixtures("made")
def test_a_report_of_a_sketch_says_what_a_sketch_does_not_hold(run):
    assert run("sketch", "report", "all.sketch", "-o", "r.json")[0] == 0
    told = json.loads(Path("r.json").read_text(encoding="utf-8"))["limitations"]
    assert any(each.startswith("Rows are taken as independent.") for each in told)
    assert any("how many rows were left out" in each.lower() for each in told)


def test_sums_of_weights_and_amounts_are_headed_as_such(run):
    rows = {"y": [1, 0] * 10, "s": range(20), "w": [0.5, 1.5] * 10, "loss": [0.5, 0] * 10}
    pl.DataFrame(rows).write_csv("w.csv")
    for truth, options, headings in (
        ("y", ("--weight=w",), {"weight", "weight_of_events"}),
        ("loss", (), {"n", "sum_of_amounts"}),
        ("loss", ("--weight=w",), {"weight", "weighted_sum"}),
    ):
        given = ("--truth", truth, "--estimate=s", *options)
        assert run("sketch", "make", "w.csv", *given, "-o", "w.sketch")[0] == 0
        _, out, _ = run("sketch", "table", "w.sketch", "--format=markdown")
        found = {each.strip().replace(" ", "_") for each in out.splitlines()[0].split("|")}
        assert headings <= found
        code, _, err = run("sketch", "report", "w.sketch", "--initial-auc=.7", "-o", "-")
        assert (code, "error: --initial-auc requires the variance of" in err) == (2, True)


@pytest.mark.usefixtures("made")
def test_sketches_with_the_same_file_name_are_told_apart(run):
    Path("a").mkdir()
    Path("a/all.sketch").write_bytes(Path("first.sketch").read_bytes())
    rows, _ = show_as_json(run, "all.sketch", "a/all.sketch")
    assert {name for name, *_ in rows} == {"all.sketch", "a/all.sketch"}


def damage(content):
    return content[:-1] + bytes([content[-1] ^ 1])


BAD = {
    "cut off": (lambda content: content[:-9], "x.sketch must be a complete sketch"),
    "damaged": (damage, "so it is damaged or truncated"),
    "empty": (lambda _: b"", "got nothing; check the name"),
    "foreign": (
        lambda _: b"PK\3\4 and much more",
        "`CapSketch.to_bytes` writes it, got a file of another kind; check the name",
    ),
    "newer": (
        lambda content: content[:8] + b"\x03" + content[9:],
        "must be a sketch of format version 1 or 2, got version 3",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize("command", ["show", "merge", "table", "report"])
@pytest.mark.usefixtures("made")
def test_files_that_are_no_sketch(run, kind, command):
    change, message = BAD[kind]
    Path("x.sketch").write_bytes(change(Path("all.sketch").read_bytes()))
    output = {"merge": ("-o", "out.sketch"), "report": ("-o", "-")}.get(command, ())
    code, out, err = run("sketch", command, "x.sketch", *output)
    assert (code, out) == (2, "")
    assert err.startswith("capcurve: error: x.sketch must be a")
    assert message in err
    assert err.count("\n") == 1
    assert "`data`" not in err
    assert not Path("out.sketch").exists()


@pytest.mark.usefixtures("made")
def test_patterns_stand_for_sketches(run):
    Path("one").mkdir()
    Path("one/[all].sketch").write_bytes(Path("all.sketch").read_bytes())
    for names in (["one/*.sketch"], ["one/[all].sketch"]):
        code, _, err = run("sketch", "merge", *names, "-o", "x.sketch")
        assert code == 0
        assert err.startswith("1 sketch merged: ")
    assert Path("x.sketch").read_bytes() == Path("all.sketch").read_bytes()


@pytest.mark.usefixtures("made")
def test_sketches_that_do_not_belong_together(run):
    for options, message in (
        (("--max-bins", "50"), "--max-bins 65536 for all and 50 for x"),
        (("--ascending",), "--ascending off for all and on for x"),
        (("--pos-label", "1"), "--pos-label not given for all and 1 for x"),
        (("--target-type", "binary"), "--target-type 'auto' for all and 'binary' for x"),
    ):
        run("sketch", "make", "all.csv", *COLUMNS, *options, "-o", "x.sketch")
        code, out, err = run("sketch", "merge", "all.sketch", "x.sketch", "-o", "y.sketch")
        assert (code, out) == (2, "")
        assert message in err
    assert not Path("y.sketch").exists()


@pytest.mark.parametrize("write", [pl.DataFrame.write_csv, pl.DataFrame.write_parquet])
@pytest.mark.parametrize("command", ["sketch make", "implied", "report --implied grade"])
def test_grades_are_not_to_be_ordered_where_numbers_are_required(run, write, command):
    write(LOANS, "f.csv" if write is pl.DataFrame.write_csv else "f.parquet")
    (file,) = Path().glob("f.*")
    output = () if command == "implied" else ("-o", "out.json")
    columns = ("--truth", "default", "--estimate", "grade")
    code, out, err = run(*command.split(), str(file), *columns, *output)
    assert (code, out) == (2, "")
    assert err.startswith("capcurve: error: `grade` must hold ")
    assert "; name a column of numbers" in err or "type String" in err
    assert "--order" not in err
    query = (
        "select *, list_position(['A','B','C','D','E','F','G','H'], grade) as g from data"
    )
    made = run("sketch", "make", str(file), *columns[:3], "g", "--query", query, "-o", "x")
    assert made[0] == 0


@pytest.mark.usefixtures("made")
def test_what_is_refused(run):
    Path("to.sketch").symlink_to("gone")
    for arguments, message in (
        (
            ("merge", "all.sketch", "all.sketch", "-o", "x.sketch"),
            "got all.sketch more often",
        ),
        (("merge", "a*.sketch", "all.sketch", "-o", "x"), "got all.sketch more often"),
        (("show", "to.sketch"), "cannot read to.sketch: it is a link to nothing ('gone')"),
        (("show", "none.sketch"), "cannot read none.sketch: no such file; check the"),
        (("show", "secnod.sketch"), "no such file; did you mean second.sketch?"),
        (
            ("show", "."),
            "cannot read .: it is a folder; pass its files, such as '*.sketch'",
        ),
        (("report", ".", "-o", "-"), "cannot read .: Is a directory; check the file"),
        (("shw", "all.sketch"), "sketch has no command 'shw'; did you mean show?"),
        (("show", "none*.sketch"), "cannot read none*.sketch: no file matches this"),
        (("make", "all.csv", "--estimate", "champion_pd", "-o", "x"), "requires --truth"),
        (
            ("make", "all.csv", *COLUMNS, "--estimate", "loan", "-o", "x.sketch"),
            "a sketch holds one score, got 2",
        ),
        (("make", "all.csv", *COLUMNS, "-o", "no/x.sketch"), "--output must be in an"),
        (
            ("make", "all.csv", *COLUMNS, "--by", "segment", "-o", "x"),
            "has no option --",
        ),
        (
            ("make", "all.csv", *COLUMNS, "--max-bins", "1", "-o", "x.sketch"),
            "--max-bins must be a whole number of at least 2",
        ),
        (("show", "all.sketch", "--share", "2"), "--share must be"),
        (("show", "all.sketch", "--confidence", "2"), "--confidence must"),
        (
            ("plot", "all.sketch", "-o", "cap.png", "--confidence", "0.9"),
            "has no option --",
        ),
    ):
        code, out, err = run("sketch", *arguments)
        assert (code, out) == (2, ""), arguments
        assert message in err, arguments
        assert err.count("\n") == 1


def test_a_reader_that_is_gone_ends_the_command_in_silence(tmp_path):
    (tmp_path / "few.csv").write_text("y,s\n1,3\n0,2\n")
    reading, writing = os.pipe()
    os.close(reading)
    program = [sys.executable, "-m", "capcurve", "sketch", "make", "few.csv", "-o", "-"]
    ended = subprocess.run(  # noqa: S603 -- our own command
        [*program, "--truth", "y", "--estimate", "s"],
        stdout=writing,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        check=False,
    )
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (141, b"")


@pytest.mark.slow
@pytest.mark.usefixtures("made")
def test_a_picture_where_no_home_can_be_written_to_is_quiet():
    program = [sys.executable, "-m", "capcurve", "sketch", "plot", "all.sketch", "--quiet"]
    ended = subprocess.run(  # noqa: S603 -- our own command
        [*program, "-o", "cap.png"],
        env={**os.environ, "HOME": str(Path("all.csv").absolute())},
        capture_output=True,
        check=True,
    )
    assert (ended.stdout, ended.stderr) == (b"", b"")
    assert Path("cap.png").stat().st_size


@pytest.mark.slow
def test_pipes():
    """Rows come from stdin, and the sketch goes through a pipe."""
    program = [sys.executable, "-m", "capcurve", "sketch"]
    rows = b"y,s\n1,3\n0,2\n0,2\n1,1\n"
    made = subprocess.run(  # noqa: S603 -- our own command
        [*program, *["make", "-", "--truth", "y", "--estimate", "s", "-o", "-"]],
        input=rows,
        capture_output=True,
        check=True,
    )
    assert b"of 4 rows in 3 bins written to stdout" in made.stderr
    shown = subprocess.run(  # noqa: S603 -- our own command
        [*program, *["show", "-", "--format", "json"]],
        input=made.stdout,
        capture_output=True,
        check=True,
    )
    assert read_results(shown.stdout)[0]["sketch"] == "stdin"


@pytest.mark.usefixtures("made")
def test_closed_and_full_streams(run, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", None)
        code, _, err = run("sketch", "show", "-")
    assert (code, "stdin must hold a sketch, but it is closed" in err) == (2, True)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"PK")))
        code, _, err = run("sketch", "show", "-")
    assert (code, "error: stdin must be a sketch" in err) == (2, True)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", None)
        code, *_ = run("sketch", "merge", "all.sketch", "-o", "-")
    assert code == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.usefixtures("made")
def test_a_full_disk():
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(  # noqa: S603 -- our own command
            [
                sys.executable,
                "-m",
                "capcurve",
                *["sketch", "merge", "all.sketch", "-o", "-"],
            ],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert ended.returncode == 2
    assert b"the result must be printed to stdout, but" in ended.stderr


def test_an_old_sketch_stays_whole_where_writing_fails(run, made, monkeypatch):
    old = Path("all.sketch").read_bytes()

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fail)
    code, _, err = run("sketch", "merge", *made[1:], "-o", "all.sketch")
    assert (code, "No space left on device" in err) == (2, True)
    assert Path("all.sketch").read_bytes() == old
    assert sketch_files.count_single_rows(CapSketch()) == 0


def test_counts_beyond_one_are_no_single_rows():
    sketch = CapSketch()
    sketch.update([1, 0, 0], [0.5, 0.5, 0.1])
    assert sketch_files.count_single_rows(sketch) == 1
    sketch.update([1], [0.7], sample_weight=[np.pi])
    assert sketch_files.count_single_rows(sketch, is_weighted=True) == 2
    sketch.update([1], [0.7], sample_weight=[np.pi])
    sketch.update([1], [0.5], sample_weight=[np.pi])
    assert sketch_files.count_single_rows(sketch, is_weighted=True) == 0


def test_sketches_of_the_same_bytes_are_told(run):
    Path("f.csv").write_text("y,s\n0,0.1\n1,0.4\n", encoding="utf-8")
    Path("n.csv").write_text("y,s\n0,\n", encoding="utf-8")
    for name in ("f", "n"):
        made = ("sketch", "make", f"{name}.csv", "--truth", "y", "--estimate", "s")
        for output in (name, f"{name}2"):
            run(*made, "-o", f"{output}.sketch")
    names = [f"{name}.sketch" for name in ("f", "n", "f2", "n2")]
    _, _, err = run("sketch", "merge", *names, "-o", "all.sketch")
    told = (
        "capcurve: note: f.sketch and f2.sketch hold the same bytes, so their rows count "
        "twice; leave one out if it is a copy\n"
    )
    assert told in err
    assert err.count("the same bytes") == 1


@pytest.mark.parametrize("name", ["rows.csv", "rows.CSV.gz", "rows.parquet", "rows.ndjson"])
def test_no_sketch_is_called_like_a_file_of_rows(run, made, name):
    Path(name).write_text("s,y\n", encoding="utf-8")
    (first, *_) = made
    for command in (
        ("make", "other.csv", "--truth", "y", "--estimate", "s"),
        ("merge", str(first)),
    ):
        code, out, err = run("sketch", *command, "-o", name)
        assert (code, out) == (2, "")
        assert err == (
            "capcurve: error: --output must be a file for a sketch, got "
            f"{name!r}, whose ending is that of a file of rows; choose another, such as "
            ".sketch\n"
        )
    assert Path(name).read_text(encoding="utf-8") == "s,y\n"


def test_the_help_of_make_asks_for_one_outcome_and_one_score(run):
    text = run("sketch", "make", "--help")[1]
    assert re.search(r"--truth COLUMN +Outcome\. +\[required\]", text)
    assert re.search(r"--estimate COLUMN +Score\. +\[required\]", text)
