"""Draw cases from seeds, check them at a door, and count."""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count, islice
from typing import Any, NamedTuple

from fuzz.arrays import check_arrays, draw_arrays
from fuzz.cases import Case, with_rules
from fuzz.checks import Checker, Difference
from fuzz.frames import check_frames, draw_frames
from fuzz.known import find_known
from fuzz.queries import check_queries, draw_queries
from fuzz.shell import check_shell, draw_shell
from fuzz.sketches import check_sketches, draw_sketches

CASES_PER_SEED = 10**9
SHRUNK = 3  # findings of each kind; more of them would say the same


class Door(NamedTuple):
    """How cases for a door are drawn, and how they are checked there."""

    draw: Callable[[random.Random, str], Case]
    check: Callable[[Case], Checker]


DOORS = {
    "arrays": Door(draw_arrays, check_arrays),
    "frames": Door(draw_frames, check_frames),
    "queries": Door(draw_queries, check_queries),
    "sketch": Door(draw_sketches, check_sketches),
    "shell": Door(draw_shell, check_shell),
}


class Finding(NamedTuple):
    """A case with an answer that is wrong, as a line from which it can be made again."""

    door: str
    profile: str
    number: int
    case: Case
    difference: Difference

    def __str__(self) -> str:
        what, got, expected = self.difference
        return (
            f"{self.door} {self.profile} {self.number}: {what} is {got}, expected "
            f"{expected}; check({self.door!r}, {self.case!r})"
        )


@dataclass
class Counts:
    """What a run did: inputs, numbers compared, and what was refused or is known."""

    inputs: int = 0
    numbers: int = 0
    seconds: float = 0.0
    refused: Counter[str] = field(default_factory=Counter)
    known: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as plain Python, for JSON."""
        return {
            "inputs": self.inputs,
            "numbers": self.numbers,
            "seconds": round(self.seconds),
            "refused": dict(sorted(self.refused.items())),
            "inputs with a known difference": dict(sorted(self.known.items())),
            "inputs with a new difference": len({each.number for each in self.findings}),
        }


def run(
    door: str, profile: str, *, seed: int, inputs: int | None, seconds: float
) -> Counts:
    """Check as many cases of a seed as asked for, or as there is time for."""
    limit = seconds if inputs is None else float("inf")
    return fuzz(door, profile, numbers_from(seed, inputs), limit)


def draw(door: str, profile: str, number: int) -> Case:
    """Draw the case with a number; the same one every time."""
    rng = random.Random(f"{door} {profile} {number}")  # noqa: S311 -- no secret
    return DOORS[door].draw(rng, profile)


def check(door: str, case: Case) -> Checker:
    """Check a case at a door; an error of the check itself is a difference too."""
    try:
        return DOORS[door].check(case)
    except Exception as error:  # noqa: BLE001 -- it is reported with its case
        checker = Checker(case)
        checker.differ("the check itself", repr(error), "no error")
        return checker


def fuzz(
    door: str, profile: str, numbers: Iterable[int], seconds: float = float("inf")
) -> Counts:
    """Check cases until they or the time run out."""
    counts, start = Counts(), time.monotonic()
    for number in numbers:
        case = draw(door, profile, number)
        checker = check(door, case)
        counts.inputs += 1
        counts.numbers += checker.compared
        counts.refused.update(checker.refused)
        sort_differences(counts, door, profile, number, checker)
        counts.seconds = time.monotonic() - start
        if counts.seconds > seconds:
            break
    return counts


def sort_differences(
    counts: Counts, door: str, profile: str, number: int, checker: Checker
) -> None:
    """Count the differences that are known, and keep the first that is not."""
    named = [(find_known(door, checker.case, each), each) for each in checker.differences]
    counts.known.update({name for name, _ in named if name is not None})
    news = [difference for name, difference in named if name is None]
    if news:
        counts.findings.append(
            shrink(Finding(door, profile, number, checker.case, news[0]))
        )


def numbers_from(seed: int, inputs: int | None = None) -> Iterator[int]:
    """Number the cases of a seed; those of other seeds have other numbers."""
    return islice(count(seed * CASES_PER_SEED), inputs)


def shrink(finding: Finding) -> Finding:
    """Leave out rows as long as the same kind of difference stays."""
    row = finding.case.n - 1
    while row >= 0:
        fewer = without_row(finding.case, row)
        smaller = [
            finding._replace(case=fewer, difference=difference)
            for difference in (check(finding.door, fewer).differences if fewer.n else ())
            if find_known(finding.door, fewer, difference) is None
        ]
        same = [each for each in smaller if kind_of(each) == kind_of(finding)]
        finding = same[0] if same else finding
        row -= 1
    return finding


def without_row(case: Case, row: int) -> Case:
    """Leave out a row."""
    kept = [place for place in range(case.n) if place != row]
    return with_rules(
        replace(
            case,
            columns={
                name: [column[place] for place in kept]
                for name, column in case.columns.items()
            },
            meant=[case.meant[place] for place in kept],
        )
    )


def kind_of(finding: Finding) -> str:
    """Name what differs, without where."""
    return re.split(r" ?[(\[]", finding.difference.what)[0]
