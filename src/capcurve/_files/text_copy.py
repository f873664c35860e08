"""Copies of text files in UTF-8 with one kind of line end, which DuckDB reads."""

import codecs
import gzip
from pathlib import Path
from typing import IO

from capcurve._files.paths import InputFile
from capcurve._files.wide_encodings import refuse_wide_encoding
from capcurve.exceptions import CapcurveError

UTF_8 = "utf-8"
ZSTD = ".zst"
BLOCK_SIZE = 1 << 20  # characters


def normalize_encoding(encoding: str) -> str:
    """Return the name that Python has for an encoding."""
    try:
        info = codecs.lookup(encoding)
        "".encode(info.name)  # codecs such as base64 are not for text
    except (LookupError, ValueError) as error:
        raise CapcurveError(
            "--encoding must be the name of a text encoding, such as cp1252, latin-1 or "
            f"utf-16, got {encoding!r}; choose one that Python knows"
        ) from error
    return info.name


def copy_as_utf8(file: InputFile, encoding: str, folder: Path) -> InputFile:
    """Write a copy in UTF-8 whose lines end in a line feed, and keep the file's name.

    Compression must be whole, as `refuse_damaged_compression` sees to.
    """
    refuse_wide_encoding(file, encoding)
    path = folder / f"copy{len(list(folder.iterdir()))}.csv"
    try:
        with (
            open_text(file, encoding) as source,
            path.open("w", encoding=UTF_8, newline="\n") as copy,
        ):
            while block := source.read(BLOCK_SIZE):
                copy.write(block)
    except UnicodeError as error:
        raise CapcurveError(
            f"cannot read {file.name}: it must be text in {encoding}, but holds other "
            "bytes; pass its encoding as --encoding, such as cp1252, latin-1 or utf-16"
        ) from error
    return file._replace(path=str(path))


def open_text(file: InputFile, encoding: str) -> IO[str]:
    """Open a text file, compressed or not; line ends of every kind are read as one."""
    if file.path.endswith(ZSTD):
        raise CapcurveError(
            f"cannot read {file.name}: compressed with zst it must be text in UTF-8 with "
            "one kind of line end; decompress it first"
        )
    if file.path.endswith(".gz"):
        return gzip.open(file.path, "rt", encoding=encoding)
    return Path(file.path).open(encoding=encoding)
