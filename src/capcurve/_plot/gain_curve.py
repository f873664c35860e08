"""Plots of gain curve frames: a line for each group and model, a panel for each level."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._curve.profile import DIAGONAL, Profile
from capcurve._engines.rank import as_eager_frame
from capcurve._frames.results import CURVE_COLUMNS
from capcurve._input.column import refuse_unknown_columns
from capcurve._plot.axes import (
    CHANCE,
    PERFECT,
    SHARES,
    draw_legend,
    draw_model,
    draw_reference,
    draw_shade,
    format_axis,
    model_styles,
    new_panels,
)
from capcurve._public import public
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_IN_LEGEND = 12


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
    figure, panels = new_panels(len(levels))
    for axes, level in zip(panels, levels, strict=True):
        draw_panel(axes, level, [line for line in lines if line.level == level])
    if len(lines) <= MAX_IN_LEGEND * len(levels):
        draw_legend(panels, "lower right")
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


def draw_panel(axes: Axes, level: str, lines: list[GainLine]) -> None:
    """Draw the curves of one level, with the random and the perfect line."""
    rate = min(line.event_rate for line in lines)
    if rate < 1:
        perfect = np.array([0.0, rate, 1.0]), np.array([0.0, 1.0, 1.0])
        draw_shade(axes, [DIAGONAL], [perfect])
        draw_reference(axes, [perfect], PERFECT, None)
    draw_reference(axes, [DIAGONAL], CHANCE, None)
    for line, style in zip(lines, model_styles(axes, len(lines)), strict=True):
        x, y = line.profile.thinned()
        draw_model(axes, (x, y), {**style, "label": line.name or "_nolegend_"})
    axes.set(title=level, xlabel="Population share", ylabel="Capture rate", aspect="equal")
    for axis in (axes.xaxis, axes.yaxis):
        format_axis(axis, percent=True)
    axes.set(xlim=SHARES, ylim=SHARES)
