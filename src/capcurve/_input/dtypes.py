"""Type aliases of columns, frames and options."""

from collections.abc import Sequence
from typing import Any, Literal, TypeVar

import narwhals.stable.v2 as nw

Label = int | float | bool | str
Names = str | Sequence[str]

TargetType = Literal["auto", "binary", "continuous"]
EventLevel = Literal["first", "second"]
Estimator = Literal["binary", "macro", "macro_weighted"]
Average = Literal["macro", "weighted"]
WeightKind = Literal["sampling", "frequency"]

Series = nw.Series[Any]
Frame = nw.DataFrame[Any]
LazyFrame = nw.LazyFrame[Any]
AnyFrame = TypeVar("AnyFrame", bound=nw.DataFrame[Any] | nw.LazyFrame[Any])
