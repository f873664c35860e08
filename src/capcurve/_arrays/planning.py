"""Planning of sample sizes and power from numbers, without data."""

from __future__ import annotations

from capcurve._inference.comparison import Hypothesis
from capcurve._inference.options import Side
from capcurve._inference.planning import Population, complete_interval, complete_test
from capcurve._inference.plans import IntervalPlan, PowerPlan
from capcurve._public import public


@public
def plan_interval(
    accuracy_ratio: float,
    *,
    event_rate: float,
    half_width: float | None = None,
    n_events: int | None = None,
    spread: float | None = 1.0,
    confidence_level: float = 0.95,
) -> IntervalPlan:
    """Find the events that an interval of AR needs, or the width that events lead to.

    Pass one of ``half_width`` and ``n_events``; the other is found. Needs SciPy
    (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    accuracy_ratio : float
        The accuracy ratio that is expected, ``2 * AUC - 1``, strictly between -1 and 1.
    event_rate : float
        Share of events among all rows, strictly between 0 and 1.
    half_width : float, default=None
        Half of the width of the interval on the scale of AR, strictly between 0 and 1.
        None: found from ``n_events``.
    n_events : int, default=None
        Number of events, 2 or more. None: the fewest whose interval is expected to be no
        wider.
    spread : float or None, default=1
        Standard deviation of the events' scores over that of the non-events', on a scale on
        which both are normal; from 0.01 to 100. None: the largest variance that any
        distribution of scores allows, which is far too cautious in most cases.
    confidence_level : float, default=0.95
        Confidence level, strictly between 0 and 1.

    Returns
    -------
    IntervalPlan
        The numbers of events and non-events, with the expected interval.

    Warns
    -----
    FewEventsWarning
        If the minority class times the smaller of AUC and 1 - AUC is below 10. Simulated
        intervals were then up to 3 % narrower than planned, below 5 up to 19 %; from 10 on
        up to 2 %.

    Raises
    ------
    CapcurveError
        If not exactly one of ``half_width`` and ``n_events`` is passed, or a number lies
        outside its range.
    MissingDependencyError
        If SciPy is not installed.

    See Also
    --------
    plan_test : The power of a test.
    plan_from_sample : The same from the rows of a sample, without a model.
    accuracy_ratio_interval : Makes the interval.

    Notes
    -----
    The interval is that of the method 'beta' at the expected variance of DeLong, DeLong
    and Clarke-Pearson (1988), doi:10.2307/2531595, under the binormal model (Obuchowski and
    McClish, 1997, doi:10.1002/(SICI)1097-0258(19970715)16:13<1529::AID-SIM565>3.0.CO;2-H).
    Its components are bivariate normal probabilities, found in closed form (Owen, 1956,
    doi:10.1214/aoms/1177728074). The largest variance is that of Birnbaum and Klose (1957),
    doi:10.1214/aoms/1177706794: ``(1 - AR**2)`` over the size of the minority class.

    Ties widen the interval a little. With clusters or weights, use `plan_from_sample`.

    Examples
    --------
    >>> from capcurve import plan_interval
    >>> plan_interval(0.6, event_rate=0.02, half_width=0.05)
    AR 0.600, expected 95 % interval 0.548 to 0.648, half-width 0.050, with 301 events in
    15,050 rows (binormal)
    """
    return complete_interval(
        accuracy_ratio,
        {"half_width": half_width, "n_events": n_events},
        Population(event_rate, 1.0 if spread is None else spread),
        confidence_level,
        bound=spread is None,
    )


