"""The command ``capcurve report``: a validation report as a file."""

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from capcurve._cli.file_names import FileName
from capcurve._cli.gate_options import fail_on, gate_options, skip_undefined
from capcurve._cli.help import OUTPUT, add_options, command, option
from capcurve._cli.invocation import find_invocation
from capcurve._cli.options import (
    FILE_OPTIONS,
    METHOD_OPTIONS,
    bands_option,
    confidence_option,
)
from capcurve._cli.output_options import STDOUT
from capcurve._cli.report_input import read_file_input
from capcurve._cli.report_options import REPORT_OPTIONS, make_report_options
from capcurve._cli.request import FileOptions
from capcurve._cli.row_counts import notify_zero_weights
from capcurve._cli.rows import name_first
from capcurve._cli.score_notes import Notify
from capcurve._cli.streams import notify, notify_warnings, print_result
from capcurve._files.progress import show_progress
from capcurve._inference.reliability import warn_few_in_intervals, warn_of_wide_intervals
from capcurve._inference.small_class import name_small_class
from capcurve._report.facts import make_facts
from capcurve._report.gate_limits import GateLimits
from capcurve._report.options import Facts
from capcurve._report.phrases import SHORTAGE_OF, choose_few, is_few
from capcurve._report.report import Report
from capcurve._report.report_files import find_report_ending
from capcurve._report.report_input import ReportInput
from capcurve._report.scored import name_key
from capcurve._report.writing import find_target
from capcurve.exceptions import CapcurveError

WRITING = "writing the report"


@command(names_data=True)
@add_options(FILE_OPTIONS)
@add_options(REPORT_OPTIONS)
@confidence_option
@bands_option
@add_options(METHOD_OPTIONS)
@gate_options(ratio=True, tests=True)
@option(
    OUTPUT,
    "-o",
    "--output",
    metavar="FILE",
    type=FileName(),
    multiple=True,
    help="File to write: .html, .json, .xlsx or .pdf; repeatable.",
)
@option(
    OUTPUT,
    "--format",
    "form",
    type=click.Choice(["json"]),
    help="Print JSON instead of writing a file.",
)
@click.pass_context
def report(
    context: click.Context,
    /,
    limits: GateLimits,
    output: tuple[str, ...],
    form: str | None,
    **options: Any,
) -> None:
    """Write a validation report as HTML, JSON, Excel or PDF.

    Example: capcurve report loans.csv --truth default --estimate champion_pd -o r.html
    """
    paths = find_report_files(output, form)
    with skip_undefined(limits, paths):
        report_input = read_report_file(context, notify)

        def make() -> Report:
            made = make_judged_report(report_input, limits)
            warn_of_groups(made.facts, notify)
            return made

        fail_on(write_reports(make, paths, quiet=options["quiet"]).gates)


def write_reports(
    make: Callable[[], Report], paths: Sequence[Path], *, quiet: bool
) -> Report:
    """Make a report and write it to each file, or print it as JSON without any."""
    written: list[Path] = []
    try:
        with (
            notify_warnings(),
            show_progress(lambda: -1.0, WRITING, enabled=not quiet),
        ):
            made = make()
            for path in paths:
                made.write(path)
                written.append(path)
    finally:  # an error leaves those before it
        for path in written:
            notify(f"report written to {path}")
    if not paths:
        print_result(made.to_json(), "utf-8")
    return made


def read_report_file(
    context: click.Context, notify: Notify, made_by: Facts | None = None
) -> ReportInput:
    """Read the files of a command, whose parsed options are in its context.

    Parameters
    ----------
    context : click.Context
    notify : callable
        Prints notes.
    made_by : dict, default=None
        The command and the config of a run that makes the report.
    """
    options = context.params
    file_options = take_file_options(options)
    outcome = file_options.truth or file_options.events
    report_options = make_report_options(
        options, f"{file_options.estimate[0]} against {outcome}"
    )
    invocation = find_invocation(context)._replace(run=made_by)
    return read_file_input(file_options, report_options, notify, invocation)


def make_judged_report(report_input: ReportInput, limits: GateLimits) -> Report:
    """Make a report, with the verdicts of gates if there are any."""
    made = Report(make_facts(report_input))
    return made.with_gates(**asdict(limits)) if limits.is_set else made


def warn_of_groups(facts: Facts, notify: Notify) -> None:
    """Print which groups are undefined, rest on few events, or lost rows of weight 0."""
    notify_zero_weights(facts["rows"], notify)
    groups = [
        (f"{name_key(by['by'], group['group'])}, {group['model']}", group)
        for by in (*facts["segments"], *facts["periods"])
        for group in by["groups"]
    ]
    found = {
        model["name"]: (choose_few(model["accuracy_ratio"]), model["accuracy_ratio"])
        for model in facts["models"]
        if model["few_events"]
    }
    found |= {
        name: (group["status"], group["accuracy_ratio"])
        for name, group in groups
        if is_few(group)
    }
    few = {
        name: status
        for name, (status, ratio) in found.items()
        if ratio["method"] != "exact"
    }
    is_amount = facts["outcome"] == "amounts"
    small = name_small_class(
        is_amount=is_amount,
        has_weights=facts["sample"]["weights"] == "sampling",
        has_clusters=facts["sample"]["clusters"] is not None,
    )
    warn_few_in_intervals(
        name_first(list(few)),
        small,
        shortages={SHORTAGE_OF[status] for status in few.values()},
        is_amount=is_amount,
    )
    warn_of_wide_intervals(name_first([name for name in found if name not in few]), small)
    undefined = [
        name
        for name, group in groups
        if group["accuracy_ratio"] is None and group["n_rows"]
    ]
    if undefined:
        notify(
            "capcurve: note: undefined because all outcomes are equal: "
            f"{name_first(undefined)}"
        )


def take_file_options(options: dict[str, Any]) -> FileOptions:
    """Return the options of the file, with the challengers after the champion."""
    of_file = {name: options[name] for name in FileOptions._fields if name in options}
    estimates = (*options["estimate"], *options["compare"])
    for name in options["compare"]:
        if estimates.count(name) > 1:
            raise CapcurveError(
                "--compare must name other scores than --estimate, each once, got "
                f"{name!r} twice; leave one out"
            )
    of_file["estimate"] = tuple(dict.fromkeys(estimates))
    return FileOptions(**of_file)


def find_report_files(outputs: tuple[str, ...], form: str | None) -> list[Path]:
    """Return the files to write, none for JSON on stdout; raise unless it is one."""
    if len(outputs) > 1:
        places = set(map(os.path.realpath, outputs))
        if form is not None or STDOUT in outputs or len(places) < len(outputs):
            raise CapcurveError(
                "several --output must be different files, without --format, got "
                f"{', '.join(outputs)}; leave one out"
            )
        return list(filter(None, (find_report_file(each, None) for each in outputs)))
    path = find_report_file(outputs[0] if outputs else None, form)
    return [] if path is None else [path]


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
