"""Find the periods that have no rows between others that have some."""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from math import gcd
from typing import NamedTuple

YEAR = r"(?P<year>(?:19|20|21)\d\d)"
SEPARATORS = ("", " ", "-", "/", ".", "_")


class Part(NamedTuple):
    """A part of labels: its form, how it is written, and how many a year has."""

    form: str
    name: str
    n: int


PLAIN_YEAR = Part(YEAR, "{year}", 1)
FISCAL_YEAR = Part(f"FY{YEAR}", "FY{year}", 1)
SHORT_FISCAL_YEAR = Part(r"FY(?P<year>\d\d)", "FY{year:02}", 1)
SHORT_YEAR = Part(r"(?P<year>\d\d)", "{year:02}", 1)
HALF = Part("H(?P<part>[12])", "H{part}", 2)
QUARTER = Part("Q(?P<part>[1-4])", "Q{part}", 4)
MONTH = Part("(?P<part>0[1-9]|1[0-2])", "{part:02}", 12)
SHORT_MONTH = Part("(?P<part>[1-9])", "{part}", 12)  # its order beside 10/2023 is not known


class Calendar(NamedTuple):
    """How labels of one form are numbered, and named again.

    Attributes
    ----------
    form : re.Pattern
        Form of the labels: the year, and the number of the part in it, where they have one.
    name : str
        Label of a year and a part.
    n_parts : int
        Parts of a year.
    is_complete : bool
        Whether each number is a period. Otherwise periods may be several numbers apart, as
        the months at the end of quarters.
    """

    form: re.Pattern[str]
    name: str
    n_parts: int = 1
    is_complete: bool = False

    def number(self, label: str) -> int | None:
        """Return the number of a label; None if it has another form."""
        found = self.form.fullmatch(label)
        if found is None:
            return None
        numbers = {name: int(digits) for name, digits in found.groupdict().items()}
        return numbers["year"] * self.n_parts + numbers.get("part", 1) - 1

    def label(self, number: int) -> str:
        """Return the label of a number."""
        year, part = divmod(number, self.n_parts)
        return self.name.format(year=year, part=part + 1)


def list_calendars() -> Iterator[Calendar]:
    """List the forms of labels that are known."""
    yield Calendar(re.compile(YEAR), "{year}", is_complete=True)
    yield Calendar(re.compile(r"(?P<year>-?\d{1,3})"), "{year}")
    for year in (FISCAL_YEAR, SHORT_FISCAL_YEAR):
        yield Calendar(re.compile(year.form), year.name, is_complete=True)
    for separator, part in product(SEPARATORS, (HALF, QUARTER, MONTH)):
        yield join_parts(separator, PLAIN_YEAR, part)
    years = (FISCAL_YEAR, SHORT_FISCAL_YEAR, SHORT_YEAR)
    for separator, year, part in product(SEPARATORS, years, (HALF, QUARTER)):
        yield join_parts(separator, year, part)
    # Of one year or of one part, as the order of other text is not known.
    for separator, part in product(SEPARATORS[1:], (HALF, QUARTER, MONTH, SHORT_MONTH)):
        yield join_parts(separator, part, PLAIN_YEAR)


def join_parts(separator: str, first: Part, second: Part) -> Calendar:
    """Make the form of labels that have a year and a part of it."""
    return Calendar(
        re.compile(f"{first.form}{re.escape(separator)}{second.form}"),
        f"{first.name}{separator}{second.name}",
        max(first.n, second.n),
        is_complete=not {HALF, QUARTER}.isdisjoint({first, second}),
    )


CALENDARS = tuple(list_calendars())


def list_absent(labels: Sequence[str]) -> list[str]:
    """List the years, halves, quarters, months or small whole numbers that are absent.

    Labels of another form, such as weeks, have no neighbours that are known.
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
