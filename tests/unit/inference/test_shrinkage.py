"""The beta interval: by its formula, at the edges, and its p-value."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from capcurve import FewEventsWarning, accuracy_ratio_interval
from strategies import rankings

pytestmark = pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")


def auc_limits(y, s, level, a=0.5, q=0.25):
    """Quarter pseudo-events: mean and variance of the enlarged sample, beta limits."""
    signs = np.sign(np.subtract.outer(s[y == 1], s[y == 0]))
    placements = (signs.mean(axis=1) + 1) / 2, (signs.mean(axis=0) + 1) / 2
    auc, (m, n) = placements[0].mean(), signs.shape
    centre = (m * n * auc + a * (m + n) / 2 + a * a / 2) / ((m + a) * (n + a))
    pseudo = a * (q + (centre - 0.5) ** 2)
    x, y = (
        (((each - auc) ** 2).sum() + pseudo) / ((len(each) - 1 + a) * (len(each) + a))
        for each in placements
    )
    free = (x + y) ** 2 / (x * x / (m - 1) + y * y / (n - 1))
    widening = stats.t.ppf((1 + level) / 2, free) / stats.norm.ppf((1 + level) / 2)
    trials = centre * (1 - centre) / ((x + y) * widening**2)
    ends = stats.beta.ppf(
        [(1 - level) / 2, (1 + level) / 2], trials * centre, trials * (1 - centre)
    )
    return min(ends[0], auc), max(ends[1], auc)


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
@pytest.mark.parametrize("digits", [0, 3])
def test_limits_by_their_formula(level, digits):
    rng = np.random.default_rng(5)
    y = (np.arange(300) < 25).astype(int)
    s = np.round(rng.normal(size=300) + 1.5 * y, digits)
    found = accuracy_ratio_interval(y, s, confidence_level=level).to_auc()
    assert (found.low, found.high) == pytest.approx(auc_limits(y, s, level), rel=1e-9)


@pytest.mark.parametrize(
    ("events", "rows", "low"), [(20, 420, 0.821), (5, 100, 0.143), (100, 5100, 0.965)]
)
def test_published_limits_of_a_perfect_ranking(events, rows, low):
    y = (np.arange(rows) < events).astype(int)
    found = accuracy_ratio_interval(y, y)
    assert (found.value, found.high, found.method) == (1, 1, "beta")
    assert found.low == pytest.approx(low, abs=0.0006)


def test_one_wrong_pair_hardly_changes_the_limit():
    y = (np.arange(420) < 20).astype(int)
    s = y * 1000.0 + np.arange(420)
    s[0], s[20] = 5000.5, 5001.0  # one event below one non-event
    s[1:20] += 9000
    found = accuracy_ratio_interval(y, s)
    assert found.value == pytest.approx(1 - 2 / 8000)
    assert found.low == pytest.approx(0.8205, abs=0.001)


@given(ranking=rankings(kinds=["events"]), level=st.sampled_from([0.5, 0.9, 0.999]))
def test_the_p_value_belongs_to_the_interval(ranking, level):
    found = accuracy_ratio_interval(*ranking, confidence_level=level)
    if np.isnan(found.p_value) or found.method != "beta":
        return
    excludes = found.low > 0 or found.high < 0
    assert excludes == (found.p_value < 1 - level) or found.p_value == pytest.approx(
        1 - level, rel=1e-6
    )


def test_the_widest_interval_that_excludes_0_ends_at_0():
    rng = np.random.default_rng(6)
    y = (np.arange(200) < 40).astype(int)
    s = rng.normal(size=200) + 0.3 * y
    p = accuracy_ratio_interval(y, s).p_value
    assert 0 < p < 1
    assert accuracy_ratio_interval(y, s, confidence_level=1 - p).low == pytest.approx(0)
    assert accuracy_ratio_interval(y, -s).p_value == pytest.approx(p)
    assert accuracy_ratio_interval(y, np.zeros(200)).p_value == 1


def test_many_rows_keep_finite_limits():
    y = np.arange(1_000_000) % 100 == 0
    found = accuracy_ratio_interval(y, y + np.arange(1_000_000) % 97 / 50)
    assert found.low < found.value < found.high
    assert found.p_value == 0
    assert special.betaincinv(1e9, 1e9, 0.5) == pytest.approx(0.5)


def test_equal_weights_change_nothing_and_unequal_ones_widen():
    rng = np.random.default_rng(7)
    y = (np.arange(400) < 60).astype(int)
    s = rng.normal(size=400) + y
    plain = accuracy_ratio_interval(y, s)
    equal = accuracy_ratio_interval(y, s, sample_weight=np.full(400, 2.5))
    assert (equal.low, equal.high) == pytest.approx((plain.low, plain.high))
    one_each = accuracy_ratio_interval(y, s, clusters=np.arange(400))
    assert (one_each.low, one_each.high) == pytest.approx((plain.low, plain.high), abs=1e-3)
    heavy = np.exp(rng.normal(size=400))
    heavy[:3] *= 40
    unequal = accuracy_ratio_interval(y, s, sample_weight=heavy)
    assert unequal.n_effective < plain.n_effective == 60
    assert unequal.degrees_of_freedom < plain.degrees_of_freedom / 5


def test_effective_numbers_warn():
    rng = np.random.default_rng(8)
    y = (np.arange(3000) < 300).astype(int)
    weight = np.exp(3 * rng.normal(size=3000))
    with pytest.warns(FewEventsWarning, match=r"based on \d+\.?\d* effective events"):
        accuracy_ratio_interval(y, rng.normal(size=3000) + y, sample_weight=weight)


def test_a_single_amount_has_a_p_value():
    found = accuracy_ratio_interval(
        [0.6, 0, 0, 0], [0.21, 0.22, 0.77, 0.57], target_type="continuous"
    )
    assert 0 < found.p_value <= 1
