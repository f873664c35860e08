"""Open tables, views and queries of database files as rows of typed columns."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from capcurve._files.databases import (
    attach_duckdb,
    export_sqlite_table,
    find_duckdb_table,
    is_sqlite,
)
from capcurve._files.delimited import Source, read_delimited
from capcurve._files.failures import shorten_message
from capcurve._files.paths import InputFile
from capcurve._files.query import (
    NO_TABLE,
    close_connection,
    lock_connection,
    run_query,
    shut_connection,
    use_one_thread,
)
from capcurve._files.typed_rows import TypedRows
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def read_database(
    connection: DuckDBPyConnection, source: Source, file: InputFile, folder: Path
) -> TypedRows:
    """Open a table of a database file, or the result of a query on it."""
    if not is_sqlite(file.path):
        attach_duckdb(connection, file)
        return read_duckdb(connection, source, file, folder)
    table, unrepeatable = export_sqlite_table(file, source, folder)
    close_connection(connection, [table], folder)
    rows = read_delimited(connection, replace(source, query=None), [table], folder)
    return rows._replace(unrepeatable=unrepeatable)


def read_duckdb(
    connection: DuckDBPyConnection, source: Source, file: InputFile, folder: Path
) -> TypedRows:
    """Open a table or view of the attached file, or the result of a query on it."""
    shut_connection(connection, [file], folder)
    if source.query is not None:
        lock_connection(connection)
        found = run_query(connection, source.query, file.name)
        return TypedRows(found.relation, {}, unrepeatable=found.unrepeatable)
    table = find_duckdb_table(connection, source)
    if table.is_view:
        use_one_thread(connection)
    lock_connection(connection)
    with explain_view(file, table.place):
        return TypedRows(connection.table(table.place), {}, is_view=table.is_view)


@contextmanager
def explain_view(file: InputFile, place: str) -> Iterator[None]:
    """Tell a view that cannot be read as an error of the view, not of the file."""
    import duckdb

    try:
        yield
    except duckdb.PermissionException as error:
        raise CapcurveError(
            f"cannot read {file.name}: its view {place} must read tables of this file "
            "alone, but reads something else; store its rows as a table"
        ) from error
    except (duckdb.BinderException, duckdb.CatalogException) as error:
        told = NO_TABLE.sub(r"\1", shorten_message(error))
        raise CapcurveError(
            f"cannot read {file.name}: its view {place} cannot be run: {told}; create it "
            "again"
        ) from error
