"""Write the number that a gate judges so that it shows its side of the limit."""

from capcurve._report.page_format import DECIMALS, write_p_value

MOST_DECIMALS = 15
SMALLEST = 10**-DECIMALS  # smaller p-values are written as below it


def write_beside(value: float, limit: float) -> str:
    """Write a number with the usual decimals, or with as many as the limit asks for."""
    for digits in range(DECIMALS, MOST_DECIMALS):
        shown = f"{value:z.{digits}f}"
        if (float(shown) >= limit) == (value >= limit):
            return shown
    return repr(value)


def write_p_beside(p_value: float, limit: float) -> str:
    """Write a p-value as the tables do, unless the limit is as small."""
    if p_value >= SMALLEST:
        return write_beside(p_value, limit)
    return write_p_value(p_value) if limit >= SMALLEST else f"{p_value:.2g}"
