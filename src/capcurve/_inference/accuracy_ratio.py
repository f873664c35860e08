"""Estimates of the accuracy ratio: standard error, confidence limits and p-value."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import isfinite, nan, sqrt
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from capcurve._curve.binned_curve import BinnedCurve
from capcurve._engines.rows import count_pairs, make_counted_rows
from capcurve._inference.amount_order import ranks_large_low
from capcurve._inference.bootstrap import bootstrap_values, percentile_limits
from capcurve._inference.estimate import (
    Estimate,
    make_estimate,
    make_undefined_estimate,
)
from capcurve._inference.influence import Covariance, Influence, compute_ratio_influence
from capcurve._inference.limits import (
    Limits,
    clip,
    has_variance,
    hoeffding_limits,
    limits_from_standard_error,
    nan_limits,
    newcombe_limits,
    t_cdf,
    t_quantile,
)
from capcurve._inference.options import (
    IntervalMethod,
    IntervalOptions,
    StandardErrorMethod,
    check_interval_options,
    describe_rows,
)
from capcurve._inference.shrinkage import INTERVAL_MASS, TEST_MASS, beta_limits, shrink
from capcurve._inference.wording import name_measure
from capcurve._input.columns import Columns
from capcurve._input.dtypes import Label
from capcurve._tally.dtypes import FloatArray
from capcurve._tally.pair_counts import PairCounts
from capcurve._tally.sums import dot
from capcurve.exceptions import CapcurveError

INTERVAL_METHODS = get_args(IntervalMethod)
STANDARD_ERROR_METHODS = get_args(StandardErrorMethod)


def estimate_accuracy_ratio(columns: Columns, options: IntervalOptions) -> Estimate:
    """Estimate the accuracy ratio of checked rows."""
    check_interval_options(options, INTERVAL_METHODS)
    refuse_inapplicable_method(columns, options.method)
    name = name_measure("AR", has_events=columns.has_events)
    if columns.is_constant:
        return make_undefined_estimate(columns, options, name)
    ratio, covariance = compute_ratio_covariance(columns)
    options = choose_method(options, ratio, covariance)
    limits = find_ratio_limits(columns, options, ratio, covariance)
    counts, options = columns.class_counts, name_bound(columns, options)
    found = make_ratio_estimate(counts, options, limits, ratio, covariance, name=name)
    if columns.has_events:
        return found
    return replace(found, large_ranked_low=ranks_large_low(columns, found.n_effective))


def estimate_from_bins(binned: BinnedCurve, confidence_level: float) -> Estimate:
    """Estimate the accuracy ratio of binned rows.

    If the pairs within bins were not counted, the lower limit is that of the worst order
    within bins and the upper limit that of the best order. The p-value is that of the one
    whose AR is nearer to 0, and 1 if orders between them have an AR of 0.
    """
    if not binned.has_events or binned.by_score.weight.dtype.kind == "f":
        found = "weights" if binned.has_events else "amounts"
        raise CapcurveError(
            f"an interval from bins requires unweighted 0/1 events, got {found}, the "
            "variance of which cannot be computed from bins; pass the rows to "
            "`accuracy_ratio_interval` instead"
        )
    options = IntervalOptions(confidence_level)
    if binned.exact and binned.exact.pairs:
        return estimate_from_pairs(binned.exact.pairs, options)
    central, worst, best = (
        estimate_accuracy_ratio(make_counted_rows(curve.tally), options)
        for curve in (binned.curve, binned.worst, binned.best)
    )
    test = worst.test if worst.value > 0 else best.test
    if worst.value <= 0 <= best.value:
        test = partial(float, 1)
    return replace(central, low=worst.low, high=best.high, test=test)


def estimate_from_pairs(pairs: PairCounts, options: IntervalOptions) -> Estimate:
    """Estimate the accuracy ratio from pair counts; nan if there are no pairs."""
    counts = pairs.events, pairs.nonevents
    if not pairs.pairs:
        return make_estimate(
            counts, options, nan_limits(), value=nan, standard_error=nan, name="AR"
        )
    covariance = Covariance.from_pairs(pairs)
    ratio = pairs.accuracy_ratio
    options = choose_method(options, ratio, covariance)
    if options.method == "exact":
        limits = hoeffding_limits(ratio, covariance.smallest, options.confidence_level)
    else:
        limits = find_analytic_limits(options, ratio, covariance)
    return make_ratio_estimate(counts, options, limits, ratio, covariance)


def choose_method(
    options: IntervalOptions, ratio: float, covariance: Covariance
) -> IntervalOptions:
    """Replace a method that needs a variance by 'exact' if the sample shows none.

    The population still has some; a single row in a class leaves it unknown (nan).
    """
    error = sqrt(covariance.variance())
    needs_variance = options.method != "beta"
    if has_variance(ratio, error) or (not needs_variance and isfinite(error)):
        return options
    return options._replace(method="exact")


def name_bound(columns: Columns, options: IntervalOptions) -> IntervalOptions:
    """Call distribution-free limits of weights or clusters the approximation they are."""
    if options.method == "exact" and not columns.has_counted_events:
        return options._replace(method="approximate bound")
    return options


def make_ratio_estimate(
    class_counts: tuple[int, int],
    options: IntervalOptions,
    limits: Limits,
    ratio: float,
    covariance: Covariance,
    *,
    name: str = "AR",
) -> Estimate:
    """Make the estimate of an accuracy ratio from its limits and covariance."""
    df = covariance.degrees_of_freedom()
    if options.method == "beta":
        df = shrink(ratio, covariance, INTERVAL_MASS).degrees_of_freedom
    return make_estimate(
        class_counts,
        options,
        limits,
        value=ratio,
        standard_error=sqrt(covariance.variance()),
        name=name,
        degrees_of_freedom=df,
        n_effective=covariance.effective_size,
        n_trials=shrink(ratio, covariance, TEST_MASS).n_trials,
    )


def estimate_average_ratio(
    rankings: Sequence[tuple[Label, Columns]], options: IntervalOptions, *, weighted: bool
) -> Estimate:
    """Estimate the average of the one-vs-rest accuracy ratios of class labels.

    Labels with an undefined accuracy ratio are left out. The variance is that of the
    average influence of each row; its strata are the labels. With ``weighted`` averages the
    influence includes that of the labels' shares.
    """
    check_interval_options(options, STANDARD_ERROR_METHODS)
    name = "weighted mean AR" if weighted else "mean AR"
    estimates = {
        label: estimate_accuracy_ratio(columns, options) for label, columns in rankings
    }
    defined = [columns for _, columns in rankings if not columns.is_constant]
    if not defined:
        average = make_undefined_estimate(rankings[0][1], options, name)
        return replace(average, by_label=estimates)
    masses = np.array([columns.target_mass if weighted else 1.0 for columns in defined])
    shares = masses / masses.sum()
    influences = [compute_ratio_influence([columns]) for columns in defined]
    ratios = np.array([influence.value[0] for influence in influences])
    psi = shares @ np.vstack([influence.psi for influence in influences])
    value = float(shares @ ratios)
    label_number = np.zeros(len(psi), dtype=np.int64)
    for number, columns in enumerate(defined, start=1):
        label_number[columns.target] = number
    first = defined[0]
    if weighted:
        weight = first.mass
        psi += weight * np.append(value, ratios)[label_number] / weight.sum()
        psi -= weight * value / weight.sum()
    influence = Influence(np.array([value]), psi[None], label_number, first, first.mass)
    reach = measure_reach(shares, first.mass, label_number)
    covariance = influence.covariance.with_reach(reach)
    limits = nan_limits()
    if choose_method(options, value, covariance) is options:
        limits = find_ratio_limits(first, options, value, covariance)
    average = make_ratio_estimate(
        first.class_counts, options, limits, value, covariance, name=name
    )
    return replace(
        average,
        n_nonevents=0,
        n_events=average.n_events + average.n_nonevents,
        by_label=estimates,
    )


def measure_reach(
    shares: FloatArray, mass: FloatArray, label_number: NDArray[np.int64]
) -> list[float]:
    """Return how far a row of each label can move the average of one-vs-rest ratios.

    It is an event for its own label, and a non-event for all others, of which its label is
    a part. With two labels it moves both ratios alike, as it moves the one of events.
    """
    masses = np.bincount(label_number, mass, minlength=len(shares) + 1)
    of_rest = shares / (masses.sum() - masses[1:])
    own = np.append(0.0, shares - of_rest * masses[1:])
    reach = own + masses * of_rest.sum()
    return [float(reach[number]) for number in np.unique(label_number)]


def compute_ratio_covariance(columns: Columns) -> tuple[float, Covariance]:
    """Compute AR and its covariance; exactly, for independent events of equal weight."""
    if columns.has_counted_events:
        pairs = count_pairs(columns)
        return pairs.accuracy_ratio, Covariance.from_pairs(pairs)
    influence = compute_ratio_influence([columns])
    return float(influence.value[0]), influence.covariance


def find_ratio_limits(
    columns: Columns, options: IntervalOptions, ratio: float, covariance: Covariance
) -> Limits:
    """Compute the limits of the accuracy ratio by the method of the options."""
    level = options.confidence_level
    match options.method:
        case "newcombe":
            return newcombe_limits(ratio, *columns.class_counts, level)
        case "bootstrap":
            return bootstrap_limits(columns, options)
        case "bca":
            return bca_limits(columns, options, ratio)
        case "exact" if columns.has_events:
            return hoeffding_limits(ratio, covariance.smallest, level)
        case "exact":  # amounts have no such bound: a few unseen ones may reverse the AR
            return nan_limits()
    return find_analytic_limits(options, ratio, covariance)


def find_analytic_limits(
    options: IntervalOptions, ratio: float, covariance: Covariance
) -> Limits:
    """Compute the limits that follow from the covariance alone."""
    level, error = options.confidence_level, sqrt(covariance.variance())
    if options.method == "beta":
        return beta_limits(ratio, covariance, level)
    df = covariance.degrees_of_freedom()
    return limits_from_standard_error(options.method, ratio, error, level, df)


def bootstrap_limits(columns: Columns, options: IntervalOptions) -> Limits:
    """Compute the percentile limits of bootstrap replicates."""
    drawn = bootstrap_values(columns, options, lambda curve: curve.accuracy_ratio)
    return Limits(
        *percentile_limits(drawn, options.confidence_level), bootstrap_p_value(drawn)
    )


def bca_limits(columns: Columns, options: IntervalOptions, ratio: float) -> Limits:
    """Compute bootstrap limits that are corrected for bias and acceleration.

    Efron (1987), doi:10.1080/01621459.1987.10478410; the acceleration is the skewness of
    the influence values, divided by 6.
    """
    drawn = bootstrap_values(columns, options, lambda curve: curve.accuracy_ratio)
    psi, counts = list_units(columns)
    acceleration = float(dot(psi**3, counts) / (6 * dot(psi**2, counts) ** 1.5))
    below = float(np.mean(drawn < ratio) + np.mean(drawn == ratio) / 2)
    edge = 1 / (2 * len(drawn))  # keeps the quantile finite
    bias = t_quantile(clip(below, edge, 1 - edge))
    probabilities = []
    for side in (-1, 1):
        shifted = bias + side * t_quantile((1 + options.confidence_level) / 2)
        # Beyond the pole of the correction the quantile is that of the end it tends to.
        corrected = shifted / max(1 - acceleration * shifted, 1e-9)
        probabilities.append(t_cdf(bias + corrected))
    low, high = np.quantile(drawn, probabilities).tolist()
    return Limits(low, high, bootstrap_p_value(drawn))


def list_units(columns: Columns) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the influence of each independent unit, and how many units are equal to it."""
    psi, cluster = compute_ratio_influence([columns]).psi[0], columns.cluster
    if cluster is not None:
        total = np.array([np.bincount(cluster, psi)])[0]
        return total, np.ones(len(total))
    counts = columns.row_counts
    return psi / counts, counts


def bootstrap_p_value(drawn: NDArray[np.float64]) -> float:
    """Compute the two-sided p-value of AR = 0: twice the share of replicates beyond 0."""
    beyond = min(np.count_nonzero(drawn <= 0), np.count_nonzero(drawn >= 0)) + 1
    return clip(2 * beyond / (len(drawn) + 1), 0, 1)


def refuse_inapplicable_method(columns: Columns, method: str) -> None:
    """Raise if a method requires independent events of equal weight, and rows are not."""
    if method in {"newcombe", "exact"} and not columns.has_counted_events:
        raise CapcurveError(
            f"`method={method!r}` requires independent 0/1 events of equal weight, got "
            f"{describe_rows(columns)}; use 'beta'"
        )
