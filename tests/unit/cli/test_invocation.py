"""A report says which command makes it again, and that command does."""

import hashlib
import inspect
import io
import json
import re
import shlex
import sys
from pathlib import Path

import duckdb
import openpyxl
import polars as pl
import pytest

from capcurve import report
from capcurve._cli.invocation import write_file_call
from capcurve._cli.report import report as command
from capcurve.datasets import make_portfolio

LOANS = pl.DataFrame(make_portfolio(1_500)).with_columns(
    champion_pd=pl.when(pl.col("loan") % 100 == 0).then(None).otherwise("champion_pd")
)
PD = ("--truth", "default", "--estimate", "champion_pd")
pytestmark = pytest.mark.filterwarnings(
    "ignore::capcurve.FewEventsWarning", "ignore::capcurve.DroppedRowsWarning"
)


@pytest.fixture(autouse=True)
def _fixed_time(monkeypatch, tmp_path):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def make(run):
    """Write a report of a file as JSON, and give its text."""

    def make_report(*arguments):
        code, _, err = run("report", "--quiet", "-o", "r.json", *arguments)
        assert code == 0, err
        return Path("r.json").read_text("utf-8")

    return make_report


def replay(text, run):
    """Run the command of a report, and give the text of the new one."""
    Path("r.json").unlink()
    program, *arguments = shlex.split(json.loads(text)["provenance"]["command"])
    assert program == "capcurve"
    code, _, err = run(*arguments)
    assert code == 0, err
    return Path("r.json").read_text("utf-8")


