"""Layout of a gains table for readers: labels, formats, and the row of all bands."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from capcurve._tally.dtypes import FloatArray
from capcurve._view import FEWER_DECIMALS_FROM

if TYPE_CHECKING:
    from capcurve._curve.gains_table import GainsTable

ALL_BANDS = "All"
IN_BAND, TO_END, SCORE = "In the band", "Up to the end of the band", "Score"
MANY = 100  # from this total on, one decimal of counts that are not whole is enough
MOST_DECIMALS_OF_SCORES = 6
ROUNDING = 1e-9  # what sums may leave of a whole number, relative to it
FRACTIONS = (
    "Counts can be fractional: rows at the edge of a band are split pro rata, with all "
    "rows of the same score, and rows can have fractional weights."
)


class LaidOut(NamedTuple):
    """A column as readers see it.

    Attributes
    ----------
    name : str
        Attribute of `GainsTable`.
    label, span : str
        Its label, and the one above it and its neighbours.
    values : ndarray of float64, shape (n_bands,)
        Its numbers.
    decimals : int or None
        Decimals of all numbers; None if six significant digits are clearer.
    is_share : bool
        Whether they are percentages.
    total : float or None
        Number of all bands together; None if that would say nothing.
    """

    name: str
    label: str
    span: str
    values: FloatArray
    decimals: int | None = 2
    is_share: bool = False
    total: float | None = None


def lay_out(table: GainsTable) -> list[LaidOut]:
    """Describe the columns of a gains table, apart from the number of the band."""
    n, n_events, rate = table.n, table.n_events, table.response_rate
    events = float(n_events.sum())
    is_share = not has_amounts(table)
    has_large_amounts = rate.max(initial=0) >= FEWER_DECIMALS_FROM
    return [
        lay_out_counts("n", "n", n),
        lay_out_counts("n_events", "Events" if is_share else "Outcome", n_events),
        LaidOut(
            "response_rate",
            "Response rate",
            IN_BAND,
            rate,
            2 if is_share or has_large_amounts else 4,
            is_share=is_share,
            total=events / float(n.sum()),
        ),
        LaidOut(
            "band_lift", "Lift", IN_BAND, table.band_lift, 3, total=1 if events else nan
        ),
        LaidOut(
            "population_share",
            "Population share",
            TO_END,
            table.population_share,
            is_share=True,
        ),
        LaidOut("capture_rate", "Capture rate", TO_END, table.capture_rate, is_share=True),
        LaidOut("lift", "Lift", TO_END, table.lift, 3),
        LaidOut("ks", "KS", TO_END, table.ks, 4),
        *lay_out_scores(table),
    ]


def lay_out_counts(name: str, label: str, counts: FloatArray) -> LaidOut:
    """Describe a column of counts, which may not be whole."""
    total = float(counts.sum())
    decimals = find_decimals(counts, 1 if total >= MANY else 2)
    return LaidOut(name, label, IN_BAND, counts, decimals, total=total)


def lay_out_scores(table: GainsTable) -> list[LaidOut]:
    """Describe the columns of scores; one is enough where each band is one score."""
    first, last = table.highest_score, table.lowest_score
    decimals = find_decimals_of_scores(np.concatenate([first, last]))
    if np.array_equal(first, last):
        return [LaidOut("highest_score", SCORE, "", first, decimals)]
    return [
        LaidOut("highest_score", "First", SCORE, first, decimals),
        LaidOut("lowest_score", "Last", SCORE, last, decimals),
    ]


def find_decimals(values: FloatArray, most: int) -> int:
    """Find the fewest decimals, up to ``most``, that show all values in full."""
    finite = values[np.isfinite(values)]
    for decimals in range(most):
        if np.allclose(finite.round(decimals), finite, rtol=ROUNDING, atol=ROUNDING):
            return decimals
    return most


def find_decimals_of_scores(scores: FloatArray) -> int | None:
    """Find the decimals that show all scores; None if some are too small or too large."""
    size = np.abs(scores[np.isfinite(scores) & (scores != 0)])
    most = MOST_DECIMALS_OF_SCORES
    if np.any(size < 100 / 10**most) or np.any(size >= 10**most):
        return None
    return find_decimals(scores, most)


def has_amounts(table: GainsTable) -> bool:
    """Whether outcomes are certainly amounts, as mean amounts may be above 1."""
    return bool(np.any(table.response_rate > 1))


def is_fractional(table: GainsTable) -> bool:
    """Whether the bands hold fractions of rows or events."""
    counts = [table.n] if has_amounts(table) else [table.n, table.n_events]
    return any(find_decimals(each, 1) for each in counts)
