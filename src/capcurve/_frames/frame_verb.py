"""The type of a function of data frames: which data frame comes back for which data."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    ParamSpec,
    Protocol,
    TypeVar,
    cast,
    overload,
)

from narwhals.stable.v2.typing import IntoDataFrameT, IntoLazyFrame

from capcurve._input.source import ArrowStream, refuse_arrays
from capcurve._public import public

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

Options = ParamSpec("Options")
Native_co = TypeVar("Native_co", covariant=True)


class DaskFrame(Protocol):
    """A data frame of Dask."""

    @property
    def _partition_type(self) -> type[Any]: ...


class PolarsQuery(Protocol):
    """A lazy frame of Polars."""

    @property
    def width(self) -> int: ...
    def explain(self, *args: Any, **kwargs: Any) -> Any: ...


class NarwhalsFrame(Protocol[Native_co]):
    """A data frame that narwhals wraps."""

    def to_arrow(self) -> Any: ...
    def to_native(self) -> Native_co: ...


class FrameVerb(Protocol[Options]):
    """A function of a data frame or query that returns a data frame in memory.

    Kinds of ``data`` are told apart by their methods, never by their class: the classes of
    a library that is not installed would be any type, and match all data.
    """

    @overload
    def __call__(
        self, data: DaskFrame, *args: Options.args, **kwargs: Options.kwargs
    ) -> pd.DataFrame: ...
    @overload
    def __call__(
        self, data: PolarsQuery, *args: Options.args, **kwargs: Options.kwargs
    ) -> pl.DataFrame: ...
    @overload
    def __call__(
        self, data: IntoLazyFrame, *args: Options.args, **kwargs: Options.kwargs
    ) -> pa.Table: ...
    @overload
    def __call__(
        self, data: NarwhalsFrame[Native_co], *args: Options.args, **kwargs: Options.kwargs
    ) -> Native_co: ...
    @overload
    def __call__(
        self, data: IntoDataFrameT, *args: Options.args, **kwargs: Options.kwargs
    ) -> IntoDataFrameT: ...
    @overload
    def __call__(
        self, data: ArrowStream, *args: Options.args, **kwargs: Options.kwargs
    ) -> pa.Table: ...


def frame_verb(function: Callable[Concatenate[Any, Options], Any]) -> FrameVerb[Options]:
    """Publish a function of data frames; type checkers see what it returns for which."""

    @wraps(function)
    def verb(data: Any, *args: Options.args, **kwargs: Options.kwargs) -> Any:
        refuse_arrays(data)  # before Python says that an argument is missing
        return function(data, *args, **kwargs)

    return cast("FrameVerb[Options]", public(verb))
