"""Marks: points of curves that are read off, with texts that cover nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from capcurve._plot.contrast import RGB
from capcurve._plot.palette import MARKER_SIZE
from capcurve._plot.picture import Mark, Picture
from capcurve._plot.wording import wrap

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D
    from matplotlib.path import Path
    from matplotlib.text import Annotation
    from matplotlib.transforms import Bbox

MARK = "capcurve-mark"
# Points from a mark to its text: whole, in few words, and these on two lines.
DISTANCES: Sequence[Sequence[int]] = ((6, 10, 15), (6, 10, 15, 21), (6, 10, 15, 21, 28))
DOT = 4  # pixels from the middle of a dot to its edge
ROOM = 3.0  # points around a text, which the markers of a curve need
POINTS = 72.0  # per inch
Side = tuple[int, int]  # of a mark: where its text is, across and up
Place = tuple[int, Side]
BELOW: Sequence[Side] = (
    *((1, -1), (1, 0), (-1, 1), (0, -1)),
    *((0, 1), (1, 1), (-1, 0), (-1, -1)),
)
ABOVE: Sequence[Side] = tuple((across, -up) for across, up in BELOW)


class Obstacle(NamedTuple):
    """The path of an artist in pixels; an area covers what is within, too."""

    path: Path
    is_area: bool


def draw_mark(ax: Axes, mark: Mark, picture: Picture, curve: int, color: RGB) -> None:
    """Draw a point with dashed lines to both axes; its text is placed later.

    ``curve`` is the position of the curve among those of the axes.
    """
    left, bottom = (
        start if axis.low is None else axis.low
        for axis, start in ((picture.x, ax.get_xlim()[0]), (picture.y, ax.get_ylim()[0]))
    )
    x, y = mark.x, mark.y
    style: dict[str, Any] = {
        "color": color,
        "linewidth": 0.9,
        "gid": MARK,
        "zorder": 1.8,
        "label": "_nolegend_",
    }
    gaps = [
        layer
        for layer in picture.layers
        if layer.role == "gap" and layer.number == mark.number and mark.x in layer.x
    ]
    if gaps:
        path = [x, x], [bottom, min(float(np.min(layer.y)) for layer in gaps)]
    else:
        path = [x, x, left], [bottom, y, y]
        ax.plot([x], [y], marker="o", markersize=MARKER_SIZE, **style)
    ax.plot(*path, linestyle=(0, (4, 3)), **style)
    if not mark.text:
        return
    text = ax.annotate(
        mark.text,
        (x, y),
        xytext=(0, 0),
        textcoords="offset points",
        fontsize="small",
        color=color,
        gid=f"{MARK}-{curve}",
        label=f"_{mark.text}\n{mark.brief or mark.text}",  # in no legend of its own
        visible=False,
        annotation_clip=False,
    )
    text.set_in_layout(False)  # it is placed within the axes, when their size is known


def list_texts(ax: Axes) -> list[Annotation]:
    """List the texts of all marks on axes."""
    from matplotlib.text import Annotation

    return [
        text
        for text in ax.texts
        if isinstance(text, Annotation) and (text.get_gid() or "").startswith(MARK)
    ]


def list_values(ax: Axes, curve: int) -> list[str]:
    """List the values of the marks of a curve, in few words."""
    texts = [text for text in list_texts(ax) if text.get_gid() == f"{MARK}-{curve}"]
    return [read_words(text)[1] for text in texts]


def read_words(text: Annotation) -> tuple[str, str, str]:
    """Return the text of a mark: whole, in few words, and these on two lines."""
    whole, brief = str(text.get_label())[1:].split("\n")
    return whole, brief, wrap(brief, max(len(brief) // 2 + 2, 1))


def place_texts(ax: Axes, *, below: bool) -> bool:
    """Place the texts of all marks so that they cover no line, marker or other text.

    Returns
    -------
    bool
        Whether there is a place for each; no text is shown otherwise.
    """
    texts = list_texts(ax)
    sides = BELOW if below else ABOVE
    for words, distances in enumerate(DISTANCES):
        places = [(distance, side) for distance in distances for side in sides]
        for text in texts:
            text.set_text(read_words(text)[words])
            text.set_visible(True)
        rising = sorted(texts, key=lambda text: text.xy[1])  # a lower one takes less room
        if any(try_to_place(ax, each, places) for each in (texts, rising)):
            return True
    for text in texts:
        text.set_visible(False)
    return False


def try_to_place(ax: Axes, texts: Sequence[Annotation], places: Sequence[Place]) -> bool:
    """Give each text the first place that is free, or return False."""
    scale = ax.figure.figure.dpi / POINTS
    obstacles = list_obstacles(ax)
    covered = [
        text.get_window_extent()
        for text in ax.texts
        if text not in texts and text.get_visible()
    ]
    legend = ax.get_legend()
    if legend is not None:
        covered.append(legend.get_window_extent())
    inside = ax.get_window_extent().padded(-ROOM * scale)
    placed: list[tuple[Annotation, Bbox]] = []
    for text in texts:
        for side, offset, box in list_places(text, places, scale):
            free = not any(box.overlaps(each) for each in covered)
            within = inside.containsx(box.x0) and inside.containsx(box.x1)
            within &= inside.containsy(box.y0) and inside.containsy(box.y1)
            free &= within and is_in_order(text, box, placed)
            if free and not is_crossed(obstacles, box.padded(ROOM * scale)):
                move(text, side, offset)
                covered.append(box)
                placed.append((text, box))
                break
        else:
            return False
    return True


def is_in_order(
    text: Annotation, box: Bbox, placed: Sequence[tuple[Annotation, Bbox]]
) -> bool:
    """Whether a text stands above those of lower points at its place, below others."""
    x, y = text.xy
    beside = [each for each in placed if np.isclose(each[0].xy[0], x)]
    return all(
        (y - other.xy[1]) * (box.y0 + box.y1 - taken.y0 - taken.y1) >= 0
        for other, taken in beside
    )


def list_places(
    text: Annotation, places: Sequence[Place], scale: float
) -> Iterator[tuple[Side, tuple[float, float], Bbox]]:
    """List the boxes in pixels that a text would have in its places."""
    from matplotlib.transforms import Bbox

    x, y = text.axes.transData.transform(text.xy)  # type: ignore[union-attr]
    extent = text.get_window_extent()
    for distance, side in places:
        across, up = (distance * each for each in side)
        left = x + scale * across - (1 - side[0]) / 2 * extent.width
        bottom = y + scale * up - (1 - side[1]) / 2 * extent.height
        box = Bbox.from_bounds(left, bottom, extent.width, extent.height)
        yield side, (across, up), box


def move(text: Annotation, side: Side, offset: tuple[float, float]) -> None:
    """Put a text at a distance from its mark."""
    text.set_position(offset)
    across: Mapping[int, Any] = {-1: "right", 0: "center", 1: "left"}
    up: Mapping[int, Any] = {-1: "top", 0: "center", 1: "bottom"}
    text.set_horizontalalignment(across[side[0]])
    text.set_verticalalignment(up[side[1]])


def list_obstacles(ax: Axes, *, with_areas: bool = False) -> list[Obstacle]:
    """List the lines and bars on axes, and areas but for the shade on request."""
    found = [Obstacle(trace(line), is_area=False) for line in ax.lines if shows(line)]
    for patch in filter(shows, ax.patches):
        path = patch.get_transform().transform_path(patch.get_path())
        found.append(Obstacle(path, is_area=True))
    for collection in filter(shows, ax.collections):
        is_line = collection.get_gid() == "capcurve-limits"
        if is_line or (with_areas and collection.get_gid() != "capcurve-shade"):
            transform = collection.get_transform()
            found += [
                Obstacle(transform.transform_path(path), is_area=not is_line)
                for path in collection.get_paths()
            ]
    return found


def shows(artist: Artist) -> bool:
    """Whether an artist is drawn."""
    return artist.get_visible()


def trace(line: Line2D) -> Path:
    """Return the path of a line in pixels; that of a single point is a square."""
    from matplotlib.path import Path

    path = line.get_transform().transform_path(line.get_path())
    points = np.asarray(path.vertices)
    if len(points) != 1:
        return path
    around = [(-DOT, 0), (0, DOT), (DOT, 0), (0, -DOT), (-DOT, 0)]
    return Path(points + around)


def is_crossed(obstacles: Sequence[Obstacle], box: Bbox) -> bool:
    """Whether a line or an area meets a box."""
    return any(each.path.intersects_bbox(box, filled=each.is_area) for each in obstacles)
