"""Panels of many curves, by their artists and their places on the page."""

from itertools import combinations, product

import matplotlib.pyplot as plt
import numpy as np
import pytest

from capcurve import (
    CapCurve,
    CAPCurveDisplay,
    CapcurveError,
    DoubleLiftDisplay,
    GainsTableDisplay,
    KSDisplay,
    LiftCurveDisplay,
    PanelsDisplay,
    plot_panels,
)
from capcurve.datasets import make_portfolio

LOANS = make_portfolio(4_000)
LONG = "Consumer loans without collateral, region number {}, originated 2019 to 2021"


def make_curves(count, name="region {}"):
    place = np.arange(len(LOANS["default"])) % count
    return {
        name.format(i): CapCurve.from_predictions(
            LOANS["default"][place == i], LOANS["champion_pd"][place == i]
        )
        for i in range(count)
    }


def lines_of(axes, role="curve"):
    return [line for line in axes.lines if line.get_gid() == f"capcurve-{role}"]


# What is shown


def test_each_panel_has_one_curve_with_its_name_and_ratio():
    curves = make_curves(5)
    display = plot_panels(curves, title="Regions")
    assert repr(display) == "PanelsDisplay(5 panels)"
    assert display.figure_.get_suptitle() == "Regions"
    paths = [curve.profile.thinned() for curve in curves.values()]
    for axes, line, (name, curve), path in zip(
        display.axes_, display.line_, curves.items(), paths, strict=True
    ):
        assert axes.get_title() == f"{name}\nAR = {curve.accuracy_ratio:.3f}"
        assert lines_of(axes) == [line]
        np.testing.assert_array_equal(line.get_xydata(), np.column_stack(path))
        (others,) = lines_of(axes, "other")
        assert np.isnan(others.get_xdata()).sum() == 3
    assert len({line.get_color() for line in display.line_}) == 1


def test_others_behind_a_curve_stay_where_they_are():
    curves = make_curves(2)
    first, second = curves.values()
    display = plot_panels(curves)
    (behind,) = lines_of(display.axes_[0], "other")
    x, y = behind.get_data()
    exact = np.interp(x, *second.profile)
    rises = np.abs(np.interp(x - 1e-9, *second.profile) - exact) > 1e-6  # vertical steps
    assert np.abs(y - exact)[~rises].max() < 0.005
    assert len(x) <= len(second.profile[0])
    assert not lines_of(plot_panels(curves, others=False).axes_[0], "other")
    assert not lines_of(plot_panels(make_curves(13)).axes_[0], "other")
    assert not lines_of(plot_panels([first]).axes_[0], "other")


def test_axes_are_shared_and_labelled_at_the_outside_only():
    display = plot_panels(make_curves(5), n_columns=3, display=LiftCurveDisplay)
    assert {axes.get_ylim() for axes in display.axes_} == {display.axes_[0].get_ylim()}
    highest = max(line.get_ydata().max() for line in display.line_)
    assert display.axes_[0].get_ylim()[1] >= highest
    shown = [axes.yaxis.get_tick_params()["labelleft"] for axes in display.axes_]
    assert shown == [True, False, False, True, False]
    shown = [axes.xaxis.get_tick_params()["labelbottom"] for axes in display.axes_]
    assert shown == [False, False, True, True, True]
    assert not any(axes.get_xlabel() or axes.get_ylabel() for axes in display.axes_)
    assert display.figure_.get_supxlabel() == "Population share"
    assert display.figure_.get_supylabel() == "Lift"
    assert display.axes_[0].get_title().startswith("region 0\nlift ")


def test_axes_of_totals_are_shared_as_far_as_they_are_known():
    from capcurve._plot.panel_axes import share_axis
    from capcurve._plot.picture import Axis

    axes = [Axis("Population", "amount", 0), Axis("Population", "amount", -2, 7)]
    assert share_axis(axes, []) == [Axis("Population", "amount", -2, None)] * 2


GRADES = list("HGFEDCBA")


