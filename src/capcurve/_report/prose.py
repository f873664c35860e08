"""Write sentences with the signs of print; names in them stay as the data have them."""

import re
from collections.abc import Iterator
from functools import partial

from capcurve._report.options import Facts
from capcurve._report.page_format import MINUS, Write

SPACED_PERCENT = re.compile(r"(?<=\d) %")
HYPHEN_MINUS = re.compile(r"(?<![\w.-])-(?=\d)")
MINUS_ZERO = re.compile(r"(?<![\w.-])-(?=0\.0+(?!\d))")
RELATION = re.compile(r"(?<=\b[pFtS]) ([=<]) ")  # of a statistic, not to be broken
NAMING = ("name", "model", "against", "group", "by", "column", "truth", "subject")


def write_prose(text: str) -> str:
    """Write a sentence with the signs that a printed one has."""
    text = MINUS_ZERO.sub("", SPACED_PERCENT.sub("%", text))
    text = HYPHEN_MINUS.sub(MINUS, text)
    return RELATION.sub("\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", text)


def choose_prose(facts: Facts) -> Write:
    """Choose how sentences about facts are written: the names in them are left alone."""
    names = {name for name in find_names(facts) if write_prose(name) != name}
    if not names:
        return write_prose
    longest_first = sorted(names, key=len, reverse=True)
    named = "|".join(map(re.escape, longest_first))
    return partial(write_around, re.compile(rf"(?<![\w.])({named})(?![\w%]|\.\d)"))


def find_names(facts: object) -> Iterator[str]:
    """Find the names of columns, scores and groups in facts, however deep they are."""
    if isinstance(facts, dict):
        for key, value in facts.items():
            if key in NAMING and isinstance(value, str):
                yield value
            else:
                yield from find_names(value)
    elif isinstance(facts, list | tuple):
        for each in facts:
            yield from find_names(each)


def write_around(names: re.Pattern[str], text: str) -> str:
    """Write a sentence, in which each match of a pattern stays as it is."""
    parts = names.split(text)  # every second one is a name
    parts[::2] = map(write_prose, parts[::2])
    return "".join(parts)
