"""Facts on comparisons are the numbers of the other doors."""

import numpy as np
import polars as pl
import pytest
from scipy import stats

from capcurve import (
    CapcurveError,
    CapSketch,
    accuracy_ratio_interval,
    accuracy_ratio_test_implied,
    accuracy_ratio_test_initial,
    plan_from_sample,
    report,
    somers_d_interval,
)
from capcurve.datasets import make_portfolio

LOANS = pl.DataFrame(make_portfolio(3_000))
MODELS = ("champion_pd", "challenger_pd")
Y, *SCORES = (LOANS[name].to_numpy() for name in ("default", *MODELS))


@pytest.fixture(scope="module")
def facts():
    return report(
        LOANS,
        "default",
        MODELS[0],
        compare=MODELS[1],
        initial_auc=0.82,
        initial_variance=1e-4,
        implied=MODELS,
        confidence_level=0.9,
    ).facts


def test_the_champion_alone_is_tested_against_its_initial_validation(facts):
    current = accuracy_ratio_interval(Y, SCORES[0], confidence_level=0.9)
    tests = accuracy_ratio_test_initial(
        current, initial_auc=0.82, initial_variance=1e-4, confidence_level=0.9
    )
    assert [row["model"] for row in facts["initial"]] == [MODELS[0]] * 2
    for row, test in zip(facts["initial"], (tests.ecb, tests.two_sample), strict=True):
        for name in ("value", "low", "statistic", "p_value", "first", "second"):
            assert row[name] == getattr(test, name)
        assert row["is_significant"] == (test.p_value < 0.1)
    assert [row["test"] for row in facts["initial"]] == ["ECB", "two samples"]


def test_the_test_of_two_samples_can_be_traced(facts):
    row = facts["initial"][1]
    auc = accuracy_ratio_interval(Y, SCORES[0], confidence_level=0.9).to_auc()
    trials = np.array([0.82 * 0.18 / 1e-4, auc.n_trials])
    both = (0.82, auc.value) @ trials / trials.sum()
    expected = np.sqrt(both * (1 - both) * (1 / trials).sum())
    assert row["s_0"] == pytest.approx(expected)
    assert row["statistic"] == pytest.approx((0.82 - auc.value) / expected)
    tail = stats.t.sf(row["statistic"], row["degrees_of_freedom"])
    assert row["p_value"] == pytest.approx(tail)
    method = next(each for each in facts["methods"] if "two samples" in each["topic"])
    assert f"here s_0 = {expected:.6f}" in method["formula"]
    assert method["df"] == f"{row['degrees_of_freedom']:,.1f}"


def test_equal_values_have_no_denominator():
    auc = accuracy_ratio_interval(Y, SCORES[0]).to_auc().value
    options = {"initial_auc": auc, "initial_variance": 1e-4}
    found = report(LOANS, "default", MODELS[0], **options).facts
    assert [row["s_0"] for row in found["initial"]] == [None, None]
    method = next(each for each in found["methods"] if "two samples" in each["topic"])
    assert "s_0 undefined here" in method["formula"]


def test_the_test_of_a_challenger_can_be_traced(facts):
    (row,) = facts["challengers"]
    assert row["statistic"] == pytest.approx(row["value"] / row["s_0"])
    tail = stats.t.sf(abs(row["statistic"]), row["degrees_of_freedom"])
    assert row["p_value"] == pytest.approx(2 * tail)


def test_the_template_of_the_ecb_can_be_filled_in(facts):
    row = facts["initial"][0]
    assert row["s"] ** 2 == row["variance"]
    assert row["statistic"] == pytest.approx((row["first"] - row["second"]) / row["s"])
    assert (row["n_events"], row["n_rows"]) == (int(Y.sum()), 3_000)
    assert (row["level"], row["initial_variance"]) == (0.1, 1e-4)
    (only,) = report(LOANS, "default", MODELS[0], initial_auc=0.7).facts["initial"]
    assert (only["test"], only["initial_variance"]) == ("ECB", None)
    assert not only["is_significant"]


