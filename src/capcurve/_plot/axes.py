"""Draw a picture on matplotlib axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from capcurve._input.column import as_list
from capcurve._input.options import show
from capcurve._plot.arrangement import ARRANGED, arrange, own_figure
from capcurve._plot.contrast import RGB, read_color
from capcurve._plot.legend import CURVES
from capcurve._plot.marks import draw_mark
from capcurve._plot.numbers import format_count
from capcurve._plot.options import Style
from capcurve._plot.palette import AREA, HATCHES, SHADE, Palette, read_palette
from capcurve._plot.picture import Axis, Layer, Picture, Role, are_alike
from capcurve.exceptions import CapcurveError, MissingDependencyError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

MARGIN = 0.01  # of an axis of shares, around it, so that its ends are seen
BARS = 0.8  # width of all bars at a place, as a share of the distance between places
STEPS = (1, 2, 2.5, 5, 10)  # of ticks of amounts
WHOLE = 2  # range of an axis of amounts from which on its ticks are whole numbers
WIDE = 2.6  # points of one of several gaps, which is in the colour of its curve
LINES: Mapping[Role, Mapping[str, Any]] = {
    "chance": {"linewidth": 1.0, "zorder": 1.5, "linestyle": (0, (1, 1.5))},
    "perfect": {"linewidth": 1.0, "zorder": 1.5, "linestyle": "-"},
    "fold": {"linewidth": 0.7, "linestyle": "-", "marker": "None"},  # around their mean
    "gap": {"linewidth": 1.5, "linestyle": "-", "marker": "_", "markersize": 7},
}


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
    """Keyword arguments of the caller, over the styles of capcurve.

    ``legend``: whether the axes have one; panels share one of their figure.
    """

    curve_kwargs: Style | Sequence[Style] | None = None
    chance_level_kwargs: Style | None = None
    perfect_level_kwargs: Style | None = None
    despine: bool = False
    legend: bool = True


def new_axes() -> Axes:
    """Create axes in a new pyplot figure."""
    axes: Axes = own_figure(import_pyplot().figure()).subplots()
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

    return own_figure(Figure())


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
    refuse_shared_axes(ax, picture)
    drawn = Artists(ax.figure.figure)
    palette = read_palette(ax)
    before = sum(line.get_gid() == gid("curve") for line in ax.lines)
    has_others = holds_picture(ax)
    colors = draw_lines(ax, picture, own, drawn, palette)
    n_bars = sum(layer.role == "bars" for layer in picture.layers)
    sides = {number: i for i, number in enumerate(list_numbers(picture, "bars"))}
    for layer in picture.layers:
        color = colors.get(layer.number, palette.color(before + layer.number))
        if layer.role == "chance":
            line = draw_reference(ax, layer, own.chance_level_kwargs, palette, color)
            drawn.chance = drawn.chance or line
        elif layer.role == "perfect":
            given = own.perfect_level_kwargs
            drawn.perfect = draw_reference(ax, layer, given, palette, color)
        elif layer.role == "gap":
            dashes = palette.style(before + layer.number)["linestyle"]
            draw_line(ax, layer, style_gap(picture, palette, color, dashes))
        elif layer.role in {"bars", "limits"}:
            place = sides.get(layer.number, 0), max(1, n_bars)
            draw_bars(ax, layer, palette, color, place)
        elif layer.top is not None:
            n_areas = len(list_numbers(picture, layer.role))
            draw_area(ax, layer, palette, color, n_areas)
    set_axes(ax, picture, own, has_others=has_others)
    # Lines may be in another order than their numbers, as those of KS are.
    places = {layer.number: before + i for i, layer in enumerate(picture.curves)}
    for mark in picture.marks:
        color = colors.get(mark.number, palette.ink)
        draw_mark(ax, mark, picture, places.get(mark.number, -1), palette.text(color))
    arrange(ax, picture, palette, has_legend=own.legend)
    return drawn


def refuse_shared_axes(ax: Axes, picture: Picture) -> None:
    """Raise for a further picture on axes where one of the two must be alone."""
    before = ARRANGED.get(ax)
    is_alone = picture.is_alone or (before is not None and before.picture.is_alone)
    if is_alone and holds_picture(ax):
        raise CapcurveError(
            "`ax` must hold no other picture where one of the two is KS or a gains table, "
            "got axes that hold one; pass several models in one call, as a dict of scores "
            "by name, or pass other axes"
        )


def holds_picture(ax: Axes) -> bool:
    """Whether curves or bars were drawn on axes before, and are still there."""
    return any(artist.get_gid() in CURVES for artist in (*ax.lines, *ax.patches))


def style_gap(picture: Picture, palette: Palette, color: RGB, dashes: Any) -> Style:
    """Return the style of a gap: of several, colour and dashes of their curves.

    They are wider, as on black their colour may be that of the curve itself.
    """
    style = {"color": palette.ink, **LINES["gap"]}
    if len(list_numbers(picture, "gap")) > 1:
        style |= {"color": palette.text(color), "linestyle": dashes}
        style["linewidth"] = WIDE
    return style


def list_numbers(picture: Picture, role: Role) -> list[int]:
    """List the numbers of the layers of a role."""
    return sorted({layer.number for layer in picture.layers if layer.role == role})


def draw_lines(
    ax: Axes, picture: Picture, own: OwnStyles, drawn: Artists, palette: Palette
) -> dict[int, RGB]:
    """Draw the lines of curves and folds; return the colour of each number."""
    layers = [layer for layer in picture.layers if layer.role in {"curve", "fold"}]
    kwargs = repeat_styles(own.curve_kwargs, len(layers))
    before = sum(line.get_gid() == gid("curve") for line in ax.lines)
    colors: dict[int, RGB] = {}
    means = {layer.number for layer in picture.curves}
    for layer, given in zip(layers, kwargs, strict=True):
        style = dict(palette.style(before + layer.number))
        if layer.role == "fold":
            style |= style_fold(palette, style["color"], has_mean=layer.number in means)
        line = draw_line(ax, layer, merge_style(style, given, "curve_kwargs"))
        drawn.lines.append(line)
        colors[layer.number] = read_color(line.get_color(), palette.background)
    if {layer.role for layer in layers} == {"curve", "fold"}:
        drawn.mean = drawn.lines.pop()
    return colors


def style_fold(palette: Palette, color: RGB, *, has_mean: bool) -> Style:
    """Return the style of a fold; those without a mean have dashes and markers of a curve.

    These are all that tell apart events and non-events of several models.
    """
    shape = LINES["fold"] if has_mean else {"linewidth": 0.9, "markersize": 3}
    return {"color": palette.fold(color), **shape}


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
    named = {"label": name_entry(layer), **style}
    return ax.plot(layer.x, layer.y, gid=gid(layer.role), **named)[0]


def name_entry(layer: Layer) -> str:
    """Return the label of a layer; matplotlib hides those that begin with a dash below."""
    if layer.entry is None:
        return "_nolegend_"
    return f" {layer.entry}" if layer.entry.startswith("_") else layer.entry


def draw_reference(
    ax: Axes, layer: Layer, own: Style | None, palette: Palette, color: RGB
) -> Line2D:
    """Draw a reference line, unless the same one is there already.

    One with a name is that of a curve among others, in the colour of that curve.
    """
    option = f"{layer.role}_level_kwargs"
    of_curve = palette.faint() if layer.name is None else palette.text(color)
    default = {"label": name_entry(layer), "color": of_curve, **LINES[layer.role]}
    style = merge_style(default, own, option)
    drawn = [line for line in ax.lines if line.get_gid() == gid(layer.role)]
    for line in drawn:
        if are_alike(np.transpose(line.get_xydata()), (layer.x, layer.y)):
            return line
    if drawn and (layer.name is None or style["label"] in map(read_label, drawn)):
        style["label"] = "_nolegend_"
    return ax.plot(layer.x, layer.y, gid=gid(layer.role), **style)[0]


def read_label(line: Line2D) -> object:
    """Return the legend entry of a line."""
    return line.get_label()


def draw_area(ax: Axes, layer: Layer, palette: Palette, color: RGB, n_areas: int) -> None:
    """Fill an area, with a legend entry for the first of its name.

    What belongs to no curve is drawn once.
    """
    named = layer.entry in ax.get_legend_handles_labels()[1]
    label = "_nolegend_" if named else name_entry(layer)
    is_common = layer.role in {"shade", "random band"}
    opacity = AREA if is_common else AREA / n_areas**0.5  # of areas on top of each other
    drawn = [area for area in ax.collections if area.get_gid() == gid(layer.role)]
    area = ax.fill_between(
        layer.x,
        layer.y,
        np.asarray(layer.top),
        label=label,
        gid=gid(layer.role),
        color=palette.ink if is_common else color,
        alpha=SHADE if layer.role == "shade" else opacity,
        linewidth=0,
        zorder=0 if layer.role == "shade" else 0.5,
    )
    path, *others = (np.transpose(each.get_paths()[0].vertices) for each in (area, *drawn))
    if is_common and any(are_alike(path, other) for other in others):
        area.remove()


def draw_bars(
    ax: Axes, layer: Layer, palette: Palette, color: RGB, place: tuple[int, int]
) -> None:
    """Draw bars, or the intervals of bars, beside those of other curves."""
    number, n_bars = place
    step = float(np.diff(layer.x).min()) if len(layer.x) > 1 else 1.0
    width = BARS * step / n_bars
    x = layer.x + (number - (n_bars - 1) / 2) * width
    label = name_entry(layer)
    if layer.top is not None:
        reach = np.vstack([np.zeros_like(layer.y), layer.top - layer.y])
        style: Any = {"fmt": "none", "ecolor": palette.ink, "elinewidth": 1.2, "capsize": 3}
        drawn = ax.errorbar(x, layer.y, yerr=reach, label=label, **style)
        for artist in drawn.get_children():
            artist.set_gid(gid("limits"))
        return
    edge: Any = {"edgecolor": palette.background, "linewidth": 0.6}
    hatch = HATCHES[number % len(HATCHES)]
    style = {"color": color, "hatch": hatch, "zorder": 1, "gid": gid("bars"), **edge}
    ax.bar(x, layer.y, width, label=label, **style)


def set_axes(ax: Axes, picture: Picture, own: OwnStyles, *, has_others: bool) -> None:
    """Set labels, limits, ticks, frame and title."""
    for name in ("x", "y"):
        axis: Axis = getattr(picture, name)
        before = getattr(ax, f"get_{name}lim")()
        if has_others and axis.high is None:
            ax.autoscale(axis=name)  # as limits that are set stay, whatever comes
        set_axis(ax, name, axis)
        if has_others:  # which must still be seen
            low, high = getattr(ax, f"get_{name}lim")()
            getattr(ax, f"set_{name}lim")(min(low, before[0]), max(high, before[1]))
    if picture.is_square:
        ax.set_aspect("equal")
    set_title(ax, picture.title)
    if own.despine:
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)


def set_title(ax: Axes, title: str) -> None:
    """Set the title unless the caller set one.

    A further picture leaves only what the titles have in common: the kind of curve.
    """
    drawn = ax.get_title()
    if not drawn:
        ax.set_title(title)
    elif ax.title.get_label() == drawn:
        kind, _, number = " ".join(drawn.split("\n")).partition(",")
        if number and title.partition(",")[0] == kind:
            ax.set_title(f"{kind}s")
    else:
        return
    ax.title.set_label(ax.get_title())  # by which it is known to be ours


def find_limits(axis: Axis) -> tuple[float | None, float | None]:
    """Return the ends of an axis; those of shares with a margin that fits their range."""
    if axis.unit != "share" or axis.low is None or axis.high is None:
        return axis.low, axis.high
    margin = MARGIN * (axis.high - axis.low)
    return axis.low - margin, axis.high + margin


def set_axis(ax: Axes, name: str, axis: Axis) -> None:
    """Set the label, the limits and the ticks of an axis."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    getattr(ax, f"set_{name}lim")(*find_limits(axis))
    getattr(ax, f"set_{name}label")(axis.label)
    of_axes = getattr(ax, f"{name}axis")
    if axis.unit == "share":
        of_axes.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.4g}%"))
    elif axis.unit == "amount":
        start, end = of_axes.get_view_interval()
        of_axes.set_major_locator(
            MaxNLocator("auto", steps=STEPS, integer=end - start >= WHOLE)
        )
        of_axes.set_major_formatter(FuncFormatter(lambda value, _: format_count(value)))
    elif axis.unit == "name":
        of_axes.set_ticks(range(len(axis.names)), labels=axis.names)
