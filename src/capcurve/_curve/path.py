"""Path of a CAP curve and of the perfect curve."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from capcurve._curve.profile import Profile, accumulate_share, list_thresholds
from capcurve._input.column import name_type
from capcurve._input.score import name_grades
from capcurve._tally.dtypes import Array, FloatArray
from capcurve._tally.locked import Locked, lock
from capcurve._tally.tally import Tally
from capcurve.exceptions import CapcurveError


@dataclass(frozen=True, eq=False)
class CurvePath(Locked):
    """Path and totals of a CAP curve and of the perfect curve.

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
            kinds = " and ".join(name_type(tally) for tally in tallies)
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
