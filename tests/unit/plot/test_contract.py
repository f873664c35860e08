"""What every display has in common: a new one is found by its name and cannot forget it."""

import inspect

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl
import pytest
from matplotlib.figure import Figure
from sklearn.linear_model import LinearRegression, PoissonRegressor
from sklearn.linear_model import LogisticRegression as Model
from sklearn.model_selection import cross_validate

import capcurve
from capcurve import CapcurveError

ALL = [getattr(capcurve, name) for name in capcurve.__all__ if name.endswith("Display")]
# These draw curves that were made before, each in a panel; all others rank rows as well.
OF_PANELS = {"GainCurveDisplay", "PanelsDisplay"}
DISPLAYS = [display for display in ALL if display.__name__ not in OF_PANELS]
every_display = pytest.mark.parametrize("display", DISPLAYS)
RNG = np.random.default_rng(0)
FEATURES = RNG.normal(size=(200, 3))
EVENTS = (FEATURES[:, 0] + RNG.normal(size=200) > 0).astype(int)
MODELS = {
    "A": Model().fit(FEATURES[:, :1], EVENTS),
    "B": Model(C=0.01).fit(FEATURES[:, :1], EVENTS),
}
SCORES = {
    name: model.predict_proba(FEATURES[:, :1])[:, 1] for name, model in MODELS.items()
}
SHARED = {
    "from_predictions": [
        *("y_true", "y_score", "sample_weight", "pos_label", "target_type", "name", "ax"),
        "options",
    ],
    "from_estimator": [
        *("estimator", "X", "y", "sample_weight", "response_method", "pos_label", "name"),
        *("ax", "options"),
    ],
    "from_cv_results": [
        *("cv_results", "X", "y", "sample_weight", "response_method", "pos_label", "name"),
        *("ax", "options"),
    ],
    "plot": [
        *("self", "ax", "name", "curve_kwargs", "plot_chance_level"),
        *("chance_level_kwargs", "despine", "title"),
    ],
    "frame": ["self", "backend"],
}
# Pictures of its own would show a display twice, as pyplot shows the figure too.
VIEWS = [f"_repr_{kind}_" for kind in ("html", "png", "svg", "mimebundle")]
ARTISTS = ("ax_", "figure_", "line_", "mean_line_", "chance_level_", "perfect_level_")


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def draw(display):
    """Draw the same two scores with any display."""
    frame = pd.DataFrame({"y": EVENTS, **SCORES})
    if display is capcurve.GainCurveDisplay:
        made = display(capcurve.gain_curve(frame, "y", list(SCORES)))
    elif display is capcurve.PanelsDisplay:
        curves = capcurve.CAPCurveDisplay.from_predictions(EVENTS, SCORES).curve
        made = display(curves)
    else:
        return display.from_predictions(EVENTS, SCORES)
    assert made.plot() is made
    return made


def test_there_are_displays():
    assert len(DISPLAYS) >= 6
    assert {display.__name__ for display in ALL} > OF_PANELS


@pytest.mark.parametrize("display", ALL)
def test_any_display_is_a_line_a_figure_a_frame_and_a_chart(display):
    drawn = draw(display)
    assert isinstance(drawn.figure_, Figure)
    assert repr(drawn).startswith(f"{display.__name__}(")
    assert "\n" not in repr(drawn)
    assert not any(hasattr(drawn, view) for view in VIEWS)
    assert len(drawn.frame()) > 2
    assert callable(drawn.chart)


@every_display
@pytest.mark.parametrize("method", SHARED)
def test_arguments_have_the_names_of_scikit_learn_in_its_order(display, method):
    given = inspect.signature(getattr(display, method)).parameters
    assert [name for name in given if name in SHARED[method]] == SHARED[method]


@every_display
def test_several_scores_of_the_same_rows_in_one_call(display):
    drawn = display.from_predictions(EVENTS, SCORES, sample_weight=np.ones(200))
    assert isinstance(drawn, display)
    text = [each.get_text() for each in drawn.ax_.get_legend().get_texts()]
    assert all(any(name in each for each in text) for name in SCORES)
    again = display.from_predictions(EVENTS, SCORES, name=["first", "second"])
    text = [each.get_text() for each in again.ax_.get_legend().get_texts()]
    assert any("first" in each for each in text)


