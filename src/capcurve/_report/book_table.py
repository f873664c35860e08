"""Tables of a workbook, before they are written: columns, totals and marks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from capcurve._report.book_numbers import TEXTS, Kind, NumberFormat, choose_format
from capcurve._report.options import Facts

NOTE = "Note"


@dataclass(frozen=True)
class Column:
    """A column as readers see it.

    Attributes
    ----------
    name : str
        Heading, in the words of the field.
    kind : Kind
        What its values are, which decides its format and alignment.
    values : sequence
        A value for each row; None is shown as a dash.
    span : str
        Heading above it and its neighbours.
    key : tuple
        What charts call it, as headings may be names of the user.
    like : sequence or None
        Values that decide the number format, such as those of which it holds the limits.
    widest : int
        Characters from which on texts are wrapped; 0 leaves it to ``kind``.
    """

    name: str
    kind: Kind
    values: Sequence[Any]
    span: str = ""
    key: tuple[str | int, ...] = ()
    like: Sequence[Any] | None = None
    widest: int = 0

    @cached_property
    def number_format(self) -> NumberFormat | None:
        """Format of all its numbers; None for texts."""
        if self.kind in TEXTS:
            return None
        return choose_format(self.kind, self.values if self.like is None else self.like)


@dataclass(frozen=True)
class Mark:
    """A sign in front of the numbers of a column, where the note holds a word.

    Attributes
    ----------
    column : str
        Name of the column.
    sign : str
        Sign that is read without colours.
    word : str
        Word of the note.
    """

    column: str
    sign: str
    word: str


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table of a sheet.

    Attributes
    ----------
    columns : sequence of Column
        Columns with a value in at least one row; the others are left out.
    title : str
        Heading above the table; empty if the sheet has no other table.
    n_totals : int
        Number of rows at the end that sum up the others.
    n_names : int
        Number of columns at the start that name the row.
    is_main : bool
        Whether it is the long table of its sheet: it can be filtered, and its headings stay
        in view.
    marks : sequence of Mark
    undefined : str
        What stands for an undefined number; charts take a text for 0.
    """

    columns: Sequence[Column]
    title: str = ""
    n_totals: int = 0
    n_names: int = 1
    is_main: bool = False
    marks: Sequence[Mark] = ()
    undefined: str = "–"

    @property
    def n_rows(self) -> int:
        """Number of rows, totals included."""
        return max((len(column.values) for column in self.columns), default=0)

    @property
    def has_prose(self) -> bool:
        """Whether it holds sentences."""
        return any(column.kind == "prose" for column in self.columns)


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """A sheet of a workbook.

    Attributes
    ----------
    name : str
        Name of the sheet, at most 31 characters.
    title : str
        Heading at the top.
    notes : sequence of str
        Sentences below the heading.
    tables : sequence of Table
        Tables from top to bottom; those without a column are left out.
    """

    name: str
    title: str
    notes: Sequence[str] = ()
    tables: Sequence[Table] = ()


def make_table(columns: Iterable[Column], **details: Any) -> Table:
    """Make a table of the columns that have a value."""
    filled = [each for each in columns if any(value is not None for value in each.values)]
    return Table(columns=filled, **details)


def dig(facts: Facts | None, *path: str) -> Any:
    """Return a value of nested facts; None where the path ends early."""
    value: Any = facts
    for name in path:
        if value is None:
            return None
        value = value.get(name)
    return value


def pick(rows: Iterable[Facts | None], *path: str) -> list[Any]:
    """Return a value of each row of facts."""
    return [dig(row, *path) for row in rows]


def list_interval(
    rows: Sequence[Facts | None], name: str, span: str, *path: str
) -> list[Column]:
    """List the columns of an estimate: its value and its limits."""
    return [
        Column(name, "ratio", pick(rows, *path, "value"), span),
        Column("Lower limit", "ratio", pick(rows, *path, "low"), span),
        Column("Upper limit", "ratio", pick(rows, *path, "high"), span),
    ]


def list_estimate(
    rows: Sequence[Facts | None], name: str, span: str, *path: str
) -> list[Column]:
    """List the columns of an estimate: its value, limits and standard error."""
    return [
        *list_interval(rows, name, span, *path),
        Column("Standard error", "error", pick(rows, *path, "standard_error"), span),
    ]
