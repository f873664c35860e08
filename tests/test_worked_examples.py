"""Exact rationals that capcurve did not compute; tests/reference has their generator."""

import json
import warnings
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score, roc_curve

from capcurve import (
    CapCurve,
    FewEventsWarning,
    accuracy_ratio_interval,
    accuracy_ratio_score,
    accuracy_ratio_test,
    accuracy_ratio_test_initial,
    cap_curve,
    capture_rate_score,
    lift_score,
    perfect_cap_curve,
    somers_d_from_table,
    somers_d_interval,
)
from capcurve._engines.rows import count_pairs, tally_rows
from capcurve._inference.band import null_capture_limits
from capcurve._inference.influence import compute_ratio_influence
from capcurve._inference.ks import ks_p_value
from capcurve._input.reading import read_columns

EXAMPLES = json.loads(
    (Path(__file__).parent / "reference/worked_examples.json").read_text()
)["examples"]
close = partial(pytest.approx, rel=1e-12, abs=1e-12)


def of_kind(kind):
    examples = [example for example in EXAMPLES if example["kind"] == kind]
    return pytest.mark.parametrize("example", examples, ids=lambda example: example["id"])


def numbers(values):
    return np.array([float(Fraction(str(value))) for value in values])


def exact(value):
    return close([float(Fraction(x)) for x in value["exact"]])


def rational(value):
    return close(float(Fraction(value["exact"])))


def data(example):
    given = example["input"]
    weight = next((given[key] for key in ("w", "weight", "weights") if key in given), None)
    weight = None if weight is None else numbers(weight)
    return numbers(given["y"]), numbers(given["score"]), {"sample_weight": weight}


@of_kind("binary")
def test_binary_numbers(example):
    y, s, weight = data(example)
    expected = example["expected"]
    curve = CapCurve.from_predictions(y, s, **weight)
    assert accuracy_ratio_score(y, s, **weight) == rational(expected["accuracy_ratio"])
    assert curve.accuracy_ratio == rational(expected["accuracy_ratio"])
    assert (curve.accuracy_ratio + 1) / 2 == rational(expected["auc"])
    assert curve.ks == rational(expected["ks"])
    assert curve.response_rate == rational(expected["event_rate"])
    assert curve.total_target == rational(expected["weight_events"])
    nonevents = curve.total_weight - curve.total_target
    assert nonevents == rational(expected["weight_nonevents"])
    assert curve.tie_bounds.best == rational(expected["ar_ties_best_case"])
    assert curve.tie_bounds.worst == rational(expected["ar_ties_worst_case"])
    assert curve.tally.tied_pair_mass == rational(expected["pairs"]["tied"])
    assert np.count_nonzero(y) == expected["n_events"]
    assert np.count_nonzero(y == 0) == expected["n_nonevents"]


@of_kind("binary")
def test_binary_points_and_areas(example):
    y, s, weight = data(example)
    expected = example["expected"]
    share, captured, _ = cap_curve(y, s, **weight)
    assert share == exact(expected["cap_points"]["x"])
    assert captured == exact(expected["cap_points"]["y"])
    assert np.trapezoid(captured, share) == rational(expected["area_cap"])
    perfect = perfect_cap_curve(y, **weight)
    perfect_area = np.trapezoid(perfect.capture_rate, perfect.population_share)
    assert perfect_area == rational(expected["area_perfect"])
    gini = 2 * np.trapezoid(captured, share) - 1
    assert gini == rational(expected["unnormalised_gini"])
    assert np.abs(captured - share).max() == rational(expected["max_cap_minus_diagonal"])


@of_kind("binary")
def test_binary_capture_and_lift(example):
    y, s, weight = data(example)
    for fraction, captured in example["expected"]["capture_rate"].items():
        at = float(Fraction(fraction))
        expected = rational(captured["expected"])
        assert capture_rate_score(y, s, fraction=at, **weight) == expected
    for fraction, lift in example["expected"]["lift"].items():
        at = float(Fraction(fraction))
        assert lift_score(y, s, fraction=at, **weight) == rational(lift)


