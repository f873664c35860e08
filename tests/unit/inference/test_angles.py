"""Tests of angles: against SciPy, NumPy, and samples to which quarters are added."""

from fractions import Fraction
from math import asin, cos, pi, sin, sqrt

import numpy as np
import pytest
from scipy import stats

from capcurve._inference.angles import (
    Angle,
    average_angles,
    compare_all_angles,
    compare_angles,
    fit_line,
    measure_angle,
    measure_segment,
)
from capcurve._inference.influence import Covariance, StratumCovariance
from capcurve._input.reading import read_columns
from versions import needs

QUARTER = Fraction(1, 4)
SAMPLES = [
    [0.3, 0.4, 0.35, 0.6],
    [0.7, 0.65, 0.8, 0.6, 0.75, 0.5],
    [0.45, 0.9, 0.2, 0.55, 0.6],
]


def of_sample(values):
    """Make an angle that is the mean of values, with the variance of that mean."""
    return Angle(
        auc=sin(np.mean(values)) ** 2,
        centre=0.5,  # where the variances of AUC and of the angle are the same
        auc_variance=np.var(values, ddof=1) / len(values),
        degrees_of_freedom=len(values) - 1,
        pairs=1.0,
        n_effective=len(values),
    )


@needs("scipy", "1.16", "it tests as Welch does")
@pytest.mark.parametrize("n", [2, 3])
def test_equality_is_tested_as_welch_does(n):
    found = compare_all_angles([of_sample(values) for values in SAMPLES[:n]])
    expected = stats.f_oneway(*SAMPLES[:n], equal_var=False)
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.p_value == pytest.approx(expected.pvalue)


def test_two_angles_are_compared_by_welchs_t_test():
    first, second = SAMPLES[:2]
    expected = stats.ttest_ind(first, second, equal_var=False)
    angles = of_sample(first), of_sample(second)
    found = (expected.statistic, expected.df, expected.pvalue)
    assert compare_angles(*angles) == pytest.approx(found)
    assert compare_all_angles(angles).p_value == pytest.approx(expected.pvalue)


def test_correlated_angles_are_compared_by_their_differences():
    first, second = map(of_sample, SAMPLES[:2])
    errors = [sqrt(angle.auc_variance) for angle in (first, second)]
    covariance = 0.6 * errors[0] * errors[1]
    pair = compare_angles(first, second, covariance)
    both = compare_all_angles([first, second], np.array([[1, 0.6], [0.6, 1]]))
    assert both.statistic == pytest.approx(pair.statistic**2)
    assert both.degrees_of_freedom[0] == pytest.approx(1)
    angles = list(map(of_sample, SAMPLES))
    apart = compare_all_angles(angles)
    same = compare_all_angles(angles, np.eye(3))
    assert same.p_value == pytest.approx(apart.p_value)
    assert same.degrees_of_freedom == pytest.approx(apart.degrees_of_freedom)


def test_the_sum_of_squares_has_the_mean_and_variance_of_box():
    """Against a million draws of three correlated angles, whose weights differ."""
    angles = [of_sample(values * 50) for values in SAMPLES]
    root = np.array([[1, 0, 0], [0.8, 0.6, 0], [0.5, 0.5, sqrt(0.5)]])
    errors = np.sqrt([angle.auc_variance for angle in angles])
    drawn = (np.random.default_rng(1).normal(size=(1_000_000, 3)) @ root.T) * errors
    weights = errors**-2.0 / (errors**-2.0).sum()
    squares = (drawn - drawn @ weights[:, None]) ** 2 @ errors**-2.0
    degrees = 2 * squares.mean() ** 2 / squares.var()
    found = compare_all_angles(angles, root @ root.T)
    assert found.degrees_of_freedom[0] == pytest.approx(degrees, rel=0.01)
    value = np.array([angle.value for angle in angles])
    between = errors**-2.0 @ (value - weights @ value) ** 2 / squares.mean()
    assert found.statistic == pytest.approx(between, rel=0.01)


def test_fewer_than_two_angles_are_not_compared():
    found = compare_all_angles([of_sample(SAMPLES[0])])
    assert np.isnan([found.statistic, found.p_value, *found.degrees_of_freedom]).all()
    assert fit_line([3], [of_sample(SAMPLES[0])]) is None


def test_lines_are_fitted_by_weighted_least_squares():
    places, sizes = [0, 1, 4], [20, 50, 30]
    angles = [
        of_sample(values)._replace(n_effective=size)
        for values, size in zip(SAMPLES, sizes, strict=True)
    ]
    values = [angle.value for angle in angles]
    slope, start = np.polyfit(places, values, 1, w=np.sqrt(sizes))
    line = fit_line(places, angles)
    assert line.slope == pytest.approx(slope)
    design = np.column_stack([np.ones(3), places])
    solved = np.linalg.solve(design.T @ np.diag(sizes) @ design, design.T @ np.diag(sizes))
    parts = solved[1] ** 2 * [angle.variance for angle in angles]
    assert line.error == pytest.approx(sqrt(sum(parts)))
    df = sum(parts) ** 2 / sum(parts**2 / [len(each) - 1 for each in SAMPLES])
    assert line.degrees_of_freedom == pytest.approx(df)
    assert line.fit_ratio(0, line.slope) == pytest.approx(-cos(2 * start))
    end = -cos(2 * (start + 4 * slope))
    assert line.fit_change(slope) == pytest.approx((end + cos(2 * start)) / 4)
    low, high = line.find_slopes(0.9)
    assert (low + high) / 2 == pytest.approx(slope)
    assert high - slope == pytest.approx(stats.t.ppf(0.95, df) * line.error)


