"""Points of a CAP curve and of the perfect curve."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeVar, cast, get_args

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._curve.profile import (
    Profile,
    accumulate_share,
    interpolate_at,
    list_thresholds,
)
from capcurve._input.options import read_fractions
from capcurve._input.score import name_grades
from capcurve._tally.dtypes import Array, FloatArray
from capcurve._tally.locked import Locked, lock
from capcurve._tally.tally import Tally
from capcurve.exceptions import CapcurveError, MissingDependencyError

Backend = Literal["pandas", "polars", "pyarrow"]
BACKENDS = get_args(Backend)
Fractions = TypeVar("Fractions", float, FloatArray)


@dataclass(frozen=True, eq=False)
class CurvePoints(Locked):
    """Points and totals of a CAP curve and of the perfect curve.

    Attributes
    ----------
    tally, perfect_tally : Tally
        Weight and outcome per distinct score, of the model and of the perfect ranking.
    descending : bool, default=True
        Whether high scores are ranked first.
    tie_slack : float or None, default=None
        What the best order of tied rows would add to ``tally.concordance_surplus``; None
        if unknown.
    grades : tuple of str or None, default=None
        Names of the scores 0, 1, ..., where the score is an ordered grade.
    """

    tally: Tally
    perfect_tally: Tally
    descending: bool = True
    tie_slack: float | None = None
    grades: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        tallies = (self.tally, self.perfect_tally)
        if not all(isinstance(tally, Tally) for tally in tallies):
            kinds = " and ".join(type(tally).__name__ for tally in tallies)
            raise CapcurveError(
                f"a curve must be made of two tallies, got {kinds}; pass outcomes and "
                "scores to `CapCurve.from_predictions`, a frame to `CapCurve.from_frame`"
            )
        super().__post_init__()

    @cached_property
    def population_share(self) -> FloatArray:
        """Share of the population's weight selected, from 0 to 1.

        Of shape (n_points,): the origin and a point for each distinct score.
        """
        return lock(accumulate_share(self.tally.weight))

    @cached_property
    def capture_rate(self) -> FloatArray:
        """Share of the outcome captured at each ``population_share``, from 0 to 1.

        Of shape (n_points,).
        """
        return lock(accumulate_share(self.tally.target))

    @cached_property
    def thresholds(self) -> FloatArray:
        """Last score selected at each point, of shape (n_points,).

        The first is infinite and selects no row: inf, or -inf if low scores rank first.
        Grades are 0, 1, ..., their places in ``grades``.
        """
        return lock(list_thresholds(self.tally.score, descending=self.descending))

    @cached_property
    def _named_thresholds(self) -> Array:
        return name_grades(self.thresholds, self.grades)

    @property
    def profile(self) -> Profile:
        """Path of the model: ``population_share`` and ``capture_rate``."""
        return Profile(self.population_share, self.capture_rate)

    @cached_property
    def perfect(self) -> Profile:
        """Path of the perfect ranking, by the outcome itself."""
        return Profile(
            lock(accumulate_share(self.perfect_tally.weight)),
            lock(accumulate_share(self.perfect_tally.target)),
        )

    @cached_property
    def total_weight(self) -> float:
        """Total weight of the population; the number of rows if there are no weights."""
        return float(self.tally.weight.sum())

    @cached_property
    def total_target(self) -> float:
        """Total outcome: the number or weight of events, or the weighted amount."""
        return float(self.tally.target.sum())

    @cached_property
    def response_rate(self) -> float:
        """Outcome per unit of weight: the event rate, or the mean amount."""
        return self.total_target / self.total_weight

    def capture_rate_at(self, population_share: Fractions) -> Fractions:
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
        return read_at(
            lambda share: interpolate_at(share, self.population_share, self.capture_rate),
            population_share,
            "population_share",
        )

    def population_share_for(self, capture_rate: Fractions) -> Fractions:
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
        return read_at(
            lambda rate: interpolate_at(rate, self.capture_rate, self.population_share),
            capture_rate,
            "capture_rate",
        )

    def lift_at(self, population_share: Fractions) -> Fractions:
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
        return read_at(
            lambda share: self.capture_rate_at(share) / share,
            population_share,
            "population_share",
            above_zero=True,
        )

    def threshold_at(self, population_share: Fractions) -> Any:
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
    fractions: Fractions,
    name: str,
    *,
    above_zero: bool = False,
) -> Fractions:
    """Read values at a fraction, or at each of an array of fractions of any shape."""
    found = read(read_fractions(fractions, name, above_zero=above_zero))
    return cast("Fractions", found if found.ndim else found.item())
