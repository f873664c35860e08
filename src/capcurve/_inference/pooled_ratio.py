"""Pooled accuracy ratio: pairs within segments only, as one ratio with its influence."""

from typing import Literal, get_args

import numpy as np

from capcurve._engines.rows import compute_row_surplus
from capcurve._inference.accuracy_ratio import (
    STANDARD_ERROR_METHODS,
    choose_method,
    find_ratio_limits,
    make_ratio_estimate,
    name_bound,
)
from capcurve._inference.estimate import Estimate, make_undefined_estimate
from capcurve._inference.influence import (
    Influence,
    clear_rounding,
    compute_quotient_influence,
)
from capcurve._inference.options import IntervalOptions
from capcurve._inference.wording import name_measure
from capcurve._input.columns import Columns
from capcurve._input.options import check_word
from capcurve._input.segments import Segmented, list_segment_rows
from capcurve._tally.dtypes import FloatArray, IntArray
from capcurve._tally.tally import clip_ratio
from capcurve.exceptions import CapcurveError

SegmentWeights = Literal["pairs", "events"]


def keep_comparable(rows: Segmented) -> Segmented:
    """Leave out the segments whose outcomes are all equal: they hold no pairs to rank."""
    columns, segment = rows
    n_segments = int(segment.max(initial=-1)) + 1
    target = columns.target.astype(np.float64)
    least, most = np.full(n_segments, np.inf), np.full(n_segments, -np.inf)
    np.minimum.at(least, segment, target)
    np.maximum.at(most, segment, target)
    kept = (least < most)[segment]
    return Segmented(columns[kept], segment[kept])


def sum_within_segments(columns: Columns, segment: IntArray) -> FloatArray:
    """Return the concordance surplus of each row against the rows of its segment."""
    surplus = np.empty(len(segment))
    for rows in list_segment_rows(segment, int(segment.max()) + 1):
        if len(rows):
            surplus[rows] = compute_row_surplus(columns[rows])
    return surplus


def compute_pooled_influence(
    rows: Segmented, weighting: SegmentWeights = "pairs"
) -> Influence:
    """Compute the pooled accuracy ratio of comparable segments, and each row's influence.

    Every event has a placement: the mean of its signs against the non-events of its
    segment. The pooled ratio is the weighted mean of the placements, and just so that of
    the non-events, with the weights of `balance_classes`. Classes are sampled apart, the
    segments of their rows with them.
    """
    columns, segment = rows
    surplus = sum_within_segments(columns, segment)
    if not columns.has_events:
        base = sum_within_segments(columns.ranked_by_target(), segment)
        value, psi, share = compute_quotient_influence(surplus, base, columns.mass)
        return Influence(np.array([value]), psi[None], None, columns, share)
    share, opposite = balance_classes(rows, weighting)
    event = columns.target
    total = float(share[event].sum())
    placement = surplus / opposite
    value = clip_ratio(float((share * placement)[event].sum()) / total)
    placement -= value
    clear_rounding(placement, 1.0)
    psi = share * placement / total
    return Influence(np.array([value]), psi[None], event, columns, share)


def balance_classes(
    rows: Segmented, weighting: SegmentWeights
) -> tuple[FloatArray, FloatArray]:
    """Weight rows so that both classes of a segment weigh what the segment counts for.

    A segment counts for its pairs, or for its events. Also returns the weight of the other
    class in the segment of each row.
    """
    columns, segment = rows
    event, mass = columns.target, columns.mass
    event_mass = np.bincount(segment, np.where(event, mass, 0.0))[segment]
    nonevent_mass = np.bincount(segment, np.where(event, 0.0, mass))[segment]
    opposite = np.where(event, nonevent_mass, event_mass)
    factor = opposite / opposite.max()
    if weighting == "events":
        factor = np.where(event, 1.0, event_mass / nonevent_mass)
    return mass * factor, opposite


def compute_pooled_ratio(rows: Segmented, weighting: SegmentWeights) -> float:
    """Compute the pooled accuracy ratio; nan without a segment whose outcomes differ."""
    check_weighting(rows.columns, weighting)
    comparable = keep_comparable(rows)
    if not len(comparable.segment):
        return float("nan")
    return float(compute_pooled_influence(comparable, weighting).value[0])


def estimate_pooled_ratio(
    rows: Segmented, options: IntervalOptions, weighting: SegmentWeights = "pairs"
) -> Estimate:
    """Estimate the pooled accuracy ratio with its standard error and limits.

    A method that requires more than a standard error is replaced by 'beta'.
    """
    if options.method not in STANDARD_ERROR_METHODS:
        options = options._replace(method="beta")
    check_weighting(rows.columns, weighting)
    name = name_measure("pooled AR", has_events=rows.columns.has_events)
    comparable = keep_comparable(rows)
    if not len(comparable.segment):
        return make_undefined_estimate(rows.columns, options, name)
    influence = compute_pooled_influence(comparable, weighting)
    ratio, covariance = float(influence.value[0]), influence.covariance
    options = choose_method(options, ratio, covariance)
    limits = find_ratio_limits(influence.columns, options, ratio, covariance)
    counts, options = comparable.columns.class_counts, name_bound(rows.columns, options)
    return make_ratio_estimate(counts, options, limits, ratio, covariance, name=name)


def check_weighting(columns: Columns, weighting: SegmentWeights) -> None:
    """Raise if segments cannot be weighted so."""
    check_word(weighting, "segment_weights", get_args(SegmentWeights))
    if weighting == "events" and not columns.has_events:
        raise CapcurveError(
            "`segment_weights='events'` requires 0/1 events, got amounts; pass "
            "`segment_weights='pairs'`, which weights segments by what their pairs differ"
        )
