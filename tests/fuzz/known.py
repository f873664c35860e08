"""What is known to be wrong: data, in one place, each with the line of the issue.

A difference that an entry covers does not fail the run; it is counted. Each entry has a
witness, and a test asks for its difference: when the bug is gone, that test fails, and the
entry must go. The lines are those of the issue "One reading, five doors".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
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


FOUR_ROWS = Case(
    columns={"y": [1, 0, 1, 0], "s": [0.9, 0.5, 0.5, 0.1]},
    storage={"y": "int64", "s": "float64"},
    meant=[1, 0, 1, 0],
)
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
    "KS in the gains table of a group of equal outcomes is infinite": Known(
        "found by this fuzzer",
        ("frames", "queries"),
        lambda _, difference: (
            "gains_table" in difference.what
            and (difference.got == "inf" or "divide by zero" in difference.got)
        ),
        Case(
            columns={"y": [1.0] * 5, "s": [28, -23, -74, -73, 10], "g": ["x"] * 5},
            storage={"y": "float64", "s": "int64", "g": "str"},
            meant=[1, 1, 1, 1, 1],
            by=("g",),
            shares=(0.183, 0.2, 0.5, 0.7961047252783134),
            choice=30889,
        ),
    ),
    "a group without any outcome has a curve, by rounding": Known(
        "found by this fuzzer",
        ("frames", "queries"),
        lambda case, difference: (
            "gain_curve" in difference.what
            and (case.is_weighted or case.has_amounts)
            and (difference.expected == "nan" or "UndefinedMetric" in difference.got)
        ),
        Case(
            columns={
                "y": [54.877258785616334, 5.733543112764578, 26.11420105318584, 0.0],
                "s": [0.65, 0.17, 0.23, 0.13],
                "g": [2, 2, 3, 1],
            },
            storage={"y": "float64", "s": "float64", "g": "int64"},
            meant=[54.877258785616334, 5.733543112764578, 26.11420105318584, 0.0],
            by=("g",),
            has_amounts=True,
        ),
    ),
    "a column called * or ^...$ is several columns to an engine": Known(
        "found by this fuzzer",
        ("queries", "frames", "shell"),
        lambda case, _: any(
            name == "*" or (name[0] == "^" and name[-1] == "$") for name in case.columns
        ),
        Case(
            columns={"a": ["x", "y", "x"], "b": [0.2, 0.3, 0.1], "*": ["n", "n", "m"]},
            storage={"a": "str", "b": "float64", "*": "str"},
            meant=[1, 0, 1],
            truth="a",
            estimates=("b",),
            by=("*",),
            options={"pos_label": "x"},
        ),
    ),
    "queries leave out groups without a complete row": Known(
        "found by this fuzzer",
        ("queries",),
        lambda _, difference: difference.what.endswith(" groups"),
        Case(
            columns={"y": [0, 1, None], "s": [1.0, 2.0, 3.0], "g": ["a", "a", "b"]},
            storage={"y": "int64", "s": "float64", "g": "str"},
            meant=[0, 1, None],
            by=("g",),
        ),
    ),
    "from_bytes takes no memoryview": Known(
        "part 3, sketches (M6)",
        ("sketch",),
        lambda _, difference: difference.what == "from_bytes of memoryview",
        FOUR_ROWS,
    ),
    "damaged bytes of a sketch end in a raw error": Known(
        "part 3, sketches (M6)",
        ("sketch",),
        lambda _, difference: difference.what == "damaged bytes",
        replace(FOUR_ROWS, choice=1),
    ),
    "damaged bytes with a repaired checksum end in a raw error": Known(
        "part 3, sketches (M6)",
        ("sketch",),
        lambda _, difference: difference.what == "repaired bytes",
        FOUR_ROWS,
    ),
    "a sketch with a NumPy label is not written": Known(
        "part 2, line 14 (M7)",
        ("sketch",),
        lambda case, difference: (
            "not JSON serializable" in difference.got and case.choice % 5 == 0
        ),
        replace(FOUR_ROWS, options={"pos_label": 1}, choice=5),
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
