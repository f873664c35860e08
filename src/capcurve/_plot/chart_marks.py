"""Points that are read off the curves of a chart, with their texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import altair as alt
import numpy as np

from capcurve._plot.chart_layers import Canvas, give
from capcurve._plot.chart_rows import Rows, round_number
from capcurve._plot.picture import Mark

LINE_HEIGHT, LETTER_WIDTH = 15, 6.3  # pixels of a text
GAP = 9  # pixels between a point and its text


def draw_marks(canvas: Canvas) -> Iterator[Any]:
    """Draw dashed lines from both axes to each mark, and its text."""
    picture, scale = canvas.picture, canvas.scale
    if not picture.marks:
        return
    entries = {layer.number: canvas.entry(layer) for layer in canvas.curves}
    rows = [
        {
            "curve": entries[mark.number],
            "x": round_number(mark.x),
            "y": round_number(mark.y),
            "left": scale.x[0],
            "low": scale.y[0],
        }
        for mark in picture.marks
    ]
    color = canvas.legend.encode()["color"]
    chart = alt.Chart(give(rows)).encode(x=canvas.x(), y=canvas.y(), color=color)
    opacity = canvas.dim()
    for other in ({"x2": "left:Q"}, {"y2": "low:Q"}):
        rule = chart.mark_rule(strokeDash=[4, 3], strokeWidth=0.9)
        yield rule.encode(**other, opacity=opacity)
    yield chart.mark_point(size=45, filled=True, opacity=1).encode(opacity=opacity)
    yield from draw_texts(canvas, entries)


def draw_texts(canvas: Canvas, entries: dict[int, str]) -> Iterator[Any]:
    """Draw the text of each mark beside its point, away from the other texts."""
    placed: dict[tuple[str, float], Rows] = {}
    for mark, place in zip(canvas.picture.marks, place_texts(canvas), strict=True):
        row = {"curve": entries[mark.number], "text": mark.text}
        row |= {"x": round_number(mark.x), "y": round_number(mark.y)}
        placed.setdefault(place, []).append(row)
    for (side, down), rows in placed.items():
        yield (
            alt.Chart(give(rows))
            .mark_text(align=side, dx=GAP if side == "left" else -GAP, dy=down)
            .encode(x=canvas.x(), y=canvas.y(), text="text:N", opacity=canvas.dim())
        )


def place_texts(canvas: Canvas) -> list[tuple[str, float]]:
    """Choose the side of each text, and how far below its point it stands, in pixels."""
    step = LINE_HEIGHT if canvas.picture.room_below else -LINE_HEIGHT
    placed: list[tuple[float, float, float]] = []
    found = []
    for mark in canvas.picture.marks:
        side, left, right, level = measure_text(canvas, mark)
        down = 0.8 * step
        while any(
            left < other_right and other_left < right and abs(level + down - at) < LINE_HEIGHT
            for other_left, other_right, at in placed
        ):
            down += step
        placed.append((left, right, level + down))
        found.append((side, round(down, 1)))
    return found


def measure_text(canvas: Canvas, mark: Mark) -> tuple[str, float, float, float]:
    """Return the side, both ends and the height of a text beside its point, in pixels."""
    across, up = (
        float(each[0])
        for each in canvas.scale.to_pixels(np.array([mark.x]), np.array([mark.y]))
    )
    width = LETTER_WIDTH * len(mark.text)
    fits = across + GAP + width <= canvas.scale.width
    start = across + GAP if fits else across - GAP - width
    return "left" if fits else "right", start, start + width, canvas.scale.height - up
