"""A heavy score of many digits, which no fixed bins tell apart: its width is told."""

import warnings

import numpy as np
import polars as pl
import pytest

from capcurve import BinnedCurve, CapSketch, WideBoundsWarning, accuracy_ratio_score

RNG = np.random.default_rng(1)
N = 300_000
HEAVY = 0.0187346512
SCORE = np.where(RNG.random(N) < 0.5, HEAVY, RNG.beta(0.4, 12, N))
EVENT = RNG.random(N) < 0.01 + SCORE


def test_a_heavy_score_among_too_many_is_named():
    sketch = CapSketch()
    sketch.update(EVENT, SCORE)
    with pytest.warns(
        WideBoundsWarning,
        match=r"at least 0\.\d+ apart, because 50% of the rows share a bin, with scores "
        r"from 0\.0187\d* to 0\.0187\d*; for the exact number rank the rows",
    ):
        ratio = sketch.accuracy_ratio
    assert ratio.low <= accuracy_ratio_score(EVENT, SCORE) <= ratio.high
    rounded = CapSketch()
    rounded.update(EVENT, np.where(HEAVY == SCORE, 0.0187, SCORE))
    assert rounded.accuracy_ratio.high - rounded.accuracy_ratio.low < 1e-4


def test_a_query_isolates_it_with_another_scan():
    query = pl.LazyFrame({"y": EVENT, "s": SCORE})
    ratio = BinnedCurve.from_frame(query, "y", "s").accuracy_ratio
    assert ratio.low <= accuracy_ratio_score(EVENT, SCORE) <= ratio.high
    assert ratio.high - ratio.low < 1e-4
    low_first = BinnedCurve.from_frame(query, "y", "s", descending=False).accuracy_ratio
    assert low_first == pytest.approx((-ratio.value, -ratio.high, -ratio.low))


@pytest.mark.parametrize("outcome", ["amounts", "one event"])
def test_other_outcomes_warn_of_nothing_else(outcome):
    amounts = np.where(EVENT, 2.5, 0.0)
    sketch = CapSketch(target_type="continuous" if outcome == "amounts" else "binary")
    sketch.update(amounts if outcome == "amounts" else np.arange(N) == 5, SCORE)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        _ = sketch.accuracy_ratio
    assert {warning.category for warning in caught} <= {WideBoundsWarning}


def test_whoever_asks_for_few_bins_is_not_warned():
    sketch = CapSketch(64)
    sketch.update(EVENT, SCORE)
    assert sketch.accuracy_ratio.high - sketch.accuracy_ratio.low > 0.1
