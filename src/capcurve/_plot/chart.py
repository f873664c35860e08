"""Make an interactive chart of a picture."""

from __future__ import annotations

from typing import Any

import altair as alt

from capcurve._plot.chart_bars import draw_bars
from capcurve._plot.chart_layers import (
    Canvas,
    draw_areas,
    draw_curves,
    draw_references,
    give,
    list_curves,
    name_curves,
)
from capcurve._plot.chart_marks import draw_mark_rules, draw_marks
from capcurve._plot.chart_rows import read_scale
from capcurve._plot.chart_slider import draw_slider
from capcurve._plot.offline import OfflineChart
from capcurve._plot.picture import Picture

SQUARE = (420, 420)
WIDE = (520, 380)


def make_chart(picture: Picture, side: int | None = None, panel: str = "") -> OfflineChart:
    """Make an interactive chart of a picture.

    Parameters
    ----------
    picture : Picture
    side : int, default=None
        Width and height in pixels, where it is one of several charts.
    panel : str, default=""
        Its name among several charts.

    Returns
    -------
    OfflineChart
        An Altair chart. Pointing at a curve or a bar shows its name and its values there, a
        click in the legend picks a curve or bars out, and a slider reads all curves off.
    """
    size = SQUARE if picture.is_square else WIDE
    scale = read_scale(picture, *(size if side is None else (side, side)))
    canvas = Canvas.of(picture, scale, panel)
    layers = [
        *draw_hover(canvas),  # first, as the legend is that of the first layer
        *draw_areas(canvas),
        *draw_bars(canvas),
        *draw_references(canvas),
        *draw_curves(canvas),
        *draw_mark_rules(canvas),
        *draw_slider(canvas),
        *draw_marks(canvas),
    ]
    options: dict[str, Any] = {}
    if picture.title:
        options["title"] = alt.Title(picture.title, anchor="start", offset=14)
    return OfflineChart(layer=layers, width=scale.width, height=scale.height, **options)


def draw_hover(canvas: Canvas) -> list[Any]:
    """Show what stands at the point of a curve that is nearest to the pointer.

    The layer must be the first: the legend takes clicks only if its first layer has the
    selection. Layers above it let the pointer through.
    """
    if not canvas.curves:
        return []
    nearest = alt.selection_point(
        name=canvas.toggle.name.replace("shown", "nearest"),
        nearest=True,
        on="pointerover",
        fields=["curve", "x"],
        empty=False,
    )
    opacity = alt.when(nearest).then(alt.value(1)).otherwise(alt.value(0))
    points = (
        name_curves(canvas, alt.Chart(give(list_curves(canvas))))
        .transform_filter(canvas.toggle)
        .mark_point(size=60, filled=True)
        .encode(
            x=canvas.x(),
            y=canvas.y(),
            color=canvas.legend.encode()["color"],
            opacity=opacity,
            tooltip=canvas.tooltip(),
        )
        # Altair can only set charts side by side whose selections are all in one layer.
        .add_params(canvas.toggle, nearest)
    )
    return [points]
