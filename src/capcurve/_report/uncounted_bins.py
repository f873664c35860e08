"""Describe AR from bins of weighted rows or of amounts, which do not count events."""

import numpy as np

from capcurve._curve.binned_curve import BinnedCurve
from capcurve._inference.estimate import Estimate, make_estimate
from capcurve._inference.limits import nan_limits
from capcurve._inference.options import IntervalOptions
from capcurve._inference.wording import (
    AR_OF_AMOUNTS,
    format_count,
    format_interval,
    format_value,
)
from capcurve._report.options import Facts
from capcurve.exceptions import CapcurveError

UNKNOWN = {  # whether outcomes are events: what of the rows is not known, and why
    True: "how many of them are events is not known, as bins of weighted rows hold the sum "
    "of their weights",
    False: "how many of them are above 0 is not known, as bins hold the sum of amounts",
}
NAMED = {True: "weighted rows", False: "amounts"}


def are_weighted(binned: BinnedCurve) -> bool:
    """Whether bins hold weights; of amounts, these may be whole and add up to the rows."""
    weight = binned.by_score.weight
    if binned.has_events:
        return weight.dtype.kind == "f"
    return bool(np.any(weight % 1) or weight.sum() != binned.n_rows)


def estimate_uncounted(binned: BinnedCurve, options: IntervalOptions) -> Estimate:
    """Estimate the accuracy ratio without limits, which require the individual rows."""
    return make_estimate(
        (0, 0),  # unknown, as `describe_uncounted` says
        options._replace(method="none"),
        nan_limits(),
        value=binned.accuracy_ratio.value,
        standard_error=float("nan"),
        name="AR" if binned.has_events else AR_OF_AMOUNTS,
        n_effective=float("inf"),
    )


def describe_uncounted(estimate: Estimate, binned: BinnedCurve) -> Facts:
    """Describe what of an estimate is not known: the number of events, and why."""
    rows = f"{format_count(binned.n_rows, 'row')}; {UNKNOWN[binned.has_events]}"
    text = (
        f"{estimate.name} {format_value(estimate.value)}, {format_interval(estimate)}, as "
        f"it requires the individual rows ({rows})"
    )
    return {"n_events": None, "n_nonevents": None, "text": text}


def refuse_unknown_events(remedy: str, *, has_events: bool) -> None:
    """Raise for a least number of events where bins do not count them."""
    raise CapcurveError(
        "`min_events` requires the number of events, or of rows above 0, got bins of "
        f"{NAMED[has_events]}, which do not count them; leave it out, or {remedy}"
    )


def refuse_initial(*, has_events: bool) -> None:
    """Raise for a test against initial validation where bins hold no variance."""
    measure = "AUC" if has_events else "gAUC"
    raise CapcurveError(
        f"`initial_auc` requires the variance of {measure}, got bins of "
        f"{NAMED[has_events]}, which do not hold it; leave it out, or make the report of "
        "the individual rows"
    )