@of_kind("binary")
def test_scikit_learn_agrees(example):
    y, s, weight = data(example)
    auc = roc_auc_score(y, s, **weight)
    assert accuracy_ratio_score(y, s, **weight) == close(2 * auc - 1)
    _, tpr, thresholds = roc_curve(y, s, drop_intermediate=False, **weight)
    curve = cap_curve(y, s, **weight)
    assert curve.capture_rate == close(tpr)
    assert curve.thresholds == close(thresholds)


@of_kind("binary")
def test_binary_tie_orders(example):
    y, s, weight = data(example)
    blocks = 1000.0 * np.unique(s, return_inverse=True)[1]
    for fraction, captured in example["expected"]["capture_rate"].items():
        at = float(Fraction(fraction))
        for order, ordered in (("best", blocks + y), ("worst", blocks - y)):
            reached = capture_rate_score(y, ordered, fraction=at, **weight)
            assert reached == rational(captured[f"{order}_tie_order"])


@of_kind("binary")
def test_binary_pairs_and_roc_points(example):
    y, s, weight = data(example)
    expected = example["expected"]
    curve = CapCurve.from_predictions(y, s, **weight)
    events, rest = curve.total_target, curve.total_weight - curve.total_target
    tied = curve.tally.tied_pair_mass
    concordant, discordant = (
        (events * rest - tied + sign * curve.tally.concordance_surplus) / 2
        for sign in (1, -1)
    )
    assert concordant == rational(expected["pairs"]["concordant"])
    assert discordant == rational(expected["pairs"]["discordant"])
    false = np.append(0, np.cumsum(curve.tally.weight - curve.tally.target)) / rest
    assert false == exact(expected["roc_points"]["x"])
    assert curve.capture_rate == exact(expected["roc_points"]["y"])
    positive_part = max(0, (curve.capture_rate - false).max())
    assert positive_part == rational(expected["ks_positive_part"])


@of_kind("general")
def test_amounts(example):
    y, s, weight = data(example)
    expected = example["expected"]
    weight["target_type"] = "continuous"
    share, captured, _ = cap_curve(y, s, **weight)
    assert share == exact(expected["concentration_points"]["x"])
    assert captured == exact(expected["concentration_points"]["y"])
    perfect = perfect_cap_curve(y, **weight)
    assert perfect.population_share == exact(expected["perfect_points"]["x"])
    assert perfect.capture_rate == exact(expected["perfect_points"]["y"])
    for path, gini in (
        ((share, captured), "gini_score"),
        (perfect, "gini_perfect"),
    ):
        assert 2 * np.trapezoid(path[1], path[0]) - 1 == rational(expected[gini])
    ratio = rational(expected["normalised_gini"])
    assert accuracy_ratio_score(y, s, **weight) == ratio
    assert CapCurve.from_predictions(y, s, **weight).accuracy_ratio == ratio


@of_kind("multiclass")
def test_multiclass(example):
    given, expected = example["input"], example["expected"]
    scores = np.array([numbers(row) for row in given["prob"]])
    y, labels = given["y"], given["classes"]
    for label, score, value in zip(
        labels, scores.T, expected["per_class"]["exact"], strict=True
    ):
        assert accuracy_ratio_score(y, score, pos_label=label) == close(
            float(Fraction(value))
        )
    for average, key in (("macro", "macro"), ("weighted", "macro_weighted")):
        ours = accuracy_ratio_score(y, scores, labels=labels, average=average)
        assert ours == rational(expected[key])
        theirs = roc_auc_score(y, scores, multi_class="ovr", average=average, labels=labels)
        assert ours == close(2 * theirs - 1)


