"""AUCs as angles, on which tests of several segments keep their level."""

from __future__ import annotations

from collections.abc import Sequence
from math import asin, cos, nan, pi, prod, sqrt
from typing import NamedTuple

import numpy as np

from capcurve._inference.accuracy_ratio import compute_ratio_covariance
from capcurve._inference.influence import Covariance, satterthwaite
from capcurve._inference.limits import clip, import_scipy, t_quantile, two_sided_p_value
from capcurve._inference.shrinkage import INTERVAL_MASS, shrink
from capcurve._input.columns import Columns
from capcurve._tally.dtypes import FloatArray

ROUNDING = 1e-12  # AR that is 0 but for the rounding of angles


class Angle(NamedTuple):
    """The AUC of a segment, with the variance of ``arcsin(sqrt(AUC))``, its angle.

    Attributes
    ----------
    auc : float
        The AUC.
    centre : float
        The AUC with pseudo-observations, never 0 or 1.
    auc_variance : float
        Variance of the AUC, never 0.
    degrees_of_freedom : float
        Degrees of freedom of that variance.
    pairs : float
        Weight of the pairs of an event and a non-event.
    n_effective : float
        Effective size of the smaller class.
    """

    auc: float
    centre: float
    auc_variance: float
    degrees_of_freedom: float
    pairs: float
    n_effective: float

    @property
    def value(self) -> float:
        """The angle, from 0 to a half of pi."""
        return asin(sqrt(self.auc))

    @property
    def variance(self) -> float:
        """Variance of the angle."""
        return self.auc_variance / (4 * self.centre * (1 - self.centre))

    @property
    def n_errors(self) -> float:
        """Number of wrongly ranked rows of the smaller class, by the AUC."""
        return self.n_effective * min(self.auc, 1 - self.auc)


class PairTest(NamedTuple):
    """Welch's t-test of two angles: statistic, degrees of freedom and p-value."""

    statistic: float
    degrees_of_freedom: float
    p_value: float


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
        ratio = -cos(2 * clip(angle, 0, pi / 2))
        return 0.0 if abs(ratio) < ROUNDING else ratio

    def fit_change(self, slope: float) -> float:
        """Return the mean change of the accuracy ratio per position, from first to last."""
        change = self.fit_ratio(self.last, slope) - self.fit_ratio(self.first, slope)
        return change / (self.last - self.first)


def measure_segment(columns: Columns) -> Angle | None:
    """Compute the angle of a segment; None if its variance cannot be estimated."""
    if not len(columns.target) or columns.is_constant:
        return None
    ratio, covariance = compute_ratio_covariance(columns)
    if not covariance.smallest > 1:  # a single event, non-event or cluster of them
        return None
    pairs = columns.target_mass * float(columns.mass[~columns.target].sum())
    return measure_angle(ratio, covariance, pairs)


def measure_angle(ratio: float, covariance: Covariance, pairs: float) -> Angle:
    """Compute the angle of an accuracy ratio.

    Its variance is that with the pseudo-observations of intervals, so that it is not 0 in a
    perfectly ranked segment.
    """
    auc, share = (1 + ratio) / 2, shrink(ratio, covariance, INTERVAL_MASS)
    return Angle(
        auc=auc,
        centre=share.value,
        auc_variance=share.variance,
        degrees_of_freedom=share.degrees_of_freedom,
        pairs=pairs,
        n_effective=covariance.smallest,
    )


def average_angles(angles: Sequence[Angle], correlation: FloatArray | None = None) -> Angle:
    """Compute the angle of the mean AUC of segments, weighted by their pairs."""
    pairs = np.array([angle.pairs for angle in angles])
    share = pairs / pairs.sum()
    parts = share**2 * np.array([angle.auc_variance for angle in angles])
    errors = share * find_errors(angles)
    df = np.array([angle.degrees_of_freedom for angle in angles])
    return Angle(
        auc=clip(float(share @ [angle.auc for angle in angles]), 0, 1),
        centre=float(share @ [angle.centre for angle in angles]),
        auc_variance=sum_variance(errors, correlation),
        degrees_of_freedom=satterthwaite(parts, df),
        pairs=float(pairs.sum()),
        n_effective=sum(angle.n_effective for angle in angles),
    )


