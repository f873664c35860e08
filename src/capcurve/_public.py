"""Marking of public names, so that tracebacks, pickles and help show `capcurve` only."""

from typing import Any, TypeVar

Named = TypeVar("Named", bound=Any)


def public(value: Named) -> Named:
    """Set the module of a class or function to ``capcurve``, and return it."""
    value.__module__ = "capcurve"
    return value
