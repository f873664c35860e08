"""The commands ``capcurve sketch``: make, merge and read sketches of files."""

from pathlib import Path
from typing import Any

import click

from capcurve._cli.answer import Answer, write_answer
from capcurve._cli.count_headings import head_masses
from capcurve._cli.file_names import FileName
from capcurve._cli.gains_rows import GAINS_COLUMNS, SCORE_HEADINGS, make_gains_rows
from capcurve._cli.help import (
    DATA,
    OUTPUT,
    STATISTICS,
    SectionedCommand,
    add_options,
    option,
)
from capcurve._cli.invocation import find_invocation
from capcurve._cli.options import (
    FILE_OPTIONS,
    INITIAL_OPTIONS,
    bands_option,
    confidence_option,
    parse_bands,
    quiet_option,
)
from capcurve._cli.output_options import STDOUT, Output, output_options
from capcurve._cli.pictures import choose_kind, draw_picture_of
from capcurve._cli.plot import DRAWING_OPTIONS, check_picture
from capcurve._cli.report import find_report_files, write_reports
from capcurve._cli.request import FileOptions
from capcurve._cli.sketch_files import (
    explain_mixed,
    list_copies,
    list_disclosures,
    list_sketches,
    make_file_sketch,
    merge_sketches,
    name_path,
    read_and_describe_sketches,
    read_sketch_files,
    write_sketch_file,
)
from capcurve._cli.sketch_rows import (
    STATISTIC_COLUMNS,
    make_statistic_rows,
    require_curves,
)
from capcurve._cli.streams import alert, notify, notify_warnings, print_result
from capcurve._cli.usage_errors import SuggestingGroup
from capcurve._curve.sketch import CapSketch
from capcurve._files.paths import has_known_ending
from capcurve._inference.options import check_confidence_level
from capcurve._inference.wording import format_count
from capcurve._input.options import check_fraction
from capcurve._report.facts import make_facts
from capcurve._report.options import ReportOptions
from capcurve._report.reading import make_binned_input
from capcurve._report.report import Report
from capcurve._report.uncounted_bins import are_weighted
from capcurve._report.writing import find_target
from capcurve.exceptions import CapcurveError

DEFAULT_BINS = 65_536
USUAL_SHARES = (0.1, 0.5)
# Options of files that concern what bins do not hold.
NOT_HELD = ("by", "counts", "events", "cluster", "order")
ONE_OF_EACH = {"truth": "Outcome.", "estimate": "Score."}

sketches_argument = click.argument(
    "sketches",
    nargs=-1,
    required=True,
    metavar="SKETCH...",
    type=FileName(),
    callback=lambda _context, _argument, paths: tuple(list_sketches(paths)),
)
output_option = option(
    OUTPUT,
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    type=FileName(),
    help="Sketch to write, such as a.sketch; - is stdout.",
)


@click.group(cls=SuggestingGroup, invoke_without_command=True)
@click.pass_context
def sketch(context: click.Context) -> None:
    """Make, merge and read sketches: files of bins instead of rows.

    A sketch holds one score and its outcome as counts and sums by bin of the score. All
    statistics have guaranteed bounds; sketches of parts are merged to that of the whole.
    """
    if context.invoked_subcommand is None:
        print_result(f"{context.get_help()}\n")


@sketch.command(cls=SectionedCommand)
@add_options(FILE_OPTIONS)
@option(
    DATA,
    "--memory-limit",
    metavar="SIZE",
    help="Memory that DuckDB may use, as 2GB.",
)
@option(
    STATISTICS,
    "--max-bins",
    type=int,
    default=DEFAULT_BINS,
    metavar="N",
    help=f"Largest number of bins (default {DEFAULT_BINS}).",
)
@output_option
def make(output: str, max_bins: int, **options: Any) -> None:
    """Make a sketch of a file of any size; of large text, with --memory-limit.

    Example: capcurve sketch make loans.csv --truth default --estimate champion_pd
    -o loans.sketch
    """
    check_output(output)
    if len(options["estimate"]) > 1:
        raise CapcurveError(
            f"a sketch holds one score, got {len(options['estimate'])}; make a sketch for "
            "each --estimate"
        )
    missing: dict[str, Any] = dict.fromkeys(NOT_HELD) | {"by": (), "ordered": ()}
    made = make_file_sketch(FileOptions(**(missing | options)), max_bins, notify)
    write_sketch_file(made, output)
    tell_what_was_written(made, output, is_weighted=options["weight"] is not None)


make.params = [each for each in make.params if each.name not in NOT_HELD]
for _parameter in make.params:
    if isinstance(_parameter, click.Option) and _parameter.name in ONE_OF_EACH:
        _parameter.help = ONE_OF_EACH[_parameter.name]
        _parameter.required = True


def check_output(output: str) -> None:
    """Raise if no sketch can be written there."""
    if output != STDOUT:
        find_target(Path(output), "--output")
        if has_known_ending(output):  # a file of rows may be there, which is replaced
            raise CapcurveError(
                f"--output must be a file for a sketch, got {output!r}, whose ending is "
                "that of a file of rows; choose another, such as .sketch"
            )


def tell_what_was_written(made: CapSketch, output: str, *, is_weighted: bool) -> None:
    """Print the size of a sketch, and what can be read from it."""
    place = "stdout" if output == STDOUT else output
    notify(f"sketch of {say_size(made)} written to {place}")
    if not made.n_rows:
        alert("capcurve: note: the sketch is empty, as no row is complete")
    for told in list_disclosures(made, is_weighted=is_weighted):
        notify(f"capcurve: note: {told}")


def say_size(made: CapSketch) -> str:
    """Say how many rows a sketch holds, in how many bins."""
    rows = format_count(made.n_rows, "row")
    return f"{rows} in {format_count(len(made.curve.by_score), 'bin')}"


