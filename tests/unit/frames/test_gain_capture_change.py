"""Changes in parts, and AR at a reference, at the frame door: the numbers of arrays."""

import datetime as dt
from math import nan

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

from capcurve import (
    CapcurveError,
    DroppedRowsWarning,
    FewEventsWarning,
    UndefinedMetricWarning,
    accuracy_ratio_at_reference,
    accuracy_ratio_change,
    gain_capture_at_reference,
    gain_capture_change,
)
from capcurve.datasets import make_portfolio
from frame_constructors import CONSTRUCTORS, categorical, columns_of

COLUMNS = make_portfolio(6_000)
LOANS = pl.DataFrame(COLUMNS)
ORDER = list("ABCDEFGH")
GRADE = np.searchsorted(ORDER, COLUMNS["grade"])
PARTS = ["total", "mix", "ranking"]
every_library = pytest.mark.parametrize(
    "make", list(CONSTRUCTORS.values()), ids=list(CONSTRUCTORS)
)
quiet = pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
pytestmark = quiet


def rows_of(frame):
    frame = columns_of(frame)
    return [dict(zip(frame, row, strict=True)) for row in zip(*frame.values(), strict=True)]


def check_change(rows, change):
    """Compare three rows with the result of arrays."""
    assert [row["part"] for row in rows] == PARTS
    for row in rows:
        part = getattr(change, row["part"])
        expected = {
            "sample_first": change.samples[0],
            "sample_second": change.samples[1],
            "estimate": part.value,
            "std_error": part.standard_error,
            "low": part.low,
            "high": part.high,
            "p_value": part.p_value,
            "estimate_first": change.first.value,
            "estimate_second": change.second.value,
            "n_events_first": change.first.n_events,
            "n_events_second": change.second.n_events,
        }
        for name, value in expected.items():
            assert row[name] == pytest.approx(value, rel=1e-9), name


def same(found, expected):
    found, expected = columns_of(found), columns_of(expected)
    assert list(found) == list(expected)
    for name, values in expected.items():
        if isinstance(values[0], float):
            assert found[name] == pytest.approx(values, rel=1e-9, nan_ok=True), name
        else:
            assert found[name] == values, name


def as_query(frame, engine):
    if engine == "polars":
        return frame.lazy()
    return duckdb.connect().from_arrow(frame.to_arrow())


@every_library
def test_changes_are_those_of_arrays(make):
    found = gain_capture_change(make(COLUMNS), "default", "grade", "year", order=ORDER)
    assert type(found) is type(make(COLUMNS))
    rows = rows_of(found)
    assert len(rows) == 9
    for place, years in enumerate([(2021, 2022), (2022, 2023), (2023, 2024)]):
        alone = accuracy_ratio_change(
            COLUMNS["default"], GRADE, COLUMNS["year"], samples=years
        )
        check_change(rows[3 * place : 3 * place + 3], alone)


@every_library
def test_groups_models_and_options(make):
    models = ["champion_pd", "challenger_pd"]
    options = {"bands": 4, "shares": "known", "confidence_level": 0.8}
    found = rows_of(
        gain_capture_change(
            make(COLUMNS), "default", models, "year", by="segment", **options
        )
    )
    assert len(found) == 3 * 2 * 3 * 3
    segments = list(dict.fromkeys(COLUMNS["segment"]))
    assert [row["segment"] for row in found[::18]] == segments
    for segment, model in (("retail", "champion_pd"), ("corporate", "challenger_pd")):
        rows = [row for row in found if (row["segment"], row["model"]) == (segment, model)]
        own = COLUMNS["segment"] == segment
        y, s, year = (COLUMNS[name][own] for name in ("default", model, "year"))
        alone = accuracy_ratio_change(y, s, year, samples=(2022, 2023), **options)
        check_change(rows[3:6], alone)


