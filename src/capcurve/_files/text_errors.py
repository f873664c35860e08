"""Say what is wrong with a text file that DuckDB cannot split into fields."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from capcurve._files.paths import InputFile
from capcurve.exceptions import CapcurveError

MEND_LINE = "mend the line, or quote values that hold the separator"
NOT_UTF_8 = (
    "is not text in UTF-8; pass its encoding as --encoding, such as cp1252 or utf-16"
)
MAX_LINE = 2_000_000  # bytes that DuckDB takes
TOO_LONG = (
    f"must have at most {MAX_LINE:,} bytes, got more; mend the line, whose end or closing "
    "quote may be missing"
)


class QuotesOrLineEndsError(CapcurveError):
    """DuckDB lost track of quotes and lines, perhaps because lines end in several ways."""


@contextmanager
def explain_text_errors(path: str, files: Sequence[InputFile]) -> Iterator[None]:
    """Turn a parser error into one that names the file, the line and the reason."""
    import duckdb

    try:
        yield
    except duckdb.InvalidInputException as error:
        message = str(error)
        opened = "".join(re.findall(r"^ *file = (.*)$", message, re.MULTILINE)[:1]).strip()
        name = {file.path: file.name for file in files}.get(opened, opened or path)
        line = "".join(re.findall(r"CSV Error on Line: (\d+)", message)[:1])
        if "invalid state" in message:
            raise QuotesOrLineEndsError(
                f"cannot read {name}: its quotes or line ends are mixed up; write it anew"
            ) from error
        if "unterminated quote" in message:
            raise QuotesOrLineEndsError(
                f"cannot read {name}: line {line} opens a quoted value that is never "
                f"closed, or closed after more than the {MAX_LINE:,} bytes that a line may "
                "have; close it, or shorten it"
            ) from error
        fields = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message)
        reason = NOT_UTF_8
        if fields and int(fields[2]) > int(fields[1]):  # DuckDB stops at the first of them
            reason = f"has more fields than the {fields[1]} of the header; {MEND_LINE}"
        elif fields:
            word = "field" if fields[2] == "1" else "fields"
            reason = f"has {fields[2]} {word}, but the header has {fields[1]}; {MEND_LINE}"
        elif "Maximum line size" in message:  # of a quoted value that has line breaks
            reason = TOO_LONG
        elif "unicode" not in message:
            raise
        raise CapcurveError(f"cannot read {name}: line {line} {reason}") from error
