"""Say which scores are odd: infinite, or a few numbers far from all others.

Both may stand for a missing value, and rank first or last whatever the others are.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from capcurve._report.phrases import say_count
from capcurve._report.scored import ScoredGroup, ScoredRows

MOST_NEGATIVE, LEAST_POSITIVE = -1, 9  # whole numbers that may stand for a missing value
MOST_SENTINELS = 5  # such numbers
FEWEST_ROWS = 2  # that have one of them
FEWEST = 3  # distinct scores between 0 and 1, without which it is no probability


class OddScore(NamedTuple):
    """What is odd about a score, and the option that leaves its rows out."""

    text: str
    remedy: str


class Sentinels(NamedTuple):
    """Few numbers outside 0 to 1, their rows, and the ends of the other scores."""

    values: list[float]
    n_rows: int
    low: float
    high: float
    descending: bool

    def __str__(self) -> str:
        numbers = " or ".join(map(write_plain, self.values))
        ends = sorted({(value > 1) == self.descending for value in self.values})
        places = " or ".join("first" if each else "last" for each in reversed(ends))
        return (
            f"{numbers} in {say_count(self.n_rows, 'row')} and from {self.low:.3g} to "
            f"{self.high:.3g} in all others, so these rank {places}"
        )


def list_odd(scored_groups: Sequence[ScoredGroup]) -> Iterator[OddScore]:
    """Say of each score in how many rows it is odd, if in any."""
    for name in dict.fromkeys(scored.estimate for scored in scored_groups):
        own = [scored for scored in scored_groups if scored.estimate == name]
        in_memory = [scored for scored in own if isinstance(scored, ScoredRows)]
        if any(map(has_infinite, own)):
            count = sum(map(count_infinite, in_memory))
            rows = say_count(count, "row") if in_memory else "some rows"
            verb = "ranks" if count == 1 else "rank"
            text = f"{name!r} is infinite in {rows}, which {verb} first or last"
            yield OddScore(text, "--na inf or --na=-inf")
        found = find_sentinels(in_memory)
        if found is not None:
            options = (f"--na={write_plain(value)}" for value in found.values)
            yield OddScore(f"{name!r} is {found}", " ".join(options))


def has_infinite(scored: ScoredGroup) -> bool:
    """Whether a score is infinite; those of bins are never binned with others."""
    if isinstance(scored, ScoredRows):
        return bool(np.isinf(scored.columns.score).any())
    return scored.curve is not None and bool(np.isinf(scored.curve.thresholds[1:]).any())


def count_infinite(scored: ScoredRows) -> int:
    """Count the rows whose score is infinite; counted rows count."""
    return int(scored.columns.row_counts[np.isinf(scored.columns.score)].sum())


def find_sentinels(in_memory: Sequence[ScoredRows]) -> Sentinels | None:
    """Find the few finite scores outside 0 to 1, where others look like probabilities.

    They are whole numbers in two or more rows each, none above -1 and below 9, so that
    neither grades nor losses above all of the exposure are taken for one.
    """
    if not in_memory:
        return None
    scores = np.concatenate([scored.columns.score for scored in in_memory])
    is_outside = np.isfinite(scores) & ((scores < 0) | (scores > 1))
    if not is_outside.any():
        return None
    counts = np.concatenate([scored.columns.row_counts for scored in in_memory])
    values, place = np.unique(scores[is_outside], return_inverse=True)
    rows = np.bincount(place, counts[is_outside])
    is_near = (values > MOST_NEGATIVE) & (values < LEAST_POSITIVE)
    if len(values) > MOST_SENTINELS or (rows < FEWEST_ROWS).any() or is_near.any():
        return None
    others = scores[(scores >= 0) & (scores <= 1)]
    if (values % 1).any() or len(np.unique(others[(others > 0) & (others < 1)])) < FEWEST:
        return None
    return Sentinels(
        values.tolist(),
        round(rows.sum()),
        float(others.min()),
        float(others.max()),
        in_memory[0].columns.descending,
    )


def write_plain(value: float) -> str:
    """Write a whole number as text files do."""
    return f"{value:.15g}"