def make_graded_curves():
    """Make the curves of two segments, the second without the three best grades."""
    from pandas import DataFrame

    rng = np.random.default_rng(0)
    segment, place = np.repeat(["p", "q"], 800), rng.integers(0, 8, 1600)
    place = np.where(segment == "q", 3 + place % 5, place)
    event = (rng.random(1600) < 0.02 + 0.04 * place).astype(int)
    loans = DataFrame({"y": event, "grade": np.array(list("ABCDEFGH"))[place]})
    return {
        name: CapCurve.from_frame(loans[segment == name], "y", "grade", order=GRADES)
        for name in "pq"
    }


def names_under(axes):
    return [text.get_text() for text in axes.get_xticklabels()]


def test_bars_of_other_grades_stand_over_their_own_names():
    display = plot_panels(
        make_graded_curves(), display=GainsTableDisplay, bands="scores", n_columns=1
    )
    assert [names_under(axes) for axes in display.axes_] == [GRADES[::-1], list("DEFGH")]
    for axes, count in zip(display.axes_, (8, 5), strict=True):
        assert axes.get_xticks().tolist() == list(range(count))
        middles = [bar.get_x() + bar.get_width() / 2 for bar in axes.patches]
        assert middles == pytest.approx(list(range(count)))
        assert axes.get_xlim()[1] < count
        assert axes.xaxis.get_tick_params()["labelbottom"]
    assert len({axes.get_ylim() for axes in display.axes_}) == 1
    check_texts(display.figure_)


def test_bars_of_other_scores_stand_over_their_own_numbers():
    y = [1, 0, 1, 0]
    curves = [CapCurve.from_predictions(y, score) for score in ([1, 2, 3, 4], [5, 5, 6, 6])]
    display = plot_panels(curves, display=GainsTableDisplay, bands="scores")
    assert [names_under(axes) for axes in display.axes_] == [list("4321"), list("65")]


def test_scores_of_all_panels_are_on_a_shared_axis():
    loans = LOANS["default"], LOANS["champion_pd"]
    curves = [CapCurve.from_predictions(loans[0], loans[1] * 2 + i) for i in (0, 2, -1)]
    ends = min(curves[2].thresholds[1:]), max(curves[1].thresholds[1:])
    display = plot_panels(curves, display=KSDisplay, mark=0.1)
    for axes in display.axes_:
        low, high = axes.get_xlim()
        assert low < ends[0] < ends[1] < high
        assert high - low == pytest.approx(1.1 * (ends[1] - ends[0]))
    charts = display.chart(mark=0.1).to_dict()["concat"]
    domains = [find_domain(chart, "x") for chart in charts]
    assert domains == [pytest.approx(display.axes_[0].get_xlim())] * 3


@pytest.mark.parametrize(("times", "are_shared"), [(4.9, True), (5.1, False), (900, False)])
def test_scores_of_other_scales_have_axes_of_their_own(times, are_shared):
    scores = LOANS["champion_pd"], LOANS["champion_pd"] * times
    curves = [CapCurve.from_predictions(LOANS["default"], each) for each in scores]
    display = plot_panels(curves, display=KSDisplay, n_columns=1)
    ends = [axes.get_xlim() for axes in display.axes_]
    assert (ends[0] == ends[1]) is are_shared
    for (low, high), each in zip(ends, scores, strict=True):
        widest = scores[1] if are_shared else each
        assert high - low == pytest.approx(1.1 * np.ptp(widest), rel=1e-3)
    shown = [axes.xaxis.get_tick_params()["labelbottom"] for axes in display.axes_]
    assert shown == [not are_shared, True]
    charts = display.chart().to_dict()["concat"]
    assert [find_domain(chart, "x") for chart in charts] == list(map(pytest.approx, ends))
    check_texts(display.figure_)


def test_a_single_score_is_on_the_axis_of_the_others():
    scores = LOANS["champion_pd"], np.full(len(LOANS["default"]), 0.04)
    curves = [CapCurve.from_predictions(LOANS["default"], each) for each in scores]
    first, second = plot_panels(curves, display=KSDisplay).axes_
    assert first.get_xlim() == second.get_xlim()


def find_domain(chart, channel):
    return chart["layer"][0]["encoding"][channel]["scale"]["domain"]


