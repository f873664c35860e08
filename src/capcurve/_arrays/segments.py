"""Segments and periods from arrays: tests of their accuracy ratios, and the pooled one."""

from __future__ import annotations

from math import isnan

from numpy.typing import ArrayLike

from capcurve._inference.estimate import Estimate
from capcurve._inference.options import IntervalOptions, check_confidence_level
from capcurve._inference.pooled_ratio import (
    SegmentWeights,
    compute_pooled_ratio,
    estimate_pooled_ratio,
)
from capcurve._inference.reliability import explain_few_events
from capcurve._inference.segment_warnings import warn_of_segments
from capcurve._inference.segments import (
    SegmentComparison,
    compare_segments,
)
from capcurve._input.column import format_labels
from capcurve._input.dtypes import Label, TargetType, WeightKind
from capcurve._input.options import check_flags
from capcurve._input.periods import check_text_order
from capcurve._input.segments import read_segmented
from capcurve._public import public
from capcurve.exceptions import FewEventsWarning, UndefinedMetricWarning, warn_caller

NO_PAIRS = "no segment holds outcomes that differ"


@public
def accuracy_ratio_test_segments(  # noqa: PLR0913 -- options by keyword
    y_true: ArrayLike,
    y_score: ArrayLike,
    segments: ArrayLike,
    *,
    ordered: bool = False,
    confidence_level: float = 0.95,
    clusters: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    weights: WeightKind = "sampling",
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
) -> SegmentComparison:
    """Test whether the accuracy ratio is the same in all segments, or has a trend.

    Each segment is also tested against the rest. Needs SciPy
    (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Outcome: 0/1, -1/1 or boolean events; other class labels, with ``pos_label``.
        Amounts are refused.
    y_score : array-like of shape (n_samples,)
        Score; higher values rank first. Pairs of rows with equal scores count 0.
    segments : array-like of shape (n_samples,)
        Segment of each row, such as a region, a product or a year: text, numbers or dates.
    ordered : bool, default=False
        Whether segments are periods. A linear trend is then tested over their sorted
        labels, each one step after the one before. Numbers and dates are sorted by size,
        text letter by letter: '10' before '9', and 'Apr 2024' before 'Jan 2024', which
        warns. Text such as '2024-04', '2024-Q2' and 'FY24' is in the order of time.
    confidence_level : float, default=0.95
        Confidence level of the intervals, strictly between 0 and 1.
    clusters : array-like of shape (n_samples,), default=None
        Cluster of each row. Rows of one cluster, such as the loans of one borrower, may
        depend on each other, also those in several segments, such as the years of a
        borrower. By default all rows are independent.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weight of each row; a row of weight 0 is left out. By default every
        row weighs 1.
    weights : {'sampling', 'frequency'}, default='sampling'
        What ``sample_weight`` means. 'sampling': each row is one observation that
        represents more or less of a population. 'frequency': each row stands for that
        number of equal rows; requires whole numbers, and no ``clusters``.
    pos_label : int, float, bool or str, default=None
        Class label that counts as the event. By default 1 (of 0/1 or -1/1) or True.
    target_type : {'auto', 'binary', 'continuous'}, default='auto'
        Whether ``y_true`` holds events; see `accuracy_ratio_interval`.
    descending : bool, default=True
        Whether high scores rank first.

    Returns
    -------
    SegmentComparison
        The test of all segments; AR of each with its interval, and the p-value against the
        rest, also adjusted for the number of segments; the pooled AR; and the trend of
        ordered segments. A segment with fewer than two events or non-events (or clusters of
        them) takes no part in the tests; its p-values are nan. One with fewer than 20 takes
        no part in the test of all segments and in the trend, nor in the adjustment, and is
        named in ``left_out``.

    Warns
    -----
    UndefinedMetricWarning
        If a segment takes no part in the tests.
    UserWarning
        If ordered segments are text that may not sort by time.
    FewEventsWarning
        If tests may miss their level: that against the rest, of a segment with fewer than
        20 events or non-events in effect, or fewer than 5 wrongly ranked ones, which are
        ``min(m, n) * min(AUC, 1 - AUC)`` of m events and n non-events; that of all segments
        and the trend, if fewer than two segments have 20, or they have fewer than 6 wrongly
        ranked ones on average. Also if these leave out segments with fewer than 20.

    Raises
    ------
    CapcurveError
        If outcomes are amounts; if the data are empty, differ in length or hold missing
        values; if scores are not numbers; if a weight is negative or infinite; if labels
        require ``pos_label``; if ordered segments are dates in text and one is no date; or
        if an option is invalid.
    MissingDependencyError
        If SciPy is not installed.

    See Also
    --------
    pooled_accuracy_ratio_interval : The pooled AR alone, and with other weights.
    compare_segments : The same for a data frame.
    accuracy_ratio_test_independent : Compare two samples.

    Notes
    -----
    The test of all segments is the F-test of Welch (1951), doi:10.1093/biomet/38.3-4.330,
    for unequal variances. Each segment enters as the angle ``arcsin(sqrt(AUC))``, on which
    the variance of an AUC hardly depends on its value, with the variance of DeLong, DeLong
    and Clarke-Pearson (1988), doi:10.2307/2531595, with the pseudo-observations of the
    method 'beta' of `accuracy_ratio_interval`. So no segment counts as known, not even a
    perfectly ranked one. The trend is a line through the angles, weighted by their
    effective sizes; ``change`` is what it means for AR. Against the rest, the angle of a
    segment is compared with that of the pooled AR of the others by Welch's t-test. Adjusted
    p-values are those of Holm (1979), Scandinavian Journal of Statistics 6(2), 65-70, and
    of Benjamini and Hochberg (1995), doi:10.1111/j.2517-6161.1995.tb02031.x.

    In simulations of 164 designs (3 to 12 segments of 20 to 200 events, AR 0.02 to 0.9) the
    test of all segments at 5 % rejected up to 6.8 % of samples without a warning, and that
    of the trend up to 6.0 %. With high AR and few events, where the warning comes, the
    tests are conservative, down to 0 %; on the scale of atanh(AR) they rejected up to 37 %
    there. Where events score alike they are conservative without a warning too: 1.4 % in
    the extreme. With sampling weights that depend on the score, the test of all segments
    rejected 2 %.

    Clusters with rows in several segments, such as borrowers in several years, make these
    dependent. Variances of differences then include the covariance of segments, the sum of
    the products of what each cluster moves in both, and the F-test has the mean and the
    degrees of freedom of Box (1954), doi:10.1214/aoms/1177728786. Without ``clusters``
    segments are taken as independent: the trend then rejected 18 to 20 % of samples at 5 %
    where each borrower was in four consecutive ones of eight periods, and 39 to 44 % of
    rolling windows of twelve months that moved by a month for 36 months.

    Examples
    --------
    >>> from capcurve import accuracy_ratio_test_segments
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> data = loans["default"], loans["champion_pd"]
    >>> accuracy_ratio_test_segments(*data, loans["segment"])
    AR of 3 segments: all equal F = 1.339 with 2 and 213.5 degrees of freedom, p = 0.264;
    pooled AR 0.565, 95 % interval 0.516 to 0.610 (beta, 453 events, 9,547 non-events)
    >>> accuracy_ratio_test_segments(*data, loans["year"], ordered=True).trend
    AR change 0.004 per period (0.567 to 0.578 in 4 periods), 95 % interval -0.037 to
    0.044, p = 0.856
    """
    check_flags(ordered=ordered)
    check_confidence_level(confidence_level)
    labels, rows = read_segmented(
        y_true,
        y_score,
        segments,
        sample_weight=sample_weight,
        pos_label=pos_label,
        target_type=target_type,
        descending=descending,
        weights=weights,
        clusters=clusters,
    )
    if ordered:
        check_text_order(labels, "segments")
    options = IntervalOptions(confidence_level)
    found = compare_segments(labels, rows, options, ordered=ordered)
    undefined = [label for label, p_value in found.p_values.items() if isnan(p_value)]
    warn_of_segments(
        format_labels(undefined),
        format_labels(found.few_events),
        format_labels([each for each in found.left_out if each not in undefined]),
        [rows.columns],
        is_reliable=found.is_reliable is not False,
    )
    return found


