"""Delimited text files -> a relation of typed columns; what is odd in them is an error.

Every value is read as text and turned into a number here, so that no sampling decides what
a column is, and an error can name the file, the line, the column and the value.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from capcurve._input import refuse_unknown
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

MISSING_TEXTS = ("", "NA", "N/A", "NaN", "NULL", "null", "None")
COMPRESSED = (".gz", ".zst")
DELIMITERS = (",", ";", "\t", "|")
HEADER_LINES = 100  # a name may hold line breaks
FILE = "file of capcurve"

ROWS = """
    from read_csv(
        ?, auto_detect = false, header = true, delim = ?, columns = ?, nullstr = ?,
        quote = '"', escape = '"', strict_mode = true, filename = ?
    )
"""
LINES = """
    from read_csv(
        ?, auto_detect = false, header = false, delim = '\x01', quote = '',
        columns = {'line': 'VARCHAR'}
    ) limit ?
"""


@dataclass(frozen=True)
class Source:
    """Which files, what their columns are for, and how texts are read.

    ``numbers`` must be numbers; ``outcomes`` are whole numbers, numbers, or else text;
    ``keys`` stay what they are.
    """

    path: str
    outcomes: Sequence[str]
    numbers: Sequence[str]
    keys: Sequence[str] = ()
    missing: Sequence[str] = MISSING_TEXTS
    decimal: str = "."
    table: str | None = None
    query: str | None = None

    @property
    def names(self) -> list[str]:
        """All columns, each once."""
        return list(dict.fromkeys([*self.outcomes, *self.numbers, *self.keys]))


class Header(NamedTuple):
    """The first line of a text file."""

    delimiter: str
    names: tuple[str, ...]


class Kind(NamedTuple):
    """How many values a column has, and how many of them are numbers and whole ones."""

    values: int
    numbers: int
    integers: int


def read_delimited(
    connection: DuckDBPyConnection, source: Source, paths: Sequence[str]
) -> DuckDBPyRelation:
    """Open text files as one relation of typed columns; all of them for a question."""
    headers = {path: header_of(connection, path) for path in paths}
    if source.query is not None:
        names = next(iter(headers.values())).names
        source = replace(source, outcomes=names, numbers=(), keys=())
    refuse_others(source, headers)
    with text_errors(source.path):
        relation = texts(connection, source, headers)
        kinds = kinds_of(relation, source)
        for name in source.numbers:
            if kinds[name].numbers < kinds[name].values:
                refuse_value(connection, relation, source, headers, name)
    columns = (typed(name, kinds.get(name), source.decimal) for name in source.names)
    return relation.project(", ".join(columns))


def header_of(connection: DuckDBPyConnection, path: str) -> Header:
    """Read the names of columns, and see what separates them."""
    import duckdb

    try:
        found = connection.execute(LINES, [path, HEADER_LINES]).fetchall()
    except duckdb.InvalidInputException as error:
        raise CapcurveError(
            f"cannot read {path}: its first lines are no text in UTF-8; save it so"
        ) from error
    lines = [line or "" for (line,) in found]
    if not any(lines):
        raise CapcurveError(f"cannot read {path}: the file is empty")
    headers = [
        Header(sign, tuple(next(csv.reader(with_breaks(lines), delimiter=sign))))
        for sign in DELIMITERS
    ]
    header = max(headers, key=lambda each: len(each.names))
    repeated = {name for name in header.names if header.names.count(name) > 1}
    if repeated:
        names = ", ".join(map(repr, sorted(repeated)))
        raise CapcurveError(
            f"cannot read {path}: its header names {names} more than once; rename all but "
            "one"
        )
    return header


def with_breaks(lines: Sequence[str]) -> list[str]:
    """Put line breaks back, for names that hold some; a mark of byte order is none."""
    return [f"{line}\n" for line in (lines[0].removeprefix("\ufeff"), *lines[1:])]


def refuse_others(source: Source, headers: dict[str, Header]) -> None:
    """Refuse columns that are not there, and files that have others than the first."""
    (first, known), *others = headers.items()
    refuse_unknown(source.names, known.names, source.path)
    for path, header in others:
        if odd := sorted(set(header.names) ^ set(known.names)):
            raise CapcurveError(
                f"cannot read {source.path}: {path} and {first} have other columns; in one "
                f"of them only: {', '.join(map(repr, odd))}"
            )


def texts(
    connection: DuckDBPyConnection, source: Source, headers: dict[str, Header]
) -> DuckDBPyRelation:
    """Open all columns as text; files with another order of columns are lined up."""
    names = ", ".join(map(quoted, [*source.names, FILE]))
    parts = []
    for header, paths in groupby(sorted(headers, key=headers.__getitem__), headers.get):
        delimiter, columns = header or Header("", ())
        types = dict.fromkeys(columns, "VARCHAR")
        options = [list(paths), delimiter, types, list(source.missing), FILE]
        parts.append(connection.sql(ROWS, params=options).project(names))
    relation, *others = parts
    for other in others:
        relation = relation.union(other)
    return relation


def kinds_of(relation: DuckDBPyRelation, source: Source) -> dict[str, Kind]:
    """Count values, numbers and whole numbers of columns, in one scan."""
    names = list(dict.fromkeys([*source.outcomes, *source.numbers]))
    counts = []
    for name in names:
        number, column = as_number(name, source.decimal), quoted(name)
        whole = f"regexp_full_match(trim({column}), '[+-]?[0-9]{{1,18}}')"
        counts += [f"count({column})", f"count({number})", f"count_if({whole})"]
    found = relation.aggregate(", ".join(counts)).fetchall()[0]
    return {name: Kind(*found[3 * i : 3 * i + 3]) for i, name in enumerate(names)}


def typed(name: str, kind: Kind | None, decimal: str) -> str:
    """Say in SQL what a column is."""
    column = quoted(name)
    if kind is None or kind.numbers < kind.values:
        return column
    if kind.integers == kind.values:
        return f"cast({column} as bigint) as {column}"
    return f"{as_number(name, decimal)} as {column}"


def as_number(name: str, decimal: str) -> str:
    """Say in SQL how a text becomes a number."""
    column = quoted(name)
    if decimal == ".":
        return f"try_cast({column} as double)"
    point = f"replace({column}, {literal(decimal)}, '.')"
    return (
        f"case when contains({column}, '.') then null else try_cast({point} as double) end"
    )


def refuse_value(
    connection: DuckDBPyConnection,
    relation: DuckDBPyRelation,
    source: Source,
    headers: dict[str, Header],
    name: str,
) -> None:
    """Name the file, the line and the text where a number should stand."""
    bad = f"{quoted(name)} is not null and {as_number(name, source.decimal)} is null"
    (path,) = relation.filter(bad).aggregate(f"min({quoted(FILE)})").fetchall()[0]
    of_file = texts(connection, source, {path: headers[path]})
    numbered = of_file.project(f"row_number() over () as row, {quoted(name)}")
    row, value = numbered.filter(bad).limit(1).fetchall()[0]
    hint = "fix the value, or name it with --na if it stands for a missing one"
    other = "," if source.decimal == "." else "."
    if re.fullmatch(rf"[+-]?[0-9]+\{other}[0-9]+", value):
        hint = "pass --decimal-comma if numbers are written so"
        if source.decimal == ",":
            hint = "drop --decimal-comma if numbers are written so"
    raise CapcurveError(
        f"`{name}` must hold numbers, got {value!r} in line {row + 1} of {path}; {hint}"
    )


@contextmanager
def text_errors(path: str) -> Iterator[None]:
    """Say which line of which file is no row of the table."""
    import duckdb

    try:
        yield
    except duckdb.InvalidInputException as error:
        message = str(error)
        fields = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message)
        reason = "is not UTF-8; save the file as UTF-8"
        if fields is not None:
            reason = f"has {fields[2]} fields, its header has {fields[1]}"
        elif "unterminated quote" in message:
            reason = "starts a quoted value that does not end"
        elif "unicode" not in message:  # pragma: no cover -- DuckDB tells of these three
            raise
        line = "".join(re.findall(r"CSV Error on Line: (\d+)", message)[:1])
        name = "".join(re.findall(r"^ *file = (.*)$", message, re.MULTILINE)[:1]) or path
        raise CapcurveError(f"cannot read {name.strip()}: line {line} {reason}") from error


def quoted(name: str) -> str:
    """Quote a name for SQL."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Quote a text for SQL."""
    return "'" + text.replace("'", "''") + "'"
