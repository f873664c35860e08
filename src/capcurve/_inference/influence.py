"""Influence function of statistics, and the covariance that follows from it.

One influence function covers AR, the normalised Gini index and Somers' D, with sampling
weights, counted rows, clusters, and contrasts of several statistics on the same rows. For
events it gives the variance of DeLong, DeLong and Clarke-Pearson (1988),
doi:10.2307/2531595; with clusters that of Obuchowski (1997), doi:10.2307/2533958.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import nan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from capcurve._engines.rows import compute_row_surplus
from capcurve._input.columns import Columns
from capcurve._tally.dtypes import FloatArray
from capcurve._tally.pair_counts import PairCounts
from capcurve._tally.sums import dot, dot_rows
from capcurve._tally.tally import clip_ratio

ROUNDING = 1e-12  # what sums of weights in another order may differ by, as a part of them


@dataclass(frozen=True, eq=False)
class Influence:
    """Statistics of the same rows, with the influence of each row on each of them.

    Attributes
    ----------
    value : ndarray of float64, shape (n_statistics,)
        Value of each statistic.
    psi : ndarray of float64, shape (n_statistics, n_rows)
        Influence of each row: the first-order change of a statistic per relative change of
        the row's weight. It sums to 0 over all rows and, for one AR, over each stratum.
    stratum : ndarray of shape (n_rows,) or None
        Stratum of each row, such as event or non-event; strata are sampled independently.
        None if all rows are one sample.
    columns : Columns
        The rows, for their weights and clusters.
    share : ndarray of float64, shape (n_rows,)
        What each row contributes to the statistic's denominator: its weight or, if all rows
        are one sample, the mass of its pairs.
    """

    value: FloatArray
    psi: FloatArray
    stratum: NDArray[Any] | None
    columns: Columns
    share: FloatArray

    def apply_contrasts(self, contrasts: NDArray[np.float64]) -> "Influence":
        """Return linear combinations of the statistics, one per row of the contrasts.

        Combining influences before they are squared keeps precision where statistics
        nearly cancel.
        """
        return replace(self, value=contrasts @ self.value, psi=contrasts @ self.psi)

    @cached_property
    def covariance(self) -> "Covariance":
        """Covariance of the statistics."""
        cluster = self.columns.cluster
        if cluster is None:
            return self.covariance_of_rows()
        return self.covariance_of_clusters(cluster)

    @property
    def strata(self) -> list[NDArray[np.intp]]:
        """Places of the rows of each stratum."""
        if self.stratum is None:
            return [np.arange(self.psi.shape[1])]
        levels = np.flatnonzero(np.bincount(self.stratum))
        return [np.flatnonzero(self.stratum == level) for level in levels]

    def covariance_of_rows(self) -> "Covariance":
        """Sum the products of the influences of independent rows, by stratum."""
        columns = self.columns
        # The rows that a row stands for are independent: each adds its own square.
        of_rows = self.share, columns.mass, columns.row_counts, *columns.unit_powers
        strata = [
            Stratum(self.psi.take(rows, axis=1), *(each[rows] for each in of_rows))
            for rows in self.strata
        ]
        scales = [bessel_correction(stratum.n_units) for stratum in strata]
        return self.make_covariance(strata, scales, 0.0)

    def covariance_of_clusters(self, cluster: NDArray[np.int64]) -> "Covariance":
        """Sum the products of the influences of clusters, within and between strata."""
        n_clusters = int(cluster.max()) + 1
        overall = np.zeros((len(self.psi), n_clusters))
        within, strata = np.zeros((len(self.psi), len(self.psi))), []
        for rows in self.strata:
            number = cluster[rows]
            total = np.array(
                [np.bincount(number, psi[rows], minlength=n_clusters) for psi in self.psi]
            )
            overall += total
            within = within + dot_rows(total, total)
            held = np.bincount(number, minlength=n_clusters) > 0
            ones = np.ones(np.count_nonzero(held))
            masses = self.share, self.columns.mass
            share, mass = np.array(
                [np.bincount(number, each[rows], n_clusters) for each in masses]
            )[:, held]
            strata.append(Stratum(total[:, held], share, mass, ones, ones, ones))
        cross = bessel_correction(n_clusters) * (dot_rows(overall, overall) - within)
        scales = [bessel_correction(stratum.n_units) for stratum in strata]
        return self.make_covariance(strata, scales, cross)

    def make_covariance(
        self, strata: Sequence["Stratum"], scales: Sequence[float], cross: Any
    ) -> "Covariance":
        """Make the covariance from the units of each stratum."""
        products = [
            dot_rows(stratum.psi * stratum.squares, stratum.psi) for stratum in strata
        ]
        cross = cross + np.zeros_like(products[0])
        if self.stratum is None:
            tails, size = measure_tails(strata), strata[0].size
            part = StratumCovariance(
                # The two rows of a pair share it.
                products[0],
                float(products[0][0, 0]),
                size / 2,
                float(np.fmin(size - 1, tails)),
            )
            if self.columns.weights.cluster is not None:
                part = part._replace(matrix=scales[0] * part.matrix)
            return Covariance([part], cross)
        parts = [
            StratumCovariance(scale * matrix, float(matrix[0, 0]), size, size - 1)
            for matrix, scale, size in zip(
                products, scales, [stratum.size for stratum in strata], strict=True
            )
        ]
        if self.columns.has_counted_events:
            return Covariance(parts, cross)
        equal = measure_tails([stratum.with_equal_weights() for stratum in strata])
        tails = measure_tails(strata) / equal if equal > 0 else 1.0
        return Covariance(parts, cross, min(1.0, tails))


class Stratum(NamedTuple):
    """Influences of the independent units of a stratum, such as the events.

    Attributes
    ----------
    psi : ndarray of float64, shape (n_statistics, n)
        Influences; each of the n entries may stand for several equal units.
    share : ndarray of float64, shape (n,)
        What each entry contributes to the denominator of the statistic.
    mass : ndarray of float64, shape (n,)
        Weight of each entry.
    counts : ndarray of float64, shape (n,)
        Number of units of each entry.
    squares, fourths : ndarray of float64, shape (n,)
        Sums of the 2nd and 4th powers of the shares that units have in an entry.
    """

    psi: FloatArray
    share: FloatArray
    mass: FloatArray
    counts: FloatArray
    squares: FloatArray
    fourths: FloatArray

    @property
    def n_units(self) -> float:
        """Number of units."""
        return float(self.counts.sum())

    @property
    def size(self) -> float:
        """Number of equal units that would share as unevenly: ``sum(w)**2 / sum(w**2)``.

        Kish (1965), Survey Sampling, Wiley.
        """
        return float(self.share.sum() ** 2 / dot(self.share**2, self.squares))

    def with_equal_weights(self) -> "Stratum":
        """Return the influences that the units would have if all weights were equal."""
        factor = self.mass.sum() / (self.mass * self.n_units)
        psi = self.psi * factor * self.counts
        return self._replace(psi=psi, squares=1 / self.counts, fourths=self.counts**-3.0)


def measure_tails(strata: Sequence[Stratum]) -> float:
    """Return the degrees of freedom of a sum of squares from its fourth powers.

    ``2 * sum(psi**2)**2 / sum(psi**4)`` matches mean and variance of a chi-square variable,
    as Satterthwaite (1946), doi:10.2307/3002019, does, with the variance estimated from the
    squares: few large influences leave few degrees of freedom. nan if all are 0.
    """
    largest = max(float(np.abs(stratum.psi[0]).max(initial=0.0)) for stratum in strata)
    if not largest > 0:
        return nan
    powers = [((stratum.psi[0] / largest) ** 2, stratum) for stratum in strata]
    second = sum(dot(psi2, stratum.squares) for psi2, stratum in powers)
    fourth = sum(dot(psi2**2, stratum.fourths) for psi2, stratum in powers)
    return float(2 * second**2 / fourth)


class StratumCovariance(NamedTuple):
    """Covariance from one stratum, and its size in independent units.

    Attributes
    ----------
    matrix : ndarray of float64, shape (n_statistics, n_statistics)
        Covariance of the statistics, with Bessel's correction.
    squares : float
        Sum of the squared influences on the first statistic, without the correction.
    size : float
        Number of independent rows or clusters; with unequal weights the effective one,
        ``sum(w)**2 / sum(w**2)``, of Kish (1965), Survey Sampling, Wiley.
    degrees_of_freedom : float
        Degrees of freedom of the variance, from that size.
    reach : float, default=1.0
        How far one unit can move the first statistic, as a multiple of how far it could
        move the mean of its stratum. 1 for a single AR, less for a mean of several.
    """

    matrix: FloatArray
    squares: float
    size: float
    degrees_of_freedom: float
    reach: float = 1.0


@dataclass(frozen=True, eq=False)
class Covariance:
    """Covariance of several statistics: a part per stratum, and one between strata.

    Attributes
    ----------
    parts : sequence of StratumCovariance
        Covariance from each stratum alone.
    cross : ndarray of float64, shape (n_statistics, n_statistics)
        Covariance from clusters with rows in several strata; 0 without clusters.
    tail_factor : float
        Factor of the degrees of freedom, at most 1: below 1 if a few units of large weight
        have most of the influence.
    """

    parts: Sequence[StratumCovariance]
    cross: FloatArray
    tail_factor: float = 1.0

    @classmethod
    def from_pairs(cls, pairs: PairCounts) -> "Covariance":
        """Make the covariance of one AR from its pair counts."""
        variances = (
            (pairs.event_variance, pairs.events),
            (pairs.nonevent_variance, pairs.nonevents),
        )
        parts = [
            StratumCovariance(
                np.array([[value]]), value * (size - 1) / size, float(size), size - 1.0
            )
            for value, size in variances
        ]
        return cls(parts, np.zeros((1, 1)))

    @property
    def matrix(self) -> FloatArray:
        """Covariance of all strata together, shape (n_statistics, n_statistics)."""
        return sum((part.matrix for part in self.parts), self.cross)

    @property
    def effective_size(self) -> float:
        """Number of independent units in the smallest stratum; of one sample, half its own.

        Either row of a pair of one sample may be the one with more, so half of the rows are
        to the other half what events are to non-events.
        """
        return min(part.size for part in self.parts)

    @property
    def smallest(self) -> float:
        """Number of independent units that have the rarer outcome, at least.

        Of 0/1 outcomes taken as one sample, half its effective size is the harmonic one,
        ``1 / (1 / m + 1 / n)``.
        """
        is_one_sample = len(self.parts) == 1
        return self.effective_size / 2 if is_one_sample else self.effective_size

    def with_reach(self, reach: Sequence[float]) -> "Covariance":
        """Return the covariance with the reach of each stratum."""
        pairs = zip(self.parts, reach, strict=True)
        return replace(self, parts=[part._replace(reach=each) for part, each in pairs])

    def scaled(self, factor: float) -> "Covariance":
        """Return the covariance in a sample that is larger by a factor."""
        if factor == 1:  # exactly
            return self
        parts = [
            part._replace(
                matrix=part.matrix / factor,
                squares=part.squares / factor,
                size=part.size * factor,
                degrees_of_freedom=(part.degrees_of_freedom + 1) * factor - 1,
            )
            for part in self.parts
        ]
        return replace(self, parts=parts, cross=self.cross / factor)

    def variance(self) -> float:
        """Return the variance of the first statistic; 0 if rounding makes it negative."""
        value = float(self.matrix[0, 0])
        return 0.0 if value < 0 else value  # a nan stays

    def degrees_of_freedom(self) -> float:
        """Return the degrees of freedom of that variance.

        Those of Satterthwaite (1946), doi:10.2307/3002019, from the sizes of the strata,
        times the factor. The covariance between strata is left out.
        """
        variances = np.array([part.matrix[0, 0] for part in self.parts])
        df = np.array([part.degrees_of_freedom for part in self.parts])
        return self.tail_factor * satterthwaite(variances, df)


def satterthwaite(variances: FloatArray, df: FloatArray) -> float:
    """Return the degrees of freedom of a sum of variances; nan if all are 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(variances.sum() ** 2 / (variances**2 / df).sum())


