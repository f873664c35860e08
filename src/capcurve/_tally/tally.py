"""Population and outcome mass per distinct score, from which every curve is computed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from capcurve._public import public
from capcurve._tally.dtypes import Array
from capcurve._tally.locked import Locked
from capcurve._tally.sums import dot
from capcurve._tally.threads import sum_chunks

MAX_COUNT = 3_000_000_000  # rows whose pairs an int64 can count


@public
@dataclass(frozen=True, eq=False)
class Tally(Locked):
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

    def __len__(self) -> int:
        return len(self.score)

    def _repr_html_(self) -> str:
        from capcurve._tally.notebook import view_tally

        return view_tally(self)

    @property
    def concordance_surplus(self) -> float:
        """Sum over entries of outcome times (weight ranked below - weight ranked above).

        For 0/1 events these are the concordant less the discordant pairs of an event and a
        non-event. In general it is ``2 * area - 1`` of the curve times both totals, so that
        the ratio of two surpluses is the ratio of the areas above the diagonal. 0 where all
        scores are tied.
        """
        weight, target = (use_floats_beyond(mass) for mass in (self.weight, self.target))
        surplus: float = dot(target, below_less_above_best_first(weight))
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
        middle = perfect.median_outcome
        best = perfect.subtract(middle, is_perfect=True).concordance_surplus
        return clip_ratio(self.subtract(middle).concordance_surplus / best)

    def events_first(self) -> Self:
        """Return the tally of a perfect ranking of 0/1 events: events, then non-events.

        Returns
        -------
        Tally
            Two entries, with scores 1 and 0.
        """
        weight, target = self.weight, self.target
        rest = sum_chunks(lambda rows: (weight[rows] - target[rows]).sum(), len(self))
        events = target.sum()
        return type(self)(
            np.array([1, 0]), np.array([events, rest]), np.array([events, 0 * rest])
        )

    @property
    def max_distance(self) -> float:
        """Largest vertical distance of the curve from the diagonal, times both totals."""
        masses = (use_floats_beyond(mass) for mass in (self.weight, self.target))
        weight, target = map(np.cumsum, masses)
        gap: float = np.abs(target * weight[-1] - weight * target[-1]).max().item()
        return gap

    @property
    def tied_pair_mass(self) -> float:
        """Mass of the pairs of an event and a non-event with the same score.

        Defined for 0/1 events only.
        """
        target = use_floats_beyond(self.target)
        pairs: float = dot(target, self.weight - self.target)
        return pairs

    @property
    def median_outcome(self) -> float:
        """Outcome per unit of weight in the middle of the population.

        Defined for a perfect ranking; 1 or 0, that of the majority, for 0/1 events.
        """
        reached = np.cumsum(self.weight)
        middle = np.searchsorted(reached, reached[-1] / 2)
        outcome: float = self.outcome_at(middle).item()
        return outcome

    def outcome_at(self, entry: Any) -> Array:
        """Outcome per unit of weight of some entries, without rounding if it can be had."""
        score, weight, target = self.score[entry], self.weight[entry], self.target[entry]
        if weight.dtype.kind == "i":
            return np.asarray(target // weight)
        return np.asarray(np.where(score * weight == target, score, target / weight))

    def subtract(self, outcome: Any, *, is_perfect: bool = False) -> Self:
        """Subtract an outcome per unit of weight from that of all rows.

        A perfect ranking knows outcomes from its scores, before they were summed.
        """
        if np.ndim(outcome) == 0 and outcome == 0:
            return self
        target = self.target - outcome * self.weight
        if is_perfect and target.dtype.kind == "f":
            is_exact = self.score * self.weight == self.target
            target = np.where(is_exact, (self.score - outcome) * self.weight, target)
        return replace(self, target=target)

    @property
    def bends(self) -> NDArray[np.int64]:
        """Positions, of shape (n_bends,), of the entries after which the curve bends.

        Between them the outcome per unit of weight is constant and the curve a straight
        line. The last entry is always included.
        """
        bends = np.zeros(len(self), dtype=np.bool_)
        bends[-1] = True
        for mass in (self.target, self.weight - self.target):
            bends[:-1] |= mass[:-1] * self.weight[1:] != mass[1:] * self.weight[:-1]
        return np.flatnonzero(bends)

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

    def _repr_html_(self) -> str:
        from capcurve._tally.notebook import view_tie_bounds

        return view_tie_bounds(self)


def clip_ratio(ratio: float) -> float:
    """Clip a ratio that rounding took beyond -1 or 1; nan stays nan, as it comes first."""
    return float(max(min(ratio, 1.0), -1.0))


def use_floats_beyond(mass: NDArray[Any], limit: int = MAX_COUNT) -> NDArray[Any]:
    """Return counts as floats if products of their sums would overflow an int64."""
    if mass.dtype.kind == "i" and mass.sum() > limit:
        return mass.astype(np.float64)
    return mass


def below_less_above_best_first(mass: NDArray[Any]) -> NDArray[Any]:
    """Compute, for each entry, the mass ranked worse less the mass ranked better."""
    difference: NDArray[Any] = np.cumsum(mass)
    difference *= -2
    difference += mass
    difference += mass.sum()
    return difference
