"""Render rows as text, JSON, CSV or Markdown."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, Literal, get_args

Format = Literal["text", "json", "csv", "markdown"]
FORMATS = get_args(Format)
Rows = Sequence[Mapping[str, Any]]
SMALLEST_DECIMAL = 0.00005  # smaller numbers would round to 0.0000
DEFAULT_WIDTH = 200  # characters, where there is no terminal or a narrower one


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
        heading = Text(name.replace("_", "\n"), style="bold")
        table.add_column(
            heading,
            justify="left" if isinstance(value, str) else "right",
            vertical="bottom",
            no_wrap=True,
        )
    for row in rows:
        table.add_row(*(Text(format_cell(value)) for value in row.values()))
    # The terminal wraps lines that are too long; rich would truncate the cells.
    console = Console(width=max(DEFAULT_WIDTH, Console().width), highlight=False)
    with console.capture() as capture:
        console.print(table)
    lines = (line.rstrip() for line in capture.get().splitlines())
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
    writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


def render_markdown(rows: Rows) -> str:
    """Render rows as a Markdown table with rounded numbers."""
    numeric = [not isinstance(value, str) for value in rows[0].values()]
    lines = [
        [name.replace("_", " ") for name in rows[0]],
        ["--:" if right else "---" for right in numeric],
        *([format_cell(value) for value in row.values()] for row in rows),
    ]
    cells = ([cell.replace("|", "\\|") for cell in line] for line in lines)
    return "".join(f"| {' | '.join(line)} |\n" for line in cells)


def format_cell(value: object) -> str:
    """Format a value for display; numbers are rounded, None and nan are a dash."""
    if value is None or value != value:  # noqa: PLR0124 -- nan
        return "-"
    if isinstance(value, float):
        if 0 < abs(value) < SMALLEST_DECIMAL:
            return f"{value:.1e}"
        return f"{value:,.2f}" if abs(value) >= 10 else f"{value:.4f}"  # noqa: PLR2004 -- two significant digits before the point, two after
    return f"{value:,}" if isinstance(value, int) else str(value)