def test_grades_of_all_panels_are_on_a_shared_axis():
    first, second = make_graded_curves().values()
    for curves in ([first, second], [second, first]):
        display = plot_panels(curves, display=KSDisplay)
        for axes in display.axes_:
            assert names_under(axes) == GRADES
            low, high = axes.get_xlim()
            assert (low, high) == pytest.approx((-0.35, 7.35))


def test_panels_of_other_units_have_axes_of_their_own():
    y, s = LOANS["default"], LOANS["champion_pd"]
    (graded, _) = make_graded_curves().values()
    amounts = CapCurve.from_predictions(1000.0 * s, s, target_type="continuous")
    curves = [graded, CapCurve.from_predictions(y, s), graded]
    display = plot_panels(curves, display=KSDisplay)
    assert names_under(display.axes_[0]) == names_under(display.axes_[2]) == GRADES
    assert display.axes_[1].get_xlim()[1] < 1.2
    assert display.figure_.get_supxlabel() == "Grade or Score"
    display = plot_panels([graded, amounts], display=GainsTableDisplay)
    assert display.figure_.get_supylabel() == "Response rate or Mean outcome"
    assert display.axes_[0].get_ylim()[1] < 1 < display.axes_[1].get_ylim()[1]
    assert display.axes_[1].yaxis.get_tick_params()["labelleft"]
    check_texts(display.figure_)


def test_marks_are_in_the_key_of_their_panel():
    (curve,) = make_curves(1).values()
    display = plot_panels([curve, curve], mark=(0.1, 0.5), pos_label="bad")
    key = display.axes_[0].get_legend()
    rates = curve.capture_rate_at(0.1), curve.capture_rate_at(0.5)
    expected = [f"{rates[0]:.1%} captured at 10%\n{rates[1]:.1%} captured at 50%"]
    assert [text.get_text() for text in key.get_texts()] == expected
    assert [axes.get_title()[0] for axes in display.axes_] == ["1", "2"]
    assert display.figure_.get_supylabel() == "Capture rate (positive label: bad)"


def test_what_is_drawn_can_be_chosen():
    display = plot_panels(
        make_curves(2),
        plot_chance_level=False,
        plot_perfect=False,
        others=False,
        despine=True,
        curve_kwargs={"color": "red"},
        panel_size=2,
        n_columns=1,
    )
    assert not display.figure_.legends
    assert display.line_[0].get_color() == "red"
    assert not display.axes_[0].spines["right"].get_visible()
    assert display.axes_[0].get_xticks().tolist() == [0, 0.5, 1]
    inches = display.axes_[1].get_position().size * display.figure_.get_size_inches()
    assert inches.tolist() == pytest.approx([2, 2])


def test_a_picture_of_two_curves_has_its_number_as_title():
    curves = make_curves(2)
    display = plot_panels(
        curves, display=KSDisplay, mark=0.2, over="population_share", others=True
    )
    for axes, (name, curve) in zip(display.axes_, curves.items(), strict=True):
        assert axes.get_title().startswith(f"{name}\nKS = {curve.ks:.3f}")
        assert not lines_of(axes, "other")
        share, others = (line.get_data() for line in lines_of(axes))
        gap = np.interp(0.2, *share) - np.interp(0.2, *others)
        (text,) = axes.get_legend().get_texts()
        assert text.get_text() == f"gap {gap:.3f} at 20%"
    (legend,) = display.figure_.legends
    entries = [text.get_text() for text in legend.get_texts()]
    assert entries[:2] == ["Events", "Non-events"]


def is_covered(axes, box):
    paths = [line.get_transform().transform_path(line.get_path()) for line in axes.lines]
    return any(path.intersects_bbox(box, filled=False) for path in paths)


