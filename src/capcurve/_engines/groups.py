"""Number the groups of a data frame; a null is a group of its own."""

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from capcurve._input.dtypes import Frame
from capcurve._input.series_values import take_values
from capcurve._tally.dtypes import Array


def number_groups(frame: Frame, by: list[str]) -> tuple[Frame | None, NDArray[np.int64]]:
    """Return the keys of the groups, and the group number of each row.

    Groups are numbered in the order of appearance; a null is a group of its own. Without
    ``by`` there are no keys, and all rows belong to group 0.
    """
    if not by:
        return None, np.zeros(len(frame), dtype=np.int64)
    if not len(frame):
        return frame[:, by], np.empty(0, dtype=np.int64)
    first = find_first_rows(frame[:, by])
    starts = np.flatnonzero(first == np.arange(len(first), dtype=first.dtype))
    keys = nw.maybe_reset_index(frame[starts, by])
    number = np.empty(len(first), dtype=np.int64)  # only entries at group starts are used
    number[starts] = np.arange(len(starts))
    return keys, number[first]


def find_first_rows(keys: Frame) -> Array:
    """Return for each row of group keys the position of the first equal row."""
    names = {name: f"key {i}" for i, name in enumerate(keys.columns)}
    keys, by = keys.rename(names), list(names.values())
    if not keys.implementation.is_pyarrow():
        numbered = keys.with_row_index("row")
        first = numbered.select(nw.col("row").min().over(*by)).get_column("row")
        return first.to_numpy()
    # PyArrow window functions keep neither the row order nor nulls of dictionary columns.
    plain = [part for name in by for part in split_nulls(keys, name)]
    numbered = keys.select(plain).with_row_index("row")
    parts = [name for name in numbered.columns if name != "row"]
    firsts = numbered.group_by(*parts).agg(nw.col("row").min().alias("first"))
    joined = numbered.join(firsts, on=parts, how="left")
    found = np.empty(len(keys), dtype=np.int64)
    found[take_values(joined.get_column("row"))] = take_values(joined.get_column("first"))
    return found


def split_nulls(keys: Frame, name: str) -> tuple[nw.Expr, nw.Expr]:
    """Return expressions for a null indicator and for the key with nulls filled."""
    column = nw.col(name)
    if keys.schema[name].is_numeric():
        value = column.fill_null(0)
    else:
        value = column.cast(nw.String).fill_null("")
    return column.is_null().alias(f"null {name}"), value.alias(f"value {name}")
