"""Estimates of the Kolmogorov-Smirnov statistic (KS), and its null distribution."""

from __future__ import annotations

from functools import partial
from math import gcd, nan, sqrt
from typing import NamedTuple, get_args

import numpy as np

from capcurve._curve.curve import CapCurve
from capcurve._inference.bootstrap import bootstrap_values, percentile_limits
from capcurve._inference.estimate import Estimate, make_estimate, make_undefined_estimate
from capcurve._inference.limits import (
    Limits,
    clip,
    import_scipy,
    nan_limits,
)
from capcurve._inference.options import IntervalOptions, ShareMethod, check_interval_options
from capcurve._inference.root import find_root
from capcurve._inference.share_influence import RankedRows, Spread, count_smaller_class
from capcurve._inference.share_limits import (
    combine_distances,
    find_size,
    share_limits,
    wilson_limits_t,
)
from capcurve._inference.wording import name_measure
from capcurve._input.columns import Columns
from capcurve.exceptions import CapcurveError

QUARTILES = (0.25, 0.5, 0.75)
RIVALS = 0.5  # distance of competing cut-offs from the best, in critical values of KS
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
    name = name_measure("KS", has_events=columns.has_events)
    if columns.is_constant:
        return make_undefined_estimate(columns, options, name)
    ranked = RankedRows.of_columns(columns)
    value, limits, error = ranked.curve.ks, nan_limits(), nan
    if options.method == "bootstrap":
        drawn = bootstrap_values(columns, options, lambda replicate: replicate.ks)
        limits = Limits(*percentile_limits(drawn, options.confidence_level), nan)
        error = float(drawn.std(ddof=1))
    else:
        require_events(columns)
    if options.method == "wilson" or limits.low == limits.high:
        options = options._replace(method="wilson")
        limits, error = find_ks_limits(ranked, options.confidence_level)
    return make_estimate(
        columns.class_counts,
        options,
        limits,
        value=value,
        standard_error=error,
        name=name,
        n_effective=count_smaller_class(columns),
        scale=(0.0, 1.0),
    )


def require_events(columns: Columns) -> None:
    """Raise unless outcomes are 0/1 events, weighted or not, in clusters or not."""
    if not columns.has_events:
        raise CapcurveError(
            "an interval of KS by Wilson's limits, the default, requires 0/1 events, got "
            "amounts; pass `method='bootstrap'`"
        )


class Shares(NamedTuple):
    """Shares of both classes at a cut-off, or between two, with their spreads.

    Attributes
    ----------
    events, nonevents : float
        Share of the weight of either class.
    of_events, of_nonevents : Spread
        Variance of either share, and its degrees of freedom.
    covariance : float
        Covariance of the two; 0 unless clusters hold rows of both classes.
    """

    events: float
    nonevents: float
    of_events: Spread
    of_nonevents: Spread
    covariance: float

    @property
    def variance(self) -> float:
        """Variance of the difference of the shares."""
        total = self.of_events.variance + self.of_nonevents.variance
        return max(0.0, total - 2 * self.covariance)


def measure_shares(ranked: RankedRows, first: int, last: int) -> Shares:
    """Compute the shares of both classes in blocks ``first`` to before ``last``."""
    if ranked.is_counted:
        return count_shares(ranked.curve, first, last)
    columns = ranked.columns
    inside = (ranked.block >= first) & (ranked.block < last)
    shares, spreads, psis = [], [], []
    for rows in (columns.target, ~columns.target):
        mass = columns.mass * rows
        share = clip(float(mass[inside].sum() / mass.sum()), 0, 1)
        psi = mass * (inside - share) / mass.sum()
        shares.append(share)
        psis.append(psi)
        spreads.append(ranked.measure(psi))
    covariance = 0.0
    if columns.weights.cluster is not None:
        total = ranked.measure(psis[0] + psis[1]).variance
        covariance = (total - spreads[0].variance - spreads[1].variance) / 2
    return Shares(shares[0], shares[1], spreads[0], spreads[1], covariance)


def count_shares(curve: CapCurve, first: int, last: int) -> Shares:
    """Compute the shares of `measure_shares` of rows that count alike.

    Their squared influences add up to the variance of a binomial share.
    """
    tally = curve.tally
    shares, spreads = [], []
    for mass in (tally.target, tally.weight - tally.target):
        total = int(mass.sum())
        share = int(mass[first:last].sum()) / total
        shares.append(share)
        spreads.append(Spread(share * (1 - share) / total))
    return Shares(shares[0], shares[1], spreads[0], spreads[1], 0.0)


