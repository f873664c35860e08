"""Write bounds so that they stay bounds: rounded away from what they enclose."""

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

DIGITS = 2  # of a small number


def write_above(value: float) -> str:
    """Write a number with two digits, rounded up."""
    return f"{keep_digits(value, ROUND_CEILING):.1e}"


def keep_digits(value: float, direction: str) -> float:
    """Round a number to two digits in a direction."""
    context = Context(prec=DIGITS, rounding=direction)
    return float(context.create_decimal(repr(float(value))))


def round_up(value: float, places: int = 4) -> str:
    """Write a number with some decimal places, rounded up."""
    return round_to(value, places, ROUND_CEILING)


def round_down(value: float, places: int = 4) -> str:
    """Write a number with some decimal places, rounded down."""
    return round_to(value, places, ROUND_FLOOR)


def round_to(value: float, places: int, direction: str) -> str:
    """Write a number with some decimal places, rounded in a direction."""
    step = Decimal(1).scaleb(-places)
    return str(Decimal(repr(float(value))).quantize(step, direction))
