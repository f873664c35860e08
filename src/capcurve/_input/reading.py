"""Read arrays as checked rows."""

import re
from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from operator import is_
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import ArrayLike, NDArray

from capcurve._input.column import (
    as_row_values,
    format_labels,
    list_distinct,
    unwrap_labels,
)
from capcurve._input.columns import Columns, Weights
from capcurve._input.device_array import DeviceArray, find_device_array
from capcurve._input.device_columns import read_device_columns
from capcurve._input.dtypes import Label, TargetType, WeightKind
from capcurve._input.missing import refuse_missing
from capcurve._input.options import check_flags, show
from capcurve._input.outcome import read_target
from capcurve._input.row_order import check_row_order
from capcurve._input.score import read_score
from capcurve._input.score_names import (
    bear_names,
    describe_names,
    match_names,
    name_levels,
)
from capcurve._input.seen import find_levels
from capcurve._input.two_classes import refuse_two_models
from capcurve._input.weights import (
    GREATEST_MASS,
    LEAST_MASS,
    drop_zero_weights,
    read_clusters,
    read_weight_kind,
)
from capcurve._tally.dtypes import Array
from capcurve._tally.threads import ROWS_PER_CHUNK, map_chunks
from capcurve.exceptions import CapcurveError

OWN_NAME = re.compile(r"\d+|column_\d+")  # of a column that nobody named
NUMBERED = re.compile(r"column_\d+")  # of Polars, which names no label
PLAIN = (None, "auto", "sampling", None)  # options of `read_columns`
PLAIN_SCORES = tuple(map(np.dtype, (np.float64, np.float32, np.int64, np.int32)))


def read_columns(
    y_true: ArrayLike,
    y_score: ArrayLike | DeviceArray,
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
    weights: WeightKind = "sampling",
    clusters: ArrayLike | None = None,
) -> Columns:
    """Check one outcome and one score.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_samples,)
        Outcome and score.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the rows; rows of weight 0 are dropped.
    pos_label, target_type
        How the outcome is read; see `read_target`.
    descending : bool, default=True
        Whether high scores are ranked first.
    weights : {'sampling', 'frequency'}, default='sampling'
        What ``sample_weight`` holds; see `read_weight_kind`.
    clusters : array-like of shape (n_samples,), default=None
        Cluster of each row; None if rows are independent.
    """
    if all(map(is_, (pos_label, target_type, weights, clusters), PLAIN)):
        plain = read_plain_events(y_true, y_score, sample_weight, descending)
        if plain is not None:
            return plain
    ranked = find_device_array(y_score, "y_score")
    if ranked is not None and sample_weight is None and clusters is None:
        check_flags(descending=descending)
        read_weight_kind(None, weights)
        on_device = read_device_columns(
            y_true, ranked, pos_label, target_type, descending=descending
        )
        if on_device is not None:
            return on_device
    (columns,) = read_paired_scores(
        y_true,
        {"y_score": y_score},
        sample_weight=sample_weight,
        pos_label=pos_label,
        target_type=target_type,
        descending=descending,
        weights=weights,
        clusters=clusters,
    )
    return columns


def read_plain_events(
    y_true: Any, y_score: Any, weight: Any, descending: object
) -> Columns | None:
    """Read arrays of 0/1 integers or booleans and of numbers; None for whatever else.

    Most callers pass these, some of them thousands of times a few rows, where the general
    way would take longer than ranking the rows. It also says what is wrong with others.
    """
    if not are_plain_columns(y_true, y_score) or not isinstance(descending, bool):
        return None
    event = read_plain_flags(y_true)
    if event is None:
        return None
    if weight is None:
        return Columns(event, y_score, descending=descending)
    if not is_plain_weight(weight, y_true.shape):
        return None
    return Columns(event, y_score, Weights(value=weight), descending)


def read_plain_flags(y_true: Array) -> NDArray[np.bool_] | None:
    """Read 0/1 integers or booleans; None if there are other numbers."""
    if y_true.dtype == np.bool_:
        return y_true
    if len(y_true) <= ROWS_PER_CHUNK:
        others = int(np.bitwise_or.reduce(y_true)) >> 1  # any bit but the lowest
        return None if others else y_true.astype(np.bool_)
    parts = map_chunks(lambda rows: read_plain_flags(y_true[rows]), len(y_true))
    known = [part for part in parts if part is not None]
    return np.concatenate(known) if len(known) == len(parts) else None


def has_nan(values: Array) -> bool:
    """Whether one of some numbers is nan, which the lowest one then is."""
    lowest = np.minimum.reduce  # as `min`, without a microsecond of checks
    if len(values) <= ROWS_PER_CHUNK:
        return isnan(lowest(values))
    return any(map_chunks(lambda rows: isnan(lowest(values[rows])), len(values)))


