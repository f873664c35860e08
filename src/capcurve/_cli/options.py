"""Options that commands share: files, the meaning of columns, and statistics."""

from typing import get_args

import click

from capcurve._cli.file_names import FileName
from capcurve._cli.help import (
    DATA,
    MEANING,
    OUTPUT,
    STATISTICS,
    column_option,
    option,
)
from capcurve._cli.table_names import TableName
from capcurve._curve.gains_table import BandSpec
from capcurve._files.text_copy import UTF_8
from capcurve._inference.options import Alternative, IntervalMethod, TestMethod
from capcurve.exceptions import CapcurveError


def refuse_negative_seed(_: click.Context, __: click.Parameter, seed: int) -> int:
    """Raise if the seed is negative, in the words of the command line."""
    if seed < 0:
        raise CapcurveError(
            f"--seed must be a whole number that is not negative, got {seed}; leave it out "
            "for 0"
        )
    return seed


MEANING_OPTIONS = (
    column_option(MEANING, "--truth", help="Outcome; required without --events."),
    column_option(
        MEANING, "--estimate", required=True, multiple=True, help="Score; repeatable."
    ),
    column_option(MEANING, "--by", multiple=True, help="Group; repeatable."),
    column_option(MEANING, "--weight", help="Case weight, which is a sampling weight."),
    column_option(MEANING, "--counts", help="How many equal rows each row stands for."),
    column_option(MEANING, "--events", help="Events among --counts, instead of --truth."),
    column_option(MEANING, "--cluster", help="Cluster of dependent rows: the borrower."),
    option(
        MEANING,
        "--order",
        metavar="GRADES",
        help="Grades of a text score, lowest first: AAA,AA,A.",
    ),
    option(
        MEANING,
        "--pos-label",
        metavar="VALUE",
        help="Value of the outcome that is the event.",
    ),
    option(
        MEANING,
        "--target-type",
        type=click.Choice(["auto", "binary", "continuous"]),
        default="auto",
        metavar="TYPE",
        help="auto, binary (events) or continuous (amounts).",
    ),
    option(MEANING, "--ascending", is_flag=True, help="Rank low scores first."),
)
DATA_OPTIONS = (
    option(
        DATA,
        "--na",
        multiple=True,
        metavar="TEXT",
        help="One more missing value: NA of labels, -9 (and -9.0).",
    ),
    option(
        DATA,
        "--na-only",
        multiple=True,
        metavar="TEXT",
        help="As --na, without the usual words; '': NA is a label.",
    ),
    option(DATA, "--decimal-comma", is_flag=True, help="Read 0,5 and 3.081,00 as numbers."),
    option(
        DATA,
        "--encoding",
        default=UTF_8,
        metavar="NAME",
        help="Encoding of a text file, such as cp1252.",
    ),
    option(
        DATA,
        "--table",
        type=TableName(),
        metavar="NAME",
        help="Table or view of a SQLite or DuckDB file.",
    ),
    option(
        DATA,
        "--query",
        metavar="SQL",
        help="One SELECT to run first; a file is the table `data`.",
    ),
)
SCALE_OPTIONS = (
    option(
        DATA,
        "--memory-limit",
        metavar="SIZE",
        help="Process in DuckDB with this much memory, as 2GB.",
    ),
    option(
        DATA,
        "--approx",
        is_flag=True,
        help="Read once or twice, with guaranteed bounds.",
    ),
)
quiet_option = option(
    OUTPUT, "--quiet", is_flag=True, help="Show no progress bar and no notes."
)
verbose_option = option(OUTPUT, "--verbose", is_flag=True, help="Show all columns.")
verbose_plan_option = option(
    OUTPUT,
    "--verbose",
    is_flag=True,
    help="Show all columns, and log how rows are ranked.",
)
log_option = option(OUTPUT, "--verbose", is_flag=True, help="Log how rows are ranked.")
FILE_OPTIONS = (
    click.argument("file", nargs=-1, required=True, type=FileName()),
    *MEANING_OPTIONS,
    *DATA_OPTIONS,
    quiet_option,
)
confidence_option = option(
    STATISTICS,
    "--confidence",
    type=float,
    default=0.95,
    metavar="LEVEL",
    help="Confidence level of intervals (default 0.95).",
)
limits_option = option(
    STATISTICS,
    "--confidence",
    type=float,
    metavar="LEVEL",
    help="Add confidence limits at this level, such as 0.95.",
)
bands_option = option(
    STATISTICS,
    "--bands",
    default="10",
    metavar="BANDS",
    help="Number (10), shares (0.01,0.1) or the word scores.",
)
METHOD_OPTIONS = (
    option(
        STATISTICS,
        "--method",
        type=click.Choice(get_args(IntervalMethod)),
        default="beta",
        metavar="NAME",
        help="Interval of AR: beta (default), logit-t, bca ...",
    ),
    option(
        STATISTICS,
        "--seed",
        type=int,
        default=0,
        callback=refuse_negative_seed,
        metavar="N",
        help="Seed of the methods bootstrap and bca (default 0).",
    ),
)
TEST_OPTIONS = (
    option(
        STATISTICS,
        "--method",
        type=click.Choice(get_args(TestMethod)),
        default="score",
        metavar="NAME",
        help="Test: score (default), delong, delong-t or eht.",
    ),
    option(
        STATISTICS,
        "--share",
        type=float,
        metavar="SHARE",
        help="Compare capture rates at a population share.",
    ),
    option(
        STATISTICS,
        "--alternative",
        type=click.Choice(get_args(Alternative)),
        default="two-sided",
        metavar="SIDE",
        help="two-sided (default), equivalent (limits: a 90 % interval at 0.95), less or "
        "greater (the first score has the higher AR; with --margin: is not worse). Name "
        "the challenger first.",
    ),
    option(
        STATISTICS,
        "--margin",
        type=float,
        default=0.0,
        metavar="AR",
        help="Difference that does not matter, for --alternative.",
    ),
)
INITIAL_OPTIONS = (
    option(
        STATISTICS,
        "--initial-auc",
        type=float,
        metavar="AUC",
        help="AUC at initial validation: adds the ECB's test.",
    ),
    option(
        STATISTICS,
        "--initial-variance",
        type=float,
        metavar="VAR",
        help="Its variance: adds a two-sample test.",
    ),
)


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
