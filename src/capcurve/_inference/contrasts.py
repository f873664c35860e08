"""Differences of accuracy ratios on the same rows, and the joint test of contrasts."""

from collections.abc import Sequence
from math import inf, nan
from typing import NamedTuple, get_args

import numpy as np

from capcurve._engines.concordance import compute_row_concordance
from capcurve._engines.rows import count_pairs
from capcurve._inference.influence import Influence
from capcurve._inference.limits import NEGLIGIBLE_ERROR, import_scipy
from capcurve._inference.options import TestMethod, describe_rows
from capcurve._input.columns import Columns
from capcurve._input.options import check_word
from capcurve.exceptions import CapcurveError, UndefinedMetricWarning, warn_caller

# Minority-class rows from which method 'auto' uses the normal distribution. With 10 events
# and equally good scores, a normal test at 5 % rejected up to 8 % of samples, Student's t
# up to 5 % (PAIRED in benchmarks/coverage.py).
MIN_EVENTS_FOR_NORMAL = 50


class Difference(NamedTuple):
    """Two statistics and the variance of their difference.

    ``degrees_of_freedom`` is infinite for the normal distribution; ``name`` is that of the
    statistics.
    """

    first: float
    second: float
    variance: float
    degrees_of_freedom: float
    method: str
    n_events: int
    n_nonevents: int
    name: str = "AR"


def compute_difference(
    influence: Influence, paired: Sequence[Columns], pair: tuple[int, int], method: str
) -> Difference:
    """Compute the difference of two of the accuracy ratios with its variance."""
    check_word(method, "method", get_args(TestMethod))
    columns = paired[0]
    if method == "auto":
        method = "delong-t" if columns.n_minority < MIN_EVENTS_FOR_NORMAL else "delong"
    contrast = np.zeros((1, len(influence.value)))
    contrast[0, list(pair)] = (1.0, -1.0)
    covariance = influence.apply_contrasts(contrast).covariance
    variance = covariance.variance()
    if method == "eht":
        unbiased = variance - compute_interaction(influence, paired, pair)
        if unbiased < 0:
            warn_caller(
                f"the EHT variance of the difference is negative ({unbiased:.3g}), as can "
                "happen in small samples; DeLong's variance is used instead",
                UndefinedMetricWarning,
            )
            method = "delong"
        else:
            variance = unbiased
    first, second = influence.value[list(pair)].tolist()
    n_events, n_nonevents = columns.class_counts
    uses_t = method == "delong-t"
    return Difference(
        first,
        second,
        variance=variance,
        degrees_of_freedom=covariance.degrees_of_freedom() if uses_t else inf,
        method=method,
        n_events=n_events,
        n_nonevents=n_nonevents,
    )


def compute_interaction(
    influence: Influence, paired: Sequence[Columns], pair: tuple[int, int]
) -> float:
    """Compute the excess of DeLong's variance of a difference over the unbiased variance.

    With h the kernel, the difference of the signs by which both scores rank an event i and
    a non-event j, it is the interaction mean square of a two-way analysis of variance,
    ``sum((h_ij - h_i. - h_.j + h_..)**2) / ((m - 1) * (n - 1))``, divided by ``m * n``. The
    unbiased variance is that of Bamber (1975), doi:10.1016/0022-2496(75)90001-2, as given
    by Engelmann, Hayden and Tasche (2003), "Testing rating accuracy", Risk 16(1), 82-86.
    """
    first, second = (paired[number] for number in pair)
    if (
        not first.has_events
        or first.weight is not None
        or first.weights.cluster is not None
    ):
        raise CapcurveError(
            "`method='eht'` requires independent 0/1 events without weights, got "
            f"{describe_rows(first)}; use 'delong' or 'delong-t'"
        )
    event = first.target
    agreement = compute_row_concordance(
        first.score, second.score, (~event).astype(np.float64)
    )
    untied = count_pairs(first).untied + count_pairs(second).untied
    squares = untied - 2 * float(agreement[event].sum())
    psi = influence.psi[pair[0]] - influence.psi[pair[1]]
    value = float(influence.value[pair[0]] - influence.value[pair[1]])
    m, n = first.class_counts
    if 1 in (m, n):
        return nan
    event_means, nonevent_means = m * psi[event] + value, n * psi[~event] + value
    residual = squares - n * (event_means @ event_means)
    residual = residual - m * (nonevent_means @ nonevent_means) + m * n * value**2
    return float(residual / ((m - 1) * (n - 1)) / (m * n))


def chi_square_test(influence: Influence) -> tuple[float, int, float]:
    """Test that all contrasts are 0; return the statistic, its rank and the p-value.

    A contrast with zero variance is ignored if it equals 0; otherwise the test is undefined
    (nan). The statistic is that of DeLong, DeLong and Clarke-Pearson (1988),
    doi:10.2307/2531595, with a pseudo-inverse for contrasts that depend on each other.
    """
    differences, covariance = influence.value, influence.covariance.matrix
    if not np.isfinite(covariance).all():
        return nan, 0, nan
    if np.abs(covariance).max() < NEGLIGIBLE_ERROR**2:
        covariance = np.zeros_like(covariance)
    inverse = np.linalg.pinv(covariance, rcond=1e-10, hermitian=True)
    rank = int(np.linalg.matrix_rank(inverse, hermitian=True))
    unexplained = differences - covariance @ inverse @ differences
    if np.abs(unexplained).max() > np.sqrt(NEGLIGIBLE_ERROR):
        return nan, rank, nan
    statistic = float(differences @ inverse @ differences)
    if not rank:
        return statistic, rank, 1.0
    return statistic, rank, float(import_scipy("special").chdtrc(rank, statistic))


def adjust_holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values for multiple testing; a nan stays nan and counts as a test.

    Holm (1979), Scandinavian Journal of Statistics 6(2), 65-70.
    """
    order = sorted(range(len(p_values)), key=lambda i: (np.isnan(p_values[i]), p_values[i]))
    adjusted, largest = [nan] * len(p_values), 0.0
    for rank, i in enumerate(order):
        if not np.isnan(p_values[i]):
            largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[i]))
            adjusted[i] = largest
    return adjusted
