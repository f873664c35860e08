"""Tell scores from the predicted labels of a classifier."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from capcurve._input.column import (
    as_row_values,
    flatten_column,
    format_labels,
    unwrap_numbers,
)
from capcurve._input.device_array import DeviceArray
from capcurve._input.seen import Seen
from capcurve._tally.dtypes import Array
from capcurve.exceptions import CapcurveError, HardLabelsWarning, warn_caller

FIRST = 8  # rows that tell for most scores that they have more than two values


def holds_text(values: Array) -> bool:
    """Whether values are text, in an array of text or of objects."""
    if values.dtype.kind == "O":
        return all(isinstance(value, str) for value in values.ravel())
    return values.dtype.kind in "UT"


def refuse_predicted_text(y_true: ArrayLike, scores: Array | DeviceArray) -> None:
    """Raise if scores are text that names the labels of the outcome."""
    if isinstance(scores, DeviceArray) or not holds_text(scores):
        return
    truth = as_row_values(y_true, "y_true")
    found = sorted(set(scores.ravel().tolist()))
    if found and holds_text(truth) and set(found) <= set(truth.ravel().tolist()):
        raise CapcurveError(
            "`y_score` must hold scores, got labels of `y_true` "
            f"({format_labels(found)}), as `predict` of a classifier returns them; pass "
            "`predict_proba(X)[:, 1]` or `decision_function(X)`"
        )


def refuse_predicted_levels(truth: Seen, scores: Mapping[str, Seen]) -> None:
    """Raise if the declared order of a score is that of the labels of the outcome.

    The first of these is the event, and would rank last.
    """
    labels = truth.levels if truth.kind == "text" else None
    for score in scores.values():
        if labels and score.is_ordered and set(score.levels or ()) == set(labels):
            raise CapcurveError(
                f"`{score.name}` must hold scores, got labels of `{truth.name}` "
                f"({format_labels(labels)}), as `predict` of a classifier returns them; "
                "pass the predicted probability of the event, or numbers if a label is "
                "meant as a score"
            )


def holds_two_values(values: Array) -> bool:
    """Whether values are booleans or numbers of which exactly two differ."""
    if values.dtype.kind not in "biuf" or values.ndim != 1:
        return False
    if len(set(values[:FIRST].tolist())) > 2:  # noqa: PLR2004 -- two values
        return False
    for part in (values[:1000], values):  # the first rows tell for most scores
        low, high = part.min(), part.max()
        if low < high and not np.all((part == low) | (part == high)):
            return False
    return bool(low < high)


def warn_of_hard_labels(y_true: ArrayLike, scores: Array | DeviceArray) -> None:
    """Warn if scores of two values are the two labels of the outcome.

    That is what `predict` of a classifier returns, as numbers of any type. Scores that
    equal the outcome in every row are the perfect model, than which none ranks better.
    """
    if isinstance(scores, DeviceArray):
        if not scores.holds_only_ends():
            return
        scores = scores.on_host
    scores = unwrap_numbers(scores, "y_score")
    if not holds_two_values(scores):
        return
    truth = unwrap_numbers(flatten_column(as_row_values(y_true, "y_true")), "y_true")
    if not holds_two_values(truth) or np.array_equal(truth, scores):
        return
    low, high = scores.min(), scores.max()
    if (truth.min(), truth.max()) == (low, high):
        warn_caller(
            f"`y_score` should rank rows, but holds only the labels of `y_true` ({low} and "
            f"{high}), as `predict` of a classifier returns them; pass "
            "`predict_proba(X)[:, 1]` or `decision_function(X)`, or filter this "
            "HardLabelsWarning if the score has two values, as that of a full tree",
            HardLabelsWarning,
        )
