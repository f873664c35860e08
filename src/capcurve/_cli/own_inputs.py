"""Refuse an output that would replace an input, or what stdout is redirected to."""

import os
import sys
from collections.abc import Iterable
from glob import glob
from pathlib import Path

import click

from capcurve._files.paths import STDIN, STREAM
from capcurve.exceptions import CapcurveError


def refuse_own_inputs(context: click.Context) -> None:
    """Raise if the output of a command is one of the files that its arguments name."""
    value = context.params.get("output") or ()
    outputs = [str(each) for each in (value if isinstance(value, tuple) else [value])]
    inputs: list[str] = []
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        if isinstance(parameter, click.Argument) or parameter.name == "against":
            inputs += map(str, filter(None, value if isinstance(value, tuple) else [value]))
    for output in outputs:
        if output != STDIN:
            refuse_output(Path(output), inputs, "--output")


def refuse_output(output: Path, inputs: Iterable[str], name: str) -> None:
    """Raise if an output is one of the inputs, which may be patterns, or a stream."""
    # Replacing it would replace the file that the stream is redirected to.
    if STREAM.fullmatch(str(output)):
        raise CapcurveError(
            f"{name} must be a file, got {str(output)!r}, which is a stream; to print, "
            "write to - instead"
        )
    if not os.path.exists(output):  # noqa: PTH110 -- raises nothing
        return
    if not (output.is_file() or output.is_dir()):
        raise CapcurveError(
            f"{name} must be a file, got {str(output)!r}, which is a device; write to - "
            "instead, and redirect stdout to it"
        )
    for path in inputs:
        if path == STDIN and is_stdin(output):
            raise CapcurveError(
                f"{name} must be another file than those that are read, got "
                f"{str(output)!r}, which stdin is redirected from; choose another name"
            )
        found = [path] if os.path.lexists(path) else glob(path, recursive=True)  # noqa: PTH207 -- a whole path may be a pattern
        for each in found:
            if is_same(output, each):
                raise CapcurveError(
                    f"{name} must be another file than those that are read, got "
                    f"{str(output)!r}, which is the input {each!r}; choose another name"
                )


def is_stdin(output: Path) -> bool:
    """Whether stdin is redirected from a file; not if it is closed, or has no file."""
    try:
        return os.path.samestat(output.stat(), os.fstat(sys.stdin.fileno()))
    except (AttributeError, OSError):
        return False


def is_same(output: Path, path: str) -> bool:
    """Whether two names stand for one file; not if there is none, or it cannot be seen.

    An input that cannot be opened is told where it is read, and a run goes on without it.
    """
    try:
        return output.samefile(path)
    except OSError:
        return False
