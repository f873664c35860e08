"""Split ranked rows by segment and by period."""

import re
import shlex
from collections.abc import Callable, Sequence

import numpy as np

from capcurve._engines.row_rankings import number_values
from capcurve._input.dtypes import Frame
from capcurve._input.periods import (
    MONTH,
    check_text_order,
    is_date,
    refuse_odd_dates,
)
from capcurve._report.options import PeriodLength
from capcurve._report.report_input import Split
from capcurve._report.scored import NUMBER, format_key, make_sort_key
from capcurve._tally.dtypes import IntArray
from capcurve.exceptions import CapcurveError

MIDNIGHT = " 00:00:00"  # the time of a date in a column of times
MAX_PERIODS = 40  # a chart with more is hard to read
MAX_ASKED_PERIODS = 120  # of a length that was asked for: ten years of months
DOTTED_DATE = re.compile(r"\d{2}\.\d{2}\.\d{4}")
CUTS: dict[PeriodLength, Callable[[str], str]] = {
    "month": lambda date: date[:7],
    "quarter": lambda date: f"{date[:4]}-Q{(int(date[5:7]) + 2) // 3}",
    "year": lambda date: date[:4],
}
Labels = list[str | None]


def split_by_label(frame: Frame, name: str) -> Split:
    """Split the rows of a data frame by the values of a column, the missing ones last."""
    texts, number = list_texts(frame, name)
    return number_labels(name, texts, number)


def split_by_period(frame: Frame, name: str, length: PeriodLength | None = None) -> Split:
    """Split the rows of a data frame by period, the earliest first."""
    texts, number = list_texts(frame, name)
    periods = write_whole_numbers(make_periods(texts, name, length))
    split = number_labels(name, periods, number)
    return split._replace(is_timed=check_order(split.labels, name))


def check_order(labels: Labels, name: str) -> bool:
    """Whether sorted periods are plainly in the order of time; warn if they are not."""
    texts = [label for label in labels if label is not None]
    return all(map(NUMBER.fullmatch, texts)) or check_text_order(texts, name)


def list_texts(frame: Frame, name: str) -> tuple[Labels, IntArray]:
    """Return the distinct values of a column as text, and which one each row holds."""
    values, number = number_values(frame, name)
    texts = [
        None if value is None or value != value else format_key(value)  # noqa: PLR0124 -- nan
        for value in values
    ]
    return texts, number


def write_whole_numbers(texts: Labels) -> Labels:
    """Write whole numbers without decimals, as years beside a missing value may have."""
    if not all(text is None or text.endswith(".0") for text in texts):
        return texts
    return [None if text is None else text.removesuffix(".0") for text in texts]


def number_labels(name: str, texts: Labels, number: IntArray) -> Split:
    """Give rows of the same text the same number, in the order of the texts."""
    labels = sorted(dict.fromkeys(texts), key=make_sort_key)
    place = {label: position for position, label in enumerate(labels)}
    places = np.array([place[text] for text in texts], dtype=np.int64)
    return Split(name, labels, places[number] if len(places) else number)


def find_span(frame: Frame, split: Split) -> dict[str, str | None]:
    """Return a column of periods with its first and its last value, if these are known."""
    texts = write_whole_numbers(list_texts(frame, split.by)[0])
    known = [text for text in texts if text is not None]
    ordered = sorted(known, key=make_sort_key) if split.is_timed else []
    ordered = [text.removesuffix(MIDNIGHT) for text in ordered]
    return {
        "column": split.by,
        "first": ordered[0] if ordered else None,
        "last": ordered[-1] if ordered else None,
    }


def make_periods(texts: Labels, name: str, length: PeriodLength | None) -> Labels:
    """Cut dates to periods of a length, or to months, or to years if months are many."""
    most = MAX_PERIODS if length is None else MAX_ASKED_PERIODS
    refuse_odd_dates(texts, name, are_cut=True)
    may_be_years = length != "year" and all(map(is_cuttable, texts))
    if length is not None:
        texts = cut_dates(texts, name, length)
    elif any(text is not None and is_date(text) for text in texts):
        months = cut_dates(texts, name, "month")
        too_many = len(set(months)) > MAX_PERIODS
        texts = cut_dates(texts, name, "year") if too_many else months
    found = len(set(texts))
    if found > most:
        remedy = (
            "pass dates, which are cut to months or years or to what `period_by` says, or "
            "a coarser column"
        )
        if may_be_years:
            remedy = "cut them to years by `period_by`"
        raise CapcurveError(
            f"`{name}` must have at most {most} distinct values for a trend, got "
            f"{found:,}; {remedy}"
        )
    return texts


def is_cuttable(text: str | None) -> bool:
    """Whether a text is a date or a month, which can be cut, or missing."""
    return text is None or bool(is_date(text) or MONTH.fullmatch(text))


def suggest_dates(text: str, name: str) -> str:
    """Say how to convert dates of the form 26.09.2022; of others, just to do so."""
    if not DOTTED_DATE.fullmatch(text):
        return "leave `period_by` out, or convert them"
    column = '"' + name.replace('"', '""') + '"'
    query = f"select * replace (strptime({column}, '%d.%m.%Y')::date as {column}) from data"  # noqa: S608 -- quoted
    return (
        f"if days come first, convert them: in the shell with --query {shlex.quote(query)}"
    )


def cut_dates(texts: Sequence[str | None], name: str, length: PeriodLength) -> Labels:
    """Cut dates to months, quarters or years; raise for other values."""
    for text in texts:
        if text is not None and not is_cuttable(text):
            raise CapcurveError(
                f"`{name}` must hold dates such as 2024-03-31 or months such as 2024-03 "
                f"for `period_by`, got {text!r}; {suggest_dates(text, name)}"
            )
    return [None if text is None else CUTS[length](text) for text in texts]
