"""The table of a meaning in every container that a door takes."""

from __future__ import annotations

import csv
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import ibis
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from doors.meanings import Column, Levels, Meaning


def make_array(column: Column) -> Any:
    """Make an array; a categorical is one of pandas, as scikit-learn's users have it."""
    if isinstance(column, Levels):
        return make_pandas_column(column)
    return np.array([np.nan if value is None else value for value in column])


def make_pandas(meaning: Meaning) -> pd.DataFrame:
    return pd.DataFrame(
        {name: make_pandas_column(column) for name, column in meaning.columns.items()}
    )


def make_pandas_column(column: Column) -> Any:
    if isinstance(column, Levels):
        ordered = column.names is not None
        names = column.names or column.arranged
        return pd.Categorical(column.cells, categories=names, ordered=ordered)
    return pd.Series(column)


def make_polars(meaning: Meaning) -> pl.DataFrame:
    return pl.DataFrame(
        [make_polars_column(name, column) for name, column in meaning.columns.items()]
    )


def make_polars_column(name: str, column: Column) -> pl.Series:
    if not isinstance(column, Levels):
        return pl.Series(name, column)
    texts = list(map(str, column.cells))
    names = column.names
    dtype = pl.Categorical() if names is None else pl.Enum(list(map(str, names)))
    return pl.Series(name, texts, dtype=dtype)


def make_arrow(meaning: Meaning) -> pa.Table:
    return pa.table(
        {name: make_arrow_column(column) for name, column in meaning.columns.items()}
    )


def make_arrow_column(column: Column) -> pa.Array:
    if not isinstance(column, Levels):
        return pa.array(column)
    names = list(column.names or column.arranged or dict.fromkeys(column.cells))
    codes = pa.array([names.index(value) for value in column.cells], pa.int32())
    ordered = column.names is not None
    return pa.DictionaryArray.from_arrays(codes, pa.array(names), ordered=ordered)


def make_lazy(meaning: Meaning) -> pl.LazyFrame:
    return make_polars(meaning).lazy()


def make_relation(meaning: Meaning) -> duckdb.DuckDBPyRelation:
    """Make a relation of DuckDB, in which an enum declares an order."""
    relation = duckdb.from_arrow(make_plain_arrow(meaning))
    for name, column in meaning.columns.items():
        if isinstance(column, Levels) and column.names:
            names = ", ".join(f"'{level}'" for level in column.names)
            enum = f'cast(cast("{name}" as varchar) as enum({names})) as "{name}"'
            relation = relation.project(f"* replace ({enum})")
    return relation


def make_ibis(meaning: Meaning) -> ibis.Table:
    return ibis.memtable(make_plain_arrow(meaning))


def make_plain_arrow(meaning: Meaning) -> pa.Table:
    """Make an Arrow table that holds categories as the numbers or texts that they are."""
    return pa.table({name: list_values(it) for name, it in meaning.columns.items()})


def list_values(column: Column) -> list[Any]:
    return column.cells if isinstance(column, Levels) else column


def write_csv(meaning: Meaning, folder: Path) -> Path:
    columns = {name: list_values(column) for name, column in meaning.columns.items()}
    path = folder / "rows.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path


def write_parquet(meaning: Meaning, folder: Path) -> Path:
    path = folder / "rows.parquet"
    pq.write_table(make_arrow(meaning), path)
    return path


def write_sqlite(meaning: Meaning, folder: Path) -> Path:
    columns = {name: list_values(column) for name, column in meaning.columns.items()}
    path = folder / "rows.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"create table loans ({', '.join(columns)})")
        marks = ", ".join("?" * len(columns))
        rows = zip(*columns.values(), strict=True)
        connection.executemany(f"insert into loans values ({marks})", rows)  # noqa: S608
    return path
