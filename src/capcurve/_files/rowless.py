"""Files without a row, which are easily overlooked among others."""

import codecs
import csv
from collections.abc import Iterator, Sequence

from capcurve._files.compression import read_blocks
from capcurve._files.paths import (
    PARQUET_ENDINGS,
    STDIN,
    TEXT_ENDINGS,
    InputFile,
    find_ending,
    list_paths,
    name_files,
)


def find_rowless(paths: Sequence[str], encoding: str) -> list[str]:
    """List which of several files hold no row; only the beginning of each is read."""
    if tuple(paths) == (STDIN,):
        return []
    files = name_files(list_paths(paths))
    return [file.name for file in files if len(files) > 1 and not has_row(file, encoding)]


def has_row(file: InputFile, encoding: str) -> bool:
    """Whether a text or Parquet file holds a row; others are refused if they do not."""
    ending = find_ending(file.path)
    if ending in PARQUET_ENDINGS:
        from pyarrow.parquet import read_metadata

        return bool(read_metadata(file.path).num_rows)
    if ending not in TEXT_ENDINGS:
        return True
    try:
        records = filter(None, csv.reader(read_lines(file, encoding)))
        return len([*zip(range(2), records)]) > 1  # noqa: B905 -- a header, and a row
    except (csv.Error, UnicodeError):  # in a row
        return True


def read_lines(file: InputFile, encoding: str) -> Iterator[str]:
    """Read the lines of a text file, decompressed, with their ends."""
    blocks = (bytes(block) for block in read_blocks(file))
    for text in codecs.iterdecode(blocks, encoding):
        yield from text.splitlines(keepends=True)
