"""Accuracy ratio of the event rates of one sample at the grade shares of another.

Rows are weighted by their grade, as in direct standardisation; where rows of a grade are
tied, AR of the weighted rows is ``AR(q, r)`` of shares q and event rates r:
``sum q_g r_g q_h (1 - r_h) sign(g before h) / (M (1 - M))`` with ``M = sum q_g r_g``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import nan
from typing import NamedTuple

import numpy as np

from capcurve._inference.grades import Grades
from capcurve._inference.influence import compute_ratio_influence
from capcurve._inference.unseen_events import UnseenEvents, find_unseen_events
from capcurve._input.columns import Columns, Weights
from capcurve._tally.dtypes import Array, FloatArray, IntArray
from capcurve._tally.sums import dot


@dataclass(frozen=True, eq=False)
class Portfolios:
    """Graded rows of one or several samples.

    Attributes
    ----------
    columns : Columns
        The rows of all samples.
    sample : ndarray of int64, shape (n_rows,)
        Sample of each row, from 0.
    grades : Grades
    mass : ndarray of float64, shape (n_samples, n_grades)
        Weight of the rows of each grade.
    """

    columns: Columns
    sample: IntArray
    grades: Grades
    mass: FloatArray

    @cached_property
    def share(self) -> FloatArray:
        """Share of each grade in its sample, shape (n_samples, n_grades)."""
        return np.asarray(self.mass / self.mass.sum(axis=1, keepdims=True))

    @cached_property
    def rate(self) -> FloatArray:
        """Event rate or mean amount of each grade; 0 in a sample without its rows."""
        outcome = self.sum_by_grade(self.columns.mass * self.columns.target)
        rate = np.zeros_like(outcome)
        np.divide(outcome, self.mass, out=rate, where=self.mass > 0)
        return rate

    @cached_property
    def units(self) -> FloatArray:
        """Number of independent units in each grade: Kish's, of rows or of clusters."""
        cluster = self.columns.weights.cluster
        if cluster is None:
            squares = self.sum_by_grade(self.columns.squared_weights)
        else:
            cell = cluster * self.mass.size + self.cell
            place, number = np.unique(cell, return_inverse=True)
            mass = np.bincount(number, self.columns.mass)
            sums = np.bincount(place % self.mass.size, mass**2, self.mass.size)
            squares = np.asarray(sums.reshape(self.mass.shape), np.float64)
        units = np.zeros_like(squares)
        np.divide(self.mass**2, squares, out=units, where=squares > 0)
        return units

    @cached_property
    def cell(self) -> IntArray:
        """Number of the sample and grade of each row."""
        return self.sample * self.grades.size + self.grades.number

    @cached_property
    def stratum(self) -> IntArray:
        """Number of the sample and, of events, the class of each row."""
        if not self.columns.has_events:
            return self.sample
        return np.asarray(2 * self.sample + self.columns.target)

    @cached_property
    def unseen_events(self) -> UnseenEvents:
        """What grades with few events lack in variance; nothing for amounts."""
        if not self.columns.has_events:
            return UnseenEvents(np.zeros_like(self.mass), np.zeros_like(self.mass))
        position = np.array([self.find_positions(share) for share in self.share])
        return find_unseen_events(self.rate, self.units, position)

    def sum_by_grade(self, values: FloatArray) -> FloatArray:
        """Sum values of the rows over each grade of each sample."""
        sums = np.bincount(self.cell, values, minlength=self.mass.size)
        return np.asarray(sums.reshape(self.mass.shape))

    def find_positions(self, share: FloatArray) -> FloatArray:
        """Return the share ranked below less that ranked above each grade."""
        ascending = 2 * np.cumsum(share) - share - share.sum()
        return np.asarray(ascending if self.columns.descending else -ascending)


