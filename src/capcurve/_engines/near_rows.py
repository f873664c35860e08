"""Rows near the population shares at which the curve is exact, kept as batches pass.

The bins there are split into their scores. The first batch tells in which ranges of scores
they will lie, so that the engine need not read all rows again.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from capcurve._engines.binned_rows import Fineness, count_in_bins
from capcurve._tally.bins import Bins
from capcurve._tally.cells import FINEST
from capcurve._tally.dtypes import Array, FloatArray

DEVIATIONS = 6  # standard deviations of a share in the first batch, on either side
MAX_KEPT = 1 / 16  # of all bins


class NearRows:
    """Rows whose scores lie in some ranges.

    Parameters
    ----------
    few : ndarray of float64
        Scores of the minority class, ascending.
    low, high : ndarray of float64
        Lowest and highest score of each range, ascending.
    """

    def __init__(self, few: FloatArray, low: FloatArray, high: FloatArray) -> None:
        self.few, self.low, self.high = few, low, high
        self.many: list[FloatArray] = []

    def add(self, batch: FloatArray) -> None:
        """Keep the rows of a sorted batch of the majority class that lie in the ranges."""
        starts, ends = find_ranges(batch, self.low, self.high)
        self.many += [batch[a:b].copy() for a, b in zip(starts, ends, strict=True)]

    def bin_scores(
        self, low: FloatArray, high: FloatArray, *, of_events: bool
    ) -> Bins | None:
        """Count the rows with each score in other ranges; None unless ours hold them.

        Parameters
        ----------
        low, high : ndarray of float64
        of_events : bool
            Whether the minority class are the events.
        """
        place = self.high.searchsorted(high)
        if not len(place) or place.max() == len(self.high):
            return None
        if (low < self.low[place]).any():
            return None
        many = np.sort(np.concatenate(self.many))
        few, many = (take_ranges(ordered, low, high) for ordered in (self.few, many))
        event = np.repeat([of_events, not of_events], [len(few), len(many)])
        scores = np.concatenate([few, many])
        return count_in_bins(scores, event, Fineness("numbers", FINEST, len(scores)))


def choose_near_rows(
    few: FloatArray,
    batch: FloatArray,
    edges: FloatArray,
    at: Sequence[float],
    n_many: int,
) -> NearRows:
    """Choose the ranges that surely hold some shares, if the first batch is a sample.

    Parameters
    ----------
    few, batch : ndarray of float64
        Sorted scores of the minority class, and of the first batch of the other.
    edges : ndarray of float64
        Edges of bins; each holds the scores above the one before it, up to its own edge.
    at : sequence of float
        Shares of the population, lowest scores first.
    n_many : int
        Number of rows of the majority class.
    """
    below = batch.searchsorted(edges, "right") * (n_many / len(batch))
    share = (few.searchsorted(edges, "right") + below) / (len(few) + n_many)
    slack = DEVIATIONS / (2 * np.sqrt(len(batch)))
    marked = np.zeros(len(edges) + 1, dtype=np.int8)
    for wanted in at:
        first, last = share.searchsorted([wanted - slack, wanted + slack])
        marked[first : last + 2] = 1  # where a share is an edge, the next bin is split too
    if marked.mean() > MAX_KEPT:
        marked[:] = 0
    steps = np.diff(marked, prepend=0, append=0)
    with np.errstate(over="ignore"):  # of an infinite score
        lowest = np.append(-np.inf, np.nextafter(edges, np.inf))
    highest = np.append(edges, np.inf)
    return NearRows(few, lowest[steps[:-1] == 1], highest[steps[1:] == -1])


def find_ranges(ordered: Array, low: Array, high: Array) -> tuple[list[int], list[int]]:
    """Find the first position of ranges of sorted numbers, and that after the last."""
    return ordered.searchsorted(low).tolist(), ordered.searchsorted(high, "right").tolist()


def take_ranges(ordered: Array, low: Array, high: Array) -> Array:
    """Return the numbers in ranges of sorted numbers."""
    ranges = zip(*find_ranges(ordered, low, high), strict=True)
    return np.concatenate([ordered[start:end] for start, end in ranges])
