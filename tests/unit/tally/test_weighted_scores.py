"""Sums over weighted pairs, against fractions of every pair."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from capcurve import CapCurve, CapcurveError, accuracy_ratio_score
from capcurve._tally import order, threads, weighted_scores
from capcurve._tally.weighted_scores import sum_weighted_signs

SCORES = st.sampled_from([-2.5, 0.0, -0.0, 0.1, 0.3, 7e5, 7.1e5])
WEIGHTS = st.floats(0.015625, 64)
ROWS = st.lists(
    st.tuples(
        st.sampled_from([-2.5, 0.0, -0.0, 0.1, 0.3, 7e5, 7.1e5]), st.booleans(), WEIGHTS
    ),
    min_size=12,
    max_size=60,
).filter(lambda rows: len({event for _, event, _ in rows}) == 2)


def count_exactly(score, weight, event):
    """Add up the weights of concordant less those of discordant pairs."""
    rows = [(s, Fraction(w), e) for s, w, e in zip(score, weight, event, strict=True)]
    return sum(
        w * v * ((s > r) - (s < r)) for s, w, e in rows if e for r, v, d in rows if not d
    )


@pytest.fixture
def few_rows_are_packed(monkeypatch):
    """Let few rows take the way of many, in small chunks."""
    monkeypatch.setattr(weighted_scores, "PACKING_PAYS", 2)
    monkeypatch.setattr(threads, "ROWS_OF_FEW", 8)


def check(score, weight, event):
    found = sum_weighted_signs(score, weight, event)
    expected = float(count_exactly(score.tolist(), weight.tolist(), event.tolist()))
    pairs = found.events * found.others
    assert found.events == pytest.approx(weight[event].sum())
    assert found.others == pytest.approx(weight[~event].sum())
    assert found.surplus / pairs == pytest.approx(expected / pairs, abs=1e-12)


@pytest.mark.usefixtures("few_rows_are_packed")
@pytest.mark.parametrize("wide", [64, 10, 9, 8])
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=ROWS)
def test_pairs_are_added_up_also_where_keys_lose_bits(wide, rows):
    score, event, weight = map(np.array, zip(*rows, strict=True))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order, "WIDE", wide)
        check(score, weight, event)
        check(score.astype(np.float32), weight, event)


@pytest.mark.usefixtures("few_rows_are_packed")
@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.uint8, np.uint64])
@pytest.mark.parametrize("most", [3, 100])  # grades, and numbers that are sorted
def test_whole_numbers(dtype, most):
    rng = np.random.default_rng(most)
    score = rng.integers(0, most, 60).astype(dtype)
    check(score, rng.random(60) + 0.1, rng.random(60) < 0.4)


@pytest.mark.parametrize("decimals", [1, 3, 17])
@pytest.mark.parametrize("descending", [True, False])
def test_scores_of_many_rows_are_those_of_their_curve(decimals, descending):
    rng = np.random.default_rng(decimals)
    score = rng.random(20_000).round(decimals)
    event, weight = rng.random(20_000) < score, rng.random(20_000) + 0.1
    options = {"sample_weight": weight, "descending": descending}
    expected = CapCurve.from_predictions(event, score, **options).accuracy_ratio
    found = accuracy_ratio_score(event, score, **options)
    assert found == pytest.approx(expected, abs=1e-12)


def test_few_rows_and_a_class_that_hardly_weighs_are_left_to_tallies():
    score, event = np.arange(10_000) % 7, np.arange(10_000) % 3 == 0
    weight = np.where(event, 1.0, 1e-12)
    assert sum_weighted_signs(score, weight, event) is None
    assert sum_weighted_signs(score[:100], np.ones(100), event[:100]) is None
    with pytest.raises(CapcurveError, match="differ by more than the rounding"):
        accuracy_ratio_score(event, score, sample_weight=weight)
