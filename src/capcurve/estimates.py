"""What an interval or a test returns: frozen numbers that carry their method."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from math import inf
from typing import Any, Literal, Self

from capcurve._input import Label

__all__ = ["Comparison", "Estimate"]

Alternative = Literal["two-sided", "greater", "less"]

SMALL = 0.001  # p-values below are written as such


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Estimate:
    """A number with its uncertainty. Its ``repr`` is a line to paste into a memo.

    Attributes
    ----------
    value : float
        The number.
    standard_error : float
        Of the number, on its own scale.
    low, high : float
        Limits of the interval.
    confidence_level : float
        Share of intervals made this way that hold the true number, from 0 to 1.
    method : str
        What the interval was made by.
    n_events, n_nonevents : int
        Rows of each kind; of amounts, rows above 0 and rows of 0. Where there are no two
        kinds, as in an average over labels, all rows and none.
    p_value : float
        Two-sided, of a score that says nothing, by the same method as the interval.
    degrees_of_freedom : float
        Of the standard error, after Welch and Satterthwaite.
    name : str
        What was estimated.
    by_label : mapping of label to Estimate
        Where the number is an average over labels, that of each.

    See Also
    --------
    accuracy_ratio_interval : Makes one.

    Examples
    --------
    >>> from capcurve import accuracy_ratio_interval
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> estimate = accuracy_ratio_interval(loans["default"], loans["champion_pd"])
    >>> estimate.to_auc()
    AUC 0.786, 95 % interval 0.764 to 0.807 (logit-t, 453 events, 9,547 non-events)
    """

    value: float
    standard_error: float
    low: float
    high: float
    confidence_level: float
    method: str
    n_events: int
    n_nonevents: int
    p_value: float
    degrees_of_freedom: float = inf
    name: str = "AR"
    by_label: Mapping[Label, "Estimate"] = field(default_factory=dict)

    def __repr__(self) -> str:
        return (
            f"{self.name} {self.value:.3f}, {interval_text(self)} "
            f"({self.method}, {counts_text(self)})"
        )

    def to_auc(self) -> Self:
        """Return the same estimate on the scale of AUC: ``(AR + 1) / 2``.

        Returns
        -------
        Estimate
            Of AUC, or of gAUC where the number is Somers' D.
        """
        return replace(
            self,
            value=(self.value + 1) / 2,
            standard_error=self.standard_error / 2,
            low=(self.low + 1) / 2,
            high=(self.high + 1) / 2,
            name={"AR": "AUC", "Somers' D": "gAUC"}.get(self.name, f"AUC of {self.name}"),
            by_label={label: part.to_auc() for label, part in self.by_label.items()},
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python, ready for JSON.

        Returns
        -------
        dict
        """
        return asdict(self)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Comparison:
    """A difference of two numbers with its test. Its ``repr`` is a line for a memo.

    Attributes
    ----------
    value : float
        The first less the second number.
    standard_error : float
        Of the difference.
    low, high : float
        Limits of the interval of the difference; one-sided where the test is.
    confidence_level : float
        Of the interval.
    method : str
        What the variance and the reference distribution were made by.
    n_events, n_nonevents : int
        Rows of each kind, of the smaller sample if there are two.
    p_value : float
        Of the hypothesis that the difference is no better than ``margin`` allows. nan
        where the variance is 0 and the difference is not.
    statistic : float
        The difference from that hypothesis in standard errors.
    degrees_of_freedom : float
        Of Student's t; infinite for the normal.
    alternative : {'two-sided', 'greater', 'less'}
        What a small p-value speaks for.
    margin : float
        How much worse than the second the first may be.
    first, second : float
        The numbers compared.
    name : str
        What they are.

    See Also
    --------
    accuracy_ratio_test : Makes one.

    Examples
    --------
    >>> from capcurve import accuracy_ratio_test
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> accuracy_ratio_test(loans["default"], loans["challenger_pd"], loans["champion_pd"])
    AR difference 0.020 (0.593 - 0.573), 95 % interval -0.012 to 0.052, p = 0.223
    (two-sided, delong, 453 events, 9,547 non-events)
    """

    value: float
    standard_error: float
    low: float
    high: float
    confidence_level: float
    method: str
    n_events: int
    n_nonevents: int
    p_value: float
    statistic: float
    degrees_of_freedom: float
    alternative: Alternative
    margin: float
    first: float
    second: float
    name: str = "AR"

    def __repr__(self) -> str:
        margin = f", margin {self.margin:g}" if self.margin else ""
        return (
            f"{self.name} difference {self.value:.3f} "
            f"({self.first:.3f} - {self.second:.3f}), {interval_text(self)}, "
            f"{p_text(self.p_value)} "
            f"({self.alternative}{margin}, {self.method}, {counts_text(self)})"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python, ready for JSON.

        Returns
        -------
        dict
        """
        return asdict(self)


def interval_text(result: Estimate | Comparison) -> str:
    """Write out an interval."""
    level = f"{100 * result.confidence_level:.4g} %"
    if isinstance(result, Comparison) and result.alternative == "greater":
        return f"{level} lower limit {result.low:.3f}"
    if isinstance(result, Comparison) and result.alternative == "less":
        return f"{level} upper limit {result.high:.3f}"
    return f"{level} interval {result.low:.3f} to {result.high:.3f}"


def counts_text(result: Estimate | Comparison) -> str:
    """Write out the counts."""
    if not result.n_nonevents:
        return f"{result.n_events:,} rows"
    return f"{result.n_events:,} events, {result.n_nonevents:,} non-events"


def p_text(p_value: float) -> str:
    """Write out a p-value."""
    return f"p < {SMALL}" if p_value < SMALL else f"p = {p_value:.3f}"
