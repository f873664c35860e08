"""What DuckDB and the system raise, as one clear error or as the interrupt that it was."""

from __future__ import annotations

import errno
import io
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any

from capcurve._input.memory_limit import read_size
from capcurve.exceptions import CapcurveError

MAX_LINE_SHOWN = 300
COPY_AGAIN = "it may have been copied in part: copy it again"
CUT_OFF = f"its compression breaks off; {COPY_AGAIN}"
FULL = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)
BROKEN_LINE = re.compile(
    r'Malformed JSON in file "(.+?)", at byte (\d+) in line (\d+): (.*?)\.?\s*$',
    re.MULTILINE,
)
# What DuckDB says of lines that are too long for it, what it takes, and what to do.
LONG_LINES = (
    (
        "maximum_object_size",
        "each line must hold one JSON object of at most 16 MiB",
        "write one object in each line, and leave long values out",
    ),
    (
        "Maximum line size",
        "each line must have at most 2,000,000 bytes",
        "mend the one whose end or closing quote may be missing",
    ),
)
ADVICE = re.compile(r"\.?\s*Try \w+ing .*", re.DOTALL)  # of arguments of DuckDB
SUGGESTIONS = ("Possible", "Candidate functions", "The search space", "LINE")  # of DuckDB
REMEDIES = {  # for what DuckDB says in lower case
    "permission denied": "; check the permissions of the file and its folder",
    "magic bytes|unexpected end|enough bytes": f"; {COPY_AGAIN}",
    "not a valid duckdb": "; check its name, or restore it",
    "could not set lock": "; close the program that has it open",
    "duplicate key": "; rename one of the two, or remove it",
    "start new thread": "; allow this program more threads or memory",
}
SPILLED_TOO_MUCH = "max_temp_directory_size"  # in what DuckDB says
TEXT_NEEDS = 250e6  # bytes of memory in which most text files are read
USED = re.compile(r" \([^()]+ used\)")


@contextmanager
def explain_failures(
    name: str, folder: Path, memory_limit: str | None = None
) -> Iterator[None]:
    """Turn what is raised while a file is read into an error that names the file.

    Files in the temporary folder are unknown to the user; messages name the source instead.
    """
    import duckdb

    def show(message: str) -> str:
        return re.sub(rf"{re.escape(str(folder))}/[\w.]+", lambda _: name, message)

    try:
        yield
    except (duckdb.Error, RuntimeError, UnicodeDecodeError) as error:
        if is_interrupt(error):
            raise KeyboardInterrupt from error
        if isinstance(error, NotImplementedError | RecursionError):  # a bug, not the file
            raise
        told = explain_duckdb(error, name, memory_limit)
        raise CapcurveError(show(f"cannot read {told}")) from error
    except OSError as error:
        raise make_unread_error(name, error) from error
    except CapcurveError as error:
        told = show(name_file(error, name, memory_limit))
        if told == str(error):
            raise
        raise CapcurveError(told) from error


def is_interrupt(error: Exception) -> bool:
    """Whether what DuckDB raised is an interrupt by the user."""
    import duckdb

    told = type(error) is RuntimeError and "interrupted" in str(error).lower()
    return told or isinstance(error, duckdb.InterruptException)


@contextmanager
def explain_unread(name: str) -> Iterator[None]:
    """Turn what the system raises about a file into an error that names the file."""
    try:
        yield
    except OSError as error:
        raise make_unread_error(name, error) from error


def make_unread_error(name: str, error: OSError) -> CapcurveError:
    """Return the error for a file that the system did not let be read."""
    reason = error.strerror or str(error)
    hint = "; set TMPDIR to a folder with more space" if error.errno in FULL else ""
    if isinstance(error, PermissionError):
        hint = REMEDIES["permission denied"]
    return CapcurveError(f"cannot read {name}: {reason}{hint}")


def explain_duckdb(error: Exception, name: str, memory_limit: str | None) -> str:
    """Say what DuckDB raised about a file, and what to do."""
    message = str(error)
    return (
        find_cut(message, name)
        or find_broken_line(message)
        or find_long_line(message, name)
        or find_full_folder(message, name, memory_limit)
        or f"{name}: {shorten_message(error)}{suggest_remedy(error, memory_limit)}"
    )


