"""Print tables of rows of numbers by group."""

from collections.abc import Sequence

from capcurve._cli.output import render
from capcurve._cli.rows import Row, align_rows
from capcurve._cli.streams import print_result
from capcurve._report.scored import show_key


def print_rows(rows: Sequence[Row], order: Sequence[str], form: str) -> None:
    """Print rows under the columns that they have, in a fixed order."""
    if form in ("text", "markdown"):
        rows = [
            Row({name: show_key(key) for name, key in group.items()}, cells)
            for group, cells in rows
        ]
    print_result(render(align_rows(rows, order), form))
