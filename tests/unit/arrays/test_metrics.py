"""Functions on arrays: what they return, and several labels."""

from contextlib import nullcontext

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.metrics import roc_auc_score

from capcurve import (
    CapCurve,
    CAPCurveDisplay,
    CapcurveError,
    UndefinedMetricWarning,
    accuracy_ratio_interval,
    accuracy_ratio_score,
    cap_curve,
    capture_rate_interval,
    capture_rate_score,
    gain_cut_offs,
    gains_table,
    lift_curve,
    lift_interval,
    lift_score,
    perfect_cap_curve,
    response_rate_interval,
    response_rate_score,
)

RNG = np.random.default_rng(4)
LABELS = np.array(["low", "mid", "high"])
TRUTH = LABELS[RNG.integers(0, 3, 200)]
SCORES = RNG.dirichlet([1, 1, 1], 200).round(2)
WEIGHT = RNG.integers(0, 4, 200)
PROBABILITIES = SCORES / SCORES.sum(axis=1, keepdims=True)


def close(value):
    return pytest.approx(value, rel=1e-12)


def test_curves_are_fresh_arrays_that_the_caller_may_change():
    for curve in (cap_curve, lift_curve):
        assert all(array.flags.writeable for array in curve([1, 0, 1], [3, 2, 1]))
    assert all(array.flags.writeable for array in perfect_cap_curve([1, 0, 1]))


def test_lift_is_capture_by_share():
    share, captured, thresholds = cap_curve([1, 0, 1, 0], [4, 3, 2, 2])
    lift = lift_curve([1, 0, 1, 0], [4, 3, 2, 2])
    assert lift.population_share.tolist() == share[1:].tolist()
    assert lift.lift == close(captured[1:] / share[1:])
    assert lift.thresholds.tolist() == thresholds[1:].tolist()
    assert lift_score([1, 0, 1, 0], [4, 3, 2, 2], fraction=0.5) == 1
    assert capture_rate_score([1, 0, 1, 0], [4, 3, 2, 2], fraction=0.5) == 0.5


def test_floats_are_plain_floats():
    for value in (
        accuracy_ratio_score([1, 0], [2, 1]),
        accuracy_ratio_score(TRUTH, SCORES, labels=LABELS),
        capture_rate_score([1, 0], [2, 1], fraction=0.5),
        lift_score([1, 0], [2, 1], fraction=0.5),
    ):
        assert type(value) is float


@pytest.mark.parametrize("average", ["macro", "weighted"])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["unweighted", "weighted"])
def test_several_labels_are_averaged_as_scikit_learn_does(average, weight):
    ours = accuracy_ratio_score(
        TRUTH, PROBABILITIES, average=average, labels=LABELS, sample_weight=weight
    )
    columns = np.argsort(LABELS)  # scikit-learn wants its labels sorted
    theirs = roc_auc_score(
        TRUTH,
        PROBABILITIES[:, columns],
        multi_class="ovr",
        average=average,
        labels=LABELS[columns],
        sample_weight=weight,
    )
    assert ours == close(2 * theirs - 1)


def test_labels_are_sorted_by_default():
    by_default = accuracy_ratio_score(TRUTH, SCORES)
    assert by_default == accuracy_ratio_score(TRUTH, SCORES, labels=["high", "low", "mid"])


@pytest.mark.parametrize(
    "make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"]
)
@pytest.mark.parametrize("labels", [None, ["low", "mid", "high"]])
def test_columns_of_a_frame_that_are_named_after_the_labels_are_found_by_name(make, labels):
    perfect = make({label: (label == TRUTH) * 1.0 for label in ("mid", "high", "low")})
    assert accuracy_ratio_score(TRUTH, perfect, labels=labels) == 1
    estimate = accuracy_ratio_interval(TRUTH, perfect, labels=labels, method="wald")
    assert set(estimate.by_label) == set(LABELS)
    assert {part.value for part in estimate.by_label.values()} == {1.0}


@pytest.mark.parametrize("names", [[2, 0, 1], list("201")], ids=["numbers", "text"])
def test_columns_may_be_named_after_numbers(names):
    kinds = np.array([2, 1, 0, 0, 1])
    perfect = pd.DataFrame(kinds[:, np.newaxis] == [2, 0, 1], columns=names) * 1.0
    assert accuracy_ratio_score(kinds, perfect) == 1


