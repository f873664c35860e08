"""A portfolio without events: an error, or skipped if undefined results are."""

import hashlib
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
    "the CAP curve of quiet.csv is undefined: `y` holds only non-events; it requires both "
    "events and non-events, or amounts that differ"
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
    assert quiet["rows"] == {"read": 40, "used": 40, "left_out": 0}
    content = Path("quiet.csv").read_bytes()
    assert quiet["files"] == [
        {
            "name": "quiet.csv",
            "size": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
        }
    ]
    (gate,) = quiet["gates"]
    assert (gate["gate"], gate["subject"], gate["passed"]) == ("fail_below", "s", None)
    assert gate["text"] == (
        "accuracy ratio of s is undefined (all outcomes are equal), skipped"
    )
    page = Path("index.html").read_text(encoding="utf-8")
    assert '<td class="reason" colspan="7">all outcomes are equal</td>' in page
    assert "<b>1</b> skipped</li>" in page
    rows = read_results(out)
    assert [row["status"] for row in rows] == ["skipped", "ok", "ok"]
    # Of all rows, and of two groups, one of which is without events.
    gates = ["0 of 1 passed, 1 skipped", "2 of 3 passed, 1 skipped", ""]
    assert [row["gates"] for row in rows] == gates
    names = [f"n_gates_{verdict}" for verdict in ("passed", "failed", "skipped")]
    counts = [[row[name] for name in names] for row in rows]
    assert counts == [[0, 0, 1], [2, 0, 1], [0] * 3]
    assert [row["skipped"] for row in rows] == ["all outcomes are equal", "", ""]
    assert not Path("quiet.json").exists()


def test_a_run_skips_the_gates_that_a_report_would_have(run):
    config = CONFIG.replace(
        'file = "quiet.csv"',
        """file = "quiet.csv"
initial-auc = ["s=0.8", "t=0.7"]
initial-variance = "t=0.01"
fail-if-worse-than-initial = 0.05
fail-if-challenger-better = 0.05
fail-if-left-out = 0.1""",
    )
    Path("night.toml").write_text(config, encoding="utf-8")
    assert run("run", "night.toml")[0] == 0
    quiet = json.loads(Path("index.json").read_text(encoding="utf-8"))["portfolios"][0]
    why = "is undefined (all outcomes are equal), skipped"
    initial = "one-sided p-value of the decrease since initial validation of"
    assert [gate["text"] for gate in quiet["gates"]] == [
        f"accuracy ratio of s {why}",
        f"{initial} s by the ECB's test {why}",
        f"{initial} t by the two-sample test {why}",
        f"p-value of t against s {why}",
        "share of rows left out is 0 (0 of 40), allowed is at most 0.1",
    ]


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
    assert err == (
        "capcurve: note: undefined because all outcomes are equal: s\n"
        "capcurve: note: all gates were skipped\n"
    )
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
    complete = " without a missing value in y, s" if lines else ""
    assert f"none.csv must have rows{complete}, got none; check the file" in err
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
        n_read = lines.count("\n")
        assert found["rows"] == {"read": n_read, "used": 0, "left_out": n_read}
    assert found["skipped"] == "no row is complete"


NOTHING = ("header", "", "no row is complete"), ("missing", "1,,,a\n", "no row is complete")
EQUAL = ("equal", "0,1,2,a\n0,2,1,a\n", "all outcomes are equal")
SAID = ("none.csv", "--truth", "y", "--estimate", "s", "--on-undefined", "skip")


@pytest.mark.parametrize(("rows", "reason"), [each[1:] for each in (*NOTHING, EQUAL)])
def test_a_report_that_cannot_be_made_leaves_no_older_one(run, rows, reason):
    Path("none.csv").write_text(f"y,s,t,g\n{rows}", encoding="utf-8")
    command = ("report", *SAID, "--fail-below", "0.3", "--quiet", "-o", "r.html")
    note = f"capcurve: note: skipped, nothing is written: {reason}\n"
    assert run(*command) == (0, "", note)
    assert run(*command, "-o", "r.json") == (0, "", note)
    assert run(*command[:-2], "--format", "json") == (0, "", note)
    assert run(*command[:-1], "-") == (0, "", note)
    assert not Path("r.html").exists()
    Path("r.json").write_text("of yesterday", encoding="utf-8")
    stays = (
        f"--output must be of this run, but nothing was made ({reason}), so that r.json of "
        "an earlier run would stay; move it away, or leave --on-undefined skip out"
    )
    assert run(*command) == (0, "", note)
    assert run(*command, "-o", "r.json") == (
        2,
        "",
        f"capcurve: error: {stays}\n",
    )
    assert Path("r.json").read_text("utf-8") == "of yesterday"


