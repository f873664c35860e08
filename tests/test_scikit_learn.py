"""Within scikit-learn: the recipes of the README, and its common tests on our metrics."""

import ast
from functools import partial
from itertools import product
from pathlib import Path
from types import SimpleNamespace

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

from capcurve import (
    CapcurveError,
    accuracy_ratio_score,
    capture_rate_score,
    lift_score,
    somers_d_score,
)

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


@pytest.mark.filterwarnings("ignore::capcurve.HardLabelsWarning")  # of a full tree
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


# scikit-learn's tests of its own metrics, run on ours as if they stood among them

OF_LABELS = {
    "accuracy_ratio_score": accuracy_ratio_score,
    "weighted_accuracy_ratio_score": partial(accuracy_ratio_score, average="weighted"),
    "capture_rate_score": partial(capture_rate_score, fraction=0.3),
    "lift_score": partial(lift_score, fraction=0.3),
}
OF_AMOUNTS = {
    "somers_d_score": somers_d_score,
    "accuracy_ratio_of_amounts": partial(accuracy_ratio_score, target_type="continuous"),
    # At 80 %, as a cut among the rows of score 1 is symmetric in two columns of 0 and 1.
    "capture_rate_of_amounts": partial(
        capture_rate_score, fraction=0.8, target_type="continuous"
    ),
    "lift_of_amounts": partial(lift_score, fraction=0.8, target_type="continuous"),
}
OURS = OF_LABELS | OF_AMOUNTS
HARD_LABELS = "ignore:`y_score` should rank rows"  # which these tests rank on purpose


def register(common):
    """Add our metrics to the lists of scikit-learn's tests, as a new metric there is."""
    if "CONTINUOUS_CLASSIFICATION_METRICS" not in common:
        pytest.skip("scikit-learn 1.8 tests metrics of scores", allow_module_level=True)
    common["CONTINUOUS_CLASSIFICATION_METRICS"] |= OF_LABELS
    common["REGRESSION_METRICS"] |= OF_AMOUNTS
    common["ALL_METRICS"] |= OURS
    common["METRICS_WITH_POS_LABEL"] |= set(OF_LABELS)
    common["NOT_SYMMETRIC_METRICS"] |= set(OF_AMOUNTS)


class Translator(ast.NodeTransformer):
    """Ask for our error instead of scikit-learn's words, and drop marks unknown here."""

    def visit_Call(self, node):
        self.generic_visit(node)
        if ast.unparse(node.func) == "pytest.raises":
            if ast.unparse(node.args[0]) == "ValueError":
                node.args[0] = ast.Name("CapcurveError", ast.Load())
            node.keywords = []
        return node

    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        node.decorator_list = [
            mark for mark in node.decorator_list if "parametrize" in ast.unparse(mark)
        ]
        return node


def load_common_tests():
    """Run scikit-learn's file with our metrics registered before its tests are listed."""
    path = Path(sklearn.__file__).parent / "metrics" / "tests" / "test_common.py"
    tree = Translator().visit(ast.parse(path.read_text(encoding="utf-8")))
    names = [getattr(node, "name", None) for node in tree.body]
    tests = names.index("_require_positive_targets")  # the first lines after the lists
    tree.body.insert(tests, ast.parse("register(globals())").body[0])
    common = {"register": register, "CapcurveError": CapcurveError, "__name__": "common"}
    exec(compile(ast.fix_missing_locations(tree), path, "exec"), common)  # noqa: S102 -- installed code
    return SimpleNamespace(**common)


def list_cases(common):
    """List each test with each set of its arguments that names a metric of ours."""
    found = {id(metric): name for name, metric in OURS.items()}
    for check, test in vars(common).items():
        marks = getattr(test, "pytestmark", ()) if check.startswith("test_") else ()
        names = [mark.args[0].replace(" ", "").split(",") for mark in marks]
        for drawn in product(*(list(mark.args[1]) for mark in marks)):
            arguments = {}
            for keys, values in zip(names, drawn, strict=True):
                marked = isinstance(values, type(pytest.param()))
                each = values.values if marked else values
                each = each if len(keys) > 1 or marked else [each]
                arguments |= dict(zip(keys, each, strict=True))
            for value in arguments.values():
                name = value if isinstance(value, str) else found.get(id(value))
                if name in OURS:
                    yield check, name, arguments


def explain_difference(check, metric, arguments):
    """Return why a test of scikit-learn's does not hold for us; None if it does."""
    if check == "test_continuous_inf_nan_input":
        with_nan = np.isnan(arguments["y_score"]).any()
        return None if with_nan else "an infinite score ranks first or last"
    several = {
        "test_multiclass_sample_weight_invariance",
        "test_continuous_metric_permutation_invariance",
    }
    if check in several and metric in {"capture_rate_score", "lift_score"}:
        return "capture rate and lift of several classes are not averaged"
    return None


COMMON = load_common_tests()
CASES = list(list_cases(COMMON))


@pytest.mark.filterwarnings(HARD_LABELS, "ignore::capcurve.UndefinedMetricWarning")
@pytest.mark.parametrize(
    ("check", "metric", "arguments"),
    CASES,
    ids=[f"{check}-{metric}-{i}" for i, (check, metric, _) in enumerate(CASES)],
)
def test_metrics_pass_the_common_tests_of_scikit_learn(check, metric, arguments):
    run = partial(getattr(COMMON, check), **arguments)
    if explain_difference(check, metric, arguments):
        with pytest.raises((CapcurveError, pytest.fail.Exception)):
            run()
    else:
        run()


def test_the_common_tests_know_our_metrics():
    COMMON.test_symmetry_consistency()  # no metric is missing from their lists
    assert {name for name, _, _ in CASES} >= {
        "test_binary_sample_weight_invariance",
        "test_continuous_classification_invariance_string_vs_numbers_labels",
        "test_continuous_inf_nan_input",
        "test_continuous_metric_permutation_invariance",
        "test_format_invariance_with_1d_vectors",
        "test_metrics_dataframe_series",
        "test_multiclass_sample_weight_invariance",
        "test_not_symmetric_metric",
        "test_regression_sample_weight_invariance",
        "test_regression_with_invalid_sample_weight",
        "test_returned_value_consistency",
        "test_sample_order_invariance",
        "test_single_sample",
    }
    assert {metric for _, metric, _ in CASES} == set(OURS)
