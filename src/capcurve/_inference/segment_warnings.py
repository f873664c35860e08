"""Warnings about tests of segments."""

from capcurve._inference.options import FEW_ERRORS, FEW_EVENTS
from capcurve._inference.segments import FEW_ERRORS_ON_AVERAGE
from capcurve.exceptions import FewEventsWarning, UndefinedMetricWarning, warn_caller


def warn_of_segments(undefined: str, few: str, left_out: str, *, is_reliable: bool) -> None:
    """Warn of segments, named in a text, whose tests are undefined or miss their level."""
    if undefined:
        warn_caller(
            "the test against the rest is undefined and set to nan in segments without two "
            f"events and two non-events, or without others to compare with: {undefined}",
            UndefinedMetricWarning,
        )
    told = []
    size = f"with effectively fewer than {FEW_EVENTS} events or non-events or"
    if few:
        told.append(f"against the rest, {size} {FEW_ERRORS} wrongly ranked ones: {few}")
    if not is_reliable:
        told.append(
            f"of all segments and of the trend, {size} on average {FEW_ERRORS_ON_AVERAGE} "
            "wrongly ranked ones"
        )
    if left_out:
        warn_caller(
            "the test of all segments and the trend leave out segments with fewer than "
            f"{FEW_EVENTS} events or non-events in effect: {left_out}",
            FewEventsWarning,
        )
    if told:
        warn_caller(
            f"tests may not keep their level: {'; '.join(told)}",
            FewEventsWarning,
        )
