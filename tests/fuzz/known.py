"""What is known to be wrong: data, in one place.

A difference that an entry covers does not fail the run; it is counted. Each entry has a
witness, and a test asks for its difference: when the bug is gone, that test fails, and the
entry must go.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NamedTuple

from fuzz.cases import AMOUNT_RANGE, WEIGHT_RANGE, Case
from fuzz.checks import Difference

TINY = sys.float_info.min  # below, floats lose digits
Covers = Callable[[Case, Difference], bool]


class Known(NamedTuple):
    """A bug that is known and not yet mended.

    Attributes
    ----------
    reason
        Why it is left.
    doors
        Doors at which it shows.
    covers
        Whether a difference may be due to it.
    witness
        A case that shows it at the first of the doors.
    """

    reason: str
    doors: tuple[str, ...]
    covers: Covers
    witness: Case


KNOWN = {
    "the outcome of a group of subnormal amounts underflows in its gains table": Known(
        "amounts below 1e-307 lose digits whatever is done",
        ("frames",),
        lambda case, _: (
            AMOUNT_RANGE in case.may and 0 < min(filter(None, case.meant)) < TINY
        ),
        Case(
            columns={
                "y": [0.5, 5e-324],
                "{x}": [-9007199254740997, -9007199254741000],
                "%s": [0.0, 9.99994610111476e-41],
                "it's; --": [1152921504606846976, 0],
            },
            storage={"y": "float64", "{x}": "int64", "%s": "float32", "it's; --": "int64"},
            meant=[0.5, 5e-324],
            estimates=("{x}", "%s"),
            by=("it's; --",),
            has_amounts=True,
            may=(
                "amounts of extreme range are right, or refused with the range (11)",
                "integers beyond 2**53 are compared as integers, or refused (10)",
            ),
            shares=(0.004106612411356014, 0.148, 0.25, 0.3333333333333333, 0.6),
            choice=62704,
        ),
    ),
    "a group whose events outweigh the rest by 1e16 looks undefined in bins": Known(
        "an engine returns sums, in which the rest is 0; it is nan, with a warning",
        ("queries",),
        lambda case, difference: WEIGHT_RANGE in case.may and difference.got == "nan",
        Case(
            columns={
                "$1": [0.0, 1.0, 0.0],
                "Ω|Ω": [5e-324, 5e-324, 5e-324],
                "a.b": [1.0, 1e16, 1e16],
                "select": [False, False, True],
            },
            storage={"$1": "float32", "Ω|Ω": "float64", "a.b": "float64", "select": "bool"},
            meant=[0, 1, 0],
            truth="$1",
            estimates=("Ω|Ω",),
            by=("select",),
            weight="a.b",
            may=("weights of extreme range are right, or refused with the range (11)",),
            shares=(0.2, 0.262, 0.5533628970383416, 0.75, 0.9),
            choice=6277,
        ),
    ),
}


def find_known(door: str, case: Case, difference: Difference) -> str | None:
    """Name the known bug that a difference is due to, if there is one."""
    for name, bug in KNOWN.items():
        if door in bug.doors and bug.covers(case, difference):
            return name
    return None
