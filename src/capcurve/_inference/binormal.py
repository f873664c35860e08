"""Variance components of accuracy ratios under the binormal model, in closed form.

Scores of non-events are standard normal, those of events normal with another mean and
standard deviation. Then each probability that DeLong's variance is made of is one of a
bivariate normal distribution.
"""

from math import atan, copysign, inf, pi, sqrt

from capcurve._inference.limits import import_scipy
from capcurve._inference.power import Components


def compute_ratio_components(ratio: float, spread: float) -> Components:
    """Compute the components of the variance of an accuracy ratio.

    ``spread`` is the standard deviation of the events' scores over that of the
    non-events'.
    """
    return make_components(*(covary(ratio, ratio, share) for share in shares_of(spread)))


def compute_difference_components(
    first: float, second: float, correlation: float, spread: float
) -> Components:
    """Compute the components of the variance of a difference of two accuracy ratios.

    The scores rank the same rows, and correlate alike within events and non-events.
    """
    parts = [
        covary(first, first, share)
        + covary(second, second, share)
        - 2 * covary(first, second, share * correlation)
        for share in shares_of(spread)
    ]
    return make_components(*parts)


def compute_bound_components(ratio: float, *, fewer_events: bool) -> Components:
    """Return the largest components that any distribution of scores allows.

    Birnbaum and Klose (1957), doi:10.1214/aoms/1177706794: the variance of AR is at most
    ``(1 - AR**2)`` over the number of rows in the minority class.
    """
    largest = 1 - ratio**2
    return Components(largest, 0.0, 0.0) if fewer_events else Components(0.0, largest, 0.0)


def shares_of(spread: float) -> tuple[float, float, float]:
    """Return the correlations of the pairs that share an event, a non-event, and both."""
    events = spread**2 / (1 + spread**2)
    return events, 1 - events, 1.0


def make_components(event: float, nonevent: float, both: float) -> Components:
    """Make components of the covariances of pairs that share a row, or both."""
    return Components(event, nonevent, both - event - nonevent)


def covary(first: float, second: float, correlation: float) -> float:
    """Return the covariance of the signs of two pairs on the scale of AR.

    A pair is ranked right where a standard normal variable is below the quantile of its
    AUC; ``correlation`` is that of the variables of both.
    """
    special = import_scipy("special")
    aucs = (1 + first) / 2, (1 + second) / 2
    x, y = map(float, special.ndtri(aucs))
    both = bivariate_normal_cdf(x, y, correlation)
    return 4 * (both - aucs[0] * aucs[1])


def bivariate_normal_cdf(x: float, y: float, correlation: float) -> float:
    """Compute the probability that two standard normal variables are below x and y.

    Owen (1956), doi:10.1214/aoms/1177728074.
    """
    special = import_scipy("special")
    low, high = sorted((float(special.ndtr(x)), float(special.ndtr(y))))
    if correlation >= 1:
        return low
    if correlation <= -1:
        return max(low + high - 1, 0.0)
    scale = sqrt((1 - correlation) * (1 + correlation))
    if x == 0 and y == 0:
        return 1 / 4 + atan(correlation / scale) / (2 * pi)
    opposed = x * y < 0 or (x * y == 0 and x + y < 0)
    found = (low + high) / 2 - (1 / 2 if opposed else 0.0)
    for own, other in ((x, y), (y, x)):
        rest = other - correlation * own
        slope = copysign(inf, rest) if own == 0 else rest / (own * scale)
        found -= float(special.owens_t(own, slope))
    return found
