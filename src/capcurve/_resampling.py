"""Bootstrap replicates of a curve, at the cost of its blocks of ties, not of a sort.

Runs of scores that only events, or only non-events, have are one block first: no number
that is read off a curve can tell their order.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from capcurve._engines import arrays
from capcurve._input import Columns
from capcurve._tally import Tally
from capcurve.curve import CapCurve

Counts = NDArray[np.int64]
RandomState = int | np.random.Generator | None

DRAWING_PAYS = 8  # rows a block, below which drawing rows is faster than drawing counts


def replicates(columns: Columns, n: int, random_state: RandomState) -> Iterator[CapCurve]:
    """Draw rows with replacement, ``n`` times, and make the curve of each draw.

    Events and non-events are drawn separately; of amounts, all rows together; clusters as
    a whole, drawn again where that leaves only one kind.
    """
    random = np.random.default_rng(random_state)
    if (
        columns.has_events
        and columns.cluster is None
        and (columns.weight is None or columns.counts_rows)
    ):
        yield from replicates_of_tally(arrays.tally(columns), n, random)
        return
    entry = arrays.best_first_entries(columns)
    ideal = None
    if not columns.has_events:
        ideal = arrays.best_first_entries(columns.ranked_by_target())
    for _ in range(n):
        mass = columns_drawn(columns, random)
        while is_constant(columns.target[mass > 0]):
            mass = columns_drawn(columns, random)
        tally = summed(entry, mass, columns.target)
        perfect = (
            tally.events_first() if ideal is None else summed(ideal, mass, columns.target)
        )
        yield CapCurve(tally, perfect, 0.0, columns.descending)


def is_constant(drawn: NDArray[Any]) -> bool:
    """Whether what was drawn leaves a curve undefined."""
    return not len(drawn) or bool(drawn.min() == drawn.max())


def replicates_of_tally(
    tally: Tally, n: int, random: np.random.Generator
) -> Iterator[CapCurve]:
    """Draw events and non-events of a tally, ``n`` times."""
    tally = joined_runs(tally)
    events = Draws(np.asarray(tally.target, dtype=np.int64))
    rest = Draws(np.asarray(tally.weight - tally.target, dtype=np.int64))
    for _ in range(n):
        target = events.draw(random)
        drawn = Tally(tally.score, target + rest.draw(random), target)
        yield CapCurve(drawn, drawn.events_first(), 0.0)


def joined_runs(tally: Tally) -> Tally:
    """Join neighbours that hold only events, or only non-events."""
    rest = tally.weight - tally.target
    kind = np.where(tally.target == 0, 0, np.where(rest == 0, 1, 2))
    starts = np.append(True, (kind[1:] != kind[:-1]) | (kind[1:] == 2))  # noqa: PLR2004 -- mixed blocks stay apart
    first = np.flatnonzero(starts)
    return Tally(
        tally.score[first],
        np.add.reduceat(tally.weight, first),
        np.add.reduceat(tally.target, first),
    )


class Draws:
    """Rows of one kind, to be drawn with replacement and counted by block."""

    def __init__(self, counts: Counts) -> None:
        self.n_blocks = len(counts)
        self.held = np.flatnonzero(counts)
        self.counts = counts[self.held]
        self.n_rows = int(self.counts.sum())
        few = self.n_rows < DRAWING_PAYS * len(self.held)
        self.block_of_row = np.repeat(self.held, self.counts) if few else None

    def draw(self, random: np.random.Generator) -> Counts:
        """Draw as many rows as there are and count them by block."""
        if self.block_of_row is not None:
            rows = random.integers(self.n_rows, size=self.n_rows, dtype=np.int64)
            return np.bincount(self.block_of_row[rows], minlength=self.n_blocks)
        drawn = np.zeros(self.n_blocks, dtype=np.int64)
        drawn[self.held] = random.multinomial(self.n_rows, self.counts / self.n_rows)
        return drawn


def columns_drawn(columns: Columns, random: np.random.Generator) -> NDArray[Any]:
    """Draw rows, each as often as its weight counts it, and return their mass."""
    n_rows = len(columns.score)
    if columns.counts_rows and columns.weight is not None:
        total = int(columns.weight.sum())
        return random.multinomial(total, columns.weight / total)
    weight = 1.0 if columns.weight is None else columns.weight
    if columns.cluster is not None:
        n_clusters = int(columns.cluster.max()) + 1
        return drawn_of(n_clusters, random)[columns.cluster] * weight
    if not columns.has_events:
        return drawn_of(n_rows, random) * weight
    drawn = np.empty(n_rows)
    for kind in (columns.target, ~columns.target):
        drawn[kind] = drawn_of(int(np.count_nonzero(kind)), random)
    return drawn * weight


def drawn_of(n: int, random: np.random.Generator) -> Counts:
    """Draw ``n`` of ``n`` with replacement and count how often each comes."""
    return np.bincount(random.integers(n, size=n), minlength=n)


def summed(entry: Counts, mass: NDArray[Any], target: NDArray[Any]) -> Tally:
    """Sum drawn mass and its outcome by block."""
    weight = np.bincount(entry, mass)
    score = np.arange(len(weight), 0, -1)
    return Tally(score, weight, np.bincount(entry, mass * target, minlength=len(weight)))
