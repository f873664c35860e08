"""Kinds of pictures in the shell, by what they hold."""

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import polars as pl
import pytest

from capcurve.__main__ import main
from capcurve.datasets import make_portfolio
from full_disk import limit_file_size

OPTIONS = ("loans.csv", "--truth", "default", "--estimate", "champion_pd", "-o")


@pytest.fixture(autouse=True)
def _loans(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pl.DataFrame(make_portfolio(800)).write_csv("loans.csv")


@pytest.fixture
def run(capsys):
    def run_command(*arguments):
        code = main(arguments)
        return code, capsys.readouterr().err

    return run_command


def texts(path):
    """Return the comments of an SVG file, which hold its texts."""
    parser = ET.XMLParser(target=ET.TreeBuilder(insert_comments=True))  # noqa: S314
    root = ET.parse(path, parser).getroot()  # noqa: S314 -- our own
    return [node.text.strip() for node in root.iter(ET.Comment)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("cap", "CAP curve, AR = "),
        ("lift", "Lift curve, lift "),
        ("ks", "Score distributions, KS = "),
        ("gains", "Response rate by band, champion_pd"),
        ("lorenz", "Ordered Lorenz curve, Gini = "),
        ("summary", "champion_pd: AR = "),
    ],
)
def test_each_kind_draws_its_picture(run, kind, text):
    assert run("plot", *OPTIONS, "a.svg", "--kind", kind)[0] == 0
    assert any(each.startswith(text) for each in texts("a.svg"))


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_the_same_picture_has_the_same_bytes(run, ending, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    for name in "ab":
        assert run("plot", *OPTIONS, f"{name}.{ending}")[0] == 0
    assert Path(f"a.{ending}").read_bytes() == Path(f"b.{ending}").read_bytes()


def test_lift_is_short_for_its_kind(run):
    assert run("plot", *OPTIONS, "a.svg", "--kind", "lift")[0] == 0
    assert run("plot", *OPTIONS, "b.svg", "--lift")[0] == 0
    assert texts("a.svg") == texts("b.svg")


@pytest.mark.slow
def test_bands_and_limits(run):
    limits = ("--bands", "4", "--confidence", "0.9")
    assert run("plot", *OPTIONS, "a.svg", "--kind", "gains", *limits)[0] == 0
    found = texts("a.svg")
    assert "90% confidence limits" in found
    assert "25\N{EN DASH}50" in found
    assert run("plot", *OPTIONS, "b.svg", "--kind", "summary", *limits)[0] == 0
    assert "90% confidence limits" in texts("b.svg")
    binned = (*OPTIONS, "c.svg", "--approx", "--kind", "gains")
    assert run("plot", *binned)[0] == 0
    code, err = run("plot", *binned, "--confidence", "0.9")
    assert code == 2
    assert "--confidence requires the rows in memory" in err


def test_class_labels_are_named_once():
    labels = ["F", "M", "L"]
    rows = {"t": labels * 4} | {
        label: [i % 3 + (i // 3) % 2 for i in range(12)] for label in labels
    }
    pl.DataFrame(rows).write_csv("f.csv")
    scores = [each for label in labels for each in ("--estimate", label)]
    assert main(["plot", "f.csv", "--truth", "t", *scores, "-o", "a.svg"]) == 0
    found = texts("a.svg")
    assert [text.split(" (")[0] for text in found if "(AR = " in text][:3] == sorted(labels)
    named = {"t": labels * 4, **{f"prob_{name}": rows[name] for name in labels}}
    pl.DataFrame(named).write_csv("f.csv")
    scores = [each for label in labels for each in ("--estimate", f"prob_{label}")]
    assert main(["plot", "f.csv", "--truth", "t", *scores, "-o", "a.svg"]) == 0
    assert any(text.startswith("F by prob_F (AR = ") for text in texts("a.svg"))


def test_grades_are_named_and_escaped():
    Path("f.csv").write_text("g,y\n$a$,0\n$a$,0\nb\x1b,1\nb\x1b,0\n", encoding="utf-8")
    command = ("f.csv", "--truth", "y", "--estimate", "g", "--order", "$a$,b\x1b")
    assert main(["plot", *command, "-o", "a.svg", "--kind", "ks"]) == 0
    assert {"$a$", r"b\x1b"} <= set(texts("a.svg"))
    assert "Oblique" not in Path("a.svg").read_text()  # as a formula would be


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--kind", "ks", "--lift"), "--lift is short for --kind lift, got --kind ks too"),
        (
            ("--kind", "ks", "--band", "pointwise"),
            "--band applies to --kind cap, lift, lorenz, got it for ks; leave it out",
        ),
        (("--kind", "gains", "--mark", "0.1"), "--mark applies to --kind cap, lift, lor"),
        (("--bands", "5"), "--bands applies to --kind gains, summary, got it for cap"),
        (("--lift", "--confidence", "0.9"), "--confidence applies to --kind gains, summ"),
        (
            ("--kind", "summary", "--by", "segment"),
            "--kind summary shows one score of one group, got 3 curves; pass one --estim",
        ),
        (
            ("--by", "loan"),
            "the CAP curve requires outcomes that differ",
        ),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(run, options, message):
    code, err = run("plot", *OPTIONS, "a.png", *options)
    assert code == 2
    assert f"capcurve: error: {message}" in err.splitlines()[-1]
    assert not Path("a.png").exists()


def write_groups(n):
    """Write a file with n groups of an event and a non-event, and return its arguments."""
    groups = [f"$g{i}" for i in range(n) for _ in range(2)]
    rows = {"g": groups, "y": [1, 0] * n, "s": [2, 1] * n}
    pl.DataFrame(rows).write_csv("f.csv")
    return ("f.csv", "--truth", "y", "--estimate", "s", "--by", "g", "-o", "a.svg")


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "most"), [("cap", 20), ("ks", 10)])
def test_many_curves_are_panels(run, kind, most):
    for n in (most, most + 1):
        assert run("plot", *write_groups(n), "--kind", kind)[0] == 0
        titles = texts("a.svg")
        assert ("$g0, s" in titles) == (n > most)
    assert f"$g{most}, s" in titles
    assert ("AR = 1.000" if kind == "cap" else "KS = 1.000 at score 2") in titles


def test_panels_of_rows_have_limits(run):
    options = ("--kind", "gains", "--bands", "2", "--confidence", "0.9")
    assert run("plot", *write_groups(21), *options)[0] == 0
    assert "90% confidence limits" in texts("a.svg")


def test_more_curves_than_panels_are_refused(run):
    code, err = run("plot", *write_groups(101))
    assert code == 2
    assert "a picture must have at most 100 curves, got 101; choose groups with" in err


def test_amounts_have_no_ks(run):
    pl.DataFrame({"y": [0.5, 1.25, 3.0], "s": [1, 2, 3]}).write_csv("f.csv")
    code, err = run("plot", "f.csv", "--truth", "y", "--estimate", "s", "-o", "a.png")
    assert code == 0
    command = ("f.csv", "--truth", "y", "--estimate", "s", "-o", "a.png", "--kind", "ks")
    code, err = run("plot", *command)
    assert code == 2
    assert "requires 0/1 events, got amounts" in err


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there, sizes have no such limit")
@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
@pytest.mark.parametrize("n_bytes", [0, 4_096])
def test_a_picture_that_does_not_fit_is_told_and_not_left_behind(run, ending, n_bytes):
    assert run("plot", *OPTIONS, f"a.{ending}")[0] == 0
    content = Path(f"a.{ending}").read_bytes()
    with limit_file_size(n_bytes):
        told = run("plot", *OPTIONS, f"a.{ending}")
    assert told == (
        2,
        (
            f"capcurve: error: cannot write 'a.{ending}': File too large; the old file was "
            "kept; make space or choose another place\n"
        ),
    )
    assert Path(f"a.{ending}").read_bytes() == content
    assert {path.name for path in Path().iterdir()} == {"loans.csv", f"a.{ending}"}