def find_errors(angles: Sequence[Angle]) -> FloatArray:
    """Return the standard errors of the AUCs of angles."""
    return np.sqrt([angle.auc_variance for angle in angles])


def sum_variance(errors: FloatArray, correlation: FloatArray | None) -> float:
    """Return the variance of a sum of estimates; None: they are independent."""
    if correlation is None:
        return float(errors @ errors)
    return float(errors @ correlation @ errors)


def compare_angles(first: Angle, second: Angle, covariance: float = 0.0) -> PairTest:
    """Test whether two angles are equal, two-sided, by Welch's t-test.

    ``covariance`` is that of the AUCs.
    """
    variances = first.variance, second.variance
    spread = prod(angle.centre * (1 - angle.centre) for angle in (first, second))
    total = sum(variances) - 2 * covariance / (4 * sqrt(spread))
    df = sum(variances) ** 2 / (
        variances[0] ** 2 / first.degrees_of_freedom
        + variances[1] ** 2 / second.degrees_of_freedom
    )
    statistic = (first.value - second.value) / sqrt(total)
    return PairTest(statistic, float(df), two_sided_p_value(statistic, df))


def compare_all_angles(
    angles: Sequence[Angle], correlation: FloatArray | None = None
) -> EqualityTest:
    """Test that all angles are equal; nan for fewer than two.

    Welch (1951), doi:10.1093/biomet/38.3-4.330, with the degrees of freedom of each
    variance in place of the number of its observations less 1. Of correlated angles the
    weighted sum of squares is compared with the multiple of a chi-square variable that has
    its mean and variance: Box (1954), doi:10.1214/aoms/1177728786.
    """
    k = len(angles)
    if k < 2:  # noqa: PLR2004 -- nothing to compare
        return EqualityTest(nan, (nan, nan), nan)
    value = np.array([angle.value for angle in angles])
    weight = 1 / np.array([angle.variance for angle in angles])
    df = np.array([angle.degrees_of_freedom for angle in angles])
    share = weight / weight.sum()
    mean, degrees = float(k - 1), float(k - 1)
    if correlation is not None:
        centred = np.diag(weight) - np.outer(weight, share)
        form = centred @ (correlation / np.sqrt(np.outer(weight, weight)))
        mean = float(np.trace(form))
        degrees = mean**2 / float((form * form.T).sum())
    between = float(weight @ (value - share @ value) ** 2) / mean
    unsure = float(((1 - share) ** 2 / df).sum())
    statistic = between / (1 + 2 * (k - 2) / (k**2 - 1) * unsure)
    both = degrees, (k**2 - 1) / (3 * unsure)
    p_value = float(import_scipy("special").fdtrc(*both, statistic))
    return EqualityTest(statistic, both, p_value)


def fit_line(
    positions: Sequence[int],
    angles: Sequence[Angle],
    correlation: FloatArray | None = None,
) -> Line | None:
    """Fit a line by least squares; None for a single position.

    Angles are weighted by their effective sizes, not by estimated variances: few events
    that happen to have a small one would weigh too much.
    """
    if len(set(positions)) < 2:  # noqa: PLR2004 -- two points make a line
        return None
    place = np.array(positions, dtype=np.float64)
    value = np.array([angle.value for angle in angles])
    variance = np.array([angle.variance for angle in angles])
    df = np.array([angle.degrees_of_freedom for angle in angles])
    size = np.array([angle.n_effective for angle in angles])
    share = size / size.sum()
    mean = float(share @ place)
    leverage = share * (place - mean) / (share @ (place - mean) ** 2)
    parts = leverage**2 * variance
    error = sqrt(sum_variance(leverage * np.sqrt(variance), correlation))
    return Line(
        position=mean,
        angle=float(share @ value),
        slope=float(leverage @ value),
        error=error,
        degrees_of_freedom=satterthwaite(parts, df),
        first=min(positions),
        last=max(positions),
    )
