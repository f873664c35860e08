"""NumPy: rows -> bins of their scores and of their outcomes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from capcurve._bins import ALL_BITS, Bins, Keys, first_of_prefixes
from capcurve._engines import arrays
from capcurve._input import Columns
from capcurve.exceptions import CapcurveError

Array = NDArray[Any]

EXACT_INTEGERS = 1 << 53  # beyond, a float64 does not tell neighbours apart


def bins_of(columns: Columns, level: int, most: int) -> Bins:
    """Put rows into bins of their scores, at most as fine as ``level``."""
    if columns.weight is None and columns.has_events:
        return counted_bins(columns.score, columns.target, level).coarsened(most)
    weight, keys = columns.mass, keys_of(columns.score)
    target = columns.target.astype(np.float64)
    return summed_bins(keys, weight, target, level).coarsened(most)


def bins_of_target(columns: Columns, level: int, most: int) -> Bins:
    """Put rows into bins of their outcomes."""
    if columns.has_events:
        return two_bins(columns)
    weight = columns.mass
    keys = keys_of(columns.target)
    return summed_bins(keys, weight, columns.target, level).coarsened(most)


def two_bins(columns: Columns) -> Bins:
    """Put events and non-events into a bin each."""
    rest, events = (
        int(kind.sum()) if columns.weight is None else float(columns.weight[kind].sum())
        for kind in (~columns.target, columns.target)
    )
    return bins_of_events(rest, events)


def bins_of_events(rest: float, events: float) -> Bins:
    """Put a mass of events and one of non-events into a bin each, if there is any."""
    weight = np.array([rest, events])
    some, outcome = weight > 0, np.array([0.0, 1.0])
    keys = keys_of(outcome[some])
    target = np.array([rest * 0, events])
    return Bins(ALL_BITS, keys, keys, weight[some], target[some], outcome[some])


def counted_bins(score: Array, event: Array, level: int) -> Bins:
    """Count rows and events by bin, by sorting values only.

    Sorted floats share high bits where their keys do, so keys are made of bins alone.
    """
    ordered = as_floats(score)
    events = ordered[event]
    ordered.sort()
    events.sort()
    first = first_of_prefixes(ordered.view(np.uint64), level)
    last = np.append(first[1:], len(ordered)) - 1
    lowest = ordered[first]
    # Every event lies in some bin, so those before a bin end where its first score starts.
    counts = np.diff(np.searchsorted(events, lowest), append=len(events))
    largest = (counts > 0).astype(np.float64)
    keys, highest = arrays.ordered_integers(lowest), arrays.ordered_integers(ordered[last])
    return Bins(level, keys, highest, last - first + 1, counts, largest)


def summed_bins(keys: Keys, weight: Array, target: Array, level: int) -> Bins:
    """Sum weight and weighted outcome by bin."""
    order = arrays.ascending_order(keys)
    ordered, weight, target = keys[order], weight[order], target[order]
    first = first_of_prefixes(ordered, level)
    last = np.append(first[1:], len(ordered)) - 1
    return Bins(
        level,
        ordered[first],
        ordered[last],
        np.add.reduceat(weight, first),
        np.add.reduceat(weight * target, first),
        np.maximum.reduceat(target, first),
    )


def keys_of(numbers: Array) -> Keys:
    """Map numbers to integers of the same order, as float64 has them."""
    return arrays.ordered_integers(as_floats(numbers))


def as_floats(numbers: Array) -> NDArray[np.float64]:
    """Turn numbers into new floats, of which none is -0.0."""
    if numbers.dtype.kind in "iu" and numbers.dtype.itemsize == 8:  # noqa: PLR2004 -- bytes
        most = max(abs(int(numbers.min())), abs(int(numbers.max())))
        if most > EXACT_INTEGERS:
            raise CapcurveError(
                f"a sketch holds scores as float64, which rounds integers beyond 2**53, "
                f"got {most}; scale them down, or pass their ranks"
            )
    floats: NDArray[np.float64] = np.add(numbers, 0.0, dtype=np.float64)
    return floats
