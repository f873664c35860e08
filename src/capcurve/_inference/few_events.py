"""Warnings of results that stand on few events, and of undefined ones."""

from capcurve.exceptions import FewEventsWarning, UndefinedMetricWarning, warn_caller


def warn_few_events(where: str) -> None:
    """Warn that intervals may miss their level."""
    warn_caller(
        "the interval is based on fewer than 5 wrongly ranked events (of amounts, fewer "
        "than 20 rows above 0 or effective pairs), so its coverage may fall below the "
        f"confidence level: {where}",
        FewEventsWarning,
    )


def warn_undefined(what: str, where: str) -> None:
    """Warn that a result is nan."""
    warn_caller(
        f"{what} is undefined and set to nan, as all outcomes are equal: {where}",
        UndefinedMetricWarning,
    )


def warn_no_variance(what: str, where: str) -> None:
    """Warn that an interval, or a test, is nan because its variance is unknown."""
    warn_caller(
        f"{what} is undefined and set to nan, as rows, or clusters of rows, are too few to "
        f"show the variance: {where}",
        UndefinedMetricWarning,
    )
