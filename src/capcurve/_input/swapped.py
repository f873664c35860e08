"""Tell outcome and score that look swapped: amounts, ranked by what looks like events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from capcurve._input.column import format_labels
from capcurve.exceptions import CapcurveError, warn_caller

if TYPE_CHECKING:
    from capcurve._input.seen import Seen

PAIR = 2  # levels of an event and the rest
EVENTS = ((0.0, 1.0), (-1.0, 1.0))  # numbers that stand for the rest and the event


def check_swapped(truth: Seen, scores: Mapping[str, Seen]) -> None:
    """Refuse fractions that events or two levels rank; warn of greater amounts.

    A flag may be meant to rank amounts, but hardly any fractions.
    """
    held = describe_pairs(scores)
    if held is None:
        return
    high = truth.ends[1]
    if high <= 1:
        raise CapcurveError(
            f"`{truth.name}` holds fractions and {held}, so outcome and score look "
            "swapped; pass the outcome first or, if the outcome is a fraction, pass "
            "`target_type='continuous'`"
        )
    warn_caller(
        f"`{truth.name}` holds amounts up to {high:.6g} and {held}, so outcome and score "
        "look swapped; pass the outcome first or, if outcomes are amounts, pass "
        "`target_type='continuous'`",
        UserWarning,
    )


def describe_pairs(scores: Mapping[str, Seen]) -> str | None:
    """Describe the first score that looks like an outcome; None if there is none."""
    for score in scores.values():
        if (held := describe_pair(score)) is not None:
            return f"`{score.name}` only {held}"
    return None


def describe_pair(score: Seen) -> str | None:
    """Describe the two values of a score that looks like an outcome; None of others."""
    if score.levels is not None and len(score.levels) == PAIR:
        return format_labels(score.levels)
    if score.kind == "boolean":
        return "0 and 1"
    if (
        score.kind == "text"
        or score.ends not in EVENTS
        or not score.holds_only(*score.ends)
    ):
        return None
    return "{:g} and {:g}".format(*score.ends)
