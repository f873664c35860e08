"""Confidence intervals of the accuracy ratio and of KS from arrays."""

from __future__ import annotations

from collections.abc import Sequence

from numpy.typing import ArrayLike

from capcurve._inference.accuracy_ratio import (
    estimate_accuracy_ratio,
    estimate_average_ratio,
)
from capcurve._inference.estimate import Estimate
from capcurve._inference.ks import estimate_ks
from capcurve._inference.options import (
    IntervalMethod,
    IntervalOptions,
    RandomState,
    ShareMethod,
)
from capcurve._inference.reliability import warn_if_few, warn_if_unreliable
from capcurve._input.column import as_scores
from capcurve._input.dtypes import Average, Label, TargetType, WeightKind
from capcurve._input.left_out_labels import warn_of_left_out
from capcurve._input.options import check_average, refuse_inapplicable
from capcurve._input.reading import read_columns, read_one_vs_rest
from capcurve._input.row_order import check_row_order
from capcurve._input.weights import choose_clusters
from capcurve._public import public


@public
def accuracy_ratio_interval(  # noqa: PLR0913 -- options by keyword
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    confidence_level: float = 0.95,
    method: IntervalMethod = "beta",
    clusters: ArrayLike | None = None,
    average: Average = "macro",
    labels: Sequence[Label] | None = None,
    sample_weight: ArrayLike | None = None,
    weights: WeightKind = "sampling",
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
    n_resamples: int = 2000,
    random_state: RandomState = None,
    groups: ArrayLike | None = None,
) -> Estimate:
    """Estimate the accuracy ratio with its standard error and a confidence interval.

    Needs SciPy (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Outcome: 0/1, -1/1 or boolean events; other class labels, with ``pos_label``; or
        non-negative amounts (losses, premiums, revenue) per unit of weight. With a
        two-dimensional ``y_score``, any class labels.
    y_score : array-like of shape (n_samples,) or (n_samples, n_labels)
        Score; higher values rank first. A pair of rows with equal scores counts 0, in AR
        and in its variance. In two dimensions, one column of scores per class label: each
        label is evaluated against the rest (one-vs-rest); see `accuracy_ratio_score`.
    confidence_level : float, default=0.95
        Confidence level, strictly between 0 and 1.
    method : str, default='beta'
        - 'beta': limits of a beta distribution with the mean and variance of AUC, after a
          quarter of an event and of a non-event were added at both ends of the ranking;
          widened by Student's t. Recommended: in simulations of equal weights without a
          warning it covered in 93 % of samples or more, also where AR is near 1. The
          exception is 86 to 92 %, where a score that is nearly perfect otherwise ranks
          about two events below nearly all non-events (defaults rated among the very
          best), be it two of 20 or two of 200: one sample in eight shows none of them, so
          no warning is possible.
        - 'logit-t': symmetric on the scale of logit(AUC), with quantiles of Student's t
          at Welch-Satterthwaite degrees of freedom. Narrower; covers too rarely where the
          sample holds few wrongly ranked events.
        - 'logit': the same with normal quantiles.
        - 'wald': symmetric on the scale of AR, clipped to [-1, 1], as the interval of
          AUC that is called DeLong's; covers poorly near the ends.
        - 'newcombe': method 5 of Newcombe. It assumes a distribution model of the scores;
          where that is wrong, coverage is too high or too low at any sample size (80 % and
          99.9 % of a nominal 95 % were seen).
        - 'bootstrap', 'bca': percentiles of bootstrap replicates, plain or corrected for
          bias and acceleration. Not better than 'logit-t' with few events. AR and its
          standard error (as of 'wald') stay those of the sample, not of the replicates.
        - 'exact': distribution-free bound that covers at any number of independent rows;
          from 15 events on 2 to 3 times as wide as 'beta', with 2 or 3 often narrower.

        'newcombe' and 'exact' require independent 0/1 events of equal weight. Several
        class labels allow 'beta', 'logit-t', 'logit' and 'wald'; limits of their mean by
        'beta' are wider than needed where AR is high: 95 % limits covered in 98 to 100 %
        at AR 0.97. Those by 'logit-t' covered in 66 % at AR 0.996.
    clusters : array-like of shape (n_samples,), default=None
        Cluster of each row. Rows of one cluster, such as the loans of one borrower, may
        depend on each other; rows of different clusters are independent. By default all
        rows are independent.
    average : {'macro', 'weighted'}, default='macro'
        How the accuracy ratios of several class labels are averaged. 'macro' is the plain
        mean; 'weighted' weights each label by its share of the total weight. Ignored if
        ``y_score`` is one-dimensional.
    labels : sequence of class labels, default=None
        Class labels in the order of the columns of ``y_score``, for two dimensions only.
        By default the sorted labels of ``y_true``. The columns of a data frame are
        found by their names, if any is named after a label, as in `gain_curve`.
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
        Number of bootstrap replicates, for 'bootstrap' and 'bca' only. Events and
        non-events are resampled separately, amounts together, clusters as a whole.
    random_state : int, numpy.random.Generator or None, default=None
        Seed or generator of the bootstrap replicates. An int makes them reproducible,
        in any order of the rows.
    groups : array-like, deprecated
        Former name of ``clusters``; version 0.4 will remove it.

    Returns
    -------
    Estimate
        AR with its standard error, limits and p-value (against an AR of 0). A perfectly
        ranked sample has a lower limit below 1: by 'beta', or by 'exact', which ``method``
        becomes if another one finds no variance in the sample, or 'beta' a single event or
        non-event. With sampling weights or clusters that bound uses Kish's effective class
        sizes and is called 'approximate bound'; for amounts its limits are nan. In two
        dimensions the estimate is the average, with nan limits in place of such a bound,
        and ``by_label`` holds one estimate per class label. All numbers are nan if all
        outcomes are equal.

    Warns
    -----
    FewEventsWarning
        If the smaller class holds fewer than 20 rows; with unequal weights, clusters or
        amounts, effectively fewer than 20 (``n_effective``). For methods other than 'beta'
        and 'exact' also if that number times the smaller of AUC and ``1 - AUC`` is below 5,
        and for those other than 'logit-t' too if the degrees of freedom are fewer than 10.
        Of amounts also if large ones rank low among those above 0 (``large_ranked_low``).
        For independent events of equal weight the message includes the limits of 'exact'.
    UndefinedMetricWarning
        If all outcomes are equal, or a class label has none or all of the rows.
    DeprecationWarning
        If ``groups`` is passed.

    Raises
    ------
    CapcurveError
        If the data are empty, differ in length or hold missing values; if scores are not
        numbers; if a weight or an amount is negative or infinite, or all weights are 0; if
        labels require ``pos_label``, or do not match it or the columns of ``y_score``; or
        if an option is invalid or does not apply to this input.
    MissingDependencyError
        If SciPy is not installed.

    See Also
    --------
    accuracy_ratio_score : AR alone, without SciPy.
    accuracy_ratio_test : Whether the accuracy ratios of two scores differ.

    Notes
    -----
    The interval reflects sampling variability only. It does not account for overfitting on
    the rows a model was fitted on, whose AR is too high, nor for default clustering
    through a common shock, such as a bad year.

    The variance is that of DeLong, DeLong and Clarke-Pearson (1988), doi:10.2307/2531595,
    computed as in Sun and Xu (2014), doi:10.1109/LSP.2014.2337313; with clusters that of
    Obuchowski (1997), doi:10.2307/2533958; for amounts it follows from the influence
    function of the Gini correlation of Schechtman and Yitzhaki (1987),
    doi:10.1080/03610928708829359. 'beta' approximates the Bayesian bootstrap of Gu, Ghosal
    and Roy (2008), doi:10.1002/sim.3366, with pseudo-observations; the page
    "How intervals and tests are computed" of the documentation derives it and shows its
    coverage. With unequal weights or clusters, the degrees of
    freedom fall with the fourth powers of the influences of rows. The logit scale is
    recommended by Perme and Manevski (2019), doi:10.1177/0962280218814556. Method 5
    is from Newcombe (2006), doi:10.1002/sim.2324, BCa from Efron (1987),
    doi:10.1080/01621459.1987.10478410, and 'exact' from Hoeffding (1963),
    doi:10.1080/01621459.1963.10500830.

    Examples
    --------
    >>> from capcurve import accuracy_ratio_interval
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> accuracy_ratio_interval(loans["default"], loans["champion_pd"])
    AR 0.573, 95 % interval 0.528 to 0.614 (beta, 453 events, 9,547 non-events)
    """
    check_average(average)
    options = IntervalOptions(confidence_level, method, n_resamples, random_state)
    clusters = choose_clusters(clusters, groups)
    rows = {"y_true": y_true, "y_score": y_score, "clusters": clusters}
    check_row_order({**rows, "sample_weight": sample_weight})
    scores = as_scores(y_score, "y_score")
    if scores.ndim == 2:  # noqa: PLR2004 -- a matrix: one column per label
        given = {
            "pos_label": pos_label,
            "target_type": target_type,
            "clusters": clusters,
            "weights": weights,
        }
        neutral = dict.fromkeys(given) | {"target_type": "auto", "weights": "sampling"}
        refuse_inapplicable(given, neutral, "two-dimensional")
        rankings = list(
            read_one_vs_rest(
                y_true,
                y_score,
                sample_weight=sample_weight,
                labels=labels,
                descending=descending,
            )
        )
        estimate = estimate_average_ratio(rankings, options, weighted=average == "weighted")
        left_out = {label: columns for label, columns in rankings if columns.is_constant}
        warn_of_left_out(left_out, len(rankings) - len(left_out))
        for label, columns in rankings:
            warn_if_few(columns, estimate.by_label[label], where=f" of label {label!r}")
        return estimate
    refuse_inapplicable({"labels": labels}, {"labels": None}, "one-dimensional")
    columns = read_columns(
        y_true,
        scores,
        sample_weight=sample_weight,
        pos_label=pos_label,
        target_type=target_type,
        descending=descending,
        weights=weights,
        clusters=clusters,
    )
    estimate = estimate_accuracy_ratio(columns, options)
    warn_if_unreliable(columns, estimate)
    return estimate


