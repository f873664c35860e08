"""The CAP curve: every number that is read off it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from capcurve._engines import arrays
from capcurve._input import Columns, Label, TargetType, read_columns
from capcurve._tally import Tally
from capcurve.exceptions import CapcurveError, MissingDependencyError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from capcurve.bands import Band

__all__ = ["CapCurve"]

FloatArray = NDArray[np.float64]


class TieBounds(NamedTuple):
    """The accuracy ratio under the worst and the best order of tied rows."""

    worst: float
    best: float


class Profile(NamedTuple):
    """A path from (0, 0) to (1, 1)."""

    population_share: FloatArray
    capture_rate: FloatArray

    def thinned(self, cells: int = 2048) -> Profile:
        """Keep the first and last point of each cell of a grid, for drawing.

        Both coordinates never fall, so the points left out between two that are kept lie
        in one cell with them: the line through the rest errs by less than ``1 / cells``.
        """
        x, y = self
        edges = np.arange(1, cells) / cells
        after = np.concatenate([np.searchsorted(x, edges), np.searchsorted(y, edges)])
        kept = np.unique(np.concatenate([[0, len(x) - 1], after, after - 1]))
        return Profile(x[kept], y[kept])


DIAGONAL = Profile(np.array([0.0, 1.0]), np.array([0.0, 1.0]))


@dataclass(frozen=True, eq=False)
class CapCurve:
    """A model's cumulative accuracy profile next to the best that any ranking reaches.

    Make one with `CapCurve.from_predictions`. It never changes; its arrays are locked.

    Attributes
    ----------
    tally, perfect_tally : Tally
        Weight and outcome per distinct score, of the model and of a perfect ranking.
    tie_gain : float
        What the best order of tied rows would add to the gain of ``tally``.
    descending : bool
        Whether high scores are ranked first.

    See Also
    --------
    cap_curve : The same curve as three arrays, after scikit-learn's habit.

    Examples
    --------
    >>> from capcurve import CapCurve
    >>> curve = CapCurve.from_predictions([1, 0, 1, 1, 0], [0.2, 0.6, 0.8, 0.7, 0.4])
    >>> curve
    CapCurve(accuracy_ratio=0.333, points=6)
    >>> round(curve.capture_rate_at(0.4), 3)
    0.667
    """

    tally: Tally
    perfect_tally: Tally
    tie_gain: float
    descending: bool = True

    @staticmethod
    def from_predictions(
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Label | None = None,
        target_type: TargetType = "auto",
        descending: bool = True,
    ) -> CapCurve:
        """Rank rows by a score and accumulate their outcome.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            0/1, -1/1 or boolean events, other labels with ``pos_label``, or amounts
            that are not negative (losses, premiums, revenue) per unit of weight.
        y_score : array-like of shape (n_samples,)
            Higher is ranked earlier. Equal scores are one straight segment, the
            expected value over all orders of the tied rows.
        sample_weight : array-like of shape (n_samples,), default=None
            A weight of 2 means the same as two equal rows, 0 as no row.
        pos_label : int, float, bool or str, default=None
            The label of the event. None: 1 of 0/1 and -1/1, True of booleans.
        target_type : {'auto', 'binary', 'continuous'}, default='auto'
            What ``y_true`` holds. 'auto' takes 0/1, -1/1 and booleans for events and
            other floats for amounts, and refuses other integers as ambiguous.
        descending : bool, default=True
            False for a scorecard on which a low score is ranked first.

        Returns
        -------
        CapCurve

        Raises
        ------
        CapcurveError
            If values are missing, lengths differ, a weight is negative, an amount is
            negative, or all outcomes are equal, which leaves the curve undefined.
        """
        columns = read_columns(
            y_true,
            y_score,
            sample_weight=sample_weight,
            pos_label=pos_label,
            target_type=target_type,
            descending=descending,
        )
        return curve_of(columns)

    @staticmethod
    def from_frame(
        data: Any,
        truth: str,
        estimate: str,
        *,
        case_weights: str | None = None,
        pos_label: Label | None = None,
        target_type: TargetType = "auto",
        descending: bool = True,
        na_rm: bool = True,
    ) -> CapCurve:
        """Rank the rows of a data frame or of a query by one of its columns.

        Parameters
        ----------
        data, truth, estimate, case_weights, pos_label, target_type, descending, na_rm
            As in `capcurve.gain_curve`. Of a query (Polars lazy, DuckDB, Ibis, Dask,
            Spark) only distinct scores travel, with their counts.

        Returns
        -------
        CapCurve

        Raises
        ------
        CapcurveError
            As `capcurve.gain_curve`.

        Examples
        --------
        >>> import polars as pl
        >>> from capcurve import CapCurve
        >>> query = pl.LazyFrame({"bad": [1, 0, 1, 0], "pd": [0.4, 0.1, 0.2, 0.2]})
        >>> CapCurve.from_frame(query, "bad", "pd").accuracy_ratio
        0.75
        """
        from capcurve._roles import read_roles
        from capcurve._truth import TruthOptions

        roles = read_roles(
            data,
            truth,
            estimate,
            by=None,
            case_weights=case_weights,
            na_rm=na_rm,
            descending=descending,
            options=TruthOptions("first", pos_label, target_type, "binary"),
        )
        columns = roles.rankings[0].columns
        if not len(columns.target):
            raise CapcurveError("the CAP curve is undefined: `data` has no complete row")
        return curve_of(columns)

    def __repr__(self) -> str:
        points = len(self.tally) + 1
        return f"CapCurve(accuracy_ratio={self.accuracy_ratio:.3f}, points={points})"

    @cached_property
    def population_share(self) -> FloatArray:
        """Share of the population's weight selected, from 0 to 1, a point per score."""
        return locked(cumulative_share(self.tally.weight))

    @cached_property
    def capture_rate(self) -> FloatArray:
        """Share of the outcome captured at each ``population_share``, from 0 to 1."""
        return locked(cumulative_share(self.tally.target))

    @cached_property
    def thresholds(self) -> FloatArray:
        """Last score selected at each point; the first, infinite, selects no row."""
        return locked(thresholds(self.tally.score, descending=self.descending))

    @property
    def profile(self) -> Profile:
        """The path of the model: ``population_share`` and ``capture_rate``."""
        return Profile(self.population_share, self.capture_rate)

    @cached_property
    def perfect(self) -> Profile:
        """The path of a ranking by the outcome itself."""
        return Profile(
            locked(cumulative_share(self.perfect_tally.weight)),
            locked(cumulative_share(self.perfect_tally.target)),
        )

    @cached_property
    def total_weight(self) -> float:
        """Weight of the population: the number of rows where none is weighted."""
        return float(self.tally.weight.sum())

    @cached_property
    def total_target(self) -> float:
        """Outcome of the population: the number of events, or the weighted amount."""
        return float(self.tally.target.sum())

    @cached_property
    def response_rate(self) -> float:
        """Outcome per unit of weight: the event rate, or the mean amount."""
        return self.total_target / self.total_weight

    @cached_property
    def accuracy_ratio(self) -> float:
        """Area gained over a random ranking, as a share of what ``perfect`` gains."""
        return self.tally.gain_ratio(self.perfect_tally)

    @property
    def tie_bounds(self) -> TieBounds:
        """Accuracy ratio under the worst and the best order of tied rows."""
        slack = self.tie_gain / self.perfect_tally.gain
        ratio = self.accuracy_ratio
        return TieBounds(max(-1.0, ratio - slack), min(1.0, ratio + slack))

    @property
    def ks(self) -> float:
        """Largest distance from the diagonal, as a share of that of ``perfect``.

        For events this is the Kolmogorov-Smirnov statistic: the largest difference
        between the score distributions of events and non-events.
        """
        return min(1.0, self.tally.largest_gap / self.perfect_tally.largest_gap)

    def capture_rate_at(self, population_share: float) -> float:
        """Share of the outcome captured in the best ``population_share``.

        Inside a block of ties this is the expected value over all orders of its rows.

        Parameters
        ----------
        population_share : float
            From 0 to 1.

        Returns
        -------
        float
            From 0 to 1.
        """
        check_fraction(population_share, "population_share")
        return read_off(population_share, self.population_share, self.capture_rate)

    def population_share_for(self, capture_rate: float) -> float:
        """Smallest share of the population that captures ``capture_rate``.

        Parameters
        ----------
        capture_rate : float
            From 0 to 1.

        Returns
        -------
        float
            From 0 to 1.
        """
        check_fraction(capture_rate, "capture_rate")
        return read_off(capture_rate, self.capture_rate, self.population_share)

    def lift_at(self, population_share: float) -> float:
        """Divide the captured share of the outcome by the share selected.

        Parameters
        ----------
        population_share : float
            Above 0, up to 1.

        Returns
        -------
        float
            1 is what a random ranking reaches.
        """
        check_fraction(population_share, "population_share", above_zero=True)
        return self.capture_rate_at(population_share) / population_share

    def threshold_at(self, population_share: float) -> float:
        """Last score that is selected, at least in part, at ``population_share``.

        Parameters
        ----------
        population_share : float
            From 0 to 1.

        Returns
        -------
        float
            The score of the row reached; infinite where no row is selected.
        """
        check_fraction(population_share, "population_share")
        point = np.searchsorted(self.population_share, population_share)
        return float(self.thresholds[point])

    def to_frame(self, backend: Literal["pandas", "polars", "pyarrow"]) -> Any:
        """Return the curve as a data frame of the library named, a row per point.

        Parameters
        ----------
        backend : {'pandas', 'polars', 'pyarrow'}
            The library, which must be installed.

        Returns
        -------
        DataFrame or Table
            Columns ``population_share``, ``capture_rate``, ``lift`` (nan at the
            origin) and ``threshold``.
        """
        import narwhals.stable.v2 as nw

        x, y = self.population_share, self.capture_rate
        columns = {
            "population_share": x,
            "capture_rate": y,
            "lift": np.append(np.nan, y[1:] / x[1:]),
            "threshold": self.thresholds,
        }
        try:
            return nw.from_dict(columns, backend=backend).to_native()
        except ModuleNotFoundError as error:
            raise MissingDependencyError(backend, purpose="`to_frame`") from error

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers and points as plain Python, ready for JSON.

        Returns
        -------
        dict
            ``accuracy_ratio``, ``tie_bounds``, ``ks``, ``total_weight``,
            ``total_target``, ``response_rate``, and the points as lists. An infinite
            threshold is None, as JSON has no infinity.
        """
        return {
            "accuracy_ratio": self.accuracy_ratio,
            "tie_bounds": list(self.tie_bounds),
            "ks": self.ks,
            "total_weight": self.total_weight,
            "total_target": self.total_target,
            "response_rate": self.response_rate,
            "population_share": self.population_share.tolist(),
            "capture_rate": self.capture_rate.tolist(),
            "thresholds": [
                threshold if np.isfinite(threshold) else None
                for threshold in self.thresholds.tolist()
            ],
            "perfect": {
                name: path.tolist() for name, path in self.perfect._asdict().items()
            },
        }

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the curve with the random and the perfect line; needs matplotlib.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        **options
            As in `CAPCurveDisplay.plot`, such as ``name``, ``mark`` and ``shade``.

        Returns
        -------
        matplotlib Axes
        """
        from capcurve.display import CAPCurveDisplay

        return CAPCurveDisplay(self).plot(ax, **options).ax_

    def band(
        self,
        kind: Literal["pointwise", "simultaneous"] = "pointwise",
        *,
        confidence_level: float = 0.95,
        n_resamples: int = 1000,
        random_state: int | np.random.Generator | None = None,
    ) -> Band:
        """Compute a confidence band of the curve; needs SciPy.

        Parameters
        ----------
        kind : {'pointwise', 'simultaneous'}, default='pointwise'
            Whether the band holds the true curve at one share chosen in advance, or at all
            shares at once.
        confidence_level : float, default=0.95
            From 0 to 1.
        n_resamples, random_state
            Replicates of 'simultaneous', as in `accuracy_ratio_interval`.

        Returns
        -------
        Band

        Raises
        ------
        CapcurveError
            The curve is one of amounts or of weighted rows, whose variance the curve alone
            does not tell.

        Notes
        -----
        'pointwise' as `capture_rate_interval`. 'simultaneous' is of fixed width: the
        quantile of the largest distance of bootstrap replicates from the curve.
        """
        from capcurve.bands import band_of

        return band_of(self, kind, confidence_level, n_resamples, random_state)

    def _repr_html_(self) -> str:
        from capcurve._html import curve_html

        return curve_html(self)


