"""Legends: inside where they cover nothing, else outside, never out of the figure."""

import warnings

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

import gallery
from capcurve import (
    CapCurve,
    CAPCurveDisplay,
    GainsTableDisplay,
    KSDisplay,
    LiftCurveDisplay,
)
from capcurve._plot import arrangement
from capcurve.datasets import make_portfolio

LOANS = make_portfolio(3_000)
CURVE = CapCurve.from_predictions(LOANS["default"], LOANS["champion_pd"])
WORST = CapCurve.from_predictions([0] * 9 + [1], range(10, 0, -1))
LONG = "A model with a long name, trained on loans of many years, number {}"


def draw(n_curves=1, *, long_names=False, ax=None, **options):
    name = LONG if long_names else "Model {}"
    names = [name.format(i) for i in range(n_curves)]
    if n_curves == 1:
        return CAPCurveDisplay(CURVE, names[0]).plot(ax, **options)
    return CAPCurveDisplay([CURVE] * n_curves, names).plot(ax, **options)


def is_inside(ax):
    """Whether the legend is within the axes."""
    corners = ax.get_legend().get_window_extent().corners()
    return ax.get_window_extent().count_contains(corners) == 4


def check(figure):
    figure.canvas.draw()
    assert gallery.texts_outside(figure) == []
    assert gallery.texts_that_meet(figure) == []
    assert gallery.lines_under_texts(figure) == []


def names_in(ax):
    return [text.get_text().replace("\n", " ") for text in ax.get_legend().get_texts()]


def test_few_short_names_are_inside():
    display = draw(3)
    assert is_inside(display.ax_)
    assert names_in(display.ax_)[-2:] == ["Perfect (AR = 1)", "Random (AR = 0)"]
    check(display.figure_)


def test_a_legend_moves_to_a_corner_that_is_free():
    display = CAPCurveDisplay(WORST, "Worst").plot(plot_perfect=False)
    assert is_inside(display.ax_)
    box, room = (
        each.get_window_extent() for each in (display.ax_.get_legend(), display.ax_)
    )
    assert box.y0 > room.y0 + room.height / 2  # not at the bottom
    check(display.figure_)


def test_many_names_make_a_figure_of_ours_larger_and_leave_the_axes_their_size():
    few, many = draw(1), draw(20, long_names=True)
    assert not is_inside(many.ax_)
    check(many.figure_)
    before, after = (each.ax_.get_window_extent().size for each in (few, many))
    assert np.all(np.abs(after / before - 1) < 0.1)
    assert many.figure_.get_figwidth() > few.figure_.get_figwidth()


def test_names_are_whole_where_there_is_room():
    for number in (1, 3, 8, 20):
        display = draw(number, long_names=True)
        for i, name in enumerate(names_in(display.ax_)[:number]):
            assert name.startswith(LONG.format(i)), name


def test_a_figure_of_ours_shrinks_again():
    display = draw(20)
    wide = display.figure_.get_figwidth()
    for line in display.line_[1:]:
        line.remove()
    draw(1, ax=display.ax_)
    assert display.figure_.get_figwidth() < wide
    check(display.figure_)


def test_a_figure_that_the_caller_resized_keeps_its_size():
    display = draw(1)
    display.figure_.set_size_inches(7, 5)
    draw(8, ax=display.ax_, long_names=True)
    assert display.figure_.get_size_inches().tolist() == [7, 5]
    check(display.figure_)


@pytest.mark.parametrize("number", [1, 8, 20])
@pytest.mark.parametrize("long_names", [False, True])
@pytest.mark.parametrize("size", [(6.4, 4.8), (4, 6), (10, 4)])
def test_nothing_leaves_the_callers_figure(number, long_names, size):
    figure, ax = plt.subplots(figsize=size)
    draw(number, long_names=long_names, ax=ax, mark=0.2)
    assert figure.get_size_inches().tolist() == list(size)
    assert figure.get_layout_engine() is not None
    check(figure)
    assert len(names_in(ax)) == number + 2


def test_margins_of_the_caller_stay():
    figure, ax = plt.subplots()
    figure.subplots_adjust(left=0.2, right=0.7)
    before = ax.get_position().bounds
    draw(8, ax=ax)
    assert figure.get_layout_engine() is None
    assert ax.get_position(original=True).bounds == pytest.approx(before)
    check(figure)


