"""Warnings of results that stand on few events, and of undefined ones."""

from capcurve.exceptions import FewEventsWarning, UndefinedMetricWarning, warn_caller


def warn_few_events(where: str) -> None:
    """Warn that intervals may miss their level."""
    warn_caller(
        "the interval is based on so few events or non-events that their number times the "
        "smaller of AUC and 1 - AUC is below 5 (or on fewer than 20 amounts), so its "
        "coverage may fall below the confidence level (88.6 % was simulated for 95 %): "
        f"{where}",
        FewEventsWarning,
    )


def warn_undefined(what: str, where: str) -> None:
    """Warn that a result is nan."""
    warn_caller(
        f"{what} is undefined and set to nan, as all outcomes are equal: {where}",
        UndefinedMetricWarning,
    )
