"""Read the outcomes of all rows, also of those that are left out, and name odd ones."""

from collections.abc import Sequence
from typing import NamedTuple

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._engines.row_rankings import keep_rows
from capcurve._input.dtypes import Frame
from capcurve._input.meaning import Meaning, Roles
from capcurve._input.missing import find_missing_rows
from capcurve._input.outcome import decide_event
from capcurve._input.seen import list_levels, see_series
from capcurve._input.series_values import take_values
from capcurve._input.source import take_column
from capcurve._report.options import Facts
from capcurve._report.phrases import say_count, say_list
from capcurve._tally.dtypes import Array, FloatArray
from capcurve.exceptions import CapcurveError

LEFT_OUT = "left out"
BEFORE_QUERY = "before the query"


class Outcomes(NamedTuple):
    """The outcome of each line, and what rows that are left out hold instead of one.

    Attributes
    ----------
    values : ndarray of float64
        Outcomes; nan where they are missing or odd.
    odd : list of dict
        Values that are no outcome like those of the rows used, with their number of rows.
    """

    values: FloatArray
    odd: list[Facts]


def read_numbers(frame: Frame, name: str) -> FloatArray:
    """Return a column of numbers; nan where it is missing."""
    column = frame.get_column(name).cast(nw.Float64)
    return take_values(column.fill_null(float("nan")))


def read_outcomes(
    frame: Frame,
    roles: Roles,
    meaning: Meaning,
    *,
    has_events: bool,
    n_rows: FloatArray | None = None,
) -> Outcomes:
    """Return the outcome of each line, and those that rows left out hold alone.

    ``n_rows`` are the rows of each line, 1 without it.
    """
    if roles.truth is None:
        return Outcomes(read_numbers(frame, str(roles.events)), [])
    n_rows = np.ones(len(frame)) if n_rows is None else n_rows
    found = np.full(len(frame), np.nan)
    known = ~find_missing_rows(take_column(frame, roles.truth))
    part, _ = keep_rows(frame, np.zeros(len(frame)), known)
    column = take_column(part, roles.truth)
    try:
        levels = list_levels(frame, (roles.truth,))
        rule = decide_event(see_series(column, levels[roles.truth]), meaning)
    except CapcurveError:
        rule = None
    if rule is not None and rule.has_events == has_events:
        found[known] = rule.of_series(column)
        return Outcomes(found, [])
    if not column.dtype.is_numeric():
        return Outcomes(found, [])
    numbers, rows = read_numbers(part, roles.truth), n_rows[known]
    valid = find_events(numbers, rows) if has_events else find_amounts(numbers)
    found[known] = np.where(valid, np.maximum(numbers, 0.0), np.nan)
    return Outcomes(found, count_odd(numbers[~valid], rows[~valid]))


def find_events(numbers: FloatArray, rows: FloatArray) -> Array:
    """Find the numbers that are 0 or 1 or, where -1 is frequent, -1 or 1."""
    other = 0 if rows[numbers == 0].sum() >= rows[numbers == -1].sum() else -1
    found: Array = np.isin(numbers, (other, 1))
    return found


def find_amounts(numbers: FloatArray) -> Array:
    """Find the numbers that are finite and not negative."""
    found: Array = np.isfinite(numbers) & (numbers >= 0)
    return found


def count_odd(numbers: FloatArray, rows: FloatArray) -> list[Facts]:
    """Count the rows of each odd outcome."""
    values, places = np.unique(numbers, return_inverse=True)
    counts = np.bincount(places, rows, len(values))
    return [
        {"outcome": f"{value:g}", "n": round(count)}
        for value, count in zip(values.tolist(), counts.tolist(), strict=True)
    ]


def say_odd(column: str, odd: Sequence[Facts], where: str, *, has_events: bool) -> str:
    """Say which odd outcomes rows hold that are left out, or stood before the query."""
    n = sum(each["n"] for each in odd)
    counted = [f"{each['outcome']} ({say_count(each['n'])})" for each in odd]
    values = say_list(counted) if len(odd) > 1 else odd[0]["outcome"]
    kind = "neither an event nor a non-event" if has_events else "not an amount"
    rate = "event rate" if has_events else "mean outcome"
    return (
        f"{say_count(n, 'row')} {where} {'holds' if n == 1 else 'hold'} {values} in "
        f"{column}, which is {kind} like the outcomes of the rows used; the {rate} of rows "
        f"{where} is that of the others."
    )
