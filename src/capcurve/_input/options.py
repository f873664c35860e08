"""Check options that several public functions share."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral, Real
from typing import TypeGuard, get_args

import numpy as np
from numpy.typing import ArrayLike

from capcurve._input.column import as_array
from capcurve._input.dtypes import Average
from capcurve._tally.dtypes import FloatArray
from capcurve.exceptions import CapcurveError


def check_fraction(value: float, name: str, *, above_zero: bool = False) -> None:
    """Raise if a fraction lies outside [0, 1], as a percentage does."""
    if not is_real(value) or not 0 <= value <= 1 or (above_zero and value == 0):
        interval = "(0, 1]" if above_zero else "[0, 1]"
        raise CapcurveError(
            f"`{name}` must be a fraction in {interval}, got {value!r}; 10 % is 0.1"
        )


def read_fractions(values: ArrayLike, name: str, *, above_zero: bool = False) -> FloatArray:
    """Return fractions as an array of their shape; raise if one lies outside [0, 1]."""
    fractions = np.asarray(values) if is_real(values) else as_array(values, name)
    for value in np.ravel(fractions).tolist():
        check_fraction(value, name, above_zero=above_zero)
    return fractions.astype(np.float64)


def check_average(average: str) -> None:
    """Raise if the averaging rule is invalid."""
    if average not in get_args(Average):
        raise CapcurveError(f"`average` must be 'macro' or 'weighted', got {average!r}")


def refuse_inapplicable(
    given: Mapping[str, object], neutral: Mapping[str, object], dimensions: str
) -> None:
    """Raise if an argument is given that does not apply to a score of these dimensions."""
    for name, value in neutral.items():
        # An array differs from None as a whole, not value by value.
        if given[name] is not value and (value is None or given[name] != value):
            raise CapcurveError(
                f"`{name}` does not apply to a {dimensions} `y_score`; remove it"
            )


def is_real(value: object) -> bool:
    """Whether a value is a single real number."""
    return isinstance(value, Real) and not isinstance(value, bool)


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value is a single whole number of an integer type."""
    return isinstance(value, Integral) and not isinstance(value, bool)
