"""Files without a complete row, whose results are undefined and rest on 0 rows."""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import or_

import narwhals.stable.v2 as nw

from capcurve._cli.row_counts import Reason, RowCounts
from capcurve._cli.streams import alert
from capcurve._cli.undefined import NoQueryRowsError, NoRowsError
from capcurve._engines.row_rankings import RowRankings
from capcurve._files.open import Origin
from capcurve._input.dtypes import LazyFrame
from capcurve._input.meaning import Roles
from capcurve._report.left_out import name_reason
from capcurve._report.scored import ScoredRows, score_rankings


def score_no_rows(
    rankings: RowRankings, by: Sequence[str], *, by_query: bool
) -> list[ScoredRows]:
    """Return each score with no rows, in a group whose values are missing; say so.

    The query may be why, if it returned none.
    """
    group = dict.fromkeys(by)
    found = score_rankings(replace(rankings, keys=None))
    names = ", ".join(scored.estimate for scored in found)
    why = NoQueryRowsError.reason if by_query else NoRowsError.reason
    alert(f"capcurve: note: undefined because {why}: {names}")
    return [replace(scored, group=group) for scored in found]


def is_missing(frame: LazyFrame, name: str) -> nw.Expr:
    """Return whether a value is null or nan."""
    column = nw.col(name)
    is_float = frame.collect_schema()[name].is_float()
    return column.is_null() | column.is_nan() if is_float else column.is_null()


def has_complete_row(frame: LazyFrame, roles: Roles) -> bool:
    """Whether a query has a row without a missing value; it is read until one is found."""
    lacks = reduce(or_, (is_missing(frame, name) for name in roles.values))
    return len(frame.filter(~lacks).head(1).collect("pyarrow")) > 0


def count_missing(frame: LazyFrame, roles: Roles, origin: Origin | None) -> RowCounts:
    """Count the rows of a query that has no complete one, and why they are left out."""
    flags = [is_missing(frame, name).cast(nw.Int64) for name in roles.values]
    named = [flag.sum().alias(str(place)) for place, flag in enumerate(flags)]
    found = frame.select(nw.len().alias("n"), *named).collect("pyarrow").row(0)
    n_rows, *counts = (int(count or 0) for count in found)
    reasons = [
        Reason(name_reason(roles, name), name, count)
        for name, count in zip(roles.values, counts, strict=True)
        if count
    ]
    return RowCounts(n_rows, 0, tuple(reasons), origin)