def make_portfolios(columns: Columns, sample: IntArray, grades: Grades) -> Portfolios:
    """Take equal rows of a sample together, and sum the weights of grades.

    Rows of clusters stay apart.
    """
    n_samples = int(sample.max()) + 1
    if columns.weights.cluster is None:
        kind, first = number_equal_rows(columns, sample)
        columns = count_equal_rows(columns, kind, first)
        sample, grades = sample[first], grades._replace(number=grades.number[first])
    empty = Portfolios(columns, sample, grades, np.zeros((n_samples, grades.size)))
    return replace(empty, mass=empty.sum_by_grade(columns.mass))


def number_equal_rows(columns: Columns, sample: IntArray) -> tuple[IntArray, IntArray]:
    """Give equal rows a number, and return the first row of each number too."""
    _, score = np.unique(columns.score, return_inverse=True)
    outcome = columns.target.astype(np.int64)
    if not columns.has_events:
        _, outcome = np.unique(columns.target, return_inverse=True)
    kind = (score * (outcome.max() + 1) + outcome) * (sample.max() + 1) + sample
    _, first, number = np.unique(kind, return_index=True, return_inverse=True)
    return number, first


def count_equal_rows(columns: Columns, kind: IntArray, first: IntArray) -> Columns:
    """Return a row for each kind of equal rows, which knows how many it stands for."""
    mass, rows, squares = (
        np.bincount(kind, values).astype(np.float64)
        for values in (columns.mass, columns.row_counts, columns.squared_weights)
    )
    weights = Weights(value=mass, rows=rows, squares=squares)
    if columns.weight is None or columns.weights.counts_rows:
        weights = Weights(value=mass, counts_rows=True)
    return replace(
        columns,
        target=columns.target[first],
        score=columns.score[first],
        weights=weights,
    )


class Mixture(NamedTuple):
    """An accuracy ratio at some shares, and what it depends on.

    Attributes
    ----------
    ratio : float
        The accuracy ratio; nan if it is undefined.
    by_rows : ndarray of float64, shape (n_rows,)
        Influence of each row by the outcomes within its grade.
    by_shares : ndarray of float64, shape (n_rows,)
        Influence of each row by the share of its grade; 0 where shares are known.
    slope : ndarray of float64, shape (n_samples, n_grades)
        Derivative with respect to the event rate of each grade.
    """

    ratio: float
    by_rows: FloatArray
    by_shares: FloatArray
    slope: FloatArray


def mix(
    portfolios: Portfolios,
    share: FloatArray,
    source: IntArray,
    sample_of_shares: int | None = None,
) -> Mixture:
    """Compute AR at some shares, with the outcomes of each grade from a given sample.

    Parameters
    ----------
    portfolios : Portfolios
    share : ndarray of float64, shape (n_grades,)
        Share of each grade.
    source : ndarray of int64, shape (n_grades,)
        Sample that gives the outcomes of each grade, which has rows of the grade.
    sample_of_shares : int, default=None
        Sample that the shares were estimated from; None if they are known.
    """
    columns, grade = portfolios.columns, portfolios.grades.number
    of_sample = columns.mass / portfolios.mass[source[grade], grade]
    used = (source[grade] == portfolios.sample) & (share[grade] > 0)
    weights = Weights(value=(share[grade] * of_sample)[used])
    weighted = replace(columns[used], weights=weights)
    n_rows = len(grade)
    by_rows, by_shares = np.zeros(n_rows), np.zeros(n_rows)
    slope = np.zeros_like(portfolios.mass)
    if weighted.is_constant:
        return Mixture(nan, by_rows + nan, by_shares + nan, slope + nan)
    influence = compute_ratio_influence([weighted])
    by_rows[used] = influence.psi[0]
    by_grade = np.bincount(grade, by_rows, minlength=len(share))
    by_rows[used] -= (of_sample * by_grade[grade])[used]
    if sample_of_shares is not None:
        own = portfolios.sample == sample_of_shares
        mass = portfolios.mass[sample_of_shares, grade[own]]
        by_shares[own] = columns.mass[own] / mass * by_grade[grade[own]]
    if columns.has_events:
        grades = np.arange(len(share))
        rate = portfolios.rate[source, grades]
        slope[source, grades] = find_slope(share, rate, portfolios.find_positions(share))
    return Mixture(float(influence.value[0]), by_rows, by_shares, slope)


