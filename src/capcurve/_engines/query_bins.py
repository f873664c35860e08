"""Turn the grouped results of an engine into bins, with exact totals where available."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._engines.binned_rows import make_event_bins, make_keys
from capcurve._engines.groups import number_groups
from capcurve._engines.plan import MAX_HEAVY_BINS, MIN_HEAVY_WIDTH, ColumnRange
from capcurve._engines.query import (
    ROWS,
    EngineResult,
    has_window_sums,
    log_plan,
)
from capcurve._engines.query_plans import (
    add_totals,
    bin_heavy_ranges,
    bin_rows,
    count_pairs_in_bins,
    keep_ranges,
    tally_in_engine,
)
from capcurve._tally.bins import (
    BinnedRows,
    Bins,
    ExactTotals,
    compute_min_outcome_weight,
    rank_bins,
)
from capcurve._tally.cells import FINEST
from capcurve._tally.dtypes import Array, FloatArray
from capcurve._tally.order import floats_from_keys
from capcurve._tally.pair_counts import PairCounts
from capcurve.exceptions import CapcurveError

BIN_COLUMNS = (ROWS, "w", "wy", "y", "low", "high")
Numbers = Mapping[str, Array]


@dataclass(frozen=True)
class EngineRows:
    """The complete rows of a query, before they are grouped.

    Attributes
    ----------
    query : narwhals LazyFrame
        Columns ``y`` (outcome), ``s`` (score), the group keys, and ``w`` (weight) unless
        rows are unweighted events.
    by : sequence of str
        Names of the group keys in ``query``.
    has_events : bool
        Whether outcomes are 0/1 events.
    is_counted : bool
        Whether rows are unweighted events, so that pairs are counted.
    descending : bool
        Whether high scores are ranked first.
    scales : mapping of str to ColumnRange
        Ranges of ``y`` and ``s``.
    """

    query: nw.LazyFrame[Any]
    by: Sequence[str]
    has_events: bool
    is_counted: bool
    descending: bool
    scales: Mapping[str, ColumnRange]


class GroupedResult(NamedTuple):
    """Result of a grouped query, and the name of its plan."""

    groups: EngineResult
    plan: str


def group_rows(rows: EngineRows, column: str, *, exact: bool) -> GroupedResult:
    """Bin rows by a column within each group, by the plan that suits the engine."""
    if exact and not has_window_sums(rows.query):
        return GroupedResult(tally_in_engine(rows.query, column, rows.by), "direct")
    scale = rows.scales[column]
    if not exact:
        return GroupedResult(bin_rows(rows.query, column, rows.by, scale), "bins")
    if not rows.by and not (rows.is_counted and scale.weight):
        scale = add_totals(rows.query, scale)
    return GroupedResult(
        count_pairs_in_bins(rows.query, column, rows.by, scale), "bucketed"
    )


def make_binned_rows(
    rows: EngineRows, found: GroupedResult, exact_at: Sequence[float] | None
) -> list[BinnedRows]:
    """Return the bins of each group; with exact totals unless ``exact_at`` is None.

    Without groups, the bins at the population shares ``exact_at`` are split into their
    distinct scores.
    """
    exact = exact_at is not None
    ranked_by_score = make_group_bins(rows, found, exact=exact)
    if rows.has_events:
        ranked_by_target = [make_perfect_bins(scored) for scored in ranked_by_score]
    else:
        by_target = group_rows(rows, "y", exact=exact)
        ranked_by_target = make_group_bins(rows, by_target, exact=exact)
    binned = []
    for scored, perfect in zip(ranked_by_score, ranked_by_target, strict=True):
        bins = scored.bins
        if exact_at and not rows.by:
            place = find_bins_at(bins, exact_at, descending=rows.descending)
            bins = split_bins(rows, bins, place)
        elif not exact and not rows.by and rows.scales:
            bins = split_heavy_bins(rows, bins)
        binned.append(
            BinnedRows(
                bins,
                perfect.bins,
                descending=rows.descending,
                has_events=rows.has_events,
                n_rows=scored.n_rows,
                exact=combine_exact_totals(rows, scored.inside, perfect.inside),
                plan=found.plan,
            )
        )
    return binned


class WithinBinTotals(NamedTuple):
    """Exact totals over all pairs of rows, those within bins included."""

    concordance_surplus: float
    tied: float
    max_distance: float | None
    pairs: PairCounts | None


class GroupBins(NamedTuple):
    """Bins of one group, with exact totals where pairs within bins were counted."""

    bins: Bins
    n_rows: int
    inside: WithinBinTotals | None


def make_group_bins(
    rows: EngineRows, found: GroupedResult, *, exact: bool
) -> list[GroupBins]:
    """Return the ordered bins of each group."""
    columns = fill_event_columns(found.groups.numbers)
    log_plan(found.plan, len(columns["low"]), "bins")
    number = np.zeros(len(columns["low"]), dtype=np.int64)
    if found.groups.keys is not None:
        number = number_groups(found.groups.keys, list(rows.by))[1]
    order = np.argsort(number, kind="stable")
    groups = []
    for group in np.split(order, np.cumsum(np.bincount(number))[:-1]):
        group_columns = {name: column[group] for name, column in columns.items()}
        bins, n_rows = order_bins(group_columns, counted=rows.is_counted)
        inside = None
        if exact:
            inside = total_within_bins(group_columns, bins, rows)
        groups.append(GroupBins(bins, n_rows, inside))
    return groups


def fill_event_columns(numbers: Numbers) -> Numbers:
    """Fill in the columns implied by unweighted 0/1 events."""
    columns = dict(numbers)
    if ROWS not in columns:
        columns[ROWS] = columns["w"]
    if "w" not in columns:
        columns["w"] = columns[ROWS].astype(np.float64)
    if "y" not in columns:
        columns["y"] = (columns["wy"] > 0).astype(np.float64)
    return columns


def order_bins(columns: Numbers, *, counted: bool) -> tuple[Bins, int]:
    """Sort bins and join any that overlap; return them with the number of rows."""
    order = np.argsort(columns["low"], kind="stable")
    columns = {name: columns[name][order] for name in BIN_COLUMNS}
    reached = np.maximum.accumulate(columns["high"])
    first = np.flatnonzero(np.append(True, columns["low"][1:] > reached[:-1]))
    dtype = np.int64 if counted else np.float64
    bins = Bins(
        FINEST,
        make_keys(columns["low"][first]),
        make_keys(np.maximum.reduceat(columns["high"], first)),
        np.add.reduceat(columns["w"], first).astype(dtype),
        np.add.reduceat(columns["wy"], first).astype(dtype),
        np.maximum.reduceat(columns["y"], first).astype(np.float64),
    )
    return bins, int(columns[ROWS].sum())


def make_perfect_bins(scored: GroupBins) -> GroupBins:
    """Return the bins of the perfect ranking of 0/1 events; totals are sufficient."""
    events = scored.bins.target.sum()
    bins = make_event_bins((scored.bins.weight - scored.bins.target).sum(), events)
    perfect = rank_bins(bins, descending=True)
    return GroupBins(
        bins,
        scored.n_rows,
        WithinBinTotals(perfect.concordance_surplus, 0.0, perfect.max_distance, None),
    )


def total_within_bins(columns: Numbers, bins: Bins, rows: EngineRows) -> WithinBinTotals:
    """Return totals over all pairs: those within bins plus those between bins."""
    tally = rank_bins(bins, descending=True)
    if "pairs" not in columns:
        pairs = PairCounts.from_tally(tally) if rows.is_counted else None
        return WithinBinTotals(
            tally.concordance_surplus, tally.tied_pair_mass, tally.max_distance, pairs
        )
    if len(bins) < len(columns["low"]):
        raise CapcurveError(
            "the engine of `data` does not preserve the order of numbers when it rounds "
            "them, so pairs cannot be counted within bins; pass `approx=True` for "
            "guaranteed bounds instead"
        )
    order = np.argsort(columns["low"], kind="stable")
    ordered = {name: column[order] for name, column in columns.items()}
    mixed = ordered["low"] < ordered["high"]
    w = ordered["w"]
    wy = ordered["wy"]
    surplus = np.where(mixed, ordered["pairs"] - wy * w, 0.0)
    tied = float(np.where(mixed, ordered["tied"], wy * (w - wy)).sum())
    return WithinBinTotals(
        tally.concordance_surplus + float(surplus.sum()),
        tied,
        None if rows.by else find_max_distance(ordered),
        join_pair_counts(ordered, surplus, mixed) if rows.is_counted else None,
    )


def find_max_distance(ordered: Numbers) -> float:
    """Return the largest distance of the curve from the diagonal, within bins too."""
    w = ordered["w"]
    wy = ordered["wy"]
    gap = wy * w.sum() - w * wy.sum()
    before = np.cumsum(gap) - gap
    return float(
        max((before + ordered["highest"]).max(), -(before + ordered["deepest"]).min(), 0.0)
    )


def join_pair_counts(ordered: Numbers, surplus: Array, mixed: Array) -> PairCounts:
    """Join the pair counts of all bins; ``mixed`` marks bins of several scores.

    The engine squares row sums shifted by the non-events of the bin, and column sums
    shifted by its events. This function removes the shift; the cross terms follow from the
    surplus, to which both the row sums and the column sums add up.
    """
    events = ordered["wy"]
    nonevents = ordered["w"] - events
    n_pairs = events * nonevents
    row_squares = (
        ordered["row_squares"]
        - 2 * nonevents * (surplus + n_pairs)
        + nonevents * nonevents * events
    )
    column_squares = (
        ordered["column_squares"]
        - 2 * events * (n_pairs - surplus)
        + events * events * nonevents
    )
    counts = [
        events,
        nonevents,
        surplus,
        np.where(mixed, row_squares, 0.0),
        np.where(mixed, column_squares, 0.0),
        np.where(mixed, n_pairs - ordered["tied"], 0.0),
    ]
    counts_by_bin = np.rint(np.array(counts)).T.tolist()
    parts = (PairCounts(*map(int, bin_counts)) for bin_counts in counts_by_bin)
    return reduce(PairCounts.join, parts)


def combine_exact_totals(
    rows: EngineRows, scored: WithinBinTotals | None, perfect: WithinBinTotals | None
) -> ExactTotals | None:
    """Combine the totals of the ranking by score with those of the perfect ranking."""
    if scored is None or perfect is None:
        return None
    sign = 1 if rows.descending else -1
    pairs = scored.pairs
    if pairs is not None and not rows.descending:
        pairs = pairs.reversed()
    return ExactTotals(
        sign * scored.concordance_surplus,
        perfect.concordance_surplus,
        scored.max_distance,
        perfect.max_distance,
        scored.tied if rows.has_events else None,
        pairs,
    )


def split_bins(
    rows: EngineRows, bins: Bins, place: Array, inner: Bins | None = None
) -> Bins:
    """Split some bins into their scores, which are known or counted by the engine."""
    if not len(place):
        return bins
    if inner is None:
        inside = keep_ranges(rows.query, "s", list_ranges(bins, place))
        inner = make_inner_bins(rows, tally_in_engine(inside, "s", ()))
    return replace_bins(bins, place, inner)


def find_bins_at(bins: Bins, shares: Sequence[float], *, descending: bool) -> Array:
    """Find the bins at some population shares, and at both ends, with several scores."""
    tally = rank_bins(bins, descending=descending)
    ends = np.cumsum(tally.weight)
    at = np.array([0.0, *shares, 1.0]) * ends[-1]
    # Where a share is exactly the end of a bin, the next band starts in the next bin.
    sides = [np.searchsorted(ends, at, side) for side in ("left", "right")]
    place = np.unique(np.minimum(np.concatenate(sides), len(bins) - 1))
    if descending:
        place = len(bins) - 1 - place
    mixed: Array = place[bins.lowest[place] < bins.highest[place]]
    return mixed


def split_heavy_bins(rows: EngineRows, bins: Bins) -> Bins:
    """Split the few bins that make the bounds of AR wide, if it is only a few.

    A score of any digits that a large part of the rows has is then a bin by itself.
    """
    slack = bins.target * (bins.weight - compute_min_outcome_weight(bins))
    place = np.argsort(-slack, kind="stable")[:MAX_HEAVY_BINS]
    place = place[slack[place] > 0]
    mass = float(bins.target.sum()) * float(bins.weight.sum())
    heavy, total = float(slack[place].sum()), float(slack.sum())
    if heavy <= MIN_HEAVY_WIDTH * mass or heavy < total / 2:
        return bins
    found = bin_heavy_ranges(rows.query, "s", list_ranges(bins, place))
    return replace_bins(bins, place, make_inner_bins(rows, found))


def list_ranges(bins: Bins, place: Array) -> list[tuple[float, float]]:
    """List the lowest and the highest score of some bins."""
    low, high = find_ends(bins, place)
    return list(zip(low.tolist(), high.tolist(), strict=True))


def find_ends(bins: Bins, place: Array) -> tuple[FloatArray, FloatArray]:
    """Find the lowest and the highest score of some bins."""
    return floats_from_keys(bins.lowest[place]), floats_from_keys(bins.highest[place])


def make_inner_bins(rows: EngineRows, found: EngineResult) -> Bins:
    """Return the bins that an engine counted within others."""
    return order_bins(fill_event_columns(found.numbers), counted=rows.is_counted)[0]


def replace_bins(bins: Bins, place: Array, inner: Bins) -> Bins:
    """Return the bins with some of them replaced by finer ones."""
    return bins.without(place).merge(inner, max_bins=len(bins) + len(inner))
