"""Run the command line; every error is reported in one line."""

import codecs
import os
import sys
import traceback
from collections.abc import Sequence
from signal import SIGINT
from typing import NamedTuple

from capcurve._cli.streams import alert
from capcurve._files.interrupts import end_signals
from capcurve._interrupted import SIGNALLED, describe_end
from capcurve.exceptions import CapcurveError, MissingDependencyError

LIMIT_FAILED = 1
USAGE_OR_INPUT = 2
BUG = 70
UTF_8 = "utf-8"  # in which every name can be written
TRACEBACK = "CAPCURVE_TRACEBACK"
COMPLETION = "_CAPCURVE_COMPLETE"  # set by a shell that completes the command line


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    failure: BaseException | None = None
    code = 0
    try:
        code = invoke(list(sys.argv[1:] if arguments is None else arguments))
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 -- or it would exit with 1
        failure = error
    # Libraries may turn an interrupt into another error.
    number = end_signals.received
    if isinstance(failure, KeyboardInterrupt):
        number = number or SIGINT
    if number:
        alert(describe_end(number))
        return SIGNALLED + number
    return code if failure is None else explain(failure)


def invoke(arguments: list[str]) -> int:
    """Let click run the command, or complete the command line for a shell."""
    import click
    from click.shell_completion import shell_complete

    from capcurve._cli.commands import capcurve
    from capcurve._report.epoch import read_epoch

    read_epoch()  # libraries that read it, too, do not name it in their errors
    if asked := os.environ.get(COMPLETION):
        from capcurve._cli.bash_completion import use_in_bash

        use_in_bash()
        failed = shell_complete(capcurve, {}, "capcurve", COMPLETION, asked)
        return USAGE_OR_INPUT if failed else 0
    try:
        with capcurve.make_context("capcurve", arguments) as context:
            capcurve.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    return 0


class Failure(NamedTuple):
    """What an error is to the user: its message, its kind, and the exit code."""

    message: str
    kind: str = "error"
    code: int = USAGE_OR_INPUT


def explain(error: BaseException) -> int:
    """Print an error in the style of this program and return the exit code."""
    return complain(*find_failure(error))


def find_failure(error: BaseException) -> Failure:
    """Say what an error is to the user; print the traceback of a bug, if asked for."""
    if isinstance(error, ModuleNotFoundError):
        missing = str(error.name)
        error = MissingDependencyError(missing, extra="cli", purpose="this command")
    if isinstance(error, ValueError | OSError | ImportError | MemoryError):
        return Failure(name_options(error))
    import click

    from capcurve._cli.gate_options import LimitFailedError
    from capcurve._cli.usage_errors import explain_usage

    if isinstance(error, LimitFailedError):
        return Failure(error.format_message(), "failed", LIMIT_FAILED)
    if isinstance(error, click.ClickException):
        return Failure(explain_usage(error))
    if os.environ.get(TRACEBACK):
        traceback.print_exception(error)
    return Failure(
        f"this is a bug: {error!r}; please report it with what {TRACEBACK}=1 prints",
        code=BUG,
    )


def name_options(error: Exception) -> str:
    """Return the message of an error, with options instead of arguments."""
    if type(error) is ImportError:  # a library that cannot be loaded
        return f"{error}; allow this program more memory, or install the library anew"
    if isinstance(error, MemoryError):
        return (
            f"{str(error) or 'memory ran out'}; allow this program more memory, or read "
            "less: score, table and plot have --memory-limit and --approx"
        )
    if not isinstance(error, CapcurveError):
        return name_plainly(error)
    from capcurve._cli.config_values import ConfigError
    from capcurve._cli.option_names import use_option_names

    if isinstance(error, ConfigError):
        return str(error)
    return use_option_names(str(error))


def name_plainly(error: Exception) -> str:
    """Return the message of an error of Python; say what a folder or a locale lacks."""
    encoding = codecs.lookup(sys.getfilesystemencoding()).name
    if (
        isinstance(error, UnicodeEncodeError)
        and encoding == codecs.lookup(error.encoding).name != UTF_8
    ):
        return (
            f"the name of a file must be text in {encoding}, as the locale says, got "
            f"{error.object!r}; set PYTHONUTF8=1, or choose another name"
        )
    if isinstance(error, FileNotFoundError):
        from capcurve._files.paths import GONE, is_in_no_folder

        if is_in_no_folder():
            return GONE
    return str(error) or type(error).__name__


def complain(message: str, kind: str = "error", code: int = USAGE_OR_INPUT) -> int:
    """Print a message on one line of stderr and return the exit code."""
    alert(f"capcurve: {kind}: {' '.join(message.split())}")
    return code
