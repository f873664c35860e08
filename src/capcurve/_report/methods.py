"""Say which methods a report used, each with its formula and its source."""

from collections.abc import Sequence

from capcurve._report.options import Facts


def list_methods(_facts: Facts) -> list[Facts]:
    """List the methods that made the numbers of a report."""
    return []


def list_references(_methods: Sequence[Facts]) -> list[str]:
    """List the sources of methods, each once."""
    return []
