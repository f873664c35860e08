"""Differences of the capture rates of two scores of the same rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import inf, nan, sqrt

import numpy as np

from capcurve._inference.capture_rate import find_capture_limits
from capcurve._inference.comparison import (
    Hypothesis,
    JointComparison,
    compare_jointly,
    make_comparison,
)
from capcurve._inference.contrasts import adjust_holm
from capcurve._inference.differences import Difference, LimitDistances
from capcurve._inference.estimate import Comparison
from capcurve._inference.influence import bessel_correction
from capcurve._inference.limits import t_quantile
from capcurve._inference.share_influence import RankedRows, count_smaller_class
from capcurve._inference.share_limits import ALMOST, combine_distances
from capcurve._inference.wording import name_share
from capcurve._input.columns import Columns


def compare_capture_rates(
    paired: Sequence[Columns], fraction: float, hypothesis: Hypothesis
) -> Comparison:
    """Compare the capture rates of two scores of the same rows at a population share.

    The limits of the difference are made of those of either capture rate and of their
    correlation, by method MOVER of Zou (2007), doi:10.1037/1082-989X.12.4.399, widened for
    Student's t with at most one degree of freedom less than there are rows (or clusters)
    in the minority class; the test is the one that belongs to them.
    """
    columns = paired[0]
    level = hypothesis.confidence_level
    if hypothesis.alternative != "two-sided":
        level = max(2 * level - 1, 0.5)
    cuts = [RankedRows.of_columns(each) for each in paired]
    name = name_share("capture rate", fraction, has_events=columns.has_events)
    if fraction == 1:
        return make_comparison(take_all(columns, name), hypothesis)
    values, psis, reaches, errors = [], [], [], []
    for ranked in cuts:
        cut = ranked.find_cut(fraction)
        low, high, error = find_capture_limits(ranked, cut, level, are_widened=False)
        values.append(cut.captured)
        psis.append(ranked.capture_influence(cut))
        reaches.append((cut.captured - low, high - cut.captured))
        errors.append(error)
    spread = cuts[0].measure(psis[0] - psis[1])
    units = columns.n_minority
    correction = bessel_correction(units) if cuts[0].is_counted and units > 1 else 1.0
    product = errors[0] * errors[1]
    shared = (errors[0] ** 2 + errors[1] ** 2 - spread.variance) / 2
    correlation = float(np.clip(shared / product, -1, 1)) if product > ALMOST else 0.0
    quantile = t_quantile((1 + level) / 2)
    distances = LimitDistances(
        below=combine_distances(reaches[0][0], reaches[1][1], correlation) / quantile,
        above=combine_distances(reaches[0][1], reaches[1][0], correlation) / quantile,
    )
    difference = Difference(
        first=values[0],
        second=values[1],
        standard_error=sqrt(correction * spread.variance),
        degrees_of_freedom=max(1.0, units - 1.0),
        method="limits",
        class_counts=columns.class_counts,
        distances=distances,
        name=name,
        largest=1.0,
        is_identity=np.array_equal(cuts[0].block, cuts[1].block),
        n_effective=count_smaller_class(columns),
    )
    return make_comparison(difference, hypothesis)


def take_all(columns: Columns, name: str) -> Difference:
    """Return the difference where all rows are selected, and all outcomes captured."""
    return Difference(
        first=1.0,
        second=1.0,
        standard_error=0.0,
        degrees_of_freedom=inf,
        method="limits",
        class_counts=columns.class_counts,
        distances=LimitDistances(0.0, 0.0),
        name=name,
        largest=1.0,
        is_identity=True,
    )


def compare_scores(
    names: Sequence[str],
    paired: Sequence[Columns],
    fraction: float | None,
    hypothesis: Hypothesis,
) -> JointComparison:
    """Compare the accuracy ratios of scores or, at a fraction, their capture rates.

    Capture rates have no joint test.
    """
    if fraction is None:
        return compare_jointly(names, paired, None, "score", hypothesis)
    pairs = {
        (names[i], names[j]): compare_capture_rates(
            [paired[i], paired[j]], fraction, hypothesis
        )
        for i, j in combinations(range(len(names)), 2)
    }
    adjusted = adjust_holm([pair.p_value for pair in pairs.values()])
    captured = {name: pair.first for (name, _), pair in pairs.items()}
    captured |= {name: pair.second for (_, name), pair in pairs.items()}
    return JointComparison(
        statistic=nan,
        degrees_of_freedom=0,
        residual_degrees_of_freedom=nan,
        p_value=nan,
        ratios=captured,
        pairs=pairs,
        p_holm=dict(zip(pairs, adjusted, strict=True)),
    )
