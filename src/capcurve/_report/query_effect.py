"""Describe what a query did to the outcome of the rows that it read."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from capcurve._files.open import N_ROWS
from capcurve._input.dtypes import Frame
from capcurve._input.meaning import Meaning, Roles
from capcurve._report.options import Facts
from capcurve._report.outcomes import read_outcomes
from capcurve._tally.dtypes import FloatArray


def describe_query(
    query: Mapping[str, Any],
    before: Frame | None,
    after: Frame,
    roles: Roles,
    meaning: Meaning,
    *,
    has_events: bool,
) -> Facts:
    """Compare the outcome before and after a query.

    Parameters
    ----------
    query : mapping
        Number of rows before and after it, and what else is known of it.
    before : data frame or None
        Distinct outcomes in the files and their numbers of rows, ``N_ROWS``; None if the
        files do not hold the outcome.
    after : data frame
        Rows that the query returned.
    roles, meaning
        Which column plays which part, and how to read it.
    has_events : bool
        Whether outcomes are events.
    """
    found: Facts = {**query, "odd_outcomes_before": []}
    # Of counted and weighted rows, distinct outcomes do not give the rate.
    is_known = before is not None and (roles.counts or roles.weights) is None
    for side in ("before", "after"):
        found[f"events_{side}"] = found[f"response_rate_{side}"] = None
        if before is None or not is_known:
            continue
        frame = before if side == "before" else after
        n_rows = before.get_column(N_ROWS).to_numpy() if side == "before" else None
        outcomes, odd = read_outcomes(
            frame, roles, meaning, has_events=has_events, n_rows=n_rows
        )
        found |= sum_outcomes(outcomes, n_rows, side)
        if side == "before":
            found["odd_outcomes_before"] = odd
    return found


def sum_outcomes(outcomes: FloatArray, n_rows: FloatArray | None, side: str) -> Facts:
    """Return the events and the event rate of known outcomes; None if there are none."""
    known = ~np.isnan(outcomes)
    rows = np.ones(len(outcomes)) if n_rows is None else n_rows
    total = float(rows[known].sum())
    events = float((outcomes * rows)[known].sum())
    return {
        f"events_{side}": events if total else None,
        f"response_rate_{side}": events / total if total else None,
    }