def curve_of(columns: Columns) -> CapCurve:
    """Make the curve of rows that were checked already."""
    refuse_constant(columns)
    tally = arrays.tally(columns)
    return CapCurve(
        tally=tally,
        perfect_tally=arrays.perfect_tally(columns, tally),
        tie_gain=arrays.tie_gain(columns, tally),
        descending=columns.descending,
    )


def refuse_constant(columns: Columns, what: str = "the CAP curve") -> None:
    """Raise where every ranking is as good as any other."""
    if columns.is_constant:
        raise CapcurveError(
            f"{what} is undefined: {constant_reason(columns)}; "
            "it takes events and non-events, or amounts that differ"
        )


def constant_reason(columns: Columns) -> str:
    """Say what makes a ranking meaningless."""
    if not columns.has_events:
        return f"all amounts in `y_true` equal {columns.target[0]:g}"
    kind = "events" if columns.target[0] else "non-events"
    return f"`y_true` holds only {kind}"


def read_off(at: float, x: FloatArray, y: FloatArray) -> float:
    """Read a path off at a value of x, at the left end where x stands still.

    `numpy.interp` over the whole path would look at every point of it.
    """
    after = int(np.searchsorted(x, at))
    around = slice(max(0, after - 1), after + 1)
    return float(np.interp(at, x[around], y[around]))


def cumulative_share(mass: NDArray[Any]) -> FloatArray:
    """Accumulate mass from 0 to exactly 1."""
    share = np.zeros(len(mass) + 1)
    np.cumsum(mass, out=share[1:])
    share /= share[-1]
    return share


def thresholds(score: NDArray[Any], *, descending: bool) -> FloatArray:
    """Put before the scores the one that selects no row."""
    cut = np.full(len(score) + 1, np.inf if descending else -np.inf)
    cut[1:] = score
    return cut


def locked(array: NDArray[Any]) -> NDArray[Any]:
    """Forbid writing to an array that a frozen result holds."""
    array.flags.writeable = False
    return array


def check_fraction(value: float, name: str, *, above_zero: bool = False) -> None:
    """Refuse percentages and anything else outside of [0, 1]."""
    if not 0 <= value <= 1 or (above_zero and value == 0):
        interval = "(0, 1]" if above_zero else "[0, 1]"
        raise CapcurveError(
            f"`{name}` must be a fraction in {interval}, got {value!r}; 10 % is 0.1"
        )
