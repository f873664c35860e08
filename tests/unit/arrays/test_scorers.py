"""Scorers within scikit-learn: what they rank, and what they compute."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy.stats import ks_2samp
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import make_scorer, roc_auc_score
from sklearn.model_selection import (
    GridSearchCV,
    StratifiedKFold,
    cross_val_score,
    cross_validate,
    learning_curve,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from capcurve import (
    CAPCurveDisplay,
    CapcurveError,
    Scorer,
    UndefinedMetricWarning,
    accuracy_ratio_scorer,
    capture_rate_score,
    scorers,
)

ROWS, LABELS = (part[::3] for part in load_breast_cancer(return_X_y=True))
NAMES = np.where(LABELS == 1, "yes", "no")
WEIGHT = np.arange(len(LABELS)) % 4 + 1.0
IRIS, KINDS = load_iris(return_X_y=True)
FOLDS = StratifiedKFold(3, shuffle=True, random_state=0)
MODEL = GaussianNB()
FITTED = GaussianNB().fit(ROWS, LABELS)
SCORE = FITTED.predict_proba(ROWS)[:, 1]


def close(value):
    return pytest.approx(value, rel=1e-12)


def refused(message):
    return pytest.raises(CapcurveError, match=message)


# What is ranked


@pytest.mark.parametrize("labels", [LABELS, LABELS == 1, LABELS * 2 - 1, NAMES])
def test_a_classifier_is_ranked_by_probability(labels):
    by_auc = make_scorer(roc_auc_score, response_method="predict_proba")
    theirs = cross_val_score(MODEL, ROWS, labels, scoring=by_auc, cv=FOLDS)
    ours = cross_val_score(MODEL, ROWS, labels, scoring=accuracy_ratio_scorer, cv=FOLDS)
    assert ours == close(2 * theirs - 1)


def test_a_classifier_without_probabilities_is_ranked_by_its_decision_function():
    model = LinearSVC(random_state=0)
    theirs = cross_val_score(model, ROWS, NAMES, scoring="roc_auc", cv=FOLDS)
    ours = cross_val_score(model, ROWS, NAMES, scoring=accuracy_ratio_scorer, cv=FOLDS)
    assert ours == close(2 * theirs - 1)


def test_predicted_labels_are_never_ranked():
    class Labeller(GaussianNB):
        predict_proba = property()

    with refused("Labeller has no predict_proba or decision_function"):
        accuracy_ratio_scorer(Labeller().fit(ROWS, LABELS), ROWS, LABELS)


def test_either_class_can_be_the_event():
    labels = np.where(LABELS == 1, "good", "bad")
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(ROWS, labels)
    expected = 2 * roc_auc_score(LABELS, model.predict_proba(ROWS)[:, 1]) - 1
    for method in ("auto", "predict_proba", "decision_function"):
        for event in (None, "good", "bad"):
            scorer = Scorer("accuracy_ratio", pos_label=event, response_method=method)
            assert scorer(model, ROWS, labels) == pytest.approx(expected, rel=1e-3)
    in_top = [
        Scorer("capture_rate", fraction=0.1, pos_label=event)(model, ROWS, labels)
        for event in ("good", "bad")
    ]
    assert in_top[0] != in_top[1]
    with refused("`pos_label` is 'ugly', which is not among the classes: 'bad', 'good'"):
        Scorer("ks", pos_label="ugly")(model, ROWS, labels)


@pytest.mark.parametrize(
    ("average", "name"), [("macro", "roc_auc_ovr"), ("weighted", "roc_auc_ovr_weighted")]
)
def test_several_classes_are_ranked_by_probability_one_against_the_rest(average, name):
    kinds = np.array(["setosa", "versicolor", "virginica"])[KINDS]
    scorer = Scorer("accuracy_ratio", average=average)
    ours = cross_val_score(MODEL, IRIS, kinds, scoring=scorer, cv=FOLDS)
    theirs = cross_val_score(MODEL, IRIS, kinds, scoring=name, cv=FOLDS)
    assert ours == close(2 * theirs - 1)


def test_one_of_several_classes_is_ranked_against_the_rest():
    model = GaussianNB().fit(IRIS, KINDS)
    auc = roc_auc_score(KINDS == 1, model.predict_proba(IRIS)[:, 1])
    assert Scorer("accuracy_ratio", pos_label=1)(model, IRIS, KINDS) == close(2 * auc - 1)


@pytest.mark.parametrize("model", [SVC(), LinearSVC(random_state=0)], ids=["svc", "linear"])
@pytest.mark.parametrize("method", ["auto", "decision_function"])
def test_several_classes_without_probabilities_are_ranked_by_decision_function(
    model, method
):
    def average(fitted, rows, kinds):
        scores = fitted.decision_function(rows)
        return np.mean([roc_auc_score(kinds == kind, scores[:, kind]) for kind in range(3)])

    scorer = Scorer("accuracy_ratio", response_method=method)
    ours = cross_val_score(model, IRIS, KINDS, scoring=scorer, cv=FOLDS)
    theirs = cross_val_score(model, IRIS, KINDS, scoring=average, cv=FOLDS)
    assert ours == close(2 * theirs - 1)


def test_a_warning_of_scikit_learn_says_what_is_undefined_for_several_classes():
    with pytest.warns(UserWarning, match="Scoring failed") as caught:
        found = cross_validate(MODEL, IRIS, KINDS, scoring=scorers(), cv=FOLDS)
    assert np.isfinite(found["test_accuracy_ratio"]).all()
    said = "".join(str(warning.message) for warning in caught)
    for title in ("KS", "the capture rate", "lift"):
        assert (
            f"{title} is undefined for several classes, as it needs a single event" in said
        )
    assert "got 3 (0, 1, 2); pass one of them as `pos_label`" in said


def normalised_gini(amounts, scores):
    """Compute the ratio of two areas as competitions do, where no two scores are equal."""

    def area(order):
        return np.sum(np.cumsum(amounts[order]) / amounts.sum() - np.arange(1, n + 1) / n)

    n = len(amounts)
    return area(np.argsort(-scores)) / area(np.argsort(-amounts))


def test_a_regressor_is_ranked_by_prediction_against_amounts():
    rows, amounts = load_diabetes(return_X_y=True)
    model = LinearRegression().fit(rows, amounts)
    ours = accuracy_ratio_scorer(model, rows, amounts.astype(int))  # counts are amounts too
    assert ours == pytest.approx(normalised_gini(amounts, model.predict(rows)), rel=1e-9)


# What is computed


def test_measures_of_a_binary_classifier():
    found = {
        name: scorer(FITTED, ROWS, NAMES if scorer.pos_label else LABELS)
        for name, scorer in scorers(fractions=[0.025, 0.5]).items()
    }
    assert list(found) == [
        "accuracy_ratio",
        "ks",
        "capture_rate_at_2.5",
        "lift_at_2.5",
        "response_rate_at_2.5",
        "capture_rate_at_50",
        "lift_at_50",
        "response_rate_at_50",
    ]
    assert found["accuracy_ratio"] == close(2 * roc_auc_score(LABELS, SCORE) - 1)
    assert found["ks"] == close(ks_2samp(SCORE[LABELS == 1], SCORE[LABELS == 0]).statistic)
    half = LABELS[np.argsort(-SCORE)][: len(LABELS) // 2].sum() / LABELS.sum()
    assert found["capture_rate_at_50"] == close(half)
    assert found["lift_at_50"] == close(2 * half)
    top = capture_rate_score(LABELS, SCORE, fraction=0.025)
    assert found["capture_rate_at_2.5"] == top
    assert found["lift_at_2.5"] == close(40 * top)


def test_options_reach_every_scorer():
    named = scorers(pos_label="no", response_method="predict_proba", average="weighted")
    assert {scorer.pos_label for scorer in named.values()} == {"no"}
    assert {scorer.response_method for scorer in named.values()} == {"predict_proba"}
    assert named["accuracy_ratio"].average == "weighted"
    reverse = {name: scorer(FITTED, ROWS, LABELS) for name, scorer in scorers().items()}
    model = GaussianNB().fit(ROWS, NAMES)
    for name, scorer in named.items():
        same = scorer(model, ROWS, NAMES) == pytest.approx(reverse[name])
        # The first two are symmetric, and the best tenth of either class is pure.
        assert same == (name in {"accuracy_ratio", "ks", "response_rate_at_10"})


@pytest.mark.parametrize(
    "name", ["capture_rate_at_10", "lift_at_10", "response_rate_at_10"]
)
def test_what_depends_on_the_event_requires_its_label(name):
    """Else the last label in the order of the alphabet would be the event, unsaid."""
    model = GaussianNB().fit(ROWS, NAMES)
    with refused(
        r"depends on which label is the event, got 'no', 'yes' without `pos_label"
    ):
        scorers()[name](model, ROWS, NAMES)
    for plain in (LABELS, LABELS == 1, LABELS * 2 - 1, LABELS.astype(float)):
        found = scorers()[name](GaussianNB().fit(ROWS, plain), ROWS, plain)
        assert found == scorers(pos_label="yes")[name](model, ROWS, NAMES)
    with refused("got 1, 2 without"):
        scorers()[name](GaussianNB().fit(ROWS, LABELS + 1), ROWS, LABELS + 1)


def test_folds_of_scores_are_those_of_the_picture():
    results = cross_validate(
        MODEL,
        ROWS,
        NAMES,
        cv=FOLDS,
        scoring=scorers(pos_label="yes"),
        return_estimator=True,
        return_indices=True,
    )
    drawn = CAPCurveDisplay.from_cv_results(results, ROWS, NAMES)
    for name, number in (
        ("accuracy_ratio", lambda curve: curve.accuracy_ratio),
        ("ks", lambda curve: curve.ks),
        ("capture_rate_at_10", lambda curve: curve.capture_rate_at(0.1)),
        ("lift_at_10", lambda curve: curve.lift_at(0.1)),
    ):
        assert list(results[f"test_{name}"]) == [number(curve) for curve in drawn.curve]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("accuracy_ratio", "the accuracy ratio"),
        ("ks", "KS"),
        ("capture_rate_at_10", "the capture rate"),
        ("lift_at_10", "lift"),
    ],
)
@pytest.mark.parametrize("labels", [np.zeros(9, int), np.ones(9, int)])
def test_a_fold_of_one_class_is_nan(name, reason, labels):
    with pytest.warns(UndefinedMetricWarning, match=f"^{reason} is undefined"):
        assert np.isnan(scorers()[name](FITTED, ROWS[:9], labels))


@pytest.mark.parametrize("hold", [np.array, lambda names: pd.DataFrame({"y": names})])
def test_a_column_of_labels_is_read_as_its_values(hold):
    column = hold(NAMES.reshape(-1, 1)[:, 0])
    column = column.reshape(-1, 1) if isinstance(column, np.ndarray) else column
    model = GaussianNB().fit(ROWS, NAMES)
    expected = accuracy_ratio_scorer(model, ROWS, NAMES)
    assert accuracy_ratio_scorer(model, ROWS, column) == expected


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        (NAMES, r"\(0, 1\), got 'no', 'yes'; pass"),
        (np.where(LABELS, 1, 2), r"\(0, 1\), got 2; pass"),
        (np.where(LABELS, 1, np.nan), "missing values, got 76 nan"),
    ],
)
def test_labels_that_are_no_class_are_refused(labels, found):
    with refused(f"`y` must .*{found}"):
        accuracy_ratio_scorer(FITTED, ROWS, labels)


def test_no_rows_are_refused():
    class Silent(GaussianNB):
        def predict_proba(self, rows):
            return np.zeros((len(rows), 2))

    with refused("must not be empty"):
        accuracy_ratio_scorer(Silent().fit(ROWS, LABELS), ROWS[:0], LABELS[:0])


# Options


@pytest.mark.parametrize(
    ("measure", "options", "message"),
    [
        ("auc", {}, "`measure` must be 'accuracy_ratio', .* got 'auc'; pass"),
        ("ks", {"fraction": 0.1}, "`fraction` does not apply to 'ks', got 0.1; leave"),
        ("lift", {}, "the measure 'lift' requires `fraction`, got None; pass"),
        ("lift", {"fraction": 0}, r"`fraction` must be a fraction in \(0, 1\], got 0;"),
        ("capture_rate", {"fraction": 10}, r"`fraction` .* in \[0, 1\], got 10; 10 %"),
        ("ks", {"response_method": "predict"}, "`response_method` must .* got 'predict';"),
        ("accuracy_ratio", {"average": "micro"}, "`average` must .* got 'micro'"),
    ],
)
def test_options_are_checked_at_once(measure, options, message):
    with refused(message):
        Scorer(measure, **options)


@pytest.mark.parametrize("fractions", [0.1, (0,), (10,)])
def test_fractions_are_a_sequence_of_fractions(fractions):
    with refused("`fractions` must be a (sequence of )?fractions?"):
        scorers(fractions=fractions)


# Within scikit-learn


@pytest.mark.parametrize("scorer", [accuracy_ratio_scorer, Scorer("lift", fraction=0.1)])
def test_scorers_are_values(scorer):
    for other in (
        pickle.loads(pickle.dumps(scorer)),  # noqa: S301 -- our own object
        copy.deepcopy(scorer),
        clone(scorer, safe=False),
        clone(GridSearchCV(MODEL, {}, scoring=scorer)).scoring,
    ):
        assert other == scorer
        assert repr(other) == repr(scorer)
    with pytest.raises(AttributeError):
        scorer.pos_label = 0


def test_the_ready_scorer_stays_itself():
    assert pickle.loads(pickle.dumps(accuracy_ratio_scorer)) is accuracy_ratio_scorer  # noqa: S301
    assert accuracy_ratio_scorer == Scorer("accuracy_ratio")
    assert repr(accuracy_ratio_scorer) == "Scorer('accuracy_ratio')"
    assert repr(scorers()["lift_at_10"]) == "Scorer('lift', fraction=0.1)"


def test_searches_pick_what_auc_picks():
    tree, grid = DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 4]}
    theirs = GridSearchCV(tree, grid, scoring="roc_auc", cv=FOLDS).fit(ROWS, NAMES)
    one = GridSearchCV(tree, grid, scoring=accuracy_ratio_scorer, cv=FOLDS)
    several = GridSearchCV(
        tree, grid, scoring=scorers(pos_label="yes"), refit="accuracy_ratio", cv=FOLDS
    )
    for search in (one, several):
        search.fit(ROWS, NAMES)
        assert search.best_params_ == theirs.best_params_
        assert search.best_score_ == close(2 * theirs.best_score_ - 1)
    assert one.score(ROWS, NAMES) == close(2 * theirs.score(ROWS, NAMES) - 1)


def test_searches_pass_on_the_weights_of_fit():
    """From scikit-learn 1.9 on; before, they stay in the fit, for scorers of any kind."""
    by_auc = make_scorer(roc_auc_score, response_method="predict_proba")
    scores = []
    for scoring in (by_auc, accuracy_ratio_scorer, scorers()):
        search = GridSearchCV(MODEL, {}, scoring=scoring, refit="accuracy_ratio", cv=FOLDS)
        results = search.fit(ROWS, LABELS, sample_weight=WEIGHT).cv_results_
        (name,) = {"mean_test_score", "mean_test_accuracy_ratio"} & set(results)
        scores.append(results[name][0])
    assert scores[1:] == close([2 * scores[0] - 1] * 2)


def test_other_tools_of_scikit_learn():
    drops = permutation_importance(
        FITTED, ROWS, LABELS, scoring=accuracy_ratio_scorer, n_repeats=2, random_state=0
    )
    by_auc = make_scorer(roc_auc_score, response_method="predict_proba")
    theirs = permutation_importance(
        FITTED, ROWS, LABELS, scoring=by_auc, n_repeats=2, random_state=0
    )
    assert drops.importances == pytest.approx(2 * theirs.importances, abs=1e-12)
    several = permutation_importance(
        FITTED, ROWS, LABELS, scoring=scorers(), n_repeats=2, random_state=0
    )
    assert np.array_equal(several["accuracy_ratio"].importances, drops.importances)
    _, _, scores = learning_curve(
        MODEL, ROWS, NAMES, scoring=accuracy_ratio_scorer, cv=FOLDS, train_sizes=[0.5, 1.0]
    )
    assert np.all(scores > 0.8)


def test_scorers_travel_to_other_processes():
    sent = [accuracy_ratio_scorer, *scorers(pos_label="no").values()]
    program = (
        "import pickle, sys\nprint(pickle.load(sys.stdin.buffer), 'sklearn' in sys.modules)"
    )
    run = subprocess.run(  # noqa: S603 -- our own text
        [sys.executable, "-c", program],
        check=True,
        capture_output=True,
        input=pickle.dumps(sent),
    )
    assert run.stdout.decode() == f"{sent} False\n"


def score_routed(scoring, **metadata):
    with sklearn.config_context(enable_metadata_routing=True):
        model = GaussianNB().set_fit_request(sample_weight=False)
        results = cross_validate(
            model, ROWS, NAMES, scoring=scoring, cv=FOLDS, params=metadata
        )
    return next(iter(results[name] for name in results if name.startswith("test_")))


def test_weights_reach_scorers_by_metadata_routing():
    expected = []
    for fit, test in FOLDS.split(ROWS, NAMES):
        score = GaussianNB().fit(ROWS[fit], NAMES[fit]).predict_proba(ROWS[test])[:, 1]
        auc = roc_auc_score(LABELS[test], score, sample_weight=WEIGHT[test])
        expected.append(2 * auc - 1)
    weighted = accuracy_ratio_scorer.set_score_request(sample_weight=True)
    assert score_routed(weighted, sample_weight=WEIGHT) == close(expected)
    assert score_routed({"ar": weighted}, sample_weight=WEIGHT) == close(expected)
    exposed = accuracy_ratio_scorer.set_score_request(sample_weight="exposure")
    assert score_routed(exposed, exposure=WEIGHT) == close(expected)


def test_weights_that_no_scorer_requests_are_refused_by_scikit_learn():
    with pytest.raises(UnsetMetadataPassedError, match=r"Scorer\('accuracy_ratio'\)"):
        score_routed(accuracy_ratio_scorer, sample_weight=WEIGHT)
    without = accuracy_ratio_scorer.set_score_request(sample_weight=False)
    by_auc = make_scorer(roc_auc_score, response_method="predict_proba")
    theirs = cross_val_score(MODEL, ROWS, NAMES, scoring=by_auc, cv=FOLDS)
    assert cross_val_score(MODEL, ROWS, NAMES, scoring=without, cv=FOLDS) == close(
        2 * theirs - 1
    )


def test_scikit_learn_is_imported_when_it_is_asked():
    program = (
        "import sys\n"
        "from capcurve import Scorer, accuracy_ratio_scorer, scorers\n"
        "made = [accuracy_ratio_scorer, *scorers().values()]\n"
        "print('sklearn' in sys.modules)"
    )
    run = subprocess.run(  # noqa: S603 -- our own text
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert run.stdout == "False\n"
