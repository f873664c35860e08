"""The command ``capcurve report``: a validation report as a file."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from capcurve._cli.gate_options import fail_on, gate_options
from capcurve._cli.help import (
    MEANING,
    OUTPUT,
    add_options,
    column_option,
    command,
    option,
)
from capcurve._cli.options import (
    FILE_OPTIONS,
    INITIAL_OPTIONS,
    bands_option,
    confidence_option,
    parse_bands,
)
from capcurve._cli.output_options import STDOUT
from capcurve._cli.report_input import read_file_input
from capcurve._cli.request import FileOptions
from capcurve._cli.streams import notify, notify_warnings, print_result
from capcurve._files.progress import show_progress
from capcurve._report.facts import make_facts
from capcurve._report.gate_limits import GateLimits
from capcurve._report.options import ReportOptions
from capcurve._report.report import Report, find_report_ending
from capcurve._report.writing import find_target
from capcurve.exceptions import CapcurveError


@command()
@add_options(FILE_OPTIONS)
@column_option(
    MEANING, "--compare", multiple=True, help="Score of a challenger; repeatable."
)
@column_option(MEANING, "--period", help="Date or period, for the trend.")
@confidence_option
@bands_option
@add_options(INITIAL_OPTIONS)
@gate_options(ratio=True, tests=True)
@option(OUTPUT, "--title", metavar="TEXT", help="Title of the report.")
@option(
    OUTPUT,
    "-o",
    "--output",
    metavar="FILE",
    help="File to write: .html, .json, .xlsx or .pdf.",
)
@option(
    OUTPUT,
    "--format",
    "form",
    type=click.Choice(["json"]),
    help="Print JSON instead of writing a file.",
)
def report(
    compare: tuple[str, ...],
    limits: GateLimits,
    output: str | None,
    form: str | None,
    **options: Any,
) -> None:
    """Write a validation report as HTML, JSON, Excel or PDF.

    Reads all rows into memory.

    Example: capcurve report loans.csv --truth default --estimate pd -o report.html
    """
    path = find_report_file(output, form)
    options["estimate"] = tuple(dict.fromkeys((*options["estimate"], *compare)))
    report_options = take_report_options(options)
    report_input = read_file_input(FileOptions(**options), report_options, notify)
    with (
        notify_warnings(),
        show_progress(lambda: -1.0, "writing the report", enabled=not options["quiet"]),
    ):
        made = Report(make_facts(report_input))
        if limits.is_set:
            made = made.with_gates(**asdict(limits))
        if path is not None:
            made.write(path)
    if path is None:
        print_result(made.to_json())
    else:
        notify(f"report written to {path}")
    fail_on(made.gates)


def take_report_options(options: dict[str, Any]) -> ReportOptions:
    """Take the options of the report out of all options; the others are about files."""
    outcome = options["truth"] or options["events"]
    return ReportOptions(
        title=options.pop("title") or f"{options['estimate'][0]} against {outcome}",
        period=options.pop("period"),
        bands=parse_bands(options.pop("bands")),
        confidence_level=options.pop("confidence"),
        initial_auc=options.pop("initial_auc"),
        initial_variance=options.pop("initial_variance"),
    )


def find_report_file(output: str | None, form: str | None) -> Path | None:
    """Return the file to write, or None for JSON on stdout; raise unless it is one."""
    if output == STDOUT:
        output, form = None, "json"
    if (output is None) == (form is None):
        given = "neither" if output is None else "both"
        raise CapcurveError(
            f"report requires either -o FILE or --format json, got {given}; pass one of "
            "the two"
        )
    if output is None:
        return None
    path = Path(output)
    find_report_ending(path)
    find_target(path, "--output")
    return path
