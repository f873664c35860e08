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
    columns: Columns, n: int, random_state: RandomState, *, given_classes: bool = True
) -> Iterator[CapCurve]:
    """Draw rows with replacement ``n`` times, and yield the curve of each replicate.

    ``given_classes`` draws events and non-events separately. Amounts are drawn together,
    and clusters as a whole. A replicate in which all outcomes are equal is drawn again.
    """
    random = np.random.default_rng(random_state)
    if (
        columns.has_events
        and columns.weights.cluster is None
        and (columns.weight is None or columns.weights.counts_rows)
    ):
        tally = tally_rows(columns)
        yield from draw_tally_replicates(tally, n, random, given_classes=given_classes)
        return
    columns = sort_rows(columns)
    entry = number_scores_best_first(columns)
    perfect_entry, outcomes = entry, np.zeros(0)
    if not columns.has_events:
        perfect_entry = number_scores_best_first(columns.ranked_by_target())
        outcomes = np.unique(columns.target)[::-1]
    for _ in range(n):
        mass = draw_rows(columns, random, given_classes=given_classes)
        while is_constant_draw(columns.target[mass > 0]):
            mass = draw_rows(columns, random, given_classes=given_classes)
        tally = tally_drawn_rows(entry, mass, columns.target)
        if columns.has_events:
            perfect = tally.events_first()
        else:
            weight = np.bincount(perfect_entry, mass, minlength=len(outcomes))
            perfect = Tally(outcomes, weight, outcomes * weight)
        yield CapCurve(tally, perfect, descending=columns.descending)


def sort_rows(columns: Columns) -> Columns:
    """Sort rows by what they hold, as replicates draw them by their position.

    Whoever passes the same rows in another order then gets the same replicates.
    """
    entry = number_scores_best_first(columns)
    keys = [columns.target, entry]
    for more in (columns.weight, columns.cluster):
        if more is not None:
            keys.insert(0, more)
    return columns[np.lexsort(keys)]


def is_constant_draw(drawn: NDArray[Any]) -> bool:
    """Whether a replicate is empty or all of its outcomes are equal."""
    return not len(drawn) or bool(drawn.min() == drawn.max())


def draw_tally_replicates(
    tally: Tally, n: int, random: np.random.Generator, *, given_classes: bool = True
) -> Iterator[CapCurve]:
    """Draw rows of a tally ``n`` times, and yield the curves.

    ``given_classes`` draws as many events as there are, or else as they come.
    """
    tally = join_pure_runs(tally)
    events = RowSampler(np.asarray(tally.target, dtype=np.int64))
    nonevents = RowSampler(np.asarray(tally.weight - tally.target, dtype=np.int64))
    n_rows = events.n_rows + nonevents.n_rows
    for _ in range(n):
        n_events = events.n_rows
        if not given_classes:
            n_events = draw_class_size(n_events, n_rows, random)
        target = events.draw(n_events, random)
        others = nonevents.draw(n_rows - n_events, random)
        drawn = Tally(tally.score, target + others, target)
        yield CapCurve(drawn, drawn.events_first())


def draw_class_size(n_events: int, n_rows: int, random: np.random.Generator) -> int:
    """Draw the number of events among as many rows, until it is neither none nor all."""
    while True:
        drawn = int(random.binomial(n_rows, n_events / n_rows))
        if 0 < drawn < n_rows:
            return drawn


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

    def draw(self, size: int, random: np.random.Generator) -> IntArray:
        """Draw so many rows and count them by block."""
        if self.block_of_row is not None:
            rows = random.integers(self.n_rows, size=size, dtype=np.int64)
            return np.bincount(self.block_of_row[rows], minlength=self.n_blocks)
        drawn = np.zeros(self.n_blocks, dtype=np.int64)
        drawn[self.held] = random.multinomial(size, self.counts / self.n_rows)
        return drawn


def draw_rows(
    columns: Columns, random: np.random.Generator, *, given_classes: bool
) -> NDArray[Any]:
    """Draw rows, clusters or counted rows, and return the weight each row gets."""
    n_rows = len(columns.score)
    if columns.weights.counts_rows and columns.weight is not None:
        total = int(columns.weight.sum())
        return random.multinomial(total, columns.weight / total)
    weight = 1.0 if columns.weight is None else columns.weight
    cluster = columns.cluster
    if cluster is not None:
        return draw_counts(int(cluster.max()) + 1, random)[cluster] * weight
    if not (columns.has_events and given_classes):
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
    columns: Columns,
    options: IntervalOptions,
    statistic: Callable[[CapCurve], float],
    *,
    given_classes: bool = True,
) -> NDArray[np.float64]:
    """Compute a statistic of each bootstrap replicate of a curve.

    A statistic that depends on the event rate needs replicates of any number of events.
    """
    draws = draw_replicates(
        columns, options.n_resamples, options.random_state, given_classes=given_classes
    )
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
