"""Options of where and how a result is written."""

from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

import click

from capcurve._cli.file_names import FileName
from capcurve._cli.help import OUTPUT, Decorator, Function, add_options, option
from capcurve._cli.options import verbose_option, verbose_plan_option
from capcurve._cli.output import FORMATS, Format
from capcurve._report.writing import find_target
from capcurve.exceptions import CapcurveError

STDOUT = "-"
ENDINGS: dict[str, Format] = {
    ".txt": "text",
    ".json": "json",
    ".ndjson": "ndjson",
    ".jsonl": "ndjson",
    ".csv": "csv",
    ".md": "markdown",
}


class Output(NamedTuple):
    """How a result is written, and where to; no path is stdout."""

    form: Format
    path: Path | None = None
    verbose: bool = False

    @property
    def is_json(self) -> bool:
        """Whether the result says what it rests on."""
        return self.form == "json"


OPTIONS = (
    option(
        OUTPUT,
        "--format",
        "form",
        type=click.Choice(FORMATS),
        metavar="FORMAT",
        help="text (default), json, ndjson, csv or markdown.",
    ),
    option(
        OUTPUT,
        "-o",
        "--output",
        metavar="FILE",
        type=FileName(),
        help="File to write instead of stdout: .json, .csv, .md ...",
    ),
)


def output_options(function: Function) -> Function:
    """Add the options to a command, which gets them as ``output``."""
    return add_output_options(function, verbose_option)


def planned_output_options(function: Function) -> Function:
    """Add the options to a command that chooses how it ranks rows."""
    return add_output_options(function, verbose_plan_option)


def add_output_options(function: Function, verbose_option: Decorator) -> Function:
    """Add the options, of which one differs, to a command."""

    @wraps(function)
    def run(*, form: Format | None, output: str | None, verbose: bool, **rest: Any) -> None:
        function(output=make_output(form, output, verbose=verbose), **rest)

    return add_options((*OPTIONS, verbose_option))(run)


def make_output(form: Format | None, file: str | None, *, verbose: bool) -> Output:
    """Find the format, by the ending of the file unless it is given, and check the file."""
    if file is None or file == STDOUT:
        return Output(form or "text", None, verbose)
    path = Path(file)
    by_ending = ENDINGS.get(path.suffix.lower())
    if form is None and by_ending is None:
        raise CapcurveError(
            f"--output must end in one of {', '.join(ENDINGS)}, got {file!r}; choose one, "
            "or pass --format"
        )
    if form is not None and by_ending not in {None, form}:
        raise CapcurveError(
            f"--format and the ending of --output must agree, got {form} and {file!r}; "
            "leave --format out"
        )
    find_target(path, "--output")
    return Output(form or by_ending or "text", path, verbose)
