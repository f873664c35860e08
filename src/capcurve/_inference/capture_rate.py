"""Estimates of the capture rate: standard error, confidence limits and p-value."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, inf, nan, sqrt
from typing import get_args

from capcurve._curve.curve import CapCurve
from capcurve._inference.bootstrap import bootstrap_values, percentile_limits
from capcurve._inference.estimate import Estimate, make_estimate, make_undefined_estimate
from capcurve._inference.influence import bessel_correction
from capcurve._inference.limits import Limits, clip, import_scipy, two_sided_p_value
from capcurve._inference.options import (
    IntervalOptions,
    ShareMethod,
    check_interval_options,
)
from capcurve._inference.share_influence import (
    Cut,
    RankedRows,
    Spread,
    count_effective,
    count_smaller_class,
    count_variance,
    selection_variance,
)
from capcurve._inference.share_limits import ALMOST, Unseen, find_size, share_limits
from capcurve._inference.wording import name_share
from capcurve._input.columns import Columns
from capcurve.exceptions import FewEventsWarning, warn_caller

Range = tuple[float, float]

# Rows selected, or left out, below which intervals come with a warning: 95 % intervals of
# a response rate covered in as few as 93 % of samples with 5 and 10 rows selected.
FEW_SELECTED = 15


def estimate_capture_rate(
    columns: Columns, fraction: float, options: IntervalOptions
) -> Estimate:
    """Estimate the capture rate at a population share."""
    check_interval_options(options, get_args(ShareMethod))
    name = name_share("capture rate", fraction, has_events=columns.has_events)
    if columns.is_constant:
        return make_undefined_estimate(columns, options, name)
    ranked = RankedRows.of_columns(columns)
    value = ranked.curve.capture_rate_at(fraction)
    limits, error = Limits(value, value, nan), 0.0
    if fraction not in {0, 1}:  # the capture rate is then known
        if options.method == "bootstrap":
            drawn = bootstrap_values(
                columns,
                options,
                lambda replicate: replicate.capture_rate_at(fraction),
                given_classes=False,
            )
            limits = Limits(*percentile_limits(drawn, options.confidence_level), nan)
            error = float(drawn.std(ddof=1))
        if options.method == "wilson" or limits.high - limits.low <= ALMOST:
            options = options._replace(method="wilson")
            cut = ranked.find_cut(fraction)
            low, high, error = find_capture_limits(ranked, cut, options.confidence_level)
            limits = Limits(low, high, find_capture_p_value(ranked, cut))
    return make_estimate(
        columns.class_counts,
        options,
        limits,
        value=value,
        standard_error=error,
        name=name,
        n_effective=count_smaller_class(columns),
        scale=(0.0, 1.0),
    )


def find_capture_limits(
    ranked: RankedRows, cut: Cut, level: float, *, are_widened: bool = True
) -> tuple[float, float, float]:
    """Compute the limits of the capture rate at a cut, and its standard error.

    Those of events cover whether or not the numbers of events and non-events are given.
    Those of counted rows are widened for few events unless somebody else does so.

    Student's t is that of the smaller class, whatever the cut. Degrees of freedom by the
    fourth moment of the influences would be those of the few events that a large share
    misses, which Wilson's limits allow for: limits would fall as the share grows.
    """
    if ranked.is_counted:
        return count_capture_limits(ranked.curve, cut, level, are_widened=are_widened)
    free = max(1.0, count_smaller_class(ranked.columns) - 1)
    spread = ranked.measure(ranked.capture_influence(cut))
    spread = spread._replace(degrees_of_freedom=free)
    n_events = ranked.n_effective_units
    low, high = find_free_limits(ranked.curve, cut, spread, n_events, level)
    if ranked.columns.has_events:
        given = ranked.measure(ranked.capture_influence(cut, given_classes=True))
        given = given._replace(degrees_of_freedom=inf)  # the limits above allow for it
        table = find_table_limits(ranked.curve, cut, given, n_events, level)
        low, high = min(low, table[0]), max(high, table[1])
    return low, high, sqrt(spread.variance)


def count_capture_limits(
    curve: CapCurve, cut: Cut, level: float, *, are_widened: bool = True
) -> tuple[float, float, float]:
    """Compute the limits of the capture rate of counted rows, and its standard error."""
    events = curve.total_target
    smaller = min(events, curve.total_weight - events)
    spread = Spread(
        count_variance(curve, cut), max(1.0, smaller - 1) if are_widened else inf
    )
    free = find_free_limits(curve, cut, spread, events, level)
    given = Spread(count_variance(curve, cut, given_classes=True))
    table = find_table_limits(curve, cut, given, events, level)
    return min(free[0], table[0]), max(free[1], table[1]), sqrt(spread.variance)


def find_free_limits(
    curve: CapCurve, cut: Cut, spread: Spread, n_events: float, level: float
) -> Range:
    """Compute limits of the capture rate as a share, whatever the event rate."""
    share = clip(cut.captured, 0, 1)
    size = find_size(share, spread.variance, n_events)
    unseen = find_unseen(curve, cut, n_events)
    low, high = share_limits(share, size, level, spread.degrees_of_freedom, unseen)
    return min(low, cut.captured), max(high, cut.captured)


def find_table_limits(
    curve: CapCurve, cut: Cut, spread: Spread, n_events: float, level: float
) -> Range:
    """Compute limits of the capture rate within what the class sizes allow.

    The rows selected and the class sizes are margins of a table of two by two, and the
    capture rate lies between what the worst and the best ranking capture. The limits are
    those of a share of this range. Where few rows are selected it is the share of events
    among them; where many are, that of the events which are among them.
    """
    least, most = find_capture_range(cut.share, curve.response_rate)
    reach = most - least
    share = clip((cut.captured - least) / reach, 0, 1)
    size = find_size(share, spread.variance / reach**2, n_events * reach)
    unseen = find_unseen(curve, cut, n_events * reach)
    low, high = share_limits(share, size, level, spread.degrees_of_freedom, unseen)
    return (
        min(cut.captured, least + reach * low),
        max(cut.captured, least + reach * high),
    )


def find_unseen(curve: CapCurve, cut: Cut, n_events: float) -> Unseen:
    """Find how much one unseen event of so many would count in a capture rate.

    It counts fully above or below the block of the cut; if nothing is there, as a part.
    """
    is_first = cut.block == 0
    is_last = cut.block == len(curve.population_share) - 2
    missed = 1 - cut.part if is_last else 1.0
    captured = cut.part if is_first else 1.0
    return Unseen(missed / n_events, captured / n_events)


def find_capture_range(share: float, rate: float) -> Range:
    """Return what the worst and the best ranking capture at a population share."""
    return max(0.0, (share - (1 - rate)) / rate), min(1.0, share / rate)


def find_capture_p_value(ranked: RankedRows, cut: Cut) -> float:
    """Compute the two-sided p-value of the capture rate of an uninformative score.

    Twice the smaller tail, counting the observed value half (mid-P; Lancaster, 1961,
    doi:10.1080/01621459.1961.10482105), of the hypergeometric distribution for counted rows
    unless the cut splits a block of ties below others; otherwise from the variance under an
    uninformative score.
    """
    if ranked.is_counted:
        curve = ranked.curve
        above = round(float(curve.population_share[cut.block]) * curve.total_weight)
        tied = int(curve.tally.weight[cut.block])
        if not above and tied > 1:  # all that is known is how many events the block holds
            return exceed_by_chance(curve, float(tied), float(curve.tally.target[0]))
        if tied == 1 or not ALMOST < cut.part < 1 - ALMOST:
            n_selected = cut.share * curve.total_weight
            return exceed_by_chance(curve, n_selected, cut.captured * curve.total_target)
        variance = null_count_variance(curve, cut)
        return two_sided_p_value((cut.captured - cut.share) / sqrt(variance))
    variance, free = ranked.null_variance(cut), max(1.0, ranked.n_effective_units - 1)
    if variance <= ALMOST**2:
        return 1.0
    return two_sided_p_value((cut.captured - cut.share) / sqrt(variance), free)


def null_count_variance(curve: CapCurve, cut: Cut) -> float:
    """Compute the variance of the capture rate over all orders of counted outcomes."""
    n_rows = curve.total_weight
    above = float(curve.population_share[cut.block]) * n_rows
    tied = float(curve.tally.weight[cut.block])
    variance = selection_variance(above, tied, cut.part, n_rows)
    return (
        variance
        * (1 - curve.response_rate)
        / curve.total_target
        * bessel_correction(n_rows)
    )


def exceed_by_chance(curve: CapCurve, n_selected: float, n_captured: float) -> float:
    """Compute the doubled mid-P value of events captured among so many rows selected.

    Between whole numbers of rows it is interpolated linearly, as the curve is.
    """
    events, rows = round(curve.total_target), round(curve.total_weight)
    hypergeom = import_scipy("stats").hypergeom
    selected, captured = round(n_selected, 9), round(n_captured, 9)
    upper = 0.0
    for taken in {floor(selected), -floor(-selected)}:
        weight = 1 - abs(selected - taken)
        chance = hypergeom(rows, events, taken)
        for hits in {floor(captured), -floor(-captured)}:
            tail = chance.sf(hits) + chance.pmf(hits) / 2
            upper += weight * (1 - abs(captured - hits)) * float(tail)
    return clip(2 * min(upper, 1 - upper), 0, 1)


def warn_if_few_count(ranked: Sequence[Columns], fraction: float) -> None:
    """Warn if few rows or clusters are selected or left out by one of the scores."""
    units, noun = min(count_rarer_units(columns, fraction) for columns in ranked)
    if units >= FEW_SELECTED:
        return
    part = "selected" if fraction <= 1 / 2 else "left out"
    warn_caller(
        f"the interval is based on {units:.3g} {noun} that are {part}; with fewer than "
        f"{FEW_SELECTED} its coverage may fall below the confidence level",
        FewEventsWarning,
    )


def warn_few_selected(places: str) -> None:
    """Warn once about all groups in which few rows are selected or left out."""
    if places:
        warn_caller(
            f"effectively fewer than {FEW_SELECTED} rows are selected or left out, so the "
            "coverage of the interval may fall below its confidence level: "
            f"{places}",
            FewEventsWarning,
        )


def has_few_selected(rows: Columns | RankedRows, fraction: float) -> bool:
    """Whether few rows or clusters are selected or left out, of outcomes that differ."""
    return count_rarer_units(rows, fraction)[0] < FEW_SELECTED


def is_any_few(ranked: Sequence[Columns], fraction: float) -> bool:
    """Whether one of the scores of the same rows selects, or leaves out, few of them."""
    return any(has_few_selected(columns, fraction) for columns in ranked)


def count_rarer_units(rows: Columns | RankedRows, fraction: float) -> tuple[float, str]:
    """Count effectively the rows that are selected, or those left out if they are fewer.

    Rows of few clusters count as these, so the unit is returned as well. Where outcomes are
    all equal, or none or all rows are selected, no number is too few: infinity.
    """
    columns = rows if isinstance(rows, Columns) else rows.columns
    if columns.is_constant or fraction in {0, 1}:
        return inf, "rows"
    n_rows = min(fraction, 1 - fraction) * count_effective(columns)
    if columns.weights.cluster is None:
        return n_rows, "rows"
    ranked = RankedRows.of_columns(rows) if isinstance(rows, Columns) else rows
    selected = ranked.select(ranked.find_cut(fraction))
    n_units = ranked.count_units(selected if fraction <= 1 / 2 else 1 - selected)
    # Part of a block of ties may touch more clusters than it has rows.
    return min((n_rows, "rows"), (n_units, "clusters"))
