"""Every row counts: what engines rank is what is ranked in memory, numbers and errors."""

import itertools
import warnings
from decimal import Decimal
from fractions import Fraction

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.metrics import roc_auc_score

from capcurve import (
    CapCurve,
    CapcurveError,
    DroppedRowsWarning,
    UndefinedMetricWarning,
    compare_models,
    gain_capture,
    gain_curve,
    gains_table,
)
from frame_constructors import columns_of
from query_constructors import LOANS, MARKS, each_engine, rows_of, same

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


def test_results_are_of_the_library_that_type_checkers_are_told(engine):
    query = engine(LOANS)
    told = {"polars": pl.DataFrame, "dask": pd.DataFrame}
    expected = told.get(type(query).__module__.partition(".")[0], pa.Table)
    assert type(gain_capture(query, "default", "champion_pd")) is expected
    assert type(gain_curve(query, "default", "grade", order=list("ABCDEFGH"))) is expected


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
