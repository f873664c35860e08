"""Name columns of periods with the length that their dates were cut to."""

from typing import cast

from capcurve._report.options import Facts


def find_length(facts: Facts) -> str | None:
    """Find the length of periods that was asked for; None without one."""
    return cast("str | None", facts["provenance"]["options"].get("period_by"))


def label_periods(facts: Facts) -> Facts:
    """Return facts whose columns of periods say what their dates were cut to.

    A reader meets the name in headings; the facts themselves keep that of the column.
    """
    length = find_length(facts)
    if length is None:
        return facts
    periods = [label(split, length) for split in facts["periods"]]
    # Of rows left out, columns of segments come first.
    n_segments, by = len(facts["segments"]), facts["rows"]["by"]
    left_out = [*by[:n_segments], *(label(split, length) for split in by[n_segments:])]
    return facts | {"periods": periods, "rows": facts["rows"] | {"by": left_out}}


def label(split: Facts, length: str) -> Facts:
    """Add the length to the name of a column."""
    return split | {"by": f"{split['by']}, by {length}"}
