"""Differences of accuracy ratios on the same rows, and the joint test of contrasts."""

from collections.abc import Sequence
from dataclasses import replace
from math import inf, isnan, nan, sqrt
from typing import NamedTuple, get_args

import numpy as np

from capcurve._engines.concordance import compute_row_concordance
from capcurve._engines.rows import count_pairs, number_scores_best_first
from capcurve._inference.differences import (
    Difference,
    Distances,
    ScoreDistances,
    WaldDistances,
)
from capcurve._inference.influence import Covariance, Influence
from capcurve._inference.limits import NEGLIGIBLE_ERROR, clip, import_scipy
from capcurve._inference.options import TestMethod, describe_rows
from capcurve._inference.shrinkage import TEST_MASS, shrink
from capcurve._inference.wording import name_measure
from capcurve._input.columns import Columns
from capcurve._input.options import check_word
from capcurve._tally.dtypes import FloatArray
from capcurve._tally.sums import dot
from capcurve.exceptions import CapcurveError, UndefinedMetricWarning, warn_caller


def compare_pair(
    influence: Influence, paired: Sequence[Columns], pair: tuple[int, int], method: str
) -> Difference:
    """Compare two of the accuracy ratios of scores of the same rows."""
    check_word(method, "method", get_args(TestMethod))
    columns = paired[0]
    both = select_statistics(influence, pair)
    contrast = both.apply_contrasts(np.array([[1.0, -1.0]])).covariance
    variance, df = contrast.variance(), contrast.degrees_of_freedom()
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
    error = sqrt(variance)
    distances: Distances = WaldDistances(error)
    shares = (1 + both.value) / 2
    size = both.covariance.smallest
    if method == "score":
        distances = RatioPair.from_influence(both).find_distances()
        df = size - 1 if isnan(df) else df  # both rankings are perfect
    elif method != "delong-t":
        df = inf
    return Difference(
        first=float(both.value[0]),
        second=float(both.value[1]),
        standard_error=error,
        degrees_of_freedom=df,
        method=method,
        class_counts=columns.class_counts,
        distances=distances,
        name=name_measure("AR", has_events=columns.has_events),
        # A constant score has an AR of 0 in every sample.
        largest=1.0 if any(map(is_flat, (paired[each] for each in pair))) else 2.0,
        is_identity=error <= NEGLIGIBLE_ERROR and rank_alike(paired, pair),
        n_effective=both.covariance.effective_size,
        n_errors=size * float(np.minimum(shares, 1 - shares).min()),
    )


def select_statistics(influence: Influence, pair: Sequence[int]) -> Influence:
    """Return the influence of two of the statistics."""
    chosen = list(pair)
    return replace(influence, value=influence.value[chosen], psi=influence.psi[chosen])


class RatioPair(NamedTuple):
    """Two accuracy ratios of the same rows, the covariance of each, and the correlation."""

    ratios: list[float]
    covariances: list[Covariance]
    correlation: float

    @classmethod
    def from_influence(cls, both: Influence) -> "RatioPair":
        """Make the pair of two statistics."""
        matrix = both.covariance.matrix
        product = matrix[0, 0] * matrix[1, 1]
        correlation = matrix[0, 1] / sqrt(product) if product > 0 else 0.0
        return cls(
            both.value.tolist(),
            [select_statistics(both, (each,)).covariance for each in (0, 1)],
            clip(correlation, -1, 1),
        )

    def find_distances(self, factor: float = 1.0) -> ScoreDistances:
        """Compare by the score method, in a sample that is larger by a factor."""
        trials = [
            shrink(ratio, covariance.scaled(factor), TEST_MASS).n_trials
            for ratio, covariance in zip(self.ratios, self.covariances, strict=True)
        ]
        first, second = ((1 + ratio) / 2 for ratio in self.ratios)
        return ScoreDistances(
            first, second, (trials[0], trials[1]), self.correlation, width=2.0
        )


def is_flat(columns: Columns) -> bool:
    """Whether all rows share one score."""
    return bool((columns.score == columns.score[0]).all())


def rank_alike(paired: Sequence[Columns], pair: tuple[int, int]) -> bool:
    """Whether two scores rank all rows alike."""
    first, second = (number_scores_best_first(paired[number]) for number in pair)
    return bool(np.array_equal(first, second))


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
    residual = squares - n * dot(event_means, event_means)
    residual = residual - m * dot(nonevent_means, nonevent_means) + m * n * value**2
    return float(residual / ((m - 1) * (n - 1)) / (m * n))


class JointTest(NamedTuple):
    """F test that all contrasts are 0.

    ``df`` is the rank of the covariance of the contrasts, ``residual_df`` the degrees of
    freedom of that covariance.
    """

    statistic: float
    df: int
    residual_df: float
    p_value: float


def run_joint_test(influence: Influence) -> JointTest:
    """Test that all contrasts are 0 by Hotelling's T-squared.

    A contrast with zero variance is ignored if it equals 0; otherwise the test is undefined
    (nan). The quadratic form is that of DeLong, DeLong and Clarke-Pearson (1988),
    doi:10.2307/2531595, with a pseudo-inverse for contrasts that depend on each other; its
    distribution is that of Krishnamoorthy and Yu (2004), doi:10.1016/j.spl.2003.10.012, for
    two samples with different covariances: the events and the non-events.
    """
    differences, covariance = influence.value, influence.covariance
    matrix = covariance.matrix
    if not np.isfinite(matrix).all():
        return JointTest(nan, 0, nan, nan)
    if np.abs(matrix).max() < NEGLIGIBLE_ERROR**2:
        matrix = np.zeros_like(matrix)
    inverse = np.array(np.linalg.pinv(matrix, rcond=1e-10, hermitian=True))
    rank = int(np.linalg.matrix_rank(inverse, hermitian=True))
    unexplained = differences - matrix @ inverse @ differences
    if np.abs(unexplained).max() > np.sqrt(NEGLIGIBLE_ERROR):
        return JointTest(nan, rank, nan, nan)
    if not rank:
        return JointTest(0.0, 0, inf, 1.0)
    df = joint_degrees_of_freedom(covariance, inverse, rank)
    residual = df - rank + 1
    statistic = float(differences @ inverse @ differences) * residual / (rank * df)
    p_value = import_scipy("special").fdtrc(rank, residual, statistic)
    return JointTest(statistic, rank, residual, float(p_value))


def joint_degrees_of_freedom(
    covariance: Covariance, inverse: FloatArray, rank: int
) -> float:
    """Return the degrees of freedom of a covariance matrix that is a sum over strata."""
    total = 0.0
    for part in covariance.parts:
        share = part.matrix @ inverse
        spread = float(np.trace(share @ share) + np.trace(share) ** 2)
        total += spread / part.degrees_of_freedom
    return covariance.tail_factor * (rank + rank**2) / total


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
