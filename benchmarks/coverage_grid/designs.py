"""Designs: samples that can be drawn, and the true values that are known of them.

Everything is exact by formula or quadrature. With grades the curve between two cut-offs is
a straight line, as in the library.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from math import asin, exp, pi, sqrt

import numpy as np
from scipy.special import betaincinv
from scipy.stats import norm

from coverage_grid.laws import (
    Defaulted,
    Exponential,
    Floats,
    Law,
    Mixture,
    Normal,
    StudentT,
)

STANDARD = Normal()


@dataclass(frozen=True)
class Scores:
    """Scores of events and non-events, in grades if there are cut-offs."""

    name: str
    event: Law
    nonevent: Law = STANDARD
    cuts: tuple[float, ...] = ()
    in_logs: bool = False  # the score is the exponential of what is drawn

    def draw(
        self, random: np.random.Generator, m: int, n: int
    ) -> tuple[np.ndarray, Floats]:
        """Draw n rows, of which the first m are events."""
        s = np.concatenate([self.event.draw(random, m), self.nonevent.draw(random, n - m)])
        return np.arange(n) < m, self.grade(s)

    def grade(self, s: Floats) -> Floats:
        """Return the scores as they are shown to the library."""
        if self.cuts:
            return np.searchsorted(self.cuts, s).astype(np.float64)
        return np.exp(s) if self.in_logs else s

    @cached_property
    def curve(self) -> tuple[Floats, Floats]:
        """Shares of non-events and of events above falling cut-offs, from 0 to 1."""
        values = np.array(self.cuts)
        if not self.cuts:
            values = np.concatenate([self.event.values(), self.nonevent.values()])
        values = np.sort(values)[::-1]
        above = (law.above(values) for law in (self.nonevent, self.event))
        first, second = (np.concatenate([[0.0], each, [1.0]]) for each in above)
        return first, second

    @cached_property
    def ratio(self) -> float:
        """True AR."""
        nonevents, events = self.curve
        return float(2 * np.trapezoid(events, nonevents) - 1)

    @cached_property
    def ks(self) -> float:
        """True KS."""
        nonevents, events = self.curve
        return float(np.abs(events - nonevents).max())

    def capture(self, share: float, rate: float) -> float:
        """Return the true capture rate at a share of the population with this rate."""
        return float(np.interp(share, *self.heights(rate)))

    def heights(self, rate: float) -> tuple[Floats, Floats]:
        """Return the true curve at this event rate: population shares, capture rates."""
        nonevents, events = self.curve
        return rate * events + (1 - rate) * nonevents, events

    def weighted(self, b: float) -> "Scores":
        """Return the design as weights exp(b * score) show it."""
        return replace(self, event=self.event.tilted(b), nonevent=self.nonevent.tilted(b))

    def weighted_rate(self, rate: float, b: float) -> float:
        """Return the event rate as weights exp(b * score) show it."""
        odds = rate / (1 - rate) * self.event.mean_weight(b) / self.nonevent.mean_weight(b)
        return odds / (1 + odds)


def binormal(ratio: float, spread: float = 1.0) -> Scores:
    """Make normal scores of this AR; the spread is that of events."""
    beside = "" if spread == 1 else f", event sd {spread:g}"
    return Scores(f"normal AR {ratio:g}{beside}", Normal(separation(ratio, spread), spread))


def separation(ratio: float, spread: float = 1.0) -> float:
    """Return the distance of the class means at which normal scores have this AR."""
    return float(norm.ppf((ratio + 1) / 2)) * sqrt(1 + spread**2)


def lognormal(ratio: float) -> Scores:
    """Make lognormal scores of this AR."""
    return replace(binormal(ratio), name=f"lognormal AR {ratio:g}", in_logs=True)


def exponential(ratio: float, *, mirrored: bool = False) -> Scores:
    """Make exponential scores of this AR."""
    scale = (1 + ratio) / (1 - ratio)
    if mirrored:
        name = f"mirrored exponential AR {ratio:g}"
        return Scores(name, Exponential(-1), Exponential(-scale))
    return Scores(f"exponential AR {ratio:g}", Exponential(scale), Exponential())


def student(shift: float) -> Scores:
    """Make scores with heavy tails."""
    return Scores(f"Student's t3 shifted by {shift:g}", StudentT(shift), StudentT())


def undetectable(ratio: float, share: float, depth: float = 0.0) -> Scores:
    """Make normal scores of AR 0.9 or so, of which some events look like non-events.

    With a depth, they look like the non-events that far below the mean.
    """
    main = Normal(separation(ratio))
    kind = "hidden among the best" if depth else "undetectable"
    hidden = Normal(-depth, 0.5) if depth else Normal()
    return Scores(
        f"AR {ratio:g}, {share:.0%} of events {kind}", Mixture(main, hidden, share)
    )


def graded(ratio: float, cuts: tuple[float, ...], beside: str = "") -> Scores:
    """Make normal scores of this AR, in grades."""
    found = replace(binormal(ratio), cuts=cuts)
    return replace(found, name=f"{len(cuts) + 1} grades{beside}, AR {found.ratio:.2f}")


SEVEN = (-2 / 3, 0.0, 2 / 3, 4 / 3, 2.0, 8 / 3)
FIVE = (-0.5, 0.5, 1.3, 2.0)
BEST_70 = (0.524, 0.9, 1.3, 1.8, 2.4)  # 70 % of non-events are in the best grade


@dataclass(frozen=True)
class Clustered:
    """Facilities of obligors: scores, sizes of obligors, and what they share."""

    name: str
    scores: Scores
    sizes: str  # equal, geometric, lognormal, related, or both

    def draw(
        self, random: np.random.Generator, m: int, n: int
    ) -> tuple[np.ndarray, Floats, np.ndarray]:
        """Draw n obligors, of which m default, and return the rows of their facilities."""
        y, s = self.scores.draw(random, m, n)
        size = self.draw_sizes(random, s)
        obligor = np.repeat(np.arange(n), size)
        return y[obligor], s[obligor], obligor

    def draw_sizes(self, random: np.random.Generator, s: Floats) -> np.ndarray:
        """Draw the number of facilities of each obligor."""
        n = len(s)
        if self.sizes == "equal":
            return np.full(n, 3)
        if self.sizes == "geometric":
            return random.geometric(1 / 3, n)
        if self.sizes == "lognormal":
            return np.ceil(random.lognormal(0.3, 1.2, n)).astype(np.int64)
        noise = random.standard_normal(n) if self.sizes == "both" else 0.0
        return 1 + random.poisson(np.exp(RELATION * s + noise))

    @cached_property
    def ratio(self) -> float:
        """True AR, in which an obligor counts as often as it has facilities."""
        if self.sizes not in {"related", "both"}:
            return self.scores.ratio
        # The mean size is 1 + c * exp(b * score): a mixture of the scores and the tilted.
        factor = exp(0.5) if self.sizes == "both" else 1.0
        scores = self.scores
        parts = []
        for law in (scores.event, scores.nonevent):
            share = factor * law.mean_weight(RELATION)
            parts.append(Mixture(law, law.tilted(RELATION), share / (1 + share)))
        return Scores("", *parts).ratio


RELATION = 0.5  # slope of log size in the score


@dataclass(frozen=True)
class Facilities:
    """Facilities of one obligor whose scores and defaults depend on each other."""

    rate: float
    strength: float = 0.6  # correlation of the score with the latent value
    shared: float = 0.4  # share of the obligor in the variance of both

    name = "facilities default one by one, geometric sizes"

    def draw(
        self, random: np.random.Generator, m: int, n: int
    ) -> tuple[np.ndarray, Floats, np.ndarray]:
        """Draw n obligors; about m of every n facilities default."""
        obligor = np.repeat(np.arange(n), random.geometric(1 / 2, n))
        parts = [
            sqrt(self.shared) * random.standard_normal(n)[obligor]
            + sqrt(1 - self.shared) * random.standard_normal(len(obligor))
            for _ in range(2)
        ]
        s = self.strength * parts[0] + sqrt(1 - self.strength**2) * parts[1]
        return parts[0] > norm.isf(m / n), s, obligor

    @cached_property
    def ratio(self) -> float:
        """True AR."""
        laws = (
            Defaulted(norm.isf(self.rate), self.strength, kind) for kind in (True, False)
        )
        return Scores("", *laws).ratio


@dataclass(frozen=True)
class Losses:
    """Amounts: 0, or lognormal; the score tells who has a loss, and how large it is."""

    zeros: float  # share of rows without a loss
    shift: float = 1.2  # distance of scores of rows with a loss
    correlation: float = 0.4  # of score and logarithm of the loss, among losses
    severity: float = 1.2  # standard deviation of the logarithm of the loss

    def draw(self, random: np.random.Generator, n: int) -> tuple[Floats, Floats]:
        """Draw amounts and scores of n rows."""
        amount = np.exp(self.severity * random.standard_normal(n))
        y = np.where(random.random(n) >= self.zeros, amount, 0.0)
        return y, self.score(random, y)

    def score(self, random: np.random.Generator, y: Floats) -> Floats:
        """Draw scores of rows with these amounts."""
        has_loss = y > 0
        latent = np.log(np.where(has_loss, y, 1)) / self.severity
        rest = sqrt(1 - self.correlation**2)
        s = np.where(has_loss, self.shift + self.correlation * latent, 0.0)
        return s + np.where(has_loss, rest, 1.0) * random.standard_normal(len(y))

    @cached_property
    def ratio(self) -> float:
        """True AR: the normalised Gini index."""
        # Under the weights of the losses, their scores move by correlation * severity.
        moved = self.shift + self.correlation * self.severity
        against = self.zeros * norm.cdf(moved / sqrt(2))
        against += (1 - self.zeros) * norm.cdf((moved - self.shift) / sqrt(2))
        gini = self.zeros + (1 - self.zeros) * (2 * norm.cdf(self.severity / sqrt(2)) - 1)
        return float((2 * against - 1) / gini)

    @cached_property
    def somers_d(self) -> float:
        """True Somers' D of the score given the amount."""
        mixed = 2 * self.zeros * (1 - self.zeros)
        both = (1 - self.zeros) ** 2
        concordance = mixed * (2 * norm.cdf(self.shift / sqrt(2)) - 1)
        concordance += both * 2 / pi * asin(self.correlation)
        return float(concordance / (mixed + both))