@pytest.mark.slow
@pytest.mark.parametrize("rows", [each[1] for each in NOTHING])
@pytest.mark.parametrize("memory", [(), ("--memory-limit", "1GB"), ("--approx",)])
@pytest.mark.parametrize("by", [(), ("--by", "g")])
def test_a_score_of_no_rows_is_written(run, rows, memory, by):
    Path("none.csv").write_text(f"y,s,t,g\n{rows}", encoding="utf-8")
    Path("score.json").write_text("of yesterday", encoding="utf-8")
    said = (*SAID, "--estimate", "t", "--fail-below", "0.3", "--quiet", *memory, *by)
    code, _, err = run("score", *said, "-o", "score.json")
    assert code == 0
    assert err == (
        "capcurve: note: undefined because no row is complete: s, t\n"
        "capcurve: note: all gates were skipped\n"
    )
    found = read_document("score.json")
    n_read = rows.count("\n")
    assert found["rows"] == {
        "read": n_read,
        "used": 0,
        "left_out": n_read,
        "reasons": [
            {"reason": "missing score", "column": name, "n_rows": 1} for name in "st"
        ]
        * n_read,
    }
    for row, name in zip(found["results"], "st", strict=True):
        known = {"estimate": name, "n": 0, "n_events": 0, "passed": "skipped"}
        assert row.items() >= known.items()
        assert {row[key] for key in set(row) - set(known)} == {None}
        assert ("g" in row) is bool(by)
    assert [gate["passed"] for gate in found["gates"]] == [None, None]


@pytest.mark.parametrize(
    "lines", ["1,,1\n0,,1\n1,3,0\n0,2,0\n1,,0\n", "1,,1\n0,,1\n1,,0\n0,,0\n0,,\n"]
)
@pytest.mark.parametrize("role", ["--weight", "--counts"])
def test_rows_of_weight_0_are_left_out_for_that_at_every_door(run, lines, role):
    """Whether they are complete or not, where no row of a positive weight is."""
    Path("none.csv").write_text(f"y,s,w\n{lines}", encoding="utf-8")
    command = ("score", *SAID, "--fail-below", "0.3", role, "w", "--format", "json")
    code, out, err = run(*command)
    found = json.loads(out)["rows"]
    assert code == 0
    assert found["reasons"][0]["n_rows"] == 2 + lines.endswith(",\n")
    notes = [note for note in err.splitlines() if "with a missing value" not in note]
    for memory in (("--memory-limit", "1GB"), ("--approx",)):
        code, out, err = run(*command, *memory)
        assert (code, json.loads(out)["rows"]) == (0, found)
        assert err.splitlines() == notes


@pytest.mark.parametrize("rows", [each[1] for each in (*NOTHING, EQUAL)])
@pytest.mark.parametrize(
    ("test", "names"),
    [
        (("--fail-if-challenger-better", "0.05"), ("ar_a", "ar_b")),
        (("--fail-if-challenger-better", "0.05", "--share", "0.1"), ("capture_a",)),
        (
            ("--fail-if-worse-than-initial", "0.05", "--initial-auc", "0.8"),
            ("auc_initial", "auc_current"),
        ),
    ],
)
def test_a_comparison_of_no_rows_is_written(run, rows, test, names):
    Path("none.csv").write_text(f"y,s,t,g\n{rows}", encoding="utf-8")
    code, _, err = run("compare", *SAID, "--estimate", "t", *test, "-o", "compare.json")
    assert code == 0
    found = read_document("compare.json")
    assert "capcurve: note: all gates were skipped\n" in err
    (row,) = found["results"]
    assert (row["n"], row["n_events"]) == (found["rows"]["used"], 0)
    assert {row[name] for name in (*names, "difference", "p_value", "p_holm")} == {None}
    assert [gate["passed"] for gate in found["gates"]] == [None]


