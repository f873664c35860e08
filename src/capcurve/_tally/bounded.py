"""A statistic with guaranteed bounds."""

from typing import NamedTuple

import numpy as np

from capcurve._public import public
from capcurve._tally.dtypes import FloatArray


@public
class Bounded(NamedTuple):
    """A statistic with guaranteed bounds.

    Attributes
    ----------
    value : float
        Estimate, with the rows in each bin treated as tied.
    low, high : float
        Guaranteed lower and upper bound: the exact statistic of the rows lies between them,
        whatever their order within bins. All three are equal where each bin holds a single
        distinct score. Sums of fractional weights or amounts are rounded, so all of this
        holds for them up to about 1e-13.

    Examples
    --------
    >>> from capcurve import CapSketch
    >>> sketch = CapSketch()
    >>> sketch.update([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    >>> sketch.accuracy_ratio
    Bounded(value=0.75, low=0.75, high=0.75)
    """

    value: float
    low: float
    high: float

    def _repr_html_(self) -> str:
        from capcurve._tally.notebook import view_bounded

        return view_bounded(self)


def enclose(value: float, *extremes: float) -> Bounded:
    """Bound a statistic by those of extreme orders.

    Where sums of fractions are rounded, it may lie just outside of them.
    """
    return Bounded(value, min(value, *extremes), max(value, *extremes))


def enclose_rates(
    rates: FloatArray, *extremes: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return rates with their bounds, as `enclose` does."""
    every = (rates, *extremes)
    return rates, np.minimum.reduce(every), np.maximum.reduce(every)