def compute_ratio_influence(paired: Sequence[Columns]) -> Influence:
    """Compute the accuracy ratios of scores of the same rows, and their influences."""
    columns = paired[0]
    compute = compute_event_influence if columns.has_events else compute_amount_influence
    values, psi, share = zip(*map(compute, paired), strict=True)
    stratum = columns.target if columns.has_events else None
    return Influence(np.array(values), np.array(psi), stratum, columns, share[0])


def compute_event_influence(columns: Columns) -> tuple[float, FloatArray, FloatArray]:
    """Compute AR of events, the influence of each row, and its share of the class.

    That of an event is ``w * (v - AR) / W``, with W the weight of all events and v its
    placement: the weighted mean of its signs against all non-events. Non-events likewise.
    """
    event = columns.target
    weight = columns.mass
    event_weight = float(weight[event].sum())
    nonevent_weight = float(weight[~event].sum())
    opposite = np.where(event, nonevent_weight, event_weight)
    psi = compute_row_surplus(columns)
    ratio = clip_ratio(dot(weight[event], psi[event]) / (event_weight * nonevent_weight))
    psi -= ratio * opposite  # in place: many rows
    clear_rounding(psi, opposite)
    if not psi.any():  # all rows are ranked without error, all wrongly, or not at all
        ratio = float(round(ratio))
    psi *= weight
    psi /= event_weight * nonevent_weight
    return ratio, psi, weight


