"""`capcurve plan`: the numbers of the library, from options or from a file."""

import polars as pl
import pytest

from answers import read_results
from capcurve import plan_from_sample, plan_interval, plan_models, plan_test
from capcurve._cli.run import main
from capcurve.datasets import make_portfolio

LOANS = pl.DataFrame(make_portfolio(1_500))
FILE = ("loans.csv", "--truth", "default")
MODELS = ("--estimate", "champion_pd", "--estimate", "challenger_pd")


@pytest.fixture(autouse=True)
def _folder(tmp_path):
    assert tmp_path.is_dir()
    LOANS.write_csv("loans.csv")


@pytest.fixture
def plan(capsys):
    """Run the command and give exit code, rows and stderr."""

    def run(*arguments):
        code = main(["plan", *arguments, "--format", "json"])
        out, err = capsys.readouterr()
        return code, read_results(out) if out else [], err

    return run


@pytest.fixture
def refused(plan):
    """Run a command that must fail, and give its one line."""

    def run(*arguments):
        code, rows, err = plan(*arguments)
        assert (code, rows, err.count("\n")) == (2, [], 1)
        return err.removeprefix("capcurve: error: ").rstrip("\n")

    return run


@pytest.mark.parametrize(
    ("asked", "options"),
    [
        (("--half-width", "0.05"), {"half_width": 0.05}),
        (("--n-events", "80", "--spread", "2"), {"n_events": 80, "spread": 2}),
        (("--n-events", "80", "--spread", "any"), {"n_events": 80, "spread": None}),
        (
            ("--n-events", "80", "--confidence", "0.9"),
            {"n_events": 80, "confidence_level": 0.9},
        ),
    ],
)
def test_an_interval_is_that_of_the_library(plan, asked, options):
    code, (row,), err = plan("--ar", "0.6", "--event-rate", "0.02", *asked)
    assert (code, err) == (0, "")
    expected = plan_interval(0.6, event_rate=0.02, **options)
    n = expected.n_events + expected.n_nonevents
    assert row == expected.to_dict() | {"n": n}


def test_a_test_is_that_of_the_library(plan):
    rate = ("--event-rate", "0.02")
    same_rows = ("--correlation", "0.8")
    _, (row,), _ = plan(
        "--ar", "0.6", "--second-ar", "0.5", *rate, *same_rows, "--power=0.8"
    )
    expected = plan_test(0.6, 0.5, event_rate=0.02, correlation=0.8, power=0.8)
    assert row.pop("n") == expected.n_events + expected.n_nonevents
    assert row.items() <= expected.to_dict().items()
    assert "n_events_second" not in row
    found = ("--second-ar", "0.5", "--n-events", "100", "--power", "0.8")
    options = ("--events-ratio", "2", "--alternative", "greater", "--margin", "0.02")
    _, (row,), _ = plan(*found, *rate, *options)
    expected = plan_test(
        None,
        0.5,
        event_rate=0.02,
        n_events=100,
        power=0.8,
        events_ratio=2,
        alternative="greater",
        margin=0.02,
    )
    assert {**row, "n": 0} == expected.to_dict() | {"n": 0}


def test_a_file_gives_a_row_for_each_score_and_pair(plan):
    asked = ("--difference", "0.05", "--half-width", "0.1", "--power", "0.7")
    _, rows, err = plan(*FILE, *MODELS, *asked)
    assert err == ""
    options = {"difference": 0.05, "half_width": 0.1, "power": 0.7}
    frame = plan_models(LOANS, "default", ["champion_pd", "challenger_pd"], **options)
    for row, same in zip(rows, frame.iter_rows(named=True), strict=True):
        value = row.pop("difference" if same["model_b"] else "accuracy_ratio")
        assert value == pytest.approx(same["estimate"])
        assert [row["estimate_a"], row["estimate_b"]] == [same["model_a"], same["model_b"]]
        for name in list(row)[3:]:
            assert row[name] == pytest.approx(same[name])


