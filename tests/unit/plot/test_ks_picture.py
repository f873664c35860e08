"""Pictures of KS against scikit-learn's and SciPy's numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from scipy.stats import ks_2samp
from sklearn.metrics import roc_curve

from capcurve import CapCurve, CapcurveError, CapSketch, KSDisplay
from capcurve._plot.chart_legend import NEUTRAL, list_entries

Y = [1, 0, 1, 1, 0, 0]
S = [9, 6, 8, 5, 4, 2]


def draw(*data, **options):
    return KSDisplay.from_predictions(*data, ax=Figure().subplots(), **options)


def legend(display):
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


def gap_of(display):
    (gap,) = [layer for layer in display.picture_.layers if layer.role == "gap"]
    return gap


rows = st.lists(
    st.tuples(st.integers(0, 1), st.integers(-4, 4), st.integers(1, 3)),
    min_size=2,
    max_size=25,
).filter(lambda found: len({y for y, _, _ in found}) == 2)


@given(rows, st.booleans())
def test_the_gap_is_that_of_scikit_learn_at_its_threshold(found, descending):
    y, s, w = (np.array(column) for column in zip(*found, strict=True))
    sign = 1 if descending else -1
    fpr, tpr, thresholds = roc_curve(y, sign * s, sample_weight=w, drop_intermediate=False)
    display = draw(y, s, sample_weight=w, descending=descending)
    gap = gap_of(display)
    widths = np.abs(tpr - fpr)
    assert gap.y[1] - gap.y[0] == pytest.approx(widths.max(), abs=1e-12)
    if (at := sign * thresholds[widths > widths.max() - 1e-9]).size and widths.max() > 1e-9:
        assert gap.x[0] in at


@given(rows)
def test_lines_are_the_distribution_functions(found):
    y, s, _ = (np.array(column) for column in zip(*found, strict=True))
    display = draw(y, s)
    for line, event in zip(display.line_, (1, 0), strict=True):
        x, height = line.get_xydata().T
        own = s[y == event]
        for score in set(s.tolist()):  # the upper end of the step at each score
            assert height[x == score].max() == pytest.approx(np.mean(own <= score))
            assert height[x == score].min() == pytest.approx(np.mean(own < score))


def test_ks_is_that_of_scipy():
    rng = np.random.default_rng(1)
    y = rng.random(5_000) < 0.1
    s = rng.normal(y, 1)
    theirs = ks_2samp(s[y], s[~y])
    display = draw(y, s)
    assert gap_of(display).y[1] - gap_of(display).y[0] == pytest.approx(theirs.statistic)
    assert display.curve.ks == pytest.approx(theirs.statistic)
    assert legend(display)[2].startswith(f"KS = {theirs.statistic:.3f} at score ")
    assert max(len(line.get_xdata()) for line in display.line_) < 20_000


def test_a_long_curve_keeps_its_steps_apart():
    rng = np.random.default_rng(1)
    y = rng.random(100_000) < 0.3
    s = rng.normal(y, 1)
    display = draw(y, s)
    for line, own in zip(display.line_, (s[y], s[~y]), strict=True):
        x, height = line.get_xydata().T
        assert len(x) < 20_000
        grid = np.linspace(-3, 4, 500)
        expected = np.searchsorted(np.sort(own), grid, side="right") / len(own)
        assert np.abs(np.interp(grid, x, height) - expected).max() < 2e-3


def test_names_and_entries():
    assert legend(draw(Y, S)) == ["Events", "Non-events", "KS = 0.667 at score 8"]
    assert draw(Y, S).ax_.get_title() == "Score distributions, KS = 0.667"
    assert legend(draw(Y, S, name="F"))[2] == "F (KS = 0.667 at score 8)"
    two = draw(Y, {"F": S, "G": Y})
    assert legend(two)[:4] == ["F, events", "F, non-events", "G, events", "G, non-events"]
    assert len(two.line_) == 4
    assert two.ax_.get_title() == "Score distributions"
    assert two.ax_.get_xlabel() == "Score"
    labelled = draw(["a", "b", "b"], [3, 2, 1], pos_label="a")
    assert labelled.ax_.get_ylabel() == "Cumulative share (positive label: a)"


def test_gaps_of_several_models_look_different():
    rng = np.random.default_rng(1)
    y = rng.random(300) < 0.4
    scores = {f"model {i}": rng.normal(y, 1 + i / 4) for i in range(8)}
    display = draw(y, scores)
    lines = [line for line in display.ax_.lines if line.get_gid() == "capcurve-gap"]
    assert len({str(line.get_color()) for line in lines}) == 8
    curves = {line.get_linewidth() for line in display.line_}
    assert min(line.get_linewidth() for line in lines) > max(curves)  # on black too
    entries = list_entries(display.picture_)
    of_gaps = [
        entries[i] for i, layer in enumerate(display.picture_.layers) if layer.role == "gap"
    ]
    assert len({(entry.color, *entry.dash) for entry in of_gaps}) == 8
    dashes = [tuple(entry.dash) for entry in of_gaps]
    assert len(set(dashes[:4])) == 4  # seen without colours, too
    (alone,) = (
        entry
        for entry in list_entries(draw(y, scores["model 0"]).picture_).values()
        if entry.text.startswith("KS")
    )
    assert alone.color == NEUTRAL


def test_over_the_population():
    display = draw(Y, S, over="population_share", mark=0.5, shade=True)
    assert display.line_[0].get_xydata().tolist() == pytest.approx(
        np.column_stack([np.arange(7) / 6, [0, 1 / 3, 2 / 3, 2 / 3, 1, 1, 1]])
    )
    assert legend(display)[2:] == ["KS = 0.667 at 33.3%", "Random (KS = 0)"]
    assert display.chance_level_.get_xydata().tolist() == [[0, 0], [1, 1]]
    assert [text.get_text() for text in display.ax_.texts] == ["gap 0.333 at 50%"]
    bare = draw(Y, S, over="population_share", plot_chance_level=False)
    assert bare.chance_level_ is None


def test_the_shade_lies_between_the_lines():
    rng = np.random.default_rng(1)
    y = rng.random(20_000) < 0.1
    display = draw(y, rng.normal(y, 1), over="population_share", shade=True)
    (shade,) = [layer for layer in display.picture_.layers if layer.role == "shade"]
    heights = [np.interp(0.3, *line.get_xydata().T) for line in display.line_]
    edges = [np.interp(0.3, shade.x, edge) for edge in (shade.y, shade.top)]
    assert edges == pytest.approx(sorted(heights))


def test_marks_lie_on_the_line_of_events():
    display = draw(Y, S, mark=(0.5, 1), shade=True)
    first, second = display.picture_.marks
    assert (first.x, first.y, first.text) == (6, pytest.approx(1 / 3), "gap 0.333 at 50%")
    assert (second.x, second.y) == (2, 0)
    ascending = draw(Y, S, mark=0.5, descending=False)
    assert ascending.picture_.marks[0].y == pytest.approx(1 / 3)
    with pytest.raises(CapcurveError, match=r"`mark` must be a fraction in \(0, 1\]"):
        draw(Y, S, mark=0)


def test_grades_are_named_on_the_axis():
    frame = {"y": [0, 0, 1, 0, 1, 1], "s": ["A", "A", "B", "B", "C", "C"]}
    pandas = pytest.importorskip("pandas")
    curve = CapCurve.from_frame(pandas.DataFrame(frame), "y", "s", order=list("ABC"))
    display = KSDisplay(curve).plot(Figure().subplots())
    assert [text.get_text() for text in display.ax_.get_xticklabels()] == ["A", "B", "C"]
    assert legend(display)[2] == "KS = 0.667 at C"
    assert display.ax_.get_xlabel() == "Grade"
    plain = CapCurve.from_predictions(Y, S)
    with pytest.raises(CapcurveError, match=r"curves of grades must share them .*over="):
        KSDisplay({"a": curve, "b": plain}).plot(Figure().subplots())
    both = KSDisplay({"a": curve, "b": plain})
    assert len(both.plot(Figure().subplots(), over="population_share").line_) == 4


def test_infinite_scores():
    display = draw(Y, [np.inf, 6, 8, 5, 4, -np.inf])
    x, height = display.line_[1].get_xydata().T
    assert (x[0], height[0], x[-1], height[-1]) == (4, pytest.approx(1 / 3), 8, 1)
    wide = draw([1, 0, 0], [np.inf, 1, 2], mark=0.1)
    assert gap_of(wide).x.tolist() == [2, 2]
    assert wide.picture_.marks == ()
    with pytest.raises(CapcurveError, match="requires a finite score, got infinite ones"):
        draw([1, 0], [np.inf, -np.inf])


@pytest.mark.parametrize("max_bins", [8, 65_536])
def test_bins_have_guaranteed_bounds(max_bins):
    sketch = CapSketch(max_bins)
    rng = np.random.default_rng(0)
    y = rng.random(2_000) < 0.2
    sketch.update(y, np.exp(rng.normal(y, 1)))
    display = KSDisplay(sketch).plot(Figure().subplots())
    value, low, high = sketch.curve.ks
    if max_bins == 8:
        assert f"KS = {value:.3f} ({low:.3f} to {high:.3f}) at score " in legend(display)[2]
    else:
        assert legend(display)[2].startswith(f"KS = {value:.3f} at score ")


def test_amounts_have_no_ks():
    with pytest.raises(CapcurveError, match="a picture of KS requires 0/1 events, got amo"):
        draw([0.5, 2.0, 1.0], [1, 2, 3])
    sketch = CapSketch(target_type="continuous")
    sketch.update([0.5, 2.0, 1.0], [1, 2, 3])
    with pytest.raises(CapcurveError, match="requires 0/1 events, got amounts"):
        KSDisplay(sketch).plot(Figure().subplots())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"normalize_scale": False}, "`normalize_scale` applies to CAP, lift and Lorenz"),
        (
            {"band": "pointwise"},
            "`band` applies to CAP, lift and Lorenz curves, got it for",
        ),
        ({"random_band": "pointwise"}, "`random_band` applies to CAP"),
        ({"over": "x"}, "`over` must be 'score' or 'population_share', got 'x'"),
    ],
)
def test_options_that_do_not_apply(options, message):
    with pytest.raises(CapcurveError, match=message):
        draw(Y, S, **options)


def test_folds_have_a_line_each():
    curves = [CapCurve.from_predictions(Y, S), CapCurve.from_predictions(Y, Y)]
    display = KSDisplay(curves, name="CV").plot(Figure().subplots())
    assert len(display.line_) == 4
    assert display.mean_line_ is None
    assert legend(display) == [
        "Events, 2 folds (KS = 0.833 ± 0.167)",
        "Non-events, 2 folds",
    ]
    assert repr(display) == "KSDisplay(CV (KS = 0.833 ± 0.167))"
    with pytest.raises(
        CapcurveError,
        match=r"^`mark` reads the gap off one curve of each name in a picture of KS, got "
        "folds; leave it out, or mark their mean in CAPCurveDisplay$",
    ):
        KSDisplay({"A": curves}).chart(mark=0.5)


def test_folds_of_several_models_have_the_styles_of_curves():
    rng = np.random.default_rng(1)
    y = rng.random(200) < 0.4
    folds = {
        f"model {i}": [CapCurve.from_predictions(y, rng.normal(y, 1)) for _ in range(2)]
        for i in range(4)
    }
    display = KSDisplay(folds).plot(Figure().subplots())
    curves = KSDisplay({name: found[0] for name, found in folds.items()})
    shapes, expected = (
        [(line._unscaled_dash_pattern, line.get_marker()) for line in lines]  # noqa: SLF001
        for lines in (display.line_, curves.plot(Figure().subplots()).line_)
    )
    named = [not line.get_label().startswith("_") for line in display.line_]
    assert [shape for shape, shown in zip(shapes, named, strict=True) if shown] == expected
    assert len(set(expected)) == 8  # seen without colours
    entries = list_entries(display.picture_).values()
    assert len({(entry.color, *entry.dash) for entry in entries}) == 8


@pytest.mark.parametrize("over", ["score", "population_share"])
def test_a_constant_score_has_no_cut_off(over):
    pandas = pytest.importorskip("pandas")
    display = draw([1, 0, 1], [0.5, 0.5, 0.5], over=over)
    assert legend(display)[2] == "KS = 0.000"
    frame = pandas.DataFrame({"y": [1, 0], "s": ["B", "B"]})
    graded = CapCurve.from_frame(frame, "y", "s", order=list("AB"))
    assert repr(KSDisplay(graded)) == "KSDisplay(KS = 0.000)"


def test_too_many_curves_are_counted_as_the_caller_does():
    curves = {str(i): CapCurve.from_predictions(Y, S) for i in range(11)}
    with pytest.raises(CapcurveError, match=r"at most 10 curves .*, got 11; give each"):
        KSDisplay(curves).plot(Figure().subplots())
    names = list(curves)[:10]
    assert len(KSDisplay({name: curves[name] for name in names}).describe().curves) == 20


def test_gaps_of_several_curves_differ_by_dashes():
    labels = np.array([*"abcd"] * 50)
    scores = {each: (labels == each) + np.linspace(0, 2, 200) for each in "abcd"}
    curves = {
        each: CapCurve.from_predictions(labels == each, scores[each]) for each in "abcd"
    }
    display = KSDisplay(curves)
    display.plot()
    gaps = [line for line in display.ax_.lines if line.get_label().count("KS = ") == 1]
    assert len({line.get_linestyle() for line in gaps}) > 1
    assert len({(line.get_linestyle(), line.get_color()) for line in gaps}) == 4
