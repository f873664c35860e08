"""Queries with which an engine bins rows and counts the pairs within bins."""

from collections.abc import Mapping, Sequence
from math import inf, isfinite

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._engines.plan import ColumnRange
from capcurve._engines.query import (
    ROWS,
    EngineResult,
    as_integer_flag,
    fetch_groups,
    find_extremes,
    is_weighted,
    sum_by_keys,
)
from capcurve._engines.query_rows import LARGEST
from capcurve._input.dtypes import LazyFrame

HUGE_SCORE = 2.0**900  # rounding to significant bits overflows for larger scores
BITS = 11  # significant bits of a rounded score, and of one within bins of pairs
FINE_BITS = 13  # of a score where bins have bounds only
HEAVY_BITS = 30  # of a score in the few bins that make bounds wide
GRID = 16.0  # steps of the linear grid, for each that the bits allow
BIN_KEYS = ("near", "far")
# From a size of numbers on, how many fewer steps per unit the short decimals are one of.
MOST_STEPS = 1e6
FEWER_STEPS = {1e-3: 9e5, 1e-2: 9e4, 1.0: 9_900.0, 10.0: 90.0, 100.0: 9.0, 10_001.0: 1.0}
MODERATE_SCORE = 2.0**30  # for smaller scores the sum of both keys is precise enough


def bin_rows(
    frame: LazyFrame, column: str, by: Sequence[str], scale: ColumnRange
) -> EngineResult:
    """Bin rows by a column within each group, in one scan."""
    placed = add_bin_keys(frame, column, scale, FINE_BITS)
    placed = placed.with_columns(cut=cut_at_decimals(nw.col("v")))
    return sum_bins(placed, column, (*by, *BIN_KEYS, "cut"), by)


def bin_heavy_ranges(
    frame: LazyFrame, column: str, ranges: Sequence[tuple[float, float]]
) -> EngineResult:
    """Bin the rows of a few ranges so finely that scores of many rows are alone."""
    rows, value = keep_ranges(frame, column, ranges), nw.col(column)
    near = round_to_bits(value.clip(-HUGE_SCORE, HUGE_SCORE), HEAVY_BITS)
    placed = rows.with_columns(low=value, near=near)
    return sum_bins(placed, column, ("near",), ())


def sum_bins(
    placed: LazyFrame, column: str, keys: Sequence[str], by: Sequence[str]
) -> EngineResult:
    """Sum the rows of each bin, and find its lowest and its highest score."""
    placed = placed.with_columns(nw.col(column).alias("high"))
    ends = nw.col("low").min(), nw.col("high").max()
    return fetch_groups(sum_by_keys(placed, keys, *ends), by)


def cut_at_decimals(value: nw.Expr) -> nw.Expr:
    """Give short decimals whole numbers, and the intervals between them halves.

    The decimals are those of `make_decimals` but for a few: a quotient of whole numbers is
    rounded as a decimal is. Numbers ascend among scores that share the other keys.
    """
    size, is_large = value.abs(), as_number(value.abs() >= max(FEWER_STEPS))
    steps = as_number(size >= 0) * MOST_STEPS
    for least, fewer in FEWER_STEPS.items():
        steps = steps - as_number(size >= least) * fewer
    nearest = (value * steps + 0.5).floor()
    decimal = nearest / (steps + is_large)
    return nearest + (as_number(value > decimal) - as_number(value < decimal)) * 0.5


def as_number(condition: nw.Expr) -> nw.Expr:
    """Cast a condition to 0.0 or 1.0; literals would become decimals in some engines."""
    return as_integer_flag(condition).cast(nw.Float64)


def count_events(frame: LazyFrame, truth: str) -> int:
    """Return the number of rows if all outcomes are 0 or 1, and 0 otherwise.

    Many file formats store these numbers, so that no row is read.
    """
    outcome = nw.col(truth)
    aggregates = [nw.len().alias(ROWS), outcome.count().alias("outcomes")]
    if frame.collect_schema()[truth] != nw.Boolean:
        aggregates += [outcome.min().alias("lowest"), outcome.max().alias("highest")]
    numbers = fetch_groups(frame.select(*aggregates), ()).numbers
    found = {name: column[0] for name, column in numbers.items()}
    n_rows = int(found[ROWS])
    are_events = (found.get("lowest", 0), found.get("highest", 1)) == (0, 1)
    return n_rows if are_events and found["outcomes"] == n_rows else 0


