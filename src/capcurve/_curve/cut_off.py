"""Numbers of the selection up to a cut-off score."""

from __future__ import annotations

from math import isnan
from typing import Any, Generic, NamedTuple, TypeVar, cast

import numpy as np

from capcurve._input.column import as_array, as_list
from capcurve._input.options import is_real, show
from capcurve._public import public
from capcurve._tally.dtypes import FloatArray
from capcurve.exceptions import CapcurveError

Number = TypeVar("Number", float, FloatArray)


@public
class CutOff(NamedTuple, Generic[Number]):
    """Numbers of the selection up to a cut-off score.

    `CapCurve.at_threshold` makes it.

    Attributes
    ----------
    population_share : float or ndarray of float64
        Share of the population's weight selected, from 0 to 1.
    capture_rate : float or ndarray of float64
        Share of the outcome captured, from 0 to 1.
    response_rate : float or ndarray of float64
        Outcome per unit of weight of the rows selected; nan if there are none.
    lift : float or ndarray of float64
        ``capture_rate / population_share``; nan if no row is selected.

    See Also
    --------
    CapCurve.threshold_for : The cut-off score that reaches a capture rate.

    Examples
    --------
    >>> from capcurve import CapCurve
    >>> curve = CapCurve.from_predictions([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    >>> curve.at_threshold([0.9, 0.5]).capture_rate
    array([0.5, 1. ])
    """

    population_share: Number
    capture_rate: Number
    response_rate: Number
    lift: Number

    def _repr_html_(self: CutOff[Any]) -> str:
        from capcurve._curve.notebook import view_cut_off

        return view_cut_off(self)

    def to_dict(self: CutOff[Any]) -> dict[str, Any]:
        """Return the numbers as a dictionary of plain Python values.

        Returns
        -------
        dict of str to float, or to list of float
            One entry per attribute, with lists in place of arrays. nan stays a float.

        Examples
        --------
        >>> from capcurve import CapCurve
        >>> curve = CapCurve.from_predictions([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
        >>> curve.at_threshold([0.9, 0.5]).to_dict()["lift"]
        [2.0, 1.3333333333333333]
        """
        return {
            name: numbers.tolist() if isinstance(numbers, np.ndarray) else numbers
            for name, numbers in self._asdict().items()
        }


def make_cut_off(share: Any, captured: Any, rate: float) -> CutOff[Any]:
    """Make the numbers of one selection, or of several; ``rate`` is that of all rows."""
    with np.errstate(invalid="ignore"):  # 0 / 0 where no row is selected
        lift = np.asarray(captured / share)
    numbers = map(np.asarray, (share, captured, lift * rate, lift))
    if lift.ndim:
        return CutOff(*numbers)
    return CutOff(*(number.item() for number in numbers))


def read_thresholds(thresholds: Any, grades: tuple[str, ...] | None) -> FloatArray:
    """Return scores as an array of their shape; grades as their places."""
    is_list = as_list(thresholds) is not None
    values = as_array(thresholds, "threshold") if is_list else np.asarray(thresholds)
    if grades is not None:
        places = {name: float(place) for place, name in enumerate(grades)}
        known = [places.get(str(value), np.nan) for value in values.ravel().tolist()]
        found = np.array(known).reshape(values.shape)
        if np.isnan(found).any():
            raise CapcurveError(
                f"`threshold` must be a grade of the score ({', '.join(grades)}), got "
                f"{show(thresholds)}; pass one of them"
            )
        return found
    numbers = values.ravel().tolist()
    if not all(is_score(number) for number in numbers):
        raise CapcurveError(
            f"`threshold` must be a score that is a number, got {show(thresholds)}; pass "
            "one, or a list of them"
        )
    return np.array(numbers, dtype=np.float64).reshape(values.shape)


def is_score(value: object) -> bool:
    """Whether a value is a number that a score may be."""
    try:
        return is_real(value) and not isnan(float(cast("float", value)))
    except OverflowError:
        return False