def compute_amount_influence(columns: Columns) -> tuple[float, FloatArray, FloatArray]:
    """Compute the normalised Gini index of amounts, and each row's influence and pairs."""
    surplus = compute_row_surplus(columns)
    best = compute_row_surplus(columns.ranked_by_target())
    weight = columns.mass
    return compute_quotient_influence(surplus, best, weight)


def compute_quotient_influence(
    kernel: FloatArray, base: FloatArray, weight: FloatArray
) -> tuple[float, FloatArray, FloatArray]:
    """Compute a ratio of two sums over pairs of rows, and each row's influence and pairs.

    ``kernel`` and ``base`` hold the sum of either over all pairs of a row.
    """
    total = dot(weight, base)
    ratio = clip_ratio(dot(weight, kernel) / total)
    psi = kernel - ratio * base
    clear_rounding(psi, base.max())
    if not psi.any() and abs(ratio) >= 1 - ROUNDING:  # no pair or every pair is wrong
        ratio = float(round(ratio))
    return ratio, 2 * weight * psi / total, weight * base


def clear_rounding(difference: FloatArray, scale: FloatArray | float) -> None:
    """Set what rounding alone leaves of equal numbers of some size to 0, in place.

    Degrees of freedom are ratios of sums of such differences, however small these are.
    """
    difference[np.abs(difference) <= ROUNDING * scale] = 0.0


def bessel_correction(n_units: float) -> float:
    """Return Bessel's correction n / (n - 1); nan for a single unit."""
    return n_units / (n_units - 1) if n_units > 1 else float("nan")
