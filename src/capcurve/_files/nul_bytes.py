"""NUL bytes in text: holes of a copy that broke off, or text in another encoding."""

from capcurve._files.compression import read_blocks
from capcurve._files.long_lines import count_lines, read_short_lines
from capcurve._files.paths import TEXT_ENDINGS, InputFile, find_ending
from capcurve._files.text_errors import NOT_UTF_8
from capcurve.exceptions import CapcurveError

UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def refuse_nul_bytes(file: InputFile) -> None:
    """Raise for a text file in UTF-8 that holds NUL bytes, or whose compression is damaged.

    Raise for a line that is too long, too. A hole within one field would take all rows that
    it covers with it, without a word.
    """
    line = find_nul_byte(file)
    if line is None:
        return
    start = bytes(next(read_blocks(file))[:2])
    if find_ending(file.path) in TEXT_ENDINGS and (line == 1 or start in UTF_16):
        raise CapcurveError(f"cannot read {file.name}: the file {NOT_UTF_8}")
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
