"""The same columns in every data-frame library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

from fuzz.cases import Case, is_missing

POLARS = {
    "int64": pl.Int64,
    "int32": pl.Int32,
    "int16": pl.Int16,
    "int8": pl.Int8,
    "uint8": pl.UInt8,
    "uint32": pl.UInt32,
    "uint64": pl.UInt64,
    "float64": pl.Float64,
    "float32": pl.Float32,
    "bool": pl.Boolean,
    "str": pl.String,
    "label": pl.Categorical,
    "unordered": pl.Categorical,
}
NULLABLE = {
    "int64": "Int64",
    "int32": "Int32",
    "int16": "Int16",
    "int8": "Int8",
    "uint8": "UInt8",
    "uint32": "UInt32",
    "uint64": "UInt64",
    "float64": "Float64",
    "float32": "Float32",
    "bool": "boolean",
}


def make_polars(case: Case) -> pl.DataFrame:
    return pl.DataFrame(
        [
            polars_column(name, values, case.storage[name], case.categories)
            for name, values in case.columns.items()
        ]
    )


def polars_column(
    name: str, values: Sequence[Any], storage: str, categories: Sequence[Any] | None
) -> pl.Series:
    if storage == "categorical":
        texts = [None if value is None else str(value) for value in values]
        return pl.Series(name, texts, pl.Enum([str(level) for level in categories or ()]))
    return pl.Series(name, values, POLARS[storage])


def make_arrow(case: Case) -> pa.Table:
    return pa.table(
        {
            name: arrow_column(values, case.storage[name], case.categories)
            for name, values in case.columns.items()
        }
    )


def arrow_column(
    values: Sequence[Any], storage: str, categories: Sequence[Any] | None
) -> pa.Array:
    if storage in {"categorical", "label", "unordered"}:
        declared = storage == "categorical"
        seen = [value for value in values if value is not None]
        levels = list(categories or ()) if declared else list(dict.fromkeys(seen))
        codes = [None if value is None else levels.index(value) for value in values]
        texts = pa.array(levels, None if levels else pa.string())
        numbers = pa.array(codes, pa.int32())
        return pa.DictionaryArray.from_arrays(numbers, texts, ordered=declared)
    return pa.array(
        values, getattr(pa, {"bool": "bool_", "str": "string"}.get(storage, storage))()
    )


def make_pandas(case: Case) -> pd.DataFrame:
    columns = {
        name: pandas_column(values, case.storage[name], case.categories)
        for name, values in case.columns.items()
    }
    frame = pd.DataFrame(columns)
    if case.choice % 3 == 0:
        frame.index = pd.Index([row // 2 for row in range(case.n)][::-1])
    return frame


def pandas_column(
    values: Sequence[Any], storage: str, categories: Sequence[Any] | None
) -> Any:
    if storage == "categorical":
        return pd.Categorical(values, categories=list(categories or ()), ordered=True)
    if storage == "label":
        return pd.Categorical(values)
    if storage.startswith("float"):
        plain = [np.nan if is_missing(value) else value for value in values]
        return np.array(plain, dtype=storage)
    if storage in {"str", "unordered"}:
        return np.array(values, dtype=object)
    if any(map(is_missing, values)):
        return pd.array(values, dtype=NULLABLE[storage])
    return np.array(values, dtype=storage)


def make_nullable(case: Case) -> pd.DataFrame:
    """Store numbers and booleans with a mask, whether or not something is missing."""
    frame = make_pandas(case)
    for name, values in case.columns.items():
        if (dtype := NULLABLE.get(case.storage[name])) is not None:
            plain = [None if is_missing(value) else value for value in values]
            frame[name] = pd.Series(pd.array(plain, dtype=dtype), index=frame.index)
    return frame


def make_arrow_pandas(case: Case) -> pd.DataFrame:
    return make_arrow(case).to_pandas(types_mapper=pd.ArrowDtype)


FRAMES: dict[str, Callable[[Case], Any]] = {
    "pandas": make_pandas,
    "pandas nullable": make_nullable,
    "pandas Arrow": make_arrow_pandas,
    "polars": make_polars,
    "pyarrow": make_arrow,
}


def columns_of(frame: Any) -> dict[str, list[Any]]:
    """Turn a frame of any library into lists, nulls into None."""
    if isinstance(frame, pd.DataFrame):
        columns = {name: frame[name].tolist() for name in frame.columns}
    elif isinstance(frame, pl.DataFrame):
        columns = frame.to_dict(as_series=False)
    else:
        columns = frame.to_pydict()
    return {name: [as_key(value) for value in column] for name, column in columns.items()}


def as_key(value: Any) -> Any:
    """Turn the nulls of libraries into None; nan stays, as a number may be undefined."""
    return None if type(value).__name__ in {"NAType", "NaTType"} else value
