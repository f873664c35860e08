"""HTML views of estimates, tests and bands for notebooks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf, isfinite, isnan
from typing import TYPE_CHECKING

import numpy as np

from capcurve._curve.drawing import draw, draw_area
from capcurve._curve.notebook import SHARES_SHOWN
from capcurve._curve.profile import Profile
from capcurve._inference.reliability import (
    explain_few_events,
    explain_few_in_test,
    is_of_one_sample,
)
from capcurve._inference.wording import (
    TWO_SAMPLES,
    counts_rows,
    format_averaged,
    format_f_test,
    format_interval,
    format_level,
    format_p_value,
    format_range,
    is_of_amounts,
)
from capcurve._view import (
    Column,
    make_head,
    make_numbers,
    make_table,
    make_view,
    make_warning,
    write_number,
    write_share,
)

if TYPE_CHECKING:
    from capcurve._inference.band import Band
    from capcurve._inference.change import ChangePart
    from capcurve._inference.comparison import InitialComparison, JointComparison
    from capcurve._inference.estimate import Comparison, Estimate
    from capcurve._inference.implied import ImpliedComparison
    from capcurve._inference.trend import Trend

DIGITS = 4
MOST_NAMED = 5  # class labels with few events
MAY_MISS = "so the interval may not cover at its confidence level"


def view_estimate(estimate: Estimate) -> str:
    """Show an estimate, and that of each class label; warn of few events."""
    parts = [
        make_head(*split_estimate(estimate)),
        make_numbers(
            {
                "Standard error": write_number(estimate.standard_error),
                "Method": estimate.method,
                **list_degrees(estimate.degrees_of_freedom),
                **list_counts(estimate),
                **list_averaged(estimate),
            }
        ),
    ]
    if estimate.by_label:
        labels, each = estimate.by_label.keys(), estimate.by_label.values()
        parts.append(make_table(list_estimates("Label", labels, each)))
    return make_view(*parts, *warn_of_few_events(estimate))


def split_estimate(estimate: Estimate) -> tuple[str, str]:
    """Split an estimate into its value and its interval."""
    name = estimate.name
    if not name.startswith("gAUC"):  # an abbreviation
        name = f"{name[:1].upper()}{name[1:]}"
    if isnan(estimate.value):
        return f"{name} undefined", ""
    return f"{name} {write_number(estimate.value)}", f", {say_interval(estimate)}"


def say_interval(result: Estimate | Comparison | ChangePart | Trend) -> str:
    """Format an interval with the digits of a view."""
    return format_interval(result, DIGITS)


def list_estimates(
    heading: str, names: Iterable[object], estimates: Iterable[Estimate]
) -> list[Column]:
    """List estimates as columns of a table, a row for each."""
    each = list(estimates)
    counted, rest = name_classes(is_amount=is_of_amounts(each[0]))
    return [
        Column(heading, list(names), is_text=True),
        Column(each[0].name, [one.value for one in each], write_number),
        Column(f"{format_level(each[0].confidence_level)} interval", each, write_limits),
        Column(counted, [one.n_events for one in each], write_count),
        Column(rest, [one.n_nonevents for one in each], write_count),
    ]


def name_classes(*, is_amount: bool) -> tuple[str, str]:
    """Name events and non-events; of amounts, rows above 0 and of 0."""
    return ("Rows above 0", "Rows of 0") if is_amount else ("Events", "Non-events")


def warn_of_few_events(estimate: Estimate) -> list[str]:
    """Warn where the confidence level may not hold; of an average, by class label."""
    if not estimate.by_label:
        reason = explain_few_events(estimate)
        return [warn(f"based on {reason}", name_few(estimate))] if reason else []
    found = [
        f"label {label!r}: {reason}"
        for label, part in estimate.by_label.items()
        if (reason := explain_few_events(part))
    ]
    more = f"; {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
    return [warn("; ".join(found[:MOST_NAMED]) + more)] if found else []


def warn(reasons: str, few: str = "Few events") -> str:
    """Warn of an interval."""
    return make_warning(f"{few}, {MAY_MISS}: {reasons}.")


def name_few(result: Estimate | Comparison) -> str:
    """Name what is few: rows, where their pairs are counted, or events."""
    is_of_rows = is_of_one_sample(result) or is_of_amounts(result)
    return "Few rows" if is_of_rows else "Few events"


def view_comparison(comparison: Comparison) -> str:
    """Show a test of a difference; warn where it may miss its level."""
    return make_view(
        make_head(*split_comparison(comparison)),
        make_numbers(list_comparison(comparison)),
        *warn_of_test(comparison),
    )


def split_comparison(comparison: Comparison) -> tuple[str, str]:
    """Split a test into the difference and the rest of the sentence."""
    numbers = comparison.value, comparison.first, comparison.second
    value, first, second = map(write_number, numbers)
    return f"{comparison.name} difference {value}", (
        f" ({first} - {second}), {say_interval(comparison)}, "
        f"{format_p_value(comparison.p_value, comparison.confidence_level)}"
    )


def list_comparison(comparison: Comparison) -> dict[str, str]:
    """List the numbers of a test that its sentence leaves out."""
    return {
        "Hypothesis tested": describe_hypothesis(comparison),
        "Test statistic": write_number(comparison.statistic),
        **list_degrees(comparison.degrees_of_freedom),
        "Standard error": write_number(comparison.standard_error),
        "Method": comparison.method,
        **list_counts(comparison),
    }


def describe_hypothesis(comparison: Comparison) -> str:
    """Describe the null hypothesis of a test."""
    margin = f"{comparison.margin:g}"
    return {
        "two-sided": "the difference is 0",
        "greater": f"the difference is {'-' * bool(comparison.margin)}{margin} or less",
        "less": f"the difference is {margin} or more",
        "equivalent": f"the difference is {margin} or more, either way",
    }[comparison.alternative]


def warn_of_test(comparison: Comparison, df: float = inf) -> list[str]:
    """Warn where a test may miss its level."""
    reason = explain_few_in_test(comparison, df)
    told = f"{name_few(comparison)}: the test is based on {reason}."
    return [make_warning(told)] if reason else []


def view_initial(initial: InitialComparison) -> str:
    """Show the tests against initial validation, one below the other."""
    tests = (
        [initial.ecb] if initial.two_sample is None else [initial.ecb, initial.two_sample]
    )
    parts = []
    for test in tests:
        # The ECB's test takes the normal distribution, whatever these are.
        df = initial.degrees_of_freedom if test is initial.ecb else inf
        of_error = {
            f"{name} of the standard error": number
            for name, number in list_degrees(df).items()
        }
        parts += [
            make_head(*split_comparison(test)),
            make_numbers(list_comparison(test) | of_error),
            *warn_of_test(test, df),
        ]
    return make_view(*parts)


def view_joint(joint: JointComparison) -> str:
    """Show the joint test, the ratios, and the test of each pair of scores."""
    tests = list(joint.pairs.values())
    level = tests[0].confidence_level
    write_p_value = make_p_value_writer(level)
    ratios = {name: write_number(ratio) for name, ratio in joint.ratios.items()}
    degrees = joint.degrees_of_freedom, joint.residual_degrees_of_freedom
    pairs = [
        Column("First", [first for first, _ in joint.pairs], is_text=True),
        Column("Second", [second for _, second in joint.pairs], is_text=True),
        Column("Difference", [test.value for test in tests], write_number),
        Column(f"{format_level(level)} limits", tests, write_limits),
        Column("p-value", [test.p_value for test in tests], write_p_value),
        Column("Holm", list(joint.p_holm.values()), write_p_value),
    ]
    return make_view(
        make_head(
            f"Joint test of {len(ratios)} AR, {format_p_value(joint.p_value, level)}",
            f" ({format_f_test(joint.statistic, degrees)})",
        ),
        make_numbers({f"AR {name}": ratio for name, ratio in ratios.items()}),
        make_table(pairs),
        *warn_of_test(min(tests, key=lambda test: test.n_errors)),
    )


def view_implied(implied: ImpliedComparison) -> str:
    """Show the test of the AR that probabilities imply."""
    numbers = implied.observed, implied.implied
    observed, expected = map(write_number, numbers)
    return make_view(
        make_head(
            f"AR {observed}, implied {expected}",
            f", {format_range(implied, DIGITS)} if the probabilities are right, "
            f"{format_p_value(implied.p_value, implied.confidence_level)}",
        ),
        make_numbers(
            {
                "Difference": write_number(implied.difference),
                "Standard error": write_number(implied.standard_error),
                "Test statistic": write_number(implied.statistic),
                "Alternative": implied.alternative,
                "Shift of the log-odds": write_number(implied.shift),
                "Events": write_count(implied.n_events),
                "Events expected": f"{implied.expected_events:,.1f}",
                "Non-events": write_count(implied.n_nonevents),
            }
        ),
    )


def view_band(band: Band) -> str:
    """Show a band, and its limits at some population shares."""
    low, high = (Profile(band.population_share, rate) for rate in (band.low, band.high))
    limits = [np.interp(SHARES_SHOWN, *line) for line in (low, high)]
    name = {"curve": "the curve", "random": "an uninformative score"}[band.around]
    return make_view(
        make_head(
            f"{format_level(band.confidence_level)} {band.kind} band", f" around {name}"
        ),
        draw("Band of the capture rate", draw_area(low, high)),
        make_table(
            [
                Column("Population share", SHARES_SHOWN, write_share),
                Column("Capture rate from", limits[0], write_share),
                Column("to", limits[1], write_share),
            ]
        ),
    )


def list_counts(result: Estimate | Comparison) -> dict[str, str]:
    """List the numbers of events and non-events, and of independent units among them."""
    counted, rest = name_classes(is_amount=is_of_amounts(result))
    numbers = {counted: result.n_events, rest: result.n_nonevents}
    if counts_rows(result):
        numbers = {"Rows": result.n_events}
    if result.method == TWO_SAMPLES:
        numbers = {f"{name}, one sample": number for name, number in numbers.items()}
    shown = {name: write_count(number) for name, number in numbers.items()}
    if isfinite(result.n_effective) and result.n_effective not in numbers.values():
        shown[name_effective_size(result)] = write_number(result.n_effective, 1)
    return shown


def list_averaged(estimate: Estimate) -> dict[str, str]:
    """List of how many class labels an average is, and whether it leaves some out."""
    averaged = format_averaged(estimate)
    return {"Averaged": averaged} if averaged else {}


def name_effective_size(result: Estimate | Comparison) -> str:
    """Name what `n_effective` counts: pairs of rows, or units of the smaller class."""
    if is_of_one_sample(result):
        return "Effective pairs of rows"
    if is_of_amounts(result):
        return "Effective rows above 0" if result.n_nonevents else "Effective rows"
    return "Effective size of the smaller class"


def list_degrees(degrees_of_freedom: float) -> dict[str, str]:
    """List degrees of freedom, unless the distribution is the normal one."""
    if not isfinite(degrees_of_freedom):
        return {}
    return {"Degrees of freedom": write_number(degrees_of_freedom, 1)}


def write_limits(result: Estimate | Comparison) -> str:
    """Write the limits of an interval, one of them for a one-sided test."""
    if isnan(result.low) or isnan(result.high):
        return "undefined"
    low, high = write_number(result.low), write_number(result.high)
    one_sided = {"greater": f"at least {low}", "less": f"at most {high}"}
    return one_sided.get(getattr(result, "alternative", ""), f"{low} to {high}")


def make_p_value_writer(confidence_level: float) -> Callable[[float], str]:
    """Make what writes p-values in a table, each on its side of the level."""

    def write(p_value: float) -> str:
        shown = format_p_value(p_value, confidence_level)
        return "undefined" if isnan(p_value) else shown[2:].removeprefix("= ")

    return write


def write_count(count: int) -> str:
    """Write a number of rows."""
    return f"{count:,}"
