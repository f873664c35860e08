"""Errors and warnings."""

__all__ = ["CapcurveError", "MissingDependencyError", "UndefinedMetricWarning"]


class CapcurveError(ValueError):
    """Input that capcurve refuses: the message says what to do about it."""


class MissingDependencyError(ImportError):
    """An optional library is needed for what was asked and is not installed."""

    def __init__(self, library: str, *, extra: str, purpose: str) -> None:
        super().__init__(
            f'{purpose} needs {library}: pip install "capcurve[{extra}]"', name=library
        )


class UndefinedMetricWarning(UserWarning):
    """A number has no defined value for this input and was returned as nan."""
