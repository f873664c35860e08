"""Exact rationals that capcurve did not compute; tests/reference has their generator."""

import json
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score, roc_curve

from capcurve import (
    CapCurve,
    accuracy_ratio_score,
    cap_curve,
    capture_rate_score,
    lift_score,
    perfect_cap_curve,
)
from capcurve._engines.arrays import tally
from capcurve._input import read_columns

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
    assert curve.tally.tied_pairs == rational(expected["pairs"]["tied"])
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
    tied = curve.tally.tied_pairs
    concordant, discordant = (
        (events * rest - tied + sign * curve.tally.gain) / 2 for sign in (1, -1)
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
    coarse = tally(read_columns(y, bins))
    assert coarse.target[::-1].tolist() == expected["bin_events"]
    curve = CapCurve.from_predictions(y, bins)
    assert curve.accuracy_ratio == rational(expected["ar_mid"])
    assert curve.tie_bounds.worst <= float(Fraction(expected["ar_true"]["exact"]))
    assert curve.tie_bounds.best >= float(Fraction(expected["ar_true"]["exact"]))
    assert accuracy_ratio_score(y, s) == rational(expected["ar_true"])
