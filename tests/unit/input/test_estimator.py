"""Fitted estimators of any library, and labels in any container."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import IsolationForest
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from capcurve import (
    CAPCurveDisplay,
    CapcurveError,
    accuracy_ratio_score,
    accuracy_ratio_scorer,
)
from capcurve._input.estimator import ask_estimator

ROWS, LABELS = (part[::3] for part in load_breast_cancer(return_X_y=True))
NAMES = np.where(LABELS == 1, "yes", "no").tolist()
IRIS, KINDS = load_iris(return_X_y=True)


def close(value):
    return pytest.approx(value, rel=1e-12)


def ask(estimator, rows=ROWS, *, response_method="auto", pos_label=None):
    return ask_estimator(
        estimator, rows, response_method=response_method, pos_label=pos_label
    )


# Labels in any container

LEVELS = ["yes", "no"]  # an order that is not that of the alphabet
CONTAINERS = {
    "list": list,
    "array": np.array,
    "objects": lambda names: np.array(names, dtype=object),
    "pandas": pd.Series,
    "pandas objects": lambda names: pd.Series(names, dtype=object),
    "pandas string": lambda names: pd.Series(names, dtype="string"),
    "pandas category": lambda names: pd.Series(names, dtype="category"),
    "pandas ordered": lambda names: pd.Series(pd.Categorical(names, LEVELS, ordered=True)),
    "pandas Arrow": lambda names: pd.Series(names, dtype=pd.ArrowDtype(pa.string())),
    "polars": pl.Series,
    "polars Categorical": lambda names: pl.Series(names, dtype=pl.Categorical),
    "polars Enum": lambda names: pl.Series(names, dtype=pl.Enum(LEVELS)),
    "Arrow": pa.array,
    "Arrow chunks": lambda names: pa.chunked_array([names]),
    "Arrow dictionary": lambda names: pa.array(names).dictionary_encode(),
}
every_container = pytest.mark.parametrize("hold", CONTAINERS.values(), ids=list(CONTAINERS))


@pytest.mark.slow
@every_container
def test_names_of_classes_in_any_container(hold):
    names, model = hold(NAMES), DecisionTreeClassifier(max_depth=2, random_state=0)
    auc = roc_auc_score(LABELS, model.fit(ROWS, LABELS).predict_proba(ROWS)[:, 1])
    drawn = CAPCurveDisplay.from_estimator(model.fit(ROWS, names), ROWS, names)
    assert drawn.curve.accuracy_ratio == close(2 * auc - 1)
    assert drawn.pos_label == "yes"


@pytest.mark.slow
@every_container
def test_names_of_classes_in_folds(hold):
    names, model = hold(NAMES), GaussianNB()
    aucs = cross_validate(model, ROWS, LABELS, scoring="roc_auc", cv=2)["test_score"]
    results = cross_validate(
        model, ROWS, names, cv=2, return_estimator=True, return_indices=True
    )
    drawn = CAPCurveDisplay.from_cv_results(results, ROWS, names)
    assert [curve.accuracy_ratio for curve in drawn.curve] == close(2 * aucs - 1)


@pytest.mark.parametrize("kind", [bool, np.int8, float])
def test_other_labels_of_classes(kind):
    labels = LABELS.astype(kind)
    model = GaussianNB().fit(ROWS, labels)
    auc = roc_auc_score(LABELS, model.predict_proba(ROWS)[:, 1])
    drawn = CAPCurveDisplay.from_estimator(model, ROWS, labels)
    assert drawn.curve.accuracy_ratio == close(2 * auc - 1)


# Estimators of other libraries


class Elsewhere:
    """A classifier whose library knows nothing of scikit-learn's base classes."""

    _estimator_type = "classifier"

    def __init__(self, classes, **methods):
        self.classes_ = classes
        for name, values in methods.items():
            setattr(self, name, lambda _, values=values: values)


class Tagged:
    """A regressor that says so by tags alone."""

    def __sklearn_tags__(self):
        return SimpleNamespace(estimator_type="regressor")

    def predict(self, rows):
        return rows[:, :1]  # a column, as some libraries return it


