"""Points of a CAP curve and of the perfect curve."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args, overload

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from capcurve._curve.cut_off import CutOff, make_cut_off, read_thresholds
from capcurve._curve.path import CurvePath
from capcurve._curve.profile import interpolate_at
from capcurve._input.options import read_fractions
from capcurve._tally.dtypes import Array, FloatArray
from capcurve.exceptions import CapcurveError, MissingDependencyError

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

Backend = Literal["pandas", "polars", "pyarrow"]
BACKENDS = get_args(Backend)
Numbers = Sequence[float] | NDArray[Any]
Grades = list[str] | tuple[str, ...]
ROUNDING = 1e-12  # what rounding may take from a capture rate


@dataclass(frozen=True, eq=False)
class CurvePoints(CurvePath):
    """A CAP curve that is read at population shares, capture rates and scores."""

    @overload
    def capture_rate_at(self, population_share: float) -> float: ...
    @overload
    def capture_rate_at(self, population_share: Numbers) -> FloatArray: ...
    def capture_rate_at(self, population_share: float | Numbers) -> float | FloatArray:
        """Share of the outcome captured in the best ``population_share``.

        Within a block of tied rows the curve is interpolated, which gives the expected
        value over all orders of these rows.

        Parameters
        ----------
        population_share : float or ndarray
            Share of the population's weight selected, from 0 to 1.

        Returns
        -------
        float or ndarray of float64
            From 0 to 1, for each share.

        Raises
        ------
        CapcurveError
            ``population_share`` is not a fraction in [0, 1].

        Examples
        --------
        >>> from capcurve import CapCurve
        >>> curve = CapCurve.from_predictions([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
        >>> curve.capture_rate_at(0.5)
        0.75
        >>> curve.capture_rate_at([0.25, 0.5, 0.75])
        array([0.5 , 0.75, 1.  ])
        """
        found: float | FloatArray = read_at(
            lambda share: interpolate_at(share, self.population_share, self.capture_rate),
            population_share,
            "population_share",
        )
        return found

    @overload
    def population_share_for(self, capture_rate: float) -> float: ...
    @overload
    def population_share_for(self, capture_rate: Numbers) -> FloatArray: ...
    def population_share_for(self, capture_rate: float | Numbers) -> float | FloatArray:
        """Smallest share of the population that captures ``capture_rate``.

        Parameters
        ----------
        capture_rate : float or ndarray
            Share of the outcome to capture, from 0 to 1.

        Returns
        -------
        float or ndarray of float64
            Share of the population's weight, from 0 to 1. Within a block of tied rows the
            curve is interpolated.

        Raises
        ------
        CapcurveError
            ``capture_rate`` is not a fraction in [0, 1].

        Examples
        --------
        >>> from capcurve import CapCurve
        >>> curve = CapCurve.from_predictions([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
        >>> curve.population_share_for(1)
        0.75
        """
        found: float | FloatArray = read_at(
            lambda rate: interpolate_at(rate, self.capture_rate, self.population_share),
            capture_rate,
            "capture_rate",
        )
        return found

    @overload
    def lift_at(self, population_share: float) -> float: ...
    @overload
    def lift_at(self, population_share: Numbers) -> FloatArray: ...
    def lift_at(self, population_share: float | Numbers) -> float | FloatArray:
        """Cumulative lift: the capture rate at a population share, divided by that share.

        Parameters
        ----------
        population_share : float or ndarray
            Share of the population's weight selected, above 0 and up to 1.

        Returns
        -------
        float or ndarray of float64
            Not negative; 1 for a random ranking.

        Raises
        ------
        CapcurveError
            ``population_share`` is not a fraction in (0, 1].

        Examples
        --------
        >>> from capcurve import CapCurve
        >>> curve = CapCurve.from_predictions([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
        >>> curve.lift_at(0.25)
        2.0
        """
        found: float | FloatArray = read_at(
            lambda share: self.capture_rate_at(share) / share,
            population_share,
            "population_share",
            above_zero=True,
        )
        return found

    @overload
    def response_rate_at(self, population_share: float) -> float: ...
    @overload
    def response_rate_at(self, population_share: Numbers) -> FloatArray: ...
    def response_rate_at(self, population_share: float | Numbers) -> float | FloatArray:
        """Outcome per unit of weight in the best ``population_share``.

        Parameters
        ----------
        population_share : float or ndarray
            Share of the population's weight selected, above 0 and up to 1.

        Returns
        -------
        float or ndarray of float64
            The event rate, or the mean amount, of the rows selected.

        Raises
        ------
        CapcurveError
            ``population_share`` is not a fraction in (0, 1].

        Examples
        --------
        >>> from capcurve import CapCurve
        >>> curve = CapCurve.from_predictions([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
        >>> curve.response_rate_at(0.5)
        0.75
        """
        found: float | FloatArray = read_at(
            lambda share: self.capture_rate_at(share) * self.response_rate / share,
            population_share,
            "population_share",
            above_zero=True,
        )
        return found

    @overload
    def threshold_at(self, population_share: float) -> Any: ...
    @overload
    def threshold_at(self, population_share: Numbers) -> Array: ...
    def threshold_at(self, population_share: float | Numbers) -> Any:
        """Last score that is selected, at least in part, at ``population_share``.

        Parameters
        ----------
        population_share : float or ndarray
            Share of the population's weight selected, from 0 to 1.

        Returns
        -------
        float or ndarray of float64; str or ndarray of object if the score is a grade
            A score; at 0, where no row is selected, inf (-inf if low scores rank first).
            Or the name of a grade; at 0 None.

        Raises
        ------
        CapcurveError
            ``population_share`` is not a fraction in [0, 1].

        Examples
        --------
        >>> from capcurve import CapCurve
        >>> curve = CapCurve.from_predictions([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
        >>> curve.threshold_at(0.3)
        0.5
        """
        return read_at(
            lambda share: np.asarray(
                self._named_thresholds[np.searchsorted(self.population_share, share)]
            ),
            population_share,
            "population_share",
        )

    @overload
    def threshold_for(self, capture_rate: float) -> Any: ...
    @overload
    def threshold_for(self, capture_rate: Numbers) -> Array: ...
    def threshold_for(self, capture_rate: float | Numbers) -> Any:
        """Last score to select so that ``capture_rate`` is captured.

        All rows of this score and of better ones are the smallest selection that does not
        split ties and captures as much, or more where the last score is tied.
        `population_share_for` gives the share that suffices if ties are split.

        Parameters
        ----------
        capture_rate : float or ndarray
            Share of the outcome to capture, from 0 to 1.

        Returns
        -------
        float or ndarray of float64; str or ndarray of object if the score is a grade
            A score; at 0, where no row is selected, inf (-inf if low scores rank first).
            Or the name of a grade; at 0 None.

        Raises
        ------
        CapcurveError
            ``capture_rate`` is not a fraction in [0, 1].

        Examples
        --------
        >>> from capcurve import CapCurve
        >>> curve = CapCurve.from_predictions([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
        >>> curve.threshold_for(0.6)
        0.5
        >>> curve.at_threshold(0.5).capture_rate
        1.0
        """
        reached = self.capture_rate + ROUNDING
        return read_at(
            lambda rate: np.asarray(self._named_thresholds[np.searchsorted(reached, rate)]),
            capture_rate,
            "capture_rate",
        )

    @overload
    def at_threshold(self, threshold: float | str) -> CutOff[float]: ...
    @overload
    def at_threshold(self, threshold: Numbers | Grades) -> CutOff[FloatArray]: ...
    def at_threshold(self, threshold: float | str | Numbers | Grades) -> CutOff[Any]:
        """Numbers of the selection of all rows up to a score, this score included.

        Parameters
        ----------
        threshold : float or array-like; str or sequence of str if the score is a grade
            Last score selected. Rows of higher scores are selected too, or of lower ones if
            these rank first. It need not be the score of a row.

        Returns
        -------
        CutOff
            Population share, capture rate, response rate and lift: a float each, or an
            array of the shape of ``threshold``. The last two are nan where no row is
            selected.

        Raises
        ------
        CapcurveError
            ``threshold`` is not a number, or not the name of a grade.

        Examples
        --------
        >>> from capcurve import CapCurve
        >>> curve = CapCurve.from_predictions([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
        >>> curve.at_threshold(0.6)
        CutOff(population_share=0.25, capture_rate=0.5, response_rate=1.0, lift=2.0)
        """
        scores = read_thresholds(threshold, self.grades)
        sign = -1 if self.descending else 1
        place = np.searchsorted(sign * self.tally.score, sign * scores, side="right")
        return make_cut_off(
            self.population_share[place], self.capture_rate[place], self.response_rate
        )

    @overload
    def to_frame(self, backend: Literal["pandas"]) -> pd.DataFrame: ...
    @overload
    def to_frame(self, backend: Literal["polars"]) -> pl.DataFrame: ...
    @overload
    def to_frame(self, backend: Literal["pyarrow"]) -> pa.Table: ...
    def to_frame(self, backend: Backend) -> Any:
        """Return the points of the curve as a data frame.

        Parameters
        ----------
        backend : {'pandas', 'polars', 'pyarrow'}
            Library of the data frame.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
            A row for each point, with the float64 columns ``population_share``,
            ``capture_rate``, ``lift`` (nan at the origin) and ``threshold``, which holds
            the names of grades (null at the origin) if the score is a grade.

        Raises
        ------
        CapcurveError
            ``backend`` is another library.
        MissingDependencyError
            The library is not installed.

        Examples
        --------
        >>> from capcurve import CapCurve
        >>> curve = CapCurve.from_predictions([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
        >>> curve.to_frame("pandas")
           population_share  capture_rate      lift  threshold
        0              0.00           0.0       NaN        inf
        1              0.25           0.5  2.000000        0.9
        2              0.75           1.0  1.333333        0.5
        3              1.00           1.0  1.000000        0.1
        """
        if backend not in BACKENDS:
            raise CapcurveError(
                f"`backend` must be one of {', '.join(map(repr, BACKENDS))}, got "
                f"{backend!r}; other libraries can convert one of these"
            )
        x, y = self.population_share, self.capture_rate
        columns = {
            "population_share": x,
            "capture_rate": y,
            "lift": np.append(np.nan, y[1:] / x[1:]),
            "threshold": self.thresholds
            if self.grades is None
            else self._named_thresholds.tolist(),
        }
        try:
            return nw.from_dict(columns, backend=backend).to_native()
        except ModuleNotFoundError as error:
            raise MissingDependencyError(backend, purpose="`to_frame`") from error


def read_at(
    read: Callable[[FloatArray], Array],
    fractions: float | Numbers,
    name: str,
    *,
    above_zero: bool = False,
) -> Any:
    """Read values at a fraction, or at each of an array of fractions of any shape."""
    found = read(read_fractions(fractions, name, above_zero=above_zero))
    return found if found.ndim else found.item()
