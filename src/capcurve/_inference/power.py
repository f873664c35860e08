"""Power of tests of accuracy ratios, and the search for what reaches a power."""

from collections.abc import Callable, Sequence
from math import isfinite, isnan, nan, sqrt
from typing import NamedTuple

import numpy as np

from capcurve._inference.comparison import Hypothesis
from capcurve._inference.differences import ScoreDistances
from capcurve._inference.influence import Covariance, StratumCovariance, satterthwaite
from capcurve._inference.limits import import_scipy, t_quantile
from capcurve._inference.root import find_root
from capcurve._inference.shrinkage import TEST_MASS, shrink

MOST_EVENTS = 10**12  # searched for a plan
PAIR = 2
NEAR_ONE = 1 - 1e-9  # the largest AR that is assumed
LEAST_DF = 1  # with fewer, the quantiles of t have no end
STEPS = 256  # in which a difference is searched for


class Precision(NamedTuple):
    """How precisely a statistic is estimated at given numbers of events and non-events.

    Attributes
    ----------
    standard_error : float
        Standard deviation of the statistic.
    expected_error : float
        The standard error that the test divides by: the square root of the mean of DeLong's
        variance, which exceeds the truth by the interaction of events and non-events, or of
        the variance under the hypothesis.
    degrees_of_freedom : float
        Welch-Satterthwaite degrees of freedom of the standard error.
    """

    standard_error: float
    expected_error: float
    degrees_of_freedom: float

    @property
    def is_known(self) -> bool:
        """Whether there are enough rows for a standard error."""
        return isfinite(self.standard_error) and self.degrees_of_freedom > 0


class Components(NamedTuple):
    """Variance components of a statistic of pairs, per event, non-event and pair.

    With ``m`` events and ``n`` non-events its variance is
    ``event / m + nonevent / n + pair / (m * n)``.
    """

    event: float
    nonevent: float
    pair: float


class Sample(NamedTuple):
    """Numbers of events and non-events of a sample."""

    n_events: int
    n_nonevents: int


def expect_precision(parts: Sequence[tuple[Components, Sample]]) -> Precision:
    """Return the precision of a sum of statistics of independent samples.

    The means of DeLong's two components are those of the law, each with the share of the
    pairs added: its variance exceeds the true one by ``pair / (m * n)`` in the mean.
    """
    variances, sizes, excess = [], [], 0.0
    for (event, nonevent, pair), (m, n) in parts:
        share = pair / (m * n)
        variances += [event / m + share, nonevent / n + share]
        sizes += [m, n]
        excess += share
    estimated = sum(variances)
    return Precision(
        sqrt(max(estimated - excess, 0.0)),
        sqrt(estimated),
        satterthwaite(np.array(variances), np.array(sizes) - 1) if min(sizes) > 1 else nan,
    )


def expect_score_precision(
    ratios: Sequence[float],
    parts: Sequence[tuple[Components, Sample]],
    hypothesis: Hypothesis,
) -> Precision:
    """Return the precision of the score test of the accuracy ratios of two samples.

    Its statistic scatters as the true ratios let it, but is divided by the error that it
    has under the hypothesis: if one sample is much larger, both ratios are near its own
    there, so that the two errors differ.
    """
    shares = [
        shrink(ratio, expect_covariance(*part), TEST_MASS)
        for ratio, part in zip(ratios, parts, strict=True)
    ]
    first, second = ((1 + ratio) / 2 for ratio in ratios)
    trials = shares[0].n_trials, shares[1].n_trials
    distances = ScoreDistances(first, second, trials, correlation=0.0, width=2.0)
    null = -hypothesis.side * hypothesis.margin / distances.width
    dfs = np.array([share.degrees_of_freedom for share in shares])
    return Precision(
        expect_precision(parts).standard_error,
        distances.width * distances.find_error(null),
        satterthwaite(1 / np.array(trials), dfs),
    )


def expect_covariance(components: Components, sample: Sample) -> Covariance:
    """Return the mean of DeLong's covariance in a sample; nan for a class of one row."""
    share = components.pair / (sample.n_events * sample.n_nonevents)
    parts = []
    for component, size in zip(components[:2], sample, strict=True):
        variance = component / size + share if size > 1 else nan
        parts.append(
            StratumCovariance(
                np.array([[variance]]),
                variance * (size - 1) / size,
                float(size),
                size - 1.0,
            )
        )
    return Covariance(parts, np.zeros((1, 1)))


def scale_precision(covariance: Covariance, factor: float) -> Precision:
    """Return the precision of the first statistic in a sample larger by a factor.

    The degrees of freedom grow as those of a single part do, which are its size less 1.
    They are nan where a part would have fewer than two rows in effect: a row that has
    nearly all weight hides how uncertain it is.
    """
    error = sqrt(covariance.variance() / factor)
    df = factor * (covariance.degrees_of_freedom() + 1) - 1
    return Precision(error, error, df if factor * covariance.smallest >= PAIR else nan)


def compute_power(difference: float, precision: Precision, hypothesis: Hypothesis) -> float:
    """Compute the probability that a test finds a true difference; nan if it is unknown.

    The statistic is taken for a noncentral t; a two-sided test counts both ends.
    """
    df = precision.degrees_of_freedom
    if not precision.is_known or df < LEAST_DF:
        return nan
    level = hypothesis.confidence_level
    two_sided = hypothesis.alternative == "two-sided"
    quantile = t_quantile((1 + level) / 2 if two_sided else level, df)
    critical = quantile * precision.expected_error / precision.standard_error
    shift = (hypothesis.side * difference + hypothesis.margin) / precision.standard_error
    power = 1 - noncentral_t_cdf(critical, df, shift)
    return power + noncentral_t_cdf(-critical, df, shift) if two_sided else power


def noncentral_t_cdf(statistic: float, degrees_of_freedom: float, shift: float) -> float:
    """Compute the distribution function of the noncentral t.

    Where SciPy gives nan, far out, the normal approximation 26.7.10 of Abramowitz and
    Stegun takes its place. The statistic has the sign of a normal variable around the
    shift, which bounds the answer where the approximation is coarse.
    """
    special = import_scipy("special")
    found = float(special.nctdtr(degrees_of_freedom, shift, statistic))
    if isnan(found):
        factor = 1 - 1 / (4 * degrees_of_freedom)
        scale = sqrt(1 + statistic**2 / (2 * degrees_of_freedom))
        found = float(special.ndtr((statistic * factor - shift) / scale))
    is_negative = float(special.ndtr(-shift))
    return min(found, is_negative) if statistic < 0 else max(found, is_negative)


def find_fewest(is_enough: Callable[[int], bool]) -> int | None:
    """Find the smallest number of events, from 2, that is enough; None if none is.

    What is enough stays so with more events.
    """
    low, high = 1, 2
    while not is_enough(high):
        low, high = high, 2 * high
        if high > MOST_EVENTS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def find_nearest(
    power_at: Callable[[float], float], power: float, start: float, end: float
) -> float:
    """Find the value nearest to the start at which a power is reached; nan if none is."""
    values = np.linspace(start, end, STEPS + 1).tolist()
    reached = (i for i, value in enumerate(values) if power_at(value) >= power)
    first = next(reached, None)
    if first is None:
        return nan
    if first == 0:
        return float(values[0])
    return find_root(
        lambda value: power_at(value) - power, values[first - 1], values[first]
    )
