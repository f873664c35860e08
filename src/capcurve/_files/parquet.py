"""Read Parquet files by the names that their columns have.

DuckDB sees no difference between upper and lower case: of two columns that differ in it
alone, it renames the second one, and reads the first one of the next file for both. It
casts the columns of all files to the types of the first one: 2.6 to 3, if it has integers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple

from capcurve._files.column_types import MAX_EXACT_FLOAT
from capcurve._files.delimited import Source, refuse_ambiguous_names
from capcurve._files.missing_columns import refuse_missing_columns
from capcurve._files.paths import InputFile
from capcurve._files.quoting import quote_literal, quote_name
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation
    from duckdb.sqltypes import DuckDBPyType

INTEGERS = ("tinyint", "smallint", "integer", "bigint", "hugeint")
WHOLE = (*INTEGERS, *(f"u{each}" for each in INTEGERS))
FLOATS = ("float", "double")
DECIMAL = re.compile(r"DECIMAL\((?P<digits>\d+),(?P<scale>\d+)\)")
N_DIGITS = 20  # of the largest integer in a Parquet file
MAX_DIGITS = 38  # of a decimal of DuckDB
KINDS = {
    "number": (*WHOLE, "decimal", *FLOATS),
    "time": ("date", "timestamp", "timestamp_s", "timestamp_ms", "timestamp_ns"),
}
EMPTY = '"NULL"'  # type of a column whose values are all missing


def read_parquet(
    connection: DuckDBPyConnection, source: Source, files: Sequence[InputFile]
) -> DuckDBPyRelation:
    """Open Parquet files as one relation; raise if a query could not name the columns."""
    relation = open_parquet(connection, [file.pattern for file in files])
    columns = read_own_columns(connection, files)
    names = [[column.name for column in each] for each in columns]
    has_query, distinct = source.query is not None, all(map(are_distinct, names))
    wanted = list_shared(names) if has_query else source.names
    for own, file in zip(names, files, strict=True):
        if has_query:
            refuse_ambiguous_names([name for name in own if name])
        else:
            refuse_missing_columns(wanted, own, file.name, [file])
    if are_alike(columns, wanted) and (distinct or (has_query and len(files) == 1)):
        return relation
    parts = [open_parquet(connection, [file.pattern]) for file in files]
    if has_query:
        listed = ", ".join(map(quote_name, wanted))
        return join_parts([part.project(listed) for part in parts], files)
    parts = [
        select_columns(part, source, own, file)
        for part, own, file in zip(parts, names, files, strict=True)
    ]
    refuse_other_kinds(parts, files)
    return join_parts(parts, files)


def open_parquet(
    connection: DuckDBPyConnection, patterns: Sequence[str]
) -> DuckDBPyRelation:
    """Open Parquet files, for which a folder called `key=value` is no column."""
    return connection.read_parquet(list(patterns), hive_partitioning=False)


class Column(NamedTuple):
    """Name of a column of a Parquet file, and all that says of which type it is."""

    name: str
    type: tuple[Any, ...]


def read_own_columns(
    connection: DuckDBPyConnection, files: Sequence[InputFile]
) -> list[list[Column]]:
    """Read the columns of files; those within a column have no part in it."""
    found = connection.execute(
        "select file_name, num_children, name, type, converted_type, logical_type, scale, "
        "precision from parquet_schema(?)",
        [[file.pattern for file in files]],
    )
    nodes: dict[str, list[tuple[Column, int | None]]] = {file.path: [] for file in files}
    for path, n_children, name, *kind in found.fetchall():
        nodes[path].append((Column(name, tuple(kind)), n_children))
    return [list(list_top(each[1:])) for each in nodes.values()]  # the first is the root


def are_alike(columns: Sequence[Sequence[Column]], wanted: Sequence[str]) -> bool:
    """Whether columns, which all files have, are of the same type in each."""
    types = [{name.lower(): kind for name, kind in each} for each in columns]
    needed = {name.lower() for name in wanted}
    return all(each[name] == types[0][name] for each in types for name in needed)


def list_shared(names: Sequence[Sequence[str]]) -> list[str]:
    """List the names that all files have once; a query cannot name any other column."""
    counts = [Counter(name.lower() for name in each) for each in names]
    return [
        name
        for name in names[0]
        if name and all(each[name.lower()] == 1 for each in counts)
    ]


def list_top(nodes: Sequence[tuple[Column, int | None]]) -> Iterator[Column]:
    """List the nodes of a tree that are in no other one, from all nodes depth first."""
    within = 0
    for column, n_children in nodes:
        if not within:
            yield column
        within += (n_children or 0) - bool(within)


def are_distinct(names: Sequence[str]) -> bool:
    """Whether names differ in more than upper and lower case."""
    return len({name.lower() for name in names}) == len(names)


def select_columns(
    relation: DuckDBPyRelation, source: Source, own: Sequence[str], file: InputFile
) -> DuckDBPyRelation:
    """Select the columns needed by their own names; raise for one that is there twice."""
    columns, counts = dict(zip(own, relation.columns, strict=True)), Counter(own)
    if repeated := [name for name in source.names if counts[name] > 1]:
        raise CapcurveError(
            f"cannot read {file.name}: it has {', '.join(map(repr, repeated))} more than "
            "once; rename the duplicates"
        )
    return relation.project(
        ", ".join(
            f"{quote_name(columns[name])} as {quote_name(name)}" for name in source.names
        )
    )


def join_parts(
    parts: Sequence[DuckDBPyRelation], files: Sequence[InputFile]
) -> DuckDBPyRelation:
    """Join the rows of files that have the same columns; no type loses digits.

    DuckDB finds a type for whole numbers and decimals, unless it has too few digits for
    them. Beside floats of 32 bits it would take those for all numbers.
    """
    selected: list[list[str]] = [[] for _ in parts]
    for position, name in enumerate(parts[0].columns):
        types = [part.types[position] for part in parts]
        kinds = {str(each) for each in types} - {EMPTY}
        is_cast = len(kinds) > 1 and need_floats(types)
        for column_type, file, columns in zip(types, files, selected, strict=True):
            column = quote_name(name)
            if is_cast and find_kind(column_type) == "number":
                column = f"{cast_exactly(name, column_type, file)} as {column}"
            columns.append(column)
    projected = [
        part.project(", ".join(columns))
        for part, columns in zip(parts, selected, strict=True)
    ]
    return reduce(lambda upper, lower: upper.union(lower), projected)


def need_floats(types: Sequence[DuckDBPyType]) -> bool:
    """Whether some numbers are floats, or no decimal has the digits of all of them."""
    if any(each.id in FLOATS for each in types):
        return True
    sizes = [found for each in types if (found := DECIMAL.fullmatch(str(each)))]
    if not sizes:
        return False
    after = [int(found["scale"]) for found in sizes]
    before = [int(found["digits"]) - int(found["scale"]) for found in sizes]
    before += [N_DIGITS for each in types if each.id in WHOLE]
    return max(before) + max(after) > MAX_DIGITS


def cast_exactly(name: str, kind: DuckDBPyType, file: InputFile) -> str:
    """Return SQL that casts numbers to floats, and raises for a large one that none holds.

    It raises for what is read, so that a query may leave the column or the row out.
    """
    column = quote_name(name)
    number = f"{column}::double"
    if kind.id in FLOATS:
        return number
    start = f"`{name}` must hold numbers that a float holds exactly, got "
    end = (
        f" in {file.name}, while other files have other types; write {name} with one "
        "type, or round it"
    )
    message = f"{quote_literal(start)} || {column} || {quote_literal(end)}"
    is_exact = (
        f"abs({number}) < {MAX_EXACT_FLOAT} or try_cast({number} as {kind}) = {column}"
    )
    return (
        f"case when {column} is null or {is_exact} then {number} else error({message}) end"
    )


def refuse_other_kinds(
    parts: Sequence[DuckDBPyRelation], files: Sequence[InputFile]
) -> None:
    """Raise if a column holds numbers in one file, and text or dates in another."""
    for position, name in enumerate(parts[0].columns):
        met: dict[str, str] = {}
        for part, file in zip(parts, files, strict=True):
            column_type = part.types[position]
            if str(column_type) != EMPTY:
                met.setdefault(find_kind(column_type), f"{column_type} in {file.name}")
        if len(met) > 1:
            first, other, *_ = met.values()
            raise CapcurveError(
                f"`{name}` must hold values of one kind in all files, got {first} and "
                f"{other}; write it with one type"
            )


def find_kind(column_type: DuckDBPyType) -> str:
    """Name the kind of a type; values of one kind are the same in each of its types."""
    for kind, members in KINDS.items():
        if column_type.id in members:
            return kind
    return str(column_type)
