"""Pictures of gain curve frames, by their artists."""

import re
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from capcurve import (
    CapcurveError,
    GainCurveDisplay,
    UndefinedMetricWarning,
    accuracy_ratio_score,
    gain_curve,
    perfect_cap_curve,
    plot_gain_curve,
)
from capcurve.datasets import make_portfolio

LOANS = pl.DataFrame(make_portfolio(1_000))
MODELS = ["champion_pd", "challenger_pd"]
PERFECT, CHANCE = "Perfect (AR = 1)", "Random (AR = 0)"


def lines_of(axes, role="curve"):
    return [line for line in axes.lines if line.get_gid() == f"capcurve-{role}"]


def labels(legend):
    return [text.get_text().replace("\n", " ") for text in legend.get_texts()]


def draw_one(frame, **options):
    display = plot_gain_curve(frame, **options)
    (axes,) = display.axes_
    return axes


def perfect_of(axes):
    (line,) = lines_of(axes, "perfect")
    return line.get_xydata()


# A single picture


def test_one_curve_between_its_references():
    loans = LOANS.head(200)
    curve = gain_curve(loans, "default", "champion_pd", case_weights="exposure")
    axes = draw_one(curve)
    (line,) = lines_of(axes)
    assert line.get_xdata().tolist() == curve["population_share"].to_list()
    assert line.get_ydata().tolist() == curve["capture_rate"].to_list()
    weight = loans["exposure"]
    rate = weight.filter(loans["default"] == 1).sum() / weight.sum()
    assert perfect_of(axes).tolist() == [[0, 0], [pytest.approx(rate), 1], [1, 1]]
    assert len(axes.collections) == 1
    ratio = accuracy_ratio_score(
        loans["default"], loans["champion_pd"], sample_weight=weight
    )
    assert labels(axes.get_legend()) == [f"AR = {ratio:.3f}", PERFECT, CHANCE]
    assert axes.get_title() == f"CAP curve, AR = {ratio:.3f}"


def test_groups_and_models_are_lines_with_their_ratio():
    curve = gain_curve(LOANS, "default", MODELS, by="segment")
    axes = draw_one(curve)
    expected = [
        f"{segment}, {model} (AR = {ratio:.3f})"
        for (segment,), part in LOANS.group_by("segment", maintain_order=True)
        for model in MODELS
        if (ratio := accuracy_ratio_score(part["default"], part[model]))
    ]
    lines = lines_of(axes)
    assert [line.get_label() for line in lines] == expected
    assert len({(line.get_color(), str(line.get_linestyle())) for line in lines}) == 6
    assert axes.get_title() == "CAP curves"


def test_names_from_data_are_no_formulas():
    bands = ["$5k-$10k", r"$\frac{1}{2$"]
    loans = LOANS.with_columns(
        band=pl.when(pl.col("loan") % 2 == 0)
        .then(pl.lit(bands[0]))
        .otherwise(pl.lit(bands[1]))
    )
    curve = gain_curve(loans, "default", "champion_pd", by="band")
    axes = draw_one(curve)
    axes.figure.savefig("bands.svg")
    drawn = re.findall(r"<!-- (.*?) \(AR", Path("bands.svg").read_text(encoding="utf-8"))
    assert set(bands) < set(drawn)
    chart = plot_gain_curve(curve).chart().to_json()
    assert "$5k-$10k" in chart
    assert draw_one(curve, title="$x^2$").get_title() == "$x^2$"


def test_each_curve_has_its_own_perfect_line_under_one_shade():
    curve = gain_curve(LOANS, "default", "champion_pd", by="segment")
    axes = draw_one(curve)
    rates = [
        part["default"].mean() for _, part in LOANS.group_by("segment", maintain_order=True)
    ]
    points = perfect_of(axes)
    breaks = points[(points[:, 1] == 1) & (points[:, 0] < 1), 0]
    assert breaks.tolist() == pytest.approx(rates)
    (shade,) = axes.collections
    assert shade.get_paths()[0].contains_point((min(rates), 0.99))
    assert not shade.get_paths()[0].contains_point((min(rates) - 0.01, 0.99))


