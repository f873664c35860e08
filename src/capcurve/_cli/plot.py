"""The command ``capcurve plot``: pictures of curves, tables and distributions."""

from pathlib import Path
from typing import Any

import click

from capcurve._cli.help import OUTPUT, PICTURE, add_options, command, option
from capcurve._cli.options import FILE_OPTIONS, SCALE_OPTIONS, log_option, parse_bands
from capcurve._cli.out_of_core import list_shares, read_scored_groups
from capcurve._cli.pictures import choose_kind, draw_picture_of
from capcurve._cli.request import FileOptions, refuse_clusters
from capcurve._cli.streams import notify
from capcurve._files.progress import show_progress
from capcurve._report.writing import find_target
from capcurve.exceptions import CapcurveError

PICTURE_ENDINGS = (".png", ".svg", ".pdf")
BAND_KINDS = click.Choice(["pointwise", "simultaneous"])
DRAWING_OPTIONS = (
    option(
        PICTURE,
        "--kind",
        type=click.Choice(["cap", "lift", "ks", "gains", "lorenz", "summary"]),
        metavar="KIND",
        help="cap (default), lift, ks, gains, lorenz or summary.",
    ),
    option(
        PICTURE,
        "--mark",
        type=float,
        multiple=True,
        metavar="SHARE",
        help="Mark the capture rate at a population share; repeatable.",
    ),
    option(
        PICTURE, "--shade", is_flag=True, help="Shade the area between random and perfect."
    ),
    option(PICTURE, "--lift", is_flag=True, help="Short for --kind lift."),
    option(
        PICTURE,
        "--bands",
        metavar="BANDS",
        help="Bands of gains and summary, as of capcurve table.",
    ),
    option(
        PICTURE,
        "--confidence",
        type=float,
        metavar="LEVEL",
        help="Add limits to gains and summary.",
    ),
    option(
        PICTURE,
        "--band",
        type=BAND_KINDS,
        metavar="KIND",
        help="Confidence band (95 %): pointwise or simultaneous.",
    ),
    option(
        PICTURE,
        "--random-band",
        type=BAND_KINDS,
        metavar="KIND",
        help="Band of a random score: pointwise or simultaneous.",
    ),
)


@command()
@add_options(FILE_OPTIONS)
@add_options(SCALE_OPTIONS)
@add_options(DRAWING_OPTIONS)
@option(
    OUTPUT,
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="Picture to write: .png, .svg or .pdf.",
)
@log_option
def plot(
    output: Path, kind: str | None, *, lift: bool, verbose: bool, **options: Any
) -> None:
    """Draw CAP curves, more than 20 side by side, or another kind of picture.

    Example: capcurve plot loans.csv --truth default --estimate champion_pd -o cap.png
    """
    check_picture(output)
    refuse_clusters(options["cluster"], "plot")
    drawing = {name: options.pop(name) for name in ("mark", "shade", "band", "random_band")}
    bands, drawing["confidence_level"] = options.pop("bands"), options.pop("confidence")
    drawing["bands"] = None if bands is None else parse_bands(bands)
    chosen = choose_kind(kind, drawing, lift=lift)
    shares = drawing["mark"]
    if chosen in {"gains", "summary"}:
        shares = (*shares, *list_shares(drawing["bands"] or 10))
    reading = read_scored_groups(FileOptions(**options), shares, verbose=verbose)
    if drawing["confidence_level"] and not reading.has_rows:
        raise CapcurveError(
            "--confidence requires the rows in memory, got a file that is processed in "
            "DuckDB; leave it out, or --memory-limit and --approx"
        )
    with show_progress(lambda: -1.0, "drawing the picture", enabled=not options["quiet"]):
        draw_picture_of(reading.groups, output, chosen, **drawing)
    notify(f"picture written to {output}")


def check_picture(output: Path) -> None:
    """Raise unless a picture can be written there."""
    if output.suffix.lower() not in PICTURE_ENDINGS:
        raise CapcurveError(
            f"--output must end in one of {', '.join(PICTURE_ENDINGS)}, got "
            f"{str(output)!r}; choose one of them"
        )
    find_target(output, "--output")
