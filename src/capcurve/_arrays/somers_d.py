"""Somers' D and gAUC of arrays and contingency tables."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from capcurve._inference.estimate import Estimate
from capcurve._inference.options import IntervalOptions, StandardErrorMethod
from capcurve._inference.reliability import warn_if_few
from capcurve._inference.somers_d import (
    compute_concordance_influence,
    estimate_somers_d,
    warn_undefined,
)
from capcurve._input.column import as_array, as_numbers
from capcurve._input.columns import Columns
from capcurve._input.dtypes import WeightKind
from capcurve._input.reading import read_ordinal
from capcurve._input.weights import MAX_ROWS, choose_clusters
from capcurve._public import public
from capcurve.exceptions import CapcurveError


@public
def somers_d_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    descending: bool = True,
) -> float:
    """Compute Somers' D of the score given the outcome; gAUC is ``(D + 1) / 2``.

    Among the pairs of rows with different outcomes, D is the share that the score ranks in
    the same order minus the share that it ranks in the opposite order. It depends on the
    order of the outcomes only, whereas the accuracy ratio of amounts depends on how much
    they differ; for 0/1 events the two are equal.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Ordered outcome as numbers, such as a realised loss rate or the rank of its class.
    y_score : array-like of shape (n_samples,)
        Score; higher values rank first. A pair of rows with equal scores counts 0.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weight of each row. A weight of 2 is equivalent to listing the row
        twice, a weight of 0 to leaving it out. By default every row weighs 1.
    descending : bool, default=True
        Whether high scores rank first. Pass False for a scorecard on which a low score
        means a high outcome.

    Returns
    -------
    float
        From -1 to 1; 0 for a constant score; nan if all outcomes are equal.

    Warns
    -----
    UndefinedMetricWarning
        If all outcomes are equal.

    Raises
    ------
    CapcurveError
        If the data are empty, differ in length or hold missing values; if outcomes or
        scores are not numbers; if a weight is negative or infinite, or all weights are 0.

    See Also
    --------
    somers_d_interval : Somers' D with a confidence interval.
    accuracy_ratio_score : The accuracy ratio, which takes the size of amounts into account.

    Notes
    -----
    Somers (1962), doi:10.2307/2090408. Somers' D is asymmetric: D of the outcome given the
    score is a different number.

    Examples
    --------
    >>> from capcurve import somers_d_score
    >>> somers_d_score([0.9, 0.5, 0.5, 0.2, 0, 0], [6, 6, 4, 3, 3, 1])
    0.846...
    """
    columns = read_ordinal(
        y_true, y_score, sample_weight=sample_weight, descending=descending
    )
    influence = compute_concordance_influence(columns)
    if influence is None:
        return warn_undefined()
    return float(influence.value[0])


@public
def somers_d_interval(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    confidence_level: float = 0.95,
    method: StandardErrorMethod = "beta",
    clusters: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    weights: WeightKind = "sampling",
    descending: bool = True,
    groups: ArrayLike | None = None,
) -> Estimate:
    """Estimate Somers' D of the score given the outcome with a confidence interval.

    Needs SciPy (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Ordered outcome as numbers, such as a realised loss rate or the rank of its class.
    y_score : array-like of shape (n_samples,)
        Score; higher values rank first. A pair of rows with equal scores counts 0.
    confidence_level : float, default=0.95
        Confidence level, strictly between 0 and 1.
    method : {'beta', 'logit-t', 'logit', 'wald'}, default='beta'
        - 'beta': limits of a beta distribution with the mean and variance of gAUC, after
          pseudo-observations were added at both ends of the ranking; see
          `accuracy_ratio_interval`.
        - 'logit-t': symmetric on the scale of logit(gAUC), with quantiles of Student's t
          at n - 1 degrees of freedom, n being the number of rows or clusters (with
          sampling weights, Kish's effective number of rows).
        - 'logit': the same with normal quantiles.
        - 'wald': symmetric on the scale of D, clipped to [-1, 1].
    clusters : array-like of shape (n_samples,), default=None
        Cluster of each row. Rows of one cluster, such as the loans of one borrower, may
        depend on each other; rows of different clusters are independent. By default all
        rows are independent.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weight of each row; a row of weight 0 is left out. By default every
        row weighs 1.
    weights : {'sampling', 'frequency'}, default='sampling'
        What ``sample_weight`` means. 'sampling': each row is one observation that
        represents more or less of a population (exposure, survey or importance weights);
        only the proportions matter. 'frequency': each row stands for that number of equal
        rows; requires whole numbers, and no ``clusters``. It is never guessed: whole
        numbers without it are sampling weights.
    descending : bool, default=True
        Whether high scores rank first. Pass False for a scorecard on which a low score
        means a high outcome.
    groups : array-like, deprecated
        Former name of ``clusters``; version 0.4 will remove it.

    Returns
    -------
    Estimate
        Somers' D; `Estimate.to_auc` converts it to gAUC. ``n_events`` counts all rows and
        ``n_nonevents`` is 0. The limits are nan if the sample shows no variance; all
        numbers are nan if all outcomes are equal.

    Warns
    -----
    FewEventsWarning
        If there are effectively fewer than 20 pairs of rows (``n_effective``), as of fewer
        than 40 rows that count alike. For methods other than 'beta' also if half that
        number times the smaller of gAUC and ``1 - gAUC`` is below 5.
    UndefinedMetricWarning
        If all outcomes are equal.
    DeprecationWarning
        If ``groups`` is passed.

    Raises
    ------
    CapcurveError
        If the data are empty, differ in length or hold missing values; if outcomes or
        scores are not numbers; if a weight is negative or infinite, or all weights are 0;
        or if an option is invalid or does not apply to this input.
    MissingDependencyError
        If SciPy is not installed.

    See Also
    --------
    somers_d_from_table : The same from a contingency table.
    accuracy_ratio_test_initial : The ECB's test of gAUC against initial validation.

    Notes
    -----
    The variance is the asymptotic one of a ratio of two sums over pairs, as in Goktas and
    Isci (2011), doi:10.51936/milh5641. For a contingency table it equals that of European
    Central Bank (2019), Instructions for reporting the validation results of internal
    models, annex 3.2.

    Examples
    --------
    >>> from capcurve import somers_d_interval
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> bad = loans["default"] == 1
    >>> severity = loans["loss"][bad] / loans["exposure"][bad]
    >>> somers_d_interval(severity, loans["champion_pd"][bad]).to_auc()
    gAUC 0.492, 95 % interval 0.461 to 0.523 (beta, 453 rows)
    """
    columns = read_ordinal(
        y_true,
        y_score,
        sample_weight=sample_weight,
        descending=descending,
        weights=weights,
        clusters=choose_clusters(clusters, groups),
    )
    return estimate_and_warn(columns, IntervalOptions(confidence_level, method))


@public
def somers_d_from_table(
    table: ArrayLike,
    *,
    confidence_level: float = 0.95,
    method: StandardErrorMethod = "beta",
) -> Estimate:
    """Estimate Somers' D and gAUC from a contingency table, as the ECB requires for LGD.

    Needs SciPy (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    table : array-like of shape (n_classes, n_grades)
        Number of observations by realised class (one per row) and estimated grade (one per
        column), both in the same order, ascending or descending. Transpose a table with
        estimates in its rows: if it is square, nothing in it shows which way round it is,
        and another Somers' D results.
    confidence_level : float, default=0.95
        Confidence level, strictly between 0 and 1.
    method : {'beta', 'logit-t', 'logit', 'wald'}, default='beta'
        - 'beta': limits of a beta distribution with the mean and variance of gAUC, after
          pseudo-observations were added at both ends of the ranking; see
          `accuracy_ratio_interval`.
        - 'logit-t': symmetric on the scale of logit(gAUC), with quantiles of Student's t
          at n - 1 degrees of freedom, n being the number of observations.
        - 'logit': the same with normal quantiles.
        - 'wald': symmetric on the scale of D, clipped to [-1, 1].

    Returns
    -------
    Estimate
        Somers' D of the grade given the realised class; `Estimate.to_auc` converts it to
        gAUC with the ECB's standard error. ``n_events`` counts all observations and
        ``n_nonevents`` is 0. All numbers are nan if only one class is realised.

    Warns
    -----
    FewEventsWarning
        If there are effectively fewer than 20 pairs of observations (``n_effective``), or,
        for methods other than 'beta', few wrongly ranked ones: as in `somers_d_interval`.
    UndefinedMetricWarning
        If only one class is realised.

    Raises
    ------
    CapcurveError
        If the table is not two-dimensional, or holds other values than counts, or only
        zeros; or if an option is invalid.
    MissingDependencyError
        If SciPy is not installed.

    See Also
    --------
    somers_d_interval : The same from arrays, with weights and clusters.

    Notes
    -----
    European Central Bank (2019), Instructions for reporting the validation results of
    internal models, annex 3.2. Pairs are conditioned on the realised class, so that gAUC of
    two realised classes is AUC.

    Examples
    --------
    >>> from capcurve import somers_d_from_table
    >>> somers_d_from_table([[80, 30, 10], [30, 60, 40], [10, 20, 70]]).to_auc()
    gAUC 0.761, 95 % interval 0.721 to 0.797 (beta, 350 rows)
    """
    counts = as_numbers(as_array(table, "table"), "table").astype(np.float64)
    if counts.ndim != 2 or not counts.size:  # noqa: PLR2004 -- a table
        raise CapcurveError(
            "`table` must have a row per realised class and a column per grade, got shape "
            f"{counts.shape}; pass a two-dimensional table of counts"
        )
    is_count = (counts >= 0) & (counts == np.floor(counts))
    if not is_count.all():
        raise CapcurveError(
            "`table` must hold counts, which are whole and not negative, got "
            f"{counts[~is_count][0]:g}; pass numbers of observations, not shares"
        )
    if not 1 <= counts.sum() <= MAX_ROWS:
        raise CapcurveError(
            f"`table` must count from 1 to 2**53 observations, got {counts.sum():g}; check "
            "how it was filled"
        )
    realised, grade = np.indices(counts.shape)
    columns = read_ordinal(
        realised.ravel(), grade.ravel(), sample_weight=counts.ravel(), weights="frequency"
    )
    return estimate_and_warn(columns, IntervalOptions(confidence_level, method))


def estimate_and_warn(columns: Columns, options: IntervalOptions) -> Estimate:
    """Estimate Somers' D; warn if it is undefined or based on few pairs of rows."""
    estimate = estimate_somers_d(columns, options)
    warn_if_few(columns, estimate)
    return estimate
