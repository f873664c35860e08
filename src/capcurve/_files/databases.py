"""Read tables and queries of SQLite and DuckDB files."""

from __future__ import annotations

import csv
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from capcurve._files.delimited import Source
from capcurve._files.long_lines import read_short_lines
from capcurve._files.missing_columns import OF_QUERY, refuse_missing_columns
from capcurve._files.paths import InputFile
from capcurve._files.query import (
    explain_failed_run,
    explain_query,
    refuse_query,
    say_tables,
)
from capcurve._files.quoting import quote_literal, quote_name
from capcurve._files.unrepeatable import SQLITE
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# SQLite reserves names that start with sqlite_ for its internal tables.
TABLES_QUERY = """
    select name, type = 'view' from sqlite_schema
    where name not like 'sqlite!_%' escape '!' and type in ('table', 'view')
"""
SCHEMAS_QUERY = """
    select schema_name, table_name, false from duckdb_tables()
    where database_name = current_database()
    union all select schema_name, view_name, true from duckdb_views()
    where database_name = current_database() and not internal
"""
MAIN = "main"  # schema whose tables need no name of it
SQLITE_SIGNATURE = b"SQLite format 3\x00"
# A select does no more than this: no pragma, no attached file, no change.
READING = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}
STEPS_BETWEEN_INTERRUPTS = 100_000


def is_sqlite(path: str) -> bool:
    """Whether a database file has the format of SQLite."""
    with Path(path).open("rb") as file:
        return file.read(len(SQLITE_SIGNATURE)) == SQLITE_SIGNATURE


def export_sqlite_table(
    file: InputFile, source: Source, folder: Path
) -> tuple[InputFile, list[str]]:
    """Write a SQLite table, or the result of a query, to a CSV file.

    SQLite columns have no fixed type, so they are typed later like text columns. The second
    result names what in the query gives other rows in another run.
    """
    called: set[str] = set()
    path = folder / "table.csv"
    uri = f"{Path(file.path).absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        # Without it Python looks for Ctrl-C only after the last row.
        connection.set_progress_handler(lambda: 0, STEPS_BETWEEN_INTERRUPTS)
        try:
            write_rows(select_rows(connection, file, source, called), path)
        except sqlite3.Error as error:
            if str(error) == "interrupted":
                raise KeyboardInterrupt from error
            if source.query is not None and not is_of_file(error):
                raise explain_failed_run(file.name, str(error)) from error
            raise make_sqlite_error(file, error) from error
    table = file._replace(path=str(path))
    for _ in read_short_lines(table):
        pass
    return table, sorted(called & SQLITE)


def select_rows(
    connection: sqlite3.Connection, file: InputFile, source: Source, called: set[str]
) -> sqlite3.Cursor:
    """Select the rows of the table, or run the query, which may only read.

    The functions that the query calls are added to ``called``.
    """
    if source.query is None:
        table = quote_name(choose_table(source, list_tables(connection)))
        return connection.execute(f"select * from {table}")  # noqa: S608 -- quoted
    denied = []

    def authorize(action: int, _: str | None, name: str | None, *__: str | None) -> int:
        if action == sqlite3.SQLITE_FUNCTION:
            called.add(str(name).lower())
        if action in READING:
            return sqlite3.SQLITE_OK
        denied.append(action)
        return sqlite3.SQLITE_DENY

    connection.set_authorizer(authorize)
    try:
        rows = connection.execute(source.query)
    except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
        connection.set_authorizer(None)
        if not denied and is_of_file(error):
            raise
        raise explain_select(connection, file, source.query, error, denied) from error
    if rows.description is None:
        raise refuse_query(source.query, file.name)
    refuse_missing_columns(source.names, name_columns(rows), OF_QUERY, [file])
    return rows


def explain_select(
    connection: sqlite3.Connection,
    file: InputFile,
    query: str,
    error: Exception,
    denied: Sequence[int],
) -> CapcurveError:
    """Return the error for a query that is no SELECT, or one that SQLite cannot run."""
    if denied or not isinstance(error, sqlite3.OperationalError):  # several, or a NUL byte
        return refuse_query(query, file.name)
    told = str(error)
    if told.startswith("no such table"):
        told = f"{told}; {say_tables(list_tables(connection))}"
    return explain_query(query, "SQLite", told)


def is_of_file(error: Exception) -> bool:
    """Whether SQLite means the file, such as one that is locked, and not the query."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return bool(code != sqlite3.SQLITE_ERROR)


def list_tables(connection: sqlite3.Connection) -> dict[str, bool]:
    """List the tables and views of a SQLite database, and whether each is a view."""
    return {name: bool(is_view) for name, is_view in connection.execute(TABLES_QUERY)}


def name_columns(rows: sqlite3.Cursor) -> list[str]:
    """Name the columns of a result."""
    return [column[0] for column in rows.description]


def make_sqlite_error(file: InputFile, error: sqlite3.Error) -> CapcurveError:
    """Return the error for a database that SQLite cannot read."""
    locked = "locked" in str(error)
    remedy = "close the program that writes to it" if locked else "check or restore it"
    return CapcurveError(f"cannot read {file.name}: {error}; {remedy}")


def write_rows(rows: sqlite3.Cursor, path: Path) -> None:
    """Write the rows to a CSV file with a header."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(name_columns(rows))
        writer.writerows(rows)


def attach_duckdb(connection: DuckDBPyConnection, file: InputFile) -> None:
    """Attach a DuckDB file to read from."""
    path = quote_literal(file.path)
    connection.execute(f"attach {path} as source (read_only, type duckdb)")
    connection.execute("use source")


class StoredTable(NamedTuple):
    """What queries call a table of the attached file, and whether it is a view."""

    place: str
    is_view: bool


def find_duckdb_table(connection: DuckDBPyConnection, source: Source) -> StoredTable:
    """Find the table or view of the attached file that was asked for."""
    tables = find_duckdb_tables(connection)
    views = {name: table.is_view for name, table in tables.items()}
    return tables[choose_table(source, views)]


def find_duckdb_tables(connection: DuckDBPyConnection) -> dict[str, StoredTable]:
    """Find the tables and views of the attached file."""
    return {
        name if schema == MAIN else f"{schema}.{name}": StoredTable(
            f"{quote_name(schema)}.{quote_name(name)}", is_view
        )
        for schema, name, is_view in connection.execute(SCHEMAS_QUERY).fetchall()
    }


def choose_table(source: Source, views: Mapping[str, bool]) -> str:
    """Return the table that was asked for, or the only table of the file.

    Views are read if they are asked for, or if the only one stands beside no table.
    """
    tables = [name for name, is_view in views.items() if not is_view] or list(views)
    if source.table is None and len(tables) == 1:
        return tables[0]
    if source.table is not None and source.table in views:
        return source.table
    if not views:
        raise CapcurveError(
            f"cannot read {source.title}: it has no tables; load or restore them"
        )
    problem = f"it has no table {source.table!r}"
    if source.table is None:
        problem = "name a table with --table"
    raise CapcurveError(f"cannot read {source.title}: {problem}; {say_tables(views)}")


def refuse_table_of_query(table: str | None, query: str | None) -> None:
    """Raise for a table beside a query, which would read others without a word."""
    if table is not None and query is not None:
        raise CapcurveError(
            "--table and --query cannot be combined, as a query names its tables; remove "
            "one of them"
        )
