"""Queries of every engine: numbers and errors are those of the rows in memory."""

import contextlib
import functools
import itertools
import logging
import warnings
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import duckdb
import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from sklearn.metrics import roc_auc_score

from capcurve import (
    BinnedCurve,
    CapCurve,
    CapcurveError,
    DroppedRowsWarning,
    FewEventsWarning,
    UndefinedMetricWarning,
    accuracy_ratio_interval,
    compare_models,
    gain_capture,
    gain_curve,
    gains_table,
)
from capcurve._engines import plan as thresholds
from capcurve._engines import query_plans
from capcurve._engines import row_rankings as checked_frame
from capcurve._engines.query_bins import order_bins, total_within_bins
from capcurve.datasets import make_portfolio
from frame_constructors import columns_of
from query_constructors import ENGINES, FURTHER, MARKS, each_engine, rows_of, same

LOANS = make_portfolio(8_000)
LOANS["weight"] = np.where(LOANS["loan"] % 7 == 0, 0.0, LOANS["exposure"])
pytestmark = MARKS


@pytest.mark.parametrize("weight", [None, "weight"])
def test_gain_capture_with_its_interval(engine, weight):
    options = {"by": ["segment"], "case_weights": weight, "confidence_level": 0.9}
    models = ["champion_pd", "challenger_pd"]
    found = gain_capture(engine(LOANS), "default", models, **options)
    same(
        found,
        gain_capture(pl.DataFrame(LOANS), "default", models, **options),
        ["segment", "model"],
    )


def test_curves_and_tables(engine):
    frame = pl.DataFrame(LOANS).with_columns(grade=pl.col("champion_pd").round(2))
    query = engine(frame.to_dict(as_series=False))
    for function, keys in ((gain_curve, ["n"]), (gains_table, ["band"])):
        found = function(query, "default", "grade")
        same(found, function(frame, "default", "grade"), keys)
    found = gain_curve(query, "default", "grade", by="segment")
    expected = gain_curve(frame, "default", "grade", by="segment")
    same(found, expected, ["segment", "n"])


def test_amounts_and_comparisons(engine):
    query, frame = engine(LOANS), pl.DataFrame(LOANS)
    found = gain_capture(query, "loss", "champion_pd", confidence_level=0.95)
    expected = gain_capture(frame, "loss", "champion_pd", confidence_level=0.95)
    same(found, expected, ["metric"])
    models = ["champion_pd", "challenger_pd"]
    found = compare_models(query, "default", models, by="segment")
    same(found, compare_models(frame, "default", models, by="segment"), ["segment"])


TRAPS = {
    "y": [1, 0, 1, 0, 1, 0, None, 1, 0, 1],
    "s": [0.5, 0.0, -0.0, float("inf"), float("-inf"), None, 0.1, float("nan"), 0.5, 0.3],
    "w": [1.0, 2.0, 0.0, 1.5, 1.0, 1.0, float("nan"), 1.0, 0.5, None],
    "g": ["a", None, "a", "b", "b", "a", "a", "a", None, "b"],
}


@pytest.mark.parametrize(
    ("engine", "by", "weight"),
    each_engine(itertools.product((None, "g"), (None, "w")), [("g", "w")]),
    indirect=["engine"],
)
def test_missing_infinite_and_signed_zero(engine, by, weight, recwarn):
    query, frame = engine(TRAPS), pl.DataFrame(TRAPS)
    options = {"by": by, "case_weights": weight}
    keys = ["g"] if by else ["metric"]
    found = gain_capture(query, "y", "s", **options)
    ours = {str(each.message) for each in recwarn if each.category is DroppedRowsWarning}
    recwarn.clear()
    expected = gain_capture(frame, "y", "s", **options)
    theirs = {str(each.message) for each in recwarn if each.category is DroppedRowsWarning}
    assert ours == theirs != set()
    same(found, expected, keys)
    with pytest.raises(CapcurveError, match="of 10 rows with a missing value"):
        gain_capture(query, "y", "s", na_rm=False, **options)


TYPES = {
    "float32": (pa.float32(), [0.1, 0.7, 0.7, 0.3]),
    "int64": (pa.int64(), [2**53, 2**53 + 1, 5, 4]),
    "uint8": (pa.uint8(), [0, 255, 3, 3]),
    "int8": (pa.int8(), [-128, 127, 3, 3]),
    "bool": (pa.bool_(), [True, False, True, True]),
    "decimal": (
        pa.decimal128(5, 2),
        [Decimal(each) for each in ("1.25", ".5", "1.25", "3")],
    ),
}


