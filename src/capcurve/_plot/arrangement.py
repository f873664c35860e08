"""Where texts go: title, labels, ticks, legend and marks, within their figure."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from capcurve._plot.contrast import TEXT, read_color, stand_out
from capcurve._plot.legend import (
    GAP,
    Attempt,
    draw_legend,
    is_free,
    list_attempts,
    list_entries,
)
from capcurve._plot.marks import POINTS, list_texts, place_texts
from capcurve._plot.palette import Palette
from capcurve._plot.picture import Picture
from capcurve._plot.wording import fit_text
from capcurve.exceptions import warn_caller

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.transforms import Bbox

SIZE = (5.6, 5.6)  # inches of a figure of ours, without a legend outside of the axes
WIDEST, HIGHEST = 12.0, 12.0  # inches that it may grow to
SMALL = 2.4  # inches of axes, below which letters are smaller
SMALLEST = 0.6  # size of letters in the smallest axes, as a share of the usual one
KEPT = 0.5  # least share of the axes' width and height that a legend leaves them


def own_figure(figure: Figure) -> Figure:
    """Prepare a figure that capcurve made, which may grow by a legend."""
    figure.set_layout_engine("constrained")
    resize(figure, *SIZE)
    return figure


def resize(figure: Figure, width: float, height: float) -> None:
    """Set the size of a figure of ours, and note it, so as to see a later change."""
    figure.set_size_inches(width, height)
    figure.set_gid(note_size(figure))


def note_size(figure: Figure) -> str:
    """Return a name that holds the size of a figure."""
    width, height = figure.get_size_inches()
    return f"capcurve-figure-{width:.3f}-{height:.3f}"


def may_grow(figure: Figure) -> bool:
    """Whether a figure is ours, still of the size that it was given, with one picture."""
    return len(figure.axes) == 1 and figure.get_gid() == note_size(figure)


def arrange(
    ax: Axes, picture: Picture, palette: Palette, *, has_legend: bool = True
) -> None:
    """Fit title, labels, ticks, legend and the texts of marks into the figure.

    A figure without a layout engine whose margins nobody changed gets constrained layout.
    """
    prepare(ax, palette)
    is_small = fit_letters(ax)
    run_layout(ax)
    fit_words(ax)
    for with_values, may_be_inside in ((False, True), (False, False), (True, True)):
        entries = list_entries(ax, with_values=with_values, is_small=is_small)
        attempts = [
            attempt
            for attempt in list_attempts(picture.corner, is_small=is_small)
            if may_be_inside or attempt.where != "inside"
        ]
        drop_legend(ax)
        if has_legend or with_values:
            settle_legend(ax, entries, attempts, palette)
        if with_values or place_texts(ax, below=picture.room_below):
            return


def prepare(ax: Axes, palette: Palette) -> None:
    """Start anew: no legend, no text of a mark, a layout engine, texts that are seen."""
    for text in list_texts(ax):
        text.set_visible(False)
    drop_legend(ax)
    if not may_grow(ax.figure.figure):
        start_layout(ax)
    give_contrast(ax, palette)


def drop_legend(ax: Axes) -> None:
    """Remove the legend, and the room for it in a figure of ours."""
    legend = ax.get_legend()
    if legend is not None:
        legend.remove()
    if may_grow(ax.figure.figure):
        resize(ax.figure.figure, *SIZE)
    run_layout(ax)


def start_layout(ax: Axes) -> None:
    """Give a figure constrained layout, unless its margins were chosen by the caller."""
    import matplotlib as mpl

    figure = ax.figure.figure
    margins = figure.subplotpars
    untouched = all(
        getattr(margins, side) == mpl.rcParams[f"figure.subplot.{side}"]
        for side in ("left", "right", "bottom", "top", "wspace", "hspace")
    )
    in_grid = ax.get_subplotspec() is not None
    if figure.get_layout_engine() is None and untouched and in_grid:
        figure.set_layout_engine("constrained")


def run_layout(ax: Axes) -> None:
    """Let the layout engine place the axes now, so that sizes can be measured."""
    figure = ax.figure.figure
    engine = figure.get_layout_engine()
    if engine is not None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of too little room, which is seen below
            engine.execute(figure)
    ax.apply_aspect()


def fit_letters(ax: Axes) -> bool:
    """Make letters and ticks of small axes smaller; return whether the axes are small."""
    figure = ax.figure.figure
    place = ax.get_subplotspec()
    box = ax.get_position(original=True) if place is None else place.get_position(figure)
    inches = min(box.width, box.height) * min(ax.figure.bbox.size) / figure.dpi
    if inches >= SMALL:
        return False
    share = max(SMALLEST, inches / SMALL)
    for text in (ax.xaxis.label, ax.yaxis.label, *list_texts(ax)):
        text.set_fontsize(share * find_size("axes.labelsize"))
    for name in ("x", "y"):
        size = share * find_size(f"{name}tick.labelsize")
        ax.tick_params(name, labelsize=size, pad=2)
        getattr(ax, f"{name}axis").labelpad = 1
    return True


def find_size(option: str) -> float:
    """Return the size of letters, in points, of an option of matplotlib."""
    import matplotlib as mpl
    from matplotlib.font_manager import FontProperties

    return float(FontProperties(size=mpl.rcParams[option]).get_size_in_points())


def fit_words(ax: Axes) -> None:
    """Wrap, shrink or shorten title and labels that are longer than the axes."""
    box = ax.get_window_extent()
    share = ax.xaxis.label.get_fontsize() / find_size("axes.labelsize")
    if ax.title.get_label() == ax.get_title():
        fit_text(ax.title, min(1.0, share) * find_size("axes.titlesize"), box.width)
        ax.title.set_label(ax.get_title())
    fit_text(ax.xaxis.label, ax.xaxis.label.get_fontsize(), box.width)
    fit_text(ax.yaxis.label, ax.yaxis.label.get_fontsize(), box.height, upright=True)
    turn_names(ax)


def turn_names(ax: Axes) -> None:
    """Turn the names at the ticks of the horizontal axis that would meet."""
    boxes = [label.get_window_extent() for label in ax.get_xticklabels()]
    if any(right.x0 < left.x1 + 2 for left, right in zip(boxes, boxes[1:])):
        ax.tick_params("x", labelrotation=90)


def give_contrast(ax: Axes, palette: Palette) -> None:
    """Make the texts around the axes darker, or lighter, where they are hard to read."""
    from matplotlib.colors import to_hex

    behind = read_color(ax.figure.get_facecolor())

    def legible(color: object) -> str:
        return to_hex(stand_out(read_color(color, behind), [behind], TEXT))

    for text in (ax.title, ax.xaxis.label, ax.yaxis.label):
        text.set_color(legible(text.get_color()))
    for axis in (ax.xaxis, ax.yaxis):
        for label in axis.get_ticklabels()[:1]:
            axis.set_tick_params(labelcolor=legible(label.get_color()))


def settle_legend(
    ax: Axes,
    entries: Sequence[tuple[Artist, str]],
    attempts: Sequence[Attempt],
    palette: Palette,
) -> None:
    """Draw the legend in the first way that fits; warn where none does."""
    if not entries:
        return
    room = ax.get_window_extent()
    for attempt in attempts:
        legend = draw_legend(ax, entries, attempt, palette)
        if attempt.where == "inside":
            if is_free(ax, legend, may_cover=attempt.may_cover):
                return
        elif fits_outside(ax, attempt, room):
            return
        drop_legend(ax)
    width, height = ax.figure.figure.get_size_inches()
    warn_caller(
        f"no legend is drawn: {len(entries)} entries do not fit into axes of "
        f"{room.width / ax.figure.figure.dpi:.1f} by "
        f"{room.height / ax.figure.figure.dpi:.1f} inches in a figure of {width:.1f} by "
        f"{height:.1f}; draw fewer curves, or on larger axes",
        UserWarning,
    )


def fits_outside(ax: Axes, attempt: Attempt, room: Bbox) -> bool:
    """Make room for a legend outside of axes of that size; return whether it fits."""
    figure = ax.figure.figure
    legend = ax.get_legend()
    size = legend.get_window_extent().size / figure.dpi + GAP / POINTS
    if may_grow(figure):
        inches = np.array([room.width, room.height]) / figure.dpi
        across, down = (1, 0) if attempt.where == "right" else (0, 1)
        grown = np.array(SIZE) + size * (across, down)
        overlap = np.maximum(0, size - inches) * (down, across)
        grown += overlap
        if grown[0] > WIDEST or grown[1] > HIGHEST:
            return False
        resize(figure, *grown)
    run_layout(ax)
    return is_inside(ax, legend.get_window_extent(), room)


def is_inside(ax: Axes, legend: Bbox, room: Bbox) -> bool:
    """Whether a legend is within the figure, beside the other axes, with large axes left."""
    figure = ax.figure.figure
    page, box = figure.bbox.padded(0.5), ax.get_window_extent()
    within = page.containsx(legend.x0) and page.containsx(legend.x1)
    within &= page.containsy(legend.y0) and page.containsy(legend.y1)
    others = (other.get_tightbbox() for other in figure.axes if other is not ax)
    meets = any(other is not None and other.overlaps(legend) for other in others)
    kept = min(box.width / room.width, box.height / room.height) >= KEPT
    return bool(within and kept and not meets)
