"""Ranked rows -> the same rows by segment and by period."""

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from capcurve._request import RankedRows
from capcurve.exceptions import CapcurveError

MOST_PERIODS = 40  # more make no trend that can be read
DATE = re.compile(r"(\d{4})-(\d{2})-\d{2}")


def by_label(
    whole: Sequence[RankedRows], name: str, values: Iterable[Hashable]
) -> list[RankedRows]:
    """Cut ranked rows into those of each value, in the order given by the first of each."""
    numbers: dict[Hashable, int] = {}
    group = np.fromiter((numbers.setdefault(each, len(numbers)) for each in values), int)
    order = np.argsort(group, kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(group))[:-1])
    return [
        replace(one, group={name: text(value)}, columns=one.columns[rows])
        for value, rows in zip(numbers, parts, strict=True)
        for one in whole
    ]


def by_period(
    whole: Sequence[RankedRows], name: str, values: Sequence[Hashable]
) -> list[RankedRows]:
    """Cut ranked rows into those of each period, the earliest first."""
    distinct = list(dict.fromkeys(values))
    periods = dict(zip(distinct, periods_of(list(map(text, distinct)), name), strict=True))
    ranked = by_label(whole, name, [periods[each] for each in values])
    return sorted(ranked, key=lambda one: in_order(one.group[name]))


def text(value: object) -> str:
    """Write a key."""
    return "null" if value is None else str(value)


def periods_of(texts: list[str], name: str) -> list[str]:
    """Cut dates to months, or to years where months are many."""
    distinct = set(texts)
    dates = {each: DATE.match(each) for each in distinct}
    if all(dates[each] or each == "null" for each in distinct):
        months = {each: each[:7] if found else each for each, found in dates.items()}
        if len(set(months.values())) > MOST_PERIODS:
            months = {each: each[:4] for each in dates}
        texts = [months[each] for each in texts]
        distinct = set(texts)
    if len(distinct) > MOST_PERIODS:
        raise CapcurveError(
            f"`{name}` has {len(distinct):,} values, and at most {MOST_PERIODS} make a "
            "trend; pass dates, which are cut to months or years, or a coarser column"
        )
    return texts


def in_order(label: str) -> tuple[bool, float, str]:
    """Sort numbers as numbers, and what is missing last."""
    is_number = re.fullmatch(r"-?\d+(\.\d+)?", label)
    return label == "null", float(label) if is_number else 0.0, label
