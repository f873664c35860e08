"""Laws that every estimate obeys; a new one joins ESTIMATES and inherits them all."""

import warnings
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capcurve import (
    CapCurve,
    FewEventsWarning,
    accuracy_ratio_interval,
    accuracy_ratio_score,
    accuracy_ratio_test,
    capture_rate_interval,
    capture_rate_score,
    capture_rate_test,
    ks_interval,
    lift_interval,
    lift_score,
    response_rate_interval,
    response_rate_score,
    somers_d_interval,
    somers_d_score,
)
from strategies import rankings, weighted_rankings

pytestmark = pytest.mark.filterwarnings("ignore:.* look swapped")
FIELDS = ("value", "standard_error", "low", "high", "p_value")


def ks_score(*data, **options):
    return CapCurve.from_predictions(*data, **options).ks


def of_any(function, **fixed):
    """Silence what small samples warn of."""

    def estimate(*data, **options):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FewEventsWarning)
            return function(*data, **fixed, **options)

    return estimate


def against_ranks(y, s, **options):
    """Test a score against a coarser one of the same rows."""
    ranks = np.unique(s, return_inverse=True)[1]
    return TEST(y, ranks, ranks // 2, method="delong-t", **options)


def captured_against_ranks(y, s, **options):
    ranks = np.unique(s, return_inverse=True)[1]
    return capture_rate_test(y, ranks, ranks // 2, fraction=0.3, **options)


# name: (estimate, the same number without an interval, outcomes it takes)
ESTIMATES = {
    "AR, beta": (of_any(accuracy_ratio_interval), accuracy_ratio_score, None),
    "AR, logit-t": (
        of_any(accuracy_ratio_interval, method="logit-t"),
        accuracy_ratio_score,
        None,
    ),
    "AR, wald": (
        of_any(accuracy_ratio_interval, method="wald"),
        accuracy_ratio_score,
        None,
    ),
    "AR, logit": (
        of_any(accuracy_ratio_interval, method="logit"),
        accuracy_ratio_score,
        None,
    ),
    "capture rate": (
        of_any(capture_rate_interval, fraction=0.3),
        partial(capture_rate_score, fraction=0.3),
        None,
    ),
    "lift": (
        of_any(lift_interval, fraction=0.3),
        partial(lift_score, fraction=0.3),
        None,
    ),
    "response rate": (
        of_any(response_rate_interval, fraction=0.3),
        partial(response_rate_score, fraction=0.3),
        None,
    ),
    "KS": (of_any(ks_interval), ks_score, ["events"]),
    "Somers' D": (of_any(somers_d_interval), somers_d_score, None),
    "difference": (of_any(against_ranks), None, None),
    "capture difference": (of_any(captured_against_ranks), None, None),
}
COUNTED = {
    "AR, newcombe": of_any(accuracy_ratio_interval, method="newcombe"),
    "AR, exact": of_any(accuracy_ratio_interval, method="exact"),
}
TURNED = {
    "AR, beta": of_any(accuracy_ratio_interval),
    "AR, logit-t": of_any(accuracy_ratio_interval, method="logit-t"),
    "AR, newcombe": of_any(accuracy_ratio_interval, method="newcombe"),
    "AR, exact": of_any(accuracy_ratio_interval, method="exact"),
    "AR, wald": of_any(accuracy_ratio_interval, method="wald"),
    "Somers' D": of_any(somers_d_interval),
}

every_estimate = pytest.mark.parametrize("name", list(ESTIMATES))
every_kind = pytest.mark.parametrize("name", [*ESTIMATES, *COUNTED])


def estimate_of(name):
    return COUNTED[name] if name in COUNTED else ESTIMATES[name][0]


def kinds_of(name):
    kinds = ["events"] if name in COUNTED else ESTIMATES[name][2]
    return {"kinds": kinds or ["events", "amounts"]}


def numbers(estimate, *, fields=FIELDS):
    return [getattr(estimate, field) for field in fields]


def close(estimate):
    return pytest.approx(numbers(estimate), rel=1e-7, abs=1e-7, nan_ok=True)


@pytest.mark.filterwarnings("ignore::capcurve.HardLabelsWarning")
@every_estimate
@given(data=st.data())
def test_the_value_is_that_of_the_score(name, data):
    y, s, w = data.draw(weighted_rankings(**kinds_of(name)))
    estimate, score, _ = ESTIMATES[name]
    if score is not None:
        value = estimate(y, s, sample_weight=w).value
        assert value == pytest.approx(score(y, s, sample_weight=w), rel=1e-12, abs=1e-12)


@every_estimate
@given(data=st.data())
def test_limits_are_around_the_value_and_never_a_perfect_point(name, data):
    y, s, w = data.draw(weighted_rankings(**kinds_of(name)))
    estimate = estimate_of(name)(y, s, sample_weight=w)
    if not np.isnan(estimate.low):
        assert estimate.low <= estimate.value + 1e-12
        assert estimate.value - 1e-12 <= estimate.high
    if "AR" in name:
        assert estimate.low != estimate.high


@every_kind
@given(data=st.data(), seed=st.integers(0, 99))
def test_row_order_is_irrelevant(name, data, seed):
    y, s = data.draw(rankings(**kinds_of(name)))
    i = np.random.default_rng(seed).permutation(len(y))
    assert numbers(estimate_of(name)(y[i], s[i])) == close(estimate_of(name)(y, s))


@every_kind
@given(data=st.data())
def test_increasing_maps_of_the_score_change_nothing(name, data):
    y, s = data.draw(rankings(**kinds_of(name)))
    ranks = np.unique(s, return_inverse=True)[1]
    expected = close(estimate_of(name)(y, s))
    for mapped in (np.arctan(ranks), ranks**3 - 5, ranks.astype("u1")):
        assert numbers(estimate_of(name)(y, mapped)) == expected


@every_estimate
@given(data=st.data(), scale=st.sampled_from([1e-6, 3.0, 1e8]))
def test_only_the_proportions_of_sampling_weights_matter(name, data, scale):
    y, s, w = data.draw(weighted_rankings(**kinds_of(name)))
    expected = close(estimate_of(name)(y, s, sample_weight=w))
    assert numbers(estimate_of(name)(y, s, sample_weight=scale * w)) == expected
    equal = estimate_of(name)(y, s, sample_weight=np.full(len(y), scale))
    assert numbers(equal) == close(estimate_of(name)(y, s))


@every_kind
@given(data=st.data())
def test_frequency_weight_means_repetition_and_zero_removal(name, data):
    y, s = data.draw(rankings(**kinds_of(name)))
    fewest = 1 if "difference" in name else 0  # its second score is made from all rows
    counts = st.lists(st.integers(fewest, 3), min_size=len(y), max_size=len(y)).map(
        np.array
    )
    w = data.draw(counts.filter(lambda w: len(set(y.repeat(w))) > 1))
    counted = estimate_of(name)(y, s, sample_weight=w, weights="frequency")
    repeated = estimate_of(name)(y.repeat(w), s.repeat(w))
    assert numbers(counted) == close(repeated)
    assert counted.n_events == repeated.n_events
    assert counted.n_nonevents == repeated.n_nonevents


@pytest.mark.parametrize("name", list(TURNED))
@given(data=st.data())
def test_a_negated_score_turns_the_interval(name, data):
    y, s = data.draw(rankings(**kinds_of(name)))
    estimate, turned = TURNED[name](y, s), TURNED[name](y, -s)
    assert [-turned.high, -turned.low] == pytest.approx(
        [estimate.low, estimate.high], rel=1e-7, abs=1e-7, nan_ok=True
    )
    ascending = TURNED[name](y, s, descending=False)
    assert numbers(ascending) == close(turned)


TEST = of_any(accuracy_ratio_test)


@given(ranking=rankings())
def test_exchanged_scores_turn_the_difference(ranking):
    y, s = ranking
    other = np.roll(s, 1)
    found = TEST(y, s, other, alternative="greater", margin=0.1)
    turned = TEST(y, other, s, alternative="less", margin=0.1)
    assert turned.value == -found.value
    fields = ("standard_error", "p_value")
    assert numbers(turned, fields=fields) == pytest.approx(
        numbers(found, fields=fields), nan_ok=True
    )
    assert -turned.high == pytest.approx(found.low, nan_ok=True)


@given(ranking=rankings())
def test_a_score_does_not_differ_from_itself(ranking):
    y, s = ranking
    again = np.arctan(np.unique(s, return_inverse=True)[1])
    found = TEST(y, s, again)
    assert found.value == 0
    one_event = np.isnan(found.standard_error)
    assert np.isnan(found.p_value) if one_event else found.p_value == 1
