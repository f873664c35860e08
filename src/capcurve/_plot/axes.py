"""Draw a picture on matplotlib axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from capcurve._input.column import as_list
from capcurve._input.options import show
from capcurve._plot.numbers import format_count
from capcurve._plot.options import Style
from capcurve._plot.palette import style_curve
from capcurve._plot.picture import Axis, Layer, Mark, Picture, Role
from capcurve.exceptions import CapcurveError, MissingDependencyError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

MARGIN = 0.01  # around an axis of shares, so that its ends are seen
TEXT_WIDTH, TEXT_HEIGHT = 0.3, 0.045  # size of the text of a mark, as shares of the axes
FIGURE: Mapping[str, Any] = {"figsize": (5.6, 5.6), "layout": "constrained"}
STYLES: Mapping[Role, Mapping[str, Any]] = {
    "chance": {
        "linewidth": 1.0,
        "zorder": 1.5,
        "linestyle": (0, (1, 1.5)),
        "color": "0.35",
    },
    "perfect": {"linewidth": 1.0, "zorder": 1.5, "linestyle": "-", "color": "0.35"},
    "fold": {"linestyle": "--", "alpha": 0.5},
    "shade": {"color": "0.5", "alpha": 0.12, "linewidth": 0, "zorder": 0},
    "band": {"alpha": 0.2, "linewidth": 0, "zorder": 0.5},
    "spread": {"alpha": 0.2, "linewidth": 0, "zorder": 0.5},
    "bounds": {"alpha": 0.2, "linewidth": 0, "zorder": 0.5},
    "random band": {"color": "0.45", "alpha": 0.2, "linewidth": 0, "zorder": 0.5},
}
LEGEND_ORDER: Sequence[Role] = (
    "curve",
    "fold",
    "spread",
    "band",
    "bounds",
    "random band",
    "perfect",
    "chance",
)


@dataclass
class Artists:
    """What was drawn: the artists that displays offer to the caller."""

    figure: Figure
    lines: list[Line2D] = field(default_factory=list)
    mean: Line2D | None = None  # of folds, which are the lines then
    chance: Line2D | None = None
    perfect: Line2D | None = None


@dataclass(frozen=True)
class OwnStyles:
    """Keyword arguments of the caller, over the styles of capcurve."""

    curve_kwargs: Style | Sequence[Style] | None = None
    chance_level_kwargs: Style | None = None
    perfect_level_kwargs: Style | None = None
    despine: bool = False


def new_axes() -> Axes:
    """Create axes in a new pyplot figure."""
    axes: Axes = import_pyplot().figure(**FIGURE).subplots()
    return axes


def check_axes(ax: Any) -> Axes:
    """Return matplotlib axes; raise for a figure, an array of axes or anything else."""
    from matplotlib.axes import Axes

    if not isinstance(ax, Axes):
        raise CapcurveError(
            f"`ax` must be one matplotlib Axes, got {show(ax)}; pass one of the "
            "axes of the figure, such as `axes[0]`"
        )
    return ax


def import_pyplot() -> Any:
    """Import pyplot, or raise with the command that installs it."""
    try:
        import matplotlib.pyplot as plt
    except ModuleNotFoundError as error:
        missing = MissingDependencyError("matplotlib", extra="plot", purpose="plotting")
        raise missing from error
    return plt


def new_figure() -> Figure:
    """Create a figure that pyplot does not manage, for writing to a file."""
    from matplotlib.figure import Figure

    return Figure(**FIGURE)


def draw_picture(ax: Axes, picture: Picture, own: OwnStyles) -> Artists:
    """Draw a picture on axes, which may hold others already.

    Parameters
    ----------
    ax : matplotlib Axes
    picture : Picture
    own : OwnStyles

    Returns
    -------
    Artists
        The lines of curves, or of folds, and both references.
    """
    drawn = Artists(cast("Figure", ax.get_figure(root=True)))
    colors = draw_lines(ax, picture, own, drawn)
    for layer in picture.layers:
        if layer.role == "chance":
            drawn.chance = draw_reference(ax, layer, own.chance_level_kwargs)
        elif layer.role == "perfect":
            drawn.perfect = draw_reference(ax, layer, own.perfect_level_kwargs)
        elif layer.role in {"bars", "limits", "gap"}:
            draw_band_layer(ax, layer, picture)
        elif layer.top is not None:
            draw_area(ax, layer, colors.get(layer.number))
    for mark in picture.marks:
        draw_mark(ax, mark, colors[mark.number], below=picture.room_below)
    finish_axes(ax, picture, own)
    return drawn


def draw_lines(
    ax: Axes, picture: Picture, own: OwnStyles, drawn: Artists
) -> dict[int, Any]:
    """Draw the lines of curves and folds; return the colour of each number."""
    layers = [layer for layer in picture.layers if layer.role in {"curve", "fold"}]
    kwargs = repeat_styles(own.curve_kwargs, len(layers))
    before = sum(line.get_gid() == gid("curve") for line in ax.lines)
    colors: dict[int, Any] = {}
    for layer, given in zip(layers, kwargs, strict=True):
        style = {**style_curve(before + layer.number), **STYLES.get(layer.role, {})}
        line = draw_line(ax, layer, merge_style(style, given, "curve_kwargs"))
        drawn.lines.append(line)
        colors.setdefault(layer.number, line.get_color())
    if {layer.role for layer in layers} == {"curve", "fold"}:
        drawn.mean = drawn.lines.pop()
    return colors


def gid(role: Role) -> str:
    """Return the name by which an artist is known to have been drawn here."""
    return f"capcurve-{role.replace(' ', '-')}"


def repeat_styles(styles: Style | Sequence[Style] | None, n_lines: int) -> list[Any]:
    """Return the caller's style for each line, or raise for another number of them."""
    if styles is None or isinstance(styles, Mapping):
        return [styles] * n_lines
    listed = as_list(styles) or []
    known = all(each is None or isinstance(each, Mapping) for each in listed)
    if len(listed) != n_lines or not known:
        raise CapcurveError(
            "`curve_kwargs` must be one dict, or a list with a dict for each curve "
            f"({n_lines}), got {show(styles)}; pass one of the two"
        )
    return list(listed)


