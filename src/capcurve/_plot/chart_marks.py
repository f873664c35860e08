"""Points that are read off the curves of a chart, with their texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np

from capcurve._plot.chart_layers import WORD, Canvas, give
from capcurve._plot.chart_rows import Rows, round_number, split_at_gaps
from capcurve._plot.picture import Mark, Role
from capcurve._tally.dtypes import Array

Place = tuple[float, float]  # of a text: start and middle, in pixels from its point

LINE_HEIGHT, LETTER_WIDTH = 15, 6.3  # pixels of a text
MOST_TEXTS = 6  # beyond which they would stand far from their points
DOT = 8  # width of the dot before a text
GAP = 9  # pixels between a point and its text
FAR = 30  # pixels from a point to its text, from which on a thin line joins them
# Pixels of a longer way that a text goes rather than cover a reference, a curve, a text.
PRICES = (30, 1_000, 100_000)
REFERENCES: frozenset[Role] = frozenset({"chance", "perfect"})
CURVES: frozenset[Role] = frozenset({"curve", "fold", "gap"})


def draw_mark_rules(canvas: Canvas) -> Iterator[Any]:
    """Draw dashed lines from both axes to each mark."""
    if canvas.picture.marks:
        ends = {"left": canvas.scale.x[0], "low": canvas.scale.y[0]}
        rows = [row | ends for row in list_marks(canvas, canvas.picture.marks)]
        for end in ({"x2": "left:Q"}, {"y2": "low:Q"}):
            rule = alt.Chart(give(rows)).mark_rule(strokeDash=[4, 3], strokeWidth=0.9)
            yield rule.encode(**place_marks(canvas), **end)


def draw_marks(canvas: Canvas) -> Iterator[Any]:
    """Draw each mark with its text; of many marks only a pointer shows the text."""
    marks = canvas.picture.marks
    if marks:
        tooltip = [
            alt.Tooltip("curve:N", title=WORD),
            alt.Tooltip("text:N", title="Marked"),
        ]
        points = alt.Chart(give(list_marks(canvas, marks))).mark_point(size=45, filled=True)
        yield points.encode(**place_marks(canvas), tooltip=tooltip)
    if len(marks) <= MOST_TEXTS:
        yield from draw_texts(canvas)


def list_marks(canvas: Canvas, marks: Sequence[Mark]) -> Rows:
    """List marks with their curves and their texts."""
    entries = {layer.number: canvas.entry(layer) for layer in canvas.curves}
    return [
        {
            "curve": entries.get(mark.number),
            "x": round_number(mark.x),
            "y": round_number(mark.y),
            "brief": mark.brief or mark.text,
            "text": mark.text,
        }
        for mark in marks
    ]


def place_marks(canvas: Canvas) -> dict[str, Any]:
    """Encode the place and the curve of a mark."""
    color = canvas.legend.encode()["color"]
    return {"x": canvas.x(), "y": canvas.y(), "color": color, "opacity": canvas.dim()}


def draw_texts(canvas: Canvas) -> Iterator[Any]:
    """Draw the text of each mark, behind a dot in the colour of its curve."""
    placed: dict[Place, list[Mark]] = {}
    for mark, place in zip(canvas.picture.marks, place_texts(canvas), strict=True):
        placed.setdefault(place, []).append(mark)
    for (start, down), marks in placed.items():
        chart = alt.Chart(give(list_marks(canvas, marks)))
        encoded = place_marks(canvas)
        end = find_end(start, marks[0])
        if np.hypot(end, down) > FAR:
            yield chart.mark_rule(x2Offset=end, y2Offset=down, strokeWidth=0.8).encode(
                **encoded, x2="x:Q", y2="y:Q"
            )
        yield chart.mark_point(
            size=30, filled=True, xOffset=start + DOT / 2, yOffset=down
        ).encode(**encoded)
        del encoded["color"]
        yield chart.mark_text(align="left", dx=start + DOT + 3, dy=down).encode(
            **encoded, text="brief:N"
        )


def find_width(mark: Mark) -> float:
    """Return the width of a text with its dot."""
    return LETTER_WIDTH * len(mark.brief or mark.text) + DOT + 3


def find_end(start: float, mark: Mark) -> float:
    """Return the end of a text that is nearer to its point."""
    return start if start > 0 else start + find_width(mark)


def place_texts(canvas: Canvas) -> list[Place]:
    """Choose where each text stands: near its point, and away from lines and texts."""
    marks = canvas.picture.marks
    references = np.vstack([trace_lines(canvas, REFERENCES), trace_rules(canvas)])
    curves, texts = trace_lines(canvas, CURVES), np.zeros((0, 2))
    found: dict[int, Place] = {}
    placed: list[tuple[float, float, float]] = []
    side = -1 if canvas.picture.room_below else 1
    for i in sorted(range(len(marks)), key=lambda i: side * marks[i].y):
        across, up = to_pixels(canvas, marks[i])
        width = find_width(marks[i])
        every = list_places(canvas, across, up, width)
        options = [each for each in every if is_in_order((across, up), each, placed)]
        options = options or every
        boxes = [Box(across + start, up + down, width) for start, down in options]
        ways = [find_way(canvas, place) for place in options]
        best = choose_box(boxes, ways, (references, curves, texts))
        texts = np.vstack([texts, boxes[best].list_points()])
        found[i] = options[best]
        placed.append((across, up, up + options[best][1]))
    return [found[i] for i in range(len(marks))]


def is_in_order(
    point: tuple[float, float], place: Place, placed: Sequence[tuple[float, float, float]]
) -> bool:
    """Whether a text would be below the texts of higher points beside its point.

    ``placed`` holds the points that have a text, with the height of its middle.
    """
    across, up = point
    beside = [each for each in placed if abs(each[0] - across) < 1]
    return all((up - high) * (up + place[1] - middle) >= 0 for _, high, middle in beside)


def choose_box(boxes: Sequence[Box], ways: Sequence[float], taken: Sequence[Array]) -> int:
    """Choose the box with the shortest way, where covering has a price."""
    best, least = 0, np.inf
    for i, (box, way) in enumerate(zip(boxes, ways, strict=True)):
        if way >= least:  # and longer from here on
            break
        prices = zip(PRICES, taken, strict=True)
        cost = way + sum(price for price, points in prices if box.covers_any(points))
        if cost < least:
            best, least = i, cost
    return best


def find_way(canvas: Canvas, place: Place) -> float:
    """Return the length of the way from a point to its text, longer to the wrong side."""
    is_above = place[1] < 0
    around = 0 if is_above != canvas.picture.room_below else 3 * LINE_HEIGHT
    return abs(place[0]) + 1.5 * abs(place[1]) + around


def list_places(canvas: Canvas, across: float, up: float, width: float) -> list[Place]:
    """List the places for a text that lie inside of the chart, the nearest first."""
    step = LINE_HEIGHT if canvas.picture.room_below else -LINE_HEIGHT
    levels = [sign * step * (0.8 + i / 2) for i in range(60) for sign in (1, -1)]
    starts: list[float] = [
        start
        for shift in range(0, 200, 20)
        for start in (GAP + shift, -GAP - width - shift)
    ]
    places: list[Place] = [
        (start, round(down, 1))
        for start in starts
        for down in levels
        if LINE_HEIGHT / 2 <= up + down <= canvas.scale.height - LINE_HEIGHT / 2
        and 0 <= across + start <= canvas.scale.width - width
    ]
    places.sort(key=lambda place: find_way(canvas, place))
    return places or [(float(GAP), 0.8 * step)]


def to_pixels(canvas: Canvas, mark: Mark) -> tuple[float, float]:
    """Return a mark in pixels from the upper left corner."""
    x, y = canvas.scale.to_pixels(np.array([mark.x]), np.array([mark.y]))
    return float(x[0]), canvas.scale.height - float(y[0])


def trace_lines(canvas: Canvas, roles: frozenset[Role]) -> Array:
    """List points along the lines of some roles, in pixels from the upper left corner."""
    traced = [np.zeros((0, 2))]
    for layer in canvas.picture.layers:
        if layer.role in roles:
            parts = split_at_gaps(layer)
            traced += [trace_line(canvas, layer.x[i], layer.y[i]) for i in parts]
    return np.vstack(traced)


def trace_rules(canvas: Canvas) -> Array:
    """List points along the dashed lines of marks, in pixels as above."""
    traced = [np.zeros((0, 2))]
    for mark in canvas.picture.marks:
        x, y = to_pixels(canvas, mark)
        down, back = np.arange(y, canvas.scale.height, 3), np.arange(0, x, 3)
        traced.append(np.column_stack([np.full(len(down), x), down]))
        traced.append(np.column_stack([back, np.full(len(back), y)]))
    return np.vstack(traced)


def trace_line(canvas: Canvas, x: Array, y: Array) -> Array:
    """List points along one line, at most 3 pixels apart."""
    across, up = canvas.scale.to_pixels(x, y)
    way = np.concatenate([[0], np.cumsum(np.hypot(np.diff(across), np.diff(up)))])
    steps = np.arange(0, way[-1], 3)
    return np.column_stack(
        [
            np.interp(steps, way, across),
            canvas.scale.height - np.interp(steps, way, up),
        ]
    )


@dataclass(frozen=True, slots=True)
class Box:
    """The room of a text: left end and height of its middle, and width, in pixels."""

    left: float
    middle: float
    width: float

    def covers_any(self, points: Array) -> bool:
        """Whether the text would cover one of the points."""
        beside = (points[:, 0] > self.left - 3) & (points[:, 0] < self.left + self.width)
        return bool(np.any(beside & (abs(points[:, 1] - self.middle) < LINE_HEIGHT / 2)))

    def list_points(self) -> Array:
        """List points along the text."""
        across = np.arange(self.left, self.left + self.width, 3)
        every = [
            np.column_stack([across, np.full(len(across), self.middle + shift)])
            for shift in (-LINE_HEIGHT / 2, 0, LINE_HEIGHT / 2)
        ]
        return np.vstack(every)
