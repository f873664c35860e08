"""The accuracy ratio with its standard error and its limits."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import sqrt
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from capcurve import _limits
from capcurve._engines import arrays
from capcurve._influence import Covariance, Influence, influence_of_ratios
from capcurve._input import Columns, Label
from capcurve._limits import Limits
from capcurve._pairs import PairCounts
from capcurve._precision import (
    Options,
    are_counted,
    check_options,
    counts_of,
    drawn_values,
    estimate_of,
    percentiles,
    undefined_estimate,
)
from capcurve.estimates import Estimate
from capcurve.exceptions import CapcurveError

Method = Literal["logit-t", "wald", "logit", "newcombe", "bootstrap", "bca", "exact"]
METHODS = get_args(Method)
AVERAGED = ("logit-t", "logit", "wald")  # methods that need no more than an error


def ratio_estimate(columns: Columns, options: Options) -> Estimate:
    """Estimate the accuracy ratio."""
    check_options(options, METHODS)
    refuse_method(columns, options.method)
    if columns.is_constant:
        return undefined_estimate(columns, options, "AR")
    return estimate_from(columns, options, *ratio_and_covariance(columns))


def counted_estimate(pairs: PairCounts, options: Options) -> Estimate:
    """Estimate the accuracy ratio from the counts of pairs alone."""
    counts = np.array([pairs.events, pairs.nonevents], dtype=np.float64)
    kinds = Columns(np.array([True, False]), counts, counts, counts_rows=True)
    covariance = Covariance.from_pairs(pairs)
    return estimate_from(kinds, options, pairs.accuracy_ratio, covariance)


def estimate_from(
    columns: Columns, options: Options, ratio: float, covariance: Covariance
) -> Estimate:
    """Put limits around the accuracy ratio."""
    error = sqrt(covariance.variance())
    # That the sample shows no variance does not mean that there is none.
    if not error > _limits.NO_ERROR:
        options = options._replace(method="exact")
    return estimate_of(
        columns,
        options,
        ratio_limits(columns, options, ratio, covariance),
        value=ratio,
        standard_error=error,
        name="AR",
        degrees_of_freedom=covariance.degrees_of_freedom(),
    )


def average_estimate(
    rankings: Sequence[tuple[Label, Columns]], options: Options, *, weighted: bool
) -> Estimate:
    """Average the accuracy ratio of labels against the rest, each on the same rows.

    Labels without an accuracy ratio are left out. The variance comes from what each row
    contributes to all labels together.
    """
    check_options(options, AVERAGED)
    estimates = {label: ratio_estimate(columns, options) for label, columns in rankings}
    defined = [columns for _, columns in rankings if not columns.is_constant]
    if not defined:
        average = undefined_estimate(rankings[0][1], options, "mean AR")
        return replace(average, by_label=estimates)
    masses = np.array([columns.target_mass if weighted else 1.0 for columns in defined])
    shares = masses / masses.sum()
    found = [influence_of_ratios([columns]) for columns in defined]
    ratios = np.array([influence.value[0] for influence in found])
    psi = shares @ np.vstack([influence.psi for influence in found])
    value = float(shares @ ratios)
    level = np.zeros(len(psi), dtype=np.int64)
    for number, columns in enumerate(defined, start=1):
        level[columns.target] = number
    first = defined[0]
    if weighted:
        weight = first.mass
        psi += weight * np.append(value, ratios)[level] / weight.sum()
        psi -= weight * value / weight.sum()
    covariance = Influence(np.array([value]), psi[None], level, first).covariance
    error = sqrt(covariance.variance())
    limits = _limits.undefined()
    if error > _limits.NO_ERROR:
        limits = ratio_limits(first, options, value, covariance)
    average = estimate_of(
        first,
        options,
        limits,
        value=value,
        standard_error=error,
        name="mean AR",
        degrees_of_freedom=covariance.degrees_of_freedom(),
    )
    return replace(
        average,
        n_nonevents=0,
        n_events=average.n_events + average.n_nonevents,
        by_label=estimates,
    )


def ratio_and_covariance(columns: Columns) -> tuple[float, Covariance]:
    """Compute AR and its variance, from counted pairs where rows are alike."""
    if are_counted(columns):
        pairs = arrays.pair_counts(columns)
        return pairs.accuracy_ratio, Covariance.from_pairs(pairs)
    influence = influence_of_ratios([columns])
    return float(influence.value[0]), influence.covariance


def ratio_limits(
    columns: Columns, options: Options, ratio: float, covariance: Covariance
) -> Limits:
    """Find the limits of the accuracy ratio by one of the methods."""
    level, error = options.confidence_level, sqrt(covariance.variance())
    if options.method in AVERAGED:
        free = covariance.degrees_of_freedom()
        return _limits.by_error(options.method, ratio, error, level, free)
    formulas: dict[str, Callable[[], Limits]] = {
        "newcombe": lambda: _limits.newcombe(ratio, *counts_of(columns), level),
        "bootstrap": lambda: bootstrap(columns, options),
        "bca": lambda: bias_corrected(columns, options, ratio),
        # Of amounts there is no bound on how far a few unseen ones could turn the ratio.
        "exact": lambda: (
            _limits.exact(ratio, covariance.smallest, level)
            if columns.has_events
            else _limits.undefined()
        ),
    }
    return formulas[options.method]()


def bootstrap(columns: Columns, options: Options) -> Limits:
    """Take percentiles of bootstrap replicates."""
    drawn = drawn_values(columns, options, lambda curve: curve.accuracy_ratio)
    return Limits(*percentiles(drawn, options.confidence_level), beyond_zero(drawn))


def bias_corrected(columns: Columns, options: Options, ratio: float) -> Limits:
    """Take percentiles corrected for bias and acceleration.

    Efron (1987), doi:10.1080/01621459.1987.10478410.
    """
    drawn = drawn_values(columns, options, lambda curve: curve.accuracy_ratio)
    psi = influence_of_ratios([columns]).psi[0]
    acceleration = float((psi**3).sum() / (6 * (psi**2).sum() ** 1.5))
    below = float(np.mean(drawn < ratio) + np.mean(drawn == ratio) / 2)
    edge = 1 / (2 * len(drawn))
    bias = _limits.quantile(min(1 - edge, max(edge, below)))
    ends = []
    for end in (-1, 1):
        shifted = bias + end * _limits.quantile((1 + options.confidence_level) / 2)
        ends.append(_limits.below(bias + shifted / (1 - acceleration * shifted)))
    low, high = np.quantile(drawn, ends).tolist()
    return Limits(low, high, beyond_zero(drawn))


def beyond_zero(drawn: NDArray[np.float64]) -> float:
    """Two-sided share of replicates on the other side of a useless score."""
    beyond = min(np.count_nonzero(drawn <= 0), np.count_nonzero(drawn >= 0)) + 1
    return min(1.0, 2 * beyond / (len(drawn) + 1))


def refuse_method(columns: Columns, method: str) -> None:
    """Refuse methods that hold only for independent events of equal weight."""
    if method in {"newcombe", "exact"} and not are_counted(columns):
        raise CapcurveError(
            f"`method={method!r}` holds for 0/1 events in independent rows that weigh the "
            "same; for amounts, sampling weights and groups there are 'logit-t' and "
            "'bootstrap'"
        )
