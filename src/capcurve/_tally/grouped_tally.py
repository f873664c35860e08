"""Tallies of several groups, stacked, so that all are computed at once."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from capcurve._tally.contrast import bound_rounding
from capcurve._tally.dtypes import Array
from capcurve._tally.pair_counts import SAFE_BITS, PairCounts
from capcurve._tally.tally import Tally, use_floats_beyond


@dataclass(frozen=True, eq=False)
class GroupedTally:
    """Tallies of several groups, stacked.

    Attributes
    ----------
    entries : Tally
        Entries of all groups, group by group; within a group the best score comes first.
    first : ndarray of int64, shape (n_groups + 1,)
        Position of the first entry of each group, then the number of entries. Every group
        has at least one entry.
    """

    entries: Tally
    first: NDArray[np.int64]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of entries in each group."""
        return np.diff(self.first)

    def __iter__(self) -> Iterator[Tally]:
        for start, stop in zip(self.first[:-1], self.first[1:], strict=True):
            entries = self.entries
            yield Tally(
                entries.score[start:stop],
                entries.weight[start:stop],
                entries.target[start:stop],
            )

    @property
    def total_weight(self) -> Array:
        """Total weight of each group."""
        return np.add.reduceat(self.entries.weight, self.first[:-1])

    @property
    def total_target(self) -> Array:
        """Total outcome of each group."""
        return np.add.reduceat(self.entries.target, self.first[:-1])

    def accumulate(self, mass: Array) -> Array:
        """Accumulate mass within each group.

        A single running sum, from which the total of each group is subtracted where the
        next one starts. Floats run as shares of their group: then rounding errors do not
        grow with the number of groups, and a heavy group rounds no other.
        """
        totals = np.add.reduceat(mass, self.first[:-1])
        if mass.dtype.kind == "i":
            steps = np.array(mass)
            steps[self.first[1:-1]] -= totals[:-1]
            return np.cumsum(steps)
        has_mass = (totals != 0).astype(np.float64)
        steps = mass / np.repeat(np.where(totals == 0, 1, totals), self.sizes)
        steps[self.first[1:-1]] -= has_mass[:-1]
        reached = np.cumsum(steps)
        carried = np.append(0, reached[self.first[1:] - 1] - has_mass)
        reached -= np.repeat(carried[:-1], self.sizes)
        reached *= np.repeat(totals, self.sizes)
        return reached

    def subtract(self, outcome: Array, *, is_perfect: bool = False) -> Self:
        """Subtract an outcome of each group as `Tally.subtract` does."""
        steps = np.repeat(outcome, self.sizes)
        return replace(self, entries=self.entries.subtract(steps, is_perfect=is_perfect))

    @property
    def median_outcome(self) -> Array:
        """`Tally.median_outcome` of each group."""
        half = np.repeat(self.total_weight / 2, self.sizes)
        reached = self.accumulate(self.entries.weight) >= half
        places = np.where(reached, np.arange(len(reached)), len(reached))
        middle = np.minimum.reduceat(places, self.first[:-1])
        return self.entries.outcome_at(middle)

    def events_first(self) -> Self:
        """`Tally.events_first` of each group."""
        rest = np.add.reduceat(self.entries.weight - self.entries.target, self.first[:-1])
        weight = np.column_stack([self.total_target, rest]).ravel()
        target = np.column_stack([self.total_target, 0 * rest]).ravel()
        entries = Tally(np.tile([1, 0], len(rest)), weight, target)
        return replace(self, entries=entries, first=np.arange(0, len(weight) + 1, 2))

    @property
    def perfect_surplus(self) -> Array:
        """`Contrast.perfect_surplus` of each group, if this is the perfect ranking."""
        return self.subtract(self.median_outcome, is_perfect=True).concordance_surplus

    def compare(self, perfect: Self) -> tuple[Array, Array]:
        """Return `Contrast.accuracy_ratio` and `Contrast.rounding` of each group.

        The ratio is nan where all outcomes are equal, or seem so after rounding.
        """
        middle = perfect.median_outcome
        best = perfect.perfect_surplus.astype(np.float64)
        surplus = self.subtract(middle).concordance_surplus
        ratio = np.full(len(best), np.nan)
        np.divide(surplus, best, out=ratio, where=best != 0)
        if self.entries.weight.dtype.kind == "i":
            return np.clip(ratio, -1, 1), np.zeros(len(best))
        subtracted = self.total_target + middle * self.total_weight
        mass = np.where(middle == 0, 0, subtracted * self.total_weight)
        return np.clip(ratio, -1, 1), bound_rounding(mass, best)

    def count_pairs(self) -> list[PairCounts]:
        """Count the pairs of each group of 0/1 events whose weights are counts of rows."""
        largest = int(self.total_weight.max())
        if 3 * largest.bit_length() > SAFE_BITS:  # sums of squares may not fit an int64
            return [PairCounts.from_tally(tally) for tally in self]
        events = self.entries.target
        others = self.entries.weight - events
        row, column = self.below_less_above(others), self.below_less_above(events)
        masses = (
            events,
            others,
            events * row,
            events * row**2,
            others * column**2,
            events * others,
        )
        sums = [np.add.reduceat(mass, self.first[:-1]).tolist() for mass in masses]
        return [
            PairCounts(m, n, surplus, rows, columns, m * n - tied)
            for m, n, surplus, rows, columns, tied in zip(*sums, strict=True)
        ]

    def below_less_above(self, mass: Array) -> Array:
        """Compute the mass of the same group ranked worse less that ranked better."""
        difference: Array = mass - 2 * self.accumulate(mass)
        difference += np.repeat(np.add.reduceat(mass, self.first[:-1]), self.sizes)
        return difference

    @property
    def concordance_surplus(self) -> Array:
        """`Tally.concordance_surplus` of each group."""
        weight = use_floats_beyond(self.entries.weight)
        contributions = self.entries.target * self.below_less_above(weight)
        surplus = np.add.reduceat(contributions, self.first[:-1])
        # With a single entry it is exactly 0, which rounding may miss.
        return np.where(self.sizes == 1, 0, surplus)
