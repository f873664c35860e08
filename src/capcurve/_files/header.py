"""Read the names of the columns of a file, and not its rows."""

import sqlite3
from contextlib import closing
from pathlib import Path

from capcurve._files.compression import refuse_damaged_compression
from capcurve._files.databases import make_sqlite_error, name_columns, select_rows
from capcurve._files.delimited import Source, read_header
from capcurve._files.failures import explain_failures
from capcurve._files.open import is_sqlite_file, list_files, read_rows
from capcurve._files.parquet import read_own_columns
from capcurve._files.paths import PARQUET_ENDINGS, TEXT_ENDINGS, InputFile, find_ending
from capcurve._files.scratch import make_scratch_folder
from capcurve._files.signatures import refuse_empty_file, refuse_other_formats
from capcurve._files.text_copy import UTF_8, copy_as_utf8, normalize_encoding


def read_names(source: Source) -> list[str]:
    """Read the names of the columns; of a text file, before its query."""
    import duckdb

    with (
        make_scratch_folder() as folder,
        explain_failures(source.title, folder),
        duckdb.connect() as connection,
    ):
        files = list_files(source.paths, folder)
        first = files[0]
        if is_sqlite_file(first.path):
            return read_sqlite_names(first, source)
        if find_ending(first.path) in PARQUET_ENDINGS and source.query is None:
            refuse_empty_file(first)
            refuse_other_formats(first)
            return [column.name for column in read_own_columns(connection, [first])[0]]
        if find_ending(first.path) not in TEXT_ENDINGS:
            return list(read_rows(connection, source, files, folder).relation.columns)
        refuse_other_formats(first)
        encoding = normalize_encoding(source.encoding)
        if encoding != UTF_8:
            refuse_damaged_compression(first)
            first = copy_as_utf8(first, encoding, folder)
        return list(read_header(connection, first).names)


def read_sqlite_names(file: InputFile, source: Source) -> list[str]:
    """Read the names of the columns of a table, or of the result of a query."""
    uri = f"{Path(file.path).absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        try:
            rows = select_rows(connection, file, source, set())
        except sqlite3.Error as error:
            raise make_sqlite_error(file, error) from error
        return name_columns(rows)
