"""Count concordant minus discordant pairs per row, in O(n log n) time.

Rows are split by the highest bit of their rank in the first column, then each half by the
next bit, and so on. Every untied pair of rows is separated exactly once, and is counted at
that split by the order of the second column. Each bit takes one pass over all rows.
"""

import numpy as np
from numpy.typing import NDArray

from capcurve._tally.dtypes import Array, FloatArray


def compute_row_concordance(first: Array, second: Array, weight: FloatArray) -> FloatArray:
    """Return for each row the weight of concordant minus that of discordant rows.

    A pair of rows is concordant if both columns order it alike, discordant if they order it
    differently, and counts 0 if it is tied in either column.
    """
    rank, tie = rank_densely(first), rank_densely(second)
    order = np.argsort(tie, kind="stable")
    by_row = np.zeros(len(rank))
    for bit in reversed(range(int(rank.max()).bit_length())):
        ordered_rank = rank[order]
        node = ordered_rank >> (bit + 1)
        upper = (ordered_rank >> bit & 1).astype(np.bool_)
        mass = weight[order]
        nodes = find_run_starts(node[1:] != node[:-1])
        ties = find_run_starts((node[1:] != node[:-1]) | (np.diff(tie[order]) != 0))
        lower_mass = np.where(upper, 0.0, mass)
        upper_mass = np.where(upper, mass, 0.0)
        by_row[order] += np.where(
            upper,
            compute_surplus_below(lower_mass, nodes, ties),
            -compute_surplus_below(upper_mass, nodes, ties),
        )
        order = partition_halves(order, upper, nodes)
    return by_row


def rank_densely(values: Array) -> NDArray[np.int64]:
    """Return the dense rank of each value, from 0, ascending."""
    return np.unique(values, return_inverse=True)[1].astype(np.int64, copy=False)


def find_run_starts(changes: Array) -> NDArray[np.int64]:
    """Return the start of each run, followed by the number of rows."""
    return np.concatenate([[0], np.flatnonzero(changes) + 1, [len(changes) + 1]])


def compute_surplus_below(
    mass: FloatArray, nodes: NDArray[np.int64], ties: NDArray[np.int64]
) -> FloatArray:
    """Return for each row the mass below its tie block minus that above, in its node."""
    up_to = np.append(0.0, np.cumsum(mass))
    node_of_tie = np.searchsorted(nodes, ties[:-1], side="right") - 1
    bottom = up_to[nodes[:-1]][node_of_tie]
    top = up_to[nodes[1:]][node_of_tie]
    surplus = up_to[ties[:-1]] + up_to[ties[1:]] - bottom - top
    return np.repeat(surplus, np.diff(ties))


def partition_halves(
    order: NDArray[np.int64], upper: NDArray[np.bool_], nodes: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Put the lower half of each node before its upper half, keeping the order in both."""
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
