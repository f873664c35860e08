"""Describe models by segment and by period: each group, their total, and tests."""

from collections.abc import Sequence
from dataclasses import asdict
from math import isnan
from typing import NamedTuple

import numpy as np

from capcurve._inference.estimate import Estimate
from capcurve._inference.influence import compute_ratio_influence
from capcurve._inference.options import IntervalOptions
from capcurve._inference.pooled_ratio import estimate_pooled_ratio
from capcurve._inference.reliability import find_shortage
from capcurve._inference.segments import (
    SegmentComparison,
    compare_segments,
    estimate_segment,
)
from capcurve._inference.wording import format_f_test, format_p_value
from capcurve._input.columns import Columns
from capcurve._input.segments import Segmented, split_segments
from capcurve._report.absent_periods import list_absent
from capcurve._report.group_findings import find_comparable
from capcurve._report.interval_methods import FREE
from capcurve._report.model_facts import describe_estimate
from capcurve._report.options import Facts
from capcurve._report.phrases import (
    FEW,
    FEW_FREEDOM,
    FEW_MISRANKED,
    FEW_OTHERS,
    LARGE_LOW,
)
from capcurve._report.report_input import Split
from capcurve._report.scored import ScoredRows
from capcurve._tally.dtypes import Array

FEW_BY_SHORTAGE = {
    "rows": FEW,
    "degrees": FEW_FREEDOM,
    "order": LARGE_LOW,
    "errors": FEW_MISRANKED,
}
TEST_OF_GROUP = ("statistic", "degrees_of_freedom", "p_value", "p_adjusted")


class Sizes(NamedTuple):
    """Weight, outcome and number of rows of each group."""

    mass: Array
    outcome: Array
    rows: Array


class GroupedModel(NamedTuple):
    """One model in all groups: an estimate of each, and tests, but for amounts.

    ``method`` is the one that was asked for.
    """

    scored: ScoredRows
    method: str
    estimates: Sequence[Estimate]
    pooled: Estimate
    comparison: SegmentComparison | None


def describe_split(
    split: Split,
    whole: Sequence[ScoredRows],
    ratios: Sequence[Facts],
    options: IntervalOptions,
    *,
    are_periods: bool,
) -> Facts:
    """Describe each model in each group; periods are ordered, and have a trend.

    Where they are text that need not sort by time, they have none. ``ratios`` are the AR of
    all rows.
    """
    sizes = measure_groups(whole[0].columns, split)
    models = [
        estimate_groups(scored, split, options, are_periods=are_periods) for scored in whole
    ]
    of_periods = {
        "trend": [describe_trend(model, split) for model in models],
        "in_time_order": split.is_timed,
        "absent": list_absent([label for label in split.labels if label is not None])
        if split.is_timed
        else [],
    }
    groups = [
        describe_group(model, split, number, sizes)
        for number in range(len(split.labels))
        for model in models
    ]
    tests = [describe_homogeneity(model, split) for model in models]
    known = [row for row in groups if not are_periods or row["group"] is not None]
    return {
        "by": split.by,
        "groups": groups,
        "wide": widen(groups, len(models)),
        "total": list(map(describe_total, models, ratios)),
        "homogeneity": tests,
        **(of_periods if are_periods else {}),
        "weakest": [find_weakest(test, known) for test in tests],
    }


def estimate_groups(
    scored: ScoredRows, split: Split, options: IntervalOptions, *, are_periods: bool
) -> GroupedModel:
    """Estimate AR of each group, and test the groups unless outcomes are amounts.

    Rows without a period are no period, so that no test of periods includes them.
    """
    numbers = range(len(split.labels))
    rows = Segmented(scored.columns, split.segment)
    if not scored.has_events:
        estimates = [
            estimate_segment(part, options) for part in split_segments(rows, len(numbers))
        ]
        pooled = estimate_pooled_ratio(rows, options)
        return GroupedModel(scored, options.method, estimates, pooled, None)
    missing = [number for number in numbers if split.labels[number] is None]
    found = compare_segments(
        numbers,
        rows,
        options,
        ordered=are_periods and split.is_timed,
        untested=missing if are_periods else (),
    )
    estimates = list(found.estimates.values())
    return GroupedModel(scored, options.method, estimates, found.pooled, found)


def measure_groups(columns: Columns, split: Split) -> Sizes:
    """Add up the weight, the outcome and the rows of each group."""
    n_groups, segment = len(split.labels), split.segment
    mass = columns.mass
    return Sizes(
        np.bincount(segment, mass, n_groups),
        np.bincount(segment, mass * columns.target, n_groups),
        np.bincount(segment, columns.row_counts, n_groups),
    )


