"""Numbers in JSON lines are exact, or refused."""

import gzip
import json
from pathlib import Path

import pytest

from capcurve import CapcurveError
from capcurve._files.delimited import Source
from capcurve._files.json_lines import refuse_other_values
from capcurve._files.open import read_table
from capcurve._files.paths import InputFile


def write(values):
    return "".join(json.dumps({"y": 1, "s": value}) + "\n" for value in values)


@pytest.mark.parametrize(
    "values",
    [
        [2**63 - 1, 2**63 - 2],
        [2**64 - 1, 2**64 - 2],
        [0.5, 2**53],
        [2.0**70, 1.0],
        [1, None],
    ],
)
def test_numbers_are_exact(read, values):
    assert read(write(values), name="f.jsonl")[0]["s"] == values


@pytest.mark.parametrize(
    ("values", "shown"),
    [([2**65, 2**65 + 1], 2**65 + 1), ([0.5, 2**53, 2**53 + 1], 2**53 + 1)],
)
def test_rounded_numbers_are_refused(refused, values, shown):
    assert refused(write(values), name="f.ndjson") == (
        "`s` must hold numbers that a float or an integer type holds exactly, got "
        f"{shown}; round the whole numbers beyond 2**53, or write no fractions and at most "
        "38 digits"
    )


@pytest.mark.parametrize("place", [0, 1, 7, 19])
@pytest.mark.parametrize("broken", ['{"y": 1, "s": oops}', '{"y": 1, "s": 0.5'])
def test_a_broken_line_is_named(refused, place, broken):
    lines = write(range(20)).splitlines(keepends=True)
    lines[place] = f"{broken}\n"
    assert refused("".join(lines), name="f.jsonl").startswith(
        f"cannot read f.jsonl: line {place + 1} must hold one JSON object, got an error at "
    )


@pytest.mark.parametrize("broken", [b"{oops\n", b'{"y": 1, "s": 0.'])
def test_the_line_of_a_compressed_file_is_told(refused, broken):
    packed = gzip.compress(b"\n" + write([1]).encode() + broken)
    found = refused(packed, name="f.jsonl.gz")
    assert found.startswith("cannot read f.jsonl.gz: line 3 must hold one JSON object, got")
    assert found.endswith("; correct the line")


WANTED = (
    "cannot read f.jsonl: each line must hold one JSON object, got {}; write an object in "
)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ('[{"y": 1, "s": 2}, {"y": 0, "s": 1}]', repr('[{"y": 1, "s": 2}, {')),
        ("\ufeff\n [1]", "'[1]'"),
        ("1\n2\n", r"'1\n2\n'"),
        ("\n \n", "empty lines"),
        (" \n" * 300_000, "empty lines"),
    ],
)
def test_what_is_no_object_is_refused(refused, content, found):
    assert refused(content, name="f.jsonl") == f"{WANTED.format(found)}each line"


def test_a_byte_order_mark_is_skipped_or_called_that(read):
    """DuckDB skips it from 2.0.1 on."""
    content = f"\ufeff{write([1, 2])}"
    try:
        found = read(content, name="f.jsonl")[0]["s"]
    except CapcurveError as error:
        told = "(byte order mark (BOM) is not supported); correct the line"
        assert told in str(error)  # noqa: PT017 -- by version
    else:
        assert found == [1, 2]


def test_empty_lines_may_come_before_objects(read):
    for start in ("\n\n", " \n" * 300_000):
        assert read(f"{start}{write([1, 2])}", name="f.jsonl")[0]["s"] == [1, 2]


@pytest.mark.parametrize("query", [None, "from data"])
def test_all_files_tell_the_type_of_a_column(query):
    """Also the 33rd of them, and also that of outcomes."""
    for number in range(32):
        Path(f"{number}.jsonl").write_text('{"y": 0, "s": 1}\n')
    Path("last.jsonl").write_text('{"y": 0.5, "s": 0.4}\n')
    source = Source("?.jsonl", ["y"], ["s"], others=["??.jsonl", "last.jsonl"], query=query)
    found = read_table(source).table.to_pydict()
    assert found == {"y": [0] * 32 + [0.5], "s": [1] * 32 + [0.4]}


@pytest.mark.parametrize("query", [None, "select y, s from data"])
@pytest.mark.parametrize("others", [[1], [1, "a", None, {"b": 1}]])
def test_many_keys_are_columns(read, query, others):
    wide = {f"c{number}": others[number % len(others)] for number in range(300)}
    lines = [{"y": 1, "s": 0.5} | wide]
    assert read(dump(lines), "f.jsonl", query=query)[0] == {"y": [1], "s": [0.5]}
    rare = [{"y": 1, "s": number, name: wide[name]} for number, name in enumerate(wide)]
    assert read(dump(rare), "f.jsonl", query=query)[0]["s"] == list(range(300))


def dump(lines):
    return "".join(json.dumps(line) + "\n" for line in lines)


