"""NUL bytes in text: holes of a copy that broke off, or text in another encoding."""

from capcurve._files.compression import read_blocks
from capcurve._files.paths import TEXT_ENDINGS, InputFile, find_ending
from capcurve._files.text_errors import NOT_UTF_8
from capcurve.exceptions import CapcurveError

UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def refuse_nul_bytes(file: InputFile) -> None:
    """Raise for a text file in UTF-8 that holds NUL bytes, or whose compression is damaged.

    A hole within one field would take all rows that it covers with it, without a word.
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
    for number, block in enumerate(read_blocks(file)):
        content = bytes(block)
        if (place := content.find(0)) >= 0:
            whole = zip(range(number), read_blocks(file), strict=False)
            lines = sum(bytes(before).count(b"\n") for _, before in whole)
            return 1 + lines + content.count(b"\n", 0, place)
    return None
