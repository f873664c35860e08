"""The picture of double lift by its artists."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.linear_model import LogisticRegression, PoissonRegressor
from sklearn.model_selection import KFold, cross_validate

from capcurve import CapcurveError, DoubleLift, DoubleLiftDisplay

Y = [0.5, 2.0, 2.0, 6.5]
BOTH = {"Current": [2, 2, 4, 4], "New": [1, 2, 4, 8]}


def draw(*data, **options):
    return DoubleLiftDisplay.from_predictions(*data, ax=Figure().subplots(), **options)


def test_lines_are_the_means_of_the_bands():
    display = draw(Y, BOTH, bands=2)
    found = DoubleLift.from_predictions(Y, *BOTH.values(), bands=2)
    heights = [line.get_ydata().tolist() for line in display.line_]
    assert heights == [
        found.outcome.tolist(),
        found.prediction_a.tolist(),
        found.prediction_b.tolist(),
    ]
    assert set(display.chance_level_.get_ydata()) == {2.75}
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert legend == ["Outcome", "Current", "New", "All rows (2.75)"]
    assert display.ax_.get_title() == "Double lift, New / Current"
    ticks = [text.get_text() for text in display.ax_.get_xticklabels()]
    assert ticks == ["0.5\N{EN DASH}1", "1\N{EN DASH}2"]
    bare = draw(Y, BOTH, bands=2, plot_chance_level=False, rescale=True)
    assert bare.chance_level_ is None
    assert bare.ax_.get_title() == "Double lift, New / Current, rescaled"


def test_errors_name_the_prediction_of_the_dict():
    with pytest.raises(
        CapcurveError, match=r"^`y_score\['New'\]` must hold predictions abo"
    ):
        draw(Y, BOTH | {"New": [1, 2, -4, 8]})
    with pytest.raises(
        CapcurveError, match=r"^`y_score\['Current'\]` must not hold missing"
    ):
        draw(Y, BOTH | {"Current": [1, 2, np.nan, 8]})


def test_bands_of_one_ratio_have_numbers():
    display = draw(Y, {"A": [1, 1, 1, 1], "B": [2, 2, 2, 2]}, bands=2)
    ticks = [text.get_text() for text in display.ax_.get_xticklabels()]
    assert ticks == ["2 (1)", "2 (2)"]


def test_large_ratios_are_written_in_full():
    display = draw([1, 1, 1], {"A": [1, 1, 1], "B": [999.6, 1294.4, 0.12345]}, bands=3)
    ticks = [text.get_text() for text in display.ax_.get_xticklabels()]
    assert ticks == ["0.123", "1,000", "1,294"]


def test_large_means_are_written_in_full():
    display = draw([1000.5, 1999.5], {"A": [1, 2], "B": [2, 1]}, bands=2)
    assert display.ax_.get_legend().get_texts()[-1].get_text() == "All rows (1,500)"


def test_events_are_named():
    display = draw(["b", "g"], {"A": [0.1, 0.2], "B": [0.2, 0.1]}, pos_label="b", bands=2)
    assert display.ax_.get_ylabel() == "Mean (positive label: b)"


def test_folds_are_pooled():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 2))
    y = rng.poisson(np.exp(x[:, 0])).astype(float)
    weight = rng.uniform(0.5, 2, 300)
    models = {"one": PoissonRegressor(), "two": PoissonRegressor(alpha=9)}

    def validate(model, seed):
        cv = KFold(3, shuffle=True, random_state=seed)
        return cross_validate(
            model, x, y, cv=cv, return_estimator=True, return_indices=True
        )

    results = {name: validate(model, 0) for name, model in models.items()}
    display = DoubleLiftDisplay.from_cv_results(
        results, x, y, sample_weight=weight, bands=5, ax=Figure().subplots()
    )
    predicted = {}
    for name, found in results.items():
        predicted[name] = np.empty(300)
        for model, rows in zip(found["estimator"], found["indices"]["test"], strict=True):
            predicted[name][rows] = model.predict(x[rows])
    expected = DoubleLift.from_predictions(
        y, *predicted.values(), sample_weight=weight, bands=5, target_type="continuous"
    )
    for name in ("n", "outcome", "prediction_a", "prediction_b"):
        assert getattr(display.double_lift, name) == pytest.approx(getattr(expected, name))
    for other in (validate(models["two"], 1), validate(models["two"], 0)):
        if np.array_equal(
            other["indices"]["test"][0], results["one"]["indices"]["test"][0]
        ):
            other["indices"]["test"] = other["indices"]["test"][:2]
            other["estimator"] = other["estimator"][:2]
        with pytest.raises(CapcurveError, match="`cv_results` must be of the same folds"):
            DoubleLiftDisplay.from_cv_results({"one": results["one"], "b": other}, x, y)


def test_models_of_several_classes_need_the_label_of_the_event():
    x = np.random.default_rng(0).normal(size=(300, 2))
    y = np.argmax(np.column_stack([x, np.zeros(300)]), axis=1)
    models = {"A": LogisticRegression(), "B": LogisticRegression(C=0.01)}
    fitted = {name: model.fit(x, y) for name, model in models.items()}
    results = {
        name: cross_validate(model, x, y, return_estimator=True, return_indices=True)
        for name, model in models.items()
    }
    message = (
        r"`estimator` must be a binary classifier, got 3 classes \(0, 1, 2\); pass one of "
        "them as `pos_label`"
    )
    for draw_models, given in (
        (DoubleLiftDisplay.from_estimator, fitted),
        (DoubleLiftDisplay.from_cv_results, results),
    ):
        with pytest.raises(CapcurveError, match=message):
            draw_models(given, x, y)
        display = draw_models(given, x, y, pos_label=2, ax=Figure().subplots())
        assert sum(display.double_lift.n) == 300


def test_decision_functions_are_no_predictions():
    x, y = np.array([[0.0], [1.0], [2.0], [3.0]]), [0, 1, 0, 1]
    model = LogisticRegression().fit(x, y)
    with pytest.raises(
        CapcurveError, match=r"`estimator\['A'\]` must hold predictions abo"
    ):
        DoubleLiftDisplay.from_estimator(
            {"A": model, "B": model}, x, y, response_method="decision_function"
        )


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        ([1, 2, 3, 4], {}, "`y_score` must be a dict of two models by name, got"),
        ({"A": [1, 2, 3, 4]}, {}, "`y_score` must be a dict of two models by name, got"),
        (
            {1: [1, 2, 3, 4], 2: [4, 3, 2, 1]},
            {},
            "`y_score` must have texts as names, got the key 1; write it as '1'",
        ),
        (
            BOTH,
            {"name": "one"},
            r"`name` must be one name, or a list .*\(2\), got \['one'\]",
        ),
        (BOTH, {"plot_chance_level": 1}, "`plot_chance_level` must be True or False"),
    ],
)
def test_what_cannot_be_drawn_is_refused(scores, options, message):
    with pytest.raises(CapcurveError, match=message):
        draw(Y, scores, **options)


def test_a_display_is_of_a_double_lift():
    with pytest.raises(CapcurveError, match="`double_lift` must be a DoubleLift, got"):
        DoubleLiftDisplay([1])
    found = DoubleLift.from_predictions(Y, *BOTH.values(), bands=2)
    assert repr(DoubleLiftDisplay(found)) == "DoubleLiftDisplay(B / A in 2 bands)"
