"""Influence of each row on the shares of a ranking: capture rate and response rate.

A cut selects a share of the population. It is estimated as well, so a row has an influence
through its own outcome and one through the place of the cut. Sums of squared influences are
the variance of independent rows with weights, those of sums per cluster the variance of
clusters, as in the infinitesimal jackknife of Jaeckel (1972), Bell Laboratories.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, sqrt
from typing import NamedTuple, Self

import numpy as np

from capcurve._curve.curve import CapCurve, make_curve
from capcurve._curve.profile import interpolate_at
from capcurve._engines.rows import number_scores_best_first
from capcurve._inference.limits import clip
from capcurve._input.columns import Columns, Weights
from capcurve._tally.dtypes import FloatArray, IntArray
from capcurve._tally.sums import dot

# The slope of the curve at the cut is estimated within WINDOW * N**-0.2 of its population
# share. N**-0.2 is the rate that minimises the mean squared error of a kernel estimate
# (Silverman, 1986, doi:10.1201/9781315140919). The factor is a rule of thumb.
WINDOW = 0.5
# A block of ties whose share exceeds this many standard errors of the place of the cut is a
# grade with a slope of its own.
WIDE = 2.0
NEGLIGIBLE = 1e-18  # variance that is rounding, as a part of that without centring


class Cut(NamedTuple):
    """The cut that selects a share of the population.

    Attributes
    ----------
    share, captured : float
        Population share selected, and capture rate there.
    block : int
        Place, best first, of the block of ties that the cut falls into.
    part : float
        Share of that block which is selected.
    slope : float
        Slope of the curve at the cut: the outcome there as a multiple of the mean outcome.
    """

    share: float
    captured: float
    block: int
    part: float
    slope: float


class Spread(NamedTuple):
    """Variance of a statistic, and the degrees of freedom of that variance."""

    variance: float
    degrees_of_freedom: float = inf


def find_cut(curve: CapCurve, share: float, n_rows: float) -> Cut:
    """Find the cut at a share of a population of so many (effective) rows."""
    reached = curve.population_share
    last = len(reached) - 2
    block = min(max(int(np.searchsorted(reached, share)) - 1, 0), last)
    width = float(reached[block + 1] - reached[block])
    error = max(sqrt(share * (1 - share) / n_rows), 1 / n_rows)  # a row at the ends
    reach = error if width > WIDE * error else WINDOW * n_rows**-0.2
    ends = np.array([max(0.0, share - reach), min(1.0, share + reach)])
    heights = interpolate_at(ends, reached, curve.capture_rate)
    return Cut(
        share,
        float(curve.capture_rate_at(share)),
        block,
        clip((share - reached[block]) / width, 0, 1),
        float((heights[1] - heights[0]) / (ends[1] - ends[0])),
    )


@dataclass(frozen=True, eq=False)
class RankedRows:
    """Rows with their curve and the place of each row's score in it, best first.

    Places that are not given are found when somebody asks for them.
    """

    curve: CapCurve
    columns: Columns
    places: IntArray | None = None

    @classmethod
    def of_columns(cls, columns: Columns) -> Self:
        """Rank checked rows. Equal weights and clusters of one row each are left out."""
        columns = leave_out_equal_weights(leave_out_lone_clusters(columns))
        return cls(make_curve(columns), columns)

    @cached_property
    def block(self) -> IntArray:
        """Place of each row's score in the curve, from 0 for the best."""
        if self.places is None:
            return number_scores_best_first(self.columns)
        return self.places

    @property
    def is_counted(self) -> bool:
        """Whether rows are independent 0/1 events of equal weight."""
        return self.columns.has_counted_events

    @cached_property
    def n_effective(self) -> float:
        """Effective number of rows."""
        return count_effective(self.columns)

    def find_cut(self, share: float) -> Cut:
        """Find the cut at a population share."""
        return find_cut(self.curve, share, self.n_effective)

    def condense(self, blocks: Sequence[int]) -> Self:
        """Add up counted rows of the same outcome between some blocks, and within each.

        A cut in one of the blocks selects the same part of all rows that were added up.
        """
        tally = self.curve.tally
        number = np.arange(len(tally))
        edges = np.unique(blocks)
        zone = 2 * np.searchsorted(edges, number) - np.isin(number, edges) + 1
        zones, first, place = np.unique(zone, return_index=True, return_inverse=True)
        events = np.bincount(place, tally.target, len(zones))
        counts = np.append(events, np.bincount(place, tally.weight, len(zones)) - events)
        present = counts > 0
        is_event = np.repeat([True, False], len(zones))[present]
        weights = Weights(value=counts[present], counts_rows=True)
        block = np.append(first, first)[present]
        return replace(self, columns=Columns(is_event, block, weights), places=block)

    def select(self, cut: Cut) -> FloatArray:
        """Return how much of each row is selected: 1 above the cut, 0 below."""
        selected = (self.block < cut.block).astype(np.float64)
        selected[self.block == cut.block] = cut.part
        return selected

    def select_between(self, first: Cut | None, last: Cut) -> FloatArray:
        """Return how much of each row is between two cuts, or above the last alone."""
        return self.select(last) - (0.0 if first is None else self.select(first))

    def select_block(self, block: int) -> FloatArray:
        """Return 1 for each row of a block of ties, and 0 for others."""
        inside: FloatArray = (self.block == block).astype(np.float64)
        return inside

    def count_units(self, part: FloatArray) -> float:
        """Return the effective number of rows or clusters of which a part is in a band."""
        columns, mass = self.columns, self.columns.mass * part
        if columns.weights.cluster is None:
            squares = part**2 * columns.squared_weights
        else:
            squares = sum_by_cluster(columns, mass) ** 2
        return float(mass.sum() ** 2 / squares.sum())

    def capture_influence(self, cut: Cut, *, given_classes: bool = False) -> FloatArray:
        """Compute the influence of each row on the capture rate at a cut.

        It is ``w * (y * (g - Y) / T - s * (g - x) / W)``, with g the part of the row that
        is selected, Y the capture rate, x the population share, s the slope of the curve,
        and T and W the total outcome and weight. ``given_classes`` takes the total weights
        of events and of non-events as known: x is then the share of the row's own class.
        """
        columns, selected, curve = self.columns, self.select(cut), self.curve
        centre: FloatArray | float = cut.share
        if given_classes:
            rate = curve.response_rate
            others = clip((cut.share - rate * cut.captured) / (1 - rate), 0, 1)
            centre = np.where(columns.target, cut.captured, others)
        outcome = columns.target * (selected - cut.captured) / curve.total_target
        return columns.mass * (
            outcome - cut.slope * (selected - centre) / curve.total_weight
        )

    def null_variance(self, cut: Cut) -> float:
        """Compute the variance of the capture rate under an uninformative score.

        Outcomes are then unrelated to weights and scores: the variance is that of the place
        of the cut, over all rows, times the squared coefficient of variation of outcomes.
        With clusters it is that of their sums, and no less than if events of a cluster
        were selected together.
        """
        columns, curve = self.columns, self.curve
        away = self.select(cut) - cut.share
        mass, target, rows = columns.mass, columns.target, columns.row_counts
        if columns.weights.cluster is None:
            place = dot(away**2, columns.squared_weights) / curve.total_weight**2
            n_rows, total = float(rows.sum()), dot(rows, target)
            return float(place * (n_rows * dot(rows, target**2) / total**2 - 1))
        sums = sum_by_cluster(columns, mass * away) / curve.total_weight
        parts = sum_by_cluster(columns, mass * target) / curve.total_target
        n_clusters = len(np.unique(columns.weights.cluster))
        together = dot(sums, sums) * (n_clusters * dot(parts, parts) - 1)
        apart = dot(parts, parts) * dot(mass, away**2) / curve.total_weight
        return float(max(together, apart))

    def response_influence(self, first: Cut | None, last: Cut) -> FloatArray:
        """Compute the influence of each row on the response rate between two cuts.

        Without ``first`` the band begins with the best row.
        """
        columns, rate = self.columns, self.curve.response_rate
        total = self.curve.total_weight

        def outcome_above(cut: Cut) -> FloatArray:
            selected = self.select(cut)
            rest = rate * (cut.captured + cut.slope * (selected - cut.share))
            return columns.mass * (columns.target * selected - rest) / total

        above = outcome_above(last)
        if first is None:
            return above / last.share
        return (above - outcome_above(first)) / (last.share - first.share)

    def block_influence(self, block: int) -> FloatArray:
        """Compute the influence of each row on the response rate of its block of ties."""
        tally, columns = self.curve.tally, self.columns
        mean = tally.target[block] / tally.weight[block]
        mass = np.where(self.block == block, columns.mass, 0.0)
        psi: FloatArray = mass * (columns.target - mean) / tally.weight[block]
        return psi

    def measure(self, psi: FloatArray) -> Spread:
        """Compute the variance of a statistic from the influence of each row on it.

        The degrees of freedom are ``2 * sum(psi**2)**2 / sum(psi**4)``, by Satterthwaite
        (1946), doi:10.2307/3002019, from the estimated fourth moment.
        """
        columns = self.columns
        if columns.weights.cluster is not None:
            squares = sum_by_cluster(columns, psi) ** 2
            fourths = squares**2
        else:
            power2, power4 = columns.unit_powers
            squares, fourths = psi**2 * power2, psi**4 * power4
        total, fourth = float(squares.sum()), float(fourths.sum())
        if total <= NEGLIGIBLE * dot(psi, psi):
            return Spread(0.0)
        n = self.n_units
        correction = n / (n - 1) if n > 1 and not self.is_counted else 1.0
        free = inf if self.is_counted else max(1.0, 2 * total**2 / fourth)
        return Spread(correction * total, free)

    @cached_property
    def n_units(self) -> int:
        """Number of rows or clusters with an outcome above 0."""
        columns = self.columns
        present = columns.target > 0
        if columns.weights.cluster is not None:
            return len(np.unique(columns.weights.cluster[present]))
        return round(float(columns.row_counts[present].sum()))

    @cached_property
    def n_effective_units(self) -> float:
        """Effective number of rows or clusters with an outcome above 0."""
        return count_effective_units(self.columns)


