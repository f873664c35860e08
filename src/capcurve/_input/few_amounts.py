"""Outcomes that are nearly all 0 or 1, so that the others may be mistakes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capcurve._input.seen import Flags
from capcurve.exceptions import warn_caller

if TYPE_CHECKING:
    from capcurve._input.columns import Columns
    from capcurve._input.seen import Seen

# Of the rarer of 0 and 1: losses given default have many of these too, and more between.
LARGEST_SHARE = 0.05


def explain_few_amounts(truth: Seen, remedy: str) -> str | None:
    """Say that few amounts are neither 0 nor 1, while many are either; None if not.

    ``remedy`` is how to say that they are amounts.
    """
    few = find_few(truth)
    if few is None:
        return None
    return f"`{truth.name}` is taken as amounts: {few}, or {remedy} if outcomes are amounts"


def find_few(truth: Seen) -> str | None:
    """Say how few outcomes are neither 0 nor 1, and to correct them; None if they are not.

    The sentence goes on with what else may be done.
    """
    flags = truth.count_flags()
    return say_few(flags, truth.find_other()) if are_few(flags) else None


def find_few_columns(columns: Columns) -> str | None:
    """Say the same of checked rows."""
    target, counts = columns.target, columns.row_counts
    is_other = (target != 0) & (target != 1)
    marks = (target == 0, target == 1, is_other)
    flags = Flags(*(round(counts[mark].sum()) for mark in marks))
    return say_few(flags, float(target[is_other][0])) if are_few(flags) else None


def are_few(flags: Flags) -> bool:
    """Whether some numbers, but few, are neither 0 nor 1."""
    return 0 < flags.others <= LARGEST_SHARE * min(flags.zeros, flags.ones)


def say_few(flags: Flags, other: float) -> str:
    """Say how many outcomes are neither 0 nor 1, with one of them."""
    verb, those, such = ("are", "them", "such as ")
    if flags.others == 1:
        verb, those, such = ("is", "it", "")
    return (
        f"{flags.others:,} of {sum(flags):,} outcomes {verb} neither 0 nor 1 "
        f"({such}{other:.6g}); correct {those}"
    )


def warn_of_few_amounts(truth: Seen) -> None:
    """Warn of outcomes that turn events into amounts."""
    told = explain_few_amounts(truth, "pass `target_type='continuous'`")
    if told is not None:
        warn_caller(told, UserWarning)
