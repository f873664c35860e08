"""Check a portfolio of a config before anything runs: options, files and outputs."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from pathlib import Path

import click

from capcurve._cli.config_values import ConfigError, Place
from capcurve._cli.gate_options import take_limits
from capcurve._cli.report import take_file_options
from capcurve._cli.report_input import set_probabilities_apart
from capcurve._cli.report_options import make_report_options
from capcurve._cli.request import (
    list_order,
    make_file_roles,
    make_source,
    refuse_label_of_events,
)
from capcurve._curve.gains_table import find_band_ends
from capcurve._files.databases import refuse_table_of_query
from capcurve._files.delimited import name_header
from capcurve._files.header import read_names
from capcurve._files.missing_columns import refuse_missing_columns, refuse_repeated_columns
from capcurve._files.open import refuse_options
from capcurve._files.paths import TEXT_ENDINGS, InputFile, find_ending, list_paths
from capcurve._files.scratch import make_scratch_folder
from capcurve._files.text_copy import normalize_encoding
from capcurve._input.meaning import as_order
from capcurve._report.gates_of_report import check_needs
from capcurve._report.options import check_report_options
from capcurve._report.pdf import find_browser
from capcurve._report.report_files import find_report_ending
from capcurve._report.writing import explain_unmade, explain_unwritten, find_target
from capcurve.exceptions import CapcurveError


def check_options(context: click.Context) -> None:
    """Raise for options that `report` would refuse whatever the rows are."""
    limits, given = take_limits(context.params), context.params
    options = make_report_options(given, "")
    find_band_ends(options.bands)
    file_options = take_file_options(given)
    normalize_encoding(file_options.encoding)
    refuse_table_of_query(file_options.table, file_options.query)
    if file_options.order is not None:
        as_order(list_order(file_options))
    estimates = make_file_roles(file_options).estimates
    refuse_label_of_events(file_options)
    check_report_options(options, estimates)
    check_needs(
        limits,
        has_initial=options.initial_auc is not None,
        has_challengers=len(estimates) > 1,
    )


def check_endings(outputs: Sequence[Path], place: Place) -> None:
    """Raise for an output that no report can be written as; the error names the entry."""
    for output in outputs:
        try:
            find_report_ending(output)
        except CapcurveError as error:
            raise ConfigError(f"{place}: {error}") from error


def check_files(context: click.Context, files: Sequence[str]) -> None:
    """Raise unless the files open and have the columns, of which no rows are read."""
    implied = context.params["implied"]
    options = set_probabilities_apart(take_file_options(context.params), implied)
    period = context.params["period"]
    keys = options.by if period is None else (*options.by, period)
    source = make_source(options._replace(by=keys, file=tuple(files)))
    for path in list_paths(files):
        single = replace(source, path=path, others=())
        found, opened = read_names(single), [InputFile(path, path)]
        ending = find_ending(path)
        refuse_options(single, opened, ending)
        is_text = ending in TEXT_ENDINGS
        # The columns of a query on a text file are known when it has run.
        if source.query is None or not is_text:
            where = name_header(single, opened)
            refuse_missing_columns(source.names, found, where, opened)
        if source.query is None and is_text:
            refuse_repeated_columns(source.names, found, opened[0])


def check_place(output: Path, name: str = "`output`") -> None:
    """Raise if an output cannot be written, or its folder cannot be made.

    A PDF requires a browser.

    A file of that name is written in a temporary folder at the place, because permissions
    do not say everything: the root user has all, also on a disk that is read-only.
    """
    if output.suffix.lower() == ".pdf":
        find_browser()
    folder = output.parent
    with explain_unmade(folder):  # if it is in one that may not be read
        existing = next(parent for parent in output.parents if parent.exists())
    if existing == folder:
        find_target(output, name)
    if not existing.is_dir():
        raise CapcurveError(
            f"{name} must be in a folder that can be made, got {str(output)!r}, but "
            f"{str(existing)!r} is a file; choose another folder"
        )
    try:
        with ExitStack() as stack:
            with nullcontext() if existing == folder else explain_unmade(folder):
                scratch = stack.enter_context(make_scratch_folder(existing))
                draft = scratch / output.relative_to(existing)
                draft.parent.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(b"capcurve")
    except OSError as error:
        raise explain_unwritten(output, output, error) from error
