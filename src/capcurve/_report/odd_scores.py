"""Say which scores are odd: infinite, or one number far from all the others.

Both may stand for a missing value, and rank first or last whatever the others are.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from capcurve._report.phrases import say_count
from capcurve._report.scored import ScoredGroup, ScoredRows

MOST_NEGATIVE, LEAST_POSITIVE = -1, 9  # whole numbers that may stand for a missing value
FEWEST_INSIDE = 3  # distinct scores between 0 and 1, without which it is no probability


class OddScore(NamedTuple):
    """What is odd about a score, and the option that leaves its rows out."""

    text: str
    remedy: str


class Sentinel(NamedTuple):
    """One number outside 0 to 1, its rows, and the ends of the other scores."""

    value: float
    n_rows: int
    low: float
    high: float
    ranks_first: bool


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
        found = find_sentinel(in_memory)
        if found is not None:
            yield OddScore(
                f"{name!r} is {found.value:.15g} in {say_count(found.n_rows, 'row')} and "
                f"from {found.low:.3g} to {found.high:.3g} in all others, so these rank "
                f"{'first' if found.ranks_first else 'last'}",
                f"--na={found.value:.15g}",
            )


def has_infinite(scored: ScoredGroup) -> bool:
    """Whether a score is infinite; those of bins are never binned with others."""
    if isinstance(scored, ScoredRows):
        return bool(np.isinf(scored.columns.score).any())
    return scored.curve is not None and bool(np.isinf(scored.curve.thresholds[1:]).any())


def count_infinite(scored: ScoredRows) -> int:
    """Count the rows whose score is infinite; counted rows count."""
    return int(scored.columns.row_counts[np.isinf(scored.columns.score)].sum())


def find_sentinel(in_memory: Sequence[ScoredRows]) -> Sentinel | None:
    """Find the only finite score outside 0 to 1, where others look like probabilities.

    It is a whole number in two or more rows, none above -1 and below 9, so that neither
    grades nor losses above all of the exposure are taken for one.
    """
    values, n_rows = set[float](), 0
    for scored in in_memory:
        score = scored.columns.score
        outside = np.isfinite(score) & ((score < 0) | (score > 1))
        if outside.any():
            values |= {float(score[outside].min()), float(score[outside].max())}
            n_rows += round(scored.columns.row_counts[outside].sum())
    if len(values) != 1 or n_rows < 2:  # noqa: PLR2004 -- a single one is no rule
        return None
    (value,) = values
    if MOST_NEGATIVE < value < LEAST_POSITIVE or not value.is_integer():
        return None
    others = np.concatenate([scored.columns.score for scored in in_memory])
    others = others[(others >= 0) & (others <= 1)]
    if len(np.unique(others[(others > 0) & (others < 1)])) < FEWEST_INSIDE:
        return None
    ranks_first = (value > 1) == in_memory[0].columns.descending
    low, high = float(others.min()), float(others.max())
    return Sentinel(value, n_rows, low, high, ranks_first)
