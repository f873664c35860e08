"""Planning from numbers: the size, the power or the difference that the others lead to."""

from collections.abc import Callable, Sequence
from math import floor, isnan
from typing import Any, NamedTuple, get_args

from capcurve._inference.binormal import (
    compute_bound_components,
    compute_difference_components,
    compute_ratio_components,
)
from capcurve._inference.comparison import Hypothesis, check_hypothesis
from capcurve._inference.limits import Limits, clip
from capcurve._inference.options import Side, check_confidence_level
from capcurve._inference.plans import IntervalPlan, PowerPlan
from capcurve._inference.power import (
    MOST_EVENTS,
    NEAR_ONE,
    Sample,
    compute_power,
    expect_covariance,
    expect_precision,
    expect_score_precision,
    find_fewest,
    find_nearest,
)
from capcurve._inference.shrinkage import beta_limits
from capcurve._input.options import check_word, is_real, is_whole, show
from capcurve.exceptions import CapcurveError, FewEventsWarning, warn_caller

# Of min(events, non-events) * min(AUC, 1 - AUC): from 10, simulated power was within 4
# points of the planned one in all designs (docs/inference.md); from 5 to 10 within 9.
FEWEST_MISRANKED = 10
SPREADS = 0.01, 100
RATIOS = 0.001, 1000
MOST_NONEVENTS = 1e18  # so that their number stays finite at any event rate


class Population(NamedTuple):
    """What is assumed of the scores and outcomes of which samples are drawn."""

    event_rate: float
    spread: float = 1.0
    correlation: float | None = None
    events_ratio: float = 1.0

    def draw(self, n_events: int) -> Sample:
        """Return a sample with so many events, and non-events by the event rate."""
        expected = n_events * (1 - self.event_rate) / self.event_rate
        n_nonevents = floor(min(expected, MOST_NONEVENTS) + 1 / 2)
        return Sample(n_events, max(n_nonevents, 2))

    def draw_second(self, n_events: int) -> Sample:
        """Return the second of two independent samples."""
        return self.draw(max(floor(n_events * self.events_ratio + 1 / 2), 2))


def check_population(population: Population) -> None:
    """Raise if an assumption is invalid."""
    event_rate, spread, correlation, events_ratio = population
    check_between(event_rate, "event_rate", 0, 1, "2 % is 0.02")
    low, high = SPREADS
    if not is_real(spread) or not low <= spread <= high:
        raise CapcurveError(
            f"`spread` must be a number from {low} to {high}, got {show(spread)}; 1 means "
            "that scores of events and non-events have the same standard deviation"
        )
    if correlation is not None:
        hint = "leave it out for two independent samples"
        check_between(correlation, "correlation", -1, 1, hint)
    low, high = RATIOS
    if not is_real(events_ratio) or not low <= events_ratio <= high:
        raise CapcurveError(
            f"`events_ratio` must be a number from {low} to {high:,}, got "
            f"{show(events_ratio)}; 2 means twice as many events in the second sample"
        )
    if events_ratio != 1 and correlation is not None:
        raise CapcurveError(
            "`events_ratio` requires two independent samples, got a `correlation`, which "
            "is that of two scores of the same rows; leave one of the two out"
        )


def check_between(value: Any, name: str, low: float, high: float, hint: str) -> None:
    """Raise unless a number lies strictly between two others."""
    if not is_real(value) or not low < value < high:
        raise CapcurveError(
            f"`{name}` must lie between {low:g} and {high:g}, got {show(value)}; {hint}"
        )


def check_ratio(value: object, name: str) -> None:
    """Raise unless a number can be the AR of overlapping scores."""
    check_between(value, name, -1, 1, "60 % is 0.6")


def check_n_events(n_events: object) -> None:
    """Raise unless a number of events is whole and allows for a variance."""
    if not is_whole(n_events) or not 2 <= n_events <= MOST_EVENTS:  # noqa: PLR2004 -- one has no variance
        raise CapcurveError(
            f"`n_events` must be a whole number from 2 to {MOST_EVENTS:,}, got "
            f"{show(n_events)}; pass the number of events, not of rows"
        )


def check_planned(hypothesis: Hypothesis) -> None:
    """Raise if a hypothesis is invalid or cannot be planned."""
    check_word(hypothesis.alternative, "alternative", get_args(Side))
    check_hypothesis(hypothesis)


def check_power(power: object, confidence_level: float) -> None:
    """Raise unless a power lies above the level of the test."""
    level = round(1 - confidence_level, 12)
    check_between(power, "power", level, 1, f"80 % is 0.8, and {level:g} the test's level")


