"""Sort orders, runs of ties, and integer keys in the order of floats."""

import numpy as np
from numpy.typing import NDArray

from capcurve._tally.dtypes import Array, Keys
from capcurve._tally.threads import sort_in_place

PACKING_PAYS = 1 << 13  # rows from which packing beats argsort


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


def find_ascending_order(score: Array) -> NDArray[np.int64]:
    """Find the stable ascending order of scores."""
    return order_rows(score)[0]


def order_rows(score: Array) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Find the stable ascending order of scores, and whether each equals the next.

    Many scores are sorted as integers that hold the score's key in their high bits and the
    row number in their low bits, which is faster than a stable argsort. Where both do not
    fit 64 bits, the key loses low bits, and runs of equal keys are sorted again.
    """
    if len(score) < PACKING_PAYS:
        order = np.argsort(score, kind="stable")
        ordered = score[order]
        return order, ordered[1:] == ordered[:-1]
    key = order_preserving_keys(score)
    key -= key.min()
    row_bits = (len(score) - 1).bit_length()
    bits = int(key.max()).bit_length() + row_bits
    lost_bits = max(0, bits - 64)
    key >>= np.uint64(lost_bits)
    key = key.astype(np.uint32 if bits <= 32 else np.uint64, copy=False)  # noqa: PLR2004
    key <<= key.dtype.type(row_bits)
    row = np.arange(len(score), dtype=key.dtype)
    key |= row
    sort_in_place(key)
    order = np.bitwise_and(key, row.dtype.type((1 << row_bits) - 1), out=row)
    order = order.astype(np.int64) if order.itemsize < 8 else order.view(np.int64)  # noqa: PLR2004
    key >>= key.dtype.type(row_bits)
    tied = key[1:] == key[:-1]
    if lost_bits and np.count_nonzero(tied):
        sort_within_runs(tied, order, score)
        at = np.flatnonzero(tied)
        tied[at] = score[order[at]] == score[order[at + 1]]
    return order, tied


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
