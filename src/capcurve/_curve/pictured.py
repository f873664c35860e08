"""Curves that draw themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from capcurve._plot.displays import CAPCurveDisplay
    from capcurve._plot.offline import OfflineChart
    from capcurve._plot.options import PictureOptions, PlotOptions


class Pictured:
    """The methods that draw a single curve."""

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        **options: Unpack[PlotOptions],
    ) -> Axes:
        """Draw the curve with the random and the perfect line; requires matplotlib.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on. None: the axes of a new figure.
        name : str, default=None
            Name in the legend, before the AR. None: the AR alone.
        **options
            Keyword arguments of `CAPCurveDisplay.plot`, where they are described:
            ``curve_kwargs``, ``plot_chance_level``, ``chance_level_kwargs``,
            ``plot_perfect``, ``perfect_level_kwargs``, ``despine``, ``normalize_scale``,
            ``mark``, ``shade``, ``band``, ``random_band``, ``title``.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        CapcurveError
            A share in ``mark`` is not in [0, 1], or a kind of band was passed although
            the curve is of amounts or weighted rows.
        MissingDependencyError
            matplotlib is not installed, or SciPy where a band requires it.
        """
        return self._display(name).plot(ax, **options).ax_

    def chart(
        self, *, name: str | None = None, **options: Unpack[PictureOptions]
    ) -> OfflineChart:
        """Draw an interactive chart of the curve; requires Altair.

        Pointing at the curve shows its values there, and a slider reads it off. The chart
        shows itself in notebooks and needs no network. Its colours are fixed, and its
        ground is transparent: ``chart(...).properties(background="white")`` gives it one.

        Parameters
        ----------
        name : str, default=None
            Name in the legend, before the AR. None: the AR alone.
        **options
            Keyword arguments of `CAPCurveDisplay.plot`, where they are described:
            ``plot_chance_level``, ``plot_perfect``, ``normalize_scale``, ``mark``,
            ``shade``, ``band``, ``random_band``, ``title``.

        Returns
        -------
        altair.LayerChart
            Whose methods apply, such as ``save("chart.html")``, a page that needs no
            network, ``save("chart.png")`` and ``properties(width=600)``.

        Raises
        ------
        CapcurveError
            As ``plot``.
        MissingDependencyError
            Altair or vl-convert is not installed, or SciPy where a band requires it.

        Examples
        --------
        >>> from capcurve import CapCurve
        >>> curve = CapCurve.from_predictions([1, 0, 1, 1, 0], [0.2, 0.6, 0.8, 0.7, 0.4])
        >>> curve.chart(mark=0.5)
        OfflineChart('CAP curve, AR = 0.333')
        """
        return self._display(name).chart(**options)

    def _display(self, name: str | None) -> CAPCurveDisplay:
        from capcurve._plot.displays import CAPCurveDisplay

        drawn: Any = self
        return CAPCurveDisplay(drawn, name=name)
