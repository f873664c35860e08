"""Read the names of the tables of a database file."""

import sqlite3
from contextlib import closing
from pathlib import Path

from capcurve._files.databases import (
    attach_duckdb,
    find_duckdb_tables,
    is_sqlite,
    list_tables,
)
from capcurve._files.paths import DATABASES, InputFile, find_ending


def read_table_names(path: str) -> list[str]:
    """Read the names of the tables; none of a file that is no database."""
    import duckdb

    if find_ending(path) not in DATABASES:
        return []
    if is_sqlite(path):
        uri = f"{Path(path).absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            return sorted(list_tables(connection))
    with duckdb.connect() as database:
        attach_duckdb(database, InputFile(path, path))
        return sorted(find_duckdb_tables(database))
