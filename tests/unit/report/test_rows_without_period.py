"""Rows without a period are no period: tables show them, and no test includes them."""

import io

import numpy as np
import openpyxl
import polars as pl
import pytest

from capcurve import report

pytestmark = [
    pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning"),
    pytest.mark.filterwarnings("ignore::capcurve.DroppedRowsWarning"),
    pytest.mark.filterwarnings("ignore:periods of `period` are text"),
]
YEARS = ("2021", "2022", "2023")
TEXTS = ("Q3 2021", "Q1 2022", "Q2 2023")
NO_PERIOD = "60 rows have no period, so no test of periods includes them."
NOT_COMPARED = (
    "AR within the others leaves these groups out, and no test compares them: (missing) "
    "(no period)."
)
TESTED = ("rest", "statistic", "degrees_of_freedom", "p_value", "p_adjusted")


def make(labels=YEARS, n=300):
    """Make rows of periods that are ranked well, and of none, that are ranked badly."""
    random = np.random.default_rng(5)
    y = random.random(len(labels) * n) < 0.3
    known = pl.DataFrame(
        {
            "y": y,
            "s": random.normal(size=len(y)) + 2 * y,
            "period": np.repeat(labels, n),
        }
    )
    y = np.arange(60) % 2 == 0
    without = pl.DataFrame({"y": y, "s": random.normal(size=60) - 2 * y})
    return pl.concat([known, without], how="diagonal")


def tell(made, topic="trend"):
    return next(each["text"] for each in made.facts["findings"] if each["topic"] == topic)


@pytest.mark.parametrize("labels", [YEARS, TEXTS])
def test_tests_of_periods_are_those_of_rows_with_a_period(labels):
    data = make(labels)
    found = report(data, "y", "s", period="period")
    known = report(data.drop_nulls("period"), "y", "s", period="period")
    split, expected = found.facts["periods"][0], known.facts["periods"][0]
    *groups, without = split["groups"]
    assert groups == expected["groups"]
    assert without["group"] is None
    assert without["accuracy_ratio"]["value"] < 0
    assert [without[key] for key in TESTED] == [None] * len(TESTED)
    test = split["homogeneity"][0]
    assert test == expected["homogeneity"][0] | {"left_out": [None]}
    assert test["n_groups"] == 3
    assert split["trend"] == expected["trend"]
    assert split["weakest"] == expected["weakest"]
    assert tell(found) == f"{tell(known)} {NO_PERIOD}"


def test_segments_without_a_name_are_a_segment():
    split = report(make(), "y", "s", by="period").facts["segments"][0]
    assert split["homogeneity"][0]["n_groups"] == 4
    assert split["groups"][-1]["p_adjusted"] < 0.001
    assert split["weakest"][0]["group"] is None


def test_page_and_workbook_say_why_rows_without_a_period_have_no_p_value(tmp_path):
    made = report(make(), "y", "s", period="period")
    assert made.to_html().count(f'<p class="note">{NOT_COMPARED}</p>') == 1
    told = "No test of periods includes rows without a period."
    assert made.to_html().count(told) == 1
    made.write(tmp_path / "r.xlsx")
    data = io.BytesIO((tmp_path / "r.xlsx").read_bytes())
    rows = list(openpyxl.load_workbook(data)["Periods"].iter_rows(values_only=True))
    assert sum(NOT_COMPARED in row for row in rows) == 1
    (row,) = (row for row in rows if "(missing)" in row)
    assert "not compared: no period" in row


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        (["2021"], ", as all rows with a period are of one. 60 rows have no period."),
        (
            [],
            ", as fewer than two periods have two or more events and non-events. 60 rows",
        ),
    ],
)
def test_without_two_periods_none_is_tested(labels, told):
    data = make(labels) if labels else make().filter(pl.col("period").is_null())
    found = report(data, "y", "s", period="period")
    assert tell(found).startswith(f"A trend over periods was not tested{told}")
    assert tell(found).endswith(". 60 rows have no period.")
    split = found.facts["periods"][0]
    assert split["homogeneity"][0]["p_value"] is None
    assert split["weakest"] == [None] or split["weakest"][0]["group"] == "2021"


def test_a_single_row_without_a_period_is_told():
    data = make()
    found = report(data.head(len(data) - 59), "y", "s", period="period")
    assert tell(found).endswith("1 row has no period, so no test of periods includes it.")


def test_of_two_periods_each_is_compared_with_the_other():
    text = tell(report(make(YEARS[:2]), "y", "s", period="period"))
    assert "within the other period (" in text
    assert "adjusted" not in text


def test_text_periods_say_that_their_test_may_not_keep_its_level():
    few = "The sample is small for this test, which may not keep its level."
    for labels in (YEARS, TEXTS):
        text = tell(report(make(labels, n=40), "y", "s", period="period"))
        assert text.count(few) == 1
        assert few not in tell(report(make(labels), "y", "s", period="period"))
    assert "(p " in text
    assert text.index("Tested together") < text.index(few)


def test_periods_without_a_used_row_are_named():
    data = make(("2019", "2020", "2022", "2023"))
    period = pl.col("period")
    new = pl.when((period != "2022") | period.is_null()).then(pl.col("s"))
    few = (period != "2023") | period.is_null() | ~pl.col("y")
    initial = {"s": 0.9}
    asked = {"compare": ["new"], "period": "period", "initial_auc": initial}
    found = report(data.with_columns(new=new), "y", "s", **asked)
    assert " The trend leaves out 2022, without any used row. 2021 has no" in tell(found)
    told = "together, 2019 to 2023 (2021 has no rows; 2022 has no used row); a report"
    assert told in tell(found, "initial")
    found = report(data.with_columns(new=new).filter(few), "y", "s", **asked)
    told = (
        "The trend leaves out periods with fewer than 20 events or non-events: 2023. It "
        "also leaves out 2022, without any used row. 2021 has no rows: the trend"
    )
    assert told in tell(found)
    new = pl.when(period.is_in(["2019", "2023"]) | period.is_null()).then(pl.col("s"))
    found = report(data.with_columns(new=new), "y", "s", **asked)
    assert "(2021 has no rows; 2020, 2022 have no used row); a" in tell(found, "initial")
