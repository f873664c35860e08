"""What is drawn for each part of a picture."""

import itertools

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.container import BarContainer, ErrorbarContainer

import gallery
from capcurve import CapCurve, CAPCurveDisplay, LiftCurveDisplay
from capcurve._plot.axes import OwnStyles, draw_picture
from capcurve._plot.picture import Axis, Layer, Mark, Picture

CURVE = CapCurve.from_predictions([1, 0, 1, 1, 0], [5, 4, 3, 2, 1])
OTHER = CapCurve.from_predictions([1, 1, 0, 1, 0], [5, 4, 3, 2, 1])
NAMES = tuple(f"band {i}" for i in range(4))


def check(figure):
    figure.canvas.draw()
    assert gallery.texts_outside(figure) == []
    assert gallery.texts_that_meet(figure) == []
    assert gallery.lines_under_texts(figure) == []
    assert min(ratio for _, ratio in gallery.worst_contrasts(figure)) >= 4.5


def bars(numbers=(0,), names=NAMES):
    x = np.arange(len(names), dtype=float)
    layers = []
    for number in numbers:
        y = np.linspace(0.3, 0.1, len(x)) / (1 + number)
        layers.append(Layer("bars", x, y, number=number, entry=f"Model {number}"))
        layers.append(Layer("limits", x, 0.8 * y, top=1.3 * y, number=number))
    return Picture(
        title="Gains",
        x=Axis("Score band", "name", names=names),
        y=Axis("Event rate", "share", 0, None),
        layers=tuple(layers),
        corner="upper right",
    )


def drawn(picture, **options):
    figure, ax = plt.subplots(layout="constrained", **options)
    draw_picture(ax, picture, OwnStyles())
    return figure, ax


def test_bars_have_their_height_and_limits():
    figure, ax = drawn(bars())
    (of_bars,) = [each for each in ax.containers if isinstance(each, BarContainer)]
    middles = [bar.get_x() + bar.get_width() / 2 for bar in of_bars]
    assert middles == pytest.approx([0, 1, 2, 3])
    heights = np.array([bar.get_height() for bar in of_bars])
    assert heights == pytest.approx(np.linspace(0.3, 0.1, 4))
    (limits,) = [each for each in ax.containers if isinstance(each, ErrorbarContainer)]
    ends = np.array(limits.lines[2][0].get_segments())
    assert ends[:, 0, 1] == pytest.approx(0.8 * heights)
    assert ends[:, 1, 1] == pytest.approx(1.3 * heights)
    assert [label.get_text() for label in ax.get_xticklabels()] == list(NAMES)
    check(figure)


def test_bars_of_several_models_stand_side_by_side_and_differ_without_colour():
    figure, ax = drawn(bars((0, 2)))
    first, second = (each for each in ax.containers if isinstance(each, BarContainer))
    for one, two in zip(first, second, strict=True):
        assert one.get_x() + one.get_width() == pytest.approx(two.get_x())
        assert one.get_hatch() != two.get_hatch()
        assert one.get_facecolor() != two.get_facecolor()
    limits = [each for each in ax.containers if isinstance(each, ErrorbarContainer)]
    for of_bars, of_limits in zip((first, second), limits, strict=True):
        middles = [bar.get_x() + bar.get_width() / 2 for bar in of_bars]
        ends = np.array(of_limits.lines[2][0].get_segments())
        assert ends[:, 0, 0] == pytest.approx(middles)
    check(figure)


def test_long_names_of_bands_are_turned():
    names = tuple(f"a long name of band {i}" for i in range(8))
    figure, ax = drawn(bars(names=names))
    assert {label.get_rotation() for label in ax.get_xticklabels()} == {90}
    check(figure)


@pytest.mark.parametrize("size", [(5, 4), (2.4, 2.4), (9, 4)])
def test_names_of_bands_are_a_letter_apart_or_turned(size):
    names = tuple(f"{10 * i}\N{EN DASH}{10 * i + 10}" for i in range(10))
    figure, ax = plt.subplots(figsize=size)
    draw_picture(ax, bars(names=names), OwnStyles())
    check(figure)
    labels = ax.get_xticklabels()
    boxes = [label.get_window_extent() for label in labels]
    gap = min(right.x0 - left.x1 for left, right in itertools.pairwise(boxes))
    letter = 0.5 * labels[0].get_fontsize() * figure.dpi / 72
    assert gap >= (1 if labels[0].get_rotation() else letter)
    assert bool(labels[0].get_rotation()) == (size == (5, 4))


