"""Write the tables of a sheet, with its headings, marks, filter and print setup."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from capcurve._report.book_layout import (
    DEFAULT_WIDTH,
    PADDING,
    count_columns_of_notes,
    find_height,
    find_page_height,
    find_row_height,
    has_room,
    is_too_wide,
)
from capcurve._report.book_numbers import TEXTS
from capcurve._report.book_styles import POINTS_PER_ROW, Styles
from capcurve._report.book_table import NOTE, Column, Table
from capcurve.exceptions import CapcurveError

MAX_SHEET_ROWS, MAX_SHEET_COLUMNS = 2**20, 2**14  # of the file format
WHOLE_SHEET = "A1:XFD1048576"
MAX_TEXT = 32_767  # UTF-16 units of a cell
SIZE_OF_TITLES = 16
A3, A4 = 8, 9  # numbers of paper sizes in the file format
LONGEST_RUNNING_TEXT = 80  # characters; header and footer hold 255 together


@dataclass
class Placed:
    """Where a table stands on its sheet; rows and columns count from 0.

    Attributes
    ----------
    sheet : str
        Name of the sheet.
    head, first, last : int
        First row of the headings; first and last row below them, totals left out.
    table : Table
    """

    sheet: str
    head: int
    first: int
    last: int
    table: Table

    def find(self, *key: str | int) -> int:
        """Return the place of the column that charts call so."""
        return [column.key for column in self.table.columns].index(key)

    def refer_span(self, *key: str | int) -> list[str | int]:
        """Return the cell of the heading that begins above a column."""
        return [self.sheet, self.head, self.find(*key)]

    def refer(self, *key: str | int, first: int = 0, last: int = -1) -> list[str | int]:
        """Return the cells of a column, or some of its rows, the last one included."""
        place = self.find(*key)
        rows = range(self.first, self.first + len(self.table.columns[place].values))
        return [self.sheet, rows[first], place, rows[last], place]


@dataclass
class Page:
    """A sheet that is filled from top to bottom.

    Attributes
    ----------
    sheet : xlsxwriter.worksheet.Worksheet
    name : str
    styles : Styles
    widths : sequence of int
        Width of each column in characters.
    row : int
        First row that is free.
    breaks : list of int
        Rows that begin a page of paper, after the first one.
    """

    sheet: Any
    name: str
    styles: Styles
    widths: Sequence[int]
    row: int = 0
    placed: list[Placed] = field(default_factory=list)
    heights: dict[int, float] = field(default_factory=dict)
    breaks: list[int] = field(default_factory=list)

    def set_height(self, row: int, height: float) -> None:
        """Set the height of a row in points."""
        self.sheet.set_row(row, height)
        self.heights[row] = height

    def measure_rows(self, first: int, last: int) -> float:
        """Return the height of some rows in points, the last one left out."""
        return sum(self.heights.get(row, POINTS_PER_ROW) for row in range(first, last))

    def keep_together(self, height: float) -> None:
        """Begin a page of paper unless this one surely has room for so many points."""
        main = next((each for each in self.placed if each.table.is_main), None)
        repeated = 0.0 if main is None else self.measure_rows(main.head, main.first)
        page = find_page_height(self.widths)
        start, above = (self.breaks[-1], repeated) if self.breaks else (0, 0.0)
        top = above + self.measure_rows(start, self.row)
        if not has_room(top, height, page, repeated):
            self.breaks.append(self.row)
            self.sheet.set_h_pagebreaks(self.breaks)

    def write_heading(self, text: str, style: Any, font_size: float = 11) -> None:
        """Write a text across the columns, in a row that is high enough for it."""
        last = count_columns_of_notes(self.widths) - 1
        width = sum(self.widths) + DEFAULT_WIDTH * max(0, last + 1 - len(self.widths))
        self.write_across(text, 0, last, style)
        self.set_height(self.row, find_height(text, width, font_size) + 3)
        self.row += 1

    def write_across(self, text: str, first: int, last: int, style: Any) -> None:
        """Write a text across several columns of the row."""
        if last > first:
            self.sheet.merge_range(self.row, first, self.row, last, "", style)
        write_text(self.sheet, self.row, first, text, style)

    def write_table(self, table: Table) -> None:
        """Write the headings and the rows of a table, and point out what is marked."""
        if table.title:
            self.sheet.write_string(self.row, 0, table.title, self.styles.subtitle)
            self.row += 1
        head = self.row
        self.write_spans(table.columns)
        self.write_names(table.columns)
        first, last = self.row, self.row + table.n_rows - 1
        refuse_large_sheet(self.name, last + 1, len(table.columns))
        for place, column in enumerate(table.columns):
            self.write_column(place, column, table)
        self.fit_rows(table)
        self.row = last + 1
        placed = Placed(self.name, head, first, last - table.n_totals, table)
        self.placed.append(placed)
        self.add_marks(placed)

    def write_spans(self, columns: Sequence[Column]) -> None:
        """Write the headings above several columns, if there are any."""
        if not any(column.span for column in columns):
            return
        place, height = 0, find_height("", 1)
        for span, spanned in groupby(columns, key=lambda column: column.span):
            end = place + len(list(spanned))
            if span:
                self.write_across(span, place, end - 1, self.styles.span)
                height = max(height, find_height(span, sum(self.widths[place:end])))
            else:
                for each in range(place, end):
                    self.sheet.write_blank(self.row, each, None, self.styles.span)
            place = end
        self.set_height(self.row, height + 3)
        self.row += 1

    def write_names(self, columns: Sequence[Column]) -> None:
        """Write the heading of each column."""
        height = find_height("", 1)
        for place, column in enumerate(columns):
            is_number = column.kind not in TEXTS
            indent = int(place > 0 and not is_number)
            style = self.styles.heading(is_number=is_number, indent=indent)
            self.sheet.write_string(self.row, place, column.name, style)
            room = self.widths[place] - PADDING  # bold letters are wider
            height = max(height, find_height(column.name, room))
        self.set_height(self.row, height + 3)
        self.row += 1

    def write_column(self, place: int, column: Column, table: Table) -> None:
        """Write the values of a column below its heading."""
        number_format, n_rows = column.number_format, table.n_rows - table.n_totals
        valign = "top" if table.has_prose else "vcenter"
        for number, value in enumerate(column.values):
            row = self.row + number
            shared: dict[str, Any] = {"is_total": number >= n_rows, "valign": valign}
            if number_format is not None and isinstance(value, int | float):
                style = self.styles.number(number_format.code, **shared)
                self.sheet.write_number(row, place, value, style)
                continue
            align = "left" if number_format is None else "right"
            indent = int(align == "left" and place > 0)  # away from numbers beside it
            style = self.styles.text(align=align, indent=indent, **shared)
            empty = "" if number_format is None else table.undefined
            text = empty if value is None else str(value)
            write_text(self.sheet, row, place, text, style)

    def fit_rows(self, table: Table) -> None:
        """Make the rows high enough for the texts that are wrapped."""
        texts = [
            (column.values, self.widths[place])
            for place, column in enumerate(table.columns)
            if column.kind in TEXTS
        ]
        single = find_height("", 1)
        for number in range(table.n_rows):
            heights = [
                find_height(str(values[number] or ""), width - PADDING)
                for values, width in texts
                if number < len(values)
            ]
            if max(heights, default=single) > single:
                self.set_height(self.row + number, find_row_height(max(heights)))

    def add_marks(self, placed: Placed) -> None:
        """Point out the numbers that the notes speak of."""
        from xlsxwriter.utility import xl_rowcol_to_cell

        table, first, last = placed.table, placed.first, placed.last
        notes = {
            column.span: place
            for place, column in enumerate(table.columns)
            if column.name == NOTE
        }
        for mark in table.marks:
            for place, column in enumerate(table.columns):
                beside = notes.get(column.span, notes.get(""))
                if column.name != mark.column or beside is None:
                    continue
                note = xl_rowcol_to_cell(first, beside, col_abs=True)
                code = "" if column.number_format is None else column.number_format.code
                rule = {
                    "type": "formula",
                    "criteria": f'=ISNUMBER(SEARCH("{mark.word}",{note}))',
                    "format": self.styles.mark(mark.sign, code),
                }
                self.sheet.conditional_format(first, place, last, place, rule)

    def set_up(self, title: str, footer: str) -> None:
        """Set the widths of columns, the height of rows and the print setup."""
        for place, width in enumerate(self.widths):
            self.sheet.set_column(place, place, width)
        self.sheet.hide_gridlines(2)
        self.sheet.set_default_row(POINTS_PER_ROW)
        # Years and grades are names: no warning that they could be numbers.
        self.sheet.ignore_errors({"number_stored_as_text": WHOLE_SHEET})
        set_up_print(self.sheet, title, footer, A3 if is_too_wide(self.widths) else A4)

    def is_on_first_page(self, placed: Placed) -> bool:
        """Whether a table surely ends on the first page of paper.

        Its headings would stand above charts alone, if they were repeated.
        """
        end = placed.last + 1 + placed.table.n_totals
        height, page = self.measure_rows(0, end), find_page_height(self.widths)
        return all(row >= end for row in self.breaks) and has_room(0, height, page, 0)

    def keep_headings(self) -> None:
        """Set what stays in view, which headings pages repeat, and the filter."""
        main = next((each for each in self.placed if each.table.is_main), None)
        if main is None:
            last = self.placed[-1]  # headings are repeated on the pages below them
            self.sheet.repeat_rows(last.head, last.first - 1)
            self.sheet.freeze_panes(1, 0)
            return
        last_column = len(main.table.columns) - 1
        self.sheet.freeze_panes(main.first, main.table.n_names)
        if not self.is_on_first_page(main):
            self.sheet.repeat_rows(main.head, main.first - 1)
        self.sheet.autofilter(main.first - 1, 0, main.last, last_column)


def set_up_print(sheet: Any, title: str, footer: str, paper: int) -> None:
    """Print landscape, as wide as the page, with title, sheet and page numbers."""
    sheet.set_landscape()
    sheet.set_paper(paper)
    sheet.fit_to_pages(1, 0)
    sheet.set_margins(left=0.5, right=0.5, top=0.75, bottom=0.75)
    sheet.set_header(f'&L&"-,Bold"{shorten_running_text(title)}&R&A')
    sheet.set_footer(f"&L{shorten_running_text(footer)}&RPage &P of &N")


def shorten_running_text(text: str) -> str:
    """Shorten a text for headers and footers, in which an ampersand is a command."""
    short = text if len(text) <= LONGEST_RUNNING_TEXT else f"{text[:LONGEST_RUNNING_TEXT]}…"
    return re.sub(r"&(?=G|\[Picture\])", "& ", short).replace("&", "&&")


def refuse_large_sheet(name: str, n_rows: int, n_columns: int) -> None:
    """Raise if no spreadsheet could read the sheet."""
    if n_rows > MAX_SHEET_ROWS:
        raise CapcurveError(
            f"a sheet of a workbook must have at most {MAX_SHEET_ROWS:,} rows, but "
            f"{name!r} has {n_rows:,}; pass fewer `bands`, or write .json"
        )
    if n_columns > MAX_SHEET_COLUMNS:
        raise CapcurveError(
            f"a sheet of a workbook must have at most {MAX_SHEET_COLUMNS:,} columns, but "
            f"{name!r} has {n_columns:,}; compare fewer models, or write .json"
        )


def write_text(sheet: Any, row: int, place: int, text: str, style: Any) -> None:
    """Write a text that is never a formula; raise if a cell cannot hold it."""
    if not text:  # an empty text would be a 0 in charts
        sheet.write_blank(row, place, None, style)
        return
    size = count_units(text)
    if size > MAX_TEXT:
        raise CapcurveError(
            f"a text of a workbook must have at most {MAX_TEXT:,} characters, but one on "
            f"sheet {sheet.name!r} has {size:,}: {text[:30]!r}...; shorten it, or write "
            ".json"
        )
    sheet.write_string(row, place, text, style)


def count_units(text: str) -> int:
    """Count the UTF-16 units of a text, by which spreadsheets measure it."""
    return len(text) + sum(each > "\uffff" for each in text)
