"""The pooled accuracy ratio against brute force over all pairs, with fractions."""

import warnings
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capcurve import (
    CapcurveError,
    FewEventsWarning,
    UndefinedMetricWarning,
    accuracy_ratio_interval,
    accuracy_ratio_score,
    pooled_accuracy_ratio_interval,
    pooled_accuracy_ratio_score,
)
from capcurve._inference.options import IntervalOptions
from capcurve._inference.pooled_ratio import (
    compute_pooled_influence,
    estimate_pooled_ratio,
    keep_comparable,
)
from capcurve._input.segments import read_segmented
from capcurve.datasets import make_portfolio

LOANS = make_portfolio(2_000)
DATA = LOANS["default"], LOANS["champion_pd"]


@st.composite
def segmented(draw, kinds=("events", "amounts")):
    """Draw rows of a few segments, with ties and weights."""
    n = draw(st.integers(4, 20))
    outcome = st.integers(0, 1)
    if draw(st.sampled_from(kinds)) == "amounts":
        outcome = st.sampled_from([0.0, 0.5, 2.25])
    columns = outcome, st.integers(0, 5), st.sampled_from([1, 2, 5]), st.integers(0, 2)
    return [np.array(draw(st.lists(each, min_size=n, max_size=n))) for each in columns]


def sign(x):
    return (x > 0) - (x < 0)


def brute(y, s, w, g, weighting="pairs"):
    """Compute the pooled ratio by all pairs; None if there are none."""
    rows = [
        (Fraction(float(a)), int(b), Fraction(float(c)), int(d))
        for a, b, c, d in zip(y, s, w, g, strict=True)
    ]
    concordant = total = Fraction(0)
    for group in set(g.tolist()):
        inside = [row for row in rows if row[3] == group]
        pairs = [
            (v * x * (a - b), sign(t - u))
            for (a, t, v, _), (b, u, x, _) in product(inside, inside)
            if a > b
        ]
        mass = sum(amount for amount, _ in pairs)
        share = Fraction(1)
        if weighting == "events" and mass:
            share = sum(v for a, _, v, _ in inside if a) / mass
        concordant += share * sum(amount * ranked for amount, ranked in pairs)
        total += share * mass
    return concordant / total if total else None


@given(rows=segmented())
def test_the_pooled_ratio_is_that_of_all_pairs_within_segments(rows):
    y, s, w, g = rows
    ways = ["pairs"] if y.dtype.kind == "f" else ["pairs", "events"]
    for way in ways:
        expected = brute(y, s, w, g, way)
        with warnings.catch_warnings():
            warnings.simplefilter("error" if expected is not None else "ignore")
            found = pooled_accuracy_ratio_score(
                y,
                s,
                g,
                sample_weight=w,
                segment_weights=way,
                target_type="continuous" if y.dtype.kind == "f" else "auto",
            )
        if expected is None:
            assert np.isnan(found)
        else:
            assert found == pytest.approx(float(expected), abs=1e-12)


@given(rows=segmented(kinds=["events"]))
def test_influences_are_derivatives(rows):
    y, s, w, g = rows
    _, found = read_segmented(y, s, g, sample_weight=w)
    comparable = keep_comparable(found)
    if not len(comparable.segment):
        return
    kept = [len(set(y[g == group])) > 1 for group in g]
    y, s, w, g = y[kept], s[kept], w[kept].astype(float), g[kept]
    influence = compute_pooled_influence(comparable)
    for row in range(len(y)):
        step = np.zeros(len(y))
        step[row] = w[row] / 2**20
        change = brute(y, s, w + step, g) - brute(y, s, w - step, g)
        assert influence.psi[0, row] == pytest.approx(float(change) * 2**19, abs=1e-6)


