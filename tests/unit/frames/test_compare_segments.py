"""`compare_segments` and `summarize_segments` give the numbers of the arrays' functions."""

import duckdb
import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest

from capcurve import (
    CapcurveError,
    DroppedRowsWarning,
    FewEventsWarning,
    UndefinedMetricWarning,
    accuracy_ratio_test_segments,
    compare_segments,
    pooled_accuracy_ratio_interval,
    summarize_segments,
)
from capcurve.datasets import make_portfolio
from frame_constructors import CONSTRUCTORS, categorical, columns_of

COLUMNS = make_portfolio()
LOANS = pl.DataFrame(COLUMNS)
DATA = COLUMNS["default"], COLUMNS["champion_pd"]
ASKED = "default", "champion_pd"
BY_SEGMENT = accuracy_ratio_test_segments(*DATA, COLUMNS["segment"])
BY_YEAR = accuracy_ratio_test_segments(*DATA, COLUMNS["year"], ordered=True)
MAKERS = {
    **CONSTRUCTORS,
    "polars lazy": pl.LazyFrame,
    "DuckDB": lambda columns: duckdb.from_arrow(pl.DataFrame(columns).to_arrow()),
}
every_library = pytest.mark.parametrize("make", list(MAKERS.values()), ids=list(MAKERS))


def rows_of(frame):
    columns = columns_of(frame)
    return [
        dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
    ]


def check_segments(rows, expected, key):
    """Compare rows with the result for arrays."""
    assert {row[key] for row in rows} == set(expected.estimates)
    for row in rows:
        estimate = expected.estimates[row[key]]
        assert row["n_events"] == estimate.n_events
        assert [row[name] for name in ("estimate", "std_error", "low", "high")] == (
            pytest.approx(
                [estimate.value, estimate.standard_error, estimate.low, estimate.high]
            )
        )
        for name, values in (
            ("rest", expected.rest),
            ("p_value", expected.p_values),
            ("p_holm", expected.p_holm),
            ("p_bh", expected.p_bh),
        ):
            assert row[name] == pytest.approx(values[row[key]]), name


@every_library
def test_every_library_gives_the_numbers_of_arrays(make):
    found = compare_segments(make(COLUMNS), *ASKED, by="segment")
    check_segments(rows_of(found), BY_SEGMENT, "segment")
    rows = rows_of(compare_segments(make(COLUMNS), *ASKED, by="year", ordered=True))
    assert [row["year"] for row in rows] == [2021, 2022, 2023, 2024]
    check_segments(rows, BY_YEAR, "year")


def test_segments_may_be_weighted_by_their_events():
    models = ["champion_pd", "challenger_pd"]
    found = summarize_segments(
        LOANS, "default", models, by="segment", segment_weights="events"
    )
    pairs = summarize_segments(LOANS, "default", models, by="segment")
    for row, other in zip(found.to_dicts(), pairs.to_dicts(), strict=True):
        if row["metric"] != "pooled":
            assert row == pytest.approx(other, nan_ok=True)
            continue
        data = COLUMNS["default"], COLUMNS[row["model"]], COLUMNS["segment"]
        alone = pooled_accuracy_ratio_interval(*data, segment_weights="events")
        assert [row[name] for name in ("estimate", "low", "high")] == pytest.approx(
            [alone.value, alone.low, alone.high]
        )
        assert row["estimate"] != pytest.approx(other["estimate"])
    with pytest.raises(CapcurveError, match="`segment_weights` must be 'pairs' or 'event"):
        summarize_segments(LOANS, *ASKED, by="segment", segment_weights="rows")


