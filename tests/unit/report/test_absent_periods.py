"""Which periods between others have no rows."""

import openpyxl
import polars as pl
import pytest

from capcurve import report
from capcurve._report.absent_periods import list_absent


@pytest.mark.parametrize(
    ("labels", "absent"),
    [
        (["2019", "2020", "2022"], ["2021"]),
        (["2018", "2020"], ["2019"]),
        (["2018", "2019"], []),
        (["2021"], []),
        ([], []),
        (["2023-Q3", "2024-Q1"], ["2023-Q4"]),
        (["2023Q4", "2024Q1", "2024Q3"], ["2024Q2"]),
        (["2023-11", "2024-01", "2024-02"], ["2023-12"]),
        (["2023-03", "2023-06", "2023-09"], []),  # ends of quarters
        (["2023-03", "2023-06", "2023-12"], ["2023-09"]),
        (["202311", "202312", "202402"], ["202401"]),
        (["1", "2", "4"], ["3"]),
        (["10", "20", "30"], []),
        (["20230131", "20230228"], []),
        (["2021", "H1"], []),
        (["FY21", "FY23"], ["FY22"]),
        (["FY2021", "FY2023"], ["FY2022"]),
        (["FY09", "FY11"], ["FY10"]),
        (["2020-H1", "2020-H2", "2021-H2"], ["2021-H1"]),
        (["H1 2020", "H1 2021"], ["H2 2020"]),
        (["22Q1", "22Q2", "22Q4"], ["22Q3"]),
        (["09-Q4", "10-Q2"], ["10-Q1"]),
        (["FY22-Q4", "FY23-Q2"], ["FY23-Q1"]),
        (["2023-W05", "2023-W09"], []),
        (["Q1 2023", "Q3 2023", "Q4 2023"], ["Q2 2023"]),
        (["2023/Q2", "2023/Q4"], ["2023/Q3"]),
        (["Q4-2021", "Q4-2022"], ["Q1-2022", "Q2-2022", "Q3-2022"]),
        (["1/2023", "2/2023", "4/2023"], ["3/2023"]),
        (["01.2023", "02.2023", "12.2023"], [f"{n:02}.2023" for n in range(3, 12)]),
        (["2023 01", "2023 02", "2023 04"], ["2023 03"]),
        (["20231", "20234"], []),  # which part of a year is not known
    ],
)
def test_absent_periods_are_found_by_the_form_of_the_labels(labels, absent):
    assert list_absent(labels) == absent


def make(years, **options):
    rows = {"y": [1, 0, 0, 1, 0] * 50 * len(years), "year": years * 250}
    rows["s"] = [(7 * n) % 101 for n in range(250 * len(years))]
    return report(pl.DataFrame(rows), "y", "s", period="year", **options)


def test_a_report_tells_a_year_without_rows_everywhere():
    made = make([2019, 2020, 2022])
    (split,) = made.facts["periods"]
    assert split["absent"] == ["2021"]
    (trend,) = [each["text"] for each in made.facts["findings"] if each["topic"] == "trend"]
    assert "2021 has no rows: the trend counts periods that have rows as" in trend
    assert "2021 has no rows, and no place in the chart." in made.to_html()
    assert "has no rows" not in make([2019, 2020, 2021]).to_html()


def test_a_year_without_rows_has_no_place_in_a_trend_only_if_there_is_one(tmp_path):
    years = [2019, 2020, 2022]
    events = make(years)
    rows = pl.DataFrame({"y": [3.0, 0.0, 0.0, 1.0, 0.0] * 150, "year": years * 250})
    rows = rows.with_columns(s=pl.int_range(750) * 7 % 101)
    amounts = report(rows, "y", "s", period="year", target_type="continuous")
    for made, places in ((events, "charts and in the trend"), (amounts, "charts")):
        made.write(tmp_path / "made.xlsx")
        (found,) = (
            cell
            for row in openpyxl.load_workbook(tmp_path / "made.xlsx")["Periods"].values
            for cell in row
            if "has no rows" in str(cell)
        )
        assert found == f"2021 has no rows, and no place in {places}."
    findings = {each["topic"]: each["text"] for each in amounts.facts["findings"]}
    assert " 2021 has no rows. " in findings["trend"]


def test_years_beside_a_missing_value_have_no_decimals():
    made = make([2019.0, 2020.0, None])
    (split,) = made.facts["periods"]
    assert [row["group"] for row in split["groups"]] == ["2019", "2020", None]
    assert made.facts["sample"]["period"]["first"] == "2019"
