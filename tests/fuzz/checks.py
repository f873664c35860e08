"""Ask capcurve, compare with the exact answer, and write down what differs."""

from __future__ import annotations

import math
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from capcurve import CapcurveError
from fuzz.cases import Case
from fuzz.oracle import Curve, Rows

SHARE_ROUNDING = Fraction(1, 10**14)  # of population shares that are sums of floats
SUBNORMAL = Fraction(sys.float_info.min)  # below, floats lose digits


class Difference(NamedTuple):
    """One answer that is not what it must be."""

    what: str
    got: str
    expected: str


class Answer(NamedTuple):
    """What a function returned, and the kinds of warnings that it gave."""

    value: Any
    warned: frozenset[type[Warning]]


class Checker:
    """Compare the answers of one case with the exact ones.

    Attributes
    ----------
    compared
        How many numbers were compared.
    refused
        How often each rule was the reason of a refusal.
    differences
        What was wrong.
    """

    def __init__(self, case: Case) -> None:
        self.case = case
        self.tolerance = Fraction(case.tolerance)
        self.compared = 0
        self.refused: Counter[str] = Counter()
        self.differences: list[Difference] = []

    def differ(self, what: str, got: object, expected: object) -> None:
        shown = str(got)
        text = shown if len(shown) < 300 else f"{shown[:300]}..."
        self.differences.append(Difference(what, text, str(expected)))

    def ask(
        self, what: str, function: Callable[..., Any], *data: Any, **options: Any
    ) -> Answer | None:
        """Call a function; None if it refused the input, rightly or not."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                value = function(*data, **options)
            except CapcurveError as error:
                self.judge_refusal(what, error)
                return None
            except Exception as error:  # noqa: BLE001 -- a raw error is what is looked for
                self.differ(what, repr(error), "an answer or a CapcurveError")
                return None
        for warning in caught:
            if (
                warning.category.__module__ != "capcurve"
                and "look swapped" not in str(warning.message)  # amounts that 0/1 rank
            ):
                self.differ(
                    what, f"{warning.category.__name__}: {warning.message}", "quiet"
                )
        if self.case.refusal is not None:
            self.differ(what, value, f"a refusal: {self.case.refusal}")
            return None
        return Answer(value, frozenset(each.category for each in caught))

    def judge_refusal(self, what: str, error: CapcurveError) -> None:
        """Count a refusal that a rule allows, and write down any other."""
        rule = self.case.refusal or next(iter(self.case.may), None)
        if not str(error).strip():
            self.differ(what, "an empty message", "a sentence")
        elif rule is None:
            self.differ(what, f"refused: {error}", "an answer")
        else:
            self.refused[rule] += 1

    def expect_refusal(
        self, what: str, function: Callable[..., Any], *data: Any, **options: Any
    ) -> None:
        """Call a function that has no answer, such as the curve of a single class."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                value = function(*data, **options)
            except CapcurveError:
                self.refused["undefined: all outcomes are equal"] += 1
            except Exception as error:  # noqa: BLE001 -- as above
                self.differ(what, repr(error), "a CapcurveError")
            else:
                self.differ(what, value, "a CapcurveError: undefined")

    def near(
        self,
        what: str,
        got: Any,
        exact: Fraction | None,
        *,
        unit: Fraction | None = None,
    ) -> None:
        """Compare a number with the exact one; None means undefined, which is nan.

        The error may be the tolerance times ``unit``: by default 1, or the number itself
        if that is larger.
        """
        self.compared += 1
        if is_undefined(got) or math.isinf(got):
            if exact is not None or not is_undefined(got):
                self.differ(what, got, None if exact is None else as_float(exact))
            return
        if exact is None:
            self.differ(what, got, "nan")
            return
        # Enough for most, and quicker than fractions.
        if unit is None and abs(got - as_float(exact)) <= self.case.tolerance / 2:
            return
        most = self.tolerance * (max(Fraction(1), abs(exact)) if unit is None else unit)
        if abs(Fraction(got) - exact) > max(most, SUBNORMAL):
            self.differ(what, got, as_float(exact))

    def all_near(self, what: str, got: Any, exact: Sequence[Any]) -> None:
        """Compare a column of numbers."""
        listed = list(got)
        if len(listed) != len(exact):
            self.differ(what, f"{len(listed)} values: {listed}", f"{len(exact)} values")
            return
        for place, (one, other) in enumerate(zip(listed, exact, strict=True)):
            self.near(f"{what}[{place}]", one, other)

    def within(
        self, what: str, got: Any, low: Fraction | float, high: Fraction | float
    ) -> None:
        """Check that a number lies between limits, up to the tolerance."""
        self.compared += 1
        if any(map(is_undefined, (got, low, high))):
            self.differ(what, got, f"from {as_float(low)} to {as_float(high)}")
            return
        inside = as_exact(got)
        room = self.tolerance * max(1, abs(inside))
        if not as_exact(low) - room <= inside <= as_exact(high) + room:
            self.differ(what, got, f"from {as_float(low)} to {as_float(high)}")

    def same(self, what: str, got: Any, expected: Any) -> None:
        """Compare what must be equal."""
        self.compared += 1
        if got != expected:
            self.differ(what, repr(got), repr(expected))

    def warns(self, what: str, answer: Answer, kind: type[Warning], *, due: bool) -> None:
        """Check that a warning was given where it is due, and not elsewhere."""
        if (kind in answer.warned) != due:
            told = "no" if due else "a"
            self.differ(what, f"{told} {kind.__name__}", "the opposite")

    # -- What depends on where exactly a point lies, which rounding moves ------------------

    def rate_at(self, what: str, got: Any, curve: Curve, share: float) -> None:
        """Compare a captured share with the exact one there, give or take rounding."""
        moved = self.share_rounding
        at = Fraction(share)
        self.within(
            what,
            got,
            curve.rate_at(max(Fraction(0), at - moved)),
            curve.rate_at(min(Fraction(1), at + moved)),
        )

    def point_on(self, what: str, share: Any, rate: Any, curve: Curve) -> None:
        """Check that a point lies on a curve; its share is rounded even if rows count 1."""
        if is_undefined(share):
            self.differ(what, share, "a share")
            return
        at, moved = Fraction(share), Fraction(1, 10**14)
        low, high = max(Fraction(0), at - moved), min(Fraction(1), at + moved)
        self.within(what, rate, curve.rate_at(low), curve.rate_at(high))

    def share_for(self, what: str, got: Any, curve: Curve, rate: float) -> None:
        """Compare the share that captures a rate; where the curve is flat it jumps."""
        moved = Fraction(1, 10**12)
        at = Fraction(rate)
        self.within(
            what,
            got,
            curve.share_for(max(Fraction(0), at - moved)),
            curve.share_for(min(Fraction(1), at + moved)),
        )

    def score_at(
        self, what: str, got: Any, curve: Curve, share: Fraction, *, after: bool = False
    ) -> None:
        """Check the last score that is selected; at the edge of a block, either side.

        ``after`` asks for the first score behind the share instead.
        """
        self.compared += 1
        room = Fraction(1, 10**12) if self.case.is_weighted else Fraction(1, 10**15)
        places = [max(Fraction(0), share - room), share, min(Fraction(1), share + room)]
        read = curve.score_after if after else curve.score_at
        origin = math.inf if self.case.descending else -math.inf
        allowed = [origin if at is None else float(at) for at in map(read, places)]
        if is_undefined(got) or not min(allowed) <= got <= max(allowed):
            self.differ(what, got, f"one of {sorted(set(allowed))}")

    @property
    def share_rounding(self) -> Fraction:
        """How far rounding moves the points of a curve along the population."""
        exact = not self.case.is_weighted
        return Fraction(0) if exact else SHARE_ROUNDING


