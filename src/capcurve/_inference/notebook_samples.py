"""HTML views of results about several samples for notebooks: segments, trends, changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from capcurve._inference.notebook import (
    MAY_MISS,
    list_degrees,
    list_estimates,
    make_p_value_writer,
    name_few,
    say_interval,
    split_estimate,
)
from capcurve._inference.wording import (
    OF_AMOUNTS,
    format_counts,
    format_f_test,
    format_p_value,
    format_periods,
    is_of_amounts,
)
from capcurve._input.column import format_labels
from capcurve._input.dtypes import Label
from capcurve._view import (
    Column,
    make_head,
    make_note,
    make_numbers,
    make_table,
    make_view,
    make_warning,
    write_number,
)

if TYPE_CHECKING:
    from capcurve._inference.change import AccuracyRatioChange, ChangePart
    from capcurve._inference.segments import SegmentComparison
    from capcurve._inference.trend import Trend


def view_segments(comparison: SegmentComparison) -> str:
    """Show the test of all segments, the pooled AR, and a row for each segment."""
    labels = list(comparison.estimates)
    level = comparison.pooled.confidence_level
    write_p_value = make_p_value_writer(level)
    tests: dict[str, tuple[Mapping[Label, float], Callable[[float], str]]] = {
        "AR of the rest": (comparison.rest, write_number),
        "p-value": (comparison.p_values, write_p_value),
        "Holm": (comparison.p_holm, write_p_value),
        "BH": (comparison.p_bh, write_p_value),
    }
    columns = [
        Column(name, [values[label] for label in labels], write)
        for name, (values, write) in tests.items()
    ]
    each = list_estimates("Segment", labels, comparison.estimates.values())
    pooled, trend = comparison.pooled, comparison.trend
    value, interval = split_estimate(pooled)
    test = format_f_test(comparison.statistic, comparison.degrees_of_freedom)
    return make_view(
        make_head(
            f"AR of {len(labels)} segments, all equal",
            f": {format_p_value(comparison.p_value, level)} ({test})",
        ),
        make_head(value, f"{interval} ({pooled.method}, {format_counts(pooled)})"),
        *([] if trend is None else [make_head(*split_trend(trend))]),
        make_table([*each, *columns]),
        *name_left_out(comparison),
        *warn_of_segments(comparison),
    )


def name_left_out(comparison: SegmentComparison) -> list[str]:
    """Name the segments that the test of all segments leaves out."""
    if not comparison.left_out:
        return []
    subject = "The test of all segments leaves"
    if comparison.trend is not None:
        subject = "The test of all segments and that of the trend leave"
    return [make_note(f"{subject} out {format_labels(comparison.left_out)}.")]


def warn_of_segments(comparison: SegmentComparison) -> list[str]:
    """Warn of tests that may miss their level."""
    tests = []
    if comparison.few_events:
        tests.append(f"against the rest, of {format_labels(comparison.few_events)}")
    if comparison.is_reliable is False:
        trend = "" if comparison.trend is None else ", and of the trend"
        tests.append(f"of all segments{trend}")
    text = f"Few events, so tests may not keep their level: {'; '.join(tests)}."
    return [make_warning(text)] if tests else []


def view_trend(trend: Trend) -> str:
    """Show a trend over periods."""
    numbers = {
        "Test statistic": write_number(trend.statistic),
        **list_degrees(trend.degrees_of_freedom),
    }
    return make_view(make_head(*split_trend(trend)), make_numbers(numbers))


def split_trend(trend: Trend) -> tuple[str, str]:
    """Split a trend into the change and the rest of the sentence."""
    return f"AR change {write_number(trend.change)} per period", (
        f" ({write_number(trend.first)} to {write_number(trend.last)} in "
        f"{format_periods(trend)}), {say_interval(trend)}, "
        f"{format_p_value(trend.p_value, trend.confidence_level)}"
    )


def view_change(change: AccuracyRatioChange) -> str:
    """Show a change, its parts, and the AR of both samples."""
    first, second = change.samples
    parts = [change.total, change.mix, change.ranking]
    grades = "bands" if change.are_bands else "grades"
    estimates = list_estimates("Sample", change.samples, (change.first, change.second))
    of, few = f" {OF_AMOUNTS}" * is_of_amounts(change.first), name_few(change.first)
    return make_view(
        make_head(
            f"AR{of} change {write_number(change.total.value)}",
            f" from {first} to {second}, {say_interval(change.total)}, by the mix and the "
            f"ranking of {change.n_grades:,} {grades}",
        ),
        make_table(
            [
                Column("Part", [part.name for part in parts], is_text=True),
                *list_parts(parts),
            ]
        ),
        make_table(estimates),
        *([make_warning(f"{few}, {MAY_MISS}.")] if change.has_few_events else []),
    )


def list_parts(parts: list[ChangePart]) -> list[Column]:
    """List the numbers of parts of a change, as columns of a table."""
    write_p_value = make_p_value_writer(parts[0].confidence_level)
    return [
        Column("Change of AR", [part.value for part in parts], write_number),
        Column("Standard error", [part.standard_error for part in parts], write_number),
        Column("Low", [part.low for part in parts], write_number),
        Column("High", [part.high for part in parts], write_number),
        Column("p-value", [part.p_value for part in parts], write_p_value),
    ]


def view_part(part: ChangePart) -> str:
    """Show a part of a change."""
    numbers = {
        "Standard error": write_number(part.standard_error),
        **list_degrees(part.degrees_of_freedom),
    }
    head = make_head(
        f"AR change, {part.name} {write_number(part.value)}",
        f", {say_interval(part)}, {format_p_value(part.p_value, part.confidence_level)}",
    )
    return make_view(head, make_numbers(numbers))
