"""A linear trend of the accuracy ratio over ordered periods."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from capcurve._inference.angles import Line
from capcurve._inference.wording import format_interval, format_p_value, format_periods
from capcurve._public import public


@public
@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Trend:
    """A linear trend of the accuracy ratio over ordered periods, read-only.

    Attributes
    ----------
    change : float
        Mean change of AR per period, between the fitted ARs of the first and the last one.
    low, high : float
        Confidence limits of the change.
    confidence_level : float
        Nominal coverage of the interval, strictly between 0 and 1.
    first, last : float
        Fitted AR of the first and of the last period.
    n_periods : int
        Number of periods that the line was fitted to.
    n_spanned : int
        Number of periods from the first of these to the last, with those between that are
        left out: ``change`` is the difference of ``last`` and ``first`` over one less.
    statistic : float
        Slope in standard errors.
    degrees_of_freedom : float
        Degrees of freedom of Student's t.
    p_value : float
        Two-sided p-value of the hypothesis that there is no trend.

    See Also
    --------
    accuracy_ratio_test_segments : Makes it, with ``ordered=True``.

    Examples
    --------
    >>> from capcurve import accuracy_ratio_test_segments
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> data = loans["default"], loans["champion_pd"], loans["year"]
    >>> accuracy_ratio_test_segments(*data, ordered=True).trend
    AR change 0.004 per period (0.567 to 0.578 in 4 periods), 95 % interval -0.037 to
    0.044, p = 0.856
    """

    change: float
    low: float
    high: float
    confidence_level: float
    first: float
    last: float
    n_periods: int
    n_spanned: int
    statistic: float
    degrees_of_freedom: float
    p_value: float

    def __repr__(self) -> str:
        return (
            f"AR change {self.change:z.3f} per period ({self.first:.3f} to "
            f"{self.last:.3f} in {format_periods(self)}), {format_interval(self)}, "
            f"{format_p_value(self.p_value, self.confidence_level)}"
        )

    def _repr_html_(self) -> str:
        from capcurve._inference.notebook_samples import view_trend

        return view_trend(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes as a dictionary of plain Python values.

        Returns
        -------
        dict
            One entry per attribute. Infinite and nan values stay floats.

        Examples
        --------
        >>> from capcurve import accuracy_ratio_test_segments
        >>> from capcurve.datasets import make_portfolio
        >>> loans = make_portfolio()
        >>> data = loans["default"], loans["champion_pd"], loans["year"]
        >>> found = accuracy_ratio_test_segments(*data, ordered=True)
        >>> found.trend.to_dict()["n_periods"]
        4
        """
        return asdict(self)


def describe_trend(line: Line, n_periods: int, level: float) -> Trend:
    """Translate a line through angles into changes of the accuracy ratio."""
    low, high = line.find_slopes(level)
    return Trend(
        change=line.fit_change(line.slope),
        low=line.fit_change(low),
        high=line.fit_change(high),
        confidence_level=level,
        first=line.fit_ratio(line.first, line.slope),
        last=line.fit_ratio(line.last, line.slope),
        n_periods=n_periods,
        n_spanned=line.last - line.first + 1,
        statistic=line.statistic,
        degrees_of_freedom=line.degrees_of_freedom,
        p_value=line.p_value,
    )