def merge_style(
    default: Mapping[str, Any], own: Mapping[str, Any] | None, option: str
) -> dict[str, Any]:
    """Override a default style, resolving matplotlib's aliases such as ``lw``."""
    from matplotlib import cbook
    from matplotlib.lines import Line2D

    own = {} if own is None else own
    try:
        Line2D([], [], **own)  # which refuses what it does not know
        return {
            **cbook.normalize_kwargs(dict(default), Line2D),
            **cbook.normalize_kwargs(dict(own), Line2D),
        }
    except (AttributeError, TypeError, ValueError) as error:
        raise CapcurveError(
            f"`{option}` must hold keyword arguments of matplotlib's `plot`, got "
            f"{show(own)} ({error}); pass a dict, such as {{'color': 'C1'}}"
        ) from error


def draw_line(ax: Axes, layer: Layer, style: Mapping[str, Any]) -> Line2D:
    """Draw one line."""
    named = {"label": layer.entry or "_nolegend_", **style}
    return ax.plot(layer.x, layer.y, gid=gid(layer.role), **named)[0]


def draw_reference(ax: Axes, layer: Layer, own: Style | None) -> Line2D:
    """Draw a reference line, unless the same one is there already."""
    option = f"{layer.role}_level_kwargs"
    style = merge_style({"label": layer.entry, **STYLES[layer.role]}, own, option)
    drawn = [line for line in ax.lines if line.get_gid() == gid(layer.role)]
    path = np.column_stack([layer.x, layer.y])
    for line in drawn:
        if np.array_equal(line.get_xydata(), path, equal_nan=True):
            return line
    if drawn:
        style["label"] = "_nolegend_"
    return ax.plot(layer.x, layer.y, gid=gid(layer.role), **style)[0]


def draw_area(ax: Axes, layer: Layer, color: Any) -> None:
    """Fill an area, with a legend entry for the first of its name."""
    named = layer.entry in ax.get_legend_handles_labels()[1]
    label = "_nolegend_" if named or layer.entry is None else layer.entry
    style = {"color": color, **STYLES[layer.role]}
    top = np.asarray(layer.top)
    ax.fill_between(layer.x, layer.y, top, label=label, gid=gid(layer.role), **style)


