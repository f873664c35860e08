"""Copy standard input to a file, as a file is read more than once."""

import shutil
import sys
from contextlib import closing
from pathlib import Path

from capcurve._files.compression import read_blocks
from capcurve._files.paths import InputFile
from capcurve.exceptions import CapcurveError

COMPRESSIONS = {b"\x1f\x8b": ".gz", b"\x28\xb5\x2f\xfd": ".zst"}
KINDS = {b"PAR1": ".parquet", b"{": ".jsonl"}
TEXT = ".csv"
N_BYTES = max(map(len, (*COMPRESSIONS, *KINDS)))


def spool_stdin(folder: Path) -> str:
    """Copy standard input to a file whose ending is guessed from the first bytes.

    Of compressed input, these are the first ones that come out of it.
    """
    if sys.stdin is None:
        raise CapcurveError(
            "stdin must hold the file, but it is closed; redirect the file to it"
        )
    source = sys.stdin.buffer
    start = source.read(N_BYTES)
    compression = find_sign(COMPRESSIONS, start, "")
    path = folder / f"stdin{compression or find_sign(KINDS, start, TEXT)}"
    with path.open("wb") as file:
        file.write(start)
        shutil.copyfileobj(source, file)
    if compression:
        kind = find_sign(KINDS, read_start(path), TEXT)
        if kind == ".parquet":  # which nobody reads from within another compression
            raise CapcurveError(
                "cannot read stdin: if compressed, it must be text or JSON lines, got "
                "a Parquet file; decompress it"
            )
        path = path.rename(folder / f"stdin{kind}{compression}")
    return str(path)


def find_sign(signs: dict[bytes, str], start: bytes, otherwise: str) -> str:
    """Return the ending that belongs to the first bytes of a file."""
    matches = (ending for sign, ending in signs.items() if start.startswith(sign))
    return next(matches, otherwise)


def read_start(path: Path) -> bytes:
    """Return the first bytes that a compressed file holds."""
    with closing(read_blocks(InputFile("stdin", str(path)))) as blocks:
        return bytes(next(blocks, b"")[:N_BYTES])
