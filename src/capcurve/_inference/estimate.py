"""Results of intervals and tests: read-only numbers with the method they come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property, partial
from math import inf, nan
from typing import Any, Self

from capcurve._inference.limits import Limits, nan_limits
from capcurve._inference.options import (
    Alternative,
    IntervalOptions,
)
from capcurve._inference.wording import (
    AR_OF_AMOUNTS,
    GENERALISED_AUC,
    SOMERS_D,
    format_averaged,
    format_counts,
    format_interval,
    format_p_value,
    format_sizes_of_test,
    format_value,
)
from capcurve._input.columns import Columns
from capcurve._input.dtypes import Label
from capcurve._public import public
from capcurve.exceptions import (
    CapcurveError,
)

NAMES_AS_AUC = {"AR": "AUC", SOMERS_D: GENERALISED_AUC}


@public
@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Estimate:
    """An estimated statistic with its standard error and confidence interval, read-only.

    Its ``repr`` is one line that can be pasted into a memo.

    Attributes
    ----------
    value : float
        Estimate of the statistic; nan if it is undefined.
    standard_error : float
        Standard error of ``value``, on the same scale.
    low, high : float
        Confidence limits, on the same scale.
    confidence_level : float
        Nominal coverage of the interval, strictly between 0 and 1.
    method : str
        Method of the interval, such as 'beta'. It is 'exact' where the method asked for
        found no variance in the sample, or a class has a single row, and 'approximate
        bound' where that bound rests on effective sizes; see `accuracy_ratio_interval`.
    n_events, n_nonevents : int
        Number of events and non-events; of amounts, of rows above 0 and rows of 0. For
        Somers' D and averages over class labels, the number of all rows and 0.
    p_value : float
        Two-sided p-value of the hypothesis that the score is uninformative, by the same
        method as the interval; nan where that method has no test. Computed when asked for.
    degrees_of_freedom : float
        Degrees of freedom of the standard error, used by 'beta', 'logit-t' and the tests
        of two estimates. Of KS, capture rates, lift and response rates inf means that they
        are not kept: their limits may use Student's t with finite ones all the same, which
        the page "How intervals and tests are computed" gives.
    n_effective : float
        Size of the smaller class in independent units: rows or, with unequal weights or
        clusters, the effective number ``sum(w)**2 / sum(w**2)``. Of Somers' D and the AR
        of amounts the number of pairs of equal rows, ``sum(b)**2 / sum(b**2) / 2``, with
        ``b`` the mass of the pairs of a row; of other statistics of amounts that of rows
        above 0, with ``w`` the weight times the amount. Below 20, warnings tell.
    n_trials : float
        Number of independent trials for which a share has this standard error, by which
        two estimates are compared; nan for all but AR, Somers' D and their averages.
    name : str
        Name of the statistic, such as 'AR'.
    scale : tuple of float
        Lowest and highest value that the statistic can take.
    by_label : mapping of class label to Estimate
        For an average over class labels, the estimate of each label; otherwise empty.
    large_ranked_low : bool
        Of the AR of amounts, whether large amounts rank so low among those above 0 that the
        interval may not hold with as few pairs of rows, which warnings tell; see the page
        "How intervals and tests are computed".

    See Also
    --------
    accuracy_ratio_interval : Estimates the accuracy ratio.
    ks_interval : Estimates KS.
    capture_rate_interval : Estimates a capture rate.
    lift_interval : Estimates cumulative lift.
    somers_d_interval : Estimates Somers' D.

    Examples
    --------
    >>> from capcurve import accuracy_ratio_interval
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> estimate = accuracy_ratio_interval(loans["default"], loans["champion_pd"])
    >>> estimate.to_auc()
    AUC 0.786, 95 % interval 0.764 to 0.807 (beta, 453 events, 9,547 non-events)
    """

    value: float
    standard_error: float
    low: float
    high: float
    confidence_level: float
    method: str
    n_events: int
    n_nonevents: int
    test: Callable[[], float] = field(repr=False)
    degrees_of_freedom: float = inf
    n_effective: float = inf
    n_trials: float = nan
    name: str = "AR"
    scale: tuple[float, float] = (-1.0, 1.0)
    by_label: Mapping[Label, Estimate] = field(default_factory=dict)
    large_ranked_low: bool = False

    def __repr__(self) -> str:
        basis = self.method, format_counts(self), format_averaged(self)
        return (
            f"{self.name} {format_value(self.value)}, {format_interval(self)} "
            f"({', '.join(filter(None, basis))})"
        )

    def _repr_html_(self) -> str:
        from capcurve._inference.notebook import view_estimate

        return view_estimate(self)

    @cached_property
    def p_value(self) -> float:
        """Two-sided p-value of the hypothesis that the score is uninformative."""
        return self.test()

    def to_auc(self) -> Self:
        """Return the same estimate on the scale of AUC: ``(AR + 1) / 2``.

        Returns
        -------
        Estimate
            AUC for an AR, gAUC for Somers' D, with limits and standard error converted.

        Raises
        ------
        CapcurveError
            It is the AR of amounts, a Gini index that is no AUC, or not on the scale from
            -1 to 1, such as an AUC.

        Examples
        --------
        >>> from capcurve import somers_d_from_table
        >>> somers_d_from_table([[80, 30, 10], [30, 60, 40], [10, 20, 70]]).to_auc()
        gAUC 0.761, 95 % interval 0.721 to 0.797 (beta, 350 rows)
        """
        if self.name.endswith(AR_OF_AMOUNTS):
            raise CapcurveError(
                "an AUC requires 0/1 events, got the AR of amounts, which is a Gini index; "
                "pass `somers_d_interval` of the same data, whose gAUC takes its place"
            )
        if self.scale != (-1.0, 1.0):
            raise CapcurveError(
                f"an AUC follows from AR or Somers' D, got {self.name}, whose scale is "
                "another; pass the estimate of AR or Somers' D as it is"
            )
        return replace(
            self,
            value=(self.value + 1) / 2,
            standard_error=self.standard_error / 2,
            low=(self.low + 1) / 2,
            high=(self.high + 1) / 2,
            scale=(0.0, 1.0),
            name=NAMES_AS_AUC.get(self.name, f"AUC of {self.name}"),
            by_label={label: part.to_auc() for label, part in self.by_label.items()},
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes as a dictionary of plain Python values.

        Returns
        -------
        dict
            One entry per attribute, ``by_label`` with a dictionary per class label.
            Infinite and nan values stay floats.

        Examples
        --------
        >>> from capcurve import somers_d_from_table
        >>> estimate = somers_d_from_table([[80, 30, 10], [30, 60, 40], [10, 20, 70]])
        >>> estimate.to_dict()["name"], estimate.to_dict()["method"]
        ("Somers' D", 'beta')
        """
        attributes = {each.name: getattr(self, each.name) for each in fields(self)}
        del attributes["test"]
        by_label = {label: part.to_dict() for label, part in self.by_label.items()}
        return attributes | {"p_value": self.p_value, "by_label": by_label}


