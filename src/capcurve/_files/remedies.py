"""What to do about a value of a text file that is no number."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from capcurve.exceptions import CapcurveError

NAME_GRADES = (
    "if it is a score in grades, list them from the lowest score to the highest as "
    "--order; otherwise fix the value"
)
FIX_VALUE = "fix the value, or pass it as --na if that means a missing value"
NUMBERS_WANTED = "name a column of numbers, or make one with --query"


def find_remedy(value: str, decimal: str, remedy: str, *, may_be_grade: bool) -> str:
    """Say what to do about a value; a column of words may not always be one of grades."""
    suggested = suggest_format(value, decimal)
    if remedy == NAME_GRADES and not may_be_grade:
        remedy = NUMBERS_WANTED
    return suggested or remedy


def suggest_format(value: str, decimal: str) -> str:
    """Say what to do about a number that is written in another way; else nothing."""
    number = value.strip().removesuffix("%").strip()
    if decimal == "." and re.fullmatch(r"[+-]?[0-9.]*[0-9],[0-9]+", number):
        return "pass --decimal-comma if the file has decimal commas"
    if decimal == "," and re.fullmatch(r"[+-]?[0-9]+\.[0-9]+", number):
        return "remove --decimal-comma if the file has decimal points"
    if decimal == "." and re.fullmatch(r"[+-]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]*)?", number):
        return "write numbers without separators of thousands"
    return ""


@contextmanager
def suggest_separators(columns: Sequence[str]) -> Iterator[None]:
    """Say how columns are separated, where there is only one, which may hold them all."""
    try:
        yield
    except CapcurveError as error:
        if len(columns) > 1:
            raise
        raise CapcurveError(
            f"{error}; separate columns by a comma, semicolon, tab or |"
        ) from error
