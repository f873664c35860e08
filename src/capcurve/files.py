"""Files in and out: columns of text and Parquet through DuckDB, output written whole."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from glob import glob, has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from capcurve._databases import DATABASES, duckdb_table, is_sqlite, sqlite_as_text
from capcurve._delimited import COMPRESSED, Source, quoted, read_delimited
from capcurve._input import Array, refuse_unknown
from capcurve._progress import shown
from capcurve.exceptions import CapcurveError, MissingDependencyError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

PARQUET = (".parquet", ".pq")
CSV = (".csv", ".tsv", ".txt")
JSON_LINES = (".jsonl", ".ndjson")
STDIN, DATA = "-", "data"
KEPT = "rows of capcurve"


def read_file(source: Source, *, progress: bool = False) -> dict[str, Array]:
    """Read columns of a text or Parquet file, or of all files that a glob matches.

    Columns of whole numbers come as integers, other numbers as floats, and text as
    objects; nulls leave a masked array.
    """
    with opened(source, progress=progress) as relation:
        columns = relation.fetchnumpy()
    return dict(zip(source.names, columns.values(), strict=True))


@contextmanager
def opened(
    source: Source,
    memory_limit: str | None = None,
    *,
    progress: bool = False,
    read_again: bool = False,
) -> Iterator[DuckDBPyRelation]:
    """Give the columns asked for as a relation, which spills beyond a limit of memory.

    ``read_again`` keeps what text files hold in a table, so that it is parsed once.
    """
    try:
        import duckdb
    except ModuleNotFoundError as error:
        raise MissingDependencyError(
            "duckdb", extra="cli", purpose="reading files"
        ) from error
    name = "stdin" if source.path == STDIN else source.path
    with tempfile.TemporaryDirectory(prefix="capcurve-") as folder:
        # A question is about files, not about variables of this program.
        config: dict[str, Any] = {
            "temp_directory": folder,
            "python_enable_replacements": "false",
        }
        try:
            with duckdb.connect(config=config) as connection:
                limit_memory(connection, memory_limit)
                with shown(connection.query_progress, name, enabled=progress):
                    relation = relation_of(connection, source, Path(folder))
                    if read_again and is_parsed(source.path):
                        relation.create(KEPT)
                        relation = connection.table(KEPT)
                    yield relation
        except duckdb.Error as error:
            raise CapcurveError(f"cannot read {name}: {in_one_line(error)}") from error
        except CapcurveError as error:
            # What was put into the folder for DuckDB has a name that nobody knows.
            told = re.sub(rf"{re.escape(folder)}/[\w.]+", lambda _: name, str(error))
            raise CapcurveError(told) from error


def limit_memory(connection: DuckDBPyConnection, limit: str | None) -> None:
    """Set what the engine may hold in memory."""
    import duckdb

    connection.execute("set preserve_insertion_order = true")
    if limit is None:
        return
    try:
        connection.execute("set memory_limit = ?", [limit])
    except duckdb.Error as error:
        raise CapcurveError(
            f"--memory-limit must be a size such as 2GB or 500MB, got {limit!r}"
        ) from error


def relation_of(
    connection: DuckDBPyConnection, source: Source, folder: Path
) -> DuckDBPyRelation:
    """Choose the reader by the file's ending, and ask the question, if there is one."""
    if source.path == STDIN:
        source = replace(source, path=stdin_as_file(folder))
    (path, *_) = paths = paths_of(source.path)
    ending = ending_of(path)
    if ending in DATABASES and is_sqlite(path):
        source = replace(source, path=sqlite_as_text(source, folder), query=None)
        return read_delimited(connection, source, [source.path])
    if ending in DATABASES:
        relation = duckdb_table(connection, source)
    elif source.table is not None:
        raise CapcurveError(f"--table names a table of a database, and {path} is none")
    elif ending in CSV:
        relation = read_delimited(connection, source, paths)
    elif ending in JSON_LINES:
        relation = connection.sql(
            "from read_json(?, format = 'newline_delimited', sample_size = -1)",
            params=[paths],
        )
    else:
        relation = connection.read_parquet(paths)
    if source.query is not None and ending not in DATABASES:
        relation.create_view(DATA)
        relation = connection.sql(source.query)
    refuse_unknown(source.names, relation.columns, source.path)
    return relation.project(", ".join(map(quoted, source.names)))


