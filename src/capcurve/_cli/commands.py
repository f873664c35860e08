"""The ``capcurve`` command and its subcommands."""

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

from capcurve._cli.change import change, reference
from capcurve._cli.compare import compare
from capcurve._cli.cut_offs import cut_offs
from capcurve._cli.implied import implied
from capcurve._cli.invocation import describe_invocation
from capcurve._cli.options import (
    DRAWING_OPTIONS,
    FILE_OPTIONS,
    INITIAL_OPTIONS,
    SCALE_OPTIONS,
    THRESHOLD_OPTIONS,
    add_options,
    bands_option,
    confidence_option,
    format_option,
    limits_option,
    parse_bands,
)
from capcurve._cli.out_of_core import is_out_of_core, list_shares, read_scored_bins
from capcurve._cli.pictures import choose_kind, draw_picture_of
from capcurve._cli.plan import plan
from capcurve._cli.report_input import make_portfolio_input, read_file_input
from capcurve._cli.report_options import REPORT_OPTIONS, make_report_options
from capcurve._cli.request import FileOptions, read_scored_rows
from capcurve._cli.rows import (
    GAINS_COLUMNS,
    SCORE_COLUMNS,
    Threshold,
    apply_threshold,
    make_gains_rows,
    make_score_rows,
)
from capcurve._cli.segments import segments
from capcurve._cli.sketch import sketch
from capcurve._cli.streams import (
    log_to_stderr,
    notify,
    notify_warnings,
    print_result,
)
from capcurve._cli.tables import print_rows
from capcurve._files.progress import show_progress
from capcurve._input.reading import read_columns
from capcurve._report.facts import make_facts
from capcurve._report.report import Report, find_report_ending
from capcurve._report.scored import ScoredBins, ScoredGroup, ScoredRows
from capcurve._report.writing import find_target
from capcurve.datasets import make_portfolio
from capcurve.exceptions import CapcurveError, MissingDependencyError

PICTURE_ENDINGS = (".png", ".svg", ".pdf")


@click.group(
    context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True
)
@click.version_option(package_name="capcurve", prog_name="capcurve")
@click.pass_context
def capcurve(context: click.Context) -> None:
    """Cumulative accuracy profiles (CAP curves) and the accuracy ratio (AR, Gini).

    Results go to stdout, messages to stderr. Exit code 1: an AR is below --fail-below;
    2: wrong usage or input.
    """
    if context.invoked_subcommand is None:
        print_result(f"{context.get_help()}\n")


for command in (change, compare, cut_offs, implied, plan, reference, segments, sketch):
    capcurve.add_command(command)


@capcurve.command()
@click.option(
    "--output-dir",
    type=click.Path(file_okay=False, path_type=Path),
    default=".",
    metavar="FOLDER",
    help="Folder to write the picture and the report to.",
)
@format_option
def demo(output_dir: Path, form: str) -> None:
    """Score a generated loan portfolio; write a picture and a report.

    Example: capcurve demo
    """
    loans = make_portfolio()
    columns = read_columns(loans["default"], loans["champion_pd"])
    scored_groups = [ScoredRows({}, "champion_pd", None, columns)]
    notify(f"{len(loans['default']):,} generated loans, ranked by champion_pd")
    print_rows(make_score_rows(scored_groups, 0.95), SCORE_COLUMNS, form)
    print_result("\n")
    notify("gains table in ten bands")
    print_rows(make_gains_rows(scored_groups, 10), GAINS_COLUMNS, form)
    output_dir.mkdir(parents=True, exist_ok=True)
    picture = output_dir / "cap.png"
    draw_picture_of(scored_groups, picture, mark=(0.1, 0.5), band="pointwise")
    notify(f"picture written to {picture.resolve()}")
    page = output_dir / "report.html"
    try:
        Report(make_facts(make_portfolio_input(loans))).write(page)
    except MissingDependencyError as error:
        notify(f"capcurve: note: no report written: {error}")
    else:
        notify(f"report written to {page.resolve()}")


@capcurve.command()
@add_options(FILE_OPTIONS)
@add_options(SCALE_OPTIONS)
@confidence_option
@add_options(THRESHOLD_OPTIONS)
@format_option
def score(
    form: str,
    confidence: float,
    fail_below: float | None,
    *,
    fail_on_lower_bound: bool,
    **options: Any,
) -> None:
    """Print AR with its interval, KS and capture rates, a row for each score.

    If a score column is named after each of several class labels: a row for each label,
    and their macro and weighted averages.

    Example: capcurve score loans.csv --truth default --estimate pd
    """
    if fail_below is not None and not -1 <= fail_below <= 1:
        raise CapcurveError(
            f"--fail-below must be an AR from -1 to 1, got {fail_below:g}; 45 % is 0.45"
        )
    if fail_on_lower_bound and fail_below is None:
        raise CapcurveError(
            "--fail-on-lower-bound requires --fail-below, which was not given; add "
            "--fail-below AR"
        )
    scored_groups = read_scored_groups(options, list_shares(None))
    failed: list[str] = []
    with notify_warnings():
        rows = make_score_rows(scored_groups, confidence)
        if fail_below is not None:
            threshold = Threshold(
                fail_below, "low" if fail_on_lower_bound else "accuracy_ratio"
            )
            rows, failed = apply_threshold(rows, threshold)
        print_rows(rows, SCORE_COLUMNS, form)
    if failed:
        raise LimitFailedError("; ".join(failed))


