"""HTML views of curves and gains tables for notebooks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from capcurve._curve.drawing import draw, draw_area, draw_line, draw_perfect_line
from capcurve._curve.gains_layout import (
    ALL_BANDS,
    FRACTIONS,
    LaidOut,
    is_fractional,
    lay_out,
)
from capcurve._tally.bounded import Bounded
from capcurve._view import (
    Column,
    make_head,
    make_note,
    make_numbers,
    make_table,
    make_view,
    make_warning,
    write_fixed,
    write_mass,
    write_number,
    write_score,
    write_share,
)
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from capcurve._curve.binned_curve import BinnedCurve, BoundedCurve, BoundedTable
    from capcurve._curve.curve import CapCurve
    from capcurve._curve.cut_off import CutOff
    from capcurve._curve.double_lift import DoubleLift
    from capcurve._curve.gains_table import GainsTable
    from capcurve._curve.profile import Profile

SHARES_SHOWN = (0.1, 0.2, 0.5)
BOUNDED_DIGITS = 6  # bounds are often close to each other
GUARANTEE = (
    "The exact number lies within the guaranteed bounds, whatever the order of the rows "
    "within bins."
)


def view_curve(curve: CapCurve) -> str:
    """Show a curve and its numbers."""
    drawing = draw(
        f"CAP curve, AR = {curve.accuracy_ratio:.3f}",
        draw_perfect_line(curve.perfect),
        draw_line(curve.profile),
    )
    return make_view(drawing, make_numbers(list_numbers(curve)))


def list_numbers(curve: CapCurve) -> dict[str, str]:
    """List the numbers of a curve, as text."""
    numbers = {"Accuracy ratio (AR)": write_number(curve.accuracy_ratio)}
    if curve.tie_bounds is not None:
        worst, best = curve.tie_bounds
        numbers["AR over all tie orders"] = f"{worst:.4f} to {best:.4f}"
    return numbers | {
        "KS": write_number(curve.ks),
        **{
            f"Capture rate at {share:.0%}": write_share(curve.capture_rate_at(share))
            for share in SHARES_SHOWN
        },
        "Total weight": write_mass(curve.total_weight),
        "Total outcome": write_mass(curve.total_target),
    }


def view_binned_curve(binned: BinnedCurve) -> str:
    """Show a binned curve with its guaranteed bounds; say so where it is undefined."""
    sizes = {
        "Rows": f"{binned.n_rows:,}",
        "Bins": f"{len(binned.by_score):,}",
        "Plan": binned.plan,
    }
    try:
        parts = show_bounds(binned)
    except CapcurveError as error:  # which a view must not raise
        return make_view(make_warning(make_sentence(str(error))), make_numbers(sizes))
    return make_view(*parts, make_numbers(sizes), make_note(GUARANTEE))


def make_sentence(message: str) -> str:
    """Make a sentence of the message of an error."""
    return f"{message[0].upper()}{message[1:]}."


def show_bounds(binned: BinnedCurve) -> list[str]:
    """Show the statistics of a binned curve."""
    curves = curve, worst, best = binned.curve, binned.worst, binned.best
    bounds = {"Accuracy ratio (AR)": binned.accuracy_ratio, "KS": binned.ks}
    for share in SHARES_SHOWN:
        captured = (each.capture_rate_at(share) for each in curves)
        bounds[f"Capture rate at {share:.0%}"] = Bounded(*captured)
    drawing = draw(
        "CAP curve with guaranteed bounds",
        draw_area(worst.profile, best.profile),
        draw_perfect_line(curve.perfect),
        draw_line(curve.profile),
    )
    return [drawing, make_table(list_bounds(bounds))]


def list_bounds(bounds: Mapping[str, Bounded]) -> list[Column]:
    """List statistics with their guaranteed bounds, as columns of a table."""
    write = partial(write_number, digits=BOUNDED_DIGITS)
    names = {"Value": "value", "At least": "low", "At most": "high"}
    return [
        Column("Statistic", list(bounds), is_text=True),
        *(
            Column(label, [getattr(each, name) for each in bounds.values()], write)
            for label, name in names.items()
        ),
    ]


def view_bounded_curve(points: BoundedCurve) -> str:
    """Show the points of a curve with their guaranteed bounds."""
    names = ("Population share", "Capture rate", "At least", "At most")
    columns = [
        Column(name, values, write_share)
        for name, values in zip(names, points, strict=True)
    ]
    head = make_head(f"CAP curve of {len(points.low):,} points", " with guaranteed bounds")
    return make_view(head, make_table(columns), make_note(GUARANTEE))


def view_profile(profile: Profile) -> str:
    """Show the points of a path."""
    share, rate = profile
    columns = [
        Column("Population share", share, write_share),
        Column("Capture rate", rate, write_share),
    ]
    return make_view(make_head(f"Path of {len(share):,} points"), make_table(columns))


def view_cut_off(cut_off: CutOff[Any]) -> str:
    """Show the numbers of one selection, or of several in a row each."""
    labels = ("Population share", "Capture rate", "Response rate", "Lift")
    writers: tuple[Callable[[Any], str], ...]
    writers = (write_share, write_share, write_number, write_number)
    if np.ndim(cut_off.lift) == 0:
        texts = (write(value) for write, value in zip(writers, cut_off, strict=True))
        return make_view(make_numbers(dict(zip(labels, texts, strict=True))))
    columns = [
        Column(label, np.ravel(values), write)
        for label, values, write in zip(labels, cut_off, writers, strict=True)
    ]
    numbers = Column("Cut-off", range(1, 1 + np.size(cut_off.lift)))
    return make_view(make_table([numbers, *columns]))


def view_gains_table(table: GainsTable) -> str:
    """Show a gains table, with a row of all bands."""
    columns = lay_out(table)
    total = [ALL_BANDS, *(write_total(column) for column in columns)]
    notes = [make_note(FRACTIONS)] if is_fractional(table) else []
    return make_view(
        make_table(
            [Column("Band", table.band), *map(make_column, columns)],
            spans=[("", 1), *list_spans(columns)],
            total=total,
        ),
        *notes,
    )


def view_bounded_table(bounded: BoundedTable) -> str:
    """Show the cumulative columns of a gains table with their guaranteed bounds."""
    columns = [Column("Band", bounded.value.band)]
    spans = [("", 2)]
    columns.append(Column("Population share", bounded.value.population_share, write_share))
    for name, label, write in (
        ("capture_rate", "Capture rate", write_share),
        ("lift", "Lift", write_number),
    ):
        spans.append((label, len(bounded)))
        for table, head in zip(bounded, ("Value", "At least", "At most"), strict=True):
            columns.append(Column(head, getattr(table, name), write))
    return make_view(make_table(columns, spans=spans), make_note(GUARANTEE))


def make_column(column: LaidOut) -> Column:
    """Make the column of a view."""
    return Column(column.label, column.values, choose_format(column))


def write_total(column: LaidOut) -> str:
    """Write the number of all bands together."""
    return "" if column.total is None else choose_format(column)(column.total)


def choose_format(column: LaidOut) -> Callable[[float], str]:
    """Choose how the numbers of a column are written."""
    if column.is_share:
        return write_share
    if column.decimals is None:
        return write_score
    return partial(write_fixed, digits=column.decimals)


def list_spans(columns: Sequence[LaidOut]) -> list[tuple[str, int]]:
    """List the labels above columns, with the number of columns below each."""
    return [
        (span, len(list(below))) for span, below in groupby(columns, key=attrgetter("span"))
    ]


def view_double_lift(found: DoubleLift) -> str:
    """Show the outcome and both predictions by band, and their means over all rows."""
    written: dict[str, tuple[Any, Callable[[Any], str]]] = {
        "Band": (found.band, str),
        "Rows": (found.n, write_mass),
        "Lowest ratio": (found.lowest_ratio, write_score),
        "Highest ratio": (found.highest_ratio, write_score),
        "Outcome": (found.outcome, write_score),
        "Prediction A": (found.prediction_a, write_score),
        "Prediction B": (found.prediction_b, write_score),
    }
    columns = [Column(label, *column) for label, column in written.items()]
    totals = {
        "Mean outcome": write_score(found.total_outcome),
        "Mean of A": write_score(found.total_a),
        "Mean of B": write_score(found.total_b),
    }
    rescaled = "Predictions are rescaled to the mean outcome."
    notes = [make_note(rescaled)] if found.rescaled else []
    head = make_head("Double lift", " by the ratio of prediction B to prediction A")
    return make_view(head, make_table(columns), make_numbers(totals), *notes)
