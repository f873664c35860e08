"""What all estimates share: options, counts, replicates, and warnings."""

from collections.abc import Callable
from math import inf, nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from capcurve import _limits
from capcurve._input import Columns
from capcurve._limits import Limits
from capcurve._resampling import RandomState, replicates
from capcurve.curve import CapCurve, constant_reason
from capcurve.estimates import Estimate
from capcurve.exceptions import (
    CapcurveError,
    FewEventsWarning,
    UndefinedMetricWarning,
    warn_caller,
)

FEW_EVENTS = 20


class Options(NamedTuple):
    """How to make an interval."""

    confidence_level: float = 0.95
    method: str = "logit-t"
    n_resamples: int = 2000
    random_state: RandomState = None


def check_options(options: Options, methods: tuple[str, ...]) -> None:
    """Refuse levels and methods that there are not."""
    check_level(options.confidence_level)
    if options.method not in methods:
        raise CapcurveError(
            f"`method` must be one of {', '.join(map(repr, methods))}, got "
            f"{options.method!r}"
        )
    if options.n_resamples < 1:
        raise CapcurveError(
            f"`n_resamples` must be a positive number, got {options.n_resamples!r}"
        )


def check_level(confidence_level: float) -> None:
    """Refuse percentages and anything else outside of (0, 1)."""
    if not 0 < confidence_level < 1:
        raise CapcurveError(
            "`confidence_level` must lie between 0 and 1, got "
            f"{confidence_level!r}; 95 % is 0.95"
        )


def estimate_of(
    columns: Columns,
    options: Options,
    limits: Limits,
    *,
    value: float,
    standard_error: float,
    name: str,
    degrees_of_freedom: float = inf,
) -> Estimate:
    """Put a number, its limits, and what they rest on together."""
    n_events, n_nonevents = counts_of(columns)
    return Estimate(
        value=value,
        standard_error=standard_error,
        low=limits.low,
        high=limits.high,
        p_value=limits.p_value,
        confidence_level=options.confidence_level,
        method=options.method,
        n_events=n_events,
        n_nonevents=n_nonevents,
        name=name,
        degrees_of_freedom=degrees_of_freedom,
    )


def undefined_estimate(columns: Columns, options: Options, name: str) -> Estimate:
    """Give nan where all outcomes are equal."""
    limits = _limits.undefined()
    return estimate_of(columns, options, limits, value=nan, standard_error=nan, name=name)


def drawn_values(
    columns: Columns, options: Options, read: Callable[[CapCurve], float]
) -> NDArray[np.float64]:
    """Read a number off each bootstrap replicate of a curve."""
    draws = replicates(columns, options.n_resamples, options.random_state)
    return np.fromiter(map(read, draws), np.float64, count=options.n_resamples)


def percentiles(drawn: NDArray[np.float64], confidence_level: float) -> tuple[float, float]:
    """Cut half of what the interval may miss off each end."""
    tail = (1 - confidence_level) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail]).tolist()
    return low, high


def are_counted(columns: Columns) -> bool:
    """Whether rows are independent events that weigh 1, or a number of rows."""
    weighted = columns.weight is not None and not columns.counts_rows
    return columns.has_events and columns.cluster is None and not weighted


def counts_of(columns: Columns) -> tuple[int, int]:
    """Count rows with and without an outcome."""
    event = columns.target if columns.has_events else columns.target > 0
    if columns.rows is None and not columns.counts_rows:
        n, events = len(event), int(np.count_nonzero(event))
    else:
        counts = columns.row_counts
        n, events = round(counts.sum()), round(counts[event].sum())
    return events, n - events


def smallest_class(columns: Columns) -> int:
    """Count the independent units that an estimate rests on: those of the rarer kind."""
    events, rest = counts_of(columns)
    if columns.cluster is not None:
        kinds = (columns.target > 0, columns.target == 0)
        events, rest = (len(np.unique(columns.cluster[kind])) for kind in kinds)
    return min(events, rest) if columns.has_events else events


def warn_of(columns: Columns, estimate: Estimate, where: str = "") -> None:
    """Warn of a number that is undefined or rests on few events."""
    if columns.is_constant:
        warn_caller(
            f"{estimate.name}{where} is undefined and set to nan: "
            f"{constant_reason(columns)}",
            UndefinedMetricWarning,
        )
        return
    few = smallest_class(columns)
    if few < FEW_EVENTS:
        warn_caller(
            f"{few_text(columns, few, where)}{bound_text(columns, estimate)}",
            FewEventsWarning,
        )


def few_text(columns: Columns, few: int, where: str) -> str:
    """Say what there are few of."""
    kind = "event"
    if columns.has_events and counts_of(columns)[0] > counts_of(columns)[1]:
        kind = "non-event"
    if columns.cluster is not None:
        kind = f"group(s) with {kind}"
    plural = "" if few == 1 else "s"
    return (
        f"the interval{where} rests on {few} {kind}{plural}; with fewer than "
        f"{FEW_EVENTS} it may hold the true number less often than it says"
    )


def bound_text(columns: Columns, estimate: Estimate) -> str:
    """Give the bound that holds whatever the scores are distributed like."""
    if estimate.name != "AR" or not are_counted(columns):
        return ""
    few = min(estimate.n_events, estimate.n_nonevents)
    low, high, _ = _limits.exact(estimate.value, few, estimate.confidence_level)
    held = f"{low:.3f} to {high:.3f}"
    return f"; a bound that holds at any distribution (`method='exact'`): {held}"
