"""Options of intervals, tests and bands, and their checks."""

from typing import Literal, NamedTuple

import numpy as np

from capcurve._input.columns import Columns
from capcurve._input.deprecations import warn_deprecated
from capcurve._input.options import check_word, is_real, is_whole, show
from capcurve.exceptions import CapcurveError

Side = Literal["two-sided", "greater", "less"]
Alternative = Literal[Side, "equivalent"]
BandKind = Literal["pointwise", "simultaneous"]
IntervalMethod = Literal[
    "beta", "logit-t", "wald", "logit", "newcombe", "bootstrap", "bca", "exact"
]
RandomState = int | np.random.Generator | None
ShareMethod = Literal["wilson", "bootstrap"]
StandardErrorMethod = Literal["beta", "logit-t", "logit", "wald"]
TestMethod = Literal["score", "delong", "delong-t", "eht"]

# Size of the smaller class below which intervals come with a warning; with unequal weights
# or clusters it is the effective one. docs/coverage.md shows what holds from there.
FEW_EVENTS = 20
# Wrongly ranked events that a sample of its size should show; methods that rely on the
# variance among them warn below (the rule n * p >= 5 of a share).
FEW_ERRORS = 5
FEW_ERROR_PAIRS = 2 * FEW_ERRORS  # pairs of rows of one sample, of which half count
# Degrees of freedom, below which few rows or clusters have most of the variance.
FEW_DEGREES = 10
MAX_RESAMPLES = 10**9


class IntervalOptions(NamedTuple):
    """How to make an interval: its level, its method, and the bootstrap's replicates."""

    confidence_level: float = 0.95
    method: str = "beta"
    n_resamples: int = 2000
    random_state: RandomState = None


def find_level(confidence_level: float) -> float:
    """Return the level of tests: 1 minus the confidence level, 0.05 and not 0.0500...04."""
    return round(1 - confidence_level, 12)


def check_interval_options(options: IntervalOptions, methods: tuple[str, ...]) -> None:
    """Raise if the confidence level, method or number of replicates is invalid."""
    check_confidence_level(options.confidence_level)
    is_delong = str(options.method).lower() == "delong" and "wald" in methods
    advice = "pass 'wald' for the interval that is called DeLong's" if is_delong else None
    check_word(options.method, "method", methods, advice)
    check_resampling(options.n_resamples, options.random_state)


def choose_test_method(method: TestMethod) -> TestMethod:
    """Return the method of a test, whose default was called 'auto'."""
    if str(method) == "auto":
        warn_deprecated("method='auto'")
        return "score"
    return method


def check_resampling(n_resamples: object, random_state: object) -> None:
    """Raise if the number of replicates, or their seed, is invalid."""
    if not is_whole(n_resamples) or not 1 <= n_resamples <= MAX_RESAMPLES:
        raise CapcurveError(
            "`n_resamples` must be a positive whole number, got "
            f"{show(n_resamples)}; a few thousand are usual"
        )
    is_seed = is_whole(random_state) and random_state >= 0
    if not (is_seed or isinstance(random_state, np.random.Generator | None)):
        raise CapcurveError(
            "`random_state` must be a whole number that is not negative, a NumPy Generator "
            f"or None, got {show(random_state)}; a number makes results reproducible"
        )


def check_confidence_level(confidence_level: float) -> None:
    """Raise unless the confidence level is strictly between 0 and 1."""
    if not is_real(confidence_level) or not 0 < confidence_level < 1:
        raise CapcurveError(
            "`confidence_level` must lie between 0 and 1, got "
            f"{show(confidence_level)}; 95 % is 0.95"
        )


def describe_rows(columns: Columns) -> str:
    """Name why rows are not independent 0/1 events of equal weight, for a message."""
    if not columns.has_events:
        return "amounts"
    return "clusters" if columns.weights.cluster is not None else "weights"
