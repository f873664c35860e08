"""Compute tallies, pair counts and accuracy ratios of rows in memory."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from capcurve._engines.device import (
    count_by_score_on_device,
    rank_on_device,
    sum_ranks,
)
from capcurve._engines.plan import EXACT_INTEGERS
from capcurve._input.columns import Columns, Weights
from capcurve._input.device_columns import DeviceColumns
from capcurve._tally.contrast import TOLERANCE, Contrast, refuse_rounding
from capcurve._tally.dtypes import Array
from capcurve._tally.grouped_tally import GroupedTally
from capcurve._tally.order import find_ascending_order, find_run_ends
from capcurve._tally.pair_counts import PairCounts
from capcurve._tally.tally import Tally

ROWS_PER_THREAD = 1 << 19  # with fewer rows, starting a thread costs more than it saves
MIN_ROWS_PER_GROUP_CALL = 500  # mean group size above which one call per group is faster


def tally_rows(columns: Columns) -> Tally:
    """Tally rows by distinct score, best first."""
    if isinstance(columns, DeviceColumns):
        score, weight, target = count_by_score_on_device(columns)
    elif columns.weight is None and columns.has_events:
        score, weight, target = count_by_score(columns.score, columns.target)
    else:
        mass = weigh_rows_for_tally(columns)
        score, weight, target = sum_by_score(columns.score, mass, columns.target)
    if columns.descending:
        score, weight, target = score[::-1], weight[::-1], target[::-1]
    return Tally(score, weight, target)


def weigh_rows_for_tally(columns: Columns) -> Array:
    """Return the weight of each row, as an integer for frequency weights of events."""
    mass = columns.mass
    return (
        mass.astype(np.int64)
        if columns.weights.counts_rows and columns.has_events
        else mass
    )


def tally_groups(columns: Columns, group: NDArray[np.int64]) -> GroupedTally:
    """Tally rows by group and by distinct score, best first within each group."""
    order = find_ascending_order(columns.score)
    best_first = order[::-1] if columns.descending else order
    # The sort by group is stable, so rows stay best first within each group.
    order = best_first[find_ascending_order(group[best_first])]
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
        rows = weigh_rows_for_tally(columns)[order]
        weight = np.add.reduceat(rows, first)
        target = np.add.reduceat(target * rows, first)
    group = group[last]
    entries = Tally(score[last], weight, target)
    return GroupedTally(entries, np.append(0, find_run_ends(group) + 1))


def compute_accuracy_ratios(
    columns: Columns, group: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return AR of each group that has rows; nan if all targets of a group are equal."""
    sizes = np.bincount(group)
    sizes = sizes[sizes > 0]
    if (
        columns.weight is None
        and columns.has_events
        and sizes.mean() > MIN_ROWS_PER_GROUP_CALL
    ):
        return compute_pair_surpluses(
            columns, np.split(find_ascending_order(group), np.cumsum(sizes)[:-1])
        )
    grouped = tally_groups(columns, group)
    perfect = tally_perfect_groups(columns, group, grouped)
    ratios, rounding = grouped.compare(perfect)
    for place, part in split_rounded_groups(columns, group, rounding):
        ratios[place] = compute_accuracy_ratio(part)
    return ratios


def split_rounded_groups(
    columns: Columns, group: NDArray[np.int64], rounding: Array
) -> Iterator[tuple[int, Columns]]:
    """Yield the place and the rows of each group whose sums may hide how outcomes differ.

    Rounding hides nothing where all outcomes are equal.
    """
    if not np.any(rounding > TOLERANCE):
        return
    place = np.unique(group, return_inverse=True)[1]
    target = columns.target.astype(np.float64)
    least, most = np.full(len(rounding), np.inf), np.full(len(rounding), -np.inf)
    np.minimum.at(least, place, target)
    np.maximum.at(most, place, target)
    for number in np.flatnonzero((rounding > TOLERANCE) & (least < most)).tolist():
        yield number, columns[place == number]


def compute_pair_surpluses(
    columns: Columns, groups: list[NDArray[np.int64]]
) -> NDArray[np.float64]:
    """Return AR of each group of unweighted events, given as row numbers.

    Large groups are ranked one by one, because each fits into the processor's cache.
    """

    def compute_ratio(rows: NDArray[np.int64]) -> float:
        part = columns[rows]
        return float("nan") if part.is_constant else compute_pair_surplus(part)

    with ThreadPoolExecutor(count_threads()) as pool:
        ratios = pool.map(compute_ratio, groups)
        return np.fromiter(ratios, dtype=np.float64, count=len(groups))


