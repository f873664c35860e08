"""Tests that compare the accuracy ratios of scores of the same rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import narwhals.stable.v2 as nw
from numpy.typing import ArrayLike

from capcurve._inference.comparison import (
    Hypothesis,
    JointComparison,
    check_hypothesis,
    compare_jointly,
    make_comparison,
)
from capcurve._inference.contrasts import compare_pair
from capcurve._inference.estimate import Comparison
from capcurve._inference.influence import compute_ratio_influence
from capcurve._inference.options import Alternative, TestMethod, choose_test_method
from capcurve._inference.reliability import warn_if_unreliable_test
from capcurve._input.columns import refuse_constant
from capcurve._input.dtypes import Label, TargetType, WeightKind
from capcurve._input.options import show
from capcurve._input.reading import read_paired_scores
from capcurve._input.weights import choose_clusters
from capcurve._public import public
from capcurve.exceptions import CapcurveError


@public
def accuracy_ratio_test(  # noqa: PLR0913 -- options by keyword
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    method: TestMethod = "score",
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    confidence_level: float = 0.95,
    clusters: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    weights: WeightKind = "sampling",
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
    groups: ArrayLike | None = None,
) -> Comparison:
    """Test whether two scores of the same rows have the same accuracy ratio.

    Needs SciPy (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Outcome: 0/1, -1/1 or boolean events; other class labels, with ``pos_label``; or
        non-negative amounts (losses, premiums, revenue) per unit of weight.
    y_score_a, y_score_b : array-like of shape (n_samples,)
        The two scores; higher values rank first. The difference is the accuracy ratio of
        the first minus that of the second. Pairs of rows with equal scores count 0.
    method : {'score', 'delong', 'delong-t', 'eht'}, default='score'
        - 'score': the variance of the difference under the hypothesis, with Student's t.
          Each AUC is treated as a share of as many independent trials as its variance
          shows, and the correlation is DeLong's. Recommended: it keeps its level on either
          side and with a margin, and for perfectly ranked samples.
        - 'delong': DeLong's variance and the normal distribution.
        - 'delong-t': DeLong's variance and Student's t with Welch-Satterthwaite degrees
          of freedom.
        - 'eht': unbiased variance of Engelmann, Hayden and Tasche and the normal
          distribution, for large samples of independent 0/1 events without weights. Where
          that variance is negative, DeLong's replaces it, with a warning.
    alternative : {'two-sided', 'greater', 'less', 'equivalent'}, default='two-sided'
        Alternative hypothesis. 'greater': the accuracy ratio of the first score exceeds
        that of the second; 'less': it falls short of it; 'equivalent': they differ by less
        than the margin (two one-sided tests).
    margin : float, default=0
        Margin of non-inferiority or equivalence, on the scale of AR.
        ``alternative='greater'`` with a margin tests that the first score is not worse
        than the second by more than the margin: the question when a model is replaced.
    confidence_level : float, default=0.95
        Confidence level of the interval of the difference, strictly between 0 and 1. The
        interval of a one-sided test has one limit; the other is -2 or 2. A test of
        equivalence has both one-sided limits, of a 90 % interval at 0.95: it rejects if
        they lie within the margin.
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
    groups : array-like, deprecated
        Former name of ``clusters``; version 0.4 will remove it.

    Returns
    -------
    Comparison
        The difference with its standard error, limits and p-value. Scores that rank all
        rows alike do not differ: a two-sided p-value is 1, and one with a margin is 0. Two
        scores that both rank a sample perfectly may still differ in the population, by
        'score'; other methods give nan. With a single event or non-event all are nan.

    Warns
    -----
    FewEventsWarning
        If the smaller class effectively holds fewer than 20 rows, or amounts fewer than 20
        effective pairs of rows; or if that number (of amounts half of it) times the smaller
        of AUC and ``1 - AUC`` is below 5 for one of the scores; or with fewer than 10
        degrees of freedom. The test may then miss its level, on either side.
    UndefinedMetricWarning
        If the variance of 'eht' is negative.
    DeprecationWarning
        If ``groups`` is passed.

    Raises
    ------
    CapcurveError
        If all outcomes are equal; if the data are empty, differ in length or hold missing
        values; if scores are not numbers; if a weight or an amount is negative or infinite,
        or all weights are 0; if labels require ``pos_label``; or if an option is invalid
        or does not apply to this input.
    MissingDependencyError
        If SciPy is not installed.

    See Also
    --------
    accuracy_ratio_test_joint : Compare more than two scores.
    accuracy_ratio_test_independent : Compare scores of two samples without common rows.

    Notes
    -----
    Do not use this test for two nested models that were fitted on the same rows: the
    difference is then not normal, and the test is far too conservative (Demler, Pencina
    and D'Agostino, 2012, doi:10.1002/sim.5328). The accuracy ratio on the rows that a model
    was fitted on is too high, whatever the test says.

    In simulations, a one-sided test by 'score' at a level of 5 % rejected in about 2 to 7 %
    of samples: in 3.5 to 6.8 % where most samples did not warn, and in 2.1 to 7.1 % where
    most did. It rejects too rarely most often where AR is high and
    events are few, and too often where the scores of events are spread further than those
    of non-events. By 'delong-t' it rejected in up to 10 %.

    The score test of two shares is that of Mee (1984), doi:10.2307/2531155, and Miettinen
    and Nurminen (1985), doi:10.1002/sim.4780040211; the page "How intervals and tests
    are computed" describes it for AUC. Equivalence is tested as by Schuirmann
    (1987), doi:10.1007/BF01068419.

    The variance is that of DeLong, DeLong and Clarke-Pearson (1988), doi:10.2307/2531595;
    with clusters that of Obuchowski (1997), doi:10.2307/2533958; for 'eht' that of Bamber
    (1975), doi:10.1016/0022-2496(75)90001-2, as given by Engelmann, Hayden and Tasche
    (2003), "Testing rating accuracy", Risk 16(1), 82-86.

    Examples
    --------
    >>> from capcurve import accuracy_ratio_test
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> accuracy_ratio_test(
    ...     loans["default"],
    ...     loans["challenger_pd"],
    ...     loans["champion_pd"],
    ...     alternative="greater",
    ...     margin=0.02,
    ... )
    AR difference 0.020 (0.593 - 0.573), 95 % lower limit -0.007, p = 0.008 (greater,
    margin 0.02, score, 453 events, 9,547 non-events)
    """
    method = choose_test_method(method)
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
        clusters=choose_clusters(clusters, groups),
    )
    refuse_constant(paired[0], "the test")
    influence = compute_ratio_influence(paired)
    difference = compare_pair(influence, paired, (0, 1), method)
    comparison = make_comparison(difference, hypothesis)
    warn_if_unreliable_test(comparison)
    return comparison


@public
def accuracy_ratio_test_joint(  # noqa: PLR0913 -- options by keyword
    y_true: ArrayLike,
    y_scores: Mapping[str, ArrayLike],
    *,
    contrasts: ArrayLike | None = None,
    method: TestMethod = "score",
    confidence_level: float = 0.95,
    clusters: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    weights: WeightKind = "sampling",
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
    groups: ArrayLike | None = None,
) -> JointComparison:
    """Test whether several scores of the same rows have the same accuracy ratio.

    Needs SciPy (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Outcome: 0/1, -1/1 or boolean events; other class labels, with ``pos_label``; or
        non-negative amounts (losses, premiums, revenue) per unit of weight.
    y_scores : mapping of str to array-like of shape (n_samples,)
        Two or more scores by name, such as a dict or a data frame; higher values rank
        first. Pairs of rows with equal scores count 0.
    contrasts : array-like of shape (n_contrasts, n_scores), default=None
        Linear combinations of the accuracy ratios, one per row, that are 0 under the null
        hypothesis. By default the differences between neighbouring scores: all accuracy
        ratios are equal.
    method : {'score', 'delong', 'delong-t', 'eht'}, default='score'
        Method of the pairwise tests, as in `accuracy_ratio_test`. The joint test uses
        DeLong's variance and the F distribution.
    confidence_level : float, default=0.95
        Confidence level of the intervals of the pairwise differences, strictly between 0
        and 1.
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
        Whether high values of all scores rank first. Pass False for scorecards on which a
        low score means high risk.
    groups : array-like, deprecated
        Former name of ``clusters``; version 0.4 will remove it.

    Returns
    -------
    JointComparison
        The F test of the contrasts, and all pairwise comparisons with p-values
        adjusted by Holm's method. Scores with identical rankings reduce the degrees of
        freedom. The p-value is nan if a contrast has no variance but is not 0.

    Warns
    -----
    FewEventsWarning
        If the smaller class holds fewer than 20 rows, or amounts fewer than 20 effective
        pairs of rows, or few are ranked wrongly; as in `accuracy_ratio_test`.
    UndefinedMetricWarning
        If the variance of 'eht' is negative for a pair.
    DeprecationWarning
        If ``groups`` is passed.

    Raises
    ------
    CapcurveError
        If there are fewer than two scores, or ``contrasts`` does not have one column per
        score; if all outcomes are equal; if the data are empty, differ in length or hold
        missing values; if scores are not numbers; if a weight or an amount is negative or
        infinite, or all weights are 0; if labels require ``pos_label``; or if an option is
        invalid or does not apply to this input.
    MissingDependencyError
        If SciPy is not installed.

    See Also
    --------
    accuracy_ratio_test : Compare two scores; its notes on misuse hold here too.
    compare_models : The same for columns of a data frame.

    Notes
    -----
    The joint test is that of DeLong, DeLong and Clarke-Pearson (1988),
    doi:10.2307/2531595, with the F distribution of Krishnamoorthy and Yu (2004),
    doi:10.1016/j.spl.2003.10.012, for events and non-events whose covariances differ: with
    20 events and six scores the chi-square distribution rejected 17 % of samples at a level
    of 5 %. The adjustment is that of Holm (1979), "A simple sequentially
    rejective multiple test procedure", Scandinavian Journal of Statistics 6(2), 65-70.

    Examples
    --------
    >>> from capcurve import accuracy_ratio_test_joint
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> scores = {
    ...     name: loans[name] for name in ("champion_pd", "challenger_pd", "exposure")
    ... }
    >>> accuracy_ratio_test_joint(loans["default"], scores)
    AR champion_pd 0.573, challenger_pd 0.593, exposure 0.139: F 102.3... on 2 and
    ... degrees of freedom, p < 0.001
    """
    hypothesis = Hypothesis(confidence_level=confidence_level)
    check_hypothesis(hypothesis)
    scores: Any = y_scores
    if nw.dependencies.is_into_dataframe(scores):
        scores = nw.from_native(scores, eager_only=True).to_dict()
    if not isinstance(scores, Mapping):
        raise CapcurveError(
            f"`y_scores` must map names to scores, got {show(scores)}; pass a dict, such "
            "as {'champion': ..., 'challenger': ...}"
        )
    names = list(scores)
    if len(names) < 2:  # noqa: PLR2004 -- a comparison requires two
        raise CapcurveError(
            f"`y_scores` must hold at least two scores, got {names}; add the score to "
            "compare with"
        )
    paired = read_paired_scores(
        y_true,
        {f"y_scores[{name!r}]": scores[name] for name in names},
        sample_weight=sample_weight,
        pos_label=pos_label,
        target_type=target_type,
        descending=descending,
        weights=weights,
        clusters=choose_clusters(clusters, groups),
    )
    refuse_constant(paired[0], "the test")
    method = choose_test_method(method)
    joint = compare_jointly(names, paired, contrasts, method, hypothesis)
    warn_if_unreliable_test(min(joint.pairs.values(), key=lambda pair: pair.n_errors))
    return joint
