"""Points of a picture as rows of a chart: thinned, rounded and named."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from capcurve._curve.profile import interpolate_at
from capcurve._plot.picture import Axis, Layer, Picture, Unit
from capcurve._plot.thinning import choose_points
from capcurve._tally.dtypes import Array

Rows = list[dict[str, Any]]
# How d3 writes a number; a score is written here, as it may be infinite.
FORMATS: dict[Unit, str] = {
    "share": ".2%",
    "amount": ",.6~r",
    "number": ".3f",
    "score": "",
    "name": "",
}
TEXTS: frozenset[Unit] = frozenset({"score", "name"})
STEPS = 200  # of the slider along an axis, at most


@dataclass(frozen=True, slots=True)
class Scale:
    """Ends of both axes, and the size of the chart in pixels."""

    x: tuple[float, float]
    y: tuple[float, float]
    width: int
    height: int

    def to_pixels(self, x: Array, y: Array) -> tuple[Array, Array]:
        """Convert points to pixels."""
        (left, right), (low, high) = self.x, self.y
        return (
            (x - left) * (self.width / (right - left)),
            (y - low) * (self.height / (high - low)),
        )


def read_scale(picture: Picture, width: int, height: int) -> Scale:
    """Return the ends of the axes, from the layers where the picture leaves them open."""
    across = [layer.x for layer in picture.layers]
    up = [layer.y for layer in picture.layers]
    up += [layer.top for layer in picture.layers if layer.top is not None]
    for layer in picture.layers:
        if layer.role == "bars":
            up.append(np.zeros(1))
            across += [layer.x - 0.5, layer.x + 0.5]
    return Scale(
        find_ends(picture.x, across), find_ends(picture.y, up), width=width, height=height
    )


def find_ends(axis: Axis, values: Sequence[Array]) -> tuple[float, float]:
    """Return the ends of an axis; those of the values where it has none."""
    every = np.concatenate(values)
    every = every[np.isfinite(every)]
    low = float(every.min()) if axis.low is None else axis.low
    high = float(every.max()) if axis.high is None else axis.high
    return (low, high) if low < high else (low - 0.5, low + 0.5)


def round_number(value: float) -> float | None:
    """Round to 6 significant digits; None where JSON has no number."""
    return float(f"{value:.6g}") if np.isfinite(value) else None


def round_all(values: Array) -> list[float | None]:
    """Round numbers to 6 significant digits."""
    return [round_number(value) for value in values.tolist()]


def list_line(layer: Layer, scale: Scale, **columns: Sequence[Any]) -> Rows:
    """List the points of a line, thinned; ``part`` tells them apart if it has gaps.

    ``columns`` have a value for each point of the layer.
    """
    values = {"x": round_all(layer.x), "y": round_all(layer.y), **columns}
    rows: Rows = []
    for part, places in enumerate(split_at_gaps(layer)):
        pixels = scale.to_pixels(layer.x[places], layer.y[places])
        kept = places[choose_points(*pixels, scale.width)]
        named = {"part": part} if part else {}
        rows += [named | {name: column[i] for name, column in values.items()} for i in kept]
    return rows


def split_at_gaps(layer: Layer) -> Iterator[Array]:
    """Yield the positions of the points of each unbroken part of a line."""
    known = np.isfinite(layer.x) & np.isfinite(layer.y)
    places = np.flatnonzero(known)
    breaks = np.flatnonzero(np.diff(places) > 1) + 1
    yield from (part for part in np.split(places, breaks) if len(part))


def list_area(layer: Layer, scale: Scale) -> Rows:
    """List the points of both edges of an area, thinned."""
    top = np.asarray(layer.top)
    kept = [
        choose_points(*scale.to_pixels(layer.x, edge), scale.width)
        for edge in (layer.y, top)
    ]
    places = np.union1d(*kept)
    columns = (round_all(each[places]) for each in (layer.x, layer.y, top))
    return [{"x": x, "y": low, "top": high} for x, low, high in zip(*columns, strict=True)]


@dataclass(frozen=True, slots=True)
class Column:
    """Further values of curves at their points: the field, its title and its format."""

    field: str
    title: str
    unit: Unit
    is_text: bool

    @property
    def tooltip(self) -> tuple[str, str, str]:
        """Field, title and format."""
        if self.is_text:
            return f"{self.field}:N", self.title, ""
        return f"{self.field}:Q", self.title, FORMATS[self.unit]


def list_columns(layers: Sequence[Layer]) -> list[Column]:
    """List the details of layers, each of which is text unless every value is a number."""
    found = {detail.label: detail.unit for layer in layers for detail in layer.details}
    return [
        Column(f"d{i}", label, unit, is_text=unit in TEXTS or has_gaps(label, layers))
        for i, (label, unit) in enumerate(found.items())
    ]


def has_gaps(label: str, layers: Sequence[Layer]) -> bool:
    """Whether a detail is missing for a layer, or at one of its points."""
    found = [each for layer in layers for each in layer.details if each.label == label]
    return len(found) < len(layers) or not all(
        np.isfinite(each.values).all() for each in found
    )


def fill_column(column: Column, layer: Layer) -> list[Any]:
    """Return the values of a column for each point of a layer."""
    found = [each.values for each in layer.details if each.label == column.title]
    if not found:
        return ["-"] * len(layer.x)
    if not column.is_text:
        return round_all(found[0])
    return [write_value(value, column.unit) for value in found[0].tolist()]


def write_value(value: Any, unit: Unit) -> str:
    """Write a value as d3 would, or as it is if it is a text."""
    if isinstance(value, str):
        return value
    if unit == "score":
        return f"{value:.6g}"
    if not np.isfinite(value):
        return "-"
    if unit == "amount":
        return f"{round_number(value):,.15g}"
    return f"{value:.2%}" if unit == "share" else f"{value:.3f}"


def name_place(axis: Axis, at: float) -> str:
    """Name a place on an axis."""
    return axis.names[round(at)] if axis.unit == "name" else write_value(at, axis.unit)


def list_steps(ends: tuple[float, float]) -> Array:
    """List the places of the slider: multiples of a round number."""
    low, high = ends
    rough = (high - low) / STEPS
    power = 10.0 ** np.floor(np.log10(rough))
    step = power * next(each for each in (1, 2, 5, 10) if each * power > rough * (1 - 1e-9))
    first, last = np.ceil(low / step - 1e-9), np.floor(high / step + 1e-9)
    return np.array(round_all(np.arange(first, last + 1) * step))


def list_readings(layers: Sequence[Layer], steps: Array) -> Rows:
    """List the height of each line at each step of the slider; None beyond its ends."""
    heights = [read_off(layer, steps) for layer in layers]
    return [
        {"x": x, **{f"y{i}": each[row] for i, each in enumerate(heights)}}
        for row, x in enumerate(steps.tolist())
    ]


def read_off(layer: Layer, at: Array) -> list[float | None]:
    """Read off a curve, or the line that is drawn; None beyond the ends."""
    first, last = layer.x[0], layer.x[-1]
    read = layer.read or partial(interpolate_at, x=layer.x, y=layer.y)
    height = read(np.clip(at, first, last))
    return round_all(np.where((at >= first) & (at <= last), height, np.nan))


def quote(value: Any) -> str:
    """Write a text or a list of texts for an expression of Vega."""
    return json.dumps(value)
