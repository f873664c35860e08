"""Queries of any engine that narwhals reads, condensed inside the engine.

One query checks, one groups equal rows and counts them; only the groups travel. What
follows sees rows that stand for several, and is the same as for data in memory. The few
operations used are those that every engine does alike: columns are computed before they
are aggregated, booleans are integers before they are summed, and 0.0 is added to scores, as
some engines tell -0.0 from 0.0 when they group.
"""

import logging
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import isfinite
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from capcurve.exceptions import CapcurveError

LazyFrame = nw.LazyFrame[Any]
Frame = nw.DataFrame[Any]
Array = NDArray[Any]

LOG = logging.getLogger("capcurve")
LARGEST = 1.7976931348623157e308
LARGE = 2.0**900  # beyond, products of the rounding overflow
BITS, GRID = 11, 32_768.0  # of a bin: significant bits, and steps of the grid
BIN = ("near", "far")
MODERATE = 2.0**30  # below, a sum of both keeps what a score between 0 and 1 needs
ROWS, WEIGHT, SQUARES = "rows", "weight", "squares"


class Query(NamedTuple):
    """A lazy frame with the columns it takes, under names that no engine stumbles over."""

    frame: LazyFrame
    names: dict[str, str]
    weight: str | None


class Scale(NamedTuple):
    """The range of a column, and the totals of all rows where they are needed."""

    low: float
    high: float
    weight: float = 0.0
    target: float = 0.0


class Checks(NamedTuple):
    """What one pass over all rows finds.

    ``labels`` counts the zeros and ones of an outcome that holds nothing else in complete
    rows; of others it is empty, as it takes another pass to tell what they are.
    """

    n_rows: int
    incomplete: int
    missing: dict[str, int]
    negative: int
    infinite: int
    ranges: dict[str, Scale]
    labels: dict[int, int]
    backend: Any


class Groups(NamedTuple):
    """Rows as an engine grouped them: the keys of groups, if there are any, and numbers."""

    keys: Frame | None
    numbers: dict[str, Array]
    backend: Any


class Condensed(NamedTuple):
    """Distinct rows in memory, and how many rows each stands for."""

    frame: Frame
    rows: NDArray[np.float64]
    weight: NDArray[np.float64] | None
    squares: NDArray[np.float64] | None


def query_of(
    frame: LazyFrame, keys: Sequence[str], values: Sequence[str], weight: str | None
) -> Query:
    """Pick the columns, make numbers of one kind, and rename what could clash.

    The first of ``values`` is the outcome, which may be a label.
    """
    schema = frame.collect_schema()
    names = {name: f"c{i}" for i, name in enumerate(dict.fromkeys([*keys, *values]))}
    columns = []
    for name, short in names.items():
        column = nw.col(name)
        if name in values[1:] and schema[name] == nw.Boolean:
            column = flag(column)
        if name in values and needs_float(schema[name]):
            column = column.cast(nw.Float64)
        if name in values and schema[name].is_float():
            column = column + 0.0
        columns.append(column.alias(short))
    if weight is not None:
        columns.append(nw.col(weight).cast(nw.Float64).alias("w"))
    return Query(frame.select(*columns), names, weight)


def needs_float(dtype: Any) -> bool:
    """Whether an engine's number is none that NumPy has."""
    return bool(dtype.is_decimal() or dtype in {nw.Int128, nw.UInt128})


def check(query: Query, values: Sequence[str]) -> Checks:
    """Count all that is missing, negative or infinite, and find ranges, in one row."""
    frame, outcome = query.frame, query.names[values[0]]
    used = {name: query.names[name] for name in values}
    if query.weight is not None:
        used[query.weight] = "w"
    absent = {f"m{i}": missing(frame, short) for i, short in enumerate(used.values())}
    marks = {"any": flag(nw.sum_horizontal(*absent) > 0), **weight_flags(query)}
    marks |= event_flags(frame, outcome)
    marked = frame.with_columns(**absent).with_columns(**marks)
    numeric = [short for short in used.values() if is_number(frame, short)]
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
    count = {name: int(first_of(found, name)) for name in (ROWS, *sums)}
    ends = {
        short: [first_of(found, f"{end} {short}") for end in ("low", "high")]
        for short in numeric
    }
    return Checks(
        count[ROWS],
        count["any"],
        {name: count[mark] for name, mark in zip(used, absent, strict=True)},
        count.get("negative", 0),
        count.get("infinite", 0),
        {name: Scale(*ends[short]) for name, short in used.items() if short in ends},
        labels_among(count),
        found.implementation,
    )


def first_of(found: Frame, name: str) -> float:
    """Take the one number of a column, a sum or an end of no rows as 0."""
    column = found.get_column(name)
    return 0.0 if column.is_null()[0] else float(column[0])