def as_number(value: Any) -> Any:
    """Turn a number of NumPy into one of Python, which does not warn of overflow."""
    return value.item() if hasattr(value, "item") else value


def as_exact(number: Any) -> Fraction:
    """Turn a number into a fraction; infinities into very large ones."""
    if isinstance(number, float) and math.isinf(number):
        return Fraction(10**400) * (1 if number > 0 else -1)
    return Fraction(number)


def as_float(exact: Fraction | float) -> float:
    """Round a fraction, which may be beyond the largest float."""
    try:
        return float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf


def is_undefined(value: Any) -> bool:
    """Whether a value is nan, or the null of a library."""
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return True
    return bool(value != value)  # noqa: PLR0124 -- nan


def check_points(
    checker: Checker, what: str, rows: Rows, points: tuple[Any, Any, Any]
) -> None:
    """Compare all points of a curve: the origin, and one for each distinct score."""
    shares, rates, thresholds = points
    curve = rows.curve
    checker.all_near(f"{what} population_share", shares, curve.shares)
    exact = curve.rates if curve.masses[-1] else [None] * len(curve.shares)
    checker.all_near(f"{what} capture_rate", rates, exact)
    origin = math.inf if checker.case.descending else -math.inf
    expected = [origin, *(float(score) for score in curve.scores)]
    checker.same(f"{what} thresholds", [float(each) for each in thresholds], expected)
