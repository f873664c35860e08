"""Read a file as the input of a report."""

from collections.abc import Mapping
from typing import Any

import narwhals.stable.v2 as nw

from capcurve._cli.invocation import Invocation
from capcurve._cli.request import (
    FileOptions,
    Notify,
    make_file_roles,
    make_meaning,
    notes_of_warnings,
    notify_leakage,
    notify_undefined,
    notify_whole_weights,
    read_frame,
    refuse_constant,
)
from capcurve._input.meaning import Meaning, make_roles
from capcurve._report.options import ReportOptions
from capcurve._report.reading import read_report_input
from capcurve._report.report_input import ReportInput
from capcurve._report.scored import ScoredRows


def read_file_input(
    file_options: FileOptions,
    report_options: ReportOptions,
    notify: Notify,
    invocation: Invocation | None = None,
) -> ReportInput:
    """Read a file once and score all its rows, overall, by segment and by period."""
    segments = file_options.by
    periods = () if report_options.period is None else (report_options.period,)
    read = file_options._replace(by=(*segments, *periods), is_described=True)
    frame, origin = read_frame(read, notify)
    whole = file_options._replace(by=())
    meaning = make_meaning(whole, frame)
    with notes_of_warnings(notify):
        report_input = read_report_input(
            frame,
            make_file_roles(whole),
            meaning,
            report_options,
            segments=segments,
            provenance={
                **({} if invocation is None else invocation.describe(meaning.pos_label)),
                **({} if origin is None else origin._asdict()),
                "libraries": ["duckdb", "pyarrow"],
            },
        )
    notify_whole_weights(report_input.whole, file_options, notify)
    constant = [
        scored.columns
        for scored in report_input.whole
        if isinstance(scored, ScoredRows) and scored.columns.is_constant
    ]
    if len(constant) == len(report_input.whole):
        refuse_constant(constant[0], file_options)
    notify_undefined(report_input.whole, notify)
    notify_leakage(report_input.whole, notify)
    return report_input


def make_portfolio_input(loans: Mapping[str, Any]) -> ReportInput:
    """Score the generated loan portfolio with its champion and its challenger."""
    frame = nw.from_dict(dict(loans), backend="pyarrow")
    return read_report_input(
        frame,
        make_roles("default", ("champion_pd", "challenger_pd")),
        Meaning(estimator="binary"),
        ReportOptions(title="Generated loan portfolio", period="year"),
        segments=["segment"],
        provenance={"command": "capcurve demo", "libraries": ["pyarrow"]},
    )
