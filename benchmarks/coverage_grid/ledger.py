"""Counts of one simulation: how often each interval covers and each test rejects."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import isnan, nan
from typing import Any

from capcurve import FewEventsWarning

LEVEL = 0.05  # of all tests


@dataclass
class Line:
    """Counts of one cell: of one result, in one design."""

    goal: str
    replications: int = 0
    hits: int = 0  # the interval covers, or the test rejects
    flagged: int = 0  # the result came with a warning
    undefined: int = 0  # nan; never a hit
    too_high: int = 0  # the interval lies above the true value
    widths: float = 0.0
    promised: float = 0.0  # sum of what a prediction says


@dataclass
class Ledger:
    """The lines of a simulation, and the warnings that came since the last entry."""

    caught: list[warnings.WarningMessage] = field(default_factory=list)
    lines: dict[str, Line] = field(default_factory=dict)

    @property
    def is_warned(self) -> bool:
        """Whether a warning came since the last entry."""
        return bool(self.caught)

    def enter(
        self,
        line: str,
        goal: str,
        *,
        hit: bool,
        undefined: bool = False,
        warned: bool | None = None,
    ) -> Line:
        """Count one result, with the warning that it came with.

        Where several entries come from one result, all of them have its warning.
        """
        entry = self.lines.setdefault(line, Line(goal))
        entry.replications += 1
        entry.hits += bool(hit)
        entry.undefined += undefined
        entry.flagged += self.is_warned if warned is None else warned
        self.forget()
        return entry

    def forget(self) -> None:
        """Leave out the warnings of what a test is made from."""
        self.caught.clear()

    def cover(
        self,
        line: str,
        result: Any,
        truth: float,
        goal: str = "95 % interval",
        *,
        warned: bool | None = None,
    ) -> None:
        """Count whether an interval covers the true value."""
        low, high = result.low, result.high
        slack = 1e-9  # of quadrature, where a limit is the end of the scale
        entry = self.enter(
            line,
            goal,
            hit=low - slack <= truth <= high + slack,
            undefined=isnan(low + high),
            warned=warned,
        )
        entry.too_high += low - slack > truth
        entry.widths += 0.0 if isnan(high - low) else high - low

    def reject(
        self,
        line: str,
        p_value: float,
        goal: str = "5 % test",
        *,
        warned: bool | None = None,
    ) -> None:
        """Count whether a test rejects at 5 %."""
        undefined = isnan(p_value)
        self.enter(line, goal, hit=p_value < LEVEL, undefined=undefined, warned=warned)

    def predict(self, line: str, promised: float, *, hit: bool, warned: bool) -> None:
        """Count whether what was predicted with a probability happens."""
        entry = self.enter(line, "power", hit=hit, warned=warned)
        entry.promised += promised


@contextmanager
def open_ledger() -> Iterator[Ledger]:
    """Open a ledger that sees every warning about few events, and no other warning."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", FewEventsWarning)
        yield Ledger(caught)


@dataclass(frozen=True)
class Goal:
    """What is promised, and the limits within which the promise is kept, in percent."""

    nominal: float
    low: float
    high: float
    is_asserted: bool = True


# An interval may miss, and a test reject, 1.3 times as often as is promised.
GOALS = {
    "95 % interval": Goal(95, 93.5, 100),
    "90 % interval": Goal(90, 87, 100),
    "99 % interval": Goal(99, 98.7, 100),
    "5 % test": Goal(5, 3, 6.5),
    # Few values of a count are possible, so no exact test comes near 5 % from below.
    "5 % exact test": Goal(5, 0, 6.5),
    "power": Goal(nan, -3, 3),  # points beside what was predicted
    "other interval": Goal(95, 0, 100, is_asserted=False),
    "other test": Goal(5, 0, 100, is_asserted=False),
}
