"""A curve of which the order inside of bins is not known: every number with its limits."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from capcurve._bins import Bins, ranked, slack_of, split, spread
from capcurve._engines import arrays
from capcurve._input import Label, TargetType
from capcurve._pairs import PairCounts
from capcurve._precision import Options
from capcurve._ratio_estimates import counted_estimate, ratio_estimate
from capcurve._tally import Tally
from capcurve.curve import CapCurve, TieBounds
from capcurve.estimates import Estimate
from capcurve.exceptions import CapcurveError
from capcurve.table import Bands, GainsTable

__all__ = ["BinnedCurve"]

FloatArray = NDArray[np.float64]


class Bounded(NamedTuple):
    """A number, and limits that hold whatever the order inside of bins."""

    value: float
    low: float
    high: float


class BoundedTable(NamedTuple):
    """A gains table, with those of the worst and the best order inside of bins."""

    value: GainsTable
    low: GainsTable
    high: GainsTable


class BoundedCurve(NamedTuple):
    """Points of a curve, exact at the edges of bins, with limits between them."""

    population_share: FloatArray
    capture_rate: FloatArray
    low: FloatArray
    high: FloatArray


class Exact(NamedTuple):
    """Numbers of an engine that counted the pairs inside of bins too.

    Attributes
    ----------
    gain, best_gain : float
        Of the ranking and of a perfect one.
    largest_gap, best_gap : float or None
        Their largest distance from the diagonal, times both totals; None of groups.
    tied : float or None
        Mass of pairs with the same score; None of amounts.
    pairs : PairCounts or None
        Of events without weights.
    """

    gain: float
    best_gain: float
    largest_gap: float | None
    best_gap: float | None
    tied: float | None
    pairs: PairCounts | None


class BinnedCurve:
    """A CAP curve whose rows are known by bins of their scores only.

    Every number comes with limits that contain the exact one, whatever the order of the
    rows inside of a bin; they are equal where each bin holds one score. Make one with
    `BinnedCurve.from_frame` of a query too large to rank, or as a `CapSketch`.

    Attributes
    ----------
    by_score, by_target : Bins
        Mass by bin of the score, and of the outcome.
    descending : bool
        Whether high scores are ranked first.
    has_events : bool
        Whether outcomes are 0/1 events.
    n_rows : int
        Rows seen, those of weight 0 left out.
    plan : str
        How an engine made the bins: ``'bins'``, with limits; ``'bucketed'``, where it
        counted the pairs inside of them too; ``'direct'``, of one score each. Of a sketch
        ``'sketch'``.

    Examples
    --------
    >>> import polars as pl
    >>> from capcurve import BinnedCurve
    >>> from capcurve.datasets import make_portfolio
    >>> loans = pl.LazyFrame(make_portfolio())
    >>> BinnedCurve.from_frame(loans, "default", "champion_pd")
    BinnedCurve(10,000 rows, 2,058 bins, AR 0.572662 in [0.572662, 0.572662])
    """

    def __init__(
        self,
        by_score: Bins,
        by_target: Bins,
        *,
        descending: bool = True,
        has_events: bool = True,
        n_rows: int = 0,
        exact: Exact | None = None,
        plan: str = "sketch",
    ) -> None:
        self.by_score, self.by_target = by_score, by_target
        self.exact, self.plan = exact, plan
        self.descending, self.has_events, self.n_rows = descending, has_events, n_rows

    def __repr__(self) -> str:
        name = type(self).__name__
        if len(self.by_target) < 2:  # noqa: PLR2004 -- the curve is undefined
            return f"{name}({self.n_rows:,} rows, undefined so far)"
        ratio = self.accuracy_ratio
        return (
            f"{name}({self.n_rows:,} rows, {len(self.by_score):,} bins, AR "
            f"{ratio.value:.6f} in [{ratio.low:.6f}, {ratio.high:.6f}])"
        )

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
        exact_at: Sequence[float] | None = None,
    ) -> "BinnedCurve":
        """Let the engine of a query put its rows into bins; only the bins travel.

        Parameters
        ----------
        data, truth, estimate, case_weights, pos_label, target_type, descending, na_rm
            As in `capcurve.gain_curve`.
        exact_at : sequence of float, default=None
            Population shares, such as ``(0.1, 0.5)`` or ``()``. With them, at the price of
            a sort in the engine, the accuracy ratio, its interval, KS and the bounds under
            ties are exact, and so is the curve at these shares and at the edges of bins.

        Returns
        -------
        BinnedCurve
            Of some tens of thousands of bins at most; exact where scores are grades,
            points up to 2,000, or rounded to three digits.

        Raises
        ------
        CapcurveError
            As `capcurve.gain_curve`.
        """
        from capcurve._binned_frames import read_binned
        from capcurve._truth import TruthOptions

        options = TruthOptions("first", pos_label, target_type, "binary")
        binned = read_binned(
            data,
            truth,
            [estimate],
            case_weights=case_weights,
            na_rm=na_rm,
            descending=descending,
            options=options,
            exact_at=exact_at,
        )
        return binned.curves[estimate][0]

    @cached_property
    def curve(self) -> CapCurve:
        """The curve through the edges of bins, for displays and reports.

        Its ``tie_bounds`` are those of the rows that share a bin.
        """
        return self._curve(ranked(self.by_score, descending=self.descending))

    @property
    def worst(self) -> CapCurve:
        """The curve if inside of each bin the outcome came last."""
        return self._curve(self._split(outcome_first=False))

    @property
    def best(self) -> CapCurve:
        """The curve if inside of each bin the outcome came first."""
        return self._curve(self._split(outcome_first=True))

    def _split(self, *, outcome_first: bool) -> Tally:
        """Put what is unknown inside of bins into an extreme order."""
        return split(self.by_score, descending=self.descending, outcome_first=outcome_first)

    def _curve(self, tally: Tally) -> CapCurve:
        """Put a tally next to the perfect one."""
        if len(self.by_target) < 2:  # noqa: PLR2004 -- nothing to tell apart
            raise CapcurveError(
                f"the CAP curve is undefined: all outcomes of {self.n_rows:,} rows so far "
                "are equal"
            )
        perfect = ranked(self.by_target, descending=True)
        return CapCurve(tally, perfect, slack_of(self.by_score), self.descending)

    @property
    def _perfect(self) -> tuple[Tally, Tally]:
        """The perfect ranking if outcomes that share a bin are equal, and if extreme."""
        return ranked(self.by_target, descending=True), spread(self.by_target)

    @property
    def accuracy_ratio(self) -> Bounded:
        """The accuracy ratio with limits that hold for certain."""
        if self.exact:
            ratio = self.exact.gain / self.exact.best_gain
            return Bounded(*(max(-1.0, min(1.0, ratio)),) * 3)
        ratios = [
            max(-1.0, min(1.0, curve.tally.gain / perfect.gain))
            for curve in (self.worst, self.best)
            for perfect in self._perfect
        ]
        return Bounded(self.curve.accuracy_ratio, min(ratios), max(ratios))

    @property
    def ks(self) -> Bounded:
        """KS with limits that hold for certain."""
        if self.exact and self.exact.largest_gap is not None:
            ks = min(1.0, self.exact.largest_gap / (self.exact.best_gap or 1.0))
            return Bounded(ks, ks, ks)
        least, most = (perfect.largest_gap for perfect in self._perfect)
        reached = max(curve.tally.largest_gap for curve in (self.worst, self.best))
        low = self.curve.tally.largest_gap / most
        return Bounded(self.curve.ks, min(1.0, low), min(1.0, reached / least))

    @property
    def tie_bounds(self) -> TieBounds | None:
        """The accuracy ratio under the worst and the best order of tied rows.

        None where ties inside of bins were not counted.
        """
        if not self.exact or self.exact.tied is None:
            return None
        gain, tied = self.exact.gain, self.exact.tied
        return TieBounds(*((gain + sign * tied) / self.exact.best_gain for sign in (-1, 1)))

    def capture_rate_at(self, population_share: float) -> Bounded:
        """Share of the outcome captured in the best ``population_share``.

        Parameters
        ----------
        population_share : float
            From 0 to 1.

        Returns
        -------
        Bounded
            The value, and limits that hold for certain.
        """
        curves = (self.curve, self.worst, self.best)
        return Bounded(*(curve.capture_rate_at(population_share) for curve in curves))

    def lift_at(self, population_share: float) -> Bounded:
        """Divide the captured share of the outcome by the share selected.

        Parameters
        ----------
        population_share : float
            Above 0, up to 1.

        Returns
        -------
        Bounded
            The value, and limits that hold for certain.
        """
        curves = (self.curve, self.worst, self.best)
        return Bounded(*(curve.lift_at(population_share) for curve in curves))

    def cap_curve(self) -> BoundedCurve:
        """Compute the points of the curve with the limits between them.

        Returns
        -------
        BoundedCurve
            ``population_share``, ``capture_rate``, ``low`` and ``high``; at the edges of
            bins all three rates are equal and exact.
        """
        worst, best = self.worst.profile, self.best.profile
        share = np.union1d(worst.population_share, best.population_share)
        rates = (np.interp(share, *path) for path in (self.curve.profile, worst, best))
        return BoundedCurve(share, *rates)

    def gains_table(self, bands: Bands = 10) -> BoundedTable:
        """Cut the curve into bands, with the worst and the best order inside of bins.

        Parameters
        ----------
        bands : int or sequence of float, default=10
            As in `capcurve.gains_table`.

        Returns
        -------
        BoundedTable
            Three `GainsTable`; the columns that accumulate lie between those of ``low``
            and ``high``.
        """
        curves = (self.curve, self.worst, self.best)
        return BoundedTable(*(GainsTable.from_curve(curve, bands) for curve in curves))

    def interval(self, *, confidence_level: float = 0.95) -> Estimate:
        """Estimate the accuracy ratio as `accuracy_ratio_interval` does; needs SciPy.

        Parameters
        ----------
        confidence_level : float, default=0.95
            From 0 to 1.

        Returns
        -------
        Estimate
            Its ends are the lowest and the highest over both extreme orders inside of
            bins, so that it contains the interval of the exact accuracy ratio or nearly so
            where bins are few.

        Raises
        ------
        CapcurveError
            Outcomes are amounts or weighted: their variance takes the rows.
        """
        if not self.has_events or self.by_score.weight.dtype.kind == "f":
            raise CapcurveError(
                "the interval of binned rows takes 0/1 events without weights; of amounts "
                "and weighted rows the bins do not hold what their variance rests on"
            )
        options = Options(confidence_level)
        if self.exact and self.exact.pairs:
            return counted_estimate(self.exact.pairs, options)
        middle, worst, best = (
            ratio_estimate(arrays.counted_rows(curve.tally), options)
            for curve in (self.curve, self.worst, self.best)
        )
        return replace(middle, low=worst.low, high=best.high)
