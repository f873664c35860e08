"""Take the values of a column of a data frame as an array.

PyArrow imports pandas, where it is installed, to make an array of anything, and to take any
single value from Python. Columns without nulls go by DLPack instead: numbers, booleans, and
the codes of text that repeats a few labels.
"""

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._input.dtypes import Series
from capcurve._tally.dtypes import Array

FEW_LABELS = 1_000  # distinct texts up to which codes are faster than a text for each row


def take_values(column: Series) -> Array:
    """Return the values of a column."""
    if column.implementation.is_pyarrow() and not column.null_count():
        if column.dtype == nw.Boolean:
            return take_marks(column.to_native())
        if is_plain(column.dtype) and len(column):
            return join_chunks(column.to_native())
        labels = take_labels(column.to_native()) if column.dtype == nw.String else None
        if labels is not None:
            return labels
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


def take_labels(native: Any) -> Array | None:
    """Return text of PyArrow that repeats a few labels; None if labels are many."""
    chunks = native.dictionary_encode().unify_dictionaries().chunks
    if not chunks:
        return np.empty(0, dtype=np.object_)
    if len(chunks[0].dictionary) > FEW_LABELS:
        return None
    labels = np.array(chunks[0].dictionary.to_pylist(), dtype=np.object_)
    codes = np.concatenate([np.from_dlpack(chunk.indices) for chunk in chunks])
    values: Array = labels[codes]
    return values


def join_chunks(native: Any) -> Array:
    """Return numbers of PyArrow, which come in chunks."""
    chunks = [np.from_dlpack(chunk) for chunk in native.chunks]
    return chunks[0] if len(chunks) == 1 else np.concatenate(chunks)
