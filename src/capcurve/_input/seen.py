"""What one column holds, looked at only as far as a decision needs it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._input.column import list_distinct, to_array, unwrap_numbers
from capcurve._input.dtypes import AnyFrame, Frame, Label, Series
from capcurve._input.missing import find_missing_rows
from capcurve._input.source import take_column
from capcurve._tally.dtypes import Array

Kind = Literal["boolean", "integer", "number", "text"]

FLAGS = (("0", "1"), ("0.0", "1.0"), ("-1", "1"), ("-1.0", "1.0"), ("false", "true"))
ROWS_LOOKED_AT = 1_000  # first rows, which tell for most columns whether fractions occur


class Levels(NamedTuple):
    """Levels of a column.

    Attributes
    ----------
    names : tuple or None
        Levels in their order, where the container declares one.
    is_ordered : bool
        Whether the container declares that they rank from low to high.
    """

    names: tuple[Label, ...] | None = None
    is_ordered: bool = False

    @property
    def are_arranged(self) -> bool:
        """Whether someone put them in an order, that of letters being no sign of it."""
        names = self.names
        return names is not None and (self.is_ordered or [*names] != sorted(names, key=str))


class Flags(NamedTuple):
    """How many numbers are 0, are 1, and are neither."""

    zeros: int
    ones: int
    others: int


class Seen(ABC):
    """A column without missing values, as an engine sees it.

    Attributes
    ----------
    name : str
        Its name, for messages.
    kind : {'boolean', 'integer', 'number', 'text'}
        'number' for floats and decimals, 'text' for whatever is no number.
    levels : tuple or None
        Levels in their order, where the container declares one.
    is_ordered : bool
        Whether the container declares that levels rank from low to high.
    is_categorical : bool
        Whether the container holds categories, in an order or not.
    """

    name: str
    kind: Kind
    levels: tuple[Label, ...] | None = None
    is_ordered: bool = False
    is_categorical: bool = False

    @property
    @abstractmethod
    def is_empty(self) -> bool:
        """Whether there is no row."""

    @property
    @abstractmethod
    def ends(self) -> tuple[float, float]:
        """Smallest and largest number."""

    @abstractmethod
    def holds_only(self, *values: float) -> bool:
        """Whether every number is one of these."""

    @abstractmethod
    def holds_fractions(self) -> bool:
        """Whether some number is not whole."""

    @abstractmethod
    def count_flags(self) -> Flags:
        """Count the numbers that are 0, that are 1, and that are neither."""

    @abstractmethod
    def find_other(self) -> float:
        """Return a number that is neither 0 nor 1."""

    @abstractmethod
    def holds_label(self, label: Label) -> bool:
        """Whether some row has a label, or the levels name it."""

    @abstractmethod
    def labels(self, most: int) -> list[Any]:
        """List up to ``most`` distinct values, sorted."""


class SeenArray(Seen):
    """A NumPy array."""

    def __init__(self, values: Array, name: str) -> None:
        self.values, self.name = values, name
        kinds: dict[str, Kind] = {
            "b": "boolean",
            "i": "integer",
            "u": "integer",
            "f": "number",
        }
        self.kind = kinds.get(values.dtype.kind, "text")

    @property
    def is_empty(self) -> bool:
        """Whether there is no row."""
        return not len(self.values)

    @cached_property
    def ends(self) -> tuple[float, float]:
        """Smallest and largest number; zeros if there is no row."""
        if self.is_empty:
            return 0, 0
        return float(self.values.min()), float(self.values.max())  # float32 holds no 1e50

    def holds_only(self, *values: float) -> bool:
        """Whether every number is one of these."""
        low, high = self.ends
        if low < min(values) or high > max(values):
            return False
        if self.kind == "integer" and max(values) - min(values) == len(values) - 1:
            return True
        return bool(np.logical_or.reduce([self.values == value for value in values]).all())

    def holds_fractions(self) -> bool:
        """Whether some number is not whole."""
        parts = self.values[:ROWS_LOOKED_AT], self.values
        return any(bool(np.any(part != np.floor(part))) for part in parts)

    def count_flags(self) -> Flags:
        """Count the numbers that are 0, that are 1, and that are neither."""
        zeros, ones = (int(np.count_nonzero(self.values == flag)) for flag in (0, 1))
        return Flags(zeros, ones, len(self.values) - zeros - ones)

    def find_other(self) -> float:
        """Return the first number that is neither 0 nor 1."""
        return float(self.values[(self.values != 0) & (self.values != 1)][0])

    def holds_label(self, label: Label) -> bool:
        """Whether some row has a label."""
        return bool(np.any(self.values == label))

    def labels(self, most: int) -> list[Any]:
        """List up to ``most`` distinct values, sorted."""
        found: list[Any] = list_distinct(self.values)[:most].tolist()
        return found


class SeenLevels(SeenArray):
    """A categorical column of a data frame."""

    is_categorical = True

    def __init__(self, column: Series, levels: Levels) -> None:
        self.column, self.name, self.kind = column, column.name, "text"
        self.levels, self.is_ordered = levels

    @cached_property
    def values(self) -> Array:  # type: ignore[override]
        """The categories of the rows, as text."""
        values: Array = self.column.cast(nw.String).to_numpy()
        return values

    def holds_label(self, label: Label) -> bool:
        """Whether the levels name a label, or some row has it."""
        if self.levels is not None:
            return label in self.levels
        return bool(np.any(self.values == str(label)))


def see_series(column: Series, levels: Levels) -> Seen:
    """Look at a column of a data frame, whose levels are known."""
    if is_categorical(column.dtype):
        return SeenLevels(column, levels)
    return SeenArray(unwrap_numbers(to_array(column), column.name), column.name)


def convert_objects(frame: Frame, names: Iterable[str]) -> Frame:
    """Turn columns of objects that are all numbers or booleans into such columns."""
    schema = frame.schema
    for name in (name for name in names if schema[name] == nw.Object):
        column = take_column(frame, name)
        is_missing = find_missing_rows(column)
        values = column.to_numpy()
        plain = unwrap_numbers(values[~is_missing], name)
        if plain.dtype.kind in "biuf" and len(plain):
            floats = np.full(len(values), np.nan)
            floats[~is_missing] = plain
            made = floats if is_missing.any() else plain
            series = nw.new_series(name, made, backend=frame.implementation)
            frame = nw.maybe_reset_index(frame).with_columns(series)
    return frame


def is_categorical(dtype: Any) -> bool:
    """Whether a column holds categories."""
    return isinstance(dtype, nw.Categorical | nw.Enum)


def list_levels(frame: AnyFrame, names: Iterable[str]) -> dict[str, Levels]:
    """List the levels of columns, which rows lose where an engine counts or bins them."""
    if not isinstance(frame, nw.LazyFrame):
        return {name: find_levels(take_column(frame, name)) for name in names}
    schema = frame.collect_schema()
    return {
        name: Levels(tuple(dtype.categories), is_ordered=True)
        if isinstance(dtype := schema[name], nw.Enum)
        else Levels()
        for name in names
    }


def find_levels(column: Series) -> Levels:
    """List the levels of a column whose container declares them, and whether they rank.

    Categories of pandas, enums, and ordered dictionaries of Arrow are declared. The order
    in which values appear in rows (`polars.Categorical`, plain dictionaries) is not.
    """
    if not is_categorical(column.dtype):
        return Levels()
    engine, native = column.implementation, column.to_native()
    if hasattr(getattr(native, "dtype", None), "pyarrow_dtype"):  # of Arrow, in pandas
        table = nw.from_native(column.alias("levels").to_frame().to_arrow())
        return find_levels(table.get_column("levels"))
    is_enum = isinstance(column.dtype, nw.Enum)
    declared = is_enum or engine.is_pandas_like()
    if engine.is_pyarrow():
        declared = is_enum = bool(native.type.ordered)
    if not declared:
        return Levels()
    return Levels(tuple(column.cat.get_categories().to_list()), is_enum)


def find_one(levels: Sequence[Any]) -> Label | None:
    """Find the level that stands for 1 where levels are 0/1, -1/1 or False/True."""
    names = {str(level).lower(): level for level in levels}
    for zero, one in FLAGS:
        if set(names) <= {zero, one} and one in names:
            found: Label = names[one]
            return found
    return None
