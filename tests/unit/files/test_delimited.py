"""Text files: line ends, headers, names, and errors that name the right line."""

import gzip
import random
from pathlib import Path

import pytest

from capcurve._files.delimited import Header, find_line
from capcurve._files.paths import InputFile


def write_field(value, rng):
    """Quote what needs quotes, and some of the rest."""
    quoted = rng.random() < 0.1 or any(sign in value for sign in '\r\n,"')
    return f'"{value}"' if quoted else value


@pytest.mark.parametrize("seed", range(25))
def test_line_ends_of_every_mixture_are_read(read, seed):
    rng = random.Random(seed)  # noqa: S311 -- not cryptography
    ends = rng.choice([["\n"], ["\r\n"], ["\r"], ["\n", "\r\n"], ["\r\n", "\n", "\r"]])
    breaks = rng.choice([["\n"], ["\r\n"], ["\n", "\r\n"]])
    name = rng.choice(["k", "k\n2", "k\n2"])
    rows = [
        (rng.randrange(2), rng.random(), rng.choice(["a", f"u{rng.choice(breaks)}v"]))
        for _ in range(rng.randrange(1, 9))
    ]
    text = f"y,s,{write_field(name, rng)}{rng.choice(ends)}"
    for row in rows:
        fields = [write_field(str(value), rng) for value in row]
        text += ",".join(fields) + rng.choice(ends)
    columns, _ = read(text.encode(), keys=[name])
    y, s, k = zip(*rows, strict=True)
    assert columns["y"] == list(y)
    assert columns["s"] == list(s)
    found = [value.replace("\r\n", "\n") for value in columns[name]]
    assert found == [value.replace("\r\n", "\n") for value in k]


def test_line_ends_that_change_late_in_a_file(read):
    text = "y,s\n" + "0,1\n" * 60_000 + "1,2\r\n" * 3
    columns, _ = read(text)
    assert (len(columns["y"]), sum(columns["y"]), sum(columns["s"])) == (60_003, 3, 60_006)


def test_the_files_of_a_pattern_may_end_their_lines_differently(read):
    read("y,s\n1,1\n", name="p-1.csv")
    read("s,y\r\n2,0\n3,0\r\n", name="p-2.csv")
    assert read(None, name="p-*.csv")[0] == {"y": [1, 0, 0], "s": [1, 2, 3]}


@pytest.mark.parametrize(
    "name",
    [
        "file of capcurve",
        "row of capcurve",
        "row",
        "value",
        "file",
        "is_bad",
        "c0",
        "select",
        'a "b"',
        "é; x",
    ],
)
def test_columns_of_any_name(read, name):
    quoted = name.replace('"', '""')
    columns, _ = read(f'"{quoted}",y,s\nx,1,2\n', keys=[name])
    assert columns == {"y": [1], "s": [2], name: ["x"]}


def test_columns_that_are_not_needed_may_be_unnamed_or_repeated(read, refused):
    text = ",y,a,a,s,S\n5,1,2,3,4,6\n"
    assert read(text)[0] == {"y": [1], "s": [4]}
    assert read(text, numbers=["S"])[0] == {"y": [1], "S": [6]}
    assert refused(text, keys=[""]) == (
        "a column that is used must have a name, got ''; name it in the file"
    )
    assert refused(text, keys=["a"]) == (
        "cannot read f.csv: its header names 'a' more than once; rename the duplicates"
    )
    assert refused(text, numbers=["s", "S"]) == (
        "column names must differ in more than upper and lower case, got 's' and 'S'; "
        "rename one of them"
    )


def test_a_query_sees_the_named_columns(read, refused):
    query = "select y, s + 1 as s from data"
    assert read(",y,s\n9,1,2\n", query=query)[0] == {"y": [1], "s": [3]}
    message = refused("y,s,S\n1,2,3\n", query=query)
    assert message.startswith("column names must differ in more than upper and lower case")


def test_a_query_sees_codes_as_text(read):
    """As without a query: 01, 1, 001 and 1.0 are four groups."""
    codes = ["01", "1", "001", "1.0", ""]
    text = "".join(f"1,{n},{code},0{n}.5,0.{n}\n" for n, code in enumerate(codes))
    query = "from data"
    for options in ({"keys": ["k"]}, {"keys": ["k"], "query": query}):
        found = read(f"y,s,k,x,z\n{text}", **options)[0]
        assert found == {"y": [1] * 5, "s": [0, 1, 2, 3, 4], "k": [*codes[:4], None]}
    query = "select y, x::double + z as s from data"
    assert read(query=query)[0]["s"] == [0.5, 1.6, 2.7, 3.8, 4.9]
    query = "select * exclude s, #5 as s from data"
    assert read(query=query)[0]["s"] == [0, 0.1, 0.2, 0.3, 0.4]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("y,s\n1,1\n0,x\n", 3),
        ("y,s\n\n\n1,x\n", 4),
        ('y,s,k\n1,2,"a\nb"\n1,x,c\n', 4),
        ('y,s,k\r\n1,2,"a\r\nb"\r\n\r\n1,x,"c\r\n\r\nd"\r\n', 5),
        ("y,s\n1,3\r\n0,x\n", 3),
        ('"y",s,"k\n2"\r\n1,3,4\r\n0,x,5\r\n', 4),
        ("\ufeffy,s\n1,x\n", 2),
        ("y;s\r1;2\r1;x\r", 3),
    ],
)
def test_errors_name_the_line_that_an_editor_shows(refused, text, line):
    assert refused(text).startswith(f"`s` must hold numbers, got 'x' in line {line} of f.c")


