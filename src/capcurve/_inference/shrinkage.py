"""Accuracy ratios with pseudo-observations at both ends of the ranking.

A sample of a few well-ranked events shows little or no variance, because it holds none of
the badly ranked events that the population may have. A fraction of an event and of a
non-event, added at the top and at the bottom of the ranking, stands for them. It matters
less the larger the sample is, and keeps intervals and tests finite where a sample is ranked
perfectly.
"""

from functools import partial
from math import exp, isnan, log, nan, sqrt
from typing import NamedTuple

import numpy as np

from capcurve._inference.influence import Covariance, satterthwaite
from capcurve._inference.limits import (
    Limits,
    hoeffding_limits,
    hoeffding_p_value,
    import_scipy,
    t_quantile,
)
from capcurve._inference.options import FEW_DEGREES
from capcurve._inference.root import find_root
from capcurve._tally.sums import dot

# Pseudo-observations per class, half of them at either end of the ranking. The docs
# (docs/inference.md) show what coverage and size other values would have.
INTERVAL_MASS = 0.5
TEST_MASS = 0.25
SPREAD = 0.25  # second moment of a placement of 0 or 1 about 1/2
LEAST_TRIALS = 1e-3  # fewer trials give the same limits, 0 and 1, but no finite numbers
LEAST_DF = 0.01  # fewer degrees of freedom give the same limits
NEARLY_ONE = 0.999  # equal rows differ from the sizes by rounding
MOST_WIDENING = 1e9
LARGEST_TAIL = 0.499  # beyond, both quantiles are nearly 0 and their ratio is constant
SMALLEST_LOG_P = log(1e-300)


class Share(NamedTuple):
    """Share of pairs in the right order (AUC), shrunk by pseudo-observations.

    Attributes
    ----------
    value : float
        Mean, from 0 to 1; ties count one half.
    variance : float
        Variance of that mean.
    degrees_of_freedom : float
        Degrees of freedom of the variance.
    """

    value: float
    variance: float
    degrees_of_freedom: float

    @property
    def n_trials(self) -> float:
        """Number of independent trials for which a share has this variance."""
        return self.value * (1 - self.value) / self.variance


def shrink(ratio: float, covariance: Covariance, mass: float) -> Share:
    """Add pseudo-observations to an accuracy ratio; nan for a class of a single row."""
    if isnan(covariance.variance()):
        return Share(nan, nan, nan)
    squares, sizes, dfs, reach = np.array([part[1:] for part in covariance.parts]).T
    sizes = np.maximum(sizes, 1.0)  # a single pair of rows is the least that there is
    # The shifts of many strata would add up while their errors cancel out: in proportion to
    # the error, the sum is to shift as one ratio does, whose strata are its two classes.
    n_strata = float(reach.sum() ** 2 / dot(reach, reach))
    shift = min(1.0, sqrt(2 / n_strata))
    centre = ratio / 2 * float(np.prod(1 - reach * mass / (sizes + mass))) ** shift
    pseudo = mass * reach**2 * (SPREAD + centre**2)
    divisor = (sizes - 1 + mass) * (sizes + mass)
    variances = (sizes**2 * squares / 4 + pseudo) / divisor
    least = float((pseudo / divisor).sum())
    variance = max(float(variances.sum() + covariance.cross[0, 0] / 4), least)
    df = covariance.tail_factor * satterthwaite(variances, dfs.clip(LEAST_DF))
    return Share(0.5 + centre, variance, df)


def beta_limits(ratio: float, covariance: Covariance, level: float) -> Limits:
    """Compute limits from the beta distribution with the mean and variance of a share.

    It approximates the posterior distribution of AUC by the Bayesian bootstrap of Gu,
    Ghosal and Roy (2008), doi:10.1002/sim.3366, with pseudo-observations; its variance is
    widened for the degrees of freedom. The limits include the estimate. Where few rows or
    clusters have most of the variance, they are no wider than the distribution-free ones.
    """
    share = shrink(ratio, covariance, INTERVAL_MASS)
    own = beta_limits_of_share(ratio, share, level)
    if not is_dominated(share, covariance):
        return own
    free = hoeffding_limits(ratio, covariance.smallest, level)
    return Limits(
        max(own.low, free.low),
        min(own.high, free.high),
        lambda: min(beta_p_value(share), hoeffding_p_value(ratio, covariance.smallest)),
    )


def is_dominated(share: Share, covariance: Covariance) -> bool:
    """Whether few events or non-events leave fewer degrees of freedom than sizes alone do.

    A row with most of the variance leaves hardly one, and limits of -1 and 1, although AR
    moves no further than its weight allows.
    """
    few = do_few_decide(share.degrees_of_freedom, covariance.smallest)
    return few and len(covariance.parts) > 1


def do_few_decide(degrees_of_freedom: float, size: float) -> bool:
    """Whether few of so many rows, or clusters, have most of a variance.

    Then it has fewer degrees of freedom than the size alone leaves. With `FEW_DEGREES` or
    more, limits are never wider than the distribution-free ones.
    """
    return degrees_of_freedom < min(FEW_DEGREES, NEARLY_ONE * (size - 1))


def beta_limits_of_share(ratio: float, share: Share, level: float) -> Limits:
    """Compute the limits of an accuracy ratio from the beta distribution of its share."""
    tail = (1 - level) / 2
    first, second = beta_parameters(share, tail)
    quantile = import_scipy("special").betaincinv
    low, high = (float(quantile(first, second, side)) for side in (tail, 1 - tail))
    return Limits(
        min(2 * low - 1, ratio), max(2 * high - 1, ratio), partial(beta_p_value, share)
    )


def beta_parameters(share: Share, tail: float) -> tuple[float, float]:
    """Return the parameters of the beta distribution whose quantile is a limit."""
    far = min(tail, LARGEST_TAIL)
    t = t_quantile(far, share.degrees_of_freedom)
    widening = min(MOST_WIDENING, t / t_quantile(far))  # a nan is too far out
    trials = max(share.n_trials / widening**2, LEAST_TRIALS)
    return trials * share.value, trials * (1 - share.value)


def beta_p_value(share: Share) -> float:
    """Compute the two-sided p-value of AR = 0: 1 minus the level of the widest interval.

    That is the interval with a limit of 0; `beta_limits` makes it.
    """
    cdf = import_scipy("special").betainc
    better = Share(max(share.value, 1 - share.value), *share[1:])

    def excess(log_p: float) -> float:
        tail = exp(log_p) / 2
        return float(log(max(cdf(*beta_parameters(better, tail), 0.5), 1e-320) / tail))

    edge = -1e-9  # at a p-value of 1 the quantiles are 0
    if not better.variance > 0 or excess(edge) >= 0:
        return 1.0 if better.variance > 0 else nan
    if excess(SMALLEST_LOG_P) <= 0:
        return 0.0
    return exp(find_root(excess, SMALLEST_LOG_P, edge))
