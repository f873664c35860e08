"""Interactive charts side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from capcurve._plot.interactive import draw_chart
from capcurve._plot.panel_grid import Panel, lay_out
from capcurve._plot.picture import Picture, printable

if TYPE_CHECKING:
    from capcurve._plot.offline import OfflineChart, OfflinePanels

MOST_COLUMNS = 3  # that a page is wide enough for, unless more are asked for
SIDES = {1: 320, 2: 320}  # pixels of a panel, by the number of columns
SMALLEST = 210
REFERENCES = ("chance", "perfect")
CHANNELS = ("color", "strokeDash", "shape")  # by which curves are told apart


def draw_panel_charts(
    panels: Sequence[Panel], title: str | None, n_columns: int | None
) -> OfflineChart | OfflinePanels:
    """Draw the charts of panels with Altair, one slider for all.

    Parameters
    ----------
    panels : sequence of Panel
    title : str or None
        Title of all.
    n_columns : int or None
        Number of panels side by side. None: as in the figure of matplotlib, up to three.

    Returns
    -------
    OfflineChart or OfflinePanels
        A single panel is one chart.
    """
    grid = lay_out(len(panels), n_columns)
    pictures = [name_curves(panel) for panel in panels]
    if len(pictures) == 1:
        (alone,) = pictures
        return draw_chart(replace(alone, title=join_titles(title, alone.title)))
    across = grid.n_columns if n_columns else min(grid.n_columns, MOST_COLUMNS)
    side = SIDES.get(across, SMALLEST)
    pictures[1:] = map(leave_out_references, pictures[1:])
    charts = [
        draw_chart(picture, side, printable(panel.title))
        for picture, panel in zip(pictures, panels, strict=True)
    ]
    return join_charts(charts, across, title)


def join_charts(
    charts: Sequence[OfflineChart], n_columns: int, title: str | None
) -> OfflinePanels:
    """Put charts side by side, each with a legend of its own."""
    import altair as alt

    from capcurve._plot.offline import OfflinePanels

    made = OfflinePanels(concat=charts, columns=n_columns)
    if title:
        made = made.properties(title=alt.Title(title, anchor="start", offset=14))
    channels: dict[str, Any] = dict.fromkeys(CHANNELS, "independent")
    resolved: OfflinePanels = made.resolve_scale(**channels).resolve_legend(**channels)
    return resolved


def leave_out_references(picture: Picture) -> Picture:
    """Leave reference lines, which all panels have, out of the legend of a panel."""
    layers = tuple(
        replace(layer, entry=None) if layer.role in REFERENCES else layer
        for layer in picture.layers
    )
    return replace(picture, layers=layers)


def join_titles(*titles: str | None) -> str:
    """Join titles, of which some may be missing."""
    return ", ".join(filter(None, titles))


def name_curves(panel: Panel) -> Picture:
    """Name the curves of a panel in its own legend, and write the AR into its title.

    Values at the marks of a single curve stand beside these.
    """
    picture = panel.picture
    lines = (panel.number or "").split("\n")
    title = join_titles(panel.title, *lines)
    n_numbers = sum(map(bool, panel.numbers))
    if not n_numbers or (n_numbers == 1 and picture.marks):
        return replace(picture, title=title)
    numbers = dict(zip(map(id, picture.curves), panel.numbers, strict=True))
    layers = tuple(
        replace(layer, entry=", ".join(filter(None, (layer.entry, numbers[id(layer)]))))
        if id(layer) in numbers
        else layer
        for layer in picture.layers
    )
    return replace(picture, title=title, layers=layers)