@every_library
def test_every_library_summarizes(make):
    pooled, equal, trend = rows_of(
        summarize_segments(make(COLUMNS), *ASKED, by="year", ordered=True)
    )
    assert [row["metric"] for row in (pooled, equal, trend)] == [
        "pooled",
        "all_equal",
        "trend",
    ]
    expected = BY_YEAR.pooled
    assert (pooled["estimate"], pooled["low"], pooled["high"], pooled["p_value"]) == (
        pytest.approx((expected.value, expected.low, expected.high, expected.p_value))
    )
    assert (equal["statistic"], equal["df_1"], equal["df_2"], equal["p_value"]) == (
        pytest.approx((BY_YEAR.statistic, *BY_YEAR.degrees_of_freedom, BY_YEAR.p_value))
    )
    expected = BY_YEAR.trend
    assert [trend[name] for name in ("estimate", "low", "high", "statistic", "df_2")] == (
        pytest.approx(
            [
                *(expected.change, expected.low, expected.high),
                *(expected.statistic, expected.degrees_of_freedom),
            ]
        )
    )
    assert trend["p_value"] == pytest.approx(expected.p_value)
    for row in (pooled, equal, trend):
        assert (row["n_segments"], row["n_events"]) == (4, 453)
    assert np.isnan([equal["estimate"], pooled["statistic"], trend["df_1"]]).all()


def test_results_are_frames_of_the_same_library():
    for make in CONSTRUCTORS.values():
        data = make(COLUMNS)
        for verb in (compare_segments, summarize_segments):
            assert type(verb(data, *ASKED, by="segment")) is type(data)


def test_models_are_told_apart():
    models = ["champion_pd", "challenger_pd"]
    found = compare_segments(LOANS, "default", models, by="segment")
    assert found["model"].to_list() == models * 3
    alone = compare_segments(LOANS, "default", "champion_pd", by="segment")
    first = found.filter(pl.col("model") == "champion_pd").drop("model")
    assert first.equals(alone)
    summary = summarize_segments(LOANS, "default", models, by="segment")
    assert summary["model"].to_list() == [name for name in models for _ in range(2)]
    assert "model" not in summarize_segments(LOANS, *ASKED, by="segment").columns


WITHOUT_PERIOD = "rows without a period are in no test of periods: (missing year|year nan)$"


@every_library
def test_rows_without_a_period_have_an_estimate_and_no_test(make):
    years = enumerate(COLUMNS["year"].tolist())
    year = [None if loan % 5 == 0 else year for loan, year in years]
    data = make({**COLUMNS, "year": year})
    with pytest.warns(UndefinedMetricWarning, match=WITHOUT_PERIOD) as told:
        rows = rows_of(compare_segments(data, *ASKED, by="year", ordered=True))
    assert len(told) == 1
    assert pd.isna(rows[-1]["year"])
    assert [row["year"] for row in rows[:-1]] == [2021, 2022, 2023, 2024]
    with pytest.warns(UndefinedMetricWarning, match=WITHOUT_PERIOD) as told:
        summary = rows_of(summarize_segments(data, *ASKED, by="year", ordered=True))
    assert len(told) == 1
    *_, equal, trend = summary
    assert (equal["n_segments"], trend["n_segments"]) == (4, 4)
    kept = np.array([value is not None for value in year])
    known = accuracy_ratio_test_segments(
        *(column[kept] for column in DATA), COLUMNS["year"][kept], ordered=True
    )
    assert trend["p_value"] == pytest.approx(known.trend.p_value)
    assert equal["p_value"] == pytest.approx(known.p_value)
    for column in ("rest", "p_value", "p_holm", "p_bh"):
        asked = getattr(known, "p_values" if column == "p_value" else column)
        assert [row[column] for row in rows[:-1]] == pytest.approx(list(asked.values()))
        assert np.isnan(rows[-1][column])
    assert np.isfinite([rows[-1][column] for column in ("estimate", "low", "high")]).all()


def test_missing_segments_without_order_are_tested_as_others():
    year = pl.when(pl.int_range(pl.len()) % 5 > 0).then(pl.col("year"))
    data = LOANS.with_columns(year=year)
    assert compare_segments(data, *ASKED, by="year")["p_holm"].is_finite().all()
    *_, equal = rows_of(summarize_segments(data, *ASKED, by="year"))
    assert equal["n_segments"] == 5