PROBABILITIES = [[0.9, 0.1], [0.4, 0.6]]


@pytest.mark.parametrize("classes", [["b", "a"], ("b", "a"), np.array(["b", "a"])])
@pytest.mark.parametrize(("event", "column"), [(None, 1), ("a", 1), ("b", 0)])
def test_classes_may_be_a_list(classes, event, column):
    model = Elsewhere(classes, predict_proba=PROBABILITIES)
    response = ask(model, pos_label=event)
    assert response.y_score.tolist() == [row[column] for row in PROBABILITIES]
    assert response.pos_label == (event or "a")
    assert type(response.pos_label) is str


@pytest.mark.parametrize("scores", [[-1, 2], [[-1], [2]], [[1, -1], [-2, 2]]])
def test_decision_functions_of_one_and_of_two_columns(scores):
    model = Elsewhere([0, 1], decision_function=scores)
    assert ask(model).y_score.tolist() == [-1, 2]
    assert ask(model, pos_label=0).y_score.tolist() == [1, -2]


def test_a_regressor_may_say_so_by_tags_and_predict_a_column():
    response = ask(Tagged(), np.array([[3.0, 1.0], [2.0, 5.0]]))
    assert response.y_score.tolist() == [3, 2]
    assert response.target_type == "continuous"


def test_a_regressor_fitted_on_a_column_of_amounts():
    rows, amounts = load_diabetes(return_X_y=True)
    model = LinearRegression().fit(rows, amounts[:, np.newaxis])
    drawn = CAPCurveDisplay.from_estimator(model, rows, amounts)
    expected = accuracy_ratio_score(amounts, model.predict(rows)[:, 0])
    assert drawn.curve.accuracy_ratio == expected


def test_estimators_that_hold_estimators():
    searched = GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 1e-3]}, cv=2)
    piped = make_pipeline(StandardScaler(), CalibratedClassifierCV(GaussianNB(), cv=2))
    for model in (searched, piped):
        score = ask(model.fit(ROWS, NAMES)).y_score
        assert score.tolist() == model.predict_proba(ROWS)[:, 1].tolist()


# Several classes


@pytest.mark.parametrize("kind", [0, 1, 2])
def test_one_of_several_classes_is_ranked_against_the_rest(kind):
    model = GaussianNB().fit(IRIS, KINDS)
    auc = roc_auc_score(kind == KINDS, model.predict_proba(IRIS)[:, kind])
    drawn = CAPCurveDisplay.from_estimator(model, IRIS, KINDS, pos_label=kind)
    assert drawn.curve.accuracy_ratio == close(2 * auc - 1)


PAIRS = SVC(decision_function_shape="ovo")


@pytest.mark.parametrize(
    "model",
    [
        PAIRS,
        make_pipeline(StandardScaler(), PAIRS),
        GridSearchCV(SVC(), {"decision_function_shape": ["ovo"]}, cv=2),
    ],
    ids=["alone", "piped", "searched"],
)
def test_pairs_of_classes_are_not_taken_for_classes(model):
    pairs = model.fit(IRIS, KINDS)
    assert pairs.decision_function(IRIS).shape == (150, 3)  # of pairs, by chance as many
    message = "decision_function` must score classes, got pairs .*='ovo'.; set that to"
    for method in ("auto", "decision_function"):
        with pytest.raises(CapcurveError, match=message):
            ask(pairs, IRIS, pos_label=1, response_method=method)
    with pytest.raises(CapcurveError, match=message):
        accuracy_ratio_scorer(pairs, IRIS, KINDS)


def test_a_decision_function_of_one_of_several_classes():
    model = Elsewhere([0, 1, 2], decision_function=[[1, 2, 3], [6, 5, 4]])
    assert ask(model, pos_label=1).y_score.tolist() == [2, 5]


