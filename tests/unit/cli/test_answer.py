"""JSON of commands: it keeps to a schema, whose shape changes only with its version."""

import json
import re
import shlex
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from answers import EXAMPLES, KEPT, run_example, write_loans
from capcurve._cli.answer import VERSIONS
from capcurve._cli.commands import COMMANDS

SCHEMA = json.loads(files("capcurve._cli").joinpath("schema.json").read_text("utf-8"))
NAMES = {f"capcurve.{command}/{version}" for command, version in VERSIONS.items()}
PAGE = Path(__file__).parents[3] / "docs" / "json.md"
OPEN = {"options", "versions"}  # objects whose keys may grow
LOANS = ("loans.csv", "--truth", "default", "--estimate", "pd")


def list_keys(value, at=""):
    """List the paths of all keys; those of the items of a list are the same path."""
    if isinstance(value, dict):
        for key, entry in value.items():
            yield f"{at}.{key}"
            if key not in OPEN:
                yield from list_keys(entry, f"{at}.{key}")
    elif isinstance(value, list):
        for entry in value:
            yield from list_keys(entry, at)


def test_every_schema_has_an_example_that_is_kept():
    kept = {path.stem for path in KEPT.glob("*.json")}
    assert kept >= set(EXAMPLES)
    assert {f"{name.removeprefix('capcurve.').replace('/', '-')}" for name in NAMES} <= kept
    assert SCHEMA["properties"]["schema"]["enum"] == sorted(
        NAMES, key=SCHEMA["properties"]["schema"]["enum"].index
    )


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(KEPT.glob("*.json")), ids=lambda path: path.stem)
def test_examples_that_are_kept_still_fit_their_schema(path):
    jsonschema.validate(json.loads(path.read_text("utf-8")), SCHEMA)


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_what_is_printed_has_the_keys_of_the_kept_example(name):
    """If keys are new, remove the example and run `python -m answers`.

    If keys are gone, raise the version in `VERSIONS`, and keep an example of it too.
    """
    write_loans()
    answer = run_example(name)
    jsonschema.validate(answer, SCHEMA)
    kept = json.loads((KEPT / f"{name}.json").read_text("utf-8"))
    assert set(list_keys(answer)) == set(list_keys(kept))
    assert answer["schema"] == kept["schema"]
    assert list(answer["results"][0]) == list(kept["results"][0])  # in this order


def test_every_command_has_a_schema_but_those_that_write_pages_and_pictures():
    assert {"sketch-show", "sketch-table"} < set(VERSIONS)
    assert set(COMMANDS) - set(VERSIONS) == {"demo", "plot", "report", "sketch"}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("command", "table"),
        ("confidence_level", 95),
        ("rows", {"read": 3}),
        ("results", []),
        ("results", [{"estimate": "s"}]),
        ("extra", 1),
    ],
)
def test_the_schema_refuses_what_is_not_an_answer(path, value):
    kept = json.loads((KEPT / "score-1.json").read_text("utf-8"))
    jsonschema.validate(kept, SCHEMA)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**kept, path: value}, SCHEMA)


def test_the_page_names_every_schema_and_every_column():
    page = PAGE.read_text("utf-8")
    for name in NAMES:
        assert f"`{name}`" in page
    for command in VERSIONS:
        for column in SCHEMA["$defs"][command]["properties"]:
            assert re.search(rf"`{column}`", page), (command, column)
    for key in SCHEMA["properties"]:
        assert f"`{key}`" in page


@pytest.mark.parametrize("path", sorted(KEPT.glob("*.json")), ids=lambda path: path.stem)
def test_the_page_says_what_every_key_of_a_result_means(path):
    """A schema may allow keys that it does not list, as that of plans does."""
    _, meanings = PAGE.read_text("utf-8").split("## What the keys mean")
    groups = {"segment", "year"}  # columns of the file, of `--by`
    keys = set(json.loads(path.read_text("utf-8"))["results"][0]) - groups
    assert [key for key in sorted(keys) if f"`{key}`" not in meanings] == []