def test_scores_of_every_type(request, engine):
    name = request.node.callspec.params["engine"]
    types = {score: type_ for score, (type_, _) in TYPES.items()}
    scores = {score: values for score, (_, values) in TYPES.items()}
    if name == "sqlite":
        others = types.keys() - {"int64", "uint8", "int8"}
        types |= dict.fromkeys(others, pa.float64())
        scores |= {score: list(map(float, scores[score])) for score in others}
    if name == "postgres":
        types["uint8"] = pa.int16()
    outcome = [1, 0, 1, 0]
    query = engine({"y": outcome, **scores}, **types)
    found = rows_of(gain_capture(query, "y", list(scores)), ["model"])
    for (score,), row in found.items():
        ranks = np.unique([*map(Fraction, scores[score])], return_inverse=True)[1]
        assert row["estimate"] == pytest.approx(2 * roc_auc_score(outcome, ranks) - 1)


def test_names_with_spaces_quotes_and_keywords(request, engine):
    names = ["select", 'a "b" c', "it's", "group by"]
    if request.node.callspec.params["engine"] == "sqlframe":
        names = list("yswg")  # it opens no table with a column named like that
    columns = [
        [1, 0, 1, 0],
        [3.0, 1.0, 1.0, 2.0],
        [1.0, 2.0, 1.0, 1.0],
        [*"aa", None, None],
    ]
    truth, score, weight, key = names
    query = engine(dict(zip(names, columns, strict=True)))
    found = gain_capture(query, truth, score, case_weights=weight, by=key)
    ratios = {group: row["estimate"] for (group,), row in rows_of(found, [key]).items()}
    assert ratios == {"a": 1, "None": -1}


ERRORS = {
    "weights": (
        {"w": [1.0, -1.0, float("inf")]},
        {"case_weights": "w"},
        "got 1 negative, 1 infinite; give",
    ),
    "text": ({"s": ["0.1", "x", "2"]}, {}, "`s` must hold numbers"),
    "codes": ({"y": [1, 2, 3]}, {}, "may be class labels or amounts"),
    "labels": ({"y": ["a", "b", "a"]}, {}, "pass the label of the event as `pos_label`"),
    "label": ({"y": ["a", "b", "a"]}, {"pos_label": "c"}, "not among the labels of `y`"),
    "amounts": (
        {"y": [1.0, -3.5, 2.0]},
        {},
        "must hold finite amounts that are not negative",
    ),
    "unknown": ({}, {"by": "t"}, "`data` has no column 't'"),
}


@pytest.mark.parametrize(
    ("engine", "case"),
    each_engine(ERRORS, ["weights", "codes", "label", "amounts"]),
    indirect=["engine"],
)
def test_errors_are_those_of_rows_in_memory(engine, case):
    columns, options, message = ERRORS[case]
    data = {"y": [1, 0, 1], "s": [0.1, 0.2, 0.3], "w": [1.0, 1.0, 1.0], **columns}
    for rows in (engine(data), pl.DataFrame(data)):
        with pytest.raises(CapcurveError, match=message):
            gain_capture(rows, "y", "s", **options)


def test_labels_and_levels(engine):
    columns = {
        "y": ["a", "b", "c", "a"],
        "a": [3, 1, 2, 2],
        "b": [1, 3, 1, 2],
        "c": [0, 1, 3, 1],
    }
    query, frame = engine(columns), pl.DataFrame(columns)
    same(
        gain_capture(query, "y", ["a", "b", "c"]),
        gain_capture(frame, "y", ["a", "b", "c"]),
        ["estimator"],
    )
    found = gain_capture(query, "y", "a", pos_label="a")
    same(found, gain_capture(frame, "y", "a", pos_label="a"), ["metric"])


def test_one_class_one_score_and_no_rows(engine):
    types = {"y": pa.int64(), "s": pa.float64()}
    for columns, value in (
        ({"y": [1, 0], "s": [2.0, 2.0]}, 0),
        ({"y": [1, 1], "s": [1.0, 2.0]}, float("nan")),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UndefinedMetricWarning)
            found = columns_of(gain_capture(engine(columns, **types), "y", "s"))
        assert found["estimate"] == pytest.approx([value], nan_ok=True)
    with pytest.raises(CapcurveError, match="no complete row"):
        gain_curve(engine({"y": [], "s": []}, **types), "y", "s")


def test_a_stream_of_arrow_is_read_once():
    table = pa.table({"y": [1, 0, 1], "s": [0.3, 0.2, 0.1]})
    reader = pa.RecordBatchReader.from_batches(table.schema, table.to_batches())
    assert columns_of(gain_capture(reader, "y", "s"))["estimate"] == [0]


