"""Limits of a share: Wilson's in the middle, exact ones close to the ends."""

import pytest
from scipy import stats

from capcurve._inference.share_limits import (
    Unseen,
    find_size,
    share_limits,
    wilson_limits_t,
)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
@pytest.mark.parametrize(("hits", "trials"), [(20, 41), (130, 400), (3500, 5000)])
def test_in_the_middle_the_limits_are_those_of_wilson(hits, trials, level):
    expected = stats.binomtest(hits, trials).proportion_ci(level, "wilson")
    found = share_limits(hits / trials, trials, level)
    assert found == pytest.approx((expected.low, expected.high), abs=1e-12)


@pytest.mark.parametrize("hits", [1, 2])
def test_close_to_an_end_the_limit_is_exact_on_one_side(hits):
    trials = 40
    exact = stats.binomtest(hits, trials, alternative="greater").proportion_ci(0.95)
    wilson = stats.binomtest(hits, trials).proportion_ci(0.95, "wilson")
    low, high = share_limits(hits / trials, trials, 0.95)
    assert low == pytest.approx(exact.low)
    assert low < wilson.low
    assert high == pytest.approx(wilson.high)
    turned = share_limits(1 - hits / trials, trials, 0.95)
    assert turned == pytest.approx((1 - high, 1 - low))


@pytest.mark.parametrize(("share", "open_end"), [(0.0, 1), (1.0, 0)])
def test_the_ends_themselves_have_a_limit_on_the_other_side(share, open_end):
    limits = share_limits(share, 30, 0.95)
    assert limits[1 - open_end] == pytest.approx(share)
    wilson = stats.binomtest(round(30 * share), 30).proportion_ci(0.95, "wilson")
    exact = stats.binomtest(
        round(30 * share), 30, alternative="greater" if share else "less"
    ).proportion_ci(0.95)
    ends = [(wilson.low, exact.low), (wilson.high, exact.high)][open_end]
    assert min(abs(limits[open_end] - end) for end in ends) < 1e-12


def test_limits_of_wilson_take_a_quantile_of_t():
    low, high = wilson_limits_t(0.3, 50, 0.95, 4)
    z = stats.t(4).ppf(0.975)
    for limit in (low, high):
        assert abs(limit - 0.3) == pytest.approx(z * (limit * (1 - limit) / 50) ** 0.5)


def test_the_size_is_that_of_a_proportion_with_this_variance():
    assert find_size(0.25, 0.25 * 0.75 / 60, 9) == pytest.approx(60)
    assert find_size(0.25, 0.0, 9) == find_size(1.0, 0.1, 9) == find_size(0.0, 0.1, 9) == 9


@pytest.mark.parametrize("n_light", [0.5, 2, 9, 40])
@pytest.mark.parametrize("n_heavy", [0, 1, 7])
def test_an_unseen_event_counts_as_in_a_weighted_sum_of_counts(n_light, n_heavy):
    """Gamma limits of Fay and Feuer (1997), of which the largest weight is added."""
    light, heavy = 1e-7, 1e-5
    rate = n_light * light + n_heavy * heavy
    variance = n_light * light**2 + n_heavy * heavy**2
    rate_more, variance_more = rate + heavy, variance + heavy**2
    scale = variance_more / rate_more
    gamma = stats.gamma(rate_more / scale, scale=scale).ppf(0.95)
    size = rate * (1 - rate) / variance
    _, high = share_limits(rate, size, 0.95, unseen=Unseen(captured=heavy))
    wilson = wilson_limits_t(rate, rate_more / (variance / (1 - rate) + heavy**2), 0.95)
    assert high == pytest.approx(max(gamma, wilson[1]), rel=1e-3)
    low, _ = share_limits(1 - rate, size, 0.95, unseen=Unseen(missed=heavy))
    assert low == pytest.approx(1 - high, rel=1e-12)


def test_an_event_of_the_usual_weight_changes_nothing():
    assert share_limits(0.9, 40, 0.95) == share_limits(
        0.9, 40, 0.95, unseen=Unseen(1 / 40, 1 / 40)
    )
