"""Confidence limits from a number and its standard error; SciPy has the distributions."""

from math import atanh, exp, inf, isfinite, log, nan, sqrt, tanh
from typing import Any, NamedTuple

from capcurve.exceptions import MissingDependencyError

NO_ERROR = 1e-12  # a standard error that is only rounding


class Limits(NamedTuple):
    """Both ends of an interval, and the p-value of what it is compared with."""

    low: float
    high: float
    p_value: float


def scipy(module: str) -> Any:
    """Import a module of SciPy, or say what to install."""
    from importlib import import_module

    try:
        return import_module(f"scipy.{module}")
    except ModuleNotFoundError as error:
        purpose = "an interval, a test or a band"
        raise MissingDependencyError("scipy", extra="stats", purpose=purpose) from error


def quantile(probability: float, degrees_of_freedom: float = inf) -> float:
    """Quantile of Student's t; with infinite degrees of freedom of the normal."""
    special = scipy("special")
    if isfinite(degrees_of_freedom):
        return float(special.stdtrit(degrees_of_freedom, probability))
    return float(special.ndtri(probability))


def below(statistic: float, degrees_of_freedom: float = inf) -> float:
    """Probability that Student's t, or the normal, stays below."""
    special = scipy("special")
    if isfinite(degrees_of_freedom):
        return float(special.stdtr(degrees_of_freedom, statistic))
    return float(special.ndtr(statistic))


def two_sided(statistic: float, degrees_of_freedom: float = inf) -> float:
    """Probability of a statistic that is at least as far from 0."""
    return 2 * below(-abs(statistic), degrees_of_freedom)


def wald(ratio: float, error: float, level: float) -> Limits:
    """Add and subtract, cut at -1 and 1."""
    reach = quantile((1 + level) / 2) * error
    return Limits(
        max(-1.0, ratio - reach), min(1.0, ratio + reach), two_sided(ratio / error)
    )


def logit(
    ratio: float, error: float, level: float, degrees_of_freedom: float = inf
) -> Limits:
    """Add and subtract on the scale of logit(AUC), which is twice atanh(AR)."""
    centre, spread = atanh(ratio), error / (1 - ratio**2)
    reach = quantile((1 + level) / 2, degrees_of_freedom) * spread
    return Limits(
        tanh(centre - reach),
        tanh(centre + reach),
        two_sided(centre / spread, degrees_of_freedom),
    )


def by_error(
    method: str, ratio: float, error: float, level: float, degrees_of_freedom: float
) -> Limits:
    """Find limits by one of the methods that need no more than a standard error."""
    if method == "wald":
        return wald(ratio, error, level)
    return logit(ratio, error, level, degrees_of_freedom if method == "logit-t" else inf)


def newcombe(ratio: float, n_events: int, n_nonevents: int, level: float) -> Limits:
    """Solve for the AUC whose standard error, in a model, just reaches the one seen.

    Method 5 of Newcombe (2006), doi:10.1002/sim.2324.
    """
    auc, z = (1 + ratio) / 2, quantile((1 + level) / 2)
    mean_size = (n_events + n_nonevents) / 2 - 1

    def variance(at: float) -> float:
        spread = 1 + mean_size * ((1 - at) / (2 - at) + at / (1 + at))
        return at * (1 - at) * spread / (n_events * n_nonevents)

    def excess(at: float) -> float:
        return (auc - at) ** 2 - z**2 * variance(at)

    low = 0.0 if auc == 0 else solve(excess, 0.0, auc)
    high = 1.0 if auc == 1 else solve(excess, 1.0, auc)
    p_value = two_sided((auc - 1 / 2) / sqrt(variance(1 / 2)))
    return Limits(2 * low - 1, 2 * high - 1, p_value)


def exact(ratio: float, n_pairs: float, level: float) -> Limits:
    """Hold at any distribution of the scores: the binomial moment bound.

    Hoeffding (1963), doi:10.1080/01621459.1963.10500830; ``n_pairs`` is the number of
    independent pairs, the size of the smaller class.
    """
    auc, most = (1 + ratio) / 2, log(2 / (1 - level)) / n_pairs
    relative_entropy = scipy("special").rel_entr

    def distance(at: float) -> float:
        return float(relative_entropy(auc, at) + relative_entropy(1 - auc, 1 - at))

    def excess(at: float) -> float:
        return min(distance(at), 1e300) - most

    low = 0.0 if auc == 0 else exp(-most) if auc == 1 else solve(excess, 0.0, auc)
    high = 1.0 if auc == 1 else 1 - exp(-most) if auc == 0 else solve(excess, 1.0, auc)
    p_value = min(1.0, 2 * exp(-n_pairs * distance(1 / 2)))
    return Limits(2 * low - 1, 2 * high - 1, p_value)


def wilson(share: float, size: float, level: float) -> tuple[float, float]:
    """Limits of a share of ``size`` trials, Wilson (1927), doi:10.2307/2276774."""
    z = quantile((1 + level) / 2)
    centre = (share + z**2 / (2 * size)) / (1 + z**2 / size)
    reach = z * sqrt(share * (1 - share) / size + z**2 / (4 * size**2)) / (1 + z**2 / size)
    return max(0.0, centre - reach), min(1.0, centre + reach)


def solve(function: Any, outer: float, inner: float) -> float:
    """Find where a function changes its sign."""
    return float(scipy("optimize").brentq(function, outer, inner, xtol=1e-15))


def undefined() -> Limits:
    """Give no limits."""
    return Limits(nan, nan, nan)