def test_rows_that_are_left_out_are_counted_with_their_reasons(run):
    Path("f.csv").write_text("y,s,t,w\n1,3,1,1\n0,,1,1\n,,2,1\n0,1,1,\n0,2,2,0\n0,1,2,2\n")
    command = ("score", "f.csv", "--truth=y", "--estimate=s", "--weight=w")
    found = json.loads(run(*command, "--format", "json")[1])
    assert found["rows"] == {
        "read": 6,
        "used": 2,
        "left_out": 4,
        "reasons": [
            {"reason": "missing outcome", "column": "y", "n_rows": 1},
            {"reason": "missing score", "column": "s", "n_rows": 2},
            {"reason": "missing weight", "column": "w", "n_rows": 1},
            {"reason": "weight of 0", "column": "w", "n_rows": 1},
        ],
    }


@pytest.mark.parametrize("plan", ["--memory-limit=1GB", "--approx"])
def test_rows_that_are_left_out_beyond_memory(run, plan):
    Path("f.csv").write_text("y,s\n1,3\n0,\n,\n0,1\n")
    command = ("score", "f.csv", "--truth=y", "--estimate=s", plan, "--format", "json")
    assert json.loads(run(*command)[1])["rows"] == {
        "read": 4,
        "used": 2,
        "left_out": 2,
        "reasons": [
            {"reason": "missing outcome", "column": "y", "n_rows": 1},
            {"reason": "missing score", "column": "s", "n_rows": 2},
        ],
    }


@pytest.mark.parametrize("memory", [(), ("--memory-limit", "1GB")])
def test_a_query_that_draws_rows_is_told(run, memory):
    write_loans()
    draw = ("--query", "from data using sample 1000 rows", "--format", "json")
    documents = [run("score", *LOANS, *memory, *draw) for _ in range(2)]
    for _, _, err in documents:
        assert err.startswith(
            "capcurve: note: --query depends on chance or the time (sample without a "
            "seed), so the same command may give other numbers; a sample with a seed"
        )
    first, second = (json.loads(out) for _, out, _ in documents)
    jsonschema.validate(first, SCHEMA)
    queries = [each["provenance"]["query"] for each in (first, second)]
    assert [query["unrepeatable"] for query in queries] == [["sample without a seed"]] * 2
    assert queries[0]["sha256"] != queries[1]["sha256"]
    assert first["results"] != second["results"]


def test_counted_rows_count(run):
    Path("f.csv").write_text("n,e,s\n50,10,4\n50,2,3\n20,1,\n")
    command = ("score", "f.csv", "--events=e", "--counts=n", "--estimate=s")
    rows = json.loads(run(*command, "--format", "json")[1])["rows"]
    assert (rows["read"], rows["used"], rows["left_out"]) == (120, 100, 20)
    assert rows["reasons"] == [{"reason": "missing score", "column": "s", "n_rows": 20}]


def test_provenance_repeats_the_command(run):
    write_loans()
    command = ("score", *LOANS, "--by", "segment", "--confidence", "0.9")
    query = ("--query", "select * from data where year > 2022")
    found = json.loads(run(*command, *query, "--format", "json")[1])
    told = found["provenance"]
    again = json.loads(run(*read_command(told["command"]))[1])
    assert again["results"] == found["results"]
    assert again["provenance"]["query"] == told["query"]
    assert told["query"]["rows_before"] == 1_500
    assert told["query"]["rows_after"] == found["rows"]["read"]
    assert told["files"][0]["size"] == Path("loans.csv").stat().st_size
    assert told["options"]["confidence"] == 0.9
    assert {"capcurve", "duckdb"} <= set(told["versions"])
    assert told["seed"] == 0


def read_command(line):
    """Split a command line as a shell does."""
    name, *arguments = shlex.split(line)
    assert name == "capcurve"
    return arguments


def list_properties(schema):
    """Yield the names of all properties of a schema."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
    for part in schema.values() if isinstance(schema, dict) else schema:
        if isinstance(part, (dict, list)):
            yield from list_properties(part)


def test_the_documents_define_every_key():
    page = PAGE.read_text("utf-8")
    table = page.split("## What the keys mean")[1].split("## Gates")[0]
    defined = re.findall(r"`(\w+)`", table)
    keys = set(list_properties(SCHEMA))
    assert keys - set(defined) == set()
    first = [name for line in table.splitlines() for name in named_first(line)]
    assert len(first) == len(set(first))


def named_first(line):
    """Return the names in the first cell of a line of a table."""
    return re.findall(r"`(\w+)`", line.split("|")[1]) if line.startswith("|") else []
