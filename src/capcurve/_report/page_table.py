"""Write tables of a page: sortable, with groups of columns, totals and marked cells."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import groupby
from typing import Any

from capcurve._report.page_format import Write, write_text

WIDE, WIDEST = 9, 15  # columns from which print is smaller, or on pages turned round


@dataclass(frozen=True)
class Column:
    """A column of a table: its exact values and how they are written.

    Attributes
    ----------
    name : str
    values : sequence
        Numbers, texts or None, one for each row.
    write : callable
        Writes a value as a person reads it.
    over : str
        Head above this column and its neighbours.
    is_text : bool
    ranks : sequence of float, optional
        Numbers by which texts are sorted.
    marks : sequence of str, optional
        Texts behind the values, such as a warning.
    total : str
        Cell of the last row.
    """

    name: str
    values: Sequence[Any]
    write: Write = write_text
    over: str = ""
    is_text: bool = False
    ranks: Sequence[float] | None = None
    marks: Sequence[str] | None = None
    total: str = ""

    @property
    def style(self) -> str:
        """The class of its cells."""
        return ' class="text"' if self.is_text else ""

    def write_cell(self, row: int, name: str = "td") -> str:
        """Write a cell, with its exact value for sorting and saving."""
        value = self.values[row]
        exact, shown = write_text(value), self.write(value)
        kept = "" if exact == shown else f' data-value="{escape(exact)}"'
        shown = escape(shown)
        if self.ranks is not None:
            kept += f' data-rank="{self.ranks[row]}"'
        if self.marks is not None and self.marks[row]:
            shown += f' <span class="mark">{escape(self.marks[row])}</span>'
        scope = ' scope="row"' if name == "th" else ""
        return f"<{name}{scope}{self.style}{kept}>{shown}</{name}>"


@dataclass(frozen=True)
class Table:
    """A table: what it is called, and its columns, the first of which names the rows."""

    label: str
    columns: Sequence[Column]
    new_groups: frozenset[int] = field(default_factory=frozenset)

    def __html__(self) -> str:
        n_rows = len(self.columns[0].values)
        body = "\n".join(map(self.write_row, range(n_rows)))
        n = len(self.columns)
        size = " widest" if n >= WIDEST else " wide" if n >= WIDE else ""
        label = escape(self.label)
        return (
            f'<div class="table{size}"><div class="scroll" tabindex="0" role="region" '
            f'aria-label="{label}"><table class="data" data-name="{label}">'
            f"<thead>{self.write_head()}</thead>\n<tbody>{body}</tbody>"
            f"{self.write_foot()}</table></div></div>"
        )

    def write_head(self) -> str:
        """Write the heads, in two rows if there are heads over columns."""
        cells = [
            f'<th scope="col"{column.style}>{escape(column.name)}</th>'
            for column in self.columns
        ]
        row = f"<tr>{''.join(cells)}</tr>"
        if not any(column.over for column in self.columns):
            return row
        spans = [
            (over, sum(1 for _ in columns))
            for over, columns in groupby(self.columns, lambda column: column.over)
        ]
        above = "".join(
            f'<th scope="colgroup" colspan="{n}">{escape(over)}</th>'
            if over
            else f'<td colspan="{n}"></td>'
            for over, n in spans
        )
        return f'<tr class="over">{above}</tr>{row}'

    def write_row(self, row: int) -> str:
        """Write a row, the first cell of which names it."""
        first, *others = self.columns
        cells = [
            first.write_cell(row, "th"),
            *(column.write_cell(row) for column in others),
        ]
        style = ' class="new"' if row in self.new_groups else ""
        return f"<tr{style}>{''.join(cells)}</tr>"

    def write_foot(self) -> str:
        """Write the totals, if there are any."""
        if not any(column.total for column in self.columns):
            return ""
        first, *others = self.columns
        cells = "".join(
            f"<td{column.style}>{escape(column.total)}</td>" for column in others
        )
        head = f'<th scope="row"{first.style}>{escape(first.total)}</th>'
        return f"<tfoot><tr>{head}{cells}</tr></tfoot>"
