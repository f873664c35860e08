"""Accuracy ratio, capture rate and lift of arrays, each as a number."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from capcurve._curve.curve import make_curve
from capcurve._engines.rows import compute_accuracy_ratio
from capcurve._input.column import as_scores
from capcurve._input.columns import Columns, explain_constant
from capcurve._input.device_array import DeviceArray
from capcurve._input.dtypes import Average, Label, TargetType
from capcurve._input.hard_labels import refuse_predicted_text, warn_of_hard_labels
from capcurve._input.left_out_labels import warn_of_left_out
from capcurve._input.options import check_average, check_fraction, refuse_inapplicable
from capcurve._input.reading import read_columns, read_one_vs_rest
from capcurve._input.row_order import check_row_order
from capcurve._public import public
from capcurve._tally.dtypes import Array
from capcurve.exceptions import UndefinedMetricWarning, warn_caller


@public
def accuracy_ratio_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: Average = "macro",
    labels: Sequence[Label] | None = None,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
) -> float:
    """Compute the accuracy ratio (AR), also called Gini or gain capture.

    AR is the area between the CAP curve and the diagonal, divided by the same area for a
    perfect ranking. For events it equals ``2 * AUC - 1`` and Somers' D of the score given
    the outcome; for amounts it is the normalised Gini index.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Outcome: 0/1, -1/1 or boolean events; other class labels, with ``pos_label``; or
        non-negative amounts (losses, premiums, revenue) per unit of weight. With a
        two-dimensional ``y_score``, any class labels.
    y_score : array-like of shape (n_samples,) or (n_samples, n_labels)
        Score; higher values rank first. A pair of rows with equal scores counts 0, so the
        order of tied rows does not matter. In two dimensions, one column of scores per
        class label: each label is evaluated against the rest (one-vs-rest). Two columns
        must be the reverse of each other, as probabilities of two classes are, unless
        ``labels`` or their names say what they are. Outcomes, scores and weights are
        paired by position; pandas objects whose indexes hold the same labels in another
        order are refused.
    average : {'macro', 'weighted'}, default='macro'
        How the accuracy ratios of several class labels are averaged. 'macro' is the plain
        mean; 'weighted' weights each label by its share of the total weight. Ignored if
        ``y_score`` is one-dimensional.
    labels : sequence of class labels, default=None
        Class labels in the order of the columns of ``y_score``, for two dimensions only.
        By default the sorted labels of ``y_true``. The columns of a data frame are
        found by their names, if any is named after a label, as in `gain_curve`.
    pos_label : int, float, bool or str, default=None
        Class label that counts as the event. By default 1 (of 0/1 or -1/1) or True.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weight of each row. A weight of 2 is equivalent to listing the row
        twice, a weight of 0 to leaving it out. By default every row weighs 1.
    target_type : {'auto', 'binary', 'continuous'}, default='auto'
        Whether ``y_true`` holds events ('binary') or amounts ('continuous'). 'auto' reads
        0/1, -1/1 and booleans as events and other numbers as amounts, with a warning if few
        are neither 0 nor 1 (at most 5 % of the rarer of the two); it refuses whole numbers
        of an integer type, or of at most ten values, which may be labels or counts.
    descending : bool, default=True
        Whether high scores rank first. Pass False for a scorecard on which a low score
        means high risk.

    Returns
    -------
    float
        1 for a perfect score, 0 for a random or constant one, -1 for the exact reverse of
        a perfect one. nan if all outcomes are equal. A class label that has none or all
        of the rows is left out of the average.

    Warns
    -----
    UndefinedMetricWarning
        If all outcomes are equal, or a class label is left out of the average.
    HardLabelsWarning
        If ``y_score`` holds only the two labels of ``y_true``, as ``predict`` of a
        classifier returns them, which rank rows in two groups only.

    Raises
    ------
    CapcurveError
        If the data are empty, differ in length or hold missing values; if scores are not
        numbers; if a weight or an amount is negative or infinite, or all weights are 0; if
        labels require ``pos_label``, or do not match it or the columns of ``y_score``; or
        if an option is unknown or does not apply to a ``y_score`` of this dimension.

    See Also
    --------
    CapCurve.tie_bounds : The range of AR over all orders of tied rows.
    accuracy_ratio_interval : AR with a standard error and a confidence interval.

    Notes
    -----
    For events, ``AR = sum of w_i * w_j * sign(score_i - score_j)`` over all pairs of an
    event i and a non-event j, divided by the sum of ``w_i * w_j``.

    The ratio of areas follows Engelmann, Hayden and Tasche (2003), "Testing rating
    accuracy", Risk 16(1), 82-86. It equals Somers' D (Somers, 1962, doi:10.2307/2090408)
    and, for amounts, the Gini correlation of Schechtman and Yitzhaki (1987),
    doi:10.1080/03610928708829359.

    Examples
    --------
    >>> from capcurve import accuracy_ratio_score
    >>> accuracy_ratio_score([1, 0, 1, 0], [0.9, 0.8, 0.3, 0.3])
    0.25
    >>> accuracy_ratio_score([0.0, 0.25, 1.0], [0.1, 0.4, 0.3])
    0.25
    """
    check_average(average)
    options = {"pos_label": pos_label, "target_type": target_type, "labels": labels}
    check_row_order({"y_true": y_true, "y_score": y_score, "sample_weight": sample_weight})
    scores = as_scores(y_score, "y_score")
    if scores.ndim == 2:  # noqa: PLR2004 -- a matrix: one column per label
        refuse_inapplicable(
            options, {"pos_label": None, "target_type": "auto"}, "two-dimensional"
        )
        return average_one_vs_rest(
            y_true, y_score, average, labels, sample_weight, descending=descending
        )
    refuse_inapplicable(options, {"labels": None}, "one-dimensional")
    columns = read_ranked_rows(
        y_true,
        scores,
        sample_weight=sample_weight,
        pos_label=pos_label,
        target_type=target_type,
        descending=descending,
    )
    return compute_or_nan(compute_accuracy_ratio, columns, "the accuracy ratio")


@public
def capture_rate_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    fraction: float,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
) -> float:
    """Compute the capture rate: the share of the outcome in the top ``fraction`` of rows.

    For events this is recall when the top ``fraction`` of the population is selected.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Outcome: 0/1, -1/1 or boolean events; other class labels, with ``pos_label``; or
        non-negative amounts (losses, premiums, revenue) per unit of weight.
    y_score : array-like of shape (n_samples,)
        Score; higher values rank first. A block of tied rows that is cut counts pro rata:
        the expected value over all orders of its rows.
    fraction : float
        Share of the population's weight that is selected, from 0 to 1.
    pos_label : int, float, bool or str, default=None
        Class label that counts as the event. By default 1 (of 0/1 or -1/1) or True.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weight of each row. A weight of 2 is equivalent to listing the row
        twice, a weight of 0 to leaving it out. By default every row weighs 1.
    target_type : {'auto', 'binary', 'continuous'}, default='auto'
        Whether ``y_true`` holds events ('binary') or amounts ('continuous'). 'auto' reads
        0/1, -1/1 and booleans as events and other numbers as amounts, with a warning if few
        are neither 0 nor 1 (at most 5 % of the rarer of the two); it refuses whole numbers
        of an integer type, or of at most ten values, which may be labels or counts.
    descending : bool, default=True
        Whether high scores rank first. Pass False for a scorecard on which a low score
        means high risk.

    Returns
    -------
    float
        Share of the events, or of the total amount, from 0 to 1; nan if all outcomes are
        equal, also if all are events, of which `gains_table` shows ``fraction`` captured.

    Warns
    -----
    UndefinedMetricWarning
        If all outcomes are equal.
    HardLabelsWarning
        If ``y_score`` holds only the two labels of ``y_true``, as ``predict`` of a
        classifier returns them, which rank rows in two groups only.

    Raises
    ------
    CapcurveError
        If ``fraction`` is outside of [0, 1]; if the data are empty, differ in length or
        hold missing values; if scores are not numbers; if a weight or an amount is
        negative or infinite, or all weights are 0; or if labels require ``pos_label``.

    See Also
    --------
    capture_rate_interval : The capture rate with a confidence interval.
    cap_curve : The capture rate at every share of the population.

    Examples
    --------
    >>> from capcurve import capture_rate_score
    >>> capture_rate_score([1, 0, 1, 0, 0], [5, 4, 3, 2, 1], fraction=0.5)
    0.75
    """
    check_fraction(fraction, "fraction")
    check_row_order({"y_true": y_true, "y_score": y_score, "sample_weight": sample_weight})
    columns = read_ranked_rows(
        y_true,
        as_scores(y_score, "y_score"),
        sample_weight=sample_weight,
        pos_label=pos_label,
        target_type=target_type,
        descending=descending,
    )
    return compute_or_nan(
        lambda rows: make_curve(rows).capture_rate_at(fraction),
        columns,
        "the capture rate",
    )


@public
def lift_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    fraction: float,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
) -> float:
    """Compute cumulative lift in the top ``fraction`` of rows.

    Cumulative lift is the capture rate divided by ``fraction``.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Outcome: 0/1, -1/1 or boolean events; other class labels, with ``pos_label``; or
        non-negative amounts (losses, premiums, revenue) per unit of weight.
    y_score : array-like of shape (n_samples,)
        Score; higher values rank first. A block of tied rows that is cut counts pro rata:
        the expected value over all orders of its rows.
    fraction : float
        Share of the population's weight that is selected, above 0 and at most 1.
    pos_label : int, float, bool or str, default=None
        Class label that counts as the event. By default 1 (of 0/1 or -1/1) or True.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weight of each row. A weight of 2 is equivalent to listing the row
        twice, a weight of 0 to leaving it out. By default every row weighs 1.
    target_type : {'auto', 'binary', 'continuous'}, default='auto'
        Whether ``y_true`` holds events ('binary') or amounts ('continuous'). 'auto' reads
        0/1, -1/1 and booleans as events and other numbers as amounts, with a warning if few
        are neither 0 nor 1 (at most 5 % of the rarer of the two); it refuses whole numbers
        of an integer type, or of at most ten values, which may be labels or counts.
    descending : bool, default=True
        Whether high scores rank first. Pass False for a scorecard on which a low score
        means high risk.

    Returns
    -------
    float
        Lift of at least 0; a random score has 1 on average. nan if all outcomes are equal,
        also if all are events, where `gains_table` shows 1.

    Warns
    -----
    UndefinedMetricWarning
        If all outcomes are equal.
    HardLabelsWarning
        If ``y_score`` holds only the two labels of ``y_true``, as ``predict`` of a
        classifier returns them, which rank rows in two groups only.

    Raises
    ------
    CapcurveError
        If ``fraction`` is outside of (0, 1]; if the data are empty, differ in length or
        hold missing values; if scores are not numbers; if a weight or an amount is
        negative or infinite, or all weights are 0; or if labels require ``pos_label``.

    See Also
    --------
    lift_interval : Lift with a confidence interval.
    lift_curve : Lift at every share of the population.

    Examples
    --------
    >>> from capcurve import lift_score
    >>> lift_score([1, 0, 1, 0, 0], [5, 4, 3, 2, 1], fraction=0.5)
    1.5
    """
    check_fraction(fraction, "fraction", above_zero=True)
    check_row_order({"y_true": y_true, "y_score": y_score, "sample_weight": sample_weight})
    columns = read_ranked_rows(
        y_true,
        as_scores(y_score, "y_score"),
        sample_weight=sample_weight,
        pos_label=pos_label,
        target_type=target_type,
        descending=descending,
    )
    return compute_or_nan(
        lambda rows: make_curve(rows).capture_rate_at(fraction) / fraction, columns, "lift"
    )


def read_ranked_rows(
    y_true: ArrayLike,
    scores: Array | DeviceArray,
    *,
    sample_weight: ArrayLike | None,
    pos_label: Label | None,
    target_type: TargetType,
    descending: bool,
) -> Columns:
    """Check rows as `read_columns` does; warn or raise if scores are predicted labels."""
    refuse_predicted_text(y_true, scores)
    columns = read_columns(
        y_true,
        scores,
        sample_weight=sample_weight,
        pos_label=pos_label,
        target_type=target_type,
        descending=descending,
    )
    if columns.has_events:
        warn_of_hard_labels(y_true, scores)
    return columns


def compute_or_nan(score: Callable[[Columns], float], columns: Columns, name: str) -> float:
    """Compute a score; warn and return nan if all outcomes are equal."""
    if columns.is_constant:
        reason = explain_constant(columns)
        warn_caller(f"{name} is undefined and set to nan: {reason}", UndefinedMetricWarning)
        return float("nan")
    return score(columns)


def average_one_vs_rest(
    y_true: ArrayLike,
    y_score: ArrayLike,
    average: Average,
    labels: Sequence[Label] | None,
    sample_weight: ArrayLike | None,
    *,
    descending: bool,
) -> float:
    """Average the one-vs-rest accuracy ratios of the class labels.

    A label that has none or all of the rows is left out, with a warning; nan if no label
    remains.
    """
    ratios, masses, left_out = [], [], {}
    for label, columns in read_one_vs_rest(
        y_true,
        y_score,
        sample_weight=sample_weight,
        labels=labels,
        descending=descending,
    ):
        if columns.is_constant:
            left_out[label] = columns
        else:
            ratios.append(compute_accuracy_ratio(columns))
            masses.append(columns.target_mass if average == "weighted" else 1.0)
    warn_of_left_out(left_out, len(ratios))
    if not ratios:
        return float("nan")
    return float(np.average(ratios, weights=masses))
