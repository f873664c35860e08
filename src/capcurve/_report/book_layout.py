"""Measure how wide the columns and how high the rows of a sheet have to be."""

import textwrap
from collections.abc import Sequence
from math import ceil
from unicodedata import east_asian_width

from capcurve._report.book_numbers import NumberFormat
from capcurve._report.book_styles import POINTS_PER_LINE, POINTS_PER_ROW
from capcurve._report.book_table import Column, Table

WIDEST = {"text": 38, "prose": 70}  # characters; longer texts are wrapped
NARROWEST, PADDING = 9, 2
WIDTH_OF_NOTES = 100  # characters, at least
DEFAULT_WIDTH = 8.43  # characters of a column that is not set
FONT_SIZE, LETTERS_PER_DIGIT = 11, 1.15  # widths are counted in digits
PIXELS_PER_DIGIT, PIXELS_OF_EDGES = 7, 5  # of columns in Calibri 11
PAPER_WIDTH, PAPER_HEIGHT = 770.0, 487.0  # points within the margins of A4
SMALLEST_SCALE = 0.6  # at which a sheet on A4 is read; about 6.5 points
LEAST, MOST = 0.91, 1.2  # of what a page holds: without Calibri, columns are wider
HIGHEST = 400.0  # points; the format allows 409
ROOM_FOR_SIGNS = 2


def measure_text(text: str) -> int:
    """Count the characters of a text; those of East Asia and emoji are twice as wide."""
    return sum(2 if east_asian_width(each) in "WF" else 1 for each in text)


def measure_value(value: object, number_format: NumberFormat | None) -> int:
    """Count the characters of a cell."""
    if number_format is None or not isinstance(value, int | float):
        return measure_text(str(value))
    return len(number_format.show(value))


def measure_column(column: Column, *, has_signs: bool) -> int:
    """Return the width of a column in characters; its heading is wrapped at words."""
    cells = [
        measure_value(value, column.number_format)
        for value in column.values
        if value is not None
    ]
    words = [measure_text(word) for word in column.name.split()]
    found = max([NARROWEST, *words, *cells]) + has_signs * ROOM_FOR_SIGNS + PADDING
    return min(found, column.widest or WIDEST.get(column.kind, WIDEST["text"]))


def measure_columns(tables: Sequence[Table]) -> list[int]:
    """Return the width of each column of a sheet, wide enough for all its tables."""
    widths: list[int] = []
    for table in tables:
        signed = {mark.column for mark in table.marks}
        found = [
            measure_column(column, has_signs=column.name in signed)
            for column in table.columns
        ]
        longest = max(len(widths), len(found))
        pad = [0] * longest
        widths = [
            max(pair)
            for pair in zip((widths + pad)[:longest], (found + pad)[:longest], strict=True)
        ]
    return widths


def count_columns_of_notes(widths: Sequence[float]) -> int:
    """Return how many columns a note has to cross."""
    missing = WIDTH_OF_NOTES - sum(widths)
    return max(1, len(widths) + max(0, ceil(missing / DEFAULT_WIDTH)))


def find_row_height(lines: float) -> float:
    """Return the height of a row of a table that holds lines of so many points."""
    return min(HIGHEST, lines + POINTS_PER_ROW - POINTS_PER_LINE)


def find_page_height(widths: Sequence[float]) -> float:
    """Return how many points of a sheet go on a page, as wide as the paper."""
    return PAPER_HEIGHT * max(1, measure_points(widths) / PAPER_WIDTH)


def measure_points(widths: Sequence[float]) -> float:
    """Return how wide columns are together, in points."""
    return sum(PIXELS_PER_DIGIT * width + PIXELS_OF_EDGES for width in widths) * 0.75


def is_too_wide(widths: Sequence[float]) -> bool:
    """Whether columns would be too small to read on A4, so that paper has to be larger."""
    return measure_points(widths) * SMALLEST_SCALE > PAPER_WIDTH


def has_room(top: float, height: float, page: float, repeated: float) -> bool:
    """Say whether the page of paper has room for so many points below the top.

    Pages after the first begin with the headings that are repeated. Spreadsheets differ in
    how much they fit on a page.
    """
    end, rest = page, page - repeated
    while end * MOST <= top:
        end += rest
    return top + height <= end * LEAST


def find_height(text: str, width: float, font_size: float = FONT_SIZE) -> float:
    """Return the height of a row that shows a wrapped text in full."""
    per_line = max(1, int(width * LETTERS_PER_DIGIT * FONT_SIZE / font_size))
    lines = len(textwrap.wrap(text, per_line)) or 1
    lines = max(lines, ceil(measure_text(text) / per_line))
    return min(HIGHEST, lines * POINTS_PER_LINE * font_size / FONT_SIZE)