def test_what_is_drawn_can_be_chosen():
    curve = gain_curve(LOANS, "default", "champion_pd")
    _, ax = plt.subplots()
    display = GainCurveDisplay(curve).plot(
        ax,
        mark=(0.1, 0.5),
        title="Champion",
        curve_kwargs={"color": "red"},
        plot_chance_level=False,
        plot_perfect=False,
        shade=False,
        despine=True,
    )
    assert display.axes_ == [ax]
    assert display.figure_ is ax.figure
    assert ax.get_title() == "Champion"
    assert not lines_of(ax, "perfect")
    assert not lines_of(ax, "chance")
    assert not ax.collections
    assert not ax.spines["top"].get_visible()
    assert [line.get_color() for line in display.line_] == ["red"]
    captured = np.interp(0.5, *display.line_[0].get_data())
    texts = [text.get_text() for text in ax.texts]
    assert f"{captured:.1%} captured at 50%" in texts


def test_what_a_display_says_of_itself():
    curve = gain_curve(LOANS, "default", MODELS, by="segment")
    display = GainCurveDisplay(curve, panel_by="segment")
    assert repr(display) == "GainCurveDisplay(6 curves, 3 panels)"
    assert display.frame() is curve
    assert not plt.get_fignums()


# Whose perfect line is known


def test_amounts_have_no_perfect_line_even_within_0_and_1():
    loans = LOANS.with_columns(lgd=pl.col("loss") / pl.col("loss").max())
    axes = draw_one(gain_curve(loans, "lgd", "champion_pd"))
    share, captured = perfect_cap_curve(loans["lgd"])[:2]
    at_rate = np.interp(loans["lgd"].mean(), share, captured)
    assert at_rate < 0.9  # so that the line of events would be wrong
    assert not axes.collections
    ratio = accuracy_ratio_score(loans["lgd"], loans["champion_pd"])
    assert labels(axes.get_legend()) == [f"AR = {ratio:.3f}", CHANCE]


def test_a_mean_amount_above_1_has_no_perfect_line():
    axes = draw_one(gain_curve(LOANS, "loss", "champion_pd"))
    assert not lines_of(axes, "perfect")


def test_weights_do_not_tell_events_where_the_ratio_is_0():
    frame = pl.DataFrame({"y": [0.1, 0.9, 0.3], "s": [1, 1, 1]})
    curve = gain_curve(frame, "y", "s")
    assert curve["accuracy_ratio"].to_list() == [0, 0]
    assert not lines_of(draw_one(curve), "perfect")


def test_frames_without_the_ratio_have_none_in_the_legend():
    curve = gain_curve(LOANS, "default", MODELS).drop("accuracy_ratio")
    axes = draw_one(curve)
    assert labels(axes.get_legend()) == [*MODELS, PERFECT, CHANCE]
    weighted = gain_curve(LOANS, "default", "champion_pd", case_weights="exposure")
    axes = draw_one(weighted.drop("accuracy_ratio"))
    assert axes.get_title() == "CAP curve"
    assert labels(axes.get_legend()) == [CHANCE]


def test_the_head_of_a_curve_has_the_perfect_line_of_the_whole():
    curve = gain_curve(LOANS, "default", "champion_pd")
    axes = draw_one(curve.filter(pl.col("population_share") <= 0.2))
    assert perfect_of(axes)[1, 0] == pytest.approx(LOANS["default"].mean())


# Panels


