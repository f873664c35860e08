"""Click options of ``capcurve report``, and how they become those of a report."""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

import click

from capcurve._cli.help import MEANING, OUTPUT, STATISTICS, column_option, option
from capcurve._cli.options import parse_bands
from capcurve._inference.options import Side
from capcurve._report.options import PeriodLength, PerModel, ReportOptions
from capcurve.exceptions import CapcurveError

INITIAL_PER_MODEL = (
    option(
        STATISTICS,
        "--initial-auc",
        multiple=True,
        metavar="AUC",
        help="Initial AUC of the champion; name=AUC: of a score.",
    ),
    option(
        STATISTICS,
        "--initial-variance",
        multiple=True,
        metavar="VAR",
        help="Its variance, in the same way.",
    ),
)
REPORT_OPTIONS = (
    column_option(
        MEANING, "--compare", multiple=True, help="Score of a challenger; repeatable."
    ),
    column_option(MEANING, "--period", help="Date or period, for the trend."),
    column_option(
        MEANING,
        "--implied",
        multiple=True,
        help="Column of PDs: adds the AR they imply; repeatable.",
    ),
    option(
        STATISTICS,
        "--implied-side",
        type=click.Choice(get_args(Side)),
        default="two-sided",
        metavar="WORD",
        help="Test for --implied: two-sided, less or greater.",
    ),
    option(
        STATISTICS,
        "--period-by",
        type=click.Choice(get_args(PeriodLength)),
        metavar="LENGTH",
        help="Cut dates of --period to month, quarter or year.",
    ),
    *INITIAL_PER_MODEL,
    option(
        STATISTICS,
        "--green",
        type=float,
        metavar="AR",
        help="AR from which the finding on it is green.",
    ),
    option(
        STATISTICS,
        "--amber",
        type=float,
        metavar="AR",
        help="AR from which it is amber; red below.",
    ),
    option(
        OUTPUT,
        "--meta",
        multiple=True,
        metavar="NAME=TEXT",
        help='Line at the head, as "model id=PD-7"; repeatable.',
    ),
    option(
        OUTPUT,
        "--limitation",
        multiple=True,
        metavar="TEXT",
        help="One more limitation to list; repeatable.",
    ),
    option(OUTPUT, "--title", metavar="TEXT", help="Title of the report."),
)


def make_report_options(given: Mapping[str, Any], title: str) -> ReportOptions:
    """Make the options of a report from the values of command-line options."""
    return ReportOptions(
        title=given["title"] or title,
        period=given["period"],
        period_by=given["period_by"],
        bands=parse_bands(given["bands"]),
        confidence_level=given["confidence"],
        initial_auc=parse_per_model("--initial-auc", given["initial_auc"]),
        initial_variance=parse_per_model("--initial-variance", given["initial_variance"]),
        method=given["method"],
        seed=given["seed"],
        implied=tuple(given["implied"]),
        implied_side=given["implied_side"],
        green=given["green"],
        amber=given["amber"],
        meta=parse_meta(given["meta"]),
        limitations=tuple(given["limitation"]),
    )


def parse_per_model(option: str, values: Sequence[str]) -> PerModel:
    """Parse numbers such as 0.8, the champion's, and ``pd=0.8``, that of one score."""
    found: dict[str, float] = {}
    for value in values:
        name, _, number = value.rpartition("=")
        try:
            parsed = float(number)
        except ValueError:
            raise CapcurveError(
                f"{option} must be a number, or a score and its number, got {value!r}; "
                'write 0.8, which is the champion\'s, or "name=0.8"'
            ) from None
        if found and (name in found or "" in found or not name):
            raise CapcurveError(
                f"{option} must be one number, the champion's, or one for each score "
                f"named, got {', '.join(values)}; name the scores, each once"
            )
        found[name] = parsed
    return found.get("", found or None)


def parse_meta(lines: Sequence[str]) -> dict[str, str]:
    """Split lines such as ``model id=PD-7`` into names and texts."""
    found: dict[str, str] = {}
    for line in lines:
        name, equals, text = line.partition("=")
        if not (equals and name.strip()):
            raise CapcurveError(
                f'--meta must be a name and a text, got {line!r}; write "name=text"'
            )
        if name.strip() in found:
            raise CapcurveError(
                f"--meta must give each name once, got {name.strip()!r} twice; join the "
                "texts"
            )
        found[name.strip()] = text.strip()
    return found
