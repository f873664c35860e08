"""Tables of SQLite and DuckDB files."""

import contextlib
import functools
import sqlite3
from pathlib import Path

import duckdb
import pytest

from capcurve._files.delimited import Source
from capcurve._files.open import open_file, read_table


def store(rows, columns="y, s"):
    with contextlib.closing(sqlite3.connect("f.sqlite")) as connection:
        connection.execute(f"create table t ({columns})")
        marks = ", ".join("?" * len(rows[0]))
        connection.executemany(f"insert into t values ({marks})", rows)  # noqa: S608
        connection.commit()


def test_values_of_sqlite_are_exact(read):
    values = [2**63 - 1, 2**63 - 2, None]
    store([(1, value) for value in values])
    columns, words = read(None, name="f.sqlite")
    assert columns["s"] == values
    assert words == {"s": {"": 1}}


def test_names_and_texts_of_sqlite_may_have_line_breaks(read):
    store([(1, 0.1, "a\r\nb"), (0, 0.2, 'c\n"d"')], 'y, s, "k\nl"')
    columns, _ = read(None, name="f.sqlite", keys=["k\nl"])
    assert columns["s"] == [0.1, 0.2]
    assert [text.replace("\r", "") for text in columns["k\nl"]] == ["a\nb", 'c\n"d"']


def test_errors_of_sqlite_name_the_row(refused):
    store([(1, 1), (0, "x")])
    message = refused(None, name="f.sqlite")
    assert message.startswith("`s` must hold numbers, got 'x' in data row 2 of f.sqlite; ")
    message = refused(None, name="f.sqlite", query="selec 1")
    start = "--query must be a SELECT that SQLite can run, got "
    assert message == (
        f"{start}'selec 1'; correct what SQLite says: near \"selec\": syntax error"
    )
    message = refused(None, name="f.sqlite", query="select y, s from missing")
    assert message.endswith("says: no such table: missing; its tables are 't'")
    damaged = b"SQLite format 3\0" + b"x" * 2_000
    for query in (None, "select y, s from t"):
        assert refused(damaged, name="bad.sqlite", query=query) == (
            "cannot read bad.sqlite: file is not a database; check or restore it"
        )
    with contextlib.closing(sqlite3.connect("f.sqlite")) as connection:
        connection.execute("create table u (y)")
    message = refused(None, name="f.sqlite", table="x")
    assert message.endswith("it has no table 'x'; its tables are 't', 'u'")


@pytest.mark.slow
def test_a_database_that_is_written_to_is_named(refused):
    store([(1, 1)])
    with contextlib.closing(sqlite3.connect("f.sqlite")) as writer:
        writer.execute("begin exclusive")
        for query in (None, "select y, s from t"):
            assert refused(None, name="f.sqlite", query=query) == (
                "cannot read f.sqlite: database is locked; close the program that writes "
                "to it"
            )


def test_one_database_is_read_at_a_time(refused):
    for name in ("a.duckdb", "b.duckdb"):
        with duckdb.connect(name) as connection:
            connection.execute("create table t as select 1 as y, 2 as s")
    message = refused(None, name="*.duckdb")
    assert message == "*.duckdb must be one database file, got 2 files; name one"


def test_an_unfinished_write_to_a_duckdb_file_is_read(read):
    writer = duckdb.connect("f.duckdb")
    writer.execute("create table t as select 1 as y, 2 as s")
    writer.execute("set checkpoint_threshold = '1TB'")
    writer.execute("checkpoint")
    writer.execute("insert into t values (0, 3)")
    try:
        import shutil

        shutil.copy("f.duckdb", "g.duckdb")
        shutil.copy("f.duckdb.wal", "g.duckdb.wal")
    finally:
        writer.close()
    assert read(None, name="g.duckdb")[0] == {"y": [1, 0], "s": [2, 3]}


def test_a_null_character_in_a_query(refused):
    store([(1, 1)])
    message = refused(None, name="f.sqlite", query="select y, s from t\0")
    assert message.startswith("--query must be one SELECT that reads nothing but f.sqlite")


class Interrupted(sqlite3.Connection):
    """SQLite is told to stop as soon as it asks."""

    def set_progress_handler(self, _, steps):
        super().set_progress_handler(lambda: 1, steps)


def test_an_interrupt_within_sqlite_is_an_interrupt(read, monkeypatch):
    store([(1, 1)])
    query = (
        "with recursive n(i) as (select 1 union all select i + 1 from n) "
        "select max(i) as y, 1 as s from n"
    )
    connect = functools.partial(sqlite3.connect, factory=Interrupted)
    monkeypatch.setattr("sqlite3.connect", connect)
    with pytest.raises(KeyboardInterrupt):
        read(None, name="f.sqlite", query=query)


