"""Limits of shares, made anew from what the page of formulas says."""

import numpy as np
import pytest
from scipy import stats

from capcurve import (
    capture_rate_interval,
    capture_rate_test,
    response_rate_interval,
)

SHARE = 0.2
RANDOM = np.random.default_rng(8)
Y = np.append(np.ones(40), np.zeros(260))
SIGNAL = RANDOM.normal(size=300) + 0.8 * Y
A, B = SIGNAL, SIGNAL + RANDOM.normal(size=300)
CLUSTER = RANDOM.integers(0, 120, 300)
N_HOLDING = len(np.unique(CLUSTER[Y == 1]))  # clusters that hold events


def read_cut(score):
    """Return the part selected of each row, the capture rate and the slope, untied."""
    n = len(Y)
    order = np.argsort(-score)
    selected = np.zeros(n)
    selected[order[: round(SHARE * n)]] = 1
    reach = 0.5 * n**-0.2
    ends = np.clip([SHARE - reach, SHARE + reach], 0, 1)
    curve = np.append(0, np.cumsum(Y[order])) / Y.sum()
    low, high = np.interp(ends, np.arange(n + 1) / n, curve)
    return selected, Y @ selected / Y.sum(), (high - low) / (ends[1] - ends[0])


def move_capture(score, *, given_classes=False):
    """Return the influences on the capture rate."""
    selected, captured, slope = read_cut(score)
    rate = Y.mean()
    centre = SHARE
    if given_classes:
        others = (SHARE - rate * captured) / (1 - rate)
        centre = np.where(Y == 1, captured, others)
    own = Y * (selected - captured) / Y.sum()
    return own - slope * (selected - centre) / len(Y)


def move_response(score):
    """Return the influences on the response rate."""
    selected, captured, slope = read_cut(score)
    rate = Y.mean()
    place = rate * slope * (selected - SHARE)
    return (Y * selected - captured * rate - place) / (SHARE * len(Y))


def limit_share(u, variance, z, t, level=0.95):
    """Return Wilson's limits, extended to exact ones, that allow for an unseen event."""
    ends = []
    for part in (1 - u, u):
        trials = u * (1 - u) / variance
        if t * trials > 1:
            trials = (part + t) / (part / trials + t**2)
        spread = z * np.sqrt(u * (1 - u) / trials + (z / trials) ** 2 / 4)
        side = 1 if ends else -1
        wilson = (u + z**2 / trials / 2 + side * spread) / (1 + z**2 / trials)
        hits = part * trials + max(1, t * trials)
        rest = (1 - part) * trials
        exact = stats.beta.ppf(1 - level, rest, hits)
        ends.append(max(wilson, 1 - exact) if ends else min(wilson, exact))
    return ends


def limit_capture(score, z):
    """Return limits of the capture rate of independent rows of equal weight."""
    _, captured, _ = read_cut(score)
    rate, m = Y.mean(), Y.sum()
    first = limit_share(captured, np.sum(move_capture(score) ** 2), z, 1 / m)
    least, most = max(0, (SHARE - 1 + rate) / rate), min(1, SHARE / rate)
    reach = most - least
    second = limit_share(
        (captured - least) / reach,
        np.sum(move_capture(score, given_classes=True) ** 2) / reach**2,
        stats.norm.ppf(0.975),
        1 / (m * reach),
    )
    low = min(first[0], least + reach * second[0])
    return captured, low, max(first[1], least + reach * second[1])


def add_up(psi, cluster):
    return np.bincount(cluster, psi)


def test_limits_of_a_capture_rate_are_those_of_the_page():
    found = capture_rate_interval(Y, A, fraction=SHARE)
    _, low, high = limit_capture(A, stats.t.ppf(0.975, 39))
    assert (found.low, found.high) == pytest.approx((low, high))
    assert found.standard_error**2 == pytest.approx(np.sum(move_capture(A) ** 2))


