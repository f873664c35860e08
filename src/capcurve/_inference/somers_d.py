"""Estimates of Somers' D: standard error, confidence limits and p-value."""

from math import nan

import numpy as np
from numpy.typing import NDArray

from capcurve._engines.concordance import compute_row_concordance
from capcurve._inference.accuracy_ratio import (
    STANDARD_ERROR_METHODS,
    choose_method,
    find_analytic_limits,
    make_ratio_estimate,
)
from capcurve._inference.estimate import Estimate, make_estimate
from capcurve._inference.influence import Influence, compute_quotient_influence
from capcurve._inference.limits import nan_limits
from capcurve._inference.options import IntervalOptions, check_interval_options
from capcurve._inference.wording import SOMERS_D
from capcurve._input.columns import Columns
from capcurve._tally.contrast import ROUNDING, refuse_rounding
from capcurve._tally.dtypes import Array
from capcurve._tally.sums import dot
from capcurve.exceptions import UndefinedMetricWarning, warn_caller


def compute_concordance_influence(columns: Columns) -> Influence | None:
    """Compute Somers' D and the influence of each row; None if all outcomes are equal."""
    if columns.is_constant:
        return None
    weight = columns.mass
    surplus = compute_row_concordance(columns.target, columns.score, weight)
    if not columns.descending:
        surplus = -surplus
    untied = weigh_untied_rows(columns.target, weight)
    if columns.weight is not None:
        refuse_rounding(ROUNDING * weight.sum() ** 2 / dot(weight, untied))
    value, psi, pairs = compute_quotient_influence(surplus, untied, weight)
    return Influence(np.array([value]), psi[None], None, columns, pairs)


def weigh_untied_rows(target: Array, weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute for each row the total weight of the rows with a different outcome."""
    number = np.unique(target, return_inverse=True)[1]
    others: NDArray[np.float64] = weight.sum() - np.bincount(number, weight)
    return others[number]


def estimate_somers_d(columns: Columns, options: IntervalOptions) -> Estimate:
    """Estimate Somers' D of checked rows; warn if it is undefined."""
    check_interval_options(options, STANDARD_ERROR_METHODS)
    influence = compute_concordance_influence(columns)
    n_rows = len(columns.target)
    if columns.weights.counts_rows and columns.weight is not None:
        n_rows = int(columns.weight.sum())
    counts, name = (n_rows, 0), SOMERS_D
    if influence is None:
        warn_undefined()
        limits = nan_limits()
        return make_estimate(
            counts, options, limits, value=nan, standard_error=nan, name=name
        )
    value, covariance = float(influence.value[0]), influence.covariance
    limits = nan_limits()
    if choose_method(options, value, covariance) is options:
        limits = find_analytic_limits(options, value, covariance)
    return make_ratio_estimate(counts, options, limits, value, covariance, name=name)


def warn_undefined() -> float:
    """Warn that Somers' D is undefined, and return nan."""
    warn_caller(
        "Somers' D is undefined and set to nan: all values of `y_true` are equal",
        UndefinedMetricWarning,
    )
    return float("nan")
