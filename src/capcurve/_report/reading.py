"""Read the rows of a data frame once, for a report overall, by segment and by period."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._engines.row_rankings import RowRankings, rank_rows
from capcurve._input.column import refuse_unknown_columns
from capcurve._input.dtypes import Frame
from capcurve._input.meaning import Meaning, Roles
from capcurve._input.source import check_columns
from capcurve._report.facts import ReportInput
from capcurve._report.options import ReportOptions
from capcurve._report.scored import score_rankings
from capcurve._report.segments import split_by_label, split_by_period


def read_report_input(
    frame: Frame,
    roles: Roles,
    meaning: Meaning,
    options: ReportOptions,
    *,
    segments: Sequence[str] = (),
    arguments: Mapping[str, Any],
    provenance: Mapping[str, Any] | None = None,
) -> ReportInput:
    """Rank the rows of a data frame as a whole, by segment and by period.

    Parameters
    ----------
    frame : data frame
    roles, meaning
        Which column plays which part, and how to read it; without groups.
    options : ReportOptions
    segments : sequence of str
        Columns of segments.
    arguments : mapping
        Arguments that the report lists; empty ones are left out.
    provenance : mapping or None
        What was read.
    """
    periods = [] if options.period is None else [options.period]
    refuse_unknown_columns([*segments, *periods], frame.columns, "`data`")
    rankings = rank_rows(check_columns(frame, roles), roles, meaning)
    whole = score_rankings(rankings)
    keys = {name: list_keys(rankings, name) for name in (*segments, *periods)}
    return ReportInput(
        options=options,
        whole=whole,
        segments={name: split_by_label(whole, name, keys[name]) for name in segments},
        periods={name: split_by_period(whole, name, keys[name]) for name in periods},
        rows_read=count_rows(frame, roles),
        missing=rankings.dropped.missing,
        arguments={name: value for name, value in arguments.items() if value},
        provenance=provenance or {},
    )


def list_keys(rankings: RowRankings, name: str) -> list[Any]:
    """List the value of a column in each complete row; a missing one is None."""
    column = rankings.frame.get_column(name)
    return [
        None if is_null or value != value else value  # noqa: PLR0124 -- nan
        for is_null, value in zip(column.is_null(), column.to_list(), strict=True)
    ]


def count_rows(frame: Frame, roles: Roles) -> int:
    """Count the rows that lines stand for; one where their number is missing is a row."""
    name = roles.counts or roles.weights
    if name is None:
        return len(frame)
    numbers = frame.get_column(name).cast(nw.Float64).fill_null(1).to_numpy()
    numbers = np.nan_to_num(numbers, nan=1)
    return int(numbers.sum() if roles.counts else np.count_nonzero(numbers))