def test_keys_of_marks_are_dots_that_cover_no_line():
    """The curves of a scorecard are at the lower right, where a key is otherwise."""
    scores = LOANS["champion_pd"], 850 - 550 * LOANS["champion_pd"]
    curves = [
        CapCurve.from_predictions(LOANS["default"], each, descending=i == 0)
        for i, each in enumerate(scores)
    ]
    display = plot_panels(curves, display=KSDisplay, mark=[0.1, 0.2])
    for axes in display.axes_:
        key = axes.get_legend()
        (dot,) = key.legend_handles
        assert (dot.get_marker(), dot.get_linestyle()) == ("o", "None")
        assert len(key.get_texts()[0].get_text().split("\n")) == 2
        assert not is_covered(axes, key.get_window_extent())
    low = [axes.get_legend().get_window_extent().y0 for axes in display.axes_]
    assert low[0] < low[1]


@pytest.mark.parametrize("marks", [[0.1, 0.2], np.linspace(0.05, 0.95, 20)])
def test_values_without_room_in_their_panel_are_in_its_title(marks):
    """The curves of a score that tells events by far are along the top and the bottom."""
    score = np.linspace(0, 0.1, 1_000)
    scores = np.append(score, 1 - score), np.append(score, 0.9 - score)
    curves = [CapCurve.from_predictions(each > 0.5, each) for each in scores]
    display = plot_panels(curves, display=KSDisplay, mark=marks)
    for axes in display.axes_:
        _, _, *values = axes.get_title().split("\n")
        shares = [f"{100 * mark:.4g}%" for mark in marks]
        assert [value.split()[-1] for value in values] == shares
        assert axes.get_legend() is None
    check_texts(display.figure_)


def test_bars_share_their_axes():
    display = plot_panels(make_curves(2), display=GainsTableDisplay, bands=5, panel_size=2)
    assert [len(axes.patches) for axes in display.axes_] == [5, 5]
    assert not display.line_
    assert all("\nAll rows (" in axes.get_title() for axes in display.axes_)
    display.plot(confidence_level=0.9, panel_size=2)
    (legend,) = display.figure_.legends
    assert [text.get_text() for text in legend.get_texts()] == ["90% confidence limits"]
    highest = max(bar.get_height() for axes in display.axes_ for bar in axes.patches)
    assert highest < display.axes_[0].get_ylim()[1] < 2 * highest


def test_bars_in_the_frame_have_the_name_of_their_panel():
    display = plot_panels(
        make_curves(2), display=GainsTableDisplay, bands=3, confidence_level=0.9
    )
    frame = display.frame()
    assert frame.index.tolist() == list(range(len(frame)))
    of_bars = frame[frame["role"].isin(["bars", "limits"])]
    assert of_bars["curve"].tolist() == of_bars["panel"].tolist()
    assert len(of_bars) == 2 * 2 * 3
    assert frame.loc[frame["role"] == "chance", "curve"].isna().all()


def test_the_frame_of_panels_tells_them_apart():
    curves = make_curves(2)
    frame = PanelsDisplay(curves).frame("polars")
    assert frame.columns[:3] == ["panel", "curve", "role"]
    drawn = frame.filter(role="curve", panel="region 1")
    x, y = curves["region 1"].profile.thinned()
    assert drawn["population_share"].to_list() == x.tolist()
    assert drawn["capture_rate"].to_list() == y.tolist()
    assert set(drawn["curve"]) == {"region 1"}


GAINS = {"display": GainsTableDisplay, "bands": 4, "confidence_level": 0.9}


@pytest.mark.parametrize(
    ("count", "options"),
    [
        (2, GAINS | {"statistic": "lift"}),
        (2, {"display": KSDisplay, "over": "population_share"}),
        (2, {"mark": 0.2, "shade": True, "title": "Regions"}),
        (1, {"plot_perfect": False, "title": "Regions"}),
    ],
    ids=["gains", "ks", "mark", "alone"],
)
def test_the_chart_and_the_frame_are_those_of_the_picture_that_was_drawn(count, options):
    curves, own = make_curves(count), dict(options)
    kind = own.pop("display", CAPCurveDisplay)
    drawn, fresh = plot_panels(curves, **options), PanelsDisplay(curves, display=kind)
    asked = fresh.chart(**own).to_dict()
    assert drawn.chart().to_dict() == drawn.chart(n_columns=7).to_dict() == asked
    assert drawn.chart(mark=()).to_dict() == fresh.chart(mark=()).to_dict()
    assert ("'Regions" in str(asked)) == ("title" in own)
    singles = {name: kind(curve).plot(**own) for name, curve in curves.items()}
    frame = drawn.frame("polars")
    for name, single in singles.items():
        there, here = single.frame("polars"), frame.filter(panel=name)
        assert here.columns[1:] == there.columns
        assert here["upper"].equals(there["upper"])
        assert here[there.columns[3]].equals(there[there.columns[3]])
    plt.close("all")


