"""Words for results in one line: intervals, counts, p-values, sample sizes."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from capcurve._inference.options import find_level

if TYPE_CHECKING:
    from capcurve._inference.change import ChangePart
    from capcurve._inference.estimate import Comparison, Estimate
    from capcurve._inference.implied import ImpliedComparison
    from capcurve._inference.plans import SamplePlan
    from capcurve._inference.trend import Trend

OF_AMOUNTS, MEAN_AMOUNT = "of amounts", "mean amount"
AR_OF_AMOUNTS = f"AR {OF_AMOUNTS}"
SOMERS_D, GENERALISED_AUC = "Somers' D", "gAUC"
PAIR = 2  # class labels, each of which is against the other
TWO_SAMPLES = "two samples"  # method whose numbers are those of one of them
AREAS = ("AUC", GENERALISED_AUC)
SMALL_P_VALUE = 0.001  # smaller p-values are shown as "p < 0.001"
MOST_DECIMALS = 14  # which tell any two numbers apart that are not equal but for rounding
NO_DIFFERENCE = 1e-12  # two equal AR of weighted rows may differ by rounding


def format_interval(
    result: Estimate | Comparison | ChangePart | Trend, digits: int = 3
) -> str:
    """Format the confidence level with the limits, one of them for one-sided tests."""
    level = format_level(result.confidence_level)
    if isnan(result.low) or isnan(result.high):
        return f"{level} interval undefined"
    borders = find_borders(result)
    low, high = (
        format_apart(limit, *borders, digits=digits) for limit in (result.low, result.high)
    )
    one_sided = {
        "greater": f"lower limit {low}",
        "less": f"upper limit {high}",
        "equivalent": f"limits {low} and {high}",
    }
    alternative = getattr(result, "alternative", "two-sided")  # only tests have one
    return f"{level} {one_sided.get(alternative, f'interval {low} to {high}')}"


def find_borders(
    result: Estimate | Comparison | ChangePart | Trend,
) -> tuple[float, ...]:
    """Return the values that a limit must be seen to exceed: those of the hypothesis.

    A share or a lift has none, as what an uninformative score has depends on it.
    """
    if (margin := getattr(result, "margin", None)) is not None:  # only tests have one
        return (-margin, margin)
    least, largest = getattr(result, "scale", (-1.0, 1.0))  # only estimates have one
    if least < 0:
        return (0.0,)
    return (largest / 2,) if getattr(result, "name", "").startswith(AREAS) else ()


def format_apart(value: float, *borders: float, digits: int = 3) -> str:
    """Format with so many decimals, or as many as tell a number from each border."""
    others = [border for border in borders if abs(value - border) >= NO_DIFFERENCE]
    texts = (
        text
        for n in range(digits, MOST_DECIMALS)
        if (text := f"{value:z.{n}f}") not in {f"{border:z.{n}f}" for border in others}
    )
    return next(texts, f"{value:z.{digits}f}")


def format_level(confidence_level: float) -> str:
    """Format a confidence level as a percentage."""
    return f"{100 * confidence_level:.4g} %"


def format_range(implied: ImpliedComparison, digits: int = 3) -> str:
    """Format where AR lies if the probabilities are right, on the side that is tested."""
    level = format_level(implied.confidence_level)
    if isnan(implied.low) or isnan(implied.high):
        return f"{level} range undefined"
    low, high = (f"{limit:.{digits}f}" for limit in (implied.low, implied.high))
    sides = {
        "two-sided": f"range {low} to {high}",
        "less": f"lower limit {low}",
        "greater": f"upper limit {high}",
    }
    return f"{level} {sides[implied.alternative]}"


def format_f_test(statistic: float, degrees_of_freedom: tuple[float, float]) -> str:
    """Format an F statistic with its degrees of freedom."""
    numerator, denominator = degrees_of_freedom
    degrees = f"{numerator:.4g} and {denominator:,.1f} degrees of freedom"
    return f"F = {statistic:.3f} with {degrees}"


def format_counts(result: Estimate | Comparison) -> str:
    """Format the numbers of events and non-events; of amounts, of rows."""
    if counts_rows(result):
        return format_count(result.n_events, "row")
    if is_of_amounts(result):
        rows = format_count(result.n_events, "row")
        return f"{rows} above 0, {result.n_nonevents:,} of 0"
    others = format_count(result.n_nonevents, "non-event")
    return f"{format_count(result.n_events, 'event')}, {others}"


def format_sizes_of_test(comparison: Comparison) -> str:
    """Format the numbers behind a test; of two samples, of which they are told apart."""
    counts = format_counts(comparison)
    if comparison.method != TWO_SAMPLES:
        return counts
    return f"one with {' and '.join(counts.rsplit(', ', 1))}"


def counts_rows(result: Estimate | Comparison) -> bool:
    """Whether a result has counted rows, rather than events and non-events.

    It has done so if there are none of the latter, unless that is why it is undefined.
    """
    if result.n_nonevents:
        return False
    is_mean = bool(getattr(result, "by_label", None))  # only estimates have labels
    is_of_one_sample = result.name.endswith((AR_OF_AMOUNTS, SOMERS_D, GENERALISED_AUC))
    return is_mean or is_of_one_sample or not isnan(result.value)


def is_of_amounts(result: Estimate | Comparison | SamplePlan) -> bool:
    """Whether a result is that of amounts, by the words that its name was made of.

    The name alone keeps it: every field of a result is public, in `to_dict` and in JSON.
    """
    return OF_AMOUNTS in result.name or result.name.startswith(MEAN_AMOUNT)


def name_measure(measure: str, *, has_events: bool) -> str:
    """Name a measure, and say if it is one of amounts."""
    return measure if has_events else f"{measure} {OF_AMOUNTS}"


def name_share(statistic: str, fraction: float, *, has_events: bool) -> str:
    """Name a statistic at a population share, and say if it is one of amounts."""
    measure = name_measure(statistic, has_events=has_events)
    return f"{measure} at {100 * fraction:.4g} %"


def format_averaged(estimate: Estimate) -> str:
    """Format of how many labels an average is, and whether it leaves some out.

    Of two labels each is against the other: rows are no events and non-events, but both.
    """
    if not estimate.by_label:
        return ""
    each = estimate.by_label.values()
    n_averaged = sum(not isnan(part.value) for part in each)
    if n_averaged < len(each):
        return f"{n_averaged} of {len(each)} labels"
    return f"{len(each)} labels, each against the {'rest' if len(each) > PAIR else 'other'}"


def format_count(n: int, noun: str) -> str:
    """Format a number with its noun, in the plural unless it is 1."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def format_value(value: float) -> str:
    """Format an estimate, which may be undefined; 0 without a minus."""
    return "undefined" if isnan(value) else f"{value:z.3f}"


