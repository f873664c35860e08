"""Compare the accuracy ratios, or the capture rates, of two samples of rows."""

from __future__ import annotations

from math import nan

import numpy as np

from capcurve._inference.accuracy_ratio import estimate_accuracy_ratio
from capcurve._inference.capture_rate import estimate_capture_rate
from capcurve._inference.comparison import Hypothesis, make_comparison
from capcurve._inference.differences import compare_estimates
from capcurve._inference.estimate import Comparison, Estimate
from capcurve._inference.options import IntervalOptions
from capcurve._inference.wording import TWO_SAMPLES
from capcurve._input.columns import Columns


def compare_two_samples(
    first: Columns, second: Columns, fraction: float | None, hypothesis: Hypothesis
) -> Comparison:
    """Compare two samples without common rows, in either of which outcomes differ.

    Their accuracy ratios are compared or, at a fraction, their capture rates. Limits of a
    one-sided test of capture rates are made of one-sided limits, as in
    `compare_capture_rates`.
    """
    level = hypothesis.confidence_level
    if fraction is not None and hypothesis.alternative != "two-sided":
        level = max(2 * level - 1, 0.5)
    before = estimate_sample(first, fraction, level)
    after = estimate_sample(second, fraction, level)
    return make_comparison(compare_estimates(before, after, TWO_SAMPLES), hypothesis)


def estimate_sample(columns: Columns, fraction: float | None, level: float) -> Estimate:
    """Estimate AR or, at a fraction, the capture rate of a sample."""
    options = IntervalOptions(level)
    if fraction is None:
        return estimate_accuracy_ratio(columns, options)
    return estimate_capture_rate(columns, fraction, options._replace(method="wilson"))


def find_value(columns: Columns | None, fraction: float | None) -> float:
    """Find AR, or the capture rate, of one sample; nan without rows or a curve."""
    if columns is None or columns.is_constant:
        return nan
    return estimate_sample(columns, fraction, IntervalOptions().confidence_level).value


def count_shared_clusters(first: Columns | None, second: Columns | None) -> int:
    """Count the clusters that have rows in both samples; 0 if rows are independent."""
    if first is None or second is None:
        return 0
    clusters = first.weights.cluster, second.weights.cluster
    if clusters[0] is None or clusters[1] is None:
        return 0
    return len(np.intersect1d(clusters[0], clusters[1]))
