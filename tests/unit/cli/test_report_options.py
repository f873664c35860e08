"""Options of ``capcurve report``."""

import json
from pathlib import Path

import polars as pl
import pytest

from capcurve import CapcurveError, report
from capcurve._report.report import Report
from capcurve.datasets import make_portfolio

LOANS = pl.DataFrame(make_portfolio(1_500)).with_columns(
    day=pl.date(2023, 1, 1) + pl.duration(days=pl.col("loan") % 700)
)
PD = ("--truth", "default", "--estimate", "champion_pd")


@pytest.fixture
def make(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    LOANS.write_csv("f.csv")

    def make_report(*options):
        return run("report", "f.csv", *PD, "--quiet", "--format", "json", *options)

    return make_report


def test_options_of_the_report_reach_it(make):
    code, out, _ = make(
        *("--period", "day", "--period-by", "quarter", "--implied", "champion_pd"),
        *("--green", "0.9", "--amber", "0.1", "--meta", "model id = PD=7 "),
        *("--limitation", "One.", "--limitation", "Two."),
    )
    assert code == 0
    facts = json.loads(out)
    assert facts["periods"][0]["wide"][0]["group"] == "2023-Q1"
    assert facts["implied"][0]["model"] == "champion_pd"
    assert facts["findings"][0]["status"] == "amber"
    assert facts["meta"] == {"model id": "PD=7"}
    assert facts["limitations"][-2:] == ["One.", "Two."]


def test_pds_stand_beside_grades_and_models_have_their_own_initial_auc(run, make):
    _ = make  # the file
    options = (
        *(
            "f.csv",
            "--truth",
            "default",
            "--estimate",
            "grade",
            "--order",
            "A,B,C,D,E,F,G,H",
        ),
        *("--compare", "challenger_pd", "--implied", "challenger_pd"),
        *("--implied", "champion_pd", "--initial-auc", "grade=0.8"),
        *("--initial-auc", "challenger_pd=0.9", "--initial-variance", "challenger_pd=1e-4"),
        *("--method", "bca", "--seed", "3", "--format", "json", "--quiet"),
    )
    code, out, err = run("report", *options)
    assert (code, err) == (0, "")
    facts = json.loads(out)
    ranked = [(row["model"], row["score"]) for row in facts["implied"]]
    assert ranked == [("challenger_pd", "challenger_pd"), ("champion_pd", "grade")]
    found = eval(facts["provenance"]["call"], {"report": report, "data": LOANS})  # noqa: S307
    same = ("implied", "initial", "models", "challengers")
    assert [found.facts[name] for name in same] == [facts[name] for name in same]
    assert facts["provenance"]["seed"] == 3
    plain = make("--initial-auc", "0.8", "--initial-variance", "0.0001")[1]
    tests = [(row["model"], row["test"]) for row in json.loads(plain)["initial"]]
    assert tests == [("champion_pd", "ECB"), ("champion_pd", "two samples")]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--meta", "PD-7"), "--meta must be a name and a text, got 'PD-7'; write"),
        (("--meta", " =x"), "--meta must be a name and a text, got ' =x'; write"),
        (("--meta", "a=1", "--meta", "a =2"), "--meta must give each name once, got 'a'"),
        (("--green", "0.5"), "--green requires --amber, which was not given; pass both"),
        (("--period-by", "month"), "--period-by requires --period, which was not given"),
        (("--implied", "exposure"), "`exposure` must hold probabilities from 0 to 1, got"),
        (("--initial-auc", "pd=high"), "--initial-auc must be a number, or a score and"),
        (("--initial-auc", "0.8", "--initial-auc", "x=0.8"), "--initial-auc must be one"),
        (("--initial-auc", "x=1", "--initial-auc", "x=1"), "--initial-auc must be one"),
        (("--initial-auc", "x=0.8"), "--initial-auc must name scores that are read, got"),
    ],
)
def test_options_that_make_no_sense_are_refused(make, options, told):
    code, out, err = make(*options)
    assert (code, out) == (2, "")
    assert err.startswith(f"capcurve: error: {told}")


