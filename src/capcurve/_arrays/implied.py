"""The accuracy ratio that probabilities imply, and its test, from arrays."""

from __future__ import annotations

from math import isnan

import numpy as np
from numpy.typing import ArrayLike

from capcurve._inference.expected_ratio import compute_implied_ratio
from capcurve._inference.implied import (
    FEW_ERRORS,
    ImpliedComparison,
    ImpliedOptions,
    check_implied_options,
    compare_with_implied,
    count_errors,
    explain_undefined,
    has_few_errors,
)
from capcurve._inference.options import Side
from capcurve._input.columns import Columns
from capcurve._input.dtypes import Label, WeightKind
from capcurve._input.options import check_flags
from capcurve._input.probability import read_probabilities, refuse_impossible
from capcurve._input.reading import read_paired_scores, read_rows
from capcurve._input.score import read_score
from capcurve._public import public
from capcurve._tally.dtypes import FloatArray
from capcurve.exceptions import (
    CapcurveError,
    FewEventsWarning,
    UndefinedMetricWarning,
    warn_caller,
)


@public
def implied_accuracy_ratio_score(
    y_prob: ArrayLike,
    *,
    y_score: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    descending: bool = True,
) -> float:
    """Compute the accuracy ratio that probabilities imply, without any outcome.

    It is the AR to expect if each row has an event with its probability, independently of
    all others: what PDs promise of their own discrimination. It depends on the portfolio
    too: PDs that are spread further imply a higher AR.

    Parameters
    ----------
    y_prob : array-like of shape (n_samples,)
        Probability of an event of each row, such as a PD, from 0 to 1.
    y_score : array-like of shape (n_samples,), default=None
        Score that ranks the rows, such as a rating grade; higher values rank first. Pairs
        of rows with equal scores count 0. By default the probabilities rank.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weight of each row. A weight of 2 is equivalent to listing the row
        twice, a weight of 0 to leaving it out. By default every row weighs 1.
    descending : bool, default=True
        Whether high values of ``y_score`` rank first. Pass False for a scorecard on which a
        low score means high risk; only with ``y_score``, as high probabilities rank first.

    Returns
    -------
    float
        Implied accuracy ratio, from -1 to 1; 0 if all scores are equal.

    Raises
    ------
    CapcurveError
        If ``y_prob`` holds numbers below 0 or above 1, or nothing but 0 and 1; if the data
        are empty, differ in length or hold missing values; if scores are not numbers; if a
        weight is negative or infinite, or all weights are 0; or if ``descending`` is passed
        without ``y_score``.

    See Also
    --------
    accuracy_ratio_test_implied : Test whether the observed AR agrees with the implied one.
    accuracy_ratio_score : The accuracy ratio of outcomes.

    Notes
    -----
    With ``R`` the weight ranked below a row less the weight ranked above it, among all
    rows, and ``W`` the total weight, AR equals ``sum(w * y * R) / (M * (W - M))`` with
    ``M = sum(w * y)``, as pairs of two events cancel. The implied AR has the probabilities
    in place of ``y``; with ``p`` as the score and no ties it is ``2 * c - 1`` of the
    model-based concordance ``c`` of van Klaveren, Gonen, Steyerberg and Vergouwe (2016),
    "A new concordance measure for risk prediction models in external validation settings",
    Statistics in Medicine 35(23), 4136-4152, doi:10.1002/sim.6997. See also Tasche (2009),
    "Estimating discriminatory power and PD curves when the number of defaults is small",
    arXiv:0905.3928.

    Examples
    --------
    >>> from capcurve import implied_accuracy_ratio_score
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> round(implied_accuracy_ratio_score(loans["champion_pd"]), 3)
    0.69
    """
    refuse_direction(y_score, descending=descending)
    given = name_scores(y_prob, y_score)
    arrays, weights = read_rows(given, sample_weight, "sampling", None)
    scores = {name: read_score(array, name) for name, array in arrays.items()}
    probability = read_probabilities(scores["y_prob"], "y_prob", "`y_score`")
    score = scores.get("y_score", probability)
    columns = Columns(np.zeros(len(score), dtype=np.bool_), score, weights, descending)
    return compute_implied_ratio(probability, columns)


