"""Displays of CAP curves and of lift curves."""

import numpy as np

from capcurve._curve.curve import CapCurve
from capcurve._curve.profile import Profile
from capcurve._plot.axes import SHARES, AxesPath, format_axis, format_count
from capcurve._plot.curve_display import CurveDisplay
from capcurve._public import public

LIFT_POINTS = 513  # lift is curved between the points of a CAP curve


@public
class CAPCurveDisplay(CurveDisplay):
    """Display of CAP curves with the random and the perfect line; requires matplotlib.

    Create one with `CAPCurveDisplay.from_predictions`, ``from_estimator`` or
    ``from_cv_results``, which draw it at once, or from curves, and call ``plot``.

    Parameters
    ----------
    curve : CapCurve, BinnedCurve or CapSketch, or a sequence of them
        Curves to draw. Those from bins are drawn with the area between their guaranteed
        bounds.
    name : str or sequence of str, default=None
        Name in the legend, before the AR; a sequence has a name for each curve. None: the
        AR alone.
    pos_label : int, float, bool or str, default=None
        Label of the event, named on the vertical axis.

    Attributes
    ----------
    curve, name, pos_label
        As passed.
    line_ : matplotlib Line2D, or list of them for several curves
        The drawn curve.
    chance_level_, perfect_level_ : matplotlib Line2D or None
        The random and the perfect line; None if not drawn.
    ax_ : matplotlib Axes
        Axes with the curves.
    figure_ : matplotlib Figure
        Figure of the axes.

    See Also
    --------
    LiftCurveDisplay : The same curves as lift.
    CapCurve.plot : Shorthand for a single curve.

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
    marks_above_zero = False
    marks_below = True

    def finish_axes(self, *, normalize_scale: bool, despine: bool) -> None:
        """Set labels, limits, ticks, frame and legend; the axes are square for shares."""
        super().finish_axes(normalize_scale=normalize_scale, despine=despine)
        format_axis(self.ax_.yaxis, percent=normalize_scale)
        if normalize_scale:
            self.ax_.set(ylim=SHARES, aspect="equal")

    @staticmethod
    def size(curve: CapCurve) -> tuple[float, float]:
        """Return the total weight and outcome of the population."""
        return curve.total_weight, curve.total_target

    @staticmethod
    def path(profile: Profile) -> AxesPath:
        """Compute the path to draw: the thinned profile."""
        x, y = profile.thinned()
        return x, y

    @staticmethod
    def height(curve: CapCurve, share: float) -> float:
        """Compute the capture rate at a population share."""
        return curve.capture_rate_at(share)

    @staticmethod
    def mark_text(curve: CapCurve, share: float, *, normalize_scale: bool) -> str:
        """Format the capture rate, or the captured outcome, at a population share."""
        captured = curve.capture_rate_at(share)
        if normalize_scale:
            return f"{captured:.1%} captured at {100 * share:.4g}%"
        x, y = share * curve.total_weight, captured * curve.total_target
        return f"{format_count(y)} captured at {format_count(x)}"

    @staticmethod
    def y_label(normalize_scale: bool) -> str:  # noqa: FBT001 -- the only argument
        """Return the label of the vertical axis."""
        return "Capture rate" if normalize_scale else "Captured outcome"


@public
class LiftCurveDisplay(CurveDisplay):
    """Display of cumulative lift with the random line, at 1, and the perfect line.

    Create one with `LiftCurveDisplay.from_predictions`, ``from_estimator`` or
    ``from_cv_results``, which draw it at once, or from curves, and call ``plot``. Requires
    matplotlib.

    Parameters
    ----------
    curve : CapCurve, BinnedCurve or CapSketch, or a sequence of them
        Curves to draw. Those from bins are drawn with the area between their guaranteed
        bounds.
    name : str or sequence of str, default=None
        Name in the legend, before the AR; a sequence has a name for each curve. None: the
        AR alone.
    pos_label : int, float, bool or str, default=None
        Label of the event, named on the vertical axis.

    Attributes
    ----------
    curve, name, pos_label
        As passed.
    line_ : matplotlib Line2D, or list of them for several curves
        The drawn curve.
    chance_level_, perfect_level_ : matplotlib Line2D or None
        The random and the perfect line; None if not drawn.
    ax_ : matplotlib Axes
        Axes with the curves.
    figure_ : matplotlib Figure
        Figure of the axes.

    See Also
    --------
    CAPCurveDisplay : The same curves as capture rates.

    Notes
    -----
    Between two points of a CAP curve lift is not linear, so it is drawn through 512 evenly
    spaced population shares as well. At a share of 0 it is drawn at its limit.

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
    marks_above_zero = True
    marks_below = False

    def finish_axes(self, *, normalize_scale: bool, despine: bool) -> None:
        """Set labels, limits, ticks, frame and legend; the vertical axis starts at 0."""
        super().finish_axes(normalize_scale=normalize_scale, despine=despine)
        self.ax_.set_ylim(bottom=0)

    @staticmethod
    def size(curve: CapCurve) -> tuple[float, float]:
        """Return the total weight of the population, and 1, as lift has no unit."""
        return curve.total_weight, 1.0

    @staticmethod
    def path(profile: Profile) -> AxesPath:
        """Compute the path to draw: lift, with its limit at a share of 0."""
        x, y = profile.thinned()
        share = np.union1d(x[1:], np.linspace(0, 1, LIFT_POINTS)[1:])
        lift = np.interp(share, x, y) / share
        return np.append(0.0, share), np.append(lift[0], lift)

    @staticmethod
    def height(curve: CapCurve, share: float) -> float:
        """Compute the lift at a population share."""
        return curve.lift_at(share)

    @staticmethod
    def mark_text(curve: CapCurve, share: float, *, normalize_scale: bool) -> str:
        """Format the lift at a population share."""
        where = f"{100 * share:.4g}%"
        if not normalize_scale:
            where = format_count(share * curve.total_weight)
        return f"lift {curve.lift_at(share):.2f} at {where}"

    @staticmethod
    def y_label(normalize_scale: bool) -> str:  # noqa: ARG004, FBT001 -- lift has no unit
        """Return the label of the vertical axis."""
        return "Lift"
