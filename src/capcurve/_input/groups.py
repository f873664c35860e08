"""Number the groups of a data frame; a null is a group of its own."""

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from capcurve._input.dtypes import Frame
from capcurve._tally.dtypes import Array

ROW = "row of capcurve"
FIRST = "first row of capcurve"


def number_groups(frame: Frame, by: list[str]) -> tuple[Frame | None, NDArray[np.int64]]:
    """Return the keys of the groups, and the group number of each row.

    Groups are numbered in the order of appearance; a null is a group of its own. Without
    ``by`` there are no keys, and all rows belong to group 0.
    """
    if not by:
        return None, np.zeros(len(frame), dtype=np.int64)
    if not len(frame):
        return frame.select(by), np.empty(0, dtype=np.int64)
    first = find_first_rows(frame, by)
    starts = np.flatnonzero(first == np.arange(len(first), dtype=first.dtype))
    keys = nw.maybe_reset_index(frame.select(by)[starts, :])
    number = np.empty(len(first), dtype=np.int64)  # only entries at group starts are used
    number[starts] = np.arange(len(starts))
    return keys, number[first]


def find_first_rows(frame: Frame, by: list[str]) -> Array:
    """Return for each row the position of the first row of its group."""
    if not frame.implementation.is_pyarrow():
        numbered = frame.select(by).with_row_index(ROW)
        first = numbered.select(nw.col(ROW).min().over(*by)).get_column(ROW)
        return first.to_numpy()
    # PyArrow window functions keep neither the row order nor nulls of dictionary columns.
    plain = [key for i, name in enumerate(by) for key in split_nulls(frame, name, i)]
    numbered = frame.select(plain).with_row_index(ROW)
    parts = [name for name in numbered.columns if name != ROW]
    firsts = numbered.group_by(*parts).agg(nw.col(ROW).min().alias(FIRST))
    joined = numbered.join(firsts, on=parts, how="left")
    found = np.empty(len(frame), dtype=np.int64)
    found[joined.get_column(ROW).to_numpy()] = joined.get_column(FIRST).to_numpy()
    return found


def split_nulls(frame: Frame, name: str, number: int) -> tuple[nw.Expr, nw.Expr]:
    """Return expressions for a null indicator and for the key with nulls filled."""
    column = nw.col(name)
    if frame.schema[name].is_numeric():
        value = column.fill_null(0)
    else:
        value = column.cast(nw.String).fill_null("")
    return column.is_null().alias(f"null {number}"), value.alias(f"value {number}")
