"""Sums of products are those of whole numbers, of any type of array."""

import numpy as np
import pytest

from capcurve._tally.sums import dot, dot_rows


@pytest.mark.parametrize("kind", [np.int64, np.float64, np.float32])
def test_products_are_added_up(kind):
    first = np.arange(5).astype(kind)
    assert dot(first, first[::-1]) == 0 * 4 + 1 * 3 + 2 * 2 + 3 * 1 + 4 * 0
    assert isinstance(dot(first, first), int if kind is np.int64 else float)
    assert dot(first > 2, first) == 3 + 4


def test_whole_numbers_stay_exact():
    large = np.array([2**61, 1])
    assert dot(large, np.array([1, 1])) == 2**61 + 1


def test_each_row_meets_each_row():
    first, second = np.arange(6.0).reshape(2, 3), np.arange(9.0).reshape(3, 3)
    assert dot_rows(first, second).tolist() == [[5, 14, 23], [14, 50, 86]]
