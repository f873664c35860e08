"""Estimates of the capture rate: standard error, confidence limits and p-value."""

from math import nan, sqrt
from typing import get_args

from capcurve._curve.curve import CapCurve, make_curve
from capcurve._inference.bootstrap import bootstrap_values, percentile_limits
from capcurve._inference.estimate import Estimate, make_estimate, make_undefined_estimate
from capcurve._inference.limits import Limits, clip, two_sided_p_value, wilson_limits
from capcurve._inference.options import (
    IntervalOptions,
    ShareMethod,
    check_interval_options,
    describe_rows,
)
from capcurve._input.columns import Columns
from capcurve.exceptions import CapcurveError

# The event rate at the cut-off is estimated within WINDOW * N**-0.2 of its population
# share. N**-0.2 is the rate that minimises the mean squared error of a kernel estimate
# (Silverman, 1986, doi:10.1201/9781315140919). The factor is a rule of thumb;
# `hold_capture` in benchmarks/coverage.py simulates the coverage that results.
WINDOW = 0.5


def estimate_capture_rate(
    columns: Columns, fraction: float, options: IntervalOptions
) -> Estimate:
    """Estimate the capture rate at a population share."""
    check_interval_options(options, get_args(ShareMethod))
    name = f"capture rate at {100 * fraction:.4g} %"
    if columns.is_constant:
        return make_undefined_estimate(columns, options, name)
    curve = make_curve(columns)
    value = curve.capture_rate_at(fraction)
    if fraction in {0, 1}:  # the capture rate is then known
        limits, error = Limits(value, value, nan), 0.0
    elif options.method == "bootstrap":
        drawn = bootstrap_values(
            columns, options, lambda replicate: replicate.capture_rate_at(fraction)
        )
        limits = Limits(*percentile_limits(drawn, options.confidence_level), nan)
        error = float(drawn.std(ddof=1))
    else:
        require_independent_events(columns)
        sizes = find_effective_sizes(columns)
        error, n_trials, null_error = compute_capture_errors(curve, fraction, *sizes)
        low, high = wilson_limits(value, n_trials, options.confidence_level)
        best = max(value, min(1.0, fraction / curve.response_rate))
        p_value = two_sided_p_value((value - fraction) / null_error)
        limits = Limits(clip(low, 0, value), clip(high, value, best), p_value)
    return make_estimate(
        columns.class_counts, options, limits, value=value, standard_error=error, name=name
    )


def compute_capture_errors(
    curve: CapCurve, fraction: float, m: float, n: float
) -> tuple[float, float, float]:
    """Compute the standard error of the capture rate, its trials, and the null error.

    ``m`` and ``n`` are the (effective) numbers of events and non-events. The cut-off is
    estimated too, so the variance depends on ``local_rate``, the event rate at the cut-off,
    which is the slope of the curve over a window that shrinks with the number of rows.

    Returns
    -------
    error : float
        Standard error of the capture rate.
    n_trials : float
        Number of trials for which a proportion has that standard error.
    null_error : float
        Standard error of the capture rate of an uninformative score.
    """
    rate, captured = curve.response_rate, curve.capture_rate_at(fraction)
    selected = clip((fraction - rate * captured) / (1 - rate), 0, 1)
    selected = (n * selected + 0.5) / (n + 1)  # a share of 0 or 1 would have no variance
    window = WINDOW * (m + n) ** -0.2
    left, right = max(0.0, fraction - window), min(1.0, fraction + window)
    rise = curve.capture_rate_at(right) - curve.capture_rate_at(left)
    local_rate = clip(rate * rise / (right - left), 0, 1)
    binomial = captured * (1 - captured)
    variance = (1 - local_rate) ** 2 * binomial / m
    variance += (local_rate * (1 - rate) / rate) ** 2 * selected * (1 - selected) / n
    n_trials = binomial / variance if binomial > 0 and variance > 0 else m
    null_error = sqrt(fraction * (1 - fraction) * (1 - rate) / m)
    return sqrt(variance), n_trials, null_error


def require_independent_events(columns: Columns) -> None:
    """Raise unless the rows are independent 0/1 events, weighted or not."""
    if not columns.has_events or columns.weights.cluster is not None:
        raise CapcurveError(
            "`method='wilson'` requires independent 0/1 events, got "
            f"{describe_rows(columns)}; use `method='bootstrap'`"
        )


def find_effective_sizes(columns: Columns) -> tuple[float, float]:
    """Compute the number of rows of each class; the effective one for sampling weights.

    The effective sample size ``sum(w)**2 / sum(w**2)`` is that of Kish (1965), Survey
    Sampling, Wiley. It assumes that weights are unrelated to the selection.
    """
    weight = columns.weight
    if weight is None or columns.weights.counts_rows or weight.min() == weight.max():
        return columns.class_counts
    events, nonevents = columns[columns.target], columns[~columns.target]
    m, n = (
        float(rows.mass.sum() ** 2 / rows.squared_weights.sum())
        for rows in (events, nonevents)
    )
    return m, n