def test_groups_and_few_events(plan, capsys):
    model = ("--estimate", "champion_pd")
    _, rows, err = plan(*FILE, *model, "--by", "segment", "--n-events", "20")
    assert [row["segment"] for row in rows] == ["corporate", "retail", "small business"]
    part = LOANS.filter(pl.col("segment") == "retail")
    with pytest.warns(match="plan rests on few rows"):
        alone = plan_from_sample(part["default"], part["champion_pd"], n_events=20)
    assert rows[1]["half_width"] == pytest.approx(alone.half_width)
    assert "events_for_half_width" not in rows[1]
    assert err.startswith(
        "capcurve: note: min(events, non-events) * min(AUC, 1 - AUC) is below 10"
    )
    assert "narrower: corporate, champion_pd; retail, champion_pd; small" in err
    assert main(["plan", *FILE, *model, "--by", "segment"]) == 0
    assert "retail" in capsys.readouterr()[0]


def test_a_perfect_ranking_plans_nothing(plan):
    pl.DataFrame({"y": [1, 1, 0, 0], "s": [4, 3, 2, 1]}).write_csv("perfect.csv")
    _, (row,), err = plan("perfect.csv", "--truth", "y", "--estimate", "s")
    assert (row["accuracy_ratio"], row["half_width"]) == (1, None)
    assert err == "capcurve: note: no variance to plan from: s\n"


def test_numbers_with_few_events_come_with_a_note(plan):
    code, _, err = plan("--ar", "0.9", "--event-rate", "0.1", "--n-events", "20")
    assert code == 0
    assert err.startswith("capcurve: note: the plan rests on 20 rows of the minority class")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "a plan requires FILE or --event-rate, got neither; add one of them"),
        (("--truth", "y"), "--truth requires rows, got no FILE; add FILE"),
        (("--difference", "0.1"), "--difference requires rows, got no FILE; add FILE"),
        ((*FILE, *MODELS, "--ar", "0.5"), "--ar requires no FILE, got one; leave out one"),
        ((*FILE, "--half-width", "0.1"), "--estimate must name a score column, got none"),
        (
            (*FILE, "--estimate", "champion"),
            "loans.csv has no column 'champion'; did you mean 'champion_pd'?",
        ),
        ((*FILE, *MODELS, "--power", "80"), "--power must lie between 0.05 and 1, got 80"),
        (("--event-rate", "2", "--ar", "0.5", "--n-events", "9"), "--event-rate must lie "),
        (
            ("--event-rate", "0.2", "--ar", "0.5"),
            "exactly one of --half-width and --n-events must be left out",
        ),
        (
            ("--event-rate", "0.2", "--n-events", "9"),
            "a plan of an interval requires --ar, got none; add --ar AR",
        ),
        (
            ("--event-rate", "0.2", "--ar", "0.5", "--margin", "0.1"),
            "--margin requires a test, got neither --second-ar nor --power",
        ),
        (
            ("--event-rate", "0.2", "--ar", "0.5", "--power", "0.8", "--half-width", "0.1"),
            "--half-width requires an interval, got --second-ar or --power of a test",
        ),
        (
            ("--event-rate", "0.2", "--ar", "0.5", "--n-events", "90", "--spread", "x"),
            "--spread must be a number or the word any, got 'x'",
        ),
        (
            ("--event-rate", "0.2", "--ar", "0.5", "--power", "0.8", "--spread", "any"),
            "--spread any applies to an interval, got a test; pass a number",
        ),
    ],
)
def test_what_cannot_be_planned_is_refused(refused, arguments, message):
    assert refused(*arguments).startswith(message)


def test_labels_are_refused(refused):
    rows = "y,a,b,c\na,0.5,0.2,0.3\nb,0.1,0.8,0.1\nc,0.3,0.4,0.3\na,0.6,0.3,0.1\n"
    with open("labels.csv", "w") as file:  # noqa: PTH123 -- a file of the test
        file.write(rows)
    labels = [part for name in "abc" for part in ("--estimate", name)]
    message = refused("labels.csv", "--truth", "y", *labels)
    assert message.startswith("plan requires an outcome with two class labels, got a score")
