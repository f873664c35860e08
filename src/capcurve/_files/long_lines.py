"""Lines of text that are too long for DuckDB, which skips some of them without a word."""

from collections.abc import Iterator

from capcurve._files.compression import read_blocks
from capcurve._files.paths import DATABASES, TEXT_ENDINGS, InputFile, find_ending
from capcurve._files.text_errors import MAX_LINE, TOO_LONG
from capcurve.exceptions import CapcurveError


def read_short_lines(file: InputFile) -> Iterator[bytes]:
    """Read the blocks of a file, decompressed; raise for a line that is too long.

    JSON lines may be longer.
    """
    has_limit = find_ending(file.path) in TEXT_ENDINGS
    length = 0
    for number, block in enumerate(read_blocks(file)):
        content = bytes(block)
        end = b"\n" if b"\n" in content else b"\r"
        first, last = content.find(end), content.rfind(end)
        length += len(content) if first < 0 else first
        if has_limit and length > MAX_LINE:
            raise make_error(file, 1 + count_lines(file, number))
        if first >= 0:
            length = len(content) - last - 1
        yield content


def count_lines(file: InputFile, n_blocks: int) -> int:
    """Count the ends of lines in the first blocks of a file."""
    blocks = zip(range(n_blocks), read_blocks(file), strict=False)
    counts = [
        (content.count(b"\n"), content.count(b"\r"))
        for content in (bytes(block) for _, block in blocks)
    ]
    line_feeds, returns = map(sum, zip((0, 0), *counts, strict=True))
    return line_feeds or returns


def make_error(file: InputFile, line: int) -> CapcurveError:
    """Make the error of a line of text, or of a row of a database."""
    if find_ending(file.name) in DATABASES:
        return CapcurveError(
            f"cannot read {file.name}: each row must have at most {MAX_LINE:,} bytes as "
            "text, got a longer one; leave the column of long values out by --query"
        )
    return CapcurveError(f"cannot read {file.name}: line {line} {TOO_LONG}")
