"""Formulas of confidence limits and p-values, with SciPy."""

from collections.abc import Callable
from functools import lru_cache
from math import atanh, exp, inf, isfinite, log, nan, sqrt, tanh
from typing import Any, NamedTuple

from capcurve._inference.root import find_root
from capcurve.exceptions import MissingDependencyError

NEGLIGIBLE_ERROR = 1e-12  # standard errors below are rounding of 0


class Limits(NamedTuple):
    """Confidence limits, and the p-value against an uninformative score.

    The p-value may be a function, which is called when somebody asks for it.
    """

    low: float
    high: float
    p_value: float | Callable[[], float]


def import_scipy(module: str) -> Any:
    """Import a module of SciPy; raise with the command to install it if it is missing."""
    from importlib import import_module

    try:
        return import_module(f"scipy.{module}")
    except ModuleNotFoundError as error:
        purpose = "an interval, a test or a band"
        raise MissingDependencyError("scipy", extra="stats", purpose=purpose) from error


@lru_cache(maxsize=1024)
def t_quantile(probability: float, degrees_of_freedom: float = inf) -> float:
    """Compute a quantile of Student's t, or of the normal distribution by default."""
    special = import_scipy("special")
    if isfinite(degrees_of_freedom):
        return float(special.stdtrit(degrees_of_freedom, probability))
    return float(special.ndtri(probability))


def t_cdf(statistic: float, degrees_of_freedom: float = inf) -> float:
    """Compute the distribution function of Student's t, by default of the normal."""
    special = import_scipy("special")
    if isfinite(degrees_of_freedom):
        return float(special.stdtr(degrees_of_freedom, statistic))
    return float(special.ndtr(statistic))


def two_sided_p_value(statistic: float, degrees_of_freedom: float = inf) -> float:
    """Compute the probability of a statistic at least as far from 0."""
    return 2 * t_cdf(-abs(statistic), degrees_of_freedom)


def clip(value: float, low: float, high: float) -> float:
    """Clip a number that rounding took beyond its range; nan stays nan, unlike in `min`."""
    return float(max(min(value, high), low))


def has_variance(ratio: float, error: float) -> bool:
    """Whether a sample shows variance; that of a perfect ranking is rounding."""
    return error > NEGLIGIBLE_ERROR and abs(ratio) < 1


def wald_limits(ratio: float, error: float, level: float) -> Limits:
    """Compute Wald limits, clipped to [-1, 1]."""
    half_width = t_quantile((1 + level) / 2) * error
    return Limits(
        clip(ratio - half_width, -1, 1),
        clip(ratio + half_width, -1, 1),
        two_sided_p_value(ratio / error),
    )


def logit_limits(
    ratio: float, error: float, level: float, degrees_of_freedom: float = inf
) -> Limits:
    """Compute Wald limits on the scale of logit(AUC), which is twice atanh(AR)."""
    centre, scaled_error = atanh(ratio), error / (1 - ratio**2)
    half_width = t_quantile((1 + level) / 2, degrees_of_freedom) * scaled_error
    return Limits(
        tanh(centre - half_width),
        tanh(centre + half_width),
        two_sided_p_value(centre / scaled_error, degrees_of_freedom),
    )


def limits_from_standard_error(
    method: str, ratio: float, error: float, level: float, degrees_of_freedom: float
) -> Limits:
    """Compute limits by a method that needs a standard error only."""
    if method == "wald":
        return wald_limits(ratio, error, level)
    return logit_limits(
        ratio, error, level, degrees_of_freedom if method == "logit-t" else inf
    )


def newcombe_limits(ratio: float, n_events: int, n_nonevents: int, level: float) -> Limits:
    """Compute score-type limits: AUCs whose modelled standard error just reaches ours.

    Method 5 of Newcombe (2006), doi:10.1002/sim.2324.
    """
    auc, z = (1 + ratio) / 2, t_quantile((1 + level) / 2)
    mean_size = (n_events + n_nonevents) / 2 - 1

    def variance(limit: float) -> float:
        factor = 1 + mean_size * ((1 - limit) / (2 - limit) + limit / (1 + limit))
        return limit * (1 - limit) * factor / (n_events * n_nonevents)

    def excess(limit: float) -> float:
        return (auc - limit) ** 2 - z**2 * variance(limit)

    low = 0.0 if auc == 0 else find_root(excess, 0.0, auc)
    high = 1.0 if auc == 1 else find_root(excess, 1.0, auc)
    p_value = two_sided_p_value((auc - 1 / 2) / sqrt(variance(1 / 2)))
    return Limits(2 * low - 1, 2 * high - 1, p_value)


def hoeffding_limits(ratio: float, n_pairs: float, level: float) -> Limits:
    """Compute distribution-free limits from the binomial moment bound.

    Hoeffding (1963), doi:10.1080/01621459.1963.10500830. Rows can be matched to
    ``n_pairs`` independent pairs, the size of the minority class; the limits are the AUCs
    whose relative entropy from the estimate is ``log(2 / (1 - level)) / n_pairs``.
    """
    auc, allowed = (1 + ratio) / 2, log(2 / (1 - level)) / n_pairs

    def excess(limit: float) -> float:
        return min(measure_entropy(auc, limit), 1e300) - allowed

    tail = exp(-allowed)
    if auc == 0:
        low, high = 0.0, 1 - tail
    elif auc == 1:
        low, high = tail, 1.0
    else:
        low, high = find_root(excess, 0.0, auc), find_root(excess, 1.0, auc)
    return Limits(2 * low - 1, 2 * high - 1, hoeffding_p_value(ratio, n_pairs))


def hoeffding_p_value(ratio: float, n_pairs: float) -> float:
    """Compute the distribution-free p-value of AR = 0, that of the limits above."""
    return clip(2 * exp(-n_pairs * measure_entropy((1 + ratio) / 2, 1 / 2)), 0, 1)


def measure_entropy(share: float, other: float) -> float:
    """Compute the relative entropy of two shares."""
    relative_entropy = import_scipy("special").rel_entr
    return float(relative_entropy(share, other) + relative_entropy(1 - share, 1 - other))


def nan_limits() -> Limits:
    """Return nan limits and a nan p-value."""
    return Limits(nan, nan, nan)
