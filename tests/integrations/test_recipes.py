"""Every recipe runs with the library that it is for, and prints what its page shows.

The libraries are heavy: `make test` leaves this folder out, `make test-integrations` runs
it in an environment of its own.
"""

import json
import re
import socket
import warnings
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.tree import DecisionTreeClassifier

import capcurve
from capcurve import accuracy_ratio_score, accuracy_ratio_scorer, capture_rate_score
from capcurve.datasets import make_portfolio

RECIPES = Path(__file__).parents[2] / "docs" / "recipes"
BLOCKS = re.compile(r"```(?:python|text)\n(.*?)```", re.DOTALL)
DECIMAL = re.compile(r"\d+\.\d+")
# What a library says of its own dependencies.
EXPECTED = {"catboost": "import numba", "mlflow": "loader strategy is deprecated"}


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    """Fail if a recipe asks anything but files and processes of this machine."""
    asked = []
    connect = socket.socket.connect

    def refuse(name, *_, **__):
        asked.append(name)
        raise OSError(f"recipes need no network, got {name!r}")

    def connect_here(self, address):
        if self.family != socket.AF_UNIX:
            refuse(address)
        connect(self, address)

    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", connect_here)
    yield
    assert asked == []


@pytest.fixture
def run(capsys):
    """Run a page: compare what it prints, and return the names that it leaves."""

    def recipe(library, *, within=0.0):
        page = RECIPES / f"{library}.md"
        code, shown = BLOCKS.findall(page.read_text(encoding="utf-8"))
        names = {"__name__": "recipe"}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            exec(compile(code, page, "exec"), names)  # noqa: S102 -- our own page
        assert unexpected(caught, library, page) == []
        assert_same(capsys.readouterr().out, shown, within)
        return names

    return recipe


def unexpected(caught, library, page):
    """List what capcurve, the page or the library warns of."""
    places = (str(page), str(Path(capcurve.__file__).parent), f"/site-packages/{library}/")
    return [
        str(each)
        for each in caught
        if any(place in each.filename for place in places)
        and not re.search(EXPECTED.get(library, "nothing at all"), str(each.message))
    ]


def assert_same(printed, shown, within):
    """Compare words exactly, and decimals up to what versions of a library may change."""
    words, numbers = zip(*(read_text(text) for text in (printed, shown)), strict=True)
    assert words[0] == words[1]
    assert numbers[0] == pytest.approx(numbers[1], rel=0, abs=within + 1e-12)


def read_text(text):
    decimals = [float(number) for number in DECIMAL.findall(text)]
    return DECIMAL.sub("DECIMAL", text).split(), decimals


def test_xgboost(run):
    found = run("xgboost", within=0.02)
    model, valid = found["model"], found["valid"]
    score = model.predict_proba(found["X"][valid])[:, 1]
    direct = score_directly(found, valid, score)
    seen = model.evals_result()["validation_0"]["accuracy_ratio_score"]
    assert model.best_score == max(seen) == pytest.approx(direct, abs=1e-5)  # of six digits
    assert model.get_booster().num_boosted_rounds() == np.argmax(seen) + 1 < len(seen) < 100


def test_xgboost_without_maximize_keeps_the_lowest_ratio():
    from xgboost import XGBClassifier

    loans = make_portfolio(2_000)
    rows = loans["champion_pd"].reshape(-1, 1), loans["default"]
    model = XGBClassifier(eval_metric=accuracy_ratio_score, early_stopping_rounds=20)
    model.fit(*rows, eval_set=[rows], verbose=False)
    seen = model.evals_result()["validation_0"]["accuracy_ratio_score"]
    assert model.best_score == min(seen) < max(seen)


def test_lightgbm(run):
    found = run("lightgbm", within=0.02)
    model, valid = found["model"], found["valid"]
    score = model.predict_proba(found["X"][valid])[:, 1]
    direct = score_directly(found, valid, score)
    captured = score_directly(found, valid, score, capture_rate_score, fraction=0.1)
    best, seen = model.best_score_["valid_0"], model.evals_result_["valid_0"]
    assert best["AR"] == max(seen["AR"]) == pytest.approx(direct, abs=1e-6)
    assert best["captured in the top 10 %"] == pytest.approx(captured, abs=1e-6)
    assert model.best_iteration_ == np.argmax(seen["AR"]) + 1 < len(seen["AR"]) < 100


