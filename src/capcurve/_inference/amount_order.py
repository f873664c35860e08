"""Say where large amounts rank low, so that a few unseen ones could lower the AR far."""

import numpy as np

from capcurve._input.columns import Columns
from capcurve._tally.dtypes import Array, FloatArray
from capcurve._tally.sums import dot

# Chosen by simulation: see "Where results warn" on the page on inference.
PAIRS_NEEDED = 1500  # effective ones, at a rank correlation of -1 among many zeros


def ranks_large_low(columns: Columns, n_effective: float) -> bool:
    """Whether amounts rank low that are large, in a sample that is too small for that.

    A loss above the others then ranks below them, and its influence on AR is like no other:
    samples without such a loss show a high AR with a small standard error. The skewness of
    the influences grows with the rank correlation r of amount and score above 0, and with
    the share z of zeros, as pairs of two losses count for less among many. What coverage
    lacks is of the order of the squared skewness divided by the size (Hall 1992,
    doi:10.1007/978-1-4612-4384-7), so it takes ``1500 r**2 z`` pairs of equal rows.
    """
    above = columns.target > 0
    mass = columns.mass
    zeros = float(mass[~above].sum() / mass.sum())
    if not n_effective < PAIRS_NEEDED * zeros:
        return False
    place = find_place(columns.score, mass)
    if not columns.descending:
        place = -place
    if not np.average(place[above], weights=mass[above]) > np.average(place, weights=mass):
        return False
    counts = columns.row_counts[above]
    amount = columns.target[above] * mass[above] / counts  # of a row, whatever its weight
    correlation = correlate_ranks(amount, place[above], counts)
    return correlation < 0 and n_effective < PAIRS_NEEDED * correlation**2 * zeros


def find_place(values: Array, weight: FloatArray) -> FloatArray:
    """Return the weight of lower values and half of equal ones: the rank of each row."""
    _, number = np.unique(values, return_inverse=True)
    mass = np.bincount(number, weight)
    return (np.cumsum(mass) - mass / 2)[number]


def correlate_ranks(first: Array, second: Array, weight: FloatArray) -> float:
    """Return the rank correlation of weighted rows; 0 if one of the two is constant.

    Spearman (1904), doi:10.2307/1412159.
    """
    ranks = [find_place(values, weight) for values in (first, second)]
    a, b = (rank - np.average(rank, weights=weight) for rank in ranks)
    spread = dot(weight * a, a) * dot(weight * b, b)
    return dot(weight * a, b) / spread**0.5 if spread > 0 else 0.0