def tally_perfect_ranking(columns: Columns, by_score: Tally) -> Tally:
    """Tally rows in the order of the perfect model, which ranks by the target."""
    if columns.has_events:
        return by_score.events_first()
    perfect = tally_rows(columns.ranked_by_target())
    return replace(perfect, target=perfect.score * perfect.weight)


def tally_perfect_groups(
    columns: Columns, group: NDArray[np.int64], by_score: GroupedTally
) -> GroupedTally:
    """Tally rows by group in the order of the perfect model."""
    if columns.has_events:
        return by_score.events_first()
    return tally_amounts_by_group(columns, group)


def tally_amounts_by_group(columns: Columns, group: NDArray[np.int64]) -> GroupedTally:
    """Tally amounts by group, ranked by themselves."""
    perfect = tally_groups(columns.ranked_by_target(), group)
    entries = perfect.entries
    exact = replace(entries, target=entries.score * entries.weight)
    return replace(perfect, entries=exact)


def compute_accuracy_ratio(columns: Columns) -> float:
    """Compute AR; without a tally for unweighted events."""
    if columns.weight is None and columns.has_events:
        return compute_pair_surplus(columns)
    by_score = tally_rows(columns)
    perfect = tally_perfect_ranking(columns, by_score)
    return contrast_rankings(columns, by_score, perfect).accuracy_ratio


def contrast_rankings(columns: Columns, by_score: Tally, perfect: Tally) -> Contrast:
    """Contrast the tallies of rows; raise if rounding may have changed their ratio."""
    contrast = Contrast.of(by_score, perfect)
    if contrast.rounding > TOLERANCE and not is_exact(columns, by_score):
        refuse_rounding(contrast.rounding)
    return contrast


def is_exact(columns: Columns, by_score: Tally) -> bool:
    """Whether a tally of rows holds sums without any rounding.

    It does if no row is tied and no amount weighted, or if all numbers are integers.
    """
    has_products = columns.weight is not None and not columns.has_events
    if len(by_score) == len(columns.score) and not has_products:
        return True
    mass = columns.mass
    largest = (mass * np.maximum(columns.target, 1)).sum()
    return bool(
        largest < EXACT_INTEGERS
        and np.all(mass == np.floor(mass))
        and np.all(columns.target == np.floor(columns.target))
    )


def compute_tie_slack(columns: Columns, by_score: Tally) -> float:
    """Return how much the best order of tied rows would add to the concordance surplus.

    In each tie block this is the surplus of its rows when ranked by the target.
    """
    if columns.has_events:
        return by_score.tied_pair_mass
    if len(by_score) == len(columns.score):
        return 0.0
    order = find_ascending_order(columns.score)
    ordered = columns.score[order]
    block = np.empty(len(order), dtype=np.int64)
    block[order] = np.cumsum(np.append(0, ordered[1:] != ordered[:-1]))
    return float(tally_amounts_by_group(columns, block).perfect_surplus.sum())


def count_by_score(score: Array, event: Array) -> tuple[Array, Array, Array]:
    """Count rows and events by distinct score, ascending; only values are sorted."""
    ordered = np.sort(score)
    last = find_run_ends(ordered)
    if len(last) == len(ordered):
        rows = np.broadcast_to(np.int64(1), ordered.shape)
    else:
        ordered, rows = ordered[last], np.diff(last, prepend=-1)
    entry = np.searchsorted(ordered, np.sort(score[event]))
    return ordered, rows, np.bincount(entry, minlength=len(ordered))


def sum_by_score(score: Array, weight: Array, target: Array) -> tuple[Array, Array, Array]:
    """Sum weight and weighted target by distinct score, ascending."""
    order = find_ascending_order(score)
    ordered = score[order]
    weight = weight[order]
    target = target[order] * weight
    last = find_run_ends(ordered)
    if len(last) < len(ordered):
        first = last - np.diff(last, prepend=-1) + 1
        ordered = ordered[last]
        weight, target = np.add.reduceat(weight, first), np.add.reduceat(target, first)
    return ordered, weight, target


def compute_pair_surplus(columns: Columns) -> float:
    """Return AR of unweighted events: concordant minus discordant pairs, by all pairs."""
    if isinstance(columns, DeviceColumns):
        surplus, of_events = sum_ranks(columns)
        events, nonevents = columns.class_counts
        sign = 1 if columns.descending == of_events else -1
        return sign * surplus / (events * nonevents)
    ranks = rank_across_classes(columns)
    sign = 1 if columns.descending == ranks.of_events else -1
    surplus = int(ranks.below.sum()) + int(ranks.up_to.sum())
    m, n = len(ranks.few), ranks.n_many
    return sign * (surplus - m * n) / (m * n)


