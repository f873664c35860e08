"""Sampling weights that are whole numbers, as counts of rows would be."""

from collections.abc import Sequence

import narwhals.stable.v2 as nw

from capcurve._cli.score_notes import Notify
from capcurve._input.dtypes import LazyFrame
from capcurve._report.scored import ScoredGroup


def notify_whole_weights(
    scored_groups: Sequence[ScoredGroup], weight: str | None, notify: Notify
) -> None:
    """Print how the weights of rows in memory were taken that may be counts of rows."""
    if all(scored.may_be_counted for scored in scored_groups):
        notify(explain_whole_weights(weight))


def notify_whole_query(frame: LazyFrame, weight: str | None, notify: Notify) -> None:
    """Print the same about the rows of a query."""
    if weight is None:
        return
    column = nw.col(weight)
    found = frame.select(
        column.max().alias("largest"), (column != column.floor()).any().alias("parts")
    )
    largest, has_parts = found.collect("pyarrow").row(0)
    if largest is not None and largest > 1 and not has_parts:
        notify(explain_whole_weights(weight))


def explain_whole_weights(weight: str | None) -> str:
    """Say how whole numbers were taken, and how else they may be."""
    return (
        f"capcurve: note: {weight!r} holds whole numbers and is taken as sampling weights; "
        "if each row stands for that many equal rows, pass --counts"
    )
