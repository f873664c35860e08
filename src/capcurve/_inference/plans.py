"""Results of planning: what a sample of a given size can show."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import isnan, nan
from typing import Any

from capcurve._inference.options import Alternative
from capcurve._inference.wording import (
    format_model,
    format_need,
    format_sizes,
    format_test,
    is_of_amounts,
)
from capcurve._public import public


@public
@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class IntervalPlan:
    """The interval of an accuracy ratio that a sample size leads one to expect, read-only.

    Its ``repr`` is one line that can be pasted into a memo.

    Attributes
    ----------
    accuracy_ratio : float
        The accuracy ratio that is assumed.
    half_width : float
        Half of the expected width of the interval.
    low, high : float
        Its expected limits.
    n_events, n_nonevents : int
        Numbers of events and non-events.
    event_rate : float
        The event rate that is assumed.
    confidence_level : float
        Confidence level of the interval.
    spread : float or None
        Standard deviation of the events' scores over that of the non-events'. None: the
        largest variance that any distribution allows.

    See Also
    --------
    plan_interval : Makes it.

    Examples
    --------
    >>> from capcurve import plan_interval
    >>> plan = plan_interval(0.6, event_rate=0.02, n_events=100)
    >>> round(plan.half_width, 3), plan.n_nonevents
    (0.088, 4900)
    """

    accuracy_ratio: float
    half_width: float
    low: float
    high: float
    n_events: int
    n_nonevents: int
    event_rate: float
    confidence_level: float
    spread: float | None

    def __repr__(self) -> str:
        model = "largest variance" if self.spread is None else format_model(self.spread)
        sizes = format_sizes(self.n_events, self.n_nonevents)
        return (
            f"AR {self.accuracy_ratio:.3f}, expected {100 * self.confidence_level:.4g} % "
            f"interval {self.low:.3f} to {self.high:.3f}, half-width "
            f"{self.half_width:.3f}, with {sizes} ({model})"
        )

    def _repr_html_(self) -> str:
        from capcurve._inference.notebook_plans import view_interval_plan

        return view_interval_plan(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes as a dictionary of plain Python values.

        Returns
        -------
        dict
            One entry per attribute.

        Examples
        --------
        >>> from capcurve import plan_interval
        >>> plan_interval(0.6, event_rate=0.02, half_width=0.05).to_dict()["n_events"]
        301
        """
        return asdict(self)


