"""The ``capcurve`` command: parse, call public functions, print; no arithmetic."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import click

from capcurve import __version__, _output, files
from capcurve._curve_display import CurveDisplay
from capcurve._drawing import new_figure
from capcurve._input import read_columns
from capcurve._precision import FEW_EVENTS
from capcurve._progress import shown
from capcurve._ranked_bins import is_large, read_ranked_bins, shares_of
from capcurve._report.content import facts_of
from capcurve._report.files import Wishes, material_of, material_of_portfolio
from capcurve._request import Ranked, RankedRows, Request, read_ranked
from capcurve._rows import (
    Limit,
    gains_rows,
    initial_rows,
    judged,
    names_of_few,
    pair_rows,
    score_rows,
)
from capcurve.datasets import make_portfolio
from capcurve.display import CAPCurveDisplay, LiftCurveDisplay
from capcurve.exceptions import CapcurveError, MissingDependencyError
from capcurve.reports import Report, ending_of
from capcurve.table import Bands

PICTURES = (".png", ".svg", ".pdf")
BANDS = click.Choice(["pointwise", "simultaneous"])

Command = Callable[..., None]


def request_options(command: Command) -> Command:
    """Add the options of `Request` to a command."""
    options = (
        click.argument("file"),
        click.option("--truth", required=True, help="Column of the outcome."),
        click.option(
            "--estimate",
            required=True,
            multiple=True,
            help="Column of a score; repeatable.",
        ),
        click.option("--by", multiple=True, help="Column to group by; repeatable."),
        click.option(
            "--weight", help="Column of weights; for intervals, sampling weights."
        ),
        click.option("--pos-label", help="Value of the outcome that is the event."),
        click.option(
            "--target-type",
            type=click.Choice(["auto", "binary", "continuous"]),
            default="auto",
            help="Whether the outcome is an event or an amount.",
        ),
        click.option("--ascending", is_flag=True, help="Rank low scores first."),
        click.option("--na", multiple=True, help="A further text for a missing value."),
        click.option("--decimal-comma", is_flag=True, help="Numbers are written 0,5."),
        click.option("--table", help="Table of a SQLite or DuckDB file."),
        click.option("--query", help="Select from it first; other files are `data`."),
        click.option("--quiet", is_flag=True, help="No progress bar."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def scale_options(command: Command) -> Command:
    """Add the options for files beyond memory."""
    options = (
        click.option(
            "--memory-limit",
            metavar="SIZE",
            help="Leave rows to DuckDB, which spills to disk beyond, such as 2GB.",
        ),
        click.option(
            "--approx", is_flag=True, help="One scan; adds limits that hold for certain."
        ),
        click.option("--verbose", is_flag=True, help="Say how the numbers were made."),
    )
    for option in reversed(options):
        command = option(command)
    return command


format_option = click.option(
    "--format",
    "form",
    type=click.Choice(_output.FORMATS),
    default="text",
    help="How to print.",
)


confidence_option = click.option(
    "--confidence",
    type=float,
    default=0.95,
    show_default=True,
    help="Share of intervals that hold the true number.",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="capcurve")
def capcurve() -> None:
    """Cumulative accuracy profiles and the accuracy ratio.

    Data go to stdout and messages to stderr. Exit code 1: a limit failed; 2: usage or
    input.
    """


@capcurve.command()
@click.option(
    "--output-dir",
    type=click.Path(file_okay=False, path_type=Path),
    default=".",
    help="Folder for the picture.",
)
@format_option
def demo(output_dir: Path, form: str) -> None:
    """Score a generated loan portfolio and draw its curve.

    Example: capcurve demo
    """
    loans = make_portfolio()
    columns = read_columns(loans["default"], loans["champion_pd"])
    ranked = [RankedRows({}, "champion_pd", None, columns)]
    say(f"{len(loans['default']):,} generated loans, ranked by champion_pd")
    click.echo(_output.render(score_rows(ranked, 0.95), form))
    say("gains table in ten bands")
    click.echo(_output.render(gains_rows(ranked, 10), form))
    output_dir.mkdir(parents=True, exist_ok=True)
    picture = output_dir / "cap.png"
    draw(ranked, picture, mark=(0.1, 0.5), band="pointwise")
    say(f"picture in {picture.resolve()}")
    page = output_dir / "report.html"
    try:
        Report(facts_of(material_of_portfolio(loans))).write(page)
    except MissingDependencyError as error:
        say(f"capcurve: note: no report: {error}")
    else:
        say(f"report in {page.resolve()}")


@capcurve.command()
@request_options
@scale_options
@confidence_option
@click.option("--fail-below", type=float, help="Exit code 1 if an AR is below.")
@click.option(
    "--fail-on-lower-bound", is_flag=True, help="Hold the lower limit against it."
)
@format_option
def score(
    form: str,
    confidence: float,
    fail_below: float | None,
    *,
    fail_on_lower_bound: bool,
    **options: Any,
) -> None:
    """Print AR with its interval, KS, capture and lift, a row for each estimate.

    Of more than two outcomes with an estimate named after each: a row per level, and
    their macro and weighted averages.

    Example: capcurve score loans.csv --truth default --estimate pd
    """
    if fail_on_lower_bound and fail_below is None:
        raise CapcurveError("--fail-on-lower-bound needs --fail-below")
    ranked = read(options, shares_of(None))
    rows = score_rows(ranked, confidence)
    failed: list[str] = []
    if fail_below is not None:
        limit = Limit(fail_below, "low" if fail_on_lower_bound else "accuracy_ratio")
        rows, failed = judged(rows, limit)
    click.echo(_output.render(rows, form), nl=False)
    if few := names_of_few(ranked):
        say(
            f"capcurve: note: fewer than {FEW_EVENTS} events or non-events, so that the "
            f"interval may hold the true AR less often than it says: {'; '.join(few)}"
        )
    if failed:
        raise LimitFailedError("; ".join(failed))


class LimitFailedError(click.ClickException):
    """A number is beyond the limit that was set for it."""


@capcurve.command()
@request_options
@confidence_option
@click.option(
    "--initial-auc",
    type=float,
    help="AUC at initial validation: test each estimate against it, as the ECB asks.",
)
@click.option(
    "--initial-variance", type=float, help="Its variance; adds the two-sample test."
)
@format_option
def compare(
    form: str,
    confidence: float,
    initial_auc: float | None,
    initial_variance: float | None,
    **options: Any,
) -> None:
    """Test whether estimates have the same AR, a row for each pair.

    Example: capcurve compare loans.csv --truth default --estimate new --estimate old
    """
    if initial_auc is None and initial_variance is not None:
        raise CapcurveError("--initial-variance needs --initial-auc")
    if initial_auc is None and len(options["estimate"]) == 1:
        raise CapcurveError("compare takes two --estimate, or one and --initial-auc")
    ranked = read_ranked(Request(**options), say)
    if initial_auc is None:
        rows = pair_rows(ranked, confidence)
    else:
        rows = initial_rows(ranked, initial_auc, initial_variance, confidence)
    click.echo(_output.render(rows, form), nl=False)


@capcurve.command()
@request_options
@scale_options
@click.option(
    "--bands",
    default="10",
    help="Number of bands, shares such as 0.01,0.05,0.1, or scores.",
)
@format_option
def table(bands: str, form: str, **options: Any) -> None:
    """Print the gains table, a row for each band of the ranking.

    Example: capcurve table loans.csv --truth default --estimate pd --bands scores
    """
    cut = parse_bands(bands)
    rows = gains_rows(read(options, shares_of(cut)), cut)
    click.echo(_output.render(rows, form), nl=False)


@capcurve.command()
@request_options
@scale_options
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="Picture to write: .png, .svg or .pdf.",
)
@click.option("--mark", type=float, multiple=True, help="Share to read off, such as 0.5.")
@click.option("--shade", is_flag=True, help="Fill between random and perfect.")
@click.option("--lift", is_flag=True, help="Draw lift instead.")
@click.option("--band", type=BANDS, help="Fill the 95 % confidence band of each curve.")
@click.option("--random-band", type=BANDS, help="Fill where a useless score would stay.")
def plot(
    output: Path,
    mark: tuple[float, ...],
    *,
    shade: bool,
    lift: bool,
    band: str | None,
    random_band: str | None,
    **options: Any,
) -> None:
    """Draw a curve for each estimate, with the random and the perfect line.

    Example: capcurve plot loans.csv --truth default --estimate pd -o cap.png
    """
    if output.suffix.lower() not in PICTURES:
        raise CapcurveError(
            f"--output must end in {', '.join(PICTURES)}, got {str(output)!r}"
        )
    refuse_no_folder(output)
    ranked = read(options, mark)
    with shown(lambda: -1.0, "drawing the picture", enabled=not options["quiet"]):
        draw(
            ranked,
            output,
            kind=LiftCurveDisplay if lift else CAPCurveDisplay,
            mark=mark,
            shade=shade,
            band=band,
            random_band=random_band,
        )
    say(f"picture in {output}")


def read(options: dict[str, Any], shares: Sequence[float]) -> Sequence[Ranked]:
    """Read a file into memory, or leave its rows to an engine."""
    verbose = options.pop("verbose")
    request = Request(**options)
    with told() if verbose else nullcontext():
        if is_large(request):
            return read_ranked_bins(request, say, shares)
        ranked = read_ranked(request, say)
    if verbose:
        n_rows = len(ranked[0].columns.target)
        say(f"capcurve: plan memory: {n_rows:,} rows ranked here")
    return ranked


@contextmanager
def told() -> Iterator[None]:
    """Say what the library logs."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("capcurve: %(message)s"))
    log = logging.getLogger("capcurve")
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(logging.NOTSET)


