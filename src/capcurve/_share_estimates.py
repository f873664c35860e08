"""Capture rate, lift and KS with their standard errors and limits."""

from math import nan, sqrt
from typing import Literal, get_args

import numpy as np

from capcurve import _limits
from capcurve._chance import ks_tail
from capcurve._input import Columns
from capcurve._limits import Limits
from capcurve._precision import (
    Options,
    check_options,
    counts_of,
    drawn_values,
    estimate_of,
    percentiles,
    undefined_estimate,
)
from capcurve.curve import CapCurve, curve_of
from capcurve.estimates import Estimate
from capcurve.exceptions import CapcurveError

ShareMethod = Literal["wilson", "bootstrap"]

WINDOW = 0.5  # of population share, over which the event rate at a cut-off is estimated


def capture_estimate(columns: Columns, fraction: float, options: Options) -> Estimate:
    """Estimate the capture rate at a population share."""
    check_options(options, get_args(ShareMethod))
    name = f"capture rate at {100 * fraction:.4g} %"
    if columns.is_constant:
        return undefined_estimate(columns, options, name)
    curve = curve_of(columns)
    value = curve.capture_rate_at(fraction)
    if fraction in {0, 1}:  # of nothing or of everything there is no doubt
        limits, error = Limits(value, value, nan), 0.0
    elif options.method == "bootstrap":
        drawn = drawn_values(
            columns, options, lambda drawn: drawn.capture_rate_at(fraction)
        )
        limits = Limits(*percentiles(drawn, options.confidence_level), nan)
        error = float(drawn.std(ddof=1))
    else:
        refuse_no_wilson(columns)
        sizes = effective_sizes(columns)
        error, size, by_chance = capture_errors(curve, fraction, *sizes)
        low, high = _limits.wilson(value, size, options.confidence_level)
        best = min(1.0, fraction / curve.response_rate)
        p_value = _limits.two_sided((value - fraction) / by_chance)
        limits = Limits(min(low, value), max(value, min(high, best)), p_value)
    return estimate_of(
        columns, options, limits, value=value, standard_error=error, name=name
    )


def capture_errors(
    curve: CapCurve, fraction: float, m: float, n: float
) -> tuple[float, float, float]:
    """Find the capture rate's standard error, its trials, and a useless score's error.

    The cut-off is estimated too: the event rate at it, ``local``, is read off as the slope
    of the curve over a window that narrows as rows grow.
    """
    rate, captured = curve.response_rate, curve.capture_rate_at(fraction)
    false = min(1.0, max(0.0, (fraction - rate * captured) / (1 - rate)))
    false = (n * false + 0.5) / (n + 1)  # none seen does not mean there is none
    reach = WINDOW * (m + n) ** -0.2
    left, right = max(0.0, fraction - reach), min(1.0, fraction + reach)
    rise = curve.capture_rate_at(right) - curve.capture_rate_at(left)
    local = min(1.0, rate * rise / (right - left))
    binomial = captured * (1 - captured)
    variance = (1 - local) ** 2 * binomial / m
    variance += (local * (1 - rate) / rate) ** 2 * false * (1 - false) / n
    size = binomial / variance if binomial > 0 and variance > 0 else m
    return sqrt(variance), size, sqrt(fraction * (1 - fraction) * (1 - rate) / m)


def ks_estimate(columns: Columns, options: Options) -> Estimate:
    """Estimate KS, the largest difference between events and non-events selected."""
    check_options(options, get_args(ShareMethod))
    if columns.is_constant:
        return undefined_estimate(columns, options, "KS")
    curve = curve_of(columns)
    if options.method == "bootstrap":
        drawn = drawn_values(columns, options, lambda drawn: drawn.ks)
        limits = Limits(*percentiles(drawn, options.confidence_level), nan)
        error = float(drawn.std(ddof=1))
    else:
        refuse_no_wilson(columns)
        sizes = effective_sizes(columns)
        limits, error = difference_limits(curve, *sizes, options.confidence_level)
    return estimate_of(
        columns, options, limits, value=curve.ks, standard_error=error, name="KS"
    )


def difference_limits(
    curve: CapCurve, m: float, n: float, level: float
) -> tuple[Limits, float]:
    """Limits of KS at the cut-off that was found, and its standard error.

    A difference of two shares from Wilson's limits of each: method 10 of Newcombe (1998),
    doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I.
    """
    gaps = np.abs(curve.capture_rate - curve.population_share)
    best = int(gaps.round(12).argmax())  # the first of those that differ by rounding
    events, rate = float(curve.capture_rate[best]), curve.response_rate
    rest = float(curve.population_share[best] - rate * events) / (1 - rate)
    larger, smaller = sorted([(events, m), (min(1.0, max(0.0, rest)), n)], reverse=True)
    low, high = _limits.wilson(*larger, level)
    lower, higher = _limits.wilson(*smaller, level)
    difference = larger[0] - smaller[0]
    down = sqrt((larger[0] - low) ** 2 + (higher - smaller[0]) ** 2)
    up = sqrt((high - larger[0]) ** 2 + (smaller[0] - lower) ** 2)
    variance = sum(share * (1 - share) / size for share, size in (larger, smaller))
    p_value = ks_tail(curve.ks, m, n)
    limits = Limits(max(0.0, difference - down), min(1.0, difference + up), p_value)
    return limits, sqrt(variance)


def refuse_no_wilson(columns: Columns) -> None:
    """Refuse what is no share of independent events."""
    if not columns.has_events or columns.cluster is not None:
        raise CapcurveError(
            "`method='wilson'` holds for 0/1 events in independent rows; for amounts and "
            "groups there is 'bootstrap'"
        )


def effective_sizes(columns: Columns) -> tuple[float, float]:
    """Rows of each class; with sampling weights as many equal ones, after Kish (1965)."""
    weight = columns.weight
    if weight is None or columns.counts_rows or weight.min() == weight.max():
        return counts_of(columns)
    classes = columns[columns.target], columns[~columns.target]
    first, second = (
        float(each.mass.sum() ** 2 / each.squared_weights.sum()) for each in classes
    )
    return first, second
