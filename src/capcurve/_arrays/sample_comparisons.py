"""Tests that compare estimates of two samples, or of now and initial validation."""

from __future__ import annotations

from dataclasses import replace
from math import inf, isnan, sqrt

from capcurve._inference.comparison import (
    Hypothesis,
    InitialComparison,
    check_hypothesis,
    make_comparison,
)
from capcurve._inference.differences import (
    Difference,
    WaldDistances,
    compare_estimates,
    count_degrees_of_freedom,
)
from capcurve._inference.estimate import Comparison, Estimate
from capcurve._inference.influence import ROUNDING
from capcurve._inference.options import (
    FEW_ERROR_PAIRS,
    FEW_ERRORS,
    FEW_EVENTS,
    Alternative,
)
from capcurve._inference.reliability import (
    count_errors,
    explain_few_in_test,
    warn_if_unreliable_test,
)
from capcurve._inference.wording import TWO_SAMPLES, format_count
from capcurve._input.options import check_initial, show
from capcurve._public import public
from capcurve.exceptions import CapcurveError, FewEventsWarning, warn_caller

# Placements vary less than 0 and 1: m events may look like four times the trials.
AGAINST_INITIAL = "test against initial validation"
TRIALS_PER_EVENT = 4
MOST_ERRORS = 3  # that AUC rises by, beyond which its initial value is doubted


@public
def accuracy_ratio_test_independent(
    first: Estimate,
    second: Estimate,
    *,
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    confidence_level: float = 0.95,
) -> Comparison:
    """Test whether a statistic differs between two samples without common rows.

    Needs SciPy (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    first, second : Estimate
        Estimates of the same statistic, such as two results of `accuracy_ratio_interval`.
        Weights and clusters of a sample are accounted for in its standard error.
    alternative : {'two-sided', 'greater', 'less', 'equivalent'}, default='two-sided'
        Alternative hypothesis. 'greater': the first statistic exceeds the second; 'less':
        it falls short of it; 'equivalent': they differ by less than the margin.
    margin : float, default=0
        Margin of non-inferiority or equivalence, on the scale of the statistic.
        ``alternative='greater'`` with a margin tests that the first is not below the second
        by more than the margin.
    confidence_level : float, default=0.95
        Confidence level of the interval of the difference, strictly between 0 and 1. As in
        `accuracy_ratio_test`, a one-sided test has one limit, and one of equivalence both
        one-sided limits.

    Returns
    -------
    Comparison
        The difference, first minus second. AR, AUC and Somers' D are compared by the score
        method of `accuracy_ratio_test`, with Student's t; other statistics, such as capture
        rates and KS, by their limits. A perfectly ranked sample is not taken as known.
        The counts are those of the smaller sample.

    Warns
    -----
    FewEventsWarning
        If the smaller class of either sample effectively holds fewer than 20 rows, or
        amounts fewer than 20 effective pairs of rows; if that number (of amounts half of
        it) times the smaller of AUC and ``1 - AUC`` is below 5; or with fewer than 10
        degrees of freedom.

    Raises
    ------
    CapcurveError
        If the estimates are of different statistics, or an option is invalid.
    MissingDependencyError
        If SciPy is not installed.

    See Also
    --------
    accuracy_ratio_test : Compare two scores of the same rows.
    accuracy_ratio_test_initial : Compare with the AUC at initial validation.

    Notes
    -----
    Samples that share borrowers, such as two years of one portfolio, are not independent:
    their correlation is ignored, so the p-value is mostly too large. For AR of events
    `accuracy_ratio_test_segments` with the samples as segments, and ``clusters``, allows
    for it.

    AUC is compared by ``n_trials`` of its estimate, other statistics by the limits of
    Zou and Donner (2008), doi:10.1002/sim.3095. In simulations, a one-sided test of AR at a
    level of 5 % rejected 3 to 6 % of pairs of samples of equal weights with 20 to 500
    events; 0 to 7 % where it warns, and up to 10 % with weights that go with the score
    (see the page "Coverage of intervals and size of tests" of the documentation). The
    degrees of freedom are those of Satterthwaite (1946), doi:10.2307/3002019.

    Other programs give other p-values: pROC takes the rows of each sample less one in
    Welch's degrees of freedom, which are far too many with few events.

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
    AR difference -0.042 (0.578 - 0.621), 95 % interval -0.156 to 0.087, p = 0.501
    (two-sided, two samples, one with 72 events and 908 non-events)
    """
    hypothesis = Hypothesis(alternative, margin, confidence_level)
    check_hypothesis(hypothesis)
    check_estimates(first=first, second=second)
    if first.name != second.name:
        raise CapcurveError(
            "`first` and `second` must estimate the same statistic, got "
            f"{first.name} and {second.name}; pass two estimates of the same kind"
        )
    difference = compare_estimates(first, second, TWO_SAMPLES)
    comparison = make_comparison(difference, hypothesis)
    warn_if_unreliable_test(comparison)
    return comparison


