"""A query is one SELECT that reads the named file: no other file, no network, no change."""

import contextlib
import socket
import sqlite3
import sys
import tempfile
from pathlib import Path

import duckdb
import pytest

from capcurve import CapcurveError
from capcurve._files.delimited import Source
from capcurve._files.open import open_file, read_table
from capcurve._files.paths import InputFile
from capcurve._files.query import close_connection

FILES = ("f.csv", "f.parquet", "f.jsonl", "f.duckdb", "f.sqlite")
TABLES = dict(zip(FILES, ("data", "data", "data", "t", "t"), strict=True))


@pytest.fixture
def files():
    """Write a file of every kind, one that a query must not read, and guard the network."""
    Path("f.csv").write_text("y,s\n1,2\n0,1\n")
    Path("other.csv").write_text("y,s\n5,5\n")
    rows = duckdb.sql("select * from 'f.csv'")
    rows.write_parquet("f.parquet")
    Path("f.jsonl").write_text('{"y":1,"s":2}\n{"y":0,"s":1}\n')
    with duckdb.connect("f.duckdb") as connection:
        connection.execute("create table t as select * from 'f.csv'")
        connection.execute("create view beyond as select * from read_csv('other.csv')")
    with contextlib.closing(sqlite3.connect("f.sqlite")) as connection:
        connection.execute("create table t (y, s)")
        connection.execute("insert into t values (1, 2), (0, 1)")
        connection.commit()
    return {path.name: path.read_bytes() for path in Path().iterdir()}


