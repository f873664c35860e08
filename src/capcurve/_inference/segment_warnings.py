"""Warnings about tests of segments."""

from collections.abc import Iterable

from capcurve._inference.reliability import MISRANKED_IN_TEST
from capcurve._inference.segments import FEW_ERRORS_ON_AVERAGE
from capcurve._inference.small_class import describe_small_class
from capcurve._input.columns import Columns
from capcurve.exceptions import FewEventsWarning, UndefinedMetricWarning, warn_caller


def warn_of_segments(
    undefined: str,
    few: str,
    left_out: str,
    rows: Iterable[Columns],
    *,
    is_reliable: bool,
) -> None:
    """Warn of segments, named in a text, whose tests are undefined or miss their level.

    ``rows`` are those of all segments, by each model.
    """
    rows = list(rows)
    if undefined:
        in_clusters = any(each.weights.cluster is not None for each in rows)
        apart = " in different clusters" * in_clusters
        warn_caller(
            "the test against the rest is undefined and set to nan in segments without two "
            f"events and two non-events{apart}, or without others to compare with: "
            f"{undefined}",
            UndefinedMetricWarning,
        )
    told, small = [], describe_small_class(rows)
    if few:
        told.append(f"against the rest, with {small}, or {MISRANKED_IN_TEST}: {few}")
    if not is_reliable:
        told.append(
            f"of all segments and of the trend, with {small}, or on average fewer than "
            f"{FEW_ERRORS_ON_AVERAGE} wrongly ranked ones"
        )
    if left_out:
        warn_caller(
            "the test of all segments and the trend leave out segments with "
            f"{small}: {left_out}",
            FewEventsWarning,
        )
    if told:
        warn_caller(
            f"tests may not keep their level: {'; '.join(told)}",
            FewEventsWarning,
        )
