"""Rows of named numbers to print."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from capcurve._frames.results import MAX_PLACES_NAMED, refuse_result_names
from capcurve._report.scored import Group


class Row(NamedTuple):
    """One row to print: its group, and the cells that there may be for it.

    Attributes
    ----------
    group : dict of str or None
        Value of each grouping column; None is missing. Empty if rows are not grouped.
    cells : dict of str
        Names and numbers; None is undefined.
    """

    group: Group
    cells: dict[str, Any]


def align_rows(rows: Sequence[Row], order: Sequence[str]) -> list[dict[str, Any]]:
    """Give all rows the columns that any of them has, in a fixed order, groups first."""
    found = {name for row in rows for name in row.cells}
    columns = sorted(found, key=order.index)
    refuse_result_names(rows[0].group, columns)
    return [
        {**row.group, **{name: row.cells.get(name) for name in columns}} for row in rows
    ]


def as_whole_number(count: float) -> float:
    """Return a count without a fractional part as an integer."""
    return int(count) if count.is_integer() else count


def name_first(places: Sequence[str]) -> str:
    """Name the first places, and count the others."""
    n_others = len(places) - MAX_PLACES_NAMED
    if n_others <= 0:
        return "; ".join(places)
    return "; ".join([*places[:MAX_PLACES_NAMED], f"{n_others} more"])