def find_gap(**given: object) -> str:
    """Return the name of the number that is left out; raise unless it is exactly one."""
    missing = [name for name, value in given.items() if value is None]
    if len(missing) != 1:
        *others, last = (f"`{name}`" for name in given)
        advice = "pass the others" if missing else "leave out the one to find"
        raise CapcurveError(
            f"exactly one of {', '.join(others)} and {last} must be left out, and is then "
            f"found, got {len(missing)} left out; {advice}"
        )
    return missing[0]


def complete_interval(
    ratio: float,
    known: dict[str, Any],
    population: Population,
    level: float,
    *,
    bound: bool,
) -> IntervalPlan:
    """Find the number of an interval that is left out, and list all."""
    check_confidence_level(level)
    check_ratio(ratio, "accuracy_ratio")
    gap = find_gap(**known)
    check_population(population)
    half_width, n_events = known.values()
    if gap == "half_width":
        check_n_events(n_events)
    else:
        check_between(half_width, "half_width", 0, 1, "5 % is 0.05")
        n_events = find_interval_events(ratio, half_width, population, level, bound=bound)
    return make_interval_plan(ratio, int(n_events), population, level, bound=bound)


def find_interval_events(
    ratio: float, half_width: float, population: Population, level: float, *, bound: bool
) -> int:
    """Find the fewest events whose expected interval is as narrow; raise if none are."""

    def is_enough(m: int) -> bool:
        low, high, _ = expect_interval(
            ratio, population.draw(m), population, level, bound=bound
        )
        return high - low <= 2 * half_width

    found = find_fewest(is_enough)
    if found is None:
        raise CapcurveError(
            "`half_width` must be one that a sample can have, got "
            f"{half_width:g}; pass a larger one"
        )
    return found


def make_interval_plan(
    ratio: float, n_events: int, population: Population, level: float, *, bound: bool
) -> IntervalPlan:
    """Compute the expected interval, and list it with its assumptions."""
    sample = population.draw(n_events)
    warn_if_few([ratio], min(sample))
    limits = expect_interval(ratio, sample, population, level, bound=bound)
    return IntervalPlan(
        accuracy_ratio=float(ratio),
        half_width=float(limits.high - limits.low) / 2,
        low=float(limits.low),
        high=float(limits.high),
        n_events=sample.n_events,
        n_nonevents=sample.n_nonevents,
        event_rate=population.event_rate,
        confidence_level=level,
        spread=None if bound else population.spread,
    )


def expect_interval(
    ratio: float, sample: Sample, population: Population, level: float, *, bound: bool
) -> Limits:
    """Compute the expected limits; the widest that any distribution has, if asked."""
    components = (
        compute_bound_components(ratio, fewer_events=sample.n_events <= sample.n_nonevents)
        if bound
        else compute_ratio_components(ratio, population.spread)
    )
    return beta_limits(ratio, expect_covariance(components, sample), level)


def complete_test(
    known: dict[str, Any], population: Population, hypothesis: Hypothesis
) -> PowerPlan:
    """Find the number of a test that is left out, and list all."""
    check_planned(hypothesis)
    gap = find_gap(**known)
    check_population(population)
    for name in ("first", "second"):
        if gap != name:
            check_ratio(known[name], name)
    if gap != "n_events":
        check_n_events(known["n_events"])
    if gap != "power":
        check_power(known["power"], hypothesis.confidence_level)
    first, second, n_events, power = known.values()
    if gap == "first":
        first = find_first(second, n_events, power, population, hypothesis)
    elif gap == "second":
        second = find_second(first, n_events, power, population, hypothesis)
    elif gap == "n_events":
        n_events = find_test_events(first, second, power, population, hypothesis)
    return make_power_plan(first, second, int(n_events), population, hypothesis)


def find_test_events(
    first: float,
    second: float,
    power: float,
    population: Population,
    hypothesis: Hypothesis,
) -> int:
    """Find the fewest events with which a test has a power; raise if none are enough."""

    def is_enough(m: int) -> bool:
        return expect_power(first, second, m, population, hypothesis) >= power

    found = find_fewest(is_enough)
    if found is None:
        raise CapcurveError(
            "`first` and `second` must differ in the direction of `alternative`, got "
            f"{first:g} and {second:g} with {hypothesis.alternative!r} and a margin of "
            f"{hypothesis.margin:g}; exchange them, or pass another alternative or margin"
        )
    return found


