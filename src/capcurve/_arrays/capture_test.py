"""Test that compares the capture rates of two scores of the same rows."""

from __future__ import annotations

from numpy.typing import ArrayLike

from capcurve._inference.capture_difference import compare_capture_rates
from capcurve._inference.capture_rate import warn_if_few_count
from capcurve._inference.comparison import Hypothesis, check_hypothesis
from capcurve._inference.estimate import Comparison
from capcurve._inference.options import Alternative
from capcurve._inference.reliability import warn_if_unreliable_test
from capcurve._input.columns import refuse_constant
from capcurve._input.dtypes import Label, TargetType, WeightKind
from capcurve._input.options import check_fraction
from capcurve._input.reading import read_paired_scores
from capcurve._public import public


@public
def capture_rate_test(  # noqa: PLR0913 -- options by keyword
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    fraction: float,
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    confidence_level: float = 0.95,
    clusters: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    weights: WeightKind = "sampling",
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
) -> Comparison:
    """Test whether two scores of the same rows capture as much in their best rows.

    The difference of two CAP curves at a population share, with its interval. Needs SciPy
    (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Outcome: 0/1, -1/1 or boolean events; other class labels, with ``pos_label``; or
        non-negative amounts (losses, premiums, revenue) per unit of weight.
    y_score_a, y_score_b : array-like of shape (n_samples,)
        The two scores; higher values rank first. The difference is the capture rate of the
        first minus that of the second. A block of tied rows that is cut counts pro rata.
    fraction : float
        Share of the population's weight that each score selects, above 0 and at most 1.
    alternative : {'two-sided', 'greater', 'less', 'equivalent'}, default='two-sided'
        Alternative hypothesis. 'greater': the capture rate of the first score exceeds
        that of the second; 'less': it falls short of it; 'equivalent': they differ by less
        than the margin.
    margin : float, default=0
        Margin of non-inferiority or equivalence, on the scale of the capture rate.
        ``alternative='greater'`` with a margin tests that the first score is not worse
        than the second by more than the margin: the question when a model is replaced.
    confidence_level : float, default=0.95
        Confidence level of the interval of the difference, strictly between 0 and 1. The
        interval of a one-sided test has one limit; the other is -1 or 1. A test of
        equivalence has both one-sided limits, of a 90 % interval at 0.95.
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
        Whether high values of both scores rank first. Pass False for scorecards on which
        a low score means high risk.

    Returns
    -------
    Comparison
        The difference with its standard error, limits and p-value. Scores that rank all
        rows alike do not differ: a two-sided p-value is 1, and one with a margin is 0.

    Warns
    -----
    FewEventsWarning
        If the smaller class effectively holds fewer than 20 rows, or fewer than 15
        (effective) rows are selected or left out.

    Raises
    ------
    CapcurveError
        If ``fraction`` is outside of (0, 1]; if all outcomes are equal; if the data are
        empty, differ in length or hold missing values; if scores are not numbers; if a
        weight or an amount is negative or infinite, or all weights are 0; if labels require
        ``pos_label``; or if an option is invalid or does not apply to this input.
    MissingDependencyError
        If SciPy is not installed.

    See Also
    --------
    capture_rate_interval : The interval of either capture rate, with its influences.
    accuracy_ratio_test : Compares the whole curves by their accuracy ratios.
    accuracy_ratio_test_independent : Compares estimates of two samples.

    Notes
    -----
    A row has the difference of its influences on the two capture rates; the variance is
    ``k / (k - 1)`` times the sum of their squares, of sums per cluster with ``clusters``,
    for k rows of the smaller class; with unequal weights or clusters, and of amounts, for k
    rows, or clusters, with an outcome above 0. The limits are made of those of either
    capture rate and of their correlation: method MOVER (variance estimates recovery) of Zou
    (2007), doi:10.1037/1082-989X.12.4.399. With normal limits of the capture rates of
    independent events of equal weight, and those of `capture_rate_interval` otherwise, the
    distances of the limits from the difference are multiplied by the quantile of Student's
    t over that of the normal distribution. t has one degree of freedom less than the
    smaller class has rows, or clusters. The test is the one that belongs to these limits.

    In simulations with 20 to 200 events, event rates of 2 to 40 % and AR of 0.02 to 0.9 the
    95 % interval covered in 92.5 to 100 % of samples, and a test at 5 % rejected equal
    capture rates in 0 to 7.2 % of samples.

    Examples
    --------
    >>> from capcurve import capture_rate_test
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> scores = loans["challenger_pd"], loans["champion_pd"]
    >>> capture_rate_test(loans["default"], *scores, fraction=0.1)
    capture rate at 10 % difference -0.003 (0.423 - 0.426), 95 % interval -0.045 to 0.039,
    p = 0.891 (two-sided, limits, 453 events, 9,547 non-events)
    """
    check_fraction(fraction, "fraction", above_zero=True)
    hypothesis = Hypothesis(alternative, margin, confidence_level)
    check_hypothesis(hypothesis)
    paired = read_paired_scores(
        y_true,
        {"y_score_a": y_score_a, "y_score_b": y_score_b},
        sample_weight=sample_weight,
        pos_label=pos_label,
        target_type=target_type,
        descending=descending,
        weights=weights,
        clusters=clusters,
    )
    refuse_constant(paired[0], "the test")
    comparison = compare_capture_rates(paired, fraction, hypothesis)
    warn_if_unreliable_test(comparison)
    warn_if_few_count(paired, fraction)
    return comparison
