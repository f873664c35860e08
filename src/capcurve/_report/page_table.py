"""Write tables of a page: sortable, with groups of columns, totals and marked cells."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import groupby
from typing import Any

from capcurve._report.page_format import Write, write_text

LONG_NAME = 18  # characters, beyond which a name may be broken at its underscores
SIZES = {18: " widest", 9: " wide"}  # columns from which pages turn, or print is smaller


class Drawn(str):
    """Markup that is complete, such as a chart."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


def break_name(name: str) -> Drawn:
    """Write a name, which may be broken at its underscores if it is long."""
    shown = escape(name)
    return Drawn(shown.replace("_", "_<wbr>") if len(name) > LONG_NAME else shown)


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
        Texts before the values, such as a warning.
    total : str
        Cell of the last row.
    writes : sequence of callable, optional
        How the value of each row is written, if rows differ in that.
    """

    name: str
    values: Sequence[Any]
    write: Write = write_text
    over: str = ""
    is_text: bool = False
    ranks: Sequence[float] | None = None
    marks: Sequence[str] | None = None
    total: str = ""
    writes: Sequence[Write] | None = None

    def write_name(self, row: int) -> str:
        """Write the cell that names a row; a long name may be broken."""
        name = write_text(self.values[row])
        if len(name) <= LONG_NAME:
            return self.write_cell(row, "th", "")
        cell = self.write_cell(row, "th", ' class="long"')
        return cell.replace(f">{escape(name)}<", f">{break_name(name)}<")

    def write_cell(self, row: int, name: str, style: str) -> str:
        """Write a cell, with its exact value for sorting and saving."""
        value = self.values[row]
        write = self.write if self.writes is None else self.writes[row]
        exact, shown = write_text(value), escape(write(value))
        mark = self.marks[row] if self.marks is not None else ""
        kept = f' data-value="{escape(exact)}"' if mark or escape(exact) != shown else ""
        if self.ranks is not None:
            kept += f' data-rank="{self.ranks[row]}"'
        if mark:
            parts = (f'<span class="mark">{escape(mark)}</span>', shown)
            shown = "".join(parts if name == "td" else parts[::-1])
        scope = ' scope="row"' if name == "th" else ""
        return f"<{name}{scope}{style}{kept}>{shown}</{name}>"


@dataclass(frozen=True)
class Table:
    """A table: what it is called, and its columns, the first of which names the rows."""

    label: str
    columns: Sequence[Column]

    @cached_property
    def styles(self) -> list[str]:
        """The class of the cells of each column; some start a group of columns."""
        before = [self.columns[0].over, *(column.over for column in self.columns)]
        styles = []
        for over, column in zip(before, self.columns, strict=False):
            names = {"text": column.is_text, "first": column.over != over}
            shown = " ".join(name for name, applies in names.items() if applies)
            styles.append(f' class="{shown}"' if shown else "")
        return styles

    def __html__(self) -> str:
        n_rows = len(self.columns[0].values)
        body = "\n".join(map(self.write_row, range(n_rows)))
        n = len(self.columns)
        size = next((name for least, name in SIZES.items() if n >= least), "")
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
            f'<th scope="col"{style}>{escape(column.name)}</th>'
            for column, style in zip(self.columns, self.styles, strict=True)
        ]
        row = f"<tr>{''.join(cells)}</tr>"
        if not any(column.over for column in self.columns):
            return row
        spans = [
            (over, sum(1 for _ in columns))
            for over, columns in groupby(self.columns, lambda column: column.over)
        ]
        above = "".join(
            f'<th scope="colgroup" colspan="{n}" class="first">{escape(over)}</th>'
            if over
            else f'<td colspan="{n}"></td>'
            for over, n in spans
        )
        return f'<tr class="over">{above}</tr>{row}'

    def write_row(self, row: int) -> str:
        """Write a row, the first cell of which names it."""
        first, *others = self.columns
        cells = [
            first.write_name(row),
            *(
                column.write_cell(row, "td", style)
                for column, style in zip(others, self.styles[1:], strict=True)
            ),
        ]
        return f"<tr>{''.join(cells)}</tr>"

    def write_foot(self) -> str:
        """Write the totals, if there are any."""
        if not any(column.total for column in self.columns):
            return ""
        cells = [
            f"<{name}{style}>{escape(column.total)}</{name[:2]}>"
            for name, style, column in zip(
                ["th scope='row'", *["td"] * (len(self.columns) - 1)],
                self.styles,
                self.columns,
                strict=True,
            )
        ]
        return f"<tfoot><tr>{''.join(cells)}</tr></tfoot>"
