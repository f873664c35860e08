"""Whole numbers beyond 64 bits and decimals of databases and Parquet files."""

from decimal import Decimal
from pathlib import Path

import duckdb
import numpy as np
import pytest

from capcurve._files.delimited import Source
from capcurve._files.open import open_relation, read_columns


def store(rows, kind):
    """Write a DuckDB and, where it has the type, a Parquet file; return their names."""
    values = ", ".join(f"({y}, cast({s} as {kind}))" for y, s in rows)
    query = f"select * from (values {values}) as t(y, s)"  # noqa: S608
    Path("f.duckdb").unlink(missing_ok=True)
    with duckdb.connect("f.duckdb") as connection:
        connection.execute(f"create table t as {query}")
    if "HUGEINT" in kind:  # which DuckDB writes to Parquet as floats
        return ["f.duckdb"]
    duckdb.sql(query).write_parquet("f.parquet")
    return ["f.duckdb", "f.parquet"]


@pytest.mark.parametrize(
    ("kind", "values", "dtype"),
    [
        ("HUGEINT", [9223372036854775807, 9223372036854775806], np.int64),
        ("HUGEINT", [18446744073709551615, 18446744073709551614], np.uint64),
        ("UHUGEINT", [18446744073709551615, 18446744073709551614], np.uint64),
        ("HUGEINT", [2**100, -1], np.float64),
        ("UBIGINT", [18446744073709551615, 18446744073709551614], np.uint64),
        ("BIGINT", [9223372036854775807, 9223372036854775806], np.int64),
        ("DECIMAL(18, 0)", [9007199254740993, 9007199254740992], np.int64),
        ("DECIMAL(38, 20)", [Decimal("0.2"), Decimal("0.1")], np.float64),
        ("DECIMAL(18, 3)", [Decimal("900719925474099.993"), Decimal("0.5")], np.float64),
    ],
)
def test_order_survives(kind, values, dtype):
    for name in store([(1, values[0]), (0, values[1]), (0, "null")], kind):
        columns, _ = read_columns(Source(name, ["y"], ["s"]))
        assert columns["s"].dtype == dtype
        assert columns["s"].tolist() == [*(dtype(value) for value in values), None]
        assert columns["s"][0] > columns["s"][1]


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("HUGEINT", [2**65, 2**65 + 1]),
        ("UHUGEINT", [2**127, 2**127 + 1]),
        ("HUGEINT", [-1, 2**64 - 1, 2**64 - 2]),
        ("DECIMAL(38, 20)", ["0.12345678901234567891", "0.12345678901234567892"]),
        ("DECIMAL(18, 3)", ["900719925474099.993", "900719925474099.992"]),
    ],
)
def test_ties_that_are_none_are_refused(refused, kind, values):
    for name in store([(1, value) for value in values], kind):
        message = refused(None, name=name)
        assert message.startswith("`s` must hold numbers that 64 bits tell apart, got ")
        assert message.endswith("equal as floats; round them, or pass their rank")


def test_a_query_and_a_relation_see_the_same_types(read):
    store([(1, 2**60 + 1), (1, 2**60)], "HUGEINT")
    query = "select sum(y) as y, s from t group by s order by s"
    assert read(None, name="f.duckdb", query=query)[0] == {
        "y": [1, 1],
        "s": [2**60, 2**60 + 1],
    }
    with open_relation(Source("f.duckdb", ["y"], ["s"])) as relation:
        assert [str(kind) for kind in relation.types] == ["INTEGER", "BIGINT"]


def test_columns_without_a_value(read):
    for kind in ("HUGEINT", "DECIMAL(38, 10)"):
        for name in store([(1, "null")], kind):
            assert read(None, name=name)[0] == {"y": [1], "s": [None]}


def test_keys_become_text_where_no_number_fits(read):
    store([(1, 2**100), (0, 2**100 + 1)], "HUGEINT")
    columns, _ = read(None, name="f.duckdb", numbers=[], keys=["s"])
    assert columns["s"] == [str(2**100), str(2**100 + 1)]
    store([(1, 2024), (0, 2025)], "HUGEINT")
    columns, _ = read(None, name="f.duckdb", numbers=[], keys=["s"])
    assert columns["s"] == [2024, 2025]
    store([(1, "1.50"), (0, "1.25")], "DECIMAL(4, 2)")
    columns, _ = read(None, name="f.duckdb", numbers=["s"], keys=["s"])
    assert columns["s"] == [1.5, 1.25]
