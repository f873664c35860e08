"""Names of what is few, which say only what counts for less in these rows."""

import numpy as np
import polars as pl
import pytest

from capcurve import FewEventsWarning, compare_models, gains_table
from capcurve._inference.reliability import show_few
from capcurve._inference.small_class import describe_small_class
from capcurve._input.columns import Columns, Weights

EVENTS, AMOUNTS = np.array([True, False]), np.array([0.5, 1.5])
ONES, CLUSTERS = np.array([1.0, 2.0]), np.array([0, 0])


@pytest.mark.parametrize(
    ("target", "weights", "told"),
    [
        (EVENTS, Weights(), "fewer than 20 events or non-events"),
        (
            EVENTS,
            Weights(value=ONES, counts_rows=True),
            "fewer than 20 events or non-events",
        ),
        (
            EVENTS,
            Weights(value=ONES),
            (
                "effectively fewer than 20 events or non-events (unequal weights count "
                "for less)"
            ),
        ),
        (
            EVENTS,
            Weights(cluster=CLUSTERS),
            (
                "effectively fewer than 20 events or non-events (rows of one cluster count "
                "for less)"
            ),
        ),
        (
            AMOUNTS,
            Weights(),
            "fewer than 20 effective pairs of rows (unequal amounts count for less)",
        ),
        (
            AMOUNTS,
            Weights(value=ONES, cluster=CLUSTERS),
            (
                "fewer than 20 effective pairs of rows (unequal amounts and weights, and "
                "rows of one cluster, count for less)"
            ),
        ),
    ],
)
def test_only_what_rows_have_counts_for_less(target, weights, told):
    rows = Columns(target, np.array([1.0, 2.0]), weights)
    assert describe_small_class([None, rows]) == told


def test_bins_that_have_limits_are_counted():
    assert describe_small_class([]) == "fewer than 20 events or non-events"


def test_at_a_share_rows_above_0_are_counted():
    amounts = np.zeros(400)
    amounts[:15] = 1 + np.arange(15)
    frame = pl.DataFrame({"y": amounts, "s": np.arange(400) % 37, "t": np.arange(400)})
    of_share = r"^fewer than 20 rows above 0 \(unequal amounts count for less\)"
    with pytest.warns(FewEventsWarning, match=of_share):
        gains_table(frame, "y", "s", confidence_level=0.9)
    with pytest.warns(FewEventsWarning, match=of_share):
        compare_models(frame, "y", ["s", "t"], fraction=0.1)
    with pytest.warns(FewEventsWarning, match="^fewer than 10 effective pairs ranked"):
        compare_models(frame, "y", ["s", "t"])
    fewer = frame.with_columns(y=pl.Series(np.where(amounts < 8, amounts / 2, 0)))
    with pytest.warns(FewEventsWarning, match="^fewer than 20 effective pairs of rows"):
        compare_models(fewer, "y", ["s", "t"])


@pytest.mark.parametrize(
    ("n", "shown"), [(19.96, "19.96"), (19.9999, "19.9999"), (12.34, "12.3"), (20.0, "20")]
)
def test_few_are_not_shown_as_the_limit_of_few(n, shown):
    assert show_few(n) == shown
