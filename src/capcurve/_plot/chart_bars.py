"""Layers of a chart that draw the bars of a picture, with their limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import altair as alt
import numpy as np

from capcurve._plot.chart_layers import WORD, Canvas, give, list_tooltips
from capcurve._plot.chart_legend import color_curve
from capcurve._plot.chart_rows import (
    FORMATS,
    fill_column,
    list_columns,
    name_place,
    quote,
    round_all,
    write_value,
)
from capcurve._plot.picture import Layer

BAR_WIDTH = 0.8  # of the distance between bars
OPACITY = 0.5


def draw_bars(canvas: Canvas) -> list[Any]:
    """Draw bars, those of several layers side by side, and the limits of each."""
    bars = [layer for layer in canvas.picture.layers if layer.role == "bars"]
    entries = {layer.number: layer.entry for layer in bars}
    places = {number: place for place, number in enumerate(entries)}
    width = BAR_WIDTH / max(len(bars), 1)
    charts: list[Any] = []
    for layer in canvas.picture.layers:
        shift = (places.get(layer.number, 0) - (len(bars) - 1) / 2) * width
        if layer.role == "bars":
            charts.append(draw_bar(canvas, layer, shift, width))
        elif layer.role == "limits":
            charts += draw_limits(canvas, layer, shift, entries.get(layer.number))
    if bars and bars[0].entry is not None:
        # The legend takes clicks only if its first layer has the selection.
        charts[0] = charts[0].add_params(canvas.toggle)
        charts = [chart.encode(opacity=dim(canvas, chart)) for chart in charts]
    return charts


def dim(canvas: Canvas, chart: Any) -> Any:
    """Dim the bars, and the limits, that are not picked out in the legend."""
    return canvas.dim(OPACITY if chart.mark.type == "bar" else 1)


def draw_bar(canvas: Canvas, layer: Layer, shift: float, width: float) -> Any:
    """Draw one layer of bars."""
    columns = list_columns([layer])
    values = {each.field: fill_column(each, layer) for each in columns}
    values |= {"y": round_all(layer.y)}
    values["left"] = round_all(layer.x + shift - 0.46 * width)
    values["right"] = round_all(layer.x + shift + 0.46 * width)
    values["at"] = [name_place(canvas.picture.x, at) for at in layer.x.tolist()]
    limits = find_limits(canvas, layer)
    for texts in limits.values():
        values["limits"] = texts
    rows = [
        dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)
    ]
    fields = [
        ("area:N", WORD, ""),
        ("at:N", canvas.picture.x.label, ""),
        ("y:Q", canvas.picture.y.label, FORMATS[canvas.picture.y.unit]),
        *(("limits:N", title, "") for title in limits),
        *(each.tooltip for each in columns),
    ]
    return (
        alt.Chart(give(rows))
        .transform_calculate(area=quote(layer.entry))
        .mark_bar(opacity=OPACITY)
        .encode(
            x=canvas.x("left"),
            x2="right:Q",
            y=canvas.y(),
            y2=alt.Y2Datum(0),
            fill=canvas.fill(layer),
            tooltip=list_tooltips(fields if layer.entry else fields[1:]),
        )
    )


def find_limits(canvas: Canvas, bars: Layer) -> dict[str, list[str]]:
    """Write the limits of each bar, by what the legend calls them, if there are any."""
    drawn = [layer for layer in canvas.picture.layers if layer.role == "limits"]
    titles = {layer.entry for layer in drawn if layer.entry}
    title = titles.pop() if len(titles) == 1 else "Limits"
    unit, found = canvas.picture.y.unit, {}
    for layer in drawn:
        if layer.number == bars.number:
            ends = (np.asarray(layer.top).tolist(), layer.y.tolist(), layer.x.tolist())
            texts = {
                at: f"{write_value(low, unit)} to {write_value(high, unit)}"
                for high, low, at in zip(*ends, strict=True)
            }
            found[title] = [texts.get(at, "-") for at in bars.x.tolist()]
    return found


def draw_limits(
    canvas: Canvas, layer: Layer, shift: float, owner: str | None
) -> Iterator[Any]:
    """Draw the limits of bars: a line with a short one across both ends."""
    columns = (layer.x + shift, layer.y, np.asarray(layer.top))
    rows = [
        {"x": x, "y": low, "top": high}
        for x, low, high in zip(*map(round_all, columns), strict=True)
    ]
    color = color_curve(layer.number)
    names = {"curve": quote(canvas.entry(layer)), "area": quote(owner)}
    chart = alt.Chart(give(rows)).encode(x=canvas.x()).transform_calculate(**names)
    yield chart.mark_rule(strokeWidth=1.8, color=color).encode(
        y=canvas.y(), y2="top:Q", strokeDash=canvas.legend.encode()["strokeDash"]
    )
    for field in ("y", "top"):
        ends = chart.mark_tick(orient="horizontal", size=8, thickness=1.8, color=color)
        yield ends.encode(y=canvas.y(field))
