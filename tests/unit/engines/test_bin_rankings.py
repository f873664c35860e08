"""Large and approximate queries: by the plan that suits, every group and every model."""

import contextlib
import functools
import itertools
import logging

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from capcurve import (
    BinnedCurve,
    CapCurve,
    CapcurveError,
    DroppedRowsWarning,
    FewEventsWarning,
    UndefinedMetricWarning,
    gain_capture,
    gain_curve,
    gains_table,
)
from capcurve._engines import plan as thresholds
from capcurve._engines import row_rankings as checked_frame
from frame_constructors import columns_of
from query_constructors import (
    ENGINES,
    FAST,
    FURTHER,
    LOANS,
    MARKS,
    each_engine,
    rows_of,
    same,
)

pytestmark = MARKS


def checked_never(monkeypatch):
    """Take a few rows for many, and fail where they are checked before they are grouped."""
    monkeypatch.setattr(thresholds, "MAX_DIRECT_ROWS", 2)
    monkeypatch.setattr(thresholds, "FREE_SHARE", 0)
    refuse = functools.partial(pytest.fail, "rows were checked")
    monkeypatch.setattr(checked_frame, "check_query", lambda *_: refuse())


@pytest.mark.parametrize("engine", [*ENGINES, *FURTHER], indirect=True)
def test_complete_events_take_a_single_scan(engine, monkeypatch):
    checked_never(monkeypatch)
    types = {"default": pa.int16()}
    query, frame = engine(LOANS, **types), pl.DataFrame(LOANS)
    found = BinnedCurve.from_frame(query, "default", "champion_pd")
    exact = CapCurve.from_frame(frame, "default", "champion_pd")
    ratio = found.accuracy_ratio
    assert ratio.low - 1e-12 <= exact.accuracy_ratio <= ratio.high + 1e-12
    assert (found.n_rows, found.has_events, found.plan) == (8_000, True, "bins")
    options = {"by": "segment", "confidence_level": 0.9, "descending": False}
    limits = gain_capture(query, "default", "champion_pd", approx=True, **options)
    exact = rows_of(gain_capture(frame, "default", "champion_pd", **options), ["segment"])
    for key, row in rows_of(limits, ["segment"]).items():
        estimate = exact[key]["estimate"]
        assert row["lower"] - 1e-12 <= estimate <= row["upper"] + 1e-12
        assert row["upper"] - row["lower"] < 0.005
        assert row["n_events"] == exact[key]["n_events"]


def test_booleans_and_unsigned_outcomes_take_a_single_scan(monkeypatch):
    checked_never(monkeypatch)
    for dtype in (pl.Boolean, pl.UInt8, pl.Int64):
        frame = pl.DataFrame({"y": [1, 0, 1, 0], "s": [3, 2, 2, 1]})
        query = frame.with_columns(pl.col("y").cast(dtype)).lazy()
        found = BinnedCurve.from_frame(query, "y", "s", target_type="binary")
        assert found.accuracy_ratio == (0.75, 0.75, 0.75)


def test_groups_of_one_kind_take_a_single_scan(monkeypatch):
    checked_never(monkeypatch)
    frame = pl.LazyFrame({"g": list("aabb"), "y": [1, 0, 1, 1], "s": [1.0, 2.0, 3.0, 4.0]})
    with pytest.warns(UndefinedMetricWarning, match="g b"):
        found = gain_capture(frame, "y", "s", by="g", approx=True)
    assert found["estimate"].to_list() == pytest.approx([-1, np.nan], nan_ok=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"estimator": "macro"}, "one score column per level"),
        ({"event_level": "second"}, "requires a column that declares two levels"),
        ({"target_type": "continual"}, "`target_type` must be"),
    ],
)
def test_options_are_judged_as_of_few_rows(monkeypatch, options, message):
    monkeypatch.setattr(thresholds, "MAX_DIRECT_ROWS", 2)
    monkeypatch.setattr(thresholds, "FREE_SHARE", 0)
    query = pl.LazyFrame({"y": [1, 0, 1, 0], "s": [3, 2, 2, 1]})
    with pytest.raises(CapcurveError, match=message):
        gain_capture(query, "y", "s", approx=True, **options)


