"""The commands ``capcurve sketch``: make, merge and read sketches of files."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from capcurve._cli.options import (
    DRAWING_OPTIONS,
    FILE_OPTIONS,
    INITIAL_OPTIONS,
    add_options,
    bands_option,
    confidence_option,
    format_option,
    parse_bands,
)
from capcurve._cli.pictures import choose_kind, draw_picture_of
from capcurve._cli.request import FileOptions
from capcurve._cli.rows import (
    GAINS_COLUMNS,
    Row,
    as_whole_number,
    make_gains_rows,
    name_first,
)
from capcurve._cli.sketch_files import (
    STDOUT,
    count_single_rows,
    make_file_sketch,
    merge_sketches,
    read_sketch_files,
    write_sketch_file,
)
from capcurve._cli.streams import notify, notify_warnings, print_result
from capcurve._cli.tables import print_rows
from capcurve._curve.sketch import CapSketch
from capcurve._inference.options import IntervalOptions, check_confidence_level
from capcurve._inference.reliability import explain_few_events, warn_few_in_intervals
from capcurve._input.options import check_fraction
from capcurve._report.report import find_report_ending, report
from capcurve._report.scored import ScoredBins
from capcurve._report.writing import find_target
from capcurve._tally.bins import Bounded
from capcurve.exceptions import CapcurveError

DEFAULT_BINS = 65_536
USUAL_SHARES = (0.1, 0.5)
STATISTIC_COLUMNS = (
    *("sketch", "statistic", "population_share", "value"),
    *("lower", "upper", "low", "high"),
)
# Options of files that concern what bins do not hold.
NOT_HELD = ("by", "counts", "events", "cluster", "order")

sketches_argument = click.argument("sketches", nargs=-1, required=True, metavar="SKETCH...")
one_sketch_argument = click.argument("path", metavar="SKETCH")
output_option = click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    help="Sketch to write, such as a.sketch; - is stdout.",
)


@click.group()
def sketch() -> None:
    """Make, merge and read sketches: files of bins instead of rows.

    A sketch holds one score and its outcome as counts and sums by bin of the score. All
    statistics have guaranteed bounds; sketches of parts are merged to that of the whole.
    """


@sketch.command()
@add_options(FILE_OPTIONS)
@click.option(
    "--memory-limit",
    metavar="SIZE",
    help="Let DuckDB use at most this much memory (e.g. 2GB).",
)
@click.option(
    "--max-bins",
    type=int,
    default=DEFAULT_BINS,
    metavar="N",
    help=f"Largest number of bins (default {DEFAULT_BINS:,}); fewer widen the bounds.",
)
@output_option
def make(output: str, max_bins: int, **options: Any) -> None:
    """Make a sketch of a file of any size, of which one batch is in memory at a time.

    Example: capcurve sketch make loans.csv --truth default --estimate pd -o loans.sketch
    """
    check_output(output)
    if options["truth"] is None:
        raise CapcurveError("sketch make requires --truth, which was not given; add it")
    if len(options["estimate"]) > 1:
        raise CapcurveError(
            f"a sketch holds one score, got {len(options['estimate'])}; make a sketch for "
            "each --estimate"
        )
    missing = dict.fromkeys(NOT_HELD) | {"by": ()}
    made = make_file_sketch(FileOptions(**(missing | options)), max_bins, notify)
    write_sketch_file(made, output)
    tell_what_was_written(made, output)


make.params = [each for each in make.params if each.name not in NOT_HELD]


def check_output(output: str) -> None:
    """Raise if no sketch can be written there."""
    if output != STDOUT:
        find_target(Path(output), "--output")


def tell_what_was_written(made: CapSketch, output: str) -> None:
    """Print the size of a sketch, and how many rows can be read from it."""
    rows, bins = made.n_rows, len(made.curve.by_score)
    place = "stdout" if output == STDOUT else output
    notify(f"sketch of {rows:,} rows in {bins:,} bins written to {place}")
    if alone := count_single_rows(made):
        notify(
            f"capcurve: note: {alone:,} of the bins hold a single row, whose score and "
            "outcome can be read from the sketch; --max-bins makes bins coarser"
        )


@sketch.command()
@sketches_argument
@output_option
def merge(sketches: tuple[str, ...], output: str) -> None:
    """Merge sketches of parts to that of all rows, the same bit for bit.

    With weights or amounts that are no whole numbers, sums may differ in the last digit.

    Example: capcurve sketch merge monday.sketch tuesday.sketch -o week.sketch
    """
    check_output(output)
    found = read_sketch_files(sketches)
    merged = merge_sketches(found)
    write_sketch_file(merged, output)
    place = "stdout" if output == STDOUT else output
    notify(
        f"{len(found)} sketches merged: {merged.n_rows:,} rows in "
        f"{len(merged.curve.by_score):,} bins written to {place}"
    )


@sketch.command()
@sketches_argument
@click.option(
    "--share",
    type=float,
    multiple=True,
    metavar="SHARE",
    help="Population share of a capture rate; repeatable (default 0.1 and 0.5).",
)
@confidence_option
@format_option
def show(
    sketches: tuple[str, ...], share: tuple[float, ...], confidence: float, form: str
) -> None:
    """Print AR, KS and capture rates with guaranteed bounds, a row for each.

    lower and upper contain the exact number of these rows; low and high are confidence
    limits, of AR of events without weights.

    Example: capcurve sketch show week.sketch
    """
    check_confidence_level(confidence)
    for each in share:
        check_fraction(each, "share")
    found = read_sketch_files(sketches)
    with notify_warnings():
        rows = make_statistic_rows(found, share or USUAL_SHARES, confidence)
        print_rows(rows, STATISTIC_COLUMNS, form)


def make_statistic_rows(
    sketches: Mapping[str, CapSketch], shares: Sequence[float], confidence: float
) -> list[Row]:
    """List the statistics of each sketch, with bounds; None where they are undefined."""
    rows, few = [], []
    for name, scored in score_sketches(sketches).items():
        bins = scored.binned.by_score
        limits: dict[str, Any] = {"low": None, "high": None}
        bounds: dict[tuple[str, float | None], Bounded | None] = {
            ("accuracy_ratio", None): None,
            ("ks", None): None,
            **{("capture_rate", share): None for share in shares},
        }
        if scored.curve is not None:
            bounds = {
                key: bound_statistic(scored, statistic=key[0], share=key[1])
                for key in bounds
            }
            estimate = scored.estimate_ratio(IntervalOptions(confidence))
            limits = {"low": estimate.low, "high": estimate.high}
            few += [name] * bool(scored.is_counted and explain_few_events(estimate))
        totals = float(bins.weight.sum()), float(bins.target.sum())
        rows += [
            Row(
                {},
                {"sketch": name, "statistic": statistic, "population_share": share}
                | list_bounds(bounded)
                | (limits if statistic == "accuracy_ratio" else {}),
            )
            for (statistic, share), bounded in bounds.items()
        ]
        rows += [
            Row({}, {"sketch": name, "statistic": statistic, "value": value})
            for statistic, value in (
                ("n", as_whole_number(totals[0])),
                ("n_events", as_whole_number(totals[1])),
                ("n_bins", len(bins)),
            )
        ]
    warn_few_in_intervals(name_first(few))
    return rows


def bound_statistic(scored: ScoredBins, *, statistic: str, share: float | None) -> Bounded:
    """Return a statistic of a sketch with its guaranteed bounds."""
    if share is not None:
        return scored.binned.capture_rate_at(share)
    return scored.binned.ks if statistic == "ks" else scored.binned.accuracy_ratio


def list_bounds(bounded: Bounded | None) -> dict[str, float | None]:
    """Name a number and its guaranteed bounds; all are None if it is undefined."""
    names = ("value", "lower", "upper")
    return dict(zip(names, bounded or (None, None, None), strict=True))


def score_sketches(sketches: Mapping[str, CapSketch]) -> dict[str, ScoredBins]:
    """Take sketches as scored bins; print which have no curve or no interval."""
    found = {
        name: ScoredBins({}, name, None, each.curve) for name, each in sketches.items()
    }
    undefined = [name for name, scored in found.items() if scored.curve is None]
    if undefined:
        notify(
            "capcurve: note: undefined because all outcomes are equal: "
            f"{name_first(undefined)}"
        )
    bare = [
        name for name, scored in found.items() if scored.curve and not scored.is_counted
    ]
    if bare:
        notify(
            "capcurve: note: no interval: for amounts or weighted rows it requires the "
            f"individual rows: {name_first(bare)}"
        )
    return found


def require_curves(sketches: Mapping[str, CapSketch]) -> list[ScoredBins]:
    """Return scored bins of sketches; raise if some have no curve."""
    found = list(score_sketches(sketches).values())
    undefined = [scored.estimate for scored in found if scored.curve is None]
    if undefined:
        raise CapcurveError(
            f"the CAP curve requires outcomes that differ, got {undefined[0]}, in which "
            "all are equal; merge it with other sketches, or leave it out"
        )
    return found


@sketch.command()
@sketches_argument
@bands_option
@format_option
def table(sketches: tuple[str, ...], bands: str, form: str) -> None:
    """Print the gains table, with guaranteed bounds of the capture rate.

    Example: capcurve sketch table week.sketch --bands 0.01,0.05,0.1
    """
    spec = parse_bands(bands)
    scored = require_curves(read_sketch_files(sketches))
    print_rows(make_gains_rows(scored, spec), GAINS_COLUMNS, form)


@sketch.command()
@sketches_argument
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="Picture to write: .png, .svg or .pdf.",
)
@add_options(DRAWING_OPTIONS)
def plot(
    sketches: tuple[str, ...], output: Path, kind: str | None, *, lift: bool, **options: Any
) -> None:
    """Draw the curves of sketches in one picture, with their guaranteed bounds.

    Example: capcurve sketch plot week.sketch -o week.png
    """
    find_target(output, "--output")
    drawing = {name: options[name] for name in ("mark", "shade", "band", "random_band")}
    drawing["bands"] = None if options["bands"] is None else parse_bands(options["bands"])
    drawing["confidence_level"] = options["confidence"]
    chosen = choose_kind(kind, drawing, lift=lift)
    scored = require_curves(read_sketch_files(sketches))
    draw_picture_of(scored, output, chosen, **drawing)
    notify(f"picture written to {output}")


plot.params = [each for each in plot.params if each.name != "confidence"]


@sketch.command(name="report")
@one_sketch_argument
@confidence_option
@bands_option
@add_options(INITIAL_OPTIONS)
@click.option("--title", metavar="TEXT", help="Title of the report.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write: .html, .json, .xlsx or .pdf. Without it JSON goes to stdout.",
)
def write_report(
    path: str,
    confidence: float,
    bands: str,
    title: str | None,
    output: Path | None,
    **initial: float | None,
) -> None:
    """Write a validation report of a sketch, without challengers, segments and trend.

    Example: capcurve sketch report week.sketch -o week.html
    """
    if output is not None:
        find_report_ending(output)
        find_target(output, "--output")
    found = read_sketch_files([path])
    ((name, held),) = found.items()
    require_curves(found)
    with notify_warnings():
        made = report(
            held,
            None,
            name,
            title=title or name,
            bands=parse_bands(bands),
            confidence_level=confidence,
            **initial,
        )
        if output is not None:
            made.write(output)
    if output is None:
        print_result(made.to_json())
        return
    notify(f"report written to {output}")
