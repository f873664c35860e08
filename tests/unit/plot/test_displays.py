"""Displays by their artists: what is drawn is what was computed."""

import json
import subprocess
import sys

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import RocCurveDisplay
from sklearn.model_selection import KFold, ShuffleSplit, TimeSeriesSplit, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from capcurve import (
    CapCurve,
    CAPCurveDisplay,
    CapcurveError,
    LiftCurveDisplay,
    LorenzCurveDisplay,
    MissingDependencyError,
    UndefinedMetricWarning,
    accuracy_ratio_score,
    accuracy_ratio_scorer,
    cap_curve,
    perfect_cap_curve,
)
from capcurve.datasets import make_portfolio

Y = [1, 0, 1, 1, 0]
S = [0.2, 0.6, 0.8, 0.7, 0.4]
FEATURES, LABELS = load_breast_cancer(return_X_y=True)
FEATURES = FEATURES[:, :3]
NAMES = np.where(LABELS == 0, "malignant", "benign")
CLASSIFIER = make_pipeline(StandardScaler(), LogisticRegression()).fit(FEATURES, NAMES)
both_displays = pytest.mark.parametrize("display", [CAPCurveDisplay, LiftCurveDisplay])


def xy(line):
    return line.get_xydata().tolist()


def legend(display):
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


def number_of(display, ratio, lift):
    """Return the number that the legend of a display gives: AR, or lift at 10 %."""
    return f"lift {lift} at 10%" if display is LiftCurveDisplay else f"AR = {ratio}"


def marks(display):
    return [mark.text for mark in display.picture_.marks]


def test_the_line_is_the_curve_between_its_references():
    display = CAPCurveDisplay.from_predictions(Y, S)
    share, captured, _ = cap_curve(Y, S)
    assert xy(display.line_) == np.column_stack([share, captured]).tolist()
    assert xy(display.chance_level_) == [[0, 0], [1, 1]]
    assert xy(display.perfect_level_) == np.column_stack(perfect_cap_curve(Y)).tolist()
    assert legend(display) == ["Model (AR = 0.333)", "Perfect (AR = 1)", "Random (AR = 0)"]
    assert display.ax_.get_xlabel() == "Population share"
    assert display.ax_.get_ylabel() == "Capture rate"
    assert display.figure_ is display.ax_.figure


def test_the_perfect_line_of_amounts_is_the_real_one():
    amounts = [5.5, 0.0, 1.0, 2.0]
    display = CAPCurveDisplay.from_predictions(amounts, [4, 3, 2, 1])
    assert (
        xy(display.perfect_level_) == np.column_stack(perfect_cap_curve(amounts)).tolist()
    )
    assert len(xy(display.perfect_level_)) == 5


def test_lift_is_capture_by_share_everywhere():
    display = LiftCurveDisplay.from_predictions(Y, S)
    share, lift = display.line_.get_xydata().T
    curve = CapCurve.from_predictions(Y, S)
    assert lift == pytest.approx([curve.lift_at(x) for x in share])
    assert share[0] == 0.01
    marked = LiftCurveDisplay.from_predictions(Y, S, mark=(0.002, 0.5))
    assert marked.line_.get_xdata()[0] == 0.002
    assert legend(marked)[0] == "Model (lift 1.67 at 0.2%)"
    assert set(display.chance_level_.get_ydata()) == {1}
    assert display.perfect_level_.get_ydata().max() == pytest.approx(5 / 3)
    assert display.ax_.get_ylabel() == "Lift"
    assert display.ax_.get_ylim()[0] == 0


@both_displays
def test_styles_names_and_labels_are_the_callers(display):
    drawn = display.from_predictions(
        ["bad", "good"],
        [2, 1],
        pos_label="bad",
        name="Champion",
        curve_kwargs={"c": "red", "lw": 3},
        chance_level_kwargs={"label": "Guessing"},
        perfect_level_kwargs={"ls": ":"},
        despine=True,
    )
    assert drawn.line_.get_color() == "red"
    assert drawn.line_.get_linewidth() == 3
    assert drawn.perfect_level_.get_linestyle() == ":"
    champion = f"Champion ({number_of(display, '1.000', '2.00')})"
    perfect = "Perfect" if display is LiftCurveDisplay else "Perfect (AR = 1)"
    assert legend(drawn) == [champion, perfect, "Guessing"]
    assert "(positive label: bad)" in drawn.ax_.get_ylabel()
    assert not drawn.ax_.spines["top"].get_visible()
    assert drawn.ax_.spines["left"].get_visible()


@both_displays
def test_references_and_names_can_be_left_out(display):
    drawn = display.from_predictions(
        Y, S, name=None, plot_chance_level=False, plot_perfect=False
    )
    assert drawn.chance_level_ is drawn.perfect_level_ is None
    assert legend(drawn) == [number_of(display, "0.333", "1.67")]
    bare = display.from_predictions(
        Y, S, plot_chance_level=False, plot_perfect=False, curve_kwargs={"label": "_none"}
    )
    assert bare.ax_.get_legend() is None


