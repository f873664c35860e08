"""Read a file as the input of a report."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import narwhals.stable.v2 as nw

from capcurve._cli.invocation import Invocation
from capcurve._cli.request import (
    FileOptions,
    make_file_roles,
    make_meaning,
    make_no_rows_error,
    notes_of_warnings,
    read_described_frame,
    refuse_constant,
)
from capcurve._cli.score_notes import Notify, notify_leakage, notify_undefined
from capcurve._cli.undefined import UndefinedError
from capcurve._cli.whole_weights import notify_whole_weights
from capcurve._files.open import Origin
from capcurve._input.dtypes import Frame
from capcurve._input.meaning import Meaning, Roles, make_roles
from capcurve._report.options import ReportOptions
from capcurve._report.query_effect import describe_query
from capcurve._report.reading import find_graded, read_report_input
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
    file_options = set_probabilities_apart(file_options, report_options.implied)
    read = file_options._replace(by=(*segments, *periods))
    frame, origin = read_described_frame(read, notify)
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
                **origin.facts,
                "libraries": origin.libraries,
            },
        )
    report_input = add_origin(report_input, origin, frame, make_file_roles(whole), meaning)
    notify_whole_weights(report_input.whole, file_options.weight, notify)
    try:
        refuse_undefined(report_input, file_options)
        notify_undefined(
            report_input.whole, notify, has_query=file_options.query is not None
        )
    except UndefinedError as problem:
        problem.rows, problem.files = report_input.rows, origin.files
        raise
    notify_leakage(report_input.whole, notify)
    return report_input


def refuse_undefined(report_input: ReportInput, options: FileOptions) -> None:
    """Raise if no row is complete, or if all outcomes are equal."""
    constant = [
        scored.columns
        for scored in report_input.whole
        if isinstance(scored, ScoredRows) and scored.columns.is_constant
    ]
    if constant and not len(constant[0].target):
        raise make_no_rows_error(options, report_input.rows["read"])
    if len(constant) == len(report_input.whole):
        refuse_constant(constant[0], options)


def set_probabilities_apart(options: FileOptions, implied: Sequence[str]) -> FileOptions:
    """Say that the order is about the scores that are no probabilities."""
    graded = find_graded(options.estimate, implied)
    return options._replace(ordered=graded, probabilities=tuple(implied))


def add_origin(
    report_input: ReportInput, origin: Origin, frame: Frame, roles: Roles, meaning: Meaning
) -> ReportInput:
    """Add what the files held before the query, and their words for missing values."""
    provenance = dict(report_input.provenance)
    if origin.query is not None:
        before = origin.outcomes
        provenance["query"] = describe_query(
            origin.query,
            None if before is None else nw.from_native(before, eager_only=True),
            frame,
            roles,
            meaning,
            has_events=report_input.whole[0].has_events,
        )
    words = [
        {"column": name, "word": word, "n": count}
        for name, counts in origin.missing_words.items()
        if any(counts)  # empty fields alone need no mention
        for word, count in counts.items()
    ]
    rows = {**report_input.rows, "missing_words": words}
    mixed = [
        f"In {name!r}, {percents.describe()}."
        for name, percents in origin.percents.items()
        if percents.are_mixed
    ]
    return replace(report_input, rows=rows, provenance=provenance, mixed_percents=mixed)


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
