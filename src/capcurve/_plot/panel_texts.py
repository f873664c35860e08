"""Texts of panels: titles, keys of numbers, shared labels and the shared legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from capcurve._plot.legend import APART, CORNERS, name_of
from capcurve._plot.marks import MARK, Obstacle, is_crossed, trace
from capcurve._plot.palette import MARKER_SIZE
from capcurve._plot.picture import Corner, printable
from capcurve._plot.wording import fit_text, shorten

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend
    from matplotlib.lines import Line2D
    from matplotlib.text import Text

POINTS = 72  # per inch
PAD = 0.08  # inches between texts, and around the figure
GAP = 0.22  # least inches between panels of a row
TITLE_PAD = 5.0  # points between a panel and its title
SMALL = 2.4  # inches of a panel below which letters are smaller
KEY_SHARE = 0.6  # of the height of a panel that a key may take
LETTERS = 0.83  # size of letters in a legend, as a share of the font's size
LENGTHS = (400, 60, 40, 24, 14)  # characters of the names in a legend
LAST = ("capcurve-other", "capcurve-perfect", "capcurve-chance")  # in the legend


class Margins(NamedTuple):
    """Room for texts, in inches."""

    left: float
    right: float
    bottom: float
    top: float
    title: float  # above each panel of the first row
    above: float  # each panel of the other rows, up to the panel above
    between: float  # panels of a row
    widest: float  # least width of the figure
    legend: float  # height of the legend, with the space above it


@dataclass
class GridTexts:
    """The texts that all panels share."""

    figure: Figure
    x_label: Text
    y_label: Text
    title: Text | None
    legend: Legend | None

    def place(self, center: float, middle: float, left: float, margins: Margins) -> None:
        """Place the texts around panels, whose centre is given in inches."""
        width, height = self.figure.get_size_inches()
        self.x_label.set_position((center / width, margins.legend / height))
        self.y_label.set_position(((left - margins.left + PAD) / width, middle / height))
        if self.title is not None:
            self.title.set_position((center / width, 1 - PAD / height))
        if self.legend is not None:
            self.legend.set_bbox_to_anchor((center / width, PAD / height))


def set_panel_title(ax: Axes, title: str, number: str | None) -> None:
    """Write the title of a panel within its width, the number in a line of its own."""
    size = float(ax.title.get_fontsize()) * (0.83 if find_side(ax) >= SMALL else 0.7)
    text = ax.set_title(printable(title), fontsize=size, pad=TITLE_PAD)
    text.set_parse_math(False)  # names are no formulas
    if title:
        fit_text(text, size, ax.get_window_extent().width)
    text.set_text("\n".join(filter(None, (text.get_text(), number))))


def find_side(ax: Axes) -> float:
    """Return the height of axes in inches."""
    return float(ax.get_window_extent().height / ax.figure.figure.dpi)


def draw_key(
    ax: Axes, lines: Sequence[Line2D], numbers: Sequence[str], corner: Corner
) -> str:
    """Draw the numbers of curves into their panel; return what has no room there.

    Those of a single curve are behind a dot, as its marks are; a curve without any has no
    part in the key.
    """
    shown = [(line, number) for line, number in zip(lines, numbers, strict=False) if number]
    if not shown:
        return ""
    marked = [line.get_color() for line in ax.lines if line.get_gid() == MARK]
    is_alone = len(shown) == 1 and bool(marked)
    key = ax.legend(
        [make_dot(marked[0])] if is_alone else [line for line, _ in shown],
        [number for _, number in shown],
        loc=corner,
        fontsize=float(ax.title.get_fontsize()) * 0.9,
        handlelength=0.8 if is_alone else 2.2,
        numpoints=1,
        labelspacing=0.2,
        borderaxespad=0.2,
        handletextpad=0.3 if is_alone else 0.5,
        borderpad=0.2 if is_alone else 0.4,
        framealpha=0.8,
    )
    room = ax.get_window_extent()
    is_low = key.get_window_extent().height <= KEY_SHARE * room.height
    if is_low and (move_key(ax, key, corner) or not is_alone):
        return ""
    key.remove()
    return shown[0][1] if is_alone else ""


def make_dot(color: Any) -> Line2D:
    """Make a dot for a key, as that of a mark."""
    from matplotlib.lines import Line2D

    return Line2D([], [], marker="o", linestyle="none", color=color, markersize=MARKER_SIZE)


def move_key(ax: Axes, key: Legend, corner: Corner) -> bool:
    """Move a key to a corner where it covers no line, or no curve and no mark at least."""
    lines = list(ax.lines)
    main = [line for line in lines if line.get_gid() not in LAST]
    least = [line for line in main if line.get_gid() != MARK or is_dot(line)]
    corners = [corner, *(each for each in CORNERS if each != corner)]
    for few in (lines, main, least):
        obstacles = [Obstacle(trace(line), is_area=False) for line in few]
        for each in corners:
            key.set_loc(each)
            if not is_crossed(obstacles, key.get_window_extent().padded(APART)):
                return True
    key.set_loc(corner)
    return False


def is_dot(line: Line2D) -> bool:
    """Whether a line of a mark is its dot, not one of those from the axes to it."""
    return line.get_marker() != "None"


def draw_texts(
    figure: Figure,
    axes: Sequence[Axes],
    labels: tuple[str, str],
    title: str | None,
    inches: float,
) -> GridTexts:
    """Write the title of the figure, the labels of its axes and the legend.

    Title and legend fit a width in inches.
    """
    import matplotlib as mpl

    style = {"fontsize": mpl.rcParams["axes.labelsize"]}
    style["color"] = mpl.rcParams["axes.labelcolor"]
    x_label = figure.supxlabel(labels[0], va="bottom", ha="center", **style)
    y_label = figure.supylabel(labels[1], va="center", ha="left", **style)
    above = None
    if title:
        above = figure.suptitle(printable(title), va="top", ha="center")
    room = inches * figure.dpi
    if above is not None:
        fit_text(above, float(above.get_fontsize()), room)
    legend = draw_legend(figure, list_entries(axes), room)
    return GridTexts(figure, x_label, y_label, above, legend)


def list_entries(axes: Sequence[Axes]) -> list[tuple[Artist, str]]:
    """List the distinct legend entries of all panels, reference lines last."""
    named: dict[str, Artist] = {}
    for ax in axes:
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
            named.setdefault(label, handle)
    places = {name: i for i, name in enumerate(LAST)}
    return sorted(
        ((handle, label) for label, handle in named.items()),
        key=lambda entry: places.get(name_of(entry[0]), -1),
    )


def draw_legend(
    figure: Figure, entries: Sequence[tuple[Artist, str]], room: float
) -> Legend | None:
    """Draw a legend below the panels, in as many columns as fit the width in pixels."""
    if not entries:
        return None
    import matplotlib as mpl

    handles, labels = zip(*entries, strict=True)
    counts = {-(-len(labels) // n_rows) for n_rows in range(1, len(labels) + 1)}
    attempts = list(product(LENGTHS, sorted(counts, reverse=True)))
    while True:
        length, n_columns = attempts.pop(0)
        legend = figure.legend(
            handles,
            [shorten(label, length) for label in labels],
            loc="lower center",
            ncols=n_columns,
            fontsize=LETTERS * mpl.rcParams["font.size"],
            handlelength=3,
            numpoints=1,
            borderaxespad=0,
            frameon=False,
        )
        if not attempts or legend.get_window_extent().width <= room:
            return legend
        legend.remove()


def measure_texts(
    axes: Sequence[Axes], texts: GridTexts, shared: tuple[bool, bool]
) -> Margins:
    """Measure the room that texts take around the panels and between them.

    ``shared``: whether all panels have one axis across, and one up, so that those inside
    have no texts at their ticks.
    """
    dpi = texts.figure.dpi
    ticks = [ax.xaxis.get_tightbbox() or ax.bbox for ax in axes]
    beside = [ax.yaxis.get_tightbbox() or ax.bbox for ax in axes]
    boxes = [ax.get_window_extent() for ax in axes]
    over_left = max(box.x0 - each.x0 for box, each in zip(boxes, ticks, strict=True))
    over_right = max(each.x1 - box.x1 for box, each in zip(boxes, ticks, strict=True))
    below = max(box.y0 - each.y0 for box, each in zip(boxes, ticks, strict=True))
    left = max(box.x0 - each.x0 for box, each in zip(boxes, beside, strict=True))
    title = max(ax.title.get_window_extent().height for ax in axes)
    title = title / dpi + TITLE_PAD / POINTS + 2 * PAD
    inside = over_left if shared[1] else max(left, over_left)
    legend = measure(texts.legend)
    above = measure(texts.title)
    under = (legend[1] / dpi + PAD if texts.legend else 0) + PAD
    return Margins(
        left=(max(left, over_left) + measure(texts.y_label)[0]) / dpi + 2 * PAD,
        right=max(over_right, 0) / dpi + PAD,
        bottom=(below + measure(texts.x_label)[1]) / dpi + PAD + under,
        top=PAD + (above[1] / dpi + PAD if texts.title else 0),
        title=title,
        above=title if shared[0] else title + below / dpi,
        between=max(GAP, (inside + over_right) / dpi + PAD),
        widest=2 * PAD + max(legend[0], above[0]) / dpi,
        legend=under,
    )


def measure(artist: Text | Legend | None) -> tuple[float, float]:
    """Return the width and the height of a text in pixels."""
    if artist is None:
        return 0.0, 0.0
    box = artist.get_window_extent()
    return box.width, box.height
