"""What to do about a value of a text file that is no number."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from capcurve._files.quoting import quote_literal, quote_name
from capcurve._input.usual_words import USUAL_WORDS, fold_word
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from capcurve._files.numbers import NumberFormat

NAME_GRADES = (
    "if it is a score in grades, list them from the lowest score to the highest as "
    "--order; otherwise fix the value"
)
FIX_VALUE = "fix the value, or pass it as --na if that means a missing value"
NUMBERS_WANTED = "name a column of numbers, or make one with --query"


def find_remedy(
    name: str, value: str, form: NumberFormat, remedy: str, *, may_be_grade: bool
) -> str:
    """Say what to do about a value; a column of words may not always be one of grades."""
    if fold_word(value) in USUAL_WORDS and not form.usual_words and form.decimal == ".":
        return suggest_query(name, value)
    suggested = suggest_format(value, form.decimal)
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


def suggest_query(name: str, word: str) -> str:
    """Say how a word is a missing value in one column of numbers, and a label in others."""
    return (
        "pass it as --na if it is a missing value in every column, or "
        f"{write_null_query(name, word, '::double')} if in this one alone"
    )


def write_null_query(name: str, word: str, cast: str = "") -> str:
    """Write a query that makes a word of a column a missing value."""
    value = f"nullif(trim({quote_name(name)}), {quote_literal(word.strip())}){cast}"
    return write_query(name, value)


def write_query(name: str, value: str) -> str:
    """Write a query that replaces a column by a value made of it."""
    column = quote_name(name)
    query = f"select * replace ({value} as {column}) from data"  # noqa: S608 -- quoted
    return f"--query {shlex.quote(query)}"


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
