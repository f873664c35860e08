"""Tests that compare estimates of two samples, or of now and initial validation."""

from __future__ import annotations

from math import inf

from capcurve._inference.comparison import (
    Hypothesis,
    InitialComparison,
    check_hypothesis,
    make_comparison,
)
from capcurve._inference.contrasts import Difference
from capcurve._inference.estimate import Comparison, Estimate
from capcurve._inference.options import Alternative
from capcurve._input.options import is_real, show
from capcurve._public import public
from capcurve.exceptions import CapcurveError


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
    alternative : {'two-sided', 'greater', 'less'}, default='two-sided'
        Alternative hypothesis. 'greater': the first statistic exceeds the second; 'less':
        it falls short of it.
    margin : float, default=0
        Non-inferiority margin, for one-sided tests only, on the scale of the statistic.
        ``alternative='greater'`` with a margin tests that the first is not below the second
        by more than the margin.
    confidence_level : float, default=0.95
        Confidence level of the interval of the difference, strictly between 0 and 1.

    Returns
    -------
    Comparison
        The difference, first minus second, with a test by Student's t with
        Welch-Satterthwaite degrees of freedom. The counts are those of the sample with
        fewer events. If both standard errors are 0, a two-sided p-value is 1 for equal
        estimates and any other is nan; so is every p-value if a standard error is nan.

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
    their positive correlation is ignored, so the p-value is too large.

    An estimate whose standard error is 0, such as the AR of a perfectly ranked sample, is
    treated as known exactly; the p-value is then too small.

    The degrees of freedom are those of Satterthwaite (1946), doi:10.2307/3002019, and
    Welch (1947), doi:10.1093/biomet/34.1-2.28.

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
    hypothesis = Hypothesis(alternative, margin, confidence_level)
    check_hypothesis(hypothesis)
    check_estimates(first=first, second=second)
    if first.name != second.name:
        raise CapcurveError(
            "`first` and `second` must estimate the same statistic, got "
            f"{first.name} and {second.name}; pass two estimates of the same kind"
        )
    variances = [first.standard_error**2, second.standard_error**2]
    welch = sum(
        variance**2 / estimate.degrees_of_freedom
        for variance, estimate in zip(variances, (first, second), strict=True)
    )
    smaller = min(first, second, key=lambda estimate: estimate.n_events)
    difference = Difference(
        first.value,
        second.value,
        variance=sum(variances),
        degrees_of_freedom=sum(variances) ** 2 / welch if welch > 0 else inf,
        method="two samples",
        n_events=smaller.n_events,
        n_nonevents=smaller.n_nonevents,
        name=first.name,
    )
    return make_comparison(difference, hypothesis)


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
        If ``current`` is the AR of amounts; if ``initial_auc`` is outside of [0, 1]; if
        ``initial_variance`` is negative or nan; or if ``confidence_level`` is not between
        0 and 1.
    MissingDependencyError
        If SciPy is not installed.

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
    too often. In simulations without any change it rejected 10 % of samples at a level of
    5 % with 100 defaults in each period, and 21 % with 100 defaults initially and 400 now;
    the two-sample test rejected 4 to 6 % (benchmarks/coverage.py).

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
    hypothesis = Hypothesis("greater", confidence_level=confidence_level)
    check_hypothesis(hypothesis)
    check_estimates(current=current)
    if not is_real(initial_auc) or not 0 <= initial_auc <= 1:
        raise CapcurveError(
            f"`initial_auc` must be an AUC from 0 to 1, got {show(initial_auc)}; convert "
            "an AR by (AR + 1) / 2"
        )
    if initial_variance is not None and not (
        is_real(initial_variance) and 0 <= initial_variance <= 1
    ):
        raise CapcurveError(
            "`initial_variance` must not be negative or above 1, got "
            f"{show(initial_variance)}; pass the squared standard error of the initial AUC"
        )
    auc = current.to_auc()

    def compare(initial_variance: float, method: str) -> Comparison:
        difference = Difference(
            initial_auc,
            auc.value,
            variance=auc.standard_error**2 + initial_variance,
            degrees_of_freedom=inf,
            method=method,
            n_events=current.n_events,
            n_nonevents=current.n_nonevents,
            name=auc.name,
        )
        return make_comparison(difference, hypothesis)

    two_sample = None
    if initial_variance is not None:
        two_sample = compare(initial_variance, "two samples")
    return InitialComparison(ecb=compare(0.0, "ECB"), two_sample=two_sample)


def check_estimates(**estimates: object) -> None:
    """Raise unless each value is an estimate."""
    for name, value in estimates.items():
        if not isinstance(value, Estimate):
            raise CapcurveError(
                f"`{name}` must be an Estimate, got {show(value)}; pass the result of a "
                "function such as `accuracy_ratio_interval`"
            )
