"""Check score columns, and rank grades by their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._input.column import as_numbers, format_labels, to_array
from capcurve._input.dtypes import Series
from capcurve._input.meaning import Meaning
from capcurve._input.missing import refuse_missing
from capcurve._input.seen import Seen
from capcurve._input.usual_words import find_doubtful_labels, fold_word, suggest_reading
from capcurve._tally.dtypes import Array
from capcurve.exceptions import CapcurveError

MAX_GRADES_SHOWN = 1_000
MAX_TEXTS = 100_000  # distinct texts that are looked at to say what is wrong with them
MOST_GRADES = 100  # numbers up to which they may be grades, as 1 to 22 beside D
MANY = 10  # times as many numbers as words


class ScoreRule(NamedTuple):
    """How a score column becomes numbers.

    Attributes
    ----------
    grades : tuple of str or None
        Grades from the lowest score to the highest, which become 0, 1, ...; None where the
        column holds numbers.
    """

    grades: tuple[str, ...] | None = None

    def of_series(self, column: Series) -> Array:
        """Return the scores of a column as numbers."""
        if self.grades is None:
            return read_score(to_array(column), column.name) if len(column) else np.zeros(0)
        values = column.cast(nw.String).to_numpy()
        names, place = np.unique(values.astype(str), return_inverse=True)
        rank = {grade: number for number, grade in enumerate(self.grades)}
        codes: Array = np.array([rank[name] for name in names.tolist()], dtype=np.int64)
        return codes[place]


def decide_scores(seen: Mapping[str, Seen], meaning: Meaning) -> dict[str, ScoreRule]:
    """Decide how score columns are ranked; beside graded ones, numbers stay numbers."""
    graded = [each.name for each in seen.values() if may_be_graded(each, meaning)]
    if meaning.order is not None and graded:
        meaning = replace(meaning, ordered=tuple(graded))
    return {name: decide_score(each, meaning) for name, each in seen.items()}


def may_be_graded(seen: Seen, meaning: Meaning) -> bool:
    """Whether an order may be about a score: one of text, or of categories."""
    is_asked = meaning.ordered is None or seen.name in meaning.ordered
    return is_asked and (seen.kind == "text" or seen.levels is not None)


def decide_score(seen: Seen, meaning: Meaning) -> ScoreRule:
    """Decide how a score column is ranked, or refuse text without an order.

    An ordered categorical is ranked by its order, text by ``meaning.order``.
    """
    may_be_grades = meaning.ordered is None or seen.name in meaning.ordered
    order = meaning.order if may_be_grades else None
    if seen.kind != "text" and seen.levels is None:
        if order is not None:
            raise refuse_order(seen)
        return ScoreRule()
    if order is None:
        if seen.levels is None or not seen.is_ordered:
            raise refuse_text(seen, may_be_grades=may_be_grades)
        return ScoreRule(tuple(map(str, seen.levels)))
    found = [str(label) for label in seen.labels(MAX_GRADES_SHOWN)]
    unknown = [label for label in found if label not in order]
    if unknown:
        raise CapcurveError(
            f"`order` must list every grade of `{seen.name}`, but it lacks "
            f"{format_labels(unknown)}; it lists {format_labels(order)}"
        )
    return ScoreRule(order)


def refuse_order(seen: Seen) -> CapcurveError:
    """Return the error for an order of numbers."""
    return CapcurveError(
        f"`order` lists the grades of a text score, but `{seen.name}` holds numbers; leave "
        "`order` out"
    )


def is_number_text(value: object) -> bool:
    """Whether a value can be read as a finite number; Python alone also takes 1_000."""
    try:
        number = float(str(value))
    except ValueError:
        return False
    return isfinite(number) and "_" not in str(value)


def refuse_text(seen: Seen, *, may_be_grades: bool) -> CapcurveError:
    """Return the error for text without an order."""
    labels = seen.labels(MAX_TEXTS)
    advice = "name a column of numbers"
    if may_be_grades:
        advice = "list its grades from the lowest score to the highest as `order`"
    return CapcurveError(
        f"`{seen.name}` must hold numbers or an ordered categorical, got text "
        f"({format_labels(labels)}); {advise_numbers(seen.name, labels) or advice}"
    )


def advise_numbers(name: str, labels: Sequence[object]) -> str | None:
    """Say how text becomes numbers, if it holds them and a few words made it text.

    Words for a missing value, and for infinity, are no grades; of other words, beside
    which numbers are so many, nor are the numbers.
    """
    words = [str(label) for label in labels if not is_number_text(label)]
    n_numbers = len(labels) - len(words)
    missing = find_doubtful_labels(words)
    infinite = [word for word in words if is_infinite(word)]
    others = [word for word in words if word not in {*missing, *infinite}]
    is_cut = len(labels) == MAX_TEXTS
    if others:
        if n_numbers <= max(MOST_GRADES, MANY * len(others)):
            return None
        return (
            f"convert it to numbers, as all but {format_labels(others)} are, which are to "
            "be corrected, or made null, first"
        )
    if not n_numbers:
        return None
    if not words and not is_cut:
        return advise_cast(name, labels)
    if infinite and not missing:
        return (
            f"convert it to numbers, which {format_labels(infinite)} are too "
            f"(schema_overrides={{{name!r}: pl.Float64}} in polars.read_csv, or a cast)"
        )
    word = (missing or ["NA"])[0]
    return (
        f"convert it to numbers, with null for words such as {word!r} "
        f"({suggest_reading(word)})"
    )


def advise_cast(name: str, labels: Sequence[object]) -> str | None:
    """Say how text that holds numbers alone becomes numbers, unless they may be grades."""
    if len(labels) <= MOST_GRADES and all(str(label).isdecimal() for label in labels):
        return None
    return (
        "convert it to numbers, which all of its values are "
        f"(pl.col({name!r}).cast(pl.Float64) in polars, astype(float) in pandas)"
    )


def is_infinite(word: str) -> bool:
    """Whether a word stands for infinity, such as R's -Inf."""
    return fold_word(word).lstrip("+-") in {"inf", "infinity"}


def read_score(score: Array, name: str = "y_score") -> Array:
    """Return scores as a numeric array; infinity is a valid score, nan is not."""
    score = as_numbers(score, name)
    refuse_missing(score, name)
    return score


def name_grades(scores: Array, grades: tuple[str, ...] | None) -> Array:
    """Return the names of graded scores; other scores, and infinity, stay as they are."""
    if grades is None:
        return scores
    names: Any = np.array(grades, dtype=object)
    named = np.empty(len(scores), dtype=object)
    finite = np.isfinite(scores)
    named[finite] = names[scores[finite].astype(np.int64)]
    return named