@both_displays
def test_plotting_again_redraws_and_changes_nothing(display):
    curve = CapCurve.from_predictions(Y, S)
    before = curve.to_dict()
    drawn = display(curve, name="A").plot(normalize_scale=False)
    first = drawn.ax_
    assert drawn.plot(name="B") is drawn
    assert drawn.ax_ is not first
    assert drawn.line_.get_label() == f"B ({number_of(display, '0.333', '1.67')})"
    assert curve.to_dict() == before


@both_displays
def test_an_unknown_option_is_refused(display):
    with pytest.raises(TypeError, match="shadow"):
        display.from_predictions(Y, S, shadow=True)


def test_counts_on_both_axes():
    display = CAPCurveDisplay.from_predictions(Y, S, normalize_scale=False, mark=(0.4,))
    assert xy(display.line_)[-1] == [5, 3]
    assert xy(display.perfect_level_) == [[0, 0], [3, 3], [5, 3]]
    assert xy(display.chance_level_) == [[0, 0], [5, 3]]
    assert marks(display) == ["2 captured at 2"]
    assert display.ax_.get_xlabel() == "Population"
    assert display.ax_.get_ylabel() == "Captured outcome"
    lift = LiftCurveDisplay.from_predictions(Y, S, normalize_scale=False, mark=(0.4,))
    assert xy(lift.line_)[-1] == [5, 1]
    assert marks(lift) == ["lift 1.67 at 2"]


def test_axes_are_written_for_people():
    shares = CAPCurveDisplay.from_predictions(Y, S).ax_
    assert shares.xaxis.get_major_formatter()(0.5) == "50%"
    counts = CAPCurveDisplay.from_predictions(Y, S, normalize_scale=False).ax_
    labels = [counts.yaxis.get_major_formatter()(value) for value in (0.25, 3, 8e6)]
    assert labels == ["0.25", "3", "8,000,000"]


def test_marks_are_read_off():
    display = CAPCurveDisplay.from_predictions(Y, S, mark=(0.5, 1))
    assert marks(display) == ["66.7% captured at 50%", "100.0% captured at 100%"]
    lines = [line for line in display.ax_.lines if line.get_gid() == "capcurve-mark"]
    dashes = [line for line in lines if len(xy(line)) == 3]
    assert xy(dashes[0])[1] == pytest.approx([0.5, 2 / 3])
    assert marks(LiftCurveDisplay.from_predictions(Y, S, mark=(0.5,))) == [
        "lift 1.33 at 50%"
    ]
    with pytest.raises(CapcurveError, match="fraction"):
        CAPCurveDisplay.from_predictions(Y, S, mark=(50,))


def test_marks_at_the_same_spot_do_not_cover_each_other():
    loans = make_portfolio(3_000)
    display = CAPCurveDisplay.from_predictions(
        loans["default"], loans["champion_pd"], mark=(0.5,)
    )
    CAPCurveDisplay.from_predictions(
        loans["default"], loans["challenger_pd"], mark=(0.5,), ax=display.ax_
    )
    display.figure_.canvas.draw()
    first, second = (text.get_window_extent() for text in display.ax_.texts)
    assert not first.overlaps(second)


def test_the_shade_lies_between_chance_and_perfect():
    display = CAPCurveDisplay.from_predictions(Y, S, shade=True)
    (shade,) = display.ax_.collections
    corners = {tuple(np.round(point, 6)) for point in shade.get_paths()[0].vertices}
    assert {(0, 0), (0.6, 1), (1, 1), (0.6, 0.6)} <= corners


def test_several_models_share_axes_and_references():
    first = CAPCurveDisplay.from_predictions(Y, S, name="A")
    second = CAPCurveDisplay.from_predictions(Y, S[::-1], name="B", ax=first.ax_)
    assert second.chance_level_ is first.chance_level_
    assert second.perfect_level_ is first.perfect_level_
    assert second.line_.get_color() != first.line_.get_color()
    assert second.line_.get_linestyle() != first.line_.get_linestyle()
    assert [text.split()[0] for text in legend(second)] == ["A", "B", "Perfect", "Random"]


def test_event_rates_that_differ_have_a_perfect_line_each_and_one_entry():
    first = CAPCurveDisplay.from_predictions(Y, S)
    second = CAPCurveDisplay.from_predictions([1, 0, 0], [3, 2, 1], ax=first.ax_)
    assert second.perfect_level_ is not first.perfect_level_
    assert [text.split()[0] for text in legend(second)].count("Perfect") == 1
    curves = [
        CapCurve.from_predictions(y, [3, 2, 1]) for y in ([1, 0, 0], [1, 1, 0], [0, 1, 0])
    ]
    display = CAPCurveDisplay(curves).plot()
    assert np.isnan(display.perfect_level_.get_xdata()).sum() == 1  # two paths, one artist


