"""Split scored rows by segment and by period."""

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from capcurve._report.scored import ScoredRows, format_key, make_sort_key
from capcurve.exceptions import CapcurveError

MAX_PERIODS = 40  # a chart with more is not legible
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def split_by_label(
    whole: Sequence[ScoredRows], name: str, values: Iterable[Hashable]
) -> list[ScoredRows]:
    """Split scored rows by the values of a column, sorted, the missing ones last."""
    numbers: dict[Hashable, int] = {}
    group = np.fromiter((numbers.setdefault(value, len(numbers)) for value in values), int)
    order = np.argsort(group, kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(group))[:-1])
    labelled = zip(map(format_key, numbers), parts, strict=False)  # no rows are a part too
    return [
        replace(scored, group={name: label}, columns=scored.columns[rows])
        for label, rows in sorted(labelled, key=lambda item: make_sort_key(item[0]))
        for scored in whole
    ]


def split_by_period(
    whole: Sequence[ScoredRows], name: str, values: Sequence[Hashable]
) -> list[ScoredRows]:
    """Split scored rows by period, the earliest first."""
    distinct = list(dict.fromkeys(values))
    periods = dict(
        zip(distinct, make_periods(list(map(format_key, distinct)), name), strict=True)
    )
    return split_by_label(whole, name, [periods[value] for value in values])


def make_periods(texts: list[str | None], name: str) -> list[str | None]:
    """Truncate dates to months, or to years if there are too many months."""
    if all(text is None or DATE.match(text) for text in texts):
        months = [text and text[:7] for text in texts]
        too_many = len(set(months)) > MAX_PERIODS
        texts = [month and month[:4] for month in months] if too_many else months
    distinct = set(texts)
    if len(distinct) > MAX_PERIODS:
        raise CapcurveError(
            f"`{name}` must have at most {MAX_PERIODS} distinct values for a trend, got "
            f"{len(distinct):,}; pass dates, which are truncated to months or years, or a "
            "coarser column"
        )
    return texts
