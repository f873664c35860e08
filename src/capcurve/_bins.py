"""Mass by bins of a number, which coarsen as they grow too many, in any order alike.

A float64 becomes an unsigned integer of the same order, and a bin is what shares its high
bits: 64 of them tell all numbers apart. How many high bits there are room for depends on
all numbers together and on nothing else, so that no order of batches or of merging can
change a bin.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from capcurve._tally import Tally

Keys = NDArray[np.uint64]
FloatArray = NDArray[np.float64]

ALL_BITS = 64


@dataclass(frozen=True, eq=False)
class Bins:
    """Weight and outcome by bin, ascending.

    Attributes
    ----------
    level : int
        High bits that a bin shares.
    lowest, highest : ndarray of uint64
        Keys of the smallest and the largest number in each bin.
    weight, target : ndarray of int64 or float64
        Mass of the population and of the outcome.
    largest : ndarray of float64
        Largest outcome per unit of weight in each bin.
    """

    level: int
    lowest: Keys
    highest: Keys
    weight: NDArray[Any]
    target: NDArray[Any]
    largest: FloatArray

    def __len__(self) -> int:
        return len(self.lowest)

    @classmethod
    def empty(cls) -> Self:
        """Hold nothing yet."""
        keys, counts = np.zeros(0, np.uint64), np.zeros(0, np.int64)
        return cls(ALL_BITS, keys, keys, counts, counts, np.zeros(0))

    def merge(self, *others: Self, most: int) -> Self:
        """Add the bins of other rows, as coarse as at most ``most`` bins need."""
        parts = (self, *others)
        lowest = np.concatenate([part.lowest for part in parts])
        order = np.argsort(lowest, kind="stable")
        names = ("highest", "weight", "target", "largest")
        columns = (
            np.concatenate([getattr(part, name) for part in parts]) for name in names
        )
        level = min(part.level for part in parts)
        merged = type(self)(level, lowest[order], *(column[order] for column in columns))
        return merged.coarsened(most)

    def without(self, places: NDArray[np.int64]) -> Self:
        """Leave some bins out."""
        columns = (self.lowest, self.highest, self.weight, self.target, self.largest)
        return type(self)(self.level, *(np.delete(column, places) for column in columns))

    def coarsened(self, most: int) -> Self:
        """Join neighbours that share as many high bits as leave at most ``most`` bins."""
        level, count = self.level, count_prefixes(self.lowest, self.level)
        if count > most:
            level = finest_level(self.lowest, level, most)
        elif count == len(self):
            return self
        first = first_of_prefixes(self.lowest, level)
        return type(self)(
            level,
            self.lowest[first],
            np.maximum.reduceat(self.highest, first),
            np.add.reduceat(self.weight, first),
            np.add.reduceat(self.target, first),
            np.maximum.reduceat(self.largest, first),
        )


def prefixes(keys: Keys, level: int) -> Keys:
    """Keep the high bits."""
    return keys >> np.uint64(ALL_BITS - level) if level else np.zeros_like(keys)


def first_of_prefixes(ordered: Keys, level: int) -> NDArray[np.int64]:
    """Find where each run of equal high bits starts."""
    high = prefixes(ordered, level)
    starts = np.ones(len(high), dtype=np.bool_)
    np.not_equal(high[1:], high[:-1], out=starts[1:])
    return np.flatnonzero(starts)


def count_prefixes(ordered: Keys, level: int) -> int:
    """Count the distinct high bits."""
    if not len(ordered):
        return 0
    high = prefixes(ordered, level)
    return 1 + int(np.count_nonzero(high[1:] != high[:-1]))


def finest_level(ordered: Keys, level: int, most: int) -> int:
    """Find how many high bits there is room for: fewer bits never have more values."""
    low, high = 0, level
    while low < high:
        middle = (low + high + 1) // 2
        if count_prefixes(ordered, middle) <= most:
            low = middle
        else:
            high = middle - 1
    return low


def numbers_of(keys: Keys) -> NDArray[np.float64]:
    """Map integers back to the numbers that they stand for."""
    signed = (keys ^ np.uint64(1 << 63)).view(np.int64)
    return (signed ^ ((signed >> 63) & np.int64(np.iinfo(np.int64).max))).view(np.float64)


def ranked(bins: Bins, *, descending: bool) -> Tally:
    """Rank bins, best first; a bin is selected as a whole at its last number."""
    best_first = slice(None, None, -1 if descending else 1)
    last = bins.lowest if descending else bins.highest
    return Tally(
        numbers_of(last)[best_first], bins.weight[best_first], bins.target[best_first]
    )


def carrying(bins: Bins) -> NDArray[Any]:
    """Find the least weight of each bin that can carry its outcome; all of a pure one."""
    mixed = (bins.lowest < bins.highest) & (bins.target > 0)
    least = np.array(bins.weight)
    needed = bins.target[mixed] / bins.largest[mixed]
    least[mixed] = np.minimum(least[mixed], needed)
    return least


def split(bins: Bins, *, descending: bool, outcome_first: bool) -> Tally:
    """Rank bins, best first, with the outcome of each as early or as late as can be."""
    whole, least = ranked(bins, descending=descending), carrying(bins)
    least = least[::-1] if descending else least
    weight = np.column_stack([least, whole.weight - least])
    target = np.column_stack([whole.target, np.zeros_like(whole.target)])
    if not outcome_first:
        weight, target = weight[:, ::-1], target[:, ::-1]
    weight, target = weight.ravel(), target.ravel()
    some = weight > 0
    return Tally(whole.score.repeat(2)[some], weight[some], target[some])


def slack_of(bins: Bins) -> float:
    """Compute what the best order inside of bins would add to the gain of the curve."""
    least = carrying(bins)
    return float((bins.target * (bins.weight - least)).sum())


def spread(bins: Bins) -> Tally:
    """Rank outcomes, best first, as if those that share a bin were as unequal as can be."""
    low, high = numbers_of(bins.lowest), numbers_of(bins.highest)
    with np.errstate(invalid="ignore", divide="ignore"):
        upper = np.where(high > low, (bins.target - low * bins.weight) / (high - low), 0)
    upper = np.clip(upper, 0, bins.weight)
    lower = bins.weight - upper
    weight = np.column_stack([lower, upper]).ravel()
    target = np.column_stack([lower * low, upper * high]).ravel()
    some = weight > 0
    score = np.column_stack([low, high]).ravel()
    return Tally(score[some][::-1], weight[some][::-1], target[some][::-1])
