"""Options of displays, typed for editors and type checkers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from capcurve._inference.band import Band
from capcurve._inference.options import BandKind

Style = Mapping[str, Any]


class PlotOptions(TypedDict, total=False):
    """Keyword arguments of `CAPCurveDisplay.plot`, whose docstring describes them."""

    curve_kwargs: Style | Sequence[Style] | None
    plot_chance_level: bool
    chance_level_kwargs: Style | None
    plot_perfect: bool
    perfect_level_kwargs: Style | None
    despine: bool
    normalize_scale: bool
    mark: float | Sequence[float]
    shade: bool
    band: Band | BandKind | None
    random_band: Band | BandKind | None
