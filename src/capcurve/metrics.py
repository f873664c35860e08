"""Functions on arrays, after scikit-learn's habits: `*_score` floats, `*_curve` arrays."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from capcurve._engines import arrays
from capcurve._input import (
    Array,
    Columns,
    Label,
    TargetType,
    as_array,
    read_columns,
    read_ideal,
    read_one_vs_rest,
)
from capcurve.curve import (
    check_fraction,
    constant_reason,
    cumulative_share,
    curve_of,
    refuse_constant,
    thresholds,
)
from capcurve.exceptions import CapcurveError, UndefinedMetricWarning, warn_caller

__all__ = [
    "accuracy_ratio_score",
    "cap_curve",
    "capture_rate_score",
    "lift_curve",
    "lift_score",
    "perfect_cap_curve",
]

Average = Literal["macro", "weighted"]


class CapCurveArrays(NamedTuple):
    """What `cap_curve` returns."""

    population_share: NDArray[np.float64]
    capture_rate: NDArray[np.float64]
    thresholds: NDArray[np.float64]


class PerfectCapCurveArrays(NamedTuple):
    """What `perfect_cap_curve` returns."""

    population_share: NDArray[np.float64]
    capture_rate: NDArray[np.float64]


class LiftCurveArrays(NamedTuple):
    """What `lift_curve` returns."""

    population_share: NDArray[np.float64]
    lift: NDArray[np.float64]
    thresholds: NDArray[np.float64]


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

    The curve says what share of the outcome is captured in the best x % of the
    population, as a score ranks it. Between two points it is a straight line, which is
    the expected value over all orders of the rows tied there.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        0/1, -1/1 or boolean events, other labels with ``pos_label``, or amounts that are
        not negative (losses, premiums, revenue) per unit of weight.
    y_score : array-like of shape (n_samples,)
        Higher is ranked earlier. Infinite scores rank first and last; nan is refused.
    pos_label : int, float, bool or str, default=None
        The label of the event. None: 1 of 0/1 and -1/1, True of booleans.
    sample_weight : array-like of shape (n_samples,), default=None
        A weight of 2 means the same as two equal rows, 0 as no row. The horizontal axis
        is cumulated weight.
    target_type : {'auto', 'binary', 'continuous'}, default='auto'
        What ``y_true`` holds. 'auto' takes 0/1, -1/1 and booleans for events and other
        floats for amounts, and refuses other integers as ambiguous.
    descending : bool, default=True
        False for a scorecard on which a low score is ranked first.
    drop_intermediate : bool, default=False
        Leave out points on a straight line between their neighbours.

    Returns
    -------
    population_share : ndarray of shape (n_points,)
        Share of the population's weight selected: increasing, from 0 to 1.
    capture_rate : ndarray of shape (n_points,)
        Share of the outcome captured: not decreasing, from 0 to 1.
    thresholds : ndarray of shape (n_points,)
        Rows with at least this score are selected (at most, if not ``descending``). The
        first, infinite, selects none. Integers beyond 2**53 are rounded here, and only
        here.

    Raises
    ------
    CapcurveError
        A `ValueError`: values are missing, lengths differ, a weight or an amount is
        negative, labels need ``pos_label``, or all outcomes are equal.

    See Also
    --------
    CapCurve : The same curve as an object with every number that is read off it.
    accuracy_ratio_score : Its area over random, as a share of the perfect one's.

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
    columns = read_columns(
        y_true,
        y_score,
        sample_weight=sample_weight,
        pos_label=pos_label,
        target_type=target_type,
        descending=descending,
    )
    refuse_constant(columns)
    tally = arrays.tally(columns)
    points = CapCurveArrays(
        cumulative_share(tally.weight),
        cumulative_share(tally.target),
        thresholds(tally.score, descending=descending),
    )
    if drop_intermediate:
        kept = np.append(0, tally.bends + 1)
        return CapCurveArrays(*(column[kept] for column in points))
    return points


def perfect_cap_curve(
    y_true: ArrayLike,
    *,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    target_type: TargetType = "auto",
) -> PerfectCapCurveArrays:
    """Compute the CAP curve of a perfect ranking: by the outcome itself.

    For events it rises in a straight line to 1 at the event rate; for amounts it bends
    at every distinct amount.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Events or amounts, as in `cap_curve`.
    pos_label : int, float, bool or str, default=None
        The label of the event, as in `cap_curve`.
    sample_weight : array-like of shape (n_samples,), default=None
        A weight of 2 means the same as two equal rows, 0 as no row.
    target_type : {'auto', 'binary', 'continuous'}, default='auto'
        What ``y_true`` holds, as in `cap_curve`.

    Returns
    -------
    population_share : ndarray of shape (n_points,)
        Share of the population's weight selected, from 0 to 1.
    capture_rate : ndarray of shape (n_points,)
        Largest share of the outcome that any ranking captures there.

    Raises
    ------
    CapcurveError
        As `cap_curve`.

    Examples
    --------
    >>> from capcurve import perfect_cap_curve
    >>> perfect_cap_curve([1, 0, 1, 0, 0])
    PerfectCapCurveArrays(population_share=array([0. , 0.4, 1. ]),
                          capture_rate=array([0., 1., 1.]))
    """
    columns = read_ideal(
        y_true,
        sample_weight=sample_weight,
        pos_label=pos_label,
        target_type=target_type,
    )
    refuse_constant(columns)
    tally = arrays.tally(columns)
    return PerfectCapCurveArrays(
        cumulative_share(tally.weight), cumulative_share(tally.target)
    )


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
    """Compute cumulative lift: captured share of the outcome per share selected.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Outcome and score, as in `cap_curve`.
    pos_label, sample_weight, target_type, descending, drop_intermediate
        As in `cap_curve`.

    Returns
    -------
    population_share : ndarray of shape (n_thresholds,)
        Share of the population selected. It starts at the first score, as lift at 0 is
        0/0.
    lift : ndarray of shape (n_thresholds,)
        1 is what a random ranking reaches, and the value at the end.
    thresholds : ndarray of shape (n_thresholds,)
        Last score selected.

    Raises
    ------
    CapcurveError
        As `cap_curve`.

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
    """Compute the accuracy ratio (AR; Gini in credit risk, gain capture in yardstick).

    The area between the CAP curve and the diagonal, as a share of that area for a
    perfect ranking. For events this is ``2 * AUC - 1`` and Somers' D of score given
    outcome; for amounts it is the normalised Gini index.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        0/1, -1/1 or boolean events, other labels with ``pos_label``, amounts that are
        not negative, or any labels where ``y_score`` has a column for each.
    y_score : array-like of shape (n_samples,) or (n_samples, n_labels)
        Higher is ranked earlier. Pairs with equal scores count 0, so that no row order
        matters. Two dimensions: one column per label, one-vs-rest.
    average : {'macro', 'weighted'}, default='macro'
        Of several labels, the plain mean, or the mean by share of the labels' weight.
        Ignored where ``y_score`` has one dimension.
    labels : sequence of labels, default=None
        The order of the columns of a two-dimensional ``y_score``. None: sorted.
    pos_label : int, float, bool or str, default=None
        The label of the event. None: 1 of 0/1 and -1/1, True of booleans.
    sample_weight : array-like of shape (n_samples,), default=None
        A weight of 2 means the same as two equal rows, 0 as no row.
    target_type : {'auto', 'binary', 'continuous'}, default='auto'
        What ``y_true`` holds, as in `cap_curve`.
    descending : bool, default=True
        False for a scorecard on which a low score is ranked first.

    Returns
    -------
    float
        1 if perfect, 0 if random or constant, -1 if exactly reversed. nan, with an
        `UndefinedMetricWarning`, where all outcomes are equal. A label without rows, or
        with all rows, is left out of the average, with the same warning.

    Raises
    ------
    CapcurveError
        A `ValueError`: values are missing, lengths differ, a weight or an amount is
        negative, labels need ``pos_label`` or do not match the columns.

    See Also
    --------
    CapCurve.tie_bounds : The range of AR over all orders of tied rows.

    Notes
    -----
    AR is the area ratio of Engelmann, Hayden and Tasche (2003), "Testing
    rating accuracy", Risk 16(1), 82-86; equal to Somers' D after Somers (1962),
    doi:10.2307/2090408, and, for amounts, to the Gini correlation of Schechtman and
    Yitzhaki (1987), doi:10.1080/03610928708829359.

    Examples
    --------
    >>> from capcurve import accuracy_ratio_score
    >>> accuracy_ratio_score([1, 0, 1, 0], [0.9, 0.8, 0.3, 0.3])
    0.25
    >>> accuracy_ratio_score([0.0, 250.0, 1000.0], [0.1, 0.4, 0.3])
    0.25
    """
    options = {"pos_label": pos_label, "target_type": target_type, "labels": labels}
    scores = as_array(y_score, "y_score")
    if scores.ndim == 2:  # noqa: PLR2004 -- a matrix: one column per label
        refuse_clash(options, {"pos_label": None, "target_type": "auto"}, "two-dimensional")
        return average_one_vs_rest(
            y_true, scores, average, labels, sample_weight, descending=descending
        )
    refuse_clash(options, {"labels": None}, "one-dimensional")
    columns = read_columns(
        y_true,
        scores,
        sample_weight=sample_weight,
        pos_label=pos_label,
        target_type=target_type,
        descending=descending,
    )
    return defined_or_nan(arrays.accuracy_ratio, columns, "the accuracy ratio")


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
    """Compute the share of the outcome captured in the best ``fraction`` of the rows.

    For events this is recall at the top ``fraction``.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Outcome and score, as in `cap_curve`.
    fraction : float
        Share of the population's weight selected, from 0 to 1. A block of tied rows that
        is cut counts pro rata: the expected value over all orders of its rows.
    pos_label, sample_weight, target_type, descending
        As in `cap_curve`.

    Returns
    -------
    float
        From 0 to 1; nan, with an `UndefinedMetricWarning`, where all outcomes are equal.

    Raises
    ------
    CapcurveError
        As `cap_curve`, and if ``fraction`` is outside of [0, 1].

    Examples
    --------
    >>> from capcurve import capture_rate_score
    >>> capture_rate_score([1, 0, 1, 0, 0], [5, 4, 3, 2, 1], fraction=0.5)
    0.75
    """
    check_fraction(fraction, "fraction")
    columns = read_columns(
        y_true,
        y_score,
        sample_weight=sample_weight,
        pos_label=pos_label,
        target_type=target_type,
        descending=descending,
    )
    return defined_or_nan(
        lambda rows: curve_of(rows).capture_rate_at(fraction),
        columns,
        "the capture rate",
    )


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
    """Compute cumulative lift in the best ``fraction`` of the rows.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Outcome and score, as in `cap_curve`.
    fraction : float
        Share of the population's weight selected, above 0 and up to 1.
    pos_label, sample_weight, target_type, descending
        As in `cap_curve`.

    Returns
    -------
    float
        1 is what a random ranking reaches; nan, with an `UndefinedMetricWarning`, where
        all outcomes are equal.

    Raises
    ------
    CapcurveError
        As `cap_curve`, and if ``fraction`` is outside of (0, 1].

    Examples
    --------
    >>> from capcurve import lift_score
    >>> lift_score([1, 0, 1, 0, 0], [5, 4, 3, 2, 1], fraction=0.5)
    1.5
    """
    check_fraction(fraction, "fraction", above_zero=True)
    captured = capture_rate_score(
        y_true,
        y_score,
        fraction=fraction,
        pos_label=pos_label,
        sample_weight=sample_weight,
        target_type=target_type,
        descending=descending,
    )
    return captured / fraction


