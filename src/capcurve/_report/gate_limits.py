"""Limits that results must keep, as a user sets them."""

from dataclasses import dataclass
from typing import Any, Literal, get_args

from capcurve._input.options import check_word, is_real, is_whole, show
from capcurve.exceptions import CapcurveError

OnUndefined = Literal["fail", "skip"]
OF_RESULTS = "`fail_below`, `fail_if_worse_than_initial` or `fail_if_challenger_better`"


@dataclass(frozen=True, kw_only=True)
class GateLimits:
    """Limits that results must keep; None asks for none.

    Attributes
    ----------
    fail_below : float or None
        Smallest AR that passes.
    fail_on_lower_bound : bool
        Whether ``fail_below`` is about the lower confidence limit of AR.
    fail_if_worse_than_initial : float or None
        Significance level of the test that AUC decreased since initial validation.
    fail_if_challenger_better : float or None
        Significance level of the test that a challenger has a higher AR.
    fail_if_left_out : float or None
        Largest share of the rows that may be left out.
    min_events : int or None
        Number of events from which on a result counts as defined.
    on_undefined : {'fail', 'skip'}
        Whether an undefined result fails or is not judged.
    """

    fail_below: float | None = None
    fail_on_lower_bound: bool = False
    fail_if_worse_than_initial: float | None = None
    fail_if_challenger_better: float | None = None
    fail_if_left_out: float | None = None
    min_events: int | None = None
    on_undefined: OnUndefined = "fail"

    def __post_init__(self) -> None:
        """Raise if a limit is out of range, or says nothing."""
        check_ratio_limit(self.fail_below)
        for name in ("fail_if_worse_than_initial", "fail_if_challenger_better"):
            check_level(getattr(self, name), name)
        check_share(self.fail_if_left_out)
        check_events(self.min_events)
        check_word(self.on_undefined, "on_undefined", get_args(OnUndefined))
        if self.fail_on_lower_bound and self.fail_below is None:
            raise CapcurveError(
                "`fail_on_lower_bound` requires `fail_below`, which was not given; add the "
                "smallest AR that passes"
            )
        if self.min_events and not self.judges_results:
            raise CapcurveError(
                "`min_events` requires a gate, got none that rests on events; add "
                f"{OF_RESULTS}"
            )
        if self.on_undefined != "fail" and not self.is_set:
            raise CapcurveError(
                f"`on_undefined` requires a gate, got none; add one, such as {OF_RESULTS}"
            )

    @property
    def judges_results(self) -> bool:
        """Whether there is a limit on a result, which rests on events."""
        levels = (self.fail_if_worse_than_initial, self.fail_if_challenger_better)
        return any(limit is not None for limit in (self.fail_below, *levels))

    @property
    def is_set(self) -> bool:
        """Whether there is a limit."""
        return self.judges_results or self.fail_if_left_out is not None


def check_ratio_limit(limit: Any) -> None:
    """Raise unless a limit is None or a value that AR can take."""
    if limit is not None and not (is_real(limit) and -1 <= limit <= 1):
        raise CapcurveError(
            f"`fail_below` must be an AR from -1 to 1, got {show(limit)}; 45 % is 0.45"
        )


def check_level(level: Any, name: str) -> None:
    """Raise unless a significance level is None or between 0 and 1."""
    if level is not None and not (is_real(level) and 0 < level < 1):
        raise CapcurveError(
            f"`{name}` must be a significance level between 0 and 1, got {show(level)}; "
            "5 % is 0.05"
        )


def check_share(share: Any) -> None:
    """Raise unless a limit is None or a share."""
    if share is not None and not (is_real(share) and 0 <= share <= 1):
        raise CapcurveError(
            f"`fail_if_left_out` must be a share from 0 to 1, got {show(share)}; 5 % is "
            "0.05"
        )


def check_events(n_events: object) -> None:
    """Raise unless a number of events is None or a positive whole number."""
    if n_events is not None and not (is_whole(n_events) and n_events >= 1):
        raise CapcurveError(
            f"`min_events` must be a positive whole number, got {show(n_events)}; 20 is "
            "usual"
        )