def test_a_line_never_leaves_the_scale():
    steep = [Angle(0.01, 0.5, 0.5, 9, 1, 20), Angle(0.99, 0.5, 0.5, 9, 1, 20)]
    line = fit_line([0, 1], steep)
    assert [line.fit_change(slope) for slope in (-9, 9)] == [-2, 2]


def test_the_mean_of_angles_is_that_of_auc():
    angles = [Angle(0.6, 0.6, 0.01, 20, 3.0, 21), Angle(0.8, 0.7, 0.02, 5, 1.0, 6)]
    mean = average_angles(angles)
    assert mean.auc == pytest.approx(0.65)
    assert mean.centre == pytest.approx(0.625)
    parts = 0.01 * 9 / 16, 0.02 / 16
    assert mean.auc_variance == pytest.approx(sum(parts))
    df = sum(parts) ** 2 / (parts[0] ** 2 / 20 + parts[1] ** 2 / 5)
    assert mean.degrees_of_freedom == pytest.approx(df)
    assert mean.variance == pytest.approx(sum(parts) / (4 * 0.625 * 0.375))


def enlarge(events, nonevents):
    """Add a quarter of each class at either end; scores with their weights."""
    ends = [(Fraction(-100), QUARTER), (Fraction(100), QUARTER)]
    return [[*((Fraction(s), Fraction(1)) for s in c), *ends] for c in (events, nonevents)]


def place(score, others):
    """Return the weighted share of other scores below, half of those equal."""
    below = sum(w for s, w in others if s < score)
    tied = sum(w for s, w in others if s == score)
    return (below + tied / 2) / sum(w for _, w in others)


def satterthwaite(parts):
    """Return the degrees of freedom of a sum of variances of means of n values each."""
    total = sum(variance for variance, _ in parts)
    return float(total**2 / sum(variance**2 / (n - 1) for variance, n in parts))


@pytest.mark.parametrize(
    ("events", "nonevents"),
    [([5, 3, 2], [4, 3, 1, 0]), ([5, 6, 7], [1, 2]), ([0, 1], [2, 3, 3]), ([1, 1], [1, 1])],
)
def test_quarters_at_both_ends_enlarge_the_sample(events, nonevents):
    wide, other = enlarge(events, nonevents)
    size = sum(w for _, w in wide)
    centre = sum(w * place(s, other) for s, w in wide) / size
    parts = []
    for own, opposite in ((events, nonevents), (nonevents, events)):
        n, plain = len(own), [(s, Fraction(1)) for s in opposite]
        placed = [place(s, plain) for s in own]
        mean = sum(placed) / n
        # The quarters are placed at 0 and 1: a half of a row at this squared distance.
        spread = QUARTER + (centre - Fraction(1, 2)) ** 2
        squares = sum((v - mean) ** 2 for v in placed)
        squares += spread / 2
        parts.append((squares / (n - Fraction(1, 2)) / (n + Fraction(1, 2)), n))
    scores = [*events, *nonevents]
    target = [1] * len(events) + [0] * len(nonevents)
    found = measure_segment(read_columns(target, scores))
    variance = sum(part for part, _ in parts)
    assert found.centre == pytest.approx(float(centre))
    assert found.auc_variance == pytest.approx(float(variance))
    assert found.degrees_of_freedom == pytest.approx(satterthwaite(parts))
    assert found.value == pytest.approx(asin(sqrt(found.auc)))
    assert 0 <= found.value <= pi / 2
    assert found.pairs == len(events) * len(nonevents)
    auc = found.auc
    assert found.n_errors == min(len(events), len(nonevents)) * min(auc, 1 - auc)


@pytest.mark.parametrize("target", [[1, 0, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1], []])
def test_a_segment_needs_two_events_and_two_nonevents(target):
    columns = read_columns([1, 0, 1, 0], [4, 3, 2, 1])
    part = columns[: len(target)]
    part.target[:] = np.array(target, dtype=bool)
    assert measure_segment(part) is None


def test_clusters_may_not_make_the_variance_vanish():
    parts = [StratumCovariance(np.array([[0.04]]), 0.036, 10.0, 9.0)] * 2
    alone = measure_angle(0.5, Covariance(parts, np.array([[0.0]])), 100.0)
    lower = measure_angle(0.5, Covariance(parts, np.array([[-0.02]])), 100.0)
    assert lower.auc_variance == pytest.approx(alone.auc_variance - 0.005)
    none = measure_angle(0.5, Covariance(parts, np.array([[-9.0]])), 100.0)
    assert 0 < none.auc_variance < lower.auc_variance
