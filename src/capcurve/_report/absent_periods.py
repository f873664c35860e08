"""Find the periods that have no rows between others that have some."""

import re
from collections.abc import Callable, Sequence
from math import gcd
from typing import NamedTuple

YEAR = r"((?:19|20|21)\d\d)"


class Calendar(NamedTuple):
    """How labels of one form are numbered, and named again.

    Attributes
    ----------
    form : re.Pattern
        Form of the labels, with the year, and the number of the part in it if there is one.
    n_parts : int
        Parts of a year.
    name : callable
        Makes a label of a year and a part.
    is_complete : bool
        Whether each number is a period. Otherwise periods may be several numbers apart, as
        the months at the end of quarters.
    """

    form: re.Pattern[str]
    n_parts: int
    name: Callable[[int, int], str]
    is_complete: bool = False

    def number(self, label: str) -> int | None:
        """Return the number of a label; None if it has another form."""
        found = self.form.fullmatch(label)
        if found is None:
            return None
        year, part = [*map(int, found.groups()), 1][:2]
        return year * self.n_parts + part - 1

    def label(self, number: int) -> str:
        """Return the label of a number."""
        year, part = divmod(number, self.n_parts)
        return self.name(year, part + 1)


CALENDARS = (
    Calendar(re.compile(YEAR), 1, lambda year, _: str(year), is_complete=True),
    Calendar(re.compile(f"{YEAR}-Q([1-4])"), 4, "{}-Q{}".format, is_complete=True),
    Calendar(re.compile(f"{YEAR}Q([1-4])"), 4, "{}Q{}".format, is_complete=True),
    Calendar(re.compile(f"{YEAR}-(0[1-9]|1[0-2])"), 12, "{}-{:02}".format),
    Calendar(re.compile(f"{YEAR}(0[1-9]|1[0-2])"), 12, "{}{:02}".format),
    Calendar(re.compile(r"(-?\d{1,3})"), 1, lambda number, _: str(number)),
)


def list_absent(labels: Sequence[str]) -> list[str]:
    """List the years, quarters, months or small whole numbers that are absent.

    Labels of another form have no neighbours that are known.
    """
    for calendar in CALENDARS:
        numbers = [calendar.number(label) for label in labels]
        known = [number for number in numbers if number is not None]
        if known and len(known) == len(labels):
            return [calendar.label(number) for number in find_gaps(calendar, known)]
    return []


def find_gaps(calendar: Calendar, numbers: Sequence[int]) -> list[int]:
    """Find the numbers between the first and the last one that are absent."""
    first, last = min(numbers), max(numbers)
    step = 1
    if not calendar.is_complete:
        step = gcd(*(number - first for number in numbers)) or 1
    return sorted(set(range(first, last, step)) - set(numbers))