def find_ks_limits(ranked: RankedRows, level: float) -> tuple[Limits, float]:
    """Compute limits, p-value and standard error of KS.

    The upper limit, and the lower one at least, are those of the difference at the cut-off
    found. The lower one also allows for the search over cut-offs: KS less what the noise
    may add between those cut-offs whose difference is nearly as large.
    """
    curve, columns = ranked.curve, ranked.columns
    if not columns.has_events:
        return limits_of_amounts(ranked, level)
    sizes = find_class_sizes(ranked)
    p_value = partial(ks_p_value, curve.ks, *sizes)
    gaps = curve.capture_rate - curve.population_share
    best = int(
        np.abs(gaps).round(12).argmax()
    )  # the first of those that differ by rounding
    at_best = measure_shares(ranked, 0, best)
    low, high = newcombe_difference_limits(at_best, sizes, level)
    critical = null_critical_value(level, *sizes)
    if curve.ks <= critical:
        return Limits(0.0, high, p_value), sqrt(at_best.variance)
    # Cut-offs compete whose difference is within half of what noise may add to any of them.
    scaled = gaps * np.sign(gaps[best]) / (1 - curve.response_rate)
    rivals = np.flatnonzero(scaled >= curve.ks - RIVALS * critical)
    first, last = int(rivals[0]), int(rivals[-1])
    start = min(
        measure_shares(ranked, 0, first).variance, measure_shares(ranked, 0, last).variance
    )
    rise = measure_shares(ranked, first, last).variance
    reach = min(critical, running_maximum_quantile(sqrt(start), sqrt(rise), level))
    low = min(low, clip(curve.ks - reach, 0, 1))
    return Limits(low, high, p_value), sqrt(at_best.variance)


def limits_of_amounts(ranked: RankedRows, level: float) -> tuple[Limits, float]:
    """Compute limits of KS of amounts that no replicate changes: those of a share."""
    ks = clip(ranked.curve.ks, 0, 1)
    low, high = share_limits(ks, ranked.n_effective_units, level)
    return Limits(low, high, nan), 0.0


def find_class_sizes(ranked: RankedRows) -> tuple[float, float]:
    """Compute the (effective) sizes of both classes.

    With weights or clusters, the smallest size for which a proportion has the variance of
    the share of the class above a quartile of its scores, and no more than Kish's (1965).
    """
    if ranked.is_counted:
        return ranked.columns.class_counts
    curve = ranked.curve
    events = curve.capture_rate
    others = (curve.population_share - curve.response_rate * events) / (
        1 - curve.response_rate
    )
    columns = ranked.columns
    sizes = [
        float(own.mass.sum() ** 2 / own.squared_weights.sum())
        for own in (columns[columns.target], columns[~columns.target])
    ]
    smallest = list(sizes)
    for quartile in QUARTILES:
        for kind, path in enumerate((events, others)):
            found = measure_shares(ranked, 0, int(np.abs(path - quartile).argmin()))
            share = found.nonevents if kind else found.events
            spread = found.of_nonevents if kind else found.of_events
            size = find_size(share, spread.variance, sizes[kind])
            smallest[kind] = min(smallest[kind], size)
    return smallest[0], smallest[1]


def newcombe_difference_limits(
    shares: Shares, sizes: tuple[float, float], level: float
) -> tuple[float, float]:
    """Compute limits of the difference of the shares of both classes at a cut-off.

    They are made of the Wilson limits of each share: method 10 of Newcombe (1998),
    doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I.
    """
    found = []
    for share, spread, size in (
        (shares.events, shares.of_events, sizes[0]),
        (shares.nonevents, shares.of_nonevents, sizes[1]),
    ):
        trials = find_size(share, spread.variance, size)
        found.append(
            (share, *wilson_limits_t(share, trials, level, spread.degrees_of_freedom))
        )
    larger, smaller = sorted(found, reverse=True)
    difference = larger[0] - smaller[0]
    errors = sqrt(shares.of_events.variance * shares.of_nonevents.variance)
    correlation = clip(shares.covariance / errors, -1, 1) if errors > 0 else 0.0
    down = combine_distances(larger[0] - larger[1], smaller[2] - smaller[0], correlation)
    up = combine_distances(larger[2] - larger[0], smaller[0] - smaller[1], correlation)
    return clip(difference - down, 0, 1), clip(difference + up, 0, 1)


def null_critical_value(level: float, n_events: float, n_nonevents: float) -> float:
    """Compute the critical value of KS from its limiting distribution."""
    size = effective_size(n_events, n_nonevents)
    return float(import_scipy("stats").kstwo.isf(1 - level, size))


def running_maximum_quantile(start: float, rise: float, probability: float) -> float:
    """Compute a quantile of the largest value of a random walk.

    The walk starts at a normal value with standard error ``start`` and moves on with
    independent steps of standard error ``rise`` together. By the reflection principle its
    maximum is a normal value plus the absolute of another: skew-normal (Azzalini, 1985).
    """
    special = import_scipy("special")
    scale = sqrt(start**2 + rise**2)
    if scale == 0:
        return 0.0
    shape = rise / max(start, MIN_RELIABLE_TAIL * scale)

    def excess(value: float) -> float:
        return float(special.ndtr(value) - 2 * special.owens_t(value, shape) - probability)

    return scale * find_root(excess, -10.0, 10.0)
