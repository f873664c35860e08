"""One page about a score: CAP, lift, KS or Lorenz curve, and the gains table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from capcurve._curve.curve import CapCurve
from capcurve._curve.gains_table import BandSpec, GainsTable
from capcurve._input.dtypes import Label, TargetType
from capcurve._input.options import show
from capcurve._plot.axes import import_pyplot
from capcurve._plot.curve_display import ONE_NAME, CurveDisplay, show_ranked
from capcurve._plot.displays import (
    CAPCurveDisplay,
    GainsTableDisplay,
    KSDisplay,
    LiftCurveDisplay,
    LorenzCurveDisplay,
)
from capcurve._plot.numbers import format_count
from capcurve._plot.panel_chart import join_charts
from capcurve._plot.ranked import Ranked, Reading, rank_predictions
from capcurve._plot.request import Sample, check_title, read_sample
from capcurve._plot.series_picture import write_entry
from capcurve._plot.summary_table import MOST_ROWS, draw_table
from capcurve._public import public
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from capcurve._plot.offline import OfflinePanels

TITLES = {
    "cap": "CAP curve",
    "lift": "Lift curve",
    "ks": "Score distributions",
    "lorenz": "Ordered Lorenz curve",
}
N_COLUMNS = 2  # of the interactive chart
PAGE = (13.5, 8.6)  # inches, for letters of matplotlib's usual size or less


@public
@dataclass(frozen=True, eq=False)
class SummaryPage:
    """One page about a score; `plot_summary` draws it.

    Attributes
    ----------
    figure_ : matplotlib Figure
        The page.
    axes_ : dict of str to matplotlib Axes
        Axes by panel: 'cap', 'lift', 'ks' (of amounts 'lorenz'), 'gains' and 'table'.
    displays_ : dict of str to display
        The displays of the panels but for 'table'.
    table : GainsTable
        The numbers of the table.
    name : str or None
        Name of the score.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from capcurve import plot_summary
    >>> page = plot_summary([1, 0, 1, 0], [4, 3, 2, 1], bands=2)
    >>> page.table.capture_rate
    array([0.5, 1. ])
    >>> plt.close(page.figure_)
    """

    figure_: Figure
    axes_: dict[str, Axes]
    displays_: dict[str, CurveDisplay]
    table: GainsTable
    name: str | None = None

    def chart(self) -> OfflinePanels:
        """Return the panels but for 'table' as an interactive chart; requires Altair.

        Returns
        -------
        altair.ConcatChart
            The ``chart()`` of each display, side by side.

        Raises
        ------
        MissingDependencyError
            Altair or vl-convert is not installed.
        """
        charts = [display.chart() for display in self.displays_.values()]
        return join_charts(charts, N_COLUMNS, self.figure_.get_suptitle())

    def __repr__(self) -> str:
        number = self.displays_["cap"].summarize()
        return f"SummaryPage({write_entry(self.name, number)})"


@public
def plot_summary(  # noqa: PLR0913 -- the options of its panels, by keyword
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: Label | None = None,
    target_type: TargetType = "auto",
    descending: bool = True,
    name: str | None = ONE_NAME,
    bands: BandSpec = 10,
    confidence_level: float | None = None,
    mark: float | Sequence[float] = (),
    title: str | None = None,
) -> SummaryPage:
    """Draw a page about a score: CAP, lift, KS, response rate by band and gains table.

    Amounts have no two score distributions to draw, so an ordered Lorenz curve takes the
    place of KS. Requires matplotlib.

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label, target_type, descending
        As in `CapCurve.from_predictions`.
    name : str, default='Model'
        Name of the score.
    bands : int, sequence of float or 'scores', default=10
        Bands of the gains table, as in `GainsTable.from_curve`; at most 20.
    confidence_level : float, default=None
        Between 0 and 1: adds confidence limits of the response rates. Requires SciPy.
    mark : float or sequence of float, default=()
        Population shares at which to mark CAP, lift and Lorenz curve.
    title : str, default=None
        Title of the page. None: the name with AR, KS, and the size of the population.

    Returns
    -------
    SummaryPage
        With the figure and its axes. The figure is a new one, 13.5 by 8.6 inches, larger in
        proportion if ``rcParams["font.size"]`` is above 10.

    Raises
    ------
    CapcurveError
        For the reasons listed in `CapCurve.from_predictions`, for several scores, or for
        more than 20 bands.
    MissingDependencyError
        matplotlib is not installed, or SciPy where limits require it.

    See Also
    --------
    report : A validation report of several scores, groups and periods.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from capcurve import plot_summary
    >>> from capcurve.datasets import make_portfolio
    >>> loans = make_portfolio(1_000)
    >>> page = plot_summary(loans["default"], loans["champion_pd"], name="Champion")
    >>> page
    SummaryPage(Champion (AR = 0.609))
    >>> plt.close(page.figure_)
    """
    reading = Reading(pos_label=pos_label, target_type=target_type, descending=descending)
    ranked = rank_predictions(y_true, y_score, sample_weight, reading)
    if not isinstance(ranked.curve, CapCurve):
        given: Any = y_score  # perhaps a dict, which is none of the types allowed
        instead = "call `plot_summary` for each"
        if not isinstance(given, Mapping) and len(ranked.curve) == 2:  # noqa: PLR2004
            instead = (
                "of two class probabilities pass that of the event, such as `proba[:, 1]`"
            )
        raise CapcurveError(
            f"`y_score` must be one score for a summary, got {len(ranked.curve)}; {instead}"
        )
    figure = import_pyplot().figure(layout="constrained")
    return draw_summary(
        figure,
        ranked,
        name=name,
        bands=bands,
        confidence_level=confidence_level,
        mark=mark,
        title=title,
    )


def draw_summary(
    figure: Figure,
    ranked: Ranked,
    *,
    name: str | None,
    bands: BandSpec = 10,
    confidence_level: float | None = None,
    mark: float | Sequence[float] = (),
    title: str | None = None,
) -> SummaryPage:
    """Draw the panels of one score on an empty figure."""
    check_title(title)
    sample = read_sample(ranked.curve, None)
    table = GainsTable.from_curve(sample.curve, bands)
    if len(table.band) > MOST_ROWS:
        raise CapcurveError(
            f"`bands` must be at most {MOST_ROWS} for the table to be read, got "
            f"{len(table.band)} ({show(bands)}); pass fewer"
        )
    figure.set_size_inches(*find_page_size())
    # Before the panels, whose texts are placed in the room that it leaves.
    figure.suptitle(describe_sample(sample, name) if title is None else title)
    above = ["cap", "lift", "ks" if sample.has_events else "lorenz"]
    panels: Any = [above, ["gains", "table", "table"]]
    axes: dict[str, Axes] = figure.subplot_mosaic(panels)
    kinds: dict[str, type[CurveDisplay]] = {
        "cap": CAPCurveDisplay,
        "lift": LiftCurveDisplay,
        "ks": KSDisplay,
        "lorenz": LorenzCurveDisplay,
        "gains": GainsTableDisplay,
    }
    marked = {"cap", "lift", "lorenz"}
    cut = {"bands": bands, "confidence_level": confidence_level}
    displays: dict[str, CurveDisplay] = {}
    for panel, ax in axes.items():
        if panel in kinds:
            options: dict[str, Any] = {"mark": mark} if panel in marked else {}
            options |= cut if panel == "gains" else {"title": TITLES[panel]}
            display = show_ranked(kinds[panel], ranked, None)
            displays[panel] = display.plot(ax, **options)
    draw_table(axes["table"], sample, table, displays["gains"].picture_.x.names)
    axes["table"].title.set_fontsize(axes["cap"].title.get_fontsize())
    return SummaryPage(figure, axes, displays, table, name)


def find_page_size() -> tuple[float, float]:
    """Return width and height of a page in inches, which grow with large letters."""
    import matplotlib as mpl

    usual: float = mpl.rcParamsDefault["font.size"]
    growth = max(1.0, mpl.rcParams["font.size"] / usual)
    return PAGE[0] * growth, PAGE[1] * growth


def describe_sample(sample: Sample, name: str | None) -> str:
    """Write the name, AR, KS and the size of the population as a title."""
    curve = sample.curve
    numbers = [f"AR = {curve.accuracy_ratio:.3f}"]
    if sample.has_events:
        numbers.append(f"KS = {curve.ks:.3f}")
        rate = f"{format_count(curve.total_target)} events ({curve.response_rate:.2%})"
    else:
        rate = f"mean outcome {curve.response_rate:.4g}"
    numbers += [f"population {format_count(curve.total_weight)}", rate]
    shown = ", ".join(numbers)
    return shown if name is None else f"{name}: {shown}"
