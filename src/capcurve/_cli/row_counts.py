"""Numbers of rows that were read, used and left out, and where they come from."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Self

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._cli.streams import notify
from capcurve._files.open import Origin
from capcurve._inference.wording import format_count
from capcurve._input.dtypes import Frame, LazyFrame
from capcurve._input.meaning import Roles
from capcurve._report.left_out import ZERO, list_causes, name_reason
from capcurve._report.outcomes import read_numbers
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

    def describe_origin(self) -> dict[str, Any]:
        """Return the files and the query, if they were to be described."""
        return {} if self.origin is None else self.origin.facts

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as plain dicts."""
        return {
            "read": self.read,
            "used": self.used,
            "left_out": self.read - self.used,
            "reasons": [reason._asdict() for reason in self.reasons],
        }


def count_frame(frame: Frame, roles: Roles, origin: Origin | None = None) -> RowCounts:
    """Count the rows of a data frame; note those of weight 0, which no warning counts."""
    causes = list_causes(frame, roles)
    left_out = np.logical_or.reduce([cause.rows for cause in causes])
    rows = count_each(frame, roles)
    reasons = [
        Reason(cause.reason, cause.column, round(rows[cause.rows].sum()))
        for cause in causes
        if cause.rows.any()
    ]
    used = round(rows[~left_out].sum())
    counts = RowCounts(round(rows.sum()), used, tuple(reasons), origin)
    notify_zero_weights(counts.to_dict())
    return counts


def count_each(frame: Frame, roles: Roles) -> FloatArray:
    """Count the rows that each line stands for; one where their number is missing."""
    if roles.counts is None:
        return np.ones(len(frame))
    return np.nan_to_num(read_numbers(frame, roles.counts), nan=1)


def notify_zero_weights(
    rows: Mapping[str, Any], note: Callable[[str], None] = notify
) -> None:
    """Note how many of the rows are left out as their weight is 0."""
    for each in rows["reasons"]:
        if each["reason"] == ZERO:
            note(
                f"capcurve: note: left out {each['n_rows']:,} of "
                f"{format_count(rows['read'], 'row')} whose weight is 0 ({each['column']})"
            )


def count_zero_weights(frame: LazyFrame, roles: Roles) -> list[Reason]:
    """Count the rows of a query whose weight is 0, whatever else they lack."""
    if roles.weights is None:
        return []
    kept = frame.filter(nw.col(roles.weights) == 0)
    count = int(kept.select(nw.len()).collect().item())
    return [Reason(ZERO, roles.weights, count)] if count else []


def count_by_warnings(
    n_used: int,
    warnings: Iterable[Warning],
    zeros: Sequence[Reason],
    roles: Roles,
    origin: Origin | None,
) -> RowCounts:
    """Count the rows that an engine used, that it warned of, and those of weight 0."""
    found = [each for each in warnings if isinstance(each, DroppedRowsWarning)]
    reasons = tuple(
        Reason(name_reason(roles, name), name, count)
        for warning in found
        for name, count in warning.missing.items()
        if count
    )
    n_read = n_used + sum(warning.n_rows for warning in found)
    n_read += sum(zero.n_rows for zero in zeros)
    counts = RowCounts(n_read, n_used, (*reasons, *zeros), origin)
    notify_zero_weights(counts.to_dict())
    return counts
