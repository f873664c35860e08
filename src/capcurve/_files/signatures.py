"""What a file is by its first bytes, where its name says that it is text."""

import re
from pathlib import Path

from capcurve._files.paths import COMPRESSED, InputFile
from capcurve.exceptions import CapcurveError

LONGEST = 16  # bytes
PARQUET = b"PAR1"  # at both ends; the first alone may be the name of a column
OTHERS = {
    rb"\x1f\x8b": "bytes that gzip compressed; end its name in .gz, or decompress it",
    rb"\x28\xb5\x2f\xfd": "bytes that zstd compressed; end its name in .zst, or "
    "decompress it",
    rb"BZh[1-9]1AY&SY": "bytes that bzip2 compressed; decompress it",
    rb"\xfd7zXZ\0": "bytes that xz compressed; decompress it",
    rb"PK\x03\x04": "a zip archive or an Excel workbook; unpack it, or save the sheet as "
    "CSV",
}


def refuse_other_formats(file: InputFile) -> None:
    """Raise for a file that is no text, if its format is known."""
    if file.path.endswith(COMPRESSED):
        return
    with Path(file.path).open("rb") as opened:
        start = opened.read(LONGEST)
        rest = opened.read() if start.startswith(PARQUET) else b""
    found = next((each for sign, each in OTHERS.items() if re.match(sign, start)), None)
    if rest.endswith(PARQUET):
        found = "a Parquet file; end its name in .parquet"
    if found is not None:
        raise CapcurveError(f"cannot read {file.name}: it must be text, got {found}")