@pytest.mark.parametrize(
    "texts",
    [
        ["01-02-21", "1-2-21"],
        ["10-12-20", "2024-01-31"],
        ["2024-01-31 10:00:00", "2024-01-31T10:00:00Z"],
        ["12:30:00", "1:30:00"],
        ["123E4567-E89B-12D3-A456-426614174000", "123e4567-e89b-12d3-a456-426614174000"],
    ],
)
def test_text_stays_text(read, texts):
    lines = [
        {"y": 1, "s": 0.5, "k": text, "a \"b'": {"c \"'": [text]}, "no": None}
        for text in texts
    ]
    found = read(dump(lines), "f.jsonl", keys=["k"])[0]
    assert found == {"y": [1, 1], "s": [0.5, 0.5], "k": texts}


def test_a_query_may_calculate_with_days(read):
    lines = [{"y": 1, "s": 0.5, "k": f"2024-01-{day}"} for day in (10, 20)]
    query = "select y, s, year(k) as k from data"
    assert read(dump(lines), "f.jsonl", keys=["k"], query=query)[0]["k"] == [2024, 2024]


def test_a_key_that_is_there_twice_is_refused_without_options_of_duckdb(refused):
    assert refused('{"y": 1, "s": 1, "s": 2}\n', name="f.jsonl") == (
        'cannot read f.jsonl: JSON transform error in file "f.jsonl", in line 1: Object '
        '{"y":1,"s":1,"s":2} has duplicate key "s"; rename one of the two, or remove it'
    )


def test_an_object_that_is_too_long_is_refused_without_options_of_duckdb(refused):
    message = refused(f'{{"y": 1, "s": "{"a" * 40_000_000}"}}\n', name="f.jsonl")
    assert message == (
        "cannot read f.jsonl: each line must hold one JSON object of at most 16 MiB, got a "
        "longer one; write one object in each line, and leave long values out"
    )


@pytest.mark.parametrize("options", [{}, {"outcomes": ["Y"]}, {"query": "from data"}])
@pytest.mark.parametrize("gone", [False, True])
def test_keys_that_differ_in_case_are_refused(refused, options, gone):
    lines = [{"Y": 1, "s": 2, "z_1": 1}, {"y": 0, "s": 1}, {"y": 1, "s": 3, "y_1": None}]
    content = "".join(json.dumps(line) + "\n" for line in lines[: 2 if gone else 3])
    assert refused(content, name="f.jsonl", **options) == (
        "column names must differ in more than upper and lower case, got 'Y' in line 1 of "
        "f.jsonl and 'y' in line 2 of f.jsonl; rename one of them"
    )


def test_keys_that_end_in_numbers_are_read(read):
    lines = [{"y": 1, "y_1": 5, "s": 2, "S": 7}, {"y": 0, "y_1": None, "s": 1, "y_2": None}]
    content = "".join(json.dumps(line) + "\n" for line in lines)
    for name, values in {"y": [1, 0], "y_1": [5, None], "y_2": [None, None]}.items():
        found = read(content, name="f.jsonl", outcomes=[name], numbers=["y"])[0]
        assert found[name] == values


@pytest.mark.parametrize("name", ["bad.jsonl", "bad.jsonl.gz"])
@pytest.mark.parametrize("query", [None, "from data"])
@pytest.mark.parametrize("broken", ["[1,2]", '"x"', "5", '[{"y": 1, "s": 0.5}]'])
def test_a_line_without_object_is_named(refused, broken, query, name):
    Path("a.jsonl").write_text(write([1, 2]))
    lines = f"\n{write(range(100))}{broken}\n{write([1])}".encode()
    content = gzip.compress(lines) if name.endswith(".gz") else lines
    Path(name).write_bytes(content)
    assert refused(name="a.jsonl", others=[name], query=query) == (
        f"cannot read {name}: line 102 must hold one JSON object, got {broken!r}; "
        "correct the line"
    )


def test_a_last_line_without_end_is_named(refused):
    assert "line 3 must hold one JSON object" in refused(write([1, 2]) + "5", "f.jsonl")


def test_a_key_may_be_called_json(read):
    assert read('{"json": 1}\n', "f.jsonl", outcomes=["json"], numbers=[])[0] == {
        "json": [1]
    }


@pytest.mark.parametrize("options", [{}, {"numbers": [], "graded": ["s"]}])
@pytest.mark.parametrize("value", ["abc", "0.5", {"a": 1}, [1], True])
def test_a_value_that_is_no_number_is_named_with_its_line(refused, value, options):
    Path("a.jsonl").write_text(write([1, 0.5]))
    message = refused(write([1, None, value, 2]), "f.jsonl", others=["a.jsonl"], **options)
    assert message == (
        f"`s` must hold numbers, got {json.dumps(value)} in line 3 of f.jsonl; fix the "
        "value, or write null if it is missing"
    )


@pytest.mark.parametrize("values", [["A", "B", None], [None, None]])
def test_a_column_without_numbers_is_no_mixture(read, values):
    found = read(write(values), "f.jsonl", numbers=[], graded=["s"])[0]
    assert found["s"] == values


def test_numbers_and_nulls_in_every_line_are_no_reason_to_refuse_a_column():
    files = []
    for name, values in (("a.jsonl", [1, 0.5]), ("b.jsonl", [None, 2])):
        Path(name).write_text(write(values))
        files.append(InputFile(name, name))
    assert refuse_other_values(files, "s") is None