@pytest.mark.parametrize("names", [list("xyz"), list("xxx"), range(3)], ids=str)
def test_columns_without_names_of_labels_stand_in_the_order_of_the_labels(names):
    kinds = np.array([3, 2, 1, 1, 2])
    perfect = pd.DataFrame(kinds[:, np.newaxis] == [2, 1, 3], columns=names) * 1.0
    assert accuracy_ratio_score(kinds, perfect, labels=[2, 1, 3]) == 1


@pytest.mark.parametrize(
    "make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"]
)
@pytest.mark.parametrize(
    "score",
    [accuracy_ratio_score, accuracy_ratio_interval, CAPCurveDisplay.from_predictions],
)
def test_a_frame_of_two_models_is_no_frame_of_two_labels(score, make):
    """As columns of labels, two models of equal rank have a mean AR of 0."""
    y, proba = np.array([0, 1, 0, 1, 1]), np.array([0.1, 0.9, 0.3, 0.2, 0.8])
    message = "named after the labels .0, 1., got 'lr', 'rf'; pass `labels` .* a dict"
    with pytest.raises(CapcurveError, match=message):
        score(y, make({"lr": proba, "rf": np.log(proba)}))


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_names_that_a_frame_gives_on_its_own_are_none(make):
    assert accuracy_ratio_score(TRUTH, make(SCORES)) == accuracy_ratio_score(TRUTH, SCORES)


@pytest.mark.parametrize("last", ["other", "mid"])
def test_columns_that_are_named_after_some_labels_only_are_refused(last):
    message = (
        "named after all labels .* or after none, got .*'mid' for 'mid'.*, and no column "
        "for 'high'; rename them"
    )
    for score in (accuracy_ratio_score, accuracy_ratio_interval):
        with pytest.raises(CapcurveError, match=message):
            score(TRUTH, pd.DataFrame(SCORES, columns=["low", "mid", last]))


def test_low_scores_first_for_several_labels():
    ascending = accuracy_ratio_score(TRUTH, SCORES, descending=False)
    assert ascending == close(-accuracy_ratio_score(TRUTH, SCORES))


@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_a_label_without_rows_is_left_out_with_a_warning(average):
    with pytest.warns(UndefinedMetricWarning, match="label 'none' is undefined") as caught:
        left_out = accuracy_ratio_score(
            TRUTH,
            np.column_stack([SCORES, SCORES[:, 0]]),
            labels=[*LABELS, "none"],
            average=average,
        )
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert left_out == accuracy_ratio_score(TRUTH, SCORES, labels=LABELS, average=average)


def test_one_label_alone_is_undefined():
    with pytest.warns(UndefinedMetricWarning):
        assert np.isnan(
            accuracy_ratio_score(["a", "a"], [[1, 2], [2, 1]], labels=["a", "b"])
        )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"labels": ["low", "mid"]}, "got 3 columns for 2 labels .*'low', 'mid'"),
        (
            {"labels": ["low", "mid", "top"]},
            "`labels` must include every label .* without 'high'",
        ),
        ({"average": "micro"}, "`average` must be 'macro' or 'weighted', got 'micro'"),
        ({"pos_label": "low"}, "`pos_label` does not apply to a two-dimensional"),
        ({"target_type": "continuous"}, "`target_type` does not apply"),
        ({"sample_weight": [1, 2]}, r"`y_score` \(200, 3\), `sample_weight` \(2,\)"),
    ],
)
def test_what_does_not_fit_several_labels_is_refused(options, message):
    with pytest.raises(CapcurveError, match=message):
        accuracy_ratio_score(TRUTH, SCORES, **options)


def test_labels_for_one_dimension_are_refused():
    with pytest.raises(CapcurveError, match="`labels` does not apply to a one-dimensional"):
        accuracy_ratio_score([1, 0], [1, 2], labels=[0, 1])


def test_a_matrix_with_a_nan_or_another_length_is_refused():
    with pytest.raises(
        CapcurveError, match="`y_score` must not hold missing values, got 1"
    ):
        accuracy_ratio_score(["a", "b"], [[1, np.nan], [2, 1]])
    with pytest.raises(CapcurveError, match=r"`y_true` \(3,\), `y_score` \(2, 2\)"):
        accuracy_ratio_score(["a", "b", "a"], [[1, 3], [2, 1]])


def test_lift_of_events_only_is_undefined_by_its_name():
    with pytest.warns(UndefinedMetricWarning, match="^lift is undefined and set to nan"):
        assert np.isnan(lift_score([1, 1], [2, 1], fraction=0.5))


