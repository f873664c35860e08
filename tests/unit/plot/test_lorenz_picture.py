"""Ordered Lorenz curves: the CAP curve turned, and the Gini index by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from capcurve import CapCurve, LorenzCurveDisplay

positive = st.integers(1, 9)
risks = st.lists(
    st.tuples(st.integers(0, 9), positive, positive), min_size=2, max_size=15
).filter(lambda found: len({y / p for y, p, _ in found}) > 1)


def draw(*data, **options):
    options = {"target_type": "continuous"} | options
    return LorenzCurveDisplay.from_predictions(*data, ax=Figure().subplots(), **options)


def accumulate_by_relativity(loss, premium, score):
    """Accumulate premiums and losses in the order of relativity, ties as one step."""
    relativity = score / premium
    x, y = [0.0], [0.0]
    for value in np.unique(relativity):
        own = np.isclose(relativity, value, rtol=1e-12)
        x.append(x[-1] + premium[own].sum() / premium.sum())
        y.append(y[-1] + loss[own].sum() / loss.sum())
    return np.array(x), np.array(y)


@given(risks)
def test_the_curve_and_its_index_are_those_of_premiums_and_losses(found):
    loss, premium, score = (np.array(each, float) for each in zip(*found, strict=True))
    display = draw(loss / premium, score / premium, sample_weight=premium)
    x, y = accumulate_by_relativity(loss, premium, score)
    drawn = display.line_.get_xydata()
    assert drawn[:, 0] == pytest.approx(x, abs=1e-12)
    assert drawn[:, 1] == pytest.approx(y, abs=1e-12)
    gini = 1 - np.sum(np.diff(x) * (y[1:] + y[:-1]))
    assert display.curve.gini_index == pytest.approx(gini, abs=1e-12)
    assert f"Gini = {gini:.3f}".replace(
        "-0.000", "0.000"
    ) in display.line_.get_label().replace("-0.000", "0.000")


def test_rounded_relativities_that_should_be_equal_tie():
    premium = np.random.default_rng(1).uniform(100, 900, 400).round(2)
    loss = np.where(np.arange(400) % 7, 0.0, premium**2)
    raw = draw(loss / premium, premium * 1.1 / premium, sample_weight=premium)
    tied = draw(loss / premium, np.round(premium * 1.1 / premium, 9), sample_weight=premium)
    assert raw.curve.gini_index != 0
    assert tied.curve.gini_index == 0


def test_the_share_of_the_perfect_index_is_the_accuracy_ratio():
    y, s = [0.5, 2.0, 1.0, 4.0], [1, 3, 2, 4]
    curve = CapCurve.from_predictions(y, s, target_type="continuous")
    display = draw(y, s, mark=0.5, shade=True)
    areas = [
        0.5 - np.trapezoid(line.get_ydata(), line.get_xdata())
        for line in (display.line_, display.perfect_level_)
    ]
    assert curve.accuracy_ratio == pytest.approx(areas[0] / areas[1])
    assert [text.get_text() for text in display.ax_.texts] == ["20.0% in the last 50%"]
    assert 1 - curve.capture_rate_at(0.5) == pytest.approx(0.2)


def test_bands_are_turned_too():
    rng = np.random.default_rng(0)
    y = rng.random(500) < 0.3
    curve = CapCurve.from_predictions(y, rng.normal(y, 1))
    band = curve.band()
    display = LorenzCurveDisplay(curve).plot(Figure().subplots(), band=band)
    (area,) = [layer for layer in display.picture_.layers if layer.role == "band"]
    assert np.all(area.y <= area.top)
    at = np.linspace(0.1, 0.9, 9)
    assert np.interp(at, area.x, area.top) == pytest.approx(
        1 - np.interp(1 - at, band.population_share, band.low), abs=1e-3
    )


def test_totals():
    display = draw([1.0, 3.0], [1, 2], normalize_scale=False, mark=0.5)
    assert display.line_.get_xydata().tolist() == [[0, 0], [1, 1], [2, 4]]
    assert [text.get_text() for text in display.ax_.texts] == ["1 in the last 1"]
    assert display.ax_.get_xlabel() == "Population (ranked last first)"
    assert display.frame("polars").columns[2:4] == ["population", "outcome"]


def test_names():
    display = draw([1.0, 3.0], [1, 2], name="Rate")
    assert display.line_.get_label() == "Rate (Gini = 0.250, AR = 1.000)"
    assert display.ax_.get_title() == "Ordered Lorenz curve, Gini = 0.250, AR = 1.000"
