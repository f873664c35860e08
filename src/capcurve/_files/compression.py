"""Compressed text that is whole: DuckDB reads what is there, and checks no sum of gzip."""

import re
from collections.abc import Generator
from pathlib import Path
from typing import Literal

from capcurve._files.failures import COPY_AGAIN, CUT_OFF
from capcurve._files.paths import InputFile
from capcurve._files.signatures import refuse_empty_file
from capcurve.exceptions import CapcurveError

CODECS: dict[str, Literal["gzip", "zstd"]] = {".gz": "gzip", ".zst": "zstd"}
BLOCK_SIZE = 1 << 18
CUT = "Truncated"
TOLD_BY = re.compile(r"^\w+ (inflate|decompress) failed: ")


def refuse_damaged_compression(file: InputFile) -> None:
    """Raise for a file that was cut, or that differs from what was compressed."""
    if Path(file.path).suffix in CODECS:
        for _ in read_blocks(file):
            pass


def read_blocks(file: InputFile) -> Generator[memoryview, None, None]:
    """Read what a file holds, decompressed; each block is gone when the next one is read.

    Raise for compression that is not whole: each member of gzip must have its sum and its
    length, and each frame of zstd its end, and its sum if it has one.
    """
    codec = CODECS.get(Path(file.path).suffix)
    block = bytearray(BLOCK_SIZE)
    if codec is None:
        with Path(file.path).open("rb", buffering=0) as plain:
            while size := plain.readinto(block):
                yield memoryview(block)[:size]
        return
    import pyarrow as pa

    refuse_empty_file(file)
    try:
        with (
            pa.OSFile(file.path, "r") as packed,
            pa.CompressedInputStream(packed, codec) as text,
        ):
            while size := text.readinto(block):
                yield memoryview(block)[:size]
    except OSError as error:
        if error.errno is not None:  # of the system, not of the content
            raise
        told = TOLD_BY.sub("", str(error))
        is_cut = told.startswith(CUT)
        why = CUT_OFF if is_cut else f"its compression is damaged ({told}); {COPY_AGAIN}"
        raise CapcurveError(f"cannot read {file.name}: {why}") from error
