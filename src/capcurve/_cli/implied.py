"""The command ``capcurve implied``: observed AR against that of probabilities."""

from collections.abc import Sequence
from dataclasses import replace
from math import isnan
from typing import Any, get_args

import click

from capcurve._cli.answer import Answer, write_answer
from capcurve._cli.compared_gates import name_subject
from capcurve._cli.frame_rows import make_frame_rows
from capcurve._cli.help import (
    MEANING,
    STATISTICS,
    add_options,
    column_option,
    command,
    option,
)
from capcurve._cli.implied_weights import HEADINGS, WEIGHTS, add_weights
from capcurve._cli.odd_columns import notify_odd_columns
from capcurve._cli.options import FILE_OPTIONS, confidence_option
from capcurve._cli.output_options import Output, output_options
from capcurve._cli.request import (
    FileOptions,
    make_file_roles,
    make_meaning,
    notes_of_warnings,
    read_frame,
)
from capcurve._cli.row_counts import count_frame
from capcurve._cli.rows import Row, name_first
from capcurve._cli.segments import sort_groups
from capcurve._cli.streams import notify, notify_warnings
from capcurve._engines.rank import rank_all_rows
from capcurve._frames.compare_implied import NUMBERS, compare_groups
from capcurve._inference.implied import ImpliedOptions, check_implied_options
from capcurve._inference.open_limit import hide_open_limit
from capcurve._inference.options import Side
from capcurve._report.implied_findings import BEYOND
from capcurve.exceptions import CapcurveError

# Columns of the data frame, and what the command line calls them.
NAMES = {
    "model": "estimate",
    "estimate": "accuracy_ratio",
    **{name: name for name in NUMBERS if name != "estimate"},
    "n_events": "n_events",
}
COLUMNS = (*NAMES.values(), *WEIGHTS)
OPEN_ENDS = ("implied_high", "implied_low")  # that 'less' and 'greater' lack


@command()
@add_options(FILE_OPTIONS)
@column_option(MEANING, "--score", help="What ranks rows, if not the probabilities do.")
@option(
    STATISTICS,
    "--as-given",
    is_flag=True,
    help="Do not shift the probabilities to the events seen. Their level is not tested.",
)
@option(
    STATISTICS,
    "--alternative",
    type=click.Choice(get_args(Side)),
    default="two-sided",
    metavar="WORD",
    help="Against them: two-sided (default), less or greater.",
)
@confidence_option
@output_options
def implied(
    output: Output,
    confidence: float,
    score: str | None,
    alternative: Side,
    *,
    as_given: bool,
    **options: Any,
) -> None:
    """Test whether AR is what probabilities imply, a row for each.

    --estimate names columns of probabilities, such as PDs. They rank the rows, unless
    --score does; --ascending and --order are about that score, such as a grade. Test each
    year alone (--by): the test of several years at once does not keep its level. p_holm
    counts the groups in which the same probabilities are tested. Reads all rows into
    memory.

    Example: capcurve implied loans.csv --truth default --estimate champion_pd --by year
    --alternative less
    """
    implied_options = ImpliedOptions(not as_given, alternative, confidence)
    check_implied_options(implied_options)
    refuse_options(options, score)
    models = options["estimate"]
    if score is not None:
        options["estimate"] = (*models, score)
    file_options = FileOptions(
        **options,
        is_described=output.is_json,
        ordered=() if score is None else (score,),
    )
    frame, origin = read_frame(file_options, notify)
    with notes_of_warnings(notify), notify_warnings():
        meaning = replace(
            make_meaning(file_options, frame), target_type="binary", estimator="binary"
        )
        roles = make_file_roles(file_options)
        counts = count_frame(frame, roles, origin)
        checked = sort_groups(rank_all_rows(frame, roles, meaning))
        found = compare_groups(checked, models, implied_options)
    notify_odd_columns(frame, file_options, notify)
    rows = [
        row._replace(cells=hide_open_limit(row.cells, alternative, OPEN_ENDS))
        for row in make_frame_rows(found, file_options.by, NAMES)
    ]
    rows = add_weights(rows, checked, models)
    has_weights = rows[0].cells.keys() >= set(WEIGHTS)
    refuse_undefined(rows)
    notify_beyond(rows, implied_options)
    answer = Answer(
        command="implied",
        rows=rows,
        order=COLUMNS,
        counts=counts,
        confidence_level=confidence,
        headings=HEADINGS if has_weights else {},
    )
    write_answer(answer, output)


def refuse_options(options: dict[str, Any], score: str | None) -> None:
    """Raise for options that do not apply to probabilities."""
    if options["ascending"] and score is None:
        raise CapcurveError(
            "--ascending requires --score, which was not given, as high probabilities rank "
            "first; add the column that runs the other way as --score"
        )
    if score in options["estimate"]:
        raise CapcurveError(
            f"--score must be a column other than --estimate, got {score!r} as both; leave "
            "it out, as probabilities rank themselves"
        )
    if options["target_type"] == "continuous":
        raise CapcurveError(
            "implied requires 0/1 events, whose probabilities are tested, got "
            "--target-type continuous; leave it out"
        )
    if options["order"] is not None and score is None:
        raise CapcurveError(
            "--order requires --score, which was not given, as probabilities are numbers; "
            "add the column of grades as --score"
        )


def notify_beyond(rows: Sequence[Row], options: ImpliedOptions) -> None:
    """Print whose AR is clearly on the side that a one-sided test does not look at."""
    if options.alternative == "two-sided":
        return
    beyond = [
        name_subject(group, cells["estimate"])
        for group, cells in rows
        if cells["p_value"] > options.confidence_level
    ]
    if beyond:
        side = "above" if options.alternative == "less" else "below"
        notify(
            f"capcurve: note: AR is {side} the implied one for {name_first(beyond)}, "
            f"{BEYOND.format(options.alternative)}"
        )


def refuse_undefined(rows: Sequence[Row]) -> None:
    """Raise if there is no group whose outcomes differ."""
    if all(isnan(row.cells["accuracy_ratio"]) for row in rows):
        raise CapcurveError(
            "the implied AR requires outcomes that differ, but within each group all are "
            "equal; choose another --truth or coarser groups"
        )