@public
def plan_test(  # noqa: PLR0913 -- options by keyword
    first: float | None = None,
    second: float | None = None,
    *,
    event_rate: float,
    n_events: int | None = None,
    power: float | None = None,
    correlation: float | None = None,
    events_ratio: float = 1.0,
    alternative: Side = "two-sided",
    margin: float = 0.0,
    confidence_level: float = 0.95,
    spread: float = 1.0,
) -> PowerPlan:
    """Find the events, the power or the smallest difference of a test of two AR.

    Pass all but one of ``first``, ``second``, ``n_events`` and ``power``; that one is
    found. Needs SciPy (``pip install "capcurve[stats]"``).

    Parameters
    ----------
    first, second : float, default=None
        The true accuracy ratios, ``2 * AUC - 1``, strictly between -1 and 1. None, for one
        of them: the nearest to the other that the test tells apart with the power.
        ``first`` is then above ``second``, or below it for ``alternative='less'``.
    event_rate : float
        Share of events among all rows, strictly between 0 and 1.
    n_events : int, default=None
        Number of events, 2 or more; of two samples, in the first. None: the fewest that are
        enough for the power.
    power : float, default=None
        Probability that the test rejects, above its level and below 1; 0.8 is usual. None:
        found.
    correlation : float, default=None
        Correlation of the two scores within events and within non-events, strictly between
        -1 and 1, for scores of the same rows, on a scale on which both are normal: of
        their normal scores, `scipy.stats.norm.ppf((rank - 0.5) / n)`, rather than of PDs,
        which correlate less. None: two independent samples.
    events_ratio : float, default=1
        Events in the second of two independent samples, for each in the first.
    alternative : {'two-sided', 'greater', 'less'}, default='two-sided'
        Alternative hypothesis, as in `accuracy_ratio_test`: 'greater' is that the first AR
        exceeds the second.
    margin : float, default=0
        Non-inferiority margin, for one-sided tests only, on the scale of AR. The true
        ratios may then be equal.
    confidence_level : float, default=0.95
        1 less the level of the test: 0.95 for a test at 5 %.
    spread : float, default=1
        Standard deviation of the events' scores over that of the non-events', on a scale on
        which both are normal; from 0.01 to 100.

    Returns
    -------
    PowerPlan
        All numbers, with the one that was left out.

    Warns
    -----
    FewEventsWarning
        If the minority class of the smaller sample times the smaller of AUC and 1 - AUC, at
        the higher AR, is below 10. Simulated power was then from 3 points below to 6 above
        the planned one, below 5 from 6 below to 14 above; from 10 on, within 3 points. The
        message has the wider range of all plans, those of `plan_from_sample` included.

    Raises
    ------
    CapcurveError
        If not exactly one number is left out; if a number lies outside its range; if the
        two ratios do not differ in the direction of the alternative; or if so few events
        cannot have the power.
    MissingDependencyError
        If SciPy is not installed.

    See Also
    --------
    plan_interval : The events that an interval needs.
    plan_from_sample : The same from the rows of a sample, without a model.
    accuracy_ratio_test : The test of two scores of the same rows.
    accuracy_ratio_test_independent : The test of two samples.

    Notes
    -----
    The difference over its standard error by DeLong, DeLong and Clarke-Pearson (1988),
    doi:10.2307/2531595, is taken for a noncentral t with Welch-Satterthwaite degrees of
    freedom, as the method 'delong-t' of `accuracy_ratio_test` does. Two samples are tested
    by the score method of `accuracy_ratio_test_independent`, which divides by the error
    under the hypothesis: if one is much larger, its AR decides that error, so the power is
    lower where the smaller sample has the higher AR, and higher where it has the lower one.
    With clusters or weights, use `plan_from_sample`. Equivalence cannot be planned.
    Variances are those of the binormal model (Obuchowski and McClish, 1997,
    doi:10.1002/(SICI)1097-0258(19970715)16:13<1529::AID-SIM565>3.0.CO;2-H); those of Hanley
    and McNeil (1982), doi:10.1148/radiology.143.1.7063747, are of exponential scores.

    Examples
    --------
    >>> from capcurve import plan_test
    >>> plan_test(0.60, 0.55, event_rate=0.02, correlation=0.8, power=0.8)
    AR difference 0.050 (0.600 - 0.550), power 80.0 % with 299 events in 14,950 rows
    (two-sided at 5 %, correlation 0.8, binormal)
    >>> plan_test(None, 0.55, event_rate=0.02, correlation=0.8, n_events=100, power=0.8)
    AR difference 0.086 (0.636 - 0.550), power 80.0 % with 100 events in 5,000 rows
    (two-sided at 5 %, correlation 0.8, binormal)
    """
    known = {"first": first, "second": second, "n_events": n_events, "power": power}
    population = Population(event_rate, spread, correlation, events_ratio)
    hypothesis = Hypothesis(alternative, margin, confidence_level)
    return complete_test(known, population, hypothesis)