def test_levels_are_panels_in_their_order_with_one_legend():
    levels = list("HGFEDCBA")
    rng = np.random.default_rng(0)
    frame = LOANS.with_columns(
        pl.col("grade").cast(pl.Enum(levels)),
        *(pl.Series(level, rng.random(1_000)) for level in levels),
        third=pl.col("loan") % 3,
    )
    display = plot_gain_curve(gain_curve(frame, "grade", levels, by="third"))
    assert [axes.get_title() for axes in display.axes_] == levels
    assert {len(lines_of(axes)) for axes in display.axes_} == {3}
    (legend,) = display.figure_.legends
    assert labels(legend) == ["1", "2", "0", PERFECT, CHANCE]
    part = frame.filter(pl.col("third") == 1)
    ratio = accuracy_ratio_score(part["grade"] == "H", part["H"])
    assert labels(display.axes_[0].get_legend())[0] == f"AR {ratio:.3f}"
    alone = draw_one(gain_curve(frame, "grade", levels), panel_by=[])
    assert lines_of(alone)[0].get_label().startswith("H (AR = ")


def test_a_panel_of_one_curve_has_its_ratio_as_title_and_the_others_behind():
    curve = gain_curve(LOANS, "default", "champion_pd", by="segment")
    display = plot_gain_curve(curve, panel_by="segment", mark=0.2, title="Segments")
    for axes, (key, part) in zip(
        display.axes_, LOANS.group_by("segment", maintain_order=True), strict=True
    ):
        ratio = accuracy_ratio_score(part["default"], part["champion_pd"])
        assert axes.get_title() == f"{key[0]}\nAR = {ratio:.3f}"
        (line,), (others,) = lines_of(axes), lines_of(axes, "other")
        captured = np.interp(0.2, *line.get_data())
        assert labels(axes.get_legend()) == [f"{captured:.1%} captured at 20%"]
        assert np.isnan(others.get_xdata()).sum() == 1
    (legend,) = display.figure_.legends
    assert labels(legend) == ["Curves of the other panels", PERFECT, CHANCE]
    assert display.figure_.get_suptitle() == "Segments"


def test_marks_of_several_curves_are_in_the_key_of_their_panel():
    curve = gain_curve(LOANS, "default", MODELS, by="segment")
    display = plot_gain_curve(curve, panel_by="segment", mark=0.2)
    axes = display.axes_[0]
    assert not [text for text in axes.texts if text.get_text()]
    ratio = curve["accuracy_ratio"][0]
    captured = np.interp(0.2, *lines_of(axes)[0].get_data())
    assert labels(axes.get_legend())[0] == f"AR {ratio:.3f}, {captured:.1%} at 20%"
    older = curve.drop("accuracy_ratio")
    plain = plot_gain_curve(older, panel_by="segment").axes_[0]
    assert plain.get_legend() is None
    single = older.filter(pl.col("model") == MODELS[0])
    assert plot_gain_curve(single, panel_by="segment").axes_[0].get_title() == (
        "small business"
    )


def test_a_key_that_would_fill_its_panel_is_left_out():
    frame = LOANS.with_columns(group=pl.col("loan") % 10, half=pl.col("loan") % 2)
    curve = gain_curve(frame, "default", MODELS, by=["half", "group"])
    display = plot_gain_curve(curve, panel_by=["half"], panel_size=2)
    assert all(axes.get_legend() is None for axes in display.axes_)
    assert len(labels(display.figure_.legends[0])) == 22


@pytest.mark.parametrize(
    "convert", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "arrow"]
)
def test_dates_have_no_time_of_day_where_all_are_midnights(convert):
    """Legends and panels of dates of pandas said 2024-02-01 00:00:00."""
    when = pd.to_datetime(["2024-02-01", "2024-03-01", None]).repeat(2)
    columns = {"y": [1, 0] * 3, "s": [2, 1] * 3}
    frame = gain_curve(convert({**columns, "when": when}), "y", "s", by="when")
    days = ["2024-02-01", "2024-03-01", "missing"]
    lines = lines_of(draw_one(frame))
    assert [line.get_label() for line in lines] == [f"{day} (AR = 1.000)" for day in days]
    panels = plot_gain_curve(frame, panel_by="when").axes_
    assert [axes.get_title().splitlines()[0] for axes in panels] == days


