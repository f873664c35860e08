"""Check a single column or array."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import ArrayLike

from capcurve._input.dtypes import Names, Series
from capcurve._input.missing import raise_missing, refuse_missing
from capcurve._tally.dtypes import Array
from capcurve.exceptions import CapcurveError

MAX_LABELS_SHOWN = 10


def as_names(names: Names | None) -> list[str]:
    """Return one or several column names as a list; raise if a name is repeated."""
    listed_names = (
        [] if names is None else [names] if isinstance(names, str) else list(names)
    )
    if len(set(listed_names)) < len(listed_names):
        raise CapcurveError(
            f"column names must be distinct, got {listed_names}; remove the repeated name"
        )
    return listed_names


def to_array(column: Series) -> Array:
    """Convert a column without nulls to an array; decimals become float64."""
    if column.dtype.is_decimal():
        column = column.cast(nw.Float64)
    values: Array = column.to_numpy()
    return values


def as_array(values: ArrayLike, name: str) -> Array:
    """Convert a list, an array or a series to an array; raise if it has missing values."""
    if type(values) is np.ndarray:
        return values
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise_missing(name, int(np.ma.getmaskarray(values).sum()))
    series = nw.from_native(values, series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        if missing := series.null_count():
            raise_missing(name, missing)
        return series.to_numpy()
    try:
        return np.asarray(values)
    except ValueError as error:
        raise CapcurveError(
            f"`{name}` must be one-dimensional, got rows of unequal length; "
            "pass a flat list or array"
        ) from error


def flatten_column(values: Array) -> Array:
    """Return the values of a single column as one dimension; other arrays unchanged."""
    return values.ravel() if values.ndim == 2 and values.shape[1] == 1 else values  # noqa: PLR2004 -- (n, 1)


def as_numbers(values: Array, name: str) -> Array:
    """Return the values as a numeric array; raise for other types. Text is not parsed."""
    if values.dtype.kind == "b":
        return values.astype(np.uint8)
    if values.dtype.kind == "O":
        refuse_missing(values, name)
        values = np.asarray(values.tolist())
        if values.dtype.kind == "O" and values.size:
            values = convert_decimals(values)
    if values.dtype.kind not in "iuf":
        raise CapcurveError(
            f"`{name}` must hold numbers, got dtype {values.dtype}; convert it first"
        )
    return values


def convert_decimals(values: Array) -> Array:
    """Convert Decimal and Fraction objects to float64; return other objects unchanged."""
    try:
        return values.astype(np.float64)
    except (TypeError, ValueError):
        return values


def refuse_unknown_columns(names: Iterable[str], known: Sequence[str], where: str) -> None:
    """Raise if a column is not among the known ones, and suggest similar names."""
    for name in names:
        if name not in known:
            close = get_close_matches(str(name), known, n=3, cutoff=0.5)
            hint = (
                f"did you mean {' or '.join(map(repr, close))}?"
                if close
                else f"its columns are {', '.join(map(repr, known))}"
            )
            raise CapcurveError(f"{where} has no column {name!r}; {hint}")


def list_distinct(labels: Array) -> Array:
    """Return the sorted distinct labels; labels of mixed types are sorted as text."""
    try:
        return np.unique(labels)
    except TypeError:
        found = sorted(set(labels.tolist()), key=str)
        return np.fromiter(found, dtype=object, count=len(found))


def format_labels(labels: Sequence[Any] | Array) -> str:
    """Return the first labels as text, with their total number if there are more."""
    first = np.asarray(labels[:MAX_LABELS_SHOWN], dtype=object).tolist()
    shown = ", ".join(repr(label) for label in first)
    return (
        shown
        if len(labels) <= MAX_LABELS_SHOWN
        else f"{shown}, ... ({len(labels)} in total)"
    )