def is_number(frame: LazyFrame, short: str) -> bool:
    """Whether a column holds numbers, booleans aside."""
    return frame.collect_schema()[short].is_numeric()


def event_flags(frame: LazyFrame, short: str) -> dict[str, nw.Expr]:
    """Mark outcomes that are 0 and those that are 1; of text there are none."""
    outcome, there = nw.col(short), ~nw.col(short).is_null()
    if frame.collect_schema()[short] == nw.Boolean:
        return {"zeros": flag(~outcome & there), "ones": flag(outcome & there)}
    if not is_number(frame, short):
        return {}
    return {name: flag((outcome == i) & there) for i, name in enumerate(("zeros", "ones"))}


def labels_among(count: Mapping[str, int]) -> dict[int, int]:
    """Count zeros and ones if all rows are complete and hold nothing else."""
    labels = {value: count.get(name, 0) for value, name in enumerate(("zeros", "ones"))}
    if count["any"] or sum(labels.values()) < count[ROWS]:
        return {}
    return {value: rows for value, rows in labels.items() if rows}


def missing(frame: LazyFrame, short: str) -> nw.Expr:
    """Mark nulls and nans with 1."""
    absent = nw.col(short).is_null()
    if holds_nan(frame, short):
        absent = absent | nw.col(short).is_nan()
    return flag(absent)


def holds_nan(frame: LazyFrame, short: str) -> bool:
    """Whether a column may hold nan; databases that do not know it have null instead."""
    if not frame.collect_schema()[short].is_float():
        return False
    if not frame.implementation.is_ibis():
        return True
    is_nan = sys.modules["ibis"].expr.operations.IsNan
    return bool(frame.to_native().get_backend().has_operation(is_nan))


def weight_flags(query: Query) -> dict[str, nw.Expr]:
    """Mark weights that are none; nan, which some engines put above all, is missing."""
    if query.weight is None:
        return {}
    weight = nw.col("w")
    infinite = weight > LARGEST
    if holds_nan(query.frame, "w"):
        infinite = infinite & ~weight.is_nan()
    return {
        "negative": flag(weight < 0),
        "infinite": flag(infinite),
    }


def flag(condition: nw.Expr) -> nw.Expr:
    """Turn a condition into 0 or 1, in steps that every database takes."""
    return condition.cast(nw.Int32).cast(nw.Int64)


def one(complete: str) -> nw.Expr:
    """Weigh each row 1, by a column without nulls: a literal may become a decimal."""
    return flag(~nw.col(complete).is_null()).cast(nw.Float64)


def complete(query: Query, values: Sequence[str], checks: Checks) -> LazyFrame:
    """Leave out rows with a missing value, and those of weight 0."""
    frame = query.frame
    used = {name: query.names[name] for name in values}
    used |= {} if query.weight is None else {query.weight: "w"}
    for short in (short for name, short in used.items() if checks.missing[name]):
        frame = frame.with_columns(missing(query.frame, short).alias("m"))
        frame = frame.filter(nw.col("m") == 0).drop("m")
    return frame if query.weight is None else frame.filter(nw.col("w") > 0)


def condense(query: Query, values: Sequence[str], checks: Checks) -> Condensed:
    """Group equal rows without missing values, and count them."""
    frame, sums = complete(query, values, checks), [nw.len().alias(ROWS)]
    if query.weight is not None:
        frame = frame.with_columns((nw.col("w") * nw.col("w")).alias("w2"))
        sums += [nw.col("w").sum().alias(WEIGHT), nw.col("w2").sum().alias(SQUARES)]
    keys = list(query.names.values())
    grouped = collect(frame.group_by(*keys).agg(*sums))
    grouped = grouped.sort(*keys, nulls_last=True)
    totals = [
        grouped.get_column(name).to_numpy().astype(np.float64)
        if name in grouped.columns
        else None
        for name in (ROWS, WEIGHT, SQUARES)
    ]
    original = {short: name for name, short in query.names.items()}
    return Condensed(grouped.select(keys).rename(original), *totals)  # type: ignore[arg-type]


def binned(frame: LazyFrame, column: str, by: Sequence[str], scale: Scale) -> Groups:
    """Group rows whose values of a column are close, in one scan, within each group."""
    placed = in_bins(frame, column, scale).with_columns(nw.col(column).alias("high"))
    ends = nw.col("low").min(), nw.col("high").max()
    return fetch(summed(placed, (*by, *BIN), *ends), by)