@public
def accuracy_ratio_test_implied(  # noqa: PLR0913 -- options by keyword
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    y_score: ArrayLike | None = None,
    shift: bool = True,
    alternative: Side = "two-sided",
    confidence_level: float = 0.95,
    clusters: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    weights: WeightKind = "sampling",
    pos_label: Label | None = None,
    descending: bool = True,
) -> ImpliedComparison:
    """Test whether the accuracy ratio is the one that probabilities promise.

    Answers "is this AR as good as these PDs allow?", without a past sample to compare with.
    An AR below the implied one means that PDs differ more than risks do (overconfident); an
    AR above it that they differ less. Needs SciPy (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Outcome: 0/1, -1/1 or boolean events; other class labels, with ``pos_label``.
    y_prob : array-like of shape (n_samples,)
        Probability of an event of each row, such as a PD, from 0 to 1.
    y_score : array-like of shape (n_samples,), default=None
        Score that ranks the rows, such as a rating grade; higher values rank first. Pairs
        of rows with equal scores count 0. By default the probabilities rank.
    shift : bool, default=True
        Whether one number is first added to the log-odds of all probabilities, so that they
        add up to the events. The test is then about discrimination only, not about the
        level. It is one number for all rows: a shock that moves all log-odds alike does not
        matter if all rows had the same one. Rows of several years did not, so test each
        year alone (see Notes). If False the probabilities are taken as given, and the
        limits hold over samples with any number of events. That is no test of the level
        either, which hardly moves AR: compare ``expected_events`` with ``n_events``.
    alternative : {'two-sided', 'greater', 'less'}, default='two-sided'
        Alternative hypothesis. 'less': the accuracy ratio falls short of the implied one,
        the question of a validation; 'greater': it exceeds it.
    confidence_level : float, default=0.95
        Probability of an accuracy ratio within ``low`` and ``high`` if the probabilities
        are right, strictly between 0 and 1. The range of a one-sided test has one limit;
        the other is -1 or 1.
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
    descending : bool, default=True
        Whether high values of ``y_score`` rank first. Pass False for a scorecard on which a
        low score means high risk; only with ``y_score``, as high probabilities rank first.

    Returns
    -------
    ImpliedComparison
        Observed and implied AR, the range in which AR lies if the probabilities are right,
        and the test. All are nan if all outcomes are equal. The p-value is nan if no other
        AR was possible, as with equal scores.

    Warns
    -----
    FewEventsWarning
        If ``min(m, n) * min(AUC, 1 - AUC)`` is below 2, with m events, n non-events (or
        clusters; with weights, effective numbers) and the AUC of the implied AR: about so
        many events are expected on the wrong side. The test may then miss its level, most
        of all if few rows with high probabilities hold nearly all events.
    UndefinedMetricWarning
        If the p-value is nan.

    Raises
    ------
    CapcurveError
        If ``y_prob`` holds numbers below 0 or above 1, nothing but 0 and 1, 0 for an event
        or 1 for a non-event; if the data are empty, differ in length or hold missing
        values; if scores are not numbers; if a weight is negative or infinite, or all
        weights are 0; if labels require ``pos_label``; or if an option is invalid or does
        not apply to this input.
    MissingDependencyError
        If SciPy is not installed.

    See Also
    --------
    implied_accuracy_ratio_score : The implied AR alone, which needs no outcome.
    accuracy_ratio_interval : The observed AR with its confidence interval.
    compare_implied : The same for columns of a data frame.

    Notes
    -----
    Events are taken to be independent given the probabilities, but for ``clusters``. A
    single shock that moves the log-odds of all rows alike does no harm with ``shift``. That
    of the one-factor model of Basel moves them unequally, and right through-the-cycle PDs
    are rejected too often: in good and average years by 'two-sided' and 'greater', in a
    recession by 'two-sided' and 'less'. In simulations with correlation 0.12 and 3,000 rows
    of 2 % PD on average, 'less' rejected at 5 % in 0.5 % of samples of an average year,
    6 % in the worst of 6 years, 22 % in the worst of 20 and 63 % in the worst of 100. Do
    not conclude from this test with a single year of recession; the page "How intervals and
    tests are computed" of the documentation has the table.

    Several years in one sample have a shock each, of which ``shift`` removes the mean
    alone: AR tends to lie below the implied one, and 'less', too, rejects too often. With
    five years of 3,000 rows it rejected in 21 % of samples where each year moved all
    log-odds alike (standard deviation 1), and in 11 % by the one-factor model. Test each
    year alone, with p-values adjusted for the number of years: 4 % and 9 % (any year, by
    Holm's method).

    Probabilities that were fitted on the same rows imply an AR that is too close to the
    observed one.

    In simulations of 9 kinds of PDs with 18 to 300 events, 'two-sided' rejected 4.4 to
    6.2 %, 'less' 4.1 to 5.5 % and 'greater' 4.5 to 6.8 % at a level of 5 % where there is
    no warning, without ``shift`` 'two-sided' up to 6.3 %; with the slope of all log-odds
    0.7 instead of 1, 'less' found it in 44, 75 and 99 % of samples of 20, 50 and 200
    events.

    AR equals ``sum(w * y * R) / (M * (W - M))``, with ``R`` the weight ranked below a row
    less the weight ranked above it among all rows, ``W`` the total weight and
    ``M = sum(w * y)``. The implied AR has the probabilities ``p`` in place of ``y``. With
    ``shift`` they add up to ``M``, and the variance is
    ``sum(w**2 * p * (1 - p) * (R - c)**2) / (M * (W - M))**2`` with ``c`` the mean of ``R``
    by the weights ``w * p * (1 - p)``: for equal weights that of Hajek (1964),
    doi:10.1214/aoms/1177700375, for samples of ``M`` events, whose law does not depend on
    the shift. The mean has a term of second order, so that it is right up to
    ``1 / sum(p * (1 - p))**2``, the variance up to ``1 / sum(p * (1 - p))``. Without
    ``shift`` both are those of an expansion in all ``y``, to second and first order. With
    ``clusters`` the variance is multiplied by a design effect, at least 1: the sum of the
    squared residuals of clusters over that of rows. The distribution of ``(1 + AR) / 2`` is
    taken to be beta with this mean and variance, which has about the right skewness. The
    p-value is a tail of it, and ``(1 + low) / 2`` and ``(1 + high) / 2`` are its quantiles,
    each allowing for half a step of AUC, ``1 / (2 * m * n)``.

    The implied AR is the model-based concordance of van Klaveren, Gonen, Steyerberg and
    Vergouwe (2016), doi:10.1002/sim.6997, on the scale of AR; see also Tasche (2009),
    arXiv:0905.3928.

    Examples
    --------
    >>> from capcurve import accuracy_ratio_test_implied
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> last = loans["year"] == 2024
    >>> accuracy_ratio_test_implied(
    ...     loans["default"][last], loans["champion_pd"][last], alternative="less"
    ... )
    AR 0.569, implied 0.694, 95 % lower limit 0.635 if the probabilities are right,
    p < 0.001 (less, shift -0.116, 116 events, 2,332 non-events, 127.3 events expected)
    """
    options = ImpliedOptions(shift, alternative, confidence_level)
    check_implied_options(options)
    refuse_direction(y_score, descending=descending)
    read = read_paired_scores(
        y_true,
        name_scores(y_prob, y_score),
        sample_weight=sample_weight,
        pos_label=pos_label,
        target_type="binary",
        descending=descending,
        weights=weights,
        clusters=clusters,
    )
    probability = read_probabilities(read[0].score, "y_prob", "`y_score`")
    refuse_impossible(probability, read[0].target, "y_prob")
    return compare_and_warn(probability, read[-1], options)


