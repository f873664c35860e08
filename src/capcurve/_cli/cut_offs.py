"""The command ``capcurve cut-offs``: what cut-off scores select, and which ones suffice."""

from collections.abc import Sequence
from typing import Any

from capcurve._cli.answer import Answer, write_answer
from capcurve._cli.count_headings import head_masses
from capcurve._cli.help import STATISTICS, add_options, command, option
from capcurve._cli.options import FILE_OPTIONS, limits_option
from capcurve._cli.output import CutOffScore
from capcurve._cli.output_options import Output, output_options
from capcurve._cli.request import FileOptions, read_scored_rows
from capcurve._cli.rows import Row, as_whole_number, name_first
from capcurve._cli.streams import notify, notify_warnings
from capcurve._frames.gain_cut_offs import (
    ASKED,
    NUMBERS,
    CutOffs,
    cut_curve,
    has_few_events,
    limit_cut_offs,
    read_cut_offs,
    select_few,
)
from capcurve._inference.capture_rate import warn_few_selected
from capcurve._inference.reliability import warn_few_in_intervals
from capcurve._inference.response_rate import LIMIT_COLUMNS
from capcurve._inference.small_class import describe_small_class
from capcurve._input.score import is_number_text
from capcurve._report.scored import ScoredRows
from capcurve.exceptions import CapcurveError

COLUMNS = ("estimate", "level", ASKED, *NUMBERS, *LIMIT_COLUMNS)
CUT_OPTIONS = (
    option(
        STATISTICS,
        "--threshold",
        multiple=True,
        metavar="SCORE",
        help="Cut-off or grade: what does it capture? Repeatable.",
    ),
    option(
        STATISTICS,
        "--capture-rate",
        type=float,
        multiple=True,
        metavar="SHARE",
        help="Share to capture: which score suffices? Repeatable.",
    ),
    option(
        STATISTICS,
        "--share",
        type=float,
        multiple=True,
        metavar="SHARE",
        help="Population share: which response rate? Repeatable.",
    ),
)


@command(name="cut-offs")
@add_options(FILE_OPTIONS)
@add_options(CUT_OPTIONS)
@limits_option
@output_options
def cut_offs(
    output: Output,
    threshold: tuple[str, ...],
    capture_rate: tuple[float, ...],
    share: tuple[float, ...],
    confidence: float | None,
    **options: Any,
) -> None:
    """Print what cut-off scores select and capture, a row for each.

    One of --threshold, --capture-rate and --share is given, and the others are found.
    --confidence applies to --share. Reads all rows into memory.

    Example: capcurve cut-offs loans.csv --truth default --estimate champion_pd
    --threshold 0.05
    """
    given = {
        "threshold": threshold,
        "capture_rate": capture_rate,
        "population_share": share,
    }
    asked = read_cut_offs({name: each or None for name, each in given.items()}, confidence)
    if confidence is None and options["cluster"] is not None:
        raise CapcurveError(
            "--cluster requires --share and --confidence, which were not given, as only "
            "limits allow for dependent rows; add them, or leave it out"
        )
    reading = read_scored_rows(FileOptions(**options, is_described=output.is_json), notify)
    with notify_warnings():
        answer = Answer(
            command="cut-offs",
            rows=make_cut_off_rows(reading.groups, asked),
            order=COLUMNS,
            counts=reading.counts,
            confidence_level=confidence,
            headings=head_masses(reading.groups, is_weighted=options["weight"] is not None),
        )
        write_answer(answer, output)


def make_cut_off_rows(scored_groups: Sequence[ScoredRows], asked: CutOffs) -> list[Row]:
    """List the cut-offs of each curve that is defined, with limits if asked for."""
    rows, few, few_selected = [], [], []
    for scored in scored_groups:
        if scored.curve is None:
            continue
        own = read_own_thresholds(asked, scored.grades)
        columns = cut_curve(scored.curve, own, scored.grades)
        if own.confidence_level is not None:
            columns |= limit_cut_offs(scored.columns, own)
            if has_few_events(scored.columns):
                few.append(scored.label)
            if select_few(scored.columns, own):
                few_selected.append(scored.label)
        cells = zip(*(column.tolist() for column in columns.values()), strict=True)
        for cut in (dict(zip(columns, row, strict=True)) for row in cells):
            counts = {name: as_whole_number(cut[name]) for name in ("n", "n_events")}
            if isinstance(cut["threshold"], float):  # and not the name of a grade
                cut["threshold"] = CutOffScore(cut["threshold"])
            rows.append(Row(scored.group, scored.names | cut | counts))
    of_all = (scored.columns for scored in scored_groups)
    small = describe_small_class(of_all, of_share=True)
    warn_few_in_intervals(name_first(few), small)
    warn_few_selected(name_first(few_selected))
    return rows


def read_own_thresholds(asked: CutOffs, grades: tuple[str, ...] | None) -> CutOffs:
    """Read cut-off scores as numbers, unless they are names of grades."""
    if asked.kind != "threshold":
        return asked
    for text in asked.values:
        if grades is not None and text not in grades:
            raise CapcurveError(
                f"--threshold must be a grade of the score ({', '.join(grades)}), got "
                f"{text!r}; pass one of them"
            )
        if grades is None and not is_number_text(text):
            raise CapcurveError(
                f"--threshold must be a score that is a number, got {text!r}; pass a "
                "number, or list the grades of a text score as --order"
            )
    return (
        asked if grades is not None else asked._replace(values=[*map(float, asked.values)])
    )
