"""Covariances of accuracy ratios on the same rows -> tests of their differences."""

from collections.abc import Sequence
from math import inf, nan, sqrt
from typing import Literal, NamedTuple, get_args

import numpy as np

from capcurve import _limits
from capcurve._engines import arrays
from capcurve._engines.concordance import concordance_by_row
from capcurve._influence import Influence
from capcurve._input import Columns
from capcurve._precision import check_level, counts_of, smallest_class
from capcurve.estimates import Alternative, Comparison
from capcurve.exceptions import CapcurveError, UndefinedMetricWarning, warn_caller

TestMethod = Literal["auto", "delong", "delong-t", "eht"]

T_BELOW = 50  # events below which Student's t keeps the level better than the normal


class Question(NamedTuple):
    """What a test asks of a difference."""

    alternative: Alternative = "two-sided"
    margin: float = 0.0
    confidence_level: float = 0.95


class Difference(NamedTuple):
    """Two numbers, and how certain their difference is."""

    first: float
    second: float
    variance: float
    degrees_of_freedom: float
    method: str
    n_events: int
    n_nonevents: int
    name: str = "AR"


def check_question(question: Question) -> None:
    """Refuse alternatives that there are not, and margins without a side."""
    check_level(question.confidence_level)
    if question.alternative not in get_args(Alternative):
        raise CapcurveError(
            "`alternative` must be 'two-sided', 'greater' or 'less', got "
            f"{question.alternative!r}"
        )
    if question.margin < 0:
        raise CapcurveError(f"`margin` must not be negative, got {question.margin!r}")
    if question.margin and question.alternative == "two-sided":
        raise CapcurveError(
            "`margin` says how much worse one score may be and needs a side: "
            "`alternative='greater'` tests that the first is not worse by more than it"
        )


def compare(difference: Difference, question: Question) -> Comparison:
    """Test a difference and find its limits."""
    value = difference.first - difference.second
    error, free = sqrt(difference.variance), difference.degrees_of_freedom
    allowed = {"greater": -question.margin, "less": question.margin, "two-sided": 0.0}
    statistic = p_value = nan
    if error > _limits.NO_ERROR:
        statistic = (value - allowed[question.alternative]) / error
        p_value = {
            "greater": _limits.below(-statistic, free),
            "less": _limits.below(statistic, free),
            "two-sided": _limits.two_sided(statistic, free),
        }[question.alternative]
    elif abs(value) + error <= _limits.NO_ERROR and question.alternative == "two-sided":
        statistic, p_value = 0.0, 1.0
    low, high = limits_of(value, error, free, difference, question)
    return Comparison(
        value=value,
        standard_error=error,
        low=low,
        high=high,
        confidence_level=question.confidence_level,
        method=difference.method,
        n_events=difference.n_events,
        n_nonevents=difference.n_nonevents,
        p_value=p_value,
        statistic=statistic,
        degrees_of_freedom=free,
        alternative=question.alternative,
        margin=question.margin,
        first=difference.first,
        second=difference.second,
        name=difference.name,
    )


def limits_of(
    value: float, error: float, free: float, difference: Difference, question: Question
) -> tuple[float, float]:
    """Find the limits of a difference: one of them, if the test has a side."""
    if abs(value) > _limits.NO_ERROR and not error > _limits.NO_ERROR:
        return nan, nan
    most = 1.0 if "AUC" in difference.name else 2.0
    both = question.alternative == "two-sided"
    level = question.confidence_level
    reach = _limits.quantile((1 + level) / 2 if both else level, free) * error
    low = -most if question.alternative == "less" else max(-most, value - reach)
    high = most if question.alternative == "greater" else min(most, value + reach)
    return low, high


def difference_of(
    influence: Influence, rivals: Sequence[Columns], pair: tuple[int, int], method: str
) -> Difference:
    """Take the difference of two of the numbers with its variance."""
    if method not in get_args(TestMethod):
        allowed = ", ".join(map(repr, get_args(TestMethod)))
        raise CapcurveError(f"`method` must be one of {allowed}, got {method!r}")
    columns = rivals[0]
    if method == "auto":
        method = "delong-t" if smallest_class(columns) < T_BELOW else "delong"
    contrast = np.zeros((1, len(influence.value)))
    contrast[0, list(pair)] = (1.0, -1.0)
    covariance = influence.combined(contrast).covariance
    variance = covariance.variance()
    if method == "eht":
        unbiased = variance - interaction(influence, rivals, pair)
        if unbiased < 0:
            warn_caller(
                f"the EHT variance of the difference is negative ({unbiased:.3g}), which "
                "its formula allows in small samples; DeLong's is used instead",
                UndefinedMetricWarning,
            )
            method = "delong"
        else:
            variance = unbiased
    free = covariance.degrees_of_freedom()
    first, second = influence.value[list(pair)].tolist()
    return Difference(
        first,
        second,
        variance,
        free if method == "delong-t" else inf,
        method,
        *counts_of(columns),
    )


def interaction(
    influence: Influence, rivals: Sequence[Columns], pair: tuple[int, int]
) -> float:
    """Find by how much DeLong's variance of a difference exceeds the unbiased one.

    Of the kernel, the difference of two signs for each pair of rows, it is the mean square
    that neither the event nor the non-event explains, by the number of pairs.
    """
    first, second = (rivals[number] for number in pair)
    if not first.has_events or first.weight is not None or first.cluster is not None:
        raise CapcurveError(
            "`method='eht'` holds for 0/1 events in independent rows without weights; "
            "'delong' holds for weights, groups and amounts too"
        )
    event = first.target
    both = concordance_by_row(first.score, second.score, (~event).astype(np.float64))
    untied = [arrays.pair_counts(each).untied for each in (first, second)]
    squares = sum(untied) - 2 * float(both[event].sum())
    psi = influence.psi[pair[0]] - influence.psi[pair[1]]
    value = float(influence.value[pair[0]] - influence.value[pair[1]])
    m, n = counts_of(first)
    if 1 in (m, n):
        return nan
    rows, columns = m * psi[event] + value, n * psi[~event] + value
    rest = squares - n * (rows @ rows) - m * (columns @ columns) + m * n * value**2
    return float(rest / ((m - 1) * (n - 1)) / (m * n))


def chi_square(influence: Influence) -> tuple[float, int, float]:
    """Test that all numbers are 0: statistic, rank, and p-value.

    Numbers without variance are no contradiction where they are 0, and leave no test where
    they are not.
    """
    differences, covariance = influence.value, influence.covariance.matrix
    if not np.isfinite(covariance).all():
        return nan, 0, nan
    if np.abs(covariance).max() < _limits.NO_ERROR**2:
        covariance = np.zeros_like(covariance)
    inverse = np.linalg.pinv(covariance, rcond=1e-10, hermitian=True)
    rank = int(np.linalg.matrix_rank(inverse, hermitian=True))
    unexplained = differences - covariance @ inverse @ differences
    if np.abs(unexplained).max() > np.sqrt(_limits.NO_ERROR):
        return nan, rank, nan
    statistic = float(differences @ inverse @ differences)
    if not rank:
        return statistic, rank, 1.0
    return statistic, rank, float(_limits.scipy("special").chdtrc(rank, statistic))


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values for their number after Holm (1979), nan where one is nan."""
    order = sorted(range(len(p_values)), key=lambda i: (np.isnan(p_values[i]), p_values[i]))
    adjusted, most = [nan] * len(p_values), 0.0
    for place, i in enumerate(order):
        if not np.isnan(p_values[i]):
            most = max(most, min(1.0, (len(p_values) - place) * p_values[i]))
            adjusted[i] = most
    return adjusted
