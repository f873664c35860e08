"""The array engine where it takes its fast paths: many rows, every dtype, threads."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score, roc_curve

from capcurve import CapCurve, accuracy_ratio_score, cap_curve
from capcurve._engines.rows import (
    compute_accuracy_ratios,
    count_pairs,
    count_pairs_by_group,
    tally_by_row,
)
from capcurve._input.columns import Columns, Weights
from capcurve._tally import threads
from capcurve._tally.order import find_ascending_order
from capcurve._tally.threads import ROWS_PER_THREAD

N = 3 * ROWS_PER_THREAD
RNG = np.random.default_rng(20)
UNIFORM = RNG.random(N)
EVENT = RNG.random(N) < 0.02 + 0.1 * UNIFORM**3
WEIGHT = RNG.integers(1, 5, N).astype(float)

SCORES = {
    "float64": UNIFORM,
    "float64 that share their high bits": np.where(
        UNIFORM < 0.01, -1e300, 1 + np.floor(UNIFORM * 1000) * 2**-52
    ),
    "float64 of both signs": np.log(UNIFORM),
    "float32": UNIFORM.astype(np.float32),
    "float16": UNIFORM.astype(np.float16),
    "int64": (UNIFORM * 2**62).astype(np.int64) - 2**61,
    "int16": (UNIFORM * 60_000 - 30_000).astype(np.int16),
    "uint64": (UNIFORM * 2**63).astype(np.uint64) * 2,
    "grades": (UNIFORM * 8).astype(np.uint8),
    "sorted": np.sort(UNIFORM),
    "constant": np.zeros(N),
}
every_dtype = pytest.mark.parametrize("score", SCORES.values(), ids=list(SCORES))


def close(value):
    return pytest.approx(value, rel=1e-11, abs=1e-12)


@pytest.mark.slow
@every_dtype
@pytest.mark.parametrize("rows", [slice(100), slice(None)], ids=["few", "many"])
def test_the_ratio_is_that_of_scikit_learn(score, rows):
    y, s, w = EVENT[rows], score[rows], WEIGHT[rows]
    ranks = np.unique(s, return_inverse=True)[1]  # scikit-learn rounds large integers
    assert accuracy_ratio_score(y, s) == close(2 * roc_auc_score(y, ranks) - 1)
    expected = 2 * roc_auc_score(y, ranks, sample_weight=w) - 1
    assert accuracy_ratio_score(y, s, sample_weight=w) == close(expected)


@pytest.mark.slow
@every_dtype
def test_pairs_and_tally_give_the_same_ratio(score):
    curve = CapCurve.from_predictions(EVENT, score)
    assert accuracy_ratio_score(EVENT, score) == curve.accuracy_ratio
    swapped = accuracy_ratio_score(~EVENT, score, descending=False)
    assert swapped == curve.accuracy_ratio
    ascending = CapCurve.from_predictions(EVENT, score, descending=False)
    assert ascending.accuracy_ratio == -curve.accuracy_ratio


@pytest.mark.slow
@every_dtype
def test_counting_and_summing_make_the_same_tally(score):
    counted = CapCurve.from_predictions(EVENT, score).tally
    summed = CapCurve.from_predictions(EVENT, score, sample_weight=np.ones(N)).tally
    for column in ("score", "weight", "target"):
        assert np.array_equal(getattr(counted, column), getattr(summed, column))


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["unweighted", "weighted"])
def test_the_curve_is_the_roc_curve_of_scikit_learn(weight):
    _, tpr, thresholds = roc_curve(
        EVENT, UNIFORM, drop_intermediate=False, sample_weight=weight
    )
    curve = cap_curve(EVENT, UNIFORM, sample_weight=weight)
    assert np.allclose(curve.capture_rate, tpr, rtol=1e-11)
    assert np.array_equal(curve.thresholds, thresholds)


@pytest.mark.slow
@every_dtype
def test_the_order_is_stable_and_ascending(score):
    order = find_ascending_order(score)
    assert np.array_equal(order, np.argsort(score, kind="stable"))


def test_one_thread_gives_the_same(monkeypatch):
    expected = accuracy_ratio_score(EVENT, UNIFORM)
    monkeypatch.setattr(threads, "count_threads", lambda: 1)
    assert accuracy_ratio_score(EVENT, UNIFORM) == expected


@pytest.mark.slow
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["unweighted", "weighted"])
@pytest.mark.parametrize("n_groups", [3, 1_000, 200_000], ids=str)
@pytest.mark.parametrize("descending", [True, False], ids=["descending", "ascending"])
def test_groups_of_every_size_have_the_ratio_of_their_rows(weight, n_groups, descending):
    # Every group has rows, one has a single outcome only.
    group = np.random.default_rng(5).permutation(np.arange(N) % n_groups)
    group[group > 1] += 7  # numbers without rows are passed over
    event = EVENT & (group != 1)
    score = np.round(UNIFORM, 4)
    columns = Columns(event, score, Weights(value=weight), descending)
    ratios = compute_accuracy_ratios(columns, group)
    assert len(ratios) == n_groups
    assert np.isnan(ratios[1])
    for index in range(0, n_groups, max(1, n_groups // 40)):
        number = index if index < 2 else index + 7
        rows = group == number
        if 0 < event[rows].sum() < rows.sum():
            expected = accuracy_ratio_score(
                event[rows],
                score[rows],
                sample_weight=None if weight is None else weight[rows],
                descending=descending,
            )
            assert ratios[index] == close(expected)
        else:
            assert np.isnan(ratios[index])


def test_amounts_that_are_equal_in_a_group_have_no_ratio_whatever_the_rounding():
    rng = np.random.default_rng(6)
    group = np.arange(3_000) % 300
    weight = 10 ** rng.uniform(-8, 8, 3_000)
    columns = Columns(0.1 + group / 7, rng.random(3_000), Weights(value=weight))
    assert np.isnan(compute_accuracy_ratios(columns, group)).all()


def test_the_ratio_of_amounts_on_many_rows_is_the_gini_of_a_sample_of_grades():
    amount = np.floor(10 * UNIFORM)
    score = np.round(UNIFORM + RNG.random(N), 2)
    ratio = accuracy_ratio_score(amount, score, target_type="continuous")
    curve = CapCurve.from_predictions(amount, score, target_type="continuous")
    assert ratio == curve.accuracy_ratio
    cross = np.zeros((10, 201))
    np.add.at(cross, (amount.astype(int), np.round(100 * score).astype(int)), 1)
    above = cross.sum(axis=1)
    surplus = total = 0.0
    for high in range(10):
        for low in range(high):
            below = np.cumsum(cross[low]) - cross[low]
            more = cross[low].sum() - below - cross[low]
            surplus += (high - low) * (cross[high] @ (below - more))
            total += (high - low) * above[high] * above[low]
    assert ratio == close(surplus / total)


@every_dtype
@pytest.mark.parametrize("descending", [True, False], ids=["descending", "ascending"])
@pytest.mark.parametrize("n_groups", [2, 700], ids=str)
def test_pairs_of_groups_are_those_of_their_rows(score, descending, n_groups):
    rows = slice(40_000)
    group = np.arange(40_000) % n_groups
    if n_groups == 2:
        group = np.sort(group)  # already in order
    columns = Columns(EVENT[rows], score[rows], descending=descending)
    counts = count_pairs_by_group(columns, 3 * group)
    counted = Columns(columns.target, columns.score, COUNTS, descending)
    repeated = count_pairs_by_group(counted, 3 * group)
    ratios = compute_accuracy_ratios(columns, 3 * group)
    for number in range(0, n_groups, max(1, n_groups // 20)):
        own = columns[group == number]
        assert counts[number] == repeated[number] == count_pairs(own)
        assert ratios[number] == counts[number].accuracy_ratio


COUNTS = Weights(value=np.ones(40_000), counts_rows=True)


def test_a_group_with_too_many_pairs_for_64_bits_is_counted_exactly():
    columns = Columns(
        np.array([True, False, True, False, True]),
        np.array([2.0, 1.0, 1.0, 3.0, 2.0]),
        Weights(value=np.array([4e6, 5e6, 6e6, 7e6, 1.0]), counts_rows=True),
    )
    group = np.array([0, 0, 0, 0, 1])
    first, second = count_pairs_by_group(columns, group)
    assert first == count_pairs(columns[group == 0])
    assert first.row_squares > 2**63
    assert (second.events, second.nonevents) == (1, 0)


@pytest.mark.slow
@every_dtype
def test_each_entry_of_a_tally_by_row_names_a_row_with_its_score(score):
    columns = Columns(EVENT, score, Weights(value=WEIGHT))
    tally = CapCurve.from_predictions(EVENT, score, sample_weight=WEIGHT).tally
    assert np.array_equal(score[tally_by_row(columns).score], tally.score)