@of_kind("binned_bounds")
def test_a_coarse_tally_bounds_the_exact_ratio(example):
    y, s, _ = data(example)
    expected = example["expected"]
    bins = np.searchsorted(numbers(example["input"]["edges"]), s, side="right")
    coarse = tally_rows(read_columns(y, bins))
    assert coarse.target[::-1].tolist() == expected["bin_events"]
    curve = CapCurve.from_predictions(y, bins)
    assert curve.accuracy_ratio == rational(expected["ar_mid"])
    assert curve.tie_bounds.worst <= float(Fraction(expected["ar_true"]["exact"]))
    assert curve.tie_bounds.best >= float(Fraction(expected["ar_true"]["exact"]))
    assert accuracy_ratio_score(y, s) == rational(expected["ar_true"])


@of_kind("binary")
def test_binary_variances(example):
    y, s, weight = data(example)
    expected = example["expected"]["variance"]
    if "note" in expected:
        pairs = count_pairs(read_columns(y, s, **weight))
        assert np.isnan([pairs.delong_variance, pairs.eht_variance]).all()
    elif weight["sample_weight"] is None:
        pairs = count_pairs(read_columns(y, s))
        m, n = pairs.events, pairs.nonevents
        assert pairs.delong_variance == rational(expected["delong_var_ar"])
        assert pairs.event_variance * m == rational(expected["delong_S10_ar_scale"])
        assert pairs.nonevent_variance * n == rational(expected["delong_S01_ar_scale"])
        assert pairs.eht_variance == rational(expected["eht_var_ar"])
        assert pairs.untied / pairs.pairs == rational(expected["P_D_ne_ND"])
        interaction = (pairs.delong_variance - pairs.eht_variance) * pairs.pairs
        assert interaction == rational(expected["interaction_mean_square"])
        plug_in = (m - 1) / m * pairs.event_variance + (n - 1) / n * pairs.nonevent_variance
        assert plug_in == rational(expected["somers_d_asymptotic_var_ar"])
        mann_whitney = (pairs.surplus + pairs.pairs) / 2
        assert mann_whitney == rational(expected["mann_whitney_U"])
    else:
        sandwich = compute_ratio_influence([read_columns(y, s, **weight)])
        variance = sandwich.covariance.variance()
        assert variance == rational(expected["weighted_sandwich_var_ar"])
        plug_in = (sandwich.psi**2).sum()
        assert plug_in == rational(expected["weighted_sandwich_var_ar_no_ssc"])
    if "frequency_weights_delong_var_ar" in expected:
        pairs = count_pairs(read_columns(y, s, **weight, weights="frequency"))
        assert pairs.delong_variance == rational(
            expected["frequency_weights_delong_var_ar"]
        )


@of_kind("paired")
@pytest.mark.parametrize("method", ["delong", "eht"])
def test_paired_differences(example, method):
    given, expected = example["input"], example["expected"]
    scores = numbers(given["score_1"]), numbers(given["score_2"])
    numbers_of = expected[method]
    variance = float(Fraction(numbers_of["var_difference"]["exact"]))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = accuracy_ratio_test(given["y"], *scores, method=method)
    assert found.first == rational(expected["ar_model_1"])
    assert found.second == rational(expected["ar_model_2"])
    assert found.value == rational(expected["difference_1_minus_2"])
    if variance < 0:
        assert "negative" in str(caught[0].message)
        assert found.method == "delong"
        numbers_of = expected["delong"]
        variance = float(Fraction(numbers_of["var_difference"]["exact"]))
    assert found.standard_error**2 == close(variance)
    if numbers_of["chi2_1df"] is None:
        assert np.isnan([found.p_value, found.statistic, found.low]).all()
    else:
        assert found.statistic**2 == rational(numbers_of["chi2_1df"])
        assert found.p_value == close(numbers_of["p_two_sided"])


@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
@of_kind("general")
def test_variances_of_amounts_and_of_somers_d(example):
    y, s, weight = data(example)
    expected = example["expected"]
    columns = read_columns(y, s, target_type="continuous", **weight)
    amounts = replace(columns, target=columns.target.astype(float))
    influence = compute_ratio_influence([amounts])
    assert influence.value[0] == rational(expected["normalised_gini"])
    variance = influence.covariance.variance()
    assert variance == rational(expected["normalised_gini_if_variance"])
    estimate = somers_d_interval(y, s, **weight)
    assert estimate.value == rational(expected["somers_d_score_given_y"])
    assert estimate.standard_error**2 == rational(expected["somers_d_if_variance"])
    assert estimate.to_auc().value == rational(expected["gauc"])
    assert estimate.to_auc().standard_error ** 2 == rational(expected["gauc_if_variance"])


