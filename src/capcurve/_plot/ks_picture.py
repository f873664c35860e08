"""Pictures of KS: the score distributions of events and of non-events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from types import MappingProxyType
from typing import Literal

import numpy as np

from capcurve._curve.curve import CapCurve
from capcurve._curve.profile import DIAGONAL, Profile, accumulate_share, interpolate_at
from capcurve._input.options import check_word
from capcurve._plot.numbers import format_number
from capcurve._plot.picture import Axis, Detail, Layer, Mark, Path
from capcurve._plot.request import CurveRequest, Sample, Series
from capcurve._plot.series_picture import SeriesPicture, write_entry, write_mean
from capcurve._tally.dtypes import Array, FloatArray
from capcurve.exceptions import CapcurveError

CELLS = 1024  # of a picture, along each axis
ROUNDING = 1e-12  # of a share
CLASSES = ("events", "non-events")
Across = Literal["score", "population_share"]


@dataclass(frozen=True, eq=False)
class Distributions:
    """Cumulative shares of events and of non-events, best score first."""

    curve: CapCurve

    @cached_property
    def shares(self) -> tuple[FloatArray, FloatArray]:
        """Share of either class selected at each point of the curve, from 0 to 1."""
        tally = self.curve.tally
        others = np.maximum(tally.weight - tally.target, 0)
        return self.curve.capture_rate, accumulate_share(others)

    @cached_property
    def widest(self) -> int:
        """Position of the first point at which the two shares differ most."""
        events, others = self.shares
        gaps = np.abs(events - others)
        return int(np.argmax(gaps > gaps.max() - ROUNDING))

    @property
    def cut_off(self) -> float:
        """Last score selected where the two shares differ most."""
        return float(self.curve.thresholds[self.widest])

    @property
    def drawn_cut_off(self) -> float:
        """The cut-off, or the finite score that is nearest to it."""
        scores = self.scores[np.isfinite(self.scores)]
        return float(np.clip(self.cut_off, scores[0], scores[-1]))

    @property
    def scores(self) -> FloatArray:
        """Distinct scores, the lowest first."""
        scores = self.curve.thresholds[1:]
        return scores[::-1] if self.curve.descending else scores

    def below(self, selected: FloatArray) -> FloatArray:
        """Turn shares selected into shares with a score up to each one, 0 first."""
        return 1 - selected[::-1] if self.curve.descending else selected

    def over_scores(self) -> list[Path]:
        """Return both distribution functions, in steps, over the scores."""
        scores = self.scores
        finite = np.flatnonzero(np.isfinite(scores))
        if not len(finite):
            raise CapcurveError(
                "a picture of KS over the score requires a finite score, got infinite ones "
                "only; pass `over='population_share'`"
            )
        heights = [self.below(share) for share in self.shares]
        edges = np.linspace(scores[finite[0]], scores[finite[-1]], CELLS)
        ends = [np.searchsorted(scores[finite], [*edges, self.drawn_cut_off])]
        cells = np.arange(1, CELLS) / CELLS
        ends += [np.searchsorted(height[finite + 1], cells) for height in heights]
        after = np.minimum(np.concatenate(ends), len(finite) - 1)
        kept = finite[np.unique(np.concatenate([[0], after, np.maximum(after, 1) - 1]))]
        x = np.repeat(scores[kept], 2)
        return [
            (x, np.column_stack([height[kept], height[kept + 1]]).ravel())
            for height in heights
        ]

    def read(self, which: int, at: Array, *, over_score: bool) -> Array:
        """Return the height of a line of one class at scores, or at population shares."""
        selected = self.shares[which]
        if not over_score:
            return interpolate_at(at, self.curve.population_share, selected)
        # A cut-off itself is selected: below it are lower scores, or it as well.
        side: Literal["left", "right"] = "left" if self.curve.descending else "right"
        return self.below(selected)[np.searchsorted(self.scores, at, side=side)]

    def over_population(self) -> list[Path]:
        """Return the share of either class selected, over the population share."""
        share = self.curve.population_share
        paths = [Profile(share, of_class).thinned() for of_class in self.shares]
        return [(path.population_share, path.capture_rate) for path in paths]


class KSPicture(SeriesPicture):
    """Distribution functions of events and of non-events, with the largest gap."""

    kind = "KS"
    marks_above_zero = True
    lines_each = 2
    is_alone = True
    own_options = frozenset({"over"})
    inapplicable = MappingProxyType(
        {"normalize_scale": True, "band": None, "random_band": None}
    )

    def __init__(self, request: CurveRequest, *, over: Across = "score") -> None:
        super().__init__(request)
        check_word(over, "over", ("score", "population_share"))
        self.over_score = over == "score"
        for series in request.series:
            for sample in series.samples:
                refuse_amounts(sample)
            if series.are_folds and request.marks:
                raise CapcurveError(
                    "`mark` reads the gap off one curve of each name in a picture of KS, "
                    "got folds; leave it out, or mark their mean in CAPCurveDisplay"
                )
        graded = {curve.grades for curve in request.curves}
        if self.over_score and len(graded) > 1:
            raise CapcurveError(
                "curves of grades must share them to be drawn over one axis of scores, got "
                "different ones; pass `over='population_share'`"
            )
        self.grades = graded.pop() if len(graded) == 1 else None

    def paths(self, found: Distributions) -> list[Path]:
        """Return the paths of both classes."""
        return found.over_scores() if self.over_score else found.over_population()

    def list_layers(self) -> Iterator[Layer]:
        """List the layers from the back to the front."""
        lines: list[Layer] = []
        gaps: list[Layer] = []
        for place, series in enumerate(self.request.series):
            for i, sample in enumerate(series.samples):
                found = Distributions(sample.curve)
                paths = self.paths(found)
                lines += self.list_lines(place, series, i, paths)
                if self.request.shade and not series.are_folds:
                    yield shade_between_classes(paths, place)
                if not series.are_folds:
                    gaps.append(self.draw_gap(place, series, found))
        if self.request.plot_chance_level and not self.over_score:
            yield Layer("chance", *DIAGONAL, entry="Random (KS = 0)")
        yield from (*gaps, *lines)

    def list_lines(
        self, place: int, series: Series, i: int, paths: Sequence[Path]
    ) -> Iterator[Layer]:
        """List the lines of events and of non-events of a curve, or of one fold."""
        shared = [] if series.name is None or self.has_one_name else [series.name]
        found = Distributions(series.curves[i])
        for which, (word, path) in enumerate(zip(CLASSES, paths, strict=True)):
            name = ", ".join([*shared, word])
            name = name[0].upper() + name[1:] if not shared else name
            entry: str | None = name
            if series.are_folds:
                entry = f"{name}, {len(series.samples)} folds"
                if not which:
                    entry = write_entry(entry, self.number(series))
                name = f"{name}, fold {i + 1}"
                entry = None if i else entry
            role: Literal["fold", "curve"] = "fold" if series.are_folds else "curve"
            details = () if self.over_score else self.name_cut_offs(series, i, path)
            number = place + which * len(self.request.series)  # gaps differ as events do
            yield Layer(
                role,
                *path,
                number=number,
                name=name,
                entry=entry,
                details=details,
                read=partial(found.read, which, over_score=self.over_score),
            )

    def name_cut_offs(self, series: Series, i: int, path: Path) -> tuple[Detail, ...]:
        """Return the score reached at each point over the population share."""
        found = np.asarray(series.curves[i].threshold_at(np.clip(path[0], 0, 1)))
        return (Detail("Score cut-off", "score", found),)

    def draw_gap(self, place: int, series: Series, found: Distributions) -> Layer:
        """Draw the largest gap, with KS and its cut-off in the legend."""
        events, others = (share[found.widest] for share in found.shares)
        x = float(found.curve.population_share[found.widest])
        y = np.sort([events, others])
        if self.over_score:
            x = found.drawn_cut_off
            y = np.sort(1 - y) if found.curve.descending else y
        number, entry = place, self.number(series)
        name = None if self.has_one_name and series.name == "Model" else series.name
        return Layer(
            "gap",
            np.array([x, x]),
            y,
            number=number,
            name=series.name,
            entry=write_entry(name, entry),
        )

    @property
    def has_one_name(self) -> bool:
        """Whether there is one name only."""
        return len(self.request.series) == 1

    def write_ks(self, series: Series) -> str:
        """Write KS: its guaranteed bounds if they differ, or its spread over folds."""
        binned = series.samples[0].binned
        if series.are_folds or binned is None:
            return f"KS = {write_mean([curve.ks for curve in series.curves], 3)}"
        value, low, high = (f"{ks:.3f}" for ks in binned.ks)
        return f"KS = {value}" if low == high else f"KS = {value} ({low} to {high})"

    def number(self, series: Series) -> str:
        """Write KS with its cut-off, unless that differs from fold to fold.

        No row is selected there if the two distributions are the same.
        """
        shown = self.write_ks(series)
        if series.are_folds:
            return shown
        found = Distributions(series.curves[0])
        if not found.widest:
            return shown
        if not self.over_score:
            share = float(found.curve.population_share[found.widest])
            return f"{shown} at {100 * share:.3g}%"
        return f"{shown} at {self.name_score(found.cut_off)}"

    def name_score(self, score: float) -> str:
        """Write a cut-off: the name of a grade, or a number."""
        if self.grades is not None:
            return self.grades[int(score)]
        return f"score {format_number(score)}"

    def name_kind(self) -> str:
        """Name what the picture shows, with the KS of one name."""
        if self.has_one_name:
            return f"Score distributions, {self.write_ks(self.request.series[0])}"
        return "Score distributions"

    def list_marks(self) -> Iterator[Mark]:
        """List the points of the line of events that are read off."""
        for place, series in enumerate(self.request.series):
            curve = series.curves[0]  # the only one: folds have no marks
            for share in self.request.marks:
                events = float(curve.capture_rate_at(share))
                selected = share * curve.total_weight - events * curve.total_target
                gap = abs(events - selected / (curve.total_weight - curve.total_target))
                x, y = share, events
                if self.over_score:
                    at = np.searchsorted(curve.population_share, share)
                    x = float(curve.thresholds[at])
                    y = 1 - events if curve.descending else events
                if np.isfinite(x):
                    yield Mark(place, x, y, f"gap {gap:.3f} at {100 * share:.4g}%")

    def axes(self, layers: Sequence[Layer]) -> tuple[Axis, Axis]:  # noqa: ARG002 -- shares
        """Return an axis of scores, grades or population shares, and one of shares."""
        up = Axis(self.name_event("Cumulative share"), "share", 0, 1)
        if not self.over_score:
            return Axis("Population share", "share", 0, 1), up
        if self.grades is None:
            return Axis("Score", "score"), up
        return Axis("Grade", "name", names=self.grades), up


def refuse_amounts(sample: Sample) -> None:
    """Raise unless outcomes are 0/1 events."""
    if not sample.has_events:
        raise CapcurveError(
            "a picture of KS requires 0/1 events, got amounts; draw their CAP, lift or "
            "ordered Lorenz curve instead"
        )


def shade_between_classes(paths: Sequence[Path], number: int) -> Layer:
    """Fill the area between the lines of events and of non-events."""
    x = np.unique(np.concatenate([path[0] for path in paths]))
    first, second = (np.interp(x, *path) for path in paths)
    if np.array_equal(paths[0][0], paths[1][0]):  # in steps, which share their scores
        x, (first, second) = paths[0][0], (path[1] for path in paths)
    low, high = np.minimum(first, second), np.maximum(first, second)
    return Layer("shade", x, low, top=high, number=number)
