"""Pictures of named curves: title, name of the event, and options that do not apply."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from capcurve._curve.curve import CapCurve
from capcurve._plot.picture import Axis, Corner, Layer, Mark, Picture, refuse_many_curves
from capcurve._plot.request import PANELS_OF_ARRAYS, CurveRequest, Series
from capcurve.exceptions import CapcurveError

PANELS = f"give each curve a panel: {PANELS_OF_ARRAYS}"
NONE: Mapping[str, Any] = MappingProxyType({})


class SeriesPicture(ABC):
    """The parts of a picture of curves; a kind of picture says what only it knows."""

    kind: ClassVar[str]  # in the title, and in messages
    corner: ClassVar[Corner] = "lower right"
    room_below: ClassVar[bool] = True
    marks_above_zero: ClassVar[bool] = False  # nothing to read off at a share of 0
    lines_each: ClassVar[int] = 1  # of each name
    is_alone: ClassVar[bool] = False  # on its axes
    own_options: ClassVar[frozenset[str]] = frozenset()  # beside those of all pictures
    # Options of the others that do not apply, with the values that leave them out.
    inapplicable: ClassVar[Mapping[str, Any]] = NONE

    def __init__(self, request: CurveRequest) -> None:
        self.request = request
        for name, value in self.inapplicable.items():
            given = getattr(request, name)
            if type(given) is not type(value) or given != value:
                option = "mark" if name == "marks" else name
                raise CapcurveError(
                    f"`{option}` applies to CAP, lift and Lorenz curves, got it for a "
                    f"picture of {self.kind}; leave it out"
                )

    @abstractmethod
    def list_layers(self) -> Iterator[Layer]:
        """List the layers from the back to the front."""

    @abstractmethod
    def list_marks(self) -> Iterator[Mark]:
        """List the points that are read off."""

    @abstractmethod
    def axes(self, layers: Sequence[Layer]) -> tuple[Axis, Axis]:
        """Return both axes, with the limits that the layers require."""

    def number(self, series: Series) -> str:
        """Return the number behind a name in the legend."""
        return write_ratio(series.curves)

    def make(self) -> Picture:
        """Describe the picture."""
        refuse_many_curves(len(self.request.series), PANELS, self.lines_each)
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
            is_square=self.request.normalize_scale and x.unit == y.unit and x.high == 1,
            is_alone=self.is_alone,
        )

    def make_title(self) -> str:
        """Return the title: that of the caller, or the kind with the number of one name."""
        if self.request.title is not None:
            return self.request.title
        return self.name_kind()

    def name_kind(self) -> str:
        """Name what the picture shows, with the number of one name."""
        if len(self.request.series) == 1:
            return f"{self.kind} curve, {self.number(self.request.series[0])}"
        return f"{self.kind} curves"

    def name_event(self, label: str) -> str:
        """Add the label of the event to the label of an axis."""
        event = self.request.pos_label
        return label if event is None else f"{label} (positive label: {event})"

    def summarize(self) -> str:
        """Return names and numbers as one short line."""
        return ", ".join(
            write_entry(series.name, self.number(series)) for series in self.request.series
        )


def write_entry(name: str | None, number: str) -> str:
    """Write a legend entry: the name with the number, or the number alone."""
    return number if name is None else f"{name} ({number})"


def write_ratio(curves: Sequence[CapCurve]) -> str:
    """Write AR, or its mean and standard deviation over folds."""
    return f"AR = {write_mean([curve.accuracy_ratio for curve in curves], 3)}"


def write_mean_share(shares: Sequence[float]) -> str:
    """Write a share in percent, or the mean and the standard deviation of folds."""
    mean = f"{np.mean(shares):.1%}"
    return mean if len(shares) == 1 else f"{mean} ± {100 * np.std(shares):.1f}"


def write_mean(values: Sequence[float], digits: int) -> str:
    """Write a value, or the mean and the standard deviation of those of folds."""
    mean = f"{np.mean(values):.{digits}f}"
    return mean if len(values) == 1 else f"{mean} ± {np.std(values):.{digits}f}"