@public
def accuracy_ratio_test_initial(
    current: Estimate,
    *,
    initial_auc: float,
    initial_variance: float | None = None,
    confidence_level: float = 0.95,
) -> InitialComparison:
    """Test whether AUC or gAUC has fallen since initial validation, as the ECB requires.

    Needs SciPy (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    current : Estimate
        Estimate of the current period: of `accuracy_ratio_interval` for PD, of
        `somers_d_interval` or `somers_d_from_table` for LGD and CCF.
    initial_auc : float
        AUC (or gAUC) at initial validation, from 0 to 1: ``(AR + 1) / 2``.
    initial_variance : float, default=None
        Variance of ``initial_auc``, if known: the ECB's ``s**2`` at that time, which is
        the square of the standard error on the scale of AUC.
    confidence_level : float, default=0.95
        Confidence level of the lower limit of the fall, strictly between 0 and 1.

    Returns
    -------
    InitialComparison
        ``ecb`` is the ECB's one-sided test, with statistic S, that takes the initial AUC as
        known. ``two_sample`` is the same test with the variances of both periods, or None
        without ``initial_variance``. A p-value is nan if the variance is 0 or nan.

    Raises
    ------
    CapcurveError
        If ``current`` is the AR of amounts, or an AUC already; if ``initial_auc`` is
        outside of [0, 1]; if ``initial_variance`` is negative, nan, or larger than the
        variance of any AUC of that size; or if ``confidence_level`` is not between 0 and 1.
    MissingDependencyError
        If SciPy is not installed.

    Warns
    -----
    FewEventsWarning
        If ``initial_variance`` is that of fewer than about 20 events, or the current sample
        is small as in `accuracy_ratio_test_independent`, with ``initial_variance`` or not.
    UserWarning
        If ``initial_auc`` may be an AR: AUC is above it by more than three standard errors,
        and less than half as far from ``(initial_auc + 1) / 2``.

    See Also
    --------
    accuracy_ratio_test_independent : Compare two estimates, each with its own variance.

    Notes
    -----
    European Central Bank (2019), Instructions for reporting the validation results of
    internal models, sections 2.5.4.1, 2.6.3.1 and 2.9.4.1, annexes 3.1 and 3.2:
    ``S = (AUC_initial - AUC_current) / s`` with ``p = 1 - Phi(S)``, where s is the standard
    error of the current AUC.

    An initial AUC that comes from a sample is not known exactly, so the ECB's test rejects
    too often. In simulations without any change it rejected 9 to 11 % of samples at a level
    of 5 % with 100 defaults in each period, and 23 to 29 % with 100 defaults initially and
    500 now; the two-sample test, by the score method of `accuracy_ratio_test_independent`,
    rejected 4 to 6 % (see the page "Coverage of intervals and size of tests" of the
    documentation).

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
    two samples, one with 453 events and 9,547 non-events)
    """
    hypothesis = Hypothesis("greater", confidence_level=confidence_level)
    check_hypothesis(hypothesis)
    check_estimates(current=current)
    check_initial(initial_auc, initial_variance)
    auc = current.to_auc()

    ecb = Difference(
        first=initial_auc,
        second=auc.value,
        standard_error=auc.standard_error,
        degrees_of_freedom=inf,
        method="ECB",
        class_counts=(current.n_events, current.n_nonevents),
        distances=WaldDistances(auc.standard_error),
        name=auc.name,
        largest=1.0,
        n_effective=auc.n_effective,
        n_errors=count_errors(auc),
    )
    if may_be_ratio(initial_auc, auc.value, auc.standard_error):
        warn_caller(
            f"{auc.name} is above the initial one by more than three standard errors: "
            f"{ask_for_ratio(initial_auc, auc.name)}",
            UserWarning,
        )
    found, two_sample = make_comparison(ecb, hypothesis), None
    df = count_degrees_of_freedom(auc)
    if initial_variance is None:
        if not isnan(found.p_value):  # otherwise no test was made
            warn_if_unreliable_test(found, df, f"the ECB's {AGAINST_INITIAL}")
    else:
        known = make_initial_estimate(auc, initial_auc, initial_variance)
        two_sample = make_comparison(compare_estimates(known, auc, TWO_SAMPLES), hypothesis)
        warn_of_initial(known)
        own = replace(two_sample, n_effective=auc.n_effective, n_errors=count_errors(auc))
        warn_of_both_tests(found, df, own)
    return InitialComparison(ecb=found, two_sample=two_sample, degrees_of_freedom=df)


