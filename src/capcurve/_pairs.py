"""Six numbers that count pairs of an event and a non-event, and add up over score ranges.

From them come AR and its variance after DeLong, DeLong and Clarke-Pearson (1988),
doi:10.2307/2531595, and after Engelmann, Hayden and Tasche (2003). All are Python
integers, so that they are exact at any size and in whatever order ranges are joined.
"""

from dataclasses import dataclass
from functools import reduce
from math import nan
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from capcurve._tally import Tally, below_less_above

IntArray = NDArray[np.int64]

SAFE_BITS = 62  # sums of products of this many bits fit an int64
CHUNK = 1 << 17  # rows that fit the processor's cache


@dataclass(frozen=True)
class PairCounts:
    """Pairs within a range of scores.

    An event's row sum is the number of non-events ranked worse less those ranked better;
    a non-event's column sum is the number of events ranked better less those worse.

    Attributes
    ----------
    events, nonevents : int
        Rows of each kind.
    surplus : int
        Concordant less discordant pairs: the sum of all row sums, or column sums.
    row_squares, column_squares : int
        Sums of the squares of row sums and of column sums.
    untied : int
        Pairs whose scores differ.
    """

    events: int
    nonevents: int
    surplus: int = 0
    row_squares: int = 0
    column_squares: int = 0
    untied: int = 0

    @classmethod
    def from_tally(cls, tally: Tally) -> Self:
        """Count the pairs of a tally of 0/1 events whose weights count rows."""
        events = np.asarray(tally.target, dtype=np.int64)
        nonevents = np.asarray(tally.weight, dtype=np.int64) - events
        row = below_less_above(nonevents)
        column = -below_less_above(events)
        n_events, n_nonevents = int(events.sum()), int(nonevents.sum())
        return cls(
            n_events,
            n_nonevents,
            exact_dot(events, row),
            exact_dot(events, row, row),
            exact_dot(nonevents, column, column),
            n_events * n_nonevents - exact_dot(events, nonevents),
        )

    @classmethod
    def from_ranks(
        cls, few: NDArray[Any], below: IntArray, up_to: IntArray, n: int
    ) -> Self:
        """Count the pairs of some events, sorted, and ``n`` non-events.

        For each event there is the number of non-events below it, and of those below or
        tied with it; the same array for both where no event is tied with a non-event.
        """
        m = len(few)
        row = below + up_to
        row -= n
        if below is up_to:
            squares = column_squares_without_ties(n - up_to, n)
        else:
            squares = column_squares(few, below, up_to, n)
        return cls(
            m,
            n,
            int(row.sum()),
            exact_dot(row, row),
            squares,
            m * n - int(up_to.sum()) + int(below.sum()),
        )

    def swapped(self) -> Self:
        """Let events and non-events change places; the pairs turn round."""
        return type(self)(
            self.nonevents,
            self.events,
            -self.surplus,
            self.column_squares,
            self.row_squares,
            self.untied,
        )

    def reversed(self) -> Self:
        """Rank low scores first."""
        return type(self)(
            self.events,
            self.nonevents,
            -self.surplus,
            self.row_squares,
            self.column_squares,
            self.untied,
        )

    def join(self, better: Self) -> Self:
        """Add a range of scores that are all ranked better than those of this one."""
        events, nonevents = self.events, self.nonevents
        return type(self)(
            events + better.events,
            nonevents + better.nonevents,
            self.surplus
            + better.surplus
            + better.events * nonevents
            - events * better.nonevents,
            self.row_squares
            - 2 * better.nonevents * self.surplus
            + better.nonevents**2 * events
            + better.row_squares
            + 2 * nonevents * better.surplus
            + nonevents**2 * better.events,
            self.column_squares
            + 2 * better.events * self.surplus
            + better.events**2 * nonevents
            + better.column_squares
            - 2 * events * better.surplus
            + events**2 * better.nonevents,
            self.untied
            + better.untied
            + better.events * nonevents
            + events * better.nonevents,
        )

    @property
    def pairs(self) -> int:
        """Pairs of an event and a non-event."""
        return self.events * self.nonevents

    @property
    def accuracy_ratio(self) -> float:
        """Surplus as a share of all pairs."""
        return self.surplus / self.pairs

    @property
    def event_variance(self) -> float:
        """What the choice of events adds to DeLong's variance of AR."""
        m = self.events
        if m == 1:
            return nan
        return (m * self.row_squares - self.surplus**2) / (self.pairs**2 * (m - 1))

    @property
    def nonevent_variance(self) -> float:
        """What the choice of non-events adds to DeLong's variance of AR."""
        n = self.nonevents
        if n == 1:
            return nan
        return (n * self.column_squares - self.surplus**2) / (self.pairs**2 * (n - 1))

    @property
    def delong_variance(self) -> float:
        """Variance of AR after DeLong, DeLong and Clarke-Pearson (1988)."""
        return self.event_variance + self.nonevent_variance

    @property
    def eht_variance(self) -> float:
        """Unbiased variance of AR after Engelmann, Hayden and Tasche (2003)."""
        m, n = self.events, self.nonevents
        if 1 in (m, n):
            return nan
        squares = self.row_squares + self.column_squares - self.untied
        excess = self.pairs * squares - (m + n - 1) * self.surplus**2
        return excess / (self.pairs**2 * (m - 1) * (n - 1))


def column_squares(few: NDArray[Any], below: IntArray, up_to: IntArray, n: int) -> int:
    """Sum squares of column sums: non-events that no event separates share theirs."""
    m = len(few)
    first = np.flatnonzero(np.append(True, few[1:] != few[:-1]))
    after = np.append(first[1:], m)
    gaps = np.append(below[first], n)
    gaps[1:] -= up_to[first]
    between = m - 2 * np.append(first, m)
    beside = m - first - after
    ties = (up_to - below)[first]
    return exact_dot(gaps, between, between) + exact_dot(ties, beside, beside)


def column_squares_without_ties(above: IntArray, n: int) -> int:
    """Sum squares of column sums from the number of non-events above each event, sorted.

    A column sum is m less twice the events below. Of all pairs of events, those of which
    event k is the higher one, itself included, are 2 k + 1.
    """
    m = len(above)
    odd = np.arange(1, 2 * m, 2)
    return n * m**2 - 4 * m * int(above.sum()) + 4 * exact_dot(odd, above)


def exact_dot(*factors: IntArray) -> int:
    """Sum the products of integers row by row, without overflow or rounding."""
    n_rows = len(factors[0])
    return sum(
        exact_dot_of_few(*(factor[start : start + CHUNK] for factor in factors))
        for start in range(0, n_rows, CHUNK)
    )


def exact_dot_of_few(*factors: IntArray) -> int:
    """Sum products; what does not fit 64 bits is split into high and low parts."""
    *others, large = sorted(factors, key=bits_of)
    bits = bits_of(large)
    needed = len(large).bit_length() + bits + sum(map(bits_of, others))
    if needed <= SAFE_BITS:
        return int(reduce(np.multiply, others) @ large)
    half = bits // 2
    upper = exact_dot_of_few(*others, large >> half)
    return (upper << half) + exact_dot_of_few(*others, large & ((1 << half) - 1))


def bits_of(values: IntArray) -> int:
    """Count the bits of the largest absolute value."""
    return max(int(values.max()), -int(values.min())).bit_length()