@public
@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Comparison:
    """A difference of two statistics with its interval and test, read-only.

    Its ``repr`` is one line that can be pasted into a memo.

    Attributes
    ----------
    value : float
        Difference: ``first - second``.
    standard_error : float
        Standard error of the difference, on the same scale.
    low, high : float
        Confidence limits of the difference. In a one-sided test one of them is the end of
        the scale: -2 or 2, or -1 or 1 for AUC. Of a test of equivalence they are the two
        one-sided limits, of a 90 % interval at a ``confidence_level`` of 0.95.
    confidence_level : float
        Nominal coverage of the interval, strictly between 0 and 1.
    method : str
        Method of the test, such as 'score', 'two samples' or 'ECB'.
    n_events, n_nonevents : int
        Number of events and non-events, or of amounts those of `Estimate`; of two samples,
        in the one with fewer events, or in the current one if the other is known only by
        its variance.
    p_value : float
        p-value of the null hypothesis that the difference is 0 or, in a one-sided test, not
        better than ``margin`` allows; in a test of equivalence, at least ``margin``. nan
        where the test is undefined, as with a single event.
    statistic : float
        Distance of the difference from that hypothesis, in standard errors under it.
    degrees_of_freedom : float
        Degrees of freedom of Student's t; infinite for the normal distribution.
    alternative : {'two-sided', 'greater', 'less', 'equivalent'}
        Alternative hypothesis that a small p-value supports.
    margin : float
        Margin of non-inferiority or of equivalence, 0 or more.
    first, second : float
        The two statistics.
    name : str
        Name of the statistics, such as 'AR' or 'AR of amounts'.
    n_effective : float
        Size of the smaller class in independent units, in the smaller sample; of amounts
        and Somers' D the number of pairs of equal rows, as in `Estimate`.
    n_errors : float
        Wrongly ranked events to be expected: that size (of amounts and Somers' D half of
        it) times the smaller of AUC and ``1 - AUC``. Not an observed number. Below 5, or
        with fewer than 20 events, warnings tell that the test may not keep its level.

    See Also
    --------
    accuracy_ratio_test : Compares two scores of the same rows.
    accuracy_ratio_test_independent : Compares estimates of two samples.
    accuracy_ratio_test_initial : Compares with the AUC at initial validation.

    Examples
    --------
    >>> from capcurve import accuracy_ratio_test
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> accuracy_ratio_test(loans["default"], loans["challenger_pd"], loans["champion_pd"])
    AR difference 0.020 (0.593 - 0.573), 95 % interval -0.012 to 0.053, p = 0.224
    (two-sided, score, 453 events, 9,547 non-events)
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
    n_effective: float = inf
    n_errors: float = inf

    def __repr__(self) -> str:
        margin = f", margin {self.margin:g}" if self.margin else ""
        return (
            f"{self.name} difference {format_value(self.value)} "
            f"({format_value(self.first)} - {format_value(self.second)}), "
            f"{format_interval(self)}, "
            f"{format_p_value(self.p_value, self.confidence_level)} "
            f"({self.alternative}{margin}, {self.method}, {format_sizes_of_test(self)})"
        )

    def _repr_html_(self) -> str:
        from capcurve._inference.notebook import view_comparison

        return view_comparison(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes as a dictionary of plain Python values.

        Returns
        -------
        dict
            One entry per attribute. Infinite and nan values stay floats.

        Examples
        --------
        >>> from capcurve import accuracy_ratio_test
        >>> from capcurve.datasets import make_portfolio
        >>> loans = make_portfolio()
        >>> scores = loans["challenger_pd"], loans["champion_pd"]
        >>> accuracy_ratio_test(loans["default"], *scores).to_dict()["method"]
        'score'
        """
        return asdict(self)