def are_plain_columns(y_true: Any, y_score: Any) -> bool:
    """Whether both are arrays of as many rows, of whole numbers and of numbers."""
    return (
        type(y_true) is type(y_score) is np.ndarray
        and y_true.ndim == 1
        and y_true.shape == y_score.shape
        and len(y_true) > 0
        and y_true.dtype.kind in "biu"
        and y_score.dtype in PLAIN_SCORES
        and not has_nan(y_score)
    )


def is_plain_weight(weight: Any, shape: tuple[int, ...]) -> bool:
    """Whether weights are an array of positive floats, neither tiny nor huge."""
    if type(weight) is not np.ndarray or weight.dtype != np.float64:
        return False
    return (
        weight.shape == shape
        and bool(weight.min() >= LEAST_MASS)
        and bool(weight.max() <= GREATEST_MASS)
    )


def read_paired_scores(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike | DeviceArray],
    *,
    sample_weight: ArrayLike | None,
    pos_label: Label | None,
    target_type: TargetType,
    descending: bool,
    weights: WeightKind,
    clusters: ArrayLike | None,
) -> list[Columns]:
    """Check one outcome and several scores; the options are those of `read_columns`."""
    check_flags(descending=descending)
    arrays, weighted = read_rows(
        {"y_true": y_true, **scores}, sample_weight, weights, clusters
    )
    ranked = {name: read_score(arrays[name], name) for name in scores}
    target = read_target(arrays["y_true"], pos_label, target_type, ranked)
    return [Columns(target, score, weighted, descending) for score in ranked.values()]


def read_ordinal(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sample_weight: ArrayLike | None,
    descending: bool = True,
    weights: WeightKind = "sampling",
    clusters: ArrayLike | None = None,
) -> Columns:
    """Check an ordinal outcome and a score; the options are those of `read_columns`."""
    check_flags(descending=descending)
    arrays, weighted = read_rows(
        {"y_true": y_true, "y_score": y_score}, sample_weight, weights, clusters
    )
    target = read_score(arrays["y_true"], "y_true")
    return Columns(target, read_score(arrays["y_score"]), weighted, descending)


def read_rows(
    values: Mapping[str, ArrayLike | DeviceArray],
    sample_weight: ArrayLike | None,
    kind: WeightKind,
    clusters: ArrayLike | None,
) -> tuple[dict[str, Array], Weights]:
    """Return checked arrays, weights and clusters, without the rows of weight 0."""
    check_row_order({**values, "sample_weight": sample_weight, "clusters": clusters})
    arrays = {name: as_row_values(column, name) for name, column in values.items()}
    if clusters is not None:
        arrays["clusters"] = as_row_values(clusters, "clusters")
    arrays, weight = drop_zero_weights(arrays, sample_weight)
    counts_rows = read_weight_kind(weight, kind)
    cluster = None
    if clusters is not None:
        cluster = read_clusters(arrays["clusters"], counts_rows=counts_rows)
    return arrays, Weights(value=weight, counts_rows=counts_rows, cluster=cluster)


def read_perfect_scores(
    y_true: ArrayLike,
    *,
    sample_weight: ArrayLike | None,
    pos_label: Label | None,
    target_type: TargetType,
) -> Columns:
    """Check an outcome and use it as its own score, as the perfect model does."""
    arrays, weights = read_rows({"y_true": y_true}, sample_weight, "sampling", None)
    target = read_target(arrays["y_true"], pos_label, target_type)
    return Columns(target, target, weights)


