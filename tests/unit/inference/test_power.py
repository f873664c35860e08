"""Power of a test: noncentral t, and the search for what reaches a power."""

from math import exp, inf, isnan, nan, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import minimize_scalar
from scipy.stats import chi2, nct, norm

from capcurve._inference.accuracy_ratio import compute_ratio_covariance
from capcurve._inference.comparison import Hypothesis
from capcurve._inference.influence import satterthwaite
from capcurve._inference.power import (
    Components,
    Precision,
    Sample,
    compute_power,
    expect_precision,
    expect_score_precision,
    find_fewest,
    find_nearest,
    noncentral_t_cdf,
    scale_precision,
)
from capcurve._input.reading import read_columns


def known(error, df=1e9):
    return Precision(error, error, df)


def test_the_power_of_a_t_test_is_the_published_one():
    """G*Power: one mean, effect 0.5, 34 rows, two-sided 5 %; and one-sided."""
    found = compute_power(0.5, known(1 / sqrt(34), 33), Hypothesis())
    assert found == pytest.approx(0.8077775, abs=1e-6)
    one_sided = compute_power(0.5, known(1 / sqrt(27), 26), Hypothesis("greater"))
    assert one_sided == pytest.approx(0.8118316, abs=1e-6)


def test_an_error_that_is_overestimated_costs_power():
    precision = Precision(1.0, 1.2, 1e8)
    expected = norm.sf(1.2 * norm.ppf(0.975) - 3) + norm.cdf(-1.2 * norm.ppf(0.975) - 3)
    assert compute_power(3.0, precision, Hypothesis()) == pytest.approx(expected, abs=1e-6)


@given(difference=st.floats(-1, 1), margin=st.floats(0, 0.3), df=st.floats(1, 1e4))
def test_alternatives_mirror_each_other(difference, margin, df):
    precision = known(0.1, df)
    greater = compute_power(difference, precision, Hypothesis("greater", margin))
    less = compute_power(-difference, precision, Hypothesis("less", margin))
    assert greater == less
    both = [
        compute_power(each, precision, Hypothesis()) for each in (difference, -difference)
    ]
    assert both[0] == pytest.approx(both[1])


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_without_a_difference_the_power_is_the_level(alternative):
    hypothesis = Hypothesis(alternative, confidence_level=0.9)
    assert compute_power(0.0, known(0.1, 12), hypothesis) == pytest.approx(0.1)


@pytest.mark.parametrize("precision", [known(nan), known(inf), known(0.1, nan)])
def test_an_unknown_error_has_no_power(precision):
    assert isnan(compute_power(0.5, precision, Hypothesis()))