def compare_and_warn(
    probability: FloatArray, columns: Columns, options: ImpliedOptions
) -> ImpliedComparison:
    """Compare with the implied AR; warn if that is undefined or based on few events."""
    found = compare_with_implied(probability, columns, options)
    if isnan(found.p_value):
        warn_caller(
            "the test of the implied accuracy ratio is undefined and set to nan: "
            f"{explain_undefined(columns)}",
            UndefinedMetricWarning,
        )
    if has_few_errors(found, columns):
        warn_caller(
            f"the test expects {count_errors(found, columns):.2g} rows of the minority "
            f"class on the wrong side; with fewer than {FEW_ERRORS} it may miss its level",
            FewEventsWarning,
        )
    return found


def name_scores(y_prob: ArrayLike, y_score: ArrayLike | None) -> dict[str, ArrayLike]:
    """Name the probabilities and, last, what ranks the rows if something else does."""
    ranking = {} if y_score is None else {"y_score": y_score}
    return {"y_prob": y_prob, **ranking}


def refuse_direction(y_score: ArrayLike | None, *, descending: bool) -> None:
    """Raise if probabilities that rank rows are to run the other way."""
    check_flags(descending=descending)
    if y_score is None and not descending:
        raise CapcurveError(
            "`descending=False` requires `y_score`, got None, so that high probabilities "
            "rank first; pass the score that runs the other way"
        )
