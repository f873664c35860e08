"""AUCs as angles, on which tests of several segments keep their level."""

from __future__ import annotations

from collections.abc import Sequence
from math import asin, cos, inf, nan, pi, sqrt
from typing import NamedTuple

import numpy as np

from capcurve._inference.accuracy_ratio import compute_ratio_covariance
from capcurve._inference.influence import Covariance
from capcurve._inference.limits import clip, import_scipy, t_quantile, two_sided_p_value
from capcurve._input.columns import Columns
from capcurve._tally.dtypes import FloatArray

QUARTER = 0.25  # of an event and of a non-event, at either end of the ranking


class Angle(NamedTuple):
    """The AUC of a segment, with the variance of ``arcsin(sqrt(AUC))``, its angle.

    Attributes
    ----------
    auc : float
        The AUC.
    centre : float
        The AUC with the quarters of `measure_angle`, never 0 or 1.
    auc_variance : float
        Variance of the AUC, never 0.
    degrees_of_freedom : float
        Degrees of freedom of that variance.
    pairs : float
        Weight of the pairs of an event and a non-event.
    misranked : float
        Size of the minority class, times AUC or 1 - AUC, whichever is smaller.
    """

    auc: float
    centre: float
    auc_variance: float
    degrees_of_freedom: float
    pairs: float
    misranked: float = inf

    @property
    def value(self) -> float:
        """The angle, from 0 to a half of pi."""
        return asin(sqrt(self.auc))

    @property
    def variance(self) -> float:
        """Variance of the angle."""
        return self.auc_variance / (4 * self.centre * (1 - self.centre))


class EqualityTest(NamedTuple):
    """A test that several angles are equal."""

    statistic: float
    degrees_of_freedom: tuple[float, float]
    p_value: float


class Line(NamedTuple):
    """A line through angles at ordered positions.

    Attributes
    ----------
    position, angle : float
        Means, through which the line goes.
    slope, error : float
        Change of the angle per position, and its standard error.
    degrees_of_freedom : float
        Degrees of freedom of the standard error.
    first, last : int
        First and last position.
    """

    position: float
    angle: float
    slope: float
    error: float
    degrees_of_freedom: float
    first: int
    last: int

    @property
    def statistic(self) -> float:
        """Slope in standard errors."""
        return self.slope / self.error

    @property
    def p_value(self) -> float:
        """Two-sided p-value of a slope of 0."""
        return two_sided_p_value(self.statistic, self.degrees_of_freedom)

    def find_slopes(self, level: float) -> tuple[float, float]:
        """Compute the confidence limits of the slope."""
        half_width = t_quantile((1 + level) / 2, self.degrees_of_freedom) * self.error
        return self.slope - half_width, self.slope + half_width

    def fit_ratio(self, position: float, slope: float) -> float:
        """Return the accuracy ratio of a line of some slope at a position."""
        angle = self.angle + slope * (position - self.position)
        return -cos(2 * clip(angle, 0, pi / 2))

    def fit_change(self, slope: float) -> float:
        """Return the mean change of the accuracy ratio per position, from first to last."""
        change = self.fit_ratio(self.last, slope) - self.fit_ratio(self.first, slope)
        return change / (self.last - self.first)


def measure_segment(columns: Columns) -> Angle | None:
    """Compute the angle of a segment; None if its variance cannot be estimated."""
    if not len(columns.target) or columns.is_constant:
        return None
    ratio, covariance = compute_ratio_covariance(columns)
    size = count_units(columns, covariance)
    if not size.min() > 1:  # a single event, non-event or cluster of them
        return None
    pairs = columns.target_mass * float(columns.mass[~columns.target].sum())
    return measure_angle(ratio, covariance, size, pairs)


def count_units(columns: Columns, covariance: Covariance) -> FloatArray:
    """Return the effective number of independent units behind each part of a covariance.

    Clusters of unequal weight count for fewer: Kish (1965), Survey Sampling, Wiley.
    """
    size = np.array([part.size for part in covariance.parts])
    cluster = columns.weights.cluster
    if cluster is None:
        return size
    classes = [columns.target == level for level in np.unique(columns.target)]
    mass = [np.bincount(cluster[rows], columns.mass[rows]) for rows in classes]
    kish = [float(each.sum() ** 2 / (each @ each)) for each in mass]
    return np.minimum(size, kish)