@pytest.mark.parametrize("df", [1.0, 7.5, 300.0])
@pytest.mark.parametrize("shift", [-3.0, 0.0, 2.0, 5.0])
def test_the_distribution_is_that_of_scipy(df, shift):
    found = noncentral_t_cdf(1.7, df, shift)
    assert found == pytest.approx(nct.cdf(1.7, df, shift), abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("df", [1.2109053034932757, 5.2, 40.0])
@pytest.mark.parametrize("shift", [6.5, 10.999586709013592, 14.0])
@pytest.mark.parametrize("statistic", [8.504319449552732, 19.2])
def test_the_distribution_is_the_integral_far_out(df, shift, statistic):
    """SciPy gives nan for some of these, depending on the last digit of the statistic."""

    def density(log_ratio, statistic, shift):
        variance = exp(2 * log_ratio)
        below = norm.cdf(statistic * exp(log_ratio) - shift)
        return below * chi2.pdf(df * variance, df) * 2 * df * variance

    points = [-10, -5, -2, -1, 0, 1, 2]
    for at, mean in ((statistic, shift), (-statistic, shift), (statistic, -shift)):
        expected, _ = quad(density, -40, 6, (at, mean), limit=2000, points=points)
        for near in (at, np.nextafter(at, inf), np.nextafter(at, 0)):
            found = noncentral_t_cdf(near, df, mean)
            assert found == pytest.approx(expected, abs=1e-10)


@given(df=st.floats(1, 1e10), shift=st.floats(-1e3, 1e3), statistic=st.floats(-50, 50))
def test_the_distribution_is_known_everywhere(df, shift, statistic):
    assert -1e-12 <= noncentral_t_cdf(statistic, df, shift) <= 1 + 1e-12


def test_degrees_of_freedom_are_those_of_welch():
    variances, sizes = (0.5, 0.2), (10, 40)
    expected = 0.7**2 / (0.25 / 9 + 0.04 / 39)
    assert satterthwaite(np.array(variances), np.array(sizes) - 1) == pytest.approx(
        expected
    )
    assert satterthwaite(np.array([0.5, 0.0]), np.array([9, 39])) == pytest.approx(9)
    assert isnan(satterthwaite(np.array([0.0, 0.0]), np.array([9, 39])))


def test_the_mean_of_delongs_variance_is_that_of_all_samples():
    """All 2 x 3 samples of three scores, drawn at random: exact means by enumeration."""
    values = np.array([0.0, 1.0, 2.5])
    rows = np.array(np.meshgrid(*[values] * 5, indexing="ij")).reshape(5, -1)
    events, nonevents = rows[:2] + 0.5, rows[2:]
    sign = np.sign(events[:, None] - nonevents)
    won, lost = sign.mean(axis=1), sign.mean(axis=0)
    estimated = won.var(axis=0, ddof=1) / 2 + lost.var(axis=0, ddof=1) / 3
    ratio = sign.mean(axis=(0, 1))
    one = np.sign(values[:, None] + 0.5 - values)
    components = Components(one.mean(axis=1).var(), one.mean(axis=0).var(), 0.0)
    components = components._replace(pair=one.var() - sum(components))
    found = expect_precision([(components, Sample(2, 3))])
    assert found.standard_error == pytest.approx(ratio.std())
    assert found.expected_error**2 == pytest.approx(estimated.mean())


@pytest.mark.parametrize("margin", [0.0, 0.05])
@pytest.mark.parametrize(("first", "second"), [(0.8, 0.7), (0.7, 0.8)])
@pytest.mark.parametrize("sizes", [(20_000, 200_000), (200_000, 20_000)])
def test_a_score_test_divides_by_the_error_under_the_hypothesis(
    first, second, sizes, margin
):
    """Large samples: the shares under it have the largest likelihood, found by SciPy.

    AR of 0.8 and 0.7 are shares of 0.9 and 0.85; a component of 0.3 is 0.075 on that scale.
    """
    parts = [(Components(0.3, 0.0, 0.0), Sample(size, 10**9)) for size in sizes]
    shares = np.array([1 + first, 1 + second]) / 2
    variances = 0.3 / 4 / np.array(sizes)
    trials = shares * (1 - shares) / variances
    side = 1 if first > second else -1
    gap = -side * margin / 2

    def loss(share):
        null = np.array([share + gap, share])
        return -(trials * (shares * np.log(null) + (1 - shares) * np.log1p(-null))).sum()

    found = minimize_scalar(loss, bounds=(0.06, 0.94), options={"xatol": 1e-12}).x
    null = np.array([found + gap, found])
    errors = [np.sqrt(v.sum()) for v in (variances, null * (1 - null) / trials)]
    hypothesis = Hypothesis("greater" if side > 0 else "less", margin)
    precision = expect_score_precision((first, second), parts, hypothesis)
    assert precision.standard_error == pytest.approx(2 * errors[0])
    assert precision.expected_error == pytest.approx(2 * errors[1], rel=1e-4)
    difference = side * (4 * errors[1] - margin)  # two errors from the hypothesis
    expected = norm.sf((norm.ppf(0.95) - 2) * errors[1] / errors[0])
    power = compute_power(difference, precision, hypothesis)
    assert power == pytest.approx(expected, abs=1e-4)


@given(threshold=st.integers(2, 10**12))
def test_the_fewest_events_are_found(threshold):
    found = find_fewest(lambda m: m >= threshold)
    assert found == threshold or (found is None and threshold > 10**11)


def test_no_number_of_events_is_enough():
    assert find_fewest(lambda _: False) is None


def test_the_nearest_value_is_found():
    assert find_nearest(lambda x: x**2, 0.25, 0.0, 2.0) == pytest.approx(0.5)
    assert find_nearest(lambda x: x**2, 0.25, 0.0, -2.0) == pytest.approx(-0.5)
    assert find_nearest(lambda x: x**2, 0.0, 0.0, 2.0) == 0
    assert isnan(find_nearest(lambda x: x**2, 9.0, 0.0, 2.0))


@pytest.mark.parametrize("weight", [1e4, 1e6, 1e8])
def test_a_row_that_has_nearly_all_weight_leaves_no_precision(weight):
    rng = np.random.default_rng(3)
    event = rng.random(500) < 0.2
    event[0], weights = True, np.append(weight, np.ones(499))
    rows = read_columns(event, rng.normal(size=500) + event, sample_weight=weights)
    covariance = compute_ratio_covariance(rows)[1]
    assert isnan(scale_precision(covariance, 1.0).degrees_of_freedom)
    assert isnan(compute_power(0.1, scale_precision(covariance, 1.0), Hypothesis()))
