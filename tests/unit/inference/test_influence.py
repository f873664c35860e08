"""What rows contribute: variances by definition, weights, clusters and pairs of scores."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capcurve import somers_d_interval
from capcurve._engines.rows import compute_accuracy_ratio, count_pairs
from capcurve._inference.accuracy_ratio import estimate_accuracy_ratio
from capcurve._inference.influence import compute_ratio_influence
from capcurve._inference.options import IntervalOptions
from capcurve._inference.pooled_ratio import compute_pooled_influence
from capcurve._input.reading import read_columns, read_paired_scores
from capcurve._input.segments import Segmented
from strategies import rankings, weighted_rankings

RNG = np.random.default_rng(11)


def close(value):
    return pytest.approx(value, rel=1e-10, abs=1e-12)


def variance(*data, **options):
    return compute_ratio_influence([read_columns(*data, **options)]).covariance.variance()


@given(ranking=rankings(kinds=["events"]))
def test_rows_and_counted_pairs_agree(ranking):
    columns = read_columns(*ranking)
    pairs, influence = count_pairs(columns), compute_ratio_influence([columns])
    assert influence.value[0] == close(pairs.accuracy_ratio)
    assert influence.covariance.variance() == pytest.approx(
        pairs.delong_variance, rel=1e-10, abs=1e-12, nan_ok=True
    )
    for kind in (columns.target, ~columns.target):
        assert influence.psi[0][kind].sum() == close(0)


@given(ranking=weighted_rankings(), scale=st.sampled_from([1e-6, 3.0, 1e7]))
def test_only_the_proportions_of_sampling_weights_matter(ranking, scale):
    y, s, w = ranking
    expected = pytest.approx(variance(y, s, sample_weight=w), rel=1e-9, nan_ok=True)
    assert variance(y, s, sample_weight=scale * w) == expected
    equal = pytest.approx(variance(y, s), rel=1e-9, abs=1e-12, nan_ok=True)
    assert variance(y, s, sample_weight=np.full(len(y), scale)) == equal


@given(ranking=rankings(), data=st.data())
def test_counted_rows_are_repeated_rows(ranking, data):
    y, s = ranking
    times = data.draw(st.lists(st.integers(1, 3), min_size=len(y), max_size=len(y)))
    counted = variance(y, s, sample_weight=times, weights="frequency")
    repeated = variance(y.repeat(times), s.repeat(times))
    assert counted == pytest.approx(repeated, rel=1e-9, abs=1e-12, nan_ok=True)


@given(ranking=weighted_rankings(kinds=["events"]))
def test_amounts_of_zero_and_one_have_the_plug_in_variance_of_events(ranking):
    y, s, w = ranking
    events = read_columns(y, s, sample_weight=w)
    amounts = replace(events, target=events.target.astype(float))
    psi = [compute_ratio_influence([each]).psi[0] for each in (events, amounts)]
    assert psi[0] == close(psi[1])


@given(ranking=weighted_rankings())
def test_the_influence_is_the_derivative_by_weight(ranking):
    y, s, w = ranking
    columns = read_columns(y, s, sample_weight=w)
    psi = compute_ratio_influence([columns]).psi[0]
    step = 1e-6
    for row in range(min(3, len(y))):
        up, down = (w * (1 + step * (np.arange(len(w)) == row) * sign) for sign in (1, -1))
        ratios = [
            compute_accuracy_ratio(read_columns(y, s, sample_weight=v)) for v in (up, down)
        ]
        assert (ratios[0] - ratios[1]) / (2 * step) == pytest.approx(psi[row], abs=1e-6)


def test_clusters_of_one_row_are_rows_up_to_small_samples():
    y, s = np.arange(400) % 4 == 0, RNG.random(400) + (np.arange(400) % 4 == 0)
    clustered = variance(y, s, clusters=np.arange(400))
    assert clustered == pytest.approx(variance(y, s), rel=1e-12)
    whole = variance(
        np.repeat(y, 3), np.repeat(s, 3), clusters=np.repeat(np.arange(400), 3)
    )
    assert whole == pytest.approx(variance(y, s), rel=1e-12)


def test_unequal_weights_leave_fewer_degrees_of_freedom():
    y, s = np.arange(60) % 3 == 0, RNG.normal(size=60)
    w = np.where(np.arange(60) < 30, 1.0, 4.0)
    parts = compute_ratio_influence([read_columns(y, s, sample_weight=w)]).covariance.parts
    kish = {kind: w[y == kind].sum() ** 2 / (w[y == kind] ** 2).sum() for kind in (0, 1)}
    assert sorted(part.size for part in parts) == close(sorted(kish.values()))


def test_clusters_may_be_names_of_any_kind():
    y, s = [1, 0, 1, 0, 1, 0], [3, 1, 2, 2, 1, 0]
    expected = variance(y, s, clusters=[0, 0, 1, 1, 2, 2])
    assert variance(y, s, clusters=list("aabbcc")) == expected
    assert (
        variance(y, s, clusters=np.array(["a", "a", 7, 7, 2.5, 2.5], dtype=object))
        == expected
    )


def test_the_covariance_of_two_scores_is_delongs():
    y = np.r_[np.ones(30, bool), np.zeros(70, bool)]
    a, b = RNG.normal(size=(2, 100)) + y
    rivals = read_paired_scores(
        y,
        {"a": a, "b": b},
        sample_weight=None,
        pos_label=None,
        target_type="auto",
        descending=True,
        weights="sampling",
        clusters=None,
    )
    matrix = compute_ratio_influence(rivals).covariance.matrix
    signs = [np.sign(np.subtract.outer(s[y], s[~y])) for s in (a, b)]
    rows = np.cov([sign.mean(axis=1) for sign in signs])
    columns = np.cov([sign.mean(axis=0) for sign in signs])
    assert matrix == close(rows / 30 + columns / 70)


SCORES = np.sort(RNG.normal(size=300))
LATE = np.arange(300) >= 220  # ranked without an error, or all wrongly
WEIGHTS = RNG.lognormal(size=300)


@pytest.mark.parametrize("sign", [1, -1])
def test_perfect_rankings_have_no_influence_in_any_order_of_rows(sign):
    for _ in range(10):
        order = RNG.permutation(300)
        y, s, w = LATE[order], sign * SCORES[order], WEIGHTS[order] * RNG.uniform(0.1, 9)
        influence = compute_ratio_influence([read_columns(y, s, sample_weight=w)])
        assert influence.value[0] == sign
        assert not influence.psi.any()


@pytest.mark.parametrize("cluster", [None, np.arange(300) // 4])
def test_degrees_of_freedom_of_perfect_rankings_are_those_of_the_weights(cluster):
    # There is no influence that could lie with few rows.
    found = []
    for _ in range(10):
        order = RNG.permutation(300)
        groups = None if cluster is None else cluster[order]
        rows = read_columns(
            LATE[order], SCORES[order], sample_weight=WEIGHTS[order], clusters=groups
        )
        one_segment = Segmented(rows, np.zeros(300, dtype=np.int64))
        assert not compute_pooled_influence(one_segment).psi.any()
        found.append(estimate_accuracy_ratio(rows, IntervalOptions()))
    assert {each.method for each in found} == {"beta"}
    assert np.ptp([each.degrees_of_freedom for each in found]) < 1e-9
    assert np.ptp([each.low for each in found]) < 1e-12


def test_somers_d_of_the_outcome_itself_has_the_same_degrees_in_any_order_of_rows():
    amount, found = np.sort(RNG.lognormal(sigma=3, size=300)), []
    for _ in range(50):
        order = RNG.permutation(300)
        y, w = amount[order], WEIGHTS[order]
        found.append(somers_d_interval(y, y, sample_weight=w))
    assert {each.value for each in found} == {1.0}
    assert np.ptp([each.degrees_of_freedom for each in found]) < 1e-9