def test_a_single_column_has_a_value_in_every_line(refused):
    assert "got 'x' in line 4 of f.csv" in refused("s\n\n\nx\n", outcomes=[])


def test_a_line_that_is_too_long_to_count_is_a_row(refused):
    long = "k" * 200_000
    assert "got 'x' in data row 2 of" in refused(f'y,s,k\n1,1,"{long}"\n1,x,\n')


@pytest.mark.parametrize(
    ("value", "decimal", "remedy"),
    [
        ("8,2 %", ".", "pass --decimal-comma if the file has decimal commas"),
        ("3.081,00", ".", "pass --decimal-comma if the file has decimal commas"),
        ("0.500", ",", "remove --decimal-comma if the file has decimal points"),
        ("3,081.00", ".", "write numbers without separators of thousands"),
        ("1_000", ".", "fix the value, or pass it as --na if that means a missing"),
    ],
)
def test_what_to_do_about_a_text_in_a_numeric_column(refused, value, decimal, remedy):
    message = refused(f"y;s\n1;{value}\n0;1\n", decimal=decimal)
    start = f"`s` must hold numbers, got {value!r} in line 2 of f.csv; {remedy}"
    assert message.startswith(start)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("y,s\n1,2\n3\n", "cannot read f.csv: line 3 has 1 field, but the header has 2"),
        ('y,s\n1,"2\n', "cannot read f.csv: line 2 opens a quoted value that is never cl"),
        ('"y,s\n1,2\n', "f.csv has no column 'y'; its columns are 'y,s\\n1,2\\n'"),
        (f"{'y' * 200_000},s\n1,2\n", "cannot read f.csv: the first line must hold column"),
        (f"{'y' * 2_000_001},s\n1,2\n", "cannot read f.csv: line 1 must have at most 2,00"),
        (f"y,s\n{'1' * 2_000_001}", "cannot read f.csv: line 2 must have at most 2,000,00"),
        (
            "y,s\n" + "1,2\n" * 3_000 + "1" * 2_000_001,
            "cannot read f.csv: line 3002 must have at most 2,000,00",
        ),
        (
            b"\0\1,\n\0",
            "cannot read f.csv: line 1 must be text, but holds NUL bytes; it",
        ),
    ],
)
def test_broken_text_has_a_short_error(refused, content, message):
    found = refused(content)
    assert found.startswith(message)
    assert len(found) < 400


def test_many_columns(read):
    names = [f"c{number}" for number in range(2_000)]
    rows = "".join(f"{row % 2},{row / 7!r}{',1' * len(names)}\n" for row in range(20))
    columns, _ = read(f"y,s,{','.join(names)}\n{rows}")
    assert columns["s"] == [row / 7 for row in range(20)]


def test_a_line_of_damaged_text_is_not_found():
    """DuckDB reads on where Python sees the damage."""
    Path("f.csv").write_bytes(b"y,s\n1,\xff\n")
    assert find_line(InputFile("f.csv", "f.csv"), Header(",", ("y", "s")), 10_000) == ""


@pytest.mark.parametrize("name", ["row", "value", "file", "is_bad", "s"])
def test_the_first_wrong_value_is_found_in_a_column_of_any_name(refused, name):
    Path("p-1.csv").write_text(f"y,{name}\n1,1\n0,2\n")
    Path("p-2.csv").write_text(f"y,{name}\n1,1\n0,x\n1,z\n")
    message = refused(None, name="p-*.csv", numbers=[name])
    assert message.startswith(f"`{name}` must hold numbers, got 'x' in line 3 of p-2.csv; ")


@pytest.mark.parametrize("name", ["f.csv", "f.csv.gz"])
@pytest.mark.parametrize("start", ["\n", "\r\n", "\ufeff\n", " \n", "\n\n"])
def test_an_empty_first_line_is_refused(refused, name, start):
    content = f"{start}y,s\n1,2\n0,1\n".encode()
    content = gzip.compress(content) if name.endswith("gz") else content
    assert refused(content, name=name) == (
        f"cannot read {name}: the first line must hold column names, but it is empty; "
        "remove it, so that the file starts with its header"
    )


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("separator", [";", ",", "\t"])
def test_a_line_for_excel_is_no_header(refused, separator, mark):
    rows = f"{mark}sep={separator}\ny{separator}s\n1{separator}2\n"
    assert refused(rows) == (
        "cannot read f.csv: the first line must hold column names, got "
        f"{'sep=' + separator!r}, which tells Excel the separator; remove this line"
    )