def test_one_report_is_written_to_several_files(run, make):
    _ = make  # the file
    command = ("report", "f.csv", *PD)
    files = ("r.html", "r.json", "r.xlsx")
    code, out, err = run(*command, *(f"--output={name}" for name in files))
    assert (code, out) == (0, "")
    assert [f"report written to {name}" for name in files] == err.splitlines()[-3:]
    said = json.loads(Path("r.json").read_text("utf-8"))["provenance"]
    assert said["options"]["output"] == list(files)
    assert "--output r.html --output r.json --output r.xlsx" in said["command"]
    assert said["time"][:10] in Path("r.html").read_text("utf-8")


@pytest.mark.parametrize(
    "options", [("-o", "r.html"), ("-o", "-"), ("-o", "r.json", "--format", "json")]
)
def test_several_reports_are_different_files(run, make, options):
    _ = make
    code, out, err = run("report", "f.csv", *PD, "-o", "r.html", *options)
    assert (code, out) == (2, "")
    assert err.startswith("capcurve: error: several --output must be different files, ")
    assert not Path("r.html").exists()


def test_what_was_written_before_an_error_is_named(run, make, monkeypatch):
    _ = make  # the file
    write = Report.write

    def fail_for_pages(self, path):
        if path.suffix == ".html":
            raise CapcurveError("cannot write r.html: No space left on device")
        write(self, path)

    monkeypatch.setattr(Report, "write", fail_for_pages)
    outputs = ("-o", "r.json", "-o", "r.html", "-o", "r.xlsx")
    code, _, err = run("report", "f.csv", *PD, *outputs)
    assert code == 2
    assert err.splitlines()[-2:] == [
        "report written to r.json",
        "capcurve: error: cannot write r.html: No space left on device",
    ]
    assert "r.xlsx" not in err


@pytest.mark.parametrize(("method", "n_events"), [("logit", 30), ("beta", 9), ("logit", 9)])
def test_the_note_on_intervals_names_what_is_few(
    run, tmp_path, monkeypatch, method, n_events
):
    """One event ranks below a half of the non-events; the others are on top."""
    monkeypatch.chdir(tmp_path)
    events = {"y": [1] * n_events, "s": [99.0] * (n_events - 1) + [50.5]}
    others = {"y": [0] * 100, "s": [float(n) for n in range(100)][::-1]}
    others["s"][0] = 98.5
    pl.concat([pl.DataFrame(events), pl.DataFrame(others)]).write_csv("f.csv")
    names = ("--truth", "y", "--estimate", "s", "--method", method)
    code, _, err = run("report", "f.csv", *names, "--format", "json")
    assert code == 0
    is_small = n_events < 20
    assert ("note: fewer than 20 events or non-events" in err) == is_small
    assert ("fewer than 5 wrongly ranked events where" in err) != is_small


@pytest.mark.parametrize("method", ["logit", "beta"])
def test_the_note_on_intervals_names_few_degrees_of_freedom(
    run, tmp_path, monkeypatch, method
):
    """Three rows of the middle have most of the weight."""
    monkeypatch.chdir(tmp_path)
    rows = [(int(n % 3 == 0), n * 37 % 101 + 8 * (n % 3 == 0), 1.0) for n in range(1000)]
    rows[300:304] = [(*row[:2], 30.0) for row in rows[300:304]]
    pl.DataFrame(rows, schema=["y", "s", "w"], orient="row").write_csv("f.csv")
    names = ("--truth", "y", "--estimate", "s", "--weight", "w", "--method", method)
    told = "note: fewer than 10 degrees of freedom where the method does not allow for them"
    for command in (("report", "f.csv", "--format", "json"), ("score", "f.csv")):
        code, _, err = run(*command, *names)
        assert code == 0
        assert (told in err) == (method == "logit")


def test_the_note_on_intervals_counts_pairs_of_amounts(run, tmp_path, monkeypatch):
    """The score ranks amounts nearly perfectly."""
    monkeypatch.chdir(tmp_path)
    pairs = [(1 + n % 50, n % 50 + n % 7 / 2) for n in range(200)]
    pl.DataFrame(pairs, schema=["y", "s"], orient="row").write_csv("f.csv")
    names = ("--truth", "y", "--estimate", "s", "--method", "wald")
    for command in (("report", "f.csv", "--format", "json"), ("score", "f.csv")):
        code, _, err = run(*command, *names, "--target-type", "continuous")
        assert code == 0
        assert "note: fewer than 10 effective pairs ranked wrongly where the method" in err
        assert "events" not in err
