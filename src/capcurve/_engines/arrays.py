"""NumPy, in memory, exact.

Sorting values is vectorised in NumPy and sorting indices is not, so events without
weights are tallied by sorting values alone, and an order, where one is needed, comes
from sorting integers that carry the row number in their low bits.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from capcurve._groups import GroupedTally
from capcurve._input import Columns
from capcurve._pairs import PairCounts
from capcurve._tally import Tally

Array = NDArray[Any]

ROWS_PER_THREAD = 1 << 19  # below, starting a thread costs more than it saves
GROUP_OF_MANY = 500  # rows from which a group is worth a call of its own
PACKING_PAYS = 1 << 13  # rows from which packing beats argsort


def tally(columns: Columns) -> Tally:
    """Tally the rows by distinct score."""
    if columns.weight is None and columns.has_events:
        score, weight, target = count_by_score(columns.score, columns.target)
    else:
        mass = counted(columns)
        score, weight, target = sum_by_score(columns.score, mass, columns.target)
    if columns.descending:
        score, weight, target = score[::-1], weight[::-1], target[::-1]
    return Tally(score, weight, target)


def counted(columns: Columns) -> Array:
    """Give the mass of each row: an integer where it counts rows with events."""
    mass = columns.mass
    return mass.astype(np.int64) if columns.counts_rows and columns.has_events else mass


def tally_groups(columns: Columns, group: NDArray[np.int64]) -> GroupedTally:
    """Tally the rows by the number of their group and by distinct score."""
    order = ascending_order(columns.score)
    best_first = order[::-1] if columns.descending else order
    order = best_first[ascending_order(group[best_first])]  # stable: best first in each
    group, score = group[order], columns.score[order]
    ends = np.ones(len(order), dtype=np.bool_)
    ends[:-1] = (group[1:] != group[:-1]) | (score[1:] != score[:-1])
    last = np.flatnonzero(ends)
    first = last - np.diff(last, prepend=-1) + 1
    target = columns.target[order]
    if columns.weight is None and columns.has_events:
        weight = np.diff(last, prepend=-1)
        target = np.add.reduceat(target, first, dtype=np.int64)
    else:
        rows = counted(columns)[order]
        weight = np.add.reduceat(rows, first)
        target = np.add.reduceat(target * rows, first)
    group = group[last]
    entries = Tally(score[last], weight, target)
    return GroupedTally(entries, np.append(0, last_of_runs(group) + 1))


def accuracy_ratios(columns: Columns, group: NDArray[np.int64]) -> NDArray[np.float64]:
    """Compute AR of each group that has rows, nan where its outcomes are equal."""
    sizes = np.bincount(group)
    sizes = sizes[sizes > 0]
    if columns.weight is None and columns.has_events and sizes.mean() > GROUP_OF_MANY:
        return pair_surpluses(
            columns, np.split(ascending_order(group), np.cumsum(sizes)[:-1])
        )
    grouped = tally_groups(columns, group)
    if columns.has_events:
        events = grouped.total_target
        best = events * (grouped.total_weight - events)
    else:
        best = tally_groups(columns.ranked_by_target(), group).gain
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = np.where(best == 0, np.nan, grouped.gain / best)
    return np.clip(ratio, -1, 1)  # beyond 1 by rounding only


def pair_surpluses(
    columns: Columns, groups: list[NDArray[np.int64]]
) -> NDArray[np.float64]:
    """Compute AR of groups of many rows one by one: each fits the processor's cache."""

    def ratio(rows: NDArray[np.int64]) -> float:
        part = columns[rows]
        return float("nan") if part.is_constant else pair_surplus(part)

    with ThreadPoolExecutor(threads()) as pool:
        return np.fromiter(pool.map(ratio, groups), dtype=np.float64, count=len(groups))


def perfect_tally(columns: Columns, by_score: Tally) -> Tally:
    """Tally the rows as the perfect model ranks them: by the target itself."""
    if columns.has_events:
        return by_score.events_first()
    return tally(columns.ranked_by_target())


def accuracy_ratio(columns: Columns) -> float:
    """Compute AR alone; events without weights need no tally."""
    if columns.weight is None and columns.has_events:
        return pair_surplus(columns)
    by_score = tally(columns)
    return by_score.gain_ratio(perfect_tally(columns, by_score))


