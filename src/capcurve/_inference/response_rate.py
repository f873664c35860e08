"""Estimates of the response rate of a band of ranked rows, with their limits."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import exp, inf, log, nan, sqrt
from typing import NamedTuple, get_args

import numpy as np

from capcurve._curve.gains_table import BandSpec, list_band_ends
from capcurve._inference.bootstrap import bootstrap_values, percentile_limits
from capcurve._inference.capture_rate import (
    Range,
    find_capture_limits,
    find_capture_p_value,
)
from capcurve._inference.estimate import Estimate, make_estimate, make_undefined_estimate
from capcurve._inference.limits import Limits, clip, t_quantile
from capcurve._inference.options import (
    IntervalOptions,
    ShareMethod,
    check_interval_options,
)
from capcurve._inference.share_influence import (
    Cut,
    RankedRows,
    Spread,
    count_smaller_class,
)
from capcurve._inference.share_limits import ALMOST, Unseen, find_size, share_limits
from capcurve._inference.wording import MEAN_AMOUNT
from capcurve._input.columns import Columns
from capcurve._tally.dtypes import FloatArray

MOST_FACTOR = 1000.0  # a mean amount whose limit is farther from it is unknown
LIMITED = ("response_rate", "capture_rate", "lift")  # columns of a gains table with limits
LIMIT_COLUMNS = tuple(f"{name}_{end}" for name in LIMITED for end in ("low", "high"))


def estimate_response_rate(
    columns: Columns, fraction: float, options: IntervalOptions
) -> Estimate:
    """Estimate the response rate in the best rows, up to a population share."""
    check_interval_options(options, get_args(ShareMethod))
    measure = "response rate" if columns.has_events else MEAN_AMOUNT
    name = f"{measure} at {100 * fraction:.4g} %"
    if columns.is_constant:
        return make_undefined_estimate(columns, options, name)
    ranked = RankedRows.of_columns(columns)
    value, limits, error = ranked.curve.response_rate_at(fraction), None, nan
    if columns.has_events:
        value = min(value, 1.0)  # but for rounding
    if options.method == "bootstrap":
        drawn = bootstrap_values(
            columns,
            options,
            lambda replicate: replicate.response_rate_at(fraction),
            given_classes=False,
        )
        limits = Limits(*percentile_limits(drawn, options.confidence_level), nan)
        error = float(drawn.std(ddof=1))
    if limits is None or limits.high - limits.low <= ALMOST:
        options = options._replace(method="wilson")
        cut = ranked.find_cut(fraction)
        spread = ranked.measure(ranked.response_influence(None, cut))
        part = partial(ranked.select_between, None, cut)
        found = Rate(value, spread, fraction, find_largest_part(None, cut), part)
        low, high = find_rate_limits(ranked, found, options.confidence_level)
        p_value = nan if fraction == 1 else find_capture_p_value(ranked, cut)
        limits, error = Limits(low, high, p_value), sqrt(spread.variance)
    return make_estimate(
        columns.class_counts,
        options,
        limits,
        value=value,
        standard_error=error,
        name=name,
        n_effective=count_smaller_class(columns),
        scale=(0.0, 1.0 if columns.has_events else inf),
    )


class Rate(NamedTuple):
    """A response rate of a band.

    Attributes
    ----------
    value : float
    spread : Spread
    width : float
        The share of the population that is in the band.
    largest_part : float
        The largest part of a row that is in the band.
    part : callable
        Makes an array of how much of each row is in the band, which only amounts and
        clusters need.
    """

    value: float
    spread: Spread
    width: float
    largest_part: float
    part: Callable[[], FloatArray]


def find_rate_limits(ranked: RankedRows, rate: Rate, level: float) -> Range:
    """Compute limits of the response rate of a band.

    Those of an event rate are limits of a proportion, those of a mean amount are Student's
    t on the scale of logarithms, above 0, by no more degrees of freedom than the band has.
    They are 0 and infinity in a band without any amount, of a single row or equal amounts,
    which show no variance, and where so few rows carry the weight that they would lie
    farther from the mean than `MOST_FACTOR` times.
    """
    value, spread = rate.value, rate.spread
    if ranked.columns.has_events:
        share, n_rows = clip(value, 0, 1), count_in_band(ranked, rate)
        size = find_size(share, spread.variance, n_rows)
        part = rate.largest_part / n_rows
        unseen = Unseen(part, part)
        return share_limits(share, size, level, spread.degrees_of_freedom, unseen)
    n_units = ranked.count_units(rate.part())
    if not value > 0 or not spread.variance > 0 or not n_units - 1 > ALMOST:
        return 0.0, inf
    df = min(spread.degrees_of_freedom, n_units - 1)
    error = sqrt(spread.variance * n_units / (n_units - 1))
    reach = t_quantile((1 + level) / 2, df) * error
    if not reach / value <= log(MOST_FACTOR):  # or nan
        return 0.0, inf
    factor = exp(reach / value)
    return value / factor, value * factor


def count_in_band(ranked: RankedRows, rate: Rate) -> float:
    """Count the (effective) rows of a band, or its clusters, of which a part may be in it.

    Rows of one cluster may share their outcome: many of them without an event say no more
    than one.
    """
    if ranked.columns.weights.cluster is None:
        return ranked.n_effective * rate.width
    return rate.largest_part * ranked.count_units(rate.part())


def find_largest_part(first: Cut | None, last: Cut) -> float:
    """Return the largest part of a row that a band between two cuts has."""
    start, above = (-1, 1.0) if first is None else (first.block, first.part)
    if last.block > start + 1:  # whole blocks
        return 1.0
    if last.block == start:
        return last.part - above
    return max(1 - above, last.part)


def find_gains_limits(
    columns: Columns, bands: BandSpec, level: float
) -> dict[str, FloatArray]:
    """Compute the limits of a gains table: an array of its bands per limit."""
    return limit_bands(RankedRows.of_columns(columns), bands, level)


def limit_bands(ranked: RankedRows, bands: BandSpec, level: float) -> dict[str, FloatArray]:
    """Compute the limits of the bands of ranked rows: an array of bands per limit.

    The capture rate and lift at the end of a band are those at its population share, taken
    as given. The response rate of a band of one score is that of the score.
    """
    curve, found = ranked.curve, []
    start = None
    cuts = [ranked.find_cut(share) for share in list_band_ends(curve, bands).tolist()]
    if ranked.is_counted:
        ranked = ranked.condense([cut.block for cut in cuts])
    for number, cut in enumerate(cuts):
        share = cut.share
        if isinstance(bands, str):
            rate = float(curve.tally.target[number] / curve.tally.weight[number])
            psi = ranked.block_influence(number)
            width = float(curve.tally.weight[number]) / curve.total_weight
            part, inside = 1.0, partial(ranked.select_block, number)
        else:
            before = (0.0, 0.0) if start is None else (start.share, start.captured)
            width = share - before[0]
            rate = (cut.captured - before[1]) * curve.response_rate / width
            psi = ranked.response_influence(start, cut)
            part = find_largest_part(start, cut)
            inside = partial(ranked.select_between, start, cut)
        found_rate = Rate(rate, ranked.measure(psi), width, part, inside)
        response = find_rate_limits(ranked, found_rate, level)
        captured = (1.0, 1.0)
        if share < 1:
            captured = find_capture_limits(ranked, cut, level)[:2]
        found.append((*response, *captured, captured[0] / share, captured[1] / share))
        start = cut
    return dict(zip(LIMIT_COLUMNS, np.array(found).T.copy(), strict=True))


def make_undefined_limits(n_bands: int) -> dict[str, FloatArray]:
    """Return limits of nan, of outcomes that are all equal."""
    return {name: np.full(n_bands, np.nan) for name in LIMIT_COLUMNS}