@pytest.fixture
def calls(monkeypatch):
    """Listen where a query could go, and fail where Python opens a socket."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.01)

        def fail(*_, **__):
            raise AssertionError("a socket was opened")

        for name in ("socket", "create_connection", "getaddrinfo"):
            monkeypatch.setattr(socket, name, fail)
        yield server
        with pytest.raises(TimeoutError):
            server.accept()


def ask(name, query):
    return read_table(Source(name, ["y"], ["s"], query=query)).table.to_pydict()


COMMANDS = (
    *("", "  ;", "-- nothing", "select y, s from {t}; select y, s from {t}"),
    "select 1 as y, 2 as s; drop table {t}",
    "attach database 'out.db' as out",
    "create table out as select * from {t}",
    "create temp table out as select * from {t}",
    "insert into {t} values (1, 1)",
    "delete from {t}",
    "drop table {t}",
    "pragma database_list",
    "begin",
)
DUCKDB_ONLY = (
    "copy {t} to 'out.csv'",
    "export database 'out'",
    "install httpfs",
    "load './out.duckdb_extension'",
    "set enable_external_access = true",
    "call pragma_database_list()",
    "select y, s from 'other.csv'",
    "select y, s from read_csv('other.csv')",
    "select y, s from read_csv('f.csv')",
    "with a as (select * from read_text('/etc/hostname')) select 1 as y, 2 as s from a",
    "select y, (select count(*) from glob('/*')) as s from {t}",
    "select y, s from {t} where s in (select size from read_blob('other.csv'))",
    "select y, s from query('select 1 as y, 2 as s')",
    "select 1 as y, count(*) as s from duckdb_settings()",
    "select y, s from 'http://127.0.0.1:{port}/f.csv'",
    "select y, s from read_parquet('http://127.0.0.1:{port}/f.parquet')",
    "select y, s from 's3://bucket/f.parquet'",
)
SQLITE_ONLY = (
    "vacuum into 'out.db'",
    "pragma writable_schema = 1",
    "select y, s from {t}, pragma_database_list",
    "reindex",
)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["f.csv", "f.duckdb", "f.sqlite"])
def test_all_but_one_select_is_refused(files, calls, name):
    more = SQLITE_ONLY if name == "f.sqlite" else DUCKDB_ONLY
    for query in (*COMMANDS, *more):
        asked = query.format(t=TABLES[name], port=calls.getsockname()[1])
        with pytest.raises(CapcurveError) as caught:
            ask(name, asked)
        start = f"--query must be one SELECT that reads nothing but {name}, got "
        assert str(caught.value).startswith(start), query
        end = "; query the table `data`, or the tables of a database file"
        assert str(caught.value).endswith(end)
        assert {path.name: path.read_bytes() for path in Path().iterdir()} == files, query


@pytest.mark.parametrize("name", FILES)
def test_a_select_that_changes_rows_changes_none(files, name):
    query = "with a as (insert into {t} values (1, 1) returning *) select * from a"
    with pytest.raises(CapcurveError):
        ask(name, query.format(t=TABLES[name]))
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == files


@pytest.mark.usefixtures("files", "calls")
@pytest.mark.parametrize("name", ["f.parquet", "f.jsonl"])
def test_files_with_types_are_no_exception(name):
    for query in ("copy data to 'out.csv'", "select y, s from 'other.csv'"):
        with pytest.raises(CapcurveError, match="one SELECT that reads nothing but"):
            ask(name, query)


@pytest.mark.usefixtures("files", "calls")
@pytest.mark.parametrize("name", FILES)
def test_one_select_is_answered(name):
    table = TABLES[name]
    for query in (
        f"select y, s from {table} order by s desc",  # noqa: S608
        f"select * from {table} order by s desc -- a comment",  # noqa: S608
        f"with a as (select * from {table}) select max(y) as y, s from a group by s;",  # noqa: S608
    ):
        found = ask(name, query)
        assert sorted(zip(found["y"], found["s"], strict=True)) == [(0, 1), (1, 2)]


@pytest.mark.usefixtures("files", "calls")
def test_tables_may_be_made_of_arguments():
    query = "select y, r.range + unnest([1]) as s from data, range(2) as r order by y, s"
    assert ask("f.csv", query) == {"y": [0, 0, 1, 1], "s": [1, 2, 1, 2]}


@pytest.mark.usefixtures("files", "calls")
def test_a_view_of_the_file_reads_no_other_file():
    with pytest.raises(CapcurveError, match="one SELECT that reads nothing but"):
        ask("f.duckdb", "select y, s from beyond")


@pytest.mark.usefixtures("files")
def test_long_and_deep_queries_have_short_errors():
    deep = "select y, " + "abs(" * 700 + "s" + ")" * 700 + " as s from data"
    message = "--query must nest expressions less deeply, got hundreds of levels; split it"
    if sys.version_info < (3, 13):  # later ones go deeper
        with pytest.raises(CapcurveError, match=message):
            ask("f.csv", deep)
    deepest = deep.replace("abs(", "abs(abs(").replace(")", "))")
    with pytest.raises(CapcurveError, match="Max expression depth") as caught:
        ask("f.csv", deepest)
    assert len(str(caught.value)) < 1_000
    with pytest.raises(CapcurveError, match=r"x\.\.\.\"; query the table `data`"):
        ask("f.csv", f"copy data to '{'x' * 1_000}'")


def test_a_closed_connection_cannot_be_opened_again():
    Path("f.csv").write_text("y,s\n1,2\n")
    Path("g.csv").write_text("y,s\n1,2\n")
    Path("scratch").mkdir()
    with duckdb.connect() as connection:
        close_connection(connection, [InputFile("f.csv", "f.csv")], Path("scratch"))
        assert connection.execute("from 'f.csv'").fetchall() == [(1, 2)]
        for statement in (
            "from 'g.csv'",
            "set enable_external_access = true",
            "set autoinstall_known_extensions = true",
            "reset autoload_known_extensions",
            "set allowed_directories = ['/']",
            "install httpfs",
            "attach 'g.duckdb'",
        ):
            with pytest.raises(duckdb.Error):
                connection.execute(statement)


@pytest.mark.slow
def test_closed_connections_still_spill_to_disk(monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(Path().absolute()))
    duckdb.sql(
        "select (hash(i) % 20 = 0)::int as y, hash(i) / 1e19 as s, i::varchar as k "
        "from range(3_000_000) t(i)"
    ).write_parquet("f.parquet")
    source = Source("f.parquet", ["y"], ["s"], ["k"], query="select * from data order by k")
    with open_file(source, "120MB") as opened:
        opened.relation.create("stored")
        assert list(Path().glob("capcurve-*/spilled/*.tmp")) != []
        (found,) = opened.relation.aggregate("count(*), sum(y), max(s)").fetchall()
    expected = duckdb.sql("select count(*), sum(y), max(s) from 'f.parquet'").fetchall()
    assert [found] == expected


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("name", FILES)
def test_a_column_that_the_result_lacks_is_no_column_of_the_file(name):
    query = f"select y as outcom, s, 'y' as z from {TABLES[name]}"  # noqa: S608
    with pytest.raises(CapcurveError) as caught:
        ask(name, query)
    told = "the result of --query has no column 'y'; its columns are 'outcom', 's', 'z'"
    assert str(caught.value) == told
    source = Source(name, ["outcome"], ["s"], query=query)
    with pytest.raises(CapcurveError, match="lt of --query has no column 'outcome'; did y"):
        read_table(source)


@pytest.mark.usefixtures("files")
def test_what_duckdb_cannot_run_is_told_as_a_query():
    """The error is about the query, not about the file."""
    with pytest.raises(CapcurveError, match=r"dta does not exist!; its tables are 'data'$"):
        ask("f.csv", "select * from dta")
    with pytest.raises(CapcurveError, match=r"; its tables are 'beyond', 't'$"):
        ask("f.duckdb", "select * from dta")
    for query, reason in (
        ("select * frm data", "Parser Error: syntax error"),
        ("select * from dta", "Catalog Error: Table with name dta does not exist"),
        ("select nope from data", 'Binder Error: Referenced column "nope" not found'),
    ):
        with pytest.raises(CapcurveError) as caught:
            ask("f.csv", query)
        start = f"--query must be a SELECT that DuckDB can run, got {query!r}; correct what"
        assert str(caught.value).startswith(f"{start} DuckDB says: {reason}")


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("select default, round(s, 2) as s from data", '"default"'),
        ("select s from data where DEFAULT = 1", '"default"'),
        ("select group, s from data", '"Group"'),
        ("select default from data group by group", '"Group", "default"'),
        ("select s, asof from data", '"asof"'),
        ("select s from data where asof > 1", '"asof"'),
    ],
)
def test_columns_called_as_keywords_need_quotes(query, names):
    Path("f.csv").write_text("default,s,Group,asof\n1,2,a,3\n")
    with pytest.raises(CapcurveError) as caught:
        ask("f.csv", query)
    told = f"; a column whose name is a keyword of SQL needs double quotes: {names}"
    assert str(caught.value).endswith(told)


@pytest.mark.parametrize(
    "query",
    [
        'select "default" frm data',
        "select * frm data where s = 'default'",
        "select nope from data order by s, 'group'",
        "select nope from data order by s",
    ],
)
def test_other_errors_advise_no_quotes(query):
    Path("f.csv").write_text("default,s,order\n1,2,a\n")
    with pytest.raises(CapcurveError) as caught:
        ask("f.csv", query)
    assert "quotes" not in str(caught.value)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("name", "column", "told"),
    [
        ("f.csv", "('2022' || 'x')::bigint", "Conversion Error: Could not convert string "),
        ("f.parquet", "case when s = 1 then error('boom') end", "boom"),
        (
            "f.jsonl",
            "s::tinyint + 127::tinyint",
            "Out of Range Error: Overflow in addition",
        ),
        ("f.duckdb", "(select unnest([1, s]))", "More than one row returned by a subquery"),
        ("f.sqlite", "abs(-9223372036854775807 - s)", "integer overflow"),
    ],
)
def test_a_query_that_fails_while_it_runs_is_told_as_a_query(name, column, told):
    with pytest.raises(CapcurveError) as caught:
        ask(name, f"select y, {column} as s from {TABLES[name]}")  # noqa: S608 -- our own
    message = str(caught.value)
    assert message.startswith(f"--query failed on {name}: {told}")
    assert message.endswith("; correct it, or the values that it reads")


def test_a_file_that_fails_under_a_query_is_told_as_a_file():
    for name, content in {
        "f.csv": "y,s\n1,2\n0,1,3\n",
        "f.jsonl": '{"y":1,"s":2}\n{"y":0,\n',
    }.items():
        Path(name).write_text(content)
        with pytest.raises(CapcurveError, match=r"^cannot read f"):
            ask(name, "select y, s from data")
