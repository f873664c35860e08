"""Estimates of Somers' D: standard error, confidence limits and p-value."""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from capcurve._engines.concordance import compute_row_concordance
from capcurve._inference.accuracy_ratio import STANDARD_ERROR_METHODS
from capcurve._inference.estimate import Estimate
from capcurve._inference.influence import Influence, compute_quotient_influence
from capcurve._inference.limits import (
    has_variance,
    limits_from_standard_error,
    nan_limits,
)
from capcurve._inference.options import IntervalOptions, check_interval_options
from capcurve._input.columns import Columns
from capcurve._tally.contrast import ROUNDING, refuse_rounding
from capcurve._tally.dtypes import Array
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
        refuse_rounding(ROUNDING * weight.sum() ** 2 / float(weight @ untied))
    value, psi = compute_quotient_influence(surplus, untied, weight)
    return Influence(np.array([value]), psi[None], None, columns)


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
    value, error, df = (float("nan"),) * 3
    limits = nan_limits()
    if influence is None:
        warn_undefined()
    else:
        value, covariance = float(influence.value[0]), influence.covariance
        error = sqrt(covariance.variance())
        df = covariance.degrees_of_freedom()
        if has_variance(value, error):
            limits = limits_from_standard_error(
                options.method, value, error, options.confidence_level, df
            )
    return Estimate(
        value=value,
        standard_error=error,
        low=limits.low,
        high=limits.high,
        confidence_level=options.confidence_level,
        method=options.method,
        n_events=n_rows,
        n_nonevents=0,
        p_value=limits.p_value,
        degrees_of_freedom=df,
        name="Somers' D",
    )


def warn_undefined() -> float:
    """Warn that Somers' D is undefined, and return nan."""
    warn_caller(
        "Somers' D is undefined and set to nan: all values of `y_true` are equal",
        UndefinedMetricWarning,
    )
    return float("nan")
