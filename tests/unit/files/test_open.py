"""Files of every kind, options that go with them, and what a reader returns."""

import contextlib
import io
import sqlite3
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import polars as pl
import pytest

from capcurve import CapcurveError
from capcurve._files.delimited import Source
from capcurve._files.header import read_names
from capcurve._files.open import (
    open_file,
    read_table,
)

SOURCE = Source("f.csv", ["y"], ["s"], ["k"])


@pytest.fixture(autouse=True)
def file():
    with open("f.csv", "w") as file:  # noqa: PTH123 -- the folder is the working one
        file.write("y,s,k\n1,0.5,a\n0,n/a,NA\n0,,b\n")


@pytest.mark.parametrize(
    "limit", ["-1", "200%", "0GB", "lots", "5 lots", "", "none", "0.0 MB", "-2GB"]
)
def test_a_memory_limit_is_a_size(limit):
    with pytest.raises(CapcurveError) as caught, open_file(SOURCE, limit):
        pass
    expected = (
        f"--memory-limit must be a size such as 2GB or 500MB, got {limit!r}; "
        "pass a number with its unit"
    )
    assert str(caught.value) == expected


@pytest.mark.parametrize("limit", ["200MB", "0.5GB", " 1 GiB"])
def test_sizes_are_memory_limits(limit):
    with open_file(SOURCE, limit) as opened:
        assert opened.relation.fetchall() == [
            (1, 0.5, "a"),
            (0, None, "NA"),
            (0, None, "b"),
        ]


@pytest.mark.parametrize("read_again", [False, True])
def test_a_relation_comes_with_the_words_met(read_again):
    with open_file(SOURCE, read_again=read_again) as opened:
        assert [str(kind) for kind in opened.relation.types] == [
            "BIGINT",
            "DOUBLE",
            "VARCHAR",
        ]
        assert len(opened.relation.fetchall()) == 3
        assert opened.missing_words == {"s": {"": 1, "n/a": 1}}
    table, words, *_ = read_table(SOURCE)
    assert words == {"s": {"": 1, "n/a": 1}}
    assert table["s"].to_pylist() == [0.5, None, None]


def test_added_words_are_counted_in_keys_too():
    Path("f.csv").write_text("y,s,k,g\n1,0.5,NA,\n0,0.4,,b\n0,0.3, na ,a\n0,NA,a,a\n")
    source = Source("f.csv", ["y"], ["s"], ["k", "g"], missing=["NA"])
    found = read_table(source)
    assert found.missing_words == {"s": {"NA": 1}, "k": {"": 1, "NA": 1, "na": 1}}
    assert found.table["k"].to_pylist() == [None, None, None, "a"]
    assert read_table(replace(source, missing=())).missing_words == {"s": {"NA": 1}}


def test_words_are_counted_in_text_files_alone():
    duckdb.sql("select 1 as y, null as s, 'a' as k").write_parquet("f.parquet")
    assert read_table(Source("f.parquet", ["y"], ["s"], ["k"])).missing_words == {}
    query = "select y, s, k from data where k <> 'b'"
    asked = read_table(Source("f.csv", ["y"], ["s"], ["k"], query=query))
    assert asked.missing_words == {}


def test_standard_input_in_another_encoding(monkeypatch):
    content = io.TextIOWrapper(io.BytesIO("y;s;k\n1;0,5;ä\n".encode("cp1252")))
    monkeypatch.setattr("sys.stdin", content)
    source = Source("-", ["y"], ["s"], ["k"], decimal=",", encoding="cp1252")
    assert read_table(source).table["k"].to_pylist() == ["ä"]


def test_standard_input_that_is_closed(monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(CapcurveError, match="stdin must hold the file, but it is closed"):
        read_table(Source("-", ["y"], ["s"]))


def test_the_month_of_a_row_does_not_depend_on_the_zone_of_the_machine(monkeypatch):
    late = datetime(2025, 1, 31, 23, 30, tzinfo=UTC)
    times = [late, late + timedelta(hours=1)]
    pl.DataFrame({"y": [0, 1], "s": [1, 2], "t": times}).write_parquet("f.parquet")
    query = "select y, s, month(t) as m from data"
    for zone in ("UTC", "America/New_York", "Asia/Tokyo"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        found = read_table(Source("f.parquet", ["y"], ["s"], ["m"], query=query))
        assert found.table.column("m").to_pylist() == [1, 2]
    monkeypatch.undo()
    time.tzset()


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet", "duckdb", "sqlite"])
@pytest.mark.parametrize("folder", ["s=9", "year=2024"])
@pytest.mark.parametrize("asked", [False, True])
def test_a_folder_is_no_column(ending, folder, asked):
    """Whatever the layout of Hive says."""
    Path(folder).mkdir()
    name = f"{folder}/f.{ending}"
    rows = (
        "select 1 as y, 0.5::double as s union all select 0, 0.25::double order by y desc"
    )
    if ending == "sqlite":
        with contextlib.closing(sqlite3.connect(name)) as connection:
            connection.execute("create table t (y, s)")
            connection.execute("insert into t values (1, 0.5), (0, 0.25)")
            connection.commit()
    elif ending == "duckdb":
        with duckdb.connect(name) as connection:
            connection.execute(f"create table t as {rows}")
    else:
        form = "format json" if ending == "jsonl" else f"format {ending}"
        duckdb.sql(f"copy ({rows}) to '{name}' ({form})")
    table = "t" if ending in ("duckdb", "sqlite") else "data"
    query = f"select * from {table}" if asked else None  # noqa: S608 -- ours
    source = Source(name, ["y"], ["s"], query=query)
    assert read_table(source).table.to_pydict() == {"y": [1, 0], "s": [0.5, 0.25]}
    assert read_names(source) == ["y", "s"]
    with pytest.raises(CapcurveError, match="has no column 'year'"):
        read_table(Source(name, ["y"], ["year"], query=query))
