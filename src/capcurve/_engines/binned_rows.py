"""Bin rows in memory by their scores and by their targets."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from capcurve._input.columns import Columns
from capcurve._tally.bins import Bins
from capcurve._tally.cells import FINEST, Grid, find_finest_cells
from capcurve._tally.dtypes import Array, IntArray, Keys
from capcurve._tally.order import find_ascending_order, order_preserving_keys
from capcurve._tally.threads import sort_in_place
from capcurve.exceptions import CapcurveError

MAX_EXACT_INTEGER = 1 << 53  # larger integers are rounded in float64
MAX_INTEGER = (1 << 63) - 1


class Fineness(NamedTuple):
    """Kind of cells, the highest level, and the largest number of bins."""

    grid: Grid
    level: int
    max_bins: int

    def find_bins(self, ordered: Array) -> tuple[int, IntArray, IntArray]:
        """Find the level, and the positions of the first and the last number of bins."""
        level, first = find_finest_cells(ordered, self.level, self.grid, self.max_bins)
        return level, first, np.append(first[1:], len(ordered)) - 1


def bin_scores(columns: Columns, held: Bins, max_bins: int) -> Bins:
    """Bin rows by score, in at most ``max_bins`` bins no finer than those held."""
    numbers = as_scores(columns.score)
    grid: Grid = "integers" if numbers.dtype.kind == "i" else "numbers"
    level = held.level
    if held.grid == "prefixes":
        grid, level = ("prefixes", level) if grid == "numbers" else (grid, FINEST)
    if columns.weight is None and columns.has_events:
        return count_in_bins(numbers, columns.target, Fineness(grid, level, max_bins))
    target = columns.target.astype(np.float64)
    return sum_in_bins(numbers, columns.mass, target, Fineness(grid, level, max_bins))


def bin_targets(columns: Columns, held: Bins, max_bins: int) -> Bins:
    """Bin rows by target, in at most ``max_bins`` bins no finer than those held."""
    if columns.has_events:
        return bin_two_classes(columns)
    numbers = as_floats(columns.target)
    fineness = Fineness(held.grid, held.level, max_bins)
    return sum_in_bins(numbers, columns.mass, numbers, fineness)


def bin_two_classes(columns: Columns) -> Bins:
    """Return one bin of all events and one of all non-events."""
    if columns.weight is None:
        events = int(columns.target.sum())
        return make_event_bins(len(columns.target) - events, events)
    rest = float(columns.weight[~columns.target].sum())
    return make_event_bins(rest, float(columns.weight[columns.target].sum()))


def make_event_bins(rest: float, events: float) -> Bins:
    """Return one bin for the weight of non-events and one for that of events.

    A class of weight 0 has no bin.
    """
    outcome = np.array([0.0, 1.0])
    weight = np.array([rest, events])
    target = np.array([rest * 0, events])
    present = weight > 0
    keys = make_keys(outcome[present])
    return Bins(FINEST, keys, keys, weight[present], target[present], outcome[present])


def count_in_bins(ordered: Array, event: Array, fineness: Fineness) -> Bins:
    """Count rows and events by bin; only values are sorted, never row positions."""
    events = ordered[np.flatnonzero(event)]  # faster than by flags, where events are few
    sort_in_place(ordered)
    sort_in_place(events)
    level, first, last = fineness.find_bins(ordered)
    lowest = ordered[first]
    # Every event lies in a bin, so the events below the lowest score of a bin are those of
    # all bins before it.
    counts = np.diff(np.searchsorted(events, lowest), append=len(events))
    largest = (counts > 0).astype(np.float64)
    return Bins(
        level,
        order_preserving_keys(lowest),
        order_preserving_keys(ordered[last]),
        last - first + 1,
        counts,
        largest,
        fineness.grid,
    )


def sum_in_bins(numbers: Array, weight: Array, target: Array, fineness: Fineness) -> Bins:
    """Sum weight and weighted target by bin."""
    order = find_ascending_order(numbers)
    ordered, weight, target = numbers[order], weight[order], target[order]
    level, first, last = fineness.find_bins(ordered)
    return Bins(
        level,
        order_preserving_keys(ordered[first]),
        order_preserving_keys(ordered[last]),
        np.add.reduceat(weight, first),
        np.add.reduceat(weight * target, first),
        np.maximum.reduceat(target, first),
        fineness.grid,
    )


def as_scores(score: Array) -> Array:
    """Return scores as a new array of float64, or of int64 if float64 would round them."""
    if score.dtype.kind not in "iu" or not is_rounded(score):
        return as_floats(score)
    if int(score.max()) > MAX_INTEGER:
        raise CapcurveError(
            f"binned scores must be below 2**63, got {score.max()}; scale them down, or "
            "pass their ranks"
        )
    return score.astype(np.int64)


def is_rounded(integers: Array) -> bool:
    """Whether float64 would round any of the integers."""
    if integers.dtype.itemsize < 8:  # noqa: PLR2004 -- bytes
        return False
    return max(abs(int(integers.min())), abs(int(integers.max()))) > MAX_EXACT_INTEGER


def make_keys(numbers: Array) -> Keys:
    """Return unsigned integers in the order of the numbers, after rounding to float64."""
    return order_preserving_keys(as_floats(numbers))


def as_floats(numbers: Array) -> NDArray[np.float64]:
    """Return numbers as a new float64 array without -0.0."""
    floats: NDArray[np.float64] = np.add(numbers, 0.0, dtype=np.float64)
    return floats
