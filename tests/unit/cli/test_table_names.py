"""A shell completes tables from the database that is already on the command line."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import duckdb
import pytest
from click.shell_completion import ShellComplete

from capcurve._cli.commands import capcurve


def complete(file, word):
    """Complete the name of a table of a file."""
    shell = ShellComplete(capcurve, {}, "capcurve", "_CAPCURVE_COMPLETE")
    return [item.value for item in shell.get_completions(["score", *file, "--table"], word)]


@pytest.mark.parametrize("name", ["f.sqlite", "f.db"])
def test_tables_of_sqlite(name):
    with closing(sqlite3.connect(name)) as connection:
        connection.execute("create table loans (y, s)")
        connection.execute("create view late as select * from loans")
        connection.commit()
    assert complete([name], "") == ["late", "loans"]
    assert complete([name], "lo") == ["loans"]


@pytest.mark.parametrize("name", ["f.duckdb", "f.db"])
def test_tables_of_duckdb(name):
    with duckdb.connect(name) as connection:
        connection.execute("create table loans (y int)")
        connection.execute("create schema old")
        connection.execute("create table old.loans (y int)")
        connection.execute("create view late as select * from loans")
    assert complete([name], "") == ["late", "loans", "old.loans"]


def test_other_files_offer_no_table(monkeypatch):
    Path("f.csv").write_text("y,s\n1,2\n", encoding="utf-8")
    Path("bad.duckdb").write_bytes(b"no database")
    Path("bad.sqlite").write_bytes(b"SQLite format 3\0 but no more")
    for name in ("f.csv", "bad.duckdb", "bad.sqlite", "none.duckdb"):
        assert complete([name], "") == []
    assert complete([], "") == []
    monkeypatch.setitem(sys.modules, "duckdb", None)
    assert complete(["f.csv"], "") == []
