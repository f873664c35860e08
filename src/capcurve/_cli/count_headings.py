"""Headings of counts: to readers, `n events` are rows alone, and sums have other names."""

import re
from collections.abc import Iterable, Sequence
from typing import Protocol

EVENTS, ABOVE_ZERO = re.compile(r"\b(n_)?events(?=_|\b)"), "rows_above_0"


class Scored(Protocol):
    """Results of one score, which know what its outcome is."""

    @property
    def has_events(self) -> bool:
        """Whether outcomes are events, not amounts."""


def head_masses(scored_groups: Sequence[Scored], *, is_weighted: bool) -> dict[str, str]:
    """Name the sums of results that describe the population, where they count no rows.

    Parameters
    ----------
    scored_groups : sequence of Scored
    is_weighted : bool
        Whether rows have sampling weights.

    Returns
    -------
    dict of str
        Headings by the names that programs read.
    """
    found = {"n": "weight", "n_events": "weight_of_events"} if is_weighted else {}
    if scored_groups and not scored_groups[0].has_events:
        found["n_events"] = "weighted_sum" if is_weighted else "sum_of_amounts"
    return found


def head_initial(scored_groups: Sequence[Scored]) -> dict[str, str]:
    """Name the rows of a test of amounts against the initial AUC, for which all count."""
    return {} if scored_groups[0].has_events else {"n_events": "rows_compared"}


def head_pairs(scored_groups: Sequence[Scored]) -> dict[str, str]:
    """Name the rows above 0 of tests of amounts."""
    return head_above_zero(["n_events"], has_events=scored_groups[0].has_events)


def head_above_zero(names: Iterable[str], *, has_events: bool) -> dict[str, str]:
    """Name what counts events; of amounts it counts rows above 0, as texts say."""
    counted = {} if has_events else {name: EVENTS.sub(ABOVE_ZERO, name) for name in names}
    return {name: heading for name, heading in counted.items() if heading != name}