def read_one_vs_rest(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sample_weight: ArrayLike | None,
    labels: Sequence[Label] | None,
    descending: bool,
) -> Iterator[tuple[Label, Columns]]:
    """Check a multiclass outcome and yield the rows of each label against the rest."""
    check_flags(descending=descending)
    given = {"y_true": y_true, "y_score": y_score, "sample_weight": sample_weight}
    check_row_order(given)
    arrays = {
        "y_true": as_row_values(y_true, "y_true"),
        "y_score": as_row_values(y_score, "y_score"),
    }
    arrays, weight = drop_zero_weights(arrays, sample_weight, matrix="y_score")
    truth = arrays["y_true"]
    refuse_missing(truth, "y_true")
    present = list_distinct(truth).tolist()
    listed = np.asarray(present if labels is None else labels, dtype=object)
    if listed.ndim != 1:
        raise CapcurveError(
            f"`labels` must list the class labels, got {show(labels)}; pass a list in the "
            "order of the columns of `y_score`"
        )
    levels = unwrap_labels(listed)
    n_columns = arrays["y_score"].shape[1]
    names = list_column_names(y_score)
    if labels is None:
        refuse_lacking_columns(names, levels, n_columns)
    if len(levels) != n_columns:
        raise CapcurveError(
            f"`y_score` must have one column per label, got {n_columns} columns for "
            f"{len(levels)} labels ({format_labels(levels)}); pass all labels in column "
            "order as `labels`, or the scores of several models one by one (a picture "
            "takes a dict of them)"
        )
    unknown = [label for label in present if label not in levels]
    if unknown:
        raise CapcurveError(
            f"`labels` must include every label of `y_true`, got {format_labels(levels)} "
            f"without {format_labels(unknown)}; add these labels and their columns of "
            "`y_score`"
        )
    if labels is None:
        refuse_other_names(names, levels)
        refuse_other_order(y_true, names, present)
    places = find_columns(names, levels)
    scores = [read_score(arrays["y_score"][:, place]) for place in places]
    if labels is None and not are_labels(names, levels):
        refuse_two_models(scores, levels)
    for level, score in zip(levels, scores, strict=True):
        yield level, Columns(truth == level, score, Weights(value=weight), descending)


def list_column_names(values: Any) -> list[str]:
    """Return the names of the columns of a data frame as text; none of an array."""
    named = getattr(values, "column_names", getattr(values, "columns", ()))
    return [str(name) for name in named]


def refuse_lacking_columns(
    names: list[str], levels: Sequence[Label], n_columns: int
) -> None:
    """Raise if the labels of the outcome are more than the columns of scores."""
    if n_columns >= len(levels):
        return
    wanted = name_levels(levels, names)
    lacking = [
        level for level, name in zip(levels, wanted, strict=True) if name not in names
    ]
    some = f", none of {format_labels(lacking)}" if len(lacking) < len(levels) else ""
    raise CapcurveError(
        f"`y_score` must have a column for each label of `y_true` "
        f"({format_labels(levels)}), got {n_columns}{some}; add the scores of each label, "
        "or pass those of a single label with it as `pos_label`"
    )


def refuse_other_names(names: list[str], levels: Sequence[Label]) -> None:
    """Raise for a frame whose columns say nothing of the labels, such as several models.

    Names that pandas and Polars give on their own, such as 0 and column_0, are none.
    """
    if bear_labels(names, levels) or all(map(OWN_NAME.fullmatch, names)):
        return
    raise CapcurveError(
        "the columns of `y_score` must be named after the labels "
        f"({format_labels(levels)}), got {format_labels(names)}; pass `labels` in the "
        "order of the columns, or the scores of several models one by one (a picture takes "
        "a dict of them)"
    )


def refuse_other_order(y_true: Any, names: list[str], present: Sequence[Label]) -> None:
    """Raise if an outcome declares its labels in another order than that of the columns.

    Columns with the names of labels have no order.
    """
    if bear_labels(names, present):
        return
    column = nw.from_native(y_true, series_only=True, pass_through=True)
    declared = find_levels(column).names if isinstance(column, nw.Series) else None
    held = [level for level in declared or () if level in present]
    if held and held != list(present):
        raise CapcurveError(
            "the levels of `y_true` must be sorted where columns of `y_score` have no "
            f"names of labels, got {format_labels(held)}; pass `labels` in the order of "
            "the columns"
        )


def bear_labels(names: list[str], levels: Sequence[Label]) -> bool:
    """Whether the name of any column may be meant for a label."""
    if all(map(NUMBERED.fullmatch, names)):
        return False
    return bear_names(name_levels(levels, names), names)


def are_numbered(names: list[str]) -> bool:
    """Whether columns have the names 0, 1, ... that a frame gives on its own."""
    return names == [str(i) for i in range(len(names))]


def are_labels(names: list[str], levels: Sequence[Label]) -> bool:
    """Whether columns are called like the labels, and were not just numbered."""
    return sorted(names) == sorted(name_levels(levels, names)) and not are_numbered(names)


def find_columns(names: list[str], levels: Sequence[Label]) -> list[int]:
    """Return where the column of each label is: by its name, or else as they are listed."""
    if are_numbered(names) or not bear_labels(names, levels):
        return list(range(len(levels)))
    wanted = name_levels(levels, names)
    matched = match_names(wanted, names)
    if matched is None:
        raise CapcurveError(
            "the columns of `y_score` must be named after all labels "
            f"({format_labels(levels)}) or after none, got "
            f"{describe_names(wanted, names)}; rename them, or pass an array with its "
            "columns in the order of `labels`"
        )
    return [names.index(name) for name in matched]
