"""Bins that make the bounds of AR wide, named at once."""

import numpy as np

from capcurve._curve.binned_ranking import BinnedRanking
from capcurve._tally.bins import compute_min_outcome_weight
from capcurve._tally.order import read_keys
from capcurve.exceptions import WideBoundsWarning, warn_caller

FEW_BINS = 1_000  # whoever asks for fewer bins than that expects wide bounds
WIDE = 0.01  # bounds of AR that one bin keeps apart


def warn_of_wide_bin(curve: BinnedRanking) -> None:
    """Warn if a single bin of several scores keeps the bounds of AR apart."""
    bins = curve.by_score
    if curve.exact or len(bins) < FEW_BINS:
        return
    slack = bins.target * (bins.weight - compute_min_outcome_weight(bins))
    events, rest = float(bins.target.sum()), float((bins.weight - bins.target).sum())
    widest = int(np.argmax(slack))
    width = 2 * float(slack[widest]) / (events * rest) if events * rest > 0 else 0.0
    if width <= WIDE:
        return
    low, high = (
        read_keys(keys[[widest]], bins.grid).item() for keys in (bins.lowest, bins.highest)
    )
    share = float(bins.weight[widest]) / float(bins.weight.sum())
    warn_caller(
        f"the bounds of AR are at least {min(width, 2):.2g} apart, because {share:.0%} of "
        f"the rows share a bin, with scores from {low!r} to {high!r}; for the exact number "
        "rank the rows, without `approx` or a sketch, or round these scores to one",
        WideBoundsWarning,
    )
