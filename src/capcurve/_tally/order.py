"""Sort orders, runs of ties, and integer keys in the order of floats."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from capcurve._tally.dtypes import Array, IntArray, Keys
from capcurve._tally.threads import map_chunks, sort_in_place

PACKING_PAYS = 1 << 13  # rows from which packing beats argsort
NARROW, WIDE = 32, 64  # bits of packed integers


def floats_from_keys(keys: Keys) -> NDArray[np.float64]:
    """Map keys of `order_preserving_keys` back to their floats."""
    signed = (keys ^ np.uint64(1 << 63)).view(np.int64)
    return (signed ^ ((signed >> 63) & np.int64(np.iinfo(np.int64).max))).view(np.float64)


def read_keys(keys: Keys, grid: str) -> Array:
    """Map keys back to the int64 of a grid of integers, or to the floats of another."""
    if grid == "integers":
        return (keys ^ np.uint64(1 << 63)).view(np.int64)
    return floats_from_keys(keys)


def find_run_ends(ordered: Array) -> NDArray[np.int64]:
    """Find the last position of each run of equal values."""
    ends = np.ones(len(ordered), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=ends[:-1])
    return np.flatnonzero(ends).astype(np.int64, copy=False)


def sum_runs(values: Array, first: IntArray, last: IntArray) -> Array:
    """Sum runs of numbers, from their first to their last place.

    Differences of running sums take a quarter of the time, but would round floats.
    """
    if values.dtype.kind == "f":
        sums: Array = np.add.reduceat(values, first)
        return sums
    return np.diff(np.cumsum(values)[last], prepend=0)


def find_ascending_order(score: Array) -> NDArray[np.int64]:
    """Find the stable ascending order of scores."""
    return order_rows(score)[0]


def order_rows(score: Array) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Find the stable ascending order of scores, and whether each equals the next.

    Where keys lose bits, runs of equal keys are sorted again.
    """
    if len(score) < PACKING_PAYS:
        order = np.argsort(score, kind="stable")
        ordered = score[order]
        return order, ordered[1:] == ordered[:-1]
    packed = pack_rows(score)
    order = np.empty(len(score), dtype=np.int64)
    tied = np.empty(len(score) - 1, dtype=np.bool_)

    def unpack(rows: slice) -> None:
        order[rows] = packed.find_rows(rows)
        packed.find_ties(rows, out=tied[rows])

    map_chunks(unpack, len(score))
    if packed.lost_bits and np.count_nonzero(tied):
        sort_within_runs(tied, order, score)
        at = np.flatnonzero(tied)
        tied[at] = score[order[at]] == score[order[at + 1]]
    return order, tied


class PackedRows(NamedTuple):
    """Sorted integers: the score's key in the high bits, the row number in the low ones.

    Attributes
    ----------
    keys : ndarray of unsigned integers
        Ascending.
    row_bits : int
        Number of the bits of row numbers.
    lost_bits : int
        Number of low bits that keys of scores have lost, so that all fit 64 bits.
    has_marks : bool
        Whether the lowest bit of the score's key is 1 for an event.
    """

    keys: Array
    row_bits: int
    lost_bits: int
    has_marks: bool

    def find_rows(self, places: slice | IntArray) -> NDArray[np.int64]:
        """Return the row numbers of some places."""
        mask = self.keys.dtype.type((1 << self.row_bits) - 1)
        rows: NDArray[np.int64] = (self.keys[places] & mask).astype(np.int64, copy=False)
        return rows

    def find_marks(self, places: slice | IntArray) -> NDArray[np.bool_]:
        """Return whether some places hold events."""
        mark = self.keys.dtype.type(1 << self.row_bits)
        events: NDArray[np.bool_] = (self.keys[places] & mark).astype(np.bool_)
        return events

    def find_ties(self, places: slice, out: Array | None = None) -> NDArray[np.bool_]:
        """Return whether some places have the key of the next, but for marks."""
        part = self.keys[places.start : places.stop + 1]
        apart = part.dtype.type(1 << self.row_bits + self.has_marks)
        found: NDArray[np.bool_] = np.less(part[1:] ^ part[:-1], apart, out=out)
        return found


def pack_rows(score: Array, event: NDArray[np.bool_] | None = None) -> PackedRows:
    """Pack scores and row numbers into integers and sort them, faster than an argsort.

    Of equal scores, events come last. All steps of a chunk are done before the next.
    """
    key = np.empty(len(score), dtype=np.uint64)

    def make(rows: slice) -> tuple[int, int]:
        part = key[rows]
        part[...] = order_preserving_keys(score[rows])
        return int(part.min()), int(part.max())

    lows, highs = zip(*map_chunks(make, len(score)), strict=True)
    low, has_marks = np.uint64(min(lows)), event is not None
    row_bits = (len(score) - 1).bit_length()
    low_bits = row_bits + has_marks
    bits = (max(highs) - min(lows)).bit_length() + low_bits
    lost_bits = np.uint64(max(0, bits - WIDE))
    keys = np.empty(len(score), dtype=np.uint32) if bits <= NARROW else key

    def pack(rows: slice) -> None:
        part, packed = key[rows], keys[rows]
        part -= low
        part >>= lost_bits
        if event is not None:
            part <<= np.uint64(1)
            part |= event[rows]
        if packed.dtype != part.dtype:
            packed[...] = part
        packed <<= packed.dtype.type(row_bits)
        packed |= np.arange(rows.start, rows.stop, dtype=packed.dtype)

    map_chunks(pack, len(score))
    sort_in_place(keys)
    return PackedRows(keys, row_bits, int(lost_bits), has_marks)


def order_preserving_keys(score: Array) -> NDArray[np.uint64]:
    """Map scores to unsigned integers of the same order."""
    if score.dtype.kind == "u":
        return score.astype(np.uint64)
    if score.dtype.kind == "i":
        signed = score.astype(np.int64)
    else:
        signed = (score + 0.0).astype(np.float64, copy=False).view(np.int64)
        if len(signed) and signed.min() < 0:  # the bits of floats from 0 on ascend
            signed ^= (signed >> 63) & np.int64(np.iinfo(np.int64).max)
    key = signed.view(np.uint64)
    key ^= np.uint64(1 << 63)
    return key


def sort_within_runs(same: Array, order: Array, score: Array) -> None:
    """Correct the order, in place, within runs of rows that seem the same as the next."""
    in_run = np.append(same, False)
    in_run[1:] |= same
    position = np.flatnonzero(in_run)
    rows = order[position]
    order[position] = rows[np.argsort(score[rows], kind="stable")]
