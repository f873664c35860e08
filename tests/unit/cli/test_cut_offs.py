"""The command `capcurve cut-offs`: the numbers of `gain_cut_offs`, and what it refuses."""

from pathlib import Path

import polars as pl
import pytest

from answers import read_results
from capcurve import gain_cut_offs
from capcurve.datasets import make_portfolio

LOANS = pl.DataFrame(make_portfolio(4_000))
MODELS = ["champion_pd", "challenger_pd"]
SCORES = ("--estimate", MODELS[0], "--estimate", MODELS[1])
GRADED = ("--estimate", "grade", "--order", "A,B,C,D,E,F,G,H")


@pytest.fixture
def cut(run):
    """Cut the loans, and give exit code, stdout and stderr."""
    LOANS.write_csv("loans.csv")

    def run_cut(*options, file="loans.csv"):
        return run("cut-offs", file, "--truth", "default", *options)

    return run_cut


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--threshold", "0.05", "--threshold", "1e-1"), {"threshold": [0.05, 0.1]}),
        (("--capture-rate", "0.8", "--capture-rate", "1"), {"capture_rate": [0.8, 1]}),
        (("--share", "0.1", "--weight", "exposure"), {"population_share": 0.1}),
        (
            ("--share", "0.1", "--share", "0.3", "--confidence", "0.9"),
            {"population_share": [0.1, 0.3], "confidence_level": 0.9},
        ),
        (
            ("--share", "0.1", "--confidence", "0.9", "--cluster", "year"),
            {"population_share": 0.1, "confidence_level": 0.9, "clusters": "year"},
        ),
    ],
)
@pytest.mark.filterwarnings("ignore:effectively fewer than")
def test_numbers_are_those_of_the_frame_function(cut, options, said):
    code, out, _ = cut(*SCORES, "--by", "segment", *options, "--format", "json")
    assert code == 0
    if "--weight" in options:
        said["case_weights"] = "exposure"
    found = gain_cut_offs(LOANS, "default", MODELS, by="segment", **said).sort("segment")
    found = found.rename({"model": "estimate"})
    rows = read_results(out)
    assert list(rows[0]) == found.columns
    for row, other in zip(rows, found.to_dicts(), strict=True):
        assert row == pytest.approx(other)


def test_grades_are_said_by_name(cut):
    code, out, err = cut(*GRADED, "--threshold", "E", "--threshold", "H")
    assert (code, err) == (0, "")
    expected = gain_cut_offs(
        LOANS, "default", "grade", threshold=["E", "H"], order=list("ABCDEFGH")
    )
    for line, row in zip(out.splitlines()[-2:], expected.to_dicts(), strict=True):
        grade, threshold, n, *_ = line.split()
        assert (grade, threshold) == ("grade", row["threshold"])
        assert n == f"{row['n']:,.0f}"
    found = read_results(cut(*GRADED, "--capture-rate", "0.8", "--format", "json")[1])
    assert found[0]["threshold"] == "E"


def test_labels_have_rows_of_their_own(run):
    Path("f.csv").write_text("t,a,b,c\na,3,1,1\nb,1,3,1\nc,1,1,3\nc,3,1,1\n")
    scores = [f"--estimate={name}" for name in "abc"]
    _, out, _ = run(
        "cut-offs", "f.csv", "--truth=t", *scores, "--threshold=3", "--format=json"
    )
    found = [(row["level"], row["n"], row["n_events"]) for row in read_results(out)]
    assert found == [("a", 2, 1), ("b", 1, 1), ("c", 1, 1)]


def test_a_cut_off_is_printed_with_all_its_digits(run):
    exact = repr(1 / 30)
    Path("f.csv").write_text(f"y,s\n1,{exact}\n0,0.0004\n1,620\n0,0.1\n")
    command = ("cut-offs", "f.csv", "--truth", "y", "--estimate", "s")
    asked = ("--capture-rate", "1", "--capture-rate", "0.5", "--capture-rate", "0")
    _, out, _ = run(*command, *asked)
    assert [line.split()[:3] for line in out.splitlines()[-3:]] == [
        ["s", "1.0000", exact],
        ["s", "0.5000", "620"],
        ["s", "0.0000", "inf"],
    ]
    _, out, _ = run(*command, *asked, "--format", "csv")
    assert out.splitlines()[1].startswith(f"s,1.0,{exact},3,2,")
    _, out, _ = run(*command, *asked, "--format", "json")
    assert [row["threshold"] for row in read_results(out)] == [1 / 30, 620, None]


def test_groups_without_a_curve_are_left_out_with_a_note(run):
    Path("f.csv").write_text("y,s,g\n1,2,a\n0,1,a\n0,2,b\n0,1,b\n")
    command = ("cut-offs", "f.csv", "--truth=y", "--estimate=s", "--by=g", "--share=0.5")
    code, out, err = run(*command, "--confidence", "0.95", "--format", "json")
    assert code == 0
    assert [row["g"] for row in read_results(out)] == ["a"]
    assert err == (
        "capcurve: note: undefined because all outcomes are equal: b, s\n"
        "capcurve: note: fewer than 20 events or non-events, so the coverage of the "
        "interval may fall below its confidence level: a, s\n"
        "capcurve: note: effectively fewer than 15 rows are selected or left out, so the "
        "coverage of the interval may fall below its confidence level: a, s\n"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (SCORES, "cut-offs require one of --threshold, --capture-rate, --share, got none"),
        (
            (*SCORES, "--share", "0.1", "--threshold", "1"),
            "cut-offs require one of --threshold, --capture-rate, --share, got --threshold",
        ),
        (
            (*SCORES, "--threshold", "1", "--confidence", "0.95"),
            "--confidence requires --share, as limits are those of a share that is set bef",
        ),
        (
            (*SCORES, "--threshold", "0.1", "--cluster", "year"),
            "--cluster requires --share",
        ),
        (
            (*SCORES, "--threshold", "0,1"),
            "--threshold must be a score that is a number, got '0,1'; pass a number, or",
        ),
        (
            (*GRADED, "--threshold", "Z"),
            "--threshold must be a grade of the score (A, B, C, D, E, F, G, H), got 'Z'",
        ),
        ((*SCORES, "--capture-rate", "80"), "--capture-rate must be a fraction in [0, 1]"),
        ((*SCORES, "--share", "0"), "--share must be a fraction in (0, 1], got 0.0"),
    ],
)
def test_errors_are_one_line(cut, options, message):
    code, out, err = cut(*options)
    assert (code, out) == (2, "")
    assert err.startswith(f"capcurve: error: {message}")
    assert err.count("\n") == 1
