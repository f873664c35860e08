"""Differences of two statistics: how far they are from a hypothesis, and their limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import copysign, hypot, inf, isnan, nan, sqrt
from typing import Protocol

import numpy as np

from capcurve._inference.estimate import Estimate
from capcurve._inference.influence import satterthwaite
from capcurve._inference.limits import (
    NEGLIGIBLE_ERROR,
    clip,
    t_quantile,
)
from capcurve._inference.reliability import count_errors
from capcurve._inference.root import find_root

MOST_TRIALS = 1e12  # stands for a share that is known
EDGE = 1e-12  # shares closer to 0 or 1 are taken as this close


class Distances(Protocol):
    """A way to compare two statistics."""

    def distance(self, value: float, null: float) -> float:
        """Return how many standard errors a difference lies above the hypothesis."""

    def limits(self, value: float, quantile: float) -> tuple[float, float]:
        """Return the hypotheses that lie a number of standard errors below and above."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Difference:
    """Two statistics, and how their difference is tested.

    Attributes
    ----------
    first, second : float
        The statistics.
    standard_error : float
        Standard error of the difference.
    degrees_of_freedom : float
        Degrees of freedom of Student's t; infinite for the normal distribution.
    method : str
        Name of the method.
    class_counts : tuple of int
        Numbers of events and non-events; of two samples, in the one with fewer events
        or in the current one.
    distances : Distances
        How far the difference is from a hypothesis.
    name : str
        Name of the statistics.
    largest : float
        Largest possible difference.
    is_identity : bool
        Whether the statistics are equal in every sample, as those of scores that rank all
        rows alike.
    n_effective : float
        Size of the smaller class, or sample, in independent units.
    n_errors : float
        Wrongly ranked events that the smaller sample shows: its size times ``1 - AUC``.
    """

    first: float
    second: float
    standard_error: float
    degrees_of_freedom: float
    method: str
    class_counts: tuple[int, int]
    distances: Distances
    name: str = "AR"
    largest: float = 2.0
    is_identity: bool = False
    n_effective: float = inf
    n_errors: float = inf

    @property
    def value(self) -> float:
        """Difference: first minus second."""
        return self.first - self.second

    def distance(self, null: float) -> float:
        """Return how many standard errors the difference lies above a hypothesis."""
        return self.distances.distance(self.value, null)

    def limits(self, probability: float) -> tuple[float, float]:
        """Return the lower and the upper limit, each at a one-sided confidence level."""
        if self.is_identity:
            return 0.0, 0.0
        quantile = t_quantile(probability, self.degrees_of_freedom)
        low, high = self.distances.limits(self.value, quantile)
        return clip(low, -self.largest, self.largest), clip(
            high, -self.largest, self.largest
        )


@dataclass(frozen=True)
class WaldDistances:
    """Distances in multiples of one standard error; nan if it is 0."""

    error: float

    def distance(self, value: float, null: float) -> float:
        """Return the difference from the hypothesis in standard errors."""
        if not self.error > NEGLIGIBLE_ERROR:  # or nan
            return nan
        return (value - null) / self.error

    def limits(self, value: float, quantile: float) -> tuple[float, float]:
        """Return Wald limits."""
        if not self.error > NEGLIGIBLE_ERROR:
            return nan, nan
        return value - quantile * self.error, value + quantile * self.error


@dataclass(frozen=True)
class LimitDistances:
    """Distances from the confidence limits of two independent estimates.

    A standard error below the difference comes from the lower limit of the first and the
    upper limit of the second estimate, one above it from the other two: the square-and-add
    limits (MOVER) of Zou and Donner (2008), doi:10.1002/sim.3095.
    """

    below: float
    above: float

    @classmethod
    def of(cls, first: Estimate, second: Estimate) -> LimitDistances:
        """Compare two estimates, each with limits at its own confidence level."""
        quantiles = [
            t_quantile((1 + each.confidence_level) / 2, each.degrees_of_freedom)
            for each in (first, second)
        ]

        def combine(lower: Estimate, upper: Estimate, factors: list[float]) -> float:
            return sqrt(
                ((lower.value - lower.low) / factors[0]) ** 2
                + ((upper.high - upper.value) / factors[1]) ** 2
            )

        return cls(
            combine(first, second, quantiles), combine(second, first, quantiles[::-1])
        )

    def distance(self, value: float, null: float) -> float:
        """Return the difference from the hypothesis in standard errors of its side."""
        error = self.below if value > null else self.above
        if not error > NEGLIGIBLE_ERROR:
            return nan
        return (value - null) / error

    def limits(self, value: float, quantile: float) -> tuple[float, float]:
        """Return the square-and-add limits."""
        return value - quantile * self.below, value + quantile * self.above