def describe_group(model: GroupedModel, split: Split, number: int, sizes: Sizes) -> Facts:
    """Describe one model in one group; AR is None if all outcomes are equal."""
    estimate, found = model.estimates[number], model.comparison
    mass, outcome = float(sizes.mass[number]), float(sizes.outcome[number])
    has_events, is_defined = model.scored.has_events, not isnan(estimate.value)
    n_rows = round(sizes.rows[number])
    status = name_status(estimate, mass, outcome, n_rows, has_events=has_events)
    if status == FEW and has_events:
        status = name_smaller(model.scored.columns[split.segment == number])
    return {
        "group": split.labels[number],
        "model": model.scored.estimate,
        "n": mass,
        "n_rows": n_rows,
        "n_events": outcome,
        "n_non_events": mass - outcome if has_events else None,
        "response_rate": outcome / mass if mass else None,
        "few_events": status is not None,
        "status": status,
        "has_free_limits": model.method not in FREE and estimate.method in FREE,
        "accuracy_ratio": describe_estimate(estimate) if is_defined else None,
        "rest": None if found is None else found.rest[number],
        "statistic": None if found is None else found.rest_statistics[number],
        "degrees_of_freedom": None
        if found is None
        else found.rest_degrees_of_freedom[number],
        "p_value": None if found is None else found.p_values[number],
        "p_adjusted": None if found is None else found.p_holm[number],
    }


def name_status(
    estimate: Estimate, mass: float, outcome: float, n_rows: int, *, has_events: bool
) -> str | None:
    """Say why AR of a group is undefined or uncertain; None if it is neither."""
    if not mass:
        return "no rows"
    if isnan(estimate.value):
        if not has_events:
            return "a single row" if n_rows == 1 else "equal amounts"
        return "no non-events" if outcome else "no events"
    shortage = find_shortage(estimate)
    return None if shortage is None else FEW_BY_SHORTAGE[shortage]


def name_smaller(columns: Columns) -> str:
    """Name the class of a group that has fewer rows, or fewer in effect."""
    events, others = map(float, columns.class_counts)
    if not columns.has_counted_events:
        covariance = compute_ratio_influence([columns]).covariance
        others, events = (part.size for part in covariance.parts)  # as False and True
    return FEW_OTHERS if events > others else FEW


def widen(groups: Sequence[Facts], n_models: int) -> list[Facts]:
    """Put the models of a group side by side, a row for each group."""
    shared = ("group", "n", "n_rows", "n_events", "n_non_events", "response_rate")
    own = ("model", "accuracy_ratio", "few_events", "status", "has_free_limits")
    return [
        {name: groups[start][name] for name in shared}
        | {
            "models": [
                {name: row[name] for name in (*own, *TEST_OF_GROUP)}
                for row in groups[start:][:n_models]
            ]
        }
        for start in range(0, len(groups), n_models)
    ]


def describe_total(model: GroupedModel, ratio: Facts) -> Facts:
    """Describe a model over all groups: AR of all rows, and AR within groups."""
    columns = model.scored.columns
    mass, outcome = float(columns.mass.sum()), float(columns.target_mass)
    is_defined = not isnan(model.pooled.value)
    return {
        "model": model.scored.estimate,
        "n": mass,
        "n_rows": model.scored.n_rows,
        "n_events": outcome,
        "n_non_events": mass - outcome if model.scored.has_events else None,
        "response_rate": outcome / mass,
        "accuracy_ratio": ratio,
        "pooled": describe_estimate(model.pooled) if is_defined else None,
    }


def describe_homogeneity(model: GroupedModel, split: Split) -> Facts:
    """Describe the test that AR is the same in all groups; None where there is none."""
    found, n_tested = model.comparison, 0
    left_out: list[str | None] = []
    if found is not None:
        n_tested = len(found.estimates) - len(found.left_out)
        left_out = [split.labels[int(number)] for number in found.left_out]
    facts: Facts = {
        "model": model.scored.estimate,
        "left_out": left_out,
        "shares_clusters": found is not None and found.shares_clusters,
    }
    if found is None or isnan(found.p_value):
        empty = dict.fromkeys(("statistic", "df_1", "df_2", "p_value", "is_reliable"))
        return facts | empty | {"n_groups": 0, "text": None}
    df_1, df_2 = found.degrees_of_freedom
    test = format_f_test(found.statistic, found.degrees_of_freedom)
    return facts | {
        "statistic": found.statistic,
        "df_1": df_1,
        "df_2": df_2,
        "p_value": found.p_value,
        "is_reliable": found.is_reliable,
        "n_groups": n_tested,
        "text": f"{test}, {format_p_value(found.p_value, found.pooled.confidence_level)}",
    }


def describe_trend(model: GroupedModel, split: Split) -> Facts | None:
    """Describe the linear trend over periods; None if there are fewer than two."""
    found = model.comparison
    if found is None or found.trend is None:
        return None
    fitted = [
        label
        for number, label in enumerate(split.labels)
        if label is not None and number not in found.left_out
    ]
    return {
        "model": model.scored.estimate,
        **asdict(found.trend),
        "is_reliable": found.is_reliable,
        "text": f"from {fitted[0]} to {fitted[-1]}, {found.trend!r}",
    }


def find_weakest(test: Facts, groups: Sequence[Facts]) -> Facts | None:
    """Find the group with the lowest AR of a model, among those that findings compare.

    None if AR is undefined in all groups.
    """
    defined = [
        row
        for row in groups
        if row["model"] == test["model"] and row["accuracy_ratio"] is not None
    ]
    if not defined:
        return None
    compared = find_comparable(defined, test)
    weakest = min(compared, key=lambda row: row["accuracy_ratio"]["value"])
    return {
        "model": test["model"],
        "group": weakest["group"],
        "accuracy_ratio": weakest["accuracy_ratio"]["value"],
        "p_value": weakest["p_value"],
        "p_adjusted": weakest["p_adjusted"],
    }
