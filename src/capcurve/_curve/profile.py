"""The path of a curve from (0, 0) to (1, 1), and its interpolation."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from capcurve._public import public
from capcurve._tally.dtypes import FloatArray


@public
class Profile(NamedTuple):
    """The path of a CAP curve from (0, 0) to (1, 1), a straight line between points.

    Attributes
    ----------
    population_share : ndarray of float64, shape (n_points,)
        Share of the population's weight selected, from 0 to 1; never falls.
    capture_rate : ndarray of float64, shape (n_points,)
        Share of the outcome captured, from 0 to 1; never falls.

    Examples
    --------
    >>> from capcurve import CapCurve
    >>> curve = CapCurve.from_predictions([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    >>> curve.profile.population_share
    array([0.  , 0.25, 0.75, 1.  ])
    >>> share, captured = curve.perfect
    >>> share, captured
    (array([0. , 0.5, 1. ]), array([0., 1., 1.]))
    """

    population_share: FloatArray
    capture_rate: FloatArray

    def _repr_html_(self) -> str:
        from capcurve._curve.notebook import view_profile

        return view_profile(self)

    def thinned(self, cells: int = 2048) -> Profile:
        """Return a path of fewer points, for drawing.

        Of the points in one cell of a square grid only the first and the last are kept.
        Neither coordinate falls along the path, so the points left out lie in the same cell
        as their kept neighbours, and the path moves by less than ``1 / cells``.

        Parameters
        ----------
        cells : int, default=2048
            Number of cells along each axis.

        Returns
        -------
        Profile
            At most about ``4 * cells`` points, the first and the last included.
        """
        x, y = self
        edges = np.arange(1, cells) / cells
        after = np.concatenate([np.searchsorted(x, edges), np.searchsorted(y, edges)])
        kept = np.unique(np.concatenate([[0, len(x) - 1], after, after - 1]))
        return Profile(x[kept], y[kept])


DIAGONAL = Profile(np.array([0.0, 1.0]), np.array([0.0, 1.0]))


def interpolate_at(at: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
    """Interpolate a path at values of x; where x is constant, at the end reached first.

    `numpy.interp` would take the other end, and check every point of the path.
    """
    after = np.searchsorted(x, at)
    before = np.maximum(after, 1) - 1
    with np.errstate(invalid="ignore"):  # 0 / 0 at the start of the path
        slope = (y[after] - y[before]) / (x[after] - x[before])
    return np.where(at < x[after], slope * (at - x[before]) + y[before], y[after])


def accumulate_share(mass: NDArray[Any]) -> FloatArray:
    """Accumulate mass and normalise it to run from 0 to exactly 1."""
    if mass.dtype.kind == "i":  # exact, and faster than a sum of floats
        reached = np.zeros(len(mass) + 1, dtype=np.int64)
        np.cumsum(mass, out=reached[1:])
        return np.asarray(reached / reached[-1])
    share = np.zeros(len(mass) + 1)
    np.cumsum(mass, out=share[1:])
    share /= share[-1]
    return share


def list_thresholds(score: NDArray[Any], *, descending: bool) -> FloatArray:
    """Prepend the threshold that selects no row, which is infinite."""
    cut = np.full(len(score) + 1, np.inf if descending else -np.inf)
    cut[1:] = score
    return cut
