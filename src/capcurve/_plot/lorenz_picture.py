"""Pictures of ordered Lorenz curves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from capcurve._curve.curve import CapCurve
from capcurve._curve.profile import Profile
from capcurve._plot.curve_picture import CurvePicture
from capcurve._plot.numbers import format_count
from capcurve._plot.picture import Axis, Detail, Layer, Path
from capcurve._plot.request import Series
from capcurve._plot.series_picture import write_mean, write_mean_share
from capcurve._tally.dtypes import FloatArray


class LorenzPicture(CurvePicture):
    """Ordered Lorenz curves: a CAP curve that starts with the rows ranked last.

    A point (x, y) of the CAP curve becomes (1 - x, 1 - y).
    """

    kind = "Ordered Lorenz"
    corner = "upper left"
    room_below = False
    chance_entry = "Random (Gini = 0)"
    perfect_entry = "Perfect (AR = 1)"

    def path(self, profile: Profile) -> Path:
        """Return the thinned profile from its end to its start."""
        x, y = profile.thinned()
        return 1 - x[::-1], 1 - y[::-1]

    def heights(self, curve: CapCurve, share: FloatArray) -> FloatArray:
        """Return the share of the outcome in population shares that are ranked last."""
        return 1 - curve.capture_rate_at(1 - share)

    def size(self, curve: CapCurve) -> tuple[float, float]:
        """Return the total weight and outcome of the population."""
        return curve.total_weight, curve.total_target

    def number(self, series: Series) -> str:
        """Write the Gini index, which the perfect ranking limits, and AR, its share."""
        gini = write_mean([curve.gini_index for curve in series.curves], 3)
        return f"Gini = {gini}, {super().number(series)}"

    def details(self, curve: CapCurve, path: Path) -> tuple[Detail, ...]:
        """Return the score up to which rows are counted, at each point."""
        thresholds = np.asarray(curve.threshold_at(np.clip(1 - path[0], 0, 1)))
        return (Detail("Score", "score", thresholds),)

    def reading(self, curves: Sequence[CapCurve], share: float) -> str:
        """Write the share of the outcome, or the outcome, up to a population share."""
        held = [self.point(curve, share)[1] for curve in curves]
        if self.request.normalize_scale:
            return f"{write_mean_share(held)} in the last {100 * share:.4g}%"
        width, height = self.size(curves[0])
        return f"{format_count(held[0] * height)} in the last {format_count(share * width)}"

    def axes(self, layers: Sequence[Layer]) -> tuple[Axis, Axis]:  # noqa: ARG002 -- shares
        """Return axes from 0 to 1, or from 0 to the totals."""
        if self.request.normalize_scale:
            return (
                Axis("Population share (ranked last first)", "share", 0, 1),
                Axis(self.name_event("Outcome share"), "share", 0, 1),
            )
        return (
            Axis("Population (ranked last first)", "amount", 0),
            Axis(self.name_event("Outcome"), "amount", 0),
        )
