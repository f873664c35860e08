"""Sort orders, runs of ties, and integer keys in the order of floats."""

import numpy as np
from numpy.typing import NDArray

from capcurve._tally.dtypes import Array, Keys

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


def find_run_ends(ordered: Array) -> Array:
    """Find the last position of each run of equal values."""
    ends = np.ones(len(ordered), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=ends[:-1])
    return np.flatnonzero(ends)


def find_ascending_order(score: Array) -> NDArray[np.int64]:
    """Find the stable ascending order of scores.

    Many scores are sorted as integers that hold the score's key in their high bits and the
    row number in their low bits, which is faster than a stable argsort. Where both do not
    fit 64 bits, the key loses low bits, and runs of equal keys are sorted again.
    """
    if len(score) < PACKING_PAYS:
        return np.argsort(score, kind="stable")
    key = order_preserving_keys(score)
    key -= key.min()
    row_bits = (len(score) - 1).bit_length()
    lost_bits = max(0, int(key.max()).bit_length() + row_bits - 64)
    key >>= np.uint64(lost_bits)
    key <<= np.uint64(row_bits)
    key |= np.arange(len(score), dtype=np.uint64)
    key.sort()
    order = (key & np.uint64((1 << row_bits) - 1)).view(np.int64)
    if lost_bits:
        key >>= np.uint64(row_bits)
        sort_within_runs(key, order, score)
    return order


def order_preserving_keys(score: Array) -> NDArray[np.uint64]:
    """Map scores to unsigned integers of the same order."""
    if score.dtype.kind == "u":
        return score.astype(np.uint64)
    if score.dtype.kind == "i":
        signed = score.astype(np.int64)
    else:
        signed = score.astype(np.float64).view(np.int64)
        signed ^= (signed >> 63) & np.int64(np.iinfo(np.int64).max)
    key = signed.view(np.uint64)
    key ^= np.uint64(1 << 63)
    return key


def sort_within_runs(key: Array, order: Array, score: Array) -> None:
    """Correct the order, in place, within runs of equal keys that hold several scores."""
    same = key[1:] == key[:-1]
    in_run = np.append(same, False)
    in_run[1:] |= same
    position = np.flatnonzero(in_run)
    rows = order[position]
    order[position] = rows[np.argsort(score[rows], kind="stable")]