def test_an_engine_that_fails_is_named():
    relation = duckdb.connect().sql("select 1 as y, error('no such thing')::double as s")
    with pytest.raises(
        CapcurveError, match=r"the engine of `data` failed: .*no such thing"
    ):
        gain_capture(relation, "y", "s")


def test_curves_of_queries(engine):
    query, frame = engine(LOANS), pl.DataFrame(LOANS)
    for truth, weight in (("default", None), ("default", "exposure"), ("loss", None)):
        found = CapCurve.from_frame(query, truth, "champion_pd", case_weights=weight)
        expected = CapCurve.from_frame(frame, truth, "champion_pd", case_weights=weight)
        assert found.accuracy_ratio == pytest.approx(expected.accuracy_ratio, rel=1e-12)
        assert found.ks == pytest.approx(expected.ks, rel=1e-12)
        assert found.capture_rate == pytest.approx(expected.capture_rate, rel=1e-11)
    assert found.tie_bounds == pytest.approx(expected.tie_bounds)


def test_a_curve_of_no_rows_is_refused():
    with pytest.raises(CapcurveError, match="the CAP curve is undefined: `data` has no"):
        CapCurve.from_frame(pl.LazyFrame({"y": [], "s": []}), "y", "s")


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
    with pytest.raises(CapcurveError, match="must hold at least one complete row"):
        BinnedCurve.from_frame(empty, "y", "s")


def checked_never(monkeypatch):
    """Take a few rows for many, and fail where they are checked before they are grouped."""
    monkeypatch.setattr(thresholds, "MAX_DIRECT_ROWS", 2)
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
    with pytest.warns(UndefinedMetricWarning, match="g='b'"):
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


@pytest.mark.parametrize("engine", ["polars", "duckdb"], indirect=True)
def test_scores_that_crowd_get_a_finer_grid(engine, caplog, monkeypatch):
    monkeypatch.setattr(thresholds, "MAX_DIRECT_ROWS", 100)
    s = 1e9 + np.random.default_rng(4).normal(size=6_000)
    y = (s - 1e9 + np.random.default_rng(5).normal(size=6_000) > 1).astype(int)
    with caplog.at_level(logging.INFO, logger="capcurve"):
        found = BinnedCurve.from_frame(engine({"y": y, "s": s}), "y", "s")
    assert [record.args[0] for record in caplog.records] == ["bins", "bins"]
    low, high = found.accuracy_ratio[1:]
    assert low <= CapCurve.from_predictions(y, s).accuracy_ratio <= high < low + 0.001


def test_overlapping_bins_are_joined():
    columns = {"low": [1.0, 2.0, 5.0], "high": [3.0, 4.0, 5.0], "w": [2.0, 3.0, 4.0]}
    sums = {"wy": [1.0, 1.0, 1.0], "y": [1.0, 1.0, 1.0], "rows": [2, 3, 4]}
    grouped = pl.DataFrame({**columns, **sums})
    numbers = {name: column.to_numpy() for name, column in grouped.to_dict().items()}
    bins, n_rows = order_bins(numbers, counted=True)
    assert (len(bins), n_rows) == (2, 9)
    assert bins.weight.tolist() == [5, 4]


def test_approximate_gain_capture_of_groups(engine):
    query, frame = engine(LOANS), pl.DataFrame(LOANS)
    models = ["champion_pd", "challenger_pd"]
    options = {"by": ["segment"], "confidence_level": 0.9}
    found = rows_of(
        gain_capture(query, "default", models, approx=True, **options), ["segment", "model"]
    )
    exact = rows_of(gain_capture(frame, "default", models, **options), ["segment", "model"])
    assert found.keys() == exact.keys()
    for key, row in exact.items():
        assert found[key]["lower"] - 1e-12 <= row["estimate"] <= found[key]["upper"] + 1e-12
        assert found[key]["upper"] - found[key]["lower"] < 0.01
        assert found[key]["low"] == pytest.approx(row["low"], abs=0.01)
        assert found[key]["n_events"] == row["n_events"]
    weighted = gain_capture(query, "loss", models, case_weights="weight", approx=True)
    exact = gain_capture(frame, "loss", models, case_weights="weight")
    rows = rows_of(weighted, ["model"]).values()
    for row, ratio in zip(rows, exact["estimate"], strict=True):
        assert row["lower"] - 1e-12 <= ratio <= row["upper"] + 1e-12