def measure_angle(
    ratio: float, covariance: Covariance, size: FloatArray, pairs: float
) -> Angle:
    """Compute the angle of an accuracy ratio.

    For the variance, a quarter of an event and a quarter of a non-event are added at the
    top and at the bottom of the ranking, so that it is not 0 in a perfectly ranked segment.
    ``size`` is that of `count_units`.
    """
    variance = np.array([part.matrix[0, 0] for part in covariance.parts]) / 4
    (m, n), auc, added = size.tolist(), (1 + ratio) / 2, 2 * QUARTER
    centre = m * n * auc + added * (m + n) / 2 + added**2 / 2
    centre /= (m + added) * (n + added)
    spread = 1 / 4 + (centre - 1 / 2) ** 2  # squared distance of what is added
    scale = (size - 1 + added) * (size + added)
    least = added * spread / scale
    parts = size * (size - 1) * variance / scale + least
    total = float(parts.sum() + covariance.cross[0, 0] / 4)
    df = parts.sum() ** 2 / (parts**2 / (size - 1)).sum()
    return Angle(
        auc=auc,
        centre=centre,
        auc_variance=max(total, float(least.sum())),
        degrees_of_freedom=float(np.fmin(df, covariance.degrees_of_freedom())),
        pairs=pairs,
        misranked=min(m, n) * min(auc, 1 - auc),
    )


def average_angles(angles: Sequence[Angle]) -> Angle:
    """Compute the angle of the mean AUC of segments, weighted by their pairs."""
    pairs = np.array([angle.pairs for angle in angles])
    share = pairs / pairs.sum()
    parts = share**2 * np.array([angle.auc_variance for angle in angles])
    df = np.array([angle.degrees_of_freedom for angle in angles])
    return Angle(
        auc=clip(float(share @ [angle.auc for angle in angles]), 0, 1),
        centre=float(share @ [angle.centre for angle in angles]),
        auc_variance=float(parts.sum()),
        degrees_of_freedom=float(parts.sum() ** 2 / (parts**2 / df).sum()),
        pairs=float(pairs.sum()),
    )


def compare_angles(first: Angle, second: Angle) -> float:
    """Return the two-sided p-value of two independent angles, by Welch's t-test."""
    variances = first.variance, second.variance
    total = sum(variances)
    df = total**2 / (
        variances[0] ** 2 / first.degrees_of_freedom
        + variances[1] ** 2 / second.degrees_of_freedom
    )
    return two_sided_p_value((first.value - second.value) / sqrt(total), df)


def compare_all_angles(angles: Sequence[Angle]) -> EqualityTest:
    """Test that all angles are equal; nan for fewer than two.

    Welch (1951), doi:10.1093/biomet/38.3-4.330, with the degrees of freedom of each
    variance in place of the number of its observations less 1.
    """
    k = len(angles)
    if k < 2:  # noqa: PLR2004 -- nothing to compare
        return EqualityTest(nan, (nan, nan), nan)
    value = np.array([angle.value for angle in angles])
    weight = 1 / np.array([angle.variance for angle in angles])
    df = np.array([angle.degrees_of_freedom for angle in angles])
    share = weight / weight.sum()
    between = float(weight @ (value - share @ value) ** 2) / (k - 1)
    unsure = float(((1 - share) ** 2 / df).sum())
    statistic = between / (1 + 2 * (k - 2) / (k**2 - 1) * unsure)
    degrees = float(k - 1), (k**2 - 1) / (3 * unsure)
    p_value = float(import_scipy("special").fdtrc(*degrees, statistic))
    return EqualityTest(statistic, degrees, p_value)


def fit_line(positions: Sequence[int], angles: Sequence[Angle]) -> Line | None:
    """Fit a line by least squares, weighted by precision; None for a single position."""
    if len(set(positions)) < 2:  # noqa: PLR2004 -- two points make a line
        return None
    place = np.array(positions, dtype=np.float64)
    value = np.array([angle.value for angle in angles])
    weight = 1 / np.array([angle.variance for angle in angles])
    df = np.array([angle.degrees_of_freedom for angle in angles])
    mean = float(weight @ place / weight.sum())
    squares = float(weight @ (place - mean) ** 2)
    parts = weight * (place - mean) ** 2 / squares**2  # variance from each position
    return Line(
        position=mean,
        angle=float(weight @ value / weight.sum()),
        slope=float((weight * (place - mean)) @ value / squares),
        error=1 / sqrt(squares),
        degrees_of_freedom=float(parts.sum() ** 2 / (parts**2 / df).sum()),
        first=min(positions),
        last=max(positions),
    )