NOT_PLAIN = {
    "no outcome": {"y": [1, 0, None, 0, 1, 0]},
    "no score": {"s": [0.5, 0.4, None, 0.3, 0.2, 0.1]},
    "nan": {"s": [0.5, 0.4, float("nan"), 0.3, 0.2, 0.1]},
    "nan beside infinity": {"s": [float("inf"), 0.4, float("nan"), 0.3, 0.2, 0.1]},
    "infinity": {"s": [float("inf"), 0.4, float("-inf"), 0.3, 0.2, 0.1]},
    "beyond rounding": {"s": [1e308, 0.4, -1e308, 0.3, 1.2e308, 0.1]},
    "amounts": {"y": [3, 0, 1, 0, 2, 0]},
    "other labels": {"y": [2, 1, 2, 1, 2, 1]},
}
FEW_NOT_PLAIN = ("no outcome", "no score", "nan beside infinity", "beyond rounding")


@pytest.mark.parametrize(
    ("engine", "by", "case"),
    each_engine(
        itertools.product((None, "g"), NOT_PLAIN),
        [*itertools.product("g", FEW_NOT_PLAIN), (None, "other labels")],
        further=[("g", "nan beside infinity")],
    ),
    indirect=["engine"],
)
def test_other_rows_are_checked(engine, by, case, recwarn, monkeypatch):
    monkeypatch.setattr(thresholds, "MAX_DIRECT_ROWS", 2)
    monkeypatch.setattr(thresholds, "FREE_SHARE", 0)
    columns = {"y": [1, 0, 0, 1, 1, 0], "s": [0.5, 0.4, 0.6, 0.3, 0.2, 0.1]}
    columns |= {"g": list("aabbab"), **NOT_PLAIN[case]}
    query, frame = engine(columns), pl.DataFrame(columns, nan_to_null=False)
    options = {"target_type": "continuous" if case == "amounts" else "auto"}
    if case == "other labels":
        with pytest.raises(CapcurveError, match="may be class labels or amounts"):
            gain_capture(query, "y", "s", by=by, approx=True)
        options["pos_label"] = 2
    recwarn.clear()
    expected = gain_capture(frame, "y", "s", by=by, **options)
    told = [str(each.message) for each in recwarn if each.category is DroppedRowsWarning]
    recwarn.clear()
    found = gain_capture(query, "y", "s", by=by, approx=True, **options)
    assert told == [
        str(each.message) for each in recwarn if each.category is DroppedRowsWarning
    ]
    assert bool(told) == ("no" in case or "nan" in case)
    keys = [by or "metric"]
    exact = rows_of(expected, keys)
    for key, row in rows_of(found, keys).items():
        estimate = exact[key]["estimate"]
        if "infinity" in case:  # it shares the bin of the largest finite score
            assert row["lower"] - 1e-12 <= estimate <= row["upper"] + 1e-12
            continue
        for name in ("estimate", "lower", "upper"):
            assert row[name] == pytest.approx(estimate, nan_ok=True)


def test_approximate_gain_capture_of_groups(engine):
    models = ["champion_pd", "challenger_pd"]
    options = {"by": ["segment"], "confidence_level": 0.9}
    frame, keys = pl.DataFrame(LOANS), ["segment", "model"]
    found = gain_capture(engine(LOANS), "default", models, approx=True, **options)
    found = rows_of(found, keys)
    exact = rows_of(gain_capture(frame, "default", models, **options), keys)
    assert found.keys() == exact.keys()
    for key, row in exact.items():
        assert found[key]["lower"] - 1e-12 <= row["estimate"] <= found[key]["upper"] + 1e-12
        assert found[key]["upper"] - found[key]["lower"] < 0.01
        assert found[key]["low"] == pytest.approx(row["low"], abs=0.01)
        assert found[key]["n_events"] == row["n_events"]


@pytest.mark.parametrize("engine", FAST, indirect=True)
def test_approximate_gain_capture_of_weighted_amounts(engine):
    models = ["champion_pd", "challenger_pd"]
    weighted = {"truth": "loss", "estimate": models, "case_weights": "weight"}
    found = rows_of(gain_capture(engine(LOANS), approx=True, **weighted), ["model"])
    exact = rows_of(gain_capture(pl.DataFrame(LOANS), **weighted), ["model"])
    assert found.keys() == exact.keys()
    for key, row in exact.items():
        assert found[key]["lower"] - 1e-12 <= row["estimate"] <= found[key]["upper"] + 1e-12


