"""NUL bytes in text: holes of a copy that broke off, or text in another encoding."""

from capcurve._files.long_lines import count_lines, read_short_lines
from capcurve._files.paths import TEXT_ENDINGS, InputFile, find_ending
from capcurve._files.text_copy import UTF_8
from capcurve._files.wide_encodings import refuse_wide_encoding
from capcurve.exceptions import CapcurveError


def refuse_nul_bytes(file: InputFile) -> None:
    """Raise for a text file in UTF-8 that holds NUL bytes, or whose compression is damaged.

    Raise for a line that is too long, too. A hole within one field would take all rows that
    it covers with it, without a word.
    """
    line = find_nul_byte(file)
    if line is None:
        return
    if find_ending(file.path) in TEXT_ENDINGS:
        refuse_wide_encoding(file, UTF_8)
    raise CapcurveError(
        f"cannot read {file.name}: line {line} must be text, but holds NUL bytes; it may "
        "have been copied in part: copy it again"
    )


def find_nul_byte(file: InputFile) -> int | None:
    """Return the line of the first NUL byte of a file; None if there is none."""
    for number, content in enumerate(read_short_lines(file)):
        if (place := content.find(0)) >= 0:
            lines = count_lines(file, number)
            return 1 + lines + content.count(b"\n", 0, place)
    return None
