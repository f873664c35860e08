"""Legend labels and line styles of curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from capcurve._curve.curve import CapCurve
from capcurve._input.column import as_list
from capcurve._input.options import show
from capcurve._plot.axes import FOLD_STYLE, AxesPath, merge_style, model_styles
from capcurve._plot.options import Style
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def choose_styles(
    ax: Axes,
    curves: Sequence[CapCurve],
    name: str | Sequence[str] | None,
    curve_kwargs: Style | Sequence[Style] | None,
) -> list[dict[str, Any]]:
    """Choose the label and the style of each curve.

    Parameters
    ----------
    ax : matplotlib Axes
        Curves already on it keep their place in the cycle of styles.
    curves : sequence of CapCurve
    name, curve_kwargs
        As in `CAPCurveDisplay.plot`. Several curves share one style and one legend entry
        unless one of the two is a list.

    Returns
    -------
    list of dict
        Keyword arguments of matplotlib's ``plot`` for each curve.
    """
    ratios = [curve.accuracy_ratio for curve in curves]
    names = repeat_option(name, "name", len(curves), str)
    own = repeat_option(curve_kwargs, "curve_kwargs", len(curves), Mapping)
    if len(curves) == 1 or is_list(curve_kwargs) or is_list(name):
        labels = [
            format_legend(own_name, f"AR = {ratio:.3f}")
            for own_name, ratio in zip(names, ratios, strict=True)
        ]
        default = model_styles(ax, len(curves))
    else:
        mean = f"AR = {np.mean(ratios):.3f} ± {np.std(ratios):.3f}"
        labels = [format_legend(names[0], mean), *["_nolegend_"] * (len(curves) - 1)]
        default = [FOLD_STYLE] * len(curves)
    return [
        merge_style({"label": label, **style}, own_style, "curve_kwargs")
        for label, style, own_style in zip(labels, default, own, strict=True)
    ]


def scale_path(path: AxesPath, size: tuple[float, float]) -> AxesPath:
    """Scale a path of shares so that 1 becomes ``size`` on each axis."""
    return path[0] * size[0], path[1] * size[1]


def format_legend(name: str | None, number: str) -> str:
    """Format a legend entry: the name with the number, or the number alone."""
    return number if name is None else f"{name} ({number})"


def is_list(value: object) -> bool:
    """Whether an option holds one value per curve instead of one for all."""
    return not (value is None or isinstance(value, str | Mapping))


def repeat_option(value: Any, option: str, n_curves: int, kind: type) -> list[Any]:
    """Return one value per curve, or raise if a list has another length or other values."""
    values = [value] * n_curves
    if is_list(value):
        values = as_list(value) or []
    if not all(each is None or isinstance(each, kind) for each in values):
        values = []
    if len(values) != n_curves:
        word = "name" if kind is str else "dict"
        raise CapcurveError(
            f"`{option}` must be one {word}, or a list with a {word} for each curve "
            f"({n_curves}), got {show(value)}; pass one of the two"
        )
    return values
