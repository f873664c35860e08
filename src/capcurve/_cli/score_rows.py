"""Rows of AR with its interval, KS and capture rates."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from capcurve._cli.rows import Row, as_whole_number, name_first
from capcurve._inference.accuracy_ratio import estimate_average_ratio
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
from capcurve._report.scored import CAPTURE_SHARES, ScoredGroup, ScoredRows

SCORE_COLUMNS = (
    *("estimate", "level", "accuracy_ratio", "low", "high", "passed"),
    *("somers_d", "somers_d_low", "somers_d_high", "gauc", "gauc_low", "gauc_high"),
    *("lower", "upper", "ks", *CAPTURE_SHARES, "worst_ties", "best_ties"),
    *("n", "n_events", "response_rate", "method"),
)
RARE_SCORE_COLUMNS = ("worst_ties", "best_ties", "method")


def make_score_rows(
    scored_groups: Sequence[ScoredGroup], options: IntervalOptions
) -> list[Row]:
    """List AR, its interval and the numbers of each curve, and averages of class labels."""
    rows, few, shortages = [], [], set()
    wide: list[str] = []
    for group, members in groupby(scored_groups, key=lambda scored: scored.group):
        same_group = list(members)
        for scored in same_group:
            estimate = None if scored.curve is None else scored.estimate_ratio(options)
            if estimate is not None and is_told(scored, estimate):
                few.append(name_with_limits(scored, estimate))
                shortages.add(find_shortage(estimate))
            elif estimate is not None and explain_few_events(estimate):
                wide.append(scored.label)
            limits = list_limits(estimate) | list_concordance(scored, options)
            rows.append(Row(group, scored.names | limits | list_numbers(scored)))
        if same_group[0].level is not None:
            rows += [
                Row(group, {"estimate": "", "level": name} | list_limits(average))
                for name, average in average_levels(same_group, options).items()
            ]
    small = describe_small_class(
        each.columns for each in scored_groups if isinstance(each, ScoredRows)
    )
    warn_few_in_intervals(
        name_first(few),
        small,
        shortages=shortages,
        is_amount=not all(each.has_events for each in scored_groups),
    )
    warn_of_wide_intervals(name_first(wide), small)
    return rows


def is_told(scored: ScoredGroup, estimate: Estimate) -> bool:
    """Whether few events are told: of a class label also those of its average."""
    if scored.level is not None:
        return bool(explain_few_events(estimate))
    return may_miss(estimate)


def name_with_limits(scored: ScoredGroup, estimate: Estimate) -> str:
    """Name a group with few events, and the limits that hold there anyway."""
    if not isinstance(scored, ScoredRows):
        return scored.label
    limits = format_exact_range(scored.columns, estimate)
    note = f" (distribution-free limits {limits})" if limits else ""
    return f"{scored.label}{note}"


def average_levels(
    same_group: Sequence[ScoredGroup], options: IntervalOptions
) -> dict[str, Estimate | None]:
    """Average AR over the class labels of a group; None if it is undefined for all."""
    rankings = [
        (str(scored.level), scored.columns)
        for scored in same_group
        if scored.curve and isinstance(scored, ScoredRows)
    ]
    return {
        name: estimate_average_ratio(rankings, options, weighted=weighted)
        if rankings
        else None
        for name, weighted in (("macro", False), ("macro_weighted", True))
    }


def list_limits(estimate: Estimate | None) -> dict[str, Any]:
    """List AR and its confidence limits; all are None without an estimate."""
    if estimate is None:
        return dict.fromkeys(("accuracy_ratio", "low", "high", "method"))
    return {
        "accuracy_ratio": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "method": estimate.method,
    }


def list_concordance(scored: ScoredGroup, options: IntervalOptions) -> dict[str, Any]:
    """List Somers' D and gAUC of amounts with their limits; nothing for events."""
    if scored.has_events or not isinstance(scored, ScoredRows):
        return {}
    found = None if scored.curve is None else scored.estimate_somers_d(options)
    named = {}
    for name, estimate in (
        ("somers_d", found),
        ("gauc", None if found is None else found.to_auc()),
    ):
        named[name] = None if estimate is None else estimate.value
        named[f"{name}_low"] = None if estimate is None else estimate.low
        named[f"{name}_high"] = None if estimate is None else estimate.high
    return named


def list_numbers(scored: ScoredGroup) -> dict[str, Any]:
    """List the statistics and counts of a group; statistics may be undefined."""
    weight, outcome = scored.totals
    return scored.list_statistics() | {
        "n": as_whole_number(weight),
        "n_events": as_whole_number(outcome),
        "response_rate": outcome / weight if weight else None,
    }
