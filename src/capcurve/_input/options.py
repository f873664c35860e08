"""Check options that several public functions share."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from numbers import Integral, Number, Real
from reprlib import repr as shorten
from typing import TypeGuard, get_args

import numpy as np
from numpy.typing import ArrayLike

from capcurve._input.column import MAX_LETTERS_SHOWN, as_array, as_list
from capcurve._input.dtypes import Average
from capcurve._tally.dtypes import FloatArray
from capcurve.exceptions import CapcurveError

ROUNDING = 1e-9  # of a product of two fractions


def check_fraction(value: float, name: str, *, above_zero: bool = False) -> None:
    """Raise if a fraction lies outside [0, 1], as a percentage does."""
    if not is_real(value) or not 0 <= value <= 1 or (above_zero and value == 0):
        interval = "(0, 1]" if above_zero else "[0, 1]"
        raise CapcurveError(
            f"`{name}` must be a fraction in {interval}, got {show(value)}; 10 % is 0.1"
        )


def read_fractions(values: ArrayLike, name: str, *, above_zero: bool = False) -> FloatArray:
    """Return fractions as an array of their shape; raise if one lies outside [0, 1]."""
    is_list = as_list(values) is not None
    fractions = as_array(values, name) if is_list else np.asarray(values)
    for value in np.ravel(fractions).tolist():
        check_fraction(value, name, above_zero=above_zero)
    return fractions.astype(np.float64)


def check_initial(initial_auc: float, initial_variance: float | None) -> None:
    """Raise unless the AUC at initial validation, and its variance, are possible."""
    if not is_real(initial_auc) or not 0 <= initial_auc <= 1:
        raise CapcurveError(
            f"`initial_auc` must be an AUC from 0 to 1, got {show(initial_auc)}; 80 % is "
            "0.8, and an AR is converted by (AR + 1) / 2"
        )
    if initial_variance is not None and not (
        is_real(initial_variance) and 0 <= initial_variance <= 1
    ):
        raise CapcurveError(
            "`initial_variance` must not be negative or above 1, got "
            f"{show(initial_variance)}; pass the squared standard error of the initial AUC"
        )
    largest = initial_auc * (1 - initial_auc)
    if initial_variance and 0 < largest < initial_variance * (1 - ROUNDING):
        raise CapcurveError(
            f"`initial_variance` must be at most {largest:.4g}, which no variance of an "
            f"AUC of {initial_auc:g} exceeds, got {show(initial_variance)}; pass the "
            "squared standard error of the initial AUC"
        )


def check_average(average: str) -> None:
    """Raise if the averaging rule is invalid."""
    check_word(average, "average", get_args(Average))


def check_word(
    value: object, name: str, words: Iterable[str | None], advice: str | None = None
) -> None:
    """Raise unless a value is one of some words, with advice where there is better."""
    allowed = tuple(words)
    if not (value is None or isinstance(value, str)) or value not in allowed:
        *others, last = map(repr, allowed)
        raise CapcurveError(
            f"`{name}` must be {', '.join(others)} or {last}, got {show(value)}; "
            f"{advice or 'pass one of them'}"
        )


def check_flags(**flags: object) -> None:
    """Raise unless each value is True or False."""
    for name, value in flags.items():
        if not isinstance(value, bool | np.bool_):
            raise CapcurveError(
                f"`{name}` must be True or False, got {show(value)}; pass one of them"
            )


def check_label(value: object, name: str) -> None:
    """Raise if a value cannot be one of the labels of a column, as a list cannot."""
    if is_container(value):
        raise CapcurveError(
            f"`{name}` must be a single label, got {show(value)}; pass that of the event"
        )


def is_container(value: object) -> bool:
    """Whether a value holds others, or cannot be compared as a label can."""
    if isinstance(value, str | bytes):
        return False
    return hasattr(value, "__len__") or not is_hashable(value)


def is_hashable(value: object) -> TypeGuard[Hashable]:
    """Whether a value can be a key; its type may say so and yet refuse, as Decimal does."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def show(value: object) -> str:
    """Show a value for a message, cut short, or name the type of an object."""
    if value is None or isinstance(value, str | Number | list | tuple | dict):
        shown = " ".join(shorten(value).split())
        return (
            shown if len(shown) <= MAX_LETTERS_SHOWN else f"{shown[:MAX_LETTERS_SHOWN]}..."
        )
    return type(value).__name__


def refuse_inapplicable(
    given: Mapping[str, object], neutral: Mapping[str, object], dimensions: str
) -> None:
    """Raise if an argument is given that does not apply to a score of these dimensions."""
    for name, value in neutral.items():
        own = given[name]  # perhaps an array, which is not to be compared
        if own is not value and not (isinstance(own, str) and own == value):
            raise CapcurveError(
                f"`{name}` does not apply to a {dimensions} `y_score`; remove it"
            )


def is_real(value: object) -> bool:
    """Whether a value is a single real number."""
    return isinstance(value, Real) and not isinstance(value, bool)


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value is a single whole number of an integer type."""
    return isinstance(value, Integral) and not isinstance(value, bool)
