"""Tell two columns of scores of both classes from those of two models."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from capcurve._input.column import format_labels
from capcurve._input.dtypes import Label
from capcurve._tally.dtypes import Array, FloatArray
from capcurve.exceptions import CapcurveError

ROUNDING = 1e-3  # of sums, as of probabilities that were rounded or are of float32


def refuse_two_models(scores: Sequence[Array], labels: Sequence[Label]) -> None:
    """Raise for two columns of which the second is not the reverse of the first.

    What ranks a row high for one of two classes ranks it low for the other; two models
    rank most rows alike, and the mean of their numbers would be that of no model.
    """
    if len(scores) != 2:  # noqa: PLR2004 -- classes
        return
    first, second = (score.astype(np.float64) for score in scores)
    if are_opposite(first, second):
        return
    with np.errstate(invalid="ignore"):
        total = first + second
    raise CapcurveError(
        f"two columns of `y_score` for two labels ({format_labels(labels)}) must be "
        "probabilities of both classes, which add up to 1, got sums from "
        f"{np.nanmin(total):.4g} to {np.nanmax(total):.4g}; pass the scores of several "
        "models one by one (a picture takes a dict of them), or `labels` in the order of "
        "the columns if these are scores of both classes"
    )


def are_opposite(first: FloatArray, second: FloatArray) -> bool:
    """Whether columns are probabilities of two classes, or rank rows in reverse.

    Sums are looked at beside the order, which rounding changes where rows nearly tie.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        total = first + second
        of_logarithms = np.exp(first) + np.exp(second)
        largest = np.maximum(np.abs(first), np.abs(second)).max()
        if np.isfinite(largest) and np.ptp(total) <= ROUNDING * largest:
            return True
        if np.all(np.abs(of_logarithms - 1) <= ROUNDING):
            return True
    order = np.lexsort((-second, first))
    falls = bool(np.all(second[order][1:] <= second[order][:-1]))
    return falls and bool(np.all(first == first[0]) == np.all(second == second[0]))
