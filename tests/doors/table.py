"""The table of doors and meanings: is each cell as it should be, and as a page to read."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterator
from math import isclose, isnan, nan
from typing import NamedTuple

from capcurve import (
    CapcurveError,
    DroppedRowsWarning,
    FewEventsWarning,
    HardLabelsWarning,
    UndefinedMetricWarning,
)
from doors.capabilities import CAPABILITIES
from doors.doors import DOORS
from doors.exceptions import DIFFERENCES, EXCEPTIONS
from doors.expected import Answer, expect
from doors.meanings import MEANINGS, SECTIONS

EXPECTED_WARNINGS = (
    DroppedRowsWarning,
    FewEventsWarning,
    HardLabelsWarning,
    UndefinedMetricWarning,
)


class Fault(NamedTuple):
    """What is wrong with the answer of a door, and the numbers that show it."""

    found: str
    numbers: str = ""


def find_fault(door: str, name: str) -> Fault | None:
    """Ask a door about a meaning; None if it answers or refuses as every door should."""
    meaning = MEANINGS[name]
    try:
        with warnings.catch_warnings():
            for category in EXPECTED_WARNINGS:
                warnings.simplefilter("ignore", category)
            answer = DOORS[door].ask(meaning)
    except (CapcurveError, TypeError) as error:
        is_right = meaning.refused and re.search(meaning.refused, str(error))
        return None if is_right else Fault(str(error))
    if meaning.refused:
        values = [as_float(numbers["accuracy_ratio"]) for numbers in answer.values()]
        return Fault("gives nan" if all(map(isnan, values)) else "gives a number")
    return compare(answer, expect(name), DOORS[door].gives)


def compare(answer: Answer, expected: Answer, gives: frozenset[str]) -> Fault | None:
    """Say where an answer differs from the expected one, or which numbers it lacks."""
    if set(answer) != set(expected):
        return Fault(f"shows the groups {', '.join(sorted(map('/'.join, answer)))}")
    pairs = [
        (name, as_float(answer[key][name]), right)
        for key, numbers in expected.items()
        for name, right in numbers.items()
        if name in answer[key]
    ]
    wrong = {
        name: f"{name} is {value!r} instead of {right!r}"
        for name, value, right in pairs
        if not isnan(value) and not agrees(name, value, right)
    }
    if wrong:
        return Fault(f"gives another {', '.join(sorted(wrong))}", "; ".join(wrong.values()))
    undefined = {name for name, value, right in pairs if isnan(value) and not isnan(right)}
    named = {name for numbers in expected.values() for name in numbers} & gives
    lacking = undefined | named - {name for name, _, _ in pairs}
    return Fault(f"gives no {', '.join(sorted(lacking))}") if lacking else None


def as_float(value: float | None) -> float:
    """Return a number; nan if there is none."""
    return nan if value is None else value


def agrees(name: str, value: float, right: float) -> bool:
    """Whether a number is right, or a guaranteed bound of AR holds."""
    holds = {"lower": value <= right, "upper": value >= right}
    return holds.get(name, False) or isclose(value, right, rel_tol=1e-12, abs_tol=1e-12)


# -- The page ------------------------------------------------------------------------------

HEAD = """\
# The same number at every door

capcurve has five doors: arrays, data frames, queries, the shell and the report. What a
column means is decided once, so every door gives the same number for the same meaning, or
refuses with a clear error. This page shows what each door does with each meaning, and every
difference with its reason. Look here before you move a calculation from one door to
another, or if two of your numbers differ.

Each meaning is a table of 24 rows with tied scores. AR, its confidence limits, KS, the
capture rate at 10 % and the numbers of rows and of events are compared with exact
fractions, up to a relative difference of 1e-12. So is Somers' D of amounts with its limits,
at the doors that give it.
"""
LEGEND = """\
- same: the right number, which every other door gives too.
- error: every door [refuses](#what-every-door-refuses), as it would have to guess.
- a number: this door [differs](#where-a-door-differs).
"""
RENEW = "PYTHONPATH=tests .venv/bin/python -m doors.table > docs/doors.md"


def render() -> str:
    """Render the table, what is refused, and the differences as a page."""
    return "\n".join(
        [
            HEAD,
            "## Doors\n",
            *list_doors(),
            "\n## Capabilities\n",
            *list_capabilities(),
            "\n## Meanings\n",
            LEGEND,
            *(line for title in SECTIONS for line in list_cells(title)),
            "## What every door refuses\n",
            *(
                f"- {name}: {quote(meaning.refused)}"
                for name, meaning in MEANINGS.items()
                if meaning.refused
            ),
            "\n## Where a door differs\n",
            *(
                f"{number}. **{', '.join(it.doors)}.** {it.reason} {describe(it.found)}"
                for number, it in enumerate(DIFFERENCES, 1)
            ),
            f"\nThis page is made by a command: `{RENEW}`\n",
        ]
    )


def list_capabilities() -> Iterator[str]:
    """Yield a table of what each door can do."""
    yield "| capability | arrays | data frames and queries | shell | report |"
    yield "| --- | --- | --- | --- | --- |"
    for each in CAPABILITIES:
        yield f"| {' | '.join(each)} |"


def list_doors() -> Iterator[str]:
    """List what is called at each door."""
    yield from ("| door | calls | Somers' D |", "| --- | --- | --- |")
    for name, door in DOORS.items():
        yield f"| {name} | {door.call} | {'yes' if 'somers_d' in door.gives else 'no'} |"


def list_cells(title: str) -> Iterator[str]:
    """List the rows of one section of the table."""
    yield f"| {title} | {' | '.join(DOORS)} |"
    yield f"| --- |{' --- |' * len(DOORS)}"
    for name in SECTIONS[title]:
        yield f"| {name} | {' | '.join(name_cell(door, name) for door in DOORS)} |"
    yield ""


def name_cell(door: str, name: str) -> str:
    """Name what a door does with a meaning: the number of a difference, if there is one."""
    if difference := EXCEPTIONS.get((door, name)):
        return str(DIFFERENCES.index(difference) + 1)
    return "error" if MEANINGS[name].refused else "same"


def describe(found: str) -> str:
    """Say what is found, or quote the error."""
    if found.startswith("^"):
        return f"It {' or '.join(part[1:-1] for part in found.split('|'))}."
    return f"It says {quote(found)}."


def quote(words: str) -> str:
    """Quote the words of an error."""
    return " or ".join(f'"{part}"' for part in words.split("|"))


if __name__ == "__main__":
    sys.stdout.write(render())