def test_approximate_groups_of_one_kind_and_levels():
    frame = pl.LazyFrame({"g": list("aabb"), "y": [1, 0, 1, 1], "s": [1.0, 2.0, 3.0, 4.0]})
    for level in (None, 0.95):
        with (
            pytest.warns(UndefinedMetricWarning, match="g b"),
            contextlib.nullcontext()
            if level is None
            else pytest.warns(FewEventsWarning, match="g a"),
        ):
            found = gain_capture(
                frame, "y", "s", by="g", approx=True, confidence_level=level
            )
        assert found["estimate"].is_nan().to_list() == [False, True]
    levels = {"y": list("abc"), "a": [3, 1, 1], "b": [1, 3, 1], "c": [1, 1, 3]}
    told = "require a single event, got an outcome.*, with that class's column alone$"
    with pytest.raises(CapcurveError, match=told):
        gain_capture(pl.LazyFrame(levels), "y", ["a", "b", "c"], approx=True)
    sparse = {"g": ["a", "a", None], "y": [1, 0, 1], "s": [2.0, 1.0, None]}
    with (
        pytest.warns(DroppedRowsWarning),
        pytest.warns(UndefinedMetricWarning, match="missing g"),
    ):
        found = gain_capture(pl.LazyFrame(sparse), "y", "s", by="g", approx=True)
    assert found["g"].to_list() == ["a", None]
    assert found["lower"].to_list() == pytest.approx([1, np.nan], nan_ok=True)


LARGE = {
    "events": {"truth": "default", "by": "segment", "confidence_level": 0.9},
    "amounts": {"truth": "loss", "case_weights": "weight"},
}


@pytest.mark.parametrize(
    ("engine", "rule"), each_engine(LARGE, ["events"]), indirect=["engine"]
)
def test_large_queries_are_counted_bin_by_bin(engine, rule, monkeypatch, caplog):
    monkeypatch.setattr(thresholds, "MAX_DIRECT_ROWS", 100)
    monkeypatch.setattr(thresholds, "FREE_SHARE", 0)
    options = {"estimate": ["champion_pd", "challenger_pd"], **LARGE[rule]}
    keys = [*filter(None, [options.get("by")]), "model"]
    with caplog.at_level(logging.INFO, logger="capcurve"):
        found = gain_capture(engine(LOANS), **options)
    same(found, gain_capture(pl.DataFrame(LOANS), **options), keys)
    plans = {record.args[0] for record in caplog.records}
    assert plans in ({"bucketed"}, {"direct"})


@pytest.mark.parametrize("options", [{"truth": "loss"}, {"case_weights": "exposure"}])
def test_variances_that_take_rows_get_them(options, monkeypatch, caplog):
    monkeypatch.setattr(thresholds, "MAX_DIRECT_ROWS", 100)
    monkeypatch.setattr(thresholds, "FREE_SHARE", 0)
    frame = pl.DataFrame(LOANS)
    options = {"truth": "default", "confidence_level": 0.9, **options}
    with caplog.at_level(logging.INFO, logger="capcurve"):
        found = gain_capture(frame.lazy(), estimate="champion_pd", **options)
    assert [record.args[0] for record in caplog.records] == ["direct"]
    same(found, gain_capture(frame, estimate="champion_pd", **options), ["metric"])
    with pytest.raises(
        CapcurveError, match="requires 0/1 events without weights, got amounts"
    ):
        gain_capture(frame.lazy(), estimate="champion_pd", approx=True, **options)


def test_levels_of_large_queries(monkeypatch):
    monkeypatch.setattr(thresholds, "MAX_DIRECT_ROWS", 2)
    monkeypatch.setattr(thresholds, "FREE_SHARE", 0)
    levels = pl.DataFrame(
        {"y": list("abc"), "a": [3, 1, 1], "b": [1, 3, 2], "c": [1, 1, 3]}
    )
    found = gain_capture(levels.lazy(), "y", ["a", "b", "c"])
    assert found.equals(gain_capture(levels, "y", ["a", "b", "c"]))


@pytest.mark.parametrize("engine", ["polars", "duckdb", "dask"], indirect=True)
def test_approximate_curves_and_tables(engine):
    query, frame = engine(LOANS), pl.DataFrame(LOANS)
    points = columns_of(gain_curve(query, "default", "champion_pd", approx=True))
    exact = CapCurve.from_frame(frame, "default", "champion_pd")
    share = points["population_share"]
    assert 500 < len(share) <= len(exact.tally) + 1
    np.testing.assert_allclose(np.interp(share, *exact.profile), points["capture_rate"])
    assert points["threshold"][0] == np.inf
    keys = ["segment", "model", "band"]
    options = {"by": "segment", "bands": 5}
    table = rows_of(
        gains_table(query, "default", ["champion_pd"], approx=True, **options), keys
    )
    rows = rows_of(gains_table(frame, "default", ["champion_pd"], **options), keys)
    assert table.keys() == rows.keys()
    for key, row in rows.items():
        limits = table[key]["lower"] - 1e-12, table[key]["upper"] + 1e-12
        assert limits[0] <= row["capture_rate"] <= limits[1]
        assert limits[1] - limits[0] < 0.01
