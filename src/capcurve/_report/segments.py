"""Split scored rows by segment and by period."""

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from capcurve._report.scored import ScoredRows
from capcurve.exceptions import CapcurveError

MAX_PERIODS = 40  # a chart with more is not legible
DATE = re.compile(r"(\d{4})-(\d{2})-\d{2}")


def split_by_label(
    whole: Sequence[ScoredRows], name: str, values: Iterable[Hashable]
) -> list[ScoredRows]:
    """Split scored rows by the values of a column, in order of first appearance."""
    numbers: dict[Hashable, int] = {}
    group = np.fromiter((numbers.setdefault(value, len(numbers)) for value in values), int)
    order = np.argsort(group, kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(group))[:-1])
    return [
        replace(scored, group={name: format_label(value)}, columns=scored.columns[rows])
        for value, rows in zip(numbers, parts, strict=True)
        for scored in whole
    ]


def split_by_period(
    whole: Sequence[ScoredRows], name: str, values: Sequence[Hashable]
) -> list[ScoredRows]:
    """Split scored rows by period, the earliest first."""
    distinct = list(dict.fromkeys(values))
    periods = dict(
        zip(distinct, make_periods(list(map(format_label, distinct)), name), strict=True)
    )
    scored_groups = split_by_label(whole, name, [periods[value] for value in values])
    return sorted(scored_groups, key=lambda scored: make_sort_key(scored.group[name]))


def format_label(value: object) -> str:
    """Format the value of a grouping column as text."""
    return "null" if value is None else str(value)


def make_periods(texts: list[str], name: str) -> list[str]:
    """Truncate dates to months, or to years if there are too many months."""
    distinct = set(texts)
    matches = {text: DATE.match(text) for text in distinct}
    if all(matches[text] or text == "null" for text in distinct):
        periods = {text: text[:7] if match else text for text, match in matches.items()}
        if len(set(periods.values())) > MAX_PERIODS:
            periods = {text: text[:4] for text in matches}
        texts = [periods[text] for text in texts]
        distinct = set(texts)
    if len(distinct) > MAX_PERIODS:
        raise CapcurveError(
            f"`{name}` must have at most {MAX_PERIODS} distinct values for a trend, got "
            f"{len(distinct):,}; pass dates, which are truncated to months or years, or a "
            "coarser column"
        )
    return texts


def make_sort_key(label: str) -> tuple[bool, float, str]:
    """Make a key that sorts numeric labels by value, and missing ones last."""
    is_number = re.fullmatch(r"-?\d+(\.\d+)?", label)
    return label == "null", float(label) if is_number else 0.0, label
