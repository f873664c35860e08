"""Pictures of curves: what CAP, lift and ordered Lorenz curves have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np

from capcurve._curve.curve import CapCurve
from capcurve._curve.profile import DIAGONAL, Profile
from capcurve._plot.bands import list_bands
from capcurve._plot.picture import (
    Axis,
    Corner,
    Detail,
    Layer,
    Mark,
    Path,
    Picture,
    merge_distinct,
    refuse_many_curves,
)
from capcurve._plot.request import CurveRequest

GRID = np.linspace(0, 1, 513)  # population shares at which folds are averaged
PANELS = "call `plot_panels`, which gives each curve a panel"


class CurvePicture(ABC):
    """The parts of a picture of curves; a kind of curve says what only it knows."""

    kind: ClassVar[str]  # in the title
    corner: ClassVar[Corner] = "lower right"
    room_below: ClassVar[bool] = True
    marks_above_zero: ClassVar[bool] = False  # nothing to read off at a share of 0
    chance_entry: ClassVar[str] = "Random (AR = 0)"
    perfect_entry: ClassVar[str] = "Perfect (AR = 1)"

    def __init__(self, request: CurveRequest) -> None:
        self.request = request

    # -- What a kind of curve knows

    @abstractmethod
    def path(self, profile: Profile) -> Path:
        """Turn a profile into the path to draw, in shares."""

    @abstractmethod
    def point(self, curve: CapCurve, share: float) -> tuple[float, float]:
        """Return the point of a curve at a population share, in shares."""

    @abstractmethod
    def size(self, curve: CapCurve) -> tuple[float, float]:
        """Return what 1 stands for on each axis where the axes show totals."""

    @abstractmethod
    def reading(self, curve: CapCurve, share: float) -> str:
        """Return the value at a population share as text."""

    @abstractmethod
    def axes(self, layers: Sequence[Layer]) -> tuple[Axis, Axis]:
        """Return both axes, with the limits that the layers require."""

    def number(self, curve: CapCurve) -> str:
        """Return the number behind the name of a curve in the legend."""
        return f"AR = {curve.accuracy_ratio:.3f}"

    def details(self, curve: CapCurve, path: Path) -> tuple[Detail, ...]:
        """Return further values at the points of a curve."""
        share = path[0]
        thresholds = np.asarray(curve.threshold_at(np.clip(share, 0, 1)))
        return (Detail("Score cut-off", "score", thresholds),)

    # -- What all kinds share

    def make(self) -> Picture:
        """Describe the picture."""
        if not self.request.are_folds:
            refuse_many_curves(len(self.request.curves), PANELS)
        layers = tuple(self.list_layers())
        x, y = self.axes(layers)
        return Picture(
            title=self.make_title(),
            x=x,
            y=y,
            layers=layers,
            marks=tuple(self.list_marks()),
            corner=self.corner,
            room_below=self.room_below,
            is_square=self.request.normalize_scale and x.high == y.high,
        )

    def make_title(self) -> str:
        """Return the title: that of the caller, or the kind with AR where it is one."""
        if self.request.title is not None:
            return self.request.title
        if len(self.request.curves) == 1:
            return f"{self.kind} curve, {self.number(self.request.curves[0])}"
        return f"{self.kind} curves"

    def list_layers(self) -> Iterator[Layer]:
        """List the layers from the back to the front."""
        chance = [self.scale(self.path(DIAGONAL), curve) for curve in self.request.curves]
        perfect = [
            self.scale(self.path(curve.perfect), curve) for curve in self.request.curves
        ]
        if self.request.shade:
            yield shade_between(chance, perfect)
        yield from self.list_areas()
        if self.request.plot_chance_level:
            yield Layer("chance", *merge_distinct(chance), entry=self.chance_entry)
        if self.request.plot_perfect:
            yield Layer("perfect", *merge_distinct(perfect), entry=self.perfect_entry)
        yield from self.list_folds() if self.request.are_folds else self.list_curves()

    def list_areas(self) -> Iterator[Layer]:
        """List confidence bands, bands of a random score and guaranteed bounds."""
        seen: set[str] = set()
        for number, (curve, binned) in enumerate(
            zip(self.request.curves, self.request.binned, strict=True)
        ):
            for role, entry, low, high in list_bands(
                curve, binned, self.request.band, self.request.random_band
            ):
                edges = [self.scale(self.path(edge), curve) for edge in (low, high)]
                x = np.union1d(edges[0][0], edges[1][0])
                y, top = (np.interp(x, *edge) for edge in edges)
                shown = None if entry in seen else entry
                seen.add(entry)
                of_curve = 0 if self.request.are_folds else number
                yield Layer(role, x, y, top=top, number=of_curve, entry=shown)

    def list_curves(self) -> Iterator[Layer]:
        """List the line of each curve, with its name and number in the legend."""
        for number, (curve, name) in enumerate(
            zip(self.request.curves, self.request.names, strict=True)
        ):
            path = self.path(curve.profile)
            yield Layer(
                "curve",
                *self.scale(path, curve),
                number=number,
                name=name,
                entry=write_entry(name, self.number(curve)),
                details=self.details(curve, path),
            )

    def list_folds(self) -> Iterator[Layer]:
        """List the line of each fold, their mean curve and its spread."""
        curves, name = self.request.curves, self.request.names[0]
        ratios = [curve.accuracy_ratio for curve in curves]
        summary = f"AR = {np.mean(ratios):.3f} ± {np.std(ratios):.3f}"
        paths = [self.path(curve.profile) for curve in curves]
        can_average = self.request.normalize_scale
        if can_average:
            grid = np.union1d(np.clip(GRID, paths[0][0].min(), 1), paths[0][0].min())
            heights = np.array([np.interp(grid, *path) for path in paths])
            mean, spread = heights.mean(axis=0), heights.std(axis=0)
            low, high = mean - spread, mean + spread
            yield Layer("spread", grid, low, top=high, entry="± 1 standard deviation")
        for i, (curve, path) in enumerate(zip(curves, paths, strict=True)):
            first = f"{len(curves)} folds" if can_average else write_entry(name, summary)
            yield Layer(
                "fold",
                *self.scale(path, curve),
                name=f"fold {i + 1}",
                entry=None if i else first,
            )
        if can_average:
            entry = write_entry("Mean" if name is None else f"{name}, mean", summary)
            yield Layer("curve", grid, mean, name=name, entry=entry)

    def list_marks(self) -> Iterator[Mark]:
        """List the points that are read off each curve."""
        if self.request.are_folds:
            return
        for number, curve in enumerate(self.request.curves):
            for share in self.request.marks:
                across, up = self.point(curve, share)
                width, height = self.totals(curve)
                text = self.reading(curve, share)
                brief = text.replace(" captured", "")
                yield Mark(number, across * width, up * height, text, brief)

    def totals(self, curve: CapCurve) -> tuple[float, float]:
        """Return what 1 stands for on each axis."""
        return (1.0, 1.0) if self.request.normalize_scale else self.size(curve)

    def scale(self, path: Path, curve: CapCurve) -> Path:
        """Scale a path of shares to the units of the axes."""
        width, height = self.totals(curve)
        return path[0] * width, path[1] * height

    def name_event(self, label: str) -> str:
        """Add the label of the event to the label of an axis."""
        event = self.request.pos_label
        return label if event is None else f"{label} (positive label: {event})"


def write_entry(name: str | None, number: str) -> str:
    """Write a legend entry: the name with the number, or the number alone."""
    return number if name is None else f"{name} ({number})"


def shade_between(chance: Sequence[Path], perfect: Sequence[Path]) -> Layer:
    """Fill the area between the random line and the highest of the perfect lines."""
    best = max(range(len(perfect)), key=lambda i: np.trapezoid(*perfect[i][::-1]))
    x = np.union1d(chance[best][0], perfect[best][0])
    low, high = (np.interp(x, *paths[best]) for paths in (chance, perfect))
    return Layer("shade", x, low, top=high)
