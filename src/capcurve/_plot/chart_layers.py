"""Layers of a chart that draw the layers of a picture."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np

from capcurve._plot.chart_legend import (
    AREAS,
    NEUTRAL,
    Legend,
    color_area,
    encode_fill,
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
    name_place,
    quote,
)
from capcurve._plot.picture import Axis, Layer, Picture

WORD = "Curve"  # in the texts shown at the pointer
LETTER, LINE = 6.2, 12  # pixels of a letter, and of a line, of names along an axis
BESIDE = 40  # pixels beside one of several charts that its legend may take
SLANTED = -35  # degrees of names that would meet, and those of more names
UPRIGHT = -90
DIMMED = 0.12  # opacity of a curve beside those picked out in the legend
SHADED, FILLED = 0.12, 0.2  # opacity of the shaded area, and of bands


@dataclass(frozen=True, slots=True)
class Canvas:
    """A picture with what all layers of its chart need."""

    picture: Picture
    scale: Scale
    legend: Legend
    curves: tuple[Layer, ...]
    columns: list[Column]
    toggle: Any  # the selection of curves, or of bars, by the legend
    panel: str  # the name of the picture among others, if there are others

    @classmethod
    def of(cls, picture: Picture, scale: Scale, panel: str = "") -> Canvas:
        """Prepare a picture."""
        name = f"shown_{name_picture(picture)}"
        field = "curve" if picture.curves else "area"  # of bars
        toggle = alt.selection_point(
            name=name, fields=[field], bind="legend", toggle="true"
        )
        return cls(
            picture=picture,
            scale=scale,
            legend=Legend(list_entries(picture), scale.width + BESIDE if panel else None),
            curves=picture.curves,
            columns=list_columns(picture.curves),
            toggle=toggle,
            panel=panel,
        )

    def entry(self, layer: Layer) -> str:
        """Return the text of a line in the legend."""
        return self.legend.entries[self.picture.layers.index(layer)].text

    def x(self, field: str = "x") -> Any:
        """Encode the horizontal position."""
        return alt.X(
            f"{field}:Q", **describe_axis(self.picture.x, self.scale.x, self.scale.width)
        )

    def y(self, field: str = "y") -> Any:
        """Encode the vertical position."""
        return alt.Y(
            f"{field}:Q", **describe_axis(self.picture.y, self.scale.y, self.scale.height)
        )

    def dim(self, opacity: float = 1) -> Any:
        """Dim what is not picked out in the legend, unless nothing is."""
        picked = alt.when(self.toggle).then(alt.value(opacity))
        return picked.otherwise(alt.value(DIMMED * opacity))

    def fill(self, layer: Layer) -> Any:
        """Encode the colour of an area or of bars; those with an entry have a legend."""
        if layer.entry is None:
            return alt.value(color_area(layer))
        filled = AREAS | {"bars"}
        return encode_fill([each for each in self.picture.layers if each.role in filled])

    def tooltip(self) -> list[Any]:
        """Say what stands at a point of a curve."""
        x, y = self.picture.x, self.picture.y
        across = ("at:N", x.label, "")
        if x.unit != "name":
            across = ("x:Q", x.label, FORMATS[x.unit])
        fields = [("curve:N", WORD, ""), across, ("y:Q", y.label, FORMATS[y.unit])]
        return list_tooltips([*fields, *(each.tooltip for each in self.columns)])


def list_tooltips(fields: Sequence[tuple[str, str, str]]) -> list[Any]:
    """List fields to show at the pointer, each with its title and its format.

    Without a format, Vega-Lite 6 looks a name up in the wrong place ("undefined").
    """
    return [alt.Tooltip(field, title=title, format=form) for field, title, form in fields]


def name_picture(picture: Picture) -> str:
    """Return a name by which the selections of charts side by side are told apart."""
    shown = [picture.title, picture.x.label, picture.y.label]
    shown += [layer.entry or "" for layer in picture.layers]
    return f"{zlib.crc32(' '.join(shown).encode()):08x}"


def describe_axis(axis: Axis, ends: tuple[float, float], length: int) -> dict[str, Any]:
    """Return title, ticks and scale of an axis of some pixels."""
    ticks: dict[str, Any] = {"tickCount": 6}
    if axis.unit == "share":
        ticks["format"] = "%"
    elif axis.unit == "name":
        ticks = describe_names(axis.names, length)
    shown = alt.Axis(**ticks, gridOpacity=0.25, labelFlush=False)
    return {
        "title": axis.label,
        "axis": shown,
        "scale": alt.Scale(domain=list(ends), nice=False, zero=False),
    }


def describe_names(names: Sequence[str], length: int) -> dict[str, Any]:
    """Return the ticks of an axis of names, turned or thinned where they would meet."""
    step = math.ceil(LINE * len(names) / length)
    room = step * length / len(names)
    angle = 0
    if LETTER * (max(map(len, names)) + 1) > room:
        is_wide = room * math.sin(math.radians(-SLANTED)) >= LINE
        angle = SLANTED if is_wide else UPRIGHT
    return {
        "values": list(range(0, len(names), step)),
        "labelExpr": f"{quote(list(names))}[datum.value]",
        "labelOverlap": False,
        "labelAngle": angle,
    }


def give(rows: Rows) -> Any:
    """Return a data set, which Altair names and stores once."""
    return {"values": rows}


def draw_areas(canvas: Canvas) -> Iterator[Any]:
    """Draw bands and other areas; that of a curve is dimmed with it."""
    curves = {layer.number: canvas.entry(layer) for layer in canvas.curves}
    for layer in canvas.picture.layers:
        if layer.role in AREAS:
            opacity = SHADED if layer.role == "shade" else FILLED
            owner = None if color_area(layer) == NEUTRAL else curves.get(layer.number)
            chart = alt.Chart(give(list_area(layer, canvas.scale)))
            yield (
                chart.transform_calculate(area=quote(layer.entry), curve=quote(owner))
                .mark_area(opacity=opacity, clip=True)
                .encode(
                    x=canvas.x(),
                    y=canvas.y(),
                    y2="top:Q",
                    fill=canvas.fill(layer),
                    **({} if owner is None else {"opacity": canvas.dim(opacity)}),
                )
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
    """Draw folds and curves; those not picked out in the legend are dimmed."""
    rows: dict[int, Rows] = {}
    names: dict[int, str] = {}
    for i, layer in enumerate(canvas.picture.layers):
        if layer.role == "fold":
            points = [row | {"part": i} for row in list_line(layer, canvas.scale)]
            rows.setdefault(layer.number, []).extend(points)
            names[layer.number] = canvas.entry(layer)
    for number, points in rows.items():
        yield (
            alt.Chart(give(points))
            .transform_calculate(curve=quote(names[number]))
            .mark_line(strokeWidth=1.3, clip=True)
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
        if canvas.picture.x.unit == "name":
            details["at"] = [name_place(canvas.picture.x, x) for x in layer.x.tolist()]
        rows += [{"i": i, **row} for row in list_line(layer, canvas.scale, **details)]
    return rows


def name_curves(canvas: Canvas, chart: Any, place: str = "datum.i") -> Any:
    """Give the rows of a chart the text of their curve in the legend."""
    names = [canvas.entry(layer) for layer in canvas.curves]
    return chart.transform_calculate(curve=f"{quote(names)}[{place}]")
