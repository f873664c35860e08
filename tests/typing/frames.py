"""Data of every library, and the data frames that come back."""

from collections.abc import Sequence
from typing import assert_type

import narwhals.stable.v2 as nw
import pandas as pd
import polars as pl
import pyarrow as pa
from dask.dataframe import DataFrame as DaskFrame
from duckdb import DuckDBPyRelation
from narwhals.stable.v2.typing import IntoDataFrameT
from pyspark.sql import DataFrame as SparkFrame
from sqlframe.duckdb import DuckDBDataFrame

from capcurve import (
    compare_implied,
    compare_models,
    compare_samples,
    compare_segments,
    gain_capture,
    gain_capture_at_reference,
    gain_capture_change,
    gain_capture_vec,
    gain_curve,
    gain_cut_offs,
    gains_table,
    plan_models,
    summarize_segments,
)

OUTCOME, PD, GRADES = "default", "champion_pd", "ABCDEFGH"


def of_pandas(data: pd.DataFrame) -> None:
    assert_type(gain_capture(data, OUTCOME, PD, by="segment"), pd.DataFrame)
    assert_type(gain_capture_vec(data[OUTCOME].astype("category"), data[PD]), float)


def of_polars(data: pl.DataFrame) -> None:
    pair: Sequence[str] = (PD, "challenger_pd")
    order = tuple(GRADES)
    assert_type(gain_capture(data, OUTCOME, pair), pl.DataFrame)
    assert_type(gain_curve(data, OUTCOME, PD, descending=True), pl.DataFrame)
    assert_type(gains_table(data, OUTCOME, PD, bands=[0.1, 0.5]), pl.DataFrame)
    assert_type(gain_cut_offs(data, OUTCOME, PD, capture_rate=0.8), pl.DataFrame)
    assert_type(compare_models(data, OUTCOME, pair), pl.DataFrame)
    assert_type(compare_samples(data, OUTCOME, PD, "year", 2021), pl.DataFrame)
    assert_type(compare_implied(data, OUTCOME, PD), pl.DataFrame)
    assert_type(compare_segments(data, OUTCOME, PD, by="segment"), pl.DataFrame)
    assert_type(summarize_segments(data, OUTCOME, PD, by="segment"), pl.DataFrame)
    assert_type(plan_models(data, OUTCOME, PD, half_width=0.05), pl.DataFrame)
    assert_type(gain_capture_change(data, OUTCOME, PD, "year", bands=5), pl.DataFrame)
    assert_type(
        gain_capture_at_reference(data, OUTCOME, "grade", data["grade"], order=order),
        pl.DataFrame,
    )


def of_pyarrow(data: pa.Table) -> None:
    assert_type(gain_capture(data, OUTCOME, PD), pa.Table)
    assert_type(gain_capture(data.to_reader(), OUTCOME, PD), pa.Table)


def of_narwhals(data: nw.DataFrame[pl.DataFrame]) -> None:
    assert_type(gain_capture(data, OUTCOME, PD), pl.DataFrame)


def of_lazy_polars(data: pl.LazyFrame) -> None:
    assert_type(gain_capture(data, OUTCOME, PD), pl.DataFrame)


def of_duckdb(data: DuckDBPyRelation) -> None:
    assert_type(gain_capture(data, OUTCOME, PD), pa.Table)


def of_dask(data: DaskFrame) -> None:
    assert_type(gain_capture(data, OUTCOME, PD), pd.DataFrame)


def of_sqlframe(data: DuckDBDataFrame) -> None:
    assert_type(gain_capture(data, OUTCOME, PD), pa.Table)


def of_spark(data: SparkFrame) -> None:
    assert_type(gain_capture(data, OUTCOME, PD), pa.Table)


def of_two_kinds(data: pl.DataFrame | pl.LazyFrame) -> None:
    assert_type(gain_capture(data, OUTCOME, PD), pl.DataFrame)


def of_any_library(data: IntoDataFrameT) -> IntoDataFrameT:
    return gain_capture(data, OUTCOME, PD)
