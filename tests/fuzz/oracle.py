"""Exact answers by brute force, from the definitions alone; nothing of capcurve is used.

Outcomes and weights are fractions. Scores are compared as Python compares numbers, which is
exact for integers, floats, decimals and fractions of any size, and become ranks. Pairs are
counted one by one, in integers.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import lcm
from typing import Any, NamedTuple


@dataclass(frozen=True)
class Rows:
    """Rows of positive weight: outcome and weight in units that make them integers.

    ``unit`` of the outcome and of the weight turns the integers back into numbers.
    """

    outcome: list[int]
    weight: list[int]
    rank: list[int]
    score: list[Any]
    outcome_unit: Fraction
    weight_unit: Fraction

    @cached_property
    def mass(self) -> list[int]:
        """Outcome times weight of each row."""
        return [y * w for y, w in zip(self.outcome, self.weight, strict=True)]

    @property
    def is_constant(self) -> bool:
        """Whether all outcomes are equal."""
        return len(set(self.outcome)) < 2

    @cached_property
    def total_weight(self) -> Fraction:
        return sum(self.weight) * self.weight_unit

    @cached_property
    def total_outcome(self) -> Fraction:
        return sum(self.mass) * self.weight_unit * self.outcome_unit

    @cached_property
    def curve(self) -> Curve:
        """Curve of the score."""
        return Curve(self, self.rank)

    @cached_property
    def perfect(self) -> Curve:
        """Curve of the outcome itself."""
        return Curve(self, self.outcome)


def read_rows(
    outcomes: Iterable[Any],
    scores: Iterable[Any],
    weights: Iterable[Any] | None = None,
    *,
    descending: bool = True,
) -> Rows:
    """Leave out rows of weight 0, and rank the scores; the highest rank is the best."""
    listed = list(outcomes)
    weighed = [1] * len(listed) if weights is None else list(weights)
    kept = [row for row in zip(listed, scores, weighed, strict=True) if row[2] > 0]
    outcome, outcome_unit = as_integers([row[0] for row in kept])
    weight, weight_unit = as_integers([row[2] for row in kept])
    score = [row[1] for row in kept]
    order = sorted(set(score), reverse=not descending)
    places = {value: place for place, value in enumerate(order)}
    rank = [places[value] for value in score]
    return Rows(outcome, weight, rank, score, outcome_unit, weight_unit)


def as_integers(values: Sequence[Any]) -> tuple[list[int], Fraction]:
    """Multiply numbers by the least number that makes all of them integers."""
    exact = [Fraction(value) for value in values]
    scale = lcm(*(value.denominator for value in exact))
    return [int(value * scale) for value in exact], Fraction(1, scale)


def sign(difference: int) -> int:
    return (difference > 0) - (difference < 0)


def count_surplus(mass: Sequence[int], weight: Sequence[int], rank: Sequence[Any]) -> int:
    """Sum mass times weight over all pairs of rows, by which of them is ranked better."""
    return sum(
        m * w * ((here > there) - (here < there))
        for m, here in zip(mass, rank, strict=True)
        for w, there in zip(weight, rank, strict=True)
    )


def accuracy_ratio(rows: Rows, rank: Sequence[Any] | None = None) -> Fraction | None:
    """Divide the surplus of the ranking by that of the outcome; None if that is 0."""
    perfect = count_surplus(rows.mass, rows.weight, rows.outcome)
    if perfect == 0:
        return None
    return Fraction(count_surplus(rows.mass, rows.weight, rank or rows.rank), perfect)


def tie_bounds(rows: Rows) -> tuple[Fraction, Fraction]:
    """Compute AR with tied rows ordered against their outcome, and by it."""
    bounds = [
        accuracy_ratio(
            rows, [(r, way * y) for r, y in zip(rows.rank, rows.outcome, strict=True)]
        )
        for way in (-1, 1)
    ]
    worst, best = (Fraction(0) if bound is None else bound for bound in bounds)
    return worst, best


def somers_d(rows: Rows) -> Fraction | None:
    """Count pairs of different outcomes: concordant less discordant, by all of them."""
    surplus = total = 0
    for y, r, w in zip(rows.outcome, rows.rank, rows.weight, strict=True):
        for other_y, other_r, other_w in zip(
            rows.outcome, rows.rank, rows.weight, strict=True
        ):
            if y > other_y:
                total += w * other_w
                surplus += w * other_w * sign(r - other_r)
    return Fraction(surplus, total) if total else None


class Curve:
    """The exact CAP curve: corner points, straight lines, and what is read off them."""

    def __init__(self, rows: Rows, key: Sequence[int]) -> None:
        ranks = sorted(set(key), reverse=True)
        weight = dict.fromkeys(ranks, 0)
        mass = dict.fromkeys(ranks, 0)
        score = {}
        for r, w, m, s in zip(key, rows.weight, rows.mass, rows.score, strict=True):
            weight[r] += w
            mass[r] += m
            score[r] = s
        self.scores = [score[r] for r in ranks]
        self.weights = list(accumulate(weight.values(), initial=0))
        self.masses = list(accumulate(mass.values(), initial=0))
        self.shares = [Fraction(w, self.weights[-1]) for w in self.weights]

    @cached_property
    def rates(self) -> list[Fraction]:
        """Share of the outcome at each point; undefined (ZeroDivisionError) without any."""
        return [Fraction(m, self.masses[-1]) for m in self.masses]

    def outcome_at(self, share: Fraction) -> Fraction:
        """Outcome, in integers' units, in the best share of the population."""
        after = max(1, min(bisect_left(self.shares, share), len(self.shares) - 1))
        left, right = self.shares[after - 1], self.shares[after]
        part = (share - left) / (right - left)
        part = max(Fraction(0), min(Fraction(1), part))
        return self.masses[after - 1] + part * (self.masses[after] - self.masses[after - 1])

    def rate_at(self, share: Fraction) -> Fraction:
        return self.outcome_at(share) / self.masses[-1]

    def share_for(self, rate: Fraction) -> Fraction:
        """Smallest share of the population that captures this share of the outcome."""
        rates = self.rates
        if rate <= 0:
            return Fraction(0)
        after = next(
            (i for i, reached in enumerate(rates) if reached >= rate), len(rates) - 1
        )
        left, right = rates[after - 1], rates[after]
        if right == left:
            return self.shares[after]
        part = min(Fraction(1), (rate - left) / (right - left))
        return self.shares[after - 1] + part * (self.shares[after] - self.shares[after - 1])

    def score_at(self, share: Fraction) -> Any:
        """Last score that is selected at a share of the population; None at none."""
        point = bisect_left(self.shares, share)
        return None if point == 0 else self.scores[min(point, len(self.scores)) - 1]

    def score_after(self, share: Fraction) -> Any:
        """First score that is selected beyond a share of the population."""
        return self.scores[min(bisect_right(self.shares, share), len(self.scores)) - 1]

    @cached_property
    def distance(self) -> Fraction:
        """Largest distance from the diagonal, in integers' units."""
        total = self.masses[-1]
        return max(
            abs(m - share * total)
            for m, share in zip(self.masses, self.shares, strict=True)
        )

    @property
    def area(self) -> Fraction:
        """Area under the curve, by trapezoids."""
        rates = self.rates
        return sum(
            (
                (self.shares[i + 1] - self.shares[i]) * (rates[i] + rates[i + 1]) / 2
                for i in range(len(rates) - 1)
            ),
            Fraction(0),
        )


