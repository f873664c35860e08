"""What a file is by its first bytes, where its name says something else."""

import re
from pathlib import Path

from capcurve._files.paths import (
    DUCKDB,
    PARQUET_ENDINGS,
    SQLITE,
    SQLITE_OR_DUCKDB,
    TEXT_ENDINGS,
    InputFile,
)
from capcurve.exceptions import CapcurveError

LONGEST = 16  # bytes
PARQUET = b"PAR1"  # at both ends; the first alone may be the name of a column
OTHERS = {
    rb"\x1f\x8b": "bytes that gzip compressed; end its name in .gz, or decompress it",
    rb"\x28\xb5\x2f\xfd": "bytes that zstd compressed; end its name in .zst, or "
    "decompress it",
    rb"BZh[1-9]1AY&SY": "bytes that bzip2 compressed; decompress it",
    rb"\xfd7zXZ\0": "bytes that xz compressed; decompress it",
    rb"SQLite format 3\0": "a SQLite database; end its name in .sqlite, and name its "
    "table as --table",
    rb"(?s).{8}DUCK": "a DuckDB database; end its name in .duckdb, and name its table as "
    "--table",
    rb"PK\x03\x04": "a zip archive or an Excel workbook; unpack it, or save the sheet as "
    "CSV",
}


DATABASE = rb"SQLite format 3\0|(?s:.{8}DUCK)"  # the bytes decide, and not the name
RESTORED = "check its name, or restore it"
JSON_OBJECT = rb"\s*\{\s*\""  # how one begins
TEXT_WANTED = "if it is text, end its name in .csv"
SIGNS = {  # how files of these endings begin, what they are, and what to do about others
    ".gz": (rb"\x1f\x8b", "compressed by gzip", "remove .gz from its name"),
    ".zst": (rb"\x28\xb5\x2f\xfd", "compressed by zstd", "remove .zst from its name"),
    **dict.fromkeys(PARQUET_ENDINGS, (PARQUET, "a Parquet file", TEXT_WANTED)),
    **dict.fromkeys(SQLITE, (DATABASE, "a SQLite database", RESTORED)),
    **dict.fromkeys(DUCKDB, (DATABASE, "a DuckDB database", RESTORED)),
    **dict.fromkeys(
        SQLITE_OR_DUCKDB, (DATABASE, "a SQLite or a DuckDB database", RESTORED)
    ),
}


def refuse_other_formats(file: InputFile) -> None:
    """Raise for a file that is not what its name says."""
    ending = Path(file.path).suffix.lower()
    if ending in SIGNS:
        refuse_without_sign(file, *SIGNS[ending])
        return
    refuse_known_formats(file)
    if ending in TEXT_ENDINGS:
        refuse_json_lines(file)


def refuse_empty_file(file: InputFile) -> None:
    """Raise for a file without a byte; of text, who reads the header does so."""
    if not Path(file.path).stat().st_size:
        raise CapcurveError(
            f"cannot read {file.name}: the file is empty; pass one with rows"
        )


def refuse_without_sign(file: InputFile, sign: bytes, kind: str, remedy: str) -> None:
    """Raise for a file that does not begin as files of its ending do."""
    with Path(file.path).open("rb") as opened:
        start = opened.read(LONGEST)
    if start and not re.match(sign, start):
        raise CapcurveError(
            f"cannot read {file.name}: it must be {kind}, as its name says, but starts "
            f"with other bytes; {remedy}"
        )


def refuse_known_formats(file: InputFile) -> None:
    """Raise for a file that is no text, if its format is known."""
    with Path(file.path).open("rb") as opened:
        start = opened.read(LONGEST)
        rest = opened.read() if start.startswith(PARQUET) else b""
    found = next((each for sign, each in OTHERS.items() if re.match(sign, start)), None)
    if rest.endswith(PARQUET):
        found = "a Parquet file; end its name in .parquet"
    if found is None:
        return
    wanted = "text"
    if file.name == "stdin":  # which has no name to change
        found = found.replace("end its name in", "write it to a file that ends in")
        wanted = "text, JSON lines or Parquet"
    raise CapcurveError(f"cannot read {file.name}: it must be {wanted}, got {found}")


def refuse_json_lines(file: InputFile) -> None:
    """Raise for text whose first line is a JSON object, and no header."""
    with Path(file.path).open("rb") as opened:
        start = opened.read(LONGEST)
    if re.match(JSON_OBJECT, start):
        remedy = "end its name in .jsonl"
        if file.name == "stdin":
            remedy = "write it to a file that ends in .jsonl"
        raise CapcurveError(
            f"cannot read {file.name}: its first line must be a header, got JSON; {remedy}"
        )
