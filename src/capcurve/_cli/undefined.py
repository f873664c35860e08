"""Errors of a result that is undefined as a whole, which gates fail for or skip."""

from typing import ClassVar

from capcurve.exceptions import CapcurveError


class UndefinedError(CapcurveError):
    """The whole result is undefined, which a gate may fail for or skip."""

    reason: ClassVar[str]


class AllEqualError(UndefinedError):
    """All outcomes are equal, so that no curve is defined."""

    reason = "all outcomes are equal"


class NoRowsError(UndefinedError):
    """No row is complete."""

    reason = "no row is complete"
