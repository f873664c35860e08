"""Sketches: exact where scores are few, bounded where not, the same in any order."""

import copy
import pickle

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capcurve import (
    CapCurve,
    CAPCurveDisplay,
    CapcurveError,
    CapSketch,
    accuracy_ratio_interval,
    accuracy_ratio_score,
)
from capcurve._curve.gains_table import GainsTable
from capcurve._engines.binned_rows import make_keys
from capcurve._tally.order import floats_from_keys
from strategies import rankings, weighted_rankings
from threads import eager_threads, running_threads

RNG = np.random.default_rng(31)
N = 40_000
SHAPES = {
    "normal": RNG.normal(size=N),
    "probabilities": RNG.beta(0.3, 9, N),
    "near one": 1 - RNG.beta(0.3, 9, N),
    "large": 1e9 + RNG.normal(size=N),
    "an outlier": np.r_[1e300, RNG.random(N - 1)],
    "grades": RNG.integers(1, 9, N).astype(float),
    "points": RNG.integers(300, 851, N),
    "infinite and signed zeros": np.r_[-np.inf, np.inf, 0.0, -0.0, RNG.normal(size=N - 4)],
    "float32": RNG.random(N).astype(np.float32),
    "half rounded": np.r_[RNG.random(N // 2), RNG.random(N // 2).round(2)],
}
every_shape = pytest.mark.parametrize("name", list(SHAPES))
SLACK = 1e-12
WAYS = [
    lambda sketch: CapSketch.from_bytes(sketch.to_bytes()),
    lambda sketch: pickle.loads(pickle.dumps(sketch)),  # noqa: S301 -- our own
    copy.copy,
    copy.deepcopy,
]


def events_of(score):
    ranks = np.unique(score, return_inverse=True)[1]
    return np.random.default_rng(7).random(N) < 0.02 + 0.2 * (ranks / ranks.max()) ** 3


def sketch_of(y, s, *, sample_weight=None, batch=7_000, **options):
    sketch = CapSketch(**options)
    for start in range(0, len(y), batch):
        rows = slice(start, start + batch)
        weight = None if sample_weight is None else sample_weight[rows]
        sketch.update(y[rows], s[rows], sample_weight=weight)
    return sketch


def holds(bounded, exact):
    assert bounded.low - SLACK <= bounded.value <= bounded.high + SLACK
    assert bounded.low - SLACK <= exact <= bounded.high + SLACK


@pytest.mark.slow
@every_shape
@pytest.mark.parametrize("most", [16, 512, 65_536])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_limits_hold(name, most, weighted):
    s = SHAPES[name]
    y = events_of(s)
    w = RNG.integers(1, 4, N) if weighted else None
    curve = CapCurve.from_predictions(y, s, sample_weight=w)
    sketch = sketch_of(y, s, sample_weight=w, max_bins=most)
    assert len(sketch.curve.by_score) <= most
    holds(sketch.accuracy_ratio, curve.accuracy_ratio)
    holds(sketch.ks, curve.ks)
    for share in (0.013, 0.2, 0.5, 0.97):
        holds(sketch.capture_rate_at(share), curve.capture_rate_at(share))
        holds(sketch.lift_at(share), curve.lift_at(share))
    share, captured, low, high = sketch.cap_curve()
    exact = np.interp(share, *curve.profile)
    assert np.all((low - SLACK <= exact) & (exact <= high + SLACK))
    assert np.all((low - SLACK <= captured) & (captured <= high + SLACK))
    tables = sketch.gains_table(10)
    exact = GainsTable.from_curve(curve, 10).capture_rate
    assert np.all(tables.low.capture_rate - SLACK <= exact)
    assert np.all(exact <= tables.high.capture_rate + SLACK)
    if most > len(np.unique(s)):
        assert sketch.accuracy_ratio.value == pytest.approx(curve.accuracy_ratio, abs=1e-13)
        assert sketch.accuracy_ratio.high - sketch.accuracy_ratio.low < 1e-13


@pytest.mark.parametrize("name", ["normal", "probabilities", "an outlier"])
def test_many_bins_are_narrow(name):
    s = SHAPES[name]
    y = events_of(s)
    ratio = sketch_of(y, s, max_bins=4_096).accuracy_ratio
    assert ratio.high - ratio.low < 0.02
    assert abs(ratio.value - accuracy_ratio_score(y, s)) < 1e-3


@pytest.mark.parametrize("most", [16, 512, 65_536])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_limits_of_amounts_hold(most, weighted):
    s = SHAPES["normal"]
    y = np.where(events_of(s), RNG.gamma(2, 100, N), 0.0)
    w = RNG.random(N) + 0.1 if weighted else None
    curve = CapCurve.from_predictions(y, s, sample_weight=w)
    sketch = sketch_of(y, s, sample_weight=w, max_bins=most)
    holds(sketch.accuracy_ratio, curve.accuracy_ratio)
    holds(sketch.ks, curve.ks)
    for share in (0.02, 0.3, 0.9):
        holds(sketch.capture_rate_at(share), curve.capture_rate_at(share))


@pytest.mark.parametrize("labels", [None, ("good", "bad")])
def test_a_row_of_weight_0_may_lack_everything(labels):
    event, score = [1, 0, None, 1, 0], pl.Series([5, 4, None, 3, 2])
    if labels:
        event = [None if it is None else labels[it] for it in event]
    sketch = CapSketch(pos_label=labels and "bad")
    sketch.update(event, score, sample_weight=[1, 2, 0, 1, 1])
    whole = accuracy_ratio_score([1, 0, 1, 0], [5, 4, 3, 2], sample_weight=[1, 2, 1, 1])
    assert sketch.curve.accuracy_ratio.value == pytest.approx(whole)
    with pytest.raises(CapcurveError, match="must not hold missing values"):
        sketch.update(event, score, sample_weight=[1, 2, 1, 1, 1])
    with pytest.raises(CapcurveError, match="must not hold missing values"):
        sketch.update(event, score)


def test_ks_keeps_its_digits_under_a_weight_of_another_size():
    """The events pass one of three non-events, which weigh next to nothing."""
    sketch = CapSketch()
    sketch.update([1, 0, 0, 0], [2, 3, 1, 1], sample_weight=[100_000.1, 0.1, 0.1, 0.1])
    assert sketch.ks == pytest.approx((2 / 3, 2 / 3, 2 / 3), rel=1e-14)


def test_ks_is_refused_where_sums_hide_that_outcomes_differ():
    sketch = CapSketch()
    sketch.update([0, 1], [1, 2], sample_weight=[1e-30, 1e30])
    with pytest.raises(CapcurveError, match="must differ by more than the rounding of"):
        _ = sketch.ks


@given(ranking=weighted_rankings(), most=st.integers(2, 12), descending=st.booleans())
def test_the_limits_hold_for_any_rows(ranking, most, descending):
    y, s, w = ranking
    options = {"descending": descending, "target_type": "continuous"}
    sketch = sketch_of(y, s, sample_weight=w, batch=4, max_bins=most, **options)
    curve = CapCurve.from_predictions(y, s, sample_weight=w, **options)
    holds(sketch.accuracy_ratio, curve.accuracy_ratio)
    holds(sketch.ks, curve.ks)
    holds(sketch.capture_rate_at(0.3), curve.capture_rate_at(0.3))


@given(
    ranking=rankings(kinds=["events"], max_size=40),
    most=st.integers(2, 8),
    data=st.data(),
)
def test_no_order_of_batches_and_merges_changes_a_bit(ranking, most, data):
    y, s = ranking
    whole = CapSketch(max_bins=most)
    whole.update(y, s)
    rows = np.array(data.draw(st.permutations(range(len(y)))))
    cuts = sorted(data.draw(st.lists(st.integers(1, len(y) - 1), max_size=5)))
    parts = []
    for part in np.split(rows, cuts):
        if len(part):
            sketch = CapSketch(max_bins=most)
            sketch.update(y[part], s[part])
            parts.append(sketch)
    while len(parts) > 1:
        at = data.draw(st.integers(0, len(parts) - 2))
        parts[at : at + 2] = [parts[at].merge(parts[at + 1])]
    assert parts[0].to_bytes() == whole.to_bytes()


def test_batches_in_threads_give_the_same_state():
    n = 1_100_000
    s = RNG.normal(size=n)
    y = RNG.random(n) < 0.1
    whole = CapSketch(max_bins=1_000)
    whole.update(y, s)
    assert sketch_of(y, s, max_bins=1_000, batch=90_000).to_bytes() == whole.to_bytes()


def test_threads_that_update_one_sketch_lose_no_rows():
    n, n_batches = 200, 400
    s = RNG.normal(size=n * n_batches)
    y = RNG.random(len(s)) < 0.1
    whole, shared = CapSketch(max_bins=64), CapSketch(max_bins=64)
    whole.update(y, s)
    halves = []

    def update(batch):
        shared.update(y[batch::n_batches], s[batch::n_batches])
        if batch == n_batches // 2:
            halves.append(CapSketch(max_bins=64).merge(shared))

    with running_threads(16) as pool, eager_threads():
        list(pool.map(update, range(n_batches)))
    assert shared.n_rows == len(s)
    assert shared.to_bytes() == whole.to_bytes()
    (half,) = halves
    assert (
        half.n_rows == half.curve.by_score.weight.sum() == half.curve.by_target.weight.sum()
    )


@every_shape
def test_keys_are_ordered_and_come_back(name):
    s = np.sort(SHAPES[name].astype(float))
    keys = make_keys(SHAPES[name])
    assert np.array_equal(floats_from_keys(np.sort(keys)), s + 0.0)


@pytest.mark.parametrize("descending", [True, False])
def test_thresholds_select_whole_bins(descending):
    s = SHAPES["normal"]
    y = events_of(s)
    sketch = sketch_of(y, s, max_bins=64, descending=descending)
    curve = sketch.curve.curve
    for point in (3, 20, len(curve.thresholds) - 2):
        cut = curve.thresholds[point]
        selected = s >= cut if descending else s <= cut
        assert curve.population_share[point] == pytest.approx(selected.mean())
        assert curve.capture_rate[point] == pytest.approx(y[selected].sum() / y.sum())


def test_the_interval_contains_the_exact_one():
    s = SHAPES["normal"]
    y = events_of(s)
    exact = accuracy_ratio_interval(y, s)
    coarse = sketch_of(y, s, max_bins=128).curve.interval()
    assert coarse.low < exact.low < exact.high < coarse.high
    assert coarse.value == pytest.approx(exact.value, abs=5e-3)
    fine = sketch_of(y, s).curve.interval()
    assert (fine.low, fine.high) == pytest.approx((exact.low, exact.high))
    assert (fine.n_events, fine.n_nonevents) == (exact.n_events, exact.n_nonevents)
    with pytest.raises(CapcurveError, match="requires unweighted 0/1 events, got weights"):
        sketch_of(y, s, sample_weight=np.full(N, 0.5)).curve.interval()
    with pytest.raises(CapcurveError, match="requires unweighted 0/1 events, got amounts"):
        sketch_of(y * 2.5, s).curve.interval()


@pytest.mark.parametrize("shift", [-1.0, -0.4, 0.0, 0.4, 0.7, 1.0])
def test_the_p_value_of_bins_is_that_of_their_interval(shift):
    y = np.array([1] * 30 + [0] * 300)
    s = np.random.default_rng(8).normal(size=330) + shift * y
    curve = sketch_of(y, s, max_bins=8).curve
    p_value = curve.interval().p_value
    _, worst, best = curve.accuracy_ratio
    assert (p_value == 1) == (worst <= 0 <= best)  # some order has an AR of about 0
    if p_value < 1:  # 1 less the level of the interval that has 0 as a limit
        at_zero = curve.interval(confidence_level=1 - p_value)
        assert min(abs(at_zero.low), abs(at_zero.high)) == pytest.approx(0, abs=1e-8)
    assert p_value >= accuracy_ratio_interval(y, s).p_value
    assert curve.interval().to_auc().p_value == p_value


def test_bytes_come_back():
    s = SHAPES["normal"]
    y = events_of(s)
    sketch = sketch_of(y, s, max_bins=300, descending=False)
    before = sketch.to_bytes()
    for way in WAYS:
        again = way(sketch)
        assert again.to_bytes() == before
        assert again.curve == sketch.curve
        again.update(y[:10], s[:10])
        assert again.n_rows == N + 10
        assert sketch.to_bytes() == before
    empty = CapSketch.from_bytes(CapSketch(pos_label="bad").to_bytes())
    assert empty.merge(CapSketch(pos_label="bad")).n_rows == 0


def test_kinds_of_outcome_may_come_in_any_batch():
    sketch = CapSketch()
    sketch.update([0, 0], [1, 2])
    assert repr(sketch) == "CapSketch(2 rows, undefined so far)"
    with pytest.raises(CapcurveError, match="outcomes of the 2 rows so far are equal"):
        _ = sketch.accuracy_ratio
    sketch.update([1], [3])
    assert sketch.accuracy_ratio == (1, 1, 1)
    sketch.update([2.5, 0.5], [3, 1])
    assert not sketch.curve.has_events
    expected = accuracy_ratio_score([0, 0, 1, 2.5, 0.5], [1, 2, 3, 3, 1])
    assert sketch.accuracy_ratio.value == pytest.approx(expected)


TOO_LARGE = np.array([1, 2**63], np.uint64)


def test_a_refused_batch_changes_nothing():
    sketch = CapSketch(max_bins=10)
    sketch.update([0, 1], [1, 2])
    before = sketch.to_bytes()
    for y, s in (([0, np.nan], [1, 2]), ([0, 1], TOO_LARGE), ([0, 1], [1, "a"])):
        with pytest.raises(CapcurveError):
            sketch.update(y, s)
    assert sketch.to_bytes() == before
    with pytest.raises(
        CapcurveError, match=r"below 2\*\*63, got 9223372036854775808; scale"
    ):
        sketch.update([0, 1], TOO_LARGE)
    sketch.update([0, 1], [2.5, 2.0])
    with pytest.raises(CapcurveError, match=r"must be whole numbers, got 2\.5 too; scale"):
        sketch.update([0, 1], [1, 2**60])
    assert sketch.n_rows == 4


BIG = 2**62
WHOLE = {
    "neighbours": np.array([BIG, BIG + 1, BIG + 2, BIG + 3, -BIG, 1 - BIG, 5, 5, 2**53]),
    "to 2**63": np.random.default_rng(9).integers(-(2**63), 2**63 - 1, 300, endpoint=True),
}


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("most", [2, 5, 65_536])
def test_whole_numbers_beyond_float64_are_compared_as_integers(name, most):
    s = WHOLE[name]
    y = np.arange(len(s)) * 7 % 3 == 1
    exact = CapCurve.from_predictions(y, s).accuracy_ratio
    whole = sketch_of(y, s, max_bins=most, batch=1_000)
    holds(whole.accuracy_ratio, exact)
    if most > len(s):
        assert whole.accuracy_ratio == pytest.approx((exact,) * 3, rel=1e-13)
        assert set(whole.curve.curve.tally.score.tolist()) == set(s.tolist())
    parts = [sketch_of(y[rows], s[rows], max_bins=most) for rows in ([-1, 0], [2, 1])]
    parts.append(sketch_of(y[3:-1], s[3:-1], max_bins=most))
    mixed = parts[2].merge(parts[0]).merge(parts[1])
    assert mixed.to_bytes() == whole.to_bytes()
    assert CapSketch.from_bytes(whole.to_bytes()).to_bytes() == whole.to_bytes()


def test_short_integers_and_whole_floats_join_long_ones():
    y, s = np.arange(9) % 2, np.array([3, 1, 4, 1, 5, 9, 2, 6, 2**61])
    whole = sketch_of(y, s)
    parts = CapSketch()
    parts.update(y[:4], s[:4].astype(np.int8))
    parts.update(y[4:8], s[4:8].astype(float))
    parts.update(y[8:], s[8:])
    assert parts.to_bytes() == whole.to_bytes()


def draw_shapes():
    """Draw scores of every shape for which bounds are promised to be narrow."""
    n = 1_000_000
    rng = np.random.default_rng(1)
    z, u, pd = rng.normal(size=n), rng.random(n), rng.beta(0.4, 12, n)
    skewed = rng.random(n) * rng.random(n) * rng.random(n) * 0.4
    return {
        "PDs near 0": pd,
        "near 1": 1 - pd,
        "very near 1": 1 - pd * 1e-5,
        "log-odds": 1.5 * z - 4,
        "mixed sign and scale": np.where(u < 0.5, -1, 1) * np.exp(6 * z),
        "a heavy PD": np.where(u < 0.5, 0.0003, pd),
        "a heavy PD of four places": np.where(u < 0.3, 0.2371, pd),
        "a heavy one near 1": np.where(u < 0.99, 0.9987, 1 - pd * u),
        "a third rounded": np.where(u < 1 / 3, skewed.round(3), skewed),
        "five clusters": 0.5 + rng.integers(0, 5, n) * 2**-13.5 + u * 2**-17,
        "whole numbers to 2**63": rng.integers(0, 2**63 - 1, n),
        "points": rng.integers(300, 851, n),
    }


SHAPES_OF_A_MILLION = draw_shapes()


@pytest.mark.slow
@pytest.mark.parametrize("name", SHAPES_OF_A_MILLION)
def test_bounds_of_a_million_rows_are_narrow(name):
    s = SHAPES_OF_A_MILLION[name]
    ranks = np.argsort(np.argsort(s)) / len(s)
    y = np.random.default_rng(5).random(len(s)) < 0.01 + 0.2 * ranks**3
    ratio = sketch_of(y, s, batch=250_000).accuracy_ratio
    assert ratio.low - SLACK <= accuracy_ratio_score(y, s) <= ratio.high + SLACK
    assert ratio.high - ratio.low < 1e-4


def test_p_and_1_minus_p_have_bounds_of_the_same_width():
    s = np.random.default_rng(2).beta(0.4, 12, 200_000)
    y = np.random.default_rng(3).random(len(s)) < 0.01 + s
    widths = [
        ratio.high - ratio.low
        for ratio in (
            sketch_of(y, s, max_bins=4_096).accuracy_ratio,
            sketch_of(y, 1 - s, max_bins=4_096, descending=False).accuracy_ratio,
        )
    ]
    assert widths[1] == pytest.approx(widths[0], rel=0.5)


def test_batches_that_wait_are_merged_and_copied():
    s = np.random.default_rng(4).normal(size=900)
    y = s > 1
    sketch = sketch_of(y, s, max_bins=20, batch=3)
    again = copy.copy(sketch)
    sketch.update([1], [0.5])
    again.update([0], [0.5])
    assert (sketch.n_rows, again.n_rows) == (901, 901)
    assert sketch.curve.by_score.target.sum() == again.curve.by_score.target.sum() + 1


@pytest.mark.parametrize(
    ("label", "labels"),
    [
        (np.int64(2), [1, 2]),
        (np.float32(0.5), np.array([0.25, 0.5], np.float32)),
        (np.str_("bad"), ["good", "bad"]),
        (np.bool_(True), [False, True]),  # noqa: FBT003
    ],
)
def test_arguments_of_numpy_are_kept_as_plain_values(label, labels):
    sketch = CapSketch(
        max_bins=np.int32(64),
        pos_label=label,
        descending=np.bool_(False),  # noqa: FBT003
    )
    sketch.update(labels, [2.0, 1.0])
    again = CapSketch.from_bytes(sketch.to_bytes())
    plain = CapSketch(64, pos_label=label.item(), descending=False)
    assert again.to_bytes() == sketch.to_bytes()
    assert again.merge(plain).accuracy_ratio.value == 1
    assert type(sketch.max_bins) is int
    assert type(sketch.pos_label) is type(label.item())


@pytest.mark.parametrize("most", [1, -3, True, 64.0, "sixty", None])
def test_numbers_of_bins_that_make_no_sense_are_refused(most):
    with pytest.raises(
        CapcurveError, match=r"`max_bins` must be a whole number of at least 2, got .*; the"
    ):
        CapSketch(most)


@pytest.mark.parametrize(
    "label",
    [np.nan, b"bad", (1,), np.datetime64("2026-01-01"), np.array([1])],
)
def test_labels_that_are_no_single_value_are_refused(label):
    with pytest.raises(
        CapcurveError, match="`pos_label` must be a number, a text or a boolean, got"
    ):
        CapSketch(pos_label=label)


def test_what_can_not_be_merged_is_refused():
    with pytest.raises(
        CapcurveError, match="`other` must be a CapSketch with the same arguments"
    ):
        CapSketch(100).merge(CapSketch(200))
    with pytest.raises(CapcurveError, match="got int"):
        CapSketch(100).merge(3)


def test_a_sketch_is_drawn_with_its_limits():
    s = SHAPES["normal"]
    sketch = sketch_of(events_of(s), s, max_bins=64)
    display = CAPCurveDisplay(sketch, name="Stream").plot()
    assert display.line_.get_label().startswith("Stream (AR = 0.")
    assert len(display.ax_.lines) == 3
    (area,) = display.ax_.collections
    assert area.get_label() == "Guaranteed bounds"
    vertices = area.get_paths()[0].vertices
    share, _, low, high = sketch.cap_curve()
    for limit in (low, high):
        corner = np.argmax(high - low)
        gaps = np.abs(vertices - [share[corner], limit[corner]]).max(axis=1)
        assert gaps.min() < 1 / 1024
    exact = sketch_of(events_of(s), np.sign(s))
    drawn = CAPCurveDisplay([exact, exact.curve], name=["a", "b"]).plot()
    assert not drawn.ax_.collections


@pytest.mark.parametrize("label", [None, 1, "bad"])
@pytest.mark.parametrize(
    ("y", "s", "w"),
    [
        (1, 2, None),
        (None, None, None),
        ("bad", [1.0], None),
        ({"bad": 1}, [1.0], None),
        ([1, 0], [1.0, 2.0], 3.0),
        ([1, 0], [1.0, 2.0], "w"),
        ([], [], [1.0]),
        (np.zeros((0, 2)), np.zeros((0, 2)), None),
        ([[1, 0]], [[1.0, 2.0]], None),
    ],
    ids=repr,
)
def test_what_is_no_column_is_refused(label, y, s, w):
    sketch = CapSketch(pos_label=label)
    with pytest.raises(CapcurveError, match="got"):
        sketch.update(y, s, sample_weight=w)
    assert sketch.n_rows == 0


def test_batches_without_events_and_without_rows():
    sketch = CapSketch(pos_label="bad")
    sketch.update(["good", "good"], [1.0, 2.0])
    sketch.update([], [])
    sketch.update(["bad"], [9.0], sample_weight=[0.0])
    assert sketch.n_rows == 2
    sketch.update(["bad"], [3.0])
    assert sketch.accuracy_ratio.value == 1
    with pytest.raises(CapcurveError, match="`y_true` must not hold missing values, got 1"):
        sketch.update(["bad", None], [3.0, 4.0])
    with pytest.raises(CapcurveError, match="got shapes"):
        sketch.update([], [1.0])
    with pytest.raises(CapcurveError, match="drop one of the two"):
        CapSketch(pos_label="bad", target_type="continuous")
