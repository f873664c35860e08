"""Judge by the times of two commits whether the second is slower."""

from collections.abc import Sequence
from typing import NamedTuple

LIMIT = 1.25  # a job that takes this much longer is slower
SAME, SLOWER, FASTER = "as fast", "SLOWER", "faster"
NEW, BROKEN, UNABLE = "new", "BROKEN", "RAN NOWHERE"
FAULTS = (SLOWER, BROKEN, UNABLE)


class Times(NamedTuple):
    """Seconds of each repeat of a job at one commit, or the error that it raised."""

    seconds: Sequence[float]
    error: str | None = None


class Verdict(NamedTuple):
    """What became of a job, and how its best times compare (nan without both)."""

    name: str
    ratio: float = float("nan")

    @property
    def is_fault(self) -> bool:
        """Whether the commit should not go in as it is."""
        return self.name in FAULTS


def judge(base: Times, head: Times, limit: float = LIMIT) -> Verdict:
    """Compare the best repeats: other processes can only make a job slower.

    A job that the base cannot run is new. One that only the base can run is broken, and
    one that neither can run guards nothing, which is a fault too.
    """
    if head.error:
        return Verdict(UNABLE if base.error else BROKEN)
    if base.error:
        return Verdict(NEW)
    ratio = min(head.seconds) / min(base.seconds)
    if ratio > limit:
        return Verdict(SLOWER, ratio)
    return Verdict(FASTER if ratio < 1 / limit else SAME, ratio)
