"""Response rate in the best rows of arrays: as a number, and with an interval."""

from __future__ import annotations

from numpy.typing import ArrayLike

from capcurve._arrays.metrics import compute_or_nan, read_ranked_rows
from capcurve._curve.curve import make_curve
from capcurve._inference.capture_rate import warn_if_few_count
from capcurve._inference.estimate import Estimate
from capcurve._inference.options import IntervalOptions, RandomState, ShareMethod
from capcurve._inference.reliability import warn_if_unreliable
from capcurve._inference.response_rate import estimate_response_rate
from capcurve._input.column import as_scores
from capcurve._input.dtypes import Label, TargetType, WeightKind
from capcurve._input.options import check_fraction
from capcurve._input.reading import read_columns
from capcurve._input.row_order import check_row_order
from capcurve._public import public


@public
def response_rate_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    fraction: float,
    pos_label: Label | None = None,
    sample_weight: ArrayLike | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
) -> float:
    """Compute the response rate: the event rate in the top ``fraction`` of rows.

    For events this is precision when the top ``fraction`` of the population is selected;
    for amounts it is the mean amount. It equals lift times the rate of all rows.

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
        0/1, -1/1 and booleans as events and other numbers as amounts; it refuses whole
        numbers of an integer type, or of at most ten values, which may be labels or counts.
    descending : bool, default=True
        Whether high scores rank first. Pass False for a scorecard on which a low score
        means high risk.

    Returns
    -------
    float
        Events, or amount, per unit of weight selected; nan if all outcomes are equal, where
        `gains_table` shows their rate, such as 0 without any event.

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
    response_rate_interval : The response rate with a confidence interval.
    lift_score : The response rate divided by that of all rows.

    Examples
    --------
    >>> from capcurve import response_rate_score
    >>> response_rate_score([1, 0, 1, 0], [4, 3, 3, 1], fraction=0.5)
    0.75
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
        lambda rows: make_curve(rows).response_rate_at(fraction),
        columns,
        "the response rate",
    )


@public
def response_rate_interval(  # noqa: PLR0913 -- options by keyword
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    fraction: float,
    confidence_level: float = 0.95,
    method: ShareMethod = "wilson",
    clusters: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    weights: WeightKind = "sampling",
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
    n_resamples: int = 2000,
    random_state: RandomState = None,
) -> Estimate:
    """Estimate the response rate in the top ``fraction`` of rows with an interval.

    The response rate is the event rate of the selected rows (precision), or their mean
    amount. Needs SciPy (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Outcome: 0/1, -1/1 or boolean events; other class labels, with ``pos_label``; or
        non-negative amounts (losses, premiums, revenue) per unit of weight.
    y_score : array-like of shape (n_samples,)
        Score; higher values rank first. A block of tied rows that is cut counts pro rata.
    fraction : float
        Share of the population's weight that is selected, above 0 and at most 1.
    confidence_level : float, default=0.95
        Confidence level, strictly between 0 and 1.
    method : {'wilson', 'bootstrap'}, default='wilson'
        'wilson': Wilson limits of a proportion, with as many trials as match its variance;
        of a mean amount, Student's t on the scale of logarithms.
        'bootstrap': percentiles of bootstrap replicates; covers poorly where nearly all
        events are captured, and gives way to 'wilson' where all replicates are equal. The
        standard error is then the standard deviation of the replicates.
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
    pos_label : int, float, bool or str, default=None
        Class label that counts as the event. By default 1 (of 0/1 or -1/1) or True.
    target_type : {'auto', 'binary', 'continuous'}, default='auto'
        Whether ``y_true`` holds events ('binary') or amounts ('continuous'). 'auto' reads
        0/1, -1/1 and booleans as events and other numbers as amounts; it refuses whole
        numbers of an integer type, or of at most ten values, which may be labels or counts.
    descending : bool, default=True
        Whether high scores rank first. Pass False for a scorecard on which a low score
        means high risk.
    n_resamples : int, default=2000
        Number of bootstrap replicates, for 'bootstrap' only. Rows are resampled together,
        whatever their outcome, clusters as a whole.
    random_state : int, numpy.random.Generator or None, default=None
        Seed or generator of the bootstrap replicates. An int makes them reproducible,
        in any order of the rows.

    Returns
    -------
    Estimate
        Response rate. ``p_value`` compares it with an uninformative score, which has the
        rate of all rows, as that of `capture_rate_interval` does; it is nan with
        'bootstrap' and at a ``fraction`` of 1. All numbers are nan if all outcomes are
        equal; a group of `gains_table` then has a rate, without limits.

    Warns
    -----
    FewEventsWarning
        If fewer than 20 rows (or clusters) are in the minority class, or hold an amount
        above 0; if unequal weights or amounts make them effectively fewer than 20; or if
        fewer than 15 (effective) rows are selected or left out.
    UndefinedMetricWarning
        If all outcomes are equal.

    Raises
    ------
    CapcurveError
        If ``fraction`` is outside of (0, 1]; if the data are empty, differ in length or
        hold missing values; if scores are not numbers; if a weight or an amount is
        negative or infinite, or all weights are 0; if labels require ``pos_label``; or if
        an option is invalid or does not apply to this input.
    MissingDependencyError
        If SciPy is not installed.

    See Also
    --------
    response_rate_score : The response rate alone, without SciPy.
    capture_rate_interval : The share of all events that is captured.

    Notes
    -----
    The cut-off is estimated, and so is the event rate of the population. With g the part of
    a row that is selected, x the ``fraction`` and p the outcome rate at the cut-off, a row
    has the influence ``w * (y * g - M - p * (g - x)) / (x * W)``, where M is the response
    rate times x and W the total weight. The variance is made of them as in
    `capture_rate_interval`, and limits of events are those of Wilson, as there, with
    another quantile and without the second interval. The quantile is that of the normal
    distribution for independent events of equal weight; with unequal weights or
    ``clusters`` it is that of Student's t with ``2 * sum(psi**2)**2 / sum(psi**4)`` degrees
    of freedom, at least 1, of influences psi that are added up by cluster. Those of a mean
    amount are Student's t on the scale of logarithms.
    Where the curve bends sharply at the ``fraction``, as just after a group of events that
    the score separates clearly, a 95 % interval of 1,200 rows covers in 88 to 90 % of
    samples ('bootstrap' in 92 to 94 %), and more often the more rows there are.

    Examples
    --------
    >>> from capcurve import response_rate_interval
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> response_rate_interval(loans["default"], loans["champion_pd"], fraction=0.1)
    response rate at 10 % 0.193, 95 % interval 0.169 to 0.219 (wilson, 453 events, 9,547
    non-events)
    """
    check_fraction(fraction, "fraction", above_zero=True)
    columns = read_columns(
        y_true,
        y_score,
        sample_weight=sample_weight,
        pos_label=pos_label,
        target_type=target_type,
        descending=descending,
        weights=weights,
        clusters=clusters,
    )
    options = IntervalOptions(confidence_level, method, n_resamples, random_state)
    estimate = estimate_response_rate(columns, fraction, options)
    warn_if_unreliable(columns, estimate)
    warn_if_few_count([columns], fraction)
    return estimate
