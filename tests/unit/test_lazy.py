"""Queries of every engine: numbers and errors are those of the rows in memory."""

import contextlib
import itertools
import os
import sqlite3
import warnings
from decimal import Decimal
from pathlib import Path

import dask.dataframe as dd
import duckdb
import ibis
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from capcurve import (
    BinnedCurve,
    CapCurve,
    CapcurveError,
    DroppedRowsWarning,
    UndefinedMetricWarning,
    compare_models,
    gain_capture,
    gain_curve,
    gains_table,
)
from capcurve._binned_frames import bins_of
from capcurve.datasets import make_portfolio
from frame_constructors import columns_of
from java import java_home

SQLFRAME, COUNTER = duckdb.connect(), itertools.count()
LOANS = make_portfolio(8_000)
LOANS["weight"] = np.where(LOANS["loan"] % 7 == 0, 0.0, LOANS["exposure"])
pytestmark = [
    pytest.mark.engines,
    pytest.mark.filterwarnings("ignore:Dask support is moving:FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.fixture(scope="session")
def spark():
    """Start Spark on two threads, with the Java of the machine or of a package."""
    if java := java_home():
        os.environ["JAVA_HOME"] = java
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "3")
        .config("spark.sql.session.timeZone", "UTC")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def polars_lazy(table, _):
    return pl.from_arrow(table).lazy()


def duckdb_relation(table, _):
    return duckdb.connect().from_arrow(table)


def ibis_duckdb(table, _):
    return ibis.memtable(table)


def ibis_sqlite(table, _):
    name = f"rows_{next(COUNTER)}"
    with contextlib.closing(sqlite3.connect("rows.sqlite")) as connection:
        table.to_pandas().to_sql(name, connection, index=False)
    return ibis.sqlite.connect("rows.sqlite").table(name)


def dask_frame(table, _):
    frame = table.to_pandas(types_mapper=pd.ArrowDtype)
    return dd.from_pandas(frame, npartitions=3)


def sqlframe_duckdb(table, _):
    from sqlframe.duckdb import DuckDBSession

    # The session is one for all, with the first connection that it was given.
    session = DuckDBSession(conn=SQLFRAME)
    name = f"rows_{next(COUNTER)}"
    SQLFRAME.register("arrow", table)
    SQLFRAME.table("arrow").create(name)
    return session.table(name)


def spark_classic(table, request):
    path = Path("rows.parquet").absolute()
    pl.from_arrow(table).write_parquet(path)
    return request.getfixturevalue("spark").read.parquet(str(path)).repartition(5)


ENGINES = {
    "polars": polars_lazy,
    "duckdb": duckdb_relation,
    "ibis": ibis_duckdb,
    "sqlite": ibis_sqlite,
    "dask": dask_frame,
    "sqlframe": sqlframe_duckdb,
    "spark": spark_classic,
}


@pytest.fixture(params=list(ENGINES))
def engine(request):
    """Hand a table over to an engine."""

    def hand_over(columns, **types):
        arrays = {
            name: pa.array(column, types.get(name)) for name, column in columns.items()
        }
        return ENGINES[request.param](pa.table(arrays), request)

    return hand_over


def text(key):
    """Write a key, a missing one the same way in every library."""
    return "None" if key is pd.NA else str(key)


def rows_of(frame, keys):
    columns = columns_of(frame)
    rows = zip(*columns.values(), strict=True)
    return {
        tuple(text(row[list(columns).index(key)]) for key in keys): dict(
            zip(columns, row, strict=True)
        )
        for row in rows
    }


def same(found, expected, keys):
    found, expected = rows_of(found, keys), rows_of(expected, keys)
    assert found.keys() == expected.keys()
    for key, row in expected.items():
        for name, value in row.items():
            if isinstance(value, float | int):
                assert found[key][name] == pytest.approx(value, rel=1e-12, nan_ok=True)
            else:
                assert text(found[key][name]) == text(value)


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


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("by", [None, "g"])
def test_missing_infinite_and_signed_zero(engine, weight, by, recwarn):
    query, frame = engine(TRAPS), pl.DataFrame(TRAPS)
    options = {"by": by, "case_weights": weight}
    keys = ["g"] if by else ["metric"]
    found = gain_capture(query, "y", "s", **options)
    ours = {str(each.message) for each in recwarn if each.category is DroppedRowsWarning}
    recwarn.clear()
    expected = gain_capture(frame, "y", "s", **options)
    theirs = {str(each.message) for each in recwarn if each.category is DroppedRowsWarning}
    assert ours == theirs != set()
    if by:  # groups without complete rows can not be seen after they were left out
        present = [key for (key,) in rows_of(found, keys)]
        expected = expected.filter(pl.col("g").fill_null("None").is_in(present))
    same(found, expected, keys)
    with pytest.raises(CapcurveError, match="of 10 rows with a missing value"):
        gain_capture(query, "y", "s", na_rm=False, **options)


@pytest.mark.parametrize(
    ("type_", "values"),
    [
        (pa.float32(), [0.1, 0.7, 0.7, 0.3]),
        (pa.int64(), [2**53, 2**53 + 1, 5, 4]),
        (pa.uint8(), [0, 255, 3, 3]),
        (pa.int8(), [-128, 127, 3, 3]),
        (pa.bool_(), [True, False, True, True]),
        (
            pa.decimal128(5, 2),
            [Decimal("1.25"), Decimal("0.50"), Decimal("1.25"), Decimal(3)],
        ),
    ],
    ids=["float32", "int64", "uint8", "int8", "bool", "decimal"],
)
def test_scores_of_every_type(request, engine, type_, values):
    name = request.node.callspec.params["engine"]
    if name == "sqlite" and not pa.types.is_integer(type_):
        values, type_ = [float(value) for value in values], pa.float64()
    columns = {"y": [1, 0, 1, 0], "s": values}
    found = columns_of(gain_capture(engine(columns, s=type_), "y", "s"))["estimate"]
    plain = [float(value) if isinstance(value, Decimal) else value for value in values]
    expected = gain_capture(pl.DataFrame({"y": columns["y"], "s": plain}), "y", "s")
    assert found == pytest.approx(expected["estimate"].to_list())


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


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        (
            {"w": [1.0, -1.0, float("inf")]},
            {"case_weights": "w"},
            "got 1 negative and 1 inf",
        ),
        ({"s": ["0.1", "x", "2"]}, {}, "`s` must hold numbers"),
        ({"y": [1, 2, 3]}, {}, "may be labels or counts"),
        ({"y": ["a", "b", "a"]}, {}, "pass the label of the event as `pos_label`"),
        ({"y": ["a", "b", "a"]}, {"pos_label": "c"}, "not among the labels of `y`"),
        ({"y": [1.0, -3.5, 2.0]}, {}, "must hold finite amounts that are not negative"),
        ({}, {"by": "t"}, "`data` has no column 't'"),
    ],
    ids=["weights", "text", "codes", "labels", "label", "amounts", "unknown"],
)
def test_errors_are_those_of_rows_in_memory(request, engine, columns, options, message):
    if request.node.callspec.params["engine"] == "sqlite" and "w" in columns:
        columns = {"w": [1.0, -1.0, 9e999]}
    data = {"y": [1, 0, 1], "s": [0.1, 0.2, 0.3], "w": [1.0, 1.0, 1.0], **columns}
    with pytest.raises(CapcurveError, match=message):
        gain_capture(engine(data), "y", "s", **options)


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