class LimitFailedError(click.ClickException):
    """An AR is below ``--fail-below``."""


@capcurve.command()
@add_options(FILE_OPTIONS)
@add_options(SCALE_OPTIONS)
@bands_option
@limits_option
@format_option
def table(bands: str, confidence: float | None, form: str, **options: Any) -> None:
    """Print the gains table, a row for each band of the ranked rows.

    Example: capcurve table loans.csv --truth default --estimate pd --bands scores
    """
    if confidence is None:
        refuse_clusters(options["cluster"], "table without --confidence")
    band_spec = parse_bands(bands)
    scored_groups = read_scored_groups(options, list_shares(band_spec))
    with notify_warnings():
        rows = make_gains_rows(scored_groups, band_spec, confidence)
        print_rows(rows, GAINS_COLUMNS, form)


@capcurve.command()
@add_options(FILE_OPTIONS)
@add_options(SCALE_OPTIONS)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="Picture to write: .png, .svg or .pdf.",
)
@add_options(DRAWING_OPTIONS)
def plot(output: Path, kind: str | None, *, lift: bool, **options: Any) -> None:
    """Draw CAP curves, more than 20 side by side, or another kind of picture.

    Example: capcurve plot loans.csv --truth default --estimate pd -o cap.png
    """
    if output.suffix.lower() not in PICTURE_ENDINGS:
        raise CapcurveError(
            f"--output must end in {', '.join(PICTURE_ENDINGS)}, got {str(output)!r}"
        )
    find_target(output, "--output")
    refuse_clusters(options["cluster"], "plot")
    drawing = {name: options.pop(name) for name in ("mark", "shade", "band", "random_band")}
    bands, drawing["confidence_level"] = options.pop("bands"), options.pop("confidence")
    drawing["bands"] = None if bands is None else parse_bands(bands)
    chosen = choose_kind(kind, drawing, lift=lift)
    shares = drawing["mark"]
    if chosen in {"gains", "summary"}:
        shares = (*shares, *list_shares(drawing["bands"] or 10))
    scored_groups = read_scored_groups(options, shares)
    if drawing["confidence_level"] and any(
        isinstance(scored, ScoredBins) for scored in scored_groups
    ):
        raise CapcurveError(
            "--confidence requires the rows in memory, got a file that is processed in "
            "DuckDB; leave it out, or --memory-limit and --approx"
        )
    with show_progress(lambda: -1.0, "drawing the picture", enabled=not options["quiet"]):
        draw_picture_of(scored_groups, output, chosen, **drawing)
    notify(f"picture written to {output}")


def refuse_clusters(cluster: str | None, command: str) -> None:
    """Raise for a command whose bands and numbers do not allow for dependent rows."""
    if cluster is not None:
        raise CapcurveError(
            "--cluster requires intervals or tests of dependent rows, as of score, "
            f"compare, report and table --confidence, got {command}; leave it out if rows "
            "are independent"
        )


def read_scored_groups(
    options: dict[str, Any], shares: Sequence[float]
) -> Sequence[ScoredGroup]:
    """Rank the rows of a file in memory, or let DuckDB bin them if they are too many.

    The curves of binned rows are exact at the given population shares.
    """
    verbose = options.pop("verbose")
    file_options = FileOptions(**options)
    with log_to_stderr() if verbose else nullcontext():
        if is_out_of_core(file_options):
            return read_scored_bins(file_options, notify, shares)
        scored_groups = read_scored_rows(file_options, notify)
    if verbose:
        n_rows = len(scored_groups[0].columns.target)
        notify(f"capcurve: plan memory: {n_rows:,} rows ranked in memory")
    return scored_groups


@capcurve.command()
@add_options(FILE_OPTIONS)
@add_options(REPORT_OPTIONS)
@confidence_option
@bands_option
@add_options(INITIAL_OPTIONS)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write: .html, .json, .xlsx or .pdf.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["json"]),
    help="Print JSON instead of writing a file.",
)
@click.pass_context
def report(
    context: click.Context, output: Path | None, form: str | None, **options: Any
) -> None:
    """Write a validation report as HTML, JSON, Excel or PDF.

    Reads all rows into memory.

    Example: capcurve report loans.csv --truth default --estimate pd -o report.html
    """
    if (output is None) == (form is None):
        given = "neither" if output is None else "both"
        raise CapcurveError(
            f"report requires either -o FILE or --format json, got {given}; pass one of "
            "the two"
        )
    if output is not None:
        find_report_ending(output)
        find_target(output, "--output")
    file_options = take_file_options(options)
    outcome = file_options.truth or file_options.events
    report_options = make_report_options(
        options, f"{file_options.estimate[0]} against {outcome}"
    )
    report_input = read_file_input(
        file_options, report_options, notify, describe_invocation(context)
    )
    with (
        notify_warnings(),
        show_progress(lambda: -1.0, "writing the report", enabled=not file_options.quiet),
    ):
        made = Report(make_facts(report_input))
        if output is not None:
            made.write(output)
    if output is None:
        print_result(made.to_json())
        return
    notify(f"report written to {output}")


def take_file_options(options: dict[str, Any]) -> FileOptions:
    """Return the options of the file, with the challengers after the champion."""
    of_file = {name: options[name] for name in FileOptions._fields if name in options}
    estimates = (*options["estimate"], *options["compare"])
    of_file["estimate"] = tuple(dict.fromkeys(estimates))
    return FileOptions(**of_file)
