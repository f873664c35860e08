"""Find, count, drop or reject missing values."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from capcurve._input.dtypes import Series
from capcurve._input.series_values import take_marks, take_values
from capcurve._tally.dtypes import Array
from capcurve.exceptions import CapcurveError, DroppedRowsWarning, warn_caller

if TYPE_CHECKING:
    from capcurve._input.meaning import Meaning, Roles


def announce_missing(
    missing: Mapping[str, int], incomplete: int, n_rows: int, roles: Roles, meaning: Meaning
) -> None:
    """Warn how many rows are left out for a missing value, or raise if not ``na_rm``.

    Those with counts are called lines, as each stands for several rows.
    """
    if incomplete:
        noun = "rows" if roles.counts is None else "lines of counted rows"
        counts = ", ".join(f"{name} {count:,}" for name, count in missing.items() if count)
        found = f"{incomplete:,} of {n_rows:,} {noun} with a missing value ({counts})"
        if not meaning.na_rm:
            raise CapcurveError(
                f"all rows must be complete if `na_rm=False`, got {found}; fill the "
                "missing values, or pass `na_rm=True` to leave these rows out"
            )
        warning = DroppedRowsWarning(f"left out {found}", incomplete, missing)
        warn_caller(warning, DroppedRowsWarning)


def find_missing_rows(column: Series) -> Array:
    """Return a mask of the nulls and nans of a column."""
    if column.implementation.is_pyarrow():
        return take_marks(column.to_native().is_null(nan_is_null=True))
    missing = column.is_null()
    if column.dtype.is_float():
        missing |= column.is_nan().fill_null(value=False)
    return take_values(missing).astype(np.bool_, copy=False)


def refuse_missing(values: Array, name: str) -> None:
    """Raise if any value is missing, with the number of missing values."""
    if values.dtype.kind == "f":
        # The minimum is nan if any value is, and costs less than a mask.
        missing = int(np.isnan(values).sum()) if np.isnan(values.min()) else 0
    elif values.dtype.kind == "O":
        missing = sum(is_missing(value) for value in values.ravel())
    else:
        return
    if missing:
        raise_missing(name, missing)


def is_missing(value: object) -> bool:
    """Whether an object is None, a nan, or the missing-value object of a library."""
    if value is None or type(value).__name__ == "NAType":
        return True
    if isinstance(value, Decimal):  # a signalling nan cannot be compared
        return value.is_nan()
    differs: object = value != value  # noqa: PLR0124 -- nan differs from itself
    return isinstance(differs, bool | np.bool_) and bool(differs)


def raise_missing(name: str, count: int) -> NoReturn:
    """Raise for missing values in an array."""
    raise CapcurveError(
        f"`{name}` must not hold missing values, got {count} nan or null; "
        "drop these rows or fill in the values first"
    )
