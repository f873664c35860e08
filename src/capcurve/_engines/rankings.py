"""What `rank` returns: the rankings of each group, as rows or in bins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from capcurve._engines.row_rankings import Groups, RowRankings
from capcurve._tally.bins import BinnedRows


@dataclass(frozen=True, eq=False)
class Rankings:
    """Rankings of the rows of each group.

    Attributes
    ----------
    groups : Groups
    rows : RowRankings or None
        The rows; None where an engine keeps them.
    bins : mapping of str to sequence of BinnedRows
        By score column, one for each group; empty where the rows are here.
    """

    groups: Groups
    rows: RowRankings | None = None
    bins: Mapping[str, Sequence[BinnedRows]] = field(default_factory=dict)
