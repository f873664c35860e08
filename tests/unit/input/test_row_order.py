"""When the index of pandas says that rows are in another order."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from capcurve import (
    CapcurveError,
    FewEventsWarning,
    accuracy_ratio_at_reference,
    accuracy_ratio_score,
    gain_capture_vec,
)

Y = pd.Series([1, 0, 1, 0, 0, 1, 1, 0, 1, 0])
S = pd.Series([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
ROTATED = np.roll(np.arange(10), 3)


def refused(first, second):
    return pytest.raises(
        CapcurveError,
        match=rf"^`{second}` must have the index of `{first}` in the same order, got the "
        rf"same labels in another order; pass `{second}\.reindex\({first}\.index\)`, or "
        r"`\.to_numpy\(\)` of both if their rows are paired by position$",
    )


@pytest.mark.parametrize(
    "labels",
    [
        range(10),
        [*"abcdefghij"],
        pd.date_range("2024", periods=10),
        pd.MultiIndex.from_product([["x", "y"], range(5)]),
        [0.5, *"abcdefghi"],
    ],
    ids=["numbers", "text", "dates", "two levels", "mixed"],
)
def test_labels_in_another_order_are_refused_and_advice_mends_it(labels):
    y, s = Y.set_axis(labels), S.set_axis(labels)
    other = s.iloc[ROTATED]
    with refused("y_true", "y_score"):
        accuracy_ratio_score(y, other)
    right = accuracy_ratio_score(Y.tolist(), S.tolist())
    assert accuracy_ratio_score(y, other.reindex(y.index)) == right
    by_position = accuracy_ratio_score(Y.tolist(), S.iloc[ROTATED].tolist())
    assert accuracy_ratio_score(y.to_numpy(), other.to_numpy()) == by_position != right


@pytest.mark.parametrize(
    ("index", "other"),
    [
        (range(10), range(10)),
        (range(10), np.arange(10.0)),
        (ROTATED, ROTATED.copy()),
        (ROTATED, range(10, 20)),
        (range(5, 15), range(10)),
        ([*range(9), 20], [*range(8), 9, 8]),
        ([*"abcdefghii"], [*"iabcdefghi"]),
    ],
    ids=["equal", "of floats", "copied", "other", "some", "but one", "repeated"],
)
def test_other_indexes_say_nothing_about_order(index, other):
    right = accuracy_ratio_score(Y.tolist(), S.tolist())
    assert accuracy_ratio_score(Y.set_axis(index), S.set_axis(other)) == right


def test_weights_are_compared_with_scores_if_outcomes_have_no_index():
    with refused("y_score", "sample_weight"):
        accuracy_ratio_score(Y.to_numpy(), S, sample_weight=(S + 1).iloc[ROTATED])
    for holder in (np.array, list, pl.Series):
        accuracy_ratio_score(holder(Y), S, sample_weight=holder(S + 1))


def test_columns_outside_a_frame_are_compared():
    for kind in (pd.Series, pd.DataFrame):
        with refused("truth", "estimate"):
            gain_capture_vec(Y, kind(S).iloc[ROTATED])
    with refused("truth", "case_weights"):
        gain_capture_vec(Y, S.tolist(), case_weights=(S + 1).iloc[ROTATED])


def test_weights_of_a_reference_belong_to_its_rows():
    with refused("reference", "reference_weight"):
        accuracy_ratio_at_reference(
            Y, S // 5, S // 5, reference_weight=(S + 1).iloc[ROTATED]
        )
    with pytest.warns(FewEventsWarning):
        accuracy_ratio_at_reference(Y, S // 5, {0: 1, 1: 3})
