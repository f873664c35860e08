"""Compute tallies, pair counts and accuracy ratios of rows in memory."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from capcurve._engines.class_ranks import CrossRanks, count_surplus, rank_across_classes
from capcurve._engines.device import (
    count_by_score_on_device,
    rank_on_device,
    sum_ranks,
)
from capcurve._engines.group_pairs import (
    compute_pair_ratios,
    rank_groups,
    tally_ranked_groups,
)
from capcurve._engines.plan import EXACT_INTEGERS
from capcurve._input.columns import Columns, Weights
from capcurve._input.device_columns import DeviceColumns
from capcurve._tally.contrast import TOLERANCE, Contrast, refuse_rounding
from capcurve._tally.dtypes import Array
from capcurve._tally.grouped_tally import GroupedTally
from capcurve._tally.order import find_ascending_order, find_run_ends, order_rows
from capcurve._tally.pair_counts import PairCounts
from capcurve._tally.tally import Tally, clip_ratio
from capcurve._tally.threads import map_chunks, sort_in_place
from capcurve._tally.weighted_scores import sum_weighted_signs


def tally_rows(columns: Columns) -> Tally:
    """Tally rows by distinct score, best first."""
    if isinstance(columns, DeviceColumns):
        tally = Tally(*count_by_score_on_device(columns))
        return rank_best_first(tally, descending=columns.descending)
    if columns.weight is None and columns.has_events:
        tally = Tally(*count_by_score(columns.score, columns.target))
        return rank_best_first(tally, descending=columns.descending)
    by_row = tally_by_row(columns)
    return replace(by_row, score=columns.score[by_row.score])


def tally_by_row(columns: Columns) -> Tally:
    """Tally rows as `tally_rows` does, with a row of each score in place of the score.

    It costs less, as looking up scores of many rows in random order is slow.
    """
    mass = weigh_rows_for_tally(columns)
    tally = Tally(*sum_by_score(columns.score, mass, columns.target))
    return rank_best_first(tally, descending=columns.descending)


def rank_best_first(tally: Tally, *, descending: bool) -> Tally:
    """Turn a tally of ascending scores round if high scores are ranked first."""
    if not descending:
        return tally
    return Tally(tally.score[::-1], tally.weight[::-1], tally.target[::-1])


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
    last = np.flatnonzero(ends).astype(np.int64, copy=False)
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
    if columns.weight is None and columns.has_events:
        ranked = rank_groups(columns, group)
        if ranked is not None:
            return compute_pair_ratios(ranked, descending=columns.descending)
    grouped = tally_groups(columns, group)
    perfect = tally_perfect_groups(columns, group, grouped)
    ratios, rounding = grouped.compare(perfect)
    for place, part in split_rounded_groups(columns, group, rounding):
        ratios[place] = compute_accuracy_ratio(part)
    return ratios


def count_pairs_by_group(columns: Columns, group: NDArray[np.int64]) -> list[PairCounts]:
    """Count the pairs of each group that has rows; weights must be row counts."""
    ranked = rank_groups(columns, group) if columns.weight is None else None
    if ranked is None:
        return tally_groups(columns, group).count_pairs()
    counts = tally_ranked_groups(ranked).count_pairs()  # worst first
    if columns.descending:
        counts = [pairs.reversed() for pairs in counts]
    return counts


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
    if columns.has_events and not columns.weights.counts_rows:
        signs = sum_weighted_signs(columns.score, columns.mass, columns.target)
        if signs is not None:
            ratio = clip_ratio(signs.surplus / (signs.events * signs.others))
            return ratio if columns.descending else -ratio
    by_score = tally_by_row(columns)
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
    ordered = score.copy()
    sort_in_place(ordered)
    rows = np.broadcast_to(np.int64(1), ordered.shape)
    if np.count_nonzero(ordered[1:] == ordered[:-1]):
        last = find_run_ends(ordered)
        ordered, rows = ordered[last], np.diff(last, prepend=-1)
    entry = np.searchsorted(ordered, np.sort(score[event]))
    events = np.bincount(entry, minlength=len(ordered)).astype(np.int64, copy=False)
    return ordered, rows, events


def sum_by_score(score: Array, weight: Array, target: Array) -> tuple[Array, Array, Array]:
    """Sum weight and weighted target by score, ascending, next to a row of each score."""
    order, tied = order_rows(score)
    weight, target = look_up_masses(order, weight, target)
    if np.count_nonzero(tied):
        first = np.flatnonzero(np.append(True, ~tied))
        order = order[np.append(first[1:], len(order)) - 1]
        weight, target = np.add.reduceat(weight, first), np.add.reduceat(target, first)
    return order, weight, target


def look_up_masses(order: Array, weight: Array, target: Array) -> tuple[Array, Array]:
    """Return weight and weighted target of rows in an order."""
    weights = np.empty(len(order), dtype=weight.dtype)
    targets = np.empty(len(order), dtype=np.result_type(weight, target))

    def look_up(rows: slice) -> None:
        at = order[rows]
        np.take(weight, at, out=weights[rows], mode="clip")  # "raise" would copy them
        np.multiply(target.take(at), weights[rows], out=targets[rows])

    map_chunks(look_up, len(order))
    return weights, targets


def compute_pair_surplus(columns: Columns) -> float:
    """Return AR of unweighted events: concordant minus discordant pairs, by all pairs."""
    if isinstance(columns, DeviceColumns):
        n_events, n_nonevents = columns.class_counts
        surplus = sum_ranks(columns)
    else:
        n_events = int(np.count_nonzero(columns.target))
        n_nonevents = len(columns.target) - n_events
        surplus = count_surplus(columns.score, columns.target)
    return (surplus if columns.descending else -surplus) / (n_events * n_nonevents)


def count_pairs(columns: Columns) -> PairCounts:
    """Count the pairs from which AR and its variance follow; weights must be row counts."""
    if columns.weight is not None:
        return PairCounts.from_tally(tally_rows(columns))
    if isinstance(columns, DeviceColumns):
        ranks = CrossRanks(*rank_on_device(columns))
    else:
        ranks = rank_across_classes(columns.score, columns.target)
    few, below, up_to, n_many, of_events = ranks
    counts = PairCounts.from_ranks(few, below, up_to, n_many)
    if not of_events:
        counts = counts.swapped()
    return counts if columns.descending else counts.reversed()


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
