"""Bin rows in memory by their scores and by their targets."""

import numpy as np
from numpy.typing import NDArray

from capcurve._input.columns import Columns
from capcurve._tally.bins import ALL_BITS, Bins, find_prefix_starts
from capcurve._tally.dtypes import Array, Keys
from capcurve._tally.order import find_ascending_order, order_preserving_keys
from capcurve.exceptions import CapcurveError

MAX_EXACT_INTEGER = 1 << 53  # larger integers are rounded in float64


def bin_scores(columns: Columns, n_bits: int, max_bins: int) -> Bins:
    """Bin rows by score, with at most ``n_bits`` key bits and ``max_bins`` bins."""
    if columns.weight is None and columns.has_events:
        return count_in_bins(columns.score, columns.target, n_bits).coarsen(max_bins)
    keys = make_keys(columns.score)
    target = columns.target.astype(np.float64)
    return sum_in_bins(keys, columns.mass, target, n_bits).coarsen(max_bins)


def bin_targets(columns: Columns, n_bits: int, max_bins: int) -> Bins:
    """Bin rows by target, with at most ``n_bits`` key bits and ``max_bins`` bins."""
    if columns.has_events:
        return bin_two_classes(columns)
    keys = make_keys(columns.target)
    return sum_in_bins(keys, columns.mass, columns.target, n_bits).coarsen(max_bins)


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
    return Bins(ALL_BITS, keys, keys, weight[present], target[present], outcome[present])


def count_in_bins(score: Array, event: Array, n_bits: int) -> Bins:
    """Count rows and events by bin; only values are sorted, never row positions.

    Neighbours in sorted floats share high bits exactly if their keys do, so keys are
    computed for the bins only.
    """
    ordered = as_floats(score)
    events = ordered[event]
    ordered.sort()
    events.sort()
    first = find_prefix_starts(ordered.view(np.uint64), n_bits)
    last = np.append(first[1:], len(ordered)) - 1
    lowest = ordered[first]
    # Every event lies in a bin, so the events below the lowest score of a bin are those of
    # all bins before it.
    counts = np.diff(np.searchsorted(events, lowest), append=len(events))
    largest = (counts > 0).astype(np.float64)
    return Bins(
        n_bits,
        order_preserving_keys(lowest),
        order_preserving_keys(ordered[last]),
        last - first + 1,
        counts,
        largest,
    )


def sum_in_bins(keys: Keys, weight: Array, target: Array, n_bits: int) -> Bins:
    """Sum weight and weighted target by bin."""
    order = find_ascending_order(keys)
    ordered, weight, target = keys[order], weight[order], target[order]
    first = find_prefix_starts(ordered, n_bits)
    last = np.append(first[1:], len(ordered)) - 1
    return Bins(
        n_bits,
        ordered[first],
        ordered[last],
        np.add.reduceat(weight, first),
        np.add.reduceat(weight * target, first),
        np.maximum.reduceat(target, first),
    )


def make_keys(numbers: Array) -> Keys:
    """Return unsigned integers in the order of the numbers, after rounding to float64."""
    return order_preserving_keys(as_floats(numbers))


def as_floats(numbers: Array) -> NDArray[np.float64]:
    """Return numbers as a new float64 array without -0.0; raise if integers are rounded."""
    if numbers.dtype.kind in "iu" and numbers.dtype.itemsize == 8:  # noqa: PLR2004 -- bytes
        largest = max(abs(int(numbers.min())), abs(int(numbers.max())))
        if largest > MAX_EXACT_INTEGER:
            raise CapcurveError(
                "binned scores must fit into float64, which rounds integers beyond 2**53, "
                f"got {largest}; scale them down, or pass their ranks"
            )
    floats: NDArray[np.float64] = np.add(numbers, 0.0, dtype=np.float64)
    return floats
