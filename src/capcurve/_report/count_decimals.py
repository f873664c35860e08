"""Find how many decimals a column of counts, weights or their sums is shown with."""

from collections.abc import Iterable
from math import floor, log10
from typing import Any

import numpy as np

SIGNIFICANT = 4  # digits of the largest number
VERY_MANY = 100_000  # from this size on, no decimals; below it, one at least
MOST_DECIMALS = 8  # more zeros than these are not counted by a reader
ROUNDING = 1e-9  # what sums may leave of a whole number, relative to the largest


def find_decimals_of_counts(values: Iterable[Any]) -> int | None:
    """Find the fewest decimals that show the size of all; None asks for powers of ten.

    Weights may be exposures or shares of them, so that a sum of 0.001 has digits too.
    Counts are not whole where rows of the same score are split.
    """
    known = [float(value) for value in values if isinstance(value, int | float)]
    numbers = np.array(known)
    largest = float(np.abs(numbers).max(initial=0.0))
    if largest == 0 or largest >= VERY_MANY:
        return 0
    most = max(SIGNIFICANT - 1 - floor(log10(largest)), 1)
    for decimals in range(min(most, MOST_DECIMALS)):
        if np.abs(numbers.round(decimals) - numbers).max() <= ROUNDING * largest:
            return decimals
    return most if most <= MOST_DECIMALS else None
