"""The command ``capcurve run``: the reports of many portfolios, as a config file says."""

import json
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from capcurve._cli.answer import Answer, write_answer, write_text
from capcurve._cli.config import (
    Config,
    Portfolio,
    read_config,
    refuse_inputs,
    refuse_own_reports,
)
from capcurve._cli.config_checks import check_files, check_place
from capcurve._cli.doubts import list_doubts
from capcurve._cli.help import OUTPUT, command, option
from capcurve._cli.invocation import write_command
from capcurve._cli.options import quiet_option
from capcurve._cli.output_options import Output, output_options
from capcurve._cli.portfolio_completion import PortfolioName
from capcurve._cli.portfolios import explain_problem, note_same_input, run_portfolio
from capcurve._cli.report import report
from capcurve._cli.rows import Row
from capcurve._cli.run import LIMIT_FAILED, USAGE_OR_INPUT
from capcurve._cli.streams import alert, notify
from capcurve._files.progress import show_progress
from capcurve._files.scratch import make_scratch_folder
from capcurve._inference.wording import format_count
from capcurve._report.gates import Gate, explain_skipped, is_unjudged
from capcurve._report.options import Facts
from capcurve._report.report_files import explain_missing_library
from capcurve._report.run_facts import Outcome, make_run_facts
from capcurve._report.run_page import render_run_page
from capcurve._report.writing import make_folder, write_whole
from capcurve.exceptions import CapcurveError

COUNTED = {"n_gates_passed": True, "n_gates_failed": False, "n_gates_skipped": None}
TOLD = ("error", "skipped")  # which is on stderr already
RUN_COLUMNS = (
    *("portfolio", "estimate", "accuracy_ratio", "low", "high", "n_events", "n"),
    *("gates", *COUNTED, "status", *TOLD),
)
RARE = (*COUNTED, *TOLD)
HEADINGS = {"status": "portfolio_status"}  # of all its scores, in the row of each
CHECK_COLUMNS = ("portfolio", "files", "reports", "status", "error")


@command()
@click.argument("config", required=False, type=click.Path(readable=False, path_type=Path))
@option(
    OUTPUT,
    "--only",
    type=PortfolioName(),
    multiple=True,
    metavar="NAME",
    help="Portfolio to run; repeatable (default all).",
)
@option(
    OUTPUT, "--check", is_flag=True, help="Check the config and the files; run nothing."
)
@quiet_option
@output_options
def run(
    config: Path | None, only: tuple[str, ...], output: Output, *, check: bool, quiet: bool
) -> None:
    """Make the reports of many portfolios, as a config file says.

    CONFIG is a TOML file (default capcurve.toml, or [tool.capcurve] in pyproject.toml).
    A portfolio with an error does not stop the others. Exit code 2: there was an error; 1:
    a gate failed. docs/run.md describes the config.

    Example: capcurve run --check
    """
    found = prepare(config, only, output)
    if check:
        outcomes = None
        rows = list(map(check_portfolio, found.portfolios))
        rows += [] if only else check_summaries(found.summaries)
        problems = [str(row.cells["error"]) for row in rows if row.cells["error"]]
        order: Sequence[str] = CHECK_COLUMNS
    else:
        started = time.monotonic()
        outcomes = run_all(found, quiet=quiet)
        if only:
            notify("capcurve: note: no summary written, as --only leaves portfolios out")
        else:
            outcomes += write_summaries(found, outcomes, time.monotonic() - started)
        rows = [row for outcome in outcomes for row in list_rows(outcome)]
        problems = [outcome.error for outcome in outcomes if outcome.error is not None]
        order = RUN_COLUMNS
    gates = [name_gate(each.name, gate) for each in outcomes or () for gate in each.gates]
    answer = Answer(
        command="run",
        rows=fit_rows(rows, output),
        order=order,
        rare=RARE,
        gates=gates,
        headings=HEADINGS,
    )
    write_answer(answer, output)
    if problems:
        raise click.exceptions.Exit(USAGE_OR_INPUT)
    if any(gate.passed is False for gate in gates):
        raise click.exceptions.Exit(LIMIT_FAILED)