def test_catboost(run):
    found = run("catboost", within=0.02)
    model, valid = found["model"], slice(1, None, 2)
    direct = score_directly(found, valid, model.predict(found["X"][valid]))
    seen = model.evals_result_["validation"]["AccuracyRatio"]
    assert max(seen) == pytest.approx(direct, abs=1e-6)
    assert model.tree_count_ == np.argmax(seen) + 1 < len(seen) < 1_000


def score_directly(found, rows, score, measure=accuracy_ratio_score, **options):
    """Score rows of a page with their weights, which must matter."""
    y, weight = found["y"][rows], found["weight"][rows]
    direct = measure(y, score, sample_weight=weight, **options)
    assert abs(direct - measure(y, score, **options)) > 1e-3
    return direct


def test_normalized_gini_of_catboost_is_the_ratio_of_events():
    from catboost.utils import eval_metric

    loans = make_portfolio()
    event, score, weight = (loans[name] for name in ("default", "champion_pd", "exposure"))
    theirs = eval_metric(event, score, "NormalizedGini", weight=weight)
    ours = accuracy_ratio_score(event, score, sample_weight=weight)
    assert theirs == pytest.approx([ours], abs=1e-6)


def test_optuna(run):
    found = run("optuna", within=0.02)
    study, rows, y = (found[name] for name in ("study", "X", "y"))
    model = DecisionTreeClassifier(min_samples_leaf=study.best_params["leaf"])
    scores = cross_val_predict(model, rows, y, cv=5, method="predict_proba")[:, 1]
    folds = [test for _, test in StratifiedKFold(5).split(rows, y)]
    ratios = [accuracy_ratio_score(y[fold], scores[fold]) for fold in folds]
    assert study.best_value == pytest.approx(np.mean(ratios), abs=1e-12)
    finished = [trial.value for trial in study.trials if trial.state.name == "COMPLETE"]
    assert study.best_value == max(finished)
    assert len(finished) < len(study.trials) == 20


def test_skore(run):
    found = run("skore", within=0.002)
    ratios = [
        accuracy_ratio_score(fold.y_test, fold.estimator_.predict_proba(fold.X_test)[:, 1])
        for fold in found["report"].reports_
    ]
    assert len(ratios) == 5
    assert found["table"].iloc[1, 0] == pytest.approx(np.mean(ratios))


def test_skore_gives_the_ratio_of_one_split():
    import skore

    loans = make_portfolio(2_000)
    rows = loans["champion_pd"].reshape(-1, 1), loans["default"]
    report = skore.evaluate(LogisticRegression(), *rows, splitter=0.2, pos_label=1)
    report.metrics.add(accuracy_ratio_scorer, name="accuracy_ratio")
    score = report.estimator_.predict_proba(report.X_test)[:, 1]
    assert report.metrics.accuracy_ratio() == accuracy_ratio_score(report.y_test, score)


def test_mlflow(run):
    found = run("mlflow")
    loans, mlflow = found["loans"], found["mlflow"]
    logged = mlflow.last_active_run()
    direct = accuracy_ratio_score(loans["default"], loans["champion_pd"])
    assert logged.data.metrics["accuracy_ratio"] == direct
    files = {each.name: each for each in Path("mlruns").rglob("artifacts/*")}
    assert files.keys() == {"cap.png", "gains_table.json", "report.html"}
    height, width, _ = imread(files["cap.png"]).shape
    assert min(height, width) > 300
    table = json.loads(files["gains_table.json"].read_text(encoding="utf-8"))
    share = table["columns"].index("capture_rate")
    captured = capture_rate_score(loans["default"], loans["champion_pd"], fraction=0.1)
    assert table["data"][0][share] == pytest.approx(captured, abs=1e-3)
    assert f"{direct:.3f}" in files["report.html"].read_text(encoding="utf-8")


def test_every_recipe_is_run():
    tests = Path(__file__).read_text(encoding="utf-8")
    for page in RECIPES.glob("[a-z]*.md"):
        assert f'run("{page.stem}"' in tests
