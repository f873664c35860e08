"""The implied accuracy ratio and its test from arrays: what they print, warn of, refuse."""

import math

import numpy as np
import pytest

from capcurve import (
    CapcurveError,
    FewEventsWarning,
    UndefinedMetricWarning,
    accuracy_ratio_interval,
    accuracy_ratio_score,
    accuracy_ratio_test_implied,
    implied_accuracy_ratio_score,
)
from capcurve.datasets import make_portfolio

LOANS = make_portfolio()
Y, PD = LOANS["default"], LOANS["champion_pd"]


def test_the_observed_ratio_is_that_of_the_score():
    weights = {"sample_weight": LOANS["exposure"]}
    for options in ({}, weights):
        found = accuracy_ratio_test_implied(Y, PD, **options)
        assert found.observed == accuracy_ratio_score(Y, PD, **options)
        assert found.difference == found.observed - found.implied
        assert found.statistic == found.difference / found.standard_error
        assert found.expected_events == pytest.approx(PD.sum())
    found = accuracy_ratio_test_implied(Y, PD, y_score=LOANS["exposure"], descending=False)
    assert found.observed == accuracy_ratio_score(Y, LOANS["exposure"], descending=False)


def test_noise_in_log_odds_implies_too_much_and_the_truth_does_not():
    """The PDs of the models are the true ones with noise; those without noise pass."""
    assert accuracy_ratio_test_implied(Y, PD, alternative="less").p_value < 1e-6
    rng = np.random.default_rng(1)
    for _ in range(5):
        y = rng.random(len(PD)) < PD
        found = accuracy_ratio_test_implied(y, PD)
        assert found.p_value > 0.01
        given = accuracy_ratio_test_implied(y, PD, shift=False)
        assert given.implied == pytest.approx(implied_accuracy_ratio_score(PD), abs=1e-4)
        assert (given.shift, given.p_value > 0.01) == (0, True)


def test_rows_are_given_so_the_error_is_smaller_than_that_of_a_new_sample():
    rng = np.random.default_rng(2)
    y = rng.random(len(PD)) < PD
    estimate = accuracy_ratio_interval(y, PD)
    found = accuracy_ratio_test_implied(y, PD)
    assert 0.8 < found.standard_error / estimate.standard_error < 0.95


def test_results_print_as_one_line_and_as_a_dictionary():
    found = accuracy_ratio_test_implied(Y, PD, confidence_level=0.9)
    counts = "453 events, 9,547 non-events, 542.1 events expected"
    assert repr(found) == (
        "AR 0.573, implied 0.694, 90 % range 0.665 to 0.722 if the probabilities are "
        f"right, p < 0.001 (two-sided, shift -0.222, {counts})"
    )
    above = accuracy_ratio_test_implied(Y, PD, alternative="greater")
    assert "95 % upper limit 0.722 if" in repr(above)
    assert found.to_dict()["confidence_level"] == 0.9
    assert found.to_dict()["implied"] == found.implied


def test_what_cannot_vary_is_undefined():
    for y, p, s, reason in (
        ([0, 0, 0], [0.1, 0.2, 0.3], None, "`y_true` holds only non-events"),
        (
            [0, 1, 0],
            [0.2, 0.2, 0.2],
            None,
            "all scores are equal, so no other accuracy ratio was possible",
        ),
        ([0, 1, 0], [0.1, 0.2, 0.3], [7, 7, 7], "all scores are equal, so no other"),
        ([0, 1, 1], [0.1, 1.0, 1.0], None, "or had the same outcome, so no other"),
    ):
        for shift in (True, False):
            if shift or p[-1] < 1:
                with pytest.warns(UndefinedMetricWarning, match=reason):
                    found = accuracy_ratio_test_implied(y, p, y_score=s, shift=shift)
                for name in ("p_value", "statistic", "low", "high"):
                    assert math.isnan(getattr(found, name)), name
                assert found.n_events == sum(y)
                assert found.expected_events == pytest.approx(sum(p))
    assert math.isnan(found.implied)


def test_rows_that_are_certain_are_not_shifted():
    rng = np.random.default_rng(3)
    p = rng.beta(1, 3, 300)
    y = rng.random(300) < p
    alone = accuracy_ratio_test_implied(y, p)
    sure = accuracy_ratio_test_implied(
        np.append(y, [True, False]), np.append(p, [1.0, 0.0])
    )
    assert sure.shift == pytest.approx(alone.shift)
    assert sure.implied > alone.implied


def test_few_expected_errors_are_announced():
    y, p = np.repeat([1, 0], [3, 97]), np.repeat([0.05, 0.03, 0.02], [10, 30, 60])
    with pytest.warns(FewEventsWarning, match=r"expects 1.2 rows .* fewer than 2 it may"):
        accuracy_ratio_test_implied(y, p)
    p = np.linspace(0.01, 0.4, 100)
    y = np.tile([1, 0, 0, 0, 0], 20)
    assert accuracy_ratio_test_implied(y, p).n_events == 20
    with pytest.warns(FewEventsWarning, match="may miss its level"):
        accuracy_ratio_test_implied(y, p, clusters=np.arange(100) // 25)
    weights = np.where(np.arange(100) == 50, 1e4, 1.0)
    with pytest.warns(FewEventsWarning, match="may miss its level"):
        accuracy_ratio_test_implied(y, p, sample_weight=weights)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"y_prob": PD * 100}, "`y_prob` must hold probabilities from 0 to 1, got numbers"),
        ({"y_prob": Y}, "`y_prob` must hold probabilities of the event, got only 0 and 1"),
        ({"y_prob": np.where(Y, 0, PD)}, "got 453 events with 0, .*; set a floor"),
        ({"y_prob": PD[:-1]}, "arrays must have equal lengths"),
        ({"y_score": PD[:-1]}, "arrays must have equal lengths"),
        ({"descending": False}, "`descending=False` requires `y_score`, got None"),
        ({"descending": "no"}, "`descending` must be True or False"),
        ({"shift": 1}, "`shift` must be True or False, got 1"),
        (
            {"alternative": "lower"},
            "`alternative` must be 'two-sided', 'greater' or 'less'",
        ),
        ({"confidence_level": 95}, "`confidence_level` must lie between 0 and 1, got 95"),
        ({"weights": "frequency"}, "`weights='frequency'` requires `sample_weight`"),
        ({"y_true": LOANS["loss"]}, "`y_true` must hold 0/1, -1/1 or boolean events"),
    ],
)
def test_what_makes_no_sense_is_refused(options, message):
    given = {"y_true": Y, "y_prob": PD, **options}
    with pytest.raises(CapcurveError, match=message):
        accuracy_ratio_test_implied(given.pop("y_true"), given.pop("y_prob"), **given)


def test_the_score_alone_refuses_the_same():
    for p, options, message in (
        (PD * 100, {}, "`y_prob` must hold probabilities from 0 to 1"),
        ([], {}, "arrays must not be empty"),
        ([0.5, np.nan], {}, "`y_prob` must not hold missing values"),
        (PD, {"descending": False}, "`descending=False` requires `y_score`"),
    ):
        with pytest.raises(CapcurveError, match=message):
            implied_accuracy_ratio_score(p, **options)
    points = -np.log(PD + 1e-5)
    ascending = implied_accuracy_ratio_score(PD, y_score=points, descending=False)
    assert ascending == pytest.approx(implied_accuracy_ratio_score(PD))
    weighted = implied_accuracy_ratio_score(PD[:50], sample_weight=np.full(50, 3))
    assert weighted == pytest.approx(implied_accuracy_ratio_score(PD[:50]))
