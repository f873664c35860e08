"""Say what a report found, in sentences made from its facts by fixed rules."""

from capcurve._report.options import Facts


def list_findings(_facts: Facts) -> list[Facts]:
    """List the findings of a report, the most important first."""
    return []
