"""Words for results in one line: intervals, counts, p-values, sample sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from capcurve._inference.change import ChangePart
    from capcurve._inference.estimate import Comparison, Estimate
    from capcurve._inference.implied import ImpliedComparison
    from capcurve._inference.segments import Trend

AR_OF_AMOUNTS = "AR of amounts"
SOMERS_D, GENERALISED_AUC = "Somers' D", "gAUC"
SMALL_P_VALUE = 0.001  # smaller p-values are shown as "p < 0.001"


def format_interval(
    result: Estimate | Comparison | ChangePart | Trend, digits: int = 3
) -> str:
    """Format the confidence level with the limits, one of them for one-sided tests."""
    level = format_level(result.confidence_level)
    low, high = (f"{limit:.{digits}f}" for limit in (result.low, result.high))
    one_sided = {
        "greater": f"lower limit {low}",
        "less": f"upper limit {high}",
        "equivalent": f"limits {low} and {high}",
    }
    alternative = getattr(result, "alternative", "two-sided")  # only tests have one
    return f"{level} {one_sided.get(alternative, f'interval {low} to {high}')}"


def format_level(confidence_level: float) -> str:
    """Format a confidence level as a percentage."""
    return f"{100 * confidence_level:.4g} %"


def format_range(implied: ImpliedComparison, digits: int = 3) -> str:
    """Format where AR lies if the probabilities are right, on the side that is tested."""
    level = format_level(implied.confidence_level)
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
    """Format the numbers of events and non-events."""
    if not result.n_nonevents:
        return f"{result.n_events:,} rows"
    return f"{result.n_events:,} events, {result.n_nonevents:,} non-events"


def format_p_value(p_value: float) -> str:
    """Format a p-value; small ones as a bound."""
    return f"p < {SMALL_P_VALUE}" if p_value < SMALL_P_VALUE else f"p = {p_value:.3f}"


def format_degrees(df: float) -> str:
    """Format few degrees of freedom, in the plural unless they are shown as 1."""
    shown = f"{df:.2g}"
    return f"{shown} degree{'' if shown == '1' else 's'} of freedom"


def format_sizes(n_events: int, n_nonevents: int) -> str:
    """Format the number of events, and of all rows."""
    return f"{n_events:,} events in {n_events + n_nonevents:,} rows"


def format_need(n_events: int | None) -> str:
    """Format a number of events that is needed."""
    return "no number of events" if n_events is None else f"{n_events:,} events"


def format_test(alternative: str, margin: float, confidence_level: float) -> str:
    """Format the hypothesis of a test and its level."""
    level = f"{alternative} at {100 * (1 - confidence_level):.4g} %"
    return f"{level}, margin {margin:g}" if margin else level


def format_model(spread: float) -> str:
    """Format the binormal model."""
    return "binormal" if spread == 1 else f"binormal, spread {spread:g}"
