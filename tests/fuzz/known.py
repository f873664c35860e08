"""What is known to be wrong: data, in one place, each with the line of the issue.

A difference that an entry covers does not fail the run; it is counted. Each entry has a
witness, and a test asks for its difference: when the bug is gone, that test fails, and the
entry must go. The lines are those of the issue "One reading, five doors".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from fuzz.cases import Case
from fuzz.checks import Difference

Covers = Callable[[Case, Difference], bool]


class Known(NamedTuple):
    """A bug that is known and not yet mended.

    Attributes
    ----------
    line
        Line of the issue that is about it, and its name in the attack on 0.1.0.
    doors
        Doors at which it shows.
    covers
        Whether a difference may be due to it.
    witness
        A case that shows it at the first of the doors.
    """

    line: str
    doors: tuple[str, ...]
    covers: Covers
    witness: Case


KNOWN: dict[str, Known] = {}


def find_known(door: str, case: Case, difference: Difference) -> str | None:
    """Name the known bug that a difference is due to, if there is one."""
    for name, bug in KNOWN.items():
        if door in bug.doors and bug.covers(case, difference):
            return name
    return None
