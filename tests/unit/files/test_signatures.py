"""Files whose name says text, but whose bytes are of another format."""

import bz2
import contextlib
import gzip
import io
import lzma
import sqlite3
import zipfile
from pathlib import Path

import duckdb
import polars as pl
import pytest

from capcurve import CapcurveError
from capcurve._files.delimited import Source
from capcurve._files.header import read_names
from capcurve._files.paths import InputFile
from capcurve._files.signatures import refuse_other_formats

CONTENT = b"y,s\n1,2\n0,1\n"


def compress_with_zstd(path):
    rows = "select 1 as y, 2 as s union all select 0, 1 order by y desc"
    duckdb.sql(f"copy ({rows}) to '{path}' (format csv, compression zstd)")
    return Path(path).read_bytes()


def compress_with_zip():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("f.csv", CONTENT)
    return file.getvalue()


def write_parquet():
    file = io.BytesIO()
    pl.DataFrame({"y": [0, 1], "s": [1.0, 2.0]}).write_parquet(file)
    return file.getvalue()


def write_sqlite():
    with contextlib.closing(sqlite3.connect("f.sqlite")) as connection:
        connection.execute("create table t (y, s)")
        connection.commit()
    return Path("f.sqlite").read_bytes()


def write_duckdb():
    with duckdb.connect("f.duckdb") as connection:
        connection.execute("create table t as select 1 as y, 2 as s")
    return Path("f.duckdb").read_bytes()


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (lambda: gzip.compress(CONTENT), "gzip compressed; end its name in .gz, or decomp"),
        (lambda: compress_with_zstd("f.zst"), "zstd compressed; end its name in .zst, or"),
        (lambda: bz2.compress(CONTENT), "bzip2 compressed; decompress it"),
        (lambda: lzma.compress(CONTENT), "xz compressed; decompress it"),
        (compress_with_zip, "a zip archive or an Excel workbook; unpack it, or save the"),
        (write_parquet, "a Parquet file; end its name in .parquet"),
        (write_sqlite, "a SQLite database; end its name in .sqlite, and name its table as"),
        (write_duckdb, "a DuckDB database; end its name in .duckdb, and name its table as"),
    ],
    ids=["gzip", "zstd", "bzip2", "xz", "zip", "parquet", "sqlite", "duckdb"],
)
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_other_formats_are_named(refused, write, message, encoding):
    found = refused(write(), encoding=encoding)
    assert found.startswith("cannot read f.csv: it must be text, got ")
    assert message in found


def test_text_may_start_like_another_format(read):
    for name in ("PAR1", "BZh91", "PK"):
        columns, _ = read(f"{name},y,s\n0,1,2\n", keys=[name])
        assert columns == {name: ["0"], "y": [1], "s": [2]}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "f.csv.gz",
            "compressed by gzip, as its name says, but starts with other",
        ),
        (
            "f.csv.zst",
            "compressed by zstd, as its name says, but starts with other",
        ),
        (
            "f.parquet",
            "a Parquet file, as its name says, but starts with other",
        ),
        ("f.pq", "a Parquet file, as its name says"),
        ("f.sqlite", "a SQLite database, as its name says, but starts with other bytes; "),
        ("f.ddb", "a DuckDB database, as its name says, but starts with other bytes; c"),
        ("f.db", "a SQLite or a DuckDB database, as its name says, but starts with other"),
    ],
)
def test_text_under_the_name_of_another_format_is_named(refused, name, message):
    found = refused(CONTENT, name=name)
    assert found.startswith(f"cannot read {name}: it must be {message}")


@pytest.mark.parametrize(
    "name", ["f.sqlite", "f.db", "f.duckdb", "f.parquet", "f.jsonl", "f.ndjson"]
)
def test_an_empty_file_is_called_that(refused, name):
    expected = f"cannot read {name}: the file is empty; pass one with rows"
    assert refused("", name=name) == expected
    with pytest.raises(CapcurveError) as caught:
        read_names(Source(name, ["y"], ["s"]))
    assert str(caught.value) == expected


@pytest.mark.parametrize("write", [write_sqlite, write_duckdb])
@pytest.mark.parametrize("name", ["g.sqlite", "g.duckdb", "g.db"])
def test_the_bytes_of_a_database_decide(read, write, name):
    rows = read(write(), name=name, query="select 1 as y, 2 as s")[0]
    assert rows == {"y": [1], "s": [2]}


def test_stdin_has_no_name_to_change(tmp_path):
    path = tmp_path / "stdin.csv"
    path.write_bytes(b"SQLite format 3\0" + bytes(100))
    with pytest.raises(CapcurveError) as caught:
        refuse_other_formats(InputFile("stdin", str(path)))
    assert str(caught.value) == (
        "cannot read stdin: it must be text, JSON lines or Parquet, got a SQLite database; "
        "write it to a file that ends in .sqlite, and name its table as --table"
    )


@pytest.mark.parametrize("ending", ["txt", "csv", "tsv"])
@pytest.mark.parametrize("start", ['{"y":0,"s":1}', '\n { "y": 0}'])
def test_json_lines_under_another_name_are_named(ending, start):
    Path(f"f.{ending}").write_text(start, encoding="utf-8")
    with pytest.raises(CapcurveError) as caught:
        read_names(Source(f"f.{ending}", ["y"], ["s"]))
    told = "its first line must be a header, got JSON"
    assert str(caught.value) == (f"cannot read f.{ending}: {told}; end its name in .jsonl")
    with pytest.raises(CapcurveError) as caught:
        refuse_other_formats(InputFile("stdin", f"f.{ending}"))
    assert str(caught.value) == (
        f"cannot read stdin: {told}; write it to a file that ends in .jsonl"
    )


@pytest.mark.parametrize("header", ["{y},s", "{", "y,{s"])
def test_a_header_with_a_brace_is_one(header):
    Path("f.csv").write_text(f"{header}\n1,2\n", encoding="utf-8")
    assert read_names(Source("f.csv", ["y"], ["s"])) == header.split(",")
