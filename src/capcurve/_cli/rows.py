"""Turn scored groups into rows of named numbers to print."""

from collections.abc import Callable, Sequence
from dataclasses import fields
from itertools import groupby
from math import isnan
from typing import Any, NamedTuple

from capcurve._arrays.sample_comparisons import accuracy_ratio_test_initial
from capcurve._curve.curve import CapCurve
from capcurve._curve.gains_table import BandSpec, GainsTable
from capcurve._frames.results import MAX_PLACES_NAMED, refuse_result_names
from capcurve._inference.accuracy_ratio import estimate_average_ratio
from capcurve._inference.capture_difference import compare_scores
from capcurve._inference.capture_rate import has_few_selected, warn_few_selected
from capcurve._inference.comparison import Hypothesis
from capcurve._inference.estimate import Comparison, Estimate
from capcurve._inference.options import (
    FEW_EVENTS,
    IntervalOptions,
    check_confidence_level,
)
from capcurve._inference.reliability import (
    explain_few_events,
    explain_few_in_test,
    format_exact_range,
    warn_few_in_intervals,
    warn_few_in_tests,
)
from capcurve._inference.response_rate import LIMIT_COLUMNS, find_gains_limits
from capcurve._inference.share_influence import count_smaller_class
from capcurve._report.scored import (
    CAPTURE_SHARES,
    Group,
    ScoredGroup,
    ScoredRows,
    show_key,
)
from capcurve.exceptions import CapcurveError

SCORE_COLUMNS = (
    *("estimate", "level", "accuracy_ratio", "low", "high"),
    *("somers_d", "somers_d_low", "somers_d_high", "gauc", "gauc_low", "gauc_high"),
    *("lower", "upper", "ks", *CAPTURE_SHARES, "worst_ties", "best_ties"),
    *("n", "n_events", "response_rate", "passed"),
)
GAINS_COLUMNS = (
    *("estimate", "level"),
    *(field.name for field in fields(GainsTable)),
    *("lower", "upper"),
    *LIMIT_COLUMNS,
)
TEST_COLUMNS = (
    *("estimate_a", "estimate_b", "estimate", "level", "test"),
    *(
        "ar_a",
        "ar_b",
        "capture_a",
        "capture_b",
        "auc_initial",
        "auc_current",
        "difference",
        "std_error",
    ),
    *("low", "high", "statistic", "p_value", "p_holm", "p_all_equal"),
    *("alternative", "margin"),
    *("n_events", "n"),
)


class Row(NamedTuple):
    """One row to print: its group, and the cells that there may be for it.

    Attributes
    ----------
    group : dict of str or None
        Value of each grouping column; None is missing. Empty if rows are not grouped.
    cells : dict of str
        Names and numbers; None is undefined.
    """

    group: Group
    cells: dict[str, Any]


def align_rows(rows: Sequence[Row], order: Sequence[str]) -> list[dict[str, Any]]:
    """Give all rows the columns that any of them has, in a fixed order, groups first."""
    found = {name for row in rows for name in row.cells}
    columns = sorted(found, key=order.index)
    refuse_result_names(rows[0].group, columns)
    return [
        {**row.group, **{name: row.cells.get(name) for name in columns}} for row in rows
    ]


def make_score_rows(scored_groups: Sequence[ScoredGroup], confidence: float) -> list[Row]:
    """List AR, its interval and the numbers of each curve, and averages of class labels."""
    options = IntervalOptions(confidence)
    rows, few = [], []
    for group, members in groupby(scored_groups, key=lambda scored: scored.group):
        same_group = list(members)
        for scored in same_group:
            estimate = None if scored.curve is None else scored.estimate_ratio(options)
            if estimate is not None and explain_few_events(estimate):
                few.append(name_with_limits(scored, estimate))
            limits = list_limits(estimate) | list_concordance(scored, options)
            rows.append(Row(group, scored.names | limits | list_numbers(scored)))
        if same_group[0].level is not None:
            rows += [
                Row(group, {"estimate": "", "level": name} | list_limits(average))
                for name, average in average_levels(same_group, options).items()
            ]
    warn_few_in_intervals(name_first(few))
    return rows


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


class Threshold(NamedTuple):
    """Smallest acceptable value of a column."""

    minimum: float
    column: str

    @property
    def name(self) -> str:
        """Name of the column in a message."""
        return "lower confidence limit" if self.column == "low" else "accuracy ratio"


def apply_threshold(
    rows: Sequence[Row], threshold: Threshold
) -> tuple[list[Row], list[str]]:
    """Add a column ``passed``, and describe the rows that fail."""
    marked_rows = []
    failures = []
    for group, cells in rows:
        value = cells[threshold.column]
        passed = value is not None and value >= threshold.minimum
        marked_rows.append(Row(group, {**cells, "passed": "yes" if passed else "no"}))
        if not passed:
            keys = map(show_key, group.values())
            names = (*keys, cells["estimate"], cells.get("level"))
            place = ", ".join(filter(None, names))
            found = "undefined" if value is None or isnan(value) else f"{value:.4f}"
            failures.append(
                f"{threshold.name} of {place} is {found}, required is at least "
                f"{threshold.minimum:g}"
            )
    return marked_rows, failures


