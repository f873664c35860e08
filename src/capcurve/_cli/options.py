"""Click options that commands share, and those of pictures and thresholds."""

from collections.abc import Callable, Sequence
from typing import get_args

import click

from capcurve._cli.output import FORMATS
from capcurve._curve.gains_table import BandSpec
from capcurve._files.text_copy import UTF_8
from capcurve._inference.options import Alternative
from capcurve.exceptions import CapcurveError

Command = Callable[..., None]
BAND_KINDS = click.Choice(["pointwise", "simultaneous"])

format_option = click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    metavar="FORMAT",
    help="Output format: text, json, csv or markdown.",
)
confidence_option = click.option(
    "--confidence",
    type=float,
    default=0.95,
    metavar="LEVEL",
    help="Confidence level of the intervals (default 0.95).",
)
limits_option = click.option(
    "--confidence",
    type=float,
    metavar="LEVEL",
    help="Add limits of response rate, capture rate and lift at this confidence level.",
)
bands_option = click.option(
    "--bands",
    default="10",
    metavar="BANDS",
    help="Bands of the gains table: their number (default 10), population shares such as "
    "0.01,0.05,0.1, or scores for one band per score.",
)
FILE_OPTIONS = (
    click.argument("file"),
    click.option(
        "--truth",
        metavar="COLUMN",
        help="Column of the outcome; required without --events.",
    ),
    click.option(
        "--estimate",
        required=True,
        multiple=True,
        metavar="COLUMN",
        help="Column of a score; may be repeated.",
    ),
    click.option(
        "--by", multiple=True, metavar="COLUMN", help="Column to group by; may be repeated."
    ),
    click.option(
        "--weight",
        metavar="COLUMN",
        help="Column of case weights, which are sampling weights.",
    ),
    click.option(
        "--counts",
        metavar="COLUMN",
        help="Column of how many equal rows each row stands for.",
    ),
    click.option(
        "--events",
        metavar="COLUMN",
        help="Column of events among --counts, instead of --truth.",
    ),
    click.option(
        "--cluster",
        metavar="COLUMN",
        help="Column of clusters of dependent rows: the borrower.",
    ),
    click.option(
        "--order",
        metavar="GRADES",
        help="Grades of a text score, the lowest first: AAA,AA,A.",
    ),
    click.option(
        "--pos-label", metavar="VALUE", help="Value of the outcome that is the event."
    ),
    click.option(
        "--target-type",
        type=click.Choice(["auto", "binary", "continuous"]),
        default="auto",
        metavar="TYPE",
        help="Outcome: auto, binary (event) or continuous (amount).",
    ),
    click.option("--ascending", is_flag=True, help="Rank low scores first."),
    click.option(
        "--na",
        multiple=True,
        metavar="TEXT",
        help="Text for a missing value in any column; repeatable. Numeric columns of text "
        "files know the usual words too: NA, n/a, NULL, #NV ... A note counts each word, "
        "but not with --query.",
    ),
    click.option(
        "--na-only",
        multiple=True,
        metavar="TEXT",
        help="As --na, instead of the usual words; repeatable.",
    ),
    click.option(
        "--decimal-comma",
        is_flag=True,
        help="Read 0,5 and 3.081,00 in a text file as numbers.",
    ),
    click.option(
        "--encoding",
        default=UTF_8,
        metavar="NAME",
        help="Encoding of a text file, such as cp1252 or utf-16.",
    ),
    click.option(
        "--table", metavar="NAME", help="Table to read from a SQLite or DuckDB file."
    ),
    click.option(
        "--query",
        metavar="SQL",
        help="One SELECT to run on the file first, which may read nothing else: no other "
        "file, no network. A file that is no database is the table `data`.",
    ),
    click.option("--quiet", is_flag=True, help="Do not show a progress bar."),
)
SCALE_OPTIONS = (
    click.option(
        "--memory-limit",
        metavar="SIZE",
        help="Process the file in DuckDB with at most this much memory (e.g. 2GB), "
        "spilling to disk.",
    ),
    click.option(
        "--approx",
        is_flag=True,
        help="Bin the scores in one or two scans of the file; adds guaranteed lower and "
        "upper bounds.",
    ),
    click.option("--verbose", is_flag=True, help="Log the execution plan."),
)
THRESHOLD_OPTIONS = (
    click.option(
        "--fail-below",
        type=float,
        metavar="AR",
        help="Exit with code 1 if an AR is below this value or undefined.",
    ),
    click.option(
        "--fail-on-lower-bound",
        is_flag=True,
        help="Compare the lower confidence limit with --fail-below instead of the AR.",
    ),
)
TEST_OPTIONS = (
    click.option(
        "--share",
        type=float,
        metavar="SHARE",
        help="Compare capture rates at a population share, not AR.",
    ),
    click.option(
        "--alternative",
        type=click.Choice(get_args(Alternative)),
        default="two-sided",
        metavar="SIDE",
        help="Test: two-sided (default), greater, less or equivalent.",
    ),
    click.option(
        "--margin",
        type=float,
        default=0.0,
        metavar="AR",
        help="Difference that does not matter, for --alternative.",
    ),
)
INITIAL_OPTIONS = (
    click.option(
        "--initial-auc",
        type=float,
        metavar="AUC",
        help="AUC at initial validation, for the ECB's test of a decrease.",
    ),
    click.option(
        "--initial-variance",
        type=float,
        metavar="VAR",
        help="Variance of the initial AUC; adds a two-sample test.",
    ),
)
DRAWING_OPTIONS = (
    click.option(
        "--kind",
        type=click.Choice(["cap", "lift", "ks", "gains", "lorenz", "summary"]),
        metavar="KIND",
        help="cap (default), lift, ks, gains, lorenz or summary.",
    ),
    click.option(
        "--mark",
        type=float,
        multiple=True,
        metavar="SHARE",
        help="Population share at which to mark the capture rate; may be repeated.",
    ),
    click.option(
        "--shade", is_flag=True, help="Shade the area between random and perfect."
    ),
    click.option("--lift", is_flag=True, help="Short for --kind lift."),
    click.option(
        "--bands",
        metavar="BANDS",
        help="Bands of gains and summary, as of capcurve table.",
    ),
    click.option(
        "--confidence",
        type=float,
        metavar="LEVEL",
        help="Add limits to gains and summary.",
    ),
    click.option(
        "--band",
        type=BAND_KINDS,
        metavar="KIND",
        help="Draw the 95 % confidence band of each curve: pointwise or simultaneous.",
    ),
    click.option(
        "--random-band",
        type=BAND_KINDS,
        metavar="KIND",
        help="Draw the 95 % band of a random score: pointwise or simultaneous.",
    ),
)


def add_options(
    options: Sequence[Callable[[Command], Command]],
) -> Callable[[Command], Command]:
    """Return a decorator that adds options to a command, in the given order."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def parse_bands(text: str) -> BandSpec:
    """Parse a number of bands, a list of population shares, or the word ``scores``."""
    if text == "scores":
        return "scores"
    try:
        return int(text) if text.isdigit() else [float(share) for share in text.split(",")]
    except ValueError:
        raise CapcurveError(
            "--bands must be a number of bands, population shares such as 0.01,0.05,0.1, "
            f"or the word scores, got {text!r}"
        ) from None
