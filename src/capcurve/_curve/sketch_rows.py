"""Batches of rows in memory -> bins, and bins added to those of a sketch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

import numpy as np
from numpy.typing import ArrayLike

from capcurve._curve.binned_curve import BinnedCurve
from capcurve._engines.binned_rows import bin_scores, bin_targets
from capcurve._input.column import as_array, as_row_values
from capcurve._input.columns import Columns
from capcurve._input.dtypes import Label, TargetType
from capcurve._input.missing import refuse_missing
from capcurve._input.reading import read_columns
from capcurve._input.row_order import check_row_order
from capcurve._tally.bins import BinnedRows
from capcurve._tally.dtypes import Array

MOST_WAITING = 64  # batches that wait to be merged


def is_empty_batch(labels: Array, score: Array, weight: Array | None) -> bool:
    """Whether a batch has no rows, or only rows of weight 0."""
    if weight is None:
        return labels.shape == score.shape == (0,)
    same_length = labels.shape == score.shape == weight.shape and weight.ndim == 1
    return bool(same_length and weight.dtype.kind in "iuf" and not weight.any())


def read_batch(
    y_true: ArrayLike,
    y_score: ArrayLike,
    sample_weight: ArrayLike | None,
    pos_label: Label | None,
    target_type: TargetType,
) -> Columns | None:
    """Check a batch of rows; None if there are none, or only rows of weight 0."""
    check_row_order({"y_true": y_true, "y_score": y_score, "sample_weight": sample_weight})
    labels = as_row_values(y_true, "y_true")
    score = as_row_values(y_score, "y_score")
    weight = None
    if sample_weight is not None:
        weight = as_array(sample_weight, "sample_weight")
    if is_empty_batch(labels, score, weight):
        return None
    # `read_columns` would refuse `pos_label` in a batch without events.
    if pos_label is not None and labels.ndim and labels.size:
        has_weights = weight is not None and weight.shape == labels.shape
        refuse_missing(labels[weight != 0] if has_weights else labels, "y_true")
        labels = np.asarray(labels == pos_label, dtype=np.bool_)
    return read_columns(labels, score, sample_weight=weight, target_type=target_type)


def bin_batch(
    columns: Columns, so_far: Sequence[BinnedCurve | BinnedRows], max_bins: int
) -> BinnedRows:
    """Put rows into bins no finer than those so far."""
    by_score, by_target = (
        min(bins, key=attrgetter("level"))
        for bins in zip(*((part.by_score, part.by_target) for part in so_far), strict=True)
    )
    return BinnedRows(
        bin_scores(columns, by_score, max_bins),
        bin_targets(columns, by_target, max_bins),
        has_events=columns.has_events,
        n_rows=len(columns.target),
    )


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
