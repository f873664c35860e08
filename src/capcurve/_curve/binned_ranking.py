"""Ranking of binned rows, with the curves of the extreme orders within bins."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from capcurve._curve.curve import CapCurve
from capcurve._input.column import name_type
from capcurve._tally.bins import (
    Bins,
    ExactTotals,
    compute_bin_slack,
    rank_bins,
    rank_extreme_order,
    rank_most_unequal_targets,
)
from capcurve._tally.locked import Locked
from capcurve._tally.tally import Tally
from capcurve.exceptions import CapcurveError


@dataclass(frozen=True, eq=False, repr=False)
class BinnedRanking(Locked):
    """Binned rows of a ranking; `BinnedCurve` describes the fields."""

    by_score: Bins
    by_target: Bins
    descending: bool = True
    has_events: bool = True
    n_rows: int = 0
    exact: ExactTotals | None = None
    plan: str = "sketch"

    def __post_init__(self) -> None:
        if not all(isinstance(bins, Bins) for bins in (self.by_score, self.by_target)):
            raise CapcurveError(
                "a binned curve must be made of bins, got "
                f"{name_type(self.by_score)} and {name_type(self.by_target)}; pass "
                "a frame or query to `BinnedCurve.from_frame`, or batches to a `CapSketch`"
            )
        super().__post_init__()

    @cached_property
    def curve(self) -> CapCurve:
        """`CapCurve` that treats the rows in each bin as tied.

        It is exact at the edges of bins, and its ``tie_bounds`` are the guaranteed bounds
        of AR over all orders within bins.

        Raises
        ------
        CapcurveError
            All outcomes are equal.
        """
        return self._make_curve(rank_bins(self.by_score, descending=self.descending))

    @property
    def worst(self) -> CapCurve:
        """`CapCurve` if the outcome came last within each bin.

        Raises
        ------
        CapcurveError
            All outcomes are equal.
        """
        return self._make_curve(self._rank_extreme_order(outcome_first=False))

    @property
    def best(self) -> CapCurve:
        """`CapCurve` if the outcome came first within each bin.

        Raises
        ------
        CapcurveError
            All outcomes are equal.
        """
        return self._make_curve(self._rank_extreme_order(outcome_first=True))

    def _rank_extreme_order(self, *, outcome_first: bool) -> Tally:
        """Tally the rows in an extreme order within bins."""
        return rank_extreme_order(
            self.by_score, descending=self.descending, outcome_first=outcome_first
        )

    def _make_curve(self, tally: Tally) -> CapCurve:
        """Make a curve from a tally and the perfect one."""
        self._require_both_classes()
        perfect = rank_bins(self.by_target, descending=True)
        slack = compute_bin_slack(self.by_score)
        return CapCurve(tally, perfect, self.descending, slack)

    def _require_both_classes(self) -> None:
        """Raise if all outcomes are equal, or no row has any."""
        if not len(self.by_target):
            raise CapcurveError(
                "the CAP curve is undefined: no row has come so far; add rows with events "
                "and non-events, or amounts that differ"
            )
        if len(self.by_target) == 1:
            raise CapcurveError(
                f"the CAP curve is undefined: all outcomes of the {self.n_rows:,} rows so "
                "far are equal; it requires events and non-events, or amounts that differ"
            )

    @property
    def _perfect_tallies(self) -> tuple[Tally, Tally]:
        """Perfect rankings with equal, and with the most unequal, outcomes within bins."""
        return rank_bins(self.by_target, descending=True), rank_most_unequal_targets(
            self.by_target
        )
