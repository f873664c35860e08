"""A slider that moves a rule across a chart and reads every curve off."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np

from capcurve._plot.chart_layers import Canvas, give, name_curves
from capcurve._plot.chart_legend import NEUTRAL
from capcurve._plot.chart_rows import list_readings, list_steps, quote
from capcurve._plot.picture import Picture, Unit
from capcurve._tally.dtypes import Array

LINE = 15  # pixels between the texts of two curves
LONGEST = 34  # characters of a name, beyond which its middle is cut
START = 0.1  # where the rule stands at first, as a share of the way
SCORES = 101  # scores that are chosen along each axis
# How Vega writes a value beside the rule.
EXPRESSIONS: dict[Unit, str] = {
    "share": "format({0}, '.1%')",
    "amount": "format({0}, abs({0}) >= 1000 ? ',.0f' : '.4~g')",
    "number": "format({0}, '.2f')",
    "score": "format({0}, '.6~g')",
    "name": "format({0}, '.6~g')",
}


def draw_rule(at: str) -> Any:
    """Draw a vertical line at the value of a parameter."""
    return (
        alt.Chart(give([{}]))
        .transform_calculate(x=at)
        .mark_rule(strokeDash=[5, 4], strokeWidth=1.2, color=NEUTRAL)
        .encode(x="x:Q")
    )


@dataclass(frozen=True, slots=True)
class Slider:
    """A slider: its parameters, the expression for where the rule is, and its steps.

    ``reach`` is how far from the rule a step may be to be the one where it stands.
    """

    params: tuple[Any, ...]
    at: str
    steps: Array
    reach: float


def make_slider(canvas: Canvas) -> Slider:
    """Make the slider of a chart.

    Charts side by side that have the same axis share one slider, if it starts alike.
    """
    if canvas.picture.x.unit == "score":
        return slide_over_scores(canvas.picture, canvas.panel)
    axis, steps = canvas.picture.x, list_steps(canvas.scale.x)
    is_share = axis.unit == "share"
    unit = 100 if is_share else 1
    label = f"{axis.label} (%)" if is_share else axis.label
    first = steps[round(START * (len(steps) - 1))]
    places = (steps[0], steps[-1], steps[1] - steps[0], first)
    start, stop, step, value = (float(f"{unit * each:.6g}") for each in places)
    name = f"at_{zlib.crc32(f'{label} {start} {stop} {step} {value}'.encode()):08x}"
    slider = alt.param(
        name=name,
        value=value,
        bind=alt.binding_range(min=start, max=stop, step=step, name=f"{label} "),
    )
    at = f"{name} / {unit}" if is_share else name
    return Slider((slider,), at, steps, 0.49 * (steps[1] - steps[0]))


def slide_over_scores(picture: Picture, panel: str) -> Slider:
    """Make a slider over scores of rows, which may crowd at one end of the axis.

    Charts side by side have other scores, so the slider names its panel.
    """
    scores = choose_scores(picture)
    start, listed = find_start(picture, scores), scores.tolist()
    label = f"{picture.x.label}, in steps"
    label = f"{panel}: {label}" if panel else label
    name = f"{zlib.crc32(f'{label} {start} {listed}'.encode()):08x}"
    slider = alt.param(
        name=f"step_{name}",
        value=start,
        bind=alt.binding_range(min=0, max=len(listed) - 1, step=1, name=f"{label} "),
    )
    at = alt.param(name=f"at_{name}", expr=f"{quote(listed)}[step_{name}]")
    return Slider((slider, at), f"at_{name}", scores, 0)


def choose_scores(picture: Picture) -> Array:
    """Choose scores of rows, evenly along both axes, and those of the largest gaps."""
    scores = np.unique(np.concatenate([layer.x for layer in picture.curves]))
    heights = [np.interp(scores, layer.x, layer.y) for layer in picture.curves]
    chosen = [layer.x[:1] for layer in picture.layers if layer.role == "gap"]
    for along in (scores, np.mean(heights, axis=0)):
        even = np.linspace(along[0], along[-1], SCORES)
        chosen.append(scores[np.minimum(np.searchsorted(along, even), len(scores) - 1)])
    return np.unique(np.concatenate(chosen))


def find_start(picture: Picture, scores: Array) -> int:
    """Find the score where the rule stands at first: that of the first largest gap.

    A page that is printed shows it there for good, so it should not look like another
    cut-off.
    """
    gaps = [layer.x[0] for layer in picture.layers if layer.role == "gap"]
    first = [*gaps, scores[len(scores) // 2]][0]
    return int(np.searchsorted(scores, first))


def draw_slider(canvas: Canvas) -> Iterator[Any]:
    """Draw the rule, and points and values of the curves where it stands."""
    if canvas.picture.x.unit == "name" or not canvas.curves:
        return
    slider = make_slider(canvas)
    yield draw_rule(slider.at).add_params(*slider.params)
    chart = list_values(canvas, slider)
    encoded = canvas.legend.encode()
    yield chart.mark_point(size=40, filled=True, opacity=1).encode(
        x=canvas.x(), y=canvas.y(), color=encoded["color"]
    )
    beside = {"x": alt.value("width"), "y": canvas.y("place")}
    yield chart.mark_rule(xOffset=8, x2Offset=30, strokeWidth=2.2).encode(
        x=alt.value("width"),
        x2=alt.value("width"),
        y=canvas.y("place"),
        color=encoded["color"],
        strokeDash=encoded["strokeDash"],
    )
    yield chart.mark_text(align="left", dx=36).encode(**beside, text="text:N")
    where = EXPRESSIONS[canvas.picture.x.unit].format(slider.at)
    yield (
        alt.Chart(give([{}]))
        .transform_calculate(text=f"'at ' + {where}")
        .mark_text(align="left", dx=8, dy=-14, fontWeight="bold")
        .encode(x=alt.value("width"), y=alt.value(0), text="text:N")
    )


def list_values(canvas: Canvas, slider: Slider) -> Any:
    """Return a chart whose rows are the values of the curves shown, at the rule.

    ``place`` is the height of a text: that of the curve, moved up as far as the text below
    requires, and down as far as the texts above require.
    """
    low, high = canvas.scale.y
    line = LINE * (high - low) / canvas.scale.height
    short = [shorten(layer.name or "") for layer in canvas.curves]
    keys: list[Any] = [f"y{i}" for i in range(len(short))]
    number = "toNumber(slice(datum.key, 1))"
    value = EXPRESSIONS[canvas.picture.y.unit].format("datum.y")
    there = (
        alt.Chart(give(list_readings(canvas.curves, slider.steps)))
        .transform_filter(f"abs(datum.x - {slider.at}) <= {slider.reach:.6g}")
        .transform_fold(keys, as_=["key", "y"])
        .transform_filter("isValid(datum.y)")
    )
    return (
        name_curves(canvas, there, number)
        .transform_calculate(text=f"{value} + '  ' + {quote(short)}[{number}]")
        .transform_filter(canvas.toggle)
        .transform_window(rank="row_number()", sort=[alt.SortField("y")])
        .transform_joinaggregate(n="count()")
        .transform_calculate(free=f"datum.y - datum.rank * {line:.6g}")
        .transform_window(raised="max(free)", frame=[None, 0], sort=[alt.SortField("rank")])
        .transform_calculate(
            place=f"min(datum.raised + datum.rank * {line:.6g}, "
            f"{high:.6g} - (datum.n - datum.rank) * {line:.6g})"
        )
    )


def shorten(name: str) -> str:
    """Cut the middle of a long name, as names often differ at the end."""
    if len(name) <= LONGEST:
        return name
    return f"{name[: LONGEST - 14]}…{name[-13:]}"