def draw_band_layer(ax: Axes, layer: Layer, picture: Picture) -> None:
    """Draw bars side by side, the limits of bars, or the gap between two lines."""
    numbers = sorted({each.number for each in picture.layers if each.role == "bars"})
    width = 0.8 / max(len(numbers), 1)
    label = layer.entry or "_nolegend_"
    named: dict[str, Any] = {"label": label, "gid": gid(layer.role)}
    if layer.role == "gap":
        ax.plot(layer.x, layer.y, color="0.2", marker="_", **named)
        return
    x = layer.x + (numbers.index(layer.number) - (len(numbers) - 1) / 2) * width
    if layer.role == "bars":
        color = style_curve(layer.number)["color"]
        ax.bar(x, layer.y, 0.92 * width, color=color, alpha=0.8, **named)
        return
    middle = (layer.y + np.asarray(layer.top)) / 2
    reach = np.asarray(layer.top) - middle
    ax.errorbar(x, middle, reach, fmt="none", ecolor="0.2", capsize=3, **named)


def draw_mark(ax: Axes, mark: Mark, color: Any, *, below: bool) -> None:
    """Draw dashed lines from both axes to a point, with text beside it.

    The text moves up, or down if ``below``, until it covers no earlier one.
    """
    x, y = mark.x, mark.y
    style = {"color": color, "linewidth": 0.9, "gid": "capcurve-mark", "zorder": 1.8}
    ax.plot([x, x, 0.0], [0.0, y, y], linestyle=(0, (4, 3)), label="_nolegend_", **style)
    ax.plot([x], [y], marker="o", markersize=5, label="_nolegend_", **style)
    width, height = ax.dataLim.width, ax.dataLim.height
    line = (-TEXT_HEIGHT if below else TEXT_HEIGHT) * height
    beside, level = x + 0.015 * width, y + 0.25 * line
    placed = [each.get_position() for each in ax.texts if each.get_gid() == "capcurve-mark"]
    while any(
        abs(beside - across) < TEXT_WIDTH * width and abs(level - up) < abs(line)
        for across, up in placed
    ):
        level += line
    ax.text(
        beside,
        level,
        mark.text,
        va="top" if below else "bottom",
        fontsize="small",
        color=color,
        gid="capcurve-mark",
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.0},
    )


def finish_axes(ax: Axes, picture: Picture, own: OwnStyles) -> None:
    """Set labels, limits, ticks, frame, title and legend."""
    for name in ("x", "y"):
        set_axis(ax, name, getattr(picture, name))
    if picture.is_square:
        ax.set_aspect("equal")
    if picture.title and not ax.get_title():
        ax.set_title(picture.title)
    if own.despine:
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
    draw_legend(ax, picture)


def set_axis(ax: Axes, name: str, axis: Axis) -> None:
    """Set the label, the limits and the ticks of an axis."""
    from matplotlib.ticker import FuncFormatter, PercentFormatter

    margin = MARGIN if axis.unit == "share" else 0.0
    low, high = axis.low, axis.high
    limits = {
        "left" if name == "x" else "bottom": None if low is None else low - margin,
        "right" if name == "x" else "top": None if high is None else high + margin,
    }
    getattr(ax, f"set_{name}lim")(**limits)
    getattr(ax, f"set_{name}label")(axis.label)
    of_axes = getattr(ax, f"{name}axis")
    if axis.unit == "share":
        of_axes.set_major_formatter(PercentFormatter(1.0, decimals=0))
    elif axis.unit == "amount":
        of_axes.set_major_formatter(FuncFormatter(lambda value, _: format_count(value)))
    elif axis.unit == "name":
        of_axes.set_ticks(range(len(axis.names)), labels=axis.names)


def draw_legend(ax: Axes, picture: Picture) -> None:
    """Draw a legend, curves first."""
    order = {gid(role): i for i, role in enumerate(LEGEND_ORDER)}
    listed = sorted(
        zip(*ax.get_legend_handles_labels(), strict=True),
        key=lambda entry: order.get(getattr(entry[0], "get_gid", str)() or "", 0),
    )
    if listed:
        handles, labels = zip(*listed, strict=True)
        ax.legend(handles, labels, loc=picture.corner, fontsize="small")