@pytest.mark.parametrize(
    ("outcome", "counted"), [(0, (0, np.nan, np.nan)), (1, (1, 0.5, 1))]
)
def test_one_class_is_counted_in_groups_but_undefined_in_scores(outcome, counted):
    """As the cards of these metrics, the guide and the docstrings say."""
    y, s = [outcome] * 6, [*range(6)]
    frame = pl.DataFrame({"y": [*y, 0, 1], "s": [*s, 0, 1], "g": [*"aaaaaabb"]})
    names = ["response_rate", "capture_rate", "lift"]
    with pytest.warns(UndefinedMetricWarning):
        table = gains_table(frame, "y", "s", bands=2, by="g")
    with nullcontext() if outcome else pytest.warns(UndefinedMetricWarning):
        cut = gain_cut_offs(frame, "y", "s", population_share=0.5, by="g")
    assert table.select(names).row(0) == pytest.approx(counted, nan_ok=True)
    assert cut.select(names).row(0) == pytest.approx(counted, nan_ok=True)
    arrays = response_rate_score, capture_rate_score, lift_score
    intervals = response_rate_interval, capture_rate_interval, lift_interval
    for score, interval in zip(arrays, intervals, strict=True):
        with pytest.warns(UndefinedMetricWarning):
            assert np.isnan(score(y, s, fraction=0.5))
        with pytest.warns(UndefinedMetricWarning):
            assert np.isnan(interval(y, s, fraction=0.5).value)
    with pytest.raises(CapcurveError):
        CapCurve.from_predictions(y, s)


@pytest.mark.parametrize("fraction", [-0.5, 10])
def test_fractions_are_no_percentages(fraction):
    for function in (capture_rate_score, lift_score):
        with pytest.raises(CapcurveError, match="`fraction` must be a fraction"):
            function([1, 0], [1, 2], fraction=fraction)


def test_leaving_out_straight_points():
    kept = cap_curve([1, 1, 0, 0, 0], [5, 4, 3, 2, 1], drop_intermediate=True)
    assert kept.population_share.tolist() == [0, 0.4, 1]
    assert kept.thresholds.tolist() == [np.inf, 4, 1]
    lift = lift_curve([1, 1, 0, 0, 0], [5, 4, 3, 2, 1], drop_intermediate=True)
    assert lift.lift.tolist() == [2.5, 1]
    assert CapCurve.from_predictions([1, 0], [1, 1]).tally.bends.tolist() == [0]


@pytest.mark.parametrize("labels", [["red", "white"], list(np.array(["red", "white"]))])
def test_labels_are_shown_as_plain_values(labels):
    truth, scores = np.array(["red"] * 3), np.column_stack([[1, 2, 3], [3, 1, 2]])
    with (
        pytest.warns(UndefinedMetricWarning, match="of label 'white' is undefined"),
        pytest.warns(UndefinedMetricWarning, match="of label 'red' is undefined"),
    ):
        accuracy_ratio_score(truth, scores, labels=labels)
    with pytest.raises(CapcurveError, match=r"got 2 columns for 1 labels \('red'\)"):
        accuracy_ratio_score(truth, scores, labels=labels[:1])


def test_a_label_that_no_row_has_is_said_to_be_left_out_of_the_average():
    truth, scores = [0, 1, 0, 1], np.arange(12.0).reshape(4, 3) % 5
    with pytest.warns(UndefinedMetricWarning) as caught:
        found = accuracy_ratio_score(truth, scores, labels=[0, 1, 2])
    (warning,) = caught
    assert str(warning.message) == (
        "the accuracy ratio of label 2 is undefined, as no row has it, and left out of the "
        "average, which is that of 2 of 3 labels"
    )
    assert found == accuracy_ratio_score(truth, scores[:, :2], labels=[0, 1])


def test_an_average_of_no_label_is_said_to_be_nan():
    with pytest.warns(UndefinedMetricWarning) as caught:
        found = accuracy_ratio_score(["b"] * 3, np.eye(3, 2), labels=["a", "b"])
    assert [str(warning.message) for warning in caught] == [
        "the accuracy ratio of label 'a' is undefined, as no row has it, and set to nan",
        "the accuracy ratio of label 'b' is undefined, as every row has it, and set to nan",
    ]
    assert np.isnan(found)
