"""The tally: mass per distinct score, from which everything else is read."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Tally:
    """Population and outcome mass per distinct score, best score first.

    Counts are int64 and exact; weights and amounts are float64.
    """

    score: NDArray[Any]
    weight: NDArray[Any]
    target: NDArray[Any]

    def __post_init__(self) -> None:
        for array in (self.score, self.weight, self.target):
            array.flags.writeable = False

    def __len__(self) -> int:
        return len(self.score)

    @property
    def gain(self) -> float:
        """Outcome times the mass ranked below less the mass ranked above it.

        It is 0 for one block of ties, and ``2 * area - 1`` of the curve times both
        totals, so that the ratio of two gains is a ratio of areas over random.
        """
        gain: float = (self.target @ below_less_above(self.weight)).item()
        return gain

    def gain_ratio(self, perfect: Self) -> float:
        """Divide the gain by the best possible, cutting what rounding puts beyond 1."""
        return min(1.0, max(-1.0, self.gain / perfect.gain))

    def events_first(self) -> Self:
        """Return the perfect tally of 0/1 events: all outcome mass first."""
        events, rest = self.target.sum(), (self.weight - self.target).sum()
        return type(self)(
            np.array([1, 0]), np.array([events, rest]), np.array([events, 0 * rest])
        )

    @property
    def largest_gap(self) -> float:
        """Largest distance of the curve from the diagonal, times both totals."""
        weight, target = np.cumsum(self.weight), np.cumsum(self.target)
        gap: float = np.abs(target * weight[-1] - weight * target[-1]).max().item()
        return gap

    @property
    def tied_pairs(self) -> float:
        """Mass of pairs of an event and a non-event with the same score."""
        pairs: float = (self.target @ (self.weight - self.target)).item()
        return pairs

    @property
    def bends(self) -> NDArray[np.int64]:
        """Entries after which the event rate changes: the curve is straight between."""
        ahead = self.target[:-1] * self.weight[1:]
        changes = np.flatnonzero(ahead != self.target[1:] * self.weight[:-1])
        return np.append(changes, len(self) - 1)

    def merge(self, other: Self, *, descending: bool = True) -> Self:
        """Add the tally of other rows, ranked in the same direction."""
        scores = np.concatenate([self.score, other.score])
        score, entry = np.unique(scores, return_inverse=True)
        masses = []
        for own, others in ((self.weight, other.weight), (self.target, other.target)):
            mass = np.concatenate([own, others])
            total = np.zeros(len(score), dtype=mass.dtype)
            np.add.at(total, entry, mass)
            masses.append(total)
        best_first = slice(None, None, -1 if descending else 1)
        return type(self)(*(column[best_first] for column in (score, *masses)))


def below_less_above(mass: NDArray[Any]) -> NDArray[Any]:
    """Find for each entry, best first, the mass of worse less that of better ones."""
    difference: NDArray[Any] = mass - 2 * np.cumsum(mass)
    difference += mass.sum()
    return difference
