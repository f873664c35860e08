"""Gates of commands: exit code 1 and one line, in every format."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from answers import read_results
from capcurve import report
from capcurve.datasets import make_portfolio

ROWS = "y,s,t,g\n" + "".join(
    f"{row % 4 // 3},{row % 7 + 3 * (row % 4 // 3)},{row % 5},{'ab'[row % 2]}\n"
    for row in range(200)
)
LOANS = ("f.csv", "--truth=y", "--estimate=s")


@pytest.fixture
def shell(run):
    def run_on_rows(*arguments):
        Path("f.csv").write_text(ROWS)
        return run(*arguments)

    return run_on_rows


def last_line(err):
    return err.splitlines()[-1]


def test_score_names_what_fails_and_what_is_skipped(shell):
    command = ("score", *LOANS, "--by=g", "--format=json", "--fail-below")
    code, out, err = shell(*command, "0.99")
    found = json.loads(out)
    assert code == 1
    ratios = [row["accuracy_ratio"] for row in found["results"]]
    assert [gate["value"] for gate in found["gates"]] == ratios
    assert [row["passed"] for row in found["results"]] == [
        {True: "yes", False: "no", None: "skipped"}[gate["passed"]]
        for gate in found["gates"]
    ]
    failed = [gate["text"] for gate in found["gates"] if gate["passed"] is False]
    assert last_line(err) == f"capcurve: failed: {'; '.join(failed)}"
    events = [row["n_events"] for row in found["results"]]
    assert events == [0, 50]  # even rows hold no event
    assert shell(*command, "-1")[0] == 1
    assert shell(*command, "-1", "--on-undefined=skip")[0] == 0
    assert shell(*command, "-1", "--on-undefined=skip", "--min-events=51")[0] == 0
    code, _, err = shell(*command, "-1", "--min-events=51")
    assert code == 1
    assert "of b, s is 0.6836, but rests on 50 events, required are at least 51" in err


def test_bounds_that_hold_the_limit_decide_nothing(run):
    pl.DataFrame(make_portfolio(3_000)).select(
        pl.col("default"), pl.col("champion_pd") + pl.int_range(pl.len()) * 1e-13
    ).write_csv("f.csv")
    command = ("score", "f.csv", "--truth=default", "--estimate=champion_pd", "--approx")
    (row,) = read_results(run(*command, "--format=json")[1])
    value, lower, upper = row["accuracy_ratio"], row["lower"], row["upper"]
    assert lower < value < upper
    assert run(*command, f"--fail-below={lower}")[0] == 0
    gate = (*command, f"--fail-below={value}", "--format=json")
    code, out, err = run(*gate)
    (verdict,) = json.loads(out)["gates"]
    assert (code, verdict["passed"], verdict["value"]) == (1, False, value)
    assert read_results(out)[0]["passed"] == "no"
    text = (
        f"accuracy ratio of champion_pd is only known to be from {lower:.6g} to "
        f"{upper:.6g}, as scores share bins, required is at least {value:g}"
    )
    assert verdict["text"] == text
    assert last_line(err) == f"capcurve: failed: {text}"
    code, out, err = run(*gate, "--on-undefined=skip")
    assert (code, json.loads(out)["gates"][0]["passed"]) == (0, None)
    assert f"capcurve: note: {text}, skipped\n" in err
    code, out, _ = run(*command[:-1], f"--fail-below={value}", "--format=json")
    (exact,) = read_results(out)
    assert code == (exact["accuracy_ratio"] < value)  # the rows decide
    lower_limit = (*command, f"--fail-below={row['low']}", "--fail-on-lower-bound")
    assert run(*lower_limit)[0] == 0


def test_without_limits_there_is_no_verdict(shell):
    code, out, _ = shell("score", *LOANS, "--format=json")
    assert (code, json.loads(out)["gates"]) == (0, [])
    assert "passed" not in read_results(out)[0]


def test_events_are_rows_and_not_weights(run):
    frame = pl.DataFrame({"y": [1, 0] * 10, "s": range(20), "w": [100.5] * 20})
    frame.write_csv("w.csv")
    command = ("score", "w.csv", *LOANS[1:], "--weight=w", "--fail-below=-1")
    assert run(*command, "--min-events=10")[0] == 0
    assert run(*command, "--min-events=11")[0] == 1


@pytest.mark.parametrize("plan", [("--approx",), ("--memory-limit=1GB",)])
@pytest.mark.parametrize(
    ("truth", "options", "kind"),
    [("y", ("--weight=w",), "weighted rows"), ("amount", (), "amounts")],
)
def test_events_that_bins_do_not_count_are_not_required(run, truth, options, kind, plan):
    rows = {"y": [1, 0] * 10, "s": range(20), "w": [0.5, 1.5] * 10}
    frame = pl.DataFrame(rows | {"amount": [0.5 * i for i in range(20)]})
    frame.write_csv("w.csv")
    estimate = ("--truth", truth, "--estimate=s", "--fail-below=-1")
    command = ("score", "w.csv", *estimate, *options, *plan)
    assert run(*command)[0] == 0
    code, _, err = run(*command, "--min-events=1")
    assert (code, f"got bins of {kind}, which do not" in err) == (2, True)
    counted = ("score", "w.csv", *LOANS[1:], "--fail-below=-1", *plan)
    assert run(*counted, "--min-events=10")[0] == 0
    assert run(*counted, "--min-events=11")[0] == 1


def test_an_average_has_the_events_of_its_rarest_label(run):
    Path("f.csv").write_text("t,a,b,c\na,3,1,1\nb,1,3,1\nc,1,1,3\nc,3,1,1\n")
    options = ("--truth", "t", *(f"--estimate={name}" for name in "abc"))
    command = ("score", "f.csv", *options, "--fail-below=-1", "--min-events=2")
    code, out, _ = run(*command, "--format=json", "--on-undefined=skip")
    assert code == 0
    passed = {row["level"]: row["passed"] for row in read_results(out)}
    assert passed == dict.fromkeys(("a", "b", "macro", "macro_weighted"), "skipped") | {
        "c": "yes"
    }


def test_compare_fails_if_a_later_score_ranks_better(shell):
    worse = ("compare", "f.csv", "--truth=y", "--estimate=t", "--estimate=s")
    better = ("compare", "f.csv", "--truth=y", "--estimate=s", "--estimate=t")
    gate = ("--fail-if-challenger-better=0.05", "--format=json")
    code, out, err = shell(*worse, *gate)
    (row,) = read_results(out)
    assert row["difference"] < 0
    assert row["p_holm"] < 0.05
    assert code == 1
    told = f"s against t: difference in AR {-row['difference']:+.4f}, whose {{}} p-value ("
    assert last_line(err).startswith(f"capcurve: failed: {told.format('two-sided')}")
    code, out, _ = shell(*better, *gate)
    assert (code, read_results(out)[0]["p_holm"]) == (0, pytest.approx(row["p_holm"]))
    assert json.loads(out)["gates"][0]["passed"] is True
    code, _, err = shell(*worse, *gate, "--alternative=less")
    assert code == 1
    assert last_line(err).startswith(f"capcurve: failed: {told.format('one-sided')}")
    assert shell(*worse, "--fail-if-challenger-better=1e-300")[0] == 0


def test_a_group_without_events_is_undefined(shell):
    pair = ("compare", "f.csv", "--truth=y", "--estimate=t", "--estimate=s", "--by=g")
    code, out, err = shell(*pair, "--fail-if-challenger-better=1e-300", "--format=json")
    assert code == 1
    assert "of a, s against t, better by" not in err
    assert "a, s against t is undefined (all outcomes are equal), req" in last_line(err)
    assert [row["n_events"] for row in read_results(out)] == [0, 50]
    skip = "--on-undefined=skip"
    assert shell(*pair, "--fail-if-challenger-better=1e-300", skip)[0] == 0


def test_an_undefined_result_says_why(shell):
    ratio = ("score", *LOANS, "--by=g", "--fail-below=-1")
    assert "ratio of a, s is undefined (all outcomes are equal), req" in shell(*ratio)[2]
    initial = ("compare", *LOANS, "--by=g", "--fail-if-worse-than-initial=0.05")
    assert (
        "test is undefined (all outcomes are equal)"
        in shell(*initial, "--initial-auc=0.9")[2]
    )
    samples = ("compare", *LOANS, "--sample=g", "--against=b", initial[-1])
    assert "(a has no complete row, or all its outcomes are equal)" in shell(*samples)[2]


@pytest.mark.parametrize(
    ("score", "why"),
    [("y", "rows that are ranked without an error"), ("c", "all rows share one score")],
)
def test_a_decrease_that_could_not_be_tested_says_why(run, score, why):
    pl.DataFrame({"y": [1, 0] * 30, "c": [1] * 60}).write_csv("f.csv")
    command = ("compare", "f.csv", "--truth=y", f"--estimate={score}", "--initial-auc=0.9")
    _, _, err = run(*command, "--fail-if-worse-than-initial=0.05")
    assert f"by the ECB's test is undefined ({why}" in last_line(err)


def test_no_interval_and_no_rows_say_why(run):
    Path("f.csv").write_text("y,s,w\n1,3,1\n0,1,2\n1,2,1\n0,2,1\n")
    command = ("score", "f.csv", *LOANS[1:], "--fail-on-lower-bound", "--fail-below=-1")
    _, _, err = run(*command, "--weight=w", "--approx")
    assert "is undefined (the rows show no variance, or bins do not hold it)" in err
    Path("f.csv").write_text("y,s\n1,\n0,\n")
    _, out, _ = run(*command, "--on-undefined=skip", "--format=json")
    assert "s is undefined (no row is complete), skipped" in out


@pytest.mark.parametrize(
    "command",
    [
        ("score", "--fail-below=0.1"),
        ("score", "--fail-below=0.1", "--approx"),
        ("compare", "--estimate=t", "--fail-if-challenger-better=0.1"),
        ("compare", "--initial-auc=0.8", "--fail-if-worse-than-initial=0.1"),
    ],
)
def test_a_query_that_returned_nothing_says_so(run, command):
    Path("f.csv").write_text("y,s,t\n1,2,1\n0,1,2\n")
    name, *options = command
    query = "--query=SELECT * FROM data WHERE s > 9"
    said = ("f.csv", "--truth=y", "--estimate=s", query, "--on-undefined=skip")
    code, out, _ = run(name, *said, *options, "--format=json")
    assert code == 0
    (gate,) = json.loads(out)["gates"]
    assert "is undefined (the query returned no rows), skipped" in gate["text"]


def test_an_average_of_no_label_says_why(run):
    Path("f.csv").write_text("t,g,a,b,c\na,x,3,1,1\na,y,3,1,1\nb,y,1,3,1\nc,y,1,1,3\n")
    options = ("--truth=t", *(f"--estimate={name}" for name in "abc"))
    _, _, err = run("score", "f.csv", *options, "--by=g", "--fail-below=-1")
    assert "x, macro is undefined (it is undefined for every class label)" in err


def test_compare_fails_if_auc_decreased(shell):
    command = ("compare", *LOANS, "--fail-if-worse-than-initial=0.05")
    code, out, err = shell(*command, "--initial-auc=0.99", "--format=json")
    assert code == 1
    (row,) = read_results(out)
    assert last_line(err).startswith("capcurve: failed: one-sided p-value of the decrease")
    assert json.loads(out)["gates"][0]["value"] == row["p_holm"]
    assert shell(*command, "--initial-auc=0.5")[0] == 0
    wide = ("--initial-variance=0.009",)  # an initial AUC that was known to one decimal
    assert shell(*command, "--initial-auc=0.99", *wide)[0] == 0


def test_the_gates_of_a_report(shell):
    command = ("report", *LOANS, "--compare=t", "--initial-auc=0.99", "-o", "r.json")
    gates = ("--fail-below=0.2", "--fail-if-worse-than-initial=0.05")
    code, _, err = shell(*command, *gates, "--fail-if-challenger-better=0.05")
    found = json.loads(Path("r.json").read_text())["gates"]
    assert [gate["passed"] for gate in found] == [True, False, True]
    assert code == 1
    assert last_line(err) == f"capcurve: failed: {found[1]['text']}"
    assert (
        ".with_gates(fail_below=0.2, fail_if_worse_than_initial=0.05, "
        in (json.loads(Path("r.json").read_text())["provenance"]["call"])
    )
    assert shell(*command, "--fail-below=0.2")[0] == 0


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (
            ("score", *LOANS, "--fail-below=45"),
            "--fail-below must be an AR from -1 to 1, got 45.0; 45 % is 0.45",
        ),
        (
            ("report", *LOANS, "-o", "r.json", "--fail-below=45"),
            "--fail-below must be an AR from -1 to 1, got 45.0; 45 % is 0.45",
        ),
        (("score", *LOANS, "--min-events=20"), "--min-events requires a gate, got none t"),
        (
            ("compare", *LOANS, "--estimate=t", "--fail-if-worse-than-initial=0.05"),
            "--fail-if-worse-than-initial requires --initial-auc, which was not given",
        ),
        (
            (
                *("compare", *LOANS, "--initial-auc=0.9"),
                "--fail-if-challenger-better=0.05",
            ),
            "--fail-if-challenger-better is about pairs of scores, got --initial-auc; run",
        ),
        (
            (
                *("compare", *LOANS, "--estimate=t", "--alternative=greater"),
                "--fail-if-challenger-better=0.05",
            ),
            "--fail-if-challenger-better requires the alternative two-sided or less (the f",
        ),
        (
            ("report", *LOANS, "-o", "r.json", "--fail-if-challenger-better=0.05"),
            (
                "--fail-if-challenger-better requires a challenger, got one score; add "
                "another one as --compare\n"
            ),
        ),
        (
            ("report", *LOANS, "-o", "r.json", "--fail-if-worse-than-initial=0.05"),
            "--fail-if-worse-than-initial requires the AUC at initial validation, which wa",
        ),
    ],
)
def test_gates_that_cannot_be_are_refused(shell, command, message):
    code, out, err = shell(*command)
    assert (code, out) == (2, "")
    assert err.startswith(f"capcurve: error: {message}")
    assert not Path("r.json").exists()


def test_holm_counts_all_tests_that_are_printed(run):
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 400)
    frame = pl.DataFrame(
        {
            "y": y,
            "s": y + rng.normal(size=400),
            "t": y + 1.3 * rng.normal(size=400),
            "g": ["a", "b", "c", "d"] * 100,
        }
    )
    frame.write_csv("f.csv")
    pair = ("compare", "f.csv", "--truth=y", "--estimate=s", "--estimate=t", "--by=g")
    rows = read_results(run(*pair, "--format=json")[1])
    raw = sorted(row["p_value"] for row in rows)
    largest, expected = 0.0, {}
    for rank, p_value in enumerate(raw):
        largest = max(largest, min(1.0, (4 - rank) * p_value))
        expected[p_value] = largest
    assert [row["p_holm"] for row in rows] == [expected[row["p_value"]] for row in rows]
    initial = ("compare", "f.csv", "--truth=y", "--estimate=s", "--by=g")
    initial = (*initial, "--initial-auc=0.8", "--initial-variance=0.01", "--format=json")
    rows = read_results(run(*initial)[1])
    assert [row["test"] for row in rows] == ["ECB", "two samples"] * 4
    smallest = min(
        (row for row in rows if row["test"] == "ECB"), key=lambda row: row["p_value"]
    )
    assert smallest["p_holm"] == min(1.0, 4 * smallest["p_value"])


def test_a_score_has_the_same_verdict_at_both_doors_whatever_stands_beside_it(run):
    pl.DataFrame(make_portfolio(4_000)).write_csv("f.csv")
    alone = ("f.csv", "--truth=default", "--estimate=champion_pd")
    initial = ("--initial-auc=champion_pd=0.82", "--fail-if-worse-than-initial=0.05")
    rival = ("--initial-auc=challenger_pd=0.82", "--format=json")
    _, out, _ = run("report", *alone, "--compare=challenger_pd", *initial, *rival)
    judged = json.loads(out)["gates"]
    _, out, _ = run("compare", *alone, "--estimate=challenger_pd", *initial, *rival)
    assert json.loads(out)["gates"] == judged
    _, out, _ = run("report", *alone, *initial, "--format=json")
    assert json.loads(out)["gates"] == judged[:1]
    assert {gate["passed"] for gate in judged} == {True, False}


@pytest.mark.parametrize("plan", [(), ("--approx",), ("--memory-limit", "1GB")])
def test_a_score_fails_if_too_many_rows_are_left_out(shell, plan):
    Path("gone.csv").write_text("y,s\n1,3\n0,1\n" + "0,\n" * 8)
    command = ("score", "gone.csv", "--truth=y", "--estimate=s", *plan, "--format=json")
    code, out, err = shell(*command, "--fail-if-left-out=0.05", "--fail-below=-1")
    assert code == 1
    text = "share of rows left out is 0.8 (8 of 10), allowed is at most 0.05"
    assert last_line(err) == f"capcurve: failed: {text}"
    ratio, left_out = json.loads(out)["gates"]
    assert (ratio["passed"], read_results(out)[0]["passed"]) == (True, "yes")
    assert left_out == {
        "gate": "fail_if_left_out",
        "subject": "rows",
        "value": 0.8,
        "limit": 0.05,
        "passed": False,
        "text": text,
    }
    code, out, _ = shell(*command, "--fail-if-left-out=0.8")
    assert (code, "passed" in read_results(out)[0]) == (0, False)
    query = ("--query", "select * from data where s is not null")
    assert shell(*command, *query, "--fail-if-left-out=0")[0] == 0
    code, _, err = shell(*command, "--fail-if-left-out=5")
    assert code == 2
    assert "--fail-if-left-out must be a share from 0 to 1, got 5.0; 5 % is 0.05" in err


GREATER = ("--alternative=greater", "--margin=0.1")


def test_other_commands_fail_if_too_many_rows_are_left_out(shell):
    rows = "1,3,1,a\n0,1,2,a\n1,4,1,b\n0,2,3,b\n"
    Path("gone.csv").write_text("y,s,t,g\n" + rows * 5 + "0,,1,a\n" * 20)
    said = ("gone.csv", "--truth=y", "--estimate=s", "--quiet", "--fail-if-left-out")
    for command in (
        ("compare", *said, "{}", "--estimate=t"),
        ("compare", *said, "{}", "--initial-auc=0.5"),
        ("compare", *said, "{}", "--sample=g", "--against=a", *GREATER),
        ("report", *said, "{}", "-o", "r.json"),
    ):
        code, _, err = shell(*(each.format(0.4) for each in command))
        assert code == 1
        text = "share of rows left out is 0.5 (20 of 40), allowed is at most 0.4"
        assert last_line(err) == f"capcurve: failed: {text}"
        assert shell(*(each.format(0.5) for each in command))[0] == 0


def test_what_rests_on_no_row_is_not_skipped_if_too_many_are_left_out(shell):
    Path("gone.csv").write_text("y,s\n" + "0,\n" * 8)
    said = ("gone.csv", "--truth=y", "--estimate=s", "--on-undefined=skip")
    gates = ("--fail-below=0", "--fail-if-left-out")
    code, out, _ = shell("score", *said, *gates, "0.5", "--format=json")
    assert code == 1
    assert [gate["passed"] for gate in json.loads(out)["gates"]] == [None, False]
    told = (
        "; it is not skipped, as the share of rows left out is 1 (8 of 8), allowed is at "
        "most 0.5"
    )
    code, _, err = shell("report", *said, *gates, "0.5", "-o", "r.html")
    assert (code, last_line(err).endswith(told)) == (2, True)
    # Without skip, it is the result that is wanted and not there.
    _, _, err = shell("report", *said[:-1], *gates, "0.5", "-o", "r.html")
    assert "skipped" not in err
    assert shell("report", *said, *gates, "1", "-o", "r.html")[0] == 0
    config = """
        [report]
        truth = "y"
        estimate = "s"
        fail-if-left-out = {}
        on-undefined = "skip"
        [[portfolio]]
        file = "gone.csv"
    """
    for limit, code in ((0.5, 2), (1, 0)):
        Path("night.toml").write_text(config.format(limit))
        found, _, err = shell("run", "night.toml")
        assert (found, told in err) == (code, code == 2)


def test_a_portfolio_fails_if_too_many_rows_are_left_out(shell):
    Path("gone.csv").write_text("y,s\n" + "1,3\n0,1\n" * 9 + "0,\n" * 2)
    Path("night.toml").write_text(
        'report = {truth = "y", estimate = "s", fail-if-left-out = 0.05}\n'
        'portfolio = [{file = "gone.csv"}]\n'
    )
    code, _, err = shell("run", "night.toml")
    assert (code, "failed: gone: share of rows left out is 0.1 (2 of 20)" in err) == (
        1,
        True,
    )


@pytest.mark.parametrize(
    ("command", "offered"),
    [
        ("score", "--fail-below"),
        ("compare", "--fail-if-worse-than-initial or --fail-if-challenger-better"),
        (
            "report",
            "--fail-below, --fail-if-worse-than-initial or --fail-if-challenger-better",
        ),
    ],
)
@pytest.mark.parametrize("option", ["--on-undefined=skip", "--min-events=5"])
def test_errors_name_the_gates_that_a_command_has(shell, command, offered, option):
    more = {"compare": ["--estimate=t"], "report": ["-o", "r.html"]}.get(command, ())
    code, _, err = shell(command, *LOANS, *more, option)
    assert code == 2
    assert err.rpartition("add ")[2].removeprefix("one, such as ") == f"{offered}\n"


def test_a_single_event_is_one(run):
    Path("f.csv").write_text("y,s\n1,3\n0,1\n0,2\n")
    _, _, err = run("score", "f.csv", *LOANS[1:], "--fail-below=0", "--min-events=2")
    assert "of s is 1.0000, but rests on 1 event, required are at least 2" in err


def test_a_decrease_whose_p_value_is_adjusted_says_so(run):
    rows = [f"{n % 3 // 2},{n * 7 % 11 + n % 3},{'ab'[n % 2]}" for n in range(120)]
    Path("f.csv").write_text("\n".join(["y,s,g", *rows]))
    initial = ("--initial-auc=0.9", "--fail-if-worse-than-initial=0.05")
    command = ("compare", *LOANS, *initial)
    told = "one-sided p-value (Holm) of the decrease since initial validation of a, s by"
    assert told in run(*command, "--by=g")[2]
    assert "failed: one-sided p-value of the decrease" in run(*command)[2]


@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
def test_gates_on_tests_of_amounts_count_rows(run):
    rows = {"loss": [0.0, 0.0, 0.0, 0.0, 1.5, 2.5, 0.0, 3.5] * 5, "s": [*range(40)]}
    frame = pl.DataFrame(rows | {"t": [*range(39, -1, -1)]}).with_columns(
        u=pl.col("loss") + pl.col("s") / 20
    )
    frame.write_csv("f.csv")
    command = ("compare", "f.csv", "--truth=loss", "--estimate=s", "--min-events=50")
    pairs = ("--estimate=u", "--fail-if-challenger-better=0.05")
    initial = ("--initial-auc=0.9", "--fail-if-worse-than-initial=0.05")
    for options, counted in ((pairs, "15 rows above 0"), (initial, "40 rows")):
        code, _, err = run(*command, *options)
        assert (code, f"but rests on {counted}, required are" in err) == (1, True)
    made = report(frame, "loss", "s", compare="u", initial_auc=0.9)
    judged = made.with_gates(
        fail_below=0,
        fail_if_worse_than_initial=0.05,
        fail_if_challenger_better=0.05,
        min_events=50,
    )
    told = ["15 rows above 0", "40 rows", "15 rows above 0"]
    assert [gate.text.split("rests on ")[1].split(",")[0] for gate in judged.gates] == told
