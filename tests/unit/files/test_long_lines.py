"""Lines that are too long for DuckDB, which skips a last one of 60 MB without a word."""

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from capcurve import CapcurveError
from capcurve._files import compression, long_lines
from capcurve._files.delimited import Source
from capcurve._files.header import read_names
from capcurve._files.open import read_table

ROWS = "".join(f"{i % 2},{i},b\n" for i in range(1_000))
TOO_LONG = (
    "cannot read {}: line {} must have at most 2,000,000 bytes, got more; mend the line, "
    "whose end or closing quote may be missing"
)


def read(content, name="f.csv", **options):
    Path(name).write_bytes(content)
    return len(read_table(Source(name, ["y"], ["s"], **options)).table)


@pytest.mark.parametrize("size", [2_000_000, 60_000_000])
@pytest.mark.parametrize("after", ["", ROWS])
def test_a_long_line_is_named(size, after):
    content = f"y,s,t\n{ROWS}1,2,{'a' * size}\n{after}".encode()
    with pytest.raises(CapcurveError) as caught:
        read(content)
    assert str(caught.value) == TOO_LONG.format("f.csv", 1_002)


@pytest.mark.parametrize(
    ("name", "write", "options"),
    [
        ("f.csv.gz", lambda text: gzip.compress(text.encode()), {}),
        ("f.csv", lambda text: text.encode("utf-16"), {"encoding": "utf-16"}),
        ("f.csv", lambda text: text.replace("\n", "\r").encode(), {}),
    ],
)
def test_long_lines_of_every_kind_of_text(name, write, options):
    text = f"y,s,t\n{ROWS}1,2,{'a' * 3_000_000}\n"
    with pytest.raises(CapcurveError) as caught:
        read(write(text), name, **options)
    assert str(caught.value) == TOO_LONG.format(name, 1_002)


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_as_many_bytes_as_duckdb_takes_are_read(end):
    line = f"1,2,{'a' * 1_900_000}\n"
    assert read(f"y,s,t\n{ROWS}{line}{line}".replace("\n", end).encode()) == 1_002


@pytest.mark.parametrize("end", ["\n", "\r"])
def test_many_short_lines_are_no_long_one(end, monkeypatch):
    monkeypatch.setattr(compression, "BLOCK_SIZE", 64)
    monkeypatch.setattr(long_lines, "MAX_LINE", 100)
    assert read(f"y,s,t\n{ROWS}".replace("\n", end).encode()) == 1_000


def test_a_long_header_is_told_before_its_rows_are_read():
    Path("f.csv").write_text(f"y,s,{'a' * 3_000_000}\n1,2,3\n")
    with pytest.raises(CapcurveError, match=r"at most 2,000,000 bytes, got a longer one;"):
        read_names(Source("f.csv", ["y"], ["s"]))


def test_a_quoted_value_of_many_lines_is_a_long_line():
    value = "abcdefg\n" * 400_000
    with pytest.raises(CapcurveError) as caught:
        read(f'y,s,t\n{ROWS}1,2,"{value}"\n'.encode())
    assert str(caught.value) == TOO_LONG.format("f.csv", 1_002)


def test_a_long_text_of_a_database_loses_no_row():
    with closing(sqlite3.connect("f.sqlite")) as connection:
        connection.execute("create table t (y, s, t)")
        rows = [(i % 2, i, "a") for i in range(10)]
        connection.executemany("insert into t values (?, ?, ?)", rows)
        connection.execute("insert into t values (1, 1, ?)", ["a" * 60_000_000])
        connection.commit()
    with pytest.raises(CapcurveError) as caught:
        read_table(Source("f.sqlite", ["y"], ["s"]))
    assert str(caught.value) == (
        "cannot read f.sqlite: each row must have at most 2,000,000 bytes as text, got a "
        "longer one; leave the column of long values out by --query"
    )
    source = Source("f.sqlite", ["y"], ["s"], query="select y, s from t")
    assert len(read_table(source).table) == 11