@pytest.mark.parametrize("name", list(ODD))
def test_binned_queries_hold_the_exact_numbers(engine, name):
    s = ODD[name]
    rng = np.random.default_rng(6)
    y = (rng.random(6_000) < 0.05 + SKEWED).astype(int)
    amount = np.where(y, rng.gamma(2, 9, 6_000), 0.0)
    columns = {"y": y, "s": s, "a": amount, "w": 1 + SKEWED}
    query = engine(columns)
    for truth, weight in (("y", None), ("y", "w"), ("a", None)):
        found = BinnedCurve.from_frame(query, truth, "s", case_weights=weight)
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
        if name in {"grades", "constant"} and truth == "y":
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
    with pytest.raises(CapcurveError, match="`data` has no complete row"):
        BinnedCurve.from_frame(empty, "y", "s")


def test_overlapping_bins_are_joined():
    columns = {"low": [1.0, 2.0, 5.0], "high": [3.0, 4.0, 5.0], "w": [2.0, 3.0, 4.0]}
    sums = {"wy": [1.0, 1.0, 1.0], "y": [1.0, 1.0, 1.0], "rows": [2, 3, 4]}
    grouped = pl.DataFrame({**columns, **sums})
    numbers = {name: column.to_numpy() for name, column in grouped.to_dict().items()}
    bins, n_rows = bins_of(numbers, counted=True)
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
        with pytest.warns(UndefinedMetricWarning, match="g='b'"):
            found = gain_capture(
                frame, "y", "s", by="g", approx=True, confidence_level=level
            )
        assert found["estimate"].is_nan().to_list() == [False, True]
    levels = {"y": list("abc"), "a": [3, 1, 1], "b": [1, 3, 1], "c": [1, 1, 3]}
    with pytest.raises(CapcurveError, match="bins take one event, not a level for each"):
        gain_capture(pl.LazyFrame(levels), "y", ["a", "b", "c"], approx=True)
    sparse = {"g": ["a", "a", None], "y": [1, 0, 1], "s": [2.0, 1.0, None]}
    with pytest.warns(DroppedRowsWarning):
        found = gain_capture(pl.LazyFrame(sparse), "y", "s", by="g", approx=True)
    assert found.rows() == [("a", "gain_capture", "binary", 1.0, 1.0, 1.0)]