# Where it is on the page


def list_texts(figure):
    """List the boxes of all texts that are seen, each with its words."""
    texts = [*figure.texts]
    for axes in figure.axes:
        texts += [axes.title, *axes.texts]
        for axis, shown in ((axes.xaxis, "labelbottom"), (axes.yaxis, "labelleft")):
            low, high = sorted(axis.get_view_interval())
            if axis.get_tick_params()[shown]:
                texts += [
                    tick.label1
                    for tick in axis.get_major_ticks()
                    if low <= tick.get_loc() <= high
                ]
        if axes.get_legend() is not None:
            texts += axes.get_legend().get_texts()
    for legend in figure.legends:
        texts += legend.get_texts()
    return [
        (text.get_text(), text.get_window_extent())
        for text in texts
        if text is not None and text.get_visible() and text.get_text().strip()
    ]


def check_texts(figure):
    """Check that texts are within the figure and meet no other; return their boxes."""
    figure.canvas.draw()
    boxes = list_texts(figure)
    width, height = figure.bbox.size
    for text, box in boxes:
        assert -0.5 <= box.x0 < box.x1 <= width + 0.5, text
        assert -0.5 <= box.y0 < box.y1 <= height + 0.5, text
    for (text, box), (other, against) in combinations(boxes, 2):
        assert not box.padded(-0.5).overlaps(against.padded(-0.5)), (text, other)
    return boxes


@pytest.mark.parametrize(
    ("count", "name", "style"),
    [
        *product([1, 2, 4, 9], ["{}", LONG], ["default", "ggplot"]),
        (30, LONG, "dark_background"),
    ],
)
def test_texts_stay_in_the_figure_and_apart(count, name, style):
    with plt.style.context(style):
        display = plot_panels(make_curves(count, name), mark=0.2, title="All regions")
        figure = display.figure_
        boxes = check_texts(figure)
        for axes in figure.axes:
            panel = axes.get_window_extent()
            inches = panel.size / figure.dpi
            assert inches.min() > 1.99
            assert inches[0] == pytest.approx(inches[1])
            own = {axes.title.get_text()}
            own |= {text.get_text() for text in axes.get_legend().get_texts()}
            for text, box in boxes:
                assert text in own or not box.padded(-0.5).overlaps(panel), text
    plt.close(figure)


def test_no_wide_gaps_between_panels():
    display = plot_panels(make_curves(9))
    inches = display.figure_.get_size_inches()
    boxes = [axes.get_position() for axes in display.axes_]
    beside = (boxes[1].x0 - boxes[0].x1) * inches[0]
    above = (boxes[0].y0 - boxes[3].y1) * inches[1]
    assert 0 < beside < 0.45
    assert 0 < above < 0.65


def test_letters_can_be_read_in_the_smallest_panels():
    display = plot_panels(make_curves(30, LONG))
    axes = display.axes_[-1]
    sizes = [axes.title.get_fontsize(), axes.get_xticklabels()[0].get_fontsize()]
    assert min(sizes) >= 5.5