def test_weights_added_in_another_order_have_one_perfect_line():
    """The event rates of these rankings differ in the last digit."""
    y, weight = [1, 0, 1, 0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]
    scores = {"A": range(7), "B": [2, 5, 0, 6, 1, 4, 3]}
    curves = [
        CapCurve.from_predictions(y, each, sample_weight=weight) for each in scores.values()
    ]
    assert len({curve.perfect.population_share[1] for curve in curves}) == 2
    display = CAPCurveDisplay.from_predictions(y, scores, sample_weight=weight)
    assert not np.isnan(display.perfect_level_.get_xdata()).any()
    first, second = (
        CAPCurveDisplay.from_predictions(y, each, sample_weight=weight, ax=ax)
        for ax in [Figure().subplots()]
        for each in scores.values()
    )
    assert second.perfect_level_ is first.perfect_level_


def test_a_long_curve_is_drawn_thinned_and_kept_whole():
    y = np.arange(100_000) % 7 == 0
    s = np.sin(np.arange(100_000.0))
    display = CAPCurveDisplay.from_predictions(y, s)
    assert len(xy(display.line_)) < 4 * 2048 + 3
    assert len(display.curve.population_share) == 100_001


def test_from_estimator_is_from_predictions():
    score = CLASSIFIER.predict_proba(FEATURES)
    for event, column in (("malignant", 1), ("benign", 0), (None, 1)):
        display = CAPCurveDisplay.from_estimator(
            CLASSIFIER, FEATURES, NAMES, pos_label=event
        )
        expected = CapCurve.from_predictions(
            NAMES, score[:, column], pos_label=event or "malignant"
        )
        assert display.curve.to_dict() == expected.to_dict()
        assert display.line_.get_label().startswith("Pipeline (AR = 0.")
        assert f"label: {event or 'malignant'}" in display.ax_.get_ylabel()


def test_every_response_ranks_alike():
    for event in ("benign", "malignant"):
        curves = [
            CAPCurveDisplay.from_estimator(
                CLASSIFIER, FEATURES, NAMES, pos_label=event, response_method=method
            ).curve
            for method in ("auto", "predict_proba", "decision_function")
        ]
        assert {round(curve.accuracy_ratio, 9) for curve in curves} == {
            round(curves[0].accuracy_ratio, 9)
        }
        assert curves[0].accuracy_ratio > 0.9


def test_a_classifier_without_probabilities_and_a_weighted_one():
    machine = LinearSVC().fit(FEATURES, LABELS)
    weight = np.arange(len(LABELS)) % 3
    display = CAPCurveDisplay.from_estimator(
        machine, FEATURES, LABELS, sample_weight=weight, name=""
    )
    expected = accuracy_ratio_score(
        LABELS, machine.decision_function(FEATURES), sample_weight=weight
    )
    assert display.curve.accuracy_ratio == pytest.approx(expected, rel=1e-12)
    assert display.line_.get_label().startswith(" (AR")
    with pytest.raises(CapcurveError, match="LinearSVC has no predict_proba"):
        CAPCurveDisplay.from_estimator(
            machine, FEATURES, LABELS, response_method="predict_proba"
        )


def test_a_regressor_ranks_amounts():
    rows, amounts = load_diabetes(return_X_y=True)
    model = LinearRegression().fit(rows, amounts)
    display = CAPCurveDisplay.from_estimator(model, rows, amounts)
    assert display.curve.accuracy_ratio == accuracy_ratio_score(
        amounts, model.predict(rows)
    )


def test_what_cannot_be_ranked_is_refused():
    with pytest.raises(NotFittedError):
        CAPCurveDisplay.from_estimator(LogisticRegression(), FEATURES, LABELS)
    with pytest.raises(
        CapcurveError, match="a classifier or a regressor, got StandardScaler"
    ):
        CAPCurveDisplay.from_estimator(StandardScaler().fit(FEATURES), FEATURES, LABELS)
    with pytest.raises(
        CapcurveError, match=r"`pos_label` is 'x', .* 'benign', 'malignant'"
    ):
        CAPCurveDisplay.from_estimator(CLASSIFIER, FEATURES, NAMES, pos_label="x")
    with pytest.raises(CapcurveError, match=r"`response_method` must be .*, got 'predict'"):
        CAPCurveDisplay.from_estimator(
            CLASSIFIER, FEATURES, NAMES, response_method="predict"
        )


def cross_validated(splitter=None):
    return cross_validate(
        LogisticRegression(max_iter=1000),
        FEATURES,
        LABELS,
        cv=splitter,
        return_estimator=True,
        return_indices=True,
    )