@pytest.mark.parametrize("delay", ["12h", "1ns"])
def test_times_of_day_are_told(delay):
    when = pd.to_datetime(["2024-02-01", "2024-03-01"]).as_unit("ns").repeat(2)
    when = when + pd.to_timedelta([0, 0, *[pd.Timedelta(delay)] * 2])
    data = pd.DataFrame({"y": [1, 0] * 2, "s": [2, 1] * 2, "when": when})
    (first, second) = lines_of(draw_one(gain_curve(data, "y", "s", by="when")))
    assert first.get_label() == "2024-02-01 00:00:00 (AR = 1.000)"
    assert second.get_label() == f"{when[-1]} (AR = 1.000)"


def test_panels_of_several_columns_name_them():
    """A title said False, 0."""
    loans = LOANS.with_columns(half=pl.col("loan") % 2, old=pl.col("loan") < 500)
    curve = gain_curve(loans, "default", MODELS, by=["old", "half"])
    display = plot_gain_curve(curve, panel_by=["old", "half"])
    titles = [axes.get_title() for axes in display.axes_]
    assert titles[0] == "old True, half 1"
    assert len(set(titles)) == 4


def test_missing_keys_have_a_name():
    frame = pd.DataFrame(
        {"g": ["a", "a", None, None], "y": [1, 0, 1, 0], "s": [2, 1, 1, 2]}
    )
    axes = draw_one(gain_curve(frame, "y", "s", by="g"))
    names = [line.get_label() for line in lines_of(axes)]
    assert names == ["a (AR = 1.000)", "missing (AR = -1.000)"]


def test_columns_that_vary_within_curves_are_no_names():
    curve = gain_curve(LOANS, "default", "champion_pd", by="segment")
    more = curve.with_columns(
        lift=pl.col("capture_rate") / pl.col("population_share"), bank=pl.lit("A")
    )
    names = [line.get_label() for line in lines_of(draw_one(more))]
    assert names[0].startswith("small business, A (AR = ")


def test_grades_as_thresholds_are_drawn():
    frame = pl.DataFrame({"y": [1, 0, 1, 0], "s": ["B", "A", "B", "A"]})
    axes = draw_one(gain_curve(frame, "y", "s", order=["A", "B"]))
    assert lines_of(axes)[0].get_ydata().tolist() == [0, 1, 1]


# What is refused


def test_a_group_without_an_outcome_has_no_line():
    frame = pl.DataFrame({"g": [1, 1, 2, 2], "y": [1, 0, 0, 0], "s": [2, 1, 2, 1]})
    with pytest.warns(UndefinedMetricWarning):
        curve = gain_curve(frame, "y", "s", by="g")
    lines = lines_of(draw_one(curve))
    assert [line.get_label() for line in lines] == ["1 (AR = 1.000)"]


def test_what_is_no_gain_curve_is_refused():
    with pytest.raises(CapcurveError, match="`gain_curve_frame` has no column 'n'"):
        plot_gain_curve(LOANS)
    empty = gain_curve(LOANS, "default", "champion_pd").head(0)
    with pytest.raises(CapcurveError, match="at least one curve with an outcome, got none"):
        plot_gain_curve(empty)


def test_rows_in_another_order_are_refused():
    curve = gain_curve(LOANS, "default", "champion_pd", by="segment")
    for wrong in (curve.sort("threshold"), curve.filter(pl.col("n") > 0)):
        with pytest.raises(CapcurveError, match="rows in another order"):
            plot_gain_curve(wrong)


