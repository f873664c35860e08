"""Make the reports of one portfolio of a run, whatever happens to it."""

import time
import warnings
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click

from capcurve._cli.config import Portfolio
from capcurve._cli.config_values import use_key_names
from capcurve._cli.gate_options import explain_unskipped, may_be_skipped, take_limits
from capcurve._cli.option_names import use_given_options
from capcurve._cli.report import (
    make_judged_report,
    read_report_file,
    take_file_options,
    warn_of_groups,
)
from capcurve._cli.report_options import make_report_options
from capcurve._cli.run import find_failure
from capcurve._cli.undefined import UndefinedError
from capcurve._report.gates import describe_gates
from capcurve._report.gates_of_report import judge_without_report
from capcurve._report.options import Facts, find_initial_values
from capcurve._report.report import Report
from capcurve._report.run_facts import Outcome
from capcurve._report.writing import make_folder
from capcurve.exceptions import CapcurveError


def run_portfolio(portfolio: Portfolio, made_by: Facts) -> Outcome:
    """Read the files of a portfolio once, judge it, and write its reports.

    Every error is part of the outcome, so that the other portfolios go on; only Ctrl-C ends
    the run.

    Parameters
    ----------
    portfolio : Portfolio
    made_by : dict
        The command and the config of the run, which the reports name.
    """
    started = time.monotonic()
    notes: list[str] = []
    made: Report | None = None
    written: list[Path] = []
    undefined: UndefinedError | None = None
    verdicts: list[Facts] = []
    error, skipped = portfolio.problem, None
    if error is None:
        try:
            made = make_report(portfolio, made_by, notes)
            written, problems = write_reports(made, portfolio.outputs)
            error = "; ".join(dict.fromkeys(problems)) or None
        except UndefinedError as problem:
            undefined = problem
            limits = take_limits(portfolio.context.params)
            if may_be_skipped(problem, limits):
                skipped, verdicts = problem.reason, skip_gates(portfolio, problem)
            else:
                told = CapcurveError(explain_unskipped(problem, limits))
                error = explain_problem(told, portfolio.context.command)
        except Exception as problem:  # noqa: BLE001 -- the other portfolios go on
            error = explain_problem(problem, portfolio.context.command)
    return Outcome(
        name=portfolio.name,
        files=portfolio.files,
        reports=tuple(written),
        facts=None if made is None else made.facts,
        error=error,
        skipped=skipped,
        rows_read=None if undefined is None else undefined.rows,
        files_read=() if undefined is None else undefined.files,
        verdicts=verdicts,
        notes=tuple(dict.fromkeys(notes)),
        seconds=time.monotonic() - started,
    )


def note_same_input(
    portfolio: Portfolio, outcome: Outcome, first: dict[Hashable, str]
) -> Outcome:
    """Add a note if an earlier portfolio reads the same columns of the same bytes.

    Parameters
    ----------
    portfolio : Portfolio
    outcome : Outcome
    first : dict
        The name of the first portfolio of each input, to which this one is added.
    """
    params = portfolio.context.params
    hashes = tuple(sorted(source["sha256"] for source in outcome.sources))
    columns = take_file_options(params)._replace(file=())
    read = (hashes, columns, params["period"], params["implied"])
    other = first.setdefault(read, outcome.name) if hashes else outcome.name
    if other == outcome.name:
        return outcome
    note = (
        f"its files and those of {other!r} hold the same bytes, and the same columns are "
        "read; if one of the two names a wrong file, correct it"
    )
    return replace(outcome, notes=(*outcome.notes, note))


def skip_gates(portfolio: Portfolio, problem: UndefinedError) -> list[Facts]:
    """List the gates of a portfolio that are skipped, as its report would."""
    params = portfolio.context.params
    estimates = take_file_options(params).estimate
    options = make_report_options(params, portfolio.name)
    initial = find_initial_values(options.initial_auc, options.initial_variance, estimates)
    return describe_gates(
        judge_without_report(
            estimates, initial, problem.rows, take_limits(params), problem.reason
        )
    )


def explain_problem(problem: Exception, command: click.Command) -> str:
    """Say on one line why a portfolio has no report, in the words of the config."""
    message = " ".join(find_failure(problem).message.split())
    return use_key_names(message, command)


def make_report(portfolio: Portfolio, made_by: Facts, notes: list[str]) -> Report:
    """Make the report of a portfolio with the verdicts of its gates; collect its notes."""
    context = portfolio.context

    def note(message: str) -> None:
        notes.append(message.removeprefix("capcurve: note: "))

    with collect_warnings(note):
        report_input = read_report_file(context, note, made_by)
        made = make_judged_report(report_input, take_limits(context.params))
        warn_of_groups(made.facts, note)
    return made


@contextmanager
def collect_warnings(note: Callable[[str], None]) -> Iterator[None]:
    """Turn warnings for users into notes."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        yield
    for warning in caught:
        note(use_given_options(str(warning.message)))


def write_reports(made: Report, outputs: tuple[Path, ...]) -> tuple[list[Path], list[str]]:
    """Write a report in each of its formats; return the files, and why some are not."""
    written, problems = [], []
    for output in outputs:
        try:
            make_folder(output)
            made.write(output)
        except CapcurveError as problem:
            problems.append(find_failure(problem).message)
        else:
            written.append(output)
    return written, problems
