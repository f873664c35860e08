"""What an engine grouped -> bins, the pairs counted inside of them, and curves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._bins import ALL_BITS, Bins, numbers_of, ranked
from capcurve._engines import lazy
from capcurve._engines.binning import bins_of_events, keys_of
from capcurve._input import Array
from capcurve._pairs import PairCounts
from capcurve._roles import number_groups
from capcurve.binned_curve import BinnedCurve, Exact
from capcurve.exceptions import CapcurveError

BINNED = (lazy.ROWS, "w", "wy", "y", "low", "high")

Numbers = Mapping[str, Array]


@dataclass(frozen=True)
class Rows:
    """The rows of a query: outcome ``y``, score ``s``, keys of groups, and weight ``w``.

    Events without weights have no ``w``; ``scales`` holds the ranges of ``y`` and ``s``.
    """

    query: nw.LazyFrame[Any]
    by: Sequence[str]
    has_events: bool
    is_counted: bool
    descending: bool
    scales: Mapping[str, lazy.Scale]


class Grouped(NamedTuple):
    """Rows as an engine grouped them, and by which plan."""

    groups: lazy.Groups
    plan: str


def grouped_rows(rows: Rows, column: str, *, exact: bool) -> Grouped:
    """Let the engine bin rows by a column in every group."""
    if exact and not lazy.runs_within_groups(rows.query):
        return Grouped(lazy.tallied(rows.query, column, rows.by), "direct")
    scale = rows.scales[column]
    if not exact:
        return Grouped(lazy.binned(rows.query, column, rows.by, scale), "bins")
    if not rows.by and not (rows.is_counted and scale.weight):
        scale = lazy.with_totals(rows.query, scale)
    return Grouped(lazy.counted(rows.query, column, rows.by, scale), "bucketed")


def curves_of_bins(
    rows: Rows, found: Grouped, exact_at: Sequence[float] | None
) -> list[BinnedCurve]:
    """Make the curve of each group, exact or with limits."""
    exact = exact_at is not None
    ranked_by_score = groups_of_bins(rows, found, exact=exact)
    if rows.has_events:
        best = [of_events(scored) for scored in ranked_by_score]
    else:
        best = groups_of_bins(rows, grouped_rows(rows, "y", exact=exact), exact=exact)
    curves = []
    for scored, perfect in zip(ranked_by_score, best, strict=True):
        bins = scored.bins
        if exact_at and not rows.by:
            bins = split_at(rows, bins, exact_at)
        curves.append(
            BinnedCurve(
                bins,
                perfect.bins,
                descending=rows.descending,
                has_events=rows.has_events,
                n_rows=scored.n_rows,
                exact=exactly(rows, scored.inside, perfect.inside),
                plan=found.plan,
            )
        )
    return curves


class Inside(NamedTuple):
    """What the pairs of all rows add up to, those inside of bins included."""

    gain: float
    tied: float
    largest_gap: float | None
    pairs: PairCounts | None


class GroupOfBins(NamedTuple):
    """The bins of one group, and what was counted inside of them."""

    bins: Bins
    n_rows: int
    inside: Inside | None


def groups_of_bins(rows: Rows, found: Grouped, *, exact: bool) -> list[GroupOfBins]:
    """Order the bins of every group."""
    columns = events_told(found.groups.numbers)
    lazy.log_plan(found.plan, len(columns["low"]), "bins")
    number = np.zeros(len(columns["low"]), dtype=np.int64)
    if found.groups.keys is not None:
        number = number_groups(found.groups.keys, list(rows.by))[1]
    order = np.argsort(number, kind="stable")
    groups = []
    for group in np.split(order, np.cumsum(np.bincount(number))[:-1]):
        own = {name: column[group] for name, column in columns.items()}
        bins, n_rows = bins_of(own, counted=rows.is_counted)
        inside = None
        if exact:
            inside = counted_inside(own, bins, rows)
        groups.append(GroupOfBins(bins, n_rows, inside))
    return groups


def events_told(numbers: Numbers) -> Numbers:
    """Add what goes without saying of events."""
    columns = dict(numbers)
    if lazy.ROWS not in columns:
        columns[lazy.ROWS] = columns["w"]
    if "w" not in columns:
        columns["w"] = columns[lazy.ROWS].astype(np.float64)
    if "y" not in columns:
        columns["y"] = (columns["wy"] > 0).astype(np.float64)
    return columns


def bins_of(columns: Numbers, *, counted: bool) -> tuple[Bins, int]:
    """Order bins by what they hold; those that overlap, as none should, are joined."""
    order = np.argsort(columns["low"], kind="stable")
    columns = {name: columns[name][order] for name in BINNED}
    reached = np.maximum.accumulate(columns["high"])
    first = np.flatnonzero(np.append(True, columns["low"][1:] > reached[:-1]))
    kind = np.int64 if counted else np.float64
    bins = Bins(
        ALL_BITS,
        keys_of(columns["low"][first]),
        keys_of(np.maximum.reduceat(columns["high"], first)),
        np.add.reduceat(columns["w"], first).astype(kind),
        np.add.reduceat(columns["wy"], first).astype(kind),
        np.maximum.reduceat(columns["y"], first).astype(np.float64),
    )
    return bins, int(columns[lazy.ROWS].sum())


def of_events(scored: GroupOfBins) -> GroupOfBins:
    """Bin the outcomes of 0/1 events: their totals say it all."""
    weight, events = scored.bins.weight.sum(), scored.bins.target.sum()
    bins = bins_of_events(weight - events, events)
    best = ranked(bins, descending=True)
    return GroupOfBins(bins, scored.n_rows, Inside(best.gain, 0.0, best.largest_gap, None))


def counted_inside(columns: Numbers, bins: Bins, rows: Rows) -> Inside:
    """Add what was counted inside of bins to what lies between them."""
    tally = ranked(bins, descending=True)
    if "pairs" not in columns:
        pairs = PairCounts.from_tally(tally) if rows.is_counted else None
        return Inside(tally.gain, tally.tied_pairs, tally.largest_gap, pairs)
    if len(bins) < len(columns["low"]):
        raise CapcurveError(
            "the engine of `data` does not keep the order of numbers when it rounds, so "
            "pairs can not be counted bin by bin; `approx=True` gives limits instead"
        )
    order = np.argsort(columns["low"], kind="stable")
    ordered = {name: column[order] for name, column in columns.items()}
    mixed = ordered["low"] < ordered["high"]
    w, wy = ordered["w"], ordered["wy"]
    surplus = np.where(mixed, ordered["pairs"] - wy * w, 0.0)
    tied = float(np.where(mixed, ordered["tied"], wy * (w - wy)).sum())
    return Inside(
        tally.gain + float(surplus.sum()),
        tied,
        None if rows.by else widest_gap(ordered),
        joined_pairs(ordered, surplus, mixed) if rows.is_counted else None,
    )


def widest_gap(ordered: Numbers) -> float:
    """Find the largest distance from the diagonal, inside of bins too."""
    w, wy = ordered["w"], ordered["wy"]
    gap = wy * w.sum() - w * wy.sum()
    before = np.cumsum(gap) - gap
    return float(
        max((before + ordered["highest"]).max(), -(before + ordered["deepest"]).min(), 0.0)
    )


def joined_pairs(ordered: Numbers, surplus: Array, mixed: Array) -> PairCounts:
    """Join the pair counts of all bins.

    Row sums add up to the same surplus as column sums do, which gives the mixed terms.
    """
    d, n = ordered["wy"], ordered["w"] - ordered["wy"]
    row_sums, column_sums = surplus + d * n, d * n - surplus
    rows = ordered["row_squares"] - 2 * n * row_sums + n * n * d
    columns = ordered["column_squares"] - 2 * d * column_sums + d * d * n
    untied = d * n - ordered["tied"]
    counts = [
        d,
        n,
        surplus,
        *(np.where(mixed, each, 0.0) for each in (rows, columns, untied)),
    ]
    each_bin = np.rint(np.array(counts)).T.tolist()
    parts = (PairCounts(*map(int, numbers)) for numbers in each_bin)
    return reduce(PairCounts.join, parts)


def exactly(rows: Rows, own: Inside | None, best: Inside | None) -> Exact | None:
    """Put what was counted of the ranking next to the best."""
    if own is None or best is None:
        return None
    sign = 1 if rows.descending else -1
    pairs = own.pairs
    if pairs is not None and not rows.descending:
        pairs = pairs.reversed()
    return Exact(
        sign * own.gain,
        best.gain,
        own.largest_gap,
        best.largest_gap,
        own.tied if rows.has_events else None,
        pairs,
    )


def split_at(rows: Rows, bins: Bins, shares: Sequence[float]) -> Bins:
    """Replace the bins at some population shares, and both ends, by their scores."""
    tally = ranked(bins, descending=rows.descending)
    ends = np.cumsum(tally.weight)
    at = np.array([0.0, *shares, 1.0]) * ends[-1]
    # At the very end of a bin the next band starts with the best score of the next one.
    sides = [np.searchsorted(ends, at, side) for side in ("left", "right")]
    place = np.unique(np.minimum(np.concatenate(sides), len(bins) - 1))
    if rows.descending:
        place = len(bins) - 1 - place
    place = place[bins.lowest[place] < bins.highest[place]]
    if not len(place):
        return bins
    low, high = numbers_of(bins.lowest[place]), numbers_of(bins.highest[place])
    ranges = list(zip(low.tolist(), high.tolist(), strict=True))
    found = lazy.tallied(lazy.between(rows.query, "s", ranges), "s", ())
    inner, _ = bins_of(events_told(found.numbers), counted=rows.is_counted)
    return bins.without(place).merge(inner, most=len(bins) + len(inner))
