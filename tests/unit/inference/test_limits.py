"""What is undefined stays nan: limits and p-values are clipped, never filled in."""

from math import inf, isnan, nan

import numpy as np
import pytest

from capcurve import (
    CapCurve,
    CapcurveError,
    FewEventsWarning,
    accuracy_ratio_interval,
    ks_interval,
)
from capcurve._inference.accuracy_ratio import estimate_from_pairs
from capcurve._inference.comparison import Hypothesis, find_difference_limits
from capcurve._inference.differences import (
    Difference,
    LimitDistances,
    ScoreDistances,
    WaldDistances,
)
from capcurve._inference.limits import clip, has_variance, wald_limits
from capcurve._inference.options import IntervalOptions, check_resampling
from capcurve._tally.pair_counts import PairCounts


def test_a_clipped_nan_is_nan():
    assert isnan(clip(nan, -1, 1))
    assert [clip(value, -1, 1) for value in (-inf, -1, 0.3, 1, 1.1)] == [-1, -1, 0.3, 1, 1]


@pytest.mark.parametrize(("ratio", "error"), [(nan, 0.1), (0.5, nan), (nan, nan)])
def test_wald_limits_of_nan_are_nan(ratio, error):
    assert all(map(isnan, wald_limits(ratio, error, 0.95)))


@pytest.mark.parametrize(
    ("alternative", "ends"), [("two-sided", ()), ("greater", (2,)), ("less", (-2,))]
)
@pytest.mark.parametrize(
    "distances",
    [
        WaldDistances(nan),
        ScoreDistances(0.5, 0.5, (nan, 9), 0, 2),
        LimitDistances(nan, nan),
    ],
    ids=["wald", "score", "limits"],
)
def test_limits_of_a_difference_of_unknown_variance_are_nan(alternative, ends, distances):
    difference = Difference(
        first=0.5,
        second=0.5,
        standard_error=nan,
        degrees_of_freedom=inf,
        method="delong",
        class_counts=(10, 10),
        distances=distances,
    )
    limits = find_difference_limits(difference, Hypothesis(alternative))
    assert {limit for limit in limits if not isnan(limit)} == set(ends)
    assert isnan(difference.distance(0.1))


def test_a_perfect_ranking_has_no_variance_whatever_rounding_says():
    """With a ratio of 1 the logit has no end."""
    assert has_variance(0.999, 1e-9)
    assert not has_variance(1.0, 1e-9)
    assert not has_variance(-1.0, 1e-9)
    assert not has_variance(0.5, 1e-13)
    assert not has_variance(0.5, nan)
    with pytest.warns(FewEventsWarning):
        estimate = accuracy_ratio_interval(
            np.repeat([0.5, 1.5], 15), np.repeat([2, 3], 15), method="logit"
        )
    assert (estimate.value, estimate.method) == (1, "approximate bound")
    assert isnan(estimate.low)


@pytest.mark.parametrize("n", [0, 2.5, True, "9", None, 10**400])
def test_replicates_are_counted(n):
    with pytest.raises(
        CapcurveError, match="`n_resamples` must be a positive whole number"
    ):
        check_resampling(n, None)


@pytest.mark.parametrize("seed", [-1, 1.5, "1", [1, 2], True, np.ones(1), np.random])
def test_a_seed_is_a_whole_number_or_a_generator(seed):
    y, s = np.tile([0, 1], 25), np.arange(50)
    with pytest.raises(CapcurveError, match="`random_state` must be a whole number"):
        ks_interval(y, s, method="bootstrap", random_state=seed)
    for allowed in (None, 3, np.int64(3), np.random.default_rng(3)):
        check_resampling(10, allowed)


@pytest.mark.parametrize("method", ["exact", "beta"])
def test_pair_counts_of_a_perfect_ranking_give_the_limits_of_the_rows(method):
    y = np.repeat([0, 1], 30)
    pairs = PairCounts.from_tally(CapCurve.from_predictions(y, y).tally)
    counted = estimate_from_pairs(pairs, IntervalOptions(method=method))
    assert repr(counted) == repr(accuracy_ratio_interval(y, y, method=method))
    assert (counted.value, counted.high, counted.method) == (1, 1, method)
    if method == "exact":
        assert counted.low == pytest.approx(
            2 * 0.025 ** (1 / 30) - 1
        )  # Hoeffding: log(2 / 0.05)
