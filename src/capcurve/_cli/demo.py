"""The command ``capcurve demo``: the generated loan portfolio."""

from pathlib import Path
from typing import Any

import click

from capcurve._cli.answer import show_headings
from capcurve._cli.gains_rows import GAINS_COLUMNS, SCORE_HEADINGS, make_gains_rows
from capcurve._cli.help import OUTPUT, command, option
from capcurve._cli.output import find_width, render
from capcurve._cli.pictures import draw_picture_of
from capcurve._cli.report_input import make_portfolio_input
from capcurve._cli.rows import align_rows
from capcurve._cli.score_rows import SCORE_COLUMNS, make_score_rows
from capcurve._cli.streams import notify, print_result
from capcurve._inference.options import IntervalOptions
from capcurve._input.reading import read_columns
from capcurve._report.facts import make_facts
from capcurve._report.report import Report
from capcurve._report.scored import ScoredRows
from capcurve.datasets import make_portfolio
from capcurve.exceptions import MissingDependencyError


@command()
@option(
    OUTPUT,
    "--output-dir",
    type=click.Path(file_okay=False, path_type=Path),
    default=".",
    metavar="FOLDER",
    help="Folder to write the picture and the report to.",
)
@option(
    OUTPUT,
    "--format",
    "form",
    type=click.Choice(["text", "markdown"]),
    default="text",
    metavar="FORMAT",
    help="text (default) or markdown.",
)
def demo(output_dir: Path, form: str) -> None:
    """Score a generated loan portfolio; write a picture and a report.

    Example: capcurve demo
    """
    loans = make_portfolio()
    columns = read_columns(loans["default"], loans["champion_pd"])
    scored_groups = [ScoredRows({}, "champion_pd", None, columns)]
    notify(f"{len(loans['default']):,} generated loans, ranked by champion_pd")
    print_table(make_score_rows(scored_groups, IntervalOptions()), SCORE_COLUMNS, form)
    print_result("\n")
    notify("gains table in ten bands")
    print_table(make_gains_rows(scored_groups, 10), GAINS_COLUMNS, form)
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


def print_table(rows: Any, order: Any, form: str) -> None:
    """Print a table of rows without groups."""
    aligned = [show_headings(row, SCORE_HEADINGS) for row in align_rows(rows, order)]
    print_result(render(aligned, form, find_width()))
