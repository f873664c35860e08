"""When the index of pandas says that rows are in another order."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score, cross_validate

from capcurve import (
    CAPCurveDisplay,
    CapcurveError,
    FewEventsWarning,
    accuracy_ratio_at_reference,
    accuracy_ratio_score,
    accuracy_ratio_scorer,
    gain_capture_vec,
)

Y = pd.Series([1, 0, 1, 0, 0, 1, 1, 0, 1, 0])
S = pd.Series([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
ROTATED = np.roll(np.arange(10), 3)


def refused(first, second, end="$"):
    return pytest.raises(
        CapcurveError,
        match=rf"^`{second}` must have the index of `{first}` in the same order, got the "
        rf"same labels in another order; pass `{second}\.reindex\({first}\.index\)` to "
        rf"pair rows by label, or `\.to_numpy\(\)` of both to pair them by position{end}",
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
        ([*"abcdefghii"], [*"iabcdefghh"]),
        ([*"abcdefghii"], [*"abcdefghii"]),
    ],
    ids=["equal", "of floats", "copied", "other", "some", "but one", "more often", "twice"],
)
def test_other_indexes_say_nothing_about_order(index, other):
    right = accuracy_ratio_score(Y.tolist(), S.tolist())
    assert accuracy_ratio_score(Y.set_axis(index), S.set_axis(other)) == right


@pytest.mark.parametrize(
    "labels",
    [
        [0, 1, 2, 3, 4] * 2,
        ["x", None, "y", "z", np.nan] * 2,
        pd.MultiIndex.from_product([["x", "x"], range(5)]),
    ],
    ids=["numbers", "missing", "two levels"],
)
def test_labels_that_are_repeated_are_refused_in_another_order(labels):
    """As of two frames that were put one below the other, and one of them sorted."""
    y, s = Y.set_axis(labels), S.set_axis(labels)
    told = "same labels in another order; keep both in one data frame, as labels are repeat"
    for other in (s.iloc[ROTATED], s.iloc[::-1]):
        with pytest.raises(CapcurveError, match=told):
            accuracy_ratio_score(y, other)
    right = accuracy_ratio_score(Y.tolist(), S.tolist())
    assert accuracy_ratio_score(y, s) == right


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


class PandasClassifier(LogisticRegression):
    """A classifier that gives its scores an index of their own."""

    def decision_function(self, rows):
        return pd.Series(super().decision_function(rows))


def test_a_new_index_of_predictions_tells_of_both_remedies():
    """Of one fold, whose shuffled rows hold the labels 0, 1, ... that the scores get."""
    rng = np.random.default_rng(0)
    order = rng.permutation(40)
    rows = pd.DataFrame({"a": rng.normal(size=80)}, index=[*order, *range(40, 80)])
    events = (rows["a"] + rng.normal(size=80) > 0).astype(int)
    scoring = make_scorer(accuracy_ratio_score, response_method="decision_function")
    folds = [(np.arange(40, 80), np.arange(40))]
    tools = {"cv": folds, "error_score": "raise"}
    told = (
        r", as for predictions that a model gave a new index 0, 1, 2, \.\.\. \(in a "
        r"scorer: hand `y\.to_numpy\(\)` to scikit-learn, or use `accuracy_ratio_scorer`\)$"
    )
    with refused("y_true", "y_score", told):
        cross_val_score(PandasClassifier(), rows, events, scoring=scoring, **tools)
    mended = [
        cross_val_score(PandasClassifier(), rows, y, scoring=each, **tools)
        for y, each in ((events.to_numpy(), scoring), (events, accuracy_ratio_scorer))
    ]
    plain = cross_val_score(
        LogisticRegression(), rows, events, scoring=accuracy_ratio_scorer, **tools
    )
    assert mended == [plain, plain]


class PandasRegression(LinearRegression):
    """A model that gives its predictions an index of their own."""

    def predict(self, rows):
        return pd.Series(super().predict(rows))


@pytest.mark.parametrize("model", [LogisticRegression(), PandasRegression()])
def test_scikit_learn_ranks_shuffled_rows_as_it_ranks_arrays(model):
    """Predictions have no index, or one that says nothing of the rows they were made of."""
    rng = np.random.default_rng(0)
    rows = pd.DataFrame(rng.normal(size=(120, 2)), columns=["a", "b"])
    events = (rows["a"] + rng.normal(size=120) > 0).astype(int)
    order = rng.permutation(120)
    rows, events = rows.loc[order], events.loc[order]
    weight = pd.Series(order % 3 + 1.0, index=order)
    found = [run_tools(clone(model), rows, events, weight)]
    found.append(run_tools(clone(model), rows.to_numpy(), events.to_numpy(), weight.array))
    assert found[0] == pytest.approx(found[1], rel=1e-9)


def run_tools(model, rows, events, weight):
    """Score a model by every tool that hands rows and predictions to capcurve."""
    scoring, cv = accuracy_ratio_scorer, KFold(3, shuffle=True, random_state=0)
    folds = cross_validate(
        model,
        rows,
        events,
        scoring=scoring,
        cv=cv,
        return_estimator=True,
        return_indices=True,
    )
    search = GridSearchCV(model, {"fit_intercept": [True]}, scoring=scoring, cv=cv)
    fitted = search.fit(rows, events).best_estimator_
    importance = permutation_importance(
        fitted, rows, events, scoring=scoring, n_repeats=2, random_state=0
    )
    display = CAPCurveDisplay.from_estimator(fitted, rows, events, sample_weight=weight)
    of_folds = CAPCurveDisplay.from_cv_results(folds, rows, events, sample_weight=weight)
    plt.close("all")
    return [
        *folds["test_score"],
        *cross_val_score(model, rows, events, scoring=scoring, cv=cv),
        search.best_score_,
        *importance.importances.ravel(),
        scoring(fitted, rows, events, sample_weight=weight),
        display.curve.accuracy_ratio,
        *(curve.accuracy_ratio for curve in of_folds.curve),
    ]
