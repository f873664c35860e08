"""Confidence limits of a share from its variance."""

from __future__ import annotations

from math import inf, sqrt

from capcurve._inference.limits import clip, import_scipy, t_quantile

ALMOST = 1e-9  # what rounding leaves of a share of 0 or 1


def share_limits(
    share: float, size: float, level: float, degrees_of_freedom: float = inf
) -> tuple[float, float]:
    """Compute modified Wilson limits of a proportion of ``size`` trials.

    The limits are those of Wilson (1927), doi:10.2307/2276774, with Student's t in place of
    the normal distribution. Near 0 and 1 they leave out true values too often. As Brown,
    Cai and DasGupta (2001), doi:10.1214/ss/1009213286, propose, they are there extended to
    an exact one-sided limit: that of Clopper and Pearson (1934), doi:10.2307/2331986, with
    the full error probability on one side.
    """
    low, high = wilson_limits_t(share, size, level, degrees_of_freedom)
    quantile = import_scipy("special").betaincinv
    hits, misses = share * size, (1 - share) * size
    if share > ALMOST:
        low = min(low, float(quantile(hits, misses + 1, 1 - level)))
    if share < 1 - ALMOST:
        high = max(high, float(1 - quantile(misses, hits + 1, 1 - level)))
    return low, high


def wilson_limits_t(
    share: float, size: float, level: float, degrees_of_freedom: float = inf
) -> tuple[float, float]:
    """Compute limits of a proportion after Wilson (1927), doi:10.2307/2276774.

    A finite number of degrees of freedom takes the quantile of Student's t.
    """
    z = t_quantile((1 + level) / 2, degrees_of_freedom)
    shrinkage = 1 + z**2 / size
    centre = (share + z**2 / (2 * size)) / shrinkage
    half_width = z * sqrt(share * (1 - share) / size + z**2 / (4 * size**2)) / shrinkage
    return clip(centre - half_width, 0, share), clip(centre + half_width, share, 1)


def find_size(share: float, variance: float, size_without_variance: float) -> float:
    """Find the number of trials for which a proportion has this variance.

    A share of 0 or 1, and one without variance, have the size passed for them.
    """
    if variance <= ALMOST**2 or not ALMOST < share < 1 - ALMOST:
        return size_without_variance
    return share * (1 - share) / variance


def combine_distances(first: float, second: float, correlation: float) -> float:
    """Combine the distances of two limits into that of a difference."""
    return sqrt(max(0.0, first**2 + second**2 - 2 * correlation * first * second))
