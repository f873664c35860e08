"""Check a single column or array."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from difflib import get_close_matches
from math import inf
from numbers import Real
from typing import Any, NoReturn

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import ArrayLike

from capcurve._input.device_array import (
    DeviceArray,
    fetch,
    find_device_array,
    find_library,
)
from capcurve._input.dtypes import Names, Series
from capcurve._input.missing import raise_missing, refuse_missing
from capcurve._input.series_values import take_values
from capcurve._tally.dtypes import Array, FloatArray
from capcurve.exceptions import CapcurveError

MAX_LABELS_SHOWN = 10
MAX_LETTERS_SHOWN = 60
EXACT = 2**53  # whole numbers below are exact in float64
FLOAT_BYTES = 8
NUMBERS = (Real, Decimal, np.bool_)


def as_names(names: Names | None) -> list[str]:
    """Return one or several column names as a list; raise if a name is repeated."""
    if names is None:
        return []
    listed = as_list(names)
    listed_names: list[Any] = [names] if listed is None else listed
    texts = [name for name in listed_names if isinstance(name, str)]
    if len(set(texts)) < len(texts):
        raise CapcurveError(
            f"column names must be distinct, got {listed_names}; remove the repeated name"
        )
    return listed_names


def name_type(value: object) -> str:
    """Name the type of a value for a message, None by itself."""
    return "None" if value is None else type(value).__name__


def as_list(values: object) -> list[Any] | None:
    """Return the values of a list of any type; None for text and whatever is no list."""
    if isinstance(values, str):
        return None
    try:
        return list(values)  # type: ignore[call-overload, no-any-return]
    except TypeError:
        return None


def to_array(column: Series) -> Array:
    """Convert a column without nulls to an array; decimals become float64."""
    if column.dtype.is_decimal():
        values: Array = take_values(column.cast(nw.Float64))
        if column.n_unique() > len(np.unique(values)):
            raise_rounded(column.name)
    elif column.dtype in (nw.Int128, nw.UInt128):  # which NumPy does not have
        values = np.array(column.to_list(), dtype=object)
    else:
        values = take_values(column)
    return values


def as_array(values: ArrayLike | DeviceArray, name: str) -> Array:
    """Convert a list, an array or a series to an array; raise if it has missing values."""
    if type(values) is np.ndarray:
        return refuse_nested(values, name)
    if isinstance(values, DeviceArray):
        return values.on_host
    if find_library(values):
        return fetch(values, name)
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise_missing(name, int(np.ma.getmaskarray(values).sum()))
    series = nw.from_native(values, series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        if missing := series.null_count():
            raise_missing(name, missing)
        return refuse_nested(to_array(series.alias(name)), name)
    return refuse_nested(convert_values(values, name), name)


def as_row_values(values: ArrayLike | DeviceArray, name: str) -> Array:
    """Convert as `as_array` does, but keep missing values, as rows of weight 0 may have.

    They are nan among floats and None among others; `refuse_missing` is for the rows that
    are left when those of weight 0 are dropped.
    """
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        return refuse_nested(fill_gaps(values), name)
    series = nw.from_native(values, series_only=True, pass_through=True)
    if isinstance(series, nw.Series) and series.null_count():
        if series.dtype.is_float():
            return np.asarray(series.to_numpy())
        listed = series.to_list()
        objects = np.fromiter(listed, dtype=np.object_, count=len(listed))
        return refuse_nested(objects, name)
    return as_array(values, name)


def fill_gaps(values: np.ma.MaskedArray[Any, Any]) -> Array:
    """Return a masked array with nan or None for what it masks."""
    if values.dtype.kind == "f":
        return values.filled(np.nan)
    objects: Array = np.ma.getdata(values).astype(np.object_)
    objects[np.ma.getmaskarray(values)] = None  # which `filled` takes for "no value said"
    return objects


def as_scores(values: ArrayLike, name: str) -> Array | DeviceArray:
    """Return scores as an array, or leave them on their device; a column is flattened."""
    found = find_device_array(values, name)
    return flatten_column(as_row_values(values, name)) if found is None else found


def convert_values(values: ArrayLike, name: str) -> Array:
    """Convert a list of values to an array; raise for ragged rows and what is no list."""
    if hasattr(values, "predict"):  # also of estimators with a length, such as forests
        raise_no_list(
            values, name, "the scores that it gives, such as `predict_proba(X)[:, 1]`"
        )
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise CapcurveError(
            f"`{name}` must be one-dimensional, got rows of unequal length; "
            "pass a flat list or array"
        ) from error
    if array.ndim == 0 and array.dtype.kind == "O":
        is_dict = isinstance(values, Mapping)
        which = "one of its values at a time" if is_dict else "a list, an array or a series"
        raise_no_list(values, name, which)
    if array.dtype.kind == "f" and isinstance(values, Sequence) and may_be_rounded(array):
        return np.array(values, dtype=object)  # whole numbers among them, as they are
    return array


def raise_no_list(values: object, name: str, instead: str) -> NoReturn:
    """Refuse what is no list of values, such as an estimator or a dict."""
    raise CapcurveError(
        f"`{name}` must be one-dimensional, got {name_type(values)}; pass {instead}"
    )


def refuse_nested(array: Array, name: str) -> Array:
    """Return an array; raise if a value holds several, as a list or a record does."""
    if array.dtype.kind == "V":
        raise_nested(name, "records")
    if array.dtype.kind == "O":
        for kind, value in {type(value): value for value in array.flat}.items():
            if hasattr(value, "__len__") and not isinstance(value, str | bytes):
                raise_nested(name, f"{kind.__name__} in a row")
    return array


def raise_nested(name: str, found: str) -> NoReturn:
    """Refuse rows that hold several values."""
    raise CapcurveError(
        f"`{name}` must hold one value for each row, got {found}; pass one of its parts"
    )


def flatten_column(values: Array) -> Array:
    """Return the values of a single column as one dimension; other arrays unchanged."""
    return values.ravel() if values.ndim == 2 and values.shape[1] == 1 else values  # noqa: PLR2004 -- (n, 1)


def as_numbers(values: Array, name: str) -> Array:
    """Return the values as a numeric array; raise for other types. Text is not parsed."""
    if values.dtype.kind == "O":
        refuse_missing(values, name)
    values = unwrap_numbers(values, name)
    if values.dtype.kind == "b":
        return values.astype(np.uint8)
    if values.dtype.kind not in "iuf":
        if values.size and all(isinstance(value, str) for value in values.flat):
            raise CapcurveError(
                f"`{name}` must hold numbers, got text; convert it first, ordered grades "
                "to their codes (`.cat.codes` of pandas, `.to_physical()` of Polars)"
            )
        raise CapcurveError(
            f"`{name}` must hold numbers, got dtype {values.dtype}; convert it first"
        )
    return as_floats(values, name) if values.dtype.itemsize > FLOAT_BYTES else values


def unwrap_numbers(values: Array, name: str) -> Array:
    """Return objects that are all numbers as a numeric array; others unchanged."""
    if values.dtype.kind != "O":
        return values
    if not all(issubclass(kind, NUMBERS) for kind in set(map(type, values.flat))):
        return values
    plain = np.asarray(values.tolist())
    if plain.dtype.kind == "O" or (plain.dtype.kind == "f" and may_be_rounded(plain)):
        return as_floats(values, name)
    return plain


def as_floats(values: Array, name: str) -> FloatArray:
    """Convert numbers to float64; raise if some that differ would become equal."""
    try:
        with np.errstate(over="ignore"):
            floats = values.astype(np.float64, copy=False)
    except OverflowError:
        raise_rounded(name)
    if values.dtype.kind == "f" and values.dtype.itemsize <= FLOAT_BYTES:
        return floats
    if values.dtype.kind in "iu" and not may_be_rounded(floats):
        return floats
    ends = 0, inf, -inf  # numbers that are too small or too large become one of these
    if len({*floats.ravel().tolist(), *ends}) < len({*values.ravel().tolist(), *ends}):
        raise_rounded(name)
    return floats


def may_be_rounded(floats: Array) -> bool:
    """Whether some floats are so large that they may be rounded whole numbers."""
    return bool(np.any(np.abs(floats) >= EXACT))


def raise_rounded(name: str) -> NoReturn:
    """Refuse numbers that float64 does not hold apart."""
    raise CapcurveError(
        f"`{name}` must hold numbers that float64 tells apart, got some that it would make "
        "equal, 0 or infinite; pass them as float64 if that is meant, or rank scores first"
    )


def refuse_unknown_columns(names: Iterable[str], known: Sequence[str], where: str) -> None:
    """Raise if a column is not among the known ones, and suggest similar names."""
    for name in names:
        if name not in known:
            alike = [each for each in known if fold_name(each) == fold_name(str(name))]
            close = alike or get_close_matches(str(name), known, n=3, cutoff=0.5)
            close = list(dict.fromkeys(close))
            hint = (
                f"did you mean {' or '.join(map(repr, close))}?"
                if close
                else f"its columns are {', '.join(map(repr, known))}"
            )
            first, colon, last = str(name).partition(":")
            if colon and first in known and last in known:
                hint = "a range of columns is not read: pass a list of them"
            raise CapcurveError(f"{where} has no column {name!r}; {hint}")


def fold_name(name: str) -> str:
    """Make names equal that differ in blanks around them and in upper and lower case."""
    return name.strip().lower()


def refuse_shared_names(names: Iterable[str], known: Sequence[str], where: str) -> None:
    """Raise if SQL would take another column for one of these, by upper and lower case."""
    for name in names:
        alike = [each for each in known if each.lower() == name.lower()]
        if len(alike) > 1:
            raise CapcurveError(
                f"columns of {where} that are used must differ in more than upper and "
                f"lower case, got {' and '.join(map(repr, alike))}; rename one of them"
            )


def list_distinct(labels: Array) -> Array:
    """Return the sorted distinct labels; labels of mixed types are sorted as text."""
    try:
        return np.unique(labels)
    except (TypeError, ValueError):  # mixed types, or arrays within the array
        found = sorted({repr(label): label for label in labels.tolist()}.values(), key=str)
        return np.fromiter(found, dtype=object, count=len(found))


def unwrap_labels(labels: Iterable[Any]) -> list[Any]:
    """Return labels as plain Python values."""
    return [label.item() if isinstance(label, np.generic) else label for label in labels]


def format_labels(labels: Sequence[Any] | Array) -> str:
    """Return the first labels as text, with their total number if there are more."""
    first = unwrap_labels(labels[:MAX_LABELS_SHOWN])
    shown = ", ".join(repr(label)[:MAX_LETTERS_SHOWN] for label in first)
    return (
        shown
        if len(labels) <= MAX_LABELS_SHOWN
        else f"{shown}, ... ({len(labels)} in total)"
    )