def test_a_single_bar():
    figure, ax = drawn(bars(names=("all",)))
    assert len(ax.patches) == 1
    check(figure)


def test_a_mark_on_bars_has_the_colour_of_texts():
    picture = bars()
    marked = Picture(
        picture.title,
        picture.x,
        picture.y,
        picture.layers[:1],
        marks=(Mark(7, 2.5, 0.25, "a value"),),
    )
    figure, ax = drawn(marked)
    assert ax.texts[0].get_color() == (0, 0, 0)
    check(figure)


def test_ticks_of_amounts_are_whole_from_two_on():
    display = CAPCurveDisplay(CURVE).plot(normalize_scale=False)
    ticks = display.ax_.yaxis.get_major_locator()
    values = ticks.tick_values(*display.ax_.get_ylim())
    assert values.tolist() == np.round(values).tolist()
    small = CapCurve.from_predictions([0.2, 0.1, 0.0], [3, 2, 1])
    display = CAPCurveDisplay(small).plot(normalize_scale=False)
    values = display.ax_.yaxis.get_major_locator().tick_values(*display.ax_.get_ylim())
    assert np.sum((values > 0) & (values < 0.3)) >= 2


def test_shares_below_one_percent_have_decimals():
    picture = bars()
    y = Axis("Event rate", "share", 0, 0.04)
    figure, ax = drawn(Picture("", picture.x, y, picture.layers))
    labels = [label.get_text() for label in gallery.shown_tick_labels(ax.yaxis)]
    assert len(set(labels)) == len(labels)
    check(figure)


def test_a_name_that_begins_with_a_low_dash_is_in_the_legend():
    display = CAPCurveDisplay(CURVE, "_merge").plot()
    entries = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert entries[0] == f" _merge (AR = {CURVE.accuracy_ratio:.3f})"


def test_areas_of_no_curve_are_drawn_once():
    first = CAPCurveDisplay(CURVE).plot(shade=True)
    CAPCurveDisplay(CURVE).plot(first.ax_, shade=True)
    shades = [area for area in first.ax_.collections if area.get_gid() == "capcurve-shade"]
    assert len(shades) == 1


def test_a_further_picture_leaves_the_kind_in_the_title():
    first = CAPCurveDisplay(CURVE).plot()
    assert first.ax_.get_title() == f"CAP curve, AR = {CURVE.accuracy_ratio:.3f}"
    CAPCurveDisplay(OTHER).plot(first.ax_)
    assert first.ax_.get_title() == "CAP curves"
    CAPCurveDisplay(CURVE).plot(first.ax_)
    assert first.ax_.get_title() == "CAP curves"


def test_titles_of_the_caller_stay():
    _, ax = plt.subplots()
    ax.set_title("Mine")
    CAPCurveDisplay(CURVE).plot(ax)
    assert ax.get_title() == "Mine"
    own = CAPCurveDisplay(CURVE).plot(title="Loans, 2024")
    LiftCurveDisplay(CURVE).plot(own.ax_)
    assert own.ax_.get_title() == "Loans, 2024"
    own.ax_.set_title("Changed")
    CAPCurveDisplay(CURVE).plot(own.ax_)
    assert own.ax_.get_title() == "Changed"
    assert CAPCurveDisplay(CURVE).plot(title="").ax_.get_title() == ""


def test_long_titles_and_labels_fit():
    label = "default after the first year of a contract with guarantees"
    display = CAPCurveDisplay(CURVE, pos_label=label)
    figure, ax = plt.subplots(figsize=(3, 3))
    display.plot(ax, title="Capture of defaults by the model that was fitted in 2024")
    check(figure)
    assert "\n" in ax.get_title()


def test_styles_of_low_contrast_are_made_readable():
    pale = {"axes.labelcolor": "0.8", "xtick.labelcolor": "0.8", "axes.titlecolor": "0.8"}
    with plt.rc_context(pale):
        display = CAPCurveDisplay(CURVE).plot()
    check(display.figure_)
