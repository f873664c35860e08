"""Batches of rows in memory -> bins, and bins added to those of a sketch."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from operator import attrgetter

import numpy as np

from capcurve._curve.binned_curve import BinnedCurve
from capcurve._engines.binned_rows import bin_scores, bin_targets
from capcurve._input.columns import Columns
from capcurve._tally.bins import BinnedRows
from capcurve._tally.dtypes import Array
from capcurve._tally.threads import count_threads

ROWS_PER_THREAD = 1 << 18  # below, starting a thread costs more than it saves
MOST_WAITING = 64  # batches that wait to be merged


def is_empty_batch(labels: Array, score: Array, weight: Array | None) -> bool:
    """Whether a batch has no rows, or only rows of weight 0."""
    if weight is None:
        return labels.shape == score.shape == (0,)
    same_length = labels.shape == score.shape == weight.shape and weight.ndim == 1
    return bool(same_length and weight.dtype.kind in "iuf" and not weight.any())


def split_rows(columns: Columns, n_parts: int) -> Sequence[Columns]:
    """Split rows into consecutive parts of nearly equal size."""
    ends = np.linspace(0, len(columns.target), n_parts + 1).astype(np.int64).tolist()
    return [columns[start:stop] for start, stop in pairwise(ends)]


def bin_batch(
    columns: Columns, so_far: Sequence[BinnedCurve | BinnedRows], max_bins: int
) -> list[BinnedRows]:
    """Put rows into bins no finer than those so far, with one thread per processor."""
    by_score, by_target = (
        min(bins, key=attrgetter("level"))
        for bins in zip(*((part.by_score, part.by_target) for part in so_far), strict=True)
    )

    def bin_rows(rows: Columns) -> BinnedRows:
        return BinnedRows(
            bin_scores(rows, by_score, max_bins),
            bin_targets(rows, by_target, max_bins),
            has_events=rows.has_events,
            n_rows=len(rows.target),
        )

    n_parts = min(count_threads(), len(columns.target) // ROWS_PER_THREAD)
    if n_parts <= 1:
        return [bin_rows(columns)]
    with ThreadPoolExecutor(n_parts) as pool:
        return list(pool.map(bin_rows, split_rows(columns, n_parts)))


def may_wait(held: BinnedCurve, parts: Sequence[BinnedRows], max_bins: int) -> bool:
    """Whether bins need no merging yet; that of several grids may be refused."""
    every = [held.by_score, *(part.by_score for part in parts)]
    n_bins = sum(len(part.by_score) + len(part.by_target) for part in parts)
    is_alike = len({bins.grid for bins in every if len(bins)}) == 1
    return is_alike and n_bins <= 4 * max_bins and len(parts) <= MOST_WAITING


def add_rows(
    held: BinnedCurve, parts: Sequence[BinnedCurve | BinnedRows], max_bins: int
) -> BinnedCurve:
    """Return the curve of the rows of all parts together."""
    scores, targets = zip(*((part.by_score, part.by_target) for part in parts), strict=True)
    return replace(
        held,
        by_score=held.by_score.merge(*scores, max_bins=max_bins),
        by_target=held.by_target.merge(*targets, max_bins=max_bins),
        n_rows=held.n_rows + sum(part.n_rows for part in parts),
        has_events=held.has_events and all(part.has_events for part in parts),
    )