@both_displays
@pytest.mark.parametrize(
    "splitter",
    [3, TimeSeriesSplit(3), ShuffleSplit(3, train_size=50, test_size=50, random_state=0)],
    ids=["k-fold", "time series", "sub-sample"],
)
def test_folds_of_any_splitter(display, splitter):
    results = cross_validated(splitter)
    weight = np.ones(len(LABELS))
    drawn = display.from_cv_results(
        results, FEATURES, LABELS, sample_weight=weight, name="CV"
    )
    ratios = [
        accuracy_ratio_score(
            LABELS[rows],
            model.predict_proba(FEATURES[rows])[:, 1],
            sample_weight=weight[rows],
        )
        for model, rows in zip(
            results["estimator"], results["indices"]["test"], strict=True
        )
    ]
    assert [curve.accuracy_ratio for curve in drawn.curve] == ratios
    assert len(drawn.line_) == 3
    lifts = [curve.lift_at(0.1) for curve in drawn.curve]
    number = number_of(
        display,
        f"{np.mean(ratios):.3f} ± {np.std(ratios):.3f}",
        f"{np.mean(lifts):.2f} ± {np.std(lifts):.2f}",
    )
    names = [f"CV, mean ({number})", "3 folds", "± 1 standard deviation"]
    assert legend(drawn)[:3] == names
    assert len({line.get_color() for line in drawn.line_}) == 1
    share, mean = drawn.mean_line_.get_xydata().T
    found = "lift_at" if display is LiftCurveDisplay else "capture_rate_at"
    heights = [getattr(curve, found)(share[1:]) for curve in drawn.curve]
    assert mean[1:] == pytest.approx(np.mean(heights, axis=0), abs=1e-3)


def test_folds_with_a_name_and_a_style_each():
    styles = [{"color": color} for color in ("red", "green", "blue")]
    drawn = CAPCurveDisplay.from_cv_results(
        cross_validated(3), FEATURES, LABELS, name=list("abc"), curve_kwargs=styles
    )
    assert [text.split()[0] for text in legend(drawn)] == [
        "a",
        "b",
        "c",
        "Perfect",
        "Random",
    ]
    assert [line.get_color() for line in drawn.line_] == ["red", "green", "blue"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"name": list("ab")}, "`name` must be one name, or a list .* each curve .3., got"),
        ({"name": [1, 2, 3]}, "`name` must be one name, or a list .* each curve .3., got"),
        ({"name": list("ab"), "curve_kwargs": [{}] * 3}, "`name` must be one name, or a"),
        (
            {"curve_kwargs": [{}] * 2},
            "`curve_kwargs` must be one dict, or a list .* each curve .3., got",
        ),
    ],
)
def test_folds_with_options_that_do_not_fit(options, message):
    with pytest.raises(CapcurveError, match=message):
        CAPCurveDisplay.from_cv_results(cross_validated(3), FEATURES, LABELS, **options)


def test_a_fold_of_one_class_says_which_it_is_and_what_to_do():
    order = np.roll(np.argsort(LABELS, kind="stable")[-450:], 25)  # 93 non-events
    rows, labels = FEATURES[order], LABELS[order]
    results = cross_validate(
        LogisticRegression(max_iter=1000),
        rows,
        labels,
        cv=KFold(9),
        return_estimator=True,
        return_indices=True,
    )
    told = (
        r"^the curve of fold 2 is undefined: `y_true` holds only non-events; stratify "
        r"or shuffle the folds \(`StratifiedKFold`, `KFold\(shuffle=True\)`\)$"
    )
    with pytest.raises(CapcurveError, match=told):
        CAPCurveDisplay.from_cv_results(results, rows, labels)


@pytest.mark.parametrize(
    ("fitted", "asked", "told"),
    [
        (["bad", "good"], [0, 1], "'bad', 'good'.* got 0, 1"),
        ([1, 2], [0, 1], "1, 2.* got 0"),
    ],
)
def test_labels_that_an_estimator_never_saw_are_refused_as_by_the_scorer(
    fitted, asked, told
):
    model = GaussianNB().fit(FEATURES, np.array(fitted)[LABELS])
    y = np.array(asked)[LABELS]
    message = rf"^`y` must hold the classes of the estimator \({told}; pass the labels that"
    for evaluate in (CAPCurveDisplay.from_estimator, accuracy_ratio_scorer):
        with pytest.raises(CapcurveError, match=message):
            evaluate(model, FEATURES, y)


def test_results_without_estimators_say_what_to_ask_for():
    results = cross_validate(LogisticRegression(max_iter=1000), FEATURES, LABELS)
    with pytest.raises(
        CapcurveError, match=r"lacks estimator and indices; .*return_indices"
    ):
        CAPCurveDisplay.from_cv_results(results, FEATURES, LABELS)


