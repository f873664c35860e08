"""Plots of gain curve frames: a line for each group and model, a panel for each level."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._curve.profile import DIAGONAL, Profile
from capcurve._engines.rank import as_eager_frame
from capcurve._frames.results import CURVE_COLUMNS
from capcurve._input.column import refuse_unknown_columns
from capcurve._plot.axes import OwnStyles, draw_picture, import_pyplot
from capcurve._plot.curve_picture import shade_between
from capcurve._plot.picture import Axis, Layer, Picture, refuse_many_curves
from capcurve._public import public
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANELS = "draw fewer groups, or a part of them at a time"


class GainLine(NamedTuple):
    """One curve of a frame, with its legend entry and the level of its panel."""

    level: str
    name: str
    profile: Profile
    event_rate: float


@public
def plot_gain_curve(gain_curve_frame: Any) -> Figure:
    """Plot the gain (CAP) curves in a data frame from `gain_curve`; requires matplotlib.

    Each group and model is a line and each level a panel, in the order of the frame.

    Parameters
    ----------
    gain_curve_frame : data frame
        Result of `gain_curve`, of any library. Curves without an outcome are left out.

    Returns
    -------
    matplotlib Figure
        With a legend unless there are more than 12 lines per panel.

    Raises
    ------
    CapcurveError
        The frame lacks a column of `gain_curve`, or has no curve with an outcome.
    MissingDependencyError
        matplotlib is not installed.

    Notes
    -----
    The shaded area lies between the random line and the perfect line for the smallest
    event rate in the panel, by weight; no line can leave it if outcomes are 0/1 events.
    Where the smallest rate is 1 or more, as with amounts, neither is drawn.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import pandas as pd
    >>> from capcurve import gain_curve, plot_gain_curve
    >>> from capcurve.datasets import make_portfolio
    >>> loans = pd.DataFrame(make_portfolio())
    >>> curves = gain_curve(loans, "default", "champion_pd", by="segment")
    >>> figure = plot_gain_curve(curves)
    >>> [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    ['small business', 'retail', 'corporate', 'Perfect (AR = 1)', 'Random (AR = 0)']
    >>> plt.close(figure)
    """
    lines = list(split_lines(as_eager_frame(gain_curve_frame)))
    if not lines:
        raise CapcurveError(
            "`gain_curve_frame` must hold at least one curve with an outcome, got none; "
            "check the data passed to `gain_curve`"
        )
    levels = list(dict.fromkeys(line.level for line in lines))
    pictures = [
        describe_level(level, [line for line in lines if line.level == level])
        for level in levels
    ]
    figure, panels = new_panels(len(levels))
    for axes, picture in zip(panels, pictures, strict=True):
        draw_picture(axes, picture, OwnStyles())
    return figure


def split_lines(frame: nw.DataFrame[Any]) -> Iterator[GainLine]:
    """Split a frame into its curves, each of which starts with a row of zeros."""
    refuse_unknown_columns(CURVE_COLUMNS, frame.columns, "`gain_curve_frame`")
    n, n_events, share, captured, _ = (
        frame.get_column(name).to_numpy() for name in CURVE_COLUMNS
    )
    names = [name for name in frame.columns if name not in {*CURVE_COLUMNS, "level"}]
    starts = np.flatnonzero(n == 0)
    rows = frame[starts.tolist(), :].to_dict(as_series=False)
    stops = np.append(starts[1:], len(n))
    for i, (start, stop) in enumerate(zip(starts, stops[: len(starts)], strict=True)):
        if n_events[stop - 1] > 0:
            profile = Profile(share[start:stop], captured[start:stop])
            rate = float(n_events[stop - 1] / n[stop - 1])
            label = ", ".join(str(rows[name][i]) for name in names)
            yield GainLine(
                rows["level"][i] if "level" in rows else "", label, profile, rate
            )


def describe_level(level: str, lines: list[GainLine]) -> Picture:
    """Describe the curves of one level, with the random and the perfect line."""
    refuse_many_curves(len(lines), PANELS)
    rate = min(line.event_rate for line in lines)
    layers = []
    if rate < 1:
        perfect = np.array([0.0, rate, 1.0]), np.array([0.0, 1.0, 1.0])
        layers.append(shade_between([DIAGONAL], [perfect]))
        layers.append(Layer("perfect", *perfect, entry="Perfect (AR = 1)"))
    layers.append(Layer("chance", *DIAGONAL, entry="Random (AR = 0)"))
    for number, line in enumerate(lines):
        name = line.name or None
        path = line.profile.thinned()
        layers.append(Layer("curve", *path, number=number, name=name, entry=name))
    return Picture(
        title=level,
        x=Axis("Population share", "share", 0, 1),
        y=Axis("Capture rate", "share", 0, 1),
        layers=tuple(layers),
        is_square=True,
    )


def new_panels(n_panels: int) -> tuple[Figure, list[Axes]]:
    """Create a pyplot figure with panels side by side or in a grid."""
    figure = import_pyplot().figure(layout="constrained")
    across = math.ceil(math.sqrt(n_panels))
    down = math.ceil(n_panels / across)
    figure.set_size_inches(
        *((5.6, 5.6) if n_panels == 1 else (4.0 * across + 1.5, 4.2 * down))
    )
    return figure, [figure.add_subplot(down, across, i + 1) for i in range(n_panels)]
