"""To readers, `n events` are rows; what is a sum has a heading of its own."""

from pathlib import Path

import pytest

ROWS = "y,s,a,w,weight\n1,3,2.5,2,x\n0,2,0,1,x\n1,1,1.5,1.5,x\n0,1,0,1,x\n"
EVENTS = ("--truth", "y")
AMOUNTS = ("--truth", "a")
WEIGHTED = ("--weight", "w")
COUNTS = {"n", "n events", "weight", "weight of events", "sum of amounts", "weighted sum"}
COUNTS |= {"rows compared"}
SPLIT = ("change", "--sample", "weight", "--empty-grades", "other")
MASTER = ("reference", "--shares", "1=1,2=1,3=2")
GRADED = """y,s,a,half,weight,code
1,3,2.5,1,x,2
0,2,0,0,x,1
1,1,1.5,0,x,2
0,1,0,1,x,1
1,3,0,1,z,2
1,2,0.5,1,z,2
0,2,3.5,0,z,1
0,1,0,0,z,1
1,,2,0.5,z,2
"""


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


@pytest.mark.parametrize(
    "command", [SPLIT, MASTER, ("plan",), ("compare", "--estimate", "half")]
)
def test_events_of_amounts_are_called_rows_above_0(read_headings, command):
    """0/1 in all rows that are used are events, whatever other rows hold."""
    Path("f.csv").write_text(GRADED, encoding="utf-8")
    of_two = ("first", "second") if command == SPLIT else ("",)
    events = {f"n events {each}".strip() for each in of_two}
    above = {f"rows above 0 {each}".strip() for each in of_two}
    assert above < set(read_headings(*command, *AMOUNTS))
    programs = set(read_headings(*command, *AMOUNTS, form="csv"))
    assert {name.replace(" ", "_") for name in events} < programs
    for options in (
        EVENTS,
        ("--truth", "half"),
        ("--truth", "code", "--pos-label", "2"),
    ):
        found = set(read_headings(*command, *options))
        assert events < found
        assert not above & found


def test_so_are_those_of_two_samples(read_headings):
    Path("f.csv").write_text(GRADED, encoding="utf-8")
    samples = ("compare", "--sample", "weight", "--against", "x")
    found = read_headings(*samples, *AMOUNTS)
    assert found[-2:] == ["rows above 0 a", "rows above 0 b"]
    assert read_headings(*samples, *EVENTS)[-2:] == ["n events a", "n events b"]
    programs = read_headings(*samples, *AMOUNTS, form="csv")
    assert programs[-2:] == ["n_events_a", "n_events_b"]


def test_rows_above_0_that_are_needed_are_called_so(read_headings):
    Path("f.csv").write_text(GRADED, encoding="utf-8")
    asked = ("plan", "--half-width", "0.9", "--difference", "0.5")
    found = read_headings(*asked, *AMOUNTS)
    assert found[-4:-1] == [
        "rows above 0 for difference",
        "rows above 0 for half width",
        "rows above 0",
    ]
    assert read_headings(*asked, *EVENTS)[-2] == "n events"


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
