"""Refuse outcomes among whose labels are words that usually mean a missing value."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from capcurve._files.numbers import is_word, trim
from capcurve._files.quoting import quote_name
from capcurve._input.usual_words import DOUBTFUL_LABELS, fold_word
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from duckdb import DuckDBPyRelation


def refuse_doubtful_labels(relation: DuckDBPyRelation, outcomes: Sequence[str]) -> None:
    """Raise if an outcome of text holds a word such as NA.

    Taken for a label, a missing value would be one more non-event, and AR another number.
    """
    types = dict(zip(relation.columns, map(str, relation.types), strict=True))
    for name in (name for name in outcomes if types[name] == "VARCHAR"):
        text = trim(quote_name(name))
        words = relation.filter(is_word(quote_name(name), DOUBTFUL_LABELS))
        counts = words.aggregate(f"{text} as word, count(*) as n", text)
        if found := counts.order("n desc, word").fetchall():
            raise make_doubtful_error(name, dict(found))


def make_doubtful_error(name: str, counts: dict[str, int]) -> CapcurveError:
    """Return the error for words, with the number of their rows."""
    shown = " and ".join(
        f"{word!r} in {n:,} row{'s' * (n > 1)}" for word, n in counts.items()
    )
    spellings: dict[str, str] = {}
    for word in counts:
        spellings.setdefault(fold_word(word), word)
    options = " ".join(f"--na {shlex.quote(word)}" for word in spellings.values())
    missing, label = "it is a missing value", "it is a label"
    if len(spellings) > 1:
        missing, label = "they are missing values", "they are labels"
    return CapcurveError(
        f"`{name}` must hold labels that cannot be taken for missing values, got {shown}; "
        f"pass {options} if {missing}, or --na-only '' if {label}"
    )