def count_effective(columns: Columns) -> float:
    """Compute the effective number of rows, ``sum(w)**2 / sum(w**2)`` (Kish, 1965)."""
    return float(columns.mass.sum() ** 2 / columns.squared_weights.sum())


def count_effective_units(columns: Columns) -> float:
    """Compute the effective number of rows or clusters with an outcome above 0."""
    mass = columns.mass * columns.target
    if columns.weights.cluster is not None:
        squares = sum_by_cluster(columns, mass) ** 2
    else:
        squares = columns.target**2 * columns.squared_weights
    total = float(squares.sum())
    return float(mass.sum()) ** 2 / total if total else 0.0


def count_smaller_class(columns: Columns) -> float:
    """Compute the effective size of the smaller class; of amounts, of those above 0."""
    if columns.has_counted_events:
        return float(min(columns.class_counts))
    units = count_effective_units(columns)
    if not columns.has_events:
        return units
    return min(units, count_effective_units(columns.with_target(~columns.target)))


def leave_out_equal_weights(columns: Columns) -> Columns:
    """Leave out sampling weights that are all equal, as they change no share."""
    weights = columns.weights
    value = weights.value
    if value is None or weights.counts_rows or weights.rows is not None:
        return columns
    if value.min() < value.max():
        return columns
    return replace(columns, weights=Weights(cluster=weights.cluster))


