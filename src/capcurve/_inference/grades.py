"""Grades of a portfolio: distinct scores, or bands of a score that has many."""

from typing import NamedTuple

import numpy as np

from capcurve._input.columns import Columns
from capcurve._input.options import is_whole, show
from capcurve._tally.dtypes import Array, FloatArray, IntArray
from capcurve.exceptions import CapcurveError

MAX_GRADES = 50
MAX_BANDS = 1_000


class Grades(NamedTuple):
    """The grade of each row.

    Attributes
    ----------
    number : ndarray of int64, shape (n_rows,)
        Grade of each row, from 0 for the lowest score.
    lowest : ndarray, shape (n_grades,)
        Lowest score of each grade, ascending.
    are_bands : bool
        Whether a grade may hold several scores.
    """

    number: IntArray
    lowest: Array
    are_bands: bool = False

    @property
    def size(self) -> int:
        """Number of grades."""
        return len(self.lowest)


def check_bands(bands: int | None) -> None:
    """Raise unless a number of bands is a whole number from 2, or None."""
    if bands is not None and not (is_whole(bands) and 2 <= bands <= MAX_BANDS):  # noqa: PLR2004 -- a mix
        raise CapcurveError(
            f"`bands` must be a whole number from 2 to {MAX_BANDS:,}, got {show(bands)}; "
            "10 is usual"
        )


def make_grades(columns: Columns, share: FloatArray, bands: int | None) -> Grades:
    """Grade rows by their distinct scores, or by bands of equal share.

    Tied scores share a band, so a score with many ties has fewer bands than asked for.
    """
    lowest, number = np.unique(columns.score, return_inverse=True)
    if bands is None:
        if len(lowest) > MAX_GRADES:
            raise CapcurveError(
                f"a mix of grades requires at most {MAX_GRADES} distinct scores, got "
                f"{len(lowest):,}; pass `bands=10` to compare the shares of ten bands of "
                "the score"
            )
        return Grades(number.astype(np.int64), lowest)
    mass = np.bincount(number, share)
    middle = (np.cumsum(mass) - mass / 2) / mass.sum()
    edges, band = np.unique(
        np.floor(bands * middle), return_index=True, return_inverse=True
    )[1:]
    return Grades(band.astype(np.int64)[number], lowest[edges], are_bands=True)
