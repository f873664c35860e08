"""Read a file as the input of a report."""

from collections.abc import Mapping
from typing import Any

from capcurve._cli.request import (
    FileOptions,
    Notify,
    make_file_roles,
    make_meaning,
    notify_undefined,
    notify_whole_weights,
    open_frame,
)
from capcurve._files.provenance import describe_sources
from capcurve._files.text_copy import UTF_8
from capcurve._input.reading import read_columns
from capcurve._report.facts import ReportInput
from capcurve._report.options import ReportOptions
from capcurve._report.reading import read_report_input
from capcurve._report.scored import ScoredRows
from capcurve._report.segments import split_by_label, split_by_period


def read_file_input(
    file_options: FileOptions, report_options: ReportOptions, notify: Notify
) -> ReportInput:
    """Read a file once and score all its rows, overall, by segment and by period."""
    segments = file_options.by
    periods = () if report_options.period is None else (report_options.period,)
    with open_frame(file_options._replace(by=(*segments, *periods)), notify) as frame:
        whole = file_options._replace(by=())
        report_input = read_report_input(
            frame,
            make_file_roles(whole),
            make_meaning(whole, frame),
            report_options,
            segments=segments,
            arguments=describe_options(file_options),
            provenance={"files": describe_sources(file_options.file)},
        )
    notify_whole_weights(report_input.whole, file_options, notify)
    notify_undefined(report_input.whole, notify)
    return report_input


def make_portfolio_input(loans: Mapping[str, Any]) -> ReportInput:
    """Score the generated loan portfolio with its champion and its challenger."""
    whole = [
        ScoredRows({}, name, None, read_columns(loans["default"], loans[name]))
        for name in ("champion_pd", "challenger_pd")
    ]
    return ReportInput(
        options=ReportOptions(title="Generated loan portfolio"),
        whole=whole,
        segments={"segment": split_by_label(whole, "segment", loans["segment"].tolist())},
        periods={"year": split_by_period(whole, "year", loans["year"].tolist())},
        rows_read=len(loans["default"]),
    )


def describe_options(options: FileOptions) -> dict[str, str]:
    """List the options that the provenance section of the report shows."""
    names = {
        "truth": options.truth,
        "estimates": ", ".join(options.estimate),
        "weights": options.weight,
        "counts": options.counts,
        "events": options.events,
        "clusters": options.cluster,
        "order": options.order,
        "event": options.pos_label,
        "ranked first": "low scores" if options.ascending else "high scores",
        "table": options.table,
        "query": options.query,
        "added missing words": ", ".join(map(repr, options.na)),
        "only missing words": ", ".join(map(repr, options.na_only)),
        "decimal separator": "comma" if options.decimal_comma else None,
        "encoding": None if options.encoding == UTF_8 else options.encoding,
    }
    return {name: str(value) for name, value in names.items() if value}