def leave_out_lone_clusters(columns: Columns) -> Columns:
    """Leave out clusters that hold one row each, as these are independent rows."""
    weights = columns.weights
    if weights.cluster is None or weights.counts_rows or weights.rows is not None:
        return columns
    if len(np.unique(weights.cluster)) < len(columns.target):
        return columns
    return replace(columns, weights=replace(weights, cluster=None))


def sum_by_cluster(columns: Columns, values: FloatArray) -> FloatArray:
    """Add up the values of the rows of each cluster."""
    sums = np.bincount(np.asarray(columns.weights.cluster), values)
    return np.asarray(sums, dtype=np.float64)


def count_variance(curve: CapCurve, cut: Cut, *, given_classes: bool = False) -> float:
    """Compute the variance of the capture rate at a cut of a curve of counted 0/1 events.

    It is that of the influences. Given the numbers of events and of non-events, with p the
    event rate at the cut and pi that of all rows, it is ``(1 - p)**2`` times the variance
    from the events and ``(p * (1 - pi) / pi)**2`` times that from the non-events. The
    variance of either class is that of g, the part of a row that is selected, over its
    rows. If the numbers are not given, the event rate moves the place of the cut: that adds
    ``(p * (Y - x))**2 / (n * pi * (1 - pi))``, for a capture rate Y at a share x of n rows.
    """
    tally, rate = curve.tally, curve.response_rate
    local_rate = clip(cut.slope * rate, 0, 1)
    events = curve.total_target
    nonevents = curve.total_weight - events
    above = curve.population_share[cut.block] * curve.total_weight
    events_above = curve.capture_rate[cut.block] * events
    tied_events = float(tally.target[cut.block])
    tied = float(tally.weight[cut.block]) - tied_events
    from_events = selection_variance(events_above, tied_events, cut.part, events)
    others = selection_variance(above - events_above, tied, cut.part, nonevents)
    variance = (1 - local_rate) ** 2 * from_events / events
    variance += (local_rate * (1 - rate) / rate) ** 2 * others / nonevents
    if given_classes:
        return variance
    place = (local_rate * (cut.captured - cut.share)) ** 2
    return variance + place * curve.total_weight / events / nonevents


def selection_variance(above: float, tied: float, part: float, size: float) -> float:
    """Compute the variance of g over the rows of a class, which is 1, ``part`` or 0."""
    mean = (above + part * tied) / size
    return max(0.0, (above + part**2 * tied) / size - mean**2)
