"""The one entry: a data frame or a query, and what its columns mean -> rankings."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw

from capcurve._engines.plan import ROWS_ONLY, Ask, explain_need_for_rows
from capcurve._engines.query import collect
from capcurve._engines.rankings import Rankings
from capcurve._engines.row_rankings import (
    RowRankings,
    check_rows,
    rank_query,
    rank_rows,
)
from capcurve._input.dtypes import Frame, LazyFrame
from capcurve._input.meaning import Meaning, Roles
from capcurve._input.memory_limit import read_memory_limit
from capcurve._input.seen import convert_objects, list_levels
from capcurve._input.source import as_frame, check_columns
from capcurve.exceptions import CapcurveError


def rank(data: Any, roles: Roles, meaning: Meaning, ask: Ask = ROWS_ONLY) -> Rankings:
    """Rank the rows of a data frame, or let the engine of a query rank or bin them.

    Parameters
    ----------
    data : data frame or query
        Of any library that narwhals reads.
    roles : Roles
        Which column plays which part.
    meaning : Meaning
        How to read the columns.
    ask : Ask
        What is to be computed, which decides how a query is run.
    """
    limit = read_memory_limit(ask.memory_limit)
    frame = check_columns(as_frame(data), roles)
    if ask.bins == "always":
        return rank_in_bins(frame, roles, meaning, ask, limit)
    if not isinstance(frame, nw.LazyFrame):
        return with_rows(rank_rows(frame, roles, meaning))
    checked = check_rows(frame, roles, meaning, limit=limit)
    may_be_binned = ask.bins == "if large" and checked.is_large(roles)
    if may_be_binned and not checked.is_fetched(roles):
        # Rows in memory are ranked without loading what bins those of an engine.
        from capcurve._engines.bin_rankings import rank_bins
        from capcurve._engines.query_outcome import decide_in_engine

        rules = decide_in_engine(checked, roles, meaning)
        if explain_need_for_rows(roles, rules, ask, checked.checks.ranges) is None:
            return rank_bins(checked, roles, meaning, ask, rules)
    return with_rows(rank_query(checked, roles, meaning))


def with_rows(found: RowRankings) -> Rankings:
    """Return rankings whose rows are here."""
    return Rankings(found.groups, found)


def rank_in_bins(
    frame: Frame | LazyFrame,
    roles: Roles,
    meaning: Meaning,
    ask: Ask,
    limit: float | None,
) -> Rankings:
    """Let an engine put rows into bins; raise if the result requires the rows."""
    from capcurve._engines.bin_rankings import rank_bins, rank_in_one_scan
    from capcurve._engines.query_outcome import decide_in_engine

    if not isinstance(frame, nw.LazyFrame):
        frame = convert_objects(frame, roles.values)
    found = rank_in_one_scan(frame.lazy(), roles, meaning, ask)
    if found is not None:
        return found
    levels = list_levels(frame, roles.values)
    checked = check_rows(frame.lazy(), roles, meaning, levels, limit)
    rules = decide_in_engine(checked, roles, meaning)
    reason = explain_need_for_rows(roles, rules, ask, checked.checks.ranges)
    if reason is not None:
        raise CapcurveError(reason)
    return rank_bins(checked, roles, meaning, ask, rules)


def rank_all_rows(
    data: Any, roles: Roles, meaning: Meaning, memory_limit: float | str | None = None
) -> RowRankings:
    """Rank every row of a data frame or of a query, or the distinct rows of a query."""
    found = rank(data, roles, meaning, Ask(memory_limit=memory_limit)).rows
    assert found is not None  # noqa: S101 -- only bins have no rows
    return found


def as_eager_frame(data: Any) -> Frame:
    """Wrap a data frame of any library; run a query and fetch all its rows."""
    frame = as_frame(data)
    return collect(frame) if isinstance(frame, nw.LazyFrame) else frame
