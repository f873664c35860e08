"""Refuse columns of data frames and queries whose rows hold several values."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

import narwhals.stable.v2 as nw
from narwhals.stable.v2.dtypes import DType

from capcurve._input.dtypes import AnyFrame, Series
from capcurve.exceptions import CapcurveError

KINDS = {"List": "lists", "Array": "lists", "Struct": "structs", "Map": "maps"}


def refuse_nested_columns(frame: AnyFrame, names: Iterable[str]) -> None:
    """Raise if a column holds lists, structs or maps, which no engine ranks or groups."""
    if isinstance(frame, nw.LazyFrame):
        schema = frame.collect_schema()
        found = {name: find_kind(schema[name]) for name in names}
    else:
        found = {name: find_kind_of(frame.get_column(name)) for name in names}
    for name, kind in found.items():
        if kind is not None:
            raise CapcurveError(
                f"`{name}` must hold one value for each row, got {kind}; make text or a "
                "number of it (in the shell with --query)"
            )


def find_kind(dtype: DType) -> str | None:
    """Say what the rows of a type hold several values in; None if they hold one."""
    return KINDS.get(type(dtype).__name__)


def find_kind_of(column: Series) -> str | None:
    """Say what the rows of a column hold several values in, objects as they are found.

    Tuples can be told apart, so they may name groups.
    """
    if column.dtype != nw.Object:
        return find_kind(column.dtype)
    kinds: dict[type[Any], None] = dict.fromkeys(map(type, column.to_list()))
    found = [kind.__name__ for kind in kinds if not issubclass(kind, Hashable)]
    return f"{found[0]} in a row" if found else None
