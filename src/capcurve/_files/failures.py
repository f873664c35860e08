"""What DuckDB and the system raise, as one clear error or as the interrupt that it was."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from capcurve.exceptions import CapcurveError

MAX_LINE_SHOWN = 300
FULL = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)


@contextmanager
def explain_failures(name: str, folder: Path) -> Iterator[None]:
    """Turn what is raised while a file is read into an error that names the file.

    Files in the temporary folder are unknown to the user; messages name the source instead.
    """
    import duckdb

    def show(message: str) -> str:
        return re.sub(rf"{re.escape(str(folder))}/[\w.]+", lambda _: name, message)

    try:
        yield
    except (duckdb.Error, RuntimeError, UnicodeDecodeError) as error:
        is_plain = type(error) is RuntimeError
        if isinstance(error, duckdb.InterruptException) or (
            is_plain and "interrupted" in str(error).lower()
        ):
            raise KeyboardInterrupt from error
        if isinstance(error, NotImplementedError | RecursionError):  # a bug, not the file
            raise
        message = show(f"cannot read {name}: {shorten_message(error)}")
        raise CapcurveError(message + suggest_remedy(error)) from error
    except OSError as error:
        hint = "; set TMPDIR to a folder with more space" if error.errno in FULL else ""
        reason = error.strerror or str(error)
        raise CapcurveError(f"cannot read {name}: {reason}{hint}") from error
    except CapcurveError as error:
        if show(str(error)) == str(error):
            raise
        raise CapcurveError(show(str(error))) from error


def suggest_remedy(error: Exception) -> str:
    """Say what to do about what DuckDB raised, where it is known."""
    import duckdb

    if isinstance(error, duckdb.OutOfMemoryException):
        return "; raise the memory limit"
    if re.search("magic bytes|unexpected end", str(error), re.IGNORECASE):
        return "; it may have been copied in part: copy it again"
    # DuckDB's Python package raises a RuntimeError for values that no type takes.
    return "" if isinstance(error, duckdb.Error) else "; the file may be damaged"


def shorten_message(error: Exception) -> str:
    """Return the first lines of a DuckDB error message, without its suggestions."""
    kept = []
    for line in (line.strip() for line in str(error).splitlines()):
        if not line or line.startswith(("Possible", "The search space", "LINE")):
            break
        if not line.startswith("Original Line:"):  # it may be very long
            kept.append(line[:MAX_LINE_SHOWN])
    return " ".join(kept).removeprefix("Invalid Input Error: ").removeprefix("IO Error: ")
