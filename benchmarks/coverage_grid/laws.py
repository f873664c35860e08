"""Distributions of scores: how to draw them, and how much of them lies above a value."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, stdtr, stdtrit
from scipy.stats import norm

Floats = NDArray[np.float64]
LEVELS: Floats = expit(np.linspace(-30, 30, 6001))  # probabilities, dense in both tails


@dataclass(frozen=True)
class Normal:
    """Normal distribution."""

    mean: float = 0.0
    spread: float = 1.0

    def draw(self, random: np.random.Generator, size: int) -> Floats:
        """Draw values."""
        return self.mean + self.spread * random.standard_normal(size)

    def above(self, x: Floats) -> Floats:
        """Return the probability of values above x."""
        return norm.sf((x - self.mean) / self.spread)

    def values(self) -> Floats:
        """Return values that are dense where the distribution is."""
        return self.mean + self.spread * norm.ppf(LEVELS)

    def tilted(self, b: float) -> "Normal":
        """Return the distribution under weights exp(b * value)."""
        return Normal(self.mean + b * self.spread**2, self.spread)

    def mean_weight(self, b: float) -> float:
        """Return the mean of exp(b * value)."""
        return float(np.exp(b * self.mean + (b * self.spread) ** 2 / 2))


@dataclass(frozen=True)
class Exponential:
    """Exponential distribution; the scale is negative for its mirror image."""

    scale: float = 1.0

    def draw(self, random: np.random.Generator, size: int) -> Floats:
        """Draw values."""
        return self.scale * random.standard_exponential(size)

    def above(self, x: Floats) -> Floats:
        """Return the probability of values above x."""
        tail = np.exp(-np.maximum(x / self.scale, 0))
        return tail if self.scale > 0 else 1 - tail

    def values(self) -> Floats:
        """Return values that are dense where the distribution is."""
        return -self.scale * np.log(LEVELS)


@dataclass(frozen=True)
class StudentT:
    """Student's t with 3 degrees of freedom, shifted: rare scores far from the others."""

    shift: float = 0.0

    def draw(self, random: np.random.Generator, size: int) -> Floats:
        """Draw values."""
        return self.shift + random.standard_t(3, size)

    def above(self, x: Floats) -> Floats:
        """Return the probability of values above x."""
        return stdtr(3, self.shift - x)

    def values(self) -> Floats:
        """Return values that are dense where the distribution is."""
        return self.shift + stdtrit(3, LEVELS)


@dataclass(frozen=True)
class Mixture:
    """Two distributions, of which the second has this share."""

    first: Normal
    second: Normal
    share: float

    def draw(self, random: np.random.Generator, size: int) -> Floats:
        """Draw values."""
        choice = random.random(size) < self.share
        return np.where(
            choice, self.second.draw(random, size), self.first.draw(random, size)
        )

    def above(self, x: Floats) -> Floats:
        """Return the probability of values above x."""
        return (1 - self.share) * self.first.above(x) + self.share * self.second.above(x)

    def values(self) -> Floats:
        """Return values that are dense where the distribution is."""
        return np.concatenate([self.first.values(), self.second.values()])


@dataclass(frozen=True)
class Defaulted:
    """Scores of rows whose latent value is above (or below) a threshold.

    Score and latent value are standard normal with a correlation.
    """

    threshold: float
    correlation: float
    is_event: bool

    def above(self, x: Floats) -> Floats:
        """Return the probability of values above x, by quadrature over the latent value."""
        nodes, factors = np.polynomial.legendre.leggauss(200)
        ends = (self.threshold, 9.0) if self.is_event else (-9.0, self.threshold)
        half = (ends[1] - ends[0]) / 2
        latent = ends[0] + half * (nodes + 1)
        mass = factors * half * norm.pdf(latent)
        rest = np.sqrt(1 - self.correlation**2)
        tail = norm.sf((x[:, None] - self.correlation * latent) / rest)
        return tail @ mass / mass.sum()

    def values(self) -> Floats:
        """Return values that are dense where the distribution is."""
        return np.linspace(-8, 8, 801)


Law = Normal | Exponential | StudentT | Mixture | Defaulted