def name_file(error: CapcurveError, name: str, memory_limit: str | None) -> str:
    """Return the message; that of an engine that ran out of memory with the file's name."""
    import duckdb

    if isinstance(cause := error.__cause__, duckdb.OutOfMemoryException):
        return f"cannot read {explain_duckdb(cause, name, memory_limit)}"
    return str(error)


def find_full_folder(message: str, name: str, memory_limit: str | None) -> str | None:
    """Say that temporary files have too little space, if that is what DuckDB means."""
    if SPILLED_TOO_MUCH not in message:
        return None
    used = USED.search(message)
    more = "raise --memory-limit"
    if memory_limit is None:
        more = "allow this program more memory"
    return (
        f"{name}: the folder of temporary files has too little space"
        f"{used[0] if used else ''}; set TMPDIR to a folder with more, or {more}"
    )


def suggest_remedy(error: Exception, memory_limit: str | None) -> str:
    """Say what to do about what DuckDB raised, where it is known."""
    import duckdb

    message = str(error).lower()
    for sign, remedy in REMEDIES.items():
        if re.search(sign, message):
            return remedy
    if isinstance(error, duckdb.OutOfMemoryException):
        if memory_limit is not None:
            remedy = f"raise it{suggest_size(memory_limit)}"
            return f"; --memory-limit {memory_limit} is too little for this file: {remedy}"
        return "; allow this program more memory"
    # DuckDB's Python package raises a RuntimeError for values that no type takes.
    return "" if isinstance(error, duckdb.Error) else "; the file may be damaged"


def suggest_size(memory_limit: str) -> str:
    """Name a limit to try, twice the one given, but of a share of all memory."""
    size = read_size(memory_limit)
    return "" if size is None else f", such as to {max(2 * size, TEXT_NEEDS) / 1e6:.0f}MB"


def find_broken_line(message: str) -> str | None:
    """Say which line of JSON lines is broken, if that is what DuckDB means.

    DuckDB counts one line too many in some versions, so the lines are looked at.
    """
    import pyarrow as pa

    found = BROKEN_LINE.search(message)
    if found is None:
        return None
    path, byte, told, reason = found.groups()
    line = "a line"
    # This decompresses a file whose name ends in .gz or .zst.
    open_raw: Any = pa.input_stream
    with suppress(OSError), io.BufferedReader(open_raw(path)) as file:
        first = max(int(told) - 2, 0)
        broken = (
            number
            for number, text in enumerate(islice(file, first, first + 2), first + 1)
            if text.strip() and not is_json(text)
        )
        line = f"line {next(broken, told)}"
    return (
        f"{path}: {line} must hold one JSON object, got an error at byte {byte} "
        f"({ADVICE.sub('', reason)}); correct the line"
    )


def find_cut(message: str, name: str) -> str | None:
    """Say that compression is not whole as `read_blocks` does, if DuckDB meets its end."""
    return f"{name}: {CUT_OFF}" if "Unexpected end of GZIP" in message else None


def find_long_line(message: str, name: str) -> str | None:
    """Say that a line is too long, if that is what DuckDB means."""
    for sign, wanted, remedy in LONG_LINES:
        if sign in message:
            return f"{name}: {wanted}, got a longer one; {remedy}"
    return None


def is_json(text: bytes) -> bool:
    """Whether a text is JSON."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def shorten_message(error: Exception) -> str:
    """Return the first lines of a DuckDB error message, without its suggestions."""
    kept = []
    for line in (line.strip() for line in str(error).splitlines()):
        if not line or line.startswith(SUGGESTIONS):
            break
        if not line.startswith("Original Line:"):  # it may be very long
            kept.append(line[:MAX_LINE_SHOWN])
    told = ADVICE.sub("", " ".join(kept))
    return told.removeprefix("Invalid Input Error: ").removeprefix("IO Error: ")
