"""Periods of a length that was asked for."""

import shlex
from datetime import date, datetime, timedelta

import duckdb
import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from capcurve import CapcurveError, report
from capcurve.datasets import make_portfolio

LOANS = pl.DataFrame(make_portfolio(3_000))
DAYS = [date(2020, 1, 15) + timedelta(days=28 * (i % 60)) for i in range(3_000)]
pytestmark = pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")


def list_periods(values, period_by=None):
    rows = LOANS.with_columns(day=pl.Series(values))
    found = report(rows, "default", "champion_pd", period="day", period_by=period_by)
    return [row["group"] for row in found.facts["periods"][0]["groups"]], found.facts


@pytest.mark.parametrize(
    ("period_by", "first", "last", "n"),
    [
        (None, "2020", "2024", 5),
        ("year", "2020", "2024", 5),
        ("quarter", "2020-Q1", "2024-Q3", 19),
        ("month", "2020-01", "2024-07", 55),
    ],
)
def test_dates_are_cut_to_the_length_asked_for(period_by, first, last, n):
    periods, facts = list_periods(DAYS, period_by)
    assert (periods[0], periods[-1], len(periods)) == (first, last, n)
    span = facts["sample"]["period"]
    assert span == {"column": "day", "first": "2020-01-15", "last": "2024-07-24"}


def test_quarters_are_those_of_the_calendar():
    months = [f"2024-{month:02}" for month in range(1, 13)] * 250
    periods, facts = list_periods(months, "quarter")
    assert periods == [f"2024-Q{quarter}" for quarter in (1, 2, 3, 4)]
    split = facts["periods"][0]
    for quarter, row in enumerate(split["groups"]):
        own = {f"2024-{month:02}" for month in range(3 * quarter + 1, 3 * quarter + 4)}
        assert row["n_rows"] == sum(month in own for month in months)


def test_times_and_missing_dates_are_cut_too():
    times = [datetime(2024, 3, 31, 23, 59), None, datetime(2024, 4, 1)] * 1_000  # noqa: DTZ001 -- of a column
    periods, facts = list_periods(times, "quarter")
    assert periods == ["2024-Q1", "2024-Q2", None]
    assert facts["periods"][0]["trend"][0]["n_periods"] == 2


def test_what_is_no_date_or_too_long_is_refused():
    with pytest.raises(CapcurveError, match=r"`day` must hold dates .*, got '7'; leave"):
        list_periods([7] * 3_000, "quarter")
    with pytest.raises(CapcurveError, match=r"such as 2024-03 .* got '2024-13'"):
        list_periods(["2024-13"] * 3_000, "month")
    many = [date(1990, 1, 1) + timedelta(days=31 * (i % 150)) for i in range(3_000)]
    with pytest.raises(
        CapcurveError, match=r"120 distinct values .*, got 150; cut them to"
    ):
        list_periods(many, "month")
    months = [f"{2000 + i // 12 % 10}-{i % 12 + 1:02}" for i in range(3_000)]
    message = "at most 40 distinct .*, got 120; cut them to years by `period_by`"
    with pytest.raises(CapcurveError, match=message):
        list_periods(months)
    with pytest.raises(CapcurveError, match=r"at most 40 .*, got 60; pass dates, which"):
        list_periods([i % 60 for i in range(3_000)])
    with pytest.raises(CapcurveError, match=r"at most 120 .*, got 150; pass dates, which"):
        list_periods([date(1800 + i % 150, 1, 1) for i in range(3_000)], "year")
    with pytest.raises(CapcurveError, match="`period_by` requires `period`, which"):
        report(LOANS, "default", "champion_pd", period_by="month")
    with pytest.raises(CapcurveError, match="`period_by` must be 'month', 'quarter'"):
        report(LOANS, "default", "champion_pd", period="year", period_by="week")


def test_values_that_look_the_same_are_one_segment():
    rows = pd.DataFrame({"y": [1, 0, 1, 0], "s": [4, 3, 2, 1], "g": [1, "1", 2, "2"]})
    found = report(rows, "y", "s", by="g").facts["segments"][0]
    assert [(row["group"], row["n_rows"]) for row in found["groups"]] == [
        ("1", 2),
        ("2", 2),
    ]


def test_a_column_may_have_the_name_of_the_row_numbers():
    rows = pl.DataFrame(
        {"y": [1, 0, 1, 0], "s": [4, 3, 2, 1], "row of capcurve": list("abab")}
    )
    found = report(rows, "y", "s", by="row of capcurve").facts["segments"][0]
    assert [row["n_rows"] for row in found["groups"]] == [2, 2]


@pytest.mark.parametrize(
    "values", [["b", None, "a", "b"], [2.0, None, 1.0, 2.0], [2, None, 1, 2]]
)
def test_all_libraries_number_segments_alike(values):
    rows = {"y": [1, 0, 1, 0], "s": [4, 3, 2, 1], "g": values}
    found = [
        report(library(rows), "y", "s", by="g").facts["segments"][0]["groups"]
        for library in (pl.DataFrame, pa.table, lambda rows: pa.table(rows).slice(0))
    ]
    assert found[0] == found[1] == found[2]
    parts = pa.concat_tables([pa.table(rows).slice(0, 2), pa.table(rows).slice(2)])
    assert report(parts, "y", "s", by="g").facts["segments"][0]["groups"] == found[0]
    encoded = parts.set_column(2, "g", pa.array(values).dictionary_encode())
    assert report(encoded, "y", "s", by="g").facts["segments"][0]["groups"] == found[0]


