"""Confidence bands, random bands and guaranteed bounds around the curves of a display."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from capcurve._arrays.bands import random_band
from capcurve._curve.binned_curve import BinnedCurve
from capcurve._curve.curve import CapCurve
from capcurve._curve.profile import Profile
from capcurve._inference.band import Band, check_band_kind
from capcurve._inference.options import BandKind
from capcurve._plot.axes import RANDOM_BAND_COLOR, AxesPath, draw_band
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Place = Callable[[Profile], AxesPath]


def make_curve_band(curve: CapCurve, band: Band | BandKind) -> Band:
    """Return the confidence band of a curve, computed if only its kind is given."""
    if isinstance(band, Band):
        return band
    check_band_kind(band, "band")
    return curve.band(band)


def make_random_band(curve: CapCurve, band: Band | BandKind) -> Band:
    """Return the band of an uninformative score, computed if only its kind is given."""
    if isinstance(band, Band):
        return band
    check_band_kind(band, "random_band")
    if curve.tally.weight.dtype.kind == "f":
        raise CapcurveError(
            f"`random_band={band!r}` requires a curve of unweighted 0/1 events, got "
            "amounts or weights; pass a Band from "
            "`capcurve.random_band(n_events, n_nonevents)`"
        )
    events = int(curve.total_target)
    return random_band(events, int(curve.total_weight) - events, kind=band)


def fill_bands(
    ax: Axes,
    curve: CapCurve,
    place: Place,
    color: Any,
    bands: Mapping[str, Band | BandKind | None],
) -> None:
    """Fill the requested bands of a curve.

    Parameters
    ----------
    ax : matplotlib Axes
    curve : CapCurve
    place : callable
        Turns a profile into a path in the units of the axes.
    color : matplotlib color
        Color of the curve, and of its band.
    bands : mapping of str to Band, kind of band or None
        ``'curve'``: the confidence band; ``'random'``: that of an uninformative score.
    """
    requested = []
    if bands["curve"] is not None:
        requested.append((make_curve_band(curve, bands["curve"]), color))
    if bands["random"] is not None:
        requested.append((make_random_band(curve, bands["random"]), RANDOM_BAND_COLOR))
    for band, own_color in requested:
        around = "confidence band" if band.around == "curve" else "band of a random score"
        name = f"{100 * band.confidence_level:.4g}% {around} ({band.kind})"
        share = band.population_share
        limits = place(Profile(share, band.low)), place(Profile(share, band.high))
        fill_between(ax, limits, own_color, name)


def fill_bounds(ax: Axes, curve: BinnedCurve, place: Place, color: Any) -> None:
    """Fill the area between the guaranteed bounds of a binned curve."""
    share, _, low, high = curve.cap_curve()
    if np.any(high > low):
        limits = place(Profile(share, low)), place(Profile(share, high))
        fill_between(ax, limits, color, "Guaranteed bounds")


def fill_between(
    ax: Axes, limits: tuple[AxesPath, AxesPath], color: Any, name: str
) -> None:
    """Fill the area between two paths, with a legend entry for the first of its name."""
    named = name in ax.get_legend_handles_labels()[1]
    draw_band(ax, *limits, "_nolegend_" if named else name, color)
