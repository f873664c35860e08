"""Many curves as small pictures side by side, one curve highlighted in each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, Unpack

import narwhals.stable.v2 as nw

from capcurve._curve.points import Backend
from capcurve._inference.band import Band
from capcurve._inference.options import BandKind
from capcurve._input.dtypes import Label
from capcurve._input.options import check_flags, show
from capcurve._plot.axes import OwnStyles, import_pyplot
from capcurve._plot.curve_display import CurveDisplay
from capcurve._plot.display import Display
from capcurve._plot.displays import CAPCurveDisplay
from capcurve._plot.drawn_frame import make_frame
from capcurve._plot.options import OwnOptions, Style
from capcurve._plot.panel_axes import share_axes
from capcurve._plot.panel_chart import draw_panel_charts
from capcurve._plot.panel_grid import (
    Panel,
    add_others,
    check_title,
    describe_picture,
    draw_panels,
    lay_out,
    share_entries,
)
from capcurve._plot.panel_names import name_curves
from capcurve._plot.refusals import name_chart, refuse_drawing
from capcurve._plot.request import Curve
from capcurve._public import public
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from capcurve._plot.offline import OfflineChart, OfflinePanels


class PanelPictureOptions(OwnOptions, total=False):
    """What panels show: keyword arguments of `PanelsDisplay.chart`."""

    plot_chance_level: bool
    plot_perfect: bool
    mark: float | Sequence[float]
    shade: bool
    band: Band | BandKind | None
    random_band: Band | BandKind | None
    others: bool
    title: str | None


class PanelOptions(PanelPictureOptions, total=False):
    """Keyword arguments of `PanelsDisplay.plot`, whose docstring describes them."""

    curve_kwargs: Style | None
    chance_level_kwargs: Style | None
    perfect_level_kwargs: Style | None
    despine: bool
    n_columns: int | None
    panel_size: float | None


@public
def plot_panels(
    curves: Mapping[str, Curve] | Sequence[Curve],
    name: Sequence[str] | None = None,
    *,
    display: type[CurveDisplay] = CAPCurveDisplay,
    pos_label: Label | None = None,
    **options: Unpack[PanelOptions],
) -> PanelsDisplay:
    """Plot many curves as small pictures side by side; requires matplotlib.

    Each panel has one curve, with its name and AR as title, and the curves of the other
    panels in grey behind it, if there are at most 12 (``others`` of `plot`). Panels share
    their axes, unless bands or grades of other names stand along these, or scores of such
    different scales that those of some panel span less than a fifth of the range of all.

    Parameters
    ----------
    curves : mapping of str to curve, or sequence of curves
        Up to 100 `CapCurve`, `BinnedCurve` or `CapSketch`, by their names.
    name : sequence of str, default=None
        Name of each curve of a sequence. None: their numbers, from 1 on.
    display : type, default=CAPCurveDisplay
        Display of one panel, such as `LiftCurveDisplay` or `KSDisplay`.
    pos_label : int, float, bool or str, default=None
        Label of the event, named on the vertical axis.
    **options
        Further keyword arguments of `PanelsDisplay.plot`, where they are described:
        ``mark``, ``title``, ``curve_kwargs``, ``plot_chance_level``,
        ``chance_level_kwargs``, ``plot_perfect``, ``perfect_level_kwargs``, ``shade``,
        ``band``, ``random_band``, ``despine``, ``others``, ``n_columns``, ``panel_size``.

    Returns
    -------
    PanelsDisplay
        With the figure as ``figure_`` and its axes as ``axes_``.

    Raises
    ------
    CapcurveError
        ``curves`` are more than 100 or no curves, ``name`` has another length, or an option
        is invalid.
    MissingDependencyError
        matplotlib is not installed, or SciPy where a band requires it.

    See Also
    --------
    plot_gain_curve : The same for a data frame from `gain_curve`, by ``panel_by``.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import numpy as np
    >>> from capcurve import CapCurve, plot_panels
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio()
    >>> curves = {}
    >>> for year in np.unique(loans["year"]):
    ...     rows = loans["year"] == year
    ...     curves[str(year)] = CapCurve.from_predictions(
    ...         loans["default"][rows], loans["champion_pd"][rows]
    ...     )
    >>> display = plot_panels(curves)
    >>> display.axes_[0].get_title().split()
    ['2021', 'AR', '=', '0.579']
    >>> plt.close(display.figure_)
    """
    return PanelsDisplay(curves, name, display=display, pos_label=pos_label).plot(**options)


@public
class PanelsDisplay:
    """Display of many curves, each in a panel of its own.

    `plot_panels` creates and draws one at once.

    Parameters
    ----------
    curves : mapping of str to curve, or sequence of curves
        Up to 100 `CapCurve`, `BinnedCurve` or `CapSketch`, by their names.
    name : sequence of str, default=None
        Name of each curve of a sequence. None: their numbers, from 1 on.
    display : type, default=CAPCurveDisplay
        Display of one panel, such as `LiftCurveDisplay` or `KSDisplay`.
    pos_label : int, float, bool or str, default=None
        Label of the event, named on the vertical axis.

    Attributes
    ----------
    figure_ : matplotlib Figure
        Figure with all panels.
    axes_ : list of matplotlib Axes
        The axes of each panel.
    line_ : list of matplotlib Line2D
        The curve of each panel.

    Examples
    --------
    >>> from capcurve import CapCurve, PanelsDisplay
    >>> curve = CapCurve.from_predictions([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1])
    >>> PanelsDisplay({"2023": curve, "2024": curve})
    PanelsDisplay(2 panels)
    """

    figure_: Figure
    axes_: list[Axes]
    line_: list[Any]
    _drawn: tuple[list[Panel], str | None] | None = None  # with their title
    _n_columns: int | None = None  # of the last plot

    def __init__(
        self,
        curves: Mapping[str, Curve] | Sequence[Curve],
        name: Sequence[str] | None = None,
        *,
        display: type[CurveDisplay] = CAPCurveDisplay,
        pos_label: Label | None = None,
    ) -> None:
        check_display(display)  # first, as its curves may be of another kind
        self.curves: dict[str, Curve] = name_curves(curves, name)
        self.display = display
        self.pos_label = pos_label

    def __repr__(self) -> str:
        count = len(self.curves)
        return f"{type(self).__name__}({count} panel{'' if count == 1 else 's'})"

    def plot(  # noqa: PLR0913 -- the names of the other displays, by keyword
        self,
        *,
        mark: float | Sequence[float] = (),
        title: str | None = None,
        curve_kwargs: Style | None = None,
        plot_chance_level: bool = True,
        chance_level_kwargs: Style | None = None,
        plot_perfect: bool = True,
        perfect_level_kwargs: Style | None = None,
        shade: bool = False,
        band: Band | BandKind | None = None,
        random_band: Band | BandKind | None = None,
        despine: bool = False,
        others: bool = True,
        n_columns: int | None = None,
        panel_size: float | None = None,
        **own_options: Unpack[OwnOptions],
    ) -> Self:
        """Draw the panels on a new figure.

        Parameters
        ----------
        mark : float or sequence of float, default=()
            Population shares at which to mark each curve, with its value as text.
        title : str, default=None
            Title of the figure.
        curve_kwargs : dict, default=None
            Keyword arguments of matplotlib's ``plot`` for the curve of each panel.
        plot_chance_level : bool, default=True
            Whether to draw the line of a random ranking.
        chance_level_kwargs : dict, default=None
            Keyword arguments of matplotlib's ``plot`` for that line.
        plot_perfect : bool, default=True
            Whether to draw the line of the perfect ranking.
        perfect_level_kwargs : dict, default=None
            Keyword arguments of matplotlib's ``plot`` for that line.
        shade : bool, default=False
            Whether to shade the area between the random and the perfect line.
        band : Band, 'pointwise' or 'simultaneous', default=None
            Confidence band to fill around each curve, as in `CAPCurveDisplay.plot`.
        random_band : Band, 'pointwise' or 'simultaneous', default=None
            Band of an uninformative score to fill, as in `CAPCurveDisplay.plot`.
        despine : bool, default=False
            Whether to remove the top and right spines.
        others : bool, default=True
            Whether to show the curves of the other panels in grey, if there are at most 12.
        n_columns : int, default=None
            Number of panels side by side. None: about as many as there are rows of panels.
        panel_size : float, default=None
            Side of a panel in inches. None: from 3.2 for two panels down to 2 for many.
        **own_options
            What only some displays have, such as ``over`` of `KSDisplay` and ``bands`` of
            `GainsTableDisplay`.

        Returns
        -------
        PanelsDisplay
            The display itself.

        Raises
        ------
        CapcurveError
            An option is invalid.
        MissingDependencyError
            matplotlib is not installed, or SciPy where a band requires it.
        """
        check_flags(despine=despine)
        panels = self.describe(
            mark=mark,
            title=title,
            plot_chance_level=plot_chance_level,
            plot_perfect=plot_perfect,
            shade=shade,
            band=band,
            random_band=random_band,
            others=others,
            **own_options,
        )
        own = OwnStyles(curve_kwargs, chance_level_kwargs, perfect_level_kwargs, despine)
        grid = lay_out(len(panels), n_columns, panel_size)
        drawn = draw_panels(import_pyplot().figure(), panels, own, grid, title)
        self.figure_, self.axes_ = drawn.figure, drawn.axes
        self.line_ = [line for each in drawn.artists for line in each.lines]
        self._drawn, self._n_columns = (panels, title), n_columns
        return self

    def chart(
        self, *, n_columns: int | None = None, **options: Unpack[PanelPictureOptions]
    ) -> OfflineChart | OfflinePanels:
        """Return the panels as an interactive chart, with Altair.

        Parameters
        ----------
        n_columns : int, default=None
            Number of panels side by side. None: as many as were passed to the last
            ``plot``, or as it chooses, but at most three.
        **options
            What the panels show: keyword arguments of ``plot``, where they are described,
            except for those of matplotlib. Without any, the panels of the last ``plot``.

        Returns
        -------
        altair chart
            With the panels side by side.

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
        return draw_panel_charts(*drawn, n_columns)

    def frame(self, backend: Backend = "pandas") -> Any:
        """Return the curves as a data frame.

        Parameters
        ----------
        backend : {'pandas', 'polars', 'pyarrow'}, default='pandas'
            Library of the data frame.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
            As `CAPCurveDisplay.frame`, with the name of the panel as first column, of the
            panels of the last ``plot``.

        Raises
        ------
        CapcurveError
            ``backend`` is another library.
        MissingDependencyError
            The library is not installed.
        """
        panels = self._drawn[0] if self._drawn else self.describe(others=False)
        parts = [
            nw.from_native(make_frame(panel.picture, backend)).select(
                nw.lit(panel.title).alias("panel"), nw.all()
            )
            for panel in panels
        ]
        return nw.maybe_reset_index(nw.concat(parts)).to_native()

    def describe(self, **options: Unpack[PanelPictureOptions]) -> list[Panel]:
        """Describe the panels, which both renderers draw."""
        displays = {
            name: self.display(curve, pos_label=self.pos_label)
            for name, curve in self.curves.items()
        }
        return describe_displays(displays, **options)


def check_display(display: Any) -> None:
    """Raise unless a display is a class whose pictures have one curve each."""
    is_class = isinstance(display, type)
    if is_class and issubclass(display, CurveDisplay):
        return
    instead = "pass one, such as `KSDisplay`"
    if is_class and issubclass(display, Display):
        instead = f"draw each {display.__name__} on axes of its own, with `plot(ax)`"
    elif isinstance(display, CurveDisplay):
        instead = f"pass its class, `{type(display).__name__}`"
    shown = f"the class {display.__name__}" if is_class else show(display)
    raise CapcurveError(
        "`display` must be a class of displays of curves: CAPCurveDisplay, "
        "LiftCurveDisplay, LorenzCurveDisplay, KSDisplay or GainsTableDisplay, got "
        f"{shown}; {instead}"
    )


def describe_displays(
    displays: Mapping[str, CurveDisplay],
    *,
    others: bool = True,
    title: str | None = None,
    **options: Any,
) -> list[Panel]:
    """Describe a panel for each of some displays, which have a curve each."""
    check_flags(others=others)
    check_title(title)
    made = [display.describe(title=name, **options) for name, display in displays.items()]
    panels = share_entries(list(map(describe_picture, displays, share_axes(made))))
    return add_others(panels) if others else panels
