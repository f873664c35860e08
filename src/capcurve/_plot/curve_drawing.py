"""What the kinds of display draw differently: path, marks and axes of a curve."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from capcurve._curve.curve import CapCurve
from capcurve._curve.profile import Profile
from capcurve._input.dtypes import Label
from capcurve._plot.axes import (
    SHARES,
    AxesPath,
    LegendLocation,
    draw_legend,
    draw_mark,
    format_axis,
    remove_spines,
)
from capcurve._plot.styles import scale_path

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class CurveDrawing(ABC):
    """Path, marks and axes of a curve; each kind of display defines its own."""

    legend_location: ClassVar[LegendLocation]
    marks_above_zero: ClassVar[bool]  # whether there is nothing to mark at a share of 0
    marks_below: ClassVar[bool]  # whether there is room for text below the curve, or above

    pos_label: Label | None
    ax_: Axes

    def scaled_path(self, profile: Profile, size: tuple[float, float]) -> AxesPath:
        """Compute the path to draw, in the units of the axes."""
        return scale_path(self.path(profile), size)

    def draw_marks(
        self,
        curve: CapCurve,
        mark: Sequence[float],
        size: tuple[float, float],
        color: Any,
        *,
        normalize_scale: bool,
    ) -> None:
        """Mark the points of a curve at some population shares.

        Parameters
        ----------
        curve : CapCurve
        mark : sequence of float
            Population shares from 0 to 1.
        size : tuple of float
            Value on each axis that corresponds to 1.
        color : matplotlib color
        normalize_scale : bool
            Whether the axes show shares.
        """
        for share in mark:
            text = self.mark_text(curve, share, normalize_scale=normalize_scale)
            point = share * size[0], self.height(curve, share) * size[1]
            draw_mark(self.ax_, point, text, color, below=self.marks_below)

    def finish_axes(self, *, normalize_scale: bool, despine: bool) -> None:
        """Set labels, limits, ticks, frame and legend of the axes."""
        event = "" if self.pos_label is None else f" (positive label: {self.pos_label})"
        x_label = "Population share" if normalize_scale else "Population"
        self.ax_.set(xlabel=x_label, ylabel=self.y_label(normalize_scale) + event)
        if normalize_scale:
            self.ax_.set(xlim=SHARES)
        else:
            self.ax_.set(xlim=(0, None), ylim=(0, None))
        format_axis(self.ax_.xaxis, percent=normalize_scale)
        if despine:
            remove_spines(self.ax_)
        draw_legend([self.ax_], self.legend_location)

    @staticmethod
    @abstractmethod
    def size(curve: CapCurve) -> tuple[float, float]:
        """Return the value on each axis that corresponds to 1, for axes without shares."""

    @staticmethod
    @abstractmethod
    def path(profile: Profile) -> AxesPath:
        """Compute the path to draw from a profile."""

    @staticmethod
    @abstractmethod
    def height(curve: CapCurve, share: float) -> float:
        """Compute the height of the curve at a population share."""

    @staticmethod
    @abstractmethod
    def mark_text(curve: CapCurve, share: float, *, normalize_scale: bool) -> str:
        """Format the value of the curve at a population share."""

    @staticmethod
    @abstractmethod
    def y_label(normalize_scale: bool) -> str:  # noqa: FBT001 -- the only argument
        """Return the label of the vertical axis."""
