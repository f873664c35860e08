"""The same columns in every query engine, and rows to compare."""

import contextlib
import itertools
import sqlite3
from pathlib import Path

import dask.dataframe as dd
import duckdb
import ibis
import numpy as np
import pandas as pd
import polars as pl
import pytest

from capcurve.datasets import make_portfolio
from frame_constructors import columns_of

LOANS = make_portfolio(8_000)
LOANS["weight"] = np.where(LOANS["loan"] % 7 == 0, 0.0, LOANS["exposure"])
SQLFRAME, COUNTER = duckdb.connect(), itertools.count()
MARKS = [
    pytest.mark.engines,
    pytest.mark.filterwarnings("ignore:Dask support is moving:FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas"),
    pytest.mark.filterwarnings("ignore:XDG_RUNTIME_DIR is not set"),
]


def polars_lazy(table, _):
    return pl.from_arrow(table).lazy()


def duckdb_relation(table, _):
    return duckdb.connect().from_arrow(table)


def ibis_duckdb(table, _):
    return ibis.memtable(table)


def ibis_sqlite(table, _):
    name = f"rows_{next(COUNTER)}"
    with contextlib.closing(sqlite3.connect("rows.sqlite")) as connection:
        table.to_pandas().to_sql(name, connection, index=False)
    return ibis.sqlite.connect("rows.sqlite").table(name)


def dask_frame(table, _):
    frame = table.to_pandas(types_mapper=pd.ArrowDtype)
    return dd.from_pandas(frame, npartitions=3)


def sqlframe_duckdb(table, _):
    from sqlframe.duckdb import DuckDBSession

    # The session is one for all, with the first connection that it was given.
    session = DuckDBSession(conn=SQLFRAME)
    name = f"rows_{next(COUNTER)}"
    SQLFRAME.register("arrow", table)
    SQLFRAME.table("arrow").create(name)
    return session.table(name)


def ibis_postgres(table, request):
    name = f"rows_{next(COUNTER)}"
    return request.getfixturevalue("postgres").create_table(name, table)


def spark_connect(table, request):
    path = Path("connect.parquet").absolute()
    pl.from_arrow(table).write_parquet(path)
    return request.getfixturevalue("connect").read.parquet(str(path)).repartition(3)


def spark_classic(table, request):
    path = Path("rows.parquet").absolute()
    pl.from_arrow(table).write_parquet(path)
    return request.getfixturevalue("spark").read.parquet(str(path)).repartition(3)


ENGINES = {
    "polars": polars_lazy,
    "duckdb": duckdb_relation,
    "ibis": ibis_duckdb,
    "sqlite": ibis_sqlite,
    "postgres": ibis_postgres,
    "dask": dask_frame,
    "sqlframe": sqlframe_duckdb,
    "spark": spark_classic,
}


FURTHER = {"connect": spark_connect}  # the queries are those of Spark
FAST = ("polars", "duckdb")


def each_engine(cases, few, *, further=()):
    """Name the fast engines with every case, the others with what tells them apart."""
    cases = list(cases)
    some = dict.fromkeys(ENGINES, few) | dict.fromkeys(FAST, cases)
    some |= dict.fromkeys(FURTHER, further)
    return [
        pytest.param(name, *values, id="-".join(map(str, (name, *values))))
        for name, chosen in some.items()
        for values in (each if isinstance(each, tuple) else (each,) for each in chosen)
    ]


def text(key):
    """Write a key, a missing one the same way in every library."""
    return "None" if key is pd.NA else str(key)


def rows_of(frame, keys):
    columns = columns_of(frame)
    rows = zip(*columns.values(), strict=True)
    return {
        tuple(text(row[list(columns).index(key)]) for key in keys): dict(
            zip(columns, row, strict=True)
        )
        for row in rows
    }


def same(found, expected, keys):
    found, expected = rows_of(found, keys), rows_of(expected, keys)
    assert found.keys() == expected.keys()
    for key, row in expected.items():
        for name, value in row.items():
            if isinstance(value, float | int):
                assert found[key][name] == pytest.approx(value, rel=1e-12, nan_ok=True)
            else:
                assert text(found[key][name]) == text(value)
