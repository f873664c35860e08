"""Hashes are those of all bytes that rows come from."""

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

import duckdb

from capcurve._files.delimited import Source
from capcurve._files.open import read_table_and_origin

ROWS = [(1, 0.9), (0, 0.1), (1, 0.4), (0, 0.3)]


def read(path):
    table, origin = read_table_and_origin(Source(path, ["y"], ["s"]))
    return table.table.num_rows, {file["name"]: file["sha256"] for file in origin.files}


def hash_now(name):
    return hashlib.sha256(Path(name).read_bytes()).hexdigest()


def test_a_log_of_sqlite_is_hashed_with_its_database():
    with closing(sqlite3.connect("f.sqlite")) as writer:
        writer.execute("pragma journal_mode = wal")
        writer.execute("create table t (y integer, s real)")
        writer.executemany("insert into t values (?, ?)", ROWS)
        writer.commit()
        n_rows, first = read("f.sqlite")
        assert n_rows == len(ROWS)
        assert first == {name: hash_now(name) for name in ("f.sqlite", "f.sqlite-wal")}
        writer.execute("delete from t where s > 0.5")
        writer.commit()
        n_rows, second = read("f.sqlite")
        assert n_rows == len(ROWS) - 1
        assert second["f.sqlite"] == first["f.sqlite"]
        assert second["f.sqlite-wal"] != first["f.sqlite-wal"]
    assert read("f.sqlite")[1] == {"f.sqlite": hash_now("f.sqlite")}


def test_a_log_of_duckdb_is_hashed_with_its_database():
    writer = duckdb.connect("f.duckdb")
    writer.execute("create table t (y integer, s double)")
    writer.execute("checkpoint")
    writer.execute("pragma disable_checkpoint_on_shutdown")
    writer.executemany("insert into t values (?, ?)", ROWS)
    writer.close()
    assert Path("f.duckdb.wal").stat().st_size
    n_rows, found = read("f.duckdb")
    assert n_rows == len(ROWS)
    assert found == {name: hash_now(name) for name in ("f.duckdb", "f.duckdb.wal")}
