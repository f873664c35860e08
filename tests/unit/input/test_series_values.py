"""Tests of `capcurve._input.series_values`."""

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from capcurve._input.missing import find_missing_rows
from capcurve._input.series_values import take_values

COLUMNS = {
    # name: chunks, type of Arrow, dtype
    "floats": ([[0.5, 2.0], [-1.0]], pa.float64(), "float64"),
    "short floats": ([[0.5, 2.0]], pa.float32(), "float32"),
    "integers": ([[1, 2], [], [3]], pa.int64(), "int64"),
    "bytes": ([[1, 255]], pa.uint8(), "uint8"),
    "marks": ([[True, False], [True]], pa.bool_(), "bool"),
    "words": ([["a", "b"], ["c"]], pa.string(), "object"),
    "labels": ([["good", "bad"], [], ["bad"]], pa.large_string(), "object"),
    "names": ([[f"loan {i}" for i in range(2_000)]], pa.string(), "object"),
    "no words": ([], pa.string(), "object"),
    "no integers": ([], pa.int16(), "int16"),
    "no marks": ([], pa.bool_(), "bool"),
}


def make_column(chunks, arrow_type):
    return nw.from_native(pa.chunked_array(chunks, arrow_type), series_only=True)


@pytest.mark.parametrize("name", COLUMNS)
def test_values_of_arrow_are_those_that_were_put_in(name):
    chunks, arrow_type, dtype = COLUMNS[name]
    values = take_values(make_column(chunks, arrow_type))
    assert values.dtype == dtype
    assert values.tolist() == [value for chunk in chunks for value in chunk]


def test_a_part_of_a_column_starts_where_it_starts():
    numbers = make_column([range(10)], pa.int32())[3:6]
    marks = make_column([[True, False, False, True] * 5], pa.bool_())[5:9]
    words = make_column([["a", "b"], ["c", "b"]], pa.string())[1:3]
    assert take_values(words).tolist() == ["b", "c"]
    assert take_values(numbers).tolist() == [3, 4, 5]
    assert take_values(marks).tolist() == [False, False, True, True]


def test_nulls_of_numbers_become_nan():
    values = take_values(make_column([[1, None], [3]], pa.int64()))
    np.testing.assert_array_equal(values, [1, np.nan, 3])


def test_values_of_other_libraries_are_taken_as_they_are():
    assert take_values(nw.from_native(pl.Series([1, 2]), series_only=True)).tolist() == [
        1,
        2,
    ]


MISSING = {
    "floats": ([[1.0, None], [float("nan")]], pa.float64(), [False, True, True]),
    "integers": ([[1, None, 3]], pa.int64(), [False, True, False]),
    "words": ([["a"], [None]], pa.string(), [False, True]),
    "nothing": ([], pa.float64(), []),
}


@pytest.mark.parametrize("name", MISSING)
def test_missing_values_of_arrow_are_nulls_and_nans(name):
    chunks, arrow_type, expected = MISSING[name]
    column = make_column(chunks, arrow_type)
    assert find_missing_rows(column).tolist() == expected
    others = nw.from_native(pl.from_arrow(column.to_native()), series_only=True)
    assert find_missing_rows(others).tolist() == expected
