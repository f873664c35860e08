"""To readers, `n events` are rows; what is a sum has a heading of its own."""

from pathlib import Path

import pytest

ROWS = "y,s,a,w,weight\n1,3,2.5,2,x\n0,2,0,1,x\n1,1,1.5,1.5,x\n0,1,0,1,x\n"
EVENTS = ("--truth", "y")
AMOUNTS = ("--truth", "a")
WEIGHTED = ("--weight", "w")
COUNTS = {"n", "n events", "weight", "weight of events", "sum of amounts", "weighted sum"}
COUNTS |= {"rows compared"}


@pytest.fixture
def read_headings(run):
    """Run a command, and return the headings of its Markdown table, or of its CSV."""
    Path("f.csv").write_text(ROWS, encoding="utf-8")

    def read(command, *options, form="markdown"):
        said = (command, "f.csv", "--estimate", "s", "--format", form, "--quiet")
        code, out, _ = run(*said, *options)
        assert code == 0
        heading = out.splitlines()[0]
        return heading.strip("| ").split(" | " if form == "markdown" else ",")

    return read


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (EVENTS, ["n", "n events"]),
        ((*EVENTS, *WEIGHTED), ["weight", "weight of events"]),
        (AMOUNTS, ["n", "sum of amounts"]),
        ((*AMOUNTS, *WEIGHTED), ["weight", "weighted sum"]),
    ],
)
@pytest.mark.parametrize(
    "command", [("score",), ("table", "--bands", "2"), ("cut-offs", "--share", "0.5")]
)
def test_sums_are_not_called_events(read_headings, command, options, expected):
    found = read_headings(*command, *options)
    assert [each for each in found if each in COUNTS] == expected
    programs = read_headings(*command, *options, form="csv")
    assert {"n", "n_events"} < set(programs)


def test_tests_count_rows_with_an_event(read_headings):
    initial = ("compare", "--initial-auc", "0.7")
    for options in (EVENTS, (*EVENTS, *WEIGHTED)):
        assert {"n", "n events"} < set(read_headings(*initial, *options))
    amounts = read_headings(*initial, *AMOUNTS)
    assert amounts[-2:] == ["rows compared", "n"]
    assert read_headings(*initial, *AMOUNTS, form="csv")[-2:] == ["n_events", "n"]


@pytest.mark.parametrize("order", [(), ("--ascending",)])
def test_scores_of_a_band_are_the_first_and_the_last_one_in_any_order(read_headings, order):
    """Of low scores that rank first, the first one is no highest score."""
    asked = ("table", *EVENTS, "--bands", "2", *order)
    assert read_headings(*asked)[-2:] == ["first score", "last score"]
    assert read_headings(*asked, form="csv")[-2:] == ["highest_score", "lowest_score"]


def test_the_bins_of_a_sketch_have_a_highest_score_and_bands_a_first_one(run):
    Path("f.csv").write_text(ROWS, encoding="utf-8")
    made = ("sketch", "make", "f.csv", "-o", "f.sketch", "--ascending")
    assert run(*made, *EVENTS, "--estimate", "s")[0] == 0
    for bands, heading in (("2", "first score"), ("scores", "highest score")):
        asked = f"sketch table f.sketch --format markdown --bands {bands}".split()
        code, out, _ = run(*asked)
        assert code == 0
        assert f"| {heading} |" in out.splitlines()[0]


def test_a_group_may_be_called_as_a_heading(read_headings):
    found = read_headings("score", *EVENTS, *WEIGHTED, "--by", "weight")
    assert [each for each in found if each in COUNTS] == ["weight", "n", "weight of events"]