@public
def ks_interval(  # noqa: PLR0913 -- options by keyword
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
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
    groups: ArrayLike | None = None,
) -> Estimate:
    """Estimate the Kolmogorov-Smirnov statistic (KS) with a confidence interval.

    KS is the largest distance, over all cut-offs, between the shares of events and of
    non-events that are selected. For amounts it is the largest distance of the CAP curve
    from the diagonal, as a share of the perfect curve's. Needs SciPy
    (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Outcome: 0/1, -1/1 or boolean events; other class labels, with ``pos_label``; or
        non-negative amounts (losses, premiums, revenue) per unit of weight.
    y_score : array-like of shape (n_samples,)
        Score; higher values rank first. A cut-off never splits tied rows.
    confidence_level : float, default=0.95
        Confidence level, strictly between 0 and 1.
    method : {'wilson', 'bootstrap'}, default='wilson'
        'wilson', for 0/1 events: limits of the difference of two proportions at the cut-off
        found, from the Wilson limits of each; the lower one also allows for the search over
        cut-offs. 'bootstrap': percentiles of bootstrap replicates, also for amounts; they
        leave out a weak score's true KS too often, and where all are equal, limits of
        'wilson' take their place. The standard error is then the standard deviation of the
        replicates; KS stays that of the sample.
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
        Number of bootstrap replicates, for 'bootstrap' only. Events and non-events are
        resampled separately, amounts together, clusters as a whole.
    random_state : int, numpy.random.Generator or None, default=None
        Seed or generator of the bootstrap replicates. An int makes them reproducible,
        in any order of the rows.
    groups : array-like, deprecated
        Former name of ``clusters``; version 0.4 will remove it.

    Returns
    -------
    Estimate
        KS, from 0 to 1. ``p_value`` is that of the two-sample Kolmogorov-Smirnov test:
        exact for small samples without ties, conservative with ties; nan with 'bootstrap'.
        All numbers are nan if all outcomes are equal.

    Warns
    -----
    FewEventsWarning
        If fewer than 20 rows (or clusters) are in the minority class, or hold an amount
        above 0.
    UndefinedMetricWarning
        If all outcomes are equal.
    DeprecationWarning
        If ``groups`` is passed.

    Raises
    ------
    CapcurveError
        If the data are empty, differ in length or hold missing values; if scores are not
        numbers; if a weight or an amount is negative or infinite, or all weights are 0; if
        labels require ``pos_label``; or if an option is invalid or does not apply to this
        input.
    MissingDependencyError
        If SciPy is not installed.

    See Also
    --------
    CapCurve.ks : KS alone, without SciPy.

    Notes
    -----
    KS is the largest of many differences and therefore biased upwards, the more so the
    fewer events there are and the weaker the score is. The estimate is not corrected.

    At the cut-off found, the first from the best score if several give KS, the limits are
    method 10 of Newcombe (1998),
    doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I. The lower limit is
    0 if KS does not exceed its critical value for an uninformative score. Otherwise it is
    KS less what noise may add to the largest of the differences within half a critical
    value of the best one, if that is lower than Newcombe's: from the first to the last of
    these cut-offs the noise is taken as a random walk, the maximum of which is a normal
    value plus a half-normal one (reflection principle). With F1 and F0 the shares of the m
    events and n non-events selected, it starts with the smaller of the two ends'
    ``F1 * (1 - F1) / m + F0 * (1 - F0) / n`` as variance, and gains
    ``dF1 * (1 - dF1) / m + dF0 * (1 - dF0) / n``, where dF1 and dF0 are the shares between
    the ends.

    The exact p-value is computed as in Hodges (1958), doi:10.1007/BF02589501. With sampling
    weights and clusters the variances of both shares are those of the influences of rows,
    ``w * (g - share) / W``, added up by cluster, and the size of a class is the smallest
    for which a proportion has the variance of the share above a quartile of its scores.

    In simulations a 95 % interval covers KS in 93 to 100 % of samples for AR of 0.02 to
    0.95, 20 events or more, event rates of 1 to 50 %, with and without grades.

    Examples
    --------
    >>> from capcurve import ks_interval
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> ks_interval(loans["default"], loans["champion_pd"])
    KS 0.433, 95 % interval 0.378 to 0.475 (wilson, 453 events, 9,547 non-events)
    """
    columns = read_columns(
        y_true,
        y_score,
        sample_weight=sample_weight,
        pos_label=pos_label,
        target_type=target_type,
        descending=descending,
        weights=weights,
        clusters=choose_clusters(clusters, groups),
    )
    options = IntervalOptions(confidence_level, method, n_resamples, random_state)
    estimate = estimate_ks(columns, options)
    warn_if_unreliable(columns, estimate)
    return estimate
