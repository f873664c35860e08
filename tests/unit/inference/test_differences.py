"""Differences of shares: published limits, distances and their inverse."""

from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize

from capcurve._inference.differences import LimitDistances, ScoreDistances

Z95 = 1.959963984540054


def test_published_limits_of_two_proportions():
    """56 of 70 against 48 of 80: Newcombe (1998), doi:10.1002/(SICI)1097-0258(19980430)
    17:8<873::AID-SIM779>3.0.CO;2-I, table II, method 5 (Mee).
    """
    found = ScoreDistances(0.8, 0.6, (70, 80), 0.0, 1.0).limits(0.2, Z95)
    assert found == pytest.approx((0.0533, 0.3377), abs=5e-5)


def test_shares_under_a_hypothesis_have_the_largest_likelihood():
    trials, first, second, difference = (30.0, 90.0), 0.9, 0.75, 0.05
    found = ScoreDistances(first, second, trials, 0.0, 1.0).find_share(difference)

    def loss(p):
        return -(
            trials[0] * (first * np.log(p + 0.05) + (1 - first) * np.log(0.95 - p))
            + trials[1] * (second * np.log(p) + (1 - second) * np.log(1 - p))
        )

    best = optimize.minimize_scalar(loss, bounds=(0.001, 0.949), method="bounded")
    assert found == pytest.approx(best.x, abs=1e-5)


@given(
    first=st.floats(0, 1),
    second=st.floats(0, 1),
    trials=st.tuples(st.floats(2, 1e5), st.floats(2, 1e5)),
    correlation=st.floats(-0.9, 0.999),
    quantile=st.floats(0.1, 5),
)
def test_a_limit_lies_at_its_distance(first, second, trials, correlation, quantile):
    distances = ScoreDistances(first, second, trials, correlation, 2.0)
    value = 2 * (first - second)
    low, high = distances.limits(value, quantile)
    assert low - 1e-9 <= value <= high + 1e-9  # the end of the scale is rounded
    for limit, distance in ((low, quantile), (high, -quantile)):
        if abs(limit) < 1.9999:
            assert distances.distance(value, limit) == pytest.approx(distance, rel=1e-4)
    assert distances.limits(value, -quantile) == pytest.approx((high, low), abs=1e-6)


def test_a_known_share_adds_no_variance():
    known = ScoreDistances(0.7, 0.6, (inf, 100), 0.0, 1.0)
    assert known.distance(0.1, 0) == pytest.approx(0.1 / np.sqrt(0.7 * 0.3 / 100), rel=1e-6)
    assert known.distance(0.1, 0.1) == 0


def test_ends_of_the_scale_bound_the_limits():
    far = ScoreDistances(1.0, 0.0, (3, 3), 0.0, 1.0)
    assert far.limits(1.0, Z95)[1] == pytest.approx(1)
    assert far.limits(1.0, Z95)[0] > 0
    assert ScoreDistances(0.0, 1.0, (3, 3), 0.0, 1.0).limits(-1.0, Z95)[0] == pytest.approx(
        -1
    )
    assert ScoreDistances(0.5, 0.5, (3, 3), 0.0, 1.0).limits(0.0, 40) == pytest.approx(
        (-1, 1), abs=0.01
    )


def test_square_and_add_limits_are_those_of_either_side():
    distances = LimitDistances(below=0.1, above=0.2)
    assert distances.limits(0.5, 2) == pytest.approx((0.3, 0.9))
    assert distances.distance(0.5, 0) == pytest.approx(5)
    assert distances.distance(-0.5, 0) == pytest.approx(-2.5)
