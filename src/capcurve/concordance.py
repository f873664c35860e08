"""Somers' D of the score given an ordered outcome, and gAUC."""

from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from capcurve import _limits
from capcurve._engines.concordance import concordance_by_row
from capcurve._influence import Influence, of_quotient
from capcurve._input import (
    Array,
    Columns,
    WeightKind,
    as_array,
    as_numbers,
    read_clusters,
    read_score,
    read_weight_kind,
    weigh,
)
from capcurve._precision import Options, check_options
from capcurve._ratio_estimates import AVERAGED
from capcurve.estimates import Estimate
from capcurve.exceptions import CapcurveError, UndefinedMetricWarning, warn_caller

__all__ = ["somers_d_from_table", "somers_d_interval", "somers_d_score"]


def somers_d_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    descending: bool = True,
) -> float:
    """Compute Somers' D of the score given the outcome; gAUC is ``(D + 1) / 2``.

    Of the pairs of rows whose outcomes differ, the share that the score ranks in the same
    order less the share that it ranks in the other. Only the order of the outcomes counts,
    where the accuracy ratio of amounts counts by how much they differ; for 0/1 events both
    are the same.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Ordered outcome, such as a realised loss or its class as a number.
    y_score : array-like of shape (n_samples,)
        Higher is ranked earlier. A pair with equal scores counts 0.
    sample_weight : array-like of shape (n_samples,), default=None
        A weight of 2 means the same as two equal rows, 0 as no row.
    descending : bool, default=True
        False for a scorecard on which a low score is ranked first.

    Returns
    -------
    float
        From -1 to 1; nan, with an `UndefinedMetricWarning`, where all outcomes are equal.

    Raises
    ------
    CapcurveError
        A `ValueError`: values are missing or no numbers, lengths differ, or a weight is
        negative.

    Notes
    -----
    Somers (1962), doi:10.2307/2090408. D of the outcome given the score is another number.

    Examples
    --------
    >>> from capcurve import somers_d_score
    >>> somers_d_score([0.9, 0.5, 0.5, 0.2, 0, 0], [6, 6, 4, 3, 3, 1])
    0.846...
    """
    columns = read_ordered(
        y_true, y_score, sample_weight=sample_weight, descending=descending
    )
    influence = influence_of_concordance(columns)
    if influence is None:
        return warn_undefined()
    return float(influence.value[0])


def somers_d_interval(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    confidence_level: float = 0.95,
    method: str = "logit-t",
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    weights: WeightKind = "sampling",
    descending: bool = True,
) -> Estimate:
    """Estimate Somers' D of the score given the outcome with a confidence interval.

    Needs SciPy (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    y_true, y_score, sample_weight, descending
        As in `somers_d_score`.
    confidence_level : float, default=0.95
        From 0 to 1.
    method : {'logit-t', 'logit', 'wald'}, default='logit-t'
        As in `accuracy_ratio_interval`.
    groups, weights
        As in `accuracy_ratio_interval`.

    Returns
    -------
    Estimate
        Its ``to_auc`` is gAUC. ``n_events`` counts all rows. Limits are nan where the
        sample shows no variance.

    Raises
    ------
    CapcurveError
        As `somers_d_score`, and if an option has no meaning for this input.
    MissingDependencyError
        SciPy is not installed.

    Notes
    -----
    The variance is the asymptotic one of a quotient of two sums over pairs, as in Goktas
    and Isci (2011); for a contingency table it is that of the ECB's instructions for
    reporting the validation results of internal models (2019), annex 3.2.

    Examples
    --------
    >>> from capcurve import somers_d_interval
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> bad = loans["default"] == 1
    >>> severity = loans["loss"][bad] / loans["exposure"][bad]
    >>> somers_d_interval(severity, loans["champion_pd"][bad]).to_auc()
    gAUC 0.492, 95 % interval 0.461 to 0.522 (logit-t, 453 rows)
    """
    columns = read_ordered(
        y_true,
        y_score,
        sample_weight=sample_weight,
        descending=descending,
        weights=weights,
        groups=groups,
    )
    return concordance_estimate(columns, Options(confidence_level, method))


