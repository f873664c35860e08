"""Draw the picture of curves as SVG."""

import numpy as np

from capcurve._plot.picture import Axis, Layer, Picture
from capcurve._report.svg import (
    list_ticks,
    percent,
    rescale,
    stretched,
    tag,
    text,
    write_area,
    write_path,
    write_ticks,
)

Limits = tuple[float, float]
LINES = {"chance": "chance", "perfect": "perfect", "gap": "gap"}


def draw_picture(picture: Picture, label: str, lines_each: int = 1) -> str:
    """Draw a picture; what belongs to a model has the class ``m`` and its number."""
    across, up = read_limits(picture.x), read_limits(picture.y)
    paths = "".join(
        draw_layer(layer, across, up, lines_each)
        for layer in sorted(picture.layers, key=lambda layer: -layer.number)
    )
    dots = "".join(
        tag(
            "circle",
            cx=percent((mark.x - across[0]) / (across[1] - across[0])),
            cy=percent((up[1] - mark.y) / (up[1] - up[0])),
            r=3.5,
            class_=f"dot m{mark.number // lines_each}",
        )
        for mark in picture.marks
    )
    return tag(
        "svg",
        draw_axes(picture) + stretched(paths) + dots,
        class_="plot",
        role="img",
        aria_label=label,
        data_x=" ".join(f"{each:.6g}" for each in across),
        data_y=" ".join(f"{each:.6g}" for each in up),
    )


def read_limits(axis: Axis) -> Limits:
    """Return the limits of an axis, which the pictures of a report know."""
    return axis.low or 0.0, axis.high or 1.0


def draw_layer(layer: Layer, across: Limits, up: Limits, lines_each: int) -> str:
    """Draw a line, or an area between two."""
    x, y = rescale(layer.x, *across), rescale(layer.y, *up)
    model = f"m{layer.number // lines_each}"
    if layer.role == "band":
        top = rescale(np.asarray(layer.top), *up)
        return tag("path", d=write_area(x, y, top), class_=f"band {model}")
    style = LINES.get(layer.role, "line")
    if style in ("line", "gap"):
        style += f" {model}"
    if layer.number % lines_each:
        style += " other"
    return tag("path", d=write_path(x, y), class_=style)


def draw_axes(picture: Picture) -> str:
    """Draw grid lines, numbers and labels of both axes."""
    parts = []
    for axis, is_across in ((picture.x, True), (picture.y, False)):
        low, high = read_limits(axis)
        ticks = list_ticks(low, high)
        shares = axis.unit == "share"
        shown = [f"{tick:.0%}" for tick in ticks] if shares else write_ticks(ticks)
        for tick, number in zip(ticks, shown, strict=True):
            place = (tick - low) / (high - low)
            parts.append(draw_tick(number, place, is_across=is_across))
    parts += [
        text(picture.x.label, "50%", "100%", "label", dy=40, text_anchor="middle"),
        text(picture.y.label, "0", "0", "label", dy=-12, dx=-44),
    ]
    return "".join(parts)


def draw_tick(number: str, place: float, *, is_across: bool) -> str:
    """Draw a grid line with its number, below or to the left of it."""
    if is_across:
        at = percent(place)
        line = tag("line", x1=at, x2=at, y1="0", y2="100%", class_="grid")
        return line + text(number, at, "100%", "tick", dy=18, text_anchor="middle")
    at = percent(1 - place)
    line = tag("line", x1="0", x2="100%", y1=at, y2=at, class_="grid")
    return line + text(number, "0", at, "tick", dx=-8, dy=4, text_anchor="end")
