"""Names of tables as values of options, completed from the database already named."""

import sqlite3

import click

from capcurve._cli.column_names import find_words
from capcurve._cli.completed_names import CompletedName


class TableName(CompletedName):
    """The name of a table of the database on the command line."""

    name = "table"

    def list_names(self, context: click.Context) -> list[str]:
        """List the tables of the file; none if it cannot be read."""
        try:
            import duckdb

            from capcurve._files.table_names import read_table_names
        except ImportError:
            return []
        try:
            return [
                name for path in find_words(context)[:1] for name in read_table_names(path)
            ]
        except (OSError, sqlite3.Error, duckdb.Error):
            return []
