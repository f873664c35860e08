"""Options of pictures, typed for editors and type checkers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

from capcurve._curve.gains_table import BandSpec
from capcurve._inference.band import Band
from capcurve._inference.options import BandKind

Style = Mapping[str, Any]


class OwnOptions(TypedDict, total=False):
    """Keyword arguments that some displays have beside those of all of them."""

    over: Literal["score", "population_share"]
    bands: BandSpec
    statistic: Literal["response_rate", "capture_rate", "lift"]
    confidence_level: float | None


class PictureOptions(OwnOptions, total=False):
    """What a picture of curves shows: keyword arguments of `CAPCurveDisplay.chart`."""

    plot_chance_level: bool
    plot_perfect: bool
    normalize_scale: bool
    mark: float | Sequence[float]
    shade: bool
    band: Band | BandKind | None
    random_band: Band | BandKind | None
    title: str | None


class PlotOptions(PictureOptions, total=False):
    """Keyword arguments of `CAPCurveDisplay.plot`, whose docstring describes them."""

    curve_kwargs: Style | Sequence[Style] | None
    chance_level_kwargs: Style | None
    perfect_level_kwargs: Style | None
    despine: bool


class LineOptions(TypedDict, total=False):
    """Keyword arguments of `DoubleLiftDisplay.plot`, whose docstring describes them."""

    curve_kwargs: Style | Sequence[Style] | None
    plot_chance_level: bool
    chance_level_kwargs: Style | None
    despine: bool
    title: str | None
