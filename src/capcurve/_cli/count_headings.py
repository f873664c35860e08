"""Headings of counts: to readers, `n events` are rows alone, and sums have other names."""

from collections.abc import Sequence
from typing import Protocol


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
