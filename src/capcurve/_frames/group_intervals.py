"""Confidence intervals of the accuracy ratio for each group of a data frame."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from capcurve._engines.row_rankings import Groups, Ranking, RowRankings
from capcurve._engines.rows import count_pairs_by_group
from capcurve._frames.results import MAX_PLACES_NAMED, format_places
from capcurve._inference.accuracy_ratio import (
    estimate_accuracy_ratio,
    estimate_average_ratio,
    estimate_from_pairs,
)
from capcurve._inference.estimate import Estimate
from capcurve._inference.options import IntervalOptions
from capcurve._inference.reliability import (
    explain_few_events,
    find_shortage,
    format_exact_range,
    may_miss,
    warn_few_in_intervals,
    warn_of_wide_intervals,
)
from capcurve._inference.small_class import describe_small_class
from capcurve._input.columns import Columns
from capcurve._tally.dtypes import Array, IntArray


def make_interval_columns(
    checked: RowRankings, names: Sequence[str], options: IntervalOptions, *, weighted: bool
) -> dict[str, dict[str, Array]]:
    """Return the interval columns of each model, or of the average over levels."""
    n_groups = checked.n_groups
    columns = {
        name: {
            "std_error": np.full(n_groups, np.nan),
            "low": np.full(n_groups, np.nan),
            "high": np.full(n_groups, np.nan),
            "n_events": np.zeros(n_groups, dtype=np.int64),
        }
        for name in names
    }
    few: dict[tuple[str, int], Estimate] = {}
    wide: list[tuple[str, int]] = []
    for group, estimates in estimate_groups(checked, options, weighted=weighted):
        single = estimates[0][0].by_label or {
            ranking.name: estimate
            for ranking, (estimate, _) in zip(checked.rankings, estimates, strict=False)
        }
        for name, each in single.items():
            if may_miss(each) or (checked.are_levels and explain_few_events(each)):
                few[str(name), group] = each
            elif explain_few_events(each):
                wide.append((str(name), group))
        for name, (estimate, n_events) in zip(names, estimates, strict=True):
            columns[name]["std_error"][group] = estimate.standard_error
            columns[name]["low"][group] = estimate.low
            columns[name]["high"][group] = estimate.high
            columns[name]["n_events"][group] = n_events
    small = describe_small_class(ranking.columns for ranking in checked.rankings)
    warn_few_in_intervals(
        format_places_with_limits(checked, few),
        small,
        shortages=set(map(find_shortage, few.values())),
        is_amount=not all(each.columns.has_events for each in checked.rankings),
    )
    warn_of_wide_intervals(format_places(checked.groups, wide), small)
    return columns


def estimate_groups(
    checked: RowRankings, options: IntervalOptions, *, weighted: bool
) -> Iterator[tuple[int, list[tuple[Estimate, int]]]]:
    """Yield each group that has rows, with an estimate and number of events per model."""
    counted = all(ranking.columns.has_counted_events for ranking in checked.rankings)
    if checked.are_levels or not counted:
        for group, rankings in split_rankings(checked):
            yield group, estimate_group(rankings, checked, options, weighted=weighted)
    elif len(checked.group):
        estimates = [
            estimate_counted_groups(ranking.columns, checked.group, options)
            for ranking in checked.rankings
        ]
        present = np.flatnonzero(np.bincount(checked.group)).tolist()
        yield from zip(present, map(list, zip(*estimates, strict=True)), strict=True)


def estimate_counted_groups(
    columns: Columns, group: IntArray, options: IntervalOptions
) -> list[tuple[Estimate, int]]:
    """Return the estimate and number of events of each group that has rows.

    Small groups often have the same pair counts, which are then estimated once.
    """
    counts = count_pairs_by_group(columns, group)
    found = {pairs: estimate_from_pairs(pairs, options) for pairs in set(counts)}
    return [(found[pairs], pairs.events) for pairs in counts]


def estimate_group(
    rankings: Sequence[Ranking],
    checked: RowRankings,
    options: IntervalOptions,
    *,
    weighted: bool,
) -> list[tuple[Estimate, int]]:
    """Return the estimate and number of events of each model, or of the level average."""
    if not checked.are_levels:
        return [
            (estimate_accuracy_ratio(each.columns, options), each.columns.class_counts[0])
            for each in rankings
        ]
    levels = [(ranking.name, ranking.columns) for ranking in rankings]
    average = estimate_average_ratio(levels, options, weighted=weighted)
    averaged = [columns for _, columns in levels if not columns.is_constant]
    rarest = min((columns.class_counts[0] for columns in averaged), default=0)
    return [(average, rarest)]


def split_rankings(checked: RowRankings) -> Iterator[tuple[int, list[Ranking]]]:
    """Yield each group that has rows, with the rankings of its rows."""
    for group, rows in split_rows_by_group(checked):
        yield (
            group,
            [
                ranking._replace(columns=ranking.columns[rows])
                for ranking in checked.rankings
            ],
        )


def split_rows_by_group(checked: RowRankings) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Yield each group that has rows, with its row numbers."""
    order = np.argsort(checked.group, kind="stable")
    ends = np.cumsum(np.bincount(checked.group, minlength=checked.n_groups))
    for group, rows in enumerate(np.split(order, ends[:-1])):
        if len(rows):
            yield group, rows


def format_places_with_limits(
    checked: RowRankings, few: Mapping[tuple[str, int], Estimate]
) -> str:
    """Name groups and levels with few events, and the limits that hold there anyway."""
    columns = {ranking.name: ranking.columns for ranking in checked.rankings}
    shown = set(sorted({group for _, group in few})[:MAX_PLACES_NAMED])
    found: dict[tuple[str, int], dict[str, str]] = {}
    for (name, group), estimate in few.items():
        named = found.setdefault((name if checked.are_levels else "", group), {})
        limits = format_exact_range(columns[name], estimate) if group in shown else ""
        if limits:
            named[name] = limits
    one_each = checked.are_levels or len(checked.rankings) == 1
    notes = {}
    for place, named in found.items():
        listed = named.values() if one_each else map(" ".join, named.items())
        colon = "" if one_each else ":"
        notes[place] = (
            f"distribution-free limits{colon} {', '.join(listed)}" if named else ""
        )
    return format_places(checked.groups, notes, notes)


def warn_few_events(
    groups: Groups, few: Sequence[tuple[str, int]], rankings: Sequence[Ranking] = ()
) -> None:
    """Warn once about all groups and levels with few events."""
    if few:
        rows = (ranking.columns for ranking in rankings)
        small = describe_small_class(rows, of_share=True)
        warn_few_in_intervals(format_places(groups, few), small)
