"""The recipes of the README for scikit-learn: scorers, searches, routed weights."""

import numpy as np
import pytest
import sklearn
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    StratifiedKFold,
    cross_val_score,
    cross_validate,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from capcurve import accuracy_ratio_score

ROWS, LABELS = load_breast_cancer(return_X_y=True)
NAMES = np.where(LABELS == 0, "malignant", "benign")
WEIGHT = np.arange(len(LABELS)) % 4 + 1.0
FOLDS = StratifiedKFold(3)
MODEL = make_pipeline(StandardScaler(), LogisticRegression())
RESPONSES = ("decision_function", "predict_proba")


def close(value):
    return pytest.approx(value, rel=1e-12)


def test_a_classifier_is_scored_as_by_auc():
    scorer = make_scorer(accuracy_ratio_score, response_method=RESPONSES)
    ours = cross_val_score(MODEL, ROWS, LABELS, scoring=scorer, cv=FOLDS)
    theirs = cross_val_score(MODEL, ROWS, LABELS, scoring="roc_auc", cv=FOLDS)
    assert ours == close(2 * theirs - 1)


@pytest.mark.parametrize("responses", [RESPONSES, RESPONSES[::-1], "predict_proba"])
@pytest.mark.parametrize("event", ["malignant", "benign"])
def test_named_labels_need_the_event(responses, event):
    scorer = make_scorer(accuracy_ratio_score, response_method=responses, pos_label=event)
    by_name = cross_val_score(MODEL, ROWS, NAMES, scoring=scorer, cv=FOLDS)
    theirs = cross_val_score(MODEL, ROWS, LABELS, scoring="roc_auc", cv=FOLDS)
    assert by_name == close(2 * theirs - 1)


def test_a_grid_search_picks_what_auc_picks():
    grid = {"max_depth": [1, 2, 4, 8], "min_samples_leaf": [1, 20]}
    tree = DecisionTreeClassifier(random_state=0)
    scorer = make_scorer(accuracy_ratio_score, response_method=RESPONSES)
    ours, theirs = (
        GridSearchCV(tree, grid, scoring=scoring, cv=FOLDS).fit(ROWS, LABELS)
        for scoring in (scorer, "roc_auc")
    )
    assert ours.best_params_ == theirs.best_params_
    assert ours.best_score_ == close(2 * theirs.best_score_ - 1)


def test_a_regressor_is_scored_on_amounts():
    rows, amounts = load_diabetes(return_X_y=True)
    scorer = make_scorer(accuracy_ratio_score, target_type="continuous")
    scores = cross_val_score(LinearRegression(), rows, amounts.astype(int), scoring=scorer)
    assert np.all((scores > 0.3) & (scores < 0.9))
    model = LinearRegression().fit(rows, amounts)
    expected = accuracy_ratio_score(amounts, model.predict(rows))
    assert scorer(model, rows, amounts) == expected


def test_several_labels_are_scored_one_against_the_rest():
    rows, kinds = load_iris(return_X_y=True)
    scorer = make_scorer(accuracy_ratio_score, response_method="predict_proba")
    model = LogisticRegression(max_iter=500)
    ours = cross_val_score(model, rows, kinds, scoring=scorer, cv=FOLDS)
    theirs = cross_val_score(model, rows, kinds, scoring="roc_auc_ovr", cv=FOLDS)
    assert ours == close(2 * theirs - 1)


def test_weights_reach_the_score_by_metadata_routing():
    with sklearn.config_context(enable_metadata_routing=True):
        model = LogisticRegression(max_iter=2000).set_fit_request(sample_weight=False)
        scorer = make_scorer(accuracy_ratio_score, response_method=RESPONSES)
        scorer = scorer.set_score_request(sample_weight=True)
        results = cross_validate(
            model,
            ROWS[:, :3],
            LABELS,
            scoring=scorer,
            cv=FOLDS,
            params={"sample_weight": WEIGHT},
            return_estimator=True,
            return_indices=True,
        )
    folds = zip(results["estimator"], results["indices"]["test"], strict=True)
    expected = [
        accuracy_ratio_score(
            LABELS[rows],
            model.decision_function(ROWS[rows, :3]),
            sample_weight=WEIGHT[rows],
        )
        for model, rows in folds
    ]
    assert results["test_score"] == close(expected)
    unweighted = cross_val_score(model, ROWS[:, :3], LABELS, scoring=scorer, cv=FOLDS)
    assert results["test_score"] != close(unweighted)
