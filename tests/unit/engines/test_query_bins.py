"""Bins that engines make: exact numbers lie within their bounds, or are counted inside."""

import itertools
import logging

import numpy as np
import polars as pl
import pytest

from capcurve import (
    BinnedCurve,
    CapCurve,
    CapcurveError,
    DroppedRowsWarning,
    accuracy_ratio_interval,
    gain_capture,
)
from capcurve._engines import plan as thresholds
from capcurve._engines.query_bins import order_bins, total_within_bins
from query_constructors import LOANS, MARKS, each_engine, rows_of

pytestmark = MARKS
RNG = np.random.default_rng(3)
SKEWED = np.random.default_rng(5).beta(0.4, 12, 6_000)
ODD = {
    "skewed": SKEWED,
    "near one": 1 - SKEWED,
    "an outlier": np.r_[1e300, SKEWED[1:]],
    "infinite": np.r_[-np.inf, np.inf, SKEWED[2:]],
    "grades": np.ceil(8 * SKEWED),
    "half rounded": np.where(np.arange(6_000) % 2, SKEWED, SKEWED.round(2)),
    "constant": np.ones(6_000),
}
RULES = {"events": ("y", None), "weights": ("y", "w"), "amounts": ("a", None)}


@pytest.mark.parametrize(
    ("engine", "shape", "rule"),
    each_engine(
        itertools.product(ODD, RULES), [("an outlier", "weights"), ("infinite", "events")]
    ),
    indirect=["engine"],
)
def test_binned_queries_hold_the_exact_numbers(engine, shape, rule):
    s = ODD[shape]
    rng = np.random.default_rng(6)
    y = (rng.random(6_000) < 0.05 + SKEWED).astype(int)
    amount = np.where(y, rng.gamma(2, 9, 6_000), 0.0)
    columns = {"y": y, "s": s, "a": amount, "w": 1 + SKEWED}
    truth, weight = RULES[rule]
    found = BinnedCurve.from_frame(engine(columns), truth, "s", case_weights=weight)
    weights = None if weight is None else columns[weight]
    curve = CapCurve.from_predictions(columns[truth], s, sample_weight=weights)
    for bounded, exact in (
        (found.accuracy_ratio, curve.accuracy_ratio),
        (found.ks, curve.ks),
        (found.capture_rate_at(0.2), curve.capture_rate_at(0.2)),
    ):
        assert bounded.low - 1e-11 <= exact <= bounded.high + 1e-11
        assert bounded.high - bounded.low < 0.02
    assert found.n_rows == 6_000
    if shape in {"grades", "constant"} and truth == "y":
        assert found.accuracy_ratio.high - found.accuracy_ratio.low < 1e-12


def test_binned_queries_read_labels_and_missing_values(engine):
    labels = {"y": ["a", "b", "a", None], "s": [3.0, 1.0, 2.0, 0.5]}
    with pytest.warns(DroppedRowsWarning, match="left out 1 of 4 rows"):
        found = BinnedCurve.from_frame(engine(labels), "y", "s", pos_label="a")
    assert found.accuracy_ratio == (1, 1, 1)
    assert found.has_events
    numbered = {"y": [2.5, 1.0, 3.0, 1.5], "s": [4.0, 1.0, 2.0, 3.0]}
    found = BinnedCurve.from_frame(engine(numbered), "y", "s", pos_label=2.5)
    assert found.accuracy_ratio.value == 1
    counts = {"y": [*range(1_200), -3], "s": [1.0] * 1_201}
    with pytest.raises(CapcurveError, match="amounts that are not negative"):
        BinnedCurve.from_frame(engine(counts), "y", "s", target_type="continuous")
    signed = {"y": [1.0, -1.0, 1.0], "s": [1.0, 2.0, 3.0]}
    assert BinnedCurve.from_frame(engine(signed), "y", "s").accuracy_ratio.value == 0
    with pytest.raises(CapcurveError, match="pass the label of the event as `pos_label`"):
        BinnedCurve.from_frame(engine({"y": ["a", "b"], "s": [1.0, 2.0]}), "y", "s")
    with pytest.raises(CapcurveError, match="did you mean"):
        BinnedCurve.from_frame(engine({"yes": [1, 0], "s": [1.0, 2.0]}), "yess", "s")


def test_binned_queries_of_categories_and_of_nothing():
    enum = pl.DataFrame({"y": ["good", "bad"], "s": [1.0, 2.0]}).with_columns(
        pl.col("y").cast(pl.Enum(["bad", "good"]))
    )
    assert BinnedCurve.from_frame(enum.lazy(), "y", "s").accuracy_ratio.value == 1
    empty = enum.clear()
    with pytest.raises(CapcurveError, match="undefined: `data` has no complete row; check"):
        BinnedCurve.from_frame(empty, "y", "s")
    weightless = pl.DataFrame({"y": [1, 0], "s": [1.0, 2.0], "w": [0.0, 0.0]})
    for frame in (weightless, weightless.lazy()):
        with pytest.raises(CapcurveError, match="no complete row with `w` above 0; check"):
            BinnedCurve.from_frame(frame, "y", "s", case_weights="w")


@pytest.mark.parametrize("engine", ["polars", "duckdb"], indirect=True)
def test_scores_that_crowd_get_a_finer_grid(engine, caplog, monkeypatch):
    monkeypatch.setattr(thresholds, "MAX_DIRECT_ROWS", 100)
    monkeypatch.setattr(thresholds, "FREE_SHARE", 0)
    s = 1e9 + np.random.default_rng(4).normal(size=6_000)
    y = (s - 1e9 + np.random.default_rng(5).normal(size=6_000) > 1).astype(int)
    with caplog.at_level(logging.INFO, logger="capcurve"):
        found = BinnedCurve.from_frame(engine({"y": y, "s": s}), "y", "s")
    assert [record.args[0] for record in caplog.records] == ["bins", "bins"]
    low, high = found.accuracy_ratio[1:]
    assert low <= CapCurve.from_predictions(y, s).accuracy_ratio <= high < low + 0.001