def area_ratio(rows: Rows) -> Fraction | None:
    """Compute AR a second way: by exact integration of both curves."""
    if rows.is_constant:
        return None
    half = Fraction(1, 2)
    return (rows.curve.area - half) / (rows.perfect.area - half)


def ks(rows: Rows) -> Fraction:
    return rows.curve.distance / rows.perfect.distance


class Band(NamedTuple):
    """A row of a gains table, in numbers."""

    n: Fraction
    n_events: Fraction
    population_share: Fraction
    capture_rate: Fraction | None
    ks: Fraction | None


def gains_table(rows: Rows, edges: Sequence[Fraction]) -> list[Band]:
    """Cut the curve at shares of the population, which end with 1."""
    curve, perfect = rows.curve, rows.perfect
    total, before = curve.masses[-1], [Fraction(0), *edges[:-1]]
    bands = []
    for start, end in zip(before, edges, strict=True):
        reached = curve.outcome_at(end)
        bands.append(
            Band(
                n=(end - start) * rows.total_weight,
                n_events=(reached - curve.outcome_at(start))
                * rows.weight_unit
                * rows.outcome_unit,
                population_share=end,
                capture_rate=reached / total if total else None,
                ks=abs(reached - end * total) / perfect.distance
                if perfect.distance
                else None,
            )
        )
    return bands


def one_against_the_rest(
    labels: Sequence[Any],
    scores: dict[Any, Sequence[Any]],
    weights: Sequence[Any] | None,
    *,
    weighted: bool,
    descending: bool = True,
) -> Fraction | None:
    """Average the AR of each label; labels without or with all of the rows are left out."""
    ratios, shares = [], []
    for label, column in scores.items():
        events = [int(value == label) for value in labels]
        rows = read_rows(events, column, weights, descending=descending)
        ratio = accuracy_ratio(rows)
        if ratio is not None:
            ratios.append(ratio)
            shares.append(rows.total_outcome if weighted else Fraction(1))
    total = sum(shares, Fraction(0))
    if not total:
        return None
    return sum((r * w for r, w in zip(ratios, shares, strict=True)), Fraction(0)) / total
