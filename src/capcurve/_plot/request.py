"""What is asked of a picture of curves, checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from capcurve._curve.binned_curve import BinnedCurve
from capcurve._curve.curve import CapCurve
from capcurve._curve.sketch import CapSketch
from capcurve._inference.band import Band
from capcurve._inference.options import BandKind
from capcurve._input.column import as_list
from capcurve._input.columns import Columns
from capcurve._input.dtypes import Label
from capcurve._input.options import check_flags, read_fractions, show
from capcurve._plot.options import OwnOptions, PictureOptions
from capcurve._plot.refusals import refuse_reading, refuse_unknown
from capcurve.exceptions import CapcurveError

Curve = CapCurve | BinnedCurve | CapSketch
Curves = Curve | Sequence[Curve] | Mapping[Any, Curve | Sequence[Curve]]
Name = str | Sequence[str | None] | None
KNOWN = set(PictureOptions.__annotations__) - set(OwnOptions.__annotations__)
PANELS_OF_ARRAYS = (
    "call `plot_panels({name: CapCurve.from_predictions(y_true, score), ...})` with the "
    "score of each name"
)
# What must be passed, and what to do if something else was.
IN_PICTURE = (
    (
        "`curve` must be a CapCurve, a BinnedCurve, a CapSketch, a list of them or a dict "
        "of them by name"
    ),
    "call `from_predictions` to draw arrays",
)
IN_PANELS = (
    (
        "`curves` must be a list of CapCurve, BinnedCurve or CapSketch, or a dict of them "
        "by name"
    ),
    f"for arrays, {PANELS_OF_ARRAYS}",
)
FLAGS = ("plot_chance_level", "plot_perfect", "normalize_scale", "shade")


@dataclass(frozen=True, eq=False)
class Sample:
    """A curve with what else is known about its rows.

    ``binned`` holds its guaranteed bounds, if it was made from bins; ``rows`` are the rows
    that it was made from, if they were passed.
    """

    curve: CapCurve
    binned: BinnedCurve | None = None
    rows: Columns | None = None

    @property
    def has_events(self) -> bool:
        """Whether outcomes are 0/1 events, not amounts."""
        if self.binned is not None:
            return self.binned.has_events
        outcomes = self.curve.perfect_tally.score
        return bool(np.all((outcomes == 0) | (outcomes == 1)))


@dataclass(frozen=True, eq=False)
class Series:
    """The curve of one name, or the curves of folds that share the name."""

    name: str | None
    samples: tuple[Sample, ...]

    @property
    def curves(self) -> tuple[CapCurve, ...]:
        """The curve, or those of the folds."""
        return tuple(sample.curve for sample in self.samples)

    @property
    def are_folds(self) -> bool:
        """Whether the curves are of samples that belong together."""
        return len(self.samples) > 1


@dataclass(frozen=True, kw_only=True, eq=False)
class CurveRequest:
    """Curves with their names, and what a picture of them shows."""

    series: tuple[Series, ...]
    pos_label: Label | None = None
    plot_chance_level: bool = True
    plot_perfect: bool = True
    normalize_scale: bool = True
    marks: tuple[float, ...] = ()
    shade: bool = False
    band: Band | BandKind | None = None
    random_band: Band | BandKind | None = None
    title: str | None = None

    @property
    def curves(self) -> tuple[CapCurve, ...]:
        """The curves of all names."""
        return tuple(curve for series in self.series for curve in series.curves)


def read_request(
    drawn: Curves,
    name: Name,
    *,
    rows: Sequence[Columns | None] = (),
    has_own_styles: bool = False,
    event: Label | None = None,
    marks_above_zero: bool = False,
    mark: float | Sequence[float] = (),
    **options: Any,
) -> CurveRequest:
    """Check the options of a picture; ``rows`` are those of each curve, if any."""
    refuse_reading(options)
    refuse_unknown(options, KNOWN)
    check_flags(**{each: options[each] for each in FLAGS if each in options})
    check_title(options.get("title"))
    marks = read_fractions(mark, "mark", above_zero=marks_above_zero).ravel()
    named = list_names(drawn, name, has_own_styles=has_own_styles)
    left = iter(rows)
    series = [
        Series(each, tuple(read_sample(curve, next(left, None)) for curve in curves))
        for each, curves in named
    ]
    return CurveRequest(
        series=tuple(series), marks=tuple(marks.tolist()), pos_label=event, **options
    )


def check_title(title: object) -> None:
    """Raise unless a title is a text, or None."""
    if not (title is None or isinstance(title, str)):
        raise CapcurveError(f"`title` must be a text, got {show(title)}; pass one, or None")


def read_sample(curve: Curve, rows: Columns | None) -> Sample:
    """Return a curve with its bins or its rows."""
    binned = curve.curve if isinstance(curve, CapSketch) else curve
    if isinstance(binned, BinnedCurve):
        return Sample(binned.curve, binned)
    return Sample(binned, rows=rows)


def list_names(
    drawn: Curves, name: Name, *, has_own_styles: bool
) -> list[tuple[str | None, list[Curve]]]:
    """Pair each name with its curve, or with those of its folds.

    The curves of a list are folds unless they have a name or a style each.
    """
    if isinstance(drawn, Mapping):
        names: list[str | None] = [join_names(name, key) for key in drawn]
        if is_list(name):
            names = read_names(name, len(drawn))
        return [
            (each, list(list_curves(curves)))
            for each, curves in zip(names, drawn.values(), strict=True)
        ]
    listed = list(list_curves(drawn))
    if len(listed) > 1 and not (is_list(name) or has_own_styles):
        return [(read_names(name, 1)[0], listed)]
    names = read_names(name, len(listed))
    return [(each, [curve]) for each, curve in zip(names, listed, strict=True)]


def list_curves(drawn: Curves) -> Iterator[Curve]:
    """List all curves, in their order."""
    if isinstance(drawn, Curve):
        yield drawn
    else:
        for each in drawn.values() if isinstance(drawn, Mapping) else drawn:
            yield from list_curves(each)


def join_names(name: Name, key: object) -> str:
    """Return the name of one of several curves, after the one that they share."""
    return f"{name}, {key}" if isinstance(name, str) else str(key)


def is_list(name: object) -> bool:
    """Whether there is a name for each curve instead of one for all."""
    return not (name is None or isinstance(name, str))


def read_names(name: Name, n_curves: int) -> list[str | None]:
    """Return a name for each curve, or raise for another number or for other values."""
    names: list[Any] = as_list(name) or [] if is_list(name) else [name] * n_curves
    known = all(each is None or isinstance(each, str) for each in names)
    if not known or len(names) != n_curves:
        raise CapcurveError(
            f"`name` must be one name, or a list with a name for each curve ({n_curves}), "
            f"got {show(name)}; pass one of the two"
        )
    return names


def check_keys(given: Mapping[Any, Any], argument: str) -> None:
    """Raise unless the keys of a dict are texts, which name its values."""
    for key in given:
        if not isinstance(key, str):
            raise CapcurveError(
                f"`{argument}` must have texts as names, got the key {show(key)}; write it "
                f"as {str(key)!r}"
            )


def check_curves(curve: object, wanted: tuple[str, str] = IN_PICTURE) -> None:
    """Raise unless curves were passed: one, a list, or a mapping of names to them.

    ``wanted`` is what the message says is expected, and what to do.
    """
    listed = list(curve.values()) if isinstance(curve, Mapping) else [curve]
    for each in listed or [[]]:
        curves = each if isinstance(each, Sequence) else [each]
        if not curves or not all(isinstance(item, Curve) for item in curves):
            expected, instead = wanted
            raise CapcurveError(f"{expected}, got {show(each)}; {instead}")
