"""Influence function of statistics, and the covariance that follows from it.

One influence function covers AR, the normalised Gini index and Somers' D, with sampling
weights, counted rows, clusters, and contrasts of several statistics on the same rows. For
events it gives the variance of DeLong, DeLong and Clarke-Pearson (1988),
doi:10.2307/2531595; with clusters that of Obuchowski (1997), doi:10.2307/2533958.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from capcurve._engines.rows import compute_row_surplus
from capcurve._input.columns import Columns
from capcurve._tally.dtypes import FloatArray
from capcurve._tally.pair_counts import PairCounts
from capcurve._tally.tally import clip_ratio


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
    """

    value: FloatArray
    psi: FloatArray
    stratum: NDArray[Any] | None
    columns: Columns

    def apply_contrasts(self, contrasts: NDArray[np.float64]) -> "Influence":
        """Return linear combinations of the statistics, one per row of the contrasts.

        Combining influences before they are squared keeps precision where statistics
        nearly cancel.
        """
        return replace(self, value=contrasts @ self.value, psi=contrasts @ self.psi)

    @property
    def covariance(self) -> "Covariance":
        """Covariance of the statistics."""
        if self.columns.weights.cluster is None:
            return self.covariance_of_rows()
        return self.covariance_of_clusters(self.columns.weights.cluster)

    @property
    def strata(self) -> list[NDArray[np.bool_]]:
        """Mask of the rows of each stratum."""
        if self.stratum is None:
            return [np.ones(self.psi.shape[1], dtype=np.bool_)]
        return [self.stratum == level for level in np.unique(self.stratum)]

    def covariance_of_rows(self) -> "Covariance":
        """Sum the products of the influences of independent rows, by stratum."""
        parts = []
        for rows in self.strata:
            psi, columns = self.psi[:, rows], self.columns[rows]
            mass, squares = columns.mass, columns.squared_weights
            scale = (
                1.0 if self.stratum is None else bessel_correction(columns.row_counts.sum())
            )
            # The rows that a row stands for are independent: each adds its own square.
            matrix = scale * ((psi * (squares / mass**2)) @ psi.T)
            parts.append(StratumCovariance(matrix, float(mass.sum() ** 2 / squares.sum())))
        return Covariance(parts, np.zeros_like(parts[0].matrix))

    def covariance_of_clusters(self, cluster: NDArray[np.int64]) -> "Covariance":
        """Sum the products of the influences of clusters, within and between strata."""
        n_clusters = int(cluster.max()) + 1
        sums, parts = [], []
        for rows in self.strata:
            number = cluster[rows]
            total = np.array(
                [np.bincount(number, psi[rows], minlength=n_clusters) for psi in self.psi]
            )
            size = len(np.unique(number))
            sums.append(total)
            parts.append(
                StratumCovariance(bessel_correction(size) * (total @ total.T), float(size))
            )
        overall = np.sum(sums, axis=0)
        within = sum((total @ total.T for total in sums), np.zeros_like(parts[0].matrix))
        cross = bessel_correction(n_clusters) * (overall @ overall.T - within)
        return Covariance(parts, cross)


class StratumCovariance(NamedTuple):
    """Covariance from one stratum, and its size in independent units.

    Units are rows or clusters; with sampling weights, Kish's effective number of rows.
    """

    matrix: FloatArray
    size: float


@dataclass(frozen=True, eq=False)
class Covariance:
    """Covariance of several statistics: a part per stratum, and one between strata.

    Attributes
    ----------
    parts : sequence of StratumCovariance
        Covariance from each stratum alone.
    cross : ndarray of float64, shape (n_statistics, n_statistics)
        Covariance from clusters with rows in several strata; 0 without clusters.
    """

    parts: Sequence[StratumCovariance]
    cross: FloatArray

    @classmethod
    def from_pairs(cls, pairs: PairCounts) -> "Covariance":
        """Make the covariance of one AR from its pair counts."""
        variances = (
            (pairs.event_variance, pairs.events),
            (pairs.nonevent_variance, pairs.nonevents),
        )
        parts = [
            StratumCovariance(np.array([[value]]), float(size)) for value, size in variances
        ]
        return cls(parts, np.zeros((1, 1)))

    @property
    def matrix(self) -> FloatArray:
        """Covariance of all strata together, shape (n_statistics, n_statistics)."""
        return sum((part.matrix for part in self.parts), self.cross)

    @property
    def smallest(self) -> float:
        """Number of independent units in the smallest stratum."""
        return min(part.size for part in self.parts)

    def variance(self) -> float:
        """Return the variance of the first statistic; 0 if rounding makes it negative."""
        value = float(self.matrix[0, 0])
        return 0.0 if value < 0 else value  # a nan stays

    def degrees_of_freedom(self) -> float:
        """Return the Welch-Satterthwaite degrees of freedom of that variance.

        Satterthwaite (1946), doi:10.2307/3002019; the covariance between strata is left
        out.
        """
        variances = np.array([part.matrix[0, 0] for part in self.parts])
        df = np.array([part.size - 1 for part in self.parts])
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(variances.sum() ** 2 / (variances**2 / df).sum())


def compute_ratio_influence(paired: Sequence[Columns]) -> Influence:
    """Compute the accuracy ratios of scores of the same rows, and their influences."""
    columns = paired[0]
    compute = compute_event_influence if columns.has_events else compute_amount_influence
    values, psi = zip(*map(compute, paired), strict=True)
    stratum = columns.target if columns.has_events else None
    return Influence(np.array(values), np.array(psi), stratum, columns)


def compute_event_influence(columns: Columns) -> tuple[float, FloatArray]:
    """Compute AR of events and the influence of each row.

    That of an event is ``w * (v - AR) / W``, with W the weight of all events and v its
    placement: the weighted mean of its signs against all non-events. Non-events likewise.
    """
    event = columns.target
    weight = columns.mass
    event_weight = float(weight[event].sum())
    nonevent_weight = float(weight[~event].sum())
    psi = compute_row_surplus(columns)
    ratio = clip_ratio(float(weight[event] @ psi[event]) / (event_weight * nonevent_weight))
    psi -= ratio * np.where(event, nonevent_weight, event_weight)  # in place: many rows
    psi *= weight
    psi /= event_weight * nonevent_weight
    return ratio, psi


def compute_amount_influence(columns: Columns) -> tuple[float, FloatArray]:
    """Compute the normalised Gini index of amounts and the influence of each row."""
    surplus = compute_row_surplus(columns)
    best = compute_row_surplus(columns.ranked_by_target())
    weight = columns.mass
    return compute_quotient_influence(surplus, best, weight)


def compute_quotient_influence(
    kernel: FloatArray, base: FloatArray, weight: FloatArray
) -> tuple[float, FloatArray]:
    """Compute a ratio of two sums over pairs of rows and the influence of each row.

    ``kernel`` and ``base`` hold the sum of either over all pairs of a row.
    """
    total = float(weight @ base)
    ratio = clip_ratio(float(weight @ kernel) / total)
    return ratio, 2 * weight * (kernel - ratio * base) / total


def bessel_correction(n_units: float) -> float:
    """Return Bessel's correction n / (n - 1); nan for a single unit."""
    return n_units / (n_units - 1) if n_units > 1 else float("nan")
