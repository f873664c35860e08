"""Rows of named values -> text for a terminal, JSON, CSV or Markdown."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, Literal, get_args

Format = Literal["text", "json", "csv", "markdown"]
FORMATS = get_args(Format)
Rows = Sequence[Mapping[str, Any]]

SMALL = 0.00005  # what four decimals would write as 0
WIDE = 200  # columns of text where no terminal sets a limit


def render(rows: Rows, form: str) -> str:
    """Write rows with the same keys in one of the formats."""
    return {"text": text, "json": as_json, "csv": as_csv, "markdown": markdown}[form](rows)


def text(rows: Rows) -> str:
    """Lay rows out as a table for a person."""
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
        table.add_row(*(Text(short(value)) for value in row.values()))
    # A row that is longer than the terminal is wide is wrapped there, not cut here.
    console = Console(width=max(WIDE, Console().width), highlight=False)
    with console.capture() as capture:
        console.print(table)
    lines = (line.rstrip() for line in capture.get().splitlines())
    return "".join(f"{line}\n" for line in lines if line)


def as_json(rows: Rows) -> str:
    """Write rows as a JSON array with every digit; infinite scores are null."""
    finite = [
        {
            name: None if isinstance(value, float) and not isfinite(value) else value
            for name, value in row.items()
        }
        for row in rows
    ]
    return json.dumps(finite, indent=2, allow_nan=False) + "\n"


def as_csv(rows: Rows) -> str:
    """Write rows as CSV with every digit."""
    file = io.StringIO()
    writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


def markdown(rows: Rows) -> str:
    """Write rows as a Markdown table, rounded as in text."""
    numeric = [not isinstance(value, str) for value in rows[0].values()]
    lines = [
        [name.replace("_", " ") for name in rows[0]],
        ["--:" if right else "---" for right in numeric],
        *([short(value) for value in row.values()] for row in rows),
    ]
    cells = ([cell.replace("|", "\\|") for cell in line] for line in lines)
    return "".join(f"| {' | '.join(line)} |\n" for line in cells)


def short(value: object) -> str:
    """Round a number for a person."""
    if value is None or value != value:  # noqa: PLR0124 -- nan
        return "-"
    if isinstance(value, float):
        if 0 < abs(value) < SMALL:
            return f"{value:.1e}"
        return f"{value:,.2f}" if abs(value) >= 10 else f"{value:.4f}"  # noqa: PLR2004 -- two digits ahead leave room for two behind
    return f"{value:,}" if isinstance(value, int) else str(value)
