"""What is seen of a column, as far as a decision needs it."""

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from capcurve import CapcurveError, gain_capture
from capcurve._input.seen import SeenArray, find_levels


def dictionary(texts, levels, *, ordered):
    codes = [None if text is None else levels.index(text) for text in texts]
    return pa.DictionaryArray.from_arrays(
        pa.array(codes, pa.int32()), pa.array(levels), ordered=ordered
    )


@pytest.mark.parametrize("ordered", [True, False])
def test_a_dictionary_of_arrow_is_the_same_in_pandas(ordered):
    """Its levels count where they are declared to be ordered, as in Arrow itself."""
    column = dictionary(["good", None, "bad", "good"], ["bad", "good"], ordered=ordered)
    table = pa.table({"y": column, "s": [1.0, 5.0, 3.0, 2.0]})
    frame = table.to_pandas(types_mapper=pd.ArrowDtype)
    series = nw.from_native(frame["y"], series_only=True)
    declared = (("bad", "good"), True) if ordered else (None, False)
    assert find_levels(series) == declared
    assert find_levels(series.alias("a")) == declared
    for data in (table, frame):
        if ordered:
            with pytest.warns(match="left out 1 of 4 rows"):
                found = nw.from_native(gain_capture(data, "y", "s"))
            assert found.get_column("estimate").to_list() == [1]
        else:
            with (
                pytest.warns(match="left out 1 of 4 rows"),
                pytest.raises(
                    CapcurveError, match="pass the label of the event as `pos_lab"
                ),
            ):
                gain_capture(data, "y", "s")


def test_grades_in_a_dictionary_of_arrow_rank():
    column = dictionary([*"ABCA"], [*"CBA"], ordered=True)
    table = pa.table({"s": column, "y": [1, 1, 0, 0]})
    for data in (table, table.to_pandas(types_mapper=pd.ArrowDtype)):
        found = nw.from_native(gain_capture(data, "y", "s")).get_column("estimate")
        assert found.to_list() == [0.25]


def test_no_rows_have_no_ends():
    seen = SeenArray(np.zeros(0, dtype=np.int64), "y")
    assert seen.ends == (0, 0)
    assert seen.is_empty


def test_whole_numbers_between_two_that_follow_each_other_need_no_look():
    values = np.array([4, 5, 5])
    seen = SeenArray(values, "y")
    assert seen.holds_only(4, 5)
    assert not seen.holds_only(3, 4)
    values[:] = 4, 4, 4
    assert SeenArray(values.astype(float), "y").holds_only(4, 5)
    assert not SeenArray(np.array([4.5]), "y").holds_only(4, 5)


def test_categories_in_the_order_of_appearance_are_not_declared():
    column = pl.Series("y", ["b", "a"], dtype=pl.Categorical)
    assert find_levels(nw.from_native(column, series_only=True)) == (None, False)
    assert find_levels(nw.from_native(pl.Series([1, 2]), series_only=True)) == (None, False)
