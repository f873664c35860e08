"""Render rows as text, JSON lines, CSV or Markdown."""

import csv
import io
import json
import re
import sys
from collections.abc import Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR
from itertools import takewhile, zip_longest
from math import inf, isfinite
from shutil import get_terminal_size
from typing import Any, Literal, NamedTuple, get_args

from capcurve._report.control_characters import escape_controls
from capcurve._report.rounded_bounds import keep_digits, round_to

Format = Literal["text", "json", "ndjson", "csv", "markdown"]
FORMATS = get_args(Format)
Rows = Sequence[Mapping[str, Any]]
SMALLEST_DECIMAL = 0.00005  # smaller numbers would round to 0.0000
PLACES = 4  # of other numbers below 10
OUTWARDS = {"lower": ROUND_FLOOR, "upper": ROUND_CEILING}
SAME = 1e-12
GAP = 3  # characters between columns, and at the left edge
SHORTEST = 16  # characters to which long names are folded in a narrow terminal
PLAIN_NUMBER = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")
# Where spreadsheets see a formula: its signs may be wide, and fields may begin behind a
# semicolon, which separates them where the comma is the decimal sign.
FORMULA = re.compile("(?:^|(?<=;))(?= *[=+@\uff1d\uff0b\uff0d\uff20-])")
# What Markdown reads as code, links, emphasis or HTML; `a_b` is plain text.
MARKDOWN_SIGNS = re.compile(r"[\\`*|~\[\]]|(?<!\w)_|_(?!\w)|^[=+@-](?!\d)")
HTML_SIGNS = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;"}


class CutOffScore(float):
    """A score that people take over as a cut-off: it is shown with all its digits."""


def render(rows: Rows, form: str, width: float = inf) -> str:
    """Render rows that share the same keys in one of the formats; text within a width."""
    if form == "text":
        return render_text(rows, width)
    renderers = {
        "ndjson": render_json_lines,
        "csv": render_csv,
        "markdown": render_markdown,
    }
    return renderers[form](rows)


class TextColumn(NamedTuple):
    """A column of a text table.

    Attributes
    ----------
    heading : str
        Lines of the heading.
    cells : sequence of str
    is_name : bool
        Whether it holds text, and not numbers.
    size : int
        Characters of its longest line; longer names are folded.
    """

    heading: str
    cells: Sequence[str]
    is_name: bool
    size: int


def render_text(rows: Rows, width: float = inf) -> str:
    """Render rows as an aligned text table with rounded numbers.

    A table that is too wide is cut into blocks of columns, each after the names of its
    rows.
    """
    columns = [make_text_column(name, rows) for name in rows[0]]
    if measure(columns) <= width:
        return render_block(columns)
    n_keys = count_keys(columns)
    keys, numbers = columns[:n_keys], columns[n_keys:]
    blocks = split_columns(fold_names(keys, width / 2), numbers, width)
    return "\n".join(map(render_block, blocks))


def count_keys(columns: Sequence[TextColumn]) -> int:
    """Count the first columns that tell rows apart: names, and numbers such as a band."""
    n_names = len(list(takewhile(lambda column: column.is_name, columns)))
    for n_keys in range(n_names, len(columns)):
        keys = {row[:n_keys] for row in zip(*(each.cells for each in columns), strict=True)}
        if len(keys) == len(columns[0].cells):
            return n_keys
    return n_names


def make_text_column(name: str, rows: Rows) -> TextColumn:
    """Format a column, and measure it."""
    heading = escape_controls(name).replace("_", "\n")
    cells = [format_cell(round_bound(row, name)) for row in rows]
    size = max(map(count_places, [*heading.splitlines(), *cells]))
    return TextColumn(heading, cells, isinstance(rows[0][name], str), size)


def find_width() -> float:
    """Return the width of the terminal; infinity if stdout goes elsewhere."""
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    return get_terminal_size().columns if is_terminal else inf


def measure(columns: Sequence[TextColumn]) -> int:
    """Return the width of columns side by side."""
    return sum(column.size + GAP for column in columns)


def fold_names(names: Sequence[TextColumn], width: float) -> list[TextColumn]:
    """Fold the longest names until all of them fit a width, or are short enough."""
    folded = list(names)
    longest = max((name.size for name in names if name.is_name), default=0)
    while measure(folded) > width and longest > SHORTEST:
        longest -= 1
        folded = [
            name._replace(size=min(name.size, longest)) if name.is_name else name
            for name in names
        ]
    return folded


def fold_text(text: str, size: int) -> list[str]:
    """Break text into lines, after an underscore or a space where there is one."""
    lines = [""]
    for piece in re.findall(r"[^_ ]*[_ ]|[^_ ]+", text):
        if lines[-1] and count_places(f"{lines[-1]}{piece}".rstrip()) > size:
            lines.append("")
        lines[-1:] = cut_into_lines(f"{lines[-1]}{piece}", size)
    return [line.strip() for line in lines]


