"""Population and outcome mass per distinct score, from which every curve is computed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from capcurve._public import public
from capcurve._tally.dtypes import Array


@public
@dataclass(frozen=True, eq=False)
class Tally:
    """Population and outcome mass per distinct score, best score first.

    Every number of a `CapCurve` is computed from its tally. Tied rows share one entry, so
    the order of rows has no influence. The arrays are read-only.

    Attributes
    ----------
    score : ndarray of shape (n_scores,)
        Distinct scores, best first.
    weight : ndarray of int64 or float64, shape (n_scores,)
        Total weight of the rows with each score. Counts of rows with 0/1 events are int64,
        and exact; with weights or amounts it is float64.
    target : ndarray of int64 or float64, shape (n_scores,)
        Total outcome of these rows: the number or weight of events, or the weighted amount.

    See Also
    --------
    CapCurve : The curve, with ``tally`` and ``perfect_tally`` as attributes.

    Examples
    --------
    >>> from capcurve import CapCurve
    >>> tally = CapCurve.from_predictions([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1]).tally
    >>> tally.score, tally.weight, tally.target
    (array([0.9, 0.5, 0.1]), array([1, 2, 1]), array([1, 1, 0]))
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
    def concordance_surplus(self) -> float:
        """Sum over entries of outcome times (weight ranked below - weight ranked above).

        For 0/1 events these are the concordant less the discordant pairs of an event and a
        non-event. In general it is ``2 * area - 1`` of the curve times both totals, so that
        the ratio of two surpluses is the ratio of the areas above the diagonal. 0 where all
        scores are tied.
        """
        surplus: float = (self.target @ below_less_above_best_first(self.weight)).item()
        return surplus

    def accuracy_ratio(self, perfect: Self) -> float:
        """Compute the accuracy ratio: the surplus over that of the perfect ranking.

        Parameters
        ----------
        perfect : Tally
            The same rows, ranked by their outcome.

        Returns
        -------
        float
            From -1 to 1; ties count 0.

        Raises
        ------
        ZeroDivisionError
            All outcomes are equal, so the accuracy ratio is undefined.
        """
        return min(1.0, max(-1.0, self.concordance_surplus / perfect.concordance_surplus))

    def events_first(self) -> Self:
        """Return the tally of a perfect ranking of 0/1 events: events, then non-events.

        Returns
        -------
        Tally
            Two entries, with scores 1 and 0.
        """
        events, rest = self.target.sum(), (self.weight - self.target).sum()
        return type(self)(
            np.array([1, 0]), np.array([events, rest]), np.array([events, 0 * rest])
        )

    @property
    def max_distance(self) -> float:
        """Largest vertical distance of the curve from the diagonal, times both totals."""
        weight, target = np.cumsum(self.weight), np.cumsum(self.target)
        gap: float = np.abs(target * weight[-1] - weight * target[-1]).max().item()
        return gap

    @property
    def tied_pair_mass(self) -> float:
        """Mass of the pairs of an event and a non-event with the same score.

        Defined for 0/1 events only.
        """
        pairs: float = (self.target @ (self.weight - self.target)).item()
        return pairs

    @property
    def bends(self) -> NDArray[np.int64]:
        """Positions, of shape (n_bends,), of the entries after which the curve bends.

        Between them the outcome per unit of weight is constant and the curve a straight
        line. The last entry is always included.
        """
        ahead = self.target[:-1] * self.weight[1:]
        changes = np.flatnonzero(ahead != self.target[1:] * self.weight[:-1])
        return np.append(changes, len(self) - 1)

    def merge(self, other: Self, *, descending: bool = True) -> Self:
        """Add the tally of other rows.

        Parameters
        ----------
        other : Tally
            Ranked in the same direction.
        descending : bool, default=True
            Whether high scores are ranked first in both.

        Returns
        -------
        Tally
            The tally of the rows of both.
        """
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


@public
class TieBounds(NamedTuple):
    """Accuracy ratio in the worst and in the best order of tied rows.

    The accuracy ratio itself is their mean, unless a bound is clipped at -1 or 1.

    Attributes
    ----------
    worst : float
        From -1 to 1: in every block of ties the outcome comes last.
    best : float
        From -1 to 1: in every block of ties the outcome comes first.

    Examples
    --------
    >>> from capcurve import CapCurve
    >>> curve = CapCurve.from_predictions([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    >>> curve.accuracy_ratio, curve.tie_bounds
    (0.75, TieBounds(worst=0.5, best=1.0))
    """

    worst: float
    best: float


def below_less_above_best_first(mass: NDArray[Any]) -> NDArray[Any]:
    """Compute, for each entry, the mass ranked worse less the mass ranked better."""
    difference: NDArray[Any] = mass - 2 * np.cumsum(mass)
    difference += mass.sum()
    return difference


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

    def accumulated(self, mass: Array, totals: Array) -> Array:
        """Accumulate mass within each group, whose ``totals`` are known.

        A single running sum from which, at the start of each group, the total of the
        previous group is subtracted, so that rounding errors do not grow with the number
        of groups.
        """
        steps = np.array(mass)
        steps[self.first[1:-1]] -= totals[:-1]
        return np.cumsum(steps)

    @property
    def concordance_surplus(self) -> Array:
        """`Tally.concordance_surplus` of each group."""
        weight = self.entries.weight
        totals = self.total_weight
        below_less_above = weight - 2 * self.accumulated(weight, totals)
        below_less_above += np.repeat(totals, self.sizes)
        surplus = np.add.reduceat(self.entries.target * below_less_above, self.first[:-1])
        # With a single entry it is exactly 0, which rounding may miss.
        return np.where(self.sizes == 1, 0, surplus)
