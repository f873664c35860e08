"""Estimates lie within their bounds, whatever the rounding of sums."""

import numpy as np
import polars as pl
import pytest

from capcurve import CapSketch, gain_capture, gains_table

TOLERANCE = 1e-13  # as documented for sums of fractions


def make_rows(seed, *, amounts):
    rng = np.random.default_rng(seed)
    score = rng.integers(0, 100, 2000) / 100
    events = (rng.random(2000) < 0.1 * (0.5 + score)).astype(float)
    if amounts:
        return (events * rng.random(2000)).round(4), score, None
    return events, score, rng.random(2000) * 3


@pytest.mark.parametrize("amounts", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_estimates_of_fractions_lie_within_bounds(seed, amounts):
    outcome, score, weight = make_rows(seed, amounts=amounts)
    sketch = CapSketch()
    sketch.update(outcome, score, sample_weight=weight)
    shares = np.linspace(0.05, 1, 20)
    statistics = [sketch.accuracy_ratio, sketch.curve.ks]
    statistics += map(sketch.curve.capture_rate_at, shares)
    statistics += map(sketch.curve.lift_at, shares)
    for value, low, high in statistics:
        assert low <= value <= high <= low + TOLERANCE
    curve = sketch.cap_curve()
    assert (curve.low <= curve.capture_rate).all()
    assert (curve.capture_rate <= curve.high).all()


@pytest.mark.parametrize("amounts", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_tables_of_fractions_lie_within_bounds(seed, amounts):
    outcome, score, weight = make_rows(seed, amounts=amounts)
    columns = {"y": outcome, "s": score} | ({} if amounts else {"w": weight})
    frame = pl.LazyFrame(columns)
    options = {"approx": True, "case_weights": None if amounts else "w"}
    ratio = gain_capture(frame, "y", "s", **options).row(0, named=True)
    assert ratio["lower"] <= ratio["estimate"] <= ratio["upper"]
    table = gains_table(frame, "y", "s", bands=20, **options)
    assert (table["lower"] <= table["capture_rate"]).all()
    assert (table["capture_rate"] <= table["upper"]).all()
