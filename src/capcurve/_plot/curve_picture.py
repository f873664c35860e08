"""Pictures of curves: what CAP, lift and ordered Lorenz curves have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np

from capcurve._curve.curve import CapCurve
from capcurve._curve.profile import DIAGONAL, Profile
from capcurve._plot.bands import list_bands
from capcurve._plot.picture import Detail, Layer, Mark, Path, merge_distinct
from capcurve._plot.request import CurveRequest, Series
from capcurve._plot.series_picture import SeriesPicture, write_entry
from capcurve._tally.dtypes import Array, FloatArray
from capcurve.exceptions import CapcurveError

GRID = np.linspace(0, 1, 513)  # population shares at which folds are averaged


class CurvePicture(SeriesPicture):
    """The parts of a picture of curves; a kind of curve says what only it knows."""

    chance_entry: ClassVar[str] = "Random (AR = 0)"
    perfect_entry: ClassVar[str] = "Perfect (AR = 1)"
    highest: ClassVar[float] = 1.0  # value that a curve can reach

    # -- What a kind of curve knows

    @abstractmethod
    def path(self, profile: Profile) -> Path:
        """Turn a profile into the path to draw, in shares."""

    @abstractmethod
    def heights(self, curve: CapCurve, share: FloatArray) -> FloatArray:
        """Return the heights of a curve at population shares, in shares."""

    @abstractmethod
    def size(self, curve: CapCurve) -> tuple[float, float]:
        """Return what 1 stands for on each axis where the axes show totals."""

    @abstractmethod
    def reading(self, curves: Sequence[CapCurve], share: float) -> str:
        """Return the value at a population share as text, or the mean of folds."""

    def details(self, curve: CapCurve, path: Path) -> tuple[Detail, ...]:
        """Return further values at the points of a curve."""
        share = path[0]
        thresholds = np.asarray(curve.threshold_at(np.clip(share, 0, 1)))
        return (Detail("Score cut-off", "score", thresholds),)

    # -- What all kinds share

    def point(self, curve: CapCurve, share: float) -> tuple[float, float]:
        """Return the point of a curve at a population share, in shares."""
        return share, self.heights(curve, np.array([share])).item()

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
        for number, series in enumerate(self.request.series):
            if series.are_folds:
                yield from self.list_folds(number, series)
            else:
                yield self.draw_curve(number, series)

    def list_areas(self) -> Iterator[Layer]:
        """List confidence bands, bands of a random score and guaranteed bounds."""
        seen: set[str] = set()
        samples = [
            (number, sample)
            for number, series in enumerate(self.request.series)
            for sample in series.samples
        ]
        for number, sample in samples:
            for role, entry, *profiles in list_bands(
                sample.curve, sample.binned, self.request.band, self.request.random_band
            ):
                edges = [self.scale(self.path(edge), sample.curve) for edge in profiles]
                x = np.union1d(edges[0][0], edges[1][0])
                first, second = (np.interp(x, *edge) for edge in edges)
                shown = None if entry in seen else entry
                seen.add(entry)
                low, high = np.minimum(first, second), np.maximum(first, second)
                yield Layer(role, x, low, top=high, number=number, entry=shown)

    def draw_curve(self, number: int, series: Series) -> Layer:
        """Draw the line of a curve, with its name and number in the legend."""
        (curve,) = series.curves
        path = self.path(curve.profile)
        width, height = self.totals(curve)

        def read(at: Array) -> Array:
            return self.heights(curve, np.clip(at / width, path[0][0], 1)) * height

        return Layer(
            "curve",
            *self.scale(path, curve),
            number=number,
            name=series.name,
            entry=write_entry(series.name, self.number(series)),
            details=self.details(curve, path),
            read=read,
        )

    def list_folds(self, number: int, series: Series) -> Iterator[Layer]:
        """List the line of each fold, their mean curve and its spread.

        Folds have different totals, so there is a mean of shares only.
        """
        entry: str | None = write_entry(series.name, self.number(series))
        if self.request.normalize_scale:
            spread, mean = self.average(number, series)
            yield spread
            entry = None if number else f"{len(series.curves)} folds"
        for i, curve in enumerate(series.curves):
            fold = f"fold {i + 1}"
            name = fold if series.name is None else f"{series.name}, {fold}"
            path = self.scale(self.path(curve.profile), curve)
            shown = None if i else entry
            yield Layer("fold", *path, number=number, name=name, entry=shown)
        if self.request.normalize_scale:
            yield mean

    def average(self, number: int, series: Series) -> list[Layer]:
        """Return the spread of folds around their mean curve, and that curve."""
        name = series.name
        first = self.path(DIAGONAL)[0][0]
        grid = np.union1d(GRID, self.request.marks)
        grid = np.append(first, grid[first < grid])
        heights = np.array([self.heights(curve, grid) for curve in series.curves])
        mean, spread = heights.mean(axis=0), heights.std(axis=0)
        low, high = np.clip([mean - spread, mean + spread], 0, self.highest)
        of_spread = None if number else "± 1 standard deviation"
        entry = write_entry(
            "Mean" if name is None else f"{name}, mean", self.number(series)
        )

        def read(at: Array) -> Array:
            found = [self.heights(curve, at) for curve in series.curves]
            return np.asarray(np.mean(found, axis=0))

        return [
            Layer("spread", grid, low, top=high, number=number, entry=of_spread),
            Layer("curve", grid, mean, number=number, name=name, entry=entry, read=read),
        ]

    def list_marks(self) -> Iterator[Mark]:
        """List the points that are read off each curve, or off the mean of folds."""
        for number, series in enumerate(self.request.series):
            refuse_marks_of_totals(self.request, series)
            width, height = self.totals(series.curves[0])
            for share in self.request.marks:
                points = [self.point(curve, share) for curve in series.curves]
                across, up = np.mean(points, axis=0).tolist()
                text = self.reading(series.curves, share)
                brief = text.replace(" captured", "")
                yield Mark(number, across * width, up * height, text, brief)

    def totals(self, curve: CapCurve) -> tuple[float, float]:
        """Return what 1 stands for on each axis."""
        return (1.0, 1.0) if self.request.normalize_scale else self.size(curve)

    def scale(self, path: Path, curve: CapCurve) -> Path:
        """Scale a path of shares to the units of the axes."""
        width, height = self.totals(curve)
        return path[0] * width, path[1] * height


def refuse_marks_of_totals(request: CurveRequest, series: Series) -> None:
    """Raise for marks of folds that have no mean curve, as their totals differ."""
    if series.are_folds and request.marks and not request.normalize_scale:
        raise CapcurveError(
            "`mark` reads off the mean curve of folds, which has shares only, got it with "
            "`normalize_scale=False`; leave out one of the two"
        )


def shade_between(chance: Sequence[Path], perfect: Sequence[Path]) -> Layer:
    """Fill the area between the random line and the farthest of the perfect lines."""
    areas = [
        abs(np.trapezoid(*far[::-1]) - np.trapezoid(*near[::-1]))
        for near, far in zip(chance, perfect, strict=True)
    ]
    best = int(np.argmax(areas))
    x = np.union1d(chance[best][0], perfect[best][0])
    first, second = (np.interp(x, *paths[best]) for paths in (chance, perfect))
    return Layer("shade", x, np.minimum(first, second), top=np.maximum(first, second))
