"""Choose one number format for all numbers of a column of a workbook."""

from collections.abc import Sequence
from math import floor, log10
from typing import Any, Literal, NamedTuple

import numpy as np

from capcurve._curve.gains_layout import find_decimals, find_decimals_of_scores
from capcurve._report.count_decimals import find_decimals_of_counts
from capcurve._tally.dtypes import FloatArray

Kind = Literal[
    "text",  # names, and short notes
    "prose",  # sentences
    "ratio",  # AR, AUC and KS, and their limits
    "difference",  # of two ratios, with its sign
    "error",  # standard errors
    "variance",
    "statistic",
    "p_value",
    "lift",
    "share",
    "rate",  # of events
    "count",  # rows, events and weights
    "rank",  # whole numbers that are not counted
    "score",
    "amount",
]
TEXTS = ("text", "prose")
FEWEST_DECIMALS = {"share": 1, "rate": 2}  # of percentages
DIGITS_OF_SHARES = 2  # significant digits of the smallest share
MOST_DECIMALS_OF_SHARES = 4
MOST_DECIMALS = 6


class NumberFormat(NamedTuple):
    """A number format, as a spreadsheet and as Python write it.

    Attributes
    ----------
    code : str
        Format code of the workbook.
    spec : str
        Format specification that gives a text of the same length.
    """

    code: str
    spec: str

    def show(self, value: float) -> str:
        """Return the number about as the spreadsheet shows it."""
        return format(value, self.spec)


FIXED = {
    "ratio": NumberFormat("0.000", ".3f"),
    "difference": NumberFormat("+0.000;-0.000;0.000", "+.3f"),
    "error": NumberFormat("0.0000", ".4f"),
    "variance": NumberFormat("0.00E+00", ".2e"),
    "statistic": NumberFormat("0.00", ".2f"),
    "p_value": NumberFormat('[<0.0001]"< 0.0001";0.0000', ">8.4f"),
    "lift": NumberFormat("0.00", ".2f"),
    "rank": NumberFormat("0", ".0f"),
}
SCIENTIFIC = NumberFormat("0.000E+00", ".3e")


def choose_format(kind: Kind, values: Sequence[Any]) -> NumberFormat:
    """Choose the number format of a column: one for all its numbers."""
    if kind in FIXED:
        return FIXED[kind]
    numbers = np.array([each for each in values if isinstance(each, int | float)], float)
    if kind in FEWEST_DECIMALS:
        decimals = find_decimals_of_shares(numbers, FEWEST_DECIMALS[kind])
        return NumberFormat(f"0.{'0' * decimals}%", f".{decimals}%")
    if kind == "score":
        return write_decimals(find_decimals_of_scores(numbers))
    if kind == "amount":
        return write_decimals(find_decimals_of_amounts(numbers))
    return write_decimals(find_decimals_of_counts(values))


def write_decimals(decimals: int | None) -> NumberFormat:
    """Return the format with so many decimals; None asks for powers of ten."""
    if decimals is None:
        return SCIENTIFIC
    point = "." if decimals else ""
    return NumberFormat(f"#,##0{point}{'0' * decimals}", f",.{decimals}f")


def find_decimals_of_shares(shares: FloatArray, fewest: int) -> int:
    """Find the decimals of percentages that show two digits of the smallest share."""
    positive = shares[shares > 0]
    if len(positive) == 0:
        return fewest
    # A percentage has two decimals less than its share.
    decimals = DIGITS_OF_SHARES - 3 - floor(log10(positive.min()))
    return min(max(decimals, fewest), MOST_DECIMALS_OF_SHARES)


def find_decimals_of_amounts(amounts: FloatArray) -> int | None:
    """Find the decimals that show three digits of most amounts."""
    size = np.abs(amounts[amounts != 0])
    if len(size) == 0:
        return 0
    decimals = 2 - floor(log10(float(np.median(size))))
    if decimals > MOST_DECIMALS:
        return None
    return find_decimals(amounts, max(decimals, 0))
