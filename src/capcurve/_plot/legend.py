"""Legends that cover nothing and stay within their figure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from capcurve._plot.contrast import read_color
from capcurve._plot.marks import POINTS, is_crossed, list_obstacles, list_values
from capcurve._plot.palette import Palette
from capcurve._plot.picture import Corner
from capcurve._plot.wording import shorten, wrap

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend

ORDER: Sequence[str] = (
    "curve",
    "bars",
    "fold",
    "spread",
    "band",
    "bounds",
    "limits",
    "gap",
    "random-band",
    "perfect",
    "chance",
)
REFERENCES = {"capcurve-perfect", "capcurve-chance"}
SPREAD = "capcurve-spread"
AREAS = {SPREAD, "capcurve-band", "capcurve-bounds"}
SWATCH = 0.4  # opacity of the entry that areas share, which alone is none on another
PARTS = 4  # of that entry, in the colours of the first areas
CURVES = {"capcurve-curve", "capcurve-fold", "capcurve-bars"}
CORNERS: Sequence[Corner] = ("lower right", "upper left", "upper right")
LARGEST = 0.3  # share of the axes that a legend within them may take
APART = 4  # pixels from a legend to what it must not cover
GAP = 6.0  # points between the axes and a legend outside
LARGE, MEDIUM, SMALL = 0.83, 0.7, 0.6  # sizes of letters, as shares of the font's size
LEAST = 5.5  # points

LOOSE: Mapping[str, float] = {"handlelength": 3}
TIGHT: Mapping[str, float] = {
    "handlelength": 2.4,
    "handletextpad": 0.5,
    "labelspacing": 0.25,
    "borderpad": 0.3,
}

# Of legends outside: size of letters, width of lines, length of names, columns.
WHOLE: Sequence[tuple[float, int, int, int]] = (
    (LARGE, 44, 400, 1),
    (LARGE, 90, 400, 1),
    (LARGE, 44, 400, 2),
    (MEDIUM, 44, 400, 1),
    (MEDIUM, 90, 400, 1),
    (MEDIUM, 44, 400, 2),
    (MEDIUM, 44, 400, 3),
    (SMALL, 30, 400, 1),
    (SMALL, 44, 400, 2),
    (SMALL, 44, 400, 3),
    (SMALL, 24, 400, 2),
)
SHORTENED: Sequence[tuple[float, int, int, int]] = (
    (SMALL, 36, 36, 1),
    (SMALL, 36, 36, 2),
    (SMALL, 24, 24, 1),
    (SMALL, 24, 24, 2),
    (SMALL, 24, 24, 3),
)
# Least side of axes with a legend outside, as a share of it without: at first, where names
# would have to be shortened otherwise, and of small axes.
ROOMY, KEPT, KEPT_SMALL = 0.7, 0.5, 0.4

Where = Literal["inside", "right", "below"]
OUTSIDE: Sequence[Where] = ("right", "below")


@dataclass(frozen=True)
class Attempt:
    """A way to draw a legend.

    ``width`` is that of its lines in characters; longer names are shortened to
    ``length``. ``kept`` is the least side of the axes, as a share of it without a legend.
    """

    where: Where
    size: float = LARGE
    width: int = 44
    length: int = 400
    n_columns: int = 1
    corners: Sequence[Corner] = ()
    may_cover: bool = False
    only_curves: bool = False
    kept: float = KEPT


def list_attempts(
    corner: Corner, *, is_small: bool, in_columns: bool = False
) -> Iterator[Attempt]:
    """List the ways to draw a legend, the best first.

    A legend at the right of axes that are in columns comes late, as it would make all
    columns narrower.
    """
    corners = [corner, *(each for each in CORNERS if each != corner)]
    if is_small:
        yield Attempt("inside", SMALL, 24, corners=corners)
        for length, only_curves in product((80, 28), (False, True)):
            below = Attempt("below", SMALL, 40, length, only_curves=only_curves)
            yield replace(below, kept=KEPT_SMALL)
    else:
        yield Attempt("inside", corners=corners)
        if in_columns:
            yield Attempt("inside", MEDIUM, 30, corners=corners)
        yield from list_outside(WHOLE, ROOMY, in_columns=in_columns)
        yield Attempt("inside", MEDIUM, 30, corners=corners)
        for shapes in (WHOLE, SHORTENED):
            yield from list_outside(shapes, KEPT, in_columns=in_columns)
        yield Attempt("below", SMALL, 26, 26, 2, only_curves=True, kept=KEPT_SMALL)
    yield Attempt("inside", SMALL, 24, 24, corners=corners, may_cover=True)


def list_outside(
    shapes: Sequence[tuple[float, int, int, int]], kept: float, *, in_columns: bool
) -> Iterator[Attempt]:
    """List the ways to draw a legend of these shapes outside of the axes.

    A row of a grid is as high as its highest axes with their legend: axes that are in
    columns have as many columns of entries as fit beneath, so that all stay high.
    """
    right, below = (
        [Attempt(where, *shape, kept=kept) for shape in shapes] for where in OUTSIDE
    )
    if in_columns:
        below.sort(key=lambda each: (-each.size, -each.length, -each.n_columns))
        return chain(below, right)
    return chain.from_iterable(zip(right, below, strict=True))


def list_entries(
    ax: Axes, *, with_values: bool, is_small: bool
) -> list[tuple[Artist, str]]:
    """List the lines and areas to name, curves first, with the values of marks.

    Small axes name no reference lines, and no single curve whose text is in the title.
    """
    ranks = {f"capcurve-{role}": i for i, role in enumerate(ORDER)}
    labelled = sorted(
        zip(*ax.get_legend_handles_labels(), strict=True),
        key=lambda entry: ranks.get(name_of(entry[0]), 0),
    )
    if is_small:
        labelled = [entry for entry in labelled if name_of(entry[0]) not in REFERENCES]
        if len(labelled) == 1 and labelled[0][1] in ax.get_title():
            labelled = []
    if not with_values:
        return labelled
    curves = [line for line in ax.lines if line.get_gid() == "capcurve-curve"]
    values = {
        id(line): ", ".join(
            value for value in list_values(ax, i) if value not in str(line.get_label())
        )
        for i, line in enumerate(curves)
    }
    named = {id(handle) for handle, _ in labelled}
    unnamed = [
        (line, values[id(line)])
        for line in curves
        if values[id(line)] and id(line) not in named
    ]
    return unnamed + [
        (handle, "\n".join(filter(None, (label, values.get(id(handle))))))
        for handle, label in labelled
    ]


def name_of(handle: Any) -> str:
    """Return the name of an artist, or of the first one in a container."""
    from matplotlib.container import Container

    artists = handle.get_children() if isinstance(handle, Container) else [handle]
    return next((artist.get_gid() for artist in artists), None) or ""


def draw_legend(
    ax: Axes,
    entries: Sequence[tuple[Artist, str]],
    attempt: Attempt,
    palette: Palette,
    depth: float,
) -> Legend:
    """Draw a legend inside or outside of axes that have none yet.

    ``depth``: points below the axes that ticks and label take.
    """
    import matplotlib as mpl
    from matplotlib.colors import to_hex
    from matplotlib.legend_handler import HandlerTuple

    curves = [entry for entry in entries if name_of(entry[0]) in CURVES]
    shown = curves if attempt.only_curves and curves else entries
    handles, labels = zip(*make_neutral(ax, shown, palette), strict=True)
    behind = read_color(ax.figure.get_facecolor())
    frame = behind != palette.background  # on which the lines are seen
    if attempt.where == "inside":
        frame = mpl.rcParams["legend.frameon"]
    texts: Any = [shorten_entry(label, attempt) for label in labels]
    options: dict[str, Any] = {
        **(TIGHT if attempt.size == SMALL else LOOSE),
        **place_legend(ax, attempt, depth),
    }
    legend: Legend = ax.legend(
        handles,
        texts,
        fontsize=max(LEAST, attempt.size * mpl.rcParams["font.size"]),
        numpoints=1,
        facecolor=palette.background,
        framealpha=0.9,
        frameon=frame,
        labelcolor=to_hex(palette.ink),
        handler_map={tuple: HandlerTuple(ndivide=None, pad=0)},
        ncols=attempt.n_columns,
        **options,
    )
    legend.set_zorder(6)
    return legend


def make_neutral(
    ax: Axes, entries: Sequence[tuple[Artist, str]], palette: Palette
) -> Iterator[tuple[Artist, str]]:
    """Show entries that folds or areas of several models share as those of all of them.

    Folds and their spread have the colour of none. Bands have a part in each of the first
    colours, as one in grey would be taken for the band of a random score. They lie on each
    other and are so faint that an entry of the same opacity would be unseen.
    """
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    drawn = [artist.get_gid() for artist in (*ax.lines, *ax.collections)]
    for handle, label in entries:
        name = name_of(handle)
        shown: Any = handle
        if name == "capcurve-fold" and drawn.count("capcurve-curve") > 1:
            shown = Line2D([], [])
            shown.update_from(handle)
            shown.set_color(palette.faint())
        elif name in AREAS and drawn.count(name) > 1:
            colors = [palette.faint()] if name == SPREAD else list_colors(ax, name)
            shown = tuple(Patch(color=each, alpha=SWATCH, linewidth=0) for each in colors)
        yield shown, label


def list_colors(ax: Axes, name: str) -> list[Any]:
    """List the first distinct colours of the areas of a name."""
    areas: list[Any] = [area for area in ax.collections if area.get_gid() == name]
    colors = [tuple(area.get_facecolor()[0][:3]) for area in areas]
    return list(dict.fromkeys(colors))[:PARTS]


def shorten_entry(label: str, attempt: Attempt) -> str:
    """Shorten and wrap the lines of a legend entry."""
    lines = (shorten(line, attempt.length) for line in label.split("\n"))
    return "\n".join(wrap(line, attempt.width) for line in lines)


def find_margins(ax: Axes) -> Any:
    """Return the room of ticks and labels at the left of axes and below, in points."""
    around, left = ax.get_tightbbox(), ax.yaxis.get_tightbbox()
    low = ax.bbox.y0 if around is None else around.y0
    first = ax.bbox.x0 if left is None else min(ax.bbox.x0, left.x0)
    taken = np.array([ax.bbox.x0 - first, ax.bbox.y0 - low])
    return taken / ax.figure.figure.dpi * POINTS


def place_legend(ax: Axes, attempt: Attempt, depth: float) -> dict[str, Any]:
    """Return where to draw a legend, as keywords of matplotlib's ``legend``."""
    from matplotlib.transforms import ScaledTranslation

    if attempt.where == "inside":
        return {"loc": attempt.corners[0]}
    across, up = (GAP, 0.0) if attempt.where == "right" else (0.0, -GAP - depth)
    inches = across / POINTS, up / POINTS
    moved = ax.transAxes + ScaledTranslation(*inches, ax.figure.figure.dpi_scale_trans)
    return {
        "loc": "upper left" if attempt.where == "right" else "upper center",
        "bbox_to_anchor": (1, 1) if attempt.where == "right" else (0.5, 0),
        "bbox_transform": moved,
        "borderaxespad": 0,
    }


def is_free(ax: Axes, legend: Legend, attempt: Attempt) -> bool:
    """Move a legend to the first corner of the axes where it covers but the shade."""
    room = np.asarray(ax.get_window_extent().size)
    size = np.asarray(legend.get_window_extent().size)
    if np.any(size > room):
        return False
    if attempt.may_cover:
        return True
    if size.prod() > LARGEST * room.prod():
        return False
    texts = [text.get_window_extent() for text in ax.texts if text.get_visible()]
    obstacles = list_obstacles(ax, with_areas=True)
    for corner in attempt.corners:
        legend.set_loc(corner)
        box = legend.get_window_extent()
        if not (any(map(box.overlaps, texts)) or is_crossed(obstacles, box.padded(APART))):
            return True
    return False
