"""List the labels that an event named among several makes non-events."""

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._engines.row_rankings import keep_rows
from capcurve._input.dtypes import Frame
from capcurve._input.meaning import Meaning, Roles
from capcurve._input.outcome import OutcomeRule
from capcurve._input.seen import is_categorical
from capcurve._input.series_values import take_values
from capcurve._input.source import take_column
from capcurve._report.options import Facts
from capcurve._tally.dtypes import Array, FloatArray

MAX_LABELS = 20  # listed, the most frequent ones


def list_other_labels(
    frame: Frame, roles: Roles, meaning: Meaning, used: Array, rows: FloatArray
) -> list[Facts]:
    """List the labels of non-events, the most frequent one first; none if there is one.

    Parameters
    ----------
    frame : narwhals DataFrame
    roles : Roles
    meaning : Meaning
    used : ndarray of bool
        Which lines of the data frame are used.
    rows : ndarray of float64
        Number of rows that each line stands for.
    """
    if roles.truth is None or meaning.pos_label is None:
        return []
    part, numbers = keep_rows(frame, rows, used)
    column = take_column(part, roles.truth)
    others = ~OutcomeRule("label", meaning.pos_label).of_series(column)
    if is_categorical(column.dtype):
        column = column.cast(nw.String)
    labels, place = np.unique(take_values(column)[others].astype(str), return_inverse=True)
    if len(labels) < 2:  # noqa: PLR2004 -- a label and another
        return []
    counts = np.bincount(place, weights=numbers[others])
    order = np.argsort(-counts, kind="stable")[:MAX_LABELS]
    return [
        {"label": str(labels[at]), "n": round(counts[at])} for at in order if counts[at] > 0
    ]
