"""The beta interval: by its formula, at the edges, and its p-value."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, special, stats

from capcurve import FewEventsWarning, accuracy_ratio_interval, accuracy_ratio_score
from capcurve._inference.accuracy_ratio import measure_reach
from capcurve._inference.influence import Covariance, StratumCovariance
from capcurve._inference.shrinkage import shrink
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


def free_limits(auc, n, level):
    """Distances of relative entropy, by another way than bisection between the ends."""
    allowed = np.log(2 / (1 - level)) / n

    def excess(p):
        return auc * np.log(auc / p) + (1 - auc) * np.log((1 - auc) / (1 - p)) - allowed

    return optimize.brentq(excess, 1e-12, auc), optimize.brentq(excess, auc, 1 - 1e-12)


@pytest.mark.parametrize("level", [0.9, 0.95])
@pytest.mark.parametrize("kind", ["weight", "cluster"])
def test_limits_are_no_wider_than_distribution_free_ones(level, kind):
    """A unit with a tenth of the events has most of the variance: df of 0.5."""
    rng = np.random.default_rng(0)
    y = (np.arange(5750) < 750).astype(int)
    s = rng.normal(size=5750) + 0.95 * y
    middle = np.argsort(np.abs(s[:750]))[:80]  # ranked worse than most
    number, weight = np.arange(5750), np.ones(5750)
    number[middle], weight[middle[0]] = -1, 80
    more = {"sample_weight": weight} if kind == "weight" else {"clusters": number}
    found = accuracy_ratio_interval(y, s, confidence_level=level, **more)
    shares = (
        weight[:750] if kind == "weight" else np.unique(number[:750], return_counts=True)[1]
    )
    n = shares.sum() ** 2 / (shares**2).sum()
    assert found.n_effective == pytest.approx(n)
    assert found.degrees_of_freedom < 1
    ends = free_limits((1 + found.value) / 2, n, level)
    assert ((1 + found.low) / 2, (1 + found.high) / 2) == pytest.approx(ends)
    auc = (1 + found.value) / 2
    entropy = auc * np.log(2 * auc) + (1 - auc) * np.log(2 * (1 - auc))  # from 1/2
    edge = 1 - 2 * np.exp(-n * entropy)
    assert found.p_value == pytest.approx(1 - edge)
    assert accuracy_ratio_interval(
        y, s, confidence_level=edge, **more
    ).low == pytest.approx(0, abs=1e-9)


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


# -- Averages over class labels ------------------------------------------------------------

SIZES = (20, 40, 100, 190)


def draw_labels(difference):
    rng = np.random.default_rng(8)
    y = np.repeat(np.arange(len(SIZES)), SIZES)
    scores = rng.normal(size=(len(y), len(SIZES)))
    scores[np.arange(len(y)), y] += difference
    return y, scores


@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_the_reach_of_a_label_is_what_its_best_and_its_worst_row_differ_in(average):
    y, scores = draw_labels(1.0)
    shares = np.array(SIZES) / sum(SIZES) if average == "weighted" else np.full(4, 0.25)
    found = measure_reach(shares, np.ones(len(y)), y + 1)
    small = 1e-6
    weight = np.append(np.ones(len(y)), small)
    for label, size in enumerate(SIZES):
        best = np.where(np.arange(len(SIZES)) == label, 1e9, -1e9)
        high, low = (
            accuracy_ratio_score(
                np.append(y, label),
                np.vstack([scores, row]),
                average=average,
                sample_weight=weight,
            )
            for row in (best, -best)
        )
        assert found[label] == pytest.approx((high - low) / 2 * size / small, rel=1e-4)
    assert measure_reach(np.array([0.3, 0.7]), np.ones(10), np.arange(10) % 2 + 1) == (
        pytest.approx([1, 1])  # as a single ratio
    )
    assert len(measure_reach(np.array([0.3, 0.7]), np.ones(9), np.arange(9) % 3)) == 3


@pytest.mark.parametrize("average", ["macro", "weighted"])
@pytest.mark.parametrize("difference", [0.5, 1.0])
def test_an_average_is_about_as_certain_as_its_standard_error_says(average, difference):
    y, scores = draw_labels(difference)
    widths = [
        found.high - found.low
        for method in ("beta", "logit-t")
        for found in [accuracy_ratio_interval(y, scores, average=average, method=method)]
    ]
    assert 0.95 < widths[0] / widths[1] < 1.15


@pytest.mark.parametrize("n_labels", [3, 10, 40])
def test_an_average_shifts_by_its_errors_as_one_ratio_does(n_labels):
    def shift(n_strata):
        part = StratumCovariance(np.array([[4e-4]]), 4e-4, 50.0, 49.0, 2 / n_strata)
        shrunk = shrink(0.9, Covariance([part] * n_strata, np.zeros((1, 1))), 0.5)
        return (0.45 - (shrunk.value - 0.5)) / (2 / n_strata * n_strata**0.5)

    assert shift(n_labels) == pytest.approx(shift(2), rel=0.02)


@pytest.mark.parametrize("n", [20, 300])
def test_amounts_that_count_alike_are_as_many_as_they_are(n):
    """Half of the rows have the larger amount; coded 0/1 they are the events."""
    y = np.arange(n) % 2
    s = np.random.default_rng(3).normal(size=n) + y
    amounts = accuracy_ratio_interval(y + 1.0, s, target_type="continuous")
    events = accuracy_ratio_interval(y, s)
    assert amounts.n_effective == pytest.approx(n / 2) == events.n_effective