def format_periods(trend: Trend) -> str:
    """Format the number of periods of a trend, and of those that it spans if others."""
    some = f"{trend.n_periods} of " if trend.n_periods < trend.n_spanned else ""
    return f"{some}{trend.n_spanned} periods"


def format_p_value(p_value: float, confidence_level: float) -> str:
    """Format a p-value, with so many digits that it is on its side of the level.

    Small ones are a bound; one that is undefined is called so.
    """
    if isnan(p_value):
        return "p-value undefined"
    level = find_level(confidence_level)
    shown = format_apart(p_value, level)
    if p_value < SMALL_P_VALUE and level < SMALL_P_VALUE:
        return f"p < {level:.4g}" if p_value < level else f"p = {shown}"
    if p_value < SMALL_P_VALUE and shown == f"{p_value:.3f}":
        return f"p < {SMALL_P_VALUE}"
    return f"p = {shown}"


def format_degrees(df: float) -> str:
    """Format few degrees of freedom, in the plural unless they are shown as 1."""
    shown = f"{df:.2g}"
    return f"{shown} degree{'' if shown == '1' else 's'} of freedom"


def name_counted(*, is_amount: bool) -> str:
    """Name what a number of events counts; of amounts it is rows above 0."""
    return "rows above 0" if is_amount else "events"


def format_sizes(n_events: int, n_nonevents: int, *, is_amount: bool = False) -> str:
    """Format the number of events, or of rows above 0, and of all rows."""
    counted = name_counted(is_amount=is_amount)
    return f"{n_events:,} {counted} in {n_events + n_nonevents:,} rows"


def format_need(n_events: int | None, *, is_amount: bool = False) -> str:
    """Format a number of events, or of rows above 0, that is needed."""
    counted = name_counted(is_amount=is_amount)
    return f"no number of {counted}" if n_events is None else f"{n_events:,} {counted}"


def format_test(alternative: str, margin: float, confidence_level: float) -> str:
    """Format the hypothesis of a test and its level."""
    level = f"{alternative} at {100 * (1 - confidence_level):.4g} %"
    return f"{level}, margin {margin:g}" if margin else level


def format_model(spread: float) -> str:
    """Format the binormal model."""
    return "binormal" if spread == 1 else f"binormal, spread {spread:g}"