def test_infinite_scores_stay_apart_where_heavy_bins_are_split():
    finite = [0.9, 0.5, 0.25, 0.1] * 5
    s = np.array([*[np.inf] * 30, *finite, *[-np.inf] * 30])
    y = (np.arange(len(s)) % 3 == 0).astype(int)
    rows = pl.LazyFrame({"y": y, "s": s})
    found = BinnedCurve.from_frame(rows, "y", "s")
    ratio = CapCurve.from_predictions(y, s).accuracy_ratio
    assert found.accuracy_ratio.low == pytest.approx(ratio)
    assert found.accuracy_ratio.high == pytest.approx(ratio)


@pytest.mark.parametrize("engine", ["polars", "duckdb"], indirect=True)
def test_clusters_that_an_engine_counts_give_the_interval_of_a_frame(engine, monkeypatch):
    options = {"clusters": "borrower", "confidence_level": 0.9}
    rows = {**LOANS, "borrower": [loan // 4 for loan in range(len(LOANS["default"]))]}
    exact = gain_capture(pl.DataFrame(rows), "default", "champion_pd", **options)
    monkeypatch.setattr(thresholds, "FREE_SHARE", 0)
    found = gain_capture(engine(rows), "default", "champion_pd", **options)
    assert rows_of(found, ["metric"]) == rows_of(exact, ["metric"])


def test_overlapping_bins_are_joined():
    columns = {"low": [1.0, 2.0, 5.0], "high": [3.0, 4.0, 5.0], "w": [2.0, 3.0, 4.0]}
    sums = {"wy": [1.0, 1.0, 1.0], "y": [1.0, 1.0, 1.0], "rows": [2, 3, 4]}
    grouped = pl.DataFrame({**columns, **sums})
    numbers = {name: column.to_numpy() for name, column in grouped.to_dict().items()}
    bins, n_rows = order_bins(numbers, counted=True)
    assert (len(bins), n_rows) == (2, 9)
    assert bins.weight.tolist() == [5, 4]


SHARES = (0.1, 0.5)
COUNTED = {
    "events": ("y", None, True),
    "weights": ("y", "w", False),
    "amounts": ("a", "w", True),
}


@pytest.mark.parametrize(
    ("engine", "shape", "rule"),
    each_engine(
        itertools.product(ODD, COUNTED), [("skewed", "events"), ("infinite", "amounts")]
    ),
    indirect=["engine"],
)
def test_pairs_counted_inside_of_bins_are_exact(engine, shape, rule):
    s = ODD[shape]
    rng = np.random.default_rng(8)
    y = (rng.random(6_000) < 0.05 + SKEWED).astype(int)
    amount, weights = np.where(y, rng.gamma(2, 9, 6_000), 0.0), rng.gamma(2, 1, 6_000)
    columns = {"y": y, "s": s, "a": amount, "w": weights}
    truth, weight, down = COUNTED[rule]
    options = {"case_weights": weight, "descending": down}
    query = engine(columns)
    found = BinnedCurve.from_frame(query, truth, "s", exact_at=SHARES, **options)
    exact = CapCurve.from_frame(pl.DataFrame(columns), truth, "s", **options)
    assert found.accuracy_ratio.low == found.accuracy_ratio.high
    assert found.accuracy_ratio.value == pytest.approx(exact.accuracy_ratio, rel=1e-12)
    assert found.ks.value == pytest.approx(exact.ks, rel=1e-12)
    for share in SHARES:
        captured = exact.capture_rate_at(share)
        assert found.capture_rate_at(share) == pytest.approx((captured,) * 3, rel=1e-12)
    if truth == "a":
        assert found.tie_bounds is None
    else:
        assert found.tie_bounds == pytest.approx(exact.tie_bounds, rel=1e-11)
    if rule == "events" and shape != "constant":
        expected = accuracy_ratio_interval(y, s)
        for name in ("value", "standard_error", "low", "high", "n_events", "n_nonevents"):
            value = getattr(expected, name)
            assert getattr(found.interval(), name) == pytest.approx(value, rel=1e-11)


def test_interval_of_low_scores_first_and_limits_where_ties_are_not_counted():
    columns = {"y": np.arange(900) % 7 == 0, "s": RNG.normal(size=900)}
    query = pl.LazyFrame(columns)
    found = BinnedCurve.from_frame(query, "y", "s", exact_at=(), descending=False)
    expected = accuracy_ratio_interval(columns["y"], columns["s"], descending=False)
    assert (found.interval().low, found.interval().high) == (expected.low, expected.high)
    assert BinnedCurve.from_frame(query, "y", "s").tie_bounds is None


def test_an_engine_that_rounds_out_of_order_is_found_out():
    disordered = {"low": [1.0, 2.0], "high": [3.0, 4.0], "pairs": [0.0, 0.0]}
    sums = {"w": [2.0, 2.0], "wy": [1.0, 1.0], "y": [1.0, 1.0], "rows": [2, 2]}
    columns = {name: np.array(each) for name, each in {**disordered, **sums}.items()}
    bins, _ = order_bins(columns, counted=True)
    with pytest.raises(CapcurveError, match="does not preserve the order of numbers"):
        total_within_bins(columns, bins, None)
