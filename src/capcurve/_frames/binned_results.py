"""Build tidy results of binned curves, joined with the keys of their groups."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import numpy as np

from capcurve._curve.binned_curve import BinnedCurve
from capcurve._curve.curve import CapCurve
from capcurve._curve.gains_table import BandSpec, GainsTable
from capcurve._engines.rankings import Rankings
from capcurve._frames.group_intervals import warn_few_events
from capcurve._frames.results import (
    ALL_EQUAL,
    ALL_ZERO,
    TABLE_PARTS,
    NativeFrame,
    ResultPart,
    format_places,
    stack_parts,
    warn_undefined_groups,
)
from capcurve._inference.options import FEW_EVENTS
from capcurve._inference.reliability import warn_of_wide_intervals
from capcurve._tally.bins import rank_bins, rank_extreme_order
from capcurve._tally.bounded import Bounded, enclose_rates
from capcurve._tally.dtypes import Array
from capcurve._tally.tally import Tally
from capcurve.exceptions import CapcurveError

ResultColumns = Mapping[str, Array]


def make_binned_capture(
    binned: Rankings, label: str | None, confidence_level: float | None, *, limits: bool
) -> NativeFrame:
    """Return gain capture of each group, with guaranteed bounds if ``limits``."""

    def make_columns(curve: BinnedCurve) -> ResultColumns:
        numbers = list_capture(curve, confidence_level, limits=limits)
        return {
            "metric": np.array(["gain_capture"], dtype=object),
            "estimator": np.array(["binary"], dtype=object),
            **{name: np.array([number]) for name, number in numbers.items()},
        }

    if confidence_level is not None:
        few = {
            (name, group): curve.interval(confidence_level=confidence_level).method
            for name, curves in make_curves(binned).items()
            for group, curve in enumerate(curves)
            if not is_constant_outcome(curve) and count_minority(curve) < FEW_EVENTS
        }
        wide = [place for place, method in few.items() if method == "exact"]
        warn_few_events(binned.groups, [place for place in few if place not in wide])
        warn_of_wide_intervals(format_places(binned.groups, wide))
    return stack_curves(
        binned, label, make_columns, "the accuracy ratio", is_constant_outcome
    )


def make_binned_curves(binned: Rankings, label: str | None) -> NativeFrame:
    """Return the curve points of each group that has rows, one per bin."""
    return stack_curves(
        leave_out_empty_groups(binned),
        label,
        list_curve_points,
        "the capture rate",
        is_without_outcome,
        why=ALL_ZERO,
    )


def make_binned_tables(binned: Rankings, label: str | None, bands: BandSpec) -> NativeFrame:
    """Return the gains table of each group that has rows, with bounds."""
    binned = leave_out_empty_groups(binned)
    if bands == "scores":
        refuse_crowded_bins(
            curve for curves in make_curves(binned).values() for curve in curves
        )
    return stack_curves(
        binned,
        label,
        lambda curve: cut_binned_table(curve, bands),
        TABLE_PARTS,
        is_constant_outcome,
    )


def leave_out_empty_groups(binned: Rankings) -> Rankings:
    """Leave out the groups without a complete row."""
    keys = binned.groups.keys
    if keys is None:
        return binned
    first, *_ = binned.bins.values()
    kept = [group for group, rows in enumerate(first) if rows.n_rows]
    return replace(
        binned,
        groups=replace(binned.groups, keys=keys[kept, :]),
        bins={name: [rows[group] for group in kept] for name, rows in binned.bins.items()},
    )


def refuse_crowded_bins(curves: Iterable[BinnedCurve]) -> None:
    """Raise if some bin holds several scores, so that there is no band for each score."""
    if crowded := sum(map(count_crowded_bins, curves)):
        raise CapcurveError(
            f"`bands='scores'` requires bins of a single score, got {crowded:,} bins of "
            "several scores; pass a number of bands, or leave `approx` out"
        )


def count_crowded_bins(curve: BinnedCurve) -> int:
    """Count the bins that hold several distinct scores."""
    return int(np.count_nonzero(curve.by_score.lowest < curve.by_score.highest))


def make_curves(binned: Rankings) -> dict[str, list[BinnedCurve]]:
    """Return the curve of each score in each group."""
    return {
        name: [BinnedCurve(*rows) for rows in rows_by_group]
        for name, rows_by_group in binned.bins.items()
    }


def stack_curves(
    binned: Rankings,
    label: str | None,
    make_columns: Callable[[BinnedCurve], ResultColumns],
    what: str,
    is_undefined: Callable[[BinnedCurve], bool],
    *,
    why: str = ALL_EQUAL,
) -> NativeFrame:
    """Return the rows of all groups as a data frame; warn where ``what`` is undefined."""
    parts = []
    undefined = []
    for name, curves in make_curves(binned).items():
        for group, curve in enumerate(curves):
            columns = make_columns(curve)
            n_rows = len(next(iter(columns.values())))
            parts.append(ResultPart(name, np.full(n_rows, group), columns))
            if is_undefined(curve):
                undefined.append((name, group))
    warn_undefined_groups(binned.groups, what, undefined, why=why)
    return stack_parts(binned.groups, parts, label)


def count_minority(curve: BinnedCurve) -> float:
    """Return the number of rows of the minority class."""
    events = curve.by_target.target.sum()
    return float(min(events, curve.by_target.weight.sum() - events))


def is_constant_outcome(curve: BinnedCurve) -> bool:
    """Whether all outcomes are equal, or there are none."""
    return len(curve.by_target) < 2  # noqa: PLR2004 -- events and non-events


def is_without_outcome(curve: BinnedCurve) -> bool:
    """Whether there is no event, or only amounts of 0."""
    return not curve.by_target.target.any()


def list_capture(
    curve: BinnedCurve, confidence_level: float | None, *, limits: bool
) -> dict[str, float]:
    """Return the result row of one binned curve; nan if all outcomes are equal."""
    ratio = Bounded(np.nan, np.nan, np.nan)
    if not is_constant_outcome(curve):
        ratio = curve.accuracy_ratio
    row = {"estimate": ratio.value}
    if limits:
        row |= {"lower": ratio.low, "upper": ratio.high}
    if confidence_level is not None:
        row |= dict.fromkeys(("std_error", "low", "high"), np.nan)
        if not is_constant_outcome(curve):
            interval = curve.interval(confidence_level=confidence_level)
            row["std_error"] = interval.standard_error
            row |= {"low": interval.low, "high": interval.high}
        row["n_events"] = int(curve.by_target.target.sum())
    return row


def list_curve_points(curve: BinnedCurve) -> ResultColumns:
    """Return the exact points of the curve at the edges of bins, from the origin."""
    tally = rank_bins(curve.by_score, descending=curve.descending)
    n = np.append(0, np.cumsum(tally.weight))
    n_events = np.append(0, np.cumsum(tally.target))
    with np.errstate(invalid="ignore"):
        capture_rate = n_events / n_events[-1]
    ratio = np.nan if is_constant_outcome(curve) else curve.accuracy_ratio.value
    return {
        "n": n,
        "n_events": n_events,
        "population_share": n / n[-1],
        "capture_rate": capture_rate,
        "threshold": np.append(np.inf if curve.descending else -np.inf, tally.score),
        "accuracy_ratio": np.full(len(n), ratio),
    }


def cut_binned_table(curve: BinnedCurve, bands: BandSpec) -> ResultColumns:
    """Return the gains table of one curve, with guaranteed bounds of the capture rate."""
    perfect = rank_bins(curve.by_target, descending=True)

    def cut(tally: Tally) -> GainsTable:
        return GainsTable.from_curve(
            CapCurve(tally, perfect, descending=curve.descending), bands
        )

    def cut_extreme(*, outcome_first: bool) -> GainsTable:
        return cut(
            rank_extreme_order(
                curve.by_score, descending=curve.descending, outcome_first=outcome_first
            )
        )

    table = cut(rank_bins(curve.by_score, descending=curve.descending))
    extremes = (cut_extreme(outcome_first=first).capture_rate for first in (False, True))
    _, lower, upper = enclose_rates(table.capture_rate, *extremes)
    return table.to_dict() | {"lower": lower, "upper": upper}
