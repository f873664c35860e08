"""Options and data of other types than asked for are refused by name."""

import re
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from capcurve import (
    CapCurve,
    CAPCurveDisplay,
    CapcurveError,
    GainsTable,
    Scorer,
    accuracy_ratio_interval,
    accuracy_ratio_score,
    accuracy_ratio_test,
    accuracy_ratio_test_independent,
    accuracy_ratio_test_initial,
    accuracy_ratio_test_joint,
    cap_curve,
    capture_rate_score,
    gain_capture,
    ks_interval,
    random_band,
    scorers,
    somers_d_from_table,
)
from capcurve._input.options import show

Y = np.tile([0, 1], 20)
S = np.arange(40.0)
PROBABILITIES = np.column_stack([1 - S / 40, S / 40])


def refused(*words):
    return pytest.raises(CapcurveError, match=".*".join(map(re.escape, words)))


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ((i for i in range(40)), "generator"),
        (set(range(40)), "set"),
        (scipy.sparse.csr_matrix(S), "csr_matrix"),
        (None, "None;"),
        (pl.LazyFrame({"s": S}), "LazyFrame"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
@pytest.mark.parametrize("function", [cap_curve, accuracy_ratio_score, ks_interval])
def test_what_is_no_array_is_named(function, values, found):
    with refused("`y_score` must be one-dimensional, got", found, " pass a list, an array"):
        function(Y, values)


@pytest.mark.parametrize("function", [cap_curve, accuracy_ratio_score, ks_interval])
def test_a_dict_is_to_be_passed_in_parts(function):
    with refused("one-dimensional, got dict; pass one of its values at a time"):
        function(Y, {"champion": S, "challenger": -S})


def test_a_list_of_scores_is_to_be_passed_in_parts():
    with refused("equal lengths, got shapes", "(2, 40); pass one score at a time"):
        accuracy_ratio_score(Y, [S, -S])
    with refused("equal lengths, got shapes", "(39, 2); align the rows"):
        accuracy_ratio_score(Y, PROBABILITIES[1:])


@pytest.mark.parametrize(
    ("values", "found"),
    [
        (np.zeros(40, dtype=[("a", "i4")]), "records"),
        (pd.Series([np.zeros(2)] * 40), "ndarray in a row"),
        (pd.Series([[1, 2]] * 40), "list in a row"),
    ],
    ids=["records", "arrays", "lists"],
)
def test_rows_hold_one_value_each(values, found):
    with refused("`y_true` must hold one value for each row, got", found):
        accuracy_ratio_score(values, S)
    with refused("`clusters` must hold one value for each row, got", found):
        ks_interval(Y, S, clusters=values)


@pytest.mark.parametrize(
    "model",
    [
        LogisticRegression(),
        LogisticRegression,
        make_pipeline(LogisticRegression()),  # which has a length, as forests have
        RandomForestClassifier(3).fit([[1], [2]], [0, 1]),
    ],
    ids=str,
)
def test_a_model_is_no_score(model):
    with refused("`y_score` must be one-dimensional, got ", "predict_proba(X)[:, 1]"):
        cap_curve(Y, model)


TWO_COLUMNS = {
    "cap_curve": lambda: cap_curve(Y, PROBABILITIES),
    "CapCurve": lambda: CapCurve.from_predictions(Y, PROBABILITIES),
    "capture_rate_score": lambda: capture_rate_score(Y, PROBABILITIES, fraction=0.1),
    "ks_interval": lambda: ks_interval(Y, PROBABILITIES),
    "test": lambda: accuracy_ratio_test(Y, S, PROBABILITIES),
    "joint test": lambda: accuracy_ratio_test_joint(Y, {"a": S, "b": PROBABILITIES}),
}


@pytest.mark.parametrize("call", TWO_COLUMNS.values(), ids=list(TWO_COLUMNS))
def test_two_columns_of_probabilities_name_the_one_to_take(call):
    with refused("must be one-dimensional, got shape (40, 2)", "`proba[:, 1]`"):
        call()


@pytest.mark.parametrize("value", ["no", 1, None, [True], np.ones(2)], ids=repr)
def test_flags_are_true_or_false(value):
    for call in (
        lambda: accuracy_ratio_score(Y, S, descending=value),
        lambda: accuracy_ratio_score(Y, PROBABILITIES, descending=value),
        lambda: gain_capture(pd.DataFrame({"y": Y, "s": S}), "y", "s", descending=value),
    ):
        with refused("`descending` must be True or False, got "):
            call()
    with refused("`drop_intermediate` must be True or False"):
        cap_curve(Y, S, drop_intermediate=value)
    assert accuracy_ratio_score(Y, S, descending=np.True_) == accuracy_ratio_score(Y, S)


@pytest.mark.parametrize(
    "label", [[1], (1,), {1}, np.ones(1), Decimal("sNaN"), pd.DataFrame()], ids=repr
)
def test_an_event_is_a_single_label(label):
    model = LogisticRegression().fit(PROBABILITIES, Y)
    for call in (
        lambda: accuracy_ratio_score(Y, S, pos_label=label),
        lambda: Scorer("ks", pos_label=label),
        lambda: CAPCurveDisplay.from_estimator(model, PROBABILITIES, Y, pos_label=label),
    ):
        with refused("`pos_label` must be a single label, got"):
            call()


def test_words_are_checked_whatever_comes():
    with refused("`average` must be 'macro' or 'weighted', got 'micro'; pass one of them"):
        accuracy_ratio_interval(Y, S, average="micro")
    with refused("`method` must be 'beta', ", " or 'exact', got ['wald']; pass"):
        accuracy_ratio_interval(Y, S, method=["wald"])
    with refused("`weights` must be 'sampling' or 'frequency', got DataFrame"):
        ks_interval(Y, S, weights=pd.DataFrame())
    with refused("`target_type` does not apply to a two-dimensional `y_score`"):
        accuracy_ratio_score(Y, PROBABILITIES, target_type=np.ones(2))


def test_scores_are_compared_by_name():
    frame = pd.DataFrame({"a": S, "b": S[::-1]})
    expected = accuracy_ratio_test_joint(Y, {"a": S, "b": S[::-1]}).ratios
    assert accuracy_ratio_test_joint(Y, frame).ratios == expected
    assert accuracy_ratio_test_joint(Y, pl.from_pandas(frame)).ratios == expected
    for scores in ([S, S], np.column_stack([S, S]), None):
        with refused("`y_scores` must map names to scores, got", "; pass a dict"):
            accuracy_ratio_test_joint(Y, scores)
    for contrasts in ([[]], np.zeros((0, 2)), np.zeros((1, 1, 2))):
        with refused("`contrasts` must have a column for each of the 2 scores"):
            accuracy_ratio_test_joint(Y, frame, contrasts=contrasts)


def test_estimates_are_compared_not_numbers():
    estimate = accuracy_ratio_interval(Y, S)
    with refused("`second` must be an Estimate, got 0.5; pass the result of"):
        accuracy_ratio_test_independent(estimate, 0.5)
    with refused("`current` must be an Estimate, got None"):
        accuracy_ratio_test_initial(None, initial_auc=0.5)
    with refused("`initial_auc` must be an AUC from 0 to 1, got '80%'"):
        accuracy_ratio_test_initial(estimate, initial_auc="80%")
    with refused("`initial_variance` must not be negative or above 1, got 'a'"):
        accuracy_ratio_test_initial(estimate, initial_auc=0.8, initial_variance="a")
    with refused("`margin` must be a number from 0 to 2, got 3"):
        accuracy_ratio_test_independent(estimate, estimate, margin=3)


@pytest.mark.parametrize(
    ("table", "found"), [([[0, 0], [0, 0]], "got 0"), ([[1e30, 0], [1, 1]], "got 1e+30")]
)
def test_a_table_without_observations_is_refused_by_its_own_name(table, found):
    with refused("`table` must count from 1 to 2**53 observations", found):
        somers_d_from_table(table)


@pytest.mark.parametrize("count", [0, 1.5, "5", None, True, 2**60])
def test_a_band_is_of_counted_rows(count):
    with refused("`n_nonevents` must be a positive whole number, got"):
        random_band(5, count)


@pytest.mark.parametrize("fractions", ["10%", [[0.1]], 0.1, None, [0], [50], {0.1}])
def test_fractions_of_scorers(fractions):
    with refused("`fractions` must be"):
        scorers(fractions=fractions)


@pytest.mark.parametrize("labels", [None, "ab", {"a"}, 3, [["a"], ["b"]]])
def test_labels_are_listed(labels):
    if labels is not None:
        with refused("`labels` must list the class labels, got"):
            accuracy_ratio_score(Y, PROBABILITIES, labels=labels)
    assert accuracy_ratio_score(Y, PROBABILITIES, labels=(0, 1)) > 0


def test_orders_of_grades_are_lists():
    frame = pd.DataFrame({"y": [1, 0, 1], "s": ["A", "B", "B"]})
    for order in ("AB", 3, [], ["A", "A"]):
        with refused("`order` must list each grade once"):
            gain_capture(frame, "y", "s", order=order)
    assert gain_capture(frame, "y", "s", order=pd.Series(["B", "A"]))["estimate"][0] == 0.5


def test_gains_tables_are_of_curves():
    with refused("`curve` must be a CapCurve, got ndarray; make one with"):
        GainsTable.from_curve(S)
    with refused("`bands` must be at least 1 and at most 1,000,000, got 1000000000"):
        GainsTable.from_curve(CapCurve.from_predictions(Y, S), 10**9)


def test_values_in_messages_are_short():
    assert show(10**400).startswith("1000")
    assert max(len(show(value)) for value in (10**400, "x" * 999, list(range(999)))) < 99
    assert show(pd.DataFrame()) == "DataFrame"
    assert show(None) == "None"
    names = ["x" * 999, "y" * 999]
    with pytest.raises(CapcurveError) as caught:
        accuracy_ratio_score(names, [1, 2])
    assert len(str(caught.value)) < 400
