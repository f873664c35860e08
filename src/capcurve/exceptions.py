"""Errors and warnings."""

import sys
import warnings

__all__ = [
    "CapcurveError",
    "DroppedRowsWarning",
    "FewEventsWarning",
    "MissingDependencyError",
    "UndefinedMetricWarning",
]


class CapcurveError(ValueError):
    """Input that capcurve refuses: the message says what to do about it."""


class MissingDependencyError(ImportError):
    """An optional library is needed for what was asked and is not installed."""

    def __init__(self, library: str, *, purpose: str, extra: str | None = None) -> None:
        package = f'"capcurve[{extra}]"' if extra else library
        super().__init__(f"{purpose} needs {library}: pip install {package}", name=library)


class DroppedRowsWarning(UserWarning):
    """Rows of a data frame were left out because a value is missing."""


class FewEventsWarning(UserWarning):
    """An interval or a test rests on so few events that it may not keep its level."""


class UndefinedMetricWarning(UserWarning):
    """A number has no defined value for this input and was returned as nan."""


def warn_caller(message: str, category: type[Warning]) -> None:
    """Warn, pointing at the line outside of the library that led here."""
    level = 2
    frame = sys._getframe(1)  # noqa: SLF001 -- what warnings itself counts by
    while frame.f_back and frame.f_globals["__name__"].startswith("capcurve."):
        frame = frame.f_back
        level += 1
    warnings.warn(message, category, stacklevel=level)
