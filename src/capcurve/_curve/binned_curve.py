"""CAP curve from binned scores, with guaranteed bounds on every statistic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from capcurve._curve.binned_ranking import BinnedRanking
from capcurve._curve.gains_table import BandSpec, GainsTable
from capcurve._curve.pictured import Pictured
from capcurve._curve.wide_bounds import warn_of_wide_bin
from capcurve._engines.plan import Ask
from capcurve._engines.rank import rank
from capcurve._input.dtypes import Label, TargetType
from capcurve._input.meaning import Meaning, make_roles
from capcurve._input.options import read_fractions
from capcurve._input.source import FrameLike
from capcurve._public import public
from capcurve._tally.bins import (
    BinnedRows,
    bound_accuracy_ratio,
    refuse_rounded_totals,
)
from capcurve._tally.bounded import Bounded, enclose, enclose_rates
from capcurve._tally.contrast import Contrast, refuse_rounding
from capcurve._tally.dtypes import FloatArray
from capcurve._tally.tally import TieBounds, clip_ratio
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from capcurve._inference.estimate import Estimate


@public
class BoundedTable(NamedTuple):
    """Gains table with guaranteed bounds.

    Attributes
    ----------
    value : GainsTable
        Table of the curve that treats the rows in each bin as tied.
    low, high : GainsTable
        Tables of the worst and of the best order within bins. The exact values of the
        cumulative columns ``capture_rate`` and ``lift`` lie between theirs.

    Examples
    --------
    >>> from capcurve import CapSketch
    >>> sketch = CapSketch()
    >>> sketch.update([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    >>> table = sketch.gains_table(2)
    >>> table.low.capture_rate, table.value.capture_rate, table.high.capture_rate
    (array([0.75, 1.  ]), array([0.75, 1.  ]), array([0.75, 1.  ]))
    """

    value: GainsTable
    low: GainsTable
    high: GainsTable

    def _repr_html_(self) -> str:
        from capcurve._curve.notebook import view_bounded_table

        return view_bounded_table(self)


@public
class BoundedCurve(NamedTuple):
    """Points of a CAP curve with guaranteed bounds.

    Attributes
    ----------
    population_share : ndarray of float64, shape (n_points,)
        Share of the population's weight selected, increasing from 0 to 1.
    capture_rate : ndarray of float64, shape (n_points,)
        Share of the outcome captured, from 0 to 1, with the rows in each bin treated as
        tied; exact at the edges of bins.
    low, high : ndarray of float64, shape (n_points,)
        Guaranteed lower and upper bound of the capture rate.

    Examples
    --------
    >>> from capcurve import CapSketch
    >>> sketch = CapSketch()
    >>> sketch.update([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    >>> points = sketch.cap_curve()
    >>> points.population_share, points.capture_rate
    (array([0.  , 0.25, 0.75, 1.  ]), array([0. , 0.5, 1. , 1. ]))
    """

    population_share: FloatArray
    capture_rate: FloatArray
    low: FloatArray
    high: FloatArray

    def _repr_html_(self) -> str:
        from capcurve._curve.notebook import view_bounded_curve

        return view_bounded_curve(self)


@public
@dataclass(frozen=True, eq=False, repr=False)
class BinnedCurve(BinnedRanking, Pictured):
    """CAP curve of rows of which only bins of their scores are known.

    Every statistic comes with guaranteed lower and upper bounds: they contain the exact
    value whatever the order of the rows within bins, and equal it where each bin holds a
    single distinct score. Create one with `BinnedCurve.from_frame`, from a query too large
    to rank, or take the attribute ``curve`` of a `CapSketch`.

    Attributes
    ----------
    by_score, by_target : Bins
        Weight and outcome by bin of the score, and by bin of the outcome.
    descending : bool
        Whether high scores are ranked first.
    has_events : bool
        Whether outcomes are 0/1 events.
    n_rows : int
        Number of rows; rows of weight 0 do not count.
    exact : ExactTotals or None
        Exact totals, if the engine also counted the pairs within bins.
    plan : {'bins', 'bucketed', 'direct', 'sketch'}
        How the bins were made: by an engine; by an engine that also counted the pairs
        within bins; by an engine, one for each distinct score; by a `CapSketch`.

    See Also
    --------
    CapSketch : The same from batches of rows.

    Examples
    --------
    >>> import polars as pl
    >>> from capcurve import BinnedCurve
    >>> from capcurve.datasets import make_portfolio
    >>> loans = pl.LazyFrame(make_portfolio())
    >>> BinnedCurve.from_frame(loans, "default", "champion_pd")
    BinnedCurve(10,000 rows, 2,058 bins, AR 0.572662 in [0.572662, 0.572662])
    """

    def __repr__(self) -> str:
        name = type(self).__name__
        if len(self.by_target) < 2:  # noqa: PLR2004 -- the curve is undefined
            return f"{name}({self.n_rows:,} rows, undefined so far)"
        shown = f"{name}({self.n_rows:,} rows, {len(self.by_score):,} bins"
        try:
            ratio = self.accuracy_ratio
        except CapcurveError:  # hidden by rounding, which a display must not raise
            return f"{shown})"
        return f"{shown}, AR {ratio.value:.6f} in [{ratio.low:.6f}, {ratio.high:.6f}])"

    def _repr_html_(self) -> str:
        from capcurve._curve.notebook import view_binned_curve

        return view_binned_curve(self)

    @staticmethod
    def from_frame(  # noqa: PLR0913 -- the names of the frame functions
        data: FrameLike,
        truth: str,
        estimate: str,
        *,
        case_weights: str | None = None,
        pos_label: Label | None = None,
        target_type: TargetType = "auto",
        descending: bool = True,
        na_rm: bool = True,
        memory_limit: float | str | None = None,
        exact_at: Sequence[float] | None = None,
    ) -> BinnedCurve:
        """Return the curve of a data frame or query whose engine bins the rows.

        Only the bins are fetched, some tens of thousands at most.

        Parameters
        ----------
        data : data frame or query
            Of any library that narwhals supports.
        truth : str
            Column of events, or of amounts per unit of weight, as in `gain_curve`.
        estimate : str
            Column of the score; higher is ranked earlier.
        case_weights : str, default=None
            Column of weights: 2 means two equal rows, 0 no row; `interval` refuses weights.
        pos_label : int, float, bool or str, default=None
            Label of the event. None: 1 of 0/1 and -1/1, True of booleans.
        target_type : {'auto', 'binary', 'continuous'}, default='auto'
            Whether ``truth`` holds events or amounts, as in `gain_curve`.
        descending : bool, default=True
            Whether high scores rank first; False for a scorecard where low scores do.
        na_rm : bool, default=True
            Whether to leave out rows with a missing value; False refuses them.
        memory_limit : float or str, default=None
            Memory for the rows that ``exact_at`` ranks in batches; see `gain_curve`.
        exact_at : sequence of float, default=None
            Population shares, such as ``(0.1, 0.5)`` or ``()``, at which the curve is to be
            exact. If given, the engine also sorts within bins, and AR, its interval, KS and
            the tie bounds are exact too.

        Returns
        -------
        BinnedCurve
            Exact without ``exact_at`` too where scores are rating grades, integers up to
            2,000, or rounded to three digits. Where all outcomes are equal it is returned,
            but its statistics raise.

        Raises
        ------
        CapcurveError
            A column is unknown or invalid, no row is complete, values are missing and
            ``na_rm`` is False, ``exact_at`` holds what is no fraction in [0, 1], or options
            contradict each other.

        Warns
        -----
        DroppedRowsWarning
            Rows with a missing value were left out.
        """
        roles = make_roles(truth, estimate, case_weights=case_weights)
        meaning = Meaning(
            pos_label=pos_label,
            target_type=target_type,
            estimator="binary",
            descending=descending,
            na_rm=na_rm,
        )
        if exact_at is not None:
            exact_at = read_fractions(exact_at, "exact_at").ravel().tolist()
        ask = Ask(bins="always", at=exact_at, memory_limit=memory_limit)
        binned = rank(data, roles, meaning, ask)
        return BinnedCurve(*binned.bins[estimate][0])

    @property
    def accuracy_ratio(self) -> Bounded:
        """Accuracy ratio, from -1 to 1, with guaranteed bounds.

        Raises
        ------
        CapcurveError
            All outcomes are equal.
        """
        self._require_both_classes()
        warn_of_wide_bin(self)
        rows = BinnedRows(self.by_score, self.by_target, self.descending, exact=self.exact)
        return bound_accuracy_ratio(rows)

    @property
    def ks(self) -> Bounded:
        """KS, as `CapCurve.ks`, from 0 to 1, with guaranteed bounds.

        Raises
        ------
        CapcurveError
            All outcomes are equal, or differ by less than the rounding of their sums.
        """
        self._require_both_classes()
        if self.exact and self.exact.max_distance is not None:
            refuse_rounded_totals(self.by_score, self.exact)
            ks = clip_ratio(self.exact.max_distance / (self.exact.perfect_distance or 1.0))
            return Bounded(ks, ks, ks)
        tied, (perfect, most_unequal) = self.curve.tally, self._perfect_tallies
        contrast = Contrast.of(tied, perfect)
        refuse_rounding(contrast.rounding)
        extremes = (Contrast.of(each.tally, perfect).ks for each in (self.worst, self.best))
        return enclose(contrast.ks, Contrast.of(tied, most_unequal).ks, *extremes)

    @property
    def tie_bounds(self) -> TieBounds | None:
        """Accuracy ratio in the worst and in the best order of rows with the same score.

        None unless the engine counted the ties within bins; see ``exact_at`` of
        `BinnedCurve.from_frame`.

        Raises
        ------
        CapcurveError
            All outcomes are equal.
        """
        self._require_both_classes()
        if not self.exact or self.exact.tied is None:
            return None
        refuse_rounded_totals(self.by_score, self.exact)
        ratio = self.accuracy_ratio.value
        slack = self.exact.tied / self.exact.perfect_surplus
        return TieBounds(clip_ratio(ratio - slack), clip_ratio(ratio + slack))

    def capture_rate_at(self, population_share: float) -> Bounded:
        """Share of the outcome captured in the best ``population_share``.

        Parameters
        ----------
        population_share : float
            Share of the population's weight selected, from 0 to 1.

        Returns
        -------
        Bounded
            From 0 to 1, with guaranteed bounds.

        Raises
        ------
        CapcurveError
            ``population_share`` is not a fraction in [0, 1], or all outcomes are equal.
        """
        curves = (self.curve, self.worst, self.best)
        return enclose(*(curve.capture_rate_at(population_share) for curve in curves))

    def lift_at(self, population_share: float) -> Bounded:
        """Cumulative lift: the capture rate at a population share, divided by that share.

        Parameters
        ----------
        population_share : float
            Share of the population's weight selected, above 0 and up to 1.

        Returns
        -------
        Bounded
            Not negative, with guaranteed bounds; 1 for a random ranking.

        Raises
        ------
        CapcurveError
            ``population_share`` is not a fraction in (0, 1], or all outcomes are equal.
        """
        curves = (self.curve, self.worst, self.best)
        return enclose(*(curve.lift_at(population_share) for curve in curves))

    def cap_curve(self) -> BoundedCurve:
        """Compute the points of the curve with guaranteed bounds.

        Returns
        -------
        BoundedCurve
            Its ``capture_rate``, ``low`` and ``high`` are equal at the edges of bins.

        Raises
        ------
        CapcurveError
            All outcomes are equal.
        """
        worst, best = self.worst.profile, self.best.profile
        share = np.union1d(worst.population_share, best.population_share)
        rates = (np.interp(share, *path) for path in (self.curve.profile, worst, best))
        return BoundedCurve(share, *enclose_rates(*rates))

    def gains_table(self, bands: BandSpec = 10) -> BoundedTable:
        """Cut the curve into bands of the population, with guaranteed bounds.

        Parameters
        ----------
        bands : int, sequence of float or 'scores', default=10
            Number of bands of equal weight; increasing population shares in [0, 1] at which
            bands end; 'scores' cuts each of the three curves at every point of its own.

        Returns
        -------
        BoundedTable

        Raises
        ------
        CapcurveError
            ``bands`` is less than 1, its shares are not increasing or not in [0, 1], or all
            outcomes are equal.
        """
        curves = (self.curve, self.worst, self.best)
        return BoundedTable(*(GainsTable.from_curve(curve, bands) for curve in curves))

    def interval(self, *, confidence_level: float = 0.95) -> Estimate:
        """Estimate the accuracy ratio with a confidence interval; requires SciPy.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1.

        Returns
        -------
        Estimate
            By the method 'beta' of `accuracy_ratio_interval`, or 'exact' where the sample
            shows no variance. Unless pairs within bins were counted, it runs from the lower
            limit in the worst order within bins to the upper limit in the best, and so
            contains that of the exact accuracy ratio, or nearly so where bins are few; the
            p-value is that of the order nearer to an AR of 0, and 1 if one can have AR 0.

        Raises
        ------
        CapcurveError
            ``confidence_level`` is invalid, all outcomes are equal, or outcomes are amounts
            or weighted; their variance requires the individual rows.
        MissingDependencyError
            SciPy is not installed.
        """
        from capcurve._inference.accuracy_ratio import estimate_from_bins

        self._require_both_classes()
        return estimate_from_bins(self, confidence_level)
