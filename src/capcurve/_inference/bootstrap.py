"""Bootstrap replicates of a curve, and percentile limits of a statistic read off them.

For events without sampling weights, runs of scores that hold only events or only non-events
are merged first: their order changes no statistic of the curve, and a replicate then costs
one draw per run.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from capcurve._curve.curve import CapCurve
from capcurve._engines.rows import number_scores_best_first, tally_rows
from capcurve._inference.options import IntervalOptions, RandomState
from capcurve._input.columns import Columns
from capcurve._tally.dtypes import IntArray
from capcurve._tally.tally import Tally

DRAWING_PAYS = 8  # rows per block below which drawing rows is faster than a multinomial


def draw_replicates(
    columns: Columns, n: int, random_state: RandomState
) -> Iterator[CapCurve]:
    """Draw rows with replacement ``n`` times, and yield the curve of each replicate.

    Events and non-events are drawn separately, amounts together, and clusters as a whole. A
    replicate in which all outcomes are equal is drawn again.
    """
    random = np.random.default_rng(random_state)
    if (
        columns.has_events
        and columns.weights.cluster is None
        and (columns.weight is None or columns.weights.counts_rows)
    ):
        yield from draw_tally_replicates(tally_rows(columns), n, random)
        return
    entry = number_scores_best_first(columns)
    perfect_entry, outcomes = entry, np.zeros(0)
    if not columns.has_events:
        perfect_entry = number_scores_best_first(columns.ranked_by_target())
        outcomes = np.unique(columns.target)[::-1]
    for _ in range(n):
        mass = draw_rows(columns, random)
        while is_constant_draw(columns.target[mass > 0]):
            mass = draw_rows(columns, random)
        tally = tally_drawn_rows(entry, mass, columns.target)
        if columns.has_events:
            perfect = tally.events_first()
        else:
            weight = np.bincount(perfect_entry, mass, minlength=len(outcomes))
            perfect = Tally(outcomes, weight, outcomes * weight)
        yield CapCurve(tally, perfect, descending=columns.descending)


def is_constant_draw(drawn: NDArray[Any]) -> bool:
    """Whether a replicate is empty or all of its outcomes are equal."""
    return not len(drawn) or bool(drawn.min() == drawn.max())


def draw_tally_replicates(
    tally: Tally, n: int, random: np.random.Generator
) -> Iterator[CapCurve]:
    """Draw events and non-events of a tally ``n`` times, and yield the curves."""
    tally = join_pure_runs(tally)
    events = RowSampler(np.asarray(tally.target, dtype=np.int64))
    nonevents = RowSampler(np.asarray(tally.weight - tally.target, dtype=np.int64))
    for _ in range(n):
        target = events.draw(random)
        drawn = Tally(tally.score, target + nonevents.draw(random), target)
        yield CapCurve(drawn, drawn.events_first())


def join_pure_runs(tally: Tally) -> Tally:
    """Merge neighbouring scores that hold only events, or only non-events."""
    nonevents = tally.weight - tally.target
    kind = np.where(tally.target == 0, 0, np.where(nonevents == 0, 1, 2))
    starts = np.append(True, (kind[1:] != kind[:-1]) | (kind[1:] == 2))  # noqa: PLR2004 -- mixed blocks stay apart
    first = np.flatnonzero(starts)
    return Tally(
        tally.score[first],
        np.add.reduceat(tally.weight, first),
        np.add.reduceat(tally.target, first),
    )


class RowSampler:
    """Sampler of one class: draws its rows with replacement and counts them by block."""

    def __init__(self, counts: IntArray) -> None:
        self.n_blocks = len(counts)
        self.held = np.flatnonzero(counts)
        self.counts = counts[self.held]
        self.n_rows = int(self.counts.sum())
        few = self.n_rows < DRAWING_PAYS * len(self.held)
        self.block_of_row = np.repeat(self.held, self.counts) if few else None

    def draw(self, random: np.random.Generator) -> IntArray:
        """Draw as many rows as the class has and count them by block."""
        if self.block_of_row is not None:
            rows = random.integers(self.n_rows, size=self.n_rows, dtype=np.int64)
            return np.bincount(self.block_of_row[rows], minlength=self.n_blocks)
        drawn = np.zeros(self.n_blocks, dtype=np.int64)
        drawn[self.held] = random.multinomial(self.n_rows, self.counts / self.n_rows)
        return drawn


def draw_rows(columns: Columns, random: np.random.Generator) -> NDArray[Any]:
    """Draw rows, clusters or counted rows, and return the weight each row gets."""
    n_rows = len(columns.score)
    if columns.weights.counts_rows and columns.weight is not None:
        total = int(columns.weight.sum())
        return random.multinomial(total, columns.weight / total)
    weight = 1.0 if columns.weight is None else columns.weight
    cluster = columns.cluster
    if cluster is not None:
        return draw_counts(int(cluster.max()) + 1, random)[cluster] * weight
    if not columns.has_events:
        return draw_counts(n_rows, random) * weight
    drawn = np.empty(n_rows)
    for rows in (columns.target, ~columns.target):
        drawn[rows] = draw_counts(int(np.count_nonzero(rows)), random)
    return drawn * weight


def draw_counts(n: int, random: np.random.Generator) -> IntArray:
    """Draw ``n`` of ``n`` with replacement and count how often each is drawn."""
    return np.bincount(random.integers(n, size=n), minlength=n)


def tally_drawn_rows(entry: IntArray, mass: NDArray[Any], target: NDArray[Any]) -> Tally:
    """Sum the drawn weight and outcome by block of tied scores."""
    weight = np.bincount(entry, mass)
    score = np.arange(len(weight), 0, -1)
    return Tally(score, weight, np.bincount(entry, mass * target, minlength=len(weight)))


def bootstrap_values(
    columns: Columns, options: IntervalOptions, statistic: Callable[[CapCurve], float]
) -> NDArray[np.float64]:
    """Compute a statistic of each bootstrap replicate of a curve."""
    draws = draw_replicates(columns, options.n_resamples, options.random_state)
    return np.fromiter(map(statistic, draws), np.float64, count=options.n_resamples)


def percentile_limits(
    drawn: NDArray[np.float64], confidence_level: float
) -> tuple[float, float]:
    """Compute the equal-tailed percentile interval of bootstrap replicates.

    Efron and Tibshirani (1993), doi:10.1201/9780429246593.
    """
    tail = (1 - confidence_level) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail]).tolist()
    return low, high