def list_limits(estimate: Estimate | None) -> dict[str, Any]:
    """List AR and its confidence limits; all are None without an estimate."""
    if estimate is None:
        return dict.fromkeys(("accuracy_ratio", "low", "high"))
    return {
        "accuracy_ratio": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
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


def make_pair_rows(
    scored_groups: Sequence[ScoredRows], share: float | None, hypothesis: Hypothesis
) -> list[Row]:
    """List the tests of each pair of scores in each group with a defined curve.

    Their accuracy ratios are compared or, at a population share, their capture rates.
    """
    rows, few, few_selected = [], [], []
    unit = "ar" if share is None else "capture"
    for group, members in groupby(scored_groups, key=lambda scored: scored.group):
        defined = [scored for scored in members if scored.curve is not None]
        if any(scored.level is not None for scored in defined):
            raise CapcurveError(
                "compare requires an outcome with two class labels, got a score for each "
                "of several; pass one label as --pos-label"
            )
        if defined:
            names = [scored.estimate for scored in defined]
            columns = [scored.columns for scored in defined]
            joint = compare_scores(names, columns, share, hypothesis)
            if share is not None and has_few_selected(columns[0], share):
                few_selected.append(", ".join([*map(show_key, group.values()), *names]))
            of_all = {}
            if share is None and len(joint.pairs) > 1:
                of_all["p_all_equal"] = joint.p_value
            for (first, second), comparison in joint.pairs.items():
                pair = {"estimate_a": first, "estimate_b": second}
                numbers = list_test_numbers(comparison, unit) | list_counts(comparison)
                p_holm = {"p_holm": joint.p_holm[first, second]}
                rows.append(Row(group, pair | numbers | p_holm | of_all))
                if explain_few_in_test(comparison):
                    few.append(", ".join([*map(show_key, group.values()), first, second]))
    warn_few_in_tests(name_first(few))
    warn_few_selected(name_first(few_selected))
    return rows


def make_initial_rows(
    scored_groups: Sequence[ScoredGroup],
    initial_auc: float,
    initial_variance: float | None,
    confidence: float,
) -> list[Row]:
    """List the tests of each current AUC against the AUC at initial validation."""
    rows = []
    for scored in scored_groups:
        if scored.curve is not None:
            comparisons = accuracy_ratio_test_initial(
                scored.estimate_concordance(IntervalOptions(confidence)),
                initial_auc=initial_auc,
                initial_variance=initial_variance,
                confidence_level=confidence,
            )
            for test in (comparisons.ecb, comparisons.two_sample):
                if test is not None:
                    names = scored.names | {"test": test.method}
                    numbers = list_test_numbers(test, "auc") | list_counts(test)
                    rows.append(Row(scored.group, names | numbers))
    return rows


def list_test_numbers(comparison: Comparison, unit: str) -> dict[str, Any]:
    """List the numbers of a test of AR, AUC or capture rates, the unit."""
    first, second = ("initial", "current") if unit == "auc" else ("a", "b")
    return {
        f"{unit}_{first}": comparison.first,
        f"{unit}_{second}": comparison.second,
        "difference": comparison.value,
        "std_error": comparison.standard_error,
        # A one-sided test has one limit; the other is the end of the scale.
        "low": None if comparison.alternative == "less" else comparison.low,
        "high": None if comparison.alternative == "greater" else comparison.high,
        "statistic": comparison.statistic,
        "p_value": comparison.p_value,
        "alternative": comparison.alternative,
        "margin": comparison.margin,
    }


def list_counts(comparison: Comparison) -> dict[str, int]:
    """List the numbers of events and of rows that a test is based on."""
    n_rows = comparison.n_events + comparison.n_nonevents
    return {"n_events": comparison.n_events, "n": n_rows}


def list_numbers(scored: ScoredGroup) -> dict[str, Any]:
    """List the statistics and counts of a curve; all are None if it is undefined."""
    counts: dict[str, Callable[[CapCurve], float]] = {
        "n": lambda curve: as_whole_number(curve.total_weight),
        "n_events": lambda curve: as_whole_number(curve.total_target),
        "response_rate": lambda curve: curve.response_rate,
    }
    curve = scored.curve
    return scored.list_statistics() | {
        name: None if curve is None else count(curve) for name, count in counts.items()
    }


def make_gains_rows(
    scored_groups: Sequence[ScoredGroup], bands: BandSpec, confidence: float | None = None
) -> list[Row]:
    """List the bands of each curve that is defined, with limits at a confidence level."""
    if confidence is not None:
        check_confidence_level(confidence)
    rows, few = [], []
    for scored in scored_groups:
        if scored.curve is not None:
            columns = dict(scored.make_gains_table(bands))
            if confidence is not None:
                own = require_rows(scored).columns
                columns |= find_gains_limits(own, bands, confidence)
                few += [scored.label] * (count_smaller_class(own) < FEW_EVENTS)
            cells = zip(*(column.tolist() for column in columns.values()), strict=True)
            for band in (dict(zip(columns, row, strict=True)) for row in cells):
                counts = {name: as_whole_number(band[name]) for name in ("n", "n_events")}
                rows.append(Row(scored.group, scored.names | band | counts))
    warn_few_in_intervals(name_first(few))
    return rows


def require_rows(scored: ScoredGroup) -> ScoredRows:
    """Return a group whose rows are in memory; raise if they were binned."""
    if not isinstance(scored, ScoredRows):
        raise CapcurveError(
            "--confidence requires the rows in memory, got rows that were binned; leave it "
            "out, or leave out --approx and --memory-limit"
        )
    return scored


def as_whole_number(count: float) -> float:
    """Return a count without a fractional part as an integer."""
    return int(count) if count.is_integer() else count


def name_first(places: Sequence[str]) -> str:
    """Name the first places, and count the others."""
    n_others = len(places) - MAX_PLACES_NAMED
    if n_others <= 0:
        return "; ".join(places)
    return "; ".join([*places[:MAX_PLACES_NAMED], f"{n_others} more"])
