"""Adaptive histograms of scores, with guaranteed bounds where a bin holds several scores.

A bin holds the numbers of one cell; see `cells`. When there are too many bins, all go to a
lower level of cells. Which level fits depends only on the set of numbers, so the bins do
not depend on the order of batches or merges.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from capcurve._public import public
from capcurve._tally.bounded import Bounded, enclose
from capcurve._tally.cells import (
    FINEST,
    KEY_BITS,
    Grid,
    find_finest_cells,
    get_finest,
)
from capcurve._tally.contrast import Contrast, bound_rounding, refuse_rounding
from capcurve._tally.dtypes import FloatArray, Keys
from capcurve._tally.locked import Locked
from capcurve._tally.order import (
    floats_from_keys,
    order_preserving_keys,
    read_keys,
    sum_runs,
)
from capcurve._tally.pair_counts import PairCounts
from capcurve._tally.tally import Tally, clip_ratio
from capcurve.exceptions import CapcurveError


@public
@dataclass(frozen=True, eq=False)
class Bins(Locked):
    """Weight and outcome by bin of a score, or of the outcome itself, in ascending order.

    The arrays are read-only.

    Attributes
    ----------
    level : int
        How fine the bins are: 700 where each holds a single distinct number, less if bins
        had to be merged to respect ``max_bins``, down to 0 for a single bin of all.
    lowest, highest : ndarray of uint64, shape (n_bins,)
        Keys of the smallest and the largest number in each bin; equal where a bin holds a
        single distinct number. A key is an integer in the order of float64, or of int64.
    weight, target : ndarray of int64 or float64, shape (n_bins,)
        Total weight and total outcome of the rows in each bin; int64 for unweighted 0/1
        events.
    largest : ndarray of float64, shape (n_bins,)
        Largest outcome per unit of weight in each bin.
    grid : {'numbers', 'integers', 'prefixes'}
        Whether keys are those of float64, or those of int64, which is so if any score is an
        integer beyond 2**53. 'prefixes' are the wider bins of float64 of a sketch from
        capcurve 0.1.0, at levels up to 64.

    See Also
    --------
    BinnedCurve : The curve from bins, with ``by_score`` and ``by_target`` as attributes.

    Examples
    --------
    >>> from capcurve import CapSketch
    >>> sketch = CapSketch()
    >>> sketch.update([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    >>> bins = sketch.curve.by_score
    >>> len(bins), bins.level
    (3, 700)
    >>> bins.weight, bins.target
    (array([1, 2, 1]), array([0, 1, 1]))
    """

    level: int
    lowest: Keys
    highest: Keys
    weight: NDArray[Any]
    target: NDArray[Any]
    largest: FloatArray
    grid: Grid = "numbers"

    def __len__(self) -> int:
        return len(self.lowest)

    def _repr_html_(self) -> str:
        from capcurve._tally.notebook import view_bins

        return view_bins(self)

    @classmethod
    def empty(cls) -> Self:
        """Return a histogram without rows.

        Returns
        -------
        Bins
            Of length 0.
        """
        keys, counts = np.zeros(0, np.uint64), np.zeros(0, np.int64)
        return cls(FINEST, keys, keys, counts, counts, np.zeros(0))

    def merge(self, *others: Self, max_bins: int) -> Self:
        """Add the bins of other rows.

        Parameters
        ----------
        *others : Bins
            Bins of other rows.
        max_bins : int
            Upper limit of the number of bins in the result.

        Returns
        -------
        Bins
            The bins of all rows, whatever the order of the arguments.
        """
        parts = share_grid((self, *others))
        lowest = np.concatenate([part.lowest for part in parts])
        order = np.argsort(lowest, kind="stable")
        names = ("highest", "weight", "target", "largest")
        columns = (
            np.concatenate([getattr(part, name) for part in parts]) for name in names
        )
        ordered: dict[str, Any] = {
            name: column[order] for name, column in zip(names, columns, strict=True)
        }
        level = min(part.level for part in parts)
        grid = parts[0].grid
        merged = type(self)(level=level, lowest=lowest[order], grid=grid, **ordered)
        return merged.coarsen(max_bins)

    def without(self, places: NDArray[np.int64]) -> Self:
        """Return the bins without some of them.

        Parameters
        ----------
        places : ndarray of int64
            Positions of the bins to leave out.

        Returns
        -------
        Bins
        """
        names = ("lowest", "highest", "weight", "target", "largest")
        kept: dict[str, Any] = {
            name: np.delete(getattr(self, name), places) for name in names
        }
        return replace(self, **kept)

    def coarsen(self, max_bins: int) -> Self:
        """Merge adjacent bins until at most ``max_bins`` are left.

        Parameters
        ----------
        max_bins : int
            Upper limit of the number of bins.

        Returns
        -------
        Bins
            Of the highest level that the limit allows.
        """
        numbers = read_keys(self.lowest, self.grid)
        level, first = find_finest_cells(numbers, self.level, self.grid, max_bins)
        if len(first) == len(self):
            return replace(self, level=level)
        last = np.append(first[1:], len(self)) - 1
        return type(self)(
            level,
            self.lowest[first],
            np.maximum.accumulate(self.highest)[last],  # those of earlier cells are lower
            sum_runs(self.weight, first, last),
            sum_runs(self.target, first, last),
            np.maximum.reduceat(self.largest, first),
            self.grid,
        )


def share_grid(parts: tuple[Bins, ...]) -> tuple[Bins, ...]:
    """Return bins whose keys, and whose cells, are of the same kind."""
    grids = {part.grid for part in parts if len(part)}
    if len(grids) <= 1:
        return tuple(adopt_grid(part, *grids) for part in parts)
    if grids == {"numbers", "integers"}:
        return tuple(map(count_as_integers, parts))
    if "integers" in grids:
        raise CapcurveError(
            "integers beyond 2**53 cannot be added to a sketch from capcurve 0.1.0 whose "
            "bins hold several scores, got both; make that sketch again from its rows"
        )
    return tuple(map(widen_to_prefixes, parts))


def adopt_grid(bins: Bins, grid: Grid = "numbers") -> Bins:
    """Let bins without rows take the grid of the others."""
    return bins if len(bins) else replace(bins, level=get_finest(grid), grid=grid)


def count_as_integers(bins: Bins) -> Bins:
    """Compare scores as int64; raise if they are no whole numbers, or too large."""
    if bins.grid == "integers":
        return bins
    ends = [floats_from_keys(keys) for keys in (bins.lowest, bins.highest)]
    for numbers in ends:
        whole = (np.abs(numbers) < 2.0**63) & (numbers == np.floor(numbers))
        if not whole.all():
            raise CapcurveError(
                "scores beyond 2**53 are compared as integers, so all scores must be whole "
                f"numbers, got {numbers[~whole][0]:g} too; scale the scores, or pass their "
                "ranks"
            )
    keys = (order_preserving_keys(numbers.astype(np.int64)) for numbers in ends)
    lowest, highest = keys
    return replace(bins, lowest=lowest, highest=highest, grid="integers")


def widen_to_prefixes(bins: Bins) -> Bins:
    """Return bins of which each lies in a bin of the first format of sketches.

    How many bits the bins share depends on the rows so far, so that merging them with such
    a sketch, unlike any other merge, may give other bins in another order.
    """
    if bins.grid == "prefixes":
        return bins
    differing = int((bins.lowest ^ bins.highest).max(initial=0)).bit_length()
    return replace(bins, level=KEY_BITS - differing, grid="prefixes")


def rank_bins(bins: Bins, *, descending: bool) -> Tally:
    """Tally bins, best first; the score of each is the last that selects all its rows."""
    best_first = slice(None, None, -1 if descending else 1)
    last = bins.lowest if descending else bins.highest
    return Tally(
        read_keys(last, bins.grid)[best_first],
        bins.weight[best_first],
        bins.target[best_first],
    )


def compute_min_outcome_weight(bins: Bins) -> NDArray[Any]:
    """Compute the least weight in each bin that can carry all of its outcome.

    In a bin of a single score that is the whole weight: the tied rows have no order.
    """
    mixed = (bins.lowest < bins.highest) & (bins.target > 0)
    least = np.array(bins.weight)
    needed = bins.target[mixed] / bins.largest[mixed]
    least[mixed] = np.minimum(least[mixed], needed)
    return least


def rank_extreme_order(bins: Bins, *, descending: bool, outcome_first: bool) -> Tally:
    """Tally bins, best first, with the outcome as early or as late as possible in each."""
    whole, least = rank_bins(bins, descending=descending), compute_min_outcome_weight(bins)
    least = least[::-1] if descending else least
    weight = np.column_stack([least, whole.weight - least])
    target = np.column_stack([whole.target, np.zeros_like(whole.target)])
    if not outcome_first:
        weight, target = weight[:, ::-1], target[:, ::-1]
    weight, target = weight.ravel(), target.ravel()
    kept = weight > 0
    return Tally(whole.score.repeat(2)[kept], weight[kept], target[kept])


def compute_bin_slack(bins: Bins) -> float:
    """Compute how much the best order within bins adds to the concordance surplus."""
    least = compute_min_outcome_weight(bins)
    return float((bins.target * (bins.weight - least)).sum())


def rank_most_unequal_targets(bins: Bins) -> Tally:
    """Tally outcomes, best first, assuming the most unequal outcomes within each bin."""
    low, high = floats_from_keys(bins.lowest), floats_from_keys(bins.highest)
    with np.errstate(invalid="ignore", divide="ignore"):
        upper = np.where(high > low, (bins.target - low * bins.weight) / (high - low), 0)
    upper = np.clip(upper, 0, bins.weight)
    lower = bins.weight - upper
    weight = np.column_stack([lower, upper]).ravel()
    target = np.column_stack([lower * low, upper * high]).ravel()
    kept = weight > 0
    score = np.column_stack([low, high]).ravel()
    return Tally(score[kept][::-1], weight[kept][::-1], target[kept][::-1])


class ExactTotals(NamedTuple):
    """Totals that include the pairs within bins, as an engine counted them.

    Attributes
    ----------
    concordance_surplus, perfect_surplus : float
        `Tally.concordance_surplus` of the ranking and of a perfect ranking.
    max_distance, perfect_distance : float or None
        `Tally.max_distance` of both; None if the rows are grouped.
    tied : float or None
        Mass of the pairs of an event and a non-event with the same score; None for amounts.
    pairs : PairCounts or None
        Pair counts of unweighted 0/1 events; None otherwise.
    """

    concordance_surplus: float
    perfect_surplus: float
    max_distance: float | None
    perfect_distance: float | None
    tied: float | None
    pairs: PairCounts | None


class BinnedRows(NamedTuple):
    """Binned rows of one group, from an engine or a sketch.

    Attributes
    ----------
    by_score, by_target : Bins
        Weight and outcome by bin of the score, and by bin of the outcome.
    descending : bool
        Whether high scores are ranked first.
    has_events : bool
        Whether outcomes are 0/1 events.
    n_rows : int
        Number of rows; rows of weight 0 do not count.
    exact : ExactTotals or None
        Totals that include the pairs within bins, if an engine counted them.
    plan : str
        How the bins were made; see `BinnedCurve`.
    """

    by_score: Bins
    by_target: Bins
    descending: bool = True
    has_events: bool = True
    n_rows: int = 0
    exact: ExactTotals | None = None
    plan: str = "sketch"


def bound_accuracy_ratio(rows: BinnedRows) -> Bounded:
    """Compute AR with guaranteed bounds, which hold for any order of rows within bins."""
    if rows.exact:
        refuse_rounded_totals(rows.by_score, rows.exact)
        surplus = rows.exact.perfect_surplus
        return Bounded(*[clip_ratio(rows.exact.concordance_surplus / surplus)] * 3)
    perfect = rank_bins(rows.by_target, descending=True)
    middle = rank_bins(rows.by_score, descending=rows.descending)
    contrast = Contrast.of(middle, perfect)
    refuse_rounding(contrast.rounding)
    ratios = [
        tally.accuracy_ratio(best)
        for tally in (
            rank_extreme_order(
                rows.by_score, descending=rows.descending, outcome_first=first
            )
            for first in (False, True)
        )
        for best in (perfect, rank_most_unequal_targets(rows.by_target))
    ]
    return enclose(contrast.accuracy_ratio, *ratios)


def refuse_rounded_totals(by_score: Bins, exact: ExactTotals) -> None:
    """Raise if the sums of an engine may hide how outcomes differ."""
    if by_score.weight.dtype.kind == "f":
        mass = by_score.weight.sum() * by_score.target.sum()
        refuse_rounding(float(bound_rounding(mass, np.float64(exact.perfect_surplus))))
