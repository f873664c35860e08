"""Six integers that summarise the pairs of an event and a non-event, by range of scores.

They determine AR and its variance after DeLong, DeLong and Clarke-Pearson (1988),
doi:10.2307/2531595, and after Engelmann, Hayden and Tasche (2003), "Testing rating
accuracy", Risk 16(1), 82-86. They are Python integers, so they are exact at any size and
do not depend on the order in which ranges are joined.
"""

from dataclasses import dataclass
from functools import reduce
from math import nan
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from capcurve._tally.dtypes import IntArray
from capcurve._tally.order import find_run_ends
from capcurve._tally.tally import Tally, below_less_above_best_first

SAFE_BITS = 62  # sums of products of this many bits fit an int64
CHUNK = 1 << 17  # rows whose columns fit into the processor's cache


@dataclass(frozen=True)
class PairCounts:
    """Pair counts of the events and non-events in a range of scores.

    The row sum of an event is the number of non-events ranked worse less those ranked
    better; the column sum of a non-event is the number of events ranked better less those
    ranked worse. Tied pairs count 0 in both.

    Attributes
    ----------
    events, nonevents : int
        Number of rows in each class.
    surplus : int
        Concordant less discordant pairs: the sum of the row sums, and of the column sums.
    row_squares, column_squares : int
        Sum of the squared row sums and of the squared column sums.
    untied : int
        Number of pairs whose scores differ.
    """

    events: int
    nonevents: int
    surplus: int = 0
    row_squares: int = 0
    column_squares: int = 0
    untied: int = 0

    @classmethod
    def from_tally(cls, tally: Tally) -> Self:
        """Count the pairs in a tally of 0/1 events whose weights are counts of rows."""
        events = np.asarray(tally.target, dtype=np.int64)
        nonevents = np.asarray(tally.weight, dtype=np.int64) - events
        row = below_less_above_best_first(nonevents)
        column = -below_less_above_best_first(events)
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
        """Count pairs from the ranks of events among ``n`` non-events.

        Parameters
        ----------
        few : ndarray of shape (n_events,)
            Scores of the events, ascending; high scores are ranked first.
        below, up_to : ndarray of int64, shape (n_events,)
            Number of non-events with a lower score, and with a lower or the same score as
            each event. The same object where no event is tied with a non-event.
        n : int
            Number of non-events.

        Returns
        -------
        PairCounts
        """
        if below is not up_to:
            ends = find_run_ends(few)
            times = np.diff(ends, prepend=-1)
            return cls.from_distinct_ranks(times, below[ends], up_to[ends], n)
        m = len(few)
        row = 2 * up_to
        row -= n
        return cls(
            m,
            n,
            int(row.sum(dtype=np.int64)),
            exact_dot(row, row),
            sum_column_squares_without_ties(n - up_to, n),
            m * n,
        )

    @classmethod
    def from_distinct_ranks(
        cls, times: IntArray, below: IntArray, up_to: IntArray, n: int
    ) -> Self:
        """Count pairs from the ranks of the distinct scores of events.

        Parameters
        ----------
        times : ndarray of int64, shape (n_scores,)
            Number of events with each score, ascending.
        below, up_to, n
            As those of `from_ranks`, of each distinct score.

        Returns
        -------
        PairCounts
        """
        m = int(times.sum(dtype=np.int64))
        row = below + up_to
        row -= n
        return cls(
            m,
            n,
            exact_dot(times, row),
            exact_dot(times, row, row),
            sum_column_squares(times, below, up_to, n),
            m * n - exact_dot(times, up_to - below),
        )

    def swapped(self) -> Self:
        """Return the counts with events and non-events exchanged."""
        return type(self)(
            self.nonevents,
            self.events,
            -self.surplus,
            self.column_squares,
            self.row_squares,
            self.untied,
        )

    def reversed(self) -> Self:
        """Return the counts of the reversed ranking."""
        return type(self)(
            self.events,
            self.nonevents,
            -self.surplus,
            self.row_squares,
            self.column_squares,
            self.untied,
        )

    def join(self, better: Self) -> Self:
        """Add the counts of a range whose scores are all ranked better than this one's."""
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
        """Number of pairs of an event and a non-event."""
        return self.events * self.nonevents

    @property
    def accuracy_ratio(self) -> float:
        """Accuracy ratio: concordant less discordant pairs, as a share of all pairs."""
        return self.surplus / self.pairs

    @property
    def event_variance(self) -> float:
        """Contribution of the events to DeLong's variance of AR; nan for one event.

        The sample variance of the events' mean row sums, divided by their number.
        """
        m = self.events
        if m == 1:
            return nan
        return (m * self.row_squares - self.surplus**2) / (self.pairs**2 * (m - 1))

    @property
    def nonevent_variance(self) -> float:
        """Contribution of the non-events to DeLong's variance of AR; nan for one."""
        n = self.nonevents
        if n == 1:
            return nan
        return (n * self.column_squares - self.surplus**2) / (self.pairs**2 * (n - 1))

    @property
    def delong_variance(self) -> float:
        """Variance of AR after DeLong, DeLong and Clarke-Pearson (1988).

        Four times the variance of the AUC; nan if a class has one row only.
        """
        return self.event_variance + self.nonevent_variance

    @property
    def eht_variance(self) -> float:
        """Unbiased variance of AR after Engelmann, Hayden and Tasche (2003).

        With m events, n non-events, row sums R, column sums C, T untied pairs and surplus
        S: ``(sum(C**2) + sum(R**2) - T - (m + n - 1) * S**2 / (m * n))`` divided by
        ``m * n * (m - 1) * (n - 1)``; nan if a class has one row only.
        """
        m, n = self.events, self.nonevents
        if 1 in (m, n):
            return nan
        squares = self.row_squares + self.column_squares - self.untied
        excess = self.pairs * squares - (m + n - 1) * self.surplus**2
        return excess / (self.pairs**2 * (m - 1) * (n - 1))


