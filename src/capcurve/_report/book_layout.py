"""Measure how wide the columns and how high the rows of a sheet have to be."""

import textwrap
from collections.abc import Sequence
from math import ceil
from unicodedata import east_asian_width

from capcurve._report.book_numbers import NumberFormat, choose_format
from capcurve._report.book_styles import POINTS_PER_LINE
from capcurve._report.book_table import Column, Table

WIDEST = {"text": 38, "prose": 70}  # characters; longer texts are wrapped
NARROWEST, PADDING = 7, 2
WIDTH_OF_NOTES = 100  # characters, at least
DEFAULT_WIDTH = 8.43  # characters of a column that is not set
HIGHEST = 400.0  # points; the format allows 409
TEXTS = ("text", "prose")
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
    number_format = (
        None if column.kind in TEXTS else choose_format(column.kind, column.values)
    )
    cells = [
        measure_value(value, number_format) for value in column.values if value is not None
    ]
    words = [measure_text(word) for word in column.name.split()]
    found = max([NARROWEST, *words, *cells]) + has_signs * ROOM_FOR_SIGNS + PADDING
    return min(found, WIDEST.get(column.kind, WIDEST["text"]))


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


def find_height(text: str, width: float, font_size: float = 11) -> float:
    """Return the height of a row that shows a wrapped text in full."""
    per_line = max(1, int(width * 11 / font_size))
    lines = textwrap.wrap(text, per_line, break_long_words=True) or [""]
    return min(HIGHEST, len(lines) * POINTS_PER_LINE * font_size / 11)
