"""`capcurve run`: the reports of `capcurve report`, and a summary that misses none."""

import csv
import gzip
import hashlib
import io
import json
import re
import shlex
import subprocess
import sys
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import jsonschema
import polars as pl
import pytest

from answers import read_results
from capcurve._cli import portfolios, run_config
from capcurve._cli.config import read_config
from capcurve._cli.report import report
from capcurve._report.report import Report
from capcurve.datasets import make_portfolio

LOANS = pl.DataFrame(make_portfolio(2_000))
SCHEMA = json.loads(
    files("capcurve._report").joinpath("run_schema.json").read_text("utf-8")
)
CONFIG = """
title = "Nightly"
summary = ["reports/index.html", "reports/index.json"]
[report]
truth = "default"
estimate = ["champion_pd", "challenger_pd"]
output = "reports/{name}.json"
fail-below = 0.3
[[portfolio]]
name = "All loans"
file = "loans.csv"
by = "segment"
[[portfolio]]
name = "Strict"
file = "loans.csv"
fail-below = 0.99
[[portfolio]]
name = "Broken"
file = "broken.csv"
[[portfolio]]
files = "more/*.csv"
"""

NO_FILE = "cannot read more/*.csv: no file matches this pattern; correct it"


@pytest.fixture
def config():
    """Write a config with portfolios that pass, that fail, and that cannot be read."""
    LOANS.write_csv("loans.csv")
    Path("broken.csv").write_text("default,champion_pd\n1,x\n", encoding="utf-8")
    Path("capcurve.toml").write_text(CONFIG, encoding="utf-8")
    return "capcurve.toml"


@pytest.fixture
def summary(run, config):
    """Run the config, and give exit code, streams and the JSON of the summary."""
    code, out, err = run("run", config)
    facts = json.loads(Path("reports/index.json").read_text(encoding="utf-8"))
    return code, out, err, facts


def test_one_broken_portfolio_does_not_stop_the_others(summary):
    code, out, err, facts = summary
    assert code == 2
    content = Path(facts["config"]).read_bytes()
    assert facts["config_sha256"] == hashlib.sha256(content).hexdigest()
    assert facts["totals"] == {
        "portfolios": 4,
        "ok": 1,
        "skipped": 0,
        "unjudged": 0,
        "failed": 1,
        "error": 2,
    }
    status = {each["name"]: each["status"] for each in facts["portfolios"]}
    assert status == {
        "All loans": "ok",
        "Strict": "failed",
        "Broken": "error",
        "more *.csv": "error",
    }
    lines = err.splitlines()
    assert lines[0].startswith("capcurve: failed: Strict: accuracy ratio of champion_pd is")
    assert lines[1].startswith("capcurve: error: Broken: ")
    assert lines[2] == f"capcurve: error: more *.csv: {NO_FILE}"
    assert lines[3:] == [
        "summary written to reports/index.html",
        "summary written to reports/index.json",
    ]
    assert "All loans" in out
    assert "2 of 4 passed" not in out
    assert "4 of 4 passed" in out
    assert not Path("reports/Broken.json").exists()


def test_the_json_of_a_run_has_a_schema(summary):
    jsonschema.Draft202012Validator(SCHEMA).validate(summary[-1])
    _, strict, broken, _ = summary[-1]["portfolios"]
    (gate,) = strict["gates"]
    assert (gate["passed"], gate["limit"]) == (False, 0.99)
    assert strict["reports"] == ["Strict.json"]
    assert [broken[key] for key in ("models", "reports", "files")] == [[], [], []]
    assert broken["patterns"] == ["broken.csv"]
    (file,) = strict["files"]
    assert (file["name"], strict["patterns"]) == ("loans.csv", ["loans.csv"])
    assert "champion_pd" in broken["error"]