def sum_column_squares(times: IntArray, below: IntArray, up_to: IntArray, n: int) -> int:
    """Sum the squared column sums, given what `PairCounts.from_distinct_ranks` is.

    Non-events without an event between them have the same column sum, so the sum runs over
    the gaps between distinct scores of events, and over the ties with each of them.
    """
    after = np.append(0, np.cumsum(times, dtype=np.int64))
    m = int(after[-1])
    gaps = np.append(below, n)
    gaps[1:] -= up_to
    between = m - 2 * after
    beside = m - after[1:] - after[:-1]
    return exact_dot(gaps, between, between) + exact_dot(up_to - below, beside, beside)


def sum_column_squares_without_ties(above: IntArray, n: int) -> int:
    """Sum the squared column sums from the number of non-events above each event.

    The column sum of a non-event is m less twice the events below it. Squared and summed
    over non-events, event k (counted from 0, ascending) is the higher one in 2 k + 1 of the
    ordered pairs of events, itself included.
    """
    m = len(above)
    odd = np.arange(1, 2 * m, 2)
    return n * m**2 - 4 * m * int(above.sum(dtype=np.int64)) + 4 * exact_dot(odd, above)


def exact_dot(*factors: IntArray) -> int:
    """Sum the row-wise products of integer arrays, without overflow or rounding."""
    n_rows = len(factors[0])
    return sum(
        exact_dot_of_few(
            *(
                factor[start : start + CHUNK].astype(np.int64, copy=False)
                for factor in factors
            )
        )
        for start in range(0, n_rows, CHUNK)
    )


def exact_dot_of_few(*factors: IntArray) -> int:
    """Sum products of few rows, splitting the largest factor until sums fit an int64."""
    *others, large = sorted(factors, key=count_bits)
    bits = count_bits(large)
    needed = len(large).bit_length() + bits + sum(map(count_bits, others))
    if needed <= SAFE_BITS:
        return int(reduce(np.multiply, others) @ large)
    half = bits // 2
    upper = exact_dot_of_few(*others, large >> half)
    return (upper << half) + exact_dot_of_few(*others, large & ((1 << half) - 1))


def count_bits(values: IntArray) -> int:
    """Count the bits of the largest absolute value in an array."""
    return max(int(values.max()), -int(values.min())).bit_length()
