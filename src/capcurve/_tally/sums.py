"""Sums of products, added up in one order: their digits do not depend on the processors.

``@`` leaves long sums to threads, as many as there are processors.
"""

from typing import Any

import numpy as np

from capcurve._tally.dtypes import Array, FloatArray


def dot(first: Array, second: Array) -> Any:
    """Add up the products of two arrays, as an int or a float."""
    return np.einsum("i,i", first, second).item()


def dot_rows(first: Array, second: Array) -> FloatArray:
    """Add up the products of each row of one matrix with each row of another."""
    found: FloatArray = np.einsum("in,jn->ij", first, second)
    return found