def test_plot_of_a_curve_draws_on_the_axes_given():
    axes = Figure().subplots()
    curve = CapCurve.from_predictions(Y, S)
    assert curve.plot(axes, name="A") is axes
    assert axes.lines[0].get_label() == "A (AR = 0.333)"
    assert curve.plot().lines[0].get_label() == "AR = 0.333"


def test_plotting_without_matplotlib_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.pyplot", None)
    with pytest.raises(MissingDependencyError, match=r'pip install "capcurve\[plot\]"'):
        CAPCurveDisplay.from_predictions(Y, S)


# What cannot be drawn


@both_displays
def test_several_curves_have_a_name_each(display):
    curves = [CapCurve.from_predictions(Y, s) for s in (S, Y)]
    drawn = display(curves, name=["A", "B"]).plot()
    first, second = (number_of(display, ar, "1.67") for ar in ("0.333", "1.000"))
    assert legend(drawn)[:2] == [f"A ({first})", f"B ({second})"]
    assert len({line.get_color() for line in drawn.line_}) == 2
    again = display(curves).plot(name=("C", None))
    assert legend(again)[:2] == [f"C ({first})", second]


@both_displays
def test_a_single_share_is_marked(display):
    one = display.from_predictions(Y, S, mark=0.5)
    assert marks(one) == marks(display.from_predictions(Y, S, mark=(0.5,)))
    assert marks(display.from_predictions(Y, S, mark=np.array([0.2, 0.5])))[1:] == marks(
        one
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mark": 50}, r"`mark` must be a fraction in .*, got 50; 10 % is 0\.1"),
        ({"mark": (50,)}, r"`mark` must be a fraction in .*, got 50; 10 % is 0\.1"),
        ({"mark": "10%"}, r"`mark` must be a fraction in .*, got '10%'"),
        ({"mark": None}, "`mark` must be a fraction in .*, got None"),
        ({"mark": {0.1}}, "`mark` must be one-dimensional, got set"),
        ({"ax": Figure()}, "`ax` must be one matplotlib Axes, got Figure; pass one of"),
        ({"ax": Figure().subplots(2)}, "`ax` must be one matplotlib Axes, got ndarray"),
        ({"name": 3}, "`name` must be one name, or a list .*, got 3"),
        ({"curve_kwargs": "red"}, "`curve_kwargs` must be one dict, .*, got 'red'"),
        ({"curve_kwargs": {"colour": "red"}}, "`curve_kwargs` must hold .*colour"),
        ({"curve_kwargs": {"lw": 1, "linewidth": 2}}, "`curve_kwargs` must hold .*lw"),
        ({"chance_level_kwargs": {"color": "no"}}, "`chance_level_kwargs` must .* color"),
        ({"perfect_level_kwargs": 3}, "`perfect_level_kwargs` must hold .*, got 3"),
        ({"shade": "yes"}, "`shade` must be True or False, got 'yes'"),
        ({"despine": 1}, "`despine` must be True or False, got 1"),
        ({"band": True}, "`band` must be 'pointwise' or 'simultaneous', got True"),
    ],
)
@both_displays
def test_what_cannot_be_drawn_is_refused(display, options, message):
    with pytest.raises(CapcurveError, match=message):
        display.from_predictions(Y, S, **options)


def test_lift_has_no_mark_at_the_origin():
    assert marks(CAPCurveDisplay.from_predictions(Y, S, mark=0))
    with pytest.raises(CapcurveError, match=r"`mark` must be a fraction in \(0, 1\]"):
        LiftCurveDisplay.from_predictions(Y, S, mark=0)


def test_styles_are_checked_where_the_line_is_there_already():
    first = CAPCurveDisplay.from_predictions(Y, S)
    with pytest.raises(CapcurveError, match="`perfect_level_kwargs` must hold"):
        CAPCurveDisplay.from_predictions(Y, S, ax=first.ax_, perfect_level_kwargs={"a": 1})


@pytest.mark.parametrize("curve", [Y, [], None, [Y, S], "curve", (CapCurve,)])
@both_displays
def test_a_display_is_of_curves(display, curve):
    with pytest.raises(CapcurveError, match=r"`curve` must be a CapCurve.*from_pred"):
        display(curve)
    with pytest.raises(CapcurveError, match=r"`curve` must be a CapCurve.*from_pred"):
        display(curve, S)


@both_displays
def test_the_class_that_counts_is_that_of_scikit_learn(display):
    for event in (None, "malignant", np.str_("benign")):
        theirs = RocCurveDisplay.from_estimator(
            CLASSIFIER, FEATURES, NAMES, pos_label=event, ax=Figure().subplots()
        )
        ours = display.from_estimator(CLASSIFIER, FEATURES, NAMES, pos_label=event)
        assert ours.curve.accuracy_ratio == pytest.approx(2 * theirs.roc_auc - 1)
        assert ours.pos_label == (event or "malignant")