def find_slope(share: FloatArray, rate: FloatArray, position: FloatArray) -> FloatArray:
    """Return the derivative of ``AR(q, r)`` with respect to each event rate."""
    events = share * rate
    mean = events.sum()
    spread = mean * (1 - mean)
    ratio = events @ position / spread
    return np.asarray(share * (position - ratio * (1 - 2 * mean)) / spread)


def combine(mixtures: Mapping[str, Mixture], factors: Mapping[str, float]) -> Mixture:
    """Return a linear combination of mixtures."""
    weights = np.array(list(factors.values()))
    chosen = [mixtures[name] for name in factors]
    return Mixture(
        float(weights @ [each.ratio for each in chosen]),
        weights @ np.array([each.by_rows for each in chosen]),
        weights @ np.array([each.by_shares for each in chosen]),
        np.tensordot(weights, np.array([each.slope for each in chosen]), 1),
    )


def find_variance(
    portfolios: Portfolios, part: Mixture, unseen: UnseenEvents
) -> tuple[float, float]:
    """Return the variance of a part, and its degrees of freedom.

    The degrees of freedom are twice the squared variance, divided by the fourth moment of
    the influences: those of a variance that a few rows, or a few unseen events, make up.
    """
    added = float((part.slope**2 * unseen.variance).sum())
    variance = sum_squares(portfolios, part.by_rows + part.by_shares) + added
    fourth = sum_fourth_powers(portfolios, part.by_rows)
    fourth += float((part.slope**4 * unseen.fourth).sum())
    if not fourth > 0:
        return variance, np.inf
    return variance, max(2 * variance**2 / fourth, 1.0)


def sum_squares(portfolios: Portfolios, influence: FloatArray) -> float:
    """Sum the squared influences of independent rows or clusters, by stratum.

    Clusters add up over strata, and so over samples. Of one AR it is DeLong's variance.
    """
    columns, cluster = portfolios.columns, portfolios.columns.weights.cluster
    _, stratum = np.unique(portfolios.stratum, return_inverse=True)
    if cluster is None:
        squares = influence**2 * columns.squared_weights / columns.mass**2
        within = np.bincount(stratum, squares)
        return float(dot(correct(np.bincount(stratum, columns.row_counts)), within))
    names, cluster = np.unique(cluster, return_inverse=True)
    cell, number = np.unique(stratum * len(names) + cluster, return_inverse=True)
    within = np.bincount(cell // len(names), np.bincount(number, influence) ** 2)
    overall = (np.bincount(cluster, influence) ** 2).sum()
    total = correct(np.bincount(cell // len(names))) @ within
    total += correct(np.array([len(names)]))[0] * (overall - within.sum())
    return float(np.maximum(total, 0))  # a nan stays


def correct(sizes: Array) -> FloatArray:
    """Return Bessel's correction n / (n - 1) of each size; nan for a single unit."""
    correction = np.full(len(sizes), nan)
    np.divide(sizes, sizes - 1, out=correction, where=sizes > 1)
    return correction


def sum_fourth_powers(portfolios: Portfolios, influence: FloatArray) -> float:
    """Sum the fourth powers of the influences of independent rows or clusters.

    Equal rows, which are one here, count as that many (Kish) rows of equal weight.
    """
    columns = portfolios.columns
    if columns.weights.cluster is not None:
        sums = np.bincount(columns.weights.cluster, influence)
        return float(((sums**2) ** 2).sum())
    rows = columns.mass**2 / columns.squared_weights
    return float(dot(((influence / rows) ** 2) ** 2, rows))
