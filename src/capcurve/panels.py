"""Pictures of gain curves in a data frame: lines for groups, panels for levels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np

from capcurve import _drawing
from capcurve._input import refuse_unknown
from capcurve._results import CURVE
from capcurve._roles import read_frame
from capcurve.curve import DIAGONAL, Profile
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["plot_gain_curve"]

MOST_IN_LEGEND = 12


class Line(NamedTuple):
    """One curve of a frame."""

    level: str
    name: str
    profile: Profile
    event_rate: float


def plot_gain_curve(gain_curve_frame: Any) -> Figure:
    """Draw what `gain_curve` returns; needs matplotlib.

    Each group and model is a line, each level a panel, in the order of the frame. Shaded
    is the room between a random ranking and a perfect one of the smallest event rate
    (which holds all lines); the rate honours weights. Amounts that exceed their weight
    have no such bound, and no shade.

    Parameters
    ----------
    gain_curve_frame : data frame
        As `gain_curve` returns it.

    Returns
    -------
    matplotlib Figure

    Raises
    ------
    CapcurveError
        If the frame is no gain curve, or has no curve to draw.

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
    lines = list(lines_of(read_frame(gain_curve_frame)))
    if not lines:
        raise CapcurveError("`gain_curve_frame` has no curve with an outcome to draw")
    levels = list(dict.fromkeys(line.level for line in lines))
    figure, panels = _drawing.new_panels(len(levels))
    for axes, level in zip(panels, levels, strict=True):
        draw_panel(axes, level, [line for line in lines if line.level == level])
    if len(lines) <= MOST_IN_LEGEND * len(levels):
        _drawing.draw_legend(panels, "lower right")
    return figure


def lines_of(frame: nw.DataFrame[Any]) -> Iterator[Line]:
    """Split a frame into its curves: each starts with a row of zeros."""
    refuse_unknown(CURVE, frame.columns, "`gain_curve_frame`")
    n, n_events, share, captured, _ = (frame.get_column(name).to_numpy() for name in CURVE)
    names = [name for name in frame.columns if name not in {*CURVE, "level"}]
    starts = np.flatnonzero(n == 0)
    rows = frame[starts.tolist(), :].to_dict(as_series=False)
    stops = np.append(starts[1:], len(n))
    for i, (start, stop) in enumerate(zip(starts, stops[: len(starts)], strict=True)):
        if n_events[stop - 1] > 0:
            profile = Profile(share[start:stop], captured[start:stop])
            rate = float(n_events[stop - 1] / n[stop - 1])
            label = ", ".join(str(rows[name][i]) for name in names)
            yield Line(rows["level"][i] if "level" in rows else "", label, profile, rate)


def draw_panel(axes: Axes, level: str, lines: list[Line]) -> None:
    """Draw the curves of one level."""
    rate = min(line.event_rate for line in lines)
    if rate < 1:
        perfect = np.array([0.0, rate, 1.0]), np.array([0.0, 1.0, 1.0])
        _drawing.draw_shade(axes, [DIAGONAL], [perfect])
        _drawing.draw_reference(axes, [perfect], _drawing.PERFECT, None)
    _drawing.draw_reference(axes, [DIAGONAL], _drawing.CHANCE, None)
    for line, style in zip(lines, _drawing.model_styles(axes, len(lines)), strict=True):
        x, y = line.profile.thinned()
        _drawing.draw_model(axes, (x, y), {**style, "label": line.name or "_nolegend_"})
    axes.set(title=level, xlabel="Population share", ylabel="Capture rate", aspect="equal")
    for axis in (axes.xaxis, axes.yaxis):
        _drawing.format_axis(axis, percent=True)
    axes.set(xlim=_drawing.SHARES, ylim=_drawing.SHARES)
