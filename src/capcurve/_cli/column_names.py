"""Names of columns as values of options, completed from the files already named."""

from typing import Any

import click

from capcurve._cli.completed_names import CompletedName


class ColumnName(CompletedName):
    """The name of a column of the files on the command line."""

    name = "column"

    def list_names(self, context: click.Context) -> list[str]:
        """List the columns of the files."""
        return list_columns(find_words(context), context.params)


def find_words(context: click.Context) -> list[str]:
    """Find the files; click leaves them unread where an option still lacks its value."""
    named = context.params.get("file") or context.args
    return [named] if isinstance(named, str) else list(named)


def list_columns(files: list[str], options: dict[str, Any]) -> list[str]:
    """List the columns of files; none if they cannot be read."""
    from capcurve._files.delimited import Source
    from capcurve._files.header import read_names
    from capcurve._files.text_copy import UTF_8
    from capcurve.exceptions import CapcurveError

    if not files or "-" in files:  # nobody has typed standard input yet
        return []
    source = Source(
        files[0],
        outcomes=(),
        numbers=(),
        encoding=options.get("encoding") or UTF_8,
        table=options.get("table"),
        query=options.get("query"),
    )
    try:
        return read_names(source)
    except (CapcurveError, ImportError, OSError):
        return []
