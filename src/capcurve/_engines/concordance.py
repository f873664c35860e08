"""NumPy: how far two columns order the same rows alike, without looking at every pair.

Rows are split by the highest bit of their rank in the first column, then each half by the
next bit, and so on: every pair of rows is parted once, and there it is counted by where
both stand in the second column. That takes a pass over all rows for each bit.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
FloatArray = NDArray[np.float64]


def concordance_by_row(first: Array, second: Array, weight: FloatArray) -> FloatArray:
    """Find for each row the mass of concordant less that of discordant other rows.

    A pair is concordant if both columns put the same row first, discordant if each puts
    another first, and counts 0 if either column ties.
    """
    rank, tie = ranks(first), ranks(second)
    order = np.argsort(tie, kind="stable")
    by_row = np.zeros(len(rank))
    for bit in reversed(range(int(rank.max()).bit_length())):
        held, node = rank[order], rank[order] >> (bit + 1)
        upper = (held >> bit & 1).astype(np.bool_)
        mass = weight[order]
        nodes = starts_of(node[1:] != node[:-1])
        ties = starts_of((node[1:] != node[:-1]) | (np.diff(tie[order]) != 0))
        low, high = np.where(upper, 0.0, mass), np.where(upper, mass, 0.0)
        by_row[order] += np.where(
            upper, surplus_below(low, nodes, ties), -surplus_below(high, nodes, ties)
        )
        order = parted(order, upper, nodes)
    return by_row


def ranks(values: Array) -> NDArray[np.int64]:
    """Give each value its number among the distinct ones, ascending."""
    return np.unique(values, return_inverse=True)[1].astype(np.int64, copy=False)


def starts_of(changes: Array) -> NDArray[np.int64]:
    """Find where runs start, and at the end the number of rows."""
    return np.concatenate([[0], np.flatnonzero(changes) + 1, [len(changes) + 1]])


def surplus_below(
    mass: FloatArray, nodes: NDArray[np.int64], ties: NDArray[np.int64]
) -> FloatArray:
    """Find for each row, within its node, the mass below its tie less that above it."""
    up_to = np.append(0.0, np.cumsum(mass))
    node_of_tie = np.searchsorted(nodes, ties[:-1], side="right") - 1
    bottom, top = up_to[nodes[:-1]][node_of_tie], up_to[nodes[1:]][node_of_tie]
    surplus = up_to[ties[:-1]] + up_to[ties[1:]] - bottom - top
    return np.repeat(surplus, np.diff(ties))


def parted(
    order: NDArray[np.int64], upper: NDArray[np.bool_], nodes: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Put the lower half of each node before its upper half, both in the order they had."""
    below = np.append(0, np.cumsum(~upper))
    n_below = np.diff(below[nodes])
    start = np.repeat(nodes[:-1], np.diff(nodes))
    before = below[:-1] - below[start]
    rows = np.arange(len(order))
    after = np.repeat(n_below, np.diff(nodes)) + rows - before
    position = np.where(upper, after, start + before)
    split = np.empty_like(order)
    split[position] = order
    return split
