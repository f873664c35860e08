"""Make an interactive chart of a picture."""

from __future__ import annotations

import zlib
from typing import Any

import altair as alt

from capcurve._plot.chart_layers import (
    Canvas,
    draw_areas,
    draw_bars,
    draw_curves,
    draw_references,
    give,
    list_curves,
)
from capcurve._plot.chart_marks import draw_marks
from capcurve._plot.chart_rows import read_scale
from capcurve._plot.chart_slider import draw_slider
from capcurve._plot.offline import OfflineChart
from capcurve._plot.picture import Picture

SQUARE = (420, 420)
WIDE = (520, 380)


def make_chart(picture: Picture) -> OfflineChart:
    """Make an interactive chart of a picture.

    Parameters
    ----------
    picture : Picture

    Returns
    -------
    OfflineChart
        An Altair chart. Pointing at a curve shows its name and its values there, a click in
        the legend leaves one curve, and a slider reads all curves off.
    """
    scale = read_scale(picture, *(SQUARE if picture.is_square else WIDE))
    canvas = Canvas.of(picture, scale, name_picture(picture), "Curve")
    layers = [
        *draw_areas(canvas),
        *draw_bars(canvas),
        *draw_references(canvas),
        *draw_curves(canvas),
        *draw_marks(canvas),
        *draw_slider(canvas),
        *draw_hover(canvas),
    ]
    options: dict[str, Any] = {}
    if picture.title:
        options["title"] = alt.Title(picture.title, anchor="start", offset=14)
    return OfflineChart(layer=layers, width=scale.width, height=scale.height, **options)


def draw_hover(canvas: Canvas) -> list[Any]:
    """Show what stands at the point of a curve that is nearest to the pointer."""
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
        alt.Chart(give(list_curves(canvas)))
        .transform_filter(canvas.toggle)
        .mark_point(size=60, filled=True)
        .encode(
            x=canvas.x(),
            y=canvas.y(),
            color=canvas.legend.encode()["color"],
            opacity=opacity,
            tooltip=canvas.tooltip(),
        )
        .add_params(nearest)
    )
    return [points]


def name_picture(picture: Picture) -> str:
    """Return a name by which the selections of charts side by side are told apart."""
    shown = [picture.title, picture.x.label, picture.y.label]
    shown += [layer.entry or "" for layer in picture.layers]
    return f"{zlib.crc32(' '.join(shown).encode()):08x}"
