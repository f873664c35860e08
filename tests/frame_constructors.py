"""The same columns in every data-frame library, and back."""

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa


def make_nullable(columns):
    """Make a pandas frame of types with missing values; older pandas casts infinity."""
    with np.errstate(invalid="ignore"):
        return pd.DataFrame(columns).convert_dtypes()


CONSTRUCTORS = {
    "pandas": pd.DataFrame,
    "pandas nullable": make_nullable,
    "pandas Arrow": lambda columns: pa.table(columns).to_pandas(types_mapper=pd.ArrowDtype),
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
}


def categorical(frame, name, levels):
    """Make a text column categorical with its levels in order."""
    if isinstance(frame, pl.DataFrame):
        return frame.with_columns(pl.col(name).cast(pl.Enum(levels)))
    if isinstance(frame, pd.DataFrame):
        texts = frame[name].astype(object).where(frame[name].notna(), None)
        return frame.assign(**{name: pd.Categorical(texts, categories=levels)})
    texts = frame[name].to_pylist()
    codes = pa.array(
        [None if text is None else levels.index(text) for text in texts], pa.int32()
    )
    column = pa.DictionaryArray.from_arrays(codes, pa.array(levels), ordered=True)
    return frame.set_column(frame.column_names.index(name), name, column)


def columns_of(frame):
    """Turn a frame of any library into lists, nulls into None."""
    wrapped = nw.from_native(frame, eager_only=True)
    return {name: wrapped.get_column(name).to_list() for name in wrapped.columns}