def may_be_ratio(initial_auc: float, current: float, error: float) -> bool:
    """Whether an initial AUC may be an AR: as such it would be much nearer to that of now.

    AUC is above the initial one by more than three standard errors, and less than half as
    far from ``(initial_auc + 1) / 2``.
    """
    rise = current - initial_auc
    distance = abs((initial_auc + 1) / 2 - current)
    return rise > MOST_ERRORS * error and 2 * distance < rise - ROUNDING  # equal at AUC 1


def ask_for_ratio(initial_auc: float, name: str) -> str:
    """Ask whether an initial AUC is an AR, or an initial gAUC a Somers' D."""
    symbol = "AR" if name == "AUC" else "D"
    ratio = "an AR" if name == "AUC" else "a Somers' D"
    article = "an" if name == "AUC" else "a"
    return (
        f"is {initial_auc:g} {ratio}? As {article} {name} it is ({symbol} + 1) / 2 = "
        f"{(initial_auc + 1) / 2:g}"
    )


def make_initial_estimate(current: Estimate, auc: float, variance: float) -> Estimate:
    """Make an estimate of the initial AUC, whose sample is known by its variance only."""
    n_events = count_initial_events(auc, variance)
    return replace(
        current,
        value=auc,
        low=auc,
        high=auc,
        standard_error=sqrt(variance),
        n_trials=n_events * TRIALS_PER_EVENT,
        n_effective=n_events,
        degrees_of_freedom=inf,
    )


def count_initial_events(auc: float, variance: float) -> float:
    """Return about how many events have an AUC of that variance."""
    trials = max(auc * (1 - auc), variance) / variance if variance > 0 else inf
    n_events = trials / TRIALS_PER_EVENT
    whole = round(n_events, 9)  # 20, not 19.999...; all digits of what is not whole
    return whole if whole == inf or whole.is_integer() else n_events


def warn_of_both_tests(ecb: Comparison, df: float, two_sample: Comparison) -> None:
    """Warn of tests that may not keep their level; once, if both have the same reason."""
    of_ecb = "" if isnan(ecb.p_value) else explain_few_in_test(ecb, df)
    if of_ecb and of_ecb == explain_few_in_test(two_sample):
        warn_if_unreliable_test(two_sample, name=f"each {AGAINST_INITIAL}")
        return
    warn_if_unreliable_test(two_sample, name=f"the two-sample {AGAINST_INITIAL}")
    if of_ecb:
        warn_if_unreliable_test(ecb, df, f"the ECB's {AGAINST_INITIAL}")


def warn_of_initial(known: Estimate) -> None:
    """Warn of an initial variance that is that of few events, or a standard error."""
    is_event = known.name == "AUC"
    if known.n_effective >= FEW_EVENTS:
        if (n_errors := round(count_errors(known), 9)) < FEW_ERRORS:
            found = f"{n_errors:.2g} wrongly ranked events (fewer than {FEW_ERRORS})"
            if not is_event:
                found = f"{2 * n_errors:.2g} wrongly ranked pairs of rows (fewer than "
                found += f"{FEW_ERROR_PAIRS})"
            warn_caller(
                f"`initial_variance` is that of about {found}, so the test may not keep "
                "its level",
                FewEventsWarning,
            )
        return
    n_units = format_count(
        max(1, round(known.n_effective)), "event" if is_event else "pair"
    )
    n_units += "" if is_event else " of equal rows"
    warn_caller(
        f"`initial_variance` is that of about {n_units} (fewer than {FEW_EVENTS}; the "
        f"standard error would be {known.standard_error:.3g}), so the test finds large "
        "decreases only and may not keep its level; check that it is the squared standard "
        "error of the initial AUC",
        FewEventsWarning,
    )


def check_estimates(**estimates: object) -> None:
    """Raise unless each value is an estimate."""
    for name, value in estimates.items():
        if not isinstance(value, Estimate):
            raise CapcurveError(
                f"`{name}` must be an Estimate, got {show(value)}; pass the result of a "
                "function such as `accuracy_ratio_interval`"
            )
