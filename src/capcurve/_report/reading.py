"""Read the rows of a data frame once, for a report overall, by segment and by period."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw

from capcurve._curve.binned_curve import BinnedCurve
from capcurve._engines.row_rankings import rank_rows
from capcurve._input.column import refuse_unknown_columns
from capcurve._input.dtypes import Frame
from capcurve._input.few_amounts import explain_few_amounts
from capcurve._input.meaning import Meaning, Roles
from capcurve._input.nested import refuse_nested_columns
from capcurve._input.options import show
from capcurve._input.seen import SeenArray
from capcurve._input.series_values import take_values
from capcurve._input.source import check_columns, take_column
from capcurve._report.left_out import describe_rows, make_rows
from capcurve._report.options import ReportOptions, check_report_options
from capcurve._report.report_input import ReportInput
from capcurve._report.scored import ScoredBins, ScoredRows, score_rankings
from capcurve._report.segments import find_span, split_by_label, split_by_period
from capcurve._report.uncounted_bins import refuse_initial
from capcurve._tally.dtypes import FloatArray
from capcurve.exceptions import CapcurveError

ROW = "row of capcurve"


def read_report_input(
    frame: Frame,
    roles: Roles,
    meaning: Meaning,
    options: ReportOptions,
    *,
    segments: Sequence[str] = (),
    provenance: Mapping[str, Any] | None = None,
) -> ReportInput:
    """Rank the rows of a data frame, and number their segments and periods.

    Parameters
    ----------
    frame : data frame
    roles, meaning
        Which column plays which part, and how to read it; without groups.
    options : ReportOptions
    segments : sequence of str
        Columns of segments.
    provenance : mapping or None
        Command, call, options, files and libraries.
    """
    check_report_options(options, roles.estimates)
    periods = [] if options.period is None else [options.period]
    named = [*segments, *periods, *options.implied]
    refuse_unknown_columns(named, frame.columns, "`data`")
    frame = check_columns(frame, roles)
    refuse_nested_columns(frame, named)
    # Splits are of all rows that were read, of which the ranked ones are a part.
    splits = [split_by_label(frame, name) for name in segments]
    trends = [split_by_period(frame, name, options.period_by) for name in periods]
    row = ROW
    while row in frame.columns:
        row += "_"
    rankings = rank_rows(frame.with_row_index(row), roles, meaning)
    ranked = take_values(rankings.frame.get_column(row))
    whole = score_rankings(rankings)
    return ReportInput(
        options=options,
        whole=whole,
        segments=[each._replace(segment=each.segment[ranked]) for each in splits],
        periods=[each._replace(segment=each.segment[ranked]) for each in trends],
        rows=describe_rows(frame, roles, meaning, whole, [*splits, *trends]),
        design={
            part: name
            for part in ("truth", "weights", "counts", "clusters")
            if (name := getattr(roles, part)) is not None
        },
        probabilities={
            name: read_numbers(rankings.frame, name)
            for name in options.implied
            if name not in roles.estimates
        },
        few_amounts=find_few_amounts(whole, roles, meaning),
        span=find_span(rankings.frame, trends[0]) if trends else None,
        provenance=provenance or {},
    )


def find_few_amounts(
    whole: Sequence[ScoredRows], roles: Roles, meaning: Meaning
) -> str | None:
    """Say that few outcomes make amounts of events, unless the caller calls them so."""
    if whole[0].has_events or meaning.target_type != "auto":
        return None
    truth = SeenArray(whole[0].columns.target, str(roles.truth))
    return explain_few_amounts(truth, "choose the target type 'continuous'")


def find_graded(estimates: Sequence[str], implied: Sequence[str]) -> tuple[str, ...]:
    """List the scores that may be grades: those that are no probabilities."""
    return tuple(name for name in estimates if name not in implied)


def read_numbers(frame: Frame, name: str) -> FloatArray:
    """Return a column of numbers, nan where it is missing; raise for text."""
    column = take_column(frame, name)
    if not column.dtype.is_numeric():
        raise CapcurveError(
            f"`{name}` must hold probabilities from 0 to 1, got a column of type "
            f"{column.dtype}; name a column of numbers as `implied`"
        )
    numbers: FloatArray = column.cast(nw.Float64).fill_null(float("nan")).to_numpy()
    return numbers


def refuse_several_estimates(estimate: object) -> None:
    """Raise for a list of scores: a report is of one, and compares it with others."""
    if isinstance(estimate, list | tuple) and len(estimate) > 1:
        first, *others = estimate
        raise CapcurveError(
            f"`estimate` must be the name of one column, got {show(estimate)}; pass "
            f"{first!r} as `estimate`, and compare={others!r}"
        )


def refuse_rows_only(given: Sequence[str]) -> None:
    """Raise for arguments that require rows, where they were binned."""
    if given:
        found = ", ".join(f"`{name}`" for name in given)
        raise CapcurveError(
            "a report of binned rows must be made without `compare`, `by`, `period` and "
            f"`implied`, got {found}; pass the rows as a data frame instead"
        )


def make_binned_input(
    binned: BinnedCurve,
    estimate: str,
    options: ReportOptions,
    provenance: Mapping[str, Any],
) -> ReportInput:
    """Make the input of a report of binned rows, which has neither tests nor groups.

    ``provenance`` is as in `read_report_input`.
    """
    check_report_options(options, [estimate])
    if options.method != "beta":
        raise CapcurveError(
            f"`method={options.method!r}` requires the rows, got rows that were binned; "
            "leave it out"
        )
    scored = ScoredBins({}, estimate, None, binned)
    if options.initial_auc is not None and not scored.is_counted:
        refuse_initial(has_events=scored.has_events)
    rate = None if scored.curve is None else scored.curve.response_rate
    return ReportInput(
        options=options,
        whole=[scored],
        rows=make_rows(binned.n_rows, rate),
        provenance={**provenance, "plan": binned.plan},
    )