def test_approximate_groups_of_one_kind_and_levels():
    frame = pl.LazyFrame({"g": list("aabb"), "y": [1, 0, 1, 1], "s": [1.0, 2.0, 3.0, 4.0]})
    for level in (None, 0.95):
        with (
            pytest.warns(UndefinedMetricWarning, match="g='b'"),
            contextlib.nullcontext()
            if level is None
            else pytest.warns(FewEventsWarning, match="g='a'"),
        ):
            found = gain_capture(
                frame, "y", "s", by="g", approx=True, confidence_level=level
            )
        assert found["estimate"].is_nan().to_list() == [False, True]
    levels = {"y": list("abc"), "a": [3, 1, 1], "b": [1, 3, 1], "c": [1, 1, 3]}
    with pytest.raises(
        CapcurveError, match="binned scores require a single event, got an outcome"
    ):
        gain_capture(pl.LazyFrame(levels), "y", ["a", "b", "c"], approx=True)
    sparse = {"g": ["a", "a", None], "y": [1, 0, 1], "s": [2.0, 1.0, None]}
    with (
        pytest.warns(DroppedRowsWarning),
        pytest.warns(UndefinedMetricWarning, match="g=None"),
    ):
        found = gain_capture(pl.LazyFrame(sparse), "y", "s", by="g", approx=True)
    assert found["g"].to_list() == ["a", None]
    assert found["lower"].to_list() == pytest.approx([1, np.nan], nan_ok=True)


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


def test_large_queries_are_counted_bin_by_bin(engine, monkeypatch, caplog):
    monkeypatch.setattr(thresholds, "MAX_DIRECT_ROWS", 100)
    query, frame = engine(LOANS), pl.DataFrame(LOANS)
    models = ["champion_pd", "challenger_pd"]
    with caplog.at_level(logging.INFO, logger="capcurve"):
        same(
            gain_capture(query, "default", models, by="segment", confidence_level=0.9),
            gain_capture(frame, "default", models, by="segment", confidence_level=0.9),
            ["segment", "model"],
        )
    plans = {record.args[0] for record in caplog.records}
    assert plans in ({"bucketed"}, {"direct"})
    same(
        gain_capture(query, "loss", models, case_weights="weight"),
        gain_capture(frame, "loss", models, case_weights="weight"),
        ["model"],
    )


@pytest.mark.parametrize("options", [{"truth": "loss"}, {"case_weights": "exposure"}])
def test_variances_that_take_rows_get_them(options, monkeypatch, caplog):
    monkeypatch.setattr(thresholds, "MAX_DIRECT_ROWS", 100)
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


def test_an_engine_that_rounds_out_of_order_is_found_out():
    disordered = {"low": [1.0, 2.0], "high": [3.0, 4.0], "pairs": [0.0, 0.0]}
    sums = {"w": [2.0, 2.0], "wy": [1.0, 1.0], "y": [1.0, 1.0], "rows": [2, 2]}
    columns = {name: np.array(each) for name, each in {**disordered, **sums}.items()}
    bins, _ = order_bins(columns, counted=True)
    with pytest.raises(CapcurveError, match="does not preserve the order of numbers"):
        total_within_bins(columns, bins, None)


# What Spark does at size.