def test_more_curves_than_can_be_told_apart_are_refused_with_a_way_out():
    rows = np.arange(200)
    frame = pl.DataFrame(
        {"y": rows // 25 % 2, "s": rows, "group": rows % 25, "half": rows // 100}
    )
    curve = gain_curve(frame, "y", "s", by="group")
    with pytest.raises(CapcurveError, match=r"at most 20 curves.*`panel_by`"):
        plot_gain_curve(curve)
    assert len(plot_gain_curve(curve, panel_by="group").axes_) == 25
    both = gain_curve(frame, "y", "s", by=["half", "group"])
    with pytest.raises(CapcurveError, match=r"20 different names.*got 25.*`panel_by`"):
        plot_gain_curve(both, panel_by="half")


def test_more_panels_than_fit_are_refused():
    rows = {"y": [1, 0] * 101, "s": [2, 1] * 101, "g": np.repeat(np.arange(101), 2)}
    curve = gain_curve(pl.DataFrame(rows), "y", "s", by="g")
    with pytest.raises(CapcurveError, match="at most 100 panels to be legible, got 101"):
        plot_gain_curve(curve, panel_by="g")
    rows = {"y": [1, 0] * 2001, "s": [2, 1] * 2001, "g": np.repeat(np.arange(2001), 2)}
    curve = gain_curve(pl.DataFrame(rows), "y", "s", by="g")
    with pytest.raises(CapcurveError, match="at most 2,000 curves, got 2,001"):
        plot_gain_curve(curve, panel_by="g")


def test_panels_by_what_does_not_tell_curves_apart_are_refused():
    curve = gain_curve(LOANS, "default", "champion_pd", by="segment")
    with pytest.raises(CapcurveError, match=r"got 'n'; those of this frame are 'segment'"):
        plot_gain_curve(curve, panel_by="n")
    with pytest.raises(CapcurveError, match=r"got 'g'; those of this frame are none"):
        plot_gain_curve(gain_curve(LOANS, "default", "champion_pd"), panel_by=["g"])


def test_axes_for_several_panels_are_refused():
    curve = gain_curve(LOANS, "default", "champion_pd", by="segment")
    with pytest.raises(
        CapcurveError, match=r"`ax` must be None.*axes for 3.*panel_by=\[\]"
    ):
        plot_gain_curve(curve, panel_by="segment", ax=plt.figure().subplots())


# Interactive charts


def test_the_chart_of_a_frame_has_a_panel_for_each_group():
    curve = gain_curve(LOANS, "default", MODELS, by="segment")
    spec = GainCurveDisplay(curve, panel_by="segment").chart(title="Segments").to_dict()
    assert spec["title"]["text"] == "Segments"
    titles = [panel["title"]["text"] for panel in spec["concat"]]
    assert titles == LOANS["segment"].unique(maintain_order=True).to_list()
    entry = f"champion_pd, AR {curve['accuracy_ratio'][0]:.3f}"
    assert entry in str(spec["concat"][0])
    assert CHANCE in str(spec["concat"][0])
    assert CHANCE not in str(spec["concat"][1])
    alone = GainCurveDisplay(curve).chart().to_dict()
    assert "concat" not in alone
    assert alone["title"]["text"] == "CAP curves"
    alone = GainCurveDisplay(gain_curve(LOANS, "default", "champion_pd")).chart(title="A")
    assert alone.to_dict()["title"]["text"] == "A"


@pytest.mark.parametrize("by", [None, "segment"])
def test_the_chart_is_that_of_the_picture_that_was_drawn(by):
    curve = gain_curve(LOANS, "default", "champion_pd", by="segment")
    options = {"mark": 0.2, "plot_perfect": False, "title": "Segments"}
    drawn = plot_gain_curve(curve, panel_by=by, **options)
    fresh = GainCurveDisplay(curve, panel_by=by)
    assert drawn.chart().to_dict() == fresh.chart(**options).to_dict()
    assert drawn.chart(shade=False).to_dict() == fresh.chart(shade=False).to_dict()
    plt.close("all")


@pytest.mark.parametrize("column", ["population_share", "capture_rate"])
@pytest.mark.parametrize("factor", [100, -1, float("nan")])
def test_shares_that_were_made_something_else_are_refused(column, factor):
    curve = gain_curve(LOANS, "default", MODELS)
    with pytest.raises(CapcurveError, match=rf"'{column}' .* from 0 to 1, got .*;"):
        plot_gain_curve(curve.with_columns(pl.col(column) * factor))