@dataclass(frozen=True)
class LossRates:
    """Loss rates from 0 to 1 (LGD), a share of them 0, with a score of some strength.

    The exposures are lognormal and independent of both, so weights leave AR as it is.
    """

    zeros: float
    correlation: float = 0.5
    shape: tuple[float, float] = (0.6, 1.2)

    def rate_of(self, latent: Floats) -> Floats:
        """Return the loss rate of a latent normal value."""
        level = (norm.cdf(latent) - self.zeros) / (1 - self.zeros)
        return betaincinv(*self.shape, np.maximum(level, 0))

    def draw(self, random: np.random.Generator, n: int) -> tuple[Floats, Floats, Floats]:
        """Draw loss rates, scores and exposures of n rows."""
        latent, noise = random.standard_normal((2, n))
        s = self.correlation * latent + sqrt(1 - self.correlation**2) * noise
        return self.rate_of(latent), s, random.lognormal(0, 1, n)

    @cached_property
    def ratio(self) -> float:
        """True AR: the normalised Gini index, by quadrature over the latent value."""
        level = (np.arange(40_000) + 0.5) / 40_000
        latent = norm.ppf(level)
        rate = self.rate_of(latent)
        place = 2 * norm.cdf(self.correlation * latent / sqrt(2 - self.correlation**2)) - 1
        return float((rate @ place) / (rate @ (2 * level - 1)))


