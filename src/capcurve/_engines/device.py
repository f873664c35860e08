"""Sort and count unweighted events on the device on which their arrays lie.

Values are sorted, never row numbers, and ties are decided by two binary searches, so the
counts are the integers that NumPy finds, whatever the device and its order of ties.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from capcurve._input.device_array import FLOATS, DeviceArray, fetch
from capcurve._input.device_columns import DeviceColumns
from capcurve._input.device_libraries import order_bits
from capcurve._tally.dtypes import Array, IntArray


class Ordering:
    """How the scores of an array are sorted, and come back."""

    def __init__(self, ranked: DeviceArray) -> None:
        self.ranked = ranked
        self.by_bits = ranked.library == "jax" and ranked.dtype in FLOATS

    @property
    def keys(self) -> Any:
        """Numbers on the device that sort as the scores do."""
        if self.by_bits:
            return order_bits(self.ranked.values, self.ranked.xp)
        if self.ranked.dtype in {"float16", "bfloat16"}:
            return self.ranked.xp.astype(self.ranked.values, self.ranked.xp.float32)
        return self.ranked.numbers

    def fetch_scores(self, keys: Any) -> Array:
        """Fetch keys as the scores that they stand for."""
        found = fetch(keys, self.ranked.name)
        if self.by_bits:
            return restore_floats(found, self.ranked.dtype)
        return found.astype(np.float16) if self.ranked.dtype == "float16" else found

    def fetch_counts(self, counts: Any) -> IntArray:
        """Fetch counts from the device."""
        return fetch(counts, self.ranked.name).astype(np.int64, copy=False)


def restore_floats(keys: Array, dtype: str) -> Array:
    """Return the floats that integers of `order_bits` stand for."""
    bits = np.where(keys < 0, keys ^ np.iinfo(keys.dtype).max, keys)
    if dtype == "bfloat16":  # the upper half of a float32
        return (bits.astype(np.int32) << 16).view(np.float32)
    return bits.view(dtype)


def sort_classes(columns: DeviceColumns, keys: Any) -> tuple[Any, Any, bool]:
    """Sort the scores of each class, the rarer one first; tell whether it is the events."""
    xp, event = columns.ranked.xp, columns.event
    few, many = xp.sort(keys[event]), xp.sort(keys[xp.logical_not(event)])
    events, nonevents = columns.class_counts
    return (few, many, True) if events <= nonevents else (many, few, False)


def sum_ranks(columns: DeviceColumns) -> int:
    """Count the pairs in which the event is higher less those in which it is lower.

    The ranks of the rarer class among the other one are summed in 64-bit integers. Nothing
    but two sums leaves the device.
    """
    xp = columns.ranked.xp
    few, many, of_events = sort_classes(columns, Ordering(columns.ranked).keys)
    total = sum(
        int(xp.sum(xp.searchsorted(many, few, side=side), dtype=xp.int64))
        for side in ("left", "right")
    )
    surplus: int = total - few.shape[0] * many.shape[0]
    return surplus if of_events else -surplus


def rank_on_device(columns: DeviceColumns) -> tuple[Array, IntArray, IntArray, int, bool]:
    """Rank the rarer class among the other one; see `class_ranks.CrossRanks`.

    The scores and ranks of the rarer class leave the device.
    """
    ordering = Ordering(columns.ranked)
    few, many, of_events = sort_classes(columns, ordering.keys)
    below, up_to = (
        ordering.fetch_counts(columns.ranked.xp.searchsorted(many, few, side=side))
        for side in ("left", "right")
    )
    if np.array_equal(below, up_to):
        below = up_to
    return ordering.fetch_scores(few), below, up_to, many.shape[0], of_events


def count_by_score_on_device(columns: DeviceColumns) -> tuple[Array, IntArray, IntArray]:
    """Count rows and events by distinct score, ascending; the counts leave the device."""
    xp, ordering = columns.ranked.xp, Ordering(columns.ranked)
    keys = ordering.keys
    ordered = xp.sort(keys)
    ends = ordered[1:] != ordered[:-1], xp.ones_like(ordered[:1], dtype=xp.bool)
    distinct = ordered[xp.concat(ends)]
    sides = ordered, xp.sort(keys[columns.event])
    rows, events = (
        np.diff(
            ordering.fetch_counts(xp.searchsorted(side, distinct, side="right")), prepend=0
        )
        for side in sides
    )
    return ordering.fetch_scores(distinct), rows, events
