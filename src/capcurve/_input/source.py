"""Wrap data frames and queries of any library and check their columns; no row is read."""

from typing import Any, NoReturn, Protocol

import narwhals.stable.v2 as nw
import numpy as np
from narwhals.stable.v2.typing import IntoFrame

from capcurve._input.column import name_type, refuse_shared_names, refuse_unknown_columns
from capcurve._input.dtypes import AnyFrame, Frame, Series
from capcurve._input.meaning import Roles
from capcurve._input.nested import refuse_nested_columns
from capcurve.exceptions import CapcurveError


class ArrowStream(Protocol):
    """Data of a library that speaks Arrow, such as a reader of record batches."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Return the stream."""


FrameLike = IntoFrame | ArrowStream

TELL_CASE_APART = (nw.Implementation.POLARS, nw.Implementation.DASK)


def check_columns(frame: AnyFrame, roles: Roles) -> AnyFrame:
    """Return the frame; raise if it lacks a column, or no engine can read one.

    SQL cannot tell names apart that differ in upper and lower case alone.
    """
    used, known = [*roles.values, *roles.by], frame.columns
    refuse_unknown_columns(used, known, "`data`")
    if isinstance(frame, nw.LazyFrame) and frame.implementation not in TELL_CASE_APART:
        refuse_shared_names(used, known, "`data`")
    refuse_nested_columns(frame, used)
    return frame


def as_frame(data: Any) -> Frame | nw.LazyFrame[Any]:
    """Wrap a data frame or a query with narwhals; an Arrow stream is read into memory."""
    try:
        frame: Frame | nw.LazyFrame[Any] = nw.from_native(data)
    except (TypeError, ValueError) as error:
        if (
            isinstance(error, TypeError)
            and hasattr(data, "__arrow_c_stream__")
            and not nw.dependencies.is_into_series(data)
        ):
            return nw.from_arrow(data, backend="pyarrow")
        refuse_data(data, explain_refusal(error), error)
    return widen_views(frame)


def refuse_arrays(data: Any) -> None:
    """Raise for an array or a series, which are for the functions of arrays."""
    if isinstance(data, np.ndarray | list | tuple) or nw.dependencies.is_into_series(data):
        refuse_data(data)


def refuse_data(data: Any, why: str = "", error: Exception | None = None) -> NoReturn:
    """Say what the data are instead of a data frame, and what to do."""
    kind = name_type(data)
    if (module := type(data).__module__) != "builtins":
        kind = f"{module}.{type(data).__qualname__}"
    advice = (
        "convert it first, for example with `polars.DataFrame`, or pass arrays to "
        "`accuracy_ratio_score`, `cap_curve` or `GainsTable.from_curve`"
    )
    if "GroupBy" in kind:
        advice = "pass the data frame itself, and the columns to group by as `by=`"
    raise CapcurveError(
        "`data` must be a data frame or a query with distinct column names, got "
        f"{kind}{why}; {advice}"
    ) from error


def explain_refusal(error: TypeError | ValueError) -> str:
    """Return what narwhals found in a frame; that it is none, the name of its type says."""
    if isinstance(error, TypeError):
        return ""
    return f" ({' '.join(str(error).split())[:120]})"


def widen_views(
    frame: Frame | nw.LazyFrame[Any],
) -> Frame | nw.LazyFrame[Any]:
    """Turn text that Arrow holds as views, as Polars exports it, into plain text.

    PyArrow can neither take nor sort the rows of a view.
    """
    if isinstance(frame, nw.LazyFrame) or not frame.implementation.is_pyarrow():
        return frame
    table = frame.to_native()
    views = [field.name for field in table.schema if str(field.type) == "string_view"]
    if not views:
        return frame
    import pyarrow as pa

    for name in views:
        place = table.schema.get_field_index(name)
        table = table.set_column(place, name, table.column(place).cast(pa.large_string()))
    widened: Frame = nw.from_native(table, eager_only=True)
    return widened


def take_column(frame: Frame, name: str) -> Series:
    """Take a column, with another name if engines would take its own for a pattern."""
    column = frame.get_column(name)
    return column.alias(f"column {name}") if is_pattern(name) else column


def is_pattern(name: str) -> bool:
    """Whether an engine may take a column name for a pattern of several columns."""
    return name == "*" or (name.startswith("^") and name.endswith("$"))
