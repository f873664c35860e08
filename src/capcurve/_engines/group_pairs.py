"""Pairs of an event and a non-event within groups of unweighted rows.

Rows are brought together by group once; then each group is sorted on its own, in the
processor's cache, by integers that hold its class too.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from capcurve._input.columns import Columns
from capcurve._tally.dtypes import Array, FloatArray, IntArray
from capcurve._tally.grouped_tally import GroupedTally
from capcurve._tally.marked_scores import mark_events, sum_signs, unmark_events
from capcurve._tally.order import find_ascending_order
from capcurve._tally.tally import Tally
from capcurve._tally.threads import map_parts

THREADS_PAY = 1 << 14  # mean rows of a group from which groups are sorted in threads


class RankedGroups(NamedTuple):
    """Rows by group; within a group scores ascend, and of equal ones events come last.

    Attributes
    ----------
    score : ndarray, shape (n_rows,)
        Integers in the order of the scores.
    event : ndarray of bool, shape (n_rows,)
        Whether each row is an event.
    first : ndarray of int64, shape (n_groups + 1,)
        Where each group that has rows starts, and the number of rows.
    """

    score: Array
    event: NDArray[np.bool_]
    first: IntArray


def rank_groups(columns: Columns, group: IntArray) -> RankedGroups | None:
    """Rank the rows of each group; None if scores leave no bit for the class."""
    key = mark_events(columns.score, columns.target)
    if key is None:
        return None
    sizes = np.bincount(group)
    first = np.append(0, np.cumsum(sizes[sizes > 0], dtype=np.int64))
    if np.count_nonzero(group[1:] < group[:-1]):
        key = key[find_ascending_order(group)]
    sort_groups(key, first)
    return RankedGroups(*unmark_events(key), first)


def sort_groups(key: Array, first: IntArray) -> None:
    """Sort the keys of each group in place; several large groups at the same time."""
    parts = [key[start:stop] for start, stop in pairwise(first.tolist())]
    if len(key) // len(parts) < THREADS_PAY:
        for part in parts:
            part.sort()
    else:
        map_parts(np.ndarray.sort, parts)


def compute_pair_ratios(ranked: RankedGroups, *, descending: bool) -> FloatArray:
    """Return AR of each group; nan where a group has rows of one class only."""
    signs = sum_signs(*ranked)
    reached = np.append(0, np.cumsum(ranked.event, dtype=np.int64))[ranked.first]
    events = np.diff(reached)
    pairs = (events * (np.diff(ranked.first) - events)).tolist()
    sign = 1 if descending else -1
    ratios = [
        sign * surplus / total if total else float("nan")
        for surplus, total in zip(signs, pairs, strict=True)
    ]
    return np.array(ratios)


def tally_ranked_groups(ranked: RankedGroups) -> GroupedTally:
    """Tally ranked rows by group and by score, lowest first."""
    score, event, first = ranked
    starts = np.append(True, score[1:] != score[:-1])
    starts[first[:-1]] = True
    start = np.flatnonzero(starts).astype(np.int64, copy=False)
    weight = np.diff(start, append=np.int64(len(score)))
    target = np.add.reduceat(event, start, dtype=np.int64)
    entries = Tally(score[start], weight, target)
    return GroupedTally(entries, start.searchsorted(first))
