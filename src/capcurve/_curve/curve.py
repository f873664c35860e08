"""CAP curve of a ranking, with every number that is computed from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from capcurve._curve.pictured import Pictured
from capcurve._curve.points import CurvePoints
from capcurve._engines.rank import rank_all_rows
from capcurve._engines.rows import (
    compute_tie_slack,
    contrast_rankings,
    tally_perfect_ranking,
    tally_rows,
)
from capcurve._input.columns import Columns, refuse_constant
from capcurve._input.deprecations import warn_deprecated
from capcurve._input.dtypes import Label, TargetType
from capcurve._input.meaning import Meaning, as_order, make_roles
from capcurve._input.reading import read_columns
from capcurve._input.source import FrameLike
from capcurve._public import public
from capcurve._tally.contrast import Contrast
from capcurve._tally.tally import TieBounds
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from capcurve._inference.band import Band


@public
@dataclass(frozen=True, eq=False)
class CapCurve(CurvePoints, Pictured):
    """Cumulative accuracy profile (CAP, gain curve) of a model, next to the perfect one.

    Create one with `CapCurve.from_predictions` or `from_frame`. All of it is read-only.

    Attributes
    ----------
    tally, perfect_tally : Tally
        Weight and outcome per distinct score, of the model and of the perfect ranking.
    descending : bool
        Whether high scores are ranked first.
    tie_slack : float or None
        What the best order of tied rows would add to ``tally.concordance_surplus``; None
        if unknown.
    grades : tuple of str or None
        Names of the scores 0, 1, ..., where the score is an ordered grade.
    population_share, capture_rate, thresholds : ndarray of float64, shape (n_points,)
        Points of the curve: the origin and a point for each distinct score.
    profile, perfect : Profile
        Path of the model and of the perfect ranking.
    total_weight, total_target, response_rate : float
        Total weight and outcome of the population, and outcome per unit of weight.

    See Also
    --------
    cap_curve : The points of the same curve as three arrays.
    BinnedCurve : A curve from binned scores, for data too large to rank.

    Notes
    -----
    After Engelmann, Hayden and Tasche (2003), "Testing rating accuracy", Risk 16(1), 82-86.

    Examples
    --------
    >>> from capcurve import CapCurve
    >>> curve = CapCurve.from_predictions([1, 0, 1, 1, 0], [0.2, 0.6, 0.8, 0.7, 0.4])
    >>> curve
    CapCurve(accuracy_ratio=0.333, points=6)
    >>> round(curve.capture_rate_at(0.4), 3)
    0.667
    """

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
        """Return the CAP curve of arrays of outcomes and scores.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Outcomes: 0/1, -1/1 or boolean events; other labels with ``pos_label``; or
            amounts per unit of weight that are not negative, such as losses or premiums.
        y_score : array-like of shape (n_samples,)
            Scores; higher is ranked earlier. Tied rows are one straight segment, the
            expected value over all orders of these rows. May be infinite. Outcomes, scores
            and weights are paired by position; pandas objects whose indexes hold the same
            labels in another order are refused.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, finite and not negative. A weight of 2 gives the curve and AR of two
            equal rows, 0 those of no row; `CapCurve.band` refuses weights. None: every row
            has weight 1.
        pos_label : int, float, bool or str, default=None
            Label of the event. None: 1 of 0/1 and -1/1, True of booleans.
        target_type : {'auto', 'binary', 'continuous'}, default='auto'
            Whether ``y_true`` holds events or amounts. 'auto' reads 0/1, -1/1 and booleans
            as events and other numbers as amounts; it refuses whole numbers of an integer
            type, or of at most ten values, which may be labels or counts.
        descending : bool, default=True
            Whether high scores rank first; False for a scorecard where low scores do.

        Returns
        -------
        CapCurve

        Raises
        ------
        CapcurveError
            Values are missing, lengths differ, a weight or an amount is negative or
            infinite, labels require ``pos_label``, options contradict each other, or all
            outcomes are equal, which leaves the curve undefined.
        """
        columns = read_columns(
            y_true,
            y_score,
            sample_weight=sample_weight,
            pos_label=pos_label,
            target_type=target_type,
            descending=descending,
        )
        return make_curve(columns)

    @staticmethod
    def from_frame(  # noqa: PLR0913 -- the roles and meanings of columns, by keyword
        data: FrameLike,
        truth: str | None,
        estimate: str,
        *,
        case_weights: str | None = None,
        counts: str | None = None,
        events: str | None = None,
        pos_label: Label | None = None,
        target_type: TargetType = "auto",
        descending: bool = True,
        order: Sequence[str] | None = None,
        na_rm: bool = True,
        memory_limit: float | str | None = None,
    ) -> CapCurve:
        """Return the CAP curve of one score column of a data frame or query.

        Parameters
        ----------
        data : data frame or query
            Of any library that narwhals supports. Of a query of Dask or Spark, or of one
            whose rows exceed ``memory_limit``, only the distinct rows are fetched.
        truth : str
            Column of the outcome, as ``y_true`` of `CapCurve.from_predictions`. Of a
            categorical of two levels the first is the event.
        estimate : str
            Column of the score; higher is ranked earlier, and ties are straight segments.
        case_weights : str, default=None
            Column of weights. A weight of 2 gives the curve and AR of two equal rows, 0
            those of no row; `CapCurve.band` refuses weights.
        counts, events : str, default=None
            Columns of the number of rows and of events that each row stands for, as in
            `gain_curve`.
        pos_label, target_type, descending
            As in `CapCurve.from_predictions`.
        order : sequence of str, default=None
            Grades of a text score from the lowest score to the highest. `threshold_at`,
            `to_frame` and `to_dict` give their names, ``thresholds`` their places.
        na_rm : bool, default=True
            Whether to leave out rows with a missing value; False refuses them.
        memory_limit : float or str, default=None
            Memory for the rows of a query, as in `gain_curve`.

        Returns
        -------
        CapCurve

        Raises
        ------
        CapcurveError
            A column is unknown or invalid, no row is complete, values are missing and
            ``na_rm`` is False, options contradict each other, or all outcomes are equal.

        Warns
        -----
        DroppedRowsWarning
            Rows with a missing value were left out.

        Examples
        --------
        >>> import polars as pl
        >>> from capcurve import CapCurve
        >>> query = pl.LazyFrame({"bad": [1, 0, 1, 0], "pd": [0.4, 0.1, 0.2, 0.2]})
        >>> CapCurve.from_frame(query, "bad", "pd").accuracy_ratio
        0.75
        """
        roles = make_roles(
            truth, estimate, case_weights=case_weights, counts=counts, events=events
        )
        meaning = Meaning(
            pos_label=pos_label,
            target_type=target_type,
            estimator="binary",
            descending=descending,
            order=as_order(order),
            na_rm=na_rm,
        )
        ranking = rank_all_rows(data, roles, meaning, memory_limit).rankings[0]
        if not len(ranking.columns.target):
            raise CapcurveError(f"the CAP curve is undefined: {roles.explain_no_row()}")
        return make_curve(ranking.columns, ranking.grades)

    def __repr__(self) -> str:
        points = len(self.tally) + 1
        return f"CapCurve(accuracy_ratio={self.accuracy_ratio:.3f}, points={points})"

    @cached_property
    def accuracy_ratio(self) -> float:
        """Accuracy ratio (AR), from -1 to 1.

        The area between the curve and the diagonal as a share of that area for the perfect
        curve. For 0/1 events it equals ``2 * AUC - 1`` and Somers' D; for amounts it is the
        Gini correlation of Schechtman and Yitzhaki (1987), doi:10.1080/03610928708829359.
        """
        return self._contrast.accuracy_ratio

    @property
    def gini_index(self) -> float:
        """Twice the area between curve and diagonal, not divided by the perfect one.

        The Gini index of Frees, Meyers and Cummings (2011), doi:10.1198/jasa.2011.tm10506,
        if the score is a relativity; see `LorenzCurveDisplay`. For events the perfect
        ranking reaches 1 less the event rate.
        """
        return self.tally.concordance_surplus / (self.total_weight * self.total_target)

    @cached_property
    def _contrast(self) -> Contrast:
        return Contrast.of(self.tally, self.perfect_tally)

    @property
    def tie_bounds(self) -> TieBounds | None:
        """Accuracy ratio in the worst and in the best order of tied rows.

        None if ``tie_slack`` is unknown, as for a bootstrap replicate.
        """
        if self.tie_slack is None:
            return None
        slack = self.tie_slack / self._contrast.perfect_surplus
        ratio = self.accuracy_ratio
        return TieBounds(max(-1.0, ratio - slack), min(1.0, ratio + slack))

    @property
    def tie_gain(self) -> float | None:
        """Former name of ``tie_slack``; version 0.4 will remove it."""
        warn_deprecated("CapCurve.tie_gain")
        return self.tie_slack

    @cached_property
    def ks(self) -> float:
        """KS: largest distance from the diagonal as a share of that of ``perfect``.

        From 0 to 1. For 0/1 events it is the Kolmogorov-Smirnov statistic, the largest
        difference between the score distributions of events and non-events.
        """
        return self._contrast.ks

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers and points of the curve as plain Python, for JSON.

        Returns
        -------
        dict of str to float, list, dict or None
            ``accuracy_ratio``, ``tie_bounds`` (worst and best, or None), ``ks``,
            ``total_weight``, ``total_target``, ``response_rate``; the lists
            ``population_share``, ``capture_rate`` and ``thresholds``, in which infinity is
            None and grades are names; and ``perfect``, a dict of ``population_share`` and
            ``capture_rate``.
        """
        return {
            "accuracy_ratio": self.accuracy_ratio,
            "tie_bounds": None if self.tie_bounds is None else list(self.tie_bounds),
            "ks": self.ks,
            "total_weight": self.total_weight,
            "total_target": self.total_target,
            "response_rate": self.response_rate,
            "population_share": self.population_share.tolist(),
            "capture_rate": self.capture_rate.tolist(),
            "thresholds": [
                None if threshold in {np.inf, -np.inf} else threshold
                for threshold in self._named_thresholds.tolist()
            ],
            "perfect": {
                name: path.tolist() for name, path in self.perfect._asdict().items()
            },
        }

    def band(
        self,
        kind: Literal["pointwise", "simultaneous"] = "pointwise",
        *,
        confidence_level: float = 0.95,
        n_resamples: int = 1000,
        random_state: int | np.random.Generator | None = None,
    ) -> Band:
        """Compute a confidence band of the curve.

        Parameters
        ----------
        kind : {'pointwise', 'simultaneous'}, default='pointwise'
            Whether the band covers the true curve at one population share chosen in
            advance, or at all shares at once. 'pointwise' requires SciPy.
        confidence_level : float, default=0.95
            Between 0 and 1.
        n_resamples : int, default=1000
            Number of bootstrap replicates of 'simultaneous'.
        random_state : int, numpy Generator or None, default=None
            Seed or generator of the replicates; an int makes the band reproducible.

        Returns
        -------
        Band
            Limits of the capture rate at 501 population shares.

        Warns
        -----
        FewEventsWarning
            If there are fewer than 20 events or non-events.

        Raises
        ------
        CapcurveError
            ``kind`` or ``confidence_level`` is invalid, or the curve is of amounts or
            weighted rows, whose variance cannot be computed from the curve.
        MissingDependencyError
            SciPy is not installed.

        Notes
        -----
        'pointwise' is the interval of `capture_rate_interval` at each share, after Wilson
        (1927), doi:10.2307/2276774. 'simultaneous' has a fixed width: the quantile of the
        largest distance between a bootstrap replicate of the rows and the curve. It leaves
        out what no ranking reaches at event rates within their 99.9 % limits.

        Examples
        --------
        >>> from capcurve import CapCurve
        >>> from capcurve.datasets import make_portfolio
        >>> loans = make_portfolio()
        >>> curve = CapCurve.from_predictions(loans["default"], loans["champion_pd"])
        >>> band = curve.band("simultaneous", random_state=1)
        >>> band.confidence_level, len(band.population_share)
        (0.95, 501)
        """
        from capcurve._inference.band import make_band

        return make_band(self, kind, confidence_level, n_resamples, random_state)

    def _repr_html_(self) -> str:
        from capcurve._curve.notebook import view_curve

        return view_curve(self)


def make_curve(columns: Columns, grades: tuple[str, ...] | None = None) -> CapCurve:
    """Make the curve of checked rows, whose scores may stand for grades."""
    refuse_constant(columns)
    tally = tally_rows(columns)
    perfect = tally_perfect_ranking(columns, tally)
    contrast_rankings(columns, tally, perfect)
    return CapCurve(
        tally=tally,
        perfect_tally=perfect,
        tie_slack=compute_tie_slack(columns, tally),
        descending=columns.descending,
        grades=grades,
    )