@pytest.mark.parametrize("memory", [(), ("--memory-limit", "1GB")])
def test_a_query_without_rows_is_like_a_file_without_rows(run, memory):
    query = ("--query", "select * from data where y = 7", "--fail-below", "0.3")
    said = ("usual.csv", "--truth", "y", "--estimate", "s", *query)
    told = (
        "--query must return rows of usual.csv, but it returned none; check its condition"
    )
    assert run("score", *said, *memory) == (2, "", f"capcurve: error: {told}\n")
    skip = ("--on-undefined", "skip")
    code, _, err = run("score", *said, *memory, *skip, "-o", "s.json")
    assert code == 0
    assert "note: undefined because the query returned no rows: s\n" in err
    found = read_document("s.json")
    assert (found["rows"]["read"], found["results"][0]["n"]) == (0, 0)
    assert found["provenance"]["query"] == {
        "rows_before": 40,
        "rows_after": 0,
        "columns": ["y", "s"],
        "sha256": hashlib.sha256(b"").hexdigest(),
        "unrepeatable": [],
    }
    code, _, err = run("report", *said, *skip, "-o", "r.html")
    assert code == 0
    assert "skipped, nothing is written: the query returned no rows\n" in err
    night = CONFIG.replace("usual.csv", 'usual.csv"\nquery = "from data where y = 7')
    Path("night.toml").write_text(night.replace('by = "g"', ""), encoding="utf-8")
    assert run("run", "night.toml")[0] == 0
    summary = json.loads(Path("index.json").read_text("utf-8"))["portfolios"][1]
    assert (summary["status"], summary["rows"]["read"]) == ("skipped", 0)
    assert summary["skipped"] == "the query returned no rows"
    assert [each["name"] for each in summary["files"]] == ["usual.csv"]
    assert [gate["passed"] for gate in summary["gates"]] == [None]
    assert run("report", *said, "-o", "r.html") == (2, "", f"capcurve: error: {told}\n")
    Path("r.html").touch()
    assert run("report", *said, *skip, "-o", "r.html")[0] == 2


def read_document(name):
    """Read a document of a command, whose schema it must follow."""
    found = json.loads(Path(name).read_text(encoding="utf-8"))
    schema = files("capcurve._cli").joinpath("schema.json").read_text("utf-8")
    jsonschema.validate(found, json.loads(schema))
    return found


def test_a_report_whose_gates_were_all_skipped_says_so(run):
    said = ("usual.csv", "--truth", "y", "--estimate", "s", "--fail-below", "0.3")
    skip = ("--min-events", "20", "--on-undefined", "skip", "--quiet", "-o", "r.html")
    note = "capcurve: note: all gates were skipped\n"
    assert run("report", *said, *skip) == (0, "", note)
    assert note not in run("report", *said, *skip[2:])[2]


LEFT_OUT = "capcurve: note: {}all gates but that of the rows left out were skipped\n"


@pytest.mark.parametrize("command", ["score", "report"])
def test_a_gate_on_rows_judges_no_score(run, command):
    said = (command, "usual.csv", "--truth", "y", "--estimate", "s", "--fail-below", "0.3")
    skip = ("--min-events", "30", "--on-undefined", "skip", "--fail-if-left-out", "0.05")
    output = ("--quiet", "-o", "r.json")
    assert run(*said, *skip, *output) == (0, "", LEFT_OUT.format(""))
    assert run(*said, *output) == (0, "", "")


def test_a_run_tells_which_portfolios_have_skipped_gates(run):
    config = CONFIG.replace("fail-below", "fail-if-left-out = 0.05\nfail-below")
    config += '[[portfolio]]\nname = "few"\nfile = "usual.csv"\nmin-events = 30\n'
    Path("night.toml").write_text(config, encoding="utf-8")
    code, out, err = run("run", "night.toml", "--quiet", "--format", "json")
    assert code == 0
    assert err == (
        "capcurve: note: quiet: skipped: all outcomes are equal\n"
        f"{LEFT_OUT.format('few: ')}"
    )
    assert "note: usual: 1 of 4 gates was skipped\n" in run("run", "night.toml")[2]
    assert [row["status"] for row in read_results(out)][-3:] == ["ok", *["unjudged"] * 2]
    assert json.loads(Path("index.json").read_text("utf-8"))["totals"]["unjudged"] == 1
    assert "Not judged" in Path("index.html").read_text("utf-8")
    Path("night.toml").write_text(
        f'{config}[[portfolio]]\nname = "low"\nfile = "usual.csv"\nfail-below = 0.999\n'
        'by = ["g"]\nestimate = "t"\nmin-events = 15\n',
        encoding="utf-8",
    )
    code, _, err = run("run", "night.toml", "--only", "low", "--quiet")
    assert code == 1
    assert err.startswith("capcurve: failed: low: accuracy")


def test_samples_without_rows_are_an_error(run):
    said = ("compare", *SAID, "--fail-if-worse-than-initial", "0.05", "--sample", "g")
    query = ("--query", "select * from data where y = 7", "--against", "a")
    Path("none.csv").write_text("y,s,t,g\n1,2,3,a\n", encoding="utf-8")
    assert run(*said, *query, "-o", "c.json")[:2] == (2, "")
