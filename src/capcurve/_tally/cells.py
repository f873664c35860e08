"""Cells of numbers: fixed intervals, finer at each level, whatever rows there are.

A level is a partition of all numbers, and each cell of a level is a union of cells of the
next. A cell holds the numbers of the same sign that share their first binary digits and
lie between the same two short decimals; a short decimal is a cell by itself. Numbers
between 0.5 and 1 count their digits from 1 downwards, so that cells near 1 are as fine as
those near 0. Numbers far from 1/4 in size share a digit less per eight binades, because
their binades are many and mostly hold few rows.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from capcurve._tally.dtypes import Array, FloatArray, IntArray, Keys
from capcurve._tally.threads import ROWS_PER_CHUNK, map_chunks

Grid = Literal["numbers", "integers", "prefixes"]

KEY_BITS = 64
COARSE = 12  # level of a cell per binade; below, each level doubles the binades of a cell
STEPS = 8  # levels after which all numbers share one more binary digit
MAX_LAG = 184  # levels that the smallest and the largest numbers lag behind
LAG_NEAR_ONE = 3  # levels that each binade of 1 - x lags behind the one before
LAG = 88  # of numbers around 1/4; those from 2**53 to 2**64 have cells of equal width
DIGITS = 52  # binary digits of a float64 after the first
INTEGER_BINADES = 63  # of the positive int64
SAMPLED_PER_CELL = 2  # numbers in a sample for each cell, of which it misses few then
FINEST = COARSE + STEPS * INTEGER_BINADES + MAX_LAG  # every number is a cell by itself
DENSITIES = {
    COARSE + LAG + bits * STEPS: each for bits, each in ((10, 1), (7, 10), (4, 100))
}


class Regions(NamedTuple):
    """Intervals of numbers in which all cells of a level are of the same width.

    Attributes
    ----------
    starts : ndarray of float64 or int64, shape (n_regions,)
        Least number of each region, ascending.
    digits : ndarray of int64, shape (n_regions,)
        Binary digits that tell the numbers of the region apart.
    lags : ndarray of int64, shape (n_regions,)
        Levels that the region lags behind the finest.
    bits : ndarray of uint64, shape (n_regions,)
        Bits of a float64 in the region, of which the cells of low levels share the first.
    """

    starts: Array
    digits: IntArray
    lags: IntArray
    bits: Keys


def mark_cells(ordered: Array, level: int, grid: Grid) -> NDArray[np.bool_]:
    """Mark the first number of each cell.

    Parameters
    ----------
    ordered : ndarray of float64 or int64
        Ascending, without -0.0.
    level : int
        From 0 (a single cell) to `get_finest`.
    grid : {'numbers', 'integers', 'prefixes'}
        Cells of float64, those of int64, or those of the first format of sketches.
    """
    starts = np.ones(len(ordered), np.bool_)
    if level == get_finest(grid) or not len(ordered):
        np.not_equal(ordered[1:], ordered[:-1], out=starts[1:])
    elif grid == "prefixes":
        mark_changes(ordered.view(np.uint64), KEY_BITS - level, starts)
    else:
        starts = mark_region_cells(ordered, level, grid)
        mark_decimals(ordered, level, starts)
    return starts


def get_finest(grid: Grid) -> int:
    """Return the level at which every number is a cell by itself."""
    return KEY_BITS if grid == "prefixes" else FINEST


def mark_changes(bits: Keys, dropped: int, starts: Array) -> None:
    """Mark where bits differ from those before in more than the last ``dropped``."""
    high = bits >> np.uint64(dropped) if dropped < KEY_BITS else np.zeros_like(bits)
    np.not_equal(high[1:], high[:-1], out=starts[1:])


def mark_region_cells(ordered: Array, level: int, grid: Grid) -> Array:
    """Mark the first number of each cell, apart from those that decimals make."""
    regions = make_regions(grid)
    ends = np.searchsorted(regions.starts, ordered[[0, -1]], "right")
    reached = slice(ends[0] - 1, ends[1])
    edges = np.append(np.searchsorted(ordered, regions.starts[reached]), len(ordered))
    occupied = np.flatnonzero(edges[1:] > edges[:-1])
    first, last = edges[occupied], edges[occupied + 1]
    occupied += reached.start
    starts = np.zeros(len(ordered), np.bool_)
    if level < COARSE:
        starts_cell = np.ones(len(first), np.bool_)
        mark_changes(regions.bits[occupied], KEY_BITS - level, starts_cell)
        starts[first[starts_cell]] = True
        return starts
    starts[first] = True
    digits = regions.digits[occupied]
    shared = (level - COARSE - regions.lags[occupied]) // STEPS
    dropped = digits - np.clip(shared, 0, digits)
    for at in np.flatnonzero(dropped < digits).tolist():
        inside = slice(first[at], last[at])
        numbers = np.abs(ordered[inside]) if grid == "integers" else ordered[inside]
        marks = starts[inside]
        mark_changes(numbers.view(np.uint64), int(dropped[at]), marks)
    return starts


def mark_decimals(ordered: Array, level: int, starts: Array) -> None:
    """Mark the first number from each short decimal on, and the first beyond it."""
    density = next((DENSITIES[each] for each in DENSITIES if level >= each), None)
    if density is None:
        return
    decimals = make_decimals(density, ordered.dtype.kind)
    inside = np.searchsorted(decimals, ordered[[0, -1]])
    decimals = decimals[inside[0] : inside[1] + 1]
    at = np.searchsorted(ordered, decimals)
    starts[at[at < len(ordered)]] = True
    held = ordered[at - (at == len(ordered))] == decimals
    beyond = np.searchsorted(ordered, decimals[held], "right")
    starts[beyond[beyond < len(ordered)]] = True


@cache
def make_regions(grid: Grid) -> Regions:
    """Make the regions of all int64, or of all float64."""
    if grid == "integers":
        exponent = np.arange(INTEGER_BINADES)
        starts = np.append(0, np.int64(1) << exponent)
        binades = starts, np.append(0, exponent), np.append(MAX_LAG, count_lag(exponent))
        positive = binades
        below = np.append(np.iinfo(np.int64).min, 1 - starts[:0:-1])
    else:
        binades = make_binades()
        positive = count_from_one(*binades)
        below = np.append(-np.inf, np.nextafter(-binades[0][:0:-1], np.inf))
    sizes, opposite = (each[0].astype(np.float64) for each in (positive, binades))
    return Regions(
        np.append(below, positive[0]),
        np.append(binades[1][::-1], positive[1]),
        np.append(binades[2][::-1], positive[2]),
        np.append(-opposite[::-1], sizes).view(np.uint64),
    )


def make_binades() -> tuple[FloatArray, IntArray, IntArray]:
    """Make the starts of the binades of float64, their digits, and how they lag behind."""
    exponent = np.arange(-1022, 1024)
    starts = np.concatenate([[0.0], np.ldexp(1.0, exponent), [np.inf]])
    digits = np.concatenate([np.full(len(exponent) + 1, DIGITS), [0]])
    return starts, digits, np.concatenate([[MAX_LAG], count_lag(exponent), [MAX_LAG]])


def count_from_one(
    starts: FloatArray, digits: IntArray, lags: IntArray
) -> tuple[FloatArray, IntArray, IntArray]:
    """Replace the binade from 0.5 to 1 by the binades of 1 - x."""
    at = np.searchsorted(starts, 0.5)
    exponent = np.arange(-2, -DIGITS - 3, -1)  # of 1 - x
    near_one = (
        1 - np.ldexp(1.0, exponent + 1),
        np.maximum(DIGITS + 1 + exponent, 0),
        np.minimum(LAG + LAG_NEAR_ONE * (-2 - exponent), MAX_LAG),
    )
    found = (
        np.concatenate([column[:at], inserted, column[at + 1 :]])
        for column, inserted in zip((starts, digits, lags), near_one, strict=True)
    )
    all_starts, all_digits, all_lags = found
    return all_starts, all_digits, all_lags


def count_lag(exponent: IntArray) -> IntArray:
    """Return how many levels the binade of 2**exponent lags behind the finest."""
    lag = np.minimum(LAG + np.abs(exponent + 2), MAX_LAG)
    is_wide = (exponent > DIGITS) & (exponent <= INTEGER_BINADES)
    found: IntArray = np.where(is_wide, STEPS * (INTEGER_BINADES - exponent), lag)
    return found


@cache
def make_decimals(density: int, kind: str) -> Array:
    """Make the short decimals, one in ``density``, ascending.

    They have three significant digits, or four decimal places if they are positive, and at
    most six; so have their distances from 1, between 0.99 and 1. Whole numbers up to 10,000
    are among them. Quotients of whole numbers are rounded as the decimals are.
    """
    parts = [
        np.arange(0, 1_000, density) / 1e6,
        np.arange(100, 1_000, density) / 1e5,
        np.arange(100, 1_000, density) / 1e4,
        np.arange(100, 1_000, density) / 1e2,
        np.arange(100, 1_000, density) / 1e1,
        np.arange(100, 10_001, density) / 1e0,
        (1_000_000 - np.arange(density, 1_000, density)) / 1e6,
        (100_000 - np.arange(100, 1_000, density)) / 1e5,
    ]
    positive = np.arange(1_000, 10_000, density) / 1e4
    negative = -np.concatenate([*parts, np.arange(100, 1_000, density) / 1e3])
    decimals: Array = np.unique(np.concatenate([*parts, positive, negative + 0.0]))
    if kind == "i":
        decimals = decimals[decimals == np.floor(decimals)].astype(np.int64)
    return decimals


def find_finest_cells(
    ordered: Array, level: int, grid: Grid, max_cells: int
) -> tuple[int, IntArray]:
    """Find the highest level, up to ``level``, of at most ``max_cells`` occupied cells.

    Returns the level and the position of the first number of each cell. A level never has
    more cells than the next, and a sample of numbers has no more than all. The first
    numbers of cells stand for all numbers at every lower level.
    """
    every = len(ordered) // (SAMPLED_PER_CELL * max_cells)
    if level == get_finest(grid) and every > 1:
        sample = ordered[::every].copy()
        level, _ = find_finest_cells(sample, level, grid, max_cells)
    first = find_cells(ordered, level, grid)
    if len(first) <= max_cells:
        return level, first
    # Few levels further down all fits, unless nothing is known of the level yet.
    step = level // 2 if level == get_finest(grid) else 1
    numbers, fits, found = ordered[first], 0, first[:1]
    while level - fits > 1:
        middle = max(level - step, (fits + level) // 2)
        inside = first[find_cells(numbers, middle, grid)]
        if len(inside) <= max_cells:
            fits, found = middle, inside
            continue
        first, numbers = inside, ordered[inside]
        level, step = middle, 2 * step
    return fits, found


def find_cells(ordered: Array, level: int, grid: Grid) -> IntArray:
    """Find the first number of each cell, chunk by chunk of numbers."""

    def find(rows: slice) -> IntArray:
        before = max(rows.start - 1, 0)  # whose cell may reach into the chunk
        marks = mark_cells(ordered[before : rows.stop], level, grid)
        marks[:1] = not rows.start
        at: IntArray = np.flatnonzero(marks) + before
        return at

    return np.concatenate(map_chunks(find, len(ordered), ROWS_PER_CHUNK))
