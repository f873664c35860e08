"""Curves, reference lines and legends as matplotlib artists; computes no statistics."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from capcurve._input.options import show
from capcurve._tally.dtypes import Array
from capcurve.exceptions import CapcurveError, MissingDependencyError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

AxesPath = tuple[Array, Array]
LegendLocation = Literal["lower right", "upper right"]
SHARES = (-0.01, 1.01)  # limits of an axis of shares
TEXT_WIDTH, TEXT_HEIGHT = 0.3, 0.045  # size of the text of a mark, as shares of the axes
FIGURE: Mapping[str, Any] = {"figsize": (5.6, 5.6), "layout": "constrained"}
# Okabe and Ito's colours are safe for colour-blind readers; each has its own dash pattern,
# so that curves can be told apart in greyscale too.
MODEL_STYLES: Sequence[Mapping[str, Any]] = (
    {"color": "#0072B2", "linestyle": "-"},
    {"color": "#D55E00", "linestyle": (0, (6, 1.5))},
    {"color": "#009E73", "linestyle": (0, (6, 1.5, 1, 1.5))},
    {"color": "#CC79A7", "linestyle": (0, (2, 1))},
    {"color": "#E69F00", "linestyle": (0, (10, 2))},
    {"color": "#56B4E9", "linestyle": (0, (4, 1, 1, 1, 1, 1))},
)
RANDOM_BAND_COLOR = "0.45"
FOLD_STYLE: Mapping[str, Any] = {"color": "#0072B2", "linestyle": "--", "alpha": 0.5}
SHADE_STYLE: Mapping[str, Any] = {
    "color": "0.5",
    "alpha": 0.12,
    "linewidth": 0,
    "zorder": 0,
}
MODEL, CHANCE, PERFECT, MARK, BAND = (
    f"capcurve-{role}" for role in ("model", "chance", "perfect", "mark", "band")
)
BAND_STYLE: Mapping[str, Any] = {"alpha": 0.2, "linewidth": 0, "zorder": 0.5, "gid": BAND}
REFERENCE_STYLES: Mapping[str, Mapping[str, Any]] = {
    CHANCE: {"label": "Random (AR = 0)", "linestyle": (0, (1, 1.5)), "color": "0.35"},
    PERFECT: {"label": "Perfect (AR = 1)", "linestyle": "-", "color": "0.35"},
}


REFERENCE_OPTIONS = {CHANCE: "chance_level_kwargs", PERFECT: "perfect_level_kwargs"}


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


def new_panels(n_panels: int) -> tuple[Figure, list[Axes]]:
    """Create a pyplot figure with panels side by side or in a grid."""
    figure = import_pyplot().figure(layout="constrained")
    across = math.ceil(math.sqrt(n_panels))
    down = math.ceil(n_panels / across)
    figure.set_size_inches(
        *((5.6, 5.6) if n_panels == 1 else (4.0 * across + 1.5, 4.2 * down))
    )
    return figure, [figure.add_subplot(down, across, i + 1) for i in range(n_panels)]


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


def model_styles(ax: Axes, n_curves: int) -> list[Mapping[str, Any]]:
    """Choose the next styles in the cycle, after the curves already on the axes."""
    drawn = sum(line.get_gid() == MODEL for line in ax.lines)
    return [MODEL_STYLES[i % len(MODEL_STYLES)] for i in range(drawn, drawn + n_curves)]


def draw_model(ax: Axes, path: AxesPath, style: Mapping[str, Any]) -> Line2D:
    """Draw one curve."""
    return ax.plot(*path, gid=MODEL, **style)[0]


def draw_reference(
    ax: Axes,
    paths: Iterable[AxesPath],
    role: str,
    own_style: Mapping[str, Any] | None,
) -> Line2D:
    """Draw the distinct reference paths as one artist, unless it exists already.

    Parameters
    ----------
    ax : matplotlib Axes
    paths : iterable of AxesPath
        Reference path of each curve.
    role : {CHANCE, PERFECT}
        Which reference line; also the artist's ``gid``.
    own_style : dict or None
        Keyword arguments of the caller, over the default style.

    Returns
    -------
    matplotlib Line2D
    """
    default = {"linewidth": 1.0, "zorder": 1.5, **REFERENCE_STYLES[role]}
    style = merge_style(default, own_style, REFERENCE_OPTIONS[role])
    distinct = {(x.tobytes(), y.tobytes()): (x, y) for x, y in paths}.values()
    gap = [np.nan]
    x, y = (
        np.concatenate([*chain.from_iterable((path[axis], gap) for path in distinct)])[:-1]
        for axis in (0, 1)
    )
    drawn = [line for line in ax.lines if line.get_gid() == role]
    for line in drawn:
        if np.array_equal(line.get_xydata(), np.column_stack([x, y]), equal_nan=True):
            return line
    if drawn:
        style["label"] = "_nolegend_"
    return ax.plot(x, y, gid=role, **style)[0]


def draw_mark(
    ax: Axes, point: tuple[float, float], text: str, color: Any, *, below: bool
) -> None:
    """Draw dashed lines from both axes to a point, with text beside it.

    The text moves up, or down if ``below``, until it covers no earlier one.
    """
    x, y = point
    style = {"color": color, "linewidth": 0.9, "gid": MARK, "zorder": 1.8}
    ax.plot([x, x, 0.0], [0.0, y, y], linestyle=(0, (4, 3)), label="_nolegend_", **style)
    ax.plot([x], [y], marker="o", markersize=5, label="_nolegend_", **style)
    width, height = ax.dataLim.width, ax.dataLim.height
    line = (-TEXT_HEIGHT if below else TEXT_HEIGHT) * height
    beside, level = x + 0.015 * width, y + 0.25 * line
    placed = [text.get_position() for text in ax.texts if text.get_gid() == MARK]
    while any(
        abs(beside - across) < TEXT_WIDTH * width and abs(level - up) < abs(line)
        for across, up in placed
    ):
        level += line
    ax.text(
        beside,
        level,
        text,
        va="top" if below else "bottom",
        fontsize="small",
        color=color,
        gid=MARK,
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.0},
    )


def draw_band(ax: Axes, low: AxesPath, high: AxesPath, label: str, color: Any) -> None:
    """Fill the area between two paths."""
    x = np.union1d(low[0], high[0])
    limits = (np.interp(x, *path) for path in (low, high))
    ax.fill_between(x, *limits, label=label, color=color, **BAND_STYLE)


def draw_shade(ax: Axes, chance: Sequence[AxesPath], perfect: Sequence[AxesPath]) -> None:
    """Fill the area between the random line and the highest of the perfect lines."""
    best = max(
        range(len(perfect)), key=lambda i: np.trapezoid(perfect[i][1], perfect[i][0])
    )
    x = np.union1d(chance[best][0], perfect[best][0])
    low, high = (np.interp(x, *paths[best]) for paths in (chance, perfect))
    ax.fill_between(x, low, high, label="_nolegend_", **SHADE_STYLE)


def format_axis(axis: Any, *, percent: bool) -> None:
    """Format the ticks: shares as percentages, counts with thousands separators."""
    from matplotlib.ticker import FuncFormatter, PercentFormatter

    axis.set_major_formatter(
        PercentFormatter(1.0, decimals=0)
        if percent
        else FuncFormatter(lambda value, _: format_count(value))
    )


def format_count(value: float) -> str:
    """Format a count or an amount, without decimals from 1,000 on."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"  # noqa: PLR2004 -- as the first line says


def draw_legend(panels: Sequence[Axes], location: LegendLocation) -> None:
    """Draw a legend, models first; outside of the panels if there are several."""
    order = {BAND: 1, PERFECT: 2, CHANCE: 3}
    listed = sorted(
        zip(*panels[0].get_legend_handles_labels(), strict=True),
        key=lambda entry: order.get(entry[0].get_gid() or "", 0),
    )
    if not listed:
        return
    handles, labels = zip(*listed, strict=True)
    if len(panels) == 1:
        panels[0].legend(handles, labels, loc=location, fontsize="small")
    else:
        figure: Any = panels[0].figure
        figure.legend(handles, labels, loc="outside right upper", fontsize="small")


def remove_spines(ax: Axes) -> None:
    """Remove the top and right spines."""
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
