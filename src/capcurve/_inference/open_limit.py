"""Leave out the limit that a one-sided test lacks: the end of the scale stands for it."""

from collections.abc import Mapping
from typing import Any

# The limits that 'less' and 'greater' lack: of what is tested, and of the range of an AR
# whose probabilities are right.
OF_DIFFERENCE = ("low", "high")
OF_RANGE = ("high", "low")


def hide_open_limit(
    numbers: Mapping[str, Any], alternative: str, open_ends: tuple[str, str] = OF_DIFFERENCE
) -> dict[str, Any]:
    """Copy the numbers of a test, with None for the limit that it lacks."""
    lacked = dict(zip(("less", "greater"), open_ends, strict=True))
    return {
        name: None if name == lacked.get(alternative) else value
        for name, value in numbers.items()
    }
