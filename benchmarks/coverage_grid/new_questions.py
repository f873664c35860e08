"""Cells of implied AR, change, segments, planning, equivalence, and shares compared."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.random import Generator
from scipy.optimize import brentq
from scipy.special import expit

import capcurve
from capcurve import accuracy_ratio_interval, accuracy_ratio_test
from coverage_grid.designs import (
    FIVE,
    SEVEN,
    Models,
    Scores,
    binormal,
    graded,
)
from coverage_grid.laws import Floats
from coverage_grid.ledger import LEVEL, Ledger
from coverage_grid.measures import SHARES, draw_events, percent
from coverage_grid.simulation import Simulation

# -- Implied AR: probabilities that are right


@dataclass(frozen=True)
class Probabilities:
    """Probabilities of an event whose log-odds are normal; outcomes follow them."""

    rate: float
    slope: float  # standard deviation of the log-odds
    n: int
    in_grades: bool = False

    @property
    def name(self) -> str:
        """Expected events, and how much the probabilities tell apart."""
        grades = ", 7 grades" if self.in_grades else ""
        expected = self.rate * self.n
        return f"{expected:.0f} of {self.n} expected, log-odds sd {self.slope:g}{grades}"

    @cached_property
    def level(self) -> float:
        """Mean of the log-odds at which the mean probability is the rate."""
        z = np.random.default_rng(0).standard_normal(20_000)
        return float(
            brentq(lambda a: expit(a + self.slope * z).mean() - self.rate, -30, 30)
        )

    def draw(self, random: Generator) -> tuple[np.ndarray, Floats]:
        """Draw outcomes and probabilities."""
        z = random.standard_normal(self.n)
        if self.in_grades:
            z = np.searchsorted(SEVEN, z + 0.5) - 2.0
        p = expit(self.level + self.slope * z)
        return random.random(self.n) < p, p


def implied(ledger: Ledger, random: Generator, design: Probabilities) -> None:
    """Measure tests of probabilities that are right."""
    y, p = design.draw(random)
    if not 1 < y.sum() < len(y) - 1:
        return
    for alternative in ("two-sided", "less", "greater"):
        found = capcurve.accuracy_ratio_test_implied(y, p, alternative=alternative)
        ledger.reject(alternative, found.p_value)
    found = capcurve.accuracy_ratio_test_implied(y, p, shift=False)
    ledger.reject("two-sided, no shift", found.p_value)


# -- Change of AR: mix and ranking


@dataclass(frozen=True)
class Portfolio:
    """Grades, the best score last, with their shares and event rates."""

    shares: tuple[float, ...]
    rates: tuple[float, ...]

    def draw(self, random: Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
        """Draw outcomes and grades of n rows."""
        grade = random.choice(len(self.shares), n, p=self.shares)
        return random.random(n) < np.array(self.rates)[grade], grade.astype(np.float64)

    @property
    def ratio(self) -> float:
        """True AR."""
        return ratio_of(self.shares, self.rates)


def ratio_of(shares: tuple[float, ...], rates: tuple[float, ...]) -> float:
    """Return AR of grades with these shares and event rates, by all pairs."""
    events = np.multiply(shares, rates)
    others = np.array(shares) - events
    above = np.sign(np.subtract.outer(range(len(shares)), range(len(shares))))
    return float(events @ above @ others / (events.sum() * others.sum()))


RATES = (0.01, 0.02, 0.04, 0.08, 0.16, 0.3)
FLATTER = (0.03, 0.04, 0.06, 0.08, 0.12, 0.2)
BEFORE = Portfolio((0.1, 0.25, 0.3, 0.2, 0.1, 0.05), RATES)
MOVED = Portfolio((0.3, 0.3, 0.2, 0.1, 0.06, 0.04), RATES)
WORSE = Portfolio((0.3, 0.3, 0.2, 0.1, 0.06, 0.04), FLATTER)
CHANGES = {
    "nothing changes": (BEFORE, BEFORE),
    "mix changes": (BEFORE, MOVED),
    "ranking changes": (MOVED, WORSE),
    "both change": (BEFORE, WORSE),
}


def change(
    ledger: Ledger, random: Generator, design: tuple[Portfolio, Portfolio], n: int
) -> None:
    """Measure intervals of the change of AR and of its parts."""
    drawn = [portfolio.draw(random, n) for portfolio in design]
    y, grade = (np.concatenate(each) for each in zip(*drawn, strict=True))
    sample = np.repeat([1, 2], n)
    found = capcurve.accuracy_ratio_change(y, grade, sample, empty_grades="other")
    warned = ledger.is_warned
    for part, truth in zip(("total", "mix", "ranking"), true_parts(*design), strict=True):
        ledger.cover(part, getattr(found, part), truth, warned=warned)
    if design[0].rates == design[1].rates:
        ledger.reject("ranking is the same", found.ranking.p_value, warned=warned)


def true_parts(first: Portfolio, second: Portfolio) -> tuple[float, float, float]:
    """Return the change of AR, and what mix and ranking add to it."""
    ratios = {
        (i, j): ratio_of(one.shares, other.rates)
        for i, one in enumerate((first, second))
        for j, other in enumerate((first, second))
    }
    mix = (ratios[1, 0] - ratios[0, 0] + ratios[1, 1] - ratios[0, 1]) / 2
    total = ratios[1, 1] - ratios[0, 0]
    return total, mix, total - mix


def at_reference(ledger: Ledger, random: Generator, n: int) -> None:
    """Measure the interval of AR at a reference portfolio."""
    y, grade = BEFORE.draw(random, n)
    reference = {float(i): share for i, share in enumerate(MOVED.shares)}
    found = capcurve.accuracy_ratio_at_reference(y, grade, reference)
    ledger.cover("default", found, ratio_of(MOVED.shares, RATES))


# -- Segments


def segments(
    ledger: Ledger, random: Generator, design: Scores, sizes: tuple[tuple[int, int], ...]
) -> None:
    """Measure tests of segments with one AR, and the interval of the pooled AR."""
    drawn = [design.draw(random, m, n) for m, n in sizes]
    y, s = (np.concatenate(each) for each in zip(*drawn, strict=True))
    segment = np.repeat(np.arange(len(sizes)), [n for _, n in sizes])
    found = capcurve.accuracy_ratio_test_segments(y, s, segment, ordered=True)
    warned = ledger.is_warned
    ledger.reject("all equal", found.p_value, warned=warned)
    ledger.reject("no trend", found.trend.p_value, warned=warned)
    # Holm's bound holds with any dependence, so it is conservative.
    smallest = min(found.p_holm.values())
    ledger.reject("any by Holm", smallest, "5 % exact test", warned=warned)
    shifted = s + 0.5 * segment  # only pairs within segments count
    pooled = capcurve.pooled_accuracy_ratio_interval(y, shifted, segment)
    ledger.cover("pooled AR", pooled, design.ratio)


# -- Planning


def planned_pair(ledger: Ledger, random: Generator, design: Models, m: int, n: int) -> None:
    """Measure the power of the test of two scores against what was planned."""
    power, warned = plan_once(ledger, design.ratios, m, n, correlation=design.correlation)
    y, (first, second) = design.draw(random, m, n)
    found = accuracy_ratio_test(y, first, second)
    ledger.predict("power", power, hit=found.p_value < LEVEL, warned=warned)


def planned_samples(
    ledger: Ledger,
    random: Generator,
    *,
    ratios: tuple[float, float],
    m: int,
    n: int,
    times: float = 1.0,
) -> None:
    """Measure the power of the test of two samples against what was planned.

    The second sample has so many times the events and rows of the first.
    """
    power, warned = plan_once(ledger, ratios, m, n, events_ratio=times)
    sizes = (m, n), (round(times * m), round(times * n))
    estimates = [
        accuracy_ratio_interval(*binormal(ratio).draw(random, *size))
        for ratio, size in zip(ratios, sizes, strict=True)
    ]
    found = capcurve.accuracy_ratio_test_independent(*estimates)
    ledger.predict("power", power, hit=found.p_value < LEVEL, warned=warned)


# AR of two samples, events and rows of the first, and how much larger the second is.
UNEQUAL = (
    ((0.6, 0.41), 50, 1000, 10),
    ((0.41, 0.6), 50, 1000, 10),
    ((0.6, 0.41), 500, 10_000, 0.1),
    ((0.8, 0.7), 101, 2020, 10),
    ((0.7, 0.8), 101, 2020, 10),
    ((0.6, 0.5), 200, 4000, 5),
    ((0.3, 0.5), 60, 200, 20),
    ((0.9, 0.85), 200, 1000, 10),
    ((0.85, 0.9), 200, 1000, 10),
    ((0.3, 0.05), 300, 1000, 0.2),
    ((0.5, 0.3), 50, 5000, 3),
)
PLANS: dict[Any, tuple[float, bool]] = {}


def plan_once(
    ledger: Ledger, ratios: tuple[float, ...], m: int, n: int, **samples: float
) -> tuple[float, bool]:
    """Plan a test, once for each design: its power, and whether a warning came."""
    key = ratios, m, n, *samples.items()
    if key not in PLANS:
        ledger.forget()
        plan = capcurve.plan_test(*ratios, event_rate=m / n, n_events=m, **samples)
        PLANS[key] = plan.power, ledger.is_warned
    return PLANS[key]


# -- Equivalence, and two scores at a share


def equivalence(ledger: Ledger, random: Generator, design: Models, m: int, n: int) -> None:
    """Measure the test of equivalence: the scores differ by just the margin."""
    y, (first, second) = design.draw(random, m, n)
    found = accuracy_ratio_test(
        y, first, second, alternative="equivalent", margin=abs(design.difference)
    )
    # With few events no difference is small enough to be told from the margin.
    ledger.reject("equivalent", found.p_value, "5 % exact test")


def capture_paired(
    ledger: Ledger, random: Generator, design: Models, m: int, n: int
) -> None:
    """Measure tests of two capture rates, and the interval of their difference."""
    y, (first, second) = design.draw(random, draw_events(random, m, n), n)
    for share in (0.05, 0.1, 0.2):
        found = capcurve.capture_rate_test(y, first, second, fraction=share)
        captured = (binormal(ratio).capture(share, m / n) for ratio in design.ratios)
        truth = next(captured) - next(captured)
        ledger.cover(percent(share), found, truth, warned=ledger.is_warned)
        if truth == 0:
            for alternative in ("greater", "less"):
                found = capcurve.capture_rate_test(
                    y, first, second, fraction=share, alternative=alternative
                )
                ledger.reject(f"{percent(share)} {alternative}", found.p_value)


class Range(NamedTuple):
    """Two limits."""

    low: float
    high: float


def response(ledger: Ledger, random: Generator, design: Scores, m: int, n: int) -> None:
    """Measure intervals of the response rate at a share; the number of events varies."""
    y, s = design.draw(random, draw_events(random, m, n), n)
    for share in SHARES:
        truth = design.capture(share, m / n) * m / n / share
        found = capcurve.response_rate_interval(y, s, fraction=share)
        ledger.cover(percent(share), found, truth)
    ledger.forget()
    ends = (0.05, 0.2)
    table = capcurve.gains_table(
        pl.DataFrame({"y": y, "s": s}), "y", "s", bands=ends, confidence_level=0.95
    )
    captured = [design.capture(share, m / n) for share in ends]
    truth = (captured[1] - captured[0]) * m / n / (ends[1] - ends[0])
    band = Range(table["response_rate_low"][1], table["response_rate_high"][1])
    ledger.cover("band, 5 to 20 %", band, truth, warned=ledger.is_warned)


# -- The cells

SIZES_OF_SEGMENTS = {
    "5 segments of 20 events": ((20, 400),) * 5,
    "5 segments of 50 events": ((50, 500),) * 5,
    "5 segments of 20 to 200 events": tuple((m, 10 * m) for m in (20, 40, 60, 100, 200)),
    "8 segments of 20 events": ((20, 200),) * 8,
}
ALIKE = (
    binormal(0.3),
    binormal(0.6),
    binormal(0.8),
    binormal(0.8, 0.5),
    binormal(0.6, 2),
    graded(0.6, FIVE),
)


def cells() -> Iterator[Simulation]:
    """Yield the simulations."""
    yield from cells_of_implied()
    yield from cells_of_change()
    yield from cells_of_segments()
    yield from cells_of_plans()
    yield from cells_of_shares()
    yield from cells_of_equivalence()


def cells_of_implied() -> Iterator[Simulation]:
    """Yield the simulations of probabilities that are right."""
    for slope, in_grades in ((0.6, False), (1.3, False), (1.3, True), (2.5, False)):
        for rate, n in ((0.02, 1000), (0.02, 2500), (0.2, 150), (0.05, 2000), (0.2, 2500)):
            design = Probabilities(rate, slope, n, in_grades)
            measure = partial(implied, design=design)
            yield Simulation("implied AR of right PDs", design.name, measure, 1000)


def cells_of_change() -> Iterator[Simulation]:
    """Yield the simulations of a change, and of AR at a reference portfolio."""
    for n in (400, 1000, 2500):
        events = round(n * float(np.dot(BEFORE.shares, BEFORE.rates)))
        for name, design in CHANGES.items():
            measure = partial(change, design=design, n=n)
            shown = f"{name}, about {events} of {n}"
            yield Simulation("change of AR: mix and ranking", shown, measure, 1000)
        shown = f"about {events} of {n}"
        measure = partial(at_reference, n=n)
        yield Simulation("AR at a reference portfolio", shown, measure, 1000)


def cells_of_segments() -> Iterator[Simulation]:
    """Yield the simulations of segments."""
    for design in ALIKE:
        for shown, sizes in SIZES_OF_SEGMENTS.items():
            name = f"{design.name}, {shown}"
            measure = partial(segments, design=design, sizes=sizes)
            yield Simulation("segments with one AR", name, measure, 1000)


def cells_of_shares() -> Iterator[Simulation]:
    """Yield the simulations of two scores at a share, and of response rates."""
    for models in (Models((0.6, 0.6), 0.5), Models((0.8, 0.6), 0.6)):
        for m, n in ((20, 1000), (50, 1000), (100, 2000), (50, 125)):
            yield Simulation(
                "two scores at a share",
                f"{models.name}, about {m} of {n}",
                partial(capture_paired, design=models, m=m, n=n),
                500,
            )
    for design in (binormal(0.02), binormal(0.6), graded(0.6, SEVEN)):
        for m, n in ((20, 1000), (50, 125), (100, 2000)):
            yield Simulation(
                "response rate at a share",
                f"{design.name}, about {m} of {n}",
                partial(response, design=design, m=m, n=n),
                500,
            )


def cells_of_equivalence() -> Iterator[Simulation]:
    """Yield the simulations of scores that differ by just the margin."""
    for models in (Models((0.6, 0.65), 0.8), Models((0.85, 0.75), 0.8)):
        for m, n in ((50, 1000), (100, 2000), (500, 5000)):
            yield Simulation(
                "equivalence of two scores, margin at its edge",
                f"{models.name}, {m} of {n}",
                partial(equivalence, design=models, m=m, n=n),
                500,
            )


def cells_of_plans() -> Iterator[Simulation]:
    """Yield the simulations of planned power."""
    for ratios, correlation in (((0.6, 0.5), 0.8), ((0.8, 0.7), 0.6), ((0.4, 0.2), 0.3)):
        for m, n in ((50, 1000), (100, 2000), (300, 3000)):
            design = Models(ratios, correlation)
            yield Simulation(
                "planned power",
                f"{design.name}, {m} of {n}",
                partial(planned_pair, design=design, m=m, n=n),
                1000,
            )
            yield plan_samples(ratios, m, n)
    for ratios, m, n, times in UNEQUAL:
        yield plan_samples(ratios, m, n, times)


def plan_samples(
    ratios: tuple[float, float], m: int, n: int, times: float = 1.0
) -> Simulation:
    """Return the simulation of two samples, the second larger by a factor."""
    other = "" if times == 1 else f" and {times * m:.0f} of {times * n:.0f}"
    return Simulation(
        "planned power",
        f"AR {ratios[0]:g} and {ratios[1]:g}, two samples, {m} of {n}{other}",
        partial(planned_samples, ratios=ratios, m=m, n=n, times=times),
        1000,
    )
