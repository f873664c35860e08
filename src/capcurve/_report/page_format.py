"""Write the numbers of a page: one format for all numbers of a column."""

import re
from collections.abc import Callable, Iterable
from math import floor, isfinite, log10
from typing import Any

from capcurve._inference.wording import format_apart
from capcurve._report.count_decimals import find_decimals_of_counts
from capcurve._report.options import Facts

Write = Callable[[Any], str]

NONE = "\N{EN DASH}"  # an undefined number
MINUS = "\N{MINUS SIGN}"
DECIMALS = 4  # of ratios and p-values
SIGNIFICANT, FEWEST = 4, 3  # digits of the largest and of the smallest number of a column
MOST_DECIMALS = 8
MANY = 1e6  # mean amounts from here on have no decimals
LARGE = 1e15  # numbers from here on are written with an exponent
DIGIT_ABOVE_ZERO = re.compile("[1-9]")
LAST_ZERO = re.compile("0(?=%?$)")


def write_text(value: object) -> str:
    """Write a value as it is; None is empty."""
    return "" if value is None else str(value)


def write_signed(text: str) -> str:
    """Write a minus as such; a number that is rounded to 0 has none."""
    if not text.startswith("-"):
        return text
    return MINUS + text[1:] if DIGIT_ABOVE_ZERO.search(text) else text[1:]


def write_number(value: float | None, digits: int = DECIMALS) -> str:
    """Write a number with fixed decimals."""
    if value is None:
        return NONE
    if abs(value) >= LARGE:
        return write_signed(f"{value:.3g}")
    return write_signed(f"{value:,.{digits}f}")


def write_lift(value: float | None) -> str:
    """Write a lift."""
    return write_number(value, 2)


def write_percent(value: float | None, digits: int = 2) -> str:
    """Write a share as a percentage."""
    return NONE if value is None else write_signed(f"{value:.{digits}%}")


def write_share(value: float) -> str:
    """Write a share that a person has chosen, without needless zeros."""
    return f"{float(f'{100 * value:.6g}'):,g}%"


def write_p_value(value: float | None) -> str:
    """Write a p-value."""
    if value is None:
        return NONE
    smallest = 10**-DECIMALS
    return f"<{smallest:.{DECIMALS}f}" if value < smallest else f"{value:.{DECIMALS}f}"


def write_interval(estimate: Facts, digits: int = DECIMALS) -> str:
    """Write both limits of an estimate, or of a test."""
    low, high = (write_number(estimate[end], digits) for end in ("low", "high"))
    return f"{low} to {high}"


def write_ratio_interval(estimate: Facts) -> str:
    """Write both limits of an AR in a sentence, with so many digits that none seems 0."""
    low, high = (write_signed(format_apart(estimate[end], 0.0)) for end in ("low", "high"))
    return f"{low} to {high}"


def write_count(value: float | None) -> str:
    """Write a count or a weight that stands alone."""
    return choose_count([value])(value)


def choose_count(values: Iterable[float | None]) -> Write:
    """Choose the format of a column of counts, weights or amounts."""
    digits = find_decimals_of_counts(values)
    return write_power if digits is None else lambda value: write_number(value, digits)


def write_power(value: float | None) -> str:
    """Write a number with a power of ten, as it has more zeros than a reader counts."""
    return NONE if value is None else write_signed(f"{value:.{SIGNIFICANT - 1}e}")


def show_positive(write: Write) -> Write:
    """Write a number above 0 that would be rounded to 0 as below the smallest one shown."""

    def write_above_zero(value: float | None) -> str:
        shown = write(value)
        if value is None or value <= 0 or DIGIT_ABOVE_ZERO.search(shown):
            return shown
        return f"<{LAST_ZERO.sub('1', shown)}"

    return write_above_zero


def choose_scores(values: Iterable[float | str | None]) -> Write:
    """Choose the format of a column of scores; words stay as they are."""
    digits = choose_decimals(values)

    def write(value: float | str | None) -> str:
        if isinstance(value, str):
            return value
        return write_number(value, digits).replace(",", "")

    return write


def choose_decimals(values: Iterable[float | str | None]) -> int:
    """Choose the decimals of a column of scores."""
    numbers = [value for value in values if isinstance(value, int | float)]
    if all(float(value).is_integer() for value in numbers):
        return 0
    sizes = [abs(value) for value in numbers if value and isfinite(value)]
    largest, smallest = floor(log10(max(sizes))), floor(log10(min(sizes)))
    digits = max(SIGNIFICANT - 1 - largest, FEWEST - 1 - smallest, 0)
    digits = min(digits, MOST_DECIMALS)
    written = (f"{value:.{digits}f}".rstrip("0") for value in numbers)
    return max(len(each.partition(".")[2]) for each in written)


def choose_amounts(values: Iterable[float | None]) -> Write:
    """Choose the format of a column of mean amounts by the largest one."""
    largest = max((abs(value) for value in values if value is not None), default=0.0)
    if largest >= 1:
        digits = 0 if largest >= MANY else 2
    else:
        digits = SIGNIFICANT - 1 - floor(log10(largest)) if largest else 0
    return lambda value: write_number(value, digits)


def choose_outcome(values: Iterable[float | None], *, are_events: bool) -> Write:
    """Choose the format of a column of event rates, or of mean outcomes."""
    return write_percent if are_events else choose_amounts(values)
