"""Planning of sample sizes and power from the rows of a sample."""

from __future__ import annotations

from numpy.typing import ArrayLike

from capcurve._inference.comparison import Hypothesis
from capcurve._inference.options import Side
from capcurve._inference.plans import SamplePlan
from capcurve._inference.sample_planning import (
    SampleQuestion,
    check_sample_question,
    make_sample_plan,
    warn_if_unreliable_plan,
)
from capcurve._input.dtypes import Label, TargetType, WeightKind
from capcurve._input.reading import read_paired_scores
from capcurve._public import public


@public
def plan_from_sample(  # noqa: PLR0913 -- options by keyword
    y_true: ArrayLike,
    y_score: ArrayLike,
    y_score_b: ArrayLike | None = None,
    *,
    difference: float | None = None,
    half_width: float | None = None,
    n_events: int | None = None,
    power: float = 0.8,
    alternative: Side = "two-sided",
    margin: float = 0.0,
    confidence_level: float = 0.95,
    clusters: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    weights: WeightKind = "sampling",
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
) -> SamplePlan:
    """Find what a sample can show of AR, and how many events it would take to show more.

    No model of the scores is assumed: the variance of the sample, with its ties, weights
    and clusters, is scaled to other sizes at the same event rate. Needs SciPy
    (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Outcome: 0/1, -1/1 or boolean events; other class labels, with ``pos_label``; or
        non-negative amounts (losses, premiums, revenue) per unit of weight.
    y_score : array-like of shape (n_samples,)
        Score; higher values rank first.
    y_score_b : array-like of shape (n_samples,), default=None
        Second score of the same rows: the plan is then for the difference of the accuracy
        ratio of the first and that of the second. None: it is for the accuracy ratio, and
        its difference from a known value.
    difference : float, default=None
        True difference that is assumed, on the scale of AR (twice that in AUC), between -2
        and 2, to find its power and the events it needs. Of one score it is the difference
        from a known AR, for which that of the sample is taken; a two-sided test is to find
        it in either direction. Take the smallest that matters, not the one observed: power
        at that says no more than the p-value does. None: neither is found.
    half_width : float, default=None
        Half-width of the interval that is wanted, to find the events that it needs,
        strictly between 0 and 1. None: they are not found.
    n_events : int, default=None
        Number of events for which to plan, 2 or more (for amounts: of rows above 0). None:
        that of the sample.
    power : float, default=0.8
        Power of the test that is wanted, above its level and below 1.
    alternative : {'two-sided', 'greater', 'less'}, default='two-sided'
        Alternative hypothesis, as in `accuracy_ratio_test`. Of 'less' the difference is
        negative.
    margin : float, default=0
        Non-inferiority margin, for one-sided tests only, on the scale of AR.
    confidence_level : float, default=0.95
        Confidence level of the interval, strictly between 0 and 1, and 1 less the level of
        the test.
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
        Whether high values of the scores rank first. Pass False for scorecards on which a
        low score means high risk.

    Returns
    -------
    SamplePlan
        The expected half-width and the smallest difference found with the power, and what
        ``difference`` and ``half_width`` ask for. All are nan if all outcomes are equal, or
        the sample shows no variance, as under a perfect ranking or with a single event.

    Warns
    -----
    FewEventsWarning
        If the minority class of the sample or of the plan, in independent rows or clusters,
        times the smaller of AUC and 1 - AUC is below 10. Simulated power of one score
        against a known AR was then from 4 points below to 9 above the planned one, below 5
        from 6 below to 25 above; from 10 on, within 4 points. That of two scores was as
        `plan_test` says.
    UndefinedMetricWarning
        If all outcomes are equal, or the sample shows no variance.

    Raises
    ------
    CapcurveError
        If the data are empty, differ in length or hold missing values; if scores are not
        numbers; if a weight or an amount is negative or infinite, or all weights are 0; if
        labels require ``pos_label``; or if an option is invalid.
    MissingDependencyError
        If SciPy is not installed.

    See Also
    --------
    plan_interval, plan_test : The same from assumed numbers, without data.
    plan_models : The same for columns of a data frame.

    Notes
    -----
    The variance is that of DeLong, DeLong and Clarke-Pearson (1988), doi:10.2307/2531595,
    as in `accuracy_ratio_interval` and `accuracy_ratio_test`; the interval is that of their
    methods 'beta' and 'score'. The power is that of a noncentral t, with the standard error
    at the difference that is assumed: each AUC counts as a share of as many trials as give
    it its variance in the sample, so that the error of a lower AUC is larger. The variance
    is itself estimated: with 20 events its standard error is about a third of it, so that
    events needed are as uncertain.

    On power at the observed difference see Hoenig and Heisey (2001),
    doi:10.1198/000313001300339897.

    Examples
    --------
    >>> from capcurve import plan_from_sample
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> plan_from_sample(loans["default"], loans["champion_pd"], half_width=0.03)
    AR 0.573, with 453 events in 10,000 rows: half-width 0.043 at 95 %, difference 0.064
    found with power 80 % (two-sided at 5 %); half-width 0.03 with 928 events
    >>> plan_from_sample(
    ...     loans["default"],
    ...     loans["challenger_pd"],
    ...     loans["champion_pd"],
    ...     difference=0.03,
    ... )
    AR difference 0.020, with 453 events in 10,000 rows: half-width 0.032 at 95 %,
    difference 0.046 found with power 80 % (two-sided at 5 %); difference 0.03: power
    44.3 %, 80 % with 1,072 events
    """
    question = SampleQuestion(
        Hypothesis(alternative, margin, confidence_level),
        power,
        difference=difference,
        half_width=half_width,
        n_events=n_events,
    )
    check_sample_question(question)
    scores = {"y_score": y_score}
    if y_score_b is not None:
        scores["y_score_b"] = y_score_b
    paired = read_paired_scores(
        y_true,
        scores,
        sample_weight=sample_weight,
        pos_label=pos_label,
        target_type=target_type,
        descending=descending,
        weights=weights,
        clusters=clusters,
    )
    plan, misranked = make_sample_plan(paired, question)
    warn_if_unreliable_plan(plan, misranked)
    return plan
