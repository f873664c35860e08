"""The gains table on cases by hand."""

import numpy as np
import pandas as pd
import pytest

from capcurve import CapCurve, CapcurveError
from capcurve._curve.gains_table import GainsTable
from capcurve.datasets import make_portfolio

# best first: event, not, event, not, not
CURVE = CapCurve.from_predictions([1, 0, 1, 0, 0], [5, 4, 3, 2, 1])
# one block of four ties with two events, then four rows without
TIED = CapCurve.from_predictions([1, 1, 0, 0, 0, 0, 0, 0], [2, 2, 2, 2, 1, 1, 1, 1])


def columns(curve, bands):
    return {
        name: column.tolist()
        for name, column in GainsTable.from_curve(curve, bands).to_dict().items()
    }


def test_two_bands_by_hand():
    table = columns(CURVE, [0.4])
    assert table["band"] == [1, 2]
    assert table["n"] == [2, 3]
    assert table["n_events"] == [1, 1]
    assert table["response_rate"] == pytest.approx([1 / 2, 1 / 3])
    assert table["population_share"] == [0.4, 1]
    assert table["capture_rate"] == [0.5, 1]
    assert table["lift"] == [1.25, 1]
    assert table["band_lift"] == pytest.approx([1.25, 5 / 6])
    assert table["ks"] == pytest.approx([1 / 2 - 1 / 3, 0])
    assert table["highest_score"] == [5, 3]
    assert table["lowest_score"] == [4, 1]


def test_ties_across_an_edge_are_split_pro_rata():
    table = columns(TIED, 4)
    assert table["n"] == [2, 2, 2, 2]
    assert table["n_events"] == [1, 1, 0, 0]
    assert table["highest_score"] == table["lowest_score"] == [2, 2, 1, 1]


def test_one_row_for_each_score():
    table = columns(TIED, "scores")
    assert table["n"] == [4, 4]
    assert table["n_events"] == [2, 0]
    assert table["lowest_score"] == [2, 1]


@pytest.mark.parametrize("bands", [1, 10, [0.01, 0.05, 0.1], [0, 0.5, 1], "scores"])
def test_bands_add_up_to_the_population(bands):
    loans = make_portfolio(2_000)
    curve = CapCurve.from_predictions(
        loans["loss"], loans["champion_pd"], sample_weight=loans["exposure"]
    )
    table = GainsTable.from_curve(curve, bands)
    assert table.n.sum() == pytest.approx(curve.total_weight)
    assert table.n_events.sum() == pytest.approx(curve.total_target)
    assert (table.population_share[-1], table.capture_rate[-1]) == (1, 1)
    assert np.all(table.highest_score >= table.lowest_score)


@pytest.mark.parametrize(
    "bands",
    [
        [0.5, 0.4],
        [0.2, 0.2],
        [-0.1],
        [10, 20],
        [np.nan],
        [[0.1], [0.2]],
        [None],
        ["half"],
        [True],
        "deciles",
        None,
        True,
        2.5,
        {0.1: "top"},
    ],
    ids=repr,
)
def test_edges_that_make_no_sense_are_refused(bands):
    with pytest.raises(CapcurveError, match="increasing population shares"):
        GainsTable.from_curve(CURVE, bands)


def test_no_bands_are_refused():
    with pytest.raises(
        CapcurveError, match=r"`bands` must be at least 1 .*, got 0; 10 are"
    ):
        GainsTable.from_curve(CURVE, 0)
    with pytest.raises(CapcurveError, match="got rows of unequal length"):
        GainsTable.from_curve(CURVE, [[0.1], [0.2, 0.3]])


@pytest.mark.parametrize("bands", [2, np.int64(2), np.uint8(2), [0.5], pd.Series([0.5, 1])])
def test_bands_may_be_any_numbers(bands):
    assert GainsTable.from_curve(CURVE, bands) == GainsTable.from_curve(CURVE, (0, 0.5, 1))