def test_axes_put_in_place_by_the_caller_stay():
    figure = plt.figure(figsize=(8, 4))
    ax = figure.add_axes((0.1, 0.2, 0.4, 0.6))
    neighbour = figure.add_axes((0.55, 0.2, 0.4, 0.6))
    draw(3, ax=ax)
    assert figure.get_layout_engine() is None
    check(figure)
    legend = ax.get_legend().get_window_extent()
    assert not legend.overlaps(neighbour.get_window_extent())


def test_a_legend_covers_curves_only_where_nothing_else_fits():
    figure = plt.figure(figsize=(5, 5))
    ax = figure.add_axes((0.15, 0.15, 0.8, 0.75))
    draw(16, ax=ax)
    figure.canvas.draw()
    assert is_inside(ax)
    assert gallery.texts_outside(figure) == []


def test_a_legend_that_fits_nowhere_is_left_out_with_a_warning():
    figure = plt.figure(figsize=(2, 2))
    ax = figure.add_axes((0.3, 0.3, 0.4, 0.4))
    with pytest.warns(
        UserWarning,
        match=r"no legend is drawn, .* axes of 0.8 by 0.8 inches; draw fewer curves",
    ):
        draw(20, ax=ax)
    assert ax.get_legend() is None


@pytest.mark.parametrize("n_curves", [1, 3])
def test_small_axes_name_the_curves_alone(n_curves):
    figure, ax = plt.subplots(figsize=(2, 2))
    draw(n_curves, ax=ax)
    assert [name.split(" (")[0] for name in names_in(ax)] == [
        f"Model {i}" for i in range(n_curves)
    ]
    check(figure)
    assert ax.get_window_extent().height > 0.45 * figure.bbox.height


def test_small_axes_say_once_what_is_in_the_title():
    figure, ax = plt.subplots(figsize=(2, 2))
    CAPCurveDisplay(CURVE).plot(ax)
    assert ax.get_legend() is None
    assert f"AR = {CURVE.accuracy_ratio:.3f}" in ax.get_title()
    check(figure)


def test_small_multiples_settle_together():
    figure, grid = plt.subplots(2, 2, figsize=(4, 4))
    for ax in grid.flat:
        LiftCurveDisplay(CURVE, "A").plot(ax, mark=(0.1, 0.5))
    check(figure)


@pytest.mark.parametrize("layout", ["constrained", None])
@pytest.mark.parametrize("name", ["A", "Champion model"])
def test_a_legend_leaves_columns_of_axes_their_width(name, layout):
    figure, grid = plt.subplots(2, 3, figsize=(12, 7), layout=layout)
    log_odds = np.log(LOANS["champion_pd"] / (1 - LOANS["champion_pd"]))
    curve = CapCurve.from_predictions(LOANS["default"], log_odds)
    kinds = (CAPCurveDisplay, LiftCurveDisplay, KSDisplay, GainsTableDisplay)
    for kind, ax in zip(kinds, grid.flat, strict=False):
        kind(curve, name).plot(ax)
    check(figure)
    assert all(ax.get_legend() for ax in grid.flat[:4])
    for ax in grid.flat[1:]:  # the first is square
        assert ax.get_window_extent().width > 300
    assert grid[0, 0].get_window_extent().width > 200


def test_a_legend_of_the_figure_replaces_those_of_panels():
    from capcurve._plot.axes import OwnStyles, draw_picture

    figure, ax = plt.subplots(layout="constrained")
    draw_picture(
        ax, CAPCurveDisplay(CURVE, "A").describe(mark=0.5), OwnStyles(legend=False)
    )
    assert ax.get_legend() is None
    assert [text.get_visible() for text in ax.texts] == [True]
    check(figure)


def test_outside_legends_have_the_background_of_the_axes():
    with plt.style.context("grayscale"):
        display = draw(8, long_names=True)
    frame = display.ax_.get_legend().get_frame()
    assert frame.get_visible()
    assert frame.get_facecolor()[:3] == display.ax_.get_facecolor()[:3]