def test_the_difference_is_widened_from_normal_limits_to_those_of_t():
    found = capture_rate_test(Y, A, B, fraction=SHARE)
    z, t = stats.norm.ppf(0.975), stats.t.ppf(0.975, 39)
    (first, low_a, high_a), (second, low_b, high_b) = (limit_capture(s, z) for s in (A, B))
    psi_a, psi_b = move_capture(A), move_capture(B)
    shared = psi_a @ psi_b / np.sqrt((psi_a @ psi_a) * (psi_b @ psi_b))

    def combine(one, other):
        return np.sqrt(one**2 + other**2 - 2 * shared * one * other)

    below = combine(first - low_a, high_b - second) * t / z
    above = combine(high_a - first, second - low_b) * t / z
    difference = first - second
    assert (found.low, found.high) == pytest.approx(
        (difference - below, difference + above)
    )
    assert found.statistic == pytest.approx(t * difference / below)
    assert found.p_value == pytest.approx(2 * stats.t.sf(t * difference / below, 39))


def test_with_clusters_the_limits_that_are_combined_have_students_t_already():
    found = capture_rate_test(Y, A, B, fraction=SHARE, clusters=CLUSTER)
    a, b = (capture_rate_interval(Y, s, fraction=SHARE, clusters=CLUSTER) for s in (A, B))
    psi_a, psi_b = (add_up(move_capture(s), CLUSTER) for s in (A, B))
    shared = psi_a @ psi_b / np.sqrt((psi_a @ psi_a) * (psi_b @ psi_b))
    one, other = a.value - a.low, b.high - b.value
    wider = stats.t.ppf(0.975, N_HOLDING - 1) / stats.norm.ppf(0.975)
    below = wider * np.sqrt(one**2 + other**2 - 2 * shared * one * other)
    assert found.low == pytest.approx(found.value - below)
    assert found.degrees_of_freedom == N_HOLDING - 1


@pytest.mark.parametrize(
    ("estimate", "psi"),
    [(capture_rate_interval, move_capture), (response_rate_interval, move_response)],
)
def test_with_clusters_a_variance_has_bessels_correction(estimate, psi):
    found = estimate(Y, A, fraction=SHARE, clusters=CLUSTER)
    squares = np.sum(add_up(psi(A), CLUSTER) ** 2)
    correction = N_HOLDING / (N_HOLDING - 1)
    assert found.standard_error**2 == pytest.approx(correction * squares)


def test_the_variance_of_a_difference_has_bessels_correction():
    psi = move_capture(A) - move_capture(B)
    found = capture_rate_test(Y, A, B, fraction=SHARE)
    assert found.standard_error**2 == pytest.approx(40 / 39 * np.sum(psi**2))
    found = capture_rate_test(Y, A, B, fraction=SHARE, clusters=CLUSTER)
    squares = np.sum(add_up(psi, CLUSTER) ** 2)
    correction = N_HOLDING / (N_HOLDING - 1)
    assert found.standard_error**2 == pytest.approx(correction * squares)


def test_limits_of_a_response_rate_are_normal_ones_of_independent_rows():
    found = response_rate_interval(Y, A, fraction=SHARE)
    variance = np.sum(move_response(A) ** 2)
    limits = limit_share(found.value, variance, stats.norm.ppf(0.975), 1 / (300 * SHARE))
    assert (found.low, found.high) == pytest.approx(limits)
    assert found.standard_error**2 == pytest.approx(variance)


def test_limits_of_a_response_rate_of_clusters_have_degrees_by_the_fourth_moment():
    found = response_rate_interval(Y, A, fraction=SHARE, clusters=CLUSTER)
    squares = add_up(move_response(A), CLUSTER) ** 2
    df = 2 * squares.sum() ** 2 / np.sum(squares**2)
    inside = np.bincount(CLUSTER, read_cut(A)[0])
    size = inside.sum() ** 2 / np.sum(inside**2)
    variance = found.standard_error**2
    limits = limit_share(found.value, variance, stats.t.ppf(0.975, df), 1 / size)
    assert (found.low, found.high) == pytest.approx(limits)
