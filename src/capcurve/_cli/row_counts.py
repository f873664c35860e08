"""Numbers of rows that were read, used and left out, and where they come from."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple, Self

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._files.open import Origin
from capcurve._input.dtypes import Frame
from capcurve._input.meaning import Roles
from capcurve._input.missing import find_missing_rows
from capcurve._input.series_values import take_values
from capcurve._report.left_out import name_reason
from capcurve._tally.dtypes import FloatArray
from capcurve.exceptions import DroppedRowsWarning


class Reason(NamedTuple):
    """Why rows were left out, the column at fault, and how many rows it concerns."""

    reason: str
    column: str
    n_rows: int


class RowCounts(NamedTuple):
    """Rows that were read and used; a row may be left out for several reasons.

    Attributes
    ----------
    read, used : int
    reasons : tuple of Reason
    origin : Origin or None
        The files, if they were to be described.
    """

    read: int
    used: int
    reasons: tuple[Reason, ...] = ()
    origin: Origin | None = None

    def join(self, other: Self) -> Self:
        """Return the counts of two files together."""
        reasons = Counter[tuple[str, str]]()
        for reason, column, n_rows in (*self.reasons, *other.reasons):
            reasons[reason, column] += n_rows
        origins = [each.origin for each in (self, other) if each.origin is not None]
        files = [file for origin in origins for file in origin.files]
        return type(self)(
            self.read + other.read,
            self.used + other.used,
            tuple(Reason(*key, n_rows) for key, n_rows in reasons.items()),
            Origin(files, None) if origins else None,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as plain dicts."""
        return {
            "read": self.read,
            "used": self.used,
            "left_out": self.read - self.used,
            "reasons": [reason._asdict() for reason in self.reasons],
        }


def count_frame(frame: Frame, roles: Roles, origin: Origin | None = None) -> RowCounts:
    """Count the rows of a data frame; counted rows count, those of weight 0 do not."""
    missing = {name: find_missing_rows(frame.get_column(name)) for name in roles.values}
    left_out = np.logical_or.reduce(list(missing.values()))
    rows = count_each(frame, roles)
    reasons = [
        Reason(name_reason(roles, name), name, round(rows[places].sum()))
        for name, places in missing.items()
        if places.any()
    ]
    used = round(rows[~left_out].sum())
    return RowCounts(round(rows.sum()), used, tuple(reasons), origin)


def count_each(frame: Frame, roles: Roles) -> FloatArray:
    """Count the rows that each line stands for; one where their number is missing."""
    name = roles.counts or roles.weights
    if name is None:
        return np.ones(len(frame))
    numbers = take_values(frame.get_column(name).cast(nw.Float64).fill_null(1))
    numbers = np.nan_to_num(numbers, nan=1)
    return numbers if roles.counts else (numbers != 0).astype(np.float64)


def count_by_warnings(
    n_used: int, warnings: Iterable[Warning], roles: Roles, origin: Origin | None
) -> RowCounts:
    """Count the rows that an engine used, and those that it warned of."""
    found = [each for each in warnings if isinstance(each, DroppedRowsWarning)]
    reasons = tuple(
        Reason(name_reason(roles, name), name, count)
        for warning in found
        for name, count in warning.missing.items()
        if count
    )
    n_read = n_used + sum(warning.n_rows for warning in found)
    return RowCounts(n_read, n_used, reasons, origin)
