"""Files without rows among several are found, and named."""

import gzip
from pathlib import Path

import polars as pl

from capcurve._files.rowless import find_rowless

HEADER = '"y",s,"of\ntwo lines"\n'


def test_files_without_rows_are_found():
    for name, content in {
        "a.csv": f"{HEADER}1,2,3\n",
        "b.csv": HEADER,
        "c.csv": f"{HEADER}\n\n",
        "d.csv": f"{HEADER}\n0,1,2",
        "e.csv": HEADER.strip(),
    }.items():
        Path(name).write_text(content)
    Path("f.csv.gz").write_bytes(gzip.compress(HEADER.encode()))
    assert find_rowless(["*.csv", "f.csv.gz"], "utf-8") == [
        *("b.csv", "c.csv", "e.csv", "f.csv.gz")
    ]
    assert find_rowless(["b.csv"], "utf-8") == []  # which is an error
    assert find_rowless(["-"], "utf-8") == []


def test_files_of_other_kinds():
    pl.DataFrame({"y": [1]}).write_parquet("a.parquet")
    pl.DataFrame({"y": [1]}).clear().write_parquet("b.parquet")
    assert find_rowless(["*.parquet"], "utf-8") == ["b.parquet"]
    for name in "ab":
        Path(f"{name}.csv").write_text("y,s\n", encoding="utf-16")
        Path(f"{name}.jsonl").write_text('{"y": 1}\n')
    assert find_rowless(["*.csv"], "utf-16") == ["a.csv", "b.csv"]
    assert find_rowless(["*.csv"], "utf-8") == []  # who reads it names the encoding
    assert find_rowless(["*.jsonl"], "utf-8") == []
