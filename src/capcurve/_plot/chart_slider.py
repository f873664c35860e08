"""A slider that moves a rule across a chart and reads every curve off."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
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
START, MIDDLE = 0.1, 0.5  # where the rule stands at first without a gap, as shares
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


def make_slider(canvas: Canvas) -> tuple[Any, str]:
    """Make the slider, and the expression for the place of the rule.

    Charts side by side that have the same axis share one slider, if it starts alike.
    """
    axis, steps = canvas.picture.x, list_steps(canvas.scale.x)
    is_share = axis.unit == "share"
    unit = 100 if is_share else 1
    label = f"{axis.label} (%)" if is_share else axis.label
    first = find_start(canvas.picture, steps)
    places = (steps[0], steps[-1], steps[1] - steps[0], first)
    start, stop, step, value = (float(f"{unit * each:.6g}") for each in places)
    name = f"at_{zlib.crc32(f'{label} {start} {stop} {step} {value}'.encode()):08x}"
    slider = alt.param(
        name=name,
        value=value,
        bind=alt.binding_range(min=start, max=stop, step=step, name=f"{label} "),
    )
    return slider, f"{name} / {unit}" if is_share else name


def find_start(picture: Picture, steps: Array) -> Any:
    """Find the step where the rule stands at first: the first largest gap of scores.

    A page that is printed shows it there for good, so it should not look like another
    cut-off.
    """
    if picture.x.unit != "score":  # where charts of any kind share one slider
        return steps[round(START * (len(steps) - 1))]
    gaps = [layer.x[0] for layer in picture.layers if layer.role == "gap"]
    first = [*gaps, steps[round(MIDDLE * (len(steps) - 1))]][0]
    return steps[np.argmin(np.abs(steps - first))]


def draw_slider(canvas: Canvas) -> Iterator[Any]:
    """Draw the rule, and points and values of the curves where it stands."""
    if canvas.picture.x.unit == "name" or not canvas.curves:
        return
    slider, at = make_slider(canvas)
    yield draw_rule(at).add_params(slider)
    chart = list_values(canvas, at)
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
    where = EXPRESSIONS[canvas.picture.x.unit].format(at)
    yield (
        alt.Chart(give([{}]))
        .transform_calculate(text=f"'at ' + {where}")
        .mark_text(align="left", dx=8, dy=-14, fontWeight="bold")
        .encode(x=alt.value("width"), y=alt.value(0), text="text:N")
    )


def list_values(canvas: Canvas, at: str) -> Any:
    """Return a chart whose rows are the values of the curves shown, at the rule.

    ``place`` is the height of a text: that of the curve, moved up as far as the text below
    requires, and down as far as the texts above require.
    """
    low, high = canvas.scale.y
    line = LINE * (high - low) / canvas.scale.height
    steps = list_steps(canvas.scale.x)
    half = (steps[1] - steps[0]) / 2
    short = [shorten(layer.name or "") for layer in canvas.curves]
    keys: list[Any] = [f"y{i}" for i in range(len(short))]
    number = "toNumber(slice(datum.key, 1))"
    value = EXPRESSIONS[canvas.picture.y.unit].format("datum.y")
    there = (
        alt.Chart(give(list_readings(canvas.curves, steps)))
        .transform_filter(f"abs(datum.x - {at}) < {half:.6g}")
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