@every_display
def test_plot_draws_on_the_axes_given_and_returns_itself(display):
    axes = Figure().subplots()
    drawn = display.from_predictions(EVENTS, SCORES, ax=axes, title="A title", despine=True)
    assert drawn.ax_ is axes
    assert drawn.figure_ is axes.figure
    assert drawn.plot(Figure().subplots()) is drawn
    assert drawn.ax_ is not axes
    assert axes.get_title() == "A title"
    assert not axes.spines["top"].get_visible()
    assert all(hasattr(drawn, name) for name in ARTISTS)


@every_display
def test_a_display_is_one_short_line_and_no_picture(display):
    drawn = display.from_predictions(EVENTS, SCORES)
    shown = repr(drawn)
    assert shown.startswith(f"{display.__name__}(")
    assert "\n" not in shown
    assert "A" in shown
    assert len(repr(display.from_predictions(EVENTS, SCORES, name=["a" * 90] * 2))) < 140
    assert not any(hasattr(drawn, view) for view in VIEWS)


@every_display
def test_the_drawn_data_are_a_tidy_frame(display):
    drawn = display.from_predictions(EVENTS, SCORES)
    frame = drawn.frame("polars")
    assert frame.columns[:2] == ["curve", "role"]
    assert frame.columns[4:] == ["upper"]
    assert frame[frame.columns[3]].is_not_null().all()
    assert not frame.select(pl.selectors.numeric().is_nan()).to_series(0).any()
    assert isinstance(drawn.frame(), pd.DataFrame)
    with pytest.raises(CapcurveError, match="`backend` must be one of 'pandas', 'pol"):
        drawn.frame("spark")


@every_display
def test_the_frame_of_a_display_that_was_not_drawn(display):
    drawn = display.from_predictions(EVENTS, SCORES)
    first = next(iter(inspect.signature(display).parameters))
    bare = display(getattr(drawn, first), name=["A", "B"])
    assert bare.frame("polars").height == drawn.frame("polars").height


@every_display
def test_estimators_and_folds_by_name(display):
    x = FEATURES[:, :1]
    drawn = display.from_estimator(MODELS, x, EVENTS)
    same = display.from_predictions(EVENTS, SCORES)
    assert drawn.frame("polars").equals(same.frame("polars"), null_equal=True)
    folds = {
        name: cross_validate(model, x, EVENTS, return_estimator=True, return_indices=True)
        for name, model in MODELS.items()
    }
    text = display.from_cv_results(folds, x, EVENTS).ax_.get_legend().get_texts()
    assert any("B" in each.get_text() for each in text)


@pytest.mark.parametrize(
    "display", [each for each in DISPLAYS if "KS" not in each.__name__]
)
def test_amounts_of_regressors(display):
    x = FEATURES[:, :1]
    amounts = np.exp(x[:, 0])
    models = {
        name: PoissonRegressor(alpha=alpha).fit(x, amounts)
        for name, alpha in (("A", 0.1), ("B", 1.0))
    }
    drawn = display.from_estimator(models, x, amounts)
    assert drawn.frame("polars").height
    folds = {
        name: cross_validate(model, x, amounts, return_estimator=True, return_indices=True)
        for name, model in models.items()
    }
    assert display.from_cv_results(folds, x, amounts).frame("polars").height


@every_display
@pytest.mark.parametrize("title", [3, ["a"]])
def test_a_title_is_text(display, title):
    with pytest.raises(CapcurveError, match="`title` must be a text"):
        display.from_predictions(EVENTS, SCORES, title=title)


def test_one_regressor():
    amounts = np.exp(FEATURES[:, 0])
    model = LinearRegression().fit(FEATURES, amounts)
    drawn = capcurve.LorenzCurveDisplay.from_estimator(model, FEATURES, amounts)
    assert drawn.line_.get_label().startswith("LinearRegression (Gini = ")
