"""Keep the rows that a query returned, and make a fingerprint of them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from capcurve._files.delimited import Source
from capcurve._files.failures import shorten_message
from capcurve._files.missing_columns import OF_QUERY
from capcurve._files.query import explain_failed_run
from capcurve._files.quoting import quote_name
from capcurve._input.column import refuse_shared_names
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

STORED_ROWS = "rows of the query of capcurve"
LINE = "line"
BATCH_ROWS = 100_000
# What DuckDB says of the contents of a file, by the same kinds of errors.
OF_FILE = re.compile(
    r"CSV Error|JSON in file|maximum_object_size|Maximum line size|Parquet|magic bytes|"
    r"decompress|TProtocol|corrupt",
    re.IGNORECASE,
)
# The text of other types may hold commas.
PLAIN_TYPES = re.compile(
    r"U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\(.*|BOOLEAN"
)


def store_rows(
    connection: DuckDBPyConnection, relation: DuckDBPyRelation, source: Source
) -> DuckDBPyRelation:
    """Run a query once, and keep the columns needed of its rows.

    DuckDB would take the first one of several columns of the same name.
    """
    refuse_shared_names(source.names, relation.columns, OF_QUERY)
    with explain_run(source.title):
        stored = store_columns(connection, relation, source)
    refuse_written_numbers(stored, source.numbers)
    return stored


def store_columns(
    connection: DuckDBPyConnection, relation: DuckDBPyRelation, source: Source
) -> DuckDBPyRelation:
    """Keep the columns needed of the rows of a query or view.

    What is scanned again would otherwise be other rows, if the query draws them.
    """
    columns = relation.project(", ".join(map(quote_name, source.names)))
    # A temporary table, as the file of a database is open for reading alone. A method of
    # the relation would leave a view behind if Ctrl-C stops it.
    name = quote_name(STORED_ROWS)
    connection.execute(f"create temp table {name} as {columns.sql_query()}")
    return connection.table(name)


@contextmanager
def explain_run(name: str) -> Iterator[None]:
    """Tell a value that a query cannot take as an error of the query, not of the file."""
    import duckdb

    try:
        yield
    except (
        duckdb.ConversionException,
        duckdb.InvalidInputException,
        duckdb.OutOfRangeException,
    ) as error:
        if OF_FILE.search(str(error)):
            raise
        raise explain_failed_run(name, shorten_message(error)) from error


def refuse_written_numbers(relation: DuckDBPyRelation, names: Sequence[str]) -> None:
    """Raise for numbers as text, such as 007, which a query of a text file has as code."""
    types = dict(zip(relation.columns, map(str, relation.types), strict=True))
    for name in names:
        if types[name] != "VARCHAR":
            continue
        column = quote_name(name)
        is_number = f"try_cast({column} as double) is not null"
        found = relation.aggregate(
            f"bool_and({is_number}) filter ({column} is not null), min({column})"
        )
        ((are_numbers, first),) = found.fetchall()
        if are_numbers:
            raise CapcurveError(
                f"`{name}` must hold numbers, got text such as {first!r} from the --query; "
                f"write {name}::double in it"
            )


def hash_rows(relation: DuckDBPyRelation) -> str:
    """Return the SHA-256 of rows as lines of CSV in ascending order.

    It is the same for the same rows in whatever order they came.
    """
    types = map(str, relation.types)
    line = " || ',' || ".join(map(write_field, relation.columns, types))
    lines = relation.project(f"{line} as {LINE}").order(LINE)
    digest = hashlib.sha256()
    for batch in lines.to_arrow_reader(BATCH_ROWS):
        digest.update("".join(f"{line}\n" for line in batch[0].to_pylist()).encode())
    return digest.hexdigest()


def write_field(name: str, kind: str) -> str:
    """Return SQL of a value as a field of CSV; an empty one is a missing value."""
    text = f"cast({quote_name(name)} as varchar)"
    if not PLAIN_TYPES.fullmatch(kind):
        text = f"""'"' || replace({text}, '"', '""') || '"'"""
    return f"coalesce({text}, '')"
