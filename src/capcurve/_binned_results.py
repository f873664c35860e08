"""Binned curves of groups -> result rows, stacked beside the keys of their groups."""

from collections.abc import Callable, Mapping
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._binned_frames import Binned
from capcurve._bins import ranked, split
from capcurve._group_estimates import warn_few
from capcurve._input import Array
from capcurve._precision import FEW_EVENTS
from capcurve._results import CURVE, Part, stack, warn_undefined
from capcurve._roles import Roles
from capcurve._tally import Tally
from capcurve.binned_curve import BinnedCurve
from capcurve.curve import CapCurve
from capcurve.table import Bands, GainsTable

Columns = Mapping[str, Array]


def binned_capture(
    binned: Binned, label: str | None, confidence_level: float | None, *, limits: bool
) -> Any:
    """Read gain capture, and its certain limits, off the binned curves of all groups."""

    def columns_of(curve: BinnedCurve) -> Columns:
        numbers = capture_of(curve, confidence_level, limits=limits)
        texts = {"metric": "gain_capture", "estimator": "binary"}
        columns = {name: np.array([text], dtype=object) for name, text in texts.items()}
        return columns | {name: np.array([number]) for name, number in numbers.items()}

    if confidence_level is not None:
        few = [
            (name, number)
            for name, curves in binned.curves.items()
            for number, curve in enumerate(curves)
            if not is_undefined(curve) and rarest(curve) < FEW_EVENTS
        ]
        warn_few(roles_of(binned), few)
    return stacked(binned, label, columns_of, "the accuracy ratio")


def binned_curves(binned: Binned, label: str | None) -> Any:
    """Accumulate the bins of all groups, each behind a row of zeros."""
    return stacked(binned, label, curve_columns, "the capture rate")


def binned_tables(binned: Binned, label: str | None, bands: Bands) -> Any:
    """Cut the binned curves of all groups into bands, with limits of the capture rate."""
    return stacked(
        binned, label, lambda curve: table_columns(curve, bands), "the gains table"
    )


def stacked(
    binned: Binned,
    label: str | None,
    columns_of: Callable[[BinnedCurve], Columns],
    what: str,
) -> Any:
    """Put the rows of all groups together, and warn of those that are undefined."""
    roles = roles_of(binned)
    parts, undefined = [], []
    for name, curves in binned.curves.items():
        for number, curve in enumerate(curves):
            columns = columns_of(curve)
            n_rows = len(next(iter(columns.values())))
            parts.append(Part(name, np.full(n_rows, number), columns))
            undefined += [(name, number)] if is_undefined(curve) else []
    warn_undefined(roles, what, undefined)
    return stack(roles, parts, label)


def roles_of(binned: Binned) -> Roles:
    """Say which groups there are, a row for each."""
    n_groups = 1 if binned.keys is None else len(binned.keys)
    nothing = nw.from_dict({}, backend=binned.backend)
    return Roles(nothing, binned.keys, np.arange(n_groups), [], are_levels=False)


def rarest(curve: BinnedCurve) -> float:
    """Count the rows of the rarer kind."""
    events = curve.by_target.target.sum()
    return float(min(events, curve.by_target.weight.sum() - events))


def is_undefined(curve: BinnedCurve) -> bool:
    """Whether all outcomes are equal."""
    return len(curve.by_target) == 1


def capture_of(
    curve: BinnedCurve, confidence_level: float | None, *, limits: bool
) -> dict[str, float]:
    """List the numbers of one binned curve, nan where all outcomes are equal."""
    undefined = is_undefined(curve)
    ratio = (np.nan,) * 3 if undefined else curve.accuracy_ratio
    row = dict(zip(("estimate", "lower", "upper"), ratio, strict=True))
    if not limits:
        row = {"estimate": row["estimate"]}
    if confidence_level is None:
        return row
    found = None if undefined else curve.interval(confidence_level=confidence_level)
    errors = {"std_error": "standard_error", "low": "low", "high": "high"}
    return {
        **row,
        **{name: getattr(found, field, np.nan) for name, field in errors.items()},
        "n_events": int(curve.by_target.target.sum()),
    }


def curve_columns(curve: BinnedCurve) -> Columns:
    """List the points at the edges of bins, which are exact."""
    tally = ranked(curve.by_score, descending=curve.descending)
    n, n_events = (np.append(0, np.cumsum(mass)) for mass in (tally.weight, tally.target))
    nothing = np.inf if curve.descending else -np.inf
    with np.errstate(invalid="ignore"):
        captured = n_events / n_events[-1]
    threshold = np.append(nothing, tally.score)
    return dict(zip(CURVE, (n, n_events, n / n[-1], captured, threshold), strict=True))


def table_columns(curve: BinnedCurve, bands: Bands) -> Columns:
    """Cut one curve, and those of the worst and the best order inside of bins."""
    perfect = ranked(curve.by_target, descending=True)

    def cut(tally: Tally) -> GainsTable:
        return GainsTable.from_curve(CapCurve(tally, perfect, 0.0, curve.descending), bands)

    value = cut(ranked(curve.by_score, descending=curve.descending))
    limits = {
        name: cut(split(curve.by_score, descending=curve.descending, outcome_first=first))
        for name, first in (("lower", False), ("upper", True))
    }
    return value.to_dict() | {name: each.capture_rate for name, each in limits.items()}
