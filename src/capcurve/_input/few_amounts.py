"""Outcomes that are nearly all 0 or 1, so that the others may be mistakes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capcurve.exceptions import warn_caller

if TYPE_CHECKING:
    from capcurve._input.seen import Seen

# Of the rarer of 0 and 1: losses given default have many of these too, and more between.
LARGEST_SHARE = 0.05


def explain_few_amounts(truth: Seen, remedy: str) -> str | None:
    """Say that few amounts are neither 0 nor 1, while many are either; None if not.

    ``remedy`` is how to say that they are amounts.
    """
    flags = truth.count_flags()
    n_rows = flags.zeros + flags.ones + flags.others
    if not flags.others or flags.others > LARGEST_SHARE * min(flags.zeros, flags.ones):
        return None
    verb, those = ("is", "it") if flags.others == 1 else ("are", "them")
    example = (
        f"({truth.find_other():.6g})"
        if flags.others == 1
        else (f"(such as {truth.find_other():.6g})")
    )
    return (
        f"`{truth.name}` is taken as amounts: {flags.others:,} of {n_rows:,} outcomes "
        f"{verb} neither 0 nor 1 {example}; correct {those}, or {remedy} if outcomes are "
        "amounts"
    )


def warn_of_few_amounts(truth: Seen) -> None:
    """Warn of outcomes that turn events into amounts."""
    told = explain_few_amounts(truth, "pass `target_type='continuous'`")
    if told is not None:
        warn_caller(told, UserWarning)
