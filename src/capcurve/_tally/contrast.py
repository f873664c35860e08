"""A ranking against the perfect one, without loss of digits, or with a known one."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from capcurve._tally.dtypes import Array
from capcurve._tally.tally import Tally, clip_ratio
from capcurve.exceptions import CapcurveError

TOLERANCE = 1e-9  # error of a ratio beyond which it is refused
ROUNDING = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class Contrast:
    """A ranking and the perfect one, with outcomes counted from that of the median row.

    This leaves AR and KS as they are and keeps their digits where few rows differ from
    many: sums are then as small as the differences that they are to show.

    Attributes
    ----------
    ranking, perfect : Tally
        The rankings, with the median outcome subtracted.
    subtracted : float
        What that took from the sums, as a mass; 0 where sums are exact.
    """

    ranking: Tally
    perfect: Tally
    subtracted: float

    @classmethod
    def of(cls, ranking: Tally, perfect: Tally) -> Self:
        """Subtract the median outcome from both."""
        middle, subtracted = perfect.median_outcome, 0.0
        if middle and ranking.weight.dtype.kind == "f":
            subtracted = float((ranking.target + middle * ranking.weight).sum())
        best = perfect.subtract(middle, is_perfect=True)
        return cls(ranking.subtract(middle), best, subtracted)

    @property
    def perfect_surplus(self) -> float:
        """Concordance surplus of the perfect ranking."""
        return self.perfect.concordance_surplus

    @property
    def accuracy_ratio(self) -> float:
        """AR, from -1 to 1."""
        return clip_ratio(self.ranking.concordance_surplus / self.perfect_surplus)

    @property
    def ks(self) -> float:
        """KS, from 0 to 1."""
        return clip_ratio(self.ranking.max_distance / self.perfect.max_distance)

    @property
    def rounding(self) -> float:
        """Largest error of AR due to sums, rounded before the median was subtracted.

        Infinite if they hide that outcomes differ.
        """
        if not self.subtracted:
            return 0.0
        mass = np.float64(self.subtracted) * self.ranking.weight.sum()
        return float(bound_rounding(mass, np.float64(self.perfect_surplus)))


def bound_rounding(mass: Any, surplus: Any) -> Array:
    """Bound the error of a ratio to a surplus that is left of a rounded mass."""
    error: Array = np.where(mass > 0, np.inf, 0.0)
    np.divide(ROUNDING * mass, surplus, out=error, where=surplus > 0)
    return error


def refuse_rounding(error: float) -> None:
    """Raise if rounding may change a ratio by more than is tolerated."""
    if error > TOLERANCE:
        raise CapcurveError(
            "outcomes must differ by more than the rounding of their sums, got a possible "
            f"error of {min(error, 2):.1g} in the ratio; subtract the least amount from "
            "all, or give events and non-events weights of similar size"
        )
