"""Estimates of the Kolmogorov-Smirnov statistic (KS), and its null distribution."""

from math import gcd, nan, sqrt
from typing import get_args

import numpy as np

from capcurve._curve.curve import CapCurve, make_curve
from capcurve._inference.bootstrap import bootstrap_values, percentile_limits
from capcurve._inference.capture_rate import (
    find_effective_sizes,
    require_independent_events,
)
from capcurve._inference.estimate import Estimate, make_estimate, make_undefined_estimate
from capcurve._inference.limits import Limits, clip, import_scipy, wilson_limits
from capcurve._inference.options import IntervalOptions, ShareMethod, check_interval_options
from capcurve._input.columns import Columns

MAX_LATTICE_STEPS = 1_000_000  # lattice states times steps up to which paths are counted
MIN_RELIABLE_TAIL = 1e-9  # a smaller tail is lost to rounding in 1 minus the rest


def ks_p_value(gap: float, n_events: float, n_nonevents: float) -> float:
    """Compute the probability that KS of an uninformative score is ``gap`` or more.

    Scores are assumed to have no ties. Every order of events and non-events is a path
    through a lattice; the paths that stay below ``gap`` are counted as in Hodges (1958),
    doi:10.1007/BF02589501. If there are too many, or the class sizes are no integers, the
    one-sample distribution with effective size mn / (m + n) is used.
    """
    m, n = sorted((n_events, n_nonevents))
    if isinstance(m, int) and isinstance(n, int) and (m + 1) * (m + n) <= MAX_LATTICE_STEPS:
        step = gcd(m, n)
        tail = lattice_tail_probability(round(gap * m * n / step) * step, m, n)
        if tail > MIN_RELIABLE_TAIL:
            return tail
    return float(import_scipy("stats").kstwo.sf(gap, effective_size(m, n)))


def effective_size(m: float, n: float) -> int:
    """Return mn / (m + n), the size of one sample whose KS varies like that of two."""
    return max(1, round(m * n / (m + n)))


def lattice_tail_probability(bound: int, m: int, n: int) -> float:
    """Compute the share of paths to (m, n) on which ``abs(i * n - j * m)`` >= ``bound``."""
    i = np.arange(m + 1)
    inside = np.zeros(m + 1)
    inside[0] = bound > 0
    for k in range(1, m + n + 1):
        from_left = np.append(0.0, inside[:-1]) * i
        inside = (from_left + inside * (k - i)) / k
        j = k - i
        inside[(j < 0) | (j > n) | (np.abs(i * n - j * m) >= bound)] = 0.0
    return clip(1 - inside[m], 0, 1)


def ks_critical_value(confidence_level: float, n_events: int, n_nonevents: int) -> float:
    """Compute the critical value of KS: the smallest with a p-value of 1 - level or less.

    If there are too many paths to count, the one-sample distribution with effective size
    mn / (m + n) is used.
    """
    m, n = sorted((n_events, n_nonevents))
    if (m + 1) * (m + n) > MAX_LATTICE_STEPS:
        return float(
            import_scipy("stats").kstwo.isf(1 - confidence_level, effective_size(m, n))
        )
    step = gcd(m, n)
    low, high = 0, m * n // step
    while low < high:
        middle = (low + high) // 2
        if lattice_tail_probability(middle * step, m, n) <= 1 - confidence_level:
            high = middle
        else:
            low = middle + 1
    return low * step / (m * n)


def estimate_ks(columns: Columns, options: IntervalOptions) -> Estimate:
    """Estimate KS of checked rows."""
    check_interval_options(options, get_args(ShareMethod))
    if columns.is_constant:
        return make_undefined_estimate(columns, options, "KS")
    curve = make_curve(columns)
    if options.method == "bootstrap":
        drawn = bootstrap_values(columns, options, lambda replicate: replicate.ks)
        limits = Limits(*percentile_limits(drawn, options.confidence_level), nan)
        error = float(drawn.std(ddof=1))
    else:
        require_independent_events(columns)
        sizes = find_effective_sizes(columns)
        limits, error = newcombe_difference_limits(curve, *sizes, options.confidence_level)
    return make_estimate(
        columns.class_counts,
        options,
        limits,
        value=curve.ks,
        standard_error=error,
        name="KS",
    )


def newcombe_difference_limits(
    curve: CapCurve, m: float, n: float, level: float
) -> tuple[Limits, float]:
    """Compute limits, p-value and standard error of KS at the cut-off that was found.

    KS is there a difference of two proportions, with limits from the Wilson limits of each:
    method 10 of Newcombe (1998),
    doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I.
    """
    gaps = np.abs(curve.capture_rate - curve.population_share)
    best = int(gaps.round(12).argmax())  # the first of those that differ by rounding only
    events, rate = float(curve.capture_rate[best]), curve.response_rate
    nonevents = float(curve.population_share[best] - rate * events) / (1 - rate)
    nonevents = clip(nonevents, 0, 1)
    larger, smaller = sorted([(events, m), (nonevents, n)], reverse=True)
    larger_low, larger_high = wilson_limits(*larger, level)
    smaller_low, smaller_high = wilson_limits(*smaller, level)
    difference = larger[0] - smaller[0]
    down = sqrt((larger[0] - larger_low) ** 2 + (smaller_high - smaller[0]) ** 2)
    up = sqrt((larger_high - larger[0]) ** 2 + (smaller[0] - smaller_low) ** 2)
    variance = sum(share * (1 - share) / size for share, size in (larger, smaller))
    p_value = ks_p_value(curve.ks, m, n)
    limits = Limits(clip(difference - down, 0, 1), clip(difference + up, 0, 1), p_value)
    return limits, sqrt(variance)