def rows_at_size():
    """Make skewed scores of which most are tied, and two regions with few events."""
    rng = np.random.default_rng(12)
    n = 1_000_000
    s = np.where(rng.random(n) < 0.6, 0.02, rng.beta(0.4, 12, n))
    s[: n // 10] = s[: n // 10].round(3)
    return {"y": (rng.random(n) < 0.02 + s).astype(np.int64), "s": s}


def plans_of(monkeypatch):
    """Keep the physical plan of every query."""
    plans, collect = [], nw.LazyFrame.collect

    def spy(frame):
        plan = frame.to_native()._jdf.queryExecution().executedPlan()  # noqa: SLF001 -- ditto
        plans.append(plan.toString())
        return collect(frame)

    monkeypatch.setattr(nw.LazyFrame, "collect", spy)
    return plans


def test_spark_at_size_gathers_nothing_in_one_place(spark, monkeypatch):
    columns = rows_at_size()
    pl.DataFrame(columns).write_parquet("size.parquet")
    frame = spark.read.parquet(str(Path("size.parquet").absolute()))
    # By the score: most partitions are empty, and one holds more than half of the rows.
    frame = frame.repartition(40, "s").unionByName(frame.limit(0))
    monkeypatch.setattr(thresholds, "MAX_DIRECT_ROWS", 100_000)
    plans = plans_of(monkeypatch)
    found = columns_of(gain_capture(frame, "y", "s", confidence_level=0.95))
    expected = accuracy_ratio_interval(columns["y"], columns["s"])
    assert found["estimate"] == pytest.approx([expected.value], rel=1e-12)
    assert found["std_error"] == pytest.approx([expected.standard_error], rel=1e-12)
    windows = [plan for plan in plans if "Window" in plan]
    assert len(windows) == 1
    assert "hashpartitioning(bin" in windows[0]
    assert "SinglePartition" not in windows[0]
    for plan in plans:  # elsewhere one row of each partition is gathered
        lines = plan.splitlines()
        for line, below in itertools.pairwise(lines):
            if "SinglePartition" in line:
                assert "HashAggregate(keys=[]" in below or "LocalLimit" in below


def test_tasks_of_spark_that_fail_are_run_again(spark, monkeypatch):
    monkeypatch.setattr(thresholds, "MAX_DIRECT_ROWS", 100)
    pl.DataFrame(LOANS).write_parquet("loans.parquet")
    frame = spark.read.parquet(str(Path("loans.parquet").absolute())).repartition(4)
    mark = Path("failed").absolute()

    def fail_once(batches):
        from pyspark import TaskContext

        task = TaskContext.get()
        if task.partitionId() == 1 and task.attemptNumber() == 0:
            mark.touch()
            raise RuntimeError("this task fails once")
        yield from batches

    unsteady = frame.mapInArrow(fail_once, frame.schema)
    found = gain_capture(unsteady, "default", "champion_pd", confidence_level=0.95)
    expected = gain_capture(
        pl.DataFrame(LOANS), "default", "champion_pd", confidence_level=0.95
    )
    assert mark.exists()
    same(found, expected, ["metric"])


# Every law on every engine: groups of one query, each a variation of the same rows.


def variations():
    """Name rows that the laws relate to those of 'as is'."""
    rng = np.random.default_rng(14)
    s = rng.integers(0, 40, 300) / 8
    y = (rng.random(300) < 0.1 + s / 9).astype(int)
    w = rng.integers(0, 4, 300)
    i = rng.permutation(300)
    ones = np.ones(300)
    rows = {
        "as is": (y, s, ones),
        "shuffled": (y[i], s[i], ones),
        "repeated": (np.repeat(y, w), np.repeat(s, w), np.ones(w.sum())),
        "weighted": (y, s, w),
        "equally weighted": (y, s, 0.37 * ones),
        "halved": (np.r_[y, y], np.r_[s, s], np.r_[ones, ones] / 2),
        "mapped": (y, np.exp(3 * s) - 700, ones),
        "negated": (y, -s, ones),
        "swapped": (1 - y, -s, ones),
        "constant": (y, ones, ones),
        "perfect": (y, y * 1.0, ones),
    }
    parts = [
        pl.DataFrame(
            {
                "law": [law] * len(columns[0]),
                **dict(zip("ysw", map(np.float64, columns), strict=True)),
            }
        ).with_columns(pl.col("y").cast(pl.Int64))
        for law, columns in rows.items()
    ]
    return pl.concat(parts).sample(fraction=1, shuffle=True, seed=2)


LAWS = {
    "as is": {"shuffled": 1, "equally weighted": 1, "halved": 1, "mapped": 1}
    | {"negated": -1, "swapped": 1},
    "weighted": {"repeated": 1},
}


@pytest.mark.parametrize(
    ("engine", "plan", "down"),
    each_engine(
        itertools.product(("direct", "bucketed"), (True, False)),
        [("direct", False), ("bucketed", True)],
        further=[("bucketed", True)],
    ),
    indirect=["engine"],
)
def test_every_law_on_every_engine(engine, plan, down, monkeypatch):
    if plan == "bucketed":  # in bins so coarse that they hold several scores
        monkeypatch.setattr(thresholds, "MAX_DIRECT_ROWS", 100)
        monkeypatch.setattr(query_plans, "BITS", 1)
        monkeypatch.setattr(query_plans, "GRID", 3.0)
    frame = variations()
    query = engine(frame.to_dict(as_series=False))
    options = {"by": "law", "case_weights": "w", "descending": down}
    found = rows_of(gain_capture(query, "y", "s", **options), ["law"])
    ratios = {law: row["estimate"] for (law,), row in found.items()}
    exact = gain_capture(frame, "y", "s", **options)
    expected = dict(exact.select("law", "estimate").iter_rows())
    assert ratios == pytest.approx(expected, rel=1e-12, abs=1e-14)
    for law, others in LAWS.items():
        for other, sign in others.items():
            assert ratios[other] == pytest.approx(sign * ratios[law], rel=1e-12)
    assert ratios["constant"] == pytest.approx(0, abs=1e-14)
    assert ratios["perfect"] == pytest.approx(1 if down else -1)
