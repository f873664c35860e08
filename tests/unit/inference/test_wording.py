"""Results in one line: numbers are told apart from those that a test compares them with."""

import dataclasses

import pytest

from capcurve import (
    accuracy_ratio_change,
    accuracy_ratio_interval,
    accuracy_ratio_test,
    accuracy_ratio_test_independent,
    accuracy_ratio_test_initial,
    accuracy_ratio_test_joint,
    accuracy_ratio_test_segments,
    lift_interval,
    somers_d_from_table,
)
from capcurve._inference.wording import (
    MEAN_AMOUNT,
    format_apart,
    format_p_value,
    is_of_amounts,
    name_measure,
    name_share,
)
from capcurve.datasets import make_portfolio

LOANS = make_portfolio()
OUTCOME, CHAMPION, CHALLENGER = (
    LOANS[name] for name in ("default", "champion_pd", "challenger_pd")
)
TEST = accuracy_ratio_test(OUTCOME, CHALLENGER, CHAMPION)
RATIO = accuracy_ratio_interval(OUTCOME, CHAMPION)
NEAR = {"low": -1.05e-5, "high": 0.047, "p_value": 0.0501}


def test_a_limit_that_is_not_0_and_a_p_value_by_the_level_are_not_rounded_to_them():
    shown = repr(dataclasses.replace(TEST, **NEAR))
    assert "interval -0.00001 to 0.047, p = 0.0501 (" in shown
    assert "interval -0.00001 to 0.0470, p = 0.0501" in (
        dataclasses.replace(TEST, **NEAR)._repr_html_()
    )


@pytest.mark.parametrize(
    ("alternative", "low", "high", "shown"),
    [
        ("greater", -0.0199, 2, "lower limit -0.0199"),
        ("less", -2, 0.0201, "upper limit 0.0201"),
        ("equivalent", -0.0104, 0.01996, "limits -0.010 and 0.01996"),
        ("greater", -0.02, 2, "lower limit -0.020"),
    ],
)
def test_a_limit_is_told_from_the_margin(alternative, low, high, shown):
    numbers = {"alternative": alternative, "margin": 0.02, "low": low, "high": high}
    assert shown in repr(dataclasses.replace(TEST, **numbers))


def test_limits_of_a_ratio_are_told_from_that_of_an_uninformative_score():
    ratio = dataclasses.replace(RATIO, low=0.0004)
    assert "interval 0.0004 to" in repr(ratio)
    assert "interval 0.5002 to" in repr(ratio.to_auc())
    lift = lift_interval(OUTCOME, CHAMPION, fraction=0.1)
    assert "interval 0.000 to" in repr(dataclasses.replace(lift, low=0.0004))


def test_each_kind_of_result_tells_its_p_value_from_the_level():
    near = {"p_value": 0.04996}
    initial = accuracy_ratio_test_initial(RATIO, initial_auc=0.8)
    ecb = dataclasses.replace(initial.ecb, **near)
    joint = accuracy_ratio_test_joint(OUTCOME, {"a": CHAMPION, "b": CHALLENGER})
    segments = accuracy_ratio_test_segments(OUTCOME, CHAMPION, LOANS["year"], ordered=True)
    trend = dataclasses.replace(segments.trend, low=0.0003, **near)
    grade = [ord(letter) for letter in LOANS["grade"]]
    change = accuracy_ratio_change(OUTCOME, grade, LOANS["year"], samples=(2021, 2024))
    mix = dataclasses.replace(change.mix, high=-0.0003, **near)
    results = [
        dataclasses.replace(initial, ecb=ecb),
        dataclasses.replace(joint, **near),
        dataclasses.replace(segments, **near),
        trend,
        mix,
    ]
    for result in results:
        assert "p = 0.04996" in repr(result)
        assert "0.04996" in result._repr_html_()
    assert "interval 0.0003 to" in repr(trend)
    assert "to -0.0003, p" in repr(mix)
    assert "to -0.0003)" in repr(dataclasses.replace(change, mix=mix))


def test_a_p_value_below_a_thousandth_is_a_bound():
    assert format_p_value(0.0002, 0.95) == "p < 0.001"
    assert format_p_value(0.0002, 0.9999) == "p = 0.0002"
    assert format_p_value(0.00002, 0.9999) == "p < 0.0001"


def test_numbers_that_differ_by_rounding_are_not_told_apart():
    assert format_apart(0.1 + 0.2, 0.3) == "0.300"
    assert format_apart(-1e-13, 0.0) == "0.000"
    assert format_apart(0.3 + 1.1e-12, 0.3) == "0.300000000001"


@pytest.mark.parametrize("has_events", [True, False])
def test_a_name_says_whether_a_measure_is_one_of_amounts(has_events):
    for name in (
        name_measure("KS", has_events=has_events),
        name_share("capture rate", 0.1, has_events=has_events),
        "response rate at 10 %" if has_events else f"{MEAN_AMOUNT} at 10 %",
    ):
        result = dataclasses.replace(RATIO, name=name)
        assert is_of_amounts(result) is not has_events
    assert not is_of_amounts(dataclasses.replace(RATIO, name="AR by loan amount"))


def test_numbers_of_one_of_two_samples_are_not_given_as_those_of_both():
    retail = LOANS["segment"] == "retail"
    parts = [
        accuracy_ratio_interval(OUTCOME[rows], CHAMPION[rows])
        for rows in (retail, LOANS["segment"] == "corporate")
    ]
    test = accuracy_ratio_test_independent(*parts)
    sizes = "two samples, one with 72 events and 908 non-events)"
    assert repr(test).endswith(f"(two-sided, {sizes}")
    assert ">Events, one sample</th><td>72</td>" in test._repr_html_()
    assert ">Non-events, one sample</th><td>908</td>" in test._repr_html_()
    initial = accuracy_ratio_test_initial(RATIO, initial_auc=0.8, initial_variance=1e-4)
    ends = [line.partition("(greater, ")[2] for line in repr(initial).split("\n")]
    assert ends == [
        "ECB, 453 events, 9,547 non-events)",
        "two samples, one with 453 events and 9,547 non-events)",
    ]
    loss = LOANS["exposure"] * OUTCOME
    amounts = accuracy_ratio_interval(loss[~retail], CHAMPION[~retail])
    assert repr(accuracy_ratio_test_independent(amounts, amounts)).endswith(
        "two samples, one with 227 rows above 0 and 3,754 of 0)"
    )
    of_rows = [somers_d_from_table([[80, 30, 10], [30, 60, 40], [10, 20, 70]])] * 2
    assert repr(accuracy_ratio_test_independent(*of_rows)).endswith(
        "two samples, one with 350 rows)"
    )
