"""Rank unweighted 0/1 events that an engine hands over in batches, in bounded memory.

The rarer class is fetched and sorted. The other comes in batches: each is sorted, and the
rarer class ranked among it, while the next is fetched. Ranks add up over batches, and all
pair counts follow from them, in integers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from capcurve._engines.binned_rows import make_event_bins, make_keys
from capcurve._engines.class_ranks import rank_among
from capcurve._engines.near_rows import choose_near_rows
from capcurve._engines.plan import BATCH_ROWS, fits_in_batches
from capcurve._engines.query import log_plan
from capcurve._engines.query_bins import (
    EngineRows,
    find_bins_at,
    find_ends,
    group_rows,
    make_group_bins,
    split_bins,
)
from capcurve._engines.query_plans import add_totals
from capcurve._input.dtypes import LazyFrame
from capcurve._tally.bins import BinnedRows, Bins, ExactTotals
from capcurve._tally.cells import FINEST
from capcurve._tally.dtypes import FloatArray
from capcurve._tally.order import find_run_ends
from capcurve._tally.pair_counts import PairCounts
from capcurve._tally.threads import fetch_ahead

MAX_EDGES = 1 << 15  # of bins, from each class
MAX_BIN_SHARE = 1 / 256  # of all rows; with more in one bin, the engine makes better bins


def rank_in_batches(
    rows: EngineRows, shares: Sequence[float], limit: float | None
) -> BinnedRows | None:
    """Rank the rows of a query in batches; None if another plan has to do it.

    Parameters
    ----------
    rows : EngineRows
    shares : sequence of float
        Population shares at which the curve is exact.
    limit : float or None
        Bytes granted; None: a share of what is free.
    """
    if rows.by or not rows.is_counted or not streams_batches(rows.query):
        return None
    scale = rows.scales["s"]
    if not scale.weight:
        scale = add_totals(rows.query, scale)
    n_events, n_nonevents = int(scale.target), int(scale.weight - scale.target)
    if not fits_in_batches(n_events, n_nonevents, limit):
        return None
    of_events = n_events <= n_nonevents
    few = np.empty(min(n_events, n_nonevents))
    for batch in fetch_batches(select_class(rows.query, events=of_events), len(few)):
        few = batch
    few.sort()
    ranks = BatchRanks(few)
    many = select_class(rows.query, events=not of_events)
    n_many = max(n_events, n_nonevents)
    at = [0.0, *(1 - share if rows.descending else share for share in shares), 1.0]
    near = None
    for batch in fetch_ahead(fetch_batches(many, min(n_many, BATCH_ROWS))):
        ranks.add(batch)
        near = near or choose_near_rows(few, batch, ranks.edges, at, n_many)
        near.add(batch)
    log_plan("batches", n_events + n_nonevents, "rows")
    bins = make_bins(rows, ranks, of_events=of_events)
    if len(shares):
        place = find_bins_at(bins, shares, descending=rows.descending)
        low, high = find_ends(bins, place)
        inner = near.bin_scores(low, high, of_events=of_events) if near else None
        bins = split_bins(rows, bins, place, inner)
    return BinnedRows(
        bins,
        make_event_bins(n_nonevents, n_events),
        descending=rows.descending,
        n_rows=n_events + n_nonevents,
        exact=ranks.total(of_events=of_events, descending=rows.descending),
        plan="batches",
    )


def make_bins(rows: EngineRows, ranks: BatchRanks, *, of_events: bool) -> Bins:
    """Make the bins of all rows; the engine does if one of them holds too many rows."""
    bins = ranks.make_bins(of_events=of_events)
    mixed = np.where(bins.lowest < bins.highest, bins.weight, 0)
    if mixed.max() <= MAX_BIN_SHARE * bins.weight.sum():
        return bins
    found = group_rows(rows, "s", exact=False)
    return make_group_bins(rows, found, exact=False)[0].bins


def select_class(query: LazyFrame, *, events: bool) -> LazyFrame:
    """Select the scores of one class."""
    return query.filter(nw.col("y") == float(events)).select("s")


def streams_batches(query: LazyFrame) -> bool:
    """Whether an engine of this process hands rows over as it makes them."""
    engine = query.implementation
    if engine.is_polars():
        return hasattr(query.to_native(), "collect_batches")  # from 1.34 on
    return engine.is_duckdb()


def stream_scores(query: LazyFrame) -> Iterator[FloatArray]:
    """Yield the scores of a query in arrays of the sizes that its engine likes."""
    native: Any = query.to_native()
    if query.implementation.is_polars():
        for frame in native.collect_batches(maintain_order=False):
            yield frame.to_series().to_numpy()
        return
    import pyarrow as pa

    for record in pa.RecordBatchReader.from_stream(native):
        values: Any = np.from_dlpack(record.column(0))
        yield values


def fetch_batches(scores: LazyFrame, n_rows: int) -> Iterator[FloatArray]:
    """Yield the scores of a query in arrays of ``n_rows``; the last may be shorter."""
    batch, filled = np.empty(n_rows), 0
    for found in stream_scores(scores):
        values = found
        while len(values):
            part = values[: n_rows - filled]
            batch[filled : filled + len(part)] = part
            filled, values = filled + len(part), values[len(part) :]
            if filled == n_rows:
                yield batch
                batch, filled = np.empty(n_rows), 0
    if filled:
        yield batch[:filled]


@dataclass
class BinCounts:
    """Rows of one class between edges, with the least and the greatest score there.

    A bin holds the scores above the edge before it, up to its own edge; the last holds
    those above all edges.
    """

    edges: FloatArray
    rows: NDArray[np.int64] = field(init=False)
    low: FloatArray = field(init=False)
    high: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        n_bins = len(self.edges) + 1
        self.rows = np.zeros(n_bins, dtype=np.int64)
        self.low, self.high = np.full(n_bins, np.inf), np.full(n_bins, -np.inf)

    def add(self, ordered: FloatArray) -> Self:
        """Count sorted scores."""
        inner = np.searchsorted(ordered, self.edges, side="right")
        first, end = np.append(0, inner), np.append(inner, len(ordered))
        some = first < end
        self.rows += end - first
        self.low[some] = np.minimum(self.low[some], ordered[first[some]])
        self.high[some] = np.maximum(self.high[some], ordered[end[some] - 1])
        return self


class BatchRanks:
    """Ranks of the sorted scores of the rarer class among all batches of the other.

    Each distinct score is ranked once.
    """

    def __init__(self, few: FloatArray) -> None:
        self.few = few
        ends = find_run_ends(few)
        self.times = np.diff(ends, prepend=-1)
        self.scores = few if len(ends) == len(few) else few[ends]
        self.below = self.up_to = np.zeros(len(ends), dtype=np.int64)
        self.n_many = 0
        self.counts: BinCounts | None = None

    @property
    def edges(self) -> FloatArray:
        """Edges of the bins, once there is a batch."""
        assert self.counts is not None  # noqa: S101 -- no class is empty
        return self.counts.edges

    def add(self, batch: FloatArray) -> None:
        """Rank among a batch, which is sorted in place."""
        below, up_to = rank_among(self.scores, batch)
        if self.below is self.up_to and below is not up_to:
            self.below = self.up_to.copy()
        if self.below is not self.up_to:
            self.below += below
        self.up_to += up_to
        self.n_many += len(batch)
        if self.counts is None:
            self.counts = BinCounts(choose_edges(self.few, batch))
        self.counts.add(batch)

    def make_bins(self, *, of_events: bool) -> Bins:
        """Return all rows in bins; ``of_events`` says whether events are the rarer."""
        assert self.counts is not None  # noqa: S101 -- no class is empty
        many = self.counts
        few = BinCounts(many.edges).add(self.few)
        weight = few.rows + many.rows
        some = weight > 0
        target = (few if of_events else many).rows[some]
        return Bins(
            FINEST,
            make_keys(np.minimum(few.low, many.low)[some]),
            make_keys(np.maximum(few.high, many.high)[some]),
            weight[some],
            target,
            (target > 0).astype(np.float64),
        )

    def total(self, *, of_events: bool, descending: bool) -> ExactTotals:
        """Return the totals over all pairs, in integers."""
        counts = PairCounts.from_distinct_ranks(
            self.times, self.below, self.up_to, self.n_many
        )
        counts = counts if of_events else counts.swapped()
        counts = counts if descending else counts.reversed()
        return ExactTotals(
            counts.surplus,
            counts.pairs,
            self.find_max_distance(),
            counts.pairs,
            counts.pairs - counts.untied,
            counts,
        )

    def find_max_distance(self) -> int:
        """Return the largest distance of the curve from the diagonal, over its vertices."""
        m, end = len(self.few), np.cumsum(self.times)
        distances = []
        for number, rank in ((end - self.times, self.below), (end, self.up_to)):
            gap = rank * m
            gap -= number * self.n_many
            distances.append(int(np.abs(gap).max()))
        return max(distances)


def choose_edges(*classes: FloatArray) -> FloatArray:
    """Choose the edges of bins from sorted scores; a heavy score has a bin of its own."""
    edges = np.concatenate([thin_out(ordered) for ordered in classes])
    edges, times = np.unique(edges, return_counts=True)
    return np.union1d(edges, np.nextafter(edges[times > 1], -np.inf))


def thin_out(ordered: FloatArray) -> FloatArray:
    """Return evenly spaced scores of a sorted array."""
    n_edges = min(MAX_EDGES, len(ordered))
    return ordered[np.linspace(0, len(ordered) - 1, n_edges).astype(np.int64)]
