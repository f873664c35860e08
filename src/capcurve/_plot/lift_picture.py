"""Pictures of lift curves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from capcurve._curve.curve import CapCurve
from capcurve._curve.profile import Profile, interpolate_at
from capcurve._plot.curve_picture import CurvePicture
from capcurve._plot.numbers import format_count
from capcurve._plot.picture import Axis, Detail, Layer, Path
from capcurve._plot.request import Series
from capcurve._plot.series_picture import write_mean
from capcurve._tally.dtypes import FloatArray

POINTS = 513  # lift is curved between the points of a CAP curve
FIRST = 0.01  # smallest share shown: the lift of single rows says little and is very large
SHOWN = 0.1  # share at which the legend gives lift where no mark does
ROOM = 1.25  # height of the axis, as a multiple of the largest lift of a curve


class LiftPicture(CurvePicture):
    """Lift curves: the capture rate as a multiple of the population share."""

    kind = "Lift"
    corner = "upper right"
    room_below = False
    marks_above_zero = True
    chance_entry = "Random (lift 1)"
    perfect_entry = "Perfect"
    highest = np.inf

    @property
    def first(self) -> float:
        """The smallest population share to show."""
        return min(FIRST, *self.request.marks, 1.0)

    def path(self, profile: Profile) -> Path:
        """Return lift from the smallest share on."""
        x = profile.thinned().population_share
        grid = np.linspace(0, 1, POINTS)
        share = np.union1d(x[x > self.first], grid[grid > self.first])
        share = np.append(self.first, share)
        return share, interpolate_at(share, *profile) / share

    def heights(self, curve: CapCurve, share: FloatArray) -> FloatArray:
        """Return the lift at population shares."""
        return curve.lift_at(share)

    def size(self, curve: CapCurve) -> tuple[float, float]:
        """Return the total weight of the population, and 1, as lift has no unit."""
        return curve.total_weight, 1.0

    def number(self, series: Series) -> str:
        """Write the lift at the first mark, or at 10 % where there is none."""
        share = next(iter(self.request.marks), SHOWN)
        lifts = [curve.lift_at(share) for curve in series.curves]
        return f"lift {write_mean(lifts, 2)} at {100 * share:.4g}%"

    def reading(self, curves: Sequence[CapCurve], share: float) -> str:
        """Write the lift at a population share."""
        where = f"{100 * share:.4g}%"
        if not self.request.normalize_scale:
            where = format_count(share * curves[0].total_weight)
        lifts = [float(curve.lift_at(share)) for curve in curves]
        return f"lift {write_mean(lifts, 2)} at {where}"

    def details(self, curve: CapCurve, path: Path) -> tuple[Detail, ...]:
        """Return the capture rate and the score cut-off."""
        share, lift = path
        return (
            Detail("Capture rate", "share", share * lift),
            *super().details(curve, path),
        )

    def axes(self, layers: Sequence[Layer]) -> tuple[Axis, Axis]:
        """Return axes high enough for the curves; perfect lines may leave them."""
        lines = [layer.y for layer in layers if layer.role in {"curve", "fold"}]
        top = max(1.0, *(float(np.max(y)) for y in lines))
        best = [np.nanmax(layer.y) for layer in layers if layer.role == "perfect"]
        high = min(ROOM * top, 1.05 * max([top, *best]))
        x = (
            Axis("Population share", "share", 0, 1)
            if self.request.normalize_scale
            else Axis("Population", "amount", 0)
        )
        return x, Axis(self.name_event("Lift"), "number", 0, max(high, 1.05 * top))