def tie_gain(columns: Columns, by_score: Tally) -> float:
    """Compute what the best order of tied rows would add to the gain of a tally.

    Inside a block of ties that is the gain of its rows ranked by the outcome.
    """
    if columns.has_events:
        return by_score.tied_pairs
    if len(by_score) == len(columns.score):
        return 0.0
    order = ascending_order(columns.score)
    ordered = columns.score[order]
    block = np.empty(len(order), dtype=np.int64)
    block[order] = np.cumsum(np.append(0, ordered[1:] != ordered[:-1]))
    return float(tally_groups(columns.ranked_by_target(), block).gain.sum())


def count_by_score(score: Array, event: Array) -> tuple[Array, Array, Array]:
    """Count rows and events per distinct score, ascending, by sorting values only."""
    ordered = np.sort(score)
    last = last_of_runs(ordered)
    if len(last) == len(ordered):
        rows = np.broadcast_to(np.int64(1), ordered.shape)
    else:
        ordered, rows = ordered[last], np.diff(last, prepend=-1)
    entry = np.searchsorted(ordered, np.sort(score[event]))
    return ordered, rows, np.bincount(entry, minlength=len(ordered))


def sum_by_score(score: Array, weight: Array, target: Array) -> tuple[Array, Array, Array]:
    """Sum weight and weighted target per distinct score, ascending."""
    order = ascending_order(score)
    ordered = score[order]
    weight = weight[order]
    target = target[order] * weight
    last = last_of_runs(ordered)
    if len(last) < len(ordered):
        first = last - np.diff(last, prepend=-1) + 1
        ordered = ordered[last]
        weight, target = np.add.reduceat(weight, first), np.add.reduceat(target, first)
    return ordered, weight, target


def last_of_runs(ordered: Array) -> Array:
    """Find the last position of each run of equal values."""
    ends = np.ones(len(ordered), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=ends[:-1])
    return np.flatnonzero(ends)


def pair_surplus(columns: Columns) -> float:
    """Concordant less discordant pairs of an event and a non-event, as a share of all."""
    ranks = cross_ranks(columns)
    sign = 1 if columns.descending == ranks.of_events else -1
    surplus = int(ranks.below.sum()) + int(ranks.up_to.sum())
    m, n = len(ranks.few), ranks.n_many
    return sign * (surplus - m * n) / (m * n)


def pair_counts(columns: Columns) -> PairCounts:
    """Count pairs as variances need them; rows weigh 1, or as many rows."""
    if columns.weight is not None:
        return PairCounts.from_tally(tally(columns))
    few, below, up_to, n_many, of_events = cross_ranks(columns)
    counts = PairCounts.from_ranks(few, below, up_to, n_many)
    if not of_events:
        counts = counts.swapped()
    return counts if columns.descending else counts.reversed()


class CrossRanks(NamedTuple):
    """The class of fewer rows, sorted, and how many of the other rank below each."""

    few: Array
    below: NDArray[np.int64]
    up_to: NDArray[np.int64]
    n_many: int
    of_events: bool


