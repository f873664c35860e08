"""Click options of ``capcurve report``, and how they become those of a report."""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

import click

from capcurve._cli.help import MEANING, OUTPUT, STATISTICS, column_option, option
from capcurve._cli.options import parse_bands
from capcurve._report.options import PeriodLength, ReportOptions
from capcurve.exceptions import CapcurveError

REPORT_OPTIONS = (
    column_option(
        MEANING, "--compare", multiple=True, help="Score of a challenger; repeatable."
    ),
    column_option(MEANING, "--period", help="Date or period, for the trend."),
    column_option(
        MEANING,
        "--implied",
        multiple=True,
        help="Score that is a PD: adds the AR it implies; repeatable.",
    ),
    option(
        STATISTICS,
        "--period-by",
        type=click.Choice(get_args(PeriodLength)),
        metavar="LENGTH",
        help="Cut dates of --period to month, quarter or year.",
    ),
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
        initial_auc=given["initial_auc"],
        initial_variance=given["initial_variance"],
        implied=tuple(given["implied"]),
        green=given["green"],
        amber=given["amber"],
        meta=parse_meta(given["meta"]),
        limitations=tuple(given["limitation"]),
    )


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