def make_estimate(  # noqa: PLR0913 -- numbers by keyword
    class_counts: tuple[int, int],
    options: IntervalOptions,
    limits: Limits,
    *,
    value: float,
    standard_error: float,
    name: str,
    degrees_of_freedom: float = inf,
    n_effective: float | None = None,
    n_trials: float = nan,
    scale: tuple[float, float] = (-1.0, 1.0),
) -> Estimate:
    """Make an estimate from its value, limits and class counts.

    The confidence level and the method are those of the options. The effective size is that
    of the smaller class unless it is given.
    """
    n_events, n_nonevents = class_counts
    test = limits.p_value
    return Estimate(
        value=value,
        standard_error=standard_error,
        low=limits.low,
        high=limits.high,
        test=test if callable(test) else partial(float, test),
        confidence_level=options.confidence_level,
        method=options.method,
        n_events=n_events,
        n_nonevents=n_nonevents,
        degrees_of_freedom=degrees_of_freedom,
        n_effective=min(class_counts) if n_effective is None else n_effective,
        n_trials=n_trials,
        name=name,
        scale=scale,
    )


def make_undefined_estimate(
    columns: Columns, options: IntervalOptions, name: str
) -> Estimate:
    """Make the estimate of nan for outcomes that are all equal."""
    limits = nan_limits()
    counts = columns.class_counts
    return make_estimate(counts, options, limits, value=nan, standard_error=nan, name=name)