def test_long_names_of_curves_are_shortened_in_a_narrow_legend():
    from capcurve import gain_curve, plot_gain_curve

    frame = {
        "y": [1, 0, 1, 0] * 4,
        "s": [4, 3, 2, 1] * 4,
        "g": [i // 8 for i in range(16)],
        "name": [LONG.format(i // 4 % 2) for i in range(16)],
    }
    import polars as pl

    curve = gain_curve(pl.DataFrame(frame), "y", "s", by=["g", "name"])
    display = plot_gain_curve(curve, panel_by="g", n_columns=1, panel_size=1.2)
    (legend,) = display.figure_.legends
    assert any("…" in text.get_text() for text in legend.get_texts())
    assert legend.get_window_extent().width <= display.figure_.bbox.width


def test_formulas_and_halves_of_characters_in_names_are_shown_as_text():
    curve = next(iter(make_curves(1).values()))
    display = plot_panels({"$x": curve, "a\ud800$": curve, "": curve})
    titles = [axes.get_title().split("\n")[0] for axes in display.axes_]
    assert titles == ["$x", "a?$", f"AR = {curve.accuracy_ratio:.3f}"]
    display.figure_.canvas.draw()


# What is refused


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_columns": 0}, "`n_columns` must be a whole number from 1 on, got 0"),
        ({"n_columns": True}, "`n_columns` must be a whole number from 1 on, got True"),
        ({"panel_size": 25}, "`panel_size` must be a length from 1 to 20 inches, got 25"),
        ({"title": 3}, "`title` must be a text, got 3"),
        ({"others": "yes"}, "`others` must be True or False, got 'yes'"),
        ({"mark": 50}, "`mark` must be a fraction"),
    ],
)
def test_invalid_options_are_refused(options, message):
    display = PanelsDisplay(make_curves(1))
    with pytest.raises(CapcurveError, match=message):
        display.plot(**options)


def test_curves_without_their_names_are_refused():
    curves = make_curves(2)
    with pytest.raises(CapcurveError, match="`name` must be None for curves by their"):
        plot_panels(curves, ["a", "b"])
    listed = list(curves.values())
    with pytest.raises(CapcurveError, match=r"a name for each curve \(2\)"):
        plot_panels(listed, ["a"])
    with pytest.raises(CapcurveError, match="`name` must have distinct names"):
        plot_panels(listed, ["a", "a"])
    with pytest.raises(CapcurveError, match="`curves` must have texts as names, got the"):
        plot_panels(dict(enumerate(listed)))
    with pytest.raises(CapcurveError, match="`curves` must be a list of CapCurve"):
        plot_panels(3)


@pytest.mark.parametrize(
    ("display", "message"),
    [
        (int, "got the class int; pass one, such as `KSDisplay`"),
        ("KSDisplay", "got 'KSDisplay'; pass one, such as `KSDisplay`"),
        (DoubleLiftDisplay, "got the class DoubleLiftDisplay; draw each DoubleLiftDisplay"),
        (
            KSDisplay(CapCurve.from_predictions([1, 0], [2, 1])),
            "got KSDisplay; pass its class, `KSDisplay`",
        ),
    ],
)
def test_displays_that_have_no_panels_are_refused(display, message):
    expected = f"`display` must be a class of displays of curves: CAPCurve.* {message}"
    with pytest.raises(CapcurveError, match=expected):
        plot_panels([], display=display)


def test_messages_on_many_arrays_say_a_call_that_draws_them():
    y_true, scores = [1, 0, 1, 0], {f"m{i}": [4, 3, 2, i] for i in range(21)}
    call = r"plot_panels\(\{name: CapCurve.from_predictions\(y_true, score\), ...\}\)"
    for picture, most in ((CAPCurveDisplay, 20), (KSDisplay, 10)):
        with pytest.raises(CapcurveError, match=f"at most {most} .* got 21; .*{call}"):
            picture.from_predictions(y_true, scores)
    for arguments in ((y_true, scores), (scores,)):
        with pytest.raises(CapcurveError, match=f"`curves` must .* got .*; .*{call}"):
            plot_panels(*arguments)
    curves = {
        name: CapCurve.from_predictions(y_true, score) for name, score in scores.items()
    }
    assert len(plot_panels(curves).axes_) == 21


def test_more_panels_than_fit_are_refused():
    curve = next(iter(make_curves(1).values()))
    with pytest.raises(CapcurveError, match="at most 100 panels to be legible, got 101"):
        plot_panels([curve] * 101)


def test_the_lift_in_a_title_is_not_said_again_beside_the_curve():
    curves = make_curves(2)
    display = plot_panels(curves, display=LiftCurveDisplay, mark=[0.1, 0.2])
    for ax, curve in zip(display.axes_, curves.values(), strict=True):
        assert ax.get_title().endswith(f"lift {curve.lift_at(0.1):.2f} at 10%")
        key = [text.get_text() for text in ax.get_legend().get_texts()]
        assert key == [f"lift {curve.lift_at(0.2):.2f} at 20%"]
    display = plot_panels(curves, display=LiftCurveDisplay, mark=0.1)
    assert [ax.get_legend() for ax in display.axes_] == [None, None]


# Interactive charts


@pytest.mark.parametrize("n_panels", [2, 3, 12])
def test_a_row_of_charts_fits_a_page(n_panels):
    """The texts of a panel take about 155 pixels beside it, of some 1,150 of a page."""
    spec = PanelsDisplay(make_curves(n_panels)).chart().to_dict()
    assert spec["columns"] == min(n_panels, 3)
    assert spec["columns"] * (spec["concat"][0]["width"] + 155) < 1_150


def test_charts_have_as_many_columns_as_are_asked_for():
    from capcurve import GainCurveDisplay, gain_curve

    pl = pytest.importorskip("polars")
    curves = make_curves(3)
    loans = pl.DataFrame(make_portfolio(1_000))
    gains = gain_curve(loans, "default", "champion_pd", by="segment")
    for display in (PanelsDisplay(curves), GainCurveDisplay(gains, panel_by="segment")):
        assert display.chart(n_columns=1).to_dict()["columns"] == 1
        assert display.chart(n_columns=7).to_dict()["columns"] == 3
        display.plot(n_columns=2)
        assert display.chart().to_dict()["columns"] == 2
        assert display.chart(mark=0.1).to_dict()["columns"] == 2
        assert display.chart(n_columns=1).to_dict()["columns"] == 1
        with pytest.raises(CapcurveError, match="`n_columns` must be a whole number"):
            display.chart(n_columns=0)


def test_charts_are_side_by_side_with_one_slider():
    curves = make_curves(5)
    spec = PanelsDisplay(curves).chart(title="Regions").to_dict()
    assert spec["columns"] == 3
    assert spec["title"]["text"] == "Regions"
    titles = [panel["title"]["text"] for panel in spec["concat"]]
    expected = [
        f"{name}, AR = {curve.accuracy_ratio:.3f}" for name, curve in curves.items()
    ]
    assert titles == expected
    assert str(spec).count("'input': 'range'") == 1
    plain = PanelsDisplay(curves, display=KSDisplay).chart().to_dict()
    assert "title" not in plain
    assert plain["concat"][0]["title"]["text"].startswith("region 0, KS = ")
    one = PanelsDisplay(make_curves(1)).chart().to_dict()
    assert "concat" not in one
    assert one["title"]["text"].startswith("region 0, AR = ")


@pytest.mark.parametrize(("n_panels", "columns"), [(1, 3), (2, 2), (3, 1)])
def test_legends_of_charts_do_not_push_each_other_apart(n_panels, columns):
    display = PanelsDisplay(make_curves(n_panels), display=KSDisplay)
    spec = display.chart(over="population_share", mark=0.1).to_dict()
    first = spec["concat"][0] if n_panels > 1 else spec
    legend = first["layer"][0]["encoding"]["color"]["legend"]
    expected = ["Events", "Non-events", "Random (KS = 0)"]
    assert [text for text in legend["values"] if "KS = 0." not in text] == expected
    assert legend["columns"] == columns


def test_sliders_over_scores_name_their_panels():
    spec = PanelsDisplay(make_curves(2), display=KSDisplay).chart().to_dict()
    names = [each["bind"]["name"] for each in spec["params"] if "value" in each]
    assert names == ["region 0: Score, in steps ", "region 1: Score, in steps "]


def test_charts_of_bars_share_their_vertical_axis():
    display = PanelsDisplay(make_graded_curves(), display=GainsTableDisplay)
    first, second = display.chart(bands="scores").to_dict()["concat"]
    assert find_domain(first, "y") == find_domain(second, "y")
    assert find_domain(first, "x") != find_domain(second, "x")
