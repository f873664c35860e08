"""Layers of a chart that draw the layers of a picture."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np

from capcurve._plot.chart_legend import (
    NEUTRAL,
    Legend,
    color_area,
    color_curve,
    list_area_entries,
    list_entries,
)
from capcurve._plot.chart_rows import (
    FORMATS,
    Column,
    Rows,
    Scale,
    fill_column,
    list_area,
    list_columns,
    list_line,
    quote,
    round_all,
    write_value,
)
from capcurve._plot.picture import Axis, Layer, Picture, Role

AREAS: frozenset[Role] = frozenset(
    {"shade", "band", "random band", "spread", "bounds", "area"}
)
BAR_WIDTH = 0.8  # of the distance between bars
DIMMED = 0.12  # opacity of a curve that the reader has switched off


@dataclass(frozen=True, slots=True)
class Canvas:
    """A picture with what all layers of its chart need."""

    picture: Picture
    scale: Scale
    legend: Legend
    curves: tuple[Layer, ...]
    columns: list[Column]
    toggle: Any  # the selection of curves by the legend
    word: str  # for a curve, in the texts shown at the pointer

    @classmethod
    def of(
        cls, picture: Picture, scale: Scale, *, word: str = "Curve", legend: str = "bottom"
    ) -> Canvas:
        """Prepare a picture, with its legend at one side of the chart."""
        name = f"shown_{name_picture(picture)}"
        toggle = alt.selection_point(name=name, fields=["curve"], bind="legend")
        return cls(
            picture=picture,
            scale=scale,
            legend=Legend(list_entries(picture), legend),
            curves=picture.curves,
            columns=list_columns(picture.curves),
            toggle=toggle,
            word=word,
        )

    def entry(self, layer: Layer) -> str:
        """Return the text of a line in the legend."""
        return self.legend.entries[self.picture.layers.index(layer)].text

    def x(self, field: str = "x") -> Any:
        """Encode the horizontal position."""
        return alt.X(f"{field}:Q", **describe_axis(self.picture.x, self.scale.x))

    def y(self, field: str = "y") -> Any:
        """Encode the vertical position."""
        return alt.Y(f"{field}:Q", **describe_axis(self.picture.y, self.scale.y))

    def dim(self) -> Any:
        """Dim what the reader has switched off in the legend."""
        return alt.when(self.toggle).then(alt.value(1)).otherwise(alt.value(DIMMED))

    def tooltip(self) -> list[Any]:
        """Say what stands at a point of a curve."""
        fields = [
            ("curve:N", self.word, ""),
            ("x:Q", self.picture.x.label, FORMATS[self.picture.x.unit]),
            ("y:Q", self.picture.y.label, FORMATS[self.picture.y.unit]),
        ]
        for column in self.columns:
            kind = "N" if column.is_text else "Q"
            fields.append((f"{column.field}:{kind}", column.title, column.format))
        # Without a format, Vega-Lite 6 looks a name up in the wrong place ("undefined").
        return [alt.Tooltip(name, title=title, format=form) for name, title, form in fields]


def name_picture(picture: Picture) -> str:
    """Return a name by which the selections of charts side by side are told apart."""
    shown = [picture.title, picture.x.label, picture.y.label]
    shown += [layer.entry or "" for layer in picture.layers]
    return f"{zlib.crc32(' '.join(shown).encode()):08x}"


def describe_axis(axis: Axis, ends: tuple[float, float]) -> dict[str, Any]:
    """Return title, ticks and scale of an axis."""
    ticks: dict[str, Any] = {"tickCount": 6}
    if axis.unit == "share":
        ticks["format"] = "%"
    elif axis.unit == "name":
        ticks = {
            "values": list(range(len(axis.names))),
            "labelExpr": f"{quote(list(axis.names))}[datum.value]",
        }
    shown = alt.Axis(**ticks, gridOpacity=0.25, labelFlush=False)
    return {
        "title": axis.label,
        "axis": shown,
        "scale": alt.Scale(domain=list(ends), nice=False, zero=False),
    }


def give(rows: Rows) -> Any:
    """Return a data set, which Altair names and stores once."""
    return {"values": rows}


def draw_areas(canvas: Canvas) -> Iterator[Any]:
    """Draw bands and other areas."""
    areas = [layer for layer in canvas.picture.layers if layer.role in AREAS]
    listed = list_area_entries(areas)
    scale = alt.Scale(domain=[t for t, _ in listed], range=[c for _, c in listed])
    legend = alt.Legend(
        title=None,
        orient="bottom",
        columns=2,
        labelLimit=290,
        symbolType="square",
        symbolOpacity=0.4,
        symbolStrokeWidth=0,
    )
    for layer in areas:
        opacity = 0.12 if layer.role == "shade" else 0.2
        fill = (
            alt.value(color_area(layer))
            if layer.entry is None
            else alt.Fill("area:N", scale=scale, legend=legend)
        )
        yield (
            alt.Chart(give(list_area(layer, canvas.scale)))
            .transform_calculate(area=quote(layer.entry))
            .mark_area(opacity=opacity, clip=True, tooltip=None)
            .encode(x=canvas.x(), y=canvas.y(), y2="top:Q", fill=fill)
        )


def draw_references(canvas: Canvas) -> Iterator[Any]:
    """Draw the lines of a random and of a perfect ranking, and the gap."""
    for layer in canvas.picture.layers:
        if layer.role in {"chance", "perfect", "gap"}:
            line = spread_gap(layer) if layer.role == "gap" else layer
            yield (
                alt.Chart(give(list_line(line, canvas.scale)))
                .transform_calculate(curve=quote(canvas.entry(layer)))
                .mark_line(strokeWidth=2 if layer.role == "gap" else 1.2, clip=True)
                .encode(
                    x=canvas.x(), y=canvas.y(), detail="part:N", **canvas.legend.encode()
                )
            )


def spread_gap(layer: Layer) -> Layer:
    """Return a gap as a line from its lower to its upper end."""
    if layer.top is None:
        return layer
    x = np.repeat(layer.x, 2)
    return Layer("gap", x, np.column_stack([layer.y, layer.top]).ravel())


def draw_curves(canvas: Canvas) -> Iterator[Any]:
    """Draw folds and curves; a click in the legend dims all but one."""
    folds = [layer for layer in canvas.picture.layers if layer.role == "fold"]
    lines = [(i, row) for i, each in enumerate(folds) for row in list_line(each, canvas.scale)]
    if lines:
        yield (
            alt.Chart(give([row | {"part": i} for i, row in lines]))
            .transform_calculate(curve=quote(canvas.entry(folds[0])))
            .mark_line(strokeWidth=1.3, opacity=0.5, clip=True)
            .encode(x=canvas.x(), y=canvas.y(), detail="part:N", **canvas.legend.encode())
        )
    if canvas.curves:
        yield (
            name_curves(canvas, alt.Chart(give(list_curves(canvas))))
            .mark_line(strokeWidth=2.2, clip=True)
            .encode(
                x=canvas.x(), y=canvas.y(), opacity=canvas.dim(), **canvas.legend.encode()
            )
        )


def list_curves(canvas: Canvas) -> Rows:
    """List the points of all curves with their places in the list, and their details."""
    rows: Rows = []
    for i, layer in enumerate(canvas.curves):
        details = {each.field: fill_column(each, layer) for each in canvas.columns}
        rows += [{"i": i, **row} for row in list_line(layer, canvas.scale, **details)]
    return rows


def name_curves(canvas: Canvas, chart: Any, place: str = "datum.i") -> Any:
    """Give the rows of a chart the text of their curve in the legend."""
    names = [canvas.entry(layer) for layer in canvas.curves]
    return chart.transform_calculate(curve=f"{quote(names)}[{place}]")


def draw_bars(canvas: Canvas) -> Iterator[Any]:
    """Draw bars, side by side where several layers stand at the same places, and limits."""
    layers = canvas.picture.layers
    bars = [layer for layer in layers if layer.role == "bars"]
    places = {layer.number: i for i, layer in enumerate(bars)}
    for layer in layers:
        if layer.role in {"bars", "limits"}:
            width = BAR_WIDTH / max(len(bars), 1)
            shift = (places.get(layer.number, 0) - (len(bars) - 1) / 2) * width
            yield from draw_bar(canvas, layer, shift, width)


def draw_bar(canvas: Canvas, layer: Layer, shift: float, width: float) -> Iterator[Any]:
    """Draw one layer of bars, or the limits of one."""
    columns = list_columns([layer])
    values = {each.field: fill_column(each, layer) for each in columns}
    values |= {"x": round_all(layer.x + shift), "y": round_all(layer.y)}
    values["at"] = [name_place(canvas.picture.x, at) for at in layer.x.tolist()]
    if layer.top is not None:
        values["top"] = round_all(layer.top)
    if layer.role == "bars":
        values["left"] = round_all(layer.x + shift - width / 2)
        values["right"] = round_all(layer.x + shift + width / 2)
    rows = [dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)]
    chart = alt.Chart(give(rows))
    if layer.role == "limits":
        edges = (chart.mark_tick(size=width * 30, color=NEUTRAL, thickness=1.6), "y"), (
            chart.mark_tick(size=width * 30, color=NEUTRAL, thickness=1.6),
            "top",
        )
        rule = chart.mark_rule(strokeWidth=1.6, color=NEUTRAL)
        yield rule.encode(x=canvas.x(), y=canvas.y(), y2="top:Q")
        for mark, field in edges:
            yield mark.encode(x=canvas.x(), y=canvas.y(field))
        return
    tooltip = [
        alt.Tooltip("at:N", title=canvas.picture.x.label),
        alt.Tooltip(
            "y:Q", title=canvas.picture.y.label, format=FORMATS[canvas.picture.y.unit]
        ),
        *(
            alt.Tooltip(
                f"{each.field}:{'N' if each.is_text else 'Q'}",
                title=each.title,
                format=each.format,
            )
            for each in columns
        ),
    ]
    yield chart.mark_bar(color=color_curve(layer.number), opacity=0.85).encode(
        x=canvas.x("left"), x2="right:Q", y=canvas.y(), y2=alt.Y2Datum(0), tooltip=tooltip
    )


def name_place(axis: Axis, at: float) -> str:
    """Name a place on an axis."""
    if axis.unit == "name":
        return axis.names[round(at)]
    return write_value(at, axis.unit)
