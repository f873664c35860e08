"""Difference of two capture rates: replicates, identities and edges."""

import numpy as np
import pytest

from capcurve import (
    CapcurveError,
    FewEventsWarning,
    capture_rate_interval,
    capture_rate_score,
    capture_rate_test,
)
from capcurve.datasets import make_portfolio

LOANS = make_portfolio()
Y, A, B = LOANS["default"], LOANS["challenger_pd"], LOANS["champion_pd"]
RATE = LOANS["loss"] / LOANS["exposure"]


def resample(random, options):
    """Draw rows, or clusters of two, with replacement."""
    if "clusters" in options:
        pairs = random.integers(len(Y) // 2, size=len(Y) // 2)
        return np.concatenate([2 * pairs, 2 * pairs + 1])
    kinds = [np.flatnonzero(kind == Y) for kind in (1, 0)]
    return np.concatenate([random.choice(kind, len(kind)) for kind in kinds])


@pytest.mark.slow
@pytest.mark.parametrize("fraction", [0.1, 0.4])
@pytest.mark.parametrize(
    ("y", "options"),
    [
        (Y, {}),
        (Y, {"sample_weight": LOANS["exposure"]}),
        (Y, {"clusters": np.arange(len(Y)) // 2}),
        (RATE, {"sample_weight": LOANS["exposure"]}),
    ],
    ids=["rows", "weights", "clusters", "amounts"],
)
def test_replicates_of_both_scores_vary_as_much(y, options, fraction):
    random = np.random.default_rng(4)
    drawn = []
    weight = options.get("sample_weight")
    for _ in range(200):
        rows = resample(random, options)
        captured = [
            capture_rate_score(
                y[rows],
                score[rows],
                fraction=fraction,
                sample_weight=None if weight is None else weight[rows],
            )
            for score in (A, B)
        ]
        drawn.append(captured[0] - captured[1])
    found = capture_rate_test(y, A, B, fraction=fraction, **options)
    assert found.standard_error == pytest.approx(np.std(drawn), rel=0.2)
    width = np.ptp(np.quantile(drawn, [0.025, 0.975]))
    assert found.high - found.low == pytest.approx(width, rel=0.3)
    assert found.low < found.value < found.high
    assert found.value == pytest.approx(
        capture_rate_interval(y, A, fraction=fraction, **options).value
        - capture_rate_interval(y, B, fraction=fraction, **options).value
    )


def test_the_other_way_round_changes_the_sign():
    found = capture_rate_test(Y, A, B, fraction=0.2)
    turned = capture_rate_test(Y, B, A, fraction=0.2)
    assert (turned.value, turned.low, turned.high) == pytest.approx(
        (-found.value, -found.high, -found.low)
    )
    assert turned.p_value == pytest.approx(found.p_value)


def test_one_side_has_one_limit_and_the_same_reach():
    two = capture_rate_test(Y, A, B, fraction=0.2, confidence_level=0.9)
    greater = capture_rate_test(Y, A, B, fraction=0.2, alternative="greater", margin=0.02)
    less = capture_rate_test(Y, A, B, fraction=0.2, alternative="less")
    assert (greater.low, greater.high) == pytest.approx((two.low, 1))
    assert (less.low, less.high) == pytest.approx((-1, two.high))
    at_limit = capture_rate_test(
        Y, A, B, fraction=0.2, alternative="greater", margin=-greater.low
    )
    assert at_limit.p_value == pytest.approx(0.05, abs=0.002)
    assert at_limit.p_value < greater.p_value < 0.5


def test_the_same_ranking_twice_does_not_differ():
    for fraction in (0.2, 1):
        found = capture_rate_test(Y, A, np.exp(A), fraction=fraction)
        assert (found.value, found.low, found.high, found.p_value) == (0, 0, 0, 1)
    assert repr(found).startswith("capture rate at 100 % difference 0.000 (1.000 - 1.000)")


def test_two_full_captures_are_not_certain():
    y = (np.arange(400) < 40).astype(int)
    first = -np.arange(400.0)
    second = first.copy()
    second[[100, 39]] = second[[39, 100]]
    found = capture_rate_test(y, first, second, fraction=0.3)
    assert (found.value, found.p_value) == (0, 1)
    assert found.low < -0.05 < 0.05 < found.high


def test_few_events_are_announced():
    y = (np.arange(300) < 6).astype(int)
    with pytest.warns(FewEventsWarning, match="the test is based on 6 events"):
        capture_rate_test(y, A[:300], B[:300], fraction=0.3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fraction": 0}, r"`fraction` must be a fraction in \(0, 1\]"),
        ({"fraction": 0.1, "margin": 0.1}, "`margin` requires a one-sided test"),
        ({"fraction": 0.1, "y_true": np.zeros(len(Y))}, "the test is undefined"),
    ],
)
def test_what_has_no_meaning_is_refused(options, message):
    data = {"y_true": Y, "y_score_a": A, "y_score_b": B, **options}
    with pytest.raises(CapcurveError, match=message):
        capture_rate_test(**data)


def test_all_rows_capture_everything():
    found = capture_rate_test([1, 0] * 20, np.arange(40), np.arange(40)[::-1], fraction=1)
    assert (found.first, found.second, found.value, found.p_value) == (1, 1, 0, 1)
