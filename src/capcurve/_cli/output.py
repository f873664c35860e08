"""Render rows as text, JSON, CSV or Markdown."""

import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, Literal, get_args

from capcurve._report.control_characters import escape_controls

Format = Literal["text", "json", "csv", "markdown"]
FORMATS = get_args(Format)
Rows = Sequence[Mapping[str, Any]]
SMALLEST_DECIMAL = 0.00005  # smaller numbers would round to 0.0000
DEFAULT_WIDTH = 200  # characters, where there is no terminal or a narrower one
PLAIN_NUMBER = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")
FORMULA_SIGNS = tuple("=+-@\uff1d\uff0b\uff0d\uff20")  # to spreadsheets, wide ones too
# What Markdown reads as code, links, emphasis or HTML; `a_b` is plain text.
MARKDOWN_SIGNS = re.compile(r"[\\`*|~\[\]]|(?<!\w)_|_(?!\w)|^[=+@-](?!\d)")
HTML_SIGNS = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;"}


def render(rows: Rows, form: str) -> str:
    """Render rows that share the same keys in one of the formats."""
    return {
        "text": render_text,
        "json": render_json,
        "csv": render_csv,
        "markdown": render_markdown,
    }[form](rows)


def render_text(rows: Rows) -> str:
    """Render rows as an aligned text table with rounded numbers."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 2, 0, 0), pad_edge=False)
    for name, value in rows[0].items():
        table.add_column(
            Text(escape_controls(name).replace("_", "\n")),
            justify="left" if isinstance(value, str) else "right",
            vertical="bottom",
            no_wrap=True,
        )
    for row in rows:
        table.add_row(*(Text(format_cell(value)) for value in row.values()))
    # The terminal wraps lines that are too long; rich would truncate the cells.
    console = Console(width=max(DEFAULT_WIDTH, Console().width), highlight=False)
    text = "".join(segment.text for segment in console.render(table))
    lines = (line.rstrip() for line in text.splitlines())
    return "".join(f"{line}\n" for line in lines if line)


def render_json(rows: Rows) -> str:
    """Render rows as a JSON array at full precision; nan and infinity become null."""
    finite = [
        {
            name: None if isinstance(value, float) and not isfinite(value) else value
            for name, value in row.items()
        }
        for row in rows
    ]
    return json.dumps(finite, indent=2, allow_nan=False) + "\n"


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
    mark = "'" if is_formula(value) else ""
    return mark + escape_controls(value)


def is_formula(text: str) -> bool:
    """Whether a spreadsheet would run a text as a formula; a plain number it shows."""
    return text.startswith(FORMULA_SIGNS) and not PLAIN_NUMBER.fullmatch(text)


def render_markdown(rows: Rows) -> str:
    """Render rows as a Markdown table with rounded numbers."""
    lines = [
        [make_markdown_cell(name.replace("_", " ")) for name in rows[0]],
        ["---" if isinstance(value, str) else "--:" for value in rows[0].values()],
        *(map(make_markdown_cell, row.values()) for row in rows),
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def make_markdown_cell(value: object) -> str:
    """Format a value for display; text is escaped, so that Markdown shows it as it is."""
    cell = format_cell(value)
    if not isinstance(value, str):
        return cell
    return MARKDOWN_SIGNS.sub(r"\\\g<0>", cell).translate(HTML_SIGNS)


def format_cell(value: object) -> str:
    """Format a value for display; numbers are rounded, None and nan are a dash."""
    if value is None or value != value:  # noqa: PLR0124 -- nan
        return "-"
    if isinstance(value, float):
        if 0 < abs(value) < SMALLEST_DECIMAL:
            return f"{value:.1e}"
        return f"{value:,.2f}" if abs(value) >= 10 else f"{value:.4f}"  # noqa: PLR2004 -- two significant digits before the point, two after
    return f"{value:,}" if isinstance(value, int) else escape_controls(str(value))