@public
def pooled_accuracy_ratio_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    segments: ArrayLike,
    *,
    segment_weights: SegmentWeights = "pairs",
    sample_weight: ArrayLike | None = None,
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
) -> float:
    """Compute the pooled accuracy ratio: pairs of rows of the same segment only.

    One number stands for many segments, and does not depend on how the score, or the event
    rate, differs between them.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Outcome: 0/1, -1/1 or boolean events; other class labels, with ``pos_label``; or
        non-negative amounts (losses, premiums, revenue) per unit of weight.
    y_score : array-like of shape (n_samples,)
        Score; higher values rank first. Pairs of rows with equal scores count 0.
    segments : array-like of shape (n_samples,)
        Segment of each row: text, numbers or dates.
    segment_weights : {'pairs', 'events'}, default='pairs'
        What a segment counts for. 'pairs': for its pairs of an event and a non-event, so
        that all pairs count alike. 'events': for its events, so that all events count
        alike; not for amounts.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weight of each row; a row of weight 0 is left out. By default every
        row weighs 1.
    pos_label : int, float, bool or str, default=None
        Class label that counts as the event. By default 1 (of 0/1 or -1/1) or True.
    target_type : {'auto', 'binary', 'continuous'}, default='auto'
        Whether ``y_true`` holds events ('binary') or amounts ('continuous'); see
        `accuracy_ratio_score`.
    descending : bool, default=True
        Whether high scores rank first.

    Returns
    -------
    float
        1 if every segment is ranked perfectly, 0 for a random or constant score, -1 for
        the reverse of a perfect one. Segments whose outcomes are all equal hold no pairs
        and are left out; nan if there is no other one.

    Warns
    -----
    UndefinedMetricWarning
        If the result is nan.

    Raises
    ------
    CapcurveError
        If the data are empty, differ in length or hold missing values; if scores are not
        numbers; if a weight or an amount is negative or infinite; if labels require
        ``pos_label``; or if an option is invalid or does not apply to amounts.

    See Also
    --------
    pooled_accuracy_ratio_interval : The same with a confidence interval.
    accuracy_ratio_score : AR of all pairs.

    Notes
    -----
    It is the mean of the segments' accuracy ratios, weighted by their pairs or events: the
    sum over segments of concordant less discordant pairs, divided by the number of pairs.
    With 'events' it is 2 A - 1, where A is the covariate-adjusted AUC of Janes and Pepe
    (2009), doi:10.1093/biomet/asp002, in which each event is compared with the non-events
    of its segment. For amounts, the sums of the Gini index run within segments.

    Examples
    --------
    >>> from capcurve import accuracy_ratio_score, pooled_accuracy_ratio_score
    >>> y_true, y_score = [1, 0, 1, 0], [4, 3, 2, 1]
    >>> accuracy_ratio_score(y_true, y_score)
    0.5
    >>> pooled_accuracy_ratio_score(y_true, y_score, ["new", "new", "old", "old"])
    1.0
    """
    _, rows = read_segmented(
        y_true,
        y_score,
        segments,
        sample_weight=sample_weight,
        pos_label=pos_label,
        target_type=target_type,
        descending=descending,
    )
    ratio = compute_pooled_ratio(rows, segment_weights)
    if isnan(ratio):
        warn_caller(
            f"the pooled AR is undefined and set to nan: {NO_PAIRS}", UndefinedMetricWarning
        )
    return ratio


