"""Periods as text: whether the order of their letters is that of time."""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import Any

from capcurve._input.column import format_labels
from capcurve.exceptions import CapcurveError, warn_caller

DATE = re.compile(r"\d{4}-\d{2}-\d{2}(\D.*)?", re.DOTALL)  # of ISO 8601, with any time
MONTH = re.compile(r"\d{4}-(0[1-9]|1[0-2])")
DIGITS = re.compile(r"\d+")
NUMBER_OF_YEAR = re.compile(r"[-_ ]?[QHSTMW]", re.IGNORECASE)  # as in 22Q1 and 22-W05
BACKWARD = re.compile(r"[A-Z] ?[-\N{MINUS SIGN}] ?\d{1,3}", re.IGNORECASE)  # as in T-1
YEAR, SHORT_YEAR = 4, 2  # digits
MOST_SHOWN = 3  # periods in a message


def is_date(text: str) -> bool:
    """Whether a text has the form of an ISO date, which need not exist."""
    return DATE.fullmatch(text) is not None


def exists(text: str) -> bool:
    """Whether the calendar has an ISO date."""
    try:
        date.fromisoformat(text[:10])
    except ValueError:
        return False
    return True


def refuse_odd_dates(labels: Iterable[Any], name: str, *, are_cut: bool = False) -> None:
    """Raise if dates do not exist, or if some periods are dates and others are not.

    One of these would turn all dates into text that is not cut. Dates that are cut may
    stand beside months.
    """
    texts = [label for label in labels if isinstance(label, str)]
    dates = [text for text in texts if is_date(text)]
    if wrong := [text for text in dates if not exists(text)]:
        raise CapcurveError(
            f"`{name}` must hold dates of the calendar, got {format_labels(wrong)}; "
            f"{suggest_missing(wrong[0])}"
        )
    others = [
        text
        for text in texts
        if not is_date(text) and not (are_cut and MONTH.fullmatch(text))
    ]
    if dates and others:
        raise CapcurveError(
            f"`{name}` must hold dates alone, such as {dates[0]!r}, or none, got "
            f"{format_labels(others)} among them; {suggest_missing(others[0])}"
        )


def suggest_missing(text: str) -> str:
    """Say what to do about a value that is no date."""
    return f"correct it, or make it a missing value (of text files by --na {text!r})"


def sorts_by_time(texts: Sequence[str]) -> bool:
    """Whether text that is sorted letter by letter is plainly in the order of time.

    All texts differ in digits alone, which are as many in each; if several numbers differ,
    the first of them is a year or follows one: 2023-01, 2023Q1, 2023-W05, FY22, FY22-Q1.
    'Q1 2023' and '01/2023' are while the year is the same, and not beside those of other
    years; 'Jan' is not, nor '2/2023' beside '10/2023', nor 'T-1', which may count backward.
    """
    if all(map(is_date, texts)):  # with times or without
        return True
    if len({DIGITS.sub(hide_digits, text) for text in texts}) > 1:
        return False
    numbers = [list(DIGITS.finditer(text)) for text in texts]
    places = [
        place
        for place, found in enumerate(zip(*numbers, strict=True))
        if len({number[0] for number in found}) > 1
    ]
    if places and any(map(BACKWARD.fullmatch, texts)):
        return False
    return len(places) <= 1 or any(map(is_year, numbers[0][: places[0] + 1]))


def hide_digits(number: re.Match[str]) -> str:
    """Replace the digits of a number, so that only how many they are remains."""
    return "0" * len(number[0])


def is_year(number: re.Match[str]) -> bool:
    """Whether a number in a text has the form of a year, of two digits as in 22Q1."""
    if len(number[0]) == SHORT_YEAR:
        return NUMBER_OF_YEAR.match(number.string, number.end()) is not None
    return len(number[0]) == YEAR


def explain_text_order(texts: Sequence[str], name: str) -> str:
    """Say that periods are sorted as text, which need not be the order of time."""
    return (
        f"periods of `{name}` are text and sorted as text, which need not be the order of "
        f"time: {show_first(texts)}; write them as 2023-Q1 or 2023-01 to sort them by time"
    )


def explain_sample_order(texts: Sequence[str], name: str) -> str:
    """Say in which order samples are compared, which may be periods or segments."""
    return (
        f"values of `{name}` are text and compared in the order of text, each with the one "
        f"before it: {show_first(texts)}; if they are periods, write them as 2023-Q1 or "
        "2023-01 to compare them in the order of time"
    )


def show_first(texts: Sequence[str]) -> str:
    """Show the first of several texts."""
    shown = ", ".join(repr(text) for text in texts[:MOST_SHOWN])
    return f"{shown}, ..." if len(texts) > MOST_SHOWN else shown


def check_text_order(
    labels: Sequence[Any],
    name: str,
    explain: Callable[[Sequence[str], str], str] = explain_text_order,
) -> bool:
    """Whether sorted periods are in the order of time; warn of text that need not be.

    Numbers and dates, which are no text, are. Raises for dates among other text.
    ``explain`` writes the warning.
    """
    refuse_odd_dates(labels, name)
    texts = [str(label) for label in labels]
    if not any(isinstance(label, str) for label in labels) or sorts_by_time(texts):
        return True
    warn_caller(explain(texts, name), UserWarning)
    return False