def test_the_span_of_dates_has_no_time_of_midnight():
    rows = pl.DataFrame({"y": [1, 0, 1, 0], "s": [4, 3, 2, 1]})
    times = [datetime(2021, month, 1) for month in (1, 2, 3, 4)]  # noqa: DTZ001 -- of a column
    times[-1] = times[-1].replace(hour=13)
    found = report(rows.with_columns(t=pl.Series(times)), "y", "s", period="t").facts
    assert found["sample"]["period"] == {
        "column": "t",
        "first": "2021-01-01",
        "last": "2021-04-01 13:00:00",
    }


def test_a_period_without_a_value_has_no_span():
    rows = pl.DataFrame({"y": [1, 0], "s": [2, 1], "g": pl.Series([None, None], dtype=str)})
    found = report(rows, "y", "s", period="g").facts["sample"]["period"]
    assert found == {"column": "g", "first": None, "last": None}


def test_dates_with_the_day_first_are_refused_with_a_query_that_converts_them():
    rows = LOANS.with_columns(pl.lit("26.09.2022").alias("day of"))
    with pytest.raises(CapcurveError, match=r"got '26.09.2022'; if days come") as caught:
        report(rows, "default", "champion_pd", period="day of", period_by="month")
    query = shlex.split(str(caught.value).partition("--query ")[2])[0]
    with duckdb.connect() as connection:
        connection.register("data", pa.table({"x": [1], "day of": ["26.09.2022"]}))
        assert connection.execute(query).fetchall() == [(1, date(2022, 9, 26))]
    rows = LOANS.with_columns(pl.lit("01/02/2022").alias("day of"))
    with pytest.raises(CapcurveError, match=r"; leave `period_by` out, or convert them$"):
        report(rows, "default", "champion_pd", period="day of", period_by="month")


QUARTERS = [f"Q{1 + i % 4} {2022 + i % 2}" for i in range(3_000)]


def make_quarters(period):
    rows = LOANS.with_columns(quarter=pl.Series(QUARTERS))
    return report(rows, "default", "champion_pd", period=period)


def test_periods_that_need_not_sort_by_time_have_no_trend(tmp_path):
    told = (
        "periods of `quarter` are text and sorted as text, which need not be the order of "
        "time: 'Q1 2022', 'Q2 2023', 'Q3 2022', ...; write them as 2023-Q1 or 2023-01 to "
        "sort them by time"
    )
    with pytest.warns(UserWarning, match="periods of `quarter`") as caught:
        found = make_quarters("quarter")
    assert str(caught[0].message) == told
    facts = found.facts
    assert f"The {told}." in facts["limitations"]
    (split,) = facts["periods"]
    assert (split["trend"], split["in_time_order"]) == ([None], False)
    assert facts["sample"]["period"] == {"column": "quarter", "first": None, "last": None}
    (trend,) = (each["text"] for each in facts["findings"] if each["topic"] == "trend")
    assert trend.startswith("A trend over the periods of quarter was not tested, because")
    assert "last period" not in trend
    assert "Trend" not in [each["topic"] for each in facts["methods"]]
    page = found.to_html()
    assert "None to None" not in page
    assert "Trend over time" not in page
    assert ">Periods</h2>" in page
    found.write(tmp_path / "r.xlsx")
    book = openpyxl.load_workbook(tmp_path / "r.xlsx")
    cells = {cell.value for sheet in book for row in sheet.rows for cell in row}
    assert "Whether the accuracy ratio differs between periods" in cells
    assert "Period" not in cells


def test_periods_in_the_order_of_time_have_a_trend(tmp_path):
    found = make_quarters("year")
    (split,) = found.facts["periods"]
    assert split["trend"][0]["n_periods"] == 4
    assert split["in_time_order"]
    assert ">Trend over time</h2>" in found.to_html()
    found.write(tmp_path / "r.xlsx")
    book = openpyxl.load_workbook(tmp_path / "r.xlsx")
    cells = {cell.value for sheet in book for row in sheet.rows for cell in row}
    assert "Whether the accuracy ratio changes over time" in cells
    assert {"Period", "2021 to 2024"} <= cells


@pytest.mark.parametrize("period_by", [None, "quarter"])
def test_dates_of_no_calendar_and_other_text_among_dates_are_named(period_by):
    days = [day.isoformat() for day in DAYS]
    with pytest.raises(CapcurveError, match="of the calendar, got '2023-02-31'; correct"):
        list_periods([*days[:-1], "2023-02-31"], period_by)
    with pytest.raises(CapcurveError, match=r"or none, got '31.02.2023' among them; cor"):
        list_periods([*days[:-1], "31.02.2023"], period_by)


def test_months_beside_dates_are_periods_too():
    days = [day.isoformat() for day in DAYS if day.year == 2020]
    rows = (days * 300)[:2_999]
    periods, _ = list_periods([*rows, "2020-12"])
    assert periods == ["2020-01", *(f"2020-{month:02}" for month in range(2, 13))][:12]