def count_pairs(columns: Columns) -> PairCounts:
    """Count the pairs from which AR and its variance follow; weights must be row counts."""
    if columns.weight is not None:
        return PairCounts.from_tally(tally_rows(columns))
    few, below, up_to, n_many, of_events = rank_across_classes(columns)
    counts = PairCounts.from_ranks(few, below, up_to, n_many)
    if not of_events:
        counts = counts.swapped()
    return counts if columns.descending else counts.reversed()


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


def rank_across_classes(columns: Columns) -> CrossRanks:
    """Rank the minority class among the majority class; only values are sorted."""
    if isinstance(columns, DeviceColumns):
        return CrossRanks(*rank_on_device(columns))
    few, many = columns.score[columns.target], columns.score[~columns.target]
    of_events = len(few) <= len(many)
    if not of_events:
        few, many = many, few
    few.sort()
    n_chunks = len(many) // ROWS_PER_THREAD
    if n_chunks > 1:
        n_chunks = min(count_threads(), n_chunks)
    if n_chunks <= 1:
        below, up_to = rank_among(few, many)
    else:
        chunks = np.array_split(many, n_chunks)
        with ThreadPoolExecutor(len(chunks)) as pool:
            ranks = list(pool.map(lambda chunk: rank_among(few, chunk), chunks))
        up_to = np.add.reduce([right for _, right in ranks])
        below = up_to
        if any(left is not right for left, right in ranks):
            below = np.add.reduce([left for left, _ in ranks])
    return CrossRanks(few, below, up_to, len(many), of_events)


def rank_among(few: Array, many: Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count values of ``many`` below, and up to, each of sorted ``few``; sorts ``many``."""
    many.sort()
    up_to = np.searchsorted(many, few, side="right")
    tied = many[up_to - 1] == few  # index -1 is the maximum, which then lies above
    if not tied.any():
        return up_to, up_to
    below = up_to.copy()
    below[tied] = np.searchsorted(many, few[tied], side="left")
    return below, up_to


def compute_row_surplus(columns: Columns) -> NDArray[np.float64]:
    """Return the concordance surplus of each row.

    For row i this is the sum over rows j of ``w[j] * (y[i] - y[j])``, with a plus sign if i
    is ranked better than j, a minus sign if it is ranked worse, and 0 for ties. For an
    event it is the number of non-events ranked worse minus those ranked better.
    """
    order = find_ascending_order(columns.score)
    last = find_run_ends(columns.score[order])
    weight = columns.mass[order]
    target = columns.target[order]
    # Sums run over few or near equal rows apart from the rest, which would round them.
    if columns.has_events:
        surplus = below_less_above_ascending(np.where(target, 0, weight), last)
        of_nonevents = below_less_above_ascending(np.where(target, weight, 0), last)
        np.negative(of_nonevents, out=surplus, where=~target)
    else:
        target = target - np.average(target, weights=weight)
        surplus = target * below_less_above_ascending(weight, last)
        surplus -= below_less_above_ascending(weight * target, last)
    by_row = np.empty(len(order))
    by_row[order] = surplus
    return by_row if columns.descending else -by_row


def below_less_above_ascending(mass: Array, last: Array) -> Array:
    """Return mass below minus mass above each row; rows ascend, ``last`` ends tie runs."""
    up_to: Array = np.cumsum(mass)
    total = up_to[-1]
    if len(last) < len(mass):
        up_to = up_to[last]
        runs = np.diff(last, prepend=-1)
        return np.repeat(up_to + np.append(0.0, up_to[:-1]) - total, runs)
    difference: Array = 2 * up_to - mass
    difference -= total
    return difference


def make_counted_rows(by_score: Tally) -> Columns:
    """Return a tally of 0/1 events as rows with frequency weights.

    There is a row for the events and one for the non-events of each score. The score is the
    place in the tally, highest first, so it does not matter how the tally was ranked.
    """
    place = np.arange(len(by_score), 0, -1)
    counts = np.append(by_score.target, by_score.weight - by_score.target)
    is_event = np.repeat([True, False], len(place))
    present = counts > 0
    return Columns(
        target=is_event[present],
        score=np.append(place, place)[present],
        weights=Weights(value=counts[present].astype(np.float64), counts_rows=True),
    )


def number_scores_best_first(columns: Columns) -> NDArray[np.int64]:
    """Return the dense rank of each row's score, from 0 for the best."""
    order = find_ascending_order(columns.score)
    ordered = columns.score[order]
    number = np.cumsum(np.append(0, ordered[1:] != ordered[:-1]))
    entry = np.empty(len(order), dtype=np.int64)
    entry[order] = number[-1] - number if columns.descending else number
    return entry


def count_threads() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
