"""Gains tables for publication."""

import re
import sys

import great_tables
import numpy as np
import pandas as pd
import polars as pl
import pytest

from capcurve import CapCurve, CapcurveError, GainsTable, MissingDependencyError
from views import rows_of

CURVE = CapCurve.from_predictions([1, 0, 1, 0, 0], [5, 4, 3, 2, 1])
TABLE = GainsTable.from_curve(CURVE, [0.4])
NOTE = "Counts can be fractional: rows at the edge of a band are split pro rata"


def body_of(made):
    """Read the rows of the body of a table."""
    return re.search(r"<tbody.*?</tbody>", made.as_raw_html(), re.DOTALL)[0]


@pytest.mark.parametrize(("backend", "frame"), [("polars", pl), ("pandas", pd)])
def test_a_table_is_formatted_for_publication(backend, frame):
    made = TABLE.to_gt(backend=backend)
    assert isinstance(made, great_tables.GT)
    assert isinstance(made._tbl_data, frame.DataFrame)  # noqa: SLF001 -- no other name
    assert rows_of(body_of(made)) == [
        [
            *("1", "2", "1", "50.00%", "1.250"),
            *("40.00%", "50.00%", "1.250", "0.1667", "5", "4"),
        ],
        [
            *("2", "3", "1", "33.33%", "0.833"),
            *("100.00%", "100.00%", "1.000", "0.0000", "3", "1"),
        ],
        ["All", "5", "2", "40.00%", "1.000", *[""] * 6],
    ]
    page = made.as_raw_html()
    for label in ("In the band", "Up to the end of the band", "Score", "Capture rate"):
        assert f">{label}<" in page
    assert NOTE not in page
    assert "gt_title" not in re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)


def test_fractions_are_explained_below():
    made = GainsTable.from_curve(CURVE, 2).to_gt()
    assert NOTE in made.as_raw_html()
    assert [row[1:3] for row in rows_of(body_of(made))] == [
        ["2.5", "1.5"],
        ["2.5", "0.5"],
        ["5.0", "2.0"],
    ]


def test_numbers_line_up_at_the_decimal_point():
    curve = CapCurve.from_predictions([1, 0] * 5_000, np.arange(10_000) / 8)
    made = GainsTable.from_curve(curve, [0.01, 0.5]).to_gt()
    assert body_of(made).count("gt_row gt_right") == 4 * 10
    for column in zip(*rows_of(body_of(made)), strict=True):
        numbers = [cell.rstrip("%") for cell in column[:-1]]
        assert len({len(number.partition(".")[2]) for number in numbers}) == 1
    assert rows_of(body_of(made))[1][1] == "4,900"
    assert rows_of(body_of(made))[0][-2:] == ["1,249.875", "1,237.500"]


def test_the_title_is_text():
    page = TABLE.to_gt(title="Gains <of> & so on").as_raw_html()
    assert "Gains &lt;of&gt; &amp; so on" in page


def test_one_column_of_scores_has_no_label_above():
    made = GainsTable.from_curve(CURVE, "scores").to_gt()
    assert len(rows_of(body_of(made))[0]) == 10
    assert made.as_raw_html().count(">Score<") == 1


def test_amounts_and_odd_scores():
    curve = CapCurve.from_predictions([2500.5, 10.0, 0.0], [1e-9, 0.0, -np.inf])
    rows = rows_of(body_of(GainsTable.from_curve(curve, "scores").to_gt()))
    assert rows[0][1:4] == ["1", "2,500.5", "2,500.50"]
    assert [row[-1] for row in rows] == ["1e-09", "0", "-∞", ""]
    curve = CapCurve.from_predictions([1, 0, 1], [np.inf, 3.5, 2.0])
    rows = rows_of(body_of(GainsTable.from_curve(curve, "scores").to_gt()))
    assert [row[-1] for row in rows] == ["∞", "3.5", "2.0", ""]


def test_what_is_undefined_is_said():
    nothing, undefined = np.zeros(2), np.full(2, np.nan)
    table = GainsTable(
        TABLE.band,
        TABLE.n,
        nothing,
        nothing,
        TABLE.population_share,
        *[undefined] * 4,
        TABLE.highest_score,
        TABLE.lowest_score,
    )
    rows = rows_of(body_of(table.to_gt()))
    assert rows[0][4] == rows[1][6] == rows[2][4] == "undefined"
    assert rows[2][5:] == [""] * 6


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"title": 5}, "`title` must be a text or None, got 5; for other headers call"),
        ({"backend": "pyarrow"}, "`backend` must be 'polars' or 'pandas', got 'pyarrow'"),
        ({"backend": None}, "`backend` must be 'polars' or 'pandas', got None"),
    ],
)
def test_options_are_checked(options, told):
    with pytest.raises(CapcurveError, match=re.escape(told)):
        TABLE.to_gt(**options)


@pytest.mark.parametrize("library", ["great_tables", "pandas"])
def test_what_is_missing_names_the_extra(monkeypatch, library):
    monkeypatch.setitem(sys.modules, library, None)
    told = f'{library} is required for a table for publication but not .* "capcurve.tables.'
    with pytest.raises(MissingDependencyError, match=told):
        TABLE.to_gt(backend="pandas")


def test_the_row_of_all_bands_is_set_apart_in_this_table_alone():
    page = TABLE.to_gt().as_raw_html()
    name = re.search(r'<div id="(\w+)"', page)[1]
    assert f"#{name} .gt_table_body tr:last-child > * {{" in page
    assert f"#{name} .gt_table_body td, #{name} .gt_table_body th {{ background-" in page


def test_latex_comes_without_a_warning():
    assert r"All & 5 & 2 & 40.00\% & 1.000" in TABLE.to_gt().as_latex()