def fit_rows(rows: Sequence[Row], output: Output) -> list[Row]:
    """Fit texts to the format; formats but JSON show nothing as empty text."""
    fit: Callable[[Mapping[str, Any]], dict[str, Any]] = dict
    if output.form == "ndjson":
        fit = use_nulls
    return [row._replace(cells=fit(row.cells)) for row in rows]


def prepare(config: Path | None, only: tuple[str, ...], output: Output) -> Config:
    """Read a config, and keep the portfolios to run; raise for what stops all of them."""
    everything = read_config(config, report)
    # The result replaces no file of those that --only leaves out, either.
    refuse_own_reports(everything, output.path)
    refuse_inputs(everything, [output.path] if output.path else [], "--output")
    found = choose_portfolios(everything, only)
    with make_scratch_folder():  # which a wrong TMPDIR does not hold
        return found


def use_nulls(cells: Mapping[str, Any]) -> dict[str, Any]:
    """Put None where there is nothing to say, as in the summary."""
    return {name: None if cell == "" else cell for name, cell in cells.items()}


def name_gate(portfolio: str, gate: Mapping[str, Any]) -> Gate:
    """Return a gate whose subject and text name the portfolio."""
    told = {name: f"{portfolio}: {gate[name]}" for name in ("subject", "text")}
    return Gate(**{**gate, **told})


def choose_portfolios(config: Config, only: Sequence[str]) -> Config:
    """Keep the portfolios that are asked for; raise for an unknown one."""
    names = [portfolio.name for portfolio in config.portfolios]
    for name in only:
        if name not in names:
            raise CapcurveError(
                f"--only must name a portfolio ({', '.join(names)}), got {name!r}; pass "
                "one of them"
            )
    if not only:
        return config
    kept = tuple(each for each in config.portfolios if each.name in only)
    return config._replace(portfolios=kept)


def check_portfolio(portfolio: Portfolio) -> Row:
    """Check that the files of a portfolio open, and that reports can be written."""
    error = portfolio.problem
    try:
        if error is None:
            check_files(portfolio.context, portfolio.files)
            for path in portfolio.outputs:
                check_place(path)
    except Exception as problem:  # noqa: BLE001 -- the other portfolios are checked, too
        error = explain_problem(problem, portfolio.context.command)
    return make_check_row(portfolio.name, portfolio.files, portfolio.outputs, error)


def check_summaries(paths: Sequence[Path]) -> list[Row]:
    """Check that the summaries can be written; list those that cannot."""
    rows = []
    for path in paths:
        try:
            check_place(path, "`summary`")
        except CapcurveError as problem:
            rows.append(make_check_row("summary", (), [path], str(problem)))
    return rows


def make_check_row(
    name: str, files: Sequence[str], outputs: Sequence[Path], error: str | None
) -> Row:
    """Say what a check found, and print its error."""
    if error is not None:
        alert(f"capcurve: error: {name}: {error}")
    cells = {
        "portfolio": name,
        "files": ", ".join(files),
        "reports": ", ".join(map(str, outputs)),
        "status": "ok" if error is None else "error",
        "error": error or "",
    }
    return Row({}, cells)


def run_all(config: Config, *, quiet: bool) -> list[Outcome]:
    """Run each portfolio, and keep what the summary shows of it."""
    outcomes: list[Outcome] = []
    first: dict[Hashable, str] = {}
    portfolios = config.portfolios

    def measure() -> float:
        return 100 * len(outcomes) / len(portfolios)

    def describe() -> str:
        number = min(len(outcomes), len(portfolios) - 1)
        return f"{number + 1} of {len(portfolios)}: {portfolios[number].name}"

    with show_progress(measure, describe, enabled=not quiet):
        for portfolio in portfolios:
            made_by = describe_run(config, portfolio)
            outcome = run_portfolio(portfolio, made_by).without_curves()
            outcome = note_same_input(portfolio, outcome, first)
            outcomes.append(outcome)
            tell(outcome)
    return outcomes