@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
@of_kind("gauc_table")
def test_gauc_of_a_table(example):
    expected = example["expected"]
    estimate = somers_d_from_table(example["input"]["table"])
    assert estimate.value == rational(expected["somers_d"])
    assert estimate.standard_error**2 == rational(expected["var_somers_d"])
    assert estimate.to_auc().value == rational(expected["gauc"])
    assert estimate.to_auc().standard_error ** 2 == rational(expected["var_gauc"])


@of_kind("clustered")
def test_clustered_variances(example):
    given, expected = example["input"], example["expected"]
    columns = read_columns(given["y"], given["score"], clusters=given["cluster"])
    influence = compute_ratio_influence([columns])
    assert influence.value[0] == rational(expected["accuracy_ratio"])
    covariance = influence.covariance
    assert covariance.variance() == rational(expected["obuchowski_var_ar"])
    assert {part.size for part in covariance.parts} == {expected["I10"], expected["I01"]}
    together = replace(influence, stratum=None).covariance.variance()
    assert together == rational(expected["influence_cluster_var_ar_ssc"])
    n = expected["I"]
    assert (n - 1) / n * together == rational(expected["influence_cluster_var_ar_no_ssc"])


@of_kind("ecb_auc_test")
def test_the_ecb_statistic(example):
    given, expected = example["input"], example["expected"]
    (current,) = (each for each in EXAMPLES if each["id"] == given["current"])
    y, s, _ = data(current)
    with pytest.warns(FewEventsWarning):
        estimate = accuracy_ratio_interval(y, s)
    initial = float(Fraction(given["auc_init"]))
    with pytest.warns(FewEventsWarning, match="based on 6 events"):
        found = accuracy_ratio_test_initial(estimate, initial_auc=initial).ecb
    assert found.second == rational(expected["auc_current"])
    assert found.standard_error**2 == rational(expected["variance_s2"])
    assert found.statistic == close(expected["S"])
    assert found.p_value == close(expected["p_value"])


@of_kind("hypergeometric")
def test_the_pointwise_random_band(example):
    expected = example["expected"]
    n, m, k = (expected[name] for name in ("n", "events", "k"))
    share = np.array([k / n])
    cumulated = np.cumsum(
        [float(Fraction(p)) for p in expected["pmf_of_captured_events"]["exact"]]
    )
    for level in (0.2, 0.6, 0.7, 0.9, 0.94):
        low, high = null_capture_limits(share, m, n - m, level)
        tail = (1 - level) / 2
        limits = [np.searchsorted(cumulated, p) / m for p in (tail, 1 - tail)]
        assert [low[0], high[0]] == close(limits)


@of_kind("null")
def test_the_distribution_of_a_useless_score(example):
    """Enumerate every order of events and non-events."""
    expected = example["expected"]
    n, m = expected["n"], expected["events"]
    ratios, gaps = [], []
    for events in combinations(range(n), m):
        y = np.isin(np.arange(n), events)
        curve = CapCurve.from_predictions(y, np.arange(n))
        ratios.append(round(curve.accuracy_ratio, 12))
        gaps.append(round(curve.ks, 12))
    for found, name in ((ratios, "ar_distribution"), (gaps, "ks_distribution")):
        values, counts = np.unique(found, return_counts=True)
        assert values == exact(expected[name]["value"])
        assert counts / len(found) == exact(expected[name]["prob"])
    values = [float(Fraction(v)) for v in expected["ks_distribution"]["value"]["exact"]]
    probabilities = [
        float(Fraction(p)) for p in expected["ks_distribution"]["prob"]["exact"]
    ]
    for at, value in enumerate(values):
        assert ks_p_value(value, m, n - m) == close(sum(probabilities[at:]))
