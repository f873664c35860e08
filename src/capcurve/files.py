"""Files in and out: columns of CSV and Parquet through DuckDB, output written whole."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from capcurve._input import Array, refuse_unknown
from capcurve.exceptions import CapcurveError, MissingDependencyError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

MISSING_TEXTS = ("", "NA", "N/A", "NaN", "NULL", "null", "None")
PARQUET = (".parquet", ".pq")
CSV = (".csv", ".tsv", ".txt")
COMPRESSED = (".gz", ".zst")
DELIMITERS = (",", ";", "\t", "|")


def read_file(
    path: str,
    names: Iterable[str],
    *,
    missing: Sequence[str] = MISSING_TEXTS,
    decimal: str = ".",
) -> dict[str, Array]:
    """Read columns of a CSV or Parquet file, or of all files that a glob matches.

    Columns of whole numbers come as integers, other numbers as floats, and text as
    objects; nulls leave a masked array.
    """
    try:
        import duckdb
    except ModuleNotFoundError as error:
        raise MissingDependencyError(
            "duckdb", extra="cli", purpose="reading files"
        ) from error
    wanted = list(dict.fromkeys(names))
    try:
        with duckdb.connect() as connection:
            relation = open_file(connection, path, missing, decimal)
            refuse_unknown(wanted, relation.columns, path)
            quoted = ", ".join('"' + name.replace('"', '""') + '"' for name in wanted)
            columns = relation.project(quoted).fetchnumpy()
    except duckdb.Error as error:
        raise CapcurveError(f"cannot read {path}: {in_one_line(error)}") from error
    return dict(zip(wanted, columns.values(), strict=True))


def open_file(
    connection: DuckDBPyConnection, path: str, missing: Sequence[str], decimal: str
) -> DuckDBPyRelation:
    """Choose the reader by the file's ending."""
    plain = Path(path)
    ending = (plain.with_suffix("") if plain.suffix in COMPRESSED else plain).suffix.lower()
    if ending in PARQUET:
        return connection.read_parquet(path)
    if ending not in CSV:
        known = ", ".join((*PARQUET, *CSV))
        raise CapcurveError(
            f"cannot read {path}: the name must end in one of {known} "
            f"(text also in {' or '.join(COMPRESSED)})"
        )
    return read_csv(connection, path, missing, decimal)


def read_csv(
    connection: DuckDBPyConnection, path: str, missing: Sequence[str], decimal: str
) -> DuckDBPyRelation:
    """Open a text file; every row counts for the type of a column."""
    statement = (
        "from read_csv(?, header = true, skip = 0, sample_size = -1, nullstr = ?, "
        "decimal_separator = ?, auto_type_candidates = ['BIGINT', 'DOUBLE', 'VARCHAR'])"
    )
    options = [path, list(missing), decimal]
    relation = connection.sql(statement, params=options)
    (first, *others) = relation.columns
    if not others:
        refuse_unsplit(relation, first, path)
    return relation


def refuse_unsplit(relation: DuckDBPyRelation, header: str, path: str) -> None:
    """Say why the sniffer took each line for one field, if it did."""
    lines = relation.fetchnumpy()[header].tolist()
    if header == "column0" and not lines:
        raise CapcurveError(f"cannot read {path}: the file is empty")
    delimiter = next((sign for sign in DELIMITERS if sign in header), None)
    if delimiter is None or not any(delimiter in str(line) for line in lines):
        return
    fields = header.count(delimiter) + 1
    for number, line in enumerate(
        csv.reader(map(str, lines), delimiter=delimiter), start=2
    ):
        if len(line) != fields:
            raise CapcurveError(
                f"cannot read {path}: line {number} has {len(line)} fields, "
                f"its header has {fields}"
            )


def refuse_text(column: Array, name: str) -> None:
    """Refuse a column that should hold numbers, naming the first value that is none."""
    if column.dtype.kind != "O":
        return
    for row, value in enumerate(column.tolist(), start=1):
        if value is not None and not is_number(value):
            hint = "fix the value, or name it with --na if it stands for a missing one"
            if is_number(str(value).replace(",", ".")):
                hint = "pass --decimal-comma if numbers are written so"
            raise CapcurveError(
                f"`{name}` must hold numbers, got {value!r} in data row {row}; {hint}"
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
