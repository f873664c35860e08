"""Read Parquet files by the names that their columns have.

DuckDB sees no difference between upper and lower case: of two columns that differ in it
alone, it renames the second one, and reads the first one of the next file for both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING

from capcurve._files.delimited import Source, refuse_ambiguous_names
from capcurve._files.paths import InputFile
from capcurve._files.quoting import quote_name
from capcurve._input.column import refuse_unknown_columns
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation


def read_parquet(
    connection: DuckDBPyConnection, source: Source, files: Sequence[InputFile]
) -> DuckDBPyRelation:
    """Open Parquet files as one relation; raise if a query could not name the columns."""
    relation = connection.read_parquet([file.pattern for file in files])
    names = read_own_names(connection, files)
    if all(are_distinct(each) for each in names):
        return relation
    if source.query is not None:
        for each in names:
            refuse_ambiguous_names([name for name in each if name])
        return relation
    parts = [
        select_columns(connection.read_parquet(file.pattern), source, own, file)
        for file, own in zip(files, names, strict=True)
    ]
    return reduce(lambda upper, lower: upper.union(lower), parts)


def read_own_names(
    connection: DuckDBPyConnection, files: Sequence[InputFile]
) -> list[list[str]]:
    """Read the names of the columns of files; those within a column have no part in it."""
    found = connection.execute(
        "select file_name, name, num_children from parquet_schema(?)",
        [[file.pattern for file in files]],
    )
    nodes: dict[str, list[tuple[str, int | None]]] = {file.path: [] for file in files}
    for path, *node in found.fetchall():
        nodes[path].append((node[0], node[1]))
    return [list(list_top(each[1:])) for each in nodes.values()]  # the first is the root


def list_top(nodes: Sequence[tuple[str, int | None]]) -> Iterator[str]:
    """List the nodes of a tree that are in no other one, from all nodes depth first."""
    within = 0
    for name, n_children in nodes:
        if not within:
            yield name
        within += (n_children or 0) - bool(within)


def are_distinct(names: Sequence[str]) -> bool:
    """Whether names differ in more than upper and lower case."""
    return len({name.lower() for name in names}) == len(names)


def select_columns(
    relation: DuckDBPyRelation, source: Source, own: Sequence[str], file: InputFile
) -> DuckDBPyRelation:
    """Select the columns needed by their own names; raise for one that is there twice."""
    columns, counts = dict(zip(own, relation.columns, strict=True)), Counter(own)
    refuse_unknown_columns(source.names, own, file.name)
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
