"""Tables of SQLite and DuckDB files, and questions about them."""

from __future__ import annotations

import csv
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from capcurve._delimited import Source, literal, quoted
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

SQLITE = (".sqlite", ".sqlite3")
DUCKDB = (".duckdb", ".ddb")
EITHER = (".db",)
DATABASES = (*SQLITE, *DUCKDB, *EITHER)
TABLES = "select name from sqlite_master where type = 'table'"
TABLES = "select name from sqlite_schema where name not like 'sqlite!_%' escape '!'"
TABLES += " and type in ('table', 'view')"  # not the tables that SQLite keeps for itself
SQLITE_FILES_START = b"SQLite format 3\x00"


def is_sqlite(path: str) -> bool:
    """Whether a database file is one of SQLite."""
    with Path(path).open("rb") as file:
        return file.read(len(SQLITE_FILES_START)) == SQLITE_FILES_START


def sqlite_as_text(source: Source, folder: Path) -> str:
    """Write a table of SQLite, whose columns have no type, as text to be typed."""
    uri = f"{Path(source.path).absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        try:
            tables = [name for (name,) in connection.execute(TABLES)]
            question = source.query
            if question is None:
                question = f"select * from {quoted(chosen(source, tables))}"  # noqa: S608 -- quoted
            rows = connection.execute(question)
            path = folder / "table.csv"
            with path.open("w", newline="", encoding="utf-8") as file:
                writer = csv.writer(file)
                writer.writerow([column[0] for column in rows.description])
                writer.writerows(rows)
        except sqlite3.Error as error:
            raise CapcurveError(f"cannot read {source.path}: {error}") from error
    return str(path)


def duckdb_table(connection: DuckDBPyConnection, source: Source) -> DuckDBPyRelation:
    """Open a table of a DuckDB file, or the answer to a question about it."""
    connection.execute(f"attach {literal(source.path)} as source (read_only)")
    connection.execute("use source")
    if source.query is not None:
        return connection.sql(source.query)
    found = connection.execute("select table_name from duckdb_tables()").fetchall()
    return connection.table(quoted(chosen(source, [name for (name,) in found])))


def chosen(source: Source, tables: list[str]) -> str:
    """Find the table meant, or the only one."""
    if source.table is None and len(tables) == 1:
        return tables[0]
    if source.table not in tables:
        wanted = "name one with --table" if source.table is None else "there is no such one"
        raise CapcurveError(
            f"cannot read {source.path}: {wanted}"
            f"{'' if source.table is None else f' as {source.table!r}'}; its tables are "
            f"{', '.join(map(repr, sorted(tables))) or 'none'}"
        )
    return str(source.table)
