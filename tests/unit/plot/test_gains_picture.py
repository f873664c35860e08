"""Bars of gains tables against brute force over fractions and the table itself."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from capcurve import (
    CapCurve,
    CapcurveError,
    CapSketch,
    FewEventsWarning,
    GainsTableDisplay,
    gains_table,
)
from capcurve._plot.chart_legend import color_curve, list_entries
from capcurve.datasets import make_portfolio

LOANS = make_portfolio(2_000)
Y, S = LOANS["default"], LOANS["champion_pd"]
AMOUNTS = np.round(100 * np.asarray(S), 2) * (np.asarray(Y) + 0.5)


def draw(*data, **options):
    return GainsTableDisplay.from_predictions(*data, ax=Figure().subplots(), **options)


def layers(display, role):
    return [layer for layer in display.picture_.layers if layer.role == role]


def legend(display):
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


@given(
    st.lists(
        st.tuples(st.integers(0, 1), st.integers(0, 4)), min_size=2, max_size=20
    ).filter(lambda found: len({y for y, _ in found}) == 2),
    st.integers(1, 6),
)
def test_bars_are_response_rates_of_bands_with_ties_split(found, n_bands):
    display = draw(*zip(*found, strict=True), bands=n_bands)
    (bars,) = layers(display, "bars")
    width = Fraction(len(found), n_bands)
    events = [Fraction(0)] * n_bands
    reached = Fraction(0)
    for score in sorted({s for _, s in found}, reverse=True):
        own = [y for y, s in found if s == score]
        for i in range(n_bands):
            inside = min(reached + len(own), width * (i + 1)) - max(reached, width * i)
            events[i] += max(inside, 0) * Fraction(sum(own), len(own))
        reached += len(own)
    assert bars.y == pytest.approx([float(each / width) for each in events], abs=1e-12)


@pytest.mark.parametrize("statistic", ["response_rate", "capture_rate", "lift"])
@pytest.mark.parametrize("outcome", [Y, AMOUNTS], ids=["events", "amounts"])
def test_bars_and_limits_are_those_of_the_gains_table(outcome, statistic):
    frame = pd.DataFrame({"y": outcome, "s": S})
    expected = gains_table(frame, "y", "s", bands=5, confidence_level=0.9)
    display = draw(outcome, S, bands=5, statistic=statistic, confidence_level=0.9)
    (bars,), (limits,) = layers(display, "bars"), layers(display, "limits")
    assert bars.y == pytest.approx(expected[statistic])
    assert limits.y == pytest.approx(expected[f"{statistic}_low"])
    assert limits.top == pytest.approx(expected[f"{statistic}_high"])
    assert legend(display)[:2] == ["Model", "90% confidence limits"]
    assert display.ax_.get_ylim()[1] > limits.top.max()
    assert [bar.get_height() for bar in display.ax_.patches] == pytest.approx(bars.y)


def test_counted_events_need_no_rows():
    curve = CapCurve.from_predictions(Y, S)
    bare = GainsTableDisplay(curve).plot(Figure().subplots(), confidence_level=0.95)
    (found,) = layers(bare, "limits")
    (expected,) = layers(draw(Y, S, confidence_level=0.95), "limits")
    assert found.y == pytest.approx(expected.y)
    assert found.top == pytest.approx(expected.top)


def test_amounts_weights_and_bins_need_rows():
    weighted = CapCurve.from_predictions(Y, S, sample_weight=np.full(2_000, 0.5))
    sketch = CapSketch()
    sketch.update(Y, S)
    for curve in (weighted, CapCurve.from_predictions(AMOUNTS, S), sketch):
        with pytest.raises(CapcurveError, match="`confidence_level` requires the rows"):
            GainsTableDisplay(curve).plot(Figure().subplots(), confidence_level=0.95)


def test_few_events_are_told():
    with pytest.warns(
        FewEventsWarning, match="based on 2 events or non-events; with fewer"
    ):
        draw([1, 0, 1, 0], [4, 3, 2, 1], bands=2, confidence_level=0.95)


@pytest.mark.filterwarnings("ignore::capcurve.FewEventsWarning")
def test_infinite_limits_are_not_drawn():
    amounts = [3.0, 2.5, 2.0, 2.8, 1.0, 0.5, 0.8, 0.9, 0.0, 0.0, 0.0, 0.0]
    display = draw(amounts, range(12, 0, -1), bands=3, confidence_level=0.9)
    (limits,) = layers(display, "limits")
    assert limits.x.tolist() == [0, 1]
    assert display.ax_.get_ylabel() == "Mean outcome"
    assert display.ax_.get_title() == "Mean outcome by band"


def test_the_rate_of_all_rows_is_a_line():
    display = draw([1, 0, 1, 0], [4, 3, 2, 1], bands=2)
    assert set(display.chance_level_.get_ydata()) == {0.5}
    assert legend(display) == ["Model", "All rows (50.00%)"]
    assert draw([1, 0], [2, 1], bands=2, plot_chance_level=False).chance_level_ is None
    lift = draw([1, 0], [2, 1], bands=2, statistic="lift")
    assert set(lift.chance_level_.get_ydata()) == {1}
    captured = draw([1, 0], [2, 1], bands=2, statistic="capture_rate")
    assert captured.chance_level_.get_ydata().tolist() == [0.5, 1]
    amounts = draw([1.5, 0.25], [2, 1], bands=2)
    assert legend(amounts)[1] == "All rows (0.875)"
    curves = {
        name: CapCurve.from_predictions(y, [3, 2, 1])
        for name, y in (("a", [1, 0, 0]), ("b", [1, 1, 0]), ("c", [0, 1, 0]))
    }
    several = GainsTableDisplay(curves).plot(Figure().subplots(), bands=3)
    rates = ["All rows, a, c (33.33%)", "All rows, b (66.67%)"]
    assert legend(several) == ["a", "b", "c", *rates]
    lines = [line for line in several.ax_.lines if line.get_gid() == "capcurve-chance"]
    assert several.chance_level_ is lines[0]
    assert len({line.get_color() for line in lines}) == 2  # each that of its bars
    drawn = layers(several, "chance")
    assert [(layer.number, layer.name) for layer in drawn] == [(0, "a, c"), (1, "b")]
    colors = [entry.color for entry in list_entries(several.picture_).values()]
    assert colors == [color_curve(0), color_curve(1)]
    renamed = GainsTableDisplay(curves).plot(
        Figure().subplots(), bands=3, chance_level_kwargs={"label": "Before"}
    )
    assert legend(renamed) == ["a", "b", "c", "Before"]


def test_the_axis_starts_just_below_zero_however_rare_events_are():
    low, high = draw([1] + [0] * 499, range(500), bands=5).ax_.get_ylim()
    assert high == pytest.approx(1.08 * 0.01, rel=0.02)
    assert -0.02 * high < low < 0


def test_bands_are_named_by_their_edges_or_scores():
    def names(display):
        return [text.get_text() for text in display.ax_.get_xticklabels()]

    dash = "\N{EN DASH}"
    assert names(draw(Y, S, bands=4))[:2] == [f"0{dash}25", f"25{dash}50"]
    assert names(draw(Y, S, bands=[0.015]))[0] == f"0{dash}1.5"
    display = draw([1, 0, 1], [9, 8.25, 8.25], bands="scores")
    assert names(display) == ["9", "8.25"]
    assert display.ax_.get_xlabel() == "Band (score, best first)"
    frame = pd.DataFrame({"y": [0, 1, 1], "s": ["A", "B", "B"]})
    curve = CapCurve.from_frame(frame, "y", "s", order=["A", "B"])
    graded = GainsTableDisplay(curve).plot(Figure().subplots(), bands="scores")
    assert names(graded) == ["B", "A"]
    assert graded.frame("polars")["band"].to_list()[:2] == ["B", "A"]
    with pytest.raises(CapcurveError, match="`bands='scores'` requires the same scores"):
        draw([1, 0, 1], {"a": [1, 2, 3], "b": [1, 2, 4]}, bands="scores")


def test_folds_have_their_mean_and_spread():
    curves = [
        CapCurve.from_predictions([1, 0, 1, 0], s) for s in ([4, 3, 2, 1], [4, 1, 3, 2])
    ]
    display = GainsTableDisplay(curves).plot(Figure().subplots(), bands=2)
    (bars,), (limits,) = layers(display, "bars"), layers(display, "limits")
    assert bars.y.tolist() == [0.75, 0.25]
    assert limits.y.tolist() == [0.5, 0]
    assert limits.top.tolist() == [1, 0.5]
    assert legend(display)[:2] == ["Mean of 2 folds", "± 1 standard deviation"]
    named = GainsTableDisplay(curves, name="F").plot(Figure().subplots(), bands=2)
    assert legend(named)[0] == "F, mean of 2 folds"
    assert named.ax_.get_title() == "Response rate by band, F"
    with pytest.raises(CapcurveError, match="`confidence_level` applies to one sample"):
        named.plot(Figure().subplots(), confidence_level=0.95)


def test_bins_have_guaranteed_bounds():
    sketch = CapSketch(8)
    sketch.update(Y, S)
    rate = GainsTableDisplay(sketch).plot(Figure().subplots())
    assert not layers(rate, "limits")
    captured = GainsTableDisplay(sketch).plot(Figure().subplots(), statistic="capture_rate")
    (limits,) = layers(captured, "limits")
    bounds = sketch.curve.gains_table(10)
    assert limits.y.tolist() == bounds.low.capture_rate.tolist()
    assert limits.top.tolist() == bounds.high.capture_rate.tolist()
    assert "Guaranteed bounds" in legend(captured)
    fine = CapSketch()
    fine.update([1, 0], [2, 1])
    exact = GainsTableDisplay(fine).plot(Figure().subplots(), statistic="lift", bands=2)
    assert not layers(exact, "limits")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mark": 0.5}, "`mark` applies to CAP, lift and Lorenz curves, got it for"),
        ({"shade": True}, "`shade` applies to"),
        ({"band": "pointwise"}, "`band` applies to"),
        ({"normalize_scale": False}, "`normalize_scale` applies to"),
        ({"bands": 0}, "`bands` must be at least 1"),
        (
            {"statistic": "ks"},
            "`statistic` must be 'response_rate', 'capture_rate' or 'lif",
        ),
        ({"confidence_level": 95}, "`confidence_level` must lie between 0 and 1, got 95"),
    ],
)
def test_options_that_do_not_apply(options, message):
    with pytest.raises(CapcurveError, match=message):
        draw(Y, S, **options)


@pytest.mark.parametrize("option", ["over", "bandz"])
def test_options_of_others_and_unknown_ones_are_refused(option):
    with pytest.raises(TypeError, match=f"unexpected keyword argument '{option}'"):
        draw(Y, S, **{option: "score"})


# Sums of these in the order of either score differ in the last digit.
ROUNDED = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7])
RANKED = {"A": np.arange(7), "B": [2, 5, 0, 6, 1, 4, 3], "C": [6, 3, 0, 1, 5, 2, 4]}


def test_totals_summed_in_another_order_share_a_line():
    """Amounts, or weights, of the same rows are added in the order of each score."""
    rates = {
        CapCurve.from_predictions(ROUNDED, each).response_rate for each in RANKED.values()
    }
    assert len(rates) > 1
    display = draw(ROUNDED, RANKED, bands=2)
    assert legend(display) == ["A", "B", "C", "All rows (0.4)"]
    (line,) = layers(display, "chance")
    assert set(line.y) <= rates
    (entry,) = [each for each in entries(display) if "All rows" in each]
    assert entry == "All rows (0.4)"


def entries(display):
    return [each.text for each in list_entries(display.picture_).values()]
