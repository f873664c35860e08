"""Where texts go: title, labels, ticks, legend and marks, within their figure."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from weakref import WeakKeyDictionary

import numpy as np

from capcurve._plot.contrast import TEXT, read_color, stand_out
from capcurve._plot.legend import (
    CORNERS,
    GAP,
    Attempt,
    draw_legend,
    find_margins,
    is_free,
    list_attempts,
    list_entries,
)
from capcurve._plot.marks import POINTS, list_texts, place_texts
from capcurve._plot.palette import MARKER_SIZE, Palette
from capcurve._plot.picture import Picture
from capcurve._plot.wording import fit_text
from capcurve.exceptions import warn_caller

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend
    from matplotlib.transforms import Bbox

SIZE = (5.6, 5.6)  # inches of a figure of ours, without a legend outside of the axes
PAD = 0.1  # inches around the axes and texts of a figure of ours
LARGEST = (12.5, 9.0)  # inches that it may grow to
SMALL = 2.35  # inches of axes, below which letters are smaller
SMALLEST = 0.6  # size of letters in the smallest axes, as a share of the usual one
SIDES = {"right": "NW", "below": "N"}  # where square axes are in their room
MOST_TEXTS = 12  # that are worth a search for places
LETTER = 0.5  # width of a letter, as a share of its size
ROUNDS = 2  # of looking again at the other axes of a figure


class Arranged(NamedTuple):
    """What the texts of axes depend on."""

    picture: Picture
    palette: Palette
    has_legend: bool


ARRANGED: WeakKeyDictionary[Axes, Arranged] = WeakKeyDictionary()


def own_figure(figure: Figure) -> Figure:
    """Prepare a figure that capcurve made, which may grow by a legend."""
    figure.set_layout_engine("constrained", w_pad=PAD, h_pad=PAD)
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
    ARRANGED[ax] = Arranged(picture, palette, has_legend)
    settle(ax, ARRANGED[ax])
    known = [each for each in ax.figure.figure.axes if each in ARRANGED]
    for _ in range(ROUNDS if len(known) > 1 else 0):  # each moves the others
        for each in known:
            if not is_settled(each, ARRANGED[each].picture):
                settle(each, ARRANGED[each])


def release(ax: Axes) -> None:
    """Leave the texts of axes where they are when other axes are drawn."""
    ARRANGED.pop(ax, None)


def is_settled(ax: Axes, picture: Picture) -> bool:
    """Whether labels still fit and a legend covers nothing; find new places for marks."""
    if fit_words(ax, is_small=find_share(ax) < 1):
        return False
    legend = ax.get_legend()
    if legend is not None and legend.get_bbox_to_anchor() is ax.bbox:
        corners = [picture.corner, *CORNERS]
        if not is_free(ax, legend, Attempt("inside", corners=corners)):
            return False
    texts = [text for text in list_texts(ax) if text.get_visible()]
    return not texts or place_texts(ax, below=picture.room_below)


def settle(ax: Axes, arranged: Arranged) -> None:
    """Fit the texts of axes, whatever others the figure has."""
    picture, palette, has_legend = arranged
    prepare(ax)
    is_small = fit_letters(ax)
    run_layout(ax)
    if fit_words(ax, is_small=is_small):
        run_layout(ax)
    attempts = list(
        list_attempts(picture.corner, is_small=is_small, in_columns=is_in_columns(ax))
    )
    entries = list_entries(ax, with_values=False, is_small=is_small)
    if len(list_texts(ax)) <= MOST_TEXTS:
        drawn = settle_legend(ax, entries if has_legend else [], attempts, palette)
        if drawn and place_texts(ax, below=picture.room_below):
            return
    values = list_entries(ax, with_values=True, is_small=is_small)
    if not settle_legend(ax, values, attempts, palette):
        drawn = settle_legend(ax, entries, attempts, palette)
        warn_of_room(ax, "values at marks are" if drawn else "legend is")


def warn_of_room(ax: Axes, missing: str) -> None:
    """Warn of texts for which there is no room."""
    width, height = np.divide(ax.get_window_extent().size, ax.figure.figure.dpi)
    warn_caller(
        f"no {missing} drawn, as there is no room on axes of {width:.1f} by {height:.1f} "
        "inches; draw fewer curves, or on larger axes",
        UserWarning,
    )


def prepare(ax: Axes) -> None:
    """Start anew: no text of a mark, a layout engine, texts that are seen."""
    for text in list_texts(ax):
        text.set_visible(False)
    drop_legend(ax)
    if not may_grow(ax.figure.figure):
        start_layout(ax)
    give_contrast(ax)


def drop_legend(ax: Axes) -> None:
    """Remove the legend, and the room for it in a figure of ours."""
    legend = ax.get_legend()
    if legend is not None:
        legend.remove()
    if may_grow(ax.figure.figure):
        resize(ax.figure.figure, *SIZE)
    if ax.get_anchor() in SIDES.values():
        ax.set_anchor("C")


def start_layout(ax: Axes) -> None:
    """Give a figure constrained layout, unless its margins were chosen by the caller."""
    import matplotlib as mpl

    figure = ax.figure.figure
    margins, options = figure.subplotpars, cast("Any", mpl.rcParams)
    untouched = all(
        getattr(margins, side) == options[f"figure.subplot.{side}"]
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
    for each in {ax, *figure.axes}:  # each has moved
        each.apply_aspect()


def fit_letters(ax: Axes) -> bool:
    """Make letters and ticks of small axes smaller; return whether the axes are small."""
    share = find_share(ax)
    if share == 1:
        return False
    for line in ax.lines:
        if line.get_markersize() == MARKER_SIZE:
            line.set_markersize(0.6 * MARKER_SIZE)
    for text in (ax.xaxis.label, ax.yaxis.label, *list_texts(ax)):
        text.set_fontsize(share * find_size("axes.labelsize"))
    is_ours = ax.title.get_label() == ax.get_title()
    size = share * find_size("axes.titlesize") if is_ours else ax.title.get_fontsize()
    ax.title.set_fontsize(size)
    for name in ("x", "y"):
        size = share * find_size(f"{name}tick.labelsize")
        ax.tick_params(name, labelsize=size, pad=2)
        getattr(ax, f"{name}axis").labelpad = 1
    return True


def find_place(ax: Axes) -> Any:
    """Return width and height in inches of the place of axes, whatever texts take."""
    place = ax.get_subplotspec()
    figure = ax.figure.figure
    box = ax.get_position(original=True) if place is None else place.get_position(figure)
    return np.multiply(box.size, ax.figure.bbox.size) / figure.dpi


def is_in_columns(ax: Axes) -> bool:
    """Whether axes have others beside them, which get narrower as they do."""
    place = ax.get_subplotspec()
    return place is not None and place.get_topmost_subplotspec().get_gridspec().ncols > 1


def find_share(ax: Axes) -> float:
    """Return the size of letters of axes, as a share of the usual one."""
    return float(np.clip(np.min(find_place(ax)) / SMALL, SMALLEST, 1.0))


def find_size(option: str) -> float:
    """Return the size of letters, in points, of an option of matplotlib."""
    import matplotlib as mpl
    from matplotlib.font_manager import FontProperties

    options: Any = mpl.rcParams
    return float(FontProperties(size=options[option]).get_size_in_points())


def fit_words(ax: Axes, *, is_small: bool) -> bool:
    """Wrap, shrink or shorten title and labels longer than the axes, or turn ticks.

    Returns
    -------
    bool
        Whether anything changed.
    """
    labels = (ax.title, ax.xaxis.label, ax.yaxis.label)
    before = [label.get_text() for label in labels]
    box, place = ax.get_window_extent(), find_place(ax) * ax.figure.figure.dpi
    share = find_share(ax)
    size = share * find_size("axes.labelsize")
    if ax.title.get_label() == ax.get_title():
        width = max(box.width, place[0])
        fit_text(ax.title, share * find_size("axes.titlesize"), width)
        ax.title.set_label(ax.get_title())
    fit_text(ax.xaxis.label, size, max(box.width, place[0]))
    fit_text(ax.yaxis.label, size, box.height, upright=True)
    return turn_names(ax, is_small=is_small) or before != [
        label.get_text() for label in labels
    ]


def turn_names(ax: Axes, *, is_small: bool) -> bool:
    """Make names at the ticks that would meet smaller, turn them, or leave some out.

    In small axes they are not turned, as they would take the room of the curves.

    Returns
    -------
    bool
        Whether they take more or less room than before.
    """
    size = find_share(ax) * find_size("xtick.labelsize")
    if not do_ticks_meet(ax):
        return False
    ax.tick_params("x", labelsize=0.8 * size)
    if do_ticks_meet(ax) and not is_small:
        ax.tick_params("x", labelsize=size, labelrotation=90)
    names = [label.get_text() for label in ax.get_xticklabels()]
    places = ax.get_xticks()
    step = 2
    while step < len(names) and do_ticks_meet(ax):
        ax.set_xticks(places[::step], labels=names[::step])
        step += 1
    return True


def do_ticks_meet(ax: Axes) -> bool:
    """Whether texts at the ticks of the horizontal axis are less than a letter apart.

    Turned ones are lines on top of each other, for which a pixel is enough.
    """
    labels = ax.get_xticklabels()
    boxes = [label.get_window_extent() for label in labels]
    letter = LETTER * ax.figure.figure.dpi / POINTS
    gaps = [
        1 if each.get_rotation() else letter * float(each.get_fontsize()) for each in labels
    ]
    return any(
        right.x0 < left.x1 + gap
        for (left, right), gap in zip(pairwise(boxes), gaps[1:], strict=True)
    )


def give_contrast(ax: Axes) -> None:
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
) -> bool:
    """Draw the legend in the first way that fits; return False where none does."""
    if ax.get_legend() is not None:
        drop_legend(ax)
        run_layout(ax)
    if not entries:
        return True
    room = ax.get_window_extent().frozen()
    margins = find_margins(ax)
    for attempt in attempts:
        legend = draw_legend(ax, entries, attempt, palette, margins[1])
        if attempt.where == "inside":
            if attempt.may_cover:
                run_layout(ax)  # as it was before legends outside were tried
            if is_free(ax, legend, attempt):
                return True
        elif fits_outside(ax, legend, attempt, room, margins):
            return True
        drop_legend(ax)
    run_layout(ax)
    return False


def fits_outside(
    ax: Axes, legend: Legend, attempt: Attempt, room: Bbox, margins: Any
) -> bool:
    """Make room for a legend outside of axes of that size; return whether it fits."""
    figure = ax.figure.figure
    size = np.asarray(legend.get_window_extent().size) / figure.dpi + GAP / POINTS
    is_right = attempt.where == "right"
    if may_grow(figure):
        grown = np.array(SIZE) + size * (is_right, not is_right)
        is_long = size[1] * figure.dpi > room.height if is_right else size[0] > SIZE[0]
        if is_long or np.any(grown > LARGEST):
            return False
        resize(figure, *grown)
    else:
        kept = attempt.kept * np.min(find_place(ax)) + margins / POINTS
        limits = np.array(figure.get_size_inches())
        if is_in_columns(ax) and not is_right and attempt.n_columns > 1:
            limits[0] = find_place(ax)[0] + margins[0] / POINTS  # beside are others
        if np.any(size + kept * (is_right, not is_right) > limits):
            return False
    ax.set_anchor(SIDES[attempt.where])
    return all(stays_inside(ax, legend, attempt) for _ in range(2))


def stays_inside(ax: Axes, legend: Legend, attempt: Attempt) -> bool:
    """Whether a legend is inside after a further layout.

    Square axes may go back and forth before they rest, also when the figure is saved.
    """
    run_layout(ax)
    run_layout(ax)  # again, as a legend moves with its axes
    return is_inside(ax, legend.get_window_extent(), attempt.kept)


def is_inside(ax: Axes, legend: Bbox, least: float) -> bool:
    """Whether a legend is in the figure, beside other axes, with large enough ones left."""
    figure = ax.figure.figure
    page, box = figure.bbox.padded(0.5), ax.get_window_extent()
    within = page.containsx(legend.x0) and page.containsx(legend.x1)
    within &= page.containsy(legend.y0) and page.containsy(legend.y1)
    is_placed = figure.get_layout_engine() is None or ax.get_subplotspec() is None
    others = [other for other in figure.axes if other is not ax] if is_placed else []
    boxes = filter(None, (other.get_tightbbox() for other in others))
    meets = any(other.overlaps(legend) for other in boxes)
    kept = min(box.width, box.height) >= least * np.min(find_place(ax)) * figure.dpi
    return bool(within and kept and not meets)
