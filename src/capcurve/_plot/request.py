"""What is asked of a picture of curves, checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from capcurve._curve.binned_curve import BinnedCurve
from capcurve._curve.curve import CapCurve
from capcurve._curve.sketch import CapSketch
from capcurve._inference.band import Band
from capcurve._inference.options import BandKind
from capcurve._input.column import as_list
from capcurve._input.dtypes import Label
from capcurve._input.options import check_flags, read_fractions, show
from capcurve.exceptions import CapcurveError

Curve = CapCurve | BinnedCurve | CapSketch


@dataclass(frozen=True, kw_only=True, eq=False)
class CurveRequest:
    """Curves with their names, and what a picture of them shows.

    ``are_folds``: the curves are of samples that belong together, such as the folds of a
    cross-validation, and share one name.
    """

    curves: tuple[CapCurve, ...]
    binned: tuple[BinnedCurve | None, ...]
    names: tuple[str | None, ...]
    are_folds: bool
    pos_label: Label | None = None
    plot_chance_level: bool = True
    plot_perfect: bool = True
    normalize_scale: bool = True
    marks: tuple[float, ...] = ()
    shade: bool = False
    band: Band | BandKind | None = None
    random_band: Band | BandKind | None = None
    title: str | None = None


def read_request(
    drawn: Curve | Sequence[Curve],
    name: str | Sequence[str | None] | None,
    *,
    pos_label: Label | None = None,
    has_own_styles: bool = False,
    marks_above_zero: bool = False,
    mark: float | Sequence[float] = (),
    **options: Any,
) -> CurveRequest:
    """Check the options of a picture of curves."""
    check_flags(
        **{
            each: options[each]
            for each in ("plot_chance_level", "plot_perfect", "normalize_scale", "shade")
            if each in options
        }
    )
    title = options.get("title")
    if not (title is None or isinstance(title, str)):
        raise CapcurveError(f"`title` must be a text, got {show(title)}; pass one, or None")
    marks = read_fractions(mark, "mark", above_zero=marks_above_zero).ravel()
    listed = [drawn] if isinstance(drawn, Curve) else list(drawn)
    binned = [item.curve if isinstance(item, CapSketch) else item for item in listed]
    return CurveRequest(
        curves=tuple(b.curve if isinstance(b, BinnedCurve) else b for b in binned),
        binned=tuple(b if isinstance(b, BinnedCurve) else None for b in binned),
        names=tuple(read_names(name, len(listed))),
        are_folds=len(listed) > 1 and not (is_list(name) or has_own_styles),
        pos_label=pos_label,
        marks=tuple(marks.tolist()),
        **options,
    )


def is_list(name: object) -> bool:
    """Whether there is a name for each curve instead of one for all."""
    return not (name is None or isinstance(name, str))


def read_names(name: str | Sequence[str | None] | None, n_curves: int) -> list[str | None]:
    """Return a name for each curve, or raise for another number or for other values."""
    names: list[Any] = as_list(name) or [] if is_list(name) else [name] * n_curves
    known = all(each is None or isinstance(each, str) for each in names)
    if not known or len(names) != n_curves:
        raise CapcurveError(
            f"`name` must be one name, or a list with a name for each curve ({n_curves}), "
            f"got {show(name)}; pass one of the two"
        )
    return names


def check_curves(curve: object) -> None:
    """Raise unless a curve or a sequence of curves was passed."""
    curves = curve if isinstance(curve, Sequence) else [curve]
    if not curves or not all(isinstance(each, Curve) for each in curves):
        raise CapcurveError(
            "`curve` must be a CapCurve, a BinnedCurve, a CapSketch or a list of them, "
            f"got {show(curve)}; call `from_predictions` to draw arrays"
        )