def bin_events_in_one_scan(
    frame: LazyFrame, truth: str, estimate: str, by: Mapping[str, str]
) -> EngineResult | None:
    """Bin 0/1 events by their rounded score in a single scan.

    Returns None if a score is missing or infinite: its key is then not finite, so no
    further scan is needed to find out.
    """
    event, score = nw.col(truth), nw.col(estimate).cast(nw.Float64)
    event = as_integer_flag(event) if frame.collect_schema()[truth] == nw.Boolean else event
    keys = {short: nw.col(name) for name, short in by.items()}
    columns = {"wy": event.cast(nw.Float64), "v": score, "low": score, "high": score}
    placed = frame.select(**keys, **columns).with_columns(near=round_to_bits(nw.col("v")))
    found = fetch_groups(
        placed.group_by(*keys, "near").agg(
            nw.len().alias(ROWS),
            nw.col("wy").sum(),
            nw.col("low").min(),
            nw.col("high").max(),
        ),
        list(keys),
    )
    return found if np.isfinite(found.numbers["near"]).all() else None


def tally_in_engine(frame: LazyFrame, column: str, by: Sequence[str]) -> EngineResult:
    """Tally rows by the distinct values of a column within each group."""
    tally = sum_by_keys(frame.with_columns(low=nw.col(column)), (*by, "low"))
    return fetch_groups(tally.with_columns(nw.col("low").alias("high")), by)


def count_pairs_in_bins(
    frame: LazyFrame, column: str, by: Sequence[str], scale: ColumnRange
) -> EngineResult:
    """Bin rows as `bin_rows` does, and count the pairs within each bin too.

    Rows are first tallied by distinct score, which determines the bin. Running sums are
    partitioned by bin, so that no engine gathers all rows in one place.
    """
    masses = ("w", "wy")
    tally = sum_by_keys(frame.with_columns(low=nw.col(column)), (*by, "low"))
    weighted = is_weighted(frame)
    if not weighted:
        # Narrow rows sort faster, and the weight of unweighted events is their number.
        tally = tally.with_columns(w=nw.col(ROWS).cast(nw.Float64)).drop(ROWS)
    placed, keys = add_bin_keys(tally, "low", scale), (*by, *BIN_KEYS)
    if max(abs(scale.low), abs(scale.high)) < MODERATE_SCORE:
        # Engines sort faster by one key, and the sum separates what either key does.
        placed = placed.with_columns(bin=nw.col("near") + nw.col("far")).drop(*BIN_KEYS)
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
    return fetch_groups(grouped, by)


def add_bin_keys(
    frame: LazyFrame, column: str, scale: ColumnRange, bits: int = BITS
) -> LazyFrame:
    """Add the keys of the bin of each row.

    Three maps preserve the order of scores: rounding the distance from 0 to some
    significant bits, rounding the distance from the largest score likewise, and a linear
    grid. Together they preserve it too, are everywhere as fine as the finest of the three,
    and give no more bins than the three have in total. The last two are added, because
    engines sort and hash faster by two keys than by three.
    """
    value = nw.col(column)
    low, high = scale.low, scale.high
    if not isfinite(low) or not isfinite(high):
        low, high, *_ = find_finite_range(frame, column)
        value = value.clip(low, high)
    if max(abs(low), abs(high)) > HUGE_SCORE:
        value = value * (1 / HUGE_SCORE)
        low, high = low / HUGE_SCORE, high / HUGE_SCORE
    step = (high - low) / (GRID * 2**bits)
    frame = frame.with_columns(value.alias("v"))
    near, far = nw.col("v"), high - nw.col("v")
    steps = 1 / step if step else inf  # inf too where the range is subnormal
    grid = ((near - low) * steps).floor() * step if isfinite(steps) else near * 0.0
    return frame.with_columns(
        near=round_to_bits(near, bits),
        far=grid - round_to_bits(far, bits),
        low=nw.col(column),
    )


def keep_ranges(
    frame: LazyFrame, column: str, ranges: Sequence[tuple[float, float]]
) -> LazyFrame:
    """Keep the rows whose value of a column lies in one of the ranges."""
    value = nw.col(column)
    inside = (((value >= low) & (value <= high)) for low, high in ranges)
    return frame.filter(nw.any_horizontal(*inside, ignore_nulls=True))


def round_to_bits(value: nw.Expr, bits: int = BITS) -> nw.Expr:
    """Round to significant bits, by multiplication and subtraction only.

    This is the splitting of Dekker (1971), doi:10.1007/BF01397083.
    """
    wide = value * float(2 ** (53 - bits) + 1)
    return wide - (wide - value)


def add_totals(frame: LazyFrame, scale: ColumnRange) -> ColumnRange:
    """Return the range with the totals of weight and weighted outcome."""
    found = fetch_groups(sum_by_keys(frame.with_columns(all=nw.lit(0)), ("all",)), ())
    names = ("w" if is_weighted(frame) else ROWS, "wy")
    weight, target = (float(found.numbers[name][0]) for name in names)
    return scale._replace(weight=weight, target=target)


def find_finite_range(frame: LazyFrame, column: str) -> ColumnRange:
    """Return the smallest and the largest finite value of a column."""
    value = nw.col(column)
    return ColumnRange(
        *find_extremes(frame.filter((value >= -LARGEST) & (value <= LARGEST)), column)
    )
