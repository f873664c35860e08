"""Read a model off at each step of the page's slider and pointer, from all rows."""

import numpy as np

from capcurve._curve.curve import CapCurve
from capcurve._curve.profile import accumulate_share
from capcurve._report.options import Facts
from capcurve._report.scored import ScoredGroup
from capcurve._tally.dtypes import FloatArray

STEPS = 1_000  # of the slider, and of the pointer across a chart
PLACES = np.arange(STEPS + 1) / STEPS


def describe_readings(scored: ScoredGroup, curve: CapCurve) -> Facts:
    """Describe the selection at each population share and false positive rate.

    The thinned curve would not do: it is off by up to the width of a cell, of which the
    lift of a small share is many times as much.
    """
    places = np.searchsorted(curve.population_share, PLACES)
    return {
        "capture_rate": curve.capture_rate_at(PLACES),
        "threshold": scored.name_scores(curve.thresholds[places]),
        "roc": describe_roc(scored, curve) if scored.has_events else None,
    }


def describe_roc(scored: ScoredGroup, curve: CapCurve) -> Facts:
    """Describe the largest selection at each false positive rate."""
    others = share_non_events(curve)
    places = np.searchsorted(others, PLACES, side="right") - 1
    is_between = others[places] < PLACES
    return {
        "capture_rate": np.interp(PLACES, others, curve.capture_rate),
        "population_share": np.interp(PLACES, others, curve.population_share),
        "threshold": scored.name_scores(curve.thresholds[places + is_between]),
    }


def share_non_events(curve: CapCurve) -> FloatArray:
    """Return the share of non-events selected at each point of a curve."""
    # Rounding may leave a weight of events just above that of all.
    return accumulate_share(np.maximum(curve.tally.weight - curve.tally.target, 0))