@public
def pooled_accuracy_ratio_interval(  # noqa: PLR0913 -- options by keyword
    y_true: ArrayLike,
    y_score: ArrayLike,
    segments: ArrayLike,
    *,
    segment_weights: SegmentWeights = "pairs",
    confidence_level: float = 0.95,
    clusters: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    weights: WeightKind = "sampling",
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
) -> Estimate:
    """Estimate the pooled accuracy ratio with its standard error and interval.

    Pairs of rows count within the same segment only. Needs SciPy
    (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    y_true, y_score, segments, segment_weights, pos_label, target_type, descending
        As in `pooled_accuracy_ratio_score`.
    confidence_level : float, default=0.95
        Confidence level, strictly between 0 and 1.
    clusters, sample_weight, weights
        As in `accuracy_ratio_interval`. A cluster may have rows in several segments, such
        as a borrower in several periods.

    Returns
    -------
    Estimate
        Pooled AR with its standard error and limits, by the default method of
        `accuracy_ratio_interval`, and the counts of the segments that hold pairs. All
        numbers are nan if there are none.

    Warns
    -----
    FewEventsWarning
        If there are effectively fewer than 20 events or non-events in segments that hold
        pairs: the coverage may be below the confidence level.
    UndefinedMetricWarning
        If the result is nan.

    Raises
    ------
    CapcurveError
        For the reasons listed in `pooled_accuracy_ratio_score`, or if an option is invalid.
    MissingDependencyError
        If SciPy is not installed.

    See Also
    --------
    pooled_accuracy_ratio_score : The number alone, without SciPy.
    accuracy_ratio_test_segments : Whether segments differ.

    Notes
    -----
    Each row has one influence, that of its segment's pairs on the pooled AR; squares of
    influences add up as in `accuracy_ratio_interval`, of clusters over all their segments.
    Segments with a single event contribute. Classes are sampled, and with them the
    segments of their rows: where accuracy ratios differ between segments, the interval also
    covers how the mix of segments varies.

    Examples
    --------
    >>> from capcurve import pooled_accuracy_ratio_interval
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> pooled_accuracy_ratio_interval(
    ...     loans["default"], loans["champion_pd"], loans["segment"]
    ... )
    pooled AR 0.565, 95 % interval 0.516 to 0.610 (beta, 453 events, 9,547 non-events)
    """
    check_confidence_level(confidence_level)
    _, rows = read_segmented(
        y_true,
        y_score,
        segments,
        sample_weight=sample_weight,
        pos_label=pos_label,
        target_type=target_type,
        descending=descending,
        weights=weights,
        clusters=clusters,
    )
    options = IntervalOptions(confidence_level)
    estimate = estimate_pooled_ratio(rows, options, segment_weights)
    warn_of_pooled(estimate)
    return estimate


def warn_of_pooled(estimate: Estimate) -> None:
    """Warn if a pooled ratio is undefined, or its interval rests on few events."""
    if isnan(estimate.value):
        warn_caller(
            f"{estimate.name} is undefined and set to nan: {NO_PAIRS}",
            UndefinedMetricWarning,
        )
    elif reason := explain_few_events(estimate):
        warn_caller(
            f"the interval of {estimate.name} is based on {reason}, so its coverage may "
            "fall below the confidence level",
            FewEventsWarning,
        )
