"""A query whose columns SQL would confuse is refused."""

import duckdb
import ibis
import polars as pl
import pyarrow as pa
import pytest

from capcurve import CapcurveError, gain_capture, gain_curve

ROWS = "(values (1, 1), (0, 2), (1, 3), (0, 0)) v(y, s)"
REFUSED = (
    "columns of `data` that are used must differ in more than upper and lower case, got {} "
    "and 's'; rename one of them"
)


@pytest.mark.parametrize("other", ["S", "s"])
@pytest.mark.parametrize("verb", [gain_capture, gain_curve])
def test_names_that_sql_takes_for_one_are_refused(verb, other):
    query = duckdb.sql(f'select y, -s as "{other}", s from {ROWS}')  # noqa: S608 -- ours
    with pytest.raises(CapcurveError) as caught:
        verb(query, "y", "s")
    assert str(caught.value) == REFUSED.format(repr(other))


def test_ibis_too():
    table = ibis.memtable(pl.DataFrame({"y": [1, 0], "S": [1.0, 2.0], "s": [2.0, 1.0]}))
    with pytest.raises(CapcurveError) as caught:
        gain_capture(table, "y", "s")
    assert str(caught.value) == REFUSED.format("'S'")


def test_columns_that_are_not_used_may_be_alike():
    query = duckdb.sql(f'select y, s, 1 as a, 2 as "A" from {ROWS}')  # noqa: S608 -- ours
    assert gain_capture(query, "y", "s")["estimate"].to_pylist() == [0.5]


def test_polars_tells_them_apart():
    rows = pl.LazyFrame({"y": [1, 0, 1, 0], "S": [-1, -2, -3, 0], "s": [1, 2, 3, 0]})
    found = gain_capture(rows, "y", ["s", "S"])
    assert found["estimate"].to_list() == [0.5, -0.5]


def test_text_that_arrow_holds_as_views_may_be_grouped():
    """Polars exports text so."""
    rows = {"y": [1, 0, 1, 1, 0, 0], "s": [1, 2, 3, 4, 5, 6], "g": list("aabbab")}
    table = pa.table(pl.DataFrame(rows))
    assert table.schema.field("g").type == pa.string_view()
    found = gain_capture(table, "y", "s", by="g").to_pylist()
    expected = gain_capture(pa.table(rows), "y", "s", by="g").to_pylist()
    assert found == expected


@pytest.mark.parametrize(("data", "found"), [(None, "None"), ([1, 2], "list")])
def test_what_is_no_frame_is_named_without_words_of_other_libraries(data, found):
    told = f"with distinct column names, got {found}; convert it first"
    with pytest.raises(CapcurveError, match=told):
        gain_capture(data, "y", "s")
