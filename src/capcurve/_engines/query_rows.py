"""Select, check and count the rows of a query inside its engine.

One query checks the rows, another groups equal rows and counts them; only the groups are
fetched. Only operations that work alike in all engines are used: columns are computed
before they are aggregated, booleans become integers before they are summed, and 0.0 is
added to floats because some engines distinguish -0.0 from 0.0 when they group.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import add
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._engines.groups import number_groups
from capcurve._engines.plan import ColumnRange
from capcurve._engines.query import ROWS, as_integer_flag, collect, take_first
from capcurve._input.column import raise_rounded
from capcurve._input.dtypes import Frame, LazyFrame
from capcurve._input.meaning import Roles
from capcurve._input.source import is_pattern
from capcurve._tally.dtypes import FloatArray, IntArray

LARGEST = 1.7976931348623157e308  # finite float64
ANY = "any"
WEIGHT = "weight"
SQUARES = "squares"
FOURTHS = "fourths"
EVENTS = "events"
FLOAT_DIGITS = 15  # decimal digits of which float64 holds any number apart


class Query(NamedTuple):
    """The columns needed of a lazy frame, renamed to short, portable column names.

    Attributes
    ----------
    frame : narwhals LazyFrame
    names, masses : dict of str to str
        Portable names of the columns, and of the weights or counts.
    rounded : dict of str to str
        Portable names of exact columns, for those that float64 may round in ``names``.
    """

    frame: LazyFrame
    names: dict[str, str]
    masses: dict[str, str]
    rounded: dict[str, str]

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
        Number of negative and of infinite weights of complete rows.
    weights : tuple of float
        Least positive and greatest weight of complete rows; zeros if there is none.
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
    weights: tuple[float, float]
    ranges: dict[str, ColumnRange]
    labels: dict[int, int]
    backend: Any
    outcome: str


class DistinctRows(NamedTuple):
    """Distinct rows in memory, with the number of rows and the weight of each."""

    frame: Frame
    rows: FloatArray
    weight: FloatArray | None
    squares: FloatArray | None
    fourths: FloatArray | None
    events: FloatArray | None


def select_columns(frame: LazyFrame, roles: Roles) -> Query:
    """Select the columns needed, with uniform number types and portable names."""
    schema = frame.collect_schema()
    frame, plain = rename_patterns(frame, [*roles.values, *roles.by])
    values = [name for name in (roles.truth, *roles.estimates) if name is not None]
    kept = [*roles.by, *values, *([roles.clusters] if roles.clusters else [])]
    names = {name: f"c{i}" for i, name in enumerate(dict.fromkeys(kept))}
    columns, rounded = [], {}
    for name, short in names.items():
        column = nw.col(plain.get(name, name))
        if name in roles.estimates and schema[name] == nw.Boolean:
            column = as_integer_flag(column)
        if name in values and may_be_rounded(schema[name]):
            rounded[name] = f"exact {short}"
            columns.append(column.alias(rounded[name]))
        if name in values and needs_float(schema[name]):
            column = column.cast(nw.Float64)
        if name in values and schema[name].is_float():
            column = column + 0.0
        columns.append(column.alias(short))
    masses = {}
    for short, mass in (("w", roles.weights or roles.counts), ("e", roles.events)):
        if mass is not None:
            masses[mass] = short
            column = nw.col(plain.get(mass, mass))
            columns.append(column.cast(nw.Float64).alias(short))
    return Query(frame.select(*columns), names, masses, rounded)


def rename_patterns(
    frame: LazyFrame, names: Sequence[str]
) -> tuple[LazyFrame, dict[str, str]]:
    """Rename the columns whose names are patterns; return their new names too."""
    plain = {
        name: f"column {i} of capcurve" for i, name in enumerate(names) if is_pattern(name)
    }
    others = dict(plain)
    if "*" in plain and frame.implementation.is_duckdb():
        star = f'"*" AS "{others.pop("*")}"'  # only SQL tells this column from all columns
        native = frame.to_native().project(f'{star}, * EXCLUDE ("*")')
        frame = nw.from_native(native)
    return (frame.rename(others) if others else frame), plain


def needs_float(dtype: Any) -> bool:
    """Whether a numeric dtype has no NumPy equivalent."""
    return bool(dtype.is_decimal() or dtype in {nw.Int128, nw.UInt128})


def may_be_rounded(dtype: Any) -> bool:
    """Whether float64 may hold different numbers of a dtype for equal."""
    digits = getattr(dtype, "precision", 38) if dtype.is_decimal() else 38
    return needs_float(dtype) and digits > FLOAT_DIGITS


def check_query(query: Query, roles: Roles) -> QueryChecks:
    """Count missing values and invalid weights, and find ranges, in one pass.

    A second pass counts incomplete rows if several columns have missing values.
    """
    frame, schema = query.frame, query.frame.collect_schema()
    used = query.used(roles)
    outcome = query.names.get(str(roles.truth), "")
    counts = weighs_something() if query.weighted else None
    absent = {
        f"m{i}": flag_missing(frame, short, counts) for i, short in enumerate(used.values())
    }
    marks = flag_events(frame, outcome) if outcome else {}
    marked = frame.with_columns(**absent, **marks)
    numeric = [short for short in used.values() if is_numeric_column(frame, short)]
    sums = [*absent, *marks]
    if query.weighted:
        marked = mark_weights(mark_incomplete(marked, absent))
        numeric, sums = [*numeric, "mass"], [*sums, ANY, "negative", "infinite"]
    for short in numeric:
        marked = marked.with_columns(
            nw.col(short).alias(f"low {short}"), nw.col(short).alias(f"high {short}")
        )
    found = collect(
        marked.select(
            nw.len().alias(ROWS),
            *(nw.col(name).sum() for name in sums),
            *(nw.col(f"low {short}").min() for short in numeric),
            *(nw.col(f"high {short}").max() for short in numeric),
        )
    )
    count = {name: int(take_first(found, name)) for name in (ROWS, *sums)}
    holding = {name: flag for name, flag in absent.items() if count[name]}
    incomplete = count.get(ANY, max(count[name] for name in absent))
    if len(holding) > 1 and not query.weighted:
        marked = mark_incomplete(frame.with_columns(**holding), holding)
        incomplete = int(take_first(collect(marked.select(nw.col(ANY).sum())), ANY))
    ends = {
        short: (take_first(found, f"low {short}"), take_first(found, f"high {short}"))
        for short in numeric
    }
    return QueryChecks(
        count[ROWS],
        incomplete,
        {name: count[mark] for name, mark in zip(used, absent, strict=True)},
        count.get("negative", 0),
        count.get("infinite", 0),
        ends.get("mass", (0.0, 0.0)),
        {
            name: ColumnRange(*ends[short], is_integer=schema[short].is_integer())
            for name, short in used.items()
            if short in ends
        },
        {} if incomplete else count_binary_labels(count),
        found.implementation,
        outcome,
    )


def mark_incomplete(frame: LazyFrame, names: Iterable[str]) -> LazyFrame:
    """Add an indicator of rows with a missing value, from those of some columns."""
    # Dask adds columns in place, but shuffles all rows to sum them horizontally.
    n_absent = reduce(add, map(nw.col, names))
    return frame.with_columns(as_integer_flag(n_absent > 0).alias(ANY))


def is_numeric_column(frame: LazyFrame, short: str) -> bool:
    """Whether a column is numeric and not boolean."""
    return frame.collect_schema()[short].is_numeric()


def flag_events(frame: LazyFrame, short: str) -> dict[str, nw.Expr]:
    """Return indicators of outcomes 0 and 1; none for text."""
    outcome = nw.col(short)
    is_boolean = frame.collect_schema()[short] == nw.Boolean
    if not is_boolean and not is_numeric_column(frame, short):
        return {}
    zero, one = (~outcome, outcome) if is_boolean else (outcome == 0, outcome == 1)
    if frame.implementation.is_dask():  # which casts no null to an integer
        present = ~outcome.is_null()
        zero, one = zero & present, one & present
    return {"zeros": as_integer_flag(zero), "ones": as_integer_flag(one)}


def count_binary_labels(count: Mapping[str, int]) -> dict[int, int]:
    """Return the numbers of zeros and ones; empty if other values occur."""
    labels = {0: count.get("zeros", 0), 1: count.get("ones", 0)}
    if sum(labels.values()) < count[ROWS]:
        return {}
    return {value: rows for value, rows in labels.items() if rows}


def weighs_something() -> nw.Expr:
    """Whether a row has no weight of 0, with which it does not count, whatever it lacks."""
    weight = nw.col("w")
    return weight.is_null() | (weight != 0)


def flag_missing(frame: LazyFrame, short: str, counts: nw.Expr | None = None) -> nw.Expr:
    """Return an indicator of nulls and nans, of all rows or of those that count."""
    column = nw.col(short)
    absent = column.is_null()
    if may_hold_nan(frame, short):
        is_nan = column.is_nan()
        if frame.implementation.is_duckdb():
            # Statistics of Parquet files leave nan out, and DuckDB believes them of isnan.
            is_nan = ~(column.is_finite() | (column.abs() == float("inf")))
        absent = absent | is_nan
    if counts is not None:
        absent = absent & counts
    return as_integer_flag(absent)


def may_hold_nan(frame: LazyFrame, short: str) -> bool:
    """Whether a column may hold nan; some databases have null only."""
    if not frame.collect_schema()[short].is_float():
        return False
    if not frame.implementation.is_ibis():
        return True
    is_nan = sys.modules["ibis"].expr.operations.IsNan
    return bool(frame.to_native().get_backend().has_operation(is_nan))


def mark_weights(frame: LazyFrame) -> LazyFrame:
    """Add the positive weights of complete rows, and indicators of invalid ones."""
    complete = nw.when(nw.col(ANY) == 0).then(nw.col("w"))
    weight = nw.col("weight")
    return frame.with_columns(weight=complete).with_columns(
        mass=nw.when(weight > 0).then(weight),
        negative=as_integer_flag(weight < 0),
        infinite=as_integer_flag(weight > LARGEST),
    )


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
        frame = frame.with_columns((nw.col("w2") * nw.col("w2")).alias("w4"))
        powers = {"w": WEIGHT, "w2": SQUARES, "w4": FOURTHS}
        sums += [nw.col(short).sum().alias(name) for short, name in powers.items()]
    if roles.events is not None:
        sums.append(nw.col("e").sum().alias(EVENTS))
    keys = list(query.names.values())
    grouped = collect(frame.group_by(*keys).agg(*sums))
    grouped = grouped.sort(*keys, nulls_last=True)
    rows, weight, squares, fourths, events = (
        grouped.get_column(name).to_numpy().astype(np.float64)
        if name in grouped.columns
        else None
        for name in (ROWS, WEIGHT, SQUARES, FOURTHS, EVENTS)
    )
    original = {short: name for name, short in query.names.items()}
    named = grouped.select(keys).rename(original)
    counts = np.zeros(0) if rows is None else rows
    return DistinctRows(named, counts, weight, squares, fourths, events)


def fetch_complete_rows(
    query: Query, roles: Roles, checks: QueryChecks
) -> tuple[Frame, FloatArray | None]:
    """Fetch all rows without missing values, and their weights."""
    rows = collect(drop_incomplete_rows(query, roles, checks))
    original = {short: name for name, short in query.names.items()}
    weight = rows.get_column("w").to_numpy() if query.weighted else None
    return rows.select(list(original)).rename(original), weight


def refuse_rounded(query: Query, roles: Roles, checks: QueryChecks) -> None:
    """Raise if float64 holds different numbers of a column for equal."""
    schema = query.frame.collect_schema()
    for name, exact in query.rounded.items():
        scale = getattr(schema[exact], "scale", 0)
        low, high, *_ = checks.ranges[name]
        if max(abs(low), abs(high)) * 10.0**scale > 10.0**FLOAT_DIGITS:
            rows, short = drop_incomplete_rows(query, roles, checks), query.names[name]
            ends = rows.select(short, low=nw.col(exact), high=nw.col(exact))
            ends = ends.group_by(short).agg(nw.col("low").min(), nw.col("high").max())
            if len(collect(ends.filter(nw.col("low") < nw.col("high")).head(1))):
                raise_rounded(name)


def number_all_groups(
    rows: Frame,
    query: Query,
    roles: Roles,
    checks: QueryChecks,
    *,
    are_sorted: bool = True,
) -> tuple[Frame | None, IntArray]:
    """Return all group keys, sorted, and the group number of fetched rows.

    Groups whose rows were all left out have a number too. ``rows`` has the original names
    of the group keys; ``are_sorted`` says whether it is sorted by them.
    """
    by = list(roles.by)
    mass = roles.weights or roles.counts
    leaves_out = checks.incomplete or (mass is not None and checks.ranges[mass].low <= 0)
    if not by or (are_sorted and not leaves_out):
        return number_groups(rows, by)
    short = {query.names[name]: name for name in by}
    every = collect(query.frame.group_by(*short).agg(nw.len().alias(ROWS)))
    every = every[:, list(short)].sort(*short, nulls_last=True).rename(short)
    keys, number = number_groups(nw.concat([every, rows[:, by]]), by)
    return keys, number[len(every) :]