# -- Several models, class labels and folds


FLOWERS, KINDS = load_iris(return_X_y=True, as_frame=True)
FLOWERS = FLOWERS.iloc[:, :2]
SPECIES = np.array(["setosa", "versicolor", "virginica"])[KINDS]
THREE = LogisticRegression().fit(FLOWERS, SPECIES)


def test_each_class_of_several_has_a_curve():
    display = CAPCurveDisplay.from_estimator(THREE, FLOWERS, SPECIES)
    probability = THREE.predict_proba(FLOWERS)
    for place, label in enumerate(THREE.classes_):
        expected = CapCurve.from_predictions(
            SPECIES, probability[:, place], pos_label=str(label)
        )
        assert display.curve[label].accuracy_ratio == expected.accuracy_ratio
        number = f"{label} (AR = {expected.accuracy_ratio:.3f})"
        assert display.line_[place].get_label() == number
    named = CAPCurveDisplay.from_estimator(THREE, FLOWERS, SPECIES, name="Forest")
    assert legend(named)[0].startswith("Forest, setosa (AR")
    one = CAPCurveDisplay.from_estimator(THREE, FLOWERS, SPECIES, pos_label="virginica")
    assert one.curve.to_dict() == display.curve["virginica"].to_dict()
    assert one.line_.get_label().startswith("LogisticRegression (AR = ")


def test_a_matrix_of_scores_has_a_curve_for_each_label():
    probability = THREE.predict_proba(FLOWERS)
    display = CAPCurveDisplay.from_predictions(SPECIES, probability)
    ratios = [curve.accuracy_ratio for curve in display.curve.values()]
    assert np.mean(ratios) == pytest.approx(accuracy_ratio_score(SPECIES, probability))
    assert list(display.curve) == list(THREE.classes_)
    turned = CAPCurveDisplay.from_predictions(
        SPECIES, probability[:, ::-1], labels=THREE.classes_[::-1], name=list("abc")
    )
    assert [curve.accuracy_ratio for curve in turned.curve.values()] == ratios[::-1]
    assert [text[0] for text in legend(turned)[:3]] == list("abc")
    ranked = CAPCurveDisplay.from_predictions(
        SPECIES, probability[:, 0], pos_label="setosa"
    )
    assert ranked.curve.accuracy_ratio == ratios[0]
    with pytest.raises(CapcurveError, match="`pos_label` does not apply to a two-dim"):
        CAPCurveDisplay.from_predictions(SPECIES, probability, pos_label="setosa")


def test_labels_without_rows_are_left_out():
    few = SPECIES != "setosa"
    with pytest.warns(UndefinedMetricWarning, match="curve of label 'setosa' is undefined"):
        display = CAPCurveDisplay.from_estimator(THREE, FLOWERS[few], SPECIES[few])
    assert list(display.curve) == ["versicolor", "virginica"]
    with pytest.raises(CapcurveError, match="holds only"):
        CAPCurveDisplay.from_predictions([1, 1], {"a": [1, 2], "b": [2, 1]})


def test_folds_of_several_classes_and_models():
    results = cross_validate(
        LogisticRegression(), FLOWERS, SPECIES, return_estimator=True, return_indices=True
    )
    display = CAPCurveDisplay.from_cv_results(results, FLOWERS, SPECIES)
    assert len(display.mean_line_) == 3
    assert len(display.line_) == 15
    assert legend(display)[0].startswith("setosa, mean (AR = ")
    assert legend(display).count("5 folds") == 1
    both = CAPCurveDisplay.from_cv_results(
        {"A": results, "B": results}, FLOWERS, SPECIES, pos_label="setosa"
    )
    assert len(both.mean_line_) == 2
    assert [text[:7] for text in legend(both)[:2]] == ["A, mean", "B, mean"]
    all_of_them = CAPCurveDisplay.from_cv_results({"A": results}, FLOWERS, SPECIES)
    assert list(all_of_them.curve) == [f"A, {label}" for label in THREE.classes_]


def test_several_estimators_by_name():
    other = LogisticRegression(C=1e-3).fit(FEATURES, NAMES)
    display = CAPCurveDisplay.from_estimator(
        {"A": CLASSIFIER, "B": other}, FEATURES, NAMES, mark=0.5
    )
    single = CAPCurveDisplay.from_estimator(other, FEATURES, NAMES)
    assert display.curve["B"].to_dict() == single.curve.to_dict()
    assert display.pos_label == "malignant"
    assert legend(display)[1] == f"B (AR = {single.curve.accuracy_ratio:.3f})"