def stdin_as_file(folder: Path) -> str:
    """Keep what comes in, as what it looks like."""
    source = sys.stdin.buffer
    start = source.read(4)
    kinds = {b"PAR1": ".parquet", b"{": ".jsonl", b"\x1f\x8b": ".csv.gz"}
    ending = next((kinds[sign] for sign in kinds if start.startswith(sign)), ".csv")
    path = folder / f"stdin{ending}"
    with path.open("wb") as file:
        file.write(start)
        shutil.copyfileobj(source, file)
    return str(path)


def ending_of(path: str) -> str:
    """Find the ending that says what a file holds."""
    plain = Path(path)
    return (plain.with_suffix("") if plain.suffix in COMPRESSED else plain).suffix.lower()


def is_parsed(path: str) -> bool:
    """Whether a file holds text, or is turned into text."""
    stored = ending_of(path) in {*PARQUET, *DATABASES}
    return not stored or (ending_of(path) in DATABASES and is_sqlite(path))


def paths_of(path: str) -> list[str]:
    """List the files that a name or a glob stands for, in order."""
    known = (*PARQUET, *CSV, *JSON_LINES, *DATABASES)
    if ending_of(path) not in known:
        raise CapcurveError(
            f"cannot read {path}: the name must end in one of {', '.join(known)} "
            f"(text also in {' or '.join(COMPRESSED)})"
        )
    found = [path] if Path(path).is_file() else sorted(glob(path, recursive=True))  # noqa: PTH207 -- a whole path may be a pattern
    files = [each for each in found if Path(each).is_file()]
    if not files:
        what = "no file matches" if has_magic(path) else "there is no such file as"
        raise CapcurveError(f"cannot read {path}: {what} {path!r}")
    return files


def size_of(path: str) -> int:
    """Count the bytes of all files; of what is still to come, none."""
    return 0 if path == STDIN else sum(Path(each).stat().st_size for each in paths_of(path))


def refuse_text(column: Array, name: str) -> None:
    """Refuse a column that should hold numbers, naming the first value that is none."""
    if column.dtype.kind != "O":
        return
    for row, value in enumerate(column.tolist(), start=1):
        if value is not None and not is_number(value):
            raise CapcurveError(
                f"`{name}` must hold numbers, got {value!r} in data row {row}"
            )


def is_number(value: object) -> bool:
    """Whether a text can be read as a number."""
    try:
        float(str(value))
    except ValueError:
        return False
    return True


def missing_rows(column: Array) -> Array:
    """Mark nulls and nans."""
    missing = np.ma.getmaskarray(column).copy()
    if column.dtype.kind == "f":
        missing |= np.isnan(np.ma.getdata(column))
    return missing


def in_one_line(error: Exception) -> str:
    """Shorten an engine's message to what went wrong."""
    lines = [line.strip() for line in str(error).splitlines()]
    told = []
    for line in lines:
        if not line or line.startswith(("Possible", "The search space", "LINE")):
            break
        told.append(line)
    return " ".join(told).removeprefix("Invalid Input Error: ").removeprefix("IO Error: ")


def write_whole(path: Path, write: Callable[[Path], None]) -> None:
    """Write a file under another name in the same folder, then rename it.

    Whatever happens on the way, what stood at ``path`` is intact or the new file is.
    """
    draft = path.with_name(f".{path.stem}-{os.getpid()}{path.suffix}")
    try:
        write(draft)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
