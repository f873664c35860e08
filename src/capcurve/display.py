"""Pictures of CAP curves and of lift."""

import numpy as np

from capcurve import _drawing
from capcurve._curve_display import CurveDisplay
from capcurve._drawing import Path
from capcurve.curve import CapCurve, Profile

__all__ = ["CAPCurveDisplay", "LiftCurveDisplay"]

LIFT_POINTS = 513


class CAPCurveDisplay(CurveDisplay):
    """Draw CAP curves next to the random and the perfect line.

    Make one with `CAPCurveDisplay.from_predictions`, ``from_estimator`` or
    ``from_cv_results``; each draws at once.

    Parameters
    ----------
    curve : CapCurve or BinnedCurve, or a sequence of them
        What to draw; of bins and sketches with the area in which the curve lies for
        certain.
    name : str or sequence of str, default=None
        Name in the legend, beside the accuracy ratio.
    pos_label : int, float, bool or str, default=None
        The label of the event, named on the vertical axis.

    Attributes
    ----------
    line_ : matplotlib Line2D, or list of them for several curves
        The curve.
    chance_level_, perfect_level_ : matplotlib Line2D or None
        The reference lines.
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from capcurve import CAPCurveDisplay
    >>> display = CAPCurveDisplay.from_predictions(
    ...     [1, 0, 1, 1, 0], [0.2, 0.6, 0.8, 0.7, 0.4], name="Champion", mark=(0.5,)
    ... )
    >>> display.line_.get_label()
    'Champion (AR = 0.333)'
    >>> plt.close(display.figure_)
    """

    legend_location = "lower right"
    marks_below = True

    def finish_axes(self, *, normalize_scale: bool, despine: bool) -> None:
        """Label and frame the axes, square where both are shares."""
        super().finish_axes(normalize_scale=normalize_scale, despine=despine)
        _drawing.format_axis(self.ax_.yaxis, percent=normalize_scale)
        if normalize_scale:
            self.ax_.set(ylim=_drawing.SHARES, aspect="equal")

    @staticmethod
    def size(curve: CapCurve) -> tuple[float, float]:
        """Return the weight and the outcome of the population."""
        return curve.total_weight, curve.total_target

    @staticmethod
    def path(profile: Profile) -> Path:
        """Thin the profile."""
        x, y = profile.thinned()
        return x, y

    @staticmethod
    def height(curve: CapCurve, share: float) -> float:
        """Read off the capture rate."""
        return curve.capture_rate_at(share)

    @staticmethod
    def mark_text(curve: CapCurve, share: float, *, normalize_scale: bool) -> str:
        """Write out the captured share, or the captured outcome."""
        captured = curve.capture_rate_at(share)
        if normalize_scale:
            return f"{captured:.1%} captured at {100 * share:.4g}%"
        x, y = share * curve.total_weight, captured * curve.total_target
        return f"{_drawing.counted(y)} captured at {_drawing.counted(x)}"

    @staticmethod
    def y_label(normalize_scale: bool) -> str:  # noqa: FBT001 -- the only argument
        """Name the vertical axis."""
        return "Capture rate" if normalize_scale else "Captured outcome"


class LiftCurveDisplay(CurveDisplay):
    """Draw cumulative lift next to the random line, at 1, and the perfect one.

    Between two points of a CAP curve lift is no straight line, so it is drawn through 512
    further population shares. Parameters and attributes are those of `CAPCurveDisplay`.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from capcurve import LiftCurveDisplay
    >>> display = LiftCurveDisplay.from_predictions([1, 0, 1, 1, 0], [2, 6, 8, 7, 4])
    >>> float(display.line_.get_ydata()[-1])
    1.0
    >>> plt.close(display.figure_)
    """

    legend_location = "upper right"
    marks_below = False

    def finish_axes(self, *, normalize_scale: bool, despine: bool) -> None:
        """Label and frame the axes; lift starts at 0."""
        super().finish_axes(normalize_scale=normalize_scale, despine=despine)
        self.ax_.set_ylim(bottom=0)

    @staticmethod
    def size(curve: CapCurve) -> tuple[float, float]:
        """Return the weight of the population; lift has no unit."""
        return curve.total_weight, 1.0

    @staticmethod
    def path(profile: Profile) -> Path:
        """Divide captured by selected share; at 0 stands the limit."""
        x, y = profile.thinned()
        share = np.union1d(x[1:], np.linspace(0, 1, LIFT_POINTS)[1:])
        lift = np.interp(share, x, y) / share
        return np.append(0.0, share), np.append(lift[0], lift)

    @staticmethod
    def height(curve: CapCurve, share: float) -> float:
        """Read off the lift."""
        return curve.lift_at(share)

    @staticmethod
    def mark_text(curve: CapCurve, share: float, *, normalize_scale: bool) -> str:
        """Write out the lift."""
        where = f"{100 * share:.4g}%"
        if not normalize_scale:
            where = _drawing.counted(share * curve.total_weight)
        return f"lift {curve.lift_at(share):.2f} at {where}"

    @staticmethod
    def y_label(normalize_scale: bool) -> str:  # noqa: ARG004, FBT001 -- lift has no unit
        """Name the vertical axis."""
        return "Lift"
