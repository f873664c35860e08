"""The command ``capcurve change``: mix and ranking as parts of a change of AR."""

from typing import Any

import click

from capcurve._cli.answer import Answer, write_answer
from capcurve._cli.count_headings import head_above_zero
from capcurve._cli.frame_arguments import read_arguments
from capcurve._cli.frame_rows import make_frame_rows
from capcurve._cli.help import (
    MEANING,
    STATISTICS,
    add_options,
    column_option,
    command,
    option,
)
from capcurve._cli.odd_columns import has_events, notify_odd_columns
from capcurve._cli.options import FILE_OPTIONS, confidence_option
from capcurve._cli.output_options import Output, output_options
from capcurve._cli.request import FileOptions
from capcurve._cli.sorted_groups import sort_rows_by_group
from capcurve._cli.streams import notify, notify_warnings
from capcurve._frames.gain_capture_change import gain_capture_change

# Columns of the data frame, and what the command line calls them.
SAMPLES = ("sample_first", "sample_second")
CHANGE_NAMES = {
    "model": "estimate",
    **{name: name for name in SAMPLES},
    "part": "part",
    "estimate": "change",
    **{name: name for name in ("std_error", "low", "high", "p_value")},
    "estimate_first": "ar_first",
    "estimate_second": "ar_second",
    "n_events_first": "n_events_first",
    "n_events_second": "n_events_second",
}


@command()
@add_options(FILE_OPTIONS)
@column_option(MEANING, "--sample", required=True, help="Period or portfolio of each row.")
@option(
    STATISTICS,
    "--bands",
    type=int,
    metavar="N",
    help="Bands of equal share in the place of grades.",
)
@option(
    STATISTICS,
    "--shares",
    type=click.Choice(["estimated", "known"]),
    default="estimated",
    metavar="WORD",
    help="Shares of grades: estimated (default) or known.",
)
@option(
    STATISTICS,
    "--empty-grades",
    type=click.Choice(["refuse", "other"]),
    default="refuse",
    metavar="WORD",
    help="A grade without rows in a period: refuse, or other.",
)
@confidence_option
@output_options
def change(
    output: Output,
    confidence: float,
    sample: str,
    bands: int | None,
    *,
    shares: Any,
    empty_grades: Any,
    **options: Any,
) -> None:
    """Split changes of AR between periods into mix and ranking.

    Each period is compared with the one before it: how much of the change do the shares of
    the grades make (mix), and how much the outcomes within grades (ranking)? Reads all
    rows into memory.

    Example: capcurve change loans.csv --truth default --estimate champion_pd
    --bands 10 --sample year
    """
    file_options = FileOptions(**options, is_described=output.is_json)
    arguments, counts = read_arguments(file_options, sample)
    notify_odd_columns(arguments["data"], file_options, notify)
    arguments["data"] = sort_rows_by_group(arguments["data"], file_options.by)
    with notify_warnings():
        result = gain_capture_change(
            **arguments,
            sample=sample,
            bands=bands,
            shares=shares,
            empty_grades=empty_grades,
            confidence_level=confidence,
        )
    rows = make_frame_rows(result, file_options.by, CHANGE_NAMES, SAMPLES)
    notify("capcurve: note: the p-values are not adjusted for several comparisons")
    answer = Answer(
        command="change",
        rows=rows,
        order=tuple(CHANGE_NAMES.values()),
        counts=counts,
        confidence_level=confidence,
        headings=head_above_zero(
            CHANGE_NAMES.values(), has_events=has_events(arguments["data"], file_options)
        ),
    )
    write_answer(answer, output)
