"""Numbers of text files that are written with a percent sign, and divided by 100."""

from typing import NamedTuple


class Percents(NamedTuple):
    """How many values of a column have a percent sign, of how many.

    Examples
    --------
    >>> Percents(12, 400).describe()
    '12 of 400 values have a percent sign and are divided by 100: 20% is 0.2, 20 is 20'
    >>> Percents(400, 400).describe()
    'all 400 values have a percent sign and are divided by 100: 20% is 0.2'
    """

    n: int
    n_values: int

    @property
    def are_mixed(self) -> bool:
        """Whether other values have no percent sign."""
        return self.n < self.n_values

    def describe(self) -> str:
        """Say which values are divided by 100."""
        some = f"{self.n:,} of" if self.are_mixed else "all"
        others = ", 20 is 20" * self.are_mixed
        return (
            f"{some} {self.n_values:,} values have a percent sign and are divided by 100: "
            f"20% is 0.2{others}"
        )
