"""Binormal variance components: numbers from integrals, bounds and published figures."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import multivariate_normal, norm

from capcurve._inference.binormal import (
    bivariate_normal_cdf,
    compute_bound_components,
    compute_difference_components,
    compute_ratio_components,
)

RATIOS = st.floats(-0.99, 0.99)
SPREADS = st.floats(0.1, 10)


@pytest.mark.parametrize("x", [-2.3, -0.4, 0.0, 0.7, 1.9])
@pytest.mark.parametrize("y", [-1.1, -0.0, 0.0, 0.7])
@pytest.mark.parametrize("correlation", [-0.99, -0.3, 0.0, 0.6, 0.999])
def test_the_probability_is_that_of_scipy(x, y, correlation):
    covariance = [[1, correlation], [correlation, 1]]
    expected = multivariate_normal.cdf([x, y], cov=covariance)
    assert bivariate_normal_cdf(x, y, correlation) == pytest.approx(expected, abs=1e-12)


def test_the_probability_of_equal_and_of_opposite_variables():
    low, high = norm.cdf(-0.4), norm.cdf(1.3)
    assert bivariate_normal_cdf(-0.4, 1.3, 1.0) == pytest.approx(low)
    assert bivariate_normal_cdf(-0.4, 1.3, -1.0) == pytest.approx(low + high - 1)
    assert bivariate_normal_cdf(-1.4, 1.3, -1.0) == 0


@pytest.mark.parametrize("ratio", [-0.5, 0.0, 0.3, 0.9])
@pytest.mark.parametrize("spread", [0.5, 1.0, 2.0])
def test_components_are_variances_of_placements(ratio, spread):
    auc = (1 + ratio) / 2
    mean = np.sqrt(1 + spread**2) * norm.ppf(auc)

    def variance(placement):
        square = quad(lambda z: placement(z) ** 2 * norm.pdf(z), -10, 10, epsabs=1e-12)[0]
        return 4 * (square - auc**2)

    found = compute_ratio_components(ratio, spread)
    event = variance(lambda z: norm.cdf(mean + spread * z))
    nonevent = variance(lambda z: norm.cdf((mean - z) / spread))
    assert (found.event, found.nonevent) == pytest.approx((event, nonevent), abs=1e-10)
    assert sum(found) == pytest.approx(1 - ratio**2)  # the variance of one pair's sign


def test_an_uninformative_score_has_the_variance_of_mann_and_whitney():
    m, n = 7, 12
    event, nonevent, pair = compute_ratio_components(0.0, 1.0)
    variance = event / m + nonevent / n + pair / (m * n)
    assert variance == pytest.approx(4 * (m + n + 1) / (12 * m * n))


def test_components_of_a_difference_are_those_of_two_dimensional_placements():
    first, second, correlation, spread = 0.7, 0.4, 0.6, 1.5
    node, weight = np.polynomial.hermite_e.hermegauss(60)
    weight /= weight.sum()
    z = node[:, None], correlation * node[:, None] + np.sqrt(1 - correlation**2) * node
    mass = weight[:, None] * weight
    mean = [np.sqrt(1 + spread**2) * norm.ppf((1 + each) / 2) for each in (first, second)]
    won = [2 * norm.cdf(mean[k] + spread * z[k]) for k in (0, 1)]
    lost = [2 * norm.cdf((mean[k] - z[k]) / spread) for k in (0, 1)]
    found = compute_difference_components(first, second, correlation, spread)
    for component, placement in ((found.event, won), (found.nonevent, lost)):
        square = (mass * (placement[0] - placement[1]) ** 2).sum()
        assert component == pytest.approx(square - (first - second) ** 2, abs=1e-8)


def test_components_of_a_difference_without_correlation_add_up():
    found = compute_difference_components(0.5, 0.2, 0.0, 0.7)
    parts = [compute_ratio_components(each, 0.7) for each in (0.5, 0.2)]
    assert found == pytest.approx(np.sum(parts, axis=0))


def test_the_numbers_that_others_found():
    """The events that normal quantiles give, by quadrature, without the pairs' part."""
    event, nonevent, _ = compute_difference_components(0.60, 0.55, 0.8, 1.0)
    variance = event + nonevent / 49
    quantiles = norm.ppf(0.975) + norm.ppf(0.8)
    assert np.ceil(variance * (quantiles / 0.05) ** 2) == 297
    event, nonevent, _ = compute_ratio_components(0.6, 1.0)
    assert np.ceil((event + nonevent / 49) * (norm.ppf(0.975) / 0.05) ** 2) == 296


@given(ratio=RATIOS, spread=SPREADS)
def test_exchanged_classes_and_reversed_scores_mirror_the_components(ratio, spread):
    event, nonevent, pair = compute_ratio_components(ratio, spread)
    mirrored = nonevent, event, pair
    assert compute_ratio_components(ratio, 1 / spread) == pytest.approx(mirrored, abs=1e-12)
    same = event, nonevent, pair
    assert compute_ratio_components(-ratio, spread) == pytest.approx(same, abs=1e-12)


@given(ratio=RATIOS, spread=SPREADS, m=st.integers(2, 10**6), n=st.integers(2, 10**6))
def test_no_binormal_variance_exceeds_the_bound(ratio, spread, m, n):
    event, nonevent, pair = compute_ratio_components(ratio, spread)
    bound = compute_bound_components(ratio, fewer_events=m <= n)
    variance = event / m + nonevent / n + pair / (m * n)
    assert variance <= bound.event / m + bound.nonevent / n + 1e-12
    assert min(event, nonevent, pair) >= -1e-12
