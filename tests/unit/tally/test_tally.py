"""The tally: six rows by hand."""

import numpy as np
import pytest

from capcurve import CapCurve
from capcurve._tally.tally import Tally

# score 3: one event; score 2: one event, one not; score 1: one event, two not
TALLY = Tally(np.array([3, 2, 1]), np.array([1, 2, 3]), np.array([1, 1, 1]))


def test_the_gain_is_mass_below_less_mass_above():
    # events stand above 5, above 3 and below 1, and above 0 and below 3 rows
    assert TALLY.concordance_surplus == 1 * (5 - 0) + 1 * (3 - 1) + 1 * (0 - 3)


def test_the_perfect_tally_of_events_has_two_entries():
    perfect = TALLY.events_first()
    assert perfect.weight.tolist() == [3, 3]
    assert perfect.target.tolist() == [3, 0]
    assert perfect.concordance_surplus == 3 * 3
    assert TALLY.accuracy_ratio(perfect) == 4 / 9


def test_tied_pairs_are_counted_inside_entries():
    assert TALLY.tied_pair_mass == 0 + 1 * 1 + 1 * 2


def test_the_largest_gap_is_scaled_by_both_totals():
    # after 1 row: 1/3 of events, 1/6 of rows; after 3: 2/3 and 1/2; both 1/6 apart
    assert TALLY.max_distance == pytest.approx(1 / 6 * 3 * 6)


def test_the_curve_bends_where_the_event_rate_changes():
    straight = Tally(np.arange(4), np.array([1, 2, 4, 3]), np.array([1, 2, 4, 0]))
    assert straight.bends.tolist() == [2, 3]


def test_its_arrays_are_locked():
    with pytest.raises(ValueError, match="read-only"):
        TALLY.weight[0] = 9


def test_counts_stay_integers():
    tally = CapCurve.from_predictions([1, 0, 0], [3, 2, 2]).tally
    assert tally.weight.dtype == tally.target.dtype == np.int64
    assert isinstance(tally.concordance_surplus, int)
    merged = tally.merge(tally)
    assert merged.weight.tolist() == [2, 4]
    assert merged.weight.dtype == np.int64
