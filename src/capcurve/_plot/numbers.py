"""Numbers as text on pictures."""


def format_count(value: float) -> str:
    """Format a count or an amount, without decimals from 1,000 on."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"  # noqa: PLR2004 -- as the first line says


def format_ratio(value: float) -> str:
    """Format a ratio with three digits, or the whole part of a larger one."""
    return f"{value:,.0f}" if value >= 999.5 else f"{value:.3g}"  # noqa: PLR2004 -- rounds to 1,000


def format_number(value: float) -> str:
    """Format a score or a ratio with four digits, and whole numbers with all of theirs."""
    return f"{value:,.0f}" if value.is_integer() else f"{value:.4g}"