@pytest.mark.parametrize(
    ("models", "message"),
    [
        ({}, "must hold models by name if it is a dict, got an empty one; pass"),
        ({1: CLASSIFIER}, "must have texts as names, got the key 1; write it as '1'$"),
        ({"A": CLASSIFIER, None: CLASSIFIER}, "got the key None; write it as 'None'$"),
    ],
)
def test_models_in_a_dict_have_names(models, message):
    with pytest.raises(CapcurveError, match=f"`estimator` .*{message}"):
        CAPCurveDisplay.from_estimator(models, FEATURES, NAMES)
    with pytest.raises(CapcurveError, match=f"`y_score` .*{message}"):
        CAPCurveDisplay.from_predictions([1, 0], {name: [1, 2] for name in models})


def test_a_score_in_a_dict_is_named_in_messages():
    with pytest.raises(CapcurveError, match=r"`y_score\['B'\]` .*missing"):
        CAPCurveDisplay.from_predictions([1, 0], {"A": [1, 2], "B": [1, np.nan]})
    with pytest.raises(CapcurveError, match="`labels` does not apply to a dict as"):
        CAPCurveDisplay.from_predictions([1, 0], {"A": [1, 2]}, labels=[0, 1])
    with pytest.raises(CapcurveError, match="`labels` does not apply to a one-dim"):
        CAPCurveDisplay.from_predictions([1, 0], [1, 2], labels=[0, 1])


def test_curves_by_name_are_curves_or_folds():
    curves = [CapCurve.from_predictions(Y, s) for s in (S, Y)]
    display = CAPCurveDisplay({"A": curves[0], "B": curves}).plot()
    assert legend(display)[:2] == ["A (AR = 0.333)", "B, mean (AR = 0.667 ± 0.333)"]
    assert len(display.line_) == 2
    assert len(display.mean_line_) == 2
    renamed = CAPCurveDisplay({"A": curves[0], "B": curves[1]}, name=["x", "y"]).plot()
    assert [text[0] for text in legend(renamed)[:2]] == ["x", "y"]
    with pytest.raises(CapcurveError, match=r"`curve` must be .* a dict of them by name"):
        CAPCurveDisplay({"A": []})
    with pytest.raises(CapcurveError, match=r"`curve` must be .* a dict of them by name"):
        CAPCurveDisplay({})


@both_displays
def test_one_fold_is_a_curve(display):
    drawn = display([CapCurve.from_predictions(Y, S)], name="CV").plot()
    assert drawn.mean_line_ is None
    assert legend(drawn)[0] == f"CV ({number_of(display, '0.333', '1.67')})"


@both_displays
def test_folds_with_totals_have_no_mean(display):
    curves = [CapCurve.from_predictions(Y, s) for s in (S, Y)]
    drawn = display(curves, name="CV").plot(normalize_scale=False)
    assert drawn.mean_line_ is None
    assert len(drawn.line_) == 2
    number = number_of(display, "0.667 ± 0.333", "1.67 ± 0.00")
    assert legend(drawn)[0] == f"CV ({number})"
    assert drawn.picture_.marks == ()
    assert drawn.frame("polars")["curve"].drop_nulls().unique().sort().to_list() == [
        "CV, fold 1",
        "CV, fold 2",
    ]


def test_the_spread_stays_within_the_axes():
    curves = [CapCurve.from_predictions(Y, s) for s in (S, Y)]
    picture = CAPCurveDisplay(curves).plot().picture_
    (spread,) = [layer for layer in picture.layers if layer.role == "spread"]
    assert spread.top.max() <= 1
    assert spread.y.min() >= 0


def test_one_call_draws_the_picture_of_the_tutorial():
    display = CAPCurveDisplay.from_estimator(CLASSIFIER, FEATURES, NAMES, mark=0.5)
    assert display.ax_.get_title() == f"CAP curve, AR = {display.curve.accuracy_ratio:.3f}"
    assert display.perfect_level_ is not None
    assert display.chance_level_ is not None
    captured = display.curve.capture_rate_at(0.5)
    assert marks(display) == [f"{captured:.1%} captured at 50%"]


@both_displays
def test_more_curves_than_can_be_told_apart_are_refused(display):
    curve = CapCurve.from_predictions(Y, S)
    drawn = display({f"M{i}": curve for i in range(20)}).plot()
    assert len(drawn.line_) == len(drawn.picture_.curves) == 20
    with pytest.raises(
        CapcurveError, match=r"at most 20 curves .*, got 21; .*call `plot_pan"
    ):
        display({f"M{i}": curve for i in range(21)}).plot()


