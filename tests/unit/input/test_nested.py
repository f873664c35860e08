"""A column whose rows hold several values is refused by its name at every door."""

import duckdb
import ibis
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from capcurve import (
    BinnedCurve,
    CapcurveError,
    compare_samples,
    gain_capture,
    gain_capture_change,
    gain_capture_vec,
    gain_curve,
    report,
)

ROWS = pl.DataFrame(
    {
        "y": [0, 1, 0, 1],
        "s": [1.0, 2.0, 3.0, 4.0],
        "tags": [["a"], ["a", "b"], ["a"], []],
        "st": [{"x": 1}, {"x": 1}, {"x": 2}, {"x": 2}],
        "pair": pl.Series([[1, 2]] * 4, dtype=pl.Array(pl.Int64, 2)),
    }
)
FOUND = {"tags": "lists", "st": "structs"}
REFUSED = (
    "`{}` must hold one value for each row, got {}; make text or a number of it (in the "
    "shell with --query)"
)
LIBRARIES = {
    "polars": lambda rows: rows,
    "lazy": lambda rows: rows.lazy(),
    "pyarrow": lambda rows: rows.to_arrow(),
    "duckdb": lambda rows: duckdb.connect().from_arrow(rows.to_arrow()),
    "ibis": lambda rows: ibis.memtable(rows.to_arrow()),
    "pandas of Arrow": lambda rows: rows.to_arrow().to_pandas(types_mapper=pd.ArrowDtype),
}
PARTS = {
    "by": {"by": "{}"},
    "estimate": {"estimate": "{}"},
    "truth": {"truth": "{}"},
    "weights": {"case_weights": "{}"},
    "clusters": {"clusters": "{}"},
    "bins": {"by": "{}", "approx": True},
    "few bytes": {"by": "{}", "memory_limit": "1MB"},
}


def refuse(found, name, call, *arguments, **options):
    with pytest.raises(CapcurveError) as caught:
        call(*arguments, **options)
    assert str(caught.value) == REFUSED.format(name, found)


@pytest.mark.parametrize("name", FOUND)
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("library", LIBRARIES)
def test_nested_columns_are_refused(library, part, name):
    data = LIBRARIES[library](ROWS.drop("pair"))
    said = {key: name if word == "{}" else word for key, word in PARTS[part].items()}
    refuse(FOUND[name], name, gain_capture, data, **{"truth": "y", "estimate": "s", **said})


def test_lists_of_one_length():
    refuse("lists", "pair", gain_capture, ROWS, "y", "s", by="pair")


@pytest.mark.parametrize("value", [["a"], {"a": 1}, {"a"}])
def test_objects_of_pandas_are_looked_at(value):
    rows = pd.DataFrame({"y": [0, 1], "s": [1, 2], "g": [value] * 2})
    found = f"{type(value).__name__} in a row"
    refuse(found, "g", gain_capture, rows, "y", "s", by="g")
    refuse(found, "g", gain_curve, rows, "y", "g")


def test_tuples_may_name_groups():
    rows = pd.DataFrame({"y": [0, 1], "s": [1, 2], "g": [("a", 1)] * 2})
    assert gain_capture(rows, "y", "s", by="g")["g"].tolist() == [("a", 1)]


def test_maps_of_arrow():
    maps = pa.array([[("a", 1)]] * 4, type=pa.map_(pa.string(), pa.int64()))
    data = ROWS.to_arrow().append_column("m", maps)
    refuse("maps", "m", gain_capture, data, "y", "s", by="m")


def test_other_verbs():
    refuse("lists", "tags", gain_capture_change, ROWS, "y", "s", sample="tags")
    refuse("lists", "tags", compare_samples, ROWS, "y", "s", "tags", ["a"])
    refuse("structs", "estimate", gain_capture_vec, ROWS["y"], ROWS["st"])
    refuse("lists", "tags", BinnedCurve.from_frame, ROWS.lazy(), "y", "tags")


@pytest.mark.parametrize("part", ["by", "period", "implied"])
def test_a_report(part):
    refuse("lists", "tags", report, ROWS, "y", "s", **{part: "tags"})


def test_columns_that_are_not_used_may_be_nested():
    assert gain_capture(ROWS, "y", "s")["estimate"].to_list() == [0.5]
