"""Print results to stdout and messages to stderr."""

import logging
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, TextIO

from capcurve._cli.option_names import use_given_options
from capcurve._report.control_characters import escape_controls
from capcurve.exceptions import CapcurveError

READER_IS_GONE = 141  # the exit code that shells have for SIGPIPE
RULE = re.compile("^ ─+$", re.MULTILINE)  # below the headings of a text table
BYTES_OF_NAMES = re.compile("[\udc80-\udcff]+")  # as Python reads what is not in the locale
EVERYTHING = "`data`"  # where a warning is about rows without groups


def print_result(text: str, encoding: str | None = None) -> None:
    """Print to stdout at once; raise if it is closed or full.

    What programs read has an encoding of its own; other text has that of the terminal. If
    nobody reads it any more, the command ends without a message.
    """
    with stdout_to_write() as stream:
        binary = getattr(stream, "buffer", None)
        if binary is None:
            stream.write(text)
        else:
            write_all(binary, encode(text, encoding or stream.encoding))


def encode(text: str, encoding: str) -> bytes:
    """Encode a text; what the encoding lacks is escaped, and rules are drawn by hyphens."""
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        plain = RULE.sub(lambda found: found[0].replace("─", "-"), text)
        return plain.encode(encoding, "backslashreplace")


def escape_unprintable(text: str) -> str:
    """Escape what stdout cannot print, as `print_result` does, so that it is measured."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def print_bytes(content: bytes) -> None:
    """Print bytes to stdout, as `print_result` does with text."""
    with stdout_to_write() as stream:
        write_all(stream.buffer, content)


@contextmanager
def stdout_to_write() -> Iterator[TextIO]:
    """Give stdout, flush it, and tell why it takes nothing."""
    if sys.stdout is None:
        raise make_error("it is closed")
    try:
        yield sys.stdout
        sys.stdout.flush()
    except BrokenPipeError as error:  # its reader, such as head, has read enough
        from click.exceptions import Exit

        sys.stdout = None
        raise Exit(READER_IS_GONE) from error
    except OSError as error:
        sys.stdout = None  # else Python fails on it once more at exit
        raise make_error(error.strerror or str(error)) from error


def write_all(stream: BinaryIO, content: bytes) -> None:
    """Write all bytes; an unbuffered stream may take them in several pieces."""
    while content:
        content = content[stream.write(content) :]


def make_error(reason: str) -> CapcurveError:
    """Make the error of a result that cannot be printed."""
    return CapcurveError(
        f"the result must be printed to stdout, but {reason}; send it to another place, "
        "such as a file"
    )


def notify(message: str) -> None:
    """Print one line to stderr, but not for a command that is asked to be quiet."""
    import click

    context = click.get_current_context(silent=True)
    if context is None or not context.params.get("quiet"):
        alert(message)


def alert(message: str) -> None:
    """Print one line to stderr, if there is any place for it."""
    if sys.stderr is not None:
        try:
            sys.stderr.write(f"{escape_controls(decode_names(message))}\n")
            sys.stderr.flush()
        except OSError:
            sys.stderr = None


def decode_names(message: str) -> str:
    """Read names of files as UTF-8 where they are, though the locale may be ASCII."""

    def decode(found: re.Match[str]) -> str:
        return (
            found[0].encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
        )

    return BYTES_OF_NAMES.sub(decode, message)


@contextmanager
def notify_warnings() -> Iterator[None]:
    """Print warnings for users as notes, each once."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        yield
    for message in dict.fromkeys(str(warning.message) for warning in caught):
        told = use_given_options(message.replace(EVERYTHING, "all rows"))
        notify(f"capcurve: note: {told}")


class NotifyHandler(logging.Handler):
    """Print log messages like notes."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print one message."""
        alert(f"capcurve: {record.getMessage()}")


@contextmanager
def log_to_stderr() -> Iterator[None]:
    """Print the log messages of the library to stderr."""
    handler = NotifyHandler()
    log = logging.getLogger("capcurve")
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(logging.NOTSET)
