"""Run queries in their engine: sum rows by key, and fetch the groups."""

import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._input.dtypes import Frame, LazyFrame
from capcurve._tally.dtypes import Array
from capcurve.exceptions import CapcurveError

LOG = logging.getLogger("capcurve")
ROWS = "rows"
TRACEBACK = "Traceback (most recent call last)"  # of Python, on a worker
SPILLED_TOO_MUCH = r"out of memory error: (.+?)\.? [^.]*max_temp_directory_size"  # DuckDB
CAUSED_BY = "Caused by: "  # of Java


class EngineResult(NamedTuple):
    """Result of a grouped query: the group keys of its rows, if any, and its numbers."""

    keys: Frame | None
    numbers: dict[str, Array]
    backend: Any


def take_first(found: Frame, name: str) -> float:
    """Return the first number of a column; 0 for null, the sum or minimum of no rows."""
    column = found.get_column(name)
    if column.is_null()[0]:
        return 0
    number: float = int(column[0]) if column.dtype.is_integer() else float(column[0])
    return number


def as_integer_flag(condition: nw.Expr) -> nw.Expr:
    """Cast a condition to 0 or 1, by way of int32, as some databases require."""
    return condition.cast(nw.Int32).cast(nw.Int64)


def weigh_equally(complete: str) -> nw.Expr:
    """Return weight 1 for each row, computed from a column without nulls.

    A literal would become a decimal in some engines.
    """
    return as_integer_flag(~nw.col(complete).is_null()).cast(nw.Float64)


def sum_by_keys(frame: LazyFrame, keys: Sequence[str], *more: nw.Expr) -> LazyFrame:
    """Sum rows, weight and weighted outcome by key, with the largest outcome.

    For unweighted events the numbers of rows and of events are sufficient.
    """
    if is_weighted(frame):
        weighted = frame.with_columns(wy=nw.col("w") * nw.col("y"))
        sums = nw.col("w", "wy").sum(), nw.col("y").max()
        return weighted.group_by(*keys).agg(nw.len().alias(ROWS), *sums, *more)
    events = frame.with_columns(wy=nw.col("y"))
    return events.group_by(*keys).agg(nw.len().alias(ROWS), nw.col("wy").sum(), *more)


def is_weighted(frame: LazyFrame) -> bool:
    """Whether rows have a weight column, as rows with weights or amounts do."""
    return "w" in frame.collect_schema().names()


def fetch_groups(frame: LazyFrame, by: Sequence[str]) -> EngineResult:
    """Run a grouped query and fetch its result, sorted by the group keys."""
    if not by and frame.implementation.is_duckdb():
        with wrap_engine_errors():  # collecting would require PyArrow
            numbers = frame.to_native().fetchnumpy()
        numbers = {name: fill_mask_with_nan(column) for name, column in numbers.items()}
        return EngineResult(None, numbers, nw.Implementation.PYARROW)
    found = collect(frame)
    if by:
        found = found.sort(*by, nulls_last=True)
    numbers = {
        name: found.get_column(name).to_numpy() for name in found.columns if name not in by
    }
    return EngineResult(found.select(by) if by else None, numbers, found.implementation)


def fill_mask_with_nan(column: Array) -> Array:
    """Return a masked column as floats with nan for null; other columns unchanged."""
    if not np.ma.is_masked(column):
        return np.ma.getdata(column)
    return np.ma.filled(column.astype(np.float64), np.nan)


def has_window_sums(frame: LazyFrame) -> bool:
    """Whether an engine can compute running sums within groups of rows."""
    engine = frame.implementation
    return not (engine.is_dask() or engine.is_pyarrow() or engine.is_pandas_like())


def runs_in_this_process(frame: LazyFrame) -> bool:
    """Whether an engine reads rows in this process, so that they need not travel."""
    engine = frame.implementation
    if engine.is_ibis():
        return bool(frame.to_native().get_backend().name == "duckdb")
    return engine.is_polars() or engine.is_duckdb()


def find_extremes(frame: LazyFrame, column: str) -> tuple[float, float]:
    """Return the smallest and the largest value; zeros if there are no rows."""
    value = nw.col(column).cast(nw.Float64)
    found = collect(frame.select(value.min().alias("low"), value.max().alias("high")))
    low, high = (found.get_column(name)[0] for name in ("low", "high"))
    return (0.0, 0.0) if low is None or low != low else (float(low), float(high))  # noqa: PLR0124 -- nan


def log_plan(plan: str, n_rows: int, what: str) -> None:
    """Log the plan and the number of rows fetched."""
    LOG.info("plan %s: %s %s fetched", plan, f"{n_rows:,}", what)


def collect(frame: LazyFrame) -> Frame:
    """Run a query and fetch its rows."""
    with wrap_engine_errors():
        return frame.collect()


@contextmanager
def wrap_engine_errors() -> Iterator[None]:
    """Raise any error of an engine as a CapcurveError."""
    try:
        yield
    except CapcurveError:
        raise
    except Exception as error:
        raise CapcurveError(explain_engine(error)) from error


def explain_engine(error: Exception) -> str:
    """Say that an engine failed, and what to do where its memory does not suffice."""
    reason = find_reason(error)
    if told := re.search(SPILLED_TOO_MUCH, reason, re.IGNORECASE):
        return (
            f"the engine of `data` requires more space for temporary files: {told[1]}; set "
            "its temp_directory to a folder with more, or raise its memory limit"
        )
    told = re.search("out of memory error: (.+?) possible solutions", reason, re.IGNORECASE)
    if told is None:
        return f"the engine of `data` failed: {reason}"
    return (
        f"the engine of `data` requires more memory: {told[1]}; raise its memory limit, or "
        "let scores be binned (approx)"
    )


def find_reason(error: Exception) -> str:
    """Return the first cause that an error of an engine tells, without its stack.

    Spark writes the stacks of Java and of Python into the message, the cause below them.
    """
    lines = str(error).splitlines()
    stacks = [place for place, line in enumerate(lines) if TRACEBACK in line]
    raised = (
        [line for line in lines[stacks[-1] + 1 :] if line[:1].strip()] if stacks else []
    )
    causes = [line for line in lines if line.startswith(CAUSED_BY)]
    told = raised[:1] or [line.removeprefix(CAUSED_BY) for line in causes[-1:]] or lines
    return " ".join(" ".join(told).split())[:300]