@dataclass(frozen=True)
class ScoreDistances:
    """Distances of two shares, with the variance that they have under the hypothesis.

    Each share, such as an AUC, is treated as that of ``n_trials`` independent trials; under
    a hypothesis both shares are those of largest likelihood that differ by it, as in Mee
    (1984), doi:10.2307/2531155, and Miettinen and Nurminen (1985),
    doi:10.1002/sim.4780040211. The correlation is that of the estimates. A sample that is
    ranked perfectly has, under the hypothesis, the variance of one that is not.

    Attributes
    ----------
    first, second : float
        The shares, from 0 to 1.
    trials : tuple of float
        Number of trials of each.
    correlation : float
        Correlation of the estimates; 0 for independent samples.
    width : float
        Length of the scale of the statistics: 2 for AR, 1 for AUC.
    """

    first: float
    second: float
    trials: tuple[float, float]
    correlation: float
    width: float

    def distance(self, value: float, null: float) -> float:
        """Return the difference from the hypothesis in standard errors under it."""
        if not min(self.trials) > 0:  # or nan
            return nan
        return (value - null) / (self.width * self.find_error(null / self.width))

    def limits(self, value: float, quantile: float) -> tuple[float, float]:
        """Return the hypotheses at that distance, found by root search."""
        if isnan(quantile) or not min(self.trials) > 0:
            return nan, nan
        return self.find_null(value, quantile), self.find_null(value, -quantile)

    def find_null(self, value: float, distance: float) -> float:
        """Return the hypothesis below which the difference lies at a signed distance."""

        def excess(null: float) -> float:
            return self.distance(value, null) - distance

        if distance == 0:
            return value
        end = copysign(self.width * (1 - EDGE), -distance)
        if (value - end) * distance <= 0 or excess(end) * -distance >= 0:
            return end
        return find_root(excess, end, value)

    def find_error(self, difference: float) -> float:
        """Return the standard error of the difference of the shares under a hypothesis."""
        second = self.find_share(difference)
        return self.error_of(second + difference, second)

    def error_of(self, *shares: float) -> float:
        """Return the standard error of the difference of the shares if these are true."""
        inner = np.clip(shares, EDGE, 1 - EDGE)
        first, second = np.sqrt(inner * (1 - inner) / self.trials).tolist()
        # The larger form keeps precision for estimates that nearly coincide.
        variance = (first - second) ** 2 + 2 * (1 - self.correlation) * first * second
        return sqrt(max(variance, NEGLIGIBLE_ERROR**2))

    def find_share(self, difference: float) -> float:
        """Return the second share of largest likelihood if the first is that much more."""
        m, n = (min(trials, MOST_TRIALS) for trials in self.trials)
        if difference == 0:
            return (m * self.first + n * self.second) / (m + n)
        low = max(0.0, -difference) + EDGE / 2
        high = min(1.0, 1 - difference) - EDGE / 2
        if low >= high:
            return (low + high) / 2

        def slope(share: float) -> float:
            other = share + difference
            return m * (self.first - other) / (other * (1 - other)) + n * (
                self.second - share
            ) / (share * (1 - share))

        return find_inner_root(slope, low, high)


def compare_estimates(first: Estimate, second: Estimate, method: str) -> Difference:
    """Compare estimates of the same statistic in two independent samples.

    AUC and gAUC are compared by the score method, other statistics, such as capture rates
    and KS, by their limits.
    """
    low, high = first.scale
    width = high - low
    shares = [(each.value - low) / width for each in (first, second)]
    trials = (first.n_trials, second.n_trials)
    distances: Distances = LimitDistances.of(first, second)
    df = inf
    if min(trials) > 0:
        distances = ScoreDistances(shares[0], shares[1], trials, 0.0, width)
        dfs = [count_degrees_of_freedom(each) for each in (first, second)]
        df = satterthwaite(1 / np.array(trials), np.array(dfs))
    smaller = min(first, second, key=lambda each: each.n_effective)
    return Difference(
        first=first.value,
        second=second.value,
        standard_error=hypot(first.standard_error, second.standard_error),
        degrees_of_freedom=df,
        method=method,
        class_counts=(smaller.n_events, smaller.n_nonevents),
        distances=distances,
        name=first.name,
        largest=width,
        n_effective=smaller.n_effective,
        n_errors=min(map(count_errors, (first, second))),
    )


def count_degrees_of_freedom(estimate: Estimate) -> float:
    """Return the degrees of freedom of an estimate, from its size if they are unknown."""
    df = estimate.degrees_of_freedom
    return estimate.n_effective - 1 if isnan(df) else df


def find_inner_root(slope: Callable[[float], float], low: float, high: float) -> float:
    """Find the root of a decreasing function, or the end of the range nearest to it."""
    if slope(low) <= 0:
        return low
    if slope(high) >= 0:
        return high
    return find_root(slope, low, high)