def cross_ranks(columns: Columns) -> CrossRanks:
    """Rank events among non-events, or the reverse, by sorting values alone."""
    few, many = columns.score[columns.target], columns.score[~columns.target]
    of_events = len(few) <= len(many)
    if not of_events:
        few, many = many, few
    few.sort()
    chunks = np.array_split(many, max(1, min(threads(), len(many) // ROWS_PER_THREAD)))
    if len(chunks) == 1:
        below, up_to = rank_among(few, many)
    else:
        with ThreadPoolExecutor(len(chunks)) as pool:
            ranks = list(pool.map(lambda chunk: rank_among(few, chunk), chunks))
        up_to = np.add.reduce([right for _, right in ranks])
        below = up_to
        if any(left is not right for left, right in ranks):
            below = np.add.reduce([left for left, _ in ranks])
    return CrossRanks(few, below, up_to, len(many), of_events)


def rank_among(few: Array, many: Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count values of ``many`` below, and up to, each of ``few``, sorted; sorts it."""
    many.sort()
    up_to = np.searchsorted(many, few, side="right")
    tied = many[up_to - 1] == few  # at -1 stands the largest, which is above
    if not tied.any():
        return up_to, up_to
    below = up_to.copy()
    below[tied] = np.searchsorted(many, few[tied], side="left")
    return below, up_to


def surplus_by_row(columns: Columns) -> NDArray[np.float64]:
    """Find how far each row's outcome lies above those ranked worse, below those better.

    For row i this is the sum over rows j of ``w[j] * (y[i] - y[j])``, counted positive
    where i is ranked better and negative where it is ranked worse. For an event that is
    the non-events ranked worse less those ranked better.
    """
    order = ascending_order(columns.score)
    last = last_of_runs(columns.score[order])
    weight = np.ones(len(order)) if columns.weight is None else columns.weight[order]
    target = columns.target[order].astype(np.float64)
    surplus = target * below_less_above(weight, last)
    surplus -= below_less_above(weight * target, last)
    by_row = np.empty(len(order))
    by_row[order] = surplus
    return by_row if columns.descending else -by_row


def below_less_above(mass: Array, last: Array) -> Array:
    """Find for each row, ascending in runs of ties, mass below it less mass above it."""
    up_to: Array = np.cumsum(mass)
    total = up_to[-1]
    if len(last) < len(mass):
        up_to = up_to[last]
        runs = np.diff(last, prepend=-1)
        return np.repeat(up_to + np.append(0.0, up_to[:-1]) - total, runs)
    difference: Array = 2 * up_to - mass
    difference -= total
    return difference


def counted_rows(by_score: Tally) -> Columns:
    """Turn a tally of 0/1 events back into rows: one of each kind for each score.

    They are ranked by their place, so that high is best whichever way scores run.
    """
    place = np.arange(len(by_score), 0, -1)
    counts = np.append(by_score.target, by_score.weight - by_score.target)
    kinds = np.repeat([True, False], len(place))
    some = counts > 0
    return Columns(
        target=kinds[some],
        score=np.append(place, place)[some],
        weight=counts[some].astype(np.float64),
        counts_rows=True,
    )


def best_first_entries(columns: Columns) -> NDArray[np.int64]:
    """Find the number of each row's score among the distinct ones, best first."""
    order = ascending_order(columns.score)
    ordered = columns.score[order]
    number = np.cumsum(np.append(0, ordered[1:] != ordered[:-1]))
    entry = np.empty(len(order), dtype=np.int64)
    entry[order] = number[-1] - number if columns.descending else number
    return entry


def ascending_order(score: Array) -> NDArray[np.int64]:
    """Find the order of the rows by score; equal scores come in row order."""
    if len(score) < PACKING_PAYS:
        return np.argsort(score, kind="stable")
    key = ordered_integers(score)
    key -= key.min()
    row_bits = (len(score) - 1).bit_length()
    lost_bits = max(0, int(key.max()).bit_length() + row_bits - 64)
    key >>= np.uint64(lost_bits)
    key <<= np.uint64(row_bits)
    key |= np.arange(len(score), dtype=np.uint64)
    key.sort()
    order = (key & np.uint64((1 << row_bits) - 1)).view(np.int64)
    if lost_bits:
        key >>= np.uint64(row_bits)
        sort_within_runs(key, order, score)
    return order


def ordered_integers(score: Array) -> NDArray[np.uint64]:
    """Map scores to integers of the same order."""
    if score.dtype.kind == "u":
        return score.astype(np.uint64)
    if score.dtype.kind == "i":
        signed = score.astype(np.int64)
    else:
        signed = score.astype(np.float64).view(np.int64)
        signed ^= (signed >> 63) & np.int64(np.iinfo(np.int64).max)
    key = signed.view(np.uint64)
    key ^= np.uint64(1 << 63)
    return key


def sort_within_runs(key: Array, order: Array, score: Array) -> None:
    """Repair the order, in place, where equal keys stand for several scores."""
    same = key[1:] == key[:-1]
    in_run = np.append(same, False)
    in_run[1:] |= same
    position = np.flatnonzero(in_run)
    rows = order[position]
    order[position] = rows[np.argsort(score[rows], kind="stable")]


def threads() -> int:
    """Count the processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
