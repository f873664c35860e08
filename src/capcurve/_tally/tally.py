"""Population and outcome mass per distinct score, from which every curve is computed."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from capcurve._public import public
from capcurve._tally.dtypes import Array
from capcurve._tally.locked import Locked
from capcurve.exceptions import CapcurveError

TOLERANCE = 1e-9  # relative error beyond which a ratio is refused
ROUNDING = float(np.finfo(np.float64).eps)
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

    @property
    def concordance_surplus(self) -> float:
        """Sum over entries of outcome times (weight ranked below - weight ranked above).

        For 0/1 events these are the concordant less the discordant pairs of an event and a
        non-event. In general it is ``2 * area - 1`` of the curve times both totals, so that
        the ratio of two surpluses is the ratio of the areas above the diagonal. 0 where all
        scores are tied.
        """
        weight, target = (use_floats_beyond(mass) for mass in (self.weight, self.target))
        surplus: float = (target @ below_less_above_best_first(weight)).item()
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
        return Contrast.of(self, perfect).accuracy_ratio

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
        pairs: float = (target @ (self.weight - self.target)).item()
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


@dataclass(frozen=True, eq=False)
class Contrast:
    """A ranking and the perfect one, with outcomes counted from that of the median row.

    This leaves AR and KS as they are and keeps their digits where few rows differ from
    many: sums are then as small as the differences that they are to show.

    Attributes
    ----------
    ranking, perfect : Tally
        The rankings, with the median outcome subtracted.
    subtracted : float
        What that took from the sums, as a mass; 0 where sums are exact.
    """

    ranking: Tally
    perfect: Tally
    subtracted: float

    @classmethod
    def of(cls, ranking: Tally, perfect: Tally) -> Self:
        """Subtract the median outcome from both."""
        middle, subtracted = perfect.median_outcome, 0.0
        if middle and ranking.weight.dtype.kind == "f":
            subtracted = float((ranking.target + middle * ranking.weight).sum())
        best = perfect.subtract(middle, is_perfect=True)
        return cls(ranking.subtract(middle), best, subtracted)

    @property
    def perfect_surplus(self) -> float:
        """Concordance surplus of the perfect ranking."""
        return self.perfect.concordance_surplus

    @property
    def accuracy_ratio(self) -> float:
        """AR, from -1 to 1."""
        return clip_ratio(self.ranking.concordance_surplus / self.perfect_surplus)

    @property
    def ks(self) -> float:
        """KS, from 0 to 1."""
        return clip_ratio(self.ranking.max_distance / self.perfect.max_distance)

    @property
    def rounding(self) -> float:
        """Largest error of AR due to sums, rounded before the median was subtracted.

        Infinite if they hide that outcomes differ.
        """
        mass = np.float64(self.subtracted) * self.ranking.weight.sum()
        return float(bound_rounding(mass, np.float64(self.perfect_surplus)))


def bound_rounding(mass: Any, surplus: Any) -> Array:
    """Bound the error of a ratio to a surplus that is left of a rounded mass."""
    error: Array = np.where(mass > 0, np.inf, 0.0)
    np.divide(ROUNDING * mass, surplus, out=error, where=surplus > 0)
    return error


def refuse_rounding(error: float) -> None:
    """Raise if rounding may change a ratio by more than is tolerated."""
    if error > TOLERANCE:
        raise CapcurveError(
            "outcomes must differ by more than the rounding of their sums, got a possible "
            f"error of {min(error, 2):.1g} in the ratio; subtract the least amount from "
            "all, or give events and non-events weights of similar size"
        )


def clip_ratio(ratio: float) -> float:
    """Clip a ratio that rounding took beyond -1 or 1; nan stays nan."""
    return float(np.clip(ratio, -1.0, 1.0))


def use_floats_beyond(mass: NDArray[Any], limit: int = MAX_COUNT) -> NDArray[Any]:
    """Return counts as floats if products of their sums would overflow an int64."""
    if mass.dtype.kind == "i" and mass.sum() > limit:
        return mass.astype(np.float64)
    return mass


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

    @property
    def concordance_surplus(self) -> Array:
        """`Tally.concordance_surplus` of each group."""
        weight = use_floats_beyond(self.entries.weight)
        below_less_above = weight - 2 * self.accumulate(weight)
        below_less_above += np.repeat(np.add.reduceat(weight, self.first[:-1]), self.sizes)
        surplus = np.add.reduceat(self.entries.target * below_less_above, self.first[:-1])
        # With a single entry it is exactly 0, which rounding may miss.
        return np.where(self.sizes == 1, 0, surplus)