def test_one_segment_is_the_accuracy_ratio():
    for options in (
        {},
        {"sample_weight": LOANS["exposure"]},
        {"clusters": np.arange(2_000) // 3},
        {"sample_weight": np.arange(2_000) % 3 + 1, "weights": "frequency"},
    ):
        expected = accuracy_ratio_interval(*DATA, **options)
        for way in ("pairs", "events"):
            found = pooled_accuracy_ratio_interval(
                *DATA, ["all"] * 2_000, segment_weights=way, **options
            )
            for name in ("value", "standard_error", "low", "high", "degrees_of_freedom"):
                same = pytest.approx(getattr(expected, name), rel=1e-9)
                assert getattr(found, name) == same
            assert found.n_events == expected.n_events
            assert found.method == expected.method
    loss = LOANS["loss"], LOANS["champion_pd"]
    expected = accuracy_ratio_interval(*loss)
    found = pooled_accuracy_ratio_interval(*loss, ["all"] * 2_000)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
    assert found.name == "pooled AR of amounts"


def test_segments_weigh_their_pairs_or_their_events():
    ratios, pairs, events = [], [], []
    for name in ("retail", "corporate", "small business"):
        rows = LOANS["segment"] == name
        y, s = (column[rows] for column in DATA)
        ratios.append(accuracy_ratio_score(y, s))
        events.append(y.sum())
        pairs.append(y.sum() * (len(y) - y.sum()))
    for way, weight in (("pairs", pairs), ("events", events)):
        found = pooled_accuracy_ratio_score(*DATA, LOANS["segment"], segment_weights=way)
        assert found == pytest.approx(np.average(ratios, weights=weight))


def test_the_standard_error_is_that_of_repeated_sampling():
    rng, found = np.random.default_rng(1), []
    for _ in range(200):
        y = np.repeat([1, 0], [60, 240])
        g = np.arange(300) % 4  # 15 events each
        s = rng.normal(size=300) + 1.2 * y + g
        found.append(pooled_accuracy_ratio_interval(y, s, g))
    spread = np.std([each.value for each in found])
    errors = [each.standard_error for each in found]
    assert np.mean(errors) == pytest.approx(spread, rel=0.12)


def test_increasing_maps_of_each_segment_change_nothing():
    g = np.arange(2_000) % 4
    y, s = DATA
    plain = pooled_accuracy_ratio_interval(y, s, g)
    moved = pooled_accuracy_ratio_interval(y, np.exp(3 * s) * (g + 1) - 10 * g, g)
    assert repr(moved) == repr(plain)


def test_rows_of_a_cluster_add_up_over_segments():
    y, s = (np.concatenate([column, column]) for column in DATA)
    g = np.repeat([2023, 2024], 2_000)
    once = pooled_accuracy_ratio_interval(*DATA, ["all"] * 2_000)
    twice = pooled_accuracy_ratio_interval(y, s, g, clusters=np.tile(np.arange(2_000), 2))
    assert twice.value == pytest.approx(once.value)
    assert twice.standard_error == pytest.approx(once.standard_error, rel=1e-3)
    naive = pooled_accuracy_ratio_interval(y, s, g).standard_error
    assert naive == pytest.approx(once.standard_error / np.sqrt(2), rel=0.01)


def test_a_perfect_ranking_within_segments_is_not_known_for_certain():
    y, g = [1, 1, 0, 0] * 2, [1] * 4 + [2] * 4
    with pytest.warns(FewEventsWarning, match="is based on 4 events"):
        found = pooled_accuracy_ratio_interval(y, [9, 8, 7, 6, 4, 3, 2, 1], g)
    assert found.value == 1
    assert found.low < 0.5


def test_events_count_by_the_pairs_that_they_are_in():
    """The effective size of a class is that of its shares, Kish's."""
    y = np.repeat([1, 0, 1, 0], [10, 100, 20, 40])
    g = np.repeat([1, 2], [110, 60])
    s = np.random.default_rng(1).normal(size=170) + y
    expected = (10 * 100 + 20 * 40) ** 2 / (10 * 100**2 + 20 * 40**2)
    assert pooled_accuracy_ratio_interval(y, s, g).n_effective == pytest.approx(expected)
    even = pooled_accuracy_ratio_interval(y, s, g, segment_weights="events")
    assert even.n_effective == pytest.approx(30)


def test_segments_of_one_class_hold_no_pairs():
    y, s, g = [1, 0, 1, 1, 0, 0], [3, 2, 5, 1, 4, 2], [1, 1, 2, 2, 3, 3]
    assert pooled_accuracy_ratio_score(y, s, g) == 1
    with pytest.warns(UndefinedMetricWarning, match="no segment holds outcomes"):
        assert np.isnan(pooled_accuracy_ratio_score(y[2:], s[2:], g[2:]))
    with pytest.warns(UndefinedMetricWarning, match="pooled AR is undefined"):
        found = pooled_accuracy_ratio_interval(y[2:], s[2:], g[2:])
    assert np.isnan([found.value, found.low, found.high]).all()
    assert (found.n_events, found.n_nonevents) == (2, 2)


def test_weights_of_any_size_are_pooled():
    y, g = [1, 0, 1, 0, 0, 1], [1, 1, 1, 2, 2, 2]
    s = [3, 2, 1, 4, 2, 3]
    w = np.array([1, 2, 1, 3, 1, 1.0])
    expected = pooled_accuracy_ratio_score(y, s, g, sample_weight=w)
    for scale in (1e-40, 1e40):
        found = pooled_accuracy_ratio_score(y, s, g, sample_weight=scale * w)
        assert found == pytest.approx(expected)


def test_what_is_refused():
    loss = LOANS["loss"], LOANS["champion_pd"], LOANS["segment"]
    with pytest.raises(CapcurveError, match="`segment_weights='events'` requires 0/1"):
        pooled_accuracy_ratio_score(*loss, segment_weights="events")
    with pytest.raises(CapcurveError, match="`segment_weights` must be 'pairs' or"):
        pooled_accuracy_ratio_interval(*loss, segment_weights="equal")
    with pytest.raises(CapcurveError, match="`segments` must not hold missing values"):
        pooled_accuracy_ratio_score([1, 0], [2, 1], [None, "a"])
    with pytest.raises(CapcurveError, match="equal lengths"):
        pooled_accuracy_ratio_score([1, 0], [2, 1], ["a"])
    with pytest.raises(CapcurveError, match="swapped"):
        pooled_accuracy_ratio_score([0.2, 0.7, 0.1], [0, 1, 0], [1, 1, 1])


def test_distribution_free_limits_of_weights_are_called_approximate():
    y, s, g = [0, 0, 1, 1, 0, 1], [1, 2, 3, 4, 1, 2], [0, 0, 0, 0, 1, 1]
    options = IntervalOptions(method="logit-t")  # which a perfect ranking leaves undefined
    for weight, method in ((None, "exact"), ([1, 2, 3, 1, 2, 3], "approximate bound")):
        _, rows = read_segmented(y, s, g, sample_weight=weight)
        assert estimate_pooled_ratio(rows, options).method == method


def test_equal_weights_and_clusters_of_one_row_change_nothing():
    """Also where the segments count for different numbers of pairs an event."""
    y = np.repeat([1, 0, *[1, 0] * 20], [40, 900, *[12] * 40])
    segment = np.repeat(np.arange(21), [940, *[24] * 20])
    score = np.random.default_rng(4).standard_normal(len(y)) + 0.8 * y
    plain = pooled_accuracy_ratio_interval(y, score, segment)
    for options in (
        {"sample_weight": np.full(len(y), 0.5)},
        {"clusters": np.arange(len(y))},
        {"sample_weight": np.full(len(y), 0.5), "clusters": np.arange(len(y))},
    ):
        found = pooled_accuracy_ratio_interval(y, score, segment, **options)
        for name in ("value", "low", "high", "p_value", "degrees_of_freedom"):
            assert getattr(found, name) == pytest.approx(getattr(plain, name)), options
