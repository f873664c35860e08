"""A portfolio without events: an error, or skipped if undefined results are."""

import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from answers import read_results

CONFIG = """
summary = ["index.html", "index.json"]
[report]
truth = "y"
estimate = ["s", "t"]
output = "{name}.json"
fail-below = 0.1
min-events = 2
on-undefined = "skip"
[[portfolio]]
file = "quiet.csv"
[[portfolio]]
file = "usual.csv"
by = "g"
"""
SCORE = "score quiet.csv --truth y --estimate s --fail-below 0.4"
WHY = (
    "the CAP curve is undefined: `y` holds only non-events; it requires both events and "
    "non-events, or amounts that differ"
)


@pytest.fixture(autouse=True)
def _files():
    rows = [(int(n > 24), n, n % 7, "ab"[n < 8]) for n in range(40)]
    for name, usual in (("usual", 1), ("quiet", 0)):
        lines = (f"{usual * y},{s},{t},{g}\n" for y, s, t, g in rows)
        Path(f"{name}.csv").write_text("y,s,t,g\n" + "".join(lines), encoding="utf-8")
    Path("night.toml").write_text(CONFIG, encoding="utf-8")


def test_a_run_skips_it(run):
    code, out, err = run("run", "night.toml", "--format", "json")
    assert code == 0
    assert "capcurve: note: quiet: skipped: all outcomes are equal\n" in err
    facts = json.loads(Path("index.json").read_text(encoding="utf-8"))
    schema = files("capcurve._report").joinpath("run_schema.json").read_text("utf-8")
    jsonschema.validate(facts, json.loads(schema))
    assert facts["totals"] == {
        "portfolios": 2,
        "ok": 1,
        "unjudged": 0,
        "skipped": 1,
        "failed": 0,
        "error": 0,
    }
    quiet = facts["portfolios"][0]
    assert (quiet["status"], quiet["error"]) == ("skipped", None)
    assert (quiet["skipped"], quiet["reports"]) == ("all outcomes are equal", [])
    page = Path("index.html").read_text(encoding="utf-8")
    assert '<td class="reason" colspan="7">all outcomes are equal</td>' in page
    assert "<b>1</b> skipped</li>" in page
    rows = read_results(out)
    assert [row["status"] for row in rows] == ["skipped", "ok", "ok"]
    # Of all rows, and of two groups, one of which is without events.
    assert [row["gates"] for row in rows] == ["", "2 of 3 passed, 1 skipped", ""]
    names = [f"n_gates_{verdict}" for verdict in ("passed", "failed", "skipped")]
    assert [[row[name] for name in names] for row in rows] == [[0] * 3, [2, 0, 1], [0] * 3]
    assert [row["skipped"] for row in rows] == ["all outcomes are equal", "", ""]
    assert not Path("quiet.json").exists()


def test_a_run_that_does_not_skip_says_why(run):
    Path("night.toml").write_text(CONFIG.replace('"skip"', '"fail"'), encoding="utf-8")
    code, _, err = run("run", "night.toml", "--only", "quiet")
    assert code == 2
    assert f"capcurve: error: quiet: {WHY}\n" in err


@pytest.mark.parametrize("memory", [(), ("--memory-limit", "1GB")])
def test_a_score_is_null(run, memory):
    skip = ("--on-undefined", "skip", "--format", "json", *memory)
    code, out, err = run(*SCORE.split(), *skip)
    assert code == 0
    assert err == "capcurve: note: undefined because all outcomes are equal: s\n"
    (row,) = read_results(out)
    assert (row["accuracy_ratio"], row["passed"], row["n_events"]) == (None, "skipped", 0)
    (gate,) = json.loads(out)["gates"]
    assert gate["passed"] is None


def test_without_skip_it_is_an_error(run):
    assert run(*SCORE.split()) == (2, "", f"capcurve: error: {WHY}\n")


@pytest.mark.parametrize("lines", ["", "1,,1,a\n0,,2,a\n"], ids=["header", "missing"])
def test_files_without_a_complete_row_are_no_bug(run, lines):
    Path("none.csv").write_text(f"y,s,t,g\n{lines}", encoding="utf-8")
    scores = ("--truth", "y", "--estimate", "s")
    code, _, err = run("report", "none.csv", *scores, "-o", "r.html")
    assert code == 2
    assert "none.csv must have rows without a missing value in y, s, got none" in err
    portfolio = '[[portfolio]]\nfile = "none.csv"\n'
    for word, status, code in (("fail", "error", 2), ("skip", "skipped", 0)):
        report = '[report]\ntruth = "y"\nestimate = "s"\nfail-below = 0.1\n'
        Path("night.toml").write_text(
            f'summary = "index.json"\n{report}on-undefined = "{word}"\n{portfolio}',
            encoding="utf-8",
        )
        assert run("run", "night.toml")[0] == code
        (found,) = json.loads(Path("index.json").read_text("utf-8"))["portfolios"]
        assert found["status"] == status
    assert found["skipped"] == "no row is complete"


@pytest.mark.parametrize(
    ("rows", "reason"),
    [("", "no row is complete"), ("0,1,2,a\n0,2,1,a\n", "all outcomes are equal")],
)
def test_gates_skip_a_file_without_events_at_each_command(run, rows, reason):
    Path("none.csv").write_text(f"y,s,t,g\n{rows}", encoding="utf-8")
    said = ("none.csv", "--truth", "y", "--estimate", "s", "--on-undefined", "skip")
    note = f"capcurve: note: skipped, nothing is written: {reason}\n"
    for command in (
        ("report", *said, "--fail-below", "0.3", "-o", "r.html"),
        ("compare", *said, "--estimate", "t", "--fail-if-challenger-better", "0.05"),
    ):
        assert run(*command) == (0, "", note)
    assert not Path("r.html").exists()
    if not rows:
        assert run("score", *said, "--fail-below", "0.3") == (0, "", note)
