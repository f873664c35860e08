"""Read the names of the columns of a file, and not its rows."""

from capcurve._files.delimited import Source, read_header
from capcurve._files.failures import explain_failures
from capcurve._files.open import list_files, read_rows
from capcurve._files.paths import TEXT_ENDINGS, find_ending
from capcurve._files.scratch import make_scratch_folder
from capcurve._files.text_copy import UTF_8, copy_as_utf8, normalize_encoding


def read_names(source: Source) -> list[str]:
    """Read the names of the columns; of a text file, before its query."""
    import duckdb

    with (
        make_scratch_folder() as folder,
        explain_failures(source.title, folder),
        duckdb.connect() as connection,
    ):
        first = list_files(source.paths, folder)[0]
        if find_ending(first.path) not in TEXT_ENDINGS:
            return list(read_rows(connection, source, folder).relation.columns)
        encoding = normalize_encoding(source.encoding)
        if encoding != UTF_8:
            first = copy_as_utf8(first, encoding, folder)
        return list(read_header(connection, first).names)
