"""Plots of gain curve frames: a line for each group and model, panels for levels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self, TypedDict, Unpack

from capcurve._input.dtypes import Names
from capcurve._input.options import check_flags
from capcurve._plot.axes import OwnStyles, check_axes, draw_picture, import_pyplot, new_axes
from capcurve._plot.gain_lines import read_lines
from capcurve._plot.gain_picture import (
    PANELS,
    describe_panels,
    read_gain_request,
    spell_names,
)
from capcurve._plot.interactive import draw_chart
from capcurve._plot.options import Style
from capcurve._plot.panel_chart import draw_panel_charts
from capcurve._plot.panel_grid import Panel, draw_panels, lay_out
from capcurve._plot.picture import refuse_many_curves
from capcurve._plot.refusals import name_chart, refuse_drawing
from capcurve._public import public
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from capcurve._plot.offline import OfflineChart, OfflinePanels


class GainPictureOptions(TypedDict, total=False):
    """What a picture of a gain curve frame shows."""

    mark: float | Sequence[float]
    plot_chance_level: bool
    plot_perfect: bool
    shade: bool
    others: bool
    title: str | None


class GainPlotOptions(GainPictureOptions, total=False):
    """Keyword arguments of `GainCurveDisplay.plot`, whose docstring describes them."""

    curve_kwargs: Style | None
    chance_level_kwargs: Style | None
    perfect_level_kwargs: Style | None
    despine: bool
    n_columns: int | None
    panel_size: float | None


@public
def plot_gain_curve(
    gain_curve_frame: Any,
    *,
    panel_by: Names | None = None,
    ax: Axes | None = None,
    **options: Unpack[GainPlotOptions],
) -> GainCurveDisplay:
    """Plot the gain (CAP) curves in a data frame from `gain_curve`; requires matplotlib.

    Each group and model is a line, with its AR in the legend, and each class level a panel,
    in the order of the frame.

    Parameters
    ----------
    gain_curve_frame : data frame
        Result of `gain_curve`, of any library. Curves without an outcome are left out.
        Columns that were added to it are part of the names of curves if they are constant
        within each.
    panel_by : str or sequence of str, default=None
        Columns whose values make panels, such as a column of ``by``; titles name the
        columns if there are several. None: the class levels, if there are some; an empty
        list puts all curves into one picture.
    ax : matplotlib Axes, default=None
        Axes to draw on, if there is one panel. None: a new figure.
    **options
        Further keyword arguments of `GainCurveDisplay.plot`, where they are described:
        ``mark``, ``title``, ``curve_kwargs``, ``plot_chance_level``,
        ``chance_level_kwargs``, ``plot_perfect``, ``perfect_level_kwargs``, ``shade``,
        ``despine``, ``others``, ``n_columns``, ``panel_size``.

    Returns
    -------
    GainCurveDisplay
        With the figure as ``figure_`` and its axes as ``axes_``.

    Raises
    ------
    CapcurveError
        The frame lacks a column of `gain_curve`, holds its rows in another order or no
        curve with an outcome; there are more than 20 curves in a picture or 100 panels; or
        an option is invalid.
    MissingDependencyError
        matplotlib is not installed.

    See Also
    --------
    plot_panels : The same for curves of arrays.

    Notes
    -----
    Each curve has its own perfect line, which depends on its event rate, and the shaded
    area lies below the highest one. The frame tells the perfect line of 0/1 events only;
    for amounts, such as losses, neither is drawn. With weights the two are told apart by
    the column ``accuracy_ratio``; without that column, as in frames of capcurve 0.1,
    weighted curves have no perfect line and legends no AR.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import pandas as pd
    >>> from capcurve import gain_curve, plot_gain_curve
    >>> from capcurve.datasets import make_portfolio
    >>> loans = pd.DataFrame(make_portfolio())
    >>> curves = gain_curve(loans, "default", "champion_pd", by="segment")
    >>> display = plot_gain_curve(curves)
    >>> display
    GainCurveDisplay(3 curves, 1 panel)
    >>> [text.get_text() for text in display.axes_[0].get_legend().get_texts()][:2]
    ['small business (AR = 0.516)', 'retail (AR = 0.578)']
    >>> plt.close(display.figure_)
    """
    return GainCurveDisplay(gain_curve_frame, panel_by=panel_by).plot(ax, **options)


@public
class GainCurveDisplay:
    """Display of the curves in a data frame from `gain_curve`.

    `plot_gain_curve` creates and draws one at once.

    Parameters
    ----------
    gain_curve_frame : data frame
        Result of `gain_curve`, of any library.
    panel_by : str or sequence of str, default=None
        Columns whose values make panels. None: the class levels, if there are some; an
        empty list puts all curves into one picture.

    Attributes
    ----------
    figure_ : matplotlib Figure
        Figure with all panels.
    axes_ : list of matplotlib Axes
        The axes of each panel, in the order of the frame.
    line_ : list of matplotlib Line2D
        The drawn curves, panel by panel.

    Examples
    --------
    >>> import pandas as pd
    >>> from capcurve import GainCurveDisplay, gain_curve
    >>> loans = pd.DataFrame({"bad": [1, 0, 1, 0], "pd": [0.4, 0.1, 0.2, 0.2]})
    >>> GainCurveDisplay(gain_curve(loans, "bad", "pd"))
    GainCurveDisplay(1 curve, 1 panel)
    """

    figure_: Figure
    axes_: list[Axes]
    line_: list[Any]
    _drawn: tuple[list[Panel], str | None] | None = None  # with their title
    _n_columns: int | None = None  # of the last plot

    def __init__(self, gain_curve_frame: Any, *, panel_by: Names | None = None) -> None:
        self.gain_curve_frame = gain_curve_frame
        self.panel_by = panel_by
        self._lines = read_lines(gain_curve_frame)
        self.describe()

    def __repr__(self) -> str:
        counts = len(self._lines), len(self.describe())
        curves, panels = (
            f"{count} {what}{'' if count == 1 else 's'}"
            for count, what in zip(counts, ("curve", "panel"), strict=True)
        )
        return f"{type(self).__name__}({curves}, {panels})"

    def plot(  # noqa: PLR0913 -- the names of the other displays, by keyword
        self,
        ax: Axes | None = None,
        *,
        mark: float | Sequence[float] = (),
        title: str | None = None,
        curve_kwargs: Style | None = None,
        plot_chance_level: bool = True,
        chance_level_kwargs: Style | None = None,
        plot_perfect: bool = True,
        perfect_level_kwargs: Style | None = None,
        shade: bool = True,
        despine: bool = False,
        others: bool = True,
        n_columns: int | None = None,
        panel_size: float | None = None,
    ) -> Self:
        """Draw the curves with their reference lines.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on, if there is one panel; their figure gets constrained layout, so
            leave out ``tight_layout()``. None: a new figure.
        mark : float or sequence of float, default=()
            Population shares at which to mark each curve, with its capture rate.
        title : str, default=None
            Title of the figure. None: of a single picture the kind of curve, with the AR of
            a single curve; of several none. An empty text for none.
        curve_kwargs : dict, default=None
            Keyword arguments of matplotlib's ``plot`` for all curves.
        plot_chance_level : bool, default=True
            Whether to draw the line of a random ranking.
        chance_level_kwargs : dict, default=None
            Keyword arguments of matplotlib's ``plot`` for that line.
        plot_perfect : bool, default=True
            Whether to draw the perfect lines, where the frame tells them.
        perfect_level_kwargs : dict, default=None
            Keyword arguments of matplotlib's ``plot`` for these.
        shade : bool, default=True
            Whether to shade the area between the random and the highest perfect line.
        despine : bool, default=False
            Whether to remove the top and right spines.
        others : bool, default=True
            Whether panels of one curve each show those of the other panels behind it, in
            grey, if there are at most 12.
        n_columns : int, default=None
            Number of panels side by side. None: about as many as there are rows of panels.
        panel_size : float, default=None
            Side of a panel in inches. None: from 3.2 for two panels down to 2 for many.

        Returns
        -------
        GainCurveDisplay
            The display itself.

        Raises
        ------
        CapcurveError
            An option is invalid, or ``ax`` was passed for several panels.
        MissingDependencyError
            matplotlib is not installed.
        """
        check_flags(despine=despine)
        panels = self.describe(
            mark=mark,
            title=title,
            plot_chance_level=plot_chance_level,
            plot_perfect=plot_perfect,
            shade=shade,
            others=others,
        )
        own = OwnStyles(curve_kwargs, chance_level_kwargs, perfect_level_kwargs, despine)
        grid = lay_out(len(panels), n_columns, panel_size)
        if len(panels) == 1:
            axes = new_axes() if ax is None else check_axes(ax)
            picture = spell_names(panels[0].picture, has_own_title=title is not None)
            artists = [draw_picture(axes, picture, own)]
            self.figure_, self.axes_ = artists[0].figure, [axes]
        elif ax is not None:
            raise CapcurveError(
                f"`ax` must be None for several panels, got axes for {len(panels)}; pass "
                "`panel_by=[]` for one picture, or leave `ax` out"
            )
        else:
            drawn = draw_panels(import_pyplot().figure(), panels, own, grid, title)
            self.figure_, self.axes_, artists = drawn.figure, drawn.axes, drawn.artists
        self.line_ = [line for each in artists for line in each.lines]
        self._drawn, self._n_columns = (panels, title), n_columns
        return self

    def chart(
        self, *, n_columns: int | None = None, **options: Unpack[GainPictureOptions]
    ) -> OfflineChart | OfflinePanels:
        """Return the curves as an interactive chart, with Altair.

        Parameters
        ----------
        n_columns : int, default=None
            Number of panels side by side. None: as many as were passed to the last
            ``plot``, or as it chooses, but at most three.
        **options
            ``mark``, ``title``, ``plot_chance_level``, ``plot_perfect`` and ``shade``, as
            in ``plot``. Without any, the panels of the last ``plot``.

        Returns
        -------
        altair chart
            Several panels are charts side by side.

        Raises
        ------
        CapcurveError
            An option is invalid.
        TypeError
            An option is one of matplotlib's, such as ``curve_kwargs``.
        MissingDependencyError
            Altair is not installed.
        """
        refuse_drawing(options)
        n_columns = self._n_columns if n_columns is None else n_columns
        drawn = self._drawn
        if drawn is None or options:
            with name_chart():
                drawn = self.describe(**options), options.get("title")
        panels, title = drawn
        if len(panels) == 1:
            lay_out(1, n_columns)  # which checks them
            return draw_chart(panels[0].picture)
        return draw_panel_charts(panels, title, n_columns)

    def frame(self) -> Any:
        """Return the data frame with the points of the curves."""
        return self.gain_curve_frame

    def describe(self, **options: Unpack[GainPictureOptions]) -> list[Panel]:
        """Describe the panels, which both renderers draw."""
        request = read_gain_request(**options)
        panels = describe_panels(self._lines, self.panel_by, request)
        for panel in panels:
            refuse_many_curves(len(panel.picture.curves), PANELS)
        return panels