def test_the_reports_are_those_of_the_command(run, summary):
    facts = json.loads(Path("reports/All loans.json").read_text(encoding="utf-8"))
    line = facts["provenance"]["command"]
    assert line.startswith(
        "capcurve report loans.csv --truth default --estimate champion_pd"
    )
    alone = run(
        *("report", "loans.csv", "--truth", "default", "--estimate", "champion_pd"),
        *("--estimate", "challenger_pd", "--by", "segment", "--title", "All loans"),
        *("--fail-below", "0.3", "--format", "json"),
    )
    expected = json.loads(alone[1])
    for each in (facts, expected):
        del each["provenance"]
    assert facts == expected
    model = summary[-1]["portfolios"][0]["models"][0]
    ratio = expected["models"][0]["accuracy_ratio"]
    assert (model["accuracy_ratio"], model["low"]) == (ratio["value"], ratio["low"])


def read_bytes(name):
    return Path("reports", name).read_bytes()


def test_the_recorded_command_of_a_run_makes_the_same_report(run, config, monkeypatch):
    """Its facts are the same but for the run, and the recorded run gives the same bytes."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    outputs = '["reports/{name}.json", "reports/{name}.html"]'
    text = CONFIG.replace('"reports/{name}.json"', outputs)
    Path(config).write_text(text, encoding="utf-8")
    run("run", config)
    first = {name: read_bytes(name) for name in ("All loans.json", "All loans.html")}
    facts = json.loads(first["All loans.json"])
    made_by = facts["provenance"].pop("run")
    content = Path(config).read_bytes()
    assert made_by == {
        "command": "capcurve run capcurve.toml --only 'All loans'",
        "config": {
            "name": "capcurve.toml",
            "size": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
        },
    }
    line = facts["provenance"]["command"]
    assert line.endswith(
        "--output 'reports/All loans.json' --output 'reports/All loans.html'"
    )
    for name in first:
        Path("reports", name).unlink()
    assert run(*shlex.split(line)[1:])[0] == 0
    assert json.loads(read_bytes("All loans.json")) == facts
    assert run(*shlex.split(made_by["command"])[1:])[0] == 0
    assert {name: read_bytes(name) for name in first} == first


def test_a_config_whose_name_starts_with_a_dash_is_in_the_command(run, config):
    Path(config).rename("-night.toml")
    run("run", "--only", "All loans", "--", "-night.toml")
    made_by = json.loads(read_bytes("All loans.json"))["provenance"]["run"]
    assert made_by["command"] == "capcurve run --only 'All loans' -- -night.toml"
    assert made_by["config"]["name"] == "-night.toml"
    assert run(*shlex.split(made_by["command"])[1:])[0] == 0


def test_the_page_names_and_links_every_portfolio(summary):
    page = Path("reports/index.html").read_text(encoding="utf-8")
    assert summary[0] == 2
    links = re.findall(r'href="([^"]*)"', page)
    assert links == ["Strict.json", "All%20loans.json"]
    for name in ("All loans", "Strict", "Broken", "more *.csv"):
        assert f">{name}<" in page
    assert NO_FILE in page
    assert page.index("Needs attention") < page.index("Broken") < page.index("In order")
    assert "http" not in re.sub(r'http-equiv="[^"]*"', "", page)
    assert "<script" not in page


def test_names_in_a_page_are_text(run, config):
    Path(config).write_text(
        CONFIG.replace('"Nightly"', '"<script>1 & 2</script>"').replace("Strict", "a & b"),
        encoding="utf-8",
    )
    run("run", config)
    page = Path("reports/index.html").read_text(encoding="utf-8")
    assert "<script>" not in page
    assert "&lt;script&gt;1 &amp; 2" in page
    assert 'href="a%20%26%20b.json"' in page


def test_exit_codes_of_gates_and_of_success(run, config):
    code, out, _ = run("run", config, "--only", "Strict", "--format", "json")
    assert code == 1
    assert json.loads(out)["schema"] == "capcurve.run/1"
    assert [row["status"] for row in read_results(out)] == ["failed", "failed"]
    code, _, err = run("run", config, "--only", "All loans")
    assert (code, err) == (
        0,
        "capcurve: note: no summary written, as --only leaves portfolios out\n",
    )
    assert not Path("reports/index.html").exists()
    code, _, err = run("run", config, "--only", "Nobody")
    assert code == 2
    assert "--only must name a portfolio (All loans, Strict, Broken, more *.csv)" in err


def test_a_check_runs_nothing(run, config):
    code, out, err = run("run", "--check", "--format", "json")
    assert code == 2
    assert [row["status"] for row in read_results(out)] == ["ok", "ok", "error", "error"]
    assert err == (
        "capcurve: error: Broken: broken.csv has no column 'challenger_pd'; did you mean "
        "'champion_pd'?\n"
        f"capcurve: error: more *.csv: {NO_FILE}\n"
    )
    assert not Path("reports").exists()
    Path("loans.csv").rename("broken.csv")
    Path("reports/Broken.json").mkdir(parents=True)
    Path(config).write_text(
        CONFIG[: CONFIG.index("[[portfolio]]\nfiles")], encoding="utf-8"
    )
    code, out, err = run("run", "--check", "--format", "json")
    assert [row["status"] for row in read_results(out)] == ["error", "error", "error"]
    assert "All loans: cannot read loans.csv: no such file" in err
    assert "`output` must be a file, got 'reports/Broken.json'" in err
    Path("capcurve.toml").write_text("titel = 1", encoding="utf-8")
    assert run("run", "--check")[2].startswith(
        "capcurve: error: capcurve.toml must have kn"
    )


def test_long_errors_are_whole_in_the_table_and_beside_it(run, config):
    packed = gzip.compress(LOANS.write_csv().encode())
    Path("cut.csv.gz").write_bytes(packed[: len(packed) // 2])
    text = Path(config).read_text(encoding="utf-8").replace("broken.csv", "cut.csv.gz")
    Path(config).write_text(text, encoding="utf-8")
    told = (
        "cannot read cut.csv.gz: its compression breaks off; it may have been copied in "
        "part: copy it again"
    )
    for options in (("--check",), ("--only", "Broken")):
        _, out, err = run("run", *options)
        assert f"capcurve: error: Broken: {told}\n" in err
        assert told in out
        assert told in run("run", *options, "--verbose")[1]
        assert told in run("run", *options, "--format", "csv")[1]


def test_a_checked_config_without_errors(run, config):
    Path(config).write_text(
        CONFIG[: CONFIG.index('[[portfolio]]\nname = "Broken"')], encoding="utf-8"
    )
    assert run("run", "--check")[0] == 0


def test_rows_left_out_are_told_and_kept_for_the_summary(run, config):
    rows = LOANS[:60].with_columns(champion_pd=pl.lit(None))
    pl.concat([LOANS, rows.cast({"champion_pd": pl.Float64})]).write_csv("loans.csv")
    _, _, err = run("run", config)
    assert "capcurve: note: All loans: 60 of 2,060 rows were left out\n" in err
    facts = json.loads(Path("reports/index.json").read_text(encoding="utf-8"))
    rows = {each["name"]: each["rows"] for each in facts["portfolios"]}
    assert rows["All loans"] == {"read": 2_060, "used": 2_000, "left_out": 60}
    assert rows["Broken"] is None
    assert any(
        "left out 60 of 2,060 rows" in note for note in facts["portfolios"][0]["notes"]
    )
    page = Path("reports/index.html").read_text(encoding="utf-8")
    assert '2,000 <span class="warn">60 left out</span>' in page
    assert "left out 60 of 2,060" in page


def test_a_quiet_run_prints_errors_and_failed_gates_alone(run, config):
    rows = LOANS.with_columns(champion_pd=pl.when(pl.col("default") == 1).then(0.5))
    pl.concat([LOANS, rows]).write_csv("loans.csv")
    _, _, err = run("run", config, "--quiet")
    kinds = {line.split(": ")[1] for line in err.splitlines()}
    assert kinds == {"error", "failed"}


def test_few_events_and_amounts_in_the_page(run, config):
    LOANS[:50].write_csv("loans.csv")
    Path(config).write_text(
        CONFIG.replace('by = "segment"', 'truth = "loss"').replace(
            "fail-below = 0.3", "fail-below = 0.3\nmin-events = 40\non-undefined = 'skip'"
        ),
        encoding="utf-8",
    )
    run("run", config)
    page = Path("reports/index.html").read_text(encoding="utf-8")
    assert "may miss more often" in page
    assert "Rows above 0" in page
    assert "1 skipped" in page


def test_limits_that_hold_for_few_events_do_not_miss(run, config):
    LOANS[:50].write_csv("loans.csv")
    text = CONFIG.replace("fail-below = 0.3", "fail-below = 0.3\nmethod = 'exact'")
    Path(config).write_text(text, encoding="utf-8")
    run("run", config)
    assert "may miss more often" not in Path("reports/index.html").read_text("utf-8")


def test_a_bug_is_an_error_of_its_portfolio(run, config, monkeypatch):
    def fail(*_):
        raise TypeError("unexpected")

    monkeypatch.setattr(portfolios, "read_report_file", fail)
    code, _, err = run("run", config)
    assert code == 2
    assert err.count("this is a bug: TypeError('unexpected')") == 3


def test_a_report_that_cannot_be_written(run, config):
    Path("reports/All loans.json").mkdir(parents=True)
    code, _, err = run("run", config)
    facts = json.loads(Path("reports/index.json").read_text(encoding="utf-8"))
    assert code == 2
    assert "All loans: `path` must be a file" in err
    first = facts["portfolios"][0]
    assert (first["status"], first["reports"]) == ("error", [])
    assert first["models"]
    assert "must be a file" in Path("reports/index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("check", [(), ("--check",)])
def test_a_wrong_folder_for_temporary_files_is_told_once(run, config, monkeypatch, check):
    monkeypatch.setenv("TMPDIR", "none")
    told = (
        "capcurve: error: TMPDIR must be a folder where files can be written, got 'none': "
        "No such file or directory; correct it, or unset it\n"
    )
    assert run("run", str(config), *check) == (2, "", told)
    assert not Path("reports").exists()


def test_ctrl_c_ends_the_run(config, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Report, "write", interrupt)
    portfolio = read_config(Path(config), report).portfolios[0]
    with pytest.raises(KeyboardInterrupt):
        portfolios.run_portfolio(portfolio, {})


def test_without_the_libraries_of_reports(run, config, monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    code, _, err = run("run", config)
    assert code == 2
    assert 'run: pip install "capcurve[report]"' in err


def test_the_progress_names_the_portfolio(run, config, monkeypatch):
    asked = []

    @contextmanager
    def ask(percent_done, what, *, enabled):
        asked.append((percent_done(), what(), enabled))
        yield
        asked.append((percent_done(), what(), enabled))

    monkeypatch.setattr(run_config, "show_progress", ask)
    run("run", config)
    assert asked == [(0, "1 of 4: All loans", True), (100, "4 of 4: more *.csv", True)]
    asked.clear()
    run("run", config, "--quiet", "--only", "Strict")
    assert asked[0] == (0, "1 of 1: Strict", False)


def test_the_example_of_the_page_runs(run):
    """docs/run.md shows a config; it is run as it stands."""
    page = Path(__file__).parents[3] / "docs" / "run.md"
    (config,) = re.findall(r"```toml\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    Path("capcurve.toml").write_text(config, encoding="utf-8")
    for folder in ("loans", "loans/branches"):
        Path(folder).mkdir()
    LOANS.write_csv("loans/retail.csv")
    for segment, rows in LOANS.group_by("segment"):
        rows.write_parquet(f"loans/branches/{segment[0]}.parquet")
    code, out, err = run("run", "--format", "csv")
    assert code in {0, 1}, err
    assert out.count("\n") > 4
    assert Path("reports/index.html").exists()


def test_the_command_ends_with_the_code(config):
    ended = subprocess.run(  # noqa: S603 -- our own command
        [sys.executable, "-m", "capcurve", "run", config, "--only", "Strict"],
        capture_output=True,
        check=False,
    )
    assert ended.returncode == 1


def test_gates_name_their_portfolio(run, config):
    _, out, _ = run("run", config, "--format", "json")
    gates = json.loads(out)["gates"]
    facts = json.loads(Path("reports/index.json").read_text(encoding="utf-8"))
    told = [
        (f"{portfolio['name']}: {gate['subject']}", f"{portfolio['name']}: {gate['text']}")
        for portfolio in facts["portfolios"]
        for gate in portfolio["gates"]
    ]
    assert [(gate["subject"], gate["text"]) for gate in gates] == told


def test_bands_that_there_cannot_be_are_refused_before_the_run(run, config):
    text = Path(config).read_text("utf-8").replace("[report]\n", "[report]\nbands = -1\n")
    Path(config).write_text(text, encoding="utf-8")
    code, out, err = run("run", config, "--check")
    assert (code, out) == (2, "")
    assert "`bands` must be a number of bands" in err


def test_what_cannot_be_written_does_not_take_other_files_with_it(run, config):
    text = CONFIG.replace(
        'summary = ["reports/index.html"', 'summary = ["taken/in/index.html"'
    ).replace(
        'output = "reports/{name}.json"',
        'output = ["{name}/a.json", "{name}/b.json", "b/{name}.json"]',
    )
    Path(config).write_text(text, encoding="utf-8")
    Path("taken").write_text("a file", encoding="utf-8")
    Path("Strict").write_text("a file", encoding="utf-8")
    code, out, err = run("run", config, "--format", "csv")
    assert code == 2
    facts = json.loads(Path("reports/index.json").read_text(encoding="utf-8"))
    _, strict, *_ = facts["portfolios"]
    assert Path("b/Strict.json").exists()
    assert [Path(each).name for each in strict["reports"]] == ["Strict.json"]
    assert "error: Strict: cannot make the folder 'Strict': File exists; choose ano" in err
    assert err.count("cannot make the folder 'Strict'") == 1
    last = list(csv.DictReader(io.StringIO(out)))[-1]
    assert (last["portfolio"], last["status"]) == ("summary", "error")
    assert last["error"].startswith("cannot make the folder 'taken/in'")
    assert "failed: Strict: accuracy ratio of champion_pd is" in err
    assert "error: summary: cannot make the folder 'taken/in': Not a directory; cho" in err
    assert out.count("\n") > 4


def test_rows_have_the_same_columns_if_every_portfolio_has_an_error(run, config):
    first = run("run", config, "--format", "csv")[1].split("\n")[0]
    Path("loans.csv").unlink()
    assert run("run", config, "--format", "csv")[1].split("\n")[0] == first


def test_readers_see_that_the_status_is_that_of_the_portfolio(run, config):
    """Programs read the name that it always had."""
    assert "| portfolio status |" in run("run", config, "--format", "markdown")[1]
    assert ",status," in run("run", config, "--format", "csv")[1].split("\n")[0]


def test_lines_of_json_have_null_for_nothing(run, config):
    _, out, _ = run("run", config, "--format", "ndjson")
    rows = [json.loads(line) for line in out.splitlines()]
    assert {row["error"] for row in rows} > {None}
    assert {row["gates"] for row in rows} > {None}
    assert "" not in {value for row in rows for value in row.values()}
    _, out, _ = run("run", config, "--format", "csv")
    assert {row["error"] for row in csv.DictReader(io.StringIO(out))} > {""}
    _, out, _ = run("run", config, "--check", "--format", "ndjson")
    assert {json.loads(line)["error"] for line in out.splitlines()} > {None}


DOUBTFUL = {
    "AR": ("champion_pd as s", "initial-auc = 0.57", "is 0.57 an AR?"),
    "Odd": ("if(year = 2024, -9999, champion_pd) as s", "", "'s' is -9999 in "),
    "Infinite": ("if(year = 2024, 'inf'::float, champion_pd) as s", "", "'s' is infinite"),
    "Reversed": ("-champion_pd as s", "", "may be reversed"),
    "Leak": ('"default" as s', "", "'s' equals the outcome"),
    "Half": ("champion_pd as s", "", "1 of 2,000 outcomes is neither 0 nor 1 (0.5)"),
    "Swap": ('"default" as s', "truth = 'points'", "look swapped"),
    "Twice": ("champion_pd as s", "", "hold the same bytes"),
    "Sound": ("champion_pd as s", "", None),
}


def test_what_doubts_an_option_or_the_data_is_on_stderr(run):
    loans = LOANS.with_columns(default=pl.col("default").cast(pl.Float64))
    loans.write_csv("loans.csv")
    loans.write_csv("again.csv")
    loans.with_row_index().with_columns(
        default=pl.when(pl.col("index") == 5).then(0.5).otherwise("default")
    ).write_csv("half.csv")
    config = '[report]\ntruth = "default"\nestimate = "s"\noutput = []\n'
    loans.tail(-1).write_csv("other.csv")
    files_of = {
        "Half": "'half.csv'",
        "Twice": "['loans.csv', 'again.csv']",
        "Sound": "'other.csv'",
    }
    for name, (score, option, _) in DOUBTFUL.items():
        files_named = files_of.get(name, "'loans.csv'")
        query = f"select *, champion_pd * 9 as points, {score} from data"  # noqa: S608 -- fixed
        config += (
            f"[[portfolio]]\nname = '{name}'\nfile = {files_named}\n"
            f'query = """{query}"""\n{option}\n'
        )
    Path("capcurve.toml").write_text(config, encoding="utf-8")
    _, _, err = run("run")
    for name, (_, _, told) in DOUBTFUL.items():
        notes = [line for line in err.splitlines() if f"note: {name}: " in line]
        assert [note for note in notes if told and told in note] == notes, name
        assert len(notes) == (told is not None), name
    assert not [line for line in run("run", "--quiet")[2].splitlines() if "note" in line]


def test_portfolios_of_the_same_files_are_told(run):
    """One of them probably names the wrong file; a query, say, may tell them apart."""
    LOANS.write_csv("loans.csv")
    LOANS.write_csv("copy.csv")
    LOANS.head(1_000).write_csv("more.csv")
    entry = '[[portfolio]]\nname = "{}"\nfile = {}\n{}\n'
    config = '[report]\ntruth = "default"\nestimate = "champion_pd"\noutput = []\n'
    config += entry.format("A", "'loans.csv'", "")
    config += entry.format("B", "['copy.csv', 'more.csv']", "")
    config += entry.format("C", "'copy.csv'", "fail-below = 0.2")
    config += entry.format("D", "['more.csv', 'loans.csv']", "")
    for name, apart in {
        "query": "'select * from data where year > 2020'",
        "estimate": "'challenger_pd'",
        "by": "'segment'",
        "period": "'year'",
        "implied": "'champion_pd'",
    }.items():
        config += entry.format(name, "'loans.csv'", f"{name} = {apart}")
    summary = 'summary = ["index.json"]\n'
    Path("capcurve.toml").write_text(summary + config, encoding="utf-8")
    same = (
        "its files and those of {!r} hold the same bytes, and the same columns are read; "
        "if one of the two names a wrong file, correct it"
    )
    _, _, err = run("run")
    told = [line for line in err.splitlines() if "same bytes" in line]
    assert told == [
        f"capcurve: note: {name}: {same.format(other)}" for name, other in ("CA", "DB")
    ]
    found = json.loads(Path("index.json").read_text("utf-8"))["portfolios"]
    notes = {each["name"]: [n for n in each["notes"] if "bytes" in n] for each in found}
    assert notes == {name: [] for name in notes} | {
        "C": [same.format("A")],
        "D": [same.format("B")],
    }
