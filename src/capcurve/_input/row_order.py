"""Tell rows in another order by the index that pandas gives them."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from capcurve.exceptions import CapcurveError

FIRST = 8  # labels that tell most indexes apart without a look-up of all


def check_row_order(values: Mapping[str, Any]) -> None:
    """Raise if the index of one argument holds the labels of another's in another order.

    Rows are paired by position. Indexes that hold other labels, as after a new one was
    made, say nothing about the order of rows.
    """
    held = {name: find_index(each) for name, each in values.items()}
    indexes = [(name, index) for name, index in held.items() if index is not None]
    for (first, index), (second, other) in combinations(indexes, 2):
        if is_rearranged(index, other):
            remedy = f"pass `{second}.reindex({first}.index)` to pair rows by label"
            if not index.is_unique:  # which pandas does not reindex
                remedy = "keep both in one data frame, as labels are repeated"
            raise CapcurveError(
                f"`{second}` must have the index of `{first}` in the same order, got the "
                f"same labels in another order; {remedy}, or `.to_numpy()` of both to pair "
                f"them by position{explain_fresh_index(other)}"
            )


def explain_fresh_index(index: Any) -> str:
    """Say when an index that counts the rows tells nothing of them, as one anew does.

    The predictions of a model may have such an index, and the outcomes that a scorer
    compares with them hold these labels by chance, in the order of a shuffle.
    """
    if not np.array_equal(index, np.arange(len(index))):
        return ""
    return (
        ", as for predictions that a model gave a new index 0, 1, 2, ... (in a scorer: "
        "hand `y.to_numpy()` to scikit-learn, or use `accuracy_ratio_scorer`)"
    )


def find_index(values: Any) -> Any:
    """Return the index of a series or a data frame like those of pandas; None of others."""
    index = getattr(nw.to_native(values, pass_through=True), "index", None)
    return index if nw.dependencies.is_pandas_like_index(index) else None


def is_rearranged(index: Any, other: Any) -> bool:
    """Whether two indexes hold the same labels, each as often, in another order."""
    if index is other or len(index) != len(other) or index.equals(other):
        return False
    first = index[:FIRST]
    if other.isin(first).sum() < len(first):
        return False
    codes, labels = index.factorize()
    places = labels.get_indexer(other)
    return bool(np.array_equal(np.sort(codes), np.sort(places)))
