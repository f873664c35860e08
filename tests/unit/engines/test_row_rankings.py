"""Rows of data frames, numbered."""

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from capcurve._engines.row_rankings import number_values


@pytest.mark.parametrize(
    "make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"]
)
def test_the_distinct_values_of_no_rows_are_none(make):
    frame = nw.from_native(make({"a": np.array([], dtype=np.float64)}))
    values, number = number_values(frame, "a")
    assert (values, list(number)) == ([], [])