@public
@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class PowerPlan:
    """The power of a test of two accuracy ratios at given sample sizes, read-only.

    Its ``repr`` is one line that can be pasted into a memo.

    Attributes
    ----------
    first, second : float
        The true accuracy ratios that are assumed.
    difference : float
        ``first - second``.
    power : float
        Probability that the test rejects.
    n_events, n_nonevents : int
        Numbers of events and non-events, in the first of two samples.
    n_events_second, n_nonevents_second : int
        Those of the second of two independent samples; 0 if both scores rank the same rows.
    event_rate : float
        The event rate that is assumed.
    correlation : float or None
        Correlation of the scores within events and within non-events; None for independent
        samples.
    alternative : {'two-sided', 'greater', 'less'}
        Alternative hypothesis.
    margin : float
        Non-inferiority margin, 0 or more.
    confidence_level : float
        1 less the level of the test.
    spread : float
        Standard deviation of the events' scores over that of the non-events'.

    See Also
    --------
    plan_test : Makes it.

    Examples
    --------
    >>> from capcurve import plan_test
    >>> plan = plan_test(0.60, 0.55, event_rate=0.02, correlation=0.8, n_events=300)
    >>> round(plan.power, 3)
    0.801
    """

    first: float
    second: float
    difference: float
    power: float
    n_events: int
    n_nonevents: int
    n_events_second: int
    n_nonevents_second: int
    event_rate: float
    correlation: float | None
    alternative: Alternative
    margin: float
    confidence_level: float
    spread: float

    def __repr__(self) -> str:
        sizes = format_sizes(self.n_events, self.n_nonevents)
        if self.correlation is not None:
            design = f"correlation {self.correlation:g}"
        else:
            design = "independent samples"
            other = format_sizes(self.n_events_second, self.n_nonevents_second)
            sizes += f" and {other}" if other != sizes else " in each sample"
        return (
            f"AR difference {self.difference:.3f} ({self.first:.3f} - {self.second:.3f}), "
            f"power {100 * self.power:.1f} % with {sizes} "
            f"({format_test(self.alternative, self.margin, self.confidence_level)}, "
            f"{design}, {format_model(self.spread)})"
        )

    def _repr_html_(self) -> str:
        from capcurve._inference.notebook_plans import view_power_plan

        return view_power_plan(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes as a dictionary of plain Python values.

        Returns
        -------
        dict
            One entry per attribute.

        Examples
        --------
        >>> from capcurve import plan_test
        >>> plan = plan_test(0.6, 0.5, event_rate=0.02, power=0.8)
        >>> plan.to_dict()["n_events"]
        338
        """
        return asdict(self)


@public
@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SamplePlan:
    """What a sample, or one like it of another size, can show, read-only.

    Its ``repr`` is one line that can be pasted into a memo.

    Attributes
    ----------
    value : float
        AR of the sample, or the difference of the AR of two scores.
    standard_error : float
        Its standard error at the planned size.
    half_width : float
        Half of the expected width of its interval at the planned size.
    detectable_difference : float
        The true difference nearest to 0 that the test finds with the power; nan if there is
        none. Of one score: the difference from a known AR, for which that of the sample is
        taken.
    power : float
        The power that is wanted.
    n_events, n_nonevents : int
        Numbers of events and non-events that are planned (of amounts, of rows above 0 and
        rows of 0); by default those of the sample.
    difference : float
        The true difference that is assumed; nan without.
    power_for_difference : float
        Power of the test at the planned size if the difference is true; nan without, and if
        no AR can differ so much.
    events_for_difference : int or None
        Events (of amounts, rows above 0) needed for the power if the difference is true;
        None without, or if no number of them is enough.
    wanted_half_width : float
        The half-width that is wanted; nan without.
    events_for_half_width : int or None
        Events (of amounts, rows above 0) needed for that half-width; None without.
    alternative : {'two-sided', 'greater', 'less'}
        Alternative hypothesis of the test.
    margin : float
        Non-inferiority margin, 0 or more.
    confidence_level : float
        Confidence level of the interval; the test is at the level 1 less this.
    name : str
        'AR', 'AR of amounts', or either with 'difference'.
    degrees_of_freedom : float
        Degrees of freedom of the standard error at the planned size; nan where none are
        known.

    See Also
    --------
    plan_from_sample : Makes it.

    Examples
    --------
    >>> from capcurve import plan_from_sample
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> plan = plan_from_sample(loans["default"], loans["champion_pd"])
    >>> round(plan.half_width, 3), round(plan.detectable_difference, 3)
    (0.043, 0.064)
    """

    value: float
    standard_error: float
    half_width: float
    detectable_difference: float
    power: float
    n_events: int
    n_nonevents: int
    difference: float
    power_for_difference: float
    events_for_difference: int | None
    wanted_half_width: float
    events_for_half_width: int | None
    alternative: Alternative
    margin: float
    confidence_level: float
    name: str = "AR"
    degrees_of_freedom: float = nan

    def __repr__(self) -> str:
        found = f"difference {self.detectable_difference:.3f}"
        if isnan(self.detectable_difference):
            found = "no difference"
        test = format_test(self.alternative, self.margin, self.confidence_level)
        is_amount = is_of_amounts(self)
        sizes = format_sizes(self.n_events, self.n_nonevents, is_amount=is_amount)
        text = (
            f"{self.name} {self.value:.3f}, with {sizes}: half-width "
            f"{self.half_width:.3f} at {100 * self.confidence_level:.4g} %, "
            f"{found} found with power {100 * self.power:.4g} % ({test})"
        )
        if not isnan(self.difference):
            need = format_need(self.events_for_difference, is_amount=is_amount)
            text += (
                f"; difference {self.difference:g}: power "
                f"{100 * self.power_for_difference:.1f} %, "
                f"{100 * self.power:.4g} % with {need}"
            )
        if not isnan(self.wanted_half_width):
            need = format_need(self.events_for_half_width, is_amount=is_amount)
            text += f"; half-width {self.wanted_half_width:g} with {need}"
        return text

    def _repr_html_(self) -> str:
        from capcurve._inference.notebook_plans import view_sample_plan

        return view_sample_plan(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes as a dictionary of plain Python values.

        Returns
        -------
        dict
            One entry per attribute. Nan values stay floats.

        Examples
        --------
        >>> from capcurve import plan_from_sample
        >>> from capcurve.datasets import make_portfolio
        >>> loans = make_portfolio()
        >>> plan = plan_from_sample(loans["default"], loans["champion_pd"])
        >>> plan.to_dict()["n_events"]
        453
        """
        return asdict(self)
