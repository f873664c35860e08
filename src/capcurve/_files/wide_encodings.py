"""Text in UTF-16 or UTF-32, whose NUL bytes are no holes."""

import codecs
import re

from capcurve._files.compression import read_blocks
from capcurve._files.paths import InputFile
from capcurve.exceptions import CapcurveError

# How such a text starts: with a mark (that of UTF-16 begins that of UTF-32), or with
# letters of which each has its zeros.
STARTS = {
    "utf-32": re.escape(codecs.BOM_UTF32_LE) + b"|" + re.escape(codecs.BOM_UTF32_BE),
    "utf-16": re.escape(codecs.BOM_UTF16_LE) + b"|" + re.escape(codecs.BOM_UTF16_BE),
    "utf-32-le": rb"([^\0]\0\0\0){3}",
    "utf-32-be": rb"(\0\0\0[^\0]){3}",
    "utf-16-le": rb"([^\0]\0){3}",
    "utf-16-be": rb"(\0[^\0]){3}",
}


def refuse_wide_encoding(file: InputFile, encoding: str) -> None:
    """Raise for a text file in UTF-16 or UTF-32 that is to be read in another encoding."""
    start = bytes(next(read_blocks(file), b""))
    for name, pattern in STARTS.items():
        if re.match(pattern, start, re.DOTALL):
            if encoding.startswith(name):  # in utf-16-le, the mark of utf-16 may stand
                return
            raise CapcurveError(
                f"cannot read {file.name}: it must be text in {encoding}, but is text in "
                f"{name}; pass --encoding {name}"
            )