def test_clusters_shared_with_rows_without_a_period_do_not_alter_tests():
    # Each borrower has a loan without a period, and the others in one year.
    year = pl.when(pl.int_range(pl.len()) % 5 > 0).then(pl.col("year"))
    data = LOANS.with_columns(year=year).sort("year", nulls_last=True, maintain_order=True)
    n_known = data["year"].count()
    borrower = pl.Series(list(range(n_known)) + list(range(len(data) - n_known)))
    data = data.with_columns(borrower=borrower)
    asked = {"by": "year", "ordered": True, "clusters": "borrower"}
    with pytest.warns(UndefinedMetricWarning, match=WITHOUT_PERIOD):
        found = summarize_segments(data, *ASKED, **asked)
    known = summarize_segments(data.drop_nulls("year"), *ASKED, **asked)
    assert found[1:]["p_value"].to_list() == known[1:]["p_value"].to_list()


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_declared_levels_are_the_order_of_periods(library):
    levels = ["small business", "retail", "corporate"]
    data = categorical(CONSTRUCTORS[library](COLUMNS), "segment", levels)
    rows = rows_of(compare_segments(data, *ASKED, by="segment", ordered=True))
    assert [row["segment"] for row in rows] == levels
    check_segments(rows, BY_SEGMENT, "segment")


def test_dictionaries_of_pyarrow_are_sorted_as_text():
    levels = ["retail", "corporate", "small business"]
    data = categorical(CONSTRUCTORS["pyarrow"](COLUMNS), "segment", levels)
    rows = rows_of(compare_segments(data, *ASKED, by="segment", ordered=True))
    assert [row["segment"] for row in rows] == ["corporate", "retail", "small business"]


def test_weights_counts_and_clusters_are_those_of_arrays():
    year = COLUMNS["year"]
    frame = LOANS.with_columns(
        borrower=np.arange(10_000) // 3,
        n=np.arange(10_000) % 3 + 1,
        hits=np.where(DATA[0], np.arange(10_000) % 3 + 1, 0),
    )
    for said, asked in (
        ({"case_weights": "n"}, {"sample_weight": frame["n"]}),
        ({"clusters": "borrower"}, {"clusters": frame["borrower"]}),
        ({"counts": "n"}, {"sample_weight": frame["n"], "weights": "frequency"}),
        (
            {"counts": "n", "events": "hits"},
            {"sample_weight": frame["n"], "weights": "frequency"},
        ),
    ):
        truth = None if "events" in said else "default"
        expected = accuracy_ratio_test_segments(*DATA, year, **asked)
        for data in (frame, frame.lazy()):
            found = compare_segments(data, truth, "champion_pd", by="year", **said)
            check_segments(rows_of(found), expected, "year")


def test_options_of_reading_are_said_as_elsewhere():
    text = LOANS.with_columns(
        default=np.where(DATA[0], "bad", "good"),
        points=-pl.col("champion_pd"),
    )
    found = compare_segments(
        text, "default", "points", by="segment", pos_label="bad", descending=False
    )
    check_segments(rows_of(found), BY_SEGMENT, "segment")
    gaps = LOANS.with_columns(pl.when(pl.col("loan") % 100 > 0).then("champion_pd"))
    with pytest.warns(DroppedRowsWarning, match="left out 100 of"):
        summarize_segments(gaps, *ASKED, by="segment")


def test_segments_that_cannot_be_tested_are_named():
    few = LOANS.head(400).with_columns(
        default=np.where(COLUMNS["segment"] == "corporate", 0, DATA[0])[:400]
    )
    with (
        pytest.warns(UndefinedMetricWarning, match="to compare with: segment corporate"),
        pytest.warns(FewEventsWarning, match=r"ranked ones: segment small b.*retail"),
    ):
        found = compare_segments(few, *ASKED, by="segment")
    corporate = found.filter(pl.col("segment") == "corporate")
    assert np.isnan(corporate.select("estimate", "rest", "p_value", "p_bh").row(0)).all()
    assert corporate["n_events"].item() == 0
    with (
        pytest.warns(UndefinedMetricWarning, match="segment corporate"),
        pytest.warns(FewEventsWarning, match="level: of all segments"),
    ):
        summary = summarize_segments(few, *ASKED, by="segment")
    assert summary["n_segments"].to_list() == [2, 2]


