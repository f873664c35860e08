"""A group is a sample of its own clusters, however many the other rows have."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from capcurve import accuracy_ratio_interval, compare_segments
from capcurve._inference.accuracy_ratio import estimate_accuracy_ratio
from capcurve._inference.options import IntervalOptions
from capcurve._input.columns import Weights
from capcurve._input.reading import read_columns
from capcurve.datasets import make_portfolio

ROW = np.arange(800)
ROWS = pl.DataFrame(make_portfolio(800)).with_columns(
    borrower=np.where(ROW < 60, ROW % 19 + 400, ROW // 2),
    group=np.where(ROW < 60, "a", "b"),
    default=ROW % 5 == 0,
)
OF_A = [ROWS[name][:60] for name in ("default", "champion_pd", "borrower")]


@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
def test_the_interval_of_a_group_is_that_of_its_rows():
    alone = accuracy_ratio_interval(*OF_A[:2], clusters=OF_A[2])
    found = compare_segments(
        ROWS, "default", "champion_pd", by="group", clusters="borrower"
    )
    assert found.sort("group")["low"][0] == alone.low
    assert found.sort("group")["high"][0] == alone.high


@pytest.mark.parametrize("method", ["beta", "logit-t", "bootstrap", "bca"])
def test_gaps_between_the_numbers_of_clusters_do_not_count(method):
    rows = read_columns(*OF_A[:2], clusters=OF_A[2])
    gaps = replace(rows, weights=Weights(cluster=3 * rows.weights.cluster + 400))
    options = IntervalOptions(method=method, n_resamples=100, random_state=1)
    first, second = (estimate_accuracy_ratio(each, options) for each in (rows, gaps))
    assert (first.low, first.high) == (second.low, second.high)
