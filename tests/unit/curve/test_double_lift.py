"""Double lift against brute force over fractions."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capcurve import CapcurveError, DoubleLift

whole = st.integers(1, 6)
rows = st.lists(
    st.tuples(st.integers(0, 9), whole, whole, st.integers(1, 4)), min_size=1, max_size=20
)


def average(found, weights, value):
    """Average over rows of which a part is in a band."""
    total = sum(weights)
    return sum(w * value(row) for w, row in zip(weights, found, strict=True)) / total


def split_by_hand(found, n_bands):
    """Give each band its part of each row, ties pro rata."""
    blocks = {}
    for row in found:
        blocks.setdefault(Fraction(row[2], row[1]), []).append(row)
    width = Fraction(sum(row[3] for row in found), n_bands)
    bands, reached = [[] for _ in range(n_bands)], Fraction(0)
    for ratio in sorted(blocks):
        mass = sum(row[3] for row in blocks[ratio])
        for i, band in enumerate(bands):
            inside = min(reached + mass, width * (i + 1)) - max(reached, width * i)
            if inside > 0:
                part = inside / mass
                band += [(row, row[3] * part, ratio) for row in blocks[ratio]]
        reached += mass
    return bands


@given(rows, st.integers(2, 7))
def test_bands_hold_what_brute_force_gives_them(found, n_bands):
    y, a, b, weight = (np.array(column, dtype=float) for column in zip(*found, strict=True))
    result = DoubleLift.from_predictions(
        y, a, b, sample_weight=weight, bands=n_bands, target_type="continuous"
    )
    names = ("outcome", "prediction_a", "prediction_b")
    for i, band in enumerate(split_by_hand(found, n_bands)):
        members, weights, ratios = zip(*band, strict=True)
        assert result.n[i] == pytest.approx(float(sum(weights)))
        for place, name in enumerate(names):
            expected = average(members, weights, lambda row, p=place: row[p])
            assert getattr(result, name)[i] == pytest.approx(float(expected), abs=1e-9)
        if all(weight > 1e-6 for weight in weights):
            shown = result.lowest_ratio[i], result.highest_ratio[i]
            assert shown[0] <= float(min(ratios)) + 1e-9
            assert shown[1] >= float(max(ratios)) - 1e-9
    totals = [np.average(column, weights=weight) for column in (y, a, b)]
    assert [result.total_outcome, result.total_a, result.total_b] == pytest.approx(totals)


@given(rows, st.randoms(use_true_random=False))
def test_the_order_of_rows_has_no_influence(found, random):
    shuffled = list(found)
    random.shuffle(shuffled)
    results = []
    for each in (found, shuffled):
        y, a, b, weight = (np.array(column) for column in zip(*each, strict=True))
        options = {"sample_weight": weight, "target_type": "continuous", "bands": 3}
        results.append(DoubleLift.from_predictions(y, a, b, **options).to_dict())
    for name in results[0]:
        assert results[0][name] == pytest.approx(results[1][name], abs=1e-12)


def test_ratios_that_differ_by_rounding_are_tied():
    rng = np.random.default_rng(0)
    a = rng.uniform(0.1, 9, 1_000)
    y = np.sort(a)
    found = DoubleLift.from_predictions(y, a, 1.1 * a, bands=4)
    assert found.outcome == pytest.approx(np.full(4, y.mean()))
    assert found.prediction_b == pytest.approx(1.1 * found.prediction_a)


def test_the_better_model_is_closer_where_they_disagree():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(20_000, 2))
    mean = np.exp(x[:, 0] + x[:, 1] / 2)
    y = rng.gamma(1, mean)
    found = DoubleLift.from_predictions(y, np.exp(x[:, 0]), mean)
    errors = [np.abs(found.outcome - each) for each in (found.prediction_a, mean.mean())]
    assert np.abs(found.outcome - found.prediction_b)[[0, -1]].max() < errors[0][-1]
    assert np.all(np.diff(found.highest_ratio) > 0)


def test_predictions_are_rescaled_to_the_total_outcome():
    y, a, b = [0.5, 2.5, 3.0, 6.0], [2.0, 2.0, 2.0, 2.0], [4.0, 8.0, 12.0, 24.0]
    plain = DoubleLift.from_predictions(y, a, b, bands=2)
    found = DoubleLift.from_predictions(y, a, b, bands=2, rescale=True)
    assert (plain.rescaled, found.rescaled) == (False, True)
    assert found.prediction_b.tolist() == plain.outcome.tolist() == [1.5, 4.5]
    assert found.prediction_a.tolist() == [3, 3]
    assert found.total_a == found.total_b == found.total_outcome == 3
    assert found.lowest_ratio.tolist() == plain.lowest_ratio.tolist()
    with pytest.raises(
        CapcurveError, match="`rescale=True` requires a total outcome above"
    ):
        DoubleLift.from_predictions([0.0, 0.0], [1, 2], [2, 1], rescale=True)


def test_events_and_labels_have_rates():
    found = DoubleLift.from_predictions(
        ["b", "g", "b", "g"], [0.1] * 4, [0.1, 0.2, 0.3, 0.4], pos_label="b", bands=2
    )
    assert found.outcome.tolist() == [0.5, 0.5]


def test_columns_make_a_frame():
    found = DoubleLift.from_predictions([1.5, 2.5], [1, 2], [2, 1], bands=2)
    frame = pd.DataFrame(found.to_dict())
    assert frame.columns.tolist() == [
        *("band", "n", "lowest_ratio", "highest_ratio"),
        *("outcome", "prediction_a", "prediction_b"),
    ]
    assert frame["band"].tolist() == [1, 2]
    with pytest.raises(ValueError, match="read-only"):
        found.outcome[0] = 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"y_score_a": [0, 2]},
            "`y_score_a` must hold predictions above 0.* 1 that are 0 o",
        ),
        ({"y_score_b": [-1, -2]}, "`y_score_b` must hold .*, got 2 that are 0 or less; "),
        ({"y_score_b": [np.inf, 2]}, "`y_score_b` must hold .* 1 that are infinite"),
        ({"bands": 1}, "`bands` must be a whole number from 2 to 1,000,000, got 1"),
        ({"bands": 2.5}, "`bands` must be a whole number .*, got 2.5"),
        ({"rescale": 1}, "`rescale` must be True or False, got 1"),
        ({"y_score_b": [1]}, "arrays must have equal lengths"),
        ({"y_score_b": [1, np.nan]}, "`y_score_b` .*missing"),
    ],
)
def test_what_cannot_be_compared_is_refused(change, message):
    options = {"y_true": [1.5, 2.5], "y_score_a": [1, 2], "y_score_b": [2, 1]} | change
    with pytest.raises(CapcurveError, match=message):
        DoubleLift.from_predictions(**options)
