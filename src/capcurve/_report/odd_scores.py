"""Say which scores are odd: infinite, or a few numbers far from all others.

Both may stand for a missing value, and rank first or last whatever the others are.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from capcurve._report.phrases import say_count
from capcurve._report.scored import ScoredBins, ScoredGroup, ScoredRows
from capcurve._tally.bins import Bins
from capcurve._tally.dtypes import FloatArray
from capcurve._tally.order import read_keys

MOST_NEGATIVE, LEAST_POSITIVE = -1, 9  # whole numbers that may stand for a missing value
MOST_SENTINELS = 5  # such numbers
LEAST_LONE = 99  # a positive one in a single row, as one score of 9 may be an outlier
FEWEST = 3  # distinct scores between 0 and 1, without which it is no probability


class OddScore(NamedTuple):
    """What is odd about a score, and the option that leaves its rows out."""

    text: str
    remedy: str
    n_rows: int | None  # None where bins do not have it

    @property
    def these(self) -> str:
        """Refer to its rows."""
        return "this row" if self.n_rows == 1 else "these rows"


class Sentinels(NamedTuple):
    """Few numbers outside 0 to 1, their rows, and the ends of the other scores.

    The number of rows is None in bins of weights or amounts, which do not have it.
    """

    values: list[float]
    n_rows: int | None
    low: float
    high: float
    descending: bool

    def __str__(self) -> str:
        numbers = " or ".join(map(write_plain, self.values))
        ends = sorted({(value > 1) == self.descending for value in self.values})
        places = " or ".join("first" if each else "last" for each in reversed(ends))
        rows = "some rows" if self.n_rows is None else say_count(self.n_rows, "row")
        rank = "it ranks" if self.n_rows == 1 else "these rank"
        return (
            f"{numbers} in {rows} and from {self.low:.3g} to "
            f"{self.high:.3g} in all others, so {rank} {places}"
        )


def list_odd(scored_groups: Sequence[ScoredGroup]) -> Iterator[OddScore]:
    """Say of each score in how many rows it is odd, if in any."""
    for name in dict.fromkeys(scored.estimate for scored in scored_groups):
        own = [scored for scored in scored_groups if scored.estimate == name]
        counts = [count_infinite(scored) for scored in own]
        if any(count != 0 for count in counts):
            known = [count for count in counts if count is not None]
            count = sum(known) if len(known) == len(own) else None
            rows = "some rows" if count is None else say_count(count, "row")
            verb = "ranks" if count == 1 else "rank"
            text = f"{name!r} is infinite in {rows}, which {verb} first or last"
            yield OddScore(text, "--na inf or --na=-inf", count)
        found = find_sentinels(own)
        if found is not None:
            options = (f"--na={write_plain(value)}" for value in found.values)
            yield OddScore(f"{name!r} is {found}", " ".join(options), found.n_rows)


def count_infinite(scored: ScoredGroup) -> int | None:
    """Count the rows whose score is infinite; counted rows count.

    None if there are some, but bins hold other rows beside these, or weights.
    """
    if isinstance(scored, ScoredRows):
        return int(scored.columns.row_counts[np.isinf(scored.columns.score)].sum())
    return (
        count_infinite_in(scored.binned.by_score)
        if isinstance(scored, ScoredBins)
        else None
    )


def count_infinite_in(bins: Bins) -> int | None:
    """Count the rows of bins whose score is infinite; None if bins do not tell."""
    lowest, highest = (
        np.isinf(read_keys(keys, bins.grid)) for keys in (bins.lowest, bins.highest)
    )
    if not (lowest | highest).any():
        return 0
    is_told = (
        bins.weight.dtype.kind == "i"
        and (bins.lowest == bins.highest)[lowest | highest].all()
    )
    return int(bins.weight[lowest].sum()) if is_told else None


def find_sentinels(own: Sequence[ScoredGroup]) -> Sentinels | None:
    """Find the few finite scores outside 0 to 1, where others look like probabilities.

    They are whole numbers, none above -1 and below 9, nor from 9 to 98 in a single row, so
    that neither grades nor losses above all of the exposure are taken for one.
    """
    listed = [list_scores(scored) for scored in own]
    scores = np.concatenate([found for found, _ in listed])
    is_outside = np.isfinite(scores) & ((scores < 0) | (scores > 1))
    outside = scores[is_outside]
    # Most scores are told at a glance, without sorting them.
    is_near = (outside > MOST_NEGATIVE) & (outside < LEAST_POSITIVE)
    if not len(outside) or (outside % 1).any() or is_near.any():
        return None
    counts = np.concatenate([count for _, count in listed])
    values, place = np.unique(outside, return_inverse=True)
    rows = np.bincount(place, counts[is_outside])
    is_grade = (rows <= 1) & (values > 0) & (values < LEAST_LONE)
    if len(values) > MOST_SENTINELS or is_grade.any():
        return None
    others = scores[(scores >= 0) & (scores <= 1)]
    if len(np.unique(others[(others > 0) & (others < 1)])) < FEWEST:
        return None
    return Sentinels(
        values.tolist(),
        round(rows.sum()) if np.isfinite(rows).all() else None,
        float(others.min()),
        float(others.max()),
        is_descending(own[0]),
    )


def list_scores(scored: ScoredGroup) -> tuple[FloatArray, FloatArray]:
    """List the scores of rows, or of bins, and of how many rows each is.

    That number is infinite in bins of weights and amounts.
    """
    if isinstance(scored, ScoredRows):
        return scored.columns.score, scored.columns.row_counts
    if scored.curve is None:
        return np.zeros(0), np.zeros(0)
    scores, weight = scored.curve.thresholds[1:], scored.curve.tally.weight
    if weight.dtype.kind == "i":
        return scores, weight.astype(np.float64)
    return scores, np.full(len(scores), np.inf)


def is_descending(scored: ScoredGroup) -> bool:
    """Whether high scores rank first."""
    if isinstance(scored, ScoredRows):
        return scored.columns.descending
    return scored.curve is None or scored.curve.descending


def write_plain(value: float) -> str:
    """Write a whole number as text files do."""
    return f"{value:.15g}"
