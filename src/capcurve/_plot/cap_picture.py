"""Pictures of CAP curves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from capcurve._curve.curve import CapCurve
from capcurve._curve.profile import Profile
from capcurve._plot.curve_picture import CurvePicture
from capcurve._plot.numbers import format_count
from capcurve._plot.picture import Axis, Detail, Layer, Path
from capcurve._plot.series_picture import write_mean_share
from capcurve._tally.dtypes import FloatArray


class CAPPicture(CurvePicture):
    """CAP curves: the capture rate over the population share."""

    kind = "CAP"

    def path(self, profile: Profile) -> Path:
        """Return the thinned profile."""
        x, y = profile.thinned()
        return x, y

    def heights(self, curve: CapCurve, share: FloatArray) -> FloatArray:
        """Return the capture rate at population shares."""
        return curve.capture_rate_at(share)

    def size(self, curve: CapCurve) -> tuple[float, float]:
        """Return the total weight and outcome of the population."""
        return curve.total_weight, curve.total_target

    def reading(self, curves: Sequence[CapCurve], share: float) -> str:
        """Write the capture rate, or the captured outcome, at a population share."""
        captured = [float(curve.capture_rate_at(share)) for curve in curves]
        if self.request.normalize_scale:
            return f"{write_mean_share(captured)} captured at {100 * share:.4g}%"
        (curve,) = curves
        x, y = share * curve.total_weight, captured[0] * curve.total_target
        return f"{format_count(y)} captured at {format_count(x)}"

    def details(self, curve: CapCurve, path: Path) -> tuple[Detail, ...]:
        """Return lift, at a share of 0 its limit, and the score cut-off."""
        share, captured = path
        with np.errstate(divide="ignore", invalid="ignore"):  # at a share of 0
            lift = captured / share
        lift[share == 0] = lift[share > 0][0]
        return (Detail("Lift", "number", lift), *super().details(curve, path))

    def axes(self, layers: Sequence[Layer]) -> tuple[Axis, Axis]:  # noqa: ARG002 -- shares
        """Return axes from 0 to 1, or from 0 to the totals."""
        if self.request.normalize_scale:
            return (
                Axis("Population share", "share", 0, 1),
                Axis(self.name_event("Capture rate"), "share", 0, 1),
            )
        return (
            Axis("Population", "amount", 0),
            Axis(self.name_event("Captured outcome"), "amount", 0),
        )
