"""Texts of marks: beside their points, over nothing else, or in the legend."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.text import Annotation

import gallery
from capcurve import CapCurve, CAPCurveDisplay, LiftCurveDisplay
from capcurve._plot.axes import OwnStyles, draw_picture
from capcurve._plot.picture import Axis, Layer, Mark, Picture
from capcurve.datasets import make_portfolio

LOANS = make_portfolio(3_000)
GOOD, FAIR = (
    CapCurve.from_predictions(LOANS["default"], LOANS[name])
    for name in ("champion_pd", "challenger_pd")
)


def shown(ax):
    return [text for text in ax.texts if text.get_visible()]


def words(ax):
    return [text.get_text().replace("\n", " ") for text in shown(ax)]


def entries(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def is_apart(figure):
    figure.canvas.draw()
    assert gallery.texts_outside(figure) == []
    assert gallery.texts_that_meet(figure) == []
    assert gallery.lines_under_texts(figure) == []
    for ax in figure.axes:
        room = ax.get_window_extent()
        for text in shown(ax):
            assert room.count_contains(text.get_window_extent().corners()) == 4


def test_a_text_is_next_to_its_point():
    display = CAPCurveDisplay(GOOD).plot(mark=0.5)
    (text,) = shown(display.ax_)
    assert words(display.ax_) == [f"{GOOD.capture_rate_at(0.5):.1%} captured at 50%"]
    is_apart(display.figure_)
    point = display.ax_.transData.transform(text.xy)
    box = text.get_window_extent()
    away = np.max([box.min - point, point - box.max], axis=0)
    assert np.max(away) * 72 / display.figure_.dpi <= 36


@pytest.mark.parametrize("display", [CAPCurveDisplay, LiftCurveDisplay])
def test_texts_of_further_displays_keep_apart(display):
    first = display(GOOD, "A").plot(mark=0.5)
    display(FAIR, "B").plot(first.ax_, mark=0.5)
    display(GOOD, "C").plot(first.ax_, mark=0.2)
    is_apart(first.figure_)
    values = " ".join(words(first.ax_) + entries(first.ax_))
    for curve, share in ((GOOD, 0.5), (FAIR, 0.5), (GOOD, 0.2)):
        value = (
            f"{curve.capture_rate_at(share):.1%}"
            if display is CAPCurveDisplay
            else f"{curve.lift_at(share):.2f}"
        )
        assert value in values


@pytest.mark.parametrize("share", [0.1, 0.2])
def test_texts_at_one_share_are_stacked_in_the_order_of_their_values(share):
    random = np.random.default_rng(0)
    signal = random.normal(size=300)
    event = random.random(300) < 1 / (1 + np.exp(2 - 1.3 * signal))
    scores = {
        name: signal + noise * random.normal(size=300)
        for name, noise in (("A", 0.5), ("B", 1))
    }
    display = CAPCurveDisplay.from_predictions(
        event, scores, ax=plt.subplots()[1], normalize_scale=False, mark=share, title=""
    )
    is_apart(display.figure_)
    rising = sorted(shown(display.ax_), key=lambda text: text.xy[1])
    middles = [sum(text.get_window_extent().intervaly) for text in rising]
    assert middles == sorted(middles)
    in_legend = [f"at {300 * share:.0f}" in entry for entry in entries(display.ax_)[:2]]
    assert all(in_legend) if not rising else len(rising) == 2


def test_values_that_find_no_place_are_in_the_legend():
    display = CAPCurveDisplay(GOOD, "A").plot(mark=(0.5, 0.505, 0.51, 0.515, 0.52))
    assert shown(display.ax_) == []
    first = entries(display.ax_)[0].replace("\n", " ")
    assert first.startswith(f"A (AR = {GOOD.accuracy_ratio:.3f}) ")
    for share in (0.5, 0.505, 0.51, 0.515, 0.52):
        value = f"{GOOD.capture_rate_at(share):.1%} at {100 * share:.4g}%"
        assert value in first
    is_apart(display.figure_)


def test_more_texts_than_a_reader_can_follow_are_in_the_legend():
    display = CAPCurveDisplay(GOOD, "A").plot(mark=np.linspace(0.05, 0.95, 13))
    assert shown(display.ax_) == []
    assert "at 95%" in entries(display.ax_)[0]


def test_values_in_the_entry_are_not_said_twice():
    display = LiftCurveDisplay(GOOD, "A").plot(mark=np.linspace(0.1, 0.9, 13))
    assert entries(display.ax_)[0].count("at 10%") == 1


def test_values_of_a_curve_without_an_entry_have_one():
    style = {"label": "_hidden"}
    display = CAPCurveDisplay(GOOD).plot(
        mark=np.linspace(0.05, 0.95, 13), curve_kwargs=style
    )
    assert entries(display.ax_)[0].startswith(f"{GOOD.capture_rate_at(0.05):.1%} at 5%, ")


def test_the_same_picture_is_drawn_the_same():
    def places():
        display = CAPCurveDisplay([GOOD, FAIR], ["A", "B"]).plot(mark=0.3)
        return [
            (text.get_text(), text.get_position(), text.get_ha(), text.get_va())
            for text in display.ax_.texts
        ]

    assert places() == places()
    assert places()


def test_texts_of_the_caller_are_not_covered():
    _, ax = plt.subplots(layout="constrained", figsize=(6, 6))
    note = ax.text(0.55, 0.72, "A note of the caller\nover several\nlines of text")
    CAPCurveDisplay(GOOD).plot(ax, mark=0.5, plot_chance_level=False)
    is_apart(ax.figure)
    assert note.get_visible()


def test_a_gap_is_read_down_to_the_axis():
    x = np.linspace(0, 1, 11)
    gap = Layer("gap", np.array([0.3, 0.3]), np.array([0.2, 0.7]), entry="KS")
    picture = Picture(
        title="KS",
        x=Axis("Score", "score"),
        y=Axis("Share of rows", "share", 0, 1),
        layers=(Layer("curve", x, x, name="A", entry="A"), gap),
        marks=(Mark(0, 0.3, 0.45, "KS = 0.5 at score 0.3"),),
    )
    _, ax = plt.subplots()
    draw_picture(ax, picture, OwnStyles())
    read = [line for line in ax.lines if line.get_gid() == "capcurve-mark"]
    assert [line.get_xydata().tolist() for line in read] == [[[0.3, 0], [0.3, 0.2]]]
    assert words(ax) == ["KS = 0.5 at score 0.3"]
    (drawn,) = [line for line in ax.lines if line.get_gid() == "capcurve-gap"]
    assert drawn.get_ydata().tolist() == [0.2, 0.7]
    assert entries(ax) == ["A", "KS"]
    is_apart(ax.figure)


def test_a_mark_out_of_sight_is_in_the_legend():
    display = LiftCurveDisplay(GOOD, "A").plot(mark=0.05)
    display.ax_.set_ylim(0, 1)
    again = LiftCurveDisplay(FAIR, "B").plot(display.ax_)
    assert isinstance(again.ax_.texts[0], Annotation)
