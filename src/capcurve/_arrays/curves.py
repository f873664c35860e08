"""CAP and lift curves of arrays, as arrays of points."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from capcurve._curve.profile import accumulate_share, list_thresholds
from capcurve._engines.rows import tally_rows
from capcurve._input.columns import refuse_constant
from capcurve._input.dtypes import Label, TargetType
from capcurve._input.options import check_flags
from capcurve._input.reading import read_columns, read_perfect_scores
from capcurve._public import public


class CapCurveArrays(NamedTuple):
    """Points of a CAP curve, as `cap_curve` returns them."""

    population_share: NDArray[np.float64]
    capture_rate: NDArray[np.float64]
    thresholds: NDArray[np.float64]


class PerfectCapCurveArrays(NamedTuple):
    """Points of a perfect CAP curve, as `perfect_cap_curve` returns them."""

    population_share: NDArray[np.float64]
    capture_rate: NDArray[np.float64]


class LiftCurveArrays(NamedTuple):
    """Points of a lift curve, as `lift_curve` returns them."""

    population_share: NDArray[np.float64]
    lift: NDArray[np.float64]
    thresholds: NDArray[np.float64]


@public
def cap_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
    drop_intermediate: bool = False,
) -> CapCurveArrays:
    """Compute the points of the cumulative accuracy profile (CAP, gain curve).

    The curve shows the share of the outcome that is captured in the top x % of the
    population, ranked by the score. It has one point per distinct score and is linear in
    between: the expected capture over all orders of the tied rows.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Outcome: 0/1, -1/1 or boolean events; other class labels, with ``pos_label``; or
        non-negative amounts (losses, premiums, revenue) per unit of weight.
    y_score : array-like of shape (n_samples,)
        Score; higher values rank first. Infinite scores are allowed, missing ones are not.
    pos_label : int, float, bool or str, default=None
        Class label that counts as the event. By default 1 (of 0/1 or -1/1) or True.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weight of each row. A weight of 2 is equivalent to listing the row
        twice, a weight of 0 to leaving it out. By default every row weighs 1.
    target_type : {'auto', 'binary', 'continuous'}, default='auto'
        Whether ``y_true`` holds events ('binary') or amounts ('continuous'). 'auto' reads
        0/1, -1/1 and booleans as events and other numbers as amounts; it refuses whole
        numbers of an integer type, or of at most ten values, which may be labels or counts.
    descending : bool, default=True
        Whether high scores rank first. Pass False for a scorecard on which a low score
        means high risk.
    drop_intermediate : bool, default=False
        Whether to drop points that lie on a straight line between their neighbours.

    Returns
    -------
    population_share : ndarray of float64, shape (n_points,)
        Share of the population's weight that is selected: increasing, from 0 to 1.
    capture_rate : ndarray of float64, shape (n_points,)
        Share of the events, or of the total amount, in the selection: non-decreasing, from
        0 to 1.
    thresholds : ndarray of float64, shape (n_points,)
        Lowest score selected (highest, if not ``descending``). The first value is infinite
        and selects no row. Integer scores beyond 2**53 are rounded in this array, but not
        in the ranking.

    Raises
    ------
    CapcurveError
        If all outcomes are equal; if the data are empty, differ in length or hold missing
        values; if scores are not numbers; if a weight or an amount is negative or infinite,
        or all weights are 0; if labels require ``pos_label`` or do not include it.

    See Also
    --------
    CapCurve : The same curve as an object, with the statistics that are read off it.
    accuracy_ratio_score : The area between the curve and the diagonal, as a share of the
        perfect curve's.

    References
    ----------
    Engelmann, Hayden and Tasche (2003), "Testing rating accuracy", Risk 16(1), 82-86.

    Examples
    --------
    >>> from capcurve import cap_curve
    >>> curve = cap_curve([1, 0, 1, 1, 0], [0.2, 0.6, 0.8, 0.7, 0.4])
    >>> curve.population_share
    array([0. , 0.2, 0.4, 0.6, 0.8, 1. ])
    >>> curve.capture_rate.round(3)
    array([0.   , 0.333, 0.667, 0.667, 0.667, 1.   ])
    >>> curve.thresholds
    array([inf, 0.8, 0.7, 0.6, 0.4, 0.2])
    """
    check_flags(drop_intermediate=drop_intermediate)
    columns = read_columns(
        y_true,
        y_score,
        sample_weight=sample_weight,
        pos_label=pos_label,
        target_type=target_type,
        descending=descending,
    )
    refuse_constant(columns)
    tally = tally_rows(columns)
    points = CapCurveArrays(
        accumulate_share(tally.weight),
        accumulate_share(tally.target),
        list_thresholds(tally.score, descending=descending),
    )
    if drop_intermediate:
        kept = np.append(0, tally.bends + 1)
        return CapCurveArrays(*(column[kept] for column in points))
    return points


@public
def perfect_cap_curve(
    y_true: ArrayLike,
    *,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    target_type: TargetType = "auto",
) -> PerfectCapCurveArrays:
    """Compute the CAP curve of a perfect ranking, by the outcome itself.

    For events it is a straight line that reaches 1 at the event rate; for amounts it has
    one point per distinct amount.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Outcome: 0/1, -1/1 or boolean events; other class labels, with ``pos_label``; or
        non-negative amounts (losses, premiums, revenue) per unit of weight.
    pos_label : int, float, bool or str, default=None
        Class label that counts as the event. By default 1 (of 0/1 or -1/1) or True.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weight of each row. A weight of 2 is equivalent to listing the row
        twice, a weight of 0 to leaving it out. By default every row weighs 1.
    target_type : {'auto', 'binary', 'continuous'}, default='auto'
        Whether ``y_true`` holds events ('binary') or amounts ('continuous'). 'auto' reads
        0/1, -1/1 and booleans as events and other numbers as amounts; it refuses whole
        numbers of an integer type, or of at most ten values, which may be labels or counts.

    Returns
    -------
    population_share : ndarray of float64, shape (n_points,)
        Share of the population's weight that is selected: increasing, from 0 to 1.
    capture_rate : ndarray of float64, shape (n_points,)
        Largest share of the events, or of the total amount, that any ranking captures
        there: non-decreasing, from 0 to 1.

    Raises
    ------
    CapcurveError
        If all outcomes are equal; if the data are empty, differ in length or hold missing
        values; if a weight or an amount is negative or infinite, or all weights are 0; if
        labels require ``pos_label`` or do not include it.

    See Also
    --------
    cap_curve : The CAP curve of a score.

    Examples
    --------
    >>> from capcurve import perfect_cap_curve
    >>> perfect_cap_curve([1, 0, 1, 0, 0])
    PerfectCapCurveArrays(population_share=array([0. , 0.4, 1. ]),
                          capture_rate=array([0., 1., 1.]))
    """
    columns = read_perfect_scores(
        y_true,
        sample_weight=sample_weight,
        pos_label=pos_label,
        target_type=target_type,
    )
    refuse_constant(columns)
    tally = tally_rows(columns)
    return PerfectCapCurveArrays(
        accumulate_share(tally.weight), accumulate_share(tally.target)
    )


@public
def lift_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
    drop_intermediate: bool = False,
) -> LiftCurveArrays:
    """Compute the cumulative lift curve: capture rate divided by population share.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Outcome: 0/1, -1/1 or boolean events; other class labels, with ``pos_label``; or
        non-negative amounts (losses, premiums, revenue) per unit of weight.
    y_score : array-like of shape (n_samples,)
        Score; higher values rank first. Tied rows make one point. Infinite scores are
        allowed, missing ones are not.
    pos_label : int, float, bool or str, default=None
        Class label that counts as the event. By default 1 (of 0/1 or -1/1) or True.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weight of each row. A weight of 2 is equivalent to listing the row
        twice, a weight of 0 to leaving it out. By default every row weighs 1.
    target_type : {'auto', 'binary', 'continuous'}, default='auto'
        Whether ``y_true`` holds events ('binary') or amounts ('continuous'). 'auto' reads
        0/1, -1/1 and booleans as events and other numbers as amounts; it refuses whole
        numbers of an integer type, or of at most ten values, which may be labels or counts.
    descending : bool, default=True
        Whether high scores rank first. Pass False for a scorecard on which a low score
        means high risk.
    drop_intermediate : bool, default=False
        Whether to drop points that lie on a straight line of the CAP curve.

    Returns
    -------
    population_share : ndarray of float64, shape (n_points,)
        Share of the population's weight that is selected: increasing, above 0 and up to 1.
        The point at 0 is left out, as lift is 0/0 there.
    lift : ndarray of float64, shape (n_points,)
        Cumulative lift; a random ranking has 1 on average, and the last value is 1.
    thresholds : ndarray of float64, shape (n_points,)
        Lowest score selected (highest, if not ``descending``).

    Raises
    ------
    CapcurveError
        If all outcomes are equal; if the data are empty, differ in length or hold missing
        values; if scores are not numbers; if a weight or an amount is negative or infinite,
        or all weights are 0; if labels require ``pos_label`` or do not include it.

    See Also
    --------
    cap_curve : The curve that is divided by the population share.
    lift_score : Lift at one share of the population.

    Examples
    --------
    >>> from capcurve import lift_curve
    >>> lift_curve([1, 0, 1, 0, 0], [5, 4, 3, 2, 1]).lift
    array([2.5       , 1.25      , 1.66666667, 1.25      , 1.        ])
    """
    curve = cap_curve(
        y_true,
        y_score,
        pos_label=pos_label,
        sample_weight=sample_weight,
        target_type=target_type,
        descending=descending,
        drop_intermediate=drop_intermediate,
    )
    share = curve.population_share[1:]
    return LiftCurveArrays(share, curve.capture_rate[1:] / share, curve.thresholds[1:])