@capcurve.command()
@request_options
@click.option("--compare", multiple=True, help="Column of a challenger; repeatable.")
@click.option("--period", help="Column of dates or periods, for the trend.")
@confidence_option
@click.option("--bands", default="10", help="Of the gains table, as in `table`.")
@click.option("--initial-auc", type=float, help="AUC at initial validation.")
@click.option("--initial-variance", type=float, help="Its variance.")
@click.option("--title", help="Title of the report.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write: .html, .json, .xlsx or .pdf.",
)
@click.option(
    "--format", "form", type=click.Choice(["json"]), help="Print JSON instead of a file."
)
def report(
    compare: tuple[str, ...],
    *,
    period: str | None,
    confidence: float,
    bands: str,
    initial_auc: float | None,
    initial_variance: float | None,
    title: str | None,
    output: Path | None,
    form: str | None,
    **options: Any,
) -> None:
    """Write a report to file: one page of HTML, JSON, Excel or PDF.

    Example: capcurve report loans.csv --truth default --estimate pd -o report.html
    """
    if (output is None) == (form is None):
        raise CapcurveError("report takes either -o FILE or --format json")
    if output is not None:
        ending_of(output)
        refuse_no_folder(output)
    options["estimate"] = tuple(dict.fromkeys((*options["estimate"], *compare)))
    wishes = Wishes(
        period, confidence, parse_bands(bands), initial_auc, initial_variance, title
    )
    material = material_of(Request(**options), wishes, say)
    with shown(lambda: -1.0, "writing the report", enabled=not options["quiet"]):
        found = Report(facts_of(material))
        if output is not None:
            found.write(output)
    if output is None:
        click.echo(found.to_json(), nl=False)
        return
    say(f"report in {output}")


def refuse_no_folder(output: Path) -> None:
    """Refuse to write where there is no folder, before any work is done."""
    if not output.parent.is_dir():
        raise CapcurveError(f"--output: there is no folder {str(output.parent)!r}")


def say(message: str) -> None:
    """Print a message where data do not go."""
    click.echo(message, err=True)


def parse_bands(text: str) -> Bands:
    """Read a number of bands, a list of shares, or the word for one band per score."""
    if text == "scores":
        return "scores"
    try:
        return int(text) if text.isdigit() else [float(share) for share in text.split(",")]
    except ValueError:
        raise CapcurveError(
            "--bands must be a number, shares such as 0.01,0.05,0.1, or scores, got "
            f"{text!r}"
        ) from None


def draw(
    ranked: Sequence[Ranked],
    path: Path,
    *,
    kind: type[CurveDisplay] = CAPCurveDisplay,
    **options: Any,
) -> None:
    """Draw curves on one axes and write the picture."""
    figure = new_figure()
    axes = figure.subplots()
    for one in ranked:
        if one.curve is not None:
            kind(one.curve, name=", ".join(one.keys.values())).plot(axes, **options)
    files.write_whole(path, lambda draft: figure.savefig(draft, dpi=150))
