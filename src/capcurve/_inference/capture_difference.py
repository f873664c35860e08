"""Differences of the capture rates of two scores of the same rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from capcurve._inference.capture_rate import find_capture_limits
from capcurve._inference.comparison import Hypothesis, make_comparison
from capcurve._inference.contrasts import Difference
from capcurve._inference.estimate import Comparison
from capcurve._inference.influence import bessel_correction
from capcurve._inference.limits import t_quantile
from capcurve._inference.share_influence import RankedRows
from capcurve._inference.share_limits import ALMOST, combine_distances
from capcurve._input.columns import Columns


def compare_capture_rates(
    paired: Sequence[Columns], fraction: float, hypothesis: Hypothesis
) -> Comparison:
    """Compare the capture rates of two scores of the same rows at a population share.

    The test uses the variance of the difference, from the differences of the influences
    of each row, and Student's t with at most one degree of freedom less than there are
    rows (or clusters) in the minority class. The limits of the difference are made of
    those of either capture rate and of their correlation, widened for the same t: method
    MOVER of Zou (2007), doi:10.1037/1082-989X.12.4.399.
    """
    columns = paired[0]
    within = columns.has_events and columns.weights.cluster is None
    level, one_sided = hypothesis.confidence_level, hypothesis.alternative != "two-sided"
    values, psis, reaches, errors, blocks = [], [], [], [], []
    for each in paired:
        ranked = RankedRows.of_rows(each)
        cut = ranked.find_cut(fraction)
        low, high, error = find_capture_limits(
            ranked, cut, 2 * level - 1 if one_sided else level
        )
        values.append(cut.captured)
        psis.append(ranked.capture_influence(cut))
        reaches.append((cut.captured - low, high - cut.captured))
        errors.append(error)
        blocks.append(ranked.block)
    spread = ranked.measure(psis[0] - psis[1], within_classes=within)
    n_events, n_nonevents = columns.class_counts
    units = columns.n_minority
    correction = bessel_correction(units) if ranked.is_counted and units > 1 else 1.0
    difference = Difference(
        values[0],
        values[1],
        correction * spread.variance,
        min(spread.degrees_of_freedom, max(1, units - 1)),
        "influence",
        n_events,
        n_nonevents,
        f"capture rate at {100 * fraction:.4g} %",
    )
    found = make_comparison(difference, hypothesis)
    if np.array_equal(blocks[0], blocks[1]):  # the same ranking twice
        return found
    product = errors[0] * errors[1]
    shared = (errors[0] ** 2 + errors[1] ** 2 - spread.variance) / 2
    correlation = float(np.clip(shared / product, -1, 1)) if product > ALMOST else 0.0
    probability = level if one_sided else (1 + level) / 2
    wider = t_quantile(probability, max(1, units - 1)) / t_quantile(probability)
    down = wider * combine_distances(reaches[0][0], reaches[1][1], correlation)
    up = wider * combine_distances(reaches[0][1], reaches[1][0], correlation)
    low, high = max(-1.0, found.value - down), min(1.0, found.value + up)
    return replace(
        found,
        low=-1.0 if hypothesis.alternative == "less" else low,
        high=1.0 if hypothesis.alternative == "greater" else high,
    )
