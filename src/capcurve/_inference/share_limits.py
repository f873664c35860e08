"""Confidence limits of a share from its variance."""

from __future__ import annotations

from math import inf, sqrt
from typing import NamedTuple

from capcurve._inference.limits import clip, import_scipy, t_quantile

ALMOST = 1e-9  # what rounding leaves of a share of 0 or 1


class Unseen(NamedTuple):
    """Part of a share that one event is of which no row was seen, at most.

    Attributes
    ----------
    missed : float
        The part that an event would take from the share, which bounds it from below.
    captured : float
        The part that an event would add, which bounds the share from above.
    """

    missed: float = 0.0
    captured: float = 0.0


def share_limits(
    share: float,
    size: float,
    level: float,
    degrees_of_freedom: float = inf,
    unseen: Unseen = Unseen(),  # noqa: B008 -- immutable
) -> tuple[float, float]:
    """Compute modified Wilson limits of a proportion of ``size`` trials.

    The limits are those of Wilson (1927), doi:10.2307/2276774, with Student's t in place of
    the normal distribution. Near 0 and 1 they leave out true values too often. As Brown,
    Cai and DasGupta (2001), doi:10.1214/ss/1009213286, propose, they are there extended to
    an exact one-sided limit: that of Clopper and Pearson (1934), doi:10.2307/2331986, with
    the full error probability on one side. Either limit allows for an unseen event.
    """
    below = allow_for_unseen(1 - share, size, unseen.missed)
    above = allow_for_unseen(share, size, unseen.captured)
    low, _ = wilson_limits_t(share, below, level, degrees_of_freedom)
    _, high = wilson_limits_t(share, above, level, degrees_of_freedom)
    quantile = import_scipy("special").betaincinv
    if share > ALMOST:
        misses = (1 - share) * below + max(1.0, unseen.missed * below)
        low = min(low, float(quantile(share * below, misses, 1 - level)))
    if share < 1 - ALMOST:
        hits = share * above + max(1.0, unseen.captured * above)
        high = max(high, float(1 - quantile((1 - share) * above, hits, 1 - level)))
    return low, high


def allow_for_unseen(share: float, size: float, part: float) -> float:
    """Return the number of trials that allows for one more event of this part of a share.

    A share may be made of events that count for little, as the few of a grade that is
    nearly all selected; its variance then corresponds to far more trials than there are
    events, whereas one that was not seen may count fully. As Fay and Feuer (1997),
    doi:10.1002/(SICI)1097-0258(19970415)16:7<791::AID-SIM500>3.0.CO;2-#, do for weighted
    sums of counts, it is added to the share and, squared, to its variance.
    """
    if part * size <= 1:
        return size
    return (share + part) / (share / size + part**2)


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
