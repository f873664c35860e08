"""Numbers of rows that were read, used and left out."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._input.dtypes import Frame
from capcurve._input.meaning import Roles
from capcurve._input.missing import find_missing_rows
from capcurve._report.reading import count_rows
from capcurve.exceptions import DroppedRowsWarning

MISSING = "missing value"


class Reason(NamedTuple):
    """Why rows were left out, the column at fault, and how many rows it concerns."""

    reason: str
    column: str
    n_rows: int


class RowCounts(NamedTuple):
    """Rows that were read and used; a row may be left out for several reasons."""

    read: int
    used: int
    reasons: tuple[Reason, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as plain dicts."""
        return {
            "read": self.read,
            "used": self.used,
            "left_out": self.read - self.used,
            "reasons": [reason._asdict() for reason in self.reasons],
        }


def count_frame(frame: Frame, roles: Roles) -> RowCounts:
    """Count the rows of a data frame; counted rows count, those of weight 0 do not."""
    missing = {name: find_missing_rows(frame.get_column(name)) for name in roles.values}
    complete = ~np.logical_or.reduce(list(missing.values()))

    def count(rows: Any) -> int:
        mask = nw.new_series("rows", rows, backend=frame.implementation)
        return count_rows(frame.filter(mask), roles)

    reasons = [
        Reason(MISSING, name, count(rows)) for name, rows in missing.items() if rows.any()
    ]
    return RowCounts(count_rows(frame, roles), count(complete), tuple(reasons))


def count_by_warnings(n_used: int, warnings: Iterable[Warning]) -> RowCounts:
    """Count the rows that an engine used, and those that it warned of."""
    for warning in warnings:
        if isinstance(warning, DroppedRowsWarning):
            found = warning.missing.items()
            reasons = tuple(Reason(MISSING, name, count) for name, count in found if count)
            return RowCounts(n_used + warning.n_rows, n_used, reasons)
    return RowCounts(n_used, n_used)