def test_amounts_are_tested_on_gauc():
    (row,) = report(LOANS, "loss", MODELS[0], initial_auc=0.8).facts["initial"]
    gauc = somers_d_interval(LOANS["loss"], LOANS[MODELS[0]]).to_auc()
    assert (row["name"], row["second"], row["s"]) == (
        "gAUC",
        gauc.value,
        gauc.standard_error,
    )


def test_implied_ratios_are_those_of_the_arrays(facts):
    assert [row["model"] for row in facts["implied"]] == list(MODELS)
    for row, score in zip(facts["implied"], SCORES, strict=True):
        expected = accuracy_ratio_test_implied(Y, score, confidence_level=0.9)
        assert row["text"] == repr(expected)
        for name, value in expected.to_dict().items():
            assert row[name] == value
        assert row["is_reliable"]
    one = report(LOANS, "default", *MODELS[:1], compare=MODELS[1], implied=MODELS[1])
    assert [row["model"] for row in one.facts["implied"]] == [MODELS[1]]
    assert report(LOANS, "default", MODELS[0]).facts["implied"] == []


@pytest.mark.parametrize(
    ("truth", "options", "told"),
    [
        ("default", {"implied": "grade"}, "must name scores of the report, got 'grade'"),
        ("loss", {"implied": MODELS[0]}, "got amounts; leave `implied` out"),
        ("default", {"descending": False}, "got low scores first; leave `implied` out"),
        ("default", {"estimate": "exposure"}, "must hold probabilities from 0 to 1"),
        ("default", {"estimate": "grade", "order": "HGFEDCBA"}, "got grades; leave"),
    ],
)
def test_scores_that_are_no_probabilities_imply_nothing(truth, options, told):
    estimate = options.pop("estimate", MODELS[0])
    if "order" in options:
        options["order"] = list(options["order"])
    options = {"implied": estimate} | options
    with pytest.raises(CapcurveError, match=told):
        report(LOANS, truth, estimate, **options)


def test_an_event_of_probability_zero_is_refused():
    rows = pl.DataFrame({"y": [1, 0, 1, 0], "p": [0.0, 0.2, 0.4, 0.1]})
    with pytest.raises(CapcurveError, match="`p` must allow for what happened"):
        report(rows, "y", "p", implied="p")


def test_power_is_that_of_a_plan_from_the_sample(facts):
    power = facts["power"]
    assert (power["power"], power["level"]) == (0.8, 0.1)
    for row, score in zip(power["models"], SCORES, strict=True):
        either = plan_from_sample(Y, score, confidence_level=0.9)
        fall = plan_from_sample(Y, score, alternative="less", confidence_level=0.9)
        assert row["detectable_difference"] == either.detectable_difference
        assert row["detectable_fall"] == -fall.detectable_difference
        assert row["detectable_fall_auc"] == -fall.detectable_difference / 2
        assert row["half_width"] == either.half_width
    (pair,) = power["pairs"]
    assert (pair["model"], pair["against"]) == MODELS[::-1]
    plan = plan_from_sample(Y, SCORES[1], SCORES[0], confidence_level=0.9)
    assert pair["detectable_difference"] == plan.detectable_difference


def test_power_of_amounts_has_no_auc_and_bins_have_none():
    found = report(LOANS, "loss", MODELS[0]).facts["power"]["models"][0]
    assert found["detectable_fall"] > 0
    assert found["detectable_fall_auc"] is None
    sketch = CapSketch()
    sketch.update(Y, SCORES[0])
    assert report(sketch, "default", MODELS[0]).facts["power"] is None


def test_a_perfect_ranking_has_no_power():
    rows = pl.DataFrame({"y": [1, 1, 0, 0], "s": [4, 3, 2, 1]})
    found = report(rows, "y", "s").facts
    assert found["power"]["models"][0]["detectable_fall"] is None
    assert found["power"]["models"][0]["detectable_fall_auc"] is None
    assert "power" not in [each["topic"] for each in found["findings"]]
