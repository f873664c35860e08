"""Write the facts of a report as an Excel workbook."""

from collections.abc import Callable
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from capcurve._report.book_chart_data import is_charted, make_chart_data_sheet
from capcurve._report.book_charts import draw_cap, draw_groups, draw_lift, draw_rates
from capcurve._report.book_evidence import (
    make_methods_sheet,
    make_provenance_sheet,
    make_rows_sheet,
)
from capcurve._report.book_groups import make_periods_sheet, make_segments_sheet
from capcurve._report.book_layout import measure_columns
from capcurve._report.book_models import make_gains_sheet, make_models_sheet
from capcurve._report.book_page import SIZE_OF_TITLES, Page
from capcurve._report.book_styles import POINTS_PER_ROW, Styles
from capcurve._report.book_summary import write_summary
from capcurve._report.book_table import Sheet
from capcurve._report.book_tests import (
    make_comparison_sheet,
    make_initial_sheet,
    make_limits_sheet,
)
from capcurve._report.control_characters import escape_all_controls
from capcurve._report.infinite_scores import name_infinite_scores
from capcurve._report.options import Facts
from capcurve._report.period_labels import label_periods

MAKERS: tuple[Callable[[Facts], Sheet], ...] = (
    make_models_sheet,
    make_gains_sheet,
    make_segments_sheet,
    make_periods_sheet,
    make_comparison_sheet,
    make_initial_sheet,
    make_limits_sheet,
    make_rows_sheet,
    make_methods_sheet,
    make_provenance_sheet,
    make_chart_data_sheet,
)
FIRST_OF_CHARTS = 10  # column of the summary
FIXED = {"object_position": 3}  # neither moved nor stretched with cells
MOST_BANDS = 60  # of a chart that can be read
ROWS_KEPT_TOGETHER = 6  # a heading, and the first rows below it
ROWS_OF_CHARTS, PIXELS_PER_POINT = 15, 4 / 3


def write_workbook(facts: Facts, path: Path) -> None:
    """Write a workbook with a summary and a sheet for each part of the report."""
    import xlsxwriter

    facts = escape_all_controls(label_periods(name_infinite_scores(facts)))
    content = BytesIO()  # xlsxwriter has an error of its own for a disk that is full
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        created = datetime.fromisoformat(facts["provenance"]["time"]).replace(tzinfo=None)
        book.set_properties({"title": facts["title"], "created": created})
        styles = Styles(book)
        summary = write_summary(book, styles, facts)
        pages = {"Summary": summary}
        for maker in MAKERS:
            sheet = maker(facts)
            if any(table.columns for table in sheet.tables):
                pages[sheet.name] = write_sheet(book, styles, facts, sheet)
        insert_charts(book, facts, pages)
        summary.set_up(facts["title"], describe_origin(facts))
        summary.sheet.freeze_panes(1, 0)
        summary.sheet.fit_to_pages(1, 1)
    path.write_bytes(content.getvalue())


def write_sheet(book: Any, styles: Styles, facts: Facts, sheet: Sheet) -> Page:
    """Write a sheet: its heading, notes and tables."""
    tables = [table for table in sheet.tables if table.columns]
    page = Page(book.add_worksheet(sheet.name), sheet.name, styles, measure_columns(tables))
    page.write_heading(sheet.title, styles.title, SIZE_OF_TITLES)
    for note in sheet.notes:
        page.write_heading(note, styles.note)
    for table in tables:
        page.row += 1
        page.keep_together(ROWS_KEPT_TOGETHER * POINTS_PER_ROW)
        page.write_table(table)
    page.row += 1
    page.set_up(facts["title"], describe_origin(facts))
    page.keep_headings()
    return page


def insert_charts(book: Any, facts: Facts, pages: dict[str, Page]) -> None:
    """Draw the charts on the sheets that they belong to."""
    (data,) = pages["Chart data"].placed
    summary, gains = pages["Summary"], pages["Gains"]
    for draw, top, height in ((draw_cap, 4, 480), (draw_lift, 494, 300)):
        chart = draw(book, facts, data)
        chart.set_size({"width": 560, "height": height})
        summary.sheet.insert_chart(0, FIRST_OF_CHARTS, chart, {"y_offset": top, **FIXED})
    if all(len(model["gains"]) <= MOST_BANDS for model in facts["models"]):
        add_chart(gains, draw_rates(book, facts, data, gains.placed[0]))
    for kind in ("segments", "periods"):
        for number, section in enumerate(facts[kind]):
            if is_charted(section):
                chart = draw_groups(book, facts, data, kind, number)
                add_chart(pages[kind.title()], chart)


def add_chart(page: Page, chart: Any) -> None:
    """Insert a chart below what the sheet holds, on one page of paper."""
    page.keep_together(ROWS_OF_CHARTS * POINTS_PER_ROW)
    height = ROWS_OF_CHARTS * POINTS_PER_ROW * PIXELS_PER_POINT
    chart.set_size({"width": 960, "height": height})
    page.sheet.insert_chart(page.row, 0, chart, {"x_offset": 4, **FIXED})
    page.row += ROWS_OF_CHARTS + 1


def describe_origin(facts: Facts) -> str:
    """Say what wrote the workbook, and when."""
    provenance = facts["provenance"]
    time = provenance["time"].replace("T", " ").replace("+00:00", " UTC")
    return f"capcurve {provenance['versions']['capcurve']}, {time}"
