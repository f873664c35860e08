"""Tests of `capcurve._engines.near_rows`."""

import numpy as np
import pytest

from capcurve._engines.near_rows import NearRows, choose_near_rows
from capcurve._tally.order import floats_from_keys

FEW = np.array([0.1, 0.5, 0.5, 2.5, 9.0])
BATCHES = np.array([0.5, 0.7, 1.5, 2.5]), np.array([-3.0, 0.5, 2.0, 3.0])


@pytest.fixture
def near():
    rows = NearRows(FEW, np.array([0.0, 2.0]), np.array([1.0, 3.0]))
    for batch in BATCHES:
        rows.add(batch)
    return rows


@pytest.mark.parametrize("of_events", [True, False])
def test_rows_in_ranges_are_counted_by_score(near, of_events):
    low, high = np.array([0.1, 2.0]), np.array([0.5, 2.5])
    bins = near.bin_scores(low, high, of_events=of_events)
    few, many = [1, 2, 0, 1], [0, 2, 1, 1]
    assert floats_from_keys(bins.lowest).tolist() == [0.1, 0.5, 2.0, 2.5]
    assert bins.weight.tolist() == [1, 4, 1, 2]
    assert bins.target.tolist() == (few if of_events else many)


@pytest.mark.parametrize(("low", "high"), [(0.5, 1.1), (1.2, 1.4), (-0.1, 0.1), (2.0, 9.0)])
def test_ranges_that_reach_beyond_are_not_counted(near, low, high):
    low, high = np.array([0.2, low]), np.array([0.4, high])
    assert near.bin_scores(low, high, of_events=True) is None


def test_too_many_ranges_are_not_kept():
    batch = np.arange(1_000.0)
    for at, is_kept in (([0.5], True), (np.linspace(0, 1, 100), False)):
        rows = choose_near_rows(batch, np.tile(batch, 100), batch, at, 100_000)
        assert bool(len(rows.low)) == is_kept
