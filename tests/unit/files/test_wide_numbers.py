"""Whole numbers beyond 64 bits and decimals of databases and Parquet files."""

from decimal import Decimal
from math import inf
from pathlib import Path

import duckdb
import pytest

from capcurve._files.delimited import Source
from capcurve._files.open import open_file


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
    ("kind", "values", "kept"),
    [
        ("HUGEINT", [9223372036854775807, 9223372036854775806], int),
        ("HUGEINT", [18446744073709551615, 18446744073709551614], int),
        ("UHUGEINT", [18446744073709551615, 18446744073709551614], int),
        ("HUGEINT", [2**100, -1], float),
        ("UBIGINT", [18446744073709551615, 18446744073709551614], int),
        ("BIGINT", [9223372036854775807, 9223372036854775806], int),
        ("DECIMAL(18, 0)", [9007199254740993, 9007199254740992], int),
        ("DECIMAL(38, 20)", [Decimal("0.2"), Decimal("0.1")], float),
        ("DECIMAL(18, 3)", [Decimal("900719925474099.993"), Decimal("0.5")], float),
    ],
)
def test_order_survives(read, kind, values, kept):
    for name in store([(1, values[0]), (0, values[1]), (0, "null")], kind):
        columns, _ = read(None, name=name)
        assert columns["s"] == [*map(kept, values), None]
        assert list(map(type, columns["s"][:2])) == [kept, kept]
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
    with open_file(Source("f.duckdb", ["y"], ["s"])) as opened:
        assert list(map(str, opened.relation.types)) == ["INTEGER", "BIGINT"]


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


@pytest.mark.parametrize("kind", ["FLOAT", "DOUBLE"])
def test_nan_is_missing(read, kind):
    for name in store([(1, 0.5), (0, "'nan'"), (0, "'-inf'")], kind):
        assert read(None, name=name)[0]["s"] == [0.5, None, -inf]
        assert read(None, name=name, numbers=[], keys=["s"])[0]["s"] == [0.5, None, -inf]
