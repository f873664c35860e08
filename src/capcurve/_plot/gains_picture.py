"""Pictures of gains tables: a bar for each band, with limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import isclose
from types import MappingProxyType
from typing import Literal, get_args

import numpy as np

from capcurve._curve.curve import CapCurve
from capcurve._curve.gains_table import BandSpec, GainsTable
from capcurve._inference.options import FEW_EVENTS, check_confidence_level
from capcurve._inference.response_rate import find_gains_limits
from capcurve._inference.share_influence import count_smaller_class
from capcurve._input.columns import Columns, Weights
from capcurve._input.options import check_word
from capcurve._input.score import name_grades
from capcurve._plot.numbers import format_count, format_number
from capcurve._plot.picture import ROUNDING, Axis, Detail, Layer, Mark, merge_distinct
from capcurve._plot.request import CurveRequest, Sample, Series
from capcurve._plot.series_picture import SeriesPicture
from capcurve._tally.dtypes import FloatArray
from capcurve.exceptions import CapcurveError, FewEventsWarning, warn_caller

Statistic = Literal["response_rate", "capture_rate", "lift"]
LABELS = {
    "response_rate": "Response rate",
    "capture_rate": "Capture rate to the end of the band",
    "lift": "Lift to the end of the band",
}
ROOM = 1.08  # height of the axis, as a multiple of the highest bar or limit


class GainsPicture(SeriesPicture):
    """Response rate, capture rate or lift of the bands of a gains table, as bars."""

    kind = "gains tables"
    corner = "upper right"
    room_below = False
    is_alone = True
    own_options = frozenset({"bands", "statistic", "confidence_level"})
    inapplicable = MappingProxyType(
        {
            "normalize_scale": True,
            "marks": (),
            "shade": False,
            "band": None,
            "random_band": None,
        }
    )

    def __init__(
        self,
        request: CurveRequest,
        *,
        bands: BandSpec = 10,
        statistic: Statistic = "response_rate",
        confidence_level: float | None = None,
    ) -> None:
        super().__init__(request)
        check_word(statistic, "statistic", get_args(Statistic))
        self.bands: BandSpec = bands
        self.statistic = statistic
        self.confidence_level = confidence_level
        self.tables = [
            [GainsTable.from_curve(curve, bands) for curve in series.curves]
            for series in request.series
        ]
        self.names = self.name_bands()
        if confidence_level is not None:
            check_confidence_level(confidence_level)
            if any(series.are_folds for series in request.series):
                raise CapcurveError(
                    "`confidence_level` applies to one sample, got folds, whose bars have "
                    "the standard deviation over folds as limits; leave it out"
                )

    def name_bands(self) -> tuple[str, ...]:
        """Name the bands by their population shares, or by their scores."""
        found = {
            name_bands(curve, table, self.bands)
            for series, tables in zip(self.request.series, self.tables, strict=True)
            for curve, table in zip(series.curves, tables, strict=True)
        }
        if len(found) > 1:
            raise CapcurveError(
                "`bands='scores'` requires the same scores in all curves of a picture, got "
                "different ones; pass a number of bands, or draw one curve at a time"
            )
        return found.pop()

    @property
    def has_events(self) -> bool:
        """Whether the outcomes of all curves are 0/1 events."""
        return all(
            sample.has_events for series in self.request.series for sample in series.samples
        )

    def list_layers(self) -> Iterator[Layer]:
        """List the layers from the back to the front."""
        for number, series in enumerate(self.request.series):
            yield self.draw_bars(number, series)
        entries: set[str] = set()
        for number, series in enumerate(self.request.series):
            if (limits := self.draw_limits(number, series, entries)) is not None:
                yield limits
        if self.request.plot_chance_level:
            yield from self.draw_references()

    def draw_bars(self, number: int, series: Series) -> Layer:
        """Draw the bars of one name; those of folds have the mean height."""
        tables, name = self.tables[number], series.name
        heights = [getattr(table, self.statistic) for table in tables]
        if series.are_folds:
            name = "Mean" if name is None else f"{name}, mean"
            name = f"{name} of {len(heights)} folds"
        details = () if series.are_folds else list_details(series.samples[0], tables[0])
        places = np.arange(len(self.names), dtype=np.float64)
        return Layer(
            "bars",
            places,
            np.mean(heights, axis=0),
            number=number,
            name=name,
            entry=name,
            details=details,
        )

    def draw_limits(self, number: int, series: Series, entries: set[str]) -> Layer | None:
        """Draw the limits of the bars of one name, if there are any."""
        found = self.find_limits(number, series)
        if found is None:
            return None
        entry, low, high = found
        shown = None if entry in entries else entry
        entries.add(entry)
        places = np.arange(len(self.names), dtype=np.float64)
        known = np.isfinite(low) & np.isfinite(high)
        return Layer(
            "limits",
            places[known],
            low[known],
            top=high[known],
            number=number,
            name=series.name,
            entry=shown,
        )

    def find_limits(
        self, number: int, series: Series
    ) -> tuple[str, FloatArray, FloatArray] | None:
        """Find confidence limits, guaranteed bounds or the spread over folds."""
        if series.are_folds:
            tables = self.tables[number]
            heights = np.array([getattr(table, self.statistic) for table in tables])
            mean, spread = heights.mean(axis=0), heights.std(axis=0)
            return "± 1 standard deviation", np.maximum(mean - spread, 0), mean + spread
        (sample,) = series.samples
        if self.confidence_level is not None:
            rows = find_rows(sample)
            warn_if_few(rows)
            limits = find_gains_limits(rows, self.bands, self.confidence_level)
            low, high = (limits[f"{self.statistic}_{end}"] for end in ("low", "high"))
            return f"{100 * self.confidence_level:.4g}% confidence limits", low, high
        if sample.binned is None or self.statistic == "response_rate":
            return None
        bounded = sample.binned.gains_table(self.bands)
        low, high = (getattr(bounded[i], self.statistic) for i in (1, 2))
        return ("Guaranteed bounds", low, high) if np.any(high > low) else None

    def draw_references(self) -> Iterator[Layer]:
        """Draw what the bars of a random ranking would reach.

        Response rates that differ, such as those of class labels, have a line each.
        """
        ends = np.array([-0.5, len(self.names) - 0.5])
        if self.statistic == "capture_rate":
            share = self.tables[0][0].population_share
            places = np.arange(len(share), dtype=np.float64)
            yield Layer("chance", places, share, entry="Random ranking")
        elif self.statistic == "lift":
            yield Layer("chance", ends, np.ones(2), entry="Random ranking (lift 1)")
        else:
            yield from self.draw_rates(ends)

    def draw_rates(self, ends: FloatArray) -> Iterator[Layer]:
        """Draw the response rate of all rows; names that share it share a line."""
        seen: list[float] = []
        rates = [
            tuple(
                dict.fromkeys(recall(curve.response_rate, seen) for curve in series.curves)
            )
            for series in self.request.series
        ]
        for found in dict.fromkeys(rates):
            names = [
                series.name or ""
                for series, own in zip(self.request.series, rates, strict=True)
                if own == found
            ]
            name = None if len(names) == len(rates) else ", ".join(names)
            entry = "All rows" if name is None else f"All rows, {name}"
            if len(found) == 1:
                (rate,) = found
                shown = f"{rate:.2%}" if self.has_events else format_count(rate)
                entry = f"{entry} ({shown})"
            path = merge_distinct([(ends, np.full(2, rate)) for rate in found])
            number = rates.index(found)
            yield Layer("chance", *path, number=number, name=name, entry=entry)

    def label(self) -> str:
        """Name what the bars show; the response rate of amounts is their mean."""
        if self.statistic == "response_rate" and not self.has_events:
            return "Mean outcome"
        return LABELS[self.statistic]

    def name_kind(self) -> str:
        """Name what the picture shows."""
        label = self.label()
        title = label if label.endswith("the band") else f"{label} by band"
        (name, *others) = [series.name for series in self.request.series]
        return title if others or name in {None, "Model"} else f"{title}, {name}"

    def list_marks(self) -> Iterator[Mark]:
        """List nothing: every bar can be read off."""
        yield from ()

    def axes(self, layers: Sequence[Layer]) -> tuple[Axis, Axis]:
        """Return an axis of named bands, and one from 0 on."""
        tops = [layer.y if layer.top is None else layer.top for layer in layers]
        high = ROOM * max(float(np.nanmax(top)) for top in tops if len(top))
        what = "score" if self.bands == "scores" else "% of the population"
        is_share = self.statistic == "capture_rate" or (
            self.statistic == "response_rate" and self.has_events
        )
        unit: Literal["share", "amount", "number"] = "share" if is_share else "amount"
        if self.statistic == "lift":
            unit = "number"
        return (
            Axis(f"Band ({what}, best first)", "name", names=self.names),
            Axis(self.name_event(self.label()), unit, 0, high),
        )


def recall(rate: float, seen: list[float]) -> float:
    """Return the rate seen before that is the same but for rounding, or note a new one.

    Curves of the same rows add amounts and weights in the order of their own scores.
    """
    known = (each for each in seen if isclose(each, rate, rel_tol=ROUNDING))
    found = next(known, rate)
    seen.append(found)
    return found


def name_bands(curve: CapCurve, table: GainsTable, bands: BandSpec) -> tuple[str, ...]:
    """Name bands by the population shares between which they lie, or by their score."""
    if isinstance(bands, str):
        scores = name_grades(table.highest_score, curve.grades).tolist()
        return tuple(
            score if isinstance(score, str) else format_number(score) for score in scores
        )
    ends = [0.0, *table.population_share.tolist()]
    texts = [f"{100 * end:.4g}" for end in ends]
    pairs = pairwise(texts)
    return tuple(f"{start}\N{EN DASH}{end}" for start, end in pairs)


def list_details(sample: Sample, table: GainsTable) -> tuple[Detail, ...]:
    """List the weight, the outcome and the scores of each band."""
    scores = [
        Detail(label, "score", np.asarray(name_grades(column, sample.curve.grades)))
        for label, column in (
            ("First score", table.highest_score),
            ("Last score", table.lowest_score),
        )
    ]
    return (
        Detail("Population", "amount", table.n),
        Detail("Events" if sample.has_events else "Outcome", "amount", table.n_events),
        *scores,
    )


def find_rows(sample: Sample) -> Columns:
    """Return the rows of a curve; counted 0/1 events are as good as their rows."""
    if sample.rows is not None:
        return sample.rows
    curve = sample.curve
    if sample.binned is not None or curve.tally.weight.dtype.kind != "i":
        raise CapcurveError(
            "`confidence_level` requires the rows, as bins, amounts and weighted events do "
            "not tell them, got a curve; pass the rows to `from_predictions`"
        )
    tally = curve.tally
    counts = np.concatenate([tally.target, tally.weight - tally.target])
    target = np.repeat([True, False], len(tally))
    some = counts > 0
    return Columns(
        target=target[some],
        score=np.tile(tally.score, 2)[some],
        weights=Weights(value=counts[some].astype(np.float64), counts_rows=True),
        descending=curve.descending,
    )


def warn_if_few(rows: Columns) -> None:
    """Warn if there are few events or non-events."""
    count = count_smaller_class(rows)
    if count < FEW_EVENTS:
        warn_caller(
            f"the limits are based on {count:.3g} events or non-events; with fewer than "
            f"{FEW_EVENTS} their coverage may fall below the confidence level",
            FewEventsWarning,
        )
