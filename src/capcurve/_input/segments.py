"""Read an outcome and a score with the segment, or the period, of each row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from capcurve._input.column import list_distinct
from capcurve._input.columns import Columns
from capcurve._input.dtypes import Label, TargetType, WeightKind
from capcurve._input.missing import raise_missing, refuse_missing
from capcurve._input.options import check_flags
from capcurve._input.outcome import read_target
from capcurve._input.reading import read_rows
from capcurve._input.score import read_score
from capcurve._tally.dtypes import Array, IntArray


class Segmented(NamedTuple):
    """Checked rows, and the number of the segment of each, from 0."""

    columns: Columns
    segment: IntArray


def split_segments(rows: Segmented, n_segments: int) -> Iterator[Columns]:
    """Yield the rows of each segment, also where there are none."""
    for numbers in list_segment_rows(rows.segment, n_segments):
        yield rows.columns[numbers]


def list_segment_rows(segment: IntArray, n_segments: int) -> list[IntArray]:
    """List the numbers of the rows of each segment."""
    order = np.argsort(segment, kind="stable")
    sizes = np.bincount(segment, minlength=n_segments)
    return np.split(order, np.cumsum(sizes)[:-1])[:n_segments]


def read_segmented(
    y_true: ArrayLike,
    y_score: ArrayLike,
    segments: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
    weights: WeightKind = "sampling",
    clusters: ArrayLike | None = None,
) -> tuple[list[Any], Segmented]:
    """Check an outcome, a score and the label of the segment of each row.

    Returns the labels, sorted, and the rows with the number of their label. The options are
    those of `read_columns`.
    """
    check_flags(descending=descending)
    values = {"y_true": y_true, "y_score": y_score, "segments": segments}
    arrays, weighted = read_rows(values, sample_weight, weights, clusters)
    score = read_score(arrays["y_score"])
    target = read_target(arrays["y_true"], pos_label, target_type, {"y_score": score})
    labels, number = number_labels(arrays["segments"], "segments")
    return labels, Segmented(Columns(target, score, weighted, descending), number)


def number_labels(values: Array, name: str) -> tuple[list[Any], IntArray]:
    """Return the distinct labels, sorted, and the number of the label of each row."""
    refuse_missing(values, name)
    if values.dtype.kind == "M":
        if missing := int(np.isnat(values).sum()):
            raise_missing(name, missing)
        values = values.astype("datetime64[us]")  # which Python has too
    labels = list_distinct(values)
    if values.dtype.kind != "O":
        return labels.tolist(), np.searchsorted(labels, values)
    place = {label: number for number, label in enumerate(labels.tolist())}
    number = [place[label] for label in values.tolist()]
    return labels.tolist(), np.array(number, dtype=np.int64)
