"""Print tables: rows of numbers by group, and the rows of a data frame."""

from collections.abc import Sequence
from typing import Any

import narwhals.stable.v2 as nw

from capcurve._cli.output import render
from capcurve._cli.rows import Row, align_rows
from capcurve._cli.streams import print_result
from capcurve._report.scored import format_key, show_key


def print_rows(rows: Sequence[Row], order: Sequence[str], form: str) -> None:
    """Print rows under the columns that they have, in a fixed order."""
    if form in ("text", "markdown"):
        rows = [
            Row({name: show_key(key) for name, key in group.items()}, cells)
            for group, cells in rows
        ]
    print_result(render(align_rows(rows, order), form))


def print_frame(result: Any, keys: Sequence[str], form: str) -> None:
    """Print the rows of a data frame; the values of some columns are names."""
    rows = list(nw.from_native(result, eager_only=True).iter_rows(named=True))
    if form in ("text", "markdown"):
        rows = [
            row | {name: show_key(format_key(row[name])) for name in keys} for row in rows
        ]
    print_result(render(rows, form))
