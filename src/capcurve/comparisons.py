"""Tests of accuracy ratios: on the same rows, of two samples, and over time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from capcurve._contrasts import (
    Difference,
    Question,
    TestMethod,
    check_question,
    chi_square,
    compare,
    difference_of,
    holm,
)
from capcurve._influence import influence_of_ratios
from capcurve._input import Columns, Label, TargetType, WeightKind, read_rivals
from capcurve.curve import refuse_constant
from capcurve.estimates import Alternative, Comparison, Estimate, p_text
from capcurve.exceptions import CapcurveError

__all__ = [
    "InitialComparison",
    "JointComparison",
    "accuracy_ratio_test",
    "accuracy_ratio_test_independent",
    "accuracy_ratio_test_initial",
    "accuracy_ratio_test_joint",
]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class JointComparison:
    """Whether several scores differ, jointly and pair by pair.

    Attributes
    ----------
    statistic : float
        Chi-square.
    degrees_of_freedom : int
        Its degrees of freedom: the rank of the contrasts' covariance.
    p_value : float
        Of the hypothesis that all contrasts are 0. nan where one without variance is not.
    ratios : mapping of str to float
        The accuracy ratio of each score.
    pairs : mapping of (str, str) to Comparison
        Each pair, its p-value as if it were the only one.
    p_holm : mapping of (str, str) to float
        The p-values of the pairs, adjusted for their number.

    See Also
    --------
    accuracy_ratio_test_joint : Makes one.

    Examples
    --------
    >>> from capcurve import accuracy_ratio_test_joint
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> scores = {name: loans[f"{name}_pd"] for name in ("champion", "challenger")}
    >>> accuracy_ratio_test_joint(loans["default"], scores).ratios
    {'champion': 0.57..., 'challenger': 0.5...}
    """

    statistic: float
    degrees_of_freedom: int
    p_value: float
    ratios: Mapping[str, float]
    pairs: Mapping[tuple[str, str], Comparison]
    p_holm: Mapping[tuple[str, str], float]

    def __repr__(self) -> str:
        ratios = ", ".join(f"{name} {ratio:.3f}" for name, ratio in self.ratios.items())
        return (
            f"AR {ratios}: chi-square {self.statistic:.3f} with "
            f"{self.degrees_of_freedom} degrees of freedom, {p_text(self.p_value)}"
        )


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class InitialComparison:
    """The ECB's test of a current against an initial AUC, and the two-sample test.

    Attributes
    ----------
    ecb : Comparison
        With the initial AUC taken as known.
    two_sample : Comparison or None
        With the variance of both; None where the initial one was not given.

    See Also
    --------
    accuracy_ratio_test_initial : Makes one.

    Examples
    --------
    >>> from capcurve import accuracy_ratio_interval, accuracy_ratio_test_initial
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> current = accuracy_ratio_interval(loans["default"], loans["champion_pd"])
    >>> round(accuracy_ratio_test_initial(current, initial_auc=0.8).ecb.statistic, 2)
    1.25
    """

    ecb: Comparison
    two_sample: Comparison | None

    def __repr__(self) -> str:
        tests = [self.ecb] if self.two_sample is None else [self.ecb, self.two_sample]
        return "\n".join(map(repr, tests))


def accuracy_ratio_test(  # noqa: PLR0913 -- options by keyword
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    method: TestMethod = "auto",
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    confidence_level: float = 0.95,
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    weights: WeightKind = "sampling",
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
) -> Comparison:
    """Test whether two scores of the same rows have the same accuracy ratio.

    Needs SciPy (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Outcome, as in `accuracy_ratio_score`.
    y_score_a, y_score_b : array-like of shape (n_samples,)
        The two scores; the difference is that of the first less that of the second.
    method : {'auto', 'delong', 'delong-t', 'eht'}, default='auto'
        - 'delong': the normal distribution;
        - 'delong-t': Student's t with Welch-Satterthwaite degrees of freedom;
        - 'auto': 'delong-t' where the rarer of events and non-events has fewer than 50
          rows (or groups), 'delong' otherwise;
        - 'eht': the unbiased variance; where it is negative DeLong's, with a warning.
    alternative : {'two-sided', 'greater', 'less'}, default='two-sided'
        'greater' for the first being better than the second.
    margin : float, default=0
        With a side: how much worse the first may be. ``alternative='greater'`` with a
        margin tests that it is not worse by more (non-inferiority), which is what
        replacing a model asks.
    confidence_level : float, default=0.95
        Of the interval of the difference, which has one limit where the test has a side.
    groups, sample_weight, weights
        As in `accuracy_ratio_interval`.
    pos_label, target_type, descending
        As in `accuracy_ratio_score`; ``descending`` holds for both scores.

    Returns
    -------
    Comparison
        The p-value is nan, not 0, where the variance is 0 and the difference is not.

    Warns
    -----
    UndefinedMetricWarning
        The variance of 'eht' is negative.

    Raises
    ------
    CapcurveError
        As `accuracy_ratio_score`; all outcomes are equal; or an option has no meaning for
        this input.
    MissingDependencyError
        SciPy is not installed.

    See Also
    --------
    accuracy_ratio_test_joint : Several scores.
    accuracy_ratio_test_independent : Scores of other rows.

    Notes
    -----
    Not for a model against another that it contains, fitted and compared on the same
    rows: there the difference is not normal and the test far too cautious (Demler, Pencina
    and D'Agostino, 2012, doi:10.1002/sim.5328). On the rows that a model was fitted on, its
    accuracy ratio is too high, whatever the test says.

    Variance of DeLong, DeLong and Clarke-Pearson (1988), doi:10.2307/2531595, of
    Engelmann, Hayden and Tasche (2003), "Testing rating accuracy", Risk 16(1), 82-86, and
    with groups of Obuchowski (1997), doi:10.2307/2533958.

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
    margin 0.02, delong, 453 events, 9,547 non-events)
    """
    question = Question(alternative, margin, confidence_level)
    check_question(question)
    rivals = read_rivals(
        y_true,
        {"y_score_a": y_score_a, "y_score_b": y_score_b},
        sample_weight=sample_weight,
        pos_label=pos_label,
        target_type=target_type,
        descending=descending,
        weights=weights,
        groups=groups,
    )
    refuse_constant(rivals[0], "the test")
    influence = influence_of_ratios(rivals)
    return compare(difference_of(influence, rivals, (0, 1), method), question)


def accuracy_ratio_test_joint(  # noqa: PLR0913 -- options by keyword
    y_true: ArrayLike,
    y_scores: Mapping[str, ArrayLike],
    *,
    contrasts: ArrayLike | None = None,
    method: TestMethod = "auto",
    confidence_level: float = 0.95,
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    weights: WeightKind = "sampling",
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
) -> JointComparison:
    """Test whether several scores of the same rows have the same accuracy ratio.

    Needs SciPy (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Outcome, as in `accuracy_ratio_score`.
    y_scores : mapping of str to array-like of shape (n_samples,)
        The scores by name; a dict or a data frame's columns.
    contrasts : array-like of shape (n_contrasts, n_scores), default=None
        Sums of the ratios that are 0 under the hypothesis. None: that all are equal.
    method, confidence_level, groups, sample_weight, weights
        As in `accuracy_ratio_test`, for the pairs.
    pos_label, target_type, descending
        As in `accuracy_ratio_score`.

    Returns
    -------
    JointComparison
        Chi-square of the contrasts, and all pairs with p-values after Holm. Scores that
        rank alike take a degree of freedom away; they are no error.

    Raises
    ------
    CapcurveError
        As `accuracy_ratio_test`; there are fewer than two scores; or ``contrasts`` has
        another number of columns.
    MissingDependencyError
        SciPy is not installed.

    Notes
    -----
    DeLong, DeLong and Clarke-Pearson (1988), doi:10.2307/2531595; Holm (1979), "A simple
    sequentially rejective multiple test procedure", Scandinavian Journal of Statistics
    6(2), 65-70. The caveats of `accuracy_ratio_test` hold.

    Examples
    --------
    >>> from capcurve import accuracy_ratio_test_joint
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> scores = {
    ...     name: loans[name] for name in ("champion_pd", "challenger_pd", "exposure")
    ... }
    >>> accuracy_ratio_test_joint(loans["default"], scores)
    AR champion_pd 0.573, challenger_pd 0.593, exposure 0.139: chi-square 205.070 with
    2 degrees of freedom, p < 0.001
    """
    question = Question(confidence_level=confidence_level)
    check_question(question)
    names = list(y_scores)
    if len(names) < 2:  # noqa: PLR2004 -- a comparison takes two
        raise CapcurveError(f"`y_scores` must hold at least two scores, got {names}")
    rivals = read_rivals(
        y_true,
        {f"y_scores[{name!r}]": y_scores[name] for name in names},
        sample_weight=sample_weight,
        pos_label=pos_label,
        target_type=target_type,
        descending=descending,
        weights=weights,
        groups=groups,
    )
    refuse_constant(rivals[0], "the test")
    return joint_comparison(names, rivals, contrasts, method, question)


def joint_comparison(
    names: Sequence[str],
    rivals: Sequence[Columns],
    contrasts: Any,
    method: TestMethod,
    question: Question,
) -> JointComparison:
    """Test scores of the same checked rows jointly and pair by pair."""
    n = len(names)
    factors = np.eye(n)[:-1] - np.eye(n)[1:]
    if contrasts is not None:
        factors = np.atleast_2d(np.asarray(contrasts, dtype=np.float64))
        if factors.shape[1] != n:
            raise CapcurveError(
                f"`contrasts` must have a column for each of the {n} scores, got shape "
                f"{factors.shape}"
            )
    influence = influence_of_ratios(rivals)
    statistic, rank, p_value = chi_square(influence.combined(factors))
    pairs = {
        (names[i], names[j]): compare(
            difference_of(influence, rivals, (i, j), method), question
        )
        for i, j in combinations(range(n), 2)
    }
    adjusted = holm([pair.p_value for pair in pairs.values()])
    return JointComparison(
        statistic=statistic,
        degrees_of_freedom=rank,
        p_value=p_value,
        ratios=dict(zip(names, influence.value.tolist(), strict=True)),
        pairs=pairs,
        p_holm=dict(zip(pairs, adjusted, strict=True)),
    )


def accuracy_ratio_test_independent(
    first: Estimate,
    second: Estimate,
    *,
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    confidence_level: float = 0.95,
) -> Comparison:
    """Test whether estimates from two samples without common rows are equal.

    Needs SciPy (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    first, second : Estimate
        Of the same kind, such as two of `accuracy_ratio_interval`. Each brings its own
        weights, groups and standard error.
    alternative, margin, confidence_level
        As in `accuracy_ratio_test`.

    Returns
    -------
    Comparison
        With Student's t after Welch and Satterthwaite.

    Raises
    ------
    CapcurveError
        The estimates are of different kinds, or an option has no meaning.
    MissingDependencyError
        SciPy is not installed.

    Notes
    -----
    Samples that share borrowers, such as two years of one portfolio, are not independent:
    what they have in common does not count towards the difference, and the p-value is
    too large.

    Examples
    --------
    >>> from capcurve import accuracy_ratio_interval, accuracy_ratio_test_independent
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> retail = loans["segment"] == "retail"
    >>> estimates = [
    ...     accuracy_ratio_interval(loans["default"][rows], loans["champion_pd"][rows])
    ...     for rows in (retail, loans["segment"] == "corporate")
    ... ]
    >>> accuracy_ratio_test_independent(*estimates)
    AR difference -0.042 (0.578 - 0.621), 95 % interval -0.163 to 0.078, p = 0.489
    (two-sided, two samples, 72 events, 908 non-events)
    """
    question = Question(alternative, margin, confidence_level)
    check_question(question)
    if first.name != second.name:
        raise CapcurveError(
            f"`first` is {first.name} and `second` {second.name}; compare estimates of the "
            "same kind"
        )
    variances = [first.standard_error**2, second.standard_error**2]
    free = sum(
        variance**2 / each.degrees_of_freedom
        for variance, each in zip(variances, (first, second), strict=True)
    )
    smaller = min(first, second, key=lambda each: each.n_events)
    difference = Difference(
        first.value,
        second.value,
        sum(variances),
        sum(variances) ** 2 / free if free > 0 else inf,
        "two samples",
        smaller.n_events,
        smaller.n_nonevents,
        first.name,
    )
    return compare(difference, question)


def accuracy_ratio_test_initial(
    current: Estimate,
    *,
    initial_auc: float,
    initial_variance: float | None = None,
    confidence_level: float = 0.95,
) -> InitialComparison:
    """Test whether AUC or gAUC has fallen since initial validation, as the ECB asks.

    Needs SciPy (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    current : Estimate
        Of the current period: of `accuracy_ratio_interval` for PD, of `somers_d_interval`
        or `somers_d_from_table` for LGD and CCF.
    initial_auc : float
        AUC (or gAUC) at initial validation, from 0 to 1. An AR is ``2 * AUC - 1``.
    initial_variance : float, default=None
        Its variance, if it is known: the ECB's ``s**2``, the square of the standard error
        on the scale of AUC.
    confidence_level : float, default=0.95
        Of the one-sided interval of the fall.

    Returns
    -------
    InitialComparison
        ``ecb`` is the statistic S of the ECB, one-sided, with the initial AUC taken as
        known; ``two_sample`` the same with the variance of both, or None.

    Raises
    ------
    CapcurveError
        ``initial_auc`` is no AUC, or ``initial_variance`` negative.
    MissingDependencyError
        SciPy is not installed.

    Notes
    -----
    European Central Bank (2019), Instructions for reporting the validation results of
    internal models, sections 2.5.4.1, 2.6.3.1 and 2.9.4.1, annexes 3.1 and 3.2:
    ``S = (AUC_initial - AUC_current) / s`` with ``p = 1 - Phi(S)``.

    An initial AUC from a sample is not known exactly, so that the ECB's test rejects too
    often: where nothing has changed, in about 10 % of cases instead of 5 % with 100
    defaults in each period, in about 20 % with 100 then and 400 now. The two-sample test
    keeps its level.

    Examples
    --------
    >>> from capcurve import accuracy_ratio_interval, accuracy_ratio_test_initial
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> current = accuracy_ratio_interval(loans["default"], loans["champion_pd"])
    >>> accuracy_ratio_test_initial(current, initial_auc=0.82, initial_variance=0.01**2)
    AUC difference 0.034 (0.820 - 0.786), 95 % lower limit 0.016, p = 0.001 (greater,
    ECB, 453 events, 9,547 non-events)
    AUC difference 0.034 (0.820 - 0.786), 95 % lower limit 0.009, p = 0.012 (greater,
    two samples, 453 events, 9,547 non-events)
    """
    question = Question("greater", confidence_level=confidence_level)
    check_question(question)
    if not 0 <= initial_auc <= 1:
        raise CapcurveError(
            f"`initial_auc` must be an AUC from 0 to 1, got {initial_auc!r}; that of an AR "
            "is (AR + 1) / 2"
        )
    if initial_variance is not None and not initial_variance >= 0:
        raise CapcurveError(
            f"`initial_variance` must not be negative, got {initial_variance!r}"
        )
    auc = current.to_auc()

    def against(variance: float, method: str) -> Comparison:
        total = auc.standard_error**2 + variance
        counts = current.n_events, current.n_nonevents
        return compare(
            Difference(initial_auc, auc.value, total, inf, method, *counts, auc.name),
            question,
        )

    return InitialComparison(
        ecb=against(0.0, "ECB"),
        two_sample=None
        if initial_variance is None
        else against(initial_variance, "two samples"),
    )