OPTIONS = {
    "plain": (),
    "all": (
        *("--compare", "challenger_pd", "--by", "segment", "--by", "grade"),
        *("--period", "year", "--cluster", "loan", "--confidence", "0.9"),
        *("--bands", "0.1,0.5", "--initial-auc", "0.8", "--initial-variance", "0.0001"),
        *("--implied", "champion_pd", "--implied-side", "less"),
        *("--green", "0.6", "--amber", "0.5"),
        *("--meta", "model id=PD '7' \"x\"", "--meta", "owner=a=b"),
        *("--limitation", "It is $small.", "--title", "Tom's", "--pos-label", "1"),
    ),
    "query": (
        "--query",
        "select * from data where segment <> 'retail' and grade <> 'H'",
    ),
    "words": ("--na", "-", "--na-only", "missing"),
    "low first": ("--ascending", "--target-type", "binary"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", OPTIONS)
def test_the_command_of_a_report_gives_the_same_bytes(make, run, name):
    LOANS.write_csv("loans of 2024.csv")
    text = make("loans of 2024.csv", *PD, *OPTIONS[name])
    assert replay(text, run) == text


RANDOM = "select * from data order by random() limit 700"


def test_a_report_of_random_rows_says_so(run):
    """Its rows have another hash each time, by which a replay can be told from it."""
    LOANS.write_csv("f.csv")
    made = []
    for name in ("r.json", "s.json"):
        options = ("--query", RANDOM, "-o", name, "-o", "r.xlsx", "-o", "r.html")
        code, _, err = run("report", "f.csv", *PD, *options)
        assert code == 0
        assert err.startswith("capcurve: note: --query depends on chance or the time (ran")
        made.append(json.loads(Path(name).read_text("utf-8")))
    first, second = (facts["provenance"]["query"] for facts in made)
    assert first["sha256"] != second["sha256"]
    assert first["unrepeatable"] == ["random"]
    told = (
        "The query depends on chance or the time (random): the recorded command may return "
        "other rows, and then gives other numbers. The SHA-256 of its rows, in the "
        "provenance, tells whether they are the same."
    )
    assert told in made[0]["limitations"]
    assert f"700 rows, SHA-256 {second['sha256']}" in Path("r.html").read_text("utf-8")
    sheet = openpyxl.load_workbook("r.xlsx")["Provenance"]
    texts = [cell.value for row in sheet.iter_rows() for cell in row]
    assert (
        "With the same files, options and versions, the report comes out the same only if "
        "the query returns the same rows, and it depends on chance or the time (random)."
    ) in texts
    assert texts[texts.index("SHA-256 of the rows of the query") + 1] == second["sha256"]


def test_a_report_of_a_query_that_draws_nothing_comes_out_the_same(run):
    LOANS.write_csv("f.csv")
    options = ("--query", "from data where year > 2022", "-o", "r.json", "-o", "r.xlsx")
    assert run("report", "f.csv", *PD, *options)[0] == 0
    limitations = json.loads(Path("r.json").read_text("utf-8"))["limitations"]
    assert not any("chance or the time" in each for each in limitations)
    sheet = openpyxl.load_workbook("r.xlsx")["Provenance"]
    texts = [cell.value for row in sheet.iter_rows() for cell in row]
    promise = "With the same files, options and versions, the report comes out the same."
    assert promise in texts


def test_a_name_that_starts_with_a_dash_can_be_replayed(run):
    LOANS.write_csv("-f.csv")
    assert run("report", *PD, "-o", "r.json", "--", "-f.csv")[0] == 0
    text = Path("r.json").read_text("utf-8")
    assert json.loads(text)["provenance"]["command"].endswith("-- -f.csv")
    assert replay(text, run) == text


def test_stdin_is_hashed(make, monkeypatch):
    LOANS.write_csv("f.csv")
    named = json.loads(make("f.csv", *PD))["provenance"]
    (file,) = named["files"]
    assert file["size"] == Path("f.csv").stat().st_size

    class Stdin:
        buffer = io.BytesIO(Path("f.csv").read_bytes())

    monkeypatch.setattr(sys, "stdin", Stdin)
    piped = json.loads(make("-", *PD))["provenance"]
    assert piped["files"] == [file | {"name": "stdin"}]
    assert piped["command"].startswith("capcurve report - --truth default")


def test_an_odd_outcome_that_a_query_took_away_hides_no_effect(make):
    odd = pl.when(pl.int_range(pl.len()) == 7).then(7).otherwise("default")
    LOANS.with_columns(default=odd).write_csv("f.csv")
    facts = json.loads(make("f.csv", *PD, "--query", 'from data where "default" < 2'))
    query, rows = facts["provenance"]["query"], LOANS["default"].to_list()
    del rows[7]
    assert query["odd_outcomes_before"] == [{"outcome": "7", "n": 1}]
    assert query["events_before"] == sum(rows)
    assert query["response_rate_before"] == pytest.approx(sum(rows) / len(rows))
    assert facts["limitations"][-1] == (
        "1 row before the query holds 7 in default, which is neither an event nor a "
        "non-event like the outcomes of the rows used; the event rate of rows before the "
        "query is that of the others."
    )


def test_every_file_is_hashed_however_many_there_are(make):
    for number in range(21):
        LOANS[number * 70 : (number + 1) * 70].write_csv(f"part{number:02}.csv")
    files = json.loads(make("part*.csv", *PD))["provenance"]["files"]
    assert files == [
        {
            "name": path.name,
            "size": path.stat().st_size,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        }
        for path in sorted(Path().glob("part*.csv"))
    ]


def hash_rows(frame, *names):
    """Hash the columns that a report reads of a frame, as the provenance does."""
    lines = frame.select(names).write_csv(include_header=False).splitlines()
    return hashlib.sha256("".join(f"{x}\n" for x in sorted(lines)).encode()).hexdigest()


def assert_not_assessed(facts, rows):
    names = ("events_before", "events_after", "response_rate_before", "response_rate_after")
    query = dict(facts["provenance"]["query"])
    assert re.fullmatch("[0-9a-f]{64}", query.pop("sha256"))
    assert query.pop("odd_outcomes_before") == []
    assert query.pop("columns")
    assert query == rows | {"unrepeatable": []} | dict.fromkeys(names)
    assert facts["limitations"][-1].startswith("The effect of the query on the outcome is")


def test_a_query_whose_outcome_the_file_lacks_is_not_assessed(make):
    LOANS.with_columns(many=pl.int_range(pl.len())).write_csv("f.csv")
    rows = {"rows_before": 1_500, "rows_after": 1_500}
    renamed = ("--query", 'select * replace(many % 7 as many), "default" as bad from data')
    for truth, options in (
        ("bad", ()),
        ("many", ("--pos-label", "1")),
        ("default", ("--weight", "exposure")),
    ):
        pd = ("--truth", truth, "--estimate", "champion_pd")
        assert_not_assessed(json.loads(make("f.csv", *pd, *renamed, *options)), rows)


def test_words_for_missing_values_are_counted(make):
    pd = pl.col("champion_pd").cast(pl.String)
    row = pl.int_range(pl.len())
    words = (
        pl.when(row < 3).then(pl.lit("#NV")).when(row < 5).then(pl.lit("")).otherwise(pd)
    )
    LOANS.with_columns(words.alias("champion_pd")).write_csv("f.csv")
    found = json.loads(make("f.csv", *PD))["rows"]["missing_words"]
    assert {(each["column"], each["word"]): each["n"] for each in found} == {
        ("champion_pd", "#NV"): 3,
        ("champion_pd", ""): 2 + LOANS["champion_pd"][5:].null_count(),
    }


def test_rows_before_and_after_a_query_are_told(make):
    LOANS.write_csv("f.csv")
    facts = json.loads(make("f.csv", *PD, "--query", "from data where year > 2022"))
    kept = LOANS.filter(pl.col("year") > 2022)
    query = {"rows_before": 1_500, "rows_after": len(kept)}
    for side, rows in (("before", LOANS), ("after", kept)):
        query[f"events_{side}"] = rows["default"].sum()
        query[f"response_rate_{side}"] = pytest.approx(rows["default"].mean())
    read = ["default", "champion_pd"]
    query |= {"columns": read, "sha256": hash_rows(kept, *read), "unrepeatable": []}
    query["odd_outcomes_before"] = []
    assert facts["provenance"]["query"] == query
    assert facts["provenance"]["call"].endswith(
        "  # data: the rows that the query returned"
    )
    text = next(each["text"] for each in facts["findings"] if each["topic"] == "left_out")
    assert text.startswith(f"The query returned {len(kept)} rows of 1,500. ")
    assert json.loads(make("f.csv", *PD))["provenance"]["query"] is None


def test_a_query_of_a_database_may_read_several_tables(make):
    with duckdb.connect("f.duckdb") as connection:
        connection.register("rows", LOANS.to_arrow())
        connection.execute("create table loans as select * from rows")
    facts = json.loads(make("f.duckdb", *PD, "--query", "from loans"))
    assert_not_assessed(facts, {"rows_before": None, "rows_after": 1_500})
    assert facts["provenance"]["files"][0]["name"] == "f.duckdb"


@pytest.mark.parametrize("name", ["plain", "all"])
def test_the_call_gives_the_same_facts_of_a_data_frame(make, name):
    LOANS.write_parquet("f.parquet")
    facts = json.loads(make("f.parquet", *PD, *OPTIONS[name]))
    call = facts["provenance"]["call"]
    assert call.startswith("report(data, 'default', 'champion_pd'")
    again = eval(call, {"report": report, "data": LOANS})  # noqa: S307 -- our own text
    found = json.loads(again.to_json())
    assert found.pop("provenance")["call"] == call
    del facts["provenance"]
    assert found == facts


def test_grades_and_counts_are_in_the_call(make):
    rows = {"g": ["A", "B", "C"], "n": [50, 40, 30], "e": [2, 5, 9]}
    pl.DataFrame(rows).write_csv("f.csv")
    options = ("--events", "e", "--counts", "n", "--estimate", "g", "--order", "A,B,C")
    call = json.loads(make("f.csv", *options))["provenance"]["call"]
    assert call == (
        "report(data, None, 'g', counts='n', events='e', order=['A', 'B', 'C'])"
    )


def test_options_are_listed_in_the_order_of_the_help(make):
    LOANS.write_csv("f.csv")
    options = json.loads(make("f.csv", *PD, "--bands", "5"))["provenance"]["options"]
    assert list(options)[:3] == ["file", "truth", "estimate"]
    assert (options["bands"], options["confidence"]) == ("5", 0.95)
    assert options["output"] == ["r.json"]


# A command line that sets each argument of `report` that has a default.
SAYING = {
    "compare": ("--compare", "challenger_pd"),
    "by": ("--by", "segment"),
    "period": ("--period", "year"),
    "period_by": ("--period-by", "quarter"),
    "case_weights": ("--weight", "exposure"),
    "counts": ("--counts", "n"),
    "events": ("--events", "e"),
    "clusters": ("--cluster", "loan"),
    "pos_label": ("--pos-label", "bad"),
    "target_type": ("--target-type", "binary"),
    "descending": ("--ascending",),
    "order": ("--order", "A,B"),
    "confidence_level": ("--confidence", "0.9"),
    "bands": ("--bands", "5"),
    "initial_auc": ("--initial-auc", "0.8"),
    "initial_variance": ("--initial-variance", "0.0001"),
    "method": ("--method", "bca"),
    "seed": ("--seed", "7"),
    "implied": ("--implied", "champion_pd"),
    "implied_side": ("--implied-side", "less"),
    "green": ("--green", "0.6"),
    "amber": ("--amber", "0.5"),
    "meta": ("--meta", "owner=me"),
    "limitations": ("--limitation", "It is small."),
    "title": ("--title", "Tom's"),
}
WITHOUT_OPTION = {"data", "event_level", "na_rm"}  # arguments
WITHOUT_ARGUMENT = {  # how to read the file, and what to do with the report
    *("file", "na", "na_only", "decimal_comma", "encoding", "table", "query", "quiet"),
    *("limits", "fail_below", "fail_on_lower_bound", "fail_if_worse_than_initial"),
    *("fail_if_challenger_better", "fail_if_left_out", "min_events", "on_undefined"),
    *("output", "form", "help"),
}


def parse(*options):
    """Parse options of the command, and give the values of all its parameters."""
    return command.make_context("report", ["f.csv", *PD, *options]).params


def test_each_option_is_known_to_say_an_argument_of_the_call_or_not():
    arguments = {*inspect.signature(report).parameters} - WITHOUT_OPTION
    assert arguments == {"truth", "estimate", *SAYING}
    said = {"truth", "estimate"}
    for options in SAYING.values():
        before, after = parse(), parse(*options)
        said |= {name for name in after if before[name] != after[name]}
    assert {each.name for each in command.params} - WITHOUT_ARGUMENT == said


@pytest.mark.parametrize("name", SAYING)
def test_each_option_that_is_not_its_default_is_in_the_call(name):
    plain = "report(data, 'default', 'champion_pd'"
    assert write_file_call(parse()) == f"{plain})"
    assert write_file_call(parse(*SAYING[name])).startswith(f"{plain}, {name}=")