@pytest.mark.parametrize("name", ["f.sqlite", "f.db"])
def test_damaged_sqlite_files_are_refused(name, refused):
    content = b"SQLite format 3\x00" + bytes(100)
    assert refused(content, name=name).startswith(f"cannot read {name}: ")


def test_columns_of_duckdb_keep_their_types():
    with duckdb.connect("f.ddb") as connection:
        connection.execute("create table t as select true as y, 0.5::float as s, 'NA' as k")
    table, words, *_ = read_table(Source("f.ddb", ["y"], ["s"], ["k"]))
    assert list(map(str, table.schema.types)) == ["bool", "float", "string"]
    assert (table["k"].to_pylist(), words) == (["NA"], {})


def test_tables_of_every_schema_are_read(read, refused):
    with duckdb.connect("f.duckdb") as connection:
        connection.execute("create schema a; create table a.t as select 1 as y, 2 as s")
    assert read(None, name="f.duckdb")[0] == {"y": [1], "s": [2]}
    assert refused(None, name="f.duckdb", table="t") == (
        "cannot read f.duckdb: it has no table 't'; its tables are 'a.t'"
    )
    with duckdb.connect("f.duckdb") as connection:
        connection.execute("create table t as select 0 as y, 3 as s")
    assert refused(None, name="f.duckdb") == (
        "cannot read f.duckdb: name a table with --table; its tables are 'a.t', 't'"
    )
    for name, expected in {"t": {"y": [0], "s": [3]}, "a.t": {"y": [1], "s": [2]}}.items():
        assert read(None, name="f.duckdb", table=name)[0] == expected


def test_views_are_read_by_their_names(read, refused):
    with duckdb.connect("f.duckdb") as connection:
        connection.execute("create schema a; create table a.t as select 1 as y, 2 as s")
        connection.execute("create view v as select y, s + 1 as s from a.t")
        connection.execute("create view a.v as select y, s + 2 as s from a.t")
    store([(0, 4)])
    with contextlib.closing(sqlite3.connect("f.sqlite")) as connection:
        connection.execute("create view v as select y, s + 1 as s from t")
    assert read(None, name="f.duckdb", table="v")[0] == {"y": [1], "s": [3]}
    assert read(None, name="f.duckdb", table="a.v")[0] == {"y": [1], "s": [4]}
    assert read(None, name="f.sqlite", table="v")[0] == {"y": [0], "s": [5]}
    # The only table is read without its name, views aside.
    assert read(None, name="f.duckdb")[0] == {"y": [1], "s": [2]}
    assert read(None, name="f.sqlite")[0] == {"y": [0], "s": [4]}
    assert refused(None, name="f.duckdb", table="x") == (
        "cannot read f.duckdb: it has no table 'x'; its tables are 'a.t', 'a.v', 'v'"
    )


def test_the_only_view_needs_no_name(read):
    with duckdb.connect("f.duckdb") as connection:
        connection.execute("create view v as select 1 as y, 2 as s")
    assert read(None, name="f.duckdb")[0] == {"y": [1], "s": [2]}


def test_the_rows_of_a_view_are_drawn_once():
    with duckdb.connect("f.duckdb") as connection:
        connection.execute(
            "create view v as select 1 as y, random() as s, current_setting('threads') as k"
        )
    with open_file(Source("f.duckdb", ["y"], ["s"], ["k"], table="v")) as opened:
        first, again = (opened.relation.fetchall() for _ in range(2))
    assert first == again
    assert first[0][2] == 1


def test_views_that_cannot_be_read_are_named(refused):
    Path("g.csv").write_text("y,s\n1,2\n", encoding="utf-8")
    with duckdb.connect("f.duckdb") as connection:
        connection.execute("create view v as select * from read_csv('g.csv')")
        connection.execute("create table t (y int, s int)")
        connection.execute("create view w as select * from t; drop table t")
    assert refused(None, name="f.duckdb", table="v") == (
        'cannot read f.duckdb: its view "main"."v" must read tables of this file alone, '
        "but reads something else; store its rows as a table"
    )
    assert refused(None, name="f.duckdb", table="w") == (
        'cannot read f.duckdb: its view "main"."w" cannot be run: Catalog Error: Table '
        "with name t does not exist!; create it again"
    )


def test_a_database_without_tables(refused):
    with contextlib.closing(sqlite3.connect("f.sqlite")) as connection:
        connection.execute("create table t (y)")
        connection.execute("drop table t")
    duckdb.connect("f.duckdb").close()
    for name in ("f.sqlite", "f.duckdb"):
        for table in (None, "t"):
            assert refused(None, name=name, table=table) == (
                f"cannot read {name}: it has no tables; load or restore them"
            )
        message = refused(None, name=name, query="select y, s from t")
        assert message.endswith("; it has no tables")