def describe_run(config: Config, portfolio: Portfolio) -> Facts:
    """Describe the command that makes the reports of one portfolio, and its config."""
    given = {"config": config.path, "only": (portfolio.name,)}
    return {"command": write_command(run, "run", given), "config": config.file}


def tell(outcome: Outcome) -> None:
    """Print an error, failed and skipped gates, rows that were left out, and doubts."""
    if outcome.error is not None:
        alert(f"capcurve: error: {outcome.name}: {outcome.error}")
    if outcome.skipped is not None:
        alert(f"capcurve: note: {outcome.name}: skipped: {outcome.skipped}")
    elif (told := explain_skipped(outcome.gates)) is not None:
        say = alert if is_unjudged(outcome.gates) else notify
        say(f"capcurve: note: {outcome.name}: {told}")
    if outcome.rows is not None and (n_left_out := outcome.rows["left_out"]):
        verb = "was" if n_left_out == 1 else "were"
        notify(
            f"capcurve: note: {outcome.name}: {n_left_out:,} of "
            f"{format_count(outcome.rows['read'], 'row')} {verb} left out"
        )
    for doubt in list_doubts(outcome.notes):
        notify(f"capcurve: note: {outcome.name}: {doubt}")
    if outcome.failures:
        alert(f"capcurve: failed: {outcome.name}: {'; '.join(outcome.failures)}")


NUMBERS = ("accuracy_ratio", "low", "high", "n_events", "n")
NO_GATES = {"gates": "", **dict.fromkeys(COUNTED, 0)}  # they stand in the first row


def list_rows(outcome: Outcome) -> list[Row]:
    """List the models of a portfolio, or its error."""
    gates = outcome.gates
    verdicts = [gate["passed"] for gate in gates]
    counts = {name: verdicts.count(verdict) for name, verdict in COUNTED.items()}
    n_skipped = counts["n_gates_skipped"]
    skipped = f", {n_skipped} skipped" if n_skipped else ""
    passed = f"{counts['n_gates_passed']} of {len(gates)} passed{skipped}"
    shared = {
        "portfolio": outcome.name,
        "gates": passed if gates else "",
        **counts,
        "status": outcome.status,
        "error": outcome.error or "",
        "skipped": outcome.skipped or "",
    }
    if outcome.facts is None:
        return [Row({}, {**shared, "estimate": "", **dict.fromkeys(NUMBERS)})]
    sample = outcome.facts["sample"]
    return [
        Row(
            {},
            {
                **shared,
                **(NO_GATES if number else {}),
                "estimate": model["name"],
                "accuracy_ratio": model["accuracy_ratio"]["value"],
                "low": model["accuracy_ratio"]["low"],
                "high": model["accuracy_ratio"]["high"],
                "n_events": sample["n_events"],
                "n": sample["n_rows"],
            },
        )
        for number, model in enumerate(outcome.facts["models"])
    ]


def write_summaries(
    config: Config, outcomes: Sequence[Outcome], seconds: float
) -> list[Outcome]:
    """Write each summary of a run, and return those that could not be written."""
    unwritten = []
    for path in config.summaries:
        facts = make_run_facts(config.title, config.file, outcomes, path, seconds)
        try:
            write_summary(path, facts)
        except CapcurveError as problem:
            unwritten.append(Outcome(name="summary", error=str(problem)))
            tell(unwritten[-1])
        else:
            notify(f"summary written to {path}")
    return unwritten


def write_summary(path: Path, facts: dict[str, Any]) -> None:
    """Write the summary of a run as a page or as JSON."""
    if path.suffix.lower() == ".json":
        text = json.dumps(facts, indent=2, allow_nan=False) + "\n"
    else:
        try:
            text = render_run_page(facts)
        except ModuleNotFoundError as error:
            raise explain_missing_library(error) from error
    make_folder(path)
    write_whole(path, partial(write_text, text=text))