def test_several_classes_without_a_column_each():
    model = Elsewhere([0, 1, 2, 3], decision_function=np.ones((2, 6)))
    with pytest.raises(
        CapcurveError, match=r"one column per class, got shape \(2, 6\) for 4"
    ):
        accuracy_ratio_scorer(model, [[0], [1]], [0, 1])


# What cannot be asked


class Booster:
    """A model of a library's own interface, such as that of XGBoost."""


@pytest.mark.parametrize(
    ("estimator", "found"),
    [
        (Booster(), "got Booster"),
        (None, "got None"),
        ("model.pkl", "got str"),
        (GaussianNB, "got the class GaussianNB"),
        (StandardScaler(), "got StandardScaler"),
        (IsolationForest(), "got IsolationForest"),
        (GaussianNB().predict_proba, "got method"),
    ],
)
def test_what_is_no_estimator_is_named(estimator, found):
    expected = rf"`estimator` must be .* a classifier or a regressor, {found}; pass its"
    with pytest.raises(CapcurveError, match=expected):
        CAPCurveDisplay.from_estimator(estimator, ROWS, LABELS)


@pytest.mark.parametrize(
    "estimator",
    [
        LogisticRegression(),
        make_pipeline(StandardScaler(), LogisticRegression()),
        GridSearchCV(GaussianNB(), {}),
        LinearRegression(),
    ],
)
def test_unfitted_estimators_raise_as_everywhere(estimator):
    with pytest.raises(NotFittedError):
        ask(estimator)


class Fitted(Elsewhere):
    """A fitted classifier that keeps its classes to itself."""

    def fit(self):
        raise NotImplementedError

    def __sklearn_is_fitted__(self):
        return True

    def __sklearn_tags__(self):
        return SimpleNamespace(estimator_type="classifier", requires_fit=True)


@pytest.mark.parametrize(
    ("classes", "message"),
    [
        (None, "list its classes as `classes_`, got Fitted without them; pass"),
        ([], "list its classes as `classes_`, got Fitted without them; pass"),
        ([3], r"know two classes, got one \(3\); fit it on"),
        (
            [0, 1, 2],
            r"be a binary classifier, got 3 classes \(0, 1, 2\); pass .*`pos_label`",
        ),
        ([[0, 1], [0, 1, 2]], "predict a single outcome, got 2 outcomes; pass"),
    ],
)
def test_classes_that_name_no_event(classes, message):
    with pytest.raises(CapcurveError, match=f"`estimator` must {message}"):
        ask(Fitted(classes, predict_proba=PROBABILITIES))


def test_classes_without_a_column_each():
    model = Elsewhere([0, 1], predict_proba=[[0.1, 0.2, 0.7]])
    expected = r"`Elsewhere.predict_proba` must .* got shape \(1, 3\) for 2 classes; pass"
    with pytest.raises(CapcurveError, match=expected):
        ask(model)


def test_a_classifier_that_only_predicts_labels():
    expected = (
        "Elsewhere has no predict_proba or decision_function to score rows with; pass"
    )
    with pytest.raises(CapcurveError, match=expected):
        ask(Elsewhere([0, 1], predict=[0, 1]))


def test_results_of_something_else():
    with pytest.raises(CapcurveError, match="what cross_validate returns, got DataFrame"):
        CAPCurveDisplay.from_cv_results(pd.DataFrame(), ROWS, LABELS)
    results = cross_validate(
        GaussianNB(), ROWS, LABELS, cv=2, return_estimator=True, return_indices=True
    )
    expected = r"go up to row \d+, got data of 50 rows; pass the data"
    for rows, labels in ((ROWS[:50], LABELS), (ROWS, LABELS[:50].tolist())):
        with pytest.raises(CapcurveError, match=expected):
            CAPCurveDisplay.from_cv_results(results, rows, labels)
    for labels in (None, 0.5, set(range(len(ROWS))), np.array(1)):
        with pytest.raises(
            CapcurveError, match=r"`y(_true)?` must be|got .*; pass the data"
        ):
            CAPCurveDisplay.from_cv_results(results, ROWS, labels)
