"""What each row contributes to a number, and the variance that follows from it.

One influence function covers AR, the normalised Gini index and Somers' D, with sampling
weights, counted rows, clusters, and any contrast of several numbers on the same rows.
For events it gives the variance of DeLong, DeLong and Clarke-Pearson (1988),
doi:10.2307/2531595; with clusters that of Obuchowski (1997), doi:10.2307/2533958.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from capcurve._engines import arrays
from capcurve._input import Columns
from capcurve._pairs import PairCounts

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Influence:
    """Numbers, and what each row contributes to the error of each.

    Attributes
    ----------
    value : ndarray of shape (n_numbers,)
    psi : ndarray of shape (n_numbers, n_rows)
        It sums to 0 over rows, and over those of each stratum.
    stratum : ndarray of shape (n_rows,) or None
        Rows that were drawn separately, such as events and non-events.
    columns : Columns
        Where weights and clusters stand.
    """

    value: FloatArray
    psi: FloatArray
    stratum: NDArray[Any] | None
    columns: Columns

    def combined(self, contrasts: NDArray[np.float64]) -> "Influence":
        """Take sums of the numbers: rounding does not outweigh what nearly cancels."""
        return replace(self, value=contrasts @ self.value, psi=contrasts @ self.psi)

    @property
    def covariance(self) -> "Covariance":
        """Covariance of the numbers."""
        if self.columns.cluster is None:
            return self.independent_rows()
        return self.clustered_rows(self.columns.cluster)

    @property
    def strata(self) -> list[NDArray[np.bool_]]:
        """Rows of each stratum."""
        if self.stratum is None:
            return [np.ones(self.psi.shape[1], dtype=np.bool_)]
        return [self.stratum == level for level in np.unique(self.stratum)]

    def independent_rows(self) -> "Covariance":
        """Add up what rows contribute, stratum by stratum."""
        parts = []
        for rows in self.strata:
            psi, columns = self.psi[:, rows], self.columns[rows]
            mass, squares = columns.mass, columns.squared_weights
            scale = 1.0 if self.stratum is None else correction(columns.row_counts.sum())
            # A row that stands for several contributes as each of them does on its own.
            matrix = scale * ((psi * (squares / mass**2)) @ psi.T)
            parts.append(Part(matrix, float(mass.sum() ** 2 / squares.sum())))
        return Covariance(parts, np.zeros_like(parts[0].matrix))

    def clustered_rows(self, cluster: NDArray[np.int64]) -> "Covariance":
        """Add up what clusters contribute, also to two strata at once."""
        n_clusters = int(cluster.max()) + 1
        sums, parts = [], []
        for rows in self.strata:
            held = cluster[rows]
            total = np.array(
                [np.bincount(held, psi[rows], minlength=n_clusters) for psi in self.psi]
            )
            size = len(np.unique(held))
            sums.append(total)
            parts.append(Part(correction(size) * (total @ total.T), float(size)))
        both = np.sum(sums, axis=0)
        apart = sum((total @ total.T for total in sums), np.zeros_like(parts[0].matrix))
        cross = correction(n_clusters) * (both @ both.T - apart)
        return Covariance(parts, cross)


class Part(NamedTuple):
    """Covariance that one stratum contributes, and its number of independent units."""

    matrix: FloatArray
    size: float


@dataclass(frozen=True, eq=False)
class Covariance:
    """Covariance of several numbers: of each stratum, and between strata."""

    parts: Sequence[Part]
    cross: FloatArray

    @classmethod
    def from_pairs(cls, pairs: PairCounts) -> "Covariance":
        """Take the variance of one AR from its counted pairs."""
        variances = (
            (pairs.event_variance, pairs.events),
            (pairs.nonevent_variance, pairs.nonevents),
        )
        parts = [Part(np.array([[value]]), float(size)) for value, size in variances]
        return cls(parts, np.zeros((1, 1)))

    @property
    def matrix(self) -> FloatArray:
        """Covariance of all strata together."""
        return sum((part.matrix for part in self.parts), self.cross)

    @property
    def smallest(self) -> float:
        """Independent units of the smallest stratum."""
        return min(part.size for part in self.parts)

    def variance(self) -> float:
        """Variance of the first of the numbers."""
        value = float(self.matrix[0, 0])
        return 0.0 if value < 0 else value

    def degrees_of_freedom(self) -> float:
        """Degrees of freedom of that variance after Welch and Satterthwaite."""
        own = np.array([part.matrix[0, 0] for part in self.parts])
        free = np.array([part.size - 1 for part in self.parts])
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(own.sum() ** 2 / (own**2 / free).sum())


def influence_of_ratios(rivals: Sequence[Columns]) -> Influence:
    """Find what each row contributes to the accuracy ratios of scores of the same rows."""
    columns = rivals[0]
    found = [of_events(each) if columns.has_events else of_amounts(each) for each in rivals]
    values, psi = zip(*found, strict=True)
    stratum = columns.target if columns.has_events else None
    return Influence(np.array(values), np.array(psi), stratum, columns)


def of_events(columns: Columns) -> tuple[float, FloatArray]:
    """Compute AR and the contribution of each row to it."""
    event = columns.target
    weight = columns.mass
    of_event = float(weight[event].sum())
    of_rest = float(weight[~event].sum())
    surplus = arrays.surplus_by_row(columns)
    ratio = float(weight[event] @ surplus[event]) / (of_event * of_rest)
    ratio = min(1.0, max(-1.0, ratio))  # beyond 1 by rounding only
    surplus -= ratio * np.where(event, of_rest, of_event)
    surplus *= weight
    surplus /= of_event * of_rest
    return ratio, surplus


def of_amounts(columns: Columns) -> tuple[float, FloatArray]:
    """Compute the normalised Gini index and the contribution of each row to it."""
    surplus = arrays.surplus_by_row(columns)
    best = arrays.surplus_by_row(columns.ranked_by_target())
    weight = columns.mass
    return of_quotient(surplus, best, weight)


def of_quotient(
    kernel: FloatArray, base: FloatArray, weight: FloatArray
) -> tuple[float, FloatArray]:
    """Compute a quotient of two sums over pairs and the contribution of each row to it."""
    total = float(weight @ base)
    ratio = min(1.0, max(-1.0, float(weight @ kernel) / total))
    return ratio, 2 * weight * (kernel - ratio * base) / total


def correction(n_units: float) -> float:
    """Make up for the mean that was taken from the same units; of one there is none."""
    return n_units / (n_units - 1) if n_units > 1 else float("nan")