@pytest.mark.filterwarnings("ignore:left out")
def test_a_segment_without_a_complete_row_is_shown():
    retail = pl.col("segment") == "retail"
    gaps = LOANS.with_columns(pl.when(~retail).then("champion_pd").alias("champion_pd"))
    with pytest.warns(UndefinedMetricWarning, match="segment retail"):
        found = compare_segments(gaps, *ASKED, by="segment")
    assert len(found) == 3
    (row,) = rows_of(found.filter(retail))
    assert np.isnan([row["estimate"], row["low"], row["p_value"]]).all()
    assert row["n_events"] == 0


@pytest.mark.filterwarnings("ignore:the test against the rest is undefined")
def test_a_frame_without_events_has_no_number():
    none = LOANS.head(50).with_columns(default=pl.lit(0))
    for data in (none, none.head(0)):
        found = compare_segments(data, *ASKED, by="segment")
        assert len(found) == data["segment"].n_unique()
        summary = summarize_segments(data, *ASKED, by="year", ordered=True)
        assert summary["metric"].to_list() == ["pooled", "all_equal", "trend"]
        assert summary["n_segments"].to_list() == [0, 0, 0]
        assert np.isnan(summary["p_value"].to_list()).all()


def test_what_is_refused():
    for verb in (compare_segments, summarize_segments):
        with pytest.raises(CapcurveError, match="`by` must name the columns of the"):
            verb(LOANS, *ASKED, by=[])
        with pytest.raises(CapcurveError, match="`ordered` must be True or False"):
            verb(LOANS, *ASKED, by="year", ordered=1)
        with pytest.raises(CapcurveError, match="`confidence_level` must lie between"):
            verb(LOANS, *ASKED, by="year", confidence_level=95)
        with pytest.raises(CapcurveError, match="requires 0/1 events, got amounts"):
            verb(LOANS, "loss", "champion_pd", by="year")
        with pytest.raises(CapcurveError, match="did you mean 'segment'"):
            verb(LOANS, *ASKED, by="segmnt")
    renamed = LOANS.rename({"segment": "rest"})
    with pytest.raises(CapcurveError, match="`by` must not name columns that the result"):
        compare_segments(renamed, *ASKED, by="rest")


def test_two_columns_make_a_period():
    columns = ["year", "segment"]
    with (
        pytest.warns(FewEventsWarning),
        pytest.warns(UserWarning, match="`segment` are text and sorted as text"),
    ):
        found = compare_segments(LOANS, *ASKED, by=columns, ordered=True)
    assert found.select(columns).rows() == sorted(found.select(columns).rows())
    assert nw.from_native(found).columns[:2] == columns


QUARTERS = [f"Q{1 + i % 4} {2022 + i % 2}" for i in range(len(LOANS))]


@every_library
def test_text_that_need_not_sort_by_time_warns(make):
    rows = make(
        COLUMNS | {"quarter": QUARTERS, "again": [f"{q[3:]}{q[:2]}" for q in QUARTERS]}
    )
    for verb in (compare_segments, summarize_segments):
        with pytest.warns(
            UserWarning, match="`quarter` are text and sorted as text, which"
        ):
            verb(rows, *ASKED, by="quarter", ordered=True)
        verb(rows, *ASKED, by="again", ordered=True)
        verb(rows, *ASKED, by="quarter")


def test_declared_levels_and_numbers_have_an_order():
    levels = ["Q1 2022", "Q3 2022", "Q2 2023", "Q4 2023"]
    for column in (
        pl.Series(QUARTERS, dtype=pl.Enum(levels)),
        pl.Series(range(len(LOANS))) % 2 + 9,
    ):
        rows = LOANS.with_columns(quarter=column)
        compare_segments(rows, *ASKED, by="quarter", ordered=True)
    plain = LOANS.with_columns(quarter=pl.Series(QUARTERS)).to_pandas()
    plain["quarter"] = pd.Categorical(plain["quarter"], levels, ordered=True)
    compare_segments(plain, *ASKED, by="quarter", ordered=True)
    plain["quarter"] = pd.Categorical(plain["quarter"].astype(str))
    with pytest.warns(UserWarning, match="`quarter` are text"):
        compare_segments(plain, *ASKED, by="quarter", ordered=True)
