"""Say which scores are infinite, as they rank first or last whatever the others are."""

from collections.abc import Iterator, Sequence

import numpy as np

from capcurve._report.phrases import say_count
from capcurve._report.scored import ScoredGroup, ScoredRows


def list_infinite(scored_groups: Sequence[ScoredGroup]) -> Iterator[str]:
    """Say of each score in how many rows it is infinite, if in any."""
    for name in dict.fromkeys(scored.estimate for scored in scored_groups):
        own = [scored for scored in scored_groups if scored.estimate == name]
        if any(map(has_infinite, own)):
            in_memory = [scored for scored in own if isinstance(scored, ScoredRows)]
            count = sum(map(count_infinite, in_memory))
            rows = say_count(count, "row") if in_memory else "some rows"
            verb = "ranks" if count == 1 else "rank"
            yield f"{name!r} is infinite in {rows}, which {verb} first or last"


def has_infinite(scored: ScoredGroup) -> bool:
    """Whether a score is infinite; those of bins are never binned with others."""
    if isinstance(scored, ScoredRows):
        return bool(np.isinf(scored.columns.score).any())
    return scored.curve is not None and bool(np.isinf(scored.curve.thresholds[1:]).any())


def count_infinite(scored: ScoredRows) -> int:
    """Count the rows whose score is infinite; counted rows count."""
    return int(scored.columns.row_counts[np.isinf(scored.columns.score)].sum())