def split_columns(
    names: Sequence[TextColumn], numbers: Sequence[TextColumn], width: float
) -> list[list[TextColumn]]:
    """Split columns into blocks that fit a width, each after the names of the rows."""
    blocks = [[*names]]
    for column in numbers:
        block = [*blocks[-1], column]
        if len(blocks[-1]) > len(names) and measure(block) > width:
            blocks.append([*names, column])
        else:
            blocks[-1] = block
    return blocks


def render_block(columns: Sequence[TextColumn]) -> str:
    """Render columns side by side, names on the left of theirs and numbers on the right."""
    height = max(column.heading.count("\n") for column in columns)
    headings = [
        [""] * (height - column.heading.count("\n")) + column.heading.split("\n")
        for column in columns
    ]
    lines = [pad_cells(columns, line) for line in zip(*headings, strict=True)]
    lines.append(f" {'─' * (measure(columns) - GAP)}")
    for row in zip(*(column.cells for column in columns), strict=True):
        folded = map(fold_text, row, (column.size for column in columns))
        lines += [pad_cells(columns, line) for line in zip_longest(*folded, fillvalue="")]
    return "".join(f"{line}\n" for line in lines)


def pad_cells(columns: Sequence[TextColumn], cells: Sequence[str]) -> str:
    """Render a line of a table."""
    line = ""
    for column, cell in zip(columns, cells, strict=True):
        room = " " * (column.size - count_places(cell))
        line += " " + (cell + room if column.is_name else room + cell) + "  "
    return line.rstrip()


def count_places(text: str) -> int:
    """Count the places that text takes in a terminal, two for a Chinese character."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def cut_into_lines(text: str, size: int) -> list[str]:
    """Cut text that takes more places than there are."""
    if count_places(text.rstrip()) <= size:
        return [text]
    from rich.cells import chop_cells

    return chop_cells(text, size)


def keep_finite(rows: Rows) -> list[dict[str, Any]]:
    """Replace nan and infinity by None, which JSON can represent."""
    return [
        {
            name: None if isinstance(value, float) and not isfinite(value) else value
            for name, value in row.items()
        }
        for row in rows
    ]


def render_json_lines(rows: Rows) -> str:
    """Render each row as a line of JSON at full precision."""
    return "".join(f"{json.dumps(row, allow_nan=False)}\n" for row in keep_finite(rows))


def render_csv(rows: Rows) -> str:
    """Render rows as CSV at full precision."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    for line in (rows[0], *(row.values() for row in rows)):
        writer.writerow(map(make_csv_cell, line))
    return file.getvalue()


def make_csv_cell(value: object) -> object:
    """Put an apostrophe before text that a spreadsheet would run; nan is empty, as None."""
    if not isinstance(value, str):
        return value if value == value else None  # noqa: PLR0124 -- nan
    is_number = PLAIN_NUMBER.fullmatch(value)  # which it shows as such
    return escape_controls(value if is_number else FORMULA.sub("'", value))


def render_markdown(rows: Rows) -> str:
    """Render rows as a Markdown table with rounded numbers."""
    lines = [
        [make_markdown_cell(name.replace("_", " ")) for name in rows[0]],
        ["---" if isinstance(value, str) else "--:" for value in rows[0].values()],
        *([make_markdown_cell(round_bound(row, name)) for name in row] for row in rows),
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def make_markdown_cell(value: object) -> str:
    """Format a value for display; text is escaped, so that Markdown shows it as it is."""
    cell = format_cell(value)
    if not isinstance(value, str):
        return cell
    return MARKDOWN_SIGNS.sub(r"\\\g<0>", cell).translate(HTML_SIGNS)


def round_bound(row: Mapping[str, Any], name: str) -> Any:
    """Return a value of a row; a guaranteed bound is rounded so that it is one still.

    Bounds that are equal, but for the noise of floats, are the number itself.
    """
    value, lower, upper = row[name], row.get("lower"), row.get("upper")
    if name not in OUTWARDS or not (isinstance(lower, float) and isinstance(upper, float)):
        return value
    if not SAME < upper - lower < inf:
        return value
    if abs(value) < SMALLEST_DECIMAL:
        return keep_digits(value, OUTWARDS[name])
    return float(round_to(value, PLACES, OUTWARDS[name]))


def format_cell(value: object) -> str:
    """Format a value for display; numbers are rounded, None and nan are a dash."""
    if value is None or value != value:  # noqa: PLR0124 -- nan
        return "-"
    if isinstance(value, CutOffScore):
        return repr(float(value)).removesuffix(".0")
    if isinstance(value, float):
        if 0 < abs(value) < SMALLEST_DECIMAL:
            return f"{value:.1e}"
        return f"{value:,.2f}" if abs(value) >= 10 else f"{value:.{PLACES}f}"  # noqa: PLR2004 -- two significant digits before the point, two after
    return f"{value:,}" if isinstance(value, int) else escape_controls(str(value))
