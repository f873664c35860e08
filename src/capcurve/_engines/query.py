"""Check and count rows inside the engine of a query.

One query checks the rows, another groups equal rows and counts them; only the groups are
fetched. Only operations that work alike in all engines are used: columns are computed
before they are aggregated, booleans become integers before they are summed, and 0.0 is
added to floats because some engines distinguish -0.0 from 0.0 when they group.
"""

import logging
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._engines.plan import ColumnRange
from capcurve._input.dtypes import Frame, LazyFrame
from capcurve._input.meaning import Roles
from capcurve._tally.dtypes import Array, FloatArray
from capcurve.exceptions import CapcurveError

LOG = logging.getLogger("capcurve")
LARGEST = 1.7976931348623157e308  # finite float64
ROWS = "rows"
WEIGHT = "weight"
SQUARES = "squares"
EVENTS = "events"


class Query(NamedTuple):
    """The columns needed of a lazy frame, renamed to short, portable column names."""

    frame: LazyFrame
    names: dict[str, str]
    masses: dict[str, str]

    @property
    def weighted(self) -> bool:
        """Whether rows have a weight or a count."""
        return "w" in self.masses.values()

    def used(self, roles: Roles) -> dict[str, str]:
        """Portable names of the columns whose missing values drop a row."""
        return {name: self.names.get(name) or self.masses[name] for name in roles.values}


class QueryChecks(NamedTuple):
    """Counts and ranges found in one pass over all rows.

    Attributes
    ----------
    n_rows, incomplete : int
        Number of rows, and of rows with a missing value.
    missing : dict of str to int
        Number of missing values by column.
    negative, infinite : int
        Number of negative and of infinite weights.
    ranges : dict of str to ColumnRange
        Range of each numeric column.
    labels : dict of int to int
        Number of zeros and ones of the outcome, if all rows are complete and hold nothing
        else; empty otherwise, as other labels require another pass.
    backend : narwhals Implementation
        Library in which the engine returns its results.
    outcome : str
        Portable name of the outcome column; empty if there is none.
    """

    n_rows: int
    incomplete: int
    missing: dict[str, int]
    negative: int
    infinite: int
    ranges: dict[str, ColumnRange]
    labels: dict[int, int]
    backend: Any
    outcome: str


class EngineResult(NamedTuple):
    """Result of a grouped query: the group keys of its rows, if any, and its numbers."""

    keys: Frame | None
    numbers: dict[str, Array]
    backend: Any


class DistinctRows(NamedTuple):
    """Distinct rows in memory, with the number of rows and the weight of each."""

    frame: Frame
    rows: FloatArray
    weight: FloatArray | None
    squares: FloatArray | None
    events: FloatArray | None


def select_columns(frame: LazyFrame, roles: Roles) -> Query:
    """Select the columns needed, with uniform number types and portable names."""
    schema = frame.collect_schema()
    values = [name for name in (roles.truth, *roles.estimates) if name is not None]
    kept = [*roles.by, *values, *([roles.clusters] if roles.clusters else [])]
    names = {name: f"c{i}" for i, name in enumerate(dict.fromkeys(kept))}
    columns = []
    for name, short in names.items():
        column = nw.col(name)
        if name in roles.estimates and schema[name] == nw.Boolean:
            column = as_integer_flag(column)
        if name in values and needs_float(schema[name]):
            column = column.cast(nw.Float64)
        if name in values and schema[name].is_float():
            column = column + 0.0
        columns.append(column.alias(short))
    masses = {}
    for short, mass in (("w", roles.weights or roles.counts), ("e", roles.events)):
        if mass is not None:
            masses[mass] = short
            columns.append(nw.col(mass).cast(nw.Float64).alias(short))
    return Query(frame.select(*columns), names, masses)


def needs_float(dtype: Any) -> bool:
    """Whether a numeric dtype has no NumPy equivalent."""
    return bool(dtype.is_decimal() or dtype in {nw.Int128, nw.UInt128})


def check_query(query: Query, roles: Roles) -> QueryChecks:
    """Count missing values and invalid weights, and find ranges, in one pass."""
    frame, schema = query.frame, query.frame.collect_schema()
    used = query.used(roles)
    outcome = query.names.get(str(roles.truth), "")
    absent = {f"m{i}": flag_missing(frame, short) for i, short in enumerate(used.values())}
    marks = {
        "any": as_integer_flag(nw.sum_horizontal(*absent) > 0),
        **flag_invalid_weights(query),
    }
    marks |= flag_events(frame, outcome) if outcome else {}
    marked = frame.with_columns(**absent).with_columns(**marks)
    numeric = [short for short in used.values() if is_numeric_column(frame, short)]
    for short in numeric:
        marked = marked.with_columns(
            nw.col(short).alias(f"low {short}"), nw.col(short).alias(f"high {short}")
        )
    sums = [*absent, *marks]
    found = collect(
        marked.select(
            nw.len().alias(ROWS),
            *(nw.col(name).sum() for name in sums),
            *(nw.col(f"low {short}").min() for short in numeric),
            *(nw.col(f"high {short}").max() for short in numeric),
        )
    )
    count = {name: int(take_first(found, name)) for name in (ROWS, *sums)}
    ends = {
        short: [take_first(found, f"{end} {short}") for end in ("low", "high")]
        for short in numeric
    }
    return QueryChecks(
        count[ROWS],
        count["any"],
        {name: count[mark] for name, mark in zip(used, absent, strict=True)},
        count.get("negative", 0),
        count.get("infinite", 0),
        {
            name: ColumnRange(
                low=ends[short][0],
                high=ends[short][1],
                is_integer=schema[short].is_integer(),
            )
            for name, short in used.items()
            if short in ends
        },
        count_binary_labels(count),
        found.implementation,
        outcome,
    )


