"""Tallies of many groups at once, one behind the other, without a loop over groups."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from capcurve._tally import Tally

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class GroupedTally:
    """Entries of all groups: group by group, in each the best score first.

    ``first`` holds where each group starts, and at its end the number of entries. Every
    group has at least one entry.
    """

    entries: Tally
    first: NDArray[np.int64]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of entries of each group."""
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
        """Weight of each group."""
        return np.add.reduceat(self.entries.weight, self.first[:-1])

    @property
    def total_target(self) -> Array:
        """Outcome of each group."""
        return np.add.reduceat(self.entries.target, self.first[:-1])

    def accumulated(self, mass: Array, totals: Array) -> Array:
        """Accumulate within each group.

        One running sum over all: where a group starts, the total of the one before is
        taken off again, so that rounding errors do not grow with the number of groups.
        """
        steps = np.array(mass)
        steps[self.first[1:-1]] -= totals[:-1]
        return np.cumsum(steps)

    @property
    def gain(self) -> Array:
        """`Tally.gain` of each group."""
        weight = self.entries.weight
        totals = self.total_weight
        below_less_above = weight - 2 * self.accumulated(weight, totals)
        below_less_above += np.repeat(totals, self.sizes)
        gains = np.add.reduceat(self.entries.target * below_less_above, self.first[:-1])
        return np.where(self.sizes == 1, 0, gains)  # of one entry exactly, not by rounding