def test_a_frame_requires_its_library():
    program = (
        "import sys; sys.modules['polars'] = None\n"
        "from capcurve import CAPCurveDisplay, CapCurve\n"
        "display = CAPCurveDisplay(CapCurve.from_predictions([1, 0], [2, 1]))\n"
        "try:\n    display.frame('polars')\n"
        "except ImportError as error:\n    print(type(error).__name__, error)"
    )
    run = subprocess.run(  # noqa: S603 -- our own text
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert run.stdout.startswith("MissingDependencyError polars is required for `frame` b")


def test_a_style_that_is_no_option_names_where_styles_go():
    with pytest.raises(TypeError, match=r"argument 'color'.* as curve_kwargs=\{'color': "):
        CAPCurveDisplay.from_predictions([0, 1, 1], [1, 2, 3], color="red")


@pytest.mark.parametrize("option", ["target_type", "labels", "descending", "pos_label"])
def test_how_rows_are_read_is_no_option_of_a_picture(option):
    display = CAPCurveDisplay.from_predictions([0, 1, 1], [1, 2, 3])
    with pytest.raises(TypeError, match=f"'{option}', which .*; pass it to from_predictio"):
        display.plot(**{option: "auto"})


def test_an_estimator_takes_no_kind_of_outcome():
    estimator = LogisticRegression().fit([[1], [2], [3]], [0, 1, 1])
    with pytest.raises(TypeError, match=r"'target_type', which .* of an estimator as"):
        CAPCurveDisplay.from_estimator(
            estimator, [[1], [2], [3]], [0, 1, 1], target_type="binary"
        )


@both_displays
@pytest.mark.parametrize("kind", [list, tuple])
def test_several_models_without_names_are_refused(display, kind):
    models = kind([np.arange(4.0), -np.arange(4.0)])
    told = (
        rf"^several %s must have names, got a {kind.__name__} of 2 as `%s`; pass a dict, "
        r"such as \{'champion': \.\.\., 'challenger': \.\.\.\}$"
    )
    with pytest.raises(CapcurveError, match=told % ("scores", "y_score")):
        display.from_predictions([0, 1, 1, 0], models)
    with pytest.raises(CapcurveError, match=told % ("models", "estimator")):
        display.from_estimator(models, [[0]] * 4, [0, 1, 1, 0])
    with pytest.raises(CapcurveError, match=told % ("models", "cv_results")):
        display.from_cv_results(kind([{}, {}]), [[0]] * 4, [0, 1, 1, 0])


MARKED_FOLDS = [CapCurve.from_predictions(Y, s) for s in (S, Y)]


@pytest.mark.parametrize(
    ("display", "text", "height"),
    [
        (CAPCurveDisplay, "75.0% ± 8.3 captured at 50%", 0.75),
        (LiftCurveDisplay, "lift 1.50 ± 0.17 at 50%", 1.5),
        (LorenzCurveDisplay, "25.0% ± 8.3 in the last 50%", 0.25),
    ],
)
def test_marks_of_folds_are_on_their_mean_curve(display, text, height):
    drawn = display({"A": MARKED_FOLDS, "B": MARKED_FOLDS[0]}).plot(mark=[0.5, 0.123])
    both = drawn.picture_.marks
    assert [mark.number for mark in both] == [0, 0, 1, 1]
    assert both[0].text == text
    assert both[0].y == pytest.approx(height)
    mean = drawn.mean_line_[0].get_xydata()
    assert both[1].y == pytest.approx(np.interp(0.123, *mean.T))
    assert "±" not in both[2].text
    chart = json.dumps(display(MARKED_FOLDS).chart(mark=0.5).to_dict(), ensure_ascii=False)
    assert text.replace(" captured", "") in chart


def test_the_legend_tells_the_values_of_marks_of_folds():
    display = CAPCurveDisplay.from_cv_results(
        cross_validated(3), FEATURES, LABELS, mark=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    )
    captured = [curve.capture_rate_at(0.1) for curve in display.curve]
    value = f"{np.mean(captured):.1%} ± {100 * np.std(captured):.1f} at 10%"
    assert value in " ".join(legend(display)[0].split("\n"))


@both_displays
def test_marks_need_the_mean_of_folds(display):
    with pytest.raises(
        CapcurveError,
        match=r"^`mark` reads off the mean curve of folds, which has shares only, got it "
        "with `normalize_scale=False`; leave out one of the two$",
    ):
        display(MARKED_FOLDS).plot(normalize_scale=False, mark=0.5)


def test_folds_of_several_models_have_an_entry_of_no_model():
    display = CAPCurveDisplay({"A": MARKED_FOLDS, "B": MARKED_FOLDS}).plot()
    found = display.ax_.get_legend()
    lines = dict(zip(legend(display), found.get_lines(), strict=False))
    colors = {to_hex(line.get_color()) for line in display.line_}
    assert len(colors) == 2
    assert to_hex(lines["2 folds"].get_color()) not in colors
    (patch,) = found.get_patches()
    assert to_hex(patch.get_facecolor()) == to_hex(lines["2 folds"].get_color())
    alone = CAPCurveDisplay(MARKED_FOLDS).plot()
    assert alone.ax_.get_legend().get_lines()[1].get_color() == alone.line_[0].get_color()