def take_first(found: Frame, name: str) -> float:
    """Return the first number of a column; 0 for null, the sum or minimum of no rows."""
    column = found.get_column(name)
    return 0.0 if column.is_null()[0] else float(column[0])


def is_numeric_column(frame: LazyFrame, short: str) -> bool:
    """Whether a column is numeric and not boolean."""
    return frame.collect_schema()[short].is_numeric()


def flag_events(frame: LazyFrame, short: str) -> dict[str, nw.Expr]:
    """Return indicators of outcomes 0 and 1; none for text."""
    outcome = nw.col(short)
    present = ~outcome.is_null()
    if frame.collect_schema()[short] == nw.Boolean:
        return {
            "zeros": as_integer_flag(~outcome & present),
            "ones": as_integer_flag(outcome & present),
        }
    if not is_numeric_column(frame, short):
        return {}
    return {
        "zeros": as_integer_flag((outcome == 0) & present),
        "ones": as_integer_flag((outcome == 1) & present),
    }


def count_binary_labels(count: Mapping[str, int]) -> dict[int, int]:
    """Return the numbers of zeros and ones; empty if other or missing values occur."""
    labels = {0: count.get("zeros", 0), 1: count.get("ones", 0)}
    if count["any"] or sum(labels.values()) < count[ROWS]:
        return {}
    return {value: rows for value, rows in labels.items() if rows}


def flag_missing(frame: LazyFrame, short: str) -> nw.Expr:
    """Return an indicator of nulls and nans."""
    absent = nw.col(short).is_null()
    if may_hold_nan(frame, short):
        absent = absent | nw.col(short).is_nan()
    return as_integer_flag(absent)


def may_hold_nan(frame: LazyFrame, short: str) -> bool:
    """Whether a column may hold nan; some databases have null only."""
    if not frame.collect_schema()[short].is_float():
        return False
    if not frame.implementation.is_ibis():
        return True
    is_nan = sys.modules["ibis"].expr.operations.IsNan
    return bool(frame.to_native().get_backend().has_operation(is_nan))


def flag_invalid_weights(query: Query) -> dict[str, nw.Expr]:
    """Return indicators of negative and infinite weights; none without weights.

    nan is a missing value, although some engines sort it above infinity.
    """
    if not query.weighted:
        return {}
    weight = nw.col("w")
    infinite = weight > LARGEST
    if may_hold_nan(query.frame, "w"):
        infinite = infinite & ~weight.is_nan()
    return {
        "negative": as_integer_flag(weight < 0),
        "infinite": as_integer_flag(infinite),
    }


def as_integer_flag(condition: nw.Expr) -> nw.Expr:
    """Cast a condition to 0 or 1, by way of int32, as some databases require."""
    return condition.cast(nw.Int32).cast(nw.Int64)


def weigh_equally(complete: str) -> nw.Expr:
    """Return weight 1 for each row, computed from a column without nulls.

    A literal would become a decimal in some engines.
    """
    return as_integer_flag(~nw.col(complete).is_null()).cast(nw.Float64)


def drop_incomplete_rows(query: Query, roles: Roles, checks: QueryChecks) -> LazyFrame:
    """Filter out rows with a missing value and rows of weight 0."""
    frame = query.frame
    used = query.used(roles)
    for short in (short for name, short in used.items() if checks.missing[name]):
        frame = frame.with_columns(flag_missing(query.frame, short).alias("m"))
        frame = frame.filter(nw.col("m") == 0).drop("m")
    return frame.filter(nw.col("w") > 0) if query.weighted else frame


def count_distinct_rows(query: Query, roles: Roles, checks: QueryChecks) -> DistinctRows:
    """Group equal rows without missing values, and sum their numbers and weights."""
    frame, sums = drop_incomplete_rows(query, roles, checks), [nw.len().alias(ROWS)]
    if query.weighted:
        frame = frame.with_columns((nw.col("w") * nw.col("w")).alias("w2"))
        sums += [nw.col("w").sum().alias(WEIGHT), nw.col("w2").sum().alias(SQUARES)]
    if roles.events is not None:
        sums.append(nw.col("e").sum().alias(EVENTS))
    keys = list(query.names.values())
    grouped = collect(frame.group_by(*keys).agg(*sums))
    grouped = grouped.sort(*keys, nulls_last=True)
    rows, weight, squares, events = (
        grouped.get_column(name).to_numpy().astype(np.float64)
        if name in grouped.columns
        else None
        for name in (ROWS, WEIGHT, SQUARES, EVENTS)
    )
    original = {short: name for name, short in query.names.items()}
    named = grouped.select(keys).rename(original)
    counts = np.zeros(0) if rows is None else rows
    return DistinctRows(named, counts, weight, squares, events)


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
        reason = " ".join(str(error).split())[:300]
        raise CapcurveError(f"the engine of `data` failed: {reason}") from error
