"""The command ``capcurve segments``: tests of segments and periods."""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any, get_args

import click
import numpy as np

from capcurve._cli.answer import Answer, write_answer
from capcurve._cli.help import STATISTICS, add_options, command, option
from capcurve._cli.odd_columns import notify_odd_columns
from capcurve._cli.options import FILE_OPTIONS, confidence_option
from capcurve._cli.output_options import Output, output_options
from capcurve._cli.request import (
    FileOptions,
    make_file_roles,
    make_meaning,
    notes_of_warnings,
    read_frame,
    require_rows,
)
from capcurve._cli.row_counts import count_frame
from capcurve._cli.rows import Row
from capcurve._cli.streams import notify, notify_warnings
from capcurve._engines.row_rankings import RowRankings
from capcurve._frames.compare_segments import (
    compare_models_by_segment,
    list_segment_columns,
    rank_segments,
    reorder_groups,
    take_keys,
    warn_of_models,
)
from capcurve._frames.summarize_segments import list_summary, pool_segments
from capcurve._inference.pooled_ratio import SegmentWeights
from capcurve._inference.segments import SegmentComparison
from capcurve._report.scored import Group, format_key, make_sort_key, show_key
from capcurve._report.segments import check_order
from capcurve.exceptions import CapcurveError

SEGMENT_COLUMNS = (
    *("estimate", "test", "accuracy_ratio", "change", "std_error", "low", "high", "rest"),
    *("statistic", "df_1", "df_2", "p_value", "p_holm", "p_bh", "n_segments", "n_events"),
    "left_out",
)
RARE_SEGMENT_COLUMNS = (
    *("std_error", "statistic", "df_1", "df_2", "p_bh", "n_segments", "left_out"),
)
MOST_NAMED = 12  # periods in a note
TESTS = {"pooled": "pooled", "all_equal": "all equal", "trend": "trend"}
ALL = "(all)"


@command()
@add_options(FILE_OPTIONS)
@option(
    STATISTICS,
    "--ordered",
    is_flag=True,
    help="Take the groups as periods, and test their trend.",
)
@option(
    STATISTICS,
    "--segment-weights",
    type=click.Choice(get_args(SegmentWeights)),
    default="pairs",
    metavar="WORD",
    help="Weights of the pooled AR: pairs (default) or events.",
)
@confidence_option
@output_options
def segments(
    output: Output,
    confidence: float,
    segment_weights: SegmentWeights,
    *,
    ordered: bool,
    **options: Any,
) -> None:
    """Test whether AR is the same in all segments, a row for each --by group.

    Each segment is tested against the rest. The last rows are about all segments: the
    pooled AR, of pairs of rows of the same segment; the test that all are equal; and with
    --ordered the change of AR per period. Reads all rows into memory.

    Example: capcurve segments loans.csv --truth default --estimate champion_pd
    --by year --ordered
    """
    if not options["by"]:
        raise CapcurveError(
            "segments requires --by, which was not given; add --by with the column of the "
            "segment or the period"
        )
    file_options = FileOptions(**options, is_described=output.is_json)
    frame, origin = read_frame(file_options, notify)
    with notes_of_warnings(notify):
        roles, meaning = make_file_roles(file_options), make_meaning(file_options, frame)
        checked = sort_groups(rank_segments(frame, roles, meaning, ordered=False))
        require_rows(checked, file_options)
        counts = count_frame(frame, roles, origin)
        if checked.are_levels:
            raise CapcurveError(
                "segments requires an outcome with two class labels, got a score for each "
                "of several; pass one label as --pos-label"
            )
        if ordered:
            keys = list_keys(checked)
            for name in roles.by:
                check_order(list(dict.fromkeys(key[name] for key in keys)), name)
            notify(f"capcurve: note: periods in order: {name_periods(keys)}")
        found = compare_models_by_segment(checked, confidence, ordered=ordered)
        found = pool_segments(found, checked, confidence, segment_weights)
    notify_odd_columns(frame, file_options, notify)
    with notify_warnings():
        warn_of_models(checked, found, ordered=ordered, rest=True, joint=True)
    keys = list_keys(checked)
    rows = [
        row
        for name, comparison in found.items()
        for row in make_rows(name, comparison, keys, ordered=ordered)
    ]
    answer = Answer(
        command="segments",
        rows=rows,
        order=SEGMENT_COLUMNS,
        rare=RARE_SEGMENT_COLUMNS,
        counts=counts,
        confidence_level=confidence,
    )
    write_answer(answer, output)


def name_periods(keys: Sequence[Group]) -> str:
    """Name the first and the last periods, in order; rows without one are none."""
    known = [key.values() for key in keys if None not in key.values()]
    names = [" ".join(map(show_key, each)) for each in known] or ["none"]
    if len(names) > MOST_NAMED:
        names = [*names[:MOST_NAMED], "...", names[-1]]
    return ", ".join(names)


def sort_groups(checked: RowRankings) -> RowRankings:
    """Sort groups whose keys are text: numbers by size, missing ones last."""
    if checked.keys is None:
        return checked
    keys = [list(map(make_sort_key, key.values())) for key in list_keys(checked)]
    return reorder_groups(checked, sorted(range(len(keys)), key=keys.__getitem__))


def list_keys(checked: RowRankings) -> list[Group]:
    """List the values of the grouping columns of each group as text."""
    return [
        {name: format_key(value) for name, value in row.items()}
        for row in take_keys(checked).iter_rows(named=True)
    ]


def make_rows(
    name: str, found: SegmentComparison, keys: list[Group], *, ordered: bool
) -> list[Row]:
    """List the test of each segment against the rest, and those of all segments."""
    columns = list_segment_columns(found) | {
        "statistic": np.array(list(found.rest_statistics.values())),
        "df_2": np.array(list(found.rest_degrees_of_freedom.values())),
    }
    table = zip(*(column.tolist() for column in columns.values()), strict=True)
    rows = [
        Row(
            key,
            make_cells(name, "rest", dict(zip(columns, row, strict=True)))
            | {"left_out": label in found.left_out},
        )
        for key, row, label in zip(keys, table, found.estimates, strict=True)
    ]
    everything: Group = dict.fromkeys(keys[0], ALL)
    summary = {row.pop("metric"): row for row in list_summary(found, ordered=ordered)}
    summary["pooled"]["std_error"] = found.pooled.standard_error
    return rows + [
        Row(everything, make_cells(name, TESTS[metric], row))
        for metric, row in summary.items()
    ]


def make_cells(name: str, test: str, numbers: Mapping[str, Any]) -> dict[str, Any]:
    """Name the cells of a row; nan is undefined, and the trend is no AR but its change."""
    cells = {
        column: None if isinstance(value, float) and isnan(value) else value
        for column, value in numbers.items()
    }
    value = cells.pop("estimate")
    column = "change" if test == "trend" else "accuracy_ratio"
    return {"estimate": name, "test": test, column: value, **cells}
