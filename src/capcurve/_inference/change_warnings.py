"""Warn of changes of the accuracy ratio that are undefined, or rest on few events."""

from math import isnan

from capcurve._inference.change import AccuracyRatioChange
from capcurve._inference.few_events import warn_few_events, warn_no_variance, warn_undefined

WARNINGS = {
    "undefined": lambda where: warn_undefined("the change of AR", where),
    "unknown": lambda where: warn_no_variance("the interval of the change", where),
    "few": warn_few_events,
}


def find_weakness(found: AccuracyRatioChange | None) -> str:
    """Find why a change, or its interval, is undefined, or may miss; else an empty text."""
    if found is None or isnan(found.total.value):
        return "undefined"
    if isnan(found.total.low):
        return "unknown"
    return "few" * found.has_few_events
