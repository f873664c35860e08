"""The order in which samples are compared, each with the one before."""

from collections.abc import Iterable, Sequence
from typing import Any

from capcurve._input.periods import check_text_order, explain_sample_order
from capcurve._input.seen import Levels

PAIR = 2


def check_samples(labels: Sequence[Any], name: str, levels: Levels) -> None:
    """Check the order of samples that are text: it decides which two are compared.

    A pair is compared in any order, and declared levels have theirs.
    """
    if len(labels) > PAIR and not (levels.are_arranged or are_numbers(labels)):
        check_text_order(labels, name, explain_sample_order)


def sort_labels(labels: set[Any], levels: Levels) -> list[Any]:
    """Sort labels: in a declared order, or as numbers if all of them are.

    Periods of a text file are text, where 9 comes before 10.
    """
    if levels.names is not None:
        return [level for level in levels.names if level in labels]
    return sorted(labels, key=float) if are_numbers(labels) else sorted(labels)


def are_numbers(labels: Iterable[Any]) -> bool:
    """Whether all labels are numbers, or text that is one."""
    try:
        list(map(float, labels))
    except (TypeError, ValueError):
        return False
    return True