def count_events(frame: LazyFrame, truth: str) -> int:
    """Count the rows if all outcomes are 0 or 1, which many files know without being read.

    Of others it is 0.
    """
    outcome = nw.col(truth)
    asked = [nw.len().alias(ROWS), outcome.count().alias("outcomes")]
    if frame.collect_schema()[truth] != nw.Boolean:
        asked += [outcome.min().alias("least"), outcome.max().alias("most")]
    numbers = fetch(frame.select(*asked), ()).numbers
    found = {name: column[0] for name, column in numbers.items()}
    n_rows = int(found[ROWS])
    are_events = (found.get("least", 0), found.get("most", 1)) == (0, 1)
    return n_rows if are_events and found["outcomes"] == n_rows else 0


def plainly_binned(
    frame: LazyFrame, truth: str, estimate: str, by: Mapping[str, str]
) -> Groups | None:
    """Group 0/1 events by their rounded score alone; None if one is missing or infinite.

    Such a score has a key that is no number, so no scan is needed to look for it.
    """
    event, score = nw.col(truth), nw.col(estimate).cast(nw.Float64)
    event = flag(event) if frame.collect_schema()[truth] == nw.Boolean else event
    keys = {short: nw.col(name) for name, short in by.items()}
    wanted = {"wy": event.cast(nw.Float64), "v": score, "low": score, "high": score}
    placed = frame.select(**keys, **wanted).with_columns(near=rounded(nw.col("v")))
    found = fetch(
        placed.group_by(*keys, "near").agg(
            nw.len().alias(ROWS),
            nw.col("wy").sum(),
            nw.col("low").min(),
            nw.col("high").max(),
        ),
        list(keys),
    )
    return found if np.isfinite(found.numbers["near"]).all() else None


def tallied(frame: LazyFrame, column: str, by: Sequence[str]) -> Groups:
    """Group rows by the values of a column themselves, within each group."""
    tally = summed(frame.with_columns(low=nw.col(column)), (*by, "low"))
    return fetch(tally.with_columns(nw.col("low").alias("high")), by)


def counted(frame: LazyFrame, column: str, by: Sequence[str], scale: Scale) -> Groups:
    """Group rows as `binned` does, and count the pairs inside of each bin too.

    Distinct scores are put into bins, not rows: a bin follows from its score. Running sums
    are partitioned by bin, so that no engine gathers rows in one place.
    """
    masses = ("w", "wy")
    tally = summed(frame.with_columns(low=nw.col(column)), (*by, "low"))
    weighted = is_weighted(frame)
    if not weighted:
        # What is sorted should be narrow, and the number of rows is their weight.
        tally = tally.with_columns(w=nw.col(ROWS).cast(nw.Float64)).drop(ROWS)
    placed, keys = in_bins(tally, "low", scale), (*by, *BIN)
    if max(abs(scale.low), abs(scale.high)) < MODERATE:
        # Engines sort by one key faster, and the sum tells apart what either does.
        placed = placed.with_columns(bin=nw.col("near") + nw.col("far")).drop(*BIN)
        keys = (*by, "bin")
    running = placed.with_columns(
        nw.col(name).cum_sum().over(*keys, order_by="low").alias(f"up to {name}")
        for name in masses
    )
    twice = {name: nw.col(f"up to {name}") * 2.0 - nw.col(name) for name in masses}
    rest, twice_rest = nw.col("w") - nw.col("wy"), twice["w"] - twice["wy"]
    gap = nw.col("up to wy") * scale.weight - nw.col("up to w") * scale.target
    counts = running.with_columns(
        nw.col("low").alias("high"),
        pairs=nw.col("wy") * twice["w"],
        row_squares=nw.col("wy") * twice_rest * twice_rest,
        column_squares=rest * twice["wy"] * twice["wy"],
        tied=nw.col("wy") * rest,
        deepest=gap,
        highest=gap,
    )
    more = (nw.col(ROWS).sum(), nw.col("y").max()) if weighted else ()
    grouped = counts.group_by(*keys).agg(
        nw.col(*masses, "pairs", "row_squares", "column_squares", "tied").sum(),
        nw.col("low", "deepest").min(),
        nw.col("high", "highest").max(),
        *more,
    )
    return fetch(grouped, by)


def summed(frame: LazyFrame, keys: Sequence[str], *more: nw.Expr) -> LazyFrame:
    """Sum weighted outcome, weight and rows, with the largest outcome of each group.

    Of events without weights, the number of rows and of events says it all.
    """
    if is_weighted(frame):
        weighted = frame.with_columns(wy=nw.col("w") * nw.col("y"))
        sums = nw.col("w", "wy").sum(), nw.col("y").max()
        return weighted.group_by(*keys).agg(nw.len().alias(ROWS), *sums, *more)
    events = frame.with_columns(wy=nw.col("y"))
    return events.group_by(*keys).agg(nw.len().alias(ROWS), nw.col("wy").sum(), *more)