def test_weights_clusters_and_direction():
    frame = LOANS.with_columns(points=pl.Series(7 - GRADE), two=pl.col("loan") // 2)
    options = {"descending": False, "samples": (2021, 2022)}
    for name, argument in (("exposure", "case_weights"), ("two", "clusters")):
        found = gain_capture_change(
            frame, "default", "points", "year", descending=False, **{argument: name}
        )
        key = "sample_weight" if name == "exposure" else "clusters"
        alone = accuracy_ratio_change(
            COLUMNS["default"], 7 - GRADE, COLUMNS["year"], **options, **{key: frame[name]}
        )
        check_change(rows_of(found)[:3], alone)


def test_a_row_per_grade():
    expected = gain_capture_change(LOANS, "default", "grade", "year", order=ORDER)
    table = LOANS.group_by("year", "grade").agg(loans=pl.len(), bad=pl.col("default").sum())
    options = {"events": "bad", "counts": "loans", "order": ORDER}
    same(gain_capture_change(table, None, "grade", "year", **options), expected)
    options |= {"reference": dict.fromkeys(ORDER, 1), "by": "year"}
    found = gain_capture_at_reference(table, None, "grade", **options).sort("year")
    expected = gain_capture_at_reference(
        LOANS, "default", "grade", dict.fromkeys(ORDER, 1), by="year", order=ORDER
    )
    same(found, expected.sort("year"))


@pytest.mark.parametrize(
    "options",
    [{}, {"case_weights": "exposure"}, {"by": "segment"}, {"clusters": "two"}],
    ids=str,
)
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_queries_give_the_same(engine, options):
    frame = LOANS.with_columns(two=pl.col("loan") // 2, grade=pl.lit(pl.Series(GRADE)))
    query = as_query(frame, engine)
    for verb, what in (
        (gain_capture_change, "year"),
        (gain_capture_at_reference, dict.fromkeys(range(8), 1)),
    ):
        expected = verb(frame, "default", "grade", what, **options)
        found = verb(query, "default", "grade", what, **options)
        found = pl.from_arrow(found) if engine == "duckdb" else found
        if key := options.get("by"):
            found = found.sort(key, maintain_order=True)
            expected = expected.sort(key, maintain_order=True)
        same(found, expected)


@pytest.mark.filterwarnings("ignore:values of `quarter` are text")
@pytest.mark.parametrize("make", [pl.DataFrame, pd.DataFrame], ids=["polars", "pandas"])
def test_samples_in_their_order(make):
    quarters = ["Q10", "Q9", "Q8"]
    number = COLUMNS["loan"] % 3
    options = {"order": ORDER}
    columns = {
        **COLUMNS,
        "quarter": np.array(quarters)[number],
        "month": np.array(["10", "9", "8"])[number],
        "day": [dt.date(2024, 1, 10 - int(place)) for place in number],
    }
    for sample, first in (("month", "8"), ("day", dt.date(2024, 1, 8)), ("quarter", "Q10")):
        found = gain_capture_change(make(columns), "default", "grade", sample, **options)
        assert columns_of(found)["sample_first"][0] == first
    frame = categorical(make(columns), "quarter", ["Q8", "Q9", "Q10", "Q11"])
    found = gain_capture_change(frame, "default", "grade", "quarter", **options)
    assert list(found["sample_second"])[::3] == ["Q9", "Q10"]


def test_a_group_without_a_sample_is_undefined():
    frame = LOANS.filter((pl.col("segment") == "retail") | (pl.col("year") != 2022))
    told = r"undefined .*: 2021 to 2022, segment small business; 2022 to 2023, segment sm"
    with pytest.warns(UndefinedMetricWarning, match=told):
        found = gain_capture_change(
            frame,
            "default",
            "grade",
            "year",
            by="segment",
            order=ORDER,
            empty_grades="other",
        )
    (row,) = found.filter(
        (pl.col("segment") == "corporate")
        & (pl.col("sample_first") == 2021)
        & (pl.col("part") == "mix")
    ).to_dicts()
    numbers = [row[name] for name in ("estimate", "low", "p_value", "estimate_second")]
    assert numbers == pytest.approx([nan] * 4, nan_ok=True)
    assert (row["n_events_first"], row["n_events_second"]) == (0, 0)


@pytest.mark.filterwarnings("error::capcurve.FewEventsWarning")
def test_warnings_name_the_first_places():
    frame = LOANS.with_columns(period=pl.col("loan") % 40)
    told = "0 to 1; 1 to 2; 2 to 3; 3 to 4; 4 to 5; 30 more"
    unknown = "too few to show the variance: 16 to 17; 17 to 18; 25 to 26; 26 to 27$"
    with (
        pytest.warns(FewEventsWarning, match=told),
        pytest.warns(UndefinedMetricWarning, match=unknown),
    ):
        gain_capture_change(frame, "default", "champion_pd", "period", bands=2)
    with pytest.warns(FewEventsWarning, match="period 1; period 2; .*35 more"):
        gain_capture_at_reference(
            frame, "default", "champion_pd", frame["champion_pd"], by="period", bands=2
        )
    frame = LOANS.with_columns(default=pl.col("default") * (pl.col("year") != 2022))
    with pytest.warns(UndefinedMetricWarning, match=": 2021 to 2022; 2022 to 2023$"):
        gain_capture_change(frame, "default", "grade", "year", order=ORDER)
    with pytest.warns(UndefinedMetricWarning, match="AR at the reference .*: year 2022"):
        gain_capture_at_reference(
            frame, "default", "grade", frame["grade"], by="year", order=ORDER
        )


def test_missing_values_drop_rows():
    frame = LOANS.with_columns(
        grade=pl.when(pl.col("loan") % 100 != 0).then(pl.col("grade"))
    )
    with pytest.warns(DroppedRowsWarning, match="left out 60 of 6,000 rows"):
        found = gain_capture_change(frame, "default", "grade", "year", order=ORDER)
    kept = frame.drop_nulls()
    same(found, gain_capture_change(kept, "default", "grade", "year", order=ORDER))


# -- AR at a reference ---------------------------------------------------------------------


@every_library
def test_ar_at_reference_is_that_of_arrays(make):
    old = COLUMNS["year"] == 2021
    shares = {grade: int(count) for grade, count in enumerate(np.bincount(GRADE[old]))}
    named = {ORDER[grade]: count for grade, count in shares.items()}
    for reference in (named, COLUMNS["grade"][old]):
        found = rows_of(
            gain_capture_at_reference(
                make(COLUMNS), "default", "grade", reference, by="year", order=ORDER
            )
        )
        assert len(found) == 4
        for row in found:
            rows = COLUMNS["year"] == row["year"]
            y, grade = COLUMNS["default"][rows], GRADE[rows]
            alone = accuracy_ratio_at_reference(y, grade, shares)
            assert row["metric"] == "gain_capture_at_reference"
            assert row["estimate"] == pytest.approx(alone.value)
            assert row["std_error"] == pytest.approx(alone.standard_error)
            assert (row["low"], row["high"]) == pytest.approx((alone.low, alone.high))
            assert row["n_events"] == alone.n_events


def test_several_models_and_bands_at_reference():
    models = ["champion_pd", "challenger_pd"]
    found = gain_capture_at_reference(
        LOANS, "default", models, LOANS["champion_pd"], bands=5
    )
    assert found["model"].to_list() == models
    y, score = COLUMNS["default"], COLUMNS["champion_pd"]
    alone = accuracy_ratio_at_reference(y, score, score, bands=5)
    assert found["low"][0] == pytest.approx(alone.low)


# -- Errors --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sample", "options", "message"),
    [
        ("yaer", {}, r"`data` has no column 'yaer'; did you mean 'year'\?"),
        (2021, {}, r"`sample` must be the name of a column .* got 2021; pass the column"),
        ("default", {}, r"neither the outcome nor in `by`, got 'default'; pass"),
        ("year", {"by": ["year"]}, r"neither the outcome nor in `by`, got 'year'; pass"),
        ("one", {}, r"`one` must hold at least two samples, got 1; pass the rows of all"),
        ("gap", {}, r"`gap` must name the sample of each row, got rows without a value"),
        ("year", {"shares": "no"}, r"`shares` must be 'estimated' or 'known', got 'no'"),
        ("year", {"order": None}, r"`grade` must hold numbers or an ordered categorical"),
    ],
)
def test_changes_that_are_refused(sample, options, message):
    frame = LOANS.with_columns(
        one=pl.lit(1), gap=pl.when(pl.col("loan") > 9).then(pl.col("year"))
    )
    options = {"order": ORDER} | options
    with pytest.raises(CapcurveError, match=message):
        gain_capture_change(frame, "default", "grade", sample, **options)


def test_errors_name_the_group():
    is_bad = (pl.col("year") == 2022) & (pl.col("grade") == "C")
    frame = LOANS.filter(~(is_bad & (pl.col("segment") == "retail")))
    retail = frame.filter(pl.col("segment") == "retail")
    names = "default", "grade", "year"
    message = r"got none of grade 'C' in sample 2022; .* sample \(in segment retail\)$"
    with pytest.raises(CapcurveError, match=message):
        gain_capture_change(frame, *names, by="segment", order=ORDER)
    with pytest.raises(CapcurveError, match=r"of grade 'C' in .* from the other sample$"):
        gain_capture_change(retail, *names, order=ORDER)
    options = {"order": ORDER, "reference": dict.fromkeys(ORDER, 1)}
    with pytest.raises(CapcurveError, match=r"got none of 'C'; merge .* \(in year 2022\)"):
        gain_capture_at_reference(retail, "default", "grade", by="year", **options)
    only = retail.filter(pl.col("year") == 2022)
    with pytest.raises(CapcurveError, match=r"got none of 'C'; .* of the reference$"):
        gain_capture_at_reference(only, "default", "grade", **options)
    options["reference"] = ["A", None]
    with pytest.raises(CapcurveError, match="`reference` must not hold missing values"):
        gain_capture_at_reference(LOANS, "default", "grade", **options)


def test_three_samples_of_text_that_need_not_sort_by_time_warn():
    names = [f"Q{1 + i % 4} 2022" if i % 2 else f"Q{1 + i % 4} 2023" for i in range(6_000)]
    rows = LOANS.with_columns(quarter=pl.Series(names))
    asked = "default", "grade", "quarter"
    with pytest.warns(UserWarning, match=r"'Q1 2023', 'Q2 2022', 'Q3 2023', \.\.\.; if"):
        gain_capture_change(rows, *asked, order=ORDER)
    pair = rows.filter(pl.col("quarter").is_in(["Q1 2023", "Q2 2022"]))
    gain_capture_change(pair, *asked, order=ORDER)
    levels = sorted(set(names), key=lambda name: (name[3:], name))
    typed = rows.with_columns(pl.col("quarter").cast(pl.Enum(levels)))
    gain_capture_change(typed, *asked, order=ORDER)
    mixed = rows.with_columns(pl.col("quarter").replace("Q1 2023", "2023-01-01"))
    with pytest.raises(CapcurveError, match="got 'Q2 2022', 'Q3 2023', 'Q4 2022' among th"):
        gain_capture_change(mixed, *asked, order=ORDER)