def somers_d_from_table(
    table: ArrayLike, *, confidence_level: float = 0.95, method: str = "logit-t"
) -> Estimate:
    """Estimate Somers' D and gAUC from a contingency table, as the ECB asks for LGD.

    Needs SciPy (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    table : array-like of shape (n_classes, n_grades)
        Counts: a row for each realised class, a column for each estimated grade, both in
        the same order.
    confidence_level, method
        As in `somers_d_interval`.

    Returns
    -------
    Estimate
        Of Somers' D of the grade given the realised class; its ``to_auc`` is gAUC with the
        ECB's standard error.

    Raises
    ------
    CapcurveError
        The table has not two dimensions, or holds anything but counts.
    MissingDependencyError
        SciPy is not installed.

    Notes
    -----
    European Central Bank (2019), Instructions for reporting the validation results of
    internal models, annex 3.2. The condition is on the realised class, so that gAUC of
    two classes is AUC.

    Examples
    --------
    >>> from capcurve import somers_d_from_table
    >>> somers_d_from_table([[8, 3, 1], [3, 6, 4], [1, 2, 7]]).to_auc()
    gAUC 0.761, 95 % interval 0.619 to 0.862 (logit-t, 35 rows)
    """
    counts = as_numbers(as_array(table, "table"), "table").astype(np.float64)
    if counts.ndim != 2 or not counts.size:  # noqa: PLR2004 -- a table
        raise CapcurveError(
            f"`table` must have a row per realised class and a column per grade, got shape "
            f"{counts.shape}"
        )
    if not np.all((counts >= 0) & (counts == np.floor(counts))):
        raise CapcurveError("`table` must hold counts: whole numbers from 0")
    realised, grade = np.indices(counts.shape)
    columns = read_ordered(
        realised.ravel(), grade.ravel(), sample_weight=counts.ravel(), weights="frequency"
    )
    return concordance_estimate(columns, Options(confidence_level, method))


def read_ordered(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sample_weight: ArrayLike | None,
    descending: bool = True,
    weights: WeightKind = "sampling",
    groups: ArrayLike | None = None,
) -> Columns:
    """Check an outcome of which only the order counts against a score."""
    arrays = {
        "y_true": as_array(y_true, "y_true"),
        "y_score": as_array(y_score, "y_score"),
    }
    if groups is not None:
        arrays["groups"] = as_array(groups, "groups")
    arrays, weight = weigh(arrays, sample_weight)
    counts_rows = read_weight_kind(weight, weights)
    cluster = None
    if groups is not None:
        cluster = read_clusters(arrays["groups"], counts_rows=counts_rows)
    target = read_score(arrays["y_true"], "y_true").astype(np.float64, copy=False)
    score = read_score(arrays["y_score"])
    return Columns(target, score, weight, descending, counts_rows, cluster)


def influence_of_concordance(columns: Columns) -> Influence | None:
    """Find what each row contributes to Somers' D; None where all outcomes are equal."""
    if columns.is_constant:
        return None
    weight = columns.mass
    surplus = concordance_by_row(columns.target, columns.score, weight)
    if not columns.descending:
        surplus = -surplus
    value, psi = of_quotient(surplus, untied(columns.target, weight), weight)
    return Influence(np.array([value]), psi[None], None, columns)


def untied(target: Array, weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Find for each row the mass of rows with another outcome."""
    level = np.unique(target, return_inverse=True)[1]
    others: NDArray[np.float64] = weight.sum() - np.bincount(level, weight)
    return others[level]


def concordance_estimate(columns: Columns, options: Options) -> Estimate:
    """Estimate Somers' D."""
    check_options(options, AVERAGED)
    influence = influence_of_concordance(columns)
    n_rows = len(columns.target)
    if columns.counts_rows and columns.weight is not None:
        n_rows = int(columns.weight.sum())
    value, error, free = (float("nan"),) * 3
    limits = _limits.undefined()
    if influence is None:
        warn_undefined()
    else:
        value, covariance = float(influence.value[0]), influence.covariance
        error = sqrt(covariance.variance())
        free = covariance.degrees_of_freedom()
        if error > _limits.NO_ERROR:
            limits = _limits.by_error(
                options.method, value, error, options.confidence_level, free
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
        degrees_of_freedom=free,
        name="Somers' D",
    )


def warn_undefined() -> float:
    """Warn that outcomes do not differ."""
    warn_caller(
        "Somers' D is undefined and set to nan: all values of `y_true` are equal",
        UndefinedMetricWarning,
    )
    return float("nan")