def find_first(
    second: float,
    n_events: int,
    power: float,
    population: Population,
    hypothesis: Hypothesis,
) -> float:
    """Find the first AR nearest to the second that a test tells apart with a power.

    It is above the second, or below for the alternative 'less'.
    """

    def power_at(first: float) -> float:
        return expect_power(first, second, n_events, population, hypothesis)

    side, margin = hypothesis.side, hypothesis.margin
    return find_other(power_at, second, side, n_events=n_events, power=power, margin=margin)


def find_second(
    first: float,
    n_events: int,
    power: float,
    population: Population,
    hypothesis: Hypothesis,
) -> float:
    """Find the second AR nearest to the first that a test tells apart with a power.

    It is below the first, or above for the alternative 'less'.
    """

    def power_at(second: float) -> float:
        return expect_power(first, second, n_events, population, hypothesis)

    side, margin = -hypothesis.side, hypothesis.margin
    return find_other(power_at, first, side, n_events=n_events, power=power, margin=margin)


def find_other(
    power_at: Callable[[float], float],
    ratio: float,
    side: int,
    *,
    n_events: int,
    power: float,
    margin: float,
) -> float:
    """Find the AR on one side of another at which a test has a power; raise if none is."""
    start = clip(ratio - side * margin, -NEAR_ONE, NEAR_ONE)
    found = find_nearest(power_at, power, start, side * NEAR_ONE)
    if isnan(found):
        raise CapcurveError(
            f"`power` must be one that {n_events:,} events can have, got {power:g}, which "
            f"no AR {'above' if side > 0 else 'below'} {ratio:g} reaches; pass more "
            "`n_events`"
        )
    return found


def make_power_plan(
    first: float,
    second: float,
    n_events: int,
    population: Population,
    hypothesis: Hypothesis,
) -> PowerPlan:
    """Compute the power of a test, and list it with its assumptions."""
    sample, other = population.draw(n_events), Sample(0, 0)
    smallest = min(sample)
    if population.correlation is None:
        other = population.draw_second(n_events)
        smallest = min(*sample, *other)
    warn_if_few([first, second], smallest)
    return PowerPlan(
        first=float(first),
        second=float(second),
        difference=float(first - second),
        power=float(expect_power(first, second, n_events, population, hypothesis)),
        n_events=sample.n_events,
        n_nonevents=sample.n_nonevents,
        n_events_second=other.n_events,
        n_nonevents_second=other.n_nonevents,
        event_rate=population.event_rate,
        correlation=population.correlation,
        alternative=hypothesis.alternative,
        margin=hypothesis.margin,
        confidence_level=hypothesis.confidence_level,
        spread=population.spread,
    )


def expect_power(
    first: float,
    second: float,
    n_events: int,
    population: Population,
    hypothesis: Hypothesis,
) -> float:
    """Compute the power of a test on the same rows, or on independent samples."""
    sample, spread = population.draw(n_events), population.spread
    if population.correlation is not None:
        components = compute_difference_components(
            first, second, population.correlation, spread
        )
        precision = expect_precision([(components, sample)])
    else:
        parts = [
            (compute_ratio_components(first, spread), sample),
            (compute_ratio_components(second, spread), population.draw_second(n_events)),
        ]
        precision = expect_score_precision((first, second), parts, hypothesis)
    return compute_power(first - second, precision, hypothesis)


def warn_if_few(ratios: Sequence[float], smallest: float) -> None:
    """Warn if so few pairs are ranked wrongly that a plan is not exact."""
    misranked = count_misranked(ratios, smallest)
    if misranked < FEWEST_MISRANKED:
        warn_caller(
            f"the plan rests on {smallest:,.0f} rows of the minority class at an AR of "
            f"{max(ratios, key=abs):.3f}; {explain_few(misranked)}",
            FewEventsWarning,
        )


def count_misranked(ratios: Sequence[float], smallest: float) -> float:
    """Return the size of the minority class times the smaller of AUC and 1 - AUC."""
    found = smallest * (1 - max(map(abs, ratios))) / 2
    return round(found, 9)  # a product of 10 is not below 10


def explain_few(misranked: float | None = None, *, is_amount: bool = False) -> str:
    """Explain what few pairs that are ranked wrongly mean for a plan."""
    found = "" if misranked is None else f"{misranked:.1f}, "
    product, of = "min(events, non-events) * min(AUC, 1 - AUC)", ""
    if is_amount:
        product = "min(rows above 0, effective pairs / 2) * (1 - abs(AR)) / 2"
        of = " of 0/1 events"
    return (
        f"{product} is {found}below {FEWEST_MISRANKED}, "
        f"where simulated power{of} lay from 4 points below the planned one to 9 above it, "
        "below 5 from 6 below to 25 above, and intervals were up to a fifth narrower"
    )
