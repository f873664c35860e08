"""Open text, Parquet and database files as relations of DuckDB."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from capcurve._files.changes import refuse_changes
from capcurve._files.compression import refuse_damaged_compression
from capcurve._files.database_rows import read_database
from capcurve._files.databases import is_sqlite
from capcurve._files.delimited import (
    Source,
    name_header,
    read_delimited,
    refuse_ambiguous_names,
)
from capcurve._files.doubtful_labels import refuse_doubtful_labels
from capcurve._files.failures import explain_failures
from capcurve._files.interrupts import stop_on_interrupt
from capcurve._files.json_lines import read_json_lines
from capcurve._files.missing_columns import refuse_missing_columns
from capcurve._files.missing_words import MissingWords
from capcurve._files.nul_bytes import refuse_nul_bytes
from capcurve._files.parquet import read_parquet
from capcurve._files.paths import (
    DATABASES,
    JSON_LINES_ENDINGS,
    PARQUET_ENDINGS,
    STDIN,
    TEXT_ENDINGS,
    InputFile,
    find_ending,
    list_paths,
    name_files,
)
from capcurve._files.percents import Percents
from capcurve._files.progress import show_progress
from capcurve._files.provenance import describe_files
from capcurve._files.query import close_connection, run_query, use_one_thread
from capcurve._files.query_rows import hash_rows, store_columns, store_rows
from capcurve._files.quoting import quote_name
from capcurve._files.scratch import make_scratch_folder
from capcurve._files.signatures import refuse_empty_file, refuse_other_formats
from capcurve._files.standard_input import spool_stdin
from capcurve._files.text_copy import UTF_8, normalize_encoding
from capcurve._files.typed_rows import TypedRows
from capcurve._files.wide_numbers import fit_columns
from capcurve._input.memory_limit import read_size
from capcurve.exceptions import CapcurveError, MissingDependencyError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

QUERY_VIEW = "data"
MAX_OUTCOMES = 1_000  # different ones, whose rows are counted before a query
STORED_ROWS = "rows of capcurve"
N_ROWS = "number of capcurve"
READERS = ("duckdb", "pyarrow")  # libraries that read any file
SHARE = re.compile(r"\s*(?=[\d.]*[1-9])\d*\.?\d*\s*%\s*")  # of the memory, for DuckDB


class FileTable(NamedTuple):
    """An Arrow table, and what is known of its files and query, as in `TypedRows`."""

    table: Any
    missing_words: MissingWords
    kept_words: MissingWords
    unmatched: Sequence[str] = ()
    unrepeatable: Sequence[str] = ()
    percents: Mapping[str, Percents] = MappingProxyType({})


class Origin(NamedTuple):
    """Where a table comes from.

    Attributes
    ----------
    files : sequence of dict
        Name, size and SHA-256 of each file, standard input included.
    query : dict or None
        Number of rows before and after the query, the hash of those after it, and what in
        it gives other rows in another run; None without a query. The number before is None
        for a database, whose query may read several tables.
    outcomes : pyarrow.Table or None
        Distinct outcomes before the query, with their number of rows as ``N_ROWS``; None
        without a query, if the files lack the column, or if there are too many.
    missing_words : mapping
        By column of a text file, the words met for missing values and their numbers.
    percents : mapping
        By column of a text file, the values with a percent sign.
    libraries : sequence of str
        What read the files.
    """

    files: Sequence[dict[str, Any]]
    query: dict[str, Any] | None
    outcomes: Any = None
    missing_words: MissingWords = MappingProxyType({})
    percents: Mapping[str, Percents] = MappingProxyType({})
    libraries: Sequence[str] = READERS

    @property
    def facts(self) -> dict[str, Any]:
        """Files and query, as a report shows them."""
        return {"files": self.files, "query": self.query}


def read_table(source: Source, *, progress: bool = False) -> FileTable:
    """Read the columns needed into memory as an Arrow table."""
    with open_file(source, progress=progress) as opened:
        return fetch_table(opened)


def read_table_and_origin(
    source: Source, *, progress: bool = False
) -> tuple[FileTable, Origin]:
    """Read the columns needed into memory, and describe the files that they come from."""
    with open_file(source, progress=progress) as opened:
        return fetch_table(opened), describe_origin(opened, source)


def fetch_table(opened: TypedRows) -> FileTable:
    """Read opened files into memory."""
    table = opened.relation.to_arrow_table()
    return FileTable(
        table,
        opened.missing_words,
        opened.kept_words,
        opened.unmatched,
        opened.unrepeatable,
        opened.percents,
    )


def describe_origin(opened: TypedRows, source: Source) -> Origin:
    """Describe opened files, and count the rows before and after the query."""
    query = outcomes = None
    if source.query is not None:
        before = opened.before_query
        query = {
            "rows_before": None if before is None else count_rows(before),
            "rows_after": count_rows(opened.relation),
            "columns": list(opened.relation.columns),
            "sha256": hash_rows(opened.relation),
            "unrepeatable": list(opened.unrepeatable),
        }
        if before is not None and set(source.outcomes) & set(before.columns):
            outcomes = count_outcomes(before, source.outcomes[0])
    return Origin(
        describe_files(opened.files),
        query,
        outcomes,
        opened.missing_words,
        opened.percents,
        (*READERS, *["sqlite"] * is_sqlite(opened.files[0].path)),
    )


def count_outcomes(relation: DuckDBPyRelation, name: str) -> Any | None:
    """Count the rows of each outcome; None if there are too many different ones."""
    fitted = fit_columns(relation, [name], [name])
    column = quote_name(name)
    counts = fitted.aggregate(f"{column}, count(*) as {quote_name(N_ROWS)}", column)
    table = counts.limit(MAX_OUTCOMES + 1).to_arrow_table()
    return None if len(table) > MAX_OUTCOMES else table


def count_rows(relation: DuckDBPyRelation) -> int:
    """Count the rows of a relation."""
    (row,) = relation.aggregate("count(*)").fetchall()
    return int(row[0])


@contextmanager
def open_file(
    source: Source,
    memory_limit: str | None = None,
    *,
    progress: bool = False,
    read_again: bool = False,
) -> Iterator[TypedRows]:
    """Open the columns needed as a DuckDB relation.

    The connection reads the named files and nothing else, the network included.

    Parameters
    ----------
    source : Source
        Files, columns and how text is parsed.
    memory_limit : str, default=None
        Memory that DuckDB may use, such as ``'2GB'``; beyond it data spill to disk.
    progress : bool, default=False
        Whether to show a progress bar.
    read_again : bool, default=False
        Whether the relation is scanned more than once; text is then stored in a table, so
        that it is parsed only once.
    """
    try:
        import duckdb
    except ModuleNotFoundError as error:
        raise MissingDependencyError(
            "duckdb", extra="cli", purpose="reading files"
        ) from error
    name = source.title
    refuse_ambiguous_names(source.names)
    with ExitStack() as stack:
        folder = stack.enter_context(make_scratch_folder())
        with explain_failures(name, folder):
            files = list_files(source.paths, folder)
        stack.enter_context(refuse_changes(files))
        stack.enter_context(explain_failures(name, folder, memory_limit))
        # Otherwise a query could refer to Python variables of this process.
        config: dict[str, Any] = {
            "temp_directory": str(folder / "spilled"),
            "python_enable_replacements": "false",
        }
        with duckdb.connect(config=config) as connection:
            set_memory_limit(connection, memory_limit)
            keep_answers_equal(connection, source)
            with (
                stop_on_interrupt(connection.interrupt),
                show_progress(connection.query_progress, name, enabled=progress),
            ):
                rows = read_rows(connection, source, files, folder)
                refuse_missing_columns(
                    source.names, rows.relation.columns, name_header(source, files), files
                )
                relation = select_columns(connection, rows, source, read_again=read_again)
                if takes_words(files[0].path) and source.usual_words:
                    refuse_doubtful_labels(relation, source.outcomes)
                yield rows._replace(relation=relation)


def select_columns(
    connection: DuckDBPyConnection, rows: TypedRows, source: Source, *, read_again: bool
) -> DuckDBPyRelation:
    """Select the columns needed, from a table if the rows are those of a query or text."""
    numbers = [*source.outcomes, *source.numbers, *source.graded]
    found = rows.relation
    # The rows of SQLite are in a file of text by now.
    if rows.is_view:
        found = store_columns(connection, found, source)
    elif source.query is not None and not is_sqlite_file(source.path):
        found = store_rows(connection, found, source)
    relation = fit_columns(found, source.names, numbers)
    if read_again and found is rows.relation and is_parsed(source.path):
        relation.create(STORED_ROWS)
        return connection.table(STORED_ROWS)
    return relation


def keep_answers_equal(connection: DuckDBPyConnection, source: Source) -> None:
    """Make the same files give the same rows on every machine, and on every run."""
    # Otherwise the month of a row would depend on the zone of the machine.
    connection.execute("set TimeZone = 'UTC'")
    connection.execute("set preserve_insertion_order = true")
    if source.query is not None:
        use_one_thread(connection)


def set_memory_limit(connection: DuckDBPyConnection, limit: str | None) -> None:
    """Limit the memory of DuckDB; raise if the limit is not a size."""
    import duckdb

    if limit is None:
        return
    problem = CapcurveError(
        f"--memory-limit must be a size such as 2GB or 500MB, got {limit!r}; pass a number "
        "with its unit"
    )
    if read_size(limit) is None and not SHARE.fullmatch(limit):
        raise problem
    try:
        connection.execute("set memory_limit = ?", [limit])
    except duckdb.Error as error:
        raise problem from error


def read_rows(
    connection: DuckDBPyConnection, source: Source, files: Sequence[InputFile], folder: Path
) -> TypedRows:
    """Open files with the reader for their ending, and run the query, if there is one."""
    ending = find_ending(files[0].path)
    refuse_options(source, files, ending)
    for file in files:
        with explain_failures(file.name, folder):
            refuse_damaged_file(file, ending, source.encoding)
    if ending in DATABASES:
        rows = read_database(connection, source, files[0], folder)
        return rows._replace(files=files)
    close_connection(connection, files, folder)
    if ending in TEXT_ENDINGS:
        rows = read_delimited(connection, source, files, folder)
    elif ending in JSON_LINES_ENDINGS:
        rows = TypedRows(read_json_lines(connection, source, files), {})
    else:
        rows = TypedRows(read_parquet(connection, source, files), {})
    if source.query is None:
        return rows._replace(files=files)
    rows.relation.create_view(QUERY_VIEW)
    found = run_query(connection, source.query, files[0].name)
    return TypedRows(
        found.relation,
        {},
        files,
        rows.relation,
        unmatched=rows.unmatched,
        unrepeatable=found.unrepeatable,
    )


def refuse_damaged_file(file: InputFile, ending: str, encoding: str) -> None:
    """Raise for a file that is not what its name says, or not all of it."""
    if ending not in TEXT_ENDINGS:
        refuse_empty_file(file)
    refuse_other_formats(file)
    if ending in DATABASES:
        return
    if ending in PARQUET_ENDINGS or normalize_encoding(encoding) != UTF_8:
        refuse_damaged_compression(file)
    else:
        refuse_nul_bytes(file)


def list_files(paths: Sequence[str], folder: Path) -> list[InputFile]:
    """List the files to read; standard input is copied to the temporary folder."""
    if tuple(paths) == (STDIN,):
        return [InputFile("stdin", spool_stdin(folder))]
    return name_files(list_paths(paths))


def refuse_options(source: Source, files: Sequence[InputFile], ending: str) -> None:
    """Raise for an option that does not go with the kind of file."""
    name = files[0].name
    if ending in DATABASES and len(files) > 1:
        raise CapcurveError(
            f"{source.title} must be one database file, got {len(files)} files; name one"
        )
    if ending not in DATABASES and source.table is not None:
        raise CapcurveError(f"--table requires a database file, got {name}; remove it")
    if ending not in TEXT_ENDINGS and normalize_encoding(source.encoding) != UTF_8:
        raise CapcurveError(f"--encoding requires a text file, got {name}; remove it")
    if takes_words(files[0].path):
        return
    if source.decimal == ",":
        raise CapcurveError(f"--decimal-comma requires a text file, got {name}; remove it")
    if source.missing or not source.usual_words:
        raise CapcurveError(
            f"--na and --na-only require a text file, got {name}; "
            "remove them, or write null for these values in a --query"
        )


def takes_words(path: str) -> bool:
    """Whether words stand for missing values in a file, as SQLite tables become text."""
    return find_ending(path) in TEXT_ENDINGS or is_sqlite_file(path)


def is_parsed(path: str) -> bool:
    """Whether a file is read by parsing text, which SQLite tables are exported to."""
    stored = find_ending(path) in {*PARQUET_ENDINGS, *DATABASES}
    return not stored or is_sqlite_file(path)


def is_sqlite_file(path: str) -> bool:
    """Whether a file is a SQLite database, by its name and its format."""
    return find_ending(path) in DATABASES and is_sqlite(path)


def measure_size(paths: Sequence[str]) -> int:
    """Return the total size of the files in bytes; 0 for standard input."""
    if tuple(paths) == (STDIN,):
        return 0
    return sum(Path(name).stat().st_size for name in list_paths(paths))
