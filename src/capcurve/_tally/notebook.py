"""HTML views of tallies, bins and bounds for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capcurve._tally.order import read_keys
from capcurve._view import (
    Column,
    make_head,
    make_table,
    make_view,
    write_mass,
    write_number,
    write_score,
)

if TYPE_CHECKING:
    from capcurve._tally.bins import Bins
    from capcurve._tally.bounded import Bounded
    from capcurve._tally.tally import Tally, TieBounds

DIGITS = 6  # bounds are often close to each other


def view_tally(tally: Tally) -> str:
    """Show the weight and the outcome of each score."""
    columns = [
        Column("Score", tally.score, write_score),
        Column("Weight", tally.weight, write_mass),
        Column("Outcome", tally.target, write_mass),
    ]
    head = make_head(f"Tally of {len(tally):,} scores", ", best first")
    return make_view(head, make_table(columns))


def view_bins(bins: Bins) -> str:
    """Show the numbers, the weight and the outcome of each bin."""
    columns = [
        Column("Lowest", read_keys(bins.lowest, bins.grid), write_score),
        Column("Highest", read_keys(bins.highest, bins.grid), write_score),
        Column("Weight", bins.weight, write_mass),
        Column("Outcome", bins.target, write_mass),
        Column("Largest outcome", bins.largest, write_mass),
    ]
    mixed = int((bins.lowest < bins.highest).sum())
    head = make_head(
        f"{len(bins):,} bins",
        f" at level {bins.level}, {mixed:,} of them of several numbers",
    )
    return make_view(head, make_table(columns))


def view_bounded(bounded: Bounded) -> str:
    """Show a statistic and its guaranteed bounds."""
    value, low, high = (write_number(each, DIGITS) for each in bounded)
    bounds = f", guaranteed to be at least {low} and at most {high}"
    return make_view(make_head(value, bounds))


def view_tie_bounds(bounds: TieBounds) -> str:
    """Show AR in the worst and in the best order of tied rows."""
    worst, best = (write_number(each, DIGITS) for each in bounds)
    order = " with tied rows in the worst and in the best order"
    return make_view(make_head(f"AR {worst} to {best}", order))