@dataclass(frozen=True)
class Models:
    """Normal scores of several models for the same rows."""

    ratios: tuple[float, ...]
    correlation: float
    spreads: tuple[float, ...] = (1.0, 1.0)

    @property
    def name(self) -> str:
        """What is compared."""
        shown = " and ".join(f"{ratio:g}" for ratio in dict.fromkeys(self.ratios))
        if len(self.ratios) > 2:
            shown += f", {len(self.ratios)} models"
        spread = " and ".join(f"{each:g}" for each in self.spreads)
        unequal = f", event sd {spread}" if len(set(self.spreads)) > 1 else ""
        return f"AR {shown}, correlation {self.correlation:g}{unequal}"

    def draw(
        self, random: np.random.Generator, m: int, n: int
    ) -> tuple[np.ndarray, list[Floats]]:
        """Draw n rows, of which the first m are events, and the scores of each model."""
        shared = sqrt(self.correlation) * random.standard_normal(n)
        rest = sqrt(1 - self.correlation)
        scores = []
        spreads = self.spreads + (1.0,) * (len(self.ratios) - len(self.spreads))
        for ratio, spread in zip(self.ratios, spreads, strict=True):
            s = shared + rest * random.standard_normal(n)
            s[:m] = separation(ratio, spread) + spread * s[:m]
            scores.append(s)
        return np.arange(n) < m, scores

    @property
    def difference(self) -> float:
        """True difference of the first two accuracy ratios."""
        return self.ratios[0] - self.ratios[1]
