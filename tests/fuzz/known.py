"""What is known to be wrong: data, in one place, each with the line of the issue.

A difference that an entry covers does not fail the run; it is counted. Each entry has a
witness, and a test asks for its difference: when the bug is gone, that test fails, and the
entry must go. The lines are those of the issue "One reading, five doors".
"""

from __future__ import annotations

from collections.abc import Callable
from math import nan
from typing import NamedTuple

from fuzz.cases import (
    Case,
)
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


def may(rule: str) -> Covers:
    """Cover all differences of cases that may be refused by a rule."""
    return lambda case, _: rule in case.may


KNOWN = {
    "pandas columns of Arrow dictionaries end in a raw error": Known(
        "part 2, line 14: found by this fuzzer",
        ("frames",),
        lambda _, difference: "Can only use .cat accessor" in difference.got,
        Case(
            columns={"y": ["bad", "good"], "s": [2.0, 1.0]},
            storage={"y": "categorical", "s": "float64"},
            meant=[1, 0],
            categories=("bad", "good"),
            choice=2,
        ),
    ),
    "gain_capture_vec refuses missing values": Known(
        "part 2, line 12",
        ("frames",),
        lambda _, difference: (
            difference.what == "gain_capture_vec"
            and "must not hold missing values" in difference.got
        ),
        Case(
            columns={"y": [0, 1, 0], "s": [1.0, 2.0, nan]},
            storage={"y": "int64", "s": "float64"},
            meant=[0, 1, 0],
        ),
    ),
    "counts of a query without a complete row end in a raw error": Known(
        "part 2, line 14: found by this fuzzer",
        ("queries",),
        lambda case, difference: case.is_counted and "zero-size array" in difference.got,
        Case(
            columns={"y": [0, 1], "s": [2.0, 1.0], "s2": [None, None], "w": [3, 1]},
            storage={"y": "int64", "s": "float64", "s2": "int64", "w": "int64"},
            meant=[0, 1],
            estimates=("s", "s2"),
            weight="w",
            choice=24,
        ),
    ),
    "score --approx --by shifts columns where the first group is undefined": Known(
        "H1",
        ("shell",),
        lambda case, difference: "--approx" in difference.what and bool(case.by),
        Case(
            columns={
                "y": [0, 0, 1, 0, 1, 0],
                "s": [1, 2, 3, 2, 1, 0],
                "g": ["a", "a", "b", "b", "b", "b"],
            },
            storage={"y": "int64", "s": "int64", "g": "str"},
            meant=[0, 0, 1, 0, 1, 0],
            by=("g",),
            choice=3 * 8 + 32,
        ),
    ),
    "a group column called like a result is overwritten in the shell": Known(
        "found by this fuzzer",
        ("shell",),
        lambda _, difference: difference.what.endswith("by result column"),
        Case(
            columns={"y": [1, 0], "s": [3, 2], "ks": ["a", "a"]},
            storage={"y": "int64", "s": "int64", "ks": "str"},
            meant=[1, 0],
            by=("ks",),
        ),
    ),
}


def find_known(door: str, case: Case, difference: Difference) -> str | None:
    """Name the known bug that a difference is due to, if there is one."""
    for name, bug in KNOWN.items():
        if door in bug.doors and bug.covers(case, difference):
            return name
    return None
