"""Find declared levels that no row has, as a filter leaves them behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capcurve._input.column import format_labels
from capcurve._input.swapped import PAIR

if TYPE_CHECKING:
    from capcurve._input.seen import Seen


def suggest_dropping(truth: Seen) -> str:
    """Say how to drop the levels without rows if that leaves two; else nothing."""
    held = {str(label) for label in truth.labels(PAIR + 1)}
    kept = [level for level in truth.levels or () if str(level) in held]
    unused = [level for level in truth.levels or () if str(level) not in held]
    if len(kept) != PAIR or not unused:
        return ""
    return (
        f"drop {format_labels(unused)}, which no row has "
        f"(`cat.remove_unused_categories()` in pandas, `cast(pl.Enum({kept}))` in Polars), "
        "or "
    )
