"""Ranks of events and non-events among each other, without a tally."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from capcurve._tally.dtypes import Array
from capcurve._tally.marked_scores import (
    mark_events,
    sum_marked_signs,
    sum_signs_in_order,
    sum_signs_of_grades,
)
from capcurve._tally.threads import count_parts, map_parts, sort_in_place

MARKING_PAYS = 1 << 10  # rows from which one sort of both classes beats one of each
ROWS_PER_BLOCK = 1 << 14
FEW_FOR_EACH_PART = 8  # times as many others, among parts of which a few rows are ranked

Ranks = tuple[NDArray[np.int64], NDArray[np.int64]]  # one array twice, where nothing ties


def count_surplus(score: Array, event: NDArray[np.bool_]) -> int:
    """Count concordant less discordant pairs, where high scores are ranked first."""
    if len(score) < MARKING_PAYS:
        return count_surplus_across_classes(score, event)
    for count in (sum_signs_in_order, sum_signs_of_grades):
        surplus = count(score, event)
        if surplus is not None:
            return surplus
    key = mark_events(score, event)
    if key is None:
        return count_surplus_across_classes(score, event)
    sort_in_place(key)
    return sum_marked_signs(key)


def count_surplus_across_classes(score: Array, event: NDArray[np.bool_]) -> int:
    """Count concordant less discordant pairs from the ranks of one class in the other."""
    few, below, up_to, n_many, of_events = rank_across_classes(score, event)
    ranks = int(np.add.reduce(up_to))
    ranks += ranks if below is up_to else int(np.add.reduce(below))
    surplus = ranks - len(few) * n_many
    return surplus if of_events else -surplus


class CrossRanks(NamedTuple):
    """Ranks of the minority class among the majority class.

    Attributes
    ----------
    few : ndarray, shape (n_few,)
        Sorted scores of the minority class.
    below, up_to : ndarray of int64, shape (n_few,)
        Number of majority scores below, and up to, each of them.
    n_many : int
        Number of rows of the majority class.
    of_events : bool
        Whether the minority class are the events.
    """

    few: Array
    below: NDArray[np.int64]
    up_to: NDArray[np.int64]
    n_many: int
    of_events: bool


def rank_across_classes(score: Array, event: NDArray[np.bool_]) -> CrossRanks:
    """Rank the minority class among the majority class; only values are sorted."""
    few, many = score[event], score[~event]
    of_events = len(few) <= len(many)
    if not of_events:
        few, many = many, few
    few.sort()
    n_parts = count_parts(len(many))
    if n_parts == 1 or len(few) * FEW_FOR_EACH_PART > len(many):
        return CrossRanks(few, *rank_among(few, many), len(many), of_events)
    chunks = np.array_split(many, n_parts)
    ranks = map_parts(lambda chunk: rank_among_part(few, chunk), chunks)
    up_to = np.add.reduce([right for _, right in ranks])
    below = up_to
    if any(left is not right for left, right in ranks):
        below = np.add.reduce([left for left, _ in ranks])
    return CrossRanks(few, below, up_to, len(many), of_events)


def rank_among_part(few: Array, part: Array) -> Ranks:
    """Rank ``few`` among a part of the others, which one thread sorts."""
    part.sort()
    return find_ranks(few, part)


def rank_among(few: Array, many: Array) -> Ranks:
    """Count values of ``many`` below, and up to, each of sorted ``few``; sorts ``many``."""
    sort_in_place(many)
    n_parts = count_parts(len(few))
    if n_parts == 1:
        return find_ranks(few, many)
    parts = np.array_split(few, n_parts)
    ranks = map_parts(lambda part: find_ranks(part, many), parts)
    up_to = np.concatenate([right for _, right in ranks])
    if all(left is right for left, right in ranks):
        return up_to, up_to
    return np.concatenate([left for left, _ in ranks]), up_to


def find_ranks(few: Array, many: Array) -> Ranks:
    """Count values of ``many`` below, and up to, each of ``few``; both are sorted."""
    up_to = rank_in_blocks(few, many)
    tied = many[up_to - 1] == few  # index -1 is the maximum, which then lies above
    if not np.count_nonzero(tied):
        return up_to, up_to
    below = up_to.copy()
    below[tied] = many.searchsorted(few[tied], side="left")
    return below, up_to


def rank_in_blocks(few: Array, many: Array) -> NDArray[np.int64]:
    """Count values of ``many`` up to each of ``few``; both are sorted.

    A block of ``few`` is searched for in its own part of ``many``, which fits the cache.
    """
    if len(few) <= ROWS_PER_BLOCK:
        return many.searchsorted(few, side="right").astype(np.int64, copy=False)
    ranks = np.empty(len(few), dtype=np.int64)
    starts = np.arange(0, len(few), ROWS_PER_BLOCK)
    last = np.append(starts[1:], len(few)) - 1
    first = many.searchsorted(few[starts], side="right").tolist()
    end = many.searchsorted(few[last], side="right").tolist()
    for number, start in enumerate(starts.tolist()):
        block = slice(start, start + ROWS_PER_BLOCK)
        part = many[first[number] : end[number]]
        np.add(part.searchsorted(few[block], "right"), first[number], out=ranks[block])
    return ranks
