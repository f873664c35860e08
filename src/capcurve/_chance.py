"""How far a score that says nothing strays by chance."""

from math import gcd

import numpy as np
from numpy.typing import NDArray

from capcurve._limits import scipy

EXACT_STEPS = 1_000_000  # products of paths and steps up to which paths are counted
RELIABLE = 1e-9  # a smaller tail is lost in 1 minus the rest


def ks_tail(gap: float, n_events: float, n_nonevents: float) -> float:
    """Probability that KS of a useless score without ties is ``gap`` or more.

    Every order of events and non-events is a path through a lattice; those that stay
    inside are counted, after Hodges (1958), doi:10.1007/BF02589501. Where there are too
    many, or the classes are not counted in rows, one sample stands for the two.
    """
    m, n = sorted((n_events, n_nonevents))
    if isinstance(m, int) and isinstance(n, int) and (m + 1) * (m + n) <= EXACT_STEPS:
        step = gcd(m, n)
        tail = lattice_tail(round(gap * m * n / step) * step, m, n)
        if tail > RELIABLE:
            return tail
    return float(scipy("stats").kstwo.sf(gap, one_sample_size(m, n)))


def one_sample_size(m: float, n: float) -> int:
    """Rows of one sample whose distance from its distribution varies as that of two."""
    return max(1, round(m * n / (m + n)))


def lattice_tail(reach: int, m: int, n: int) -> float:
    """Share of paths to (m, n) on which ``abs(i * n - j * m)`` reaches ``reach``."""
    i = np.arange(m + 1)
    inside = np.zeros(m + 1)
    inside[0] = reach > 0
    for k in range(1, m + n + 1):
        from_left = np.append(0.0, inside[:-1]) * i
        inside = (from_left + inside * (k - i)) / k
        j = k - i
        inside[(j < 0) | (j > n) | (np.abs(i * n - j * m) >= reach)] = 0.0
    return min(1.0, max(0.0, 1.0 - float(inside[m])))


def ks_reach(confidence_level: float, n_events: int, n_nonevents: int) -> float:
    """Critical value: the smallest gap reached by chance no more often than allowed."""
    m, n = sorted((n_events, n_nonevents))
    if (m + 1) * (m + n) > EXACT_STEPS:
        return float(scipy("stats").kstwo.isf(1 - confidence_level, one_sample_size(m, n)))
    step = gcd(m, n)
    low, high = 0, m * n // step
    while low < high:
        middle = (low + high) // 2
        if lattice_tail(middle * step, m, n) <= 1 - confidence_level:
            high = middle
        else:
            low = middle + 1
    return low * step / (m * n)


def captured_by_chance(
    population_share: NDArray[np.float64],
    n_events: int,
    n_nonevents: int,
    confidence_level: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Limits of the capture rate of a useless score at each share: hypergeometric.

    Between whole numbers of rows they are joined by straight lines, as the curve is.
    """
    n_rows = n_events + n_nonevents
    tail = (1 - confidence_level) / 2
    chance = scipy("stats").hypergeom
    rows = population_share * n_rows
    whole = np.floor(rows + 1e-9)  # a product may fall short of a whole number
    ends = [np.clip(whole + more, 0, n_rows).astype(np.int64) for more in (0, 1)]
    limits = []
    for probability in (tail, 1 - tail):
        before, after = (
            chance.ppf(probability, n_rows, n_events, end) / n_events for end in ends
        )
        limits.append(before + (rows - whole).clip(0, 1) * (after - before))
    return limits[0].clip(0, 1), limits[1].clip(0, 1)