def is_weighted(frame: LazyFrame) -> bool:
    """Whether rows have weights, or amounts, which are summed as if they had."""
    return "w" in frame.collect_schema().names()


def fetch(frame: LazyFrame, by: Sequence[str]) -> Groups:
    """Run a query that groups rows."""
    if not by and frame.implementation.is_duckdb():
        with failures_named():  # numbers alone take no other library
            numbers = frame.to_native().fetchnumpy()
        numbers = {name: without_mask(column) for name, column in numbers.items()}
        return Groups(None, numbers, nw.Implementation.PYARROW)
    found = collect(frame)
    if by:
        found = found.sort(*by, nulls_last=True)
    numbers = {
        name: found.get_column(name).to_numpy() for name in found.columns if name not in by
    }
    return Groups(found.select(by) if by else None, numbers, found.implementation)


def without_mask(column: Array) -> Array:
    """Turn nulls into nans."""
    if not np.ma.is_masked(column):
        return np.ma.getdata(column)
    return np.ma.filled(column.astype(np.float64), np.nan)


def runs_within_groups(frame: LazyFrame) -> bool:
    """Whether an engine has running sums within groups of rows."""
    engine = frame.implementation
    return not (engine.is_dask() or engine.is_pyarrow() or engine.is_pandas_like())


def in_bins(frame: LazyFrame, column: str, scale: Scale) -> LazyFrame:
    """Give each row the keys of its bin.

    Rounding to some significant bits, from below and from above, and a linear grid each
    keep the order, so their combination does too: as fine as the finest of the three
    everywhere, with no more groups than the three have together. The last two are added
    up, as engines sort and hash by two keys faster than by three.
    """
    value, low, high = nw.col(column), scale.low, scale.high
    if not isfinite(low) or not isfinite(high):
        low, high, *_ = finite_scale(frame, column)
        value = value.clip(low, high)
    if max(abs(low), abs(high)) > LARGE:
        value, low, high = value * (1 / LARGE), low / LARGE, high / LARGE
    step = (high - low) / GRID
    frame = frame.with_columns(value.alias("v"))
    near, far = nw.col("v"), high - nw.col("v")
    grid = ((near - low) * (1 / step)).floor() * step if step else near * 0.0
    return frame.with_columns(
        near=rounded(near), far=grid - rounded(far), low=nw.col(column)
    )


def between(
    frame: LazyFrame, column: str, ranges: Sequence[tuple[float, float]]
) -> LazyFrame:
    """Leave out rows whose value of a column lies in none of some ranges."""
    value = nw.col(column)
    inside = (((value >= low) & (value <= high)) for low, high in ranges)
    return frame.filter(nw.any_horizontal(*inside, ignore_nulls=True))


def rounded(value: nw.Expr) -> nw.Expr:
    """Round to some significant bits by multiplication and subtraction alone.

    Dekker (1971), doi:10.1007/BF01397083.
    """
    wide = value * float(2 ** (53 - BITS) + 1)
    return wide - (wide - value)


def with_totals(frame: LazyFrame, scale: Scale) -> Scale:
    """Sum up weight and weighted outcome."""
    found = fetch(summed(frame.with_columns(all=nw.lit(0)), ("all",)), ())
    names = ("w" if is_weighted(frame) else ROWS, "wy")
    totals = (float(found.numbers[name][0]) for name in names)
    return Scale(scale.low, scale.high, *totals)


def finite_scale(frame: LazyFrame, column: str) -> Scale:
    """Find the smallest and the largest finite value."""
    value = nw.col(column)
    return Scale(*extremes(frame.filter((value >= -LARGEST) & (value <= LARGEST)), column))


def extremes(frame: LazyFrame, column: str) -> tuple[float, float]:
    """Find the smallest and the largest value; of no rows, zeros."""
    value = nw.col(column).cast(nw.Float64)
    found = collect(frame.select(value.min().alias("low"), value.max().alias("high")))
    low, high = (found.get_column(name)[0] for name in ("low", "high"))
    return (0.0, 0.0) if low is None or low != low else (float(low), float(high))  # noqa: PLR0124 -- nan


def log_plan(plan: str, n_rows: int, what: str) -> None:
    """Tell those who listen how an engine was asked, and how much travelled."""
    LOG.info("plan %s: %s %s travelled", plan, f"{n_rows:,}", what)


def collect(frame: LazyFrame) -> Frame:
    """Run a query and bring its rows here."""
    with failures_named():
        return frame.collect()


@contextmanager
def failures_named() -> Iterator[None]:
    """Say that it is the engine that failed, whatever its error is called."""
    try:
        yield
    except CapcurveError:
        raise
    except Exception as error:
        reason = " ".join(str(error).split())[:300]
        raise CapcurveError(f"the engine of `data` failed: {reason}") from error
