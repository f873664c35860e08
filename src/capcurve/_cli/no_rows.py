"""Files without a complete row, whose results are undefined and rest on 0 rows."""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import or_

import narwhals.stable.v2 as nw

from capcurve._cli.row_counts import Reason, RowCounts, count_zero_weights
from capcurve._cli.streams import alert
from capcurve._engines.row_rankings import RowRankings
from capcurve._files.open import Origin
from capcurve._input.dtypes import LazyFrame
from capcurve._input.meaning import Roles
from capcurve._report.left_out import name_reason
from capcurve._report.scored import ScoredRows, score_rankings


def score_no_rows(rankings: RowRankings, by: Sequence[str], why: str) -> list[ScoredRows]:
    """Return each score with no rows, in a group whose values are missing; say why."""
    group = dict.fromkeys(by)
    found = score_rankings(replace(rankings, keys=None))
    names = ", ".join(scored.estimate for scored in found)
    alert(f"capcurve: note: undefined because {why}: {names}")
    return [replace(scored, group=group) for scored in found]


def is_missing(frame: LazyFrame, name: str) -> nw.Expr:
    """Return whether a value is null or nan."""
    column = nw.col(name)
    is_float = frame.collect_schema()[name].is_float()
    return column.is_null() | column.is_nan() if is_float else column.is_null()


def has_complete_row(frame: LazyFrame, roles: Roles) -> bool:
    """Whether a query has a row of weight above 0 without a missing value.

    It is read until one is found.
    """
    lacks = reduce(or_, (is_missing(frame, name) for name in roles.values))
    complete = frame.filter(~lacks)
    if mass := find_mass(roles):
        complete = complete.filter(nw.col(mass) != 0)
    return len(complete.head(1).collect("pyarrow")) > 0


def find_mass(roles: Roles) -> str | None:
    """Return the column whose 0 means that a row does not count, if there is one."""
    return roles.weights or roles.counts


def count_missing(frame: LazyFrame, roles: Roles, origin: Origin | None) -> RowCounts:
    """Count the rows of a query that has no complete one, and why they are left out.

    A row of weight 0 is left out for that, whatever else it lacks.
    """
    flags = {name: is_missing(frame, name) for name in roles.values}
    if (mass := find_mass(roles)) is not None:
        is_zero = (nw.col(mass) == 0).fill_null(value=False)
        flags = {name: flag & ~is_zero for name, flag in flags.items()}
    total, parts = nw.len(), [flag.cast(nw.Int64) for flag in flags.values()]
    if roles.counts is not None:
        rows = nw.col(roles.counts).fill_null(1)
        total, parts = rows.sum(), [part * rows for part in parts]
    named = [part.sum().alias(str(place)) for place, part in enumerate(parts)]
    found = frame.select(total.alias("n"), *named).collect("pyarrow").row(0)
    n_rows, *counts = (round(count or 0) for count in found)
    reasons = [
        Reason(name_reason(roles, name), name, count)
        for name, count in zip(roles.values, counts, strict=True)
        if count
    ]
    zeros = count_zero_weights(frame, roles)
    return RowCounts(n_rows, 0, (*reasons, *zeros), origin)