def defined_or_nan(
    score: Callable[[Columns], float], columns: Columns, name: str, *, label: str = ""
) -> float:
    """Compute a score, or warn and return nan where no ranking has any meaning."""
    if columns.is_constant:
        reason = constant_reason(columns)
        where = f" of label {label}" if label else ""
        warn_caller(
            f"{name}{where} is undefined and set to nan: {reason}", UndefinedMetricWarning
        )
        return float("nan")
    return score(columns)


def average_one_vs_rest(
    y_true: ArrayLike,
    y_score: Array,
    average: Average,
    labels: Sequence[Label] | None,
    sample_weight: ArrayLike | None,
    *,
    descending: bool,
) -> float:
    """Average the accuracy ratio of each label against the rest."""
    check_average(average)
    ratios, masses = [], []
    for label, columns in read_one_vs_rest(
        y_true,
        y_score,
        sample_weight=sample_weight,
        labels=labels,
        descending=descending,
    ):
        ratio = defined_or_nan(
            arrays.accuracy_ratio, columns, "the accuracy ratio", label=repr(label)
        )
        if not np.isnan(ratio):
            ratios.append(ratio)
            masses.append(columns.target_mass if average == "weighted" else 1.0)
    if not ratios:
        return float("nan")
    return float(np.average(ratios, weights=masses))


def check_average(average: str) -> None:
    """Refuse averages that there are not."""
    if average not in get_args(Average):
        raise CapcurveError(f"`average` must be 'macro' or 'weighted', got {average!r}")


def refuse_clash(
    given: Mapping[str, object], neutral: Mapping[str, object], dimensions: str
) -> None:
    """Refuse arguments that have no meaning for a score of these dimensions."""
    for name, value in neutral.items():
        if given[name] != value:
            raise CapcurveError(
                f"`{name}` has no meaning for a {dimensions} `y_score`; leave it out"
            )
