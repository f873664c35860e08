"""Intervals for the accuracy ratio, the capture rate, lift and KS."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from numpy.typing import ArrayLike

from capcurve._input import (
    Label,
    TargetType,
    WeightKind,
    as_array,
    read_columns,
    read_one_vs_rest,
)
from capcurve._precision import Options, warn_of
from capcurve._ratio_estimates import Method, average_estimate, ratio_estimate
from capcurve._resampling import RandomState
from capcurve._share_estimates import ShareMethod, capture_estimate, ks_estimate
from capcurve.curve import check_fraction
from capcurve.estimates import Estimate
from capcurve.metrics import Average, check_average, refuse_clash

__all__ = [
    "accuracy_ratio_interval",
    "capture_rate_interval",
    "ks_interval",
    "lift_interval",
]


def accuracy_ratio_interval(  # noqa: PLR0913 -- options by keyword
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    confidence_level: float = 0.95,
    method: Method = "logit-t",
    groups: ArrayLike | None = None,
    average: Average = "macro",
    labels: Sequence[Label] | None = None,
    sample_weight: ArrayLike | None = None,
    weights: WeightKind = "sampling",
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
    n_resamples: int = 2000,
    random_state: RandomState = None,
) -> Estimate:
    """Estimate the accuracy ratio with its standard error and a confidence interval.

    Needs SciPy (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    y_true, y_score : array-like
        Outcome and score, as in `accuracy_ratio_score`; ties count as there. A
        two-dimensional ``y_score`` has a column for each label.
    confidence_level : float, default=0.95
        From 0 to 1.
    method : str, default='logit-t'
        - 'logit-t': symmetric on the scale of logit(AUC), with Student's t of
          Welch-Satterthwaite degrees of freedom. The best of the simple ones where events
          are few.
        - 'logit': the same with the normal distribution.
        - 'wald': symmetric on the scale of AR, cut at -1 and 1; poor near them.
        - 'newcombe': method 5 of Newcombe; leans on a model of the score distributions.
        - 'bootstrap', 'bca': percentiles of replicates, plain and corrected. Not better
          than 'logit-t' with few events.
        - 'exact': holds at any distribution and any number of rows; about twice as wide.
    groups : array-like of shape (n_samples,), default=None
        Rows of the same group are not independent, such as loans of one borrower. None:
        all rows are.
    average, labels
        For several labels, as in `accuracy_ratio_score`.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the rows; 0 is no row.
    weights : {'sampling', 'frequency'}, default='sampling'
        What weights are: of independent rows that stand for more or less of a population
        (exposure, sampling or importance weights), where only their proportions matter;
        or counts of equal rows, as if each were repeated.
    pos_label, target_type, descending
        As in `accuracy_ratio_score`.
    n_resamples : int, default=2000
        Replicates of 'bootstrap' and 'bca'. Events and non-events are drawn separately,
        groups as a whole.
    random_state : int, numpy Generator or None, default=None
        Where replicates are drawn from; an int makes them the same every time.

    Returns
    -------
    Estimate
        Where the sample shows no variance, as with a perfect ranking, or has one event
        only, the limits are those of 'exact' (with weights and groups, of as many equal
        rows as they amount to), so that they are never 1 and 1; for amounts they are nan.
        With two dimensions the average, and ``by_label`` holds each label's own. nan, with
        an `UndefinedMetricWarning`, where all outcomes are equal.

    Warns
    -----
    FewEventsWarning
        The rarer of events and non-events has fewer than 20 rows (or groups). The message
        holds the limits of 'exact' too, where rows are independent and weigh the same.

    Raises
    ------
    CapcurveError
        As `accuracy_ratio_score`, and if an option has no meaning for this input.
    MissingDependencyError
        SciPy is not installed.

    See Also
    --------
    accuracy_ratio_test : Whether two scores differ.

    Notes
    -----
    The interval speaks of other samples of the same kind and size. It knows nothing of
    a model that was fitted on the same rows, whose AR is too high, nor of a common cause
    that makes events of one year come together.

    The variance is that of DeLong, DeLong and Clarke-Pearson (1988), doi:10.2307/2531595,
    computed as in Sun and Xu (2014), doi:10.1109/LSP.2014.2337313; with groups that of
    Obuchowski (1997), doi:10.2307/2533958; for amounts it comes from the influence
    function of the Gini correlation of Schechtman and Yitzhaki (1987),
    doi:10.1080/03610928708829359. The logit scale is recommended by Perme and Manevski
    (2019), doi:10.1177/0962280218816678. Method 5 is that of Newcombe (2006),
    doi:10.1002/sim.2324, BCa that of Efron (1987), doi:10.1080/01621459.1987.10478410, and
    'exact' rests on Hoeffding (1963), doi:10.1080/01621459.1963.10500830.

    Examples
    --------
    >>> from capcurve import accuracy_ratio_interval
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> accuracy_ratio_interval(loans["default"], loans["champion_pd"])
    AR 0.573, 95 % interval 0.528 to 0.614 (logit-t, 453 events, 9,547 non-events)
    """
    options = Options(confidence_level, method, n_resamples, random_state)
    scores = as_array(y_score, "y_score")
    if scores.ndim == 2:  # noqa: PLR2004 -- a matrix: one column per label
        given = {
            "pos_label": pos_label,
            "target_type": target_type,
            "groups": groups,
            "weights": weights,
        }
        neutral = dict.fromkeys(given) | {"target_type": "auto", "weights": "sampling"}
        refuse_clash(given, neutral, "two-dimensional")
        rankings = list(
            read_one_vs_rest(
                y_true,
                scores,
                sample_weight=sample_weight,
                labels=labels,
                descending=descending,
            )
        )
        check_average(average)
        estimate = average_estimate(rankings, options, weighted=average == "weighted")
        for label, columns in rankings:
            warn_of(columns, estimate.by_label[label], where=f" of label {label!r}")
        return estimate
    refuse_clash({"labels": labels}, {"labels": None}, "one-dimensional")
    columns = read_columns(
        y_true,
        scores,
        sample_weight=sample_weight,
        pos_label=pos_label,
        target_type=target_type,
        descending=descending,
        weights=weights,
        groups=groups,
    )
    estimate = ratio_estimate(columns, options)
    warn_of(columns, estimate)
    return estimate


def capture_rate_interval(  # noqa: PLR0913 -- options by keyword
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    fraction: float,
    confidence_level: float = 0.95,
    method: ShareMethod = "wilson",
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    weights: WeightKind = "sampling",
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
    n_resamples: int = 2000,
    random_state: RandomState = None,
) -> Estimate:
    """Estimate the share of the outcome captured in the best ``fraction`` of the rows.

    Needs SciPy (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Outcome and score, as in `cap_curve`.
    fraction : float
        Share of the population's weight selected, from 0 to 1.
    confidence_level : float, default=0.95
        From 0 to 1.
    method : {'wilson', 'bootstrap'}, default='wilson'
        'wilson' for 0/1 events: limits of a share, with as many trials as its variance
        stands for. 'bootstrap' for amounts and groups; it fails where nearly all events
        are captured.
    groups, sample_weight, weights
        As in `accuracy_ratio_interval`.
    pos_label, target_type, descending
        As in `capture_rate_score`.
    n_resamples, random_state
        As in `accuracy_ratio_interval`.

    Returns
    -------
    Estimate
        Limits do not leave what a perfect ranking reaches. ``p_value`` compares with a
        score that says nothing, and is nan with 'bootstrap'.

    Warns
    -----
    FewEventsWarning, UndefinedMetricWarning
        As in `accuracy_ratio_interval`.

    Raises
    ------
    CapcurveError
        As `capture_rate_score`, and if an option has no meaning for this input.
    MissingDependencyError
        SciPy is not installed.

    Notes
    -----
    The cut-off is estimated too, so the variance has a part from the events and one from
    the non-events above it, weighed by the event rate at the cut-off; that is the slope of
    the curve over a window that narrows as rows grow. Limits after Wilson (1927),
    doi:10.2307/2276774.

    Examples
    --------
    >>> from capcurve import capture_rate_interval
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> capture_rate_interval(loans["default"], loans["champion_pd"], fraction=0.1)
    capture rate at 10 % 0.426, 95 % interval 0.384 to 0.469 (wilson, 453 events,
    9,547 non-events)
    """
    check_fraction(fraction, "fraction")
    columns = read_columns(
        y_true,
        y_score,
        sample_weight=sample_weight,
        pos_label=pos_label,
        target_type=target_type,
        descending=descending,
        weights=weights,
        groups=groups,
    )
    options = Options(confidence_level, method, n_resamples, random_state)
    estimate = capture_estimate(columns, fraction, options)
    warn_of(columns, estimate)
    return estimate


def lift_interval(
    y_true: ArrayLike, y_score: ArrayLike, *, fraction: float, **options: Any
) -> Estimate:
    """Estimate cumulative lift in the best ``fraction`` of the rows.

    It is the capture rate by ``fraction``, and so are its limits.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Outcome and score, as in `cap_curve`.
    fraction : float
        Share of the population's weight selected, above 0 and up to 1.
    **options
        As in `capture_rate_interval`.

    Returns
    -------
    Estimate
        As of `capture_rate_interval`, divided by ``fraction``.

    Raises
    ------
    CapcurveError, MissingDependencyError
        As `capture_rate_interval`, and if ``fraction`` is outside of (0, 1].

    Examples
    --------
    >>> from capcurve import lift_interval
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> lift_interval(loans["default"], loans["champion_pd"], fraction=0.1)
    lift at 10 % 4.260, 95 % interval 3.842 to 4.690 (wilson, 453 events, 9,547
    non-events)
    """
    check_fraction(fraction, "fraction", above_zero=True)
    captured = capture_rate_interval(y_true, y_score, fraction=fraction, **options)
    return replace(
        captured,
        value=captured.value / fraction,
        standard_error=captured.standard_error / fraction,
        low=captured.low / fraction,
        high=captured.high / fraction,
        name=captured.name.replace("capture rate", "lift"),
    )


def ks_interval(  # noqa: PLR0913 -- options by keyword
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    confidence_level: float = 0.95,
    method: ShareMethod = "wilson",
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    weights: WeightKind = "sampling",
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
    n_resamples: int = 2000,
    random_state: RandomState = None,
) -> Estimate:
    """Estimate KS, the largest difference between the shares of events and non-events.

    Needs SciPy (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Outcome and score, as in `cap_curve`.
    confidence_level : float, default=0.95
        From 0 to 1.
    method : {'wilson', 'bootstrap'}, default='wilson'
        'wilson' for 0/1 events: limits of the difference of two shares at the cut-off
        that was found. 'bootstrap' for amounts and groups.
    groups, sample_weight, weights
        As in `accuracy_ratio_interval`.
    pos_label, target_type, descending
        As in `capture_rate_score`.
    n_resamples, random_state
        As in `accuracy_ratio_interval`.

    Returns
    -------
    Estimate
        ``p_value`` is that of the two-sample Kolmogorov-Smirnov test, exact for small
        samples without ties and cautious with ties; nan with 'bootstrap'.

    Warns
    -----
    FewEventsWarning, UndefinedMetricWarning
        As in `accuracy_ratio_interval`.

    Raises
    ------
    CapcurveError
        As `cap_curve`, and if an option has no meaning for this input.
    MissingDependencyError
        SciPy is not installed.

    Notes
    -----
    KS is the largest of many differences and therefore too high on average, the more so
    the fewer events there are; the limits are those at the cut-off found, and do not
    mend that. Newcombe (1998), method 10,
    doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I; the p-value after
    Hodges (1958), doi:10.1007/BF02589501.

    Examples
    --------
    >>> from capcurve import ks_interval
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> ks_interval(loans["default"], loans["champion_pd"])
    KS 0.433, 95 % interval 0.388 to 0.475 (wilson, 453 events, 9,547 non-events)
    """
    columns = read_columns(
        y_true,
        y_score,
        sample_weight=sample_weight,
        pos_label=pos_label,
        target_type=target_type,
        descending=descending,
        weights=weights,
        groups=groups,
    )
    options = Options(confidence_level, method, n_resamples, random_state)
    estimate = ks_estimate(columns, options)
    warn_of(columns, estimate)
    return estimate
