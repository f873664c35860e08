"""Draw panels: pictures side by side, with one legend, and shared axes where equal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from capcurve._input.options import is_real, is_whole, show
from capcurve._plot.arrangement import release
from capcurve._plot.axes import Artists, OwnStyles, draw_picture
from capcurve._plot.contrast import mix
from capcurve._plot.palette import read_palette
from capcurve._plot.panel_axes import are_shared, join_labels
from capcurve._plot.panel_texts import (
    GridTexts,
    Margins,
    draw_key,
    draw_texts,
    measure_texts,
    set_panel_title,
)
from capcurve._plot.picture import Axis, Layer, Path, Picture, merge_distinct
from capcurve._plot.thinning import choose_points
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_PANELS = 100
IN_ONE_ROW = 3
WIDTH = 8.4  # inches that the panels of a row share, unless they get too large or small
SMALLEST, LARGEST = 2.0, 3.2  # inches of the side of a panel
SIZES = (1.0, 20.0)  # inches that a caller may choose
FEW_TICKS = 2.7  # inches of a panel below which its axes of shares have three ticks
MOST_OTHERS = 12  # panels, beyond which pale curves are a blot
PIXELS = 100  # per inch, for which pale curves are thinned
OTHERS = "Curves of the other panels"
PALE = 0.7  # how far the other curves go from the ink to the background


@dataclass(frozen=True)
class Panel:
    """A picture in a grid, with its title.

    ``number`` is the AR of its only curve; ``numbers`` are those of several curves, and the
    values at their marks. The legend entries of the picture hold names alone, on which all
    panels agree. ``others`` is a path behind the curves.
    """

    picture: Picture
    title: str
    number: str | None = None
    numbers: tuple[str, ...] = ()
    others: Path | None = None


@dataclass(frozen=True)
class Grid:
    """How panels are laid out."""

    n_columns: int
    size: float  # inches of the side of a panel


@dataclass
class DrawnPanels:
    """The figure, its axes panel by panel, and what was drawn on each."""

    figure: Figure
    axes: list[Axes]
    artists: list[Artists]


def refuse_many_panels(n_panels: int) -> None:
    """Raise for more panels than a figure can hold legibly."""
    if n_panels > MOST_PANELS:
        raise CapcurveError(
            f"a figure must have at most {MOST_PANELS} panels to be legible, got "
            f"{n_panels:,}; draw a part of them at a time, such as those with most rows"
        )


def check_title(title: object) -> None:
    """Raise unless a title is a text or None."""
    if not (title is None or isinstance(title, str)):
        raise CapcurveError(f"`title` must be a text, got {show(title)}; pass one, or None")


def describe_picture(name: str, picture: Picture) -> Panel:
    """Make a panel of a picture, without the texts that differ between panels.

    The entry of its only curve goes into the title, the values at marks into a key.
    """
    curves = picture.curves
    alone = curves[0] if len(curves) == 1 else None
    layers = tuple(
        replace(layer, entry=None, name=name) if layer is alone else name_bars(layer, name)
        for layer in picture.layers
    )
    said = None if alone is None else alone.entry
    readings = tuple(
        "\n".join(
            mark.text
            for mark in picture.marks
            if mark.number == curve.number and mark.text != said
        )
        for curve in curves
    )
    return Panel(
        replace(picture, layers=layers),
        name,
        number=said,
        numbers=readings if any(readings) else (),
    )


def name_bars(layer: Layer, name: str) -> Layer:
    """Name bars and their limits after their panel."""
    return replace(layer, name=name) if layer.role in {"bars", "limits"} else layer


def share_entries(panels: Sequence[Panel]) -> list[Panel]:
    """Move the legend entries of areas and references that differ to the titles."""
    listed = [{layer.entry for layer in panel.picture.layers} for panel in panels]
    common = set.intersection(*listed)

    def is_own(layer: Layer) -> bool:
        return layer.role != "curve" and layer.entry not in common

    shared = []
    for panel in panels:
        own = [layer.entry for layer in panel.picture.layers if is_own(layer)]
        layers = tuple(
            replace(layer, entry=None) if is_own(layer) else layer
            for layer in panel.picture.layers
        )
        number = "\n".join(filter(None, (panel.number, *own))) or None
        shared.append(
            replace(panel, picture=replace(panel.picture, layers=layers), number=number)
        )
    return shared


def add_others(panels: Sequence[Panel]) -> list[Panel]:
    """Put the curves of the other panels behind the one of each, if none has more."""
    has_one = all(len(panel.picture.curves) == 1 for panel in panels)
    if not has_one or not 1 < len(panels) <= MOST_OTHERS:
        return list(panels)
    paths = [thin(panel.picture.curves[0]) for panel in panels]
    return [
        replace(panel, others=merge_distinct(paths[:place] + paths[place + 1 :]))
        for place, panel in enumerate(panels)
    ]


def thin(layer: Layer) -> Path:
    """Leave out the points that make no difference to a thin line in a small panel."""
    pixels = LARGEST * PIXELS
    x, y = (each * (pixels / max(np.max(each), 1e-300)) for each in (layer.x, layer.y))
    kept = choose_points(x, y, pixels)
    return layer.x[kept], layer.y[kept]


def lay_out(
    n_panels: int, n_columns: int | None = None, panel_size: float | None = None
) -> Grid:
    """Choose the number of columns and the size of panels, or check those given."""
    if n_columns is not None and (not is_whole(n_columns) or n_columns < 1):
        raise CapcurveError(
            f"`n_columns` must be a whole number from 1 on, got {show(n_columns)}; leave "
            "it out to have it chosen"
        )
    if panel_size is not None and (not is_real(panel_size) or not 1 <= panel_size <= 20):  # noqa: PLR2004 -- inches
        raise CapcurveError(
            f"`panel_size` must be a length from 1 to 20 inches, got {show(panel_size)}; "
            "leave it out to have it chosen"
        )
    chosen = n_panels if n_panels <= IN_ONE_ROW else math.isqrt(n_panels - 1) + 1
    across = min(n_columns or chosen, n_panels)
    size = min(LARGEST, max(SMALLEST, WIDTH / across))
    return Grid(across, size if panel_size is None else float(panel_size))


def draw_panels(
    figure: Figure,
    panels: Sequence[Panel],
    own: OwnStyles,
    grid: Grid,
    title: str | None = None,
) -> DrawnPanels:
    """Draw panels on an empty figure, whose size is set to fit them.

    Parameters
    ----------
    figure : matplotlib Figure
    panels : sequence of Panel
        Row by row.
    own : OwnStyles
    grid : Grid
    title : str or None
        Title of the figure.

    Returns
    -------
    DrawnPanels
    """
    figure.set_layout_engine("none")
    drawn = DrawnPanels(figure, [], [])
    figure.set_size_inches(2 * grid.size, 2 * grid.size)  # until texts are measured
    x = [panel.picture.x for panel in panels]
    y = [panel.picture.y for panel in panels]
    shared = are_shared(x), are_shared(y)
    for place, panel in enumerate(panels):
        first = [drawn.axes[0] if place and each else None for each in shared]
        ax = figure.add_axes((0, 0, 0.5, 0.5), sharex=first[0], sharey=first[1])
        drawn.axes.append(ax)
        drawn.artists.append(draw_panel(ax, panel, own))
        set_ticks(ax, (x[place], y[place]), grid.size)
        is_lowest = place + grid.n_columns >= len(panels)
        is_first = place % grid.n_columns == 0
        ax.tick_params(
            labelbottom=is_lowest or not shared[0], labelleft=is_first or not shared[1]
        )
    room = grid.n_columns * grid.size
    texts = draw_texts(figure, drawn.axes, (join_labels(x), join_labels(y)), title, room)
    place_panels(drawn, grid, measure_texts(drawn.axes, texts, shared), texts)
    return drawn


def draw_panel(ax: Axes, panel: Panel, own: OwnStyles) -> Artists:
    """Draw one panel without labels of the axes and without a legend of its own."""
    palette = read_palette(ax)
    if panel.others is not None:
        pale = mix(palette.ink, palette.background, PALE)
        (line,) = ax.plot(*panel.others, color=pale, linewidth=0.7, zorder=1.2)
        line.set(label=OTHERS, gid="capcurve-other")
    x, y = (replace(axis, label="") for axis in (panel.picture.x, panel.picture.y))
    marks = tuple(replace(mark, text="", brief="") for mark in panel.picture.marks)
    picture = replace(panel.picture, title="", x=x, y=y, marks=marks)
    artists = draw_picture(ax, picture, replace(own, legend=False))
    release(ax)
    set_panel_title(ax, panel.title, panel.number)
    left = draw_key(ax, artists.lines, panel.numbers, picture.corner)
    ax.title.set_text("\n".join(filter(None, (ax.get_title(), left))))
    return artists


def set_ticks(ax: Axes, axes: Sequence[Axis], size: float) -> None:
    """Leave three ticks on the axes of shares of a small panel."""
    if size >= FEW_TICKS:
        return
    for name, axis in zip("xy", axes, strict=True):
        if (axis.unit, axis.low, axis.high) == ("share", 0, 1):
            getattr(ax, f"set_{name}ticks")([0, 0.5, 1])


def place_panels(
    drawn: DrawnPanels, grid: Grid, margins: Margins, texts: GridTexts
) -> None:
    """Set the size of the figure, and the places of panels and texts in it."""
    n_rows = -(-len(drawn.axes) // grid.n_columns)
    across = grid.n_columns * (grid.size + margins.between) - margins.between
    down = n_rows * (grid.size + margins.above) - margins.above
    width = max(margins.left + across + margins.right, margins.widest)
    height = margins.top + margins.title + down + margins.bottom
    drawn.figure.set_size_inches(width, height)
    left = margins.left + (width - margins.left - across - margins.right) / 2
    for place, ax in enumerate(drawn.axes):
        row, column = divmod(place, grid.n_columns)
        x = left + column * (grid.size + margins.between)
        y = margins.bottom + (n_rows - 1 - row) * (grid.size + margins.above)
        ax.set_position((x / width, y / height, grid.size / width, grid.size / height))
    texts.place(left + across / 2, margins.bottom + down / 2, left, margins)