@sketch.command(cls=SectionedCommand)
@sketches_argument
@output_option
@quiet_option
def merge(sketches: tuple[str, ...], output: str, **_: bool) -> None:
    """Merge sketches of parts to that of all rows, the same bit for bit.

    With weights or amounts that are no whole numbers, sums may differ in the last digit.

    Example: capcurve sketch merge monday.sketch tuesday.sketch -o week.sketch
    """
    check_output(output)
    found, counts = read_and_describe_sketches(sketches)
    merged = merge_sketches(found)
    if told := explain_mixed(found):
        alert(told)
    for path, each in zip(sketches, found.values(), strict=True):
        if not each.n_rows:  # a part of a day that is missing, perhaps
            alert(f"capcurve: note: {name_path(path)} is empty, so it adds no row")
    for told in list_copies(found, counts):
        notify(f"capcurve: note: {told}")
    write_sketch_file(merged, output)
    place = "stdout" if output == STDOUT else output
    sketches_merged = "1 sketch" if len(found) == 1 else f"{len(found)} sketches"
    notify(f"{sketches_merged} merged: {say_size(merged)} written to {place}")


@sketch.command(cls=SectionedCommand)
@sketches_argument
@option(
    STATISTICS,
    "--share",
    type=float,
    multiple=True,
    metavar="SHARE",
    help="Population share of a capture rate; repeatable (0.1, 0.5).",
)
@confidence_option
@output_options
@quiet_option
def show(
    sketches: tuple[str, ...],
    share: tuple[float, ...],
    confidence: float,
    output: Output,
    **_: bool,
) -> None:
    """Print AR, KS and capture rates with guaranteed bounds, a row for each.

    lower and upper contain the exact number of these rows; low and high are confidence
    limits, of AR of events without weights.

    Example: capcurve sketch show week.sketch
    """
    check_confidence_level(confidence)
    for each in share:
        check_fraction(each, "share")
    found, counts = read_and_describe_sketches(sketches)
    with notify_warnings():
        answer = Answer(
            command="sketch-show",
            rows=make_statistic_rows(found, share or USUAL_SHARES, confidence),
            order=STATISTIC_COLUMNS,
            counts=counts,
            confidence_level=confidence,
            method="beta",
        )
        write_answer(answer, output)


@sketch.command(cls=SectionedCommand)
@sketches_argument
@bands_option
@output_options
@quiet_option
def table(sketches: tuple[str, ...], bands: str, output: Output, **_: bool) -> None:
    """Print the gains table, with guaranteed bounds of the capture rate.

    Example: capcurve sketch table week.sketch --bands 0.01,0.05,0.1
    """
    spec = parse_bands(bands)
    found, counts = read_and_describe_sketches(sketches)
    held = require_curves(found)
    is_weighted = any(are_weighted(each.binned) for each in held)
    answer = Answer(
        command="sketch-table",
        rows=make_gains_rows(held, spec),
        order=GAINS_COLUMNS,
        counts=counts,
        headings=head_masses(held, is_weighted=is_weighted)
        | ({} if spec == "scores" else SCORE_HEADINGS),  # a bin has its ends
    )
    write_answer(answer, output)


@sketch.command(cls=SectionedCommand)
@sketches_argument
@add_options(DRAWING_OPTIONS)
@option(
    OUTPUT,
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="Picture to write: .png, .svg or .pdf.",
)
@quiet_option
def plot(
    sketches: tuple[str, ...], output: Path, kind: str | None, *, lift: bool, **options: Any
) -> None:
    """Draw the curves of sketches in one picture, with their guaranteed bounds.

    Example: capcurve sketch plot week.sketch -o week.png
    """
    check_picture(output)
    drawing = {name: options[name] for name in ("mark", "shade", "band", "random_band")}
    drawing["bands"] = None if options["bands"] is None else parse_bands(options["bands"])
    chosen = choose_kind(kind, drawing, lift=lift)
    scored = require_curves(read_sketch_files(sketches))
    draw_picture_of(scored, output, chosen, **drawing)
    notify(f"picture written to {output}")


plot.params = [each for each in plot.params if each.name != "confidence"]


@sketch.command(cls=SectionedCommand)
@click.argument("path", metavar="SKETCH", type=FileName())
@confidence_option
@bands_option
@add_options(INITIAL_OPTIONS)
@option(OUTPUT, "--title", metavar="TEXT", help="Title of the report.")
@option(
    OUTPUT,
    "-o",
    "--output",
    required=True,
    multiple=True,
    metavar="FILE",
    type=FileName(),
    help="File to write: .html, .json, .xlsx or .pdf; repeatable; - prints JSON.",
)
@quiet_option
def report(
    path: str,
    *,
    confidence: float,
    bands: str,
    title: str | None,
    output: tuple[str, ...],
    initial_auc: float | None,
    initial_variance: float | None,
    quiet: bool,
) -> None:
    """Write a validation report of a sketch, without challengers, segments and trend.

    Example: capcurve sketch report week.sketch -o week.html
    """
    paths = find_report_files(output, None)
    found, counts = read_and_describe_sketches([path])
    ((name, held),) = found.items()
    require_curves(found)
    options = ReportOptions(
        title=title or name,
        bands=parse_bands(bands),
        confidence_level=confidence,
        initial_auc=initial_auc,
        initial_variance=initial_variance,
    )
    invocation = find_invocation(click.get_current_context())
    provenance = invocation.describe_sketch(name, options) | counts.describe_origin()
    binned = make_binned_input(held.curve, name, options, provenance)
    write_reports(lambda: Report(make_facts(binned)), paths, quiet=quiet)