def test_bars_and_artists_of_the_caller_are_listed():
    figure, ax = plt.subplots(layout="constrained")
    ax.bar([0.1], [0.05], width=0.05, label="Own bar")
    ax.bar([], [], label="Empty bar")
    draw(1, ax=ax)
    assert {"Own bar", "Empty bar"} <= set(names_in(ax))
    figure.canvas.draw()


def test_drawing_warns_of_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure, ax = plt.subplots(figsize=(4, 4))
        draw(8, long_names=True, ax=ax)
        figure.canvas.draw()


def swatch_of(ax):
    """Opacity and colours of the parts of the entry of a band in the legend."""
    patches = ax.get_legend().findobj(Rectangle)
    (opacity,) = {patch.get_facecolor()[3] for patch in patches}
    return opacity, [patch.get_facecolor()[:3] for patch in patches]


@pytest.mark.parametrize("style", ["default", "dark_background"])
def test_the_entry_of_many_bands_is_seen_in_the_first_colours(style):
    """A grey one would be taken for the band of a random score, which is grey too."""
    with plt.style.context(style):
        display = draw(8, band="pointwise")
        opacity, colors = swatch_of(display.ax_)
        lines = [to_rgb(line.get_color()) for line in display.line_[:4]]
        alone, (color,) = swatch_of(draw(1, band="pointwise").ax_)
    assert opacity == 0.4
    assert np.allclose(colors, lines)
    assert alone == 0.2
    assert color == pytest.approx(lines[0])


def test_axes_of_a_grid_have_columns_of_entries_beneath():
    """One column would make the whole row of the grid low."""
    grid = plt.subplots(2, 2, figsize=(13.3, 7.5))[1]
    display = draw(6, ax=grid[0, 0], mark=0.2)
    assert len(columns_of(display.ax_)) == 2
    assert height_of(display.ax_) > 2.2


def columns_of(ax):
    """Return where the columns of a legend begin."""
    ax.figure.canvas.draw()
    texts = ax.get_legend().get_texts()
    return {round(text.get_window_extent().x0) for text in texts}


def height_of(ax):
    return ax.get_window_extent().height / ax.figure.dpi


def test_axes_of_a_wide_slide_keep_their_reference_lines():
    axes = plt.subplot_mosaic("AAB;AAC", figsize=(12, 6.75))[1]
    display = LiftCurveDisplay(CURVE).plot(axes["B"])
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert texts[1:] == ["Perfect", "Random (lift 1)"]


def test_a_legend_is_still_inside_when_the_layout_runs_again():
    y, rng = np.asarray(LOANS["default"]), np.random.default_rng(1)
    scores = {
        f"model {c}": y + (1 + i) * rng.normal(size=len(y))
        for i, c in enumerate("abcdefgh")
    }
    figure, ax = plt.subplots(figsize=(6, 4.8))
    KSDisplay.from_predictions(y, scores, over="population_share", ax=ax)
    for _ in range(4):  # as each time that the figure is saved
        figure.canvas.draw()
        assert gallery.texts_outside(figure) == []


@pytest.mark.parametrize(("size", "number"), [(5, 5), (5, 8), (7, 8), (3.2, 8)])
def test_many_names_and_values_leave_the_callers_axes_most_of_their_figure(size, number):
    figure, ax = plt.subplots(figsize=(size, size))
    draw(number, ax=ax, mark=0.1, band="pointwise")
    share = ax.get_window_extent().size / figure.bbox.size
    assert np.all(share > (0.55 if size > 4 else 0.4)), share
    assert not is_inside(ax)
    check(figure)


def test_legends_that_cannot_fit_are_not_laid_out(monkeypatch):
    """A layout takes some 30 ms; without a look at the margins there were 36 of them."""
    laid_out, run = [], arrangement.run_layout
    monkeypatch.setattr(
        arrangement, "run_layout", lambda ax: laid_out.append(ax) or run(ax)
    )
    names = [f"Challenger of the third version {i}" for i in range(5)]
    ax = Figure(figsize=(3.2, 3.2)).subplots()
    CAPCurveDisplay([CURVE] * 5, names).plot(ax, mark=0.2)
    assert len(laid_out) <= 20
