"""A query runs once, on one thread, and its rows have a hash that tells others apart."""

import hashlib
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from capcurve import CapcurveError
from capcurve._files.delimited import Source
from capcurve._files.open import open_file, read_table_and_origin
from capcurve._files.query_rows import explain_run

VALUES = """
    (null, 0.5::double, 1), ('a', null, 1), ('', null, null), ('a', 0.5, 1),
    ('a, "b",\nc', 0.5, 1)
"""

REPEATED, AMBIGUOUS = (
    "columns of the result of --query that are used must differ in more than upper and "
    f"lower case, got {name!r} and 's'; rename one of them"
    for name in "sS"
)


def hash_lines(lines):
    """Hash lines as a shell does with `LC_ALL=C sort | sha256sum`."""
    return hashlib.sha256("".join(f"{x}\n" for x in sorted(lines)).encode()).hexdigest()


@pytest.fixture
def source():
    duckdb.sql(f"from (values {VALUES}) t(k, s, y)").write_parquet("f.parquet")
    return Source("f.parquet", ["y"], ["s"], ["k"], query="from data")


def find_hash(source):
    return read_table_and_origin(source)[1].query["sha256"]


@pytest.mark.parametrize("order", ["k, s", "k desc, s desc", "s nulls first, k"])
def test_the_hash_is_that_of_sorted_lines_of_csv(source, order):
    lines = ['1,0.5,"a, ""b"",\nc"', '1,,"a"', '1,0.5,"a"', "1,0.5,", ',,""']
    asked = replace(source, query=f"from data order by {order}")
    assert find_hash(asked) == hash_lines(lines)
    assert find_hash(replace(asked, query="from data where false")) == hash_lines([])


@pytest.mark.parametrize(
    "query",
    [
        "select * replace (coalesce(k, '') as k) from data",
        "select * replace (s + 1e-12 as s) from data",
        "from data union all from data",
        "from data limit 4",
    ],
)
def test_other_rows_have_another_hash(source, query):
    assert find_hash(replace(source, query=query)) != find_hash(source)


def test_columns_that_are_not_read_do_not_matter(source):
    more = replace(source, query="select *, random() as more from data")
    assert find_hash(more) == find_hash(source)


FILES = ("f.csv", "f.parquet", "f.jsonl", "f.duckdb", "f.sqlite")


@pytest.fixture
def files():
    rows = duckdb.sql("select i % 2 as y, i as s from range(100) t(i)")
    rows.write_parquet("f.parquet")
    rows.write_csv("f.csv")
    duckdb.execute("copy (from 'f.parquet') to 'f.jsonl'")
    with duckdb.connect("f.duckdb") as connection:
        connection.execute("create table data as from 'f.parquet'")
    with closing(sqlite3.connect("f.sqlite")) as connection:
        connection.execute("create table data (y, s)")
        connection.executemany("insert into data values (?, ?)", rows.fetchall())
        connection.commit()


@pytest.mark.parametrize("name", FILES)
@pytest.mark.usefixtures("files")
def test_a_random_query_runs_once(name):
    """Rows that are scanned for their number, hash and values are the same."""
    draw = "select y, s + random() * 0 as s from data order by random() limit 10"
    found, origin = read_table_and_origin(Source(name, ["y"], ["s"], query=draw))
    rows = found.table.to_pydict()
    lines = [f"{y},{s}" for y, s in zip(rows["y"], rows["s"], strict=True)]
    assert origin.query["rows_after"] == len(lines) == 10
    assert origin.query["sha256"] == hash_lines(lines)
    assert origin.query["unrepeatable"] == ["random"]
    with open_file(Source(name, ["y"], ["s"], query=draw)) as opened:
        assert opened.relation.fetchall() == opened.relation.fetchall()


@pytest.mark.usefixtures("files")
def test_a_query_runs_on_one_thread():
    """The order of groups, and with it the last digits of sums, depends on the number."""
    query = "select y, current_setting('threads')::int as s from data limit 1"
    found, _ = read_table_and_origin(Source("f.csv", ["y"], ["s"], query=query))
    assert found.table["s"].to_pylist() == [1]


@pytest.mark.parametrize("name", FILES[:4])
@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("-s as s, s", REPEATED),
        ('-s as "S", s', AMBIGUOUS),
    ],
)
@pytest.mark.usefixtures("files")
def test_a_column_that_is_there_twice_is_refused_if_it_is_needed(name, columns, message):
    query = f"select y, {columns} from data"  # noqa: S608 -- ours
    with pytest.raises(CapcurveError) as caught:
        read_table_and_origin(Source(name, ["y"], ["s"], query=query))
    assert str(caught.value) == message
    found, _ = read_table_and_origin(Source(name, ["y"], [], query=query))
    assert found.table.column_names == ["y"]


@pytest.mark.usefixtures("files")
def test_sqlite_tells_upper_and_lower_case_apart():
    query = 'select y, -s as "S", s from data'
    found, _ = read_table_and_origin(Source("f.sqlite", ["y"], ["s"], query=query))
    assert found.table["s"].to_pylist() == list(range(100))
    with pytest.raises(CapcurveError, match=r"names 's' more than once; rename the dup"):
        read_table_and_origin(
            Source("f.sqlite", ["y"], ["s"], query="select y, s, -s as s from data")
        )


def test_numbers_that_a_query_leaves_as_text_are_refused():
    Path("f.csv").write_text("y,s\n1,007\n0,010\n0,\n")
    with pytest.raises(CapcurveError) as caught:
        read_table_and_origin(Source("f.csv", ["y"], ["s"], query="from data"))
    assert str(caught.value) == (
        "`s` must hold numbers, got text such as '007' from the --query; write s::double "
        "in it"
    )
    query = "select y, s::double as s from data"
    found, _ = read_table_and_origin(Source("f.csv", ["y"], ["s"], query=query))
    assert found.table["s"].to_pylist() == [7, 10, None]
    with pytest.raises(CapcurveError, match=r"add explicit type casts\.$"):
        read_table_and_origin(
            Source("f.csv", ["y"], ["s"], query="select y, -s as s from data")
        )


def test_text_of_a_query_that_is_no_number_is_left_to_who_reads_it():
    Path("f.csv").write_text("y,s,t\n1,A,007\n0,B,010\n")
    found, _ = read_table_and_origin(Source("f.csv", ["y"], ["s"], query="from data"))
    assert found.table["s"].to_pylist() == ["A", "B"]
    with pytest.raises(CapcurveError, match="`t` must hold numbers"):
        read_table_and_origin(Source("f.csv", ["y"], ["s", "t"], query="from data"))


@pytest.mark.parametrize(
    "told", ["CSV Error on Line: 3", "ZSTD Decompression failure", "TProtocolException: x"]
)
def test_what_is_wrong_with_a_file_is_left_to_who_names_it(told):
    with pytest.raises(duckdb.InvalidInputException, match=told), explain_run("f"):
        raise duckdb.InvalidInputException(told)
