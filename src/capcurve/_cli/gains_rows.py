"""Rows of gains tables."""

from collections.abc import Sequence
from dataclasses import fields

from capcurve._cli.rows import Row, as_whole_number, name_first
from capcurve._curve.gains_table import BandSpec, GainsTable
from capcurve._inference.options import FEW_EVENTS, check_confidence_level
from capcurve._inference.reliability import warn_few_in_intervals
from capcurve._inference.response_rate import LIMIT_COLUMNS, find_gains_limits
from capcurve._inference.share_influence import count_smaller_class
from capcurve._inference.small_class import describe_small_class
from capcurve._report.scored import ScoredGroup, ScoredRows
from capcurve.exceptions import CapcurveError

GAINS_COLUMNS = (
    *("estimate", "level"),
    *(field.name for field in fields(GainsTable)),
    *("lower", "upper"),
    *LIMIT_COLUMNS,
)
# What readers see: in ascending order the first score is the smaller one.
SCORE_HEADINGS = {"highest_score": "first_score", "lowest_score": "last_score"}


def make_gains_rows(
    scored_groups: Sequence[ScoredGroup], bands: BandSpec, confidence: float | None = None
) -> list[Row]:
    """List the bands of each curve that is defined, with limits at a confidence level."""
    if confidence is not None:
        check_confidence_level(confidence)
    rows, few = [], []
    for scored in scored_groups:
        if scored.curve is not None:
            columns = dict(scored.make_gains_table(bands))
            if confidence is not None:
                own = require_rows(scored).columns
                columns |= find_gains_limits(own, bands, confidence)
                if count_smaller_class(own) < FEW_EVENTS:
                    few.append(scored.label)
            cells = zip(*(column.tolist() for column in columns.values()), strict=True)
            for band in (dict(zip(columns, row, strict=True)) for row in cells):
                counts = {name: as_whole_number(band[name]) for name in ("n", "n_events")}
                rows.append(Row(scored.group, scored.names | band | counts))
    rows_of_all = (each.columns for each in scored_groups if isinstance(each, ScoredRows))
    small = describe_small_class(rows_of_all, of_share=True)
    warn_few_in_intervals(name_first(few), small)
    return rows


def require_rows(scored: ScoredGroup) -> ScoredRows:
    """Return a group whose rows are in memory; raise if they were binned."""
    if not isinstance(scored, ScoredRows):
        raise CapcurveError(
            "--confidence requires the rows in memory, got rows that were binned; leave it "
            "out, or leave out --approx and --memory-limit"
        )
    return scored
