"""Why results are undefined: as a whole, which gates fail for or skip, or of a group."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from capcurve._report.scored import ScoredGroup
from capcurve.exceptions import CapcurveError


class UndefinedError(CapcurveError):
    """The whole result is undefined, which a gate may fail for or skip.

    Attributes
    ----------
    reason : str
    rows : mapping or None
        Numbers of rows that were read, used and left out; None if they are unknown.
    files : sequence of dict
        Name, size and SHA-256 of each file that was read.
    """

    reason: ClassVar[str]
    rows: Mapping[str, Any] | None = None
    files: Sequence[Mapping[str, Any]] = ()


class AllEqualError(UndefinedError):
    """All outcomes are equal, so that no curve is defined."""

    reason = "all outcomes are equal"


class NoRowsError(UndefinedError):
    """No row is complete."""

    reason = "no row is complete"


class NoQueryRowsError(NoRowsError):
    """The query returned no rows."""

    reason = "the query returned no rows"


def make_rowless_error(title: str) -> NoRowsError:
    """Make the error of files without any row."""
    return NoRowsError(f"{title} must have rows, got none; check the file")


def explain_no_rows(query: str | None, n_read: int) -> str:
    """Say why there is no row to score: the query may have returned none."""
    is_empty = query is not None and not n_read
    return NoQueryRowsError.reason if is_empty else NoRowsError.reason


def explain_no_curve(scored: ScoredGroup, no_rows: str) -> str:
    """Say why a group has no curve; empty if it has one.

    ``no_rows`` says why there would be no row at all.
    """
    if scored.curve is not None:
        return ""
    return AllEqualError.reason if scored.n_rows else no_rows
