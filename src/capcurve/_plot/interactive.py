"""What every display has in common: its picture as an interactive chart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Unpack

from capcurve._plot.options import PictureOptions
from capcurve._plot.picture import Picture
from capcurve._plot.refusals import name_chart, refuse_drawing
from capcurve.exceptions import MissingDependencyError

if TYPE_CHECKING:
    from capcurve._plot.offline import OfflineChart


class Interactive:
    """A display that describes its picture, which `Interactive.chart` then draws."""

    describe: Callable[..., Picture]
    picture_: Picture

    def chart(
        self,
        name: str | Sequence[str] | None = None,
        **options: Unpack[PictureOptions],
    ) -> OfflineChart:
        """Draw an interactive chart of the curves; requires Altair.

        Pointing at a curve or a bar shows its name and its values there, and a click in the
        legend picks a curve or its bars out, or lets them go. Over shares or scores a
        slider reads all curves off; over bands or grades there is none. The chart shows
        itself in notebooks and needs no network. Its colours are fixed, and its ground is
        transparent: ``chart(...).properties(background="white")`` gives it one.

        Parameters
        ----------
        name : str or sequence of str, default=None
            As in ``plot``.
        **options
            What the picture shows: keyword arguments of ``plot``, where they are described,
            except for those of matplotlib. Without any, the picture of the last ``plot``.

        Returns
        -------
        altair.LayerChart
            Whose methods apply, such as ``save("chart.html")``, a page that needs no
            network, ``save("chart.png")``, an image without the slider, and
            ``properties(width=600)``.

        Raises
        ------
        CapcurveError
            An option is invalid.
        TypeError
            An option is one of matplotlib's, such as ``curve_kwargs``.
        MissingDependencyError
            Altair or vl-convert is not installed.
        """
        refuse_drawing(options)
        drawn = getattr(self, "picture_", None)
        if drawn is None or name is not None or options:
            with name_chart():
                drawn = self.describe(name, **options)
        return draw_chart(drawn)


def draw_chart(picture: Picture, side: int | None = None, panel: str = "") -> OfflineChart:
    """Draw a picture with Altair, or raise with the command that installs it."""
    try:
        import vl_convert  # noqa: F401 -- which holds the scripts of the chart

        from capcurve._plot.chart import make_chart
    except ModuleNotFoundError as error:
        raise MissingDependencyError(
            str(error.name), extra="chart", purpose="interactive charts"
        ) from error
    return make_chart(picture, side, panel)
