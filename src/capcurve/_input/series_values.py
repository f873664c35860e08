"""Take the values of a column of a data frame as an array.

PyArrow imports pandas, where it is installed, to make an array of anything, and to take any
single value from Python. Numbers and booleans without nulls go by DLPack instead.
"""

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._input.dtypes import Series
from capcurve._tally.dtypes import Array


def take_values(column: Series) -> Array:
    """Return the values of a column."""
    if column.implementation.is_pyarrow() and not column.null_count():
        if column.dtype == nw.Boolean:
            return take_marks(column.to_native())
        if is_plain(column.dtype) and len(column):
            return join_chunks(column.to_native())
    values: Array = column.to_numpy()
    return values


def is_plain(dtype: Any) -> bool:
    """Whether numbers are of a type that NumPy has."""
    wide = dtype in (nw.Int128, nw.UInt128)
    return dtype.is_float() or (dtype.is_integer() and not wide)


def take_marks(native: Any) -> Array:
    """Return booleans of PyArrow, which are bits; DLPack has none of these."""
    if not len(native):
        return np.empty(0, dtype=np.bool_)
    return join_chunks(native.cast("uint8")).view(np.bool_)


def join_chunks(native: Any) -> Array:
    """Return numbers of PyArrow, which come in chunks."""
    chunks = [np.from_dlpack(chunk) for chunk in native.chunks]
    return chunks[0] if len(chunks) == 1 else np.concatenate(chunks)
