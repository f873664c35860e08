"""Pictures of gain curve frames, by their artists."""

import numpy as np
import polars as pl
import pytest

from capcurve import CapcurveError, UndefinedMetricWarning, gain_curve, plot_gain_curve
from capcurve.datasets import make_portfolio

LOANS = pl.DataFrame(make_portfolio(1_000))


def model_lines(axes):
    return [line for line in axes.lines if line.get_gid() == "capcurve-model"]


def labels(legend):
    return [text.get_text() for text in legend.get_texts()]


def test_one_curve_between_its_references():
    loans = LOANS.head(200)
    curve = gain_curve(loans, "default", "champion_pd", case_weights="exposure")
    (axes,) = plot_gain_curve(curve).axes
    (line,) = model_lines(axes)
    assert line.get_xdata().tolist() == curve["population_share"].to_list()
    assert line.get_ydata().tolist() == curve["capture_rate"].to_list()
    weight = loans["exposure"]
    rate = weight.filter(loans["default"] == 1).sum() / weight.sum()
    perfect = next(line for line in axes.lines if line.get_gid() == "capcurve-perfect")
    assert perfect.get_xydata().tolist() == [[0, 0], [pytest.approx(rate), 1], [1, 1]]
    assert len(axes.collections) == 1
    assert labels(axes.get_legend()) == ["Perfect (AR = 1)", "Random (AR = 0)"]


def test_groups_and_models_are_lines_that_all_fit_under_the_smallest_rate():
    curve = gain_curve(LOANS, "default", ["champion_pd", "challenger_pd"], by="segment")
    (axes,) = plot_gain_curve(curve).axes
    lines = model_lines(axes)
    segments = LOANS["segment"].unique(maintain_order=True).to_list()
    names = [f"{s}, {m}_pd" for s in segments for m in ("champion", "challenger")]
    assert [line.get_label() for line in lines] == names
    perfect = next(line for line in axes.lines if line.get_gid() == "capcurve-perfect")
    for line in lines:
        best = np.interp(line.get_xdata(), *perfect.get_data())
        assert np.all(line.get_ydata() <= best + 1e-12)
    assert len({(line.get_color(), str(line.get_linestyle())) for line in lines}) == 6


def test_levels_are_panels_in_their_order_with_one_legend():
    levels = list("HGFEDCBA")
    rng = np.random.default_rng(0)
    frame = LOANS.with_columns(
        pl.col("grade").cast(pl.Enum(levels)),
        *(pl.Series(level, rng.random(1_000)) for level in levels),
        third=pl.col("loan") % 3,
    )
    figure = plot_gain_curve(gain_curve(frame, "grade", levels, by="third"))
    assert [axes.get_title() for axes in figure.axes] == levels
    assert {len(model_lines(axes)) for axes in figure.axes} == {3}
    assert len(figure.legends) == 1
    assert labels(figure.legends[0])[-2:] == ["Perfect (AR = 1)", "Random (AR = 0)"]


def test_a_group_without_an_outcome_has_no_line():
    frame = pl.DataFrame({"g": [1, 1, 2, 2], "y": [1, 0, 0, 0], "s": [2, 1, 2, 1]})
    with pytest.warns(UndefinedMetricWarning):
        curve = gain_curve(frame, "y", "s", by="g")
    (axes,) = plot_gain_curve(curve).axes
    assert [line.get_label() for line in model_lines(axes)] == ["1"]


def test_amounts_have_no_shade():
    (axes,) = plot_gain_curve(gain_curve(LOANS, "loss", "champion_pd")).axes
    assert not axes.collections
    assert labels(axes.get_legend()) == ["Random (AR = 0)"]


def test_many_lines_have_no_legend():
    frame = LOANS.with_columns(pl.Series("group", np.arange(1_000) % 20))
    (axes,) = plot_gain_curve(gain_curve(frame, "default", "champion_pd", by="group")).axes
    assert len(model_lines(axes)) == 20
    assert axes.get_legend() is None


def test_what_is_no_gain_curve_is_refused():
    with pytest.raises(CapcurveError, match="`gain_curve_frame` has no column 'n'"):
        plot_gain_curve(LOANS)
    empty = gain_curve(LOANS, "default", "champion_pd").head(0)
    with pytest.raises(CapcurveError, match="at least one curve with an outcome, got none"):
        plot_gain_curve(empty)
