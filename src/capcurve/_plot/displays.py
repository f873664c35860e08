"""Displays of CAP curves and of lift curves."""

from capcurve._plot.cap_picture import CAPPicture
from capcurve._plot.curve_display import CurveDisplay
from capcurve._plot.lift_picture import LiftPicture
from capcurve._public import public


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

    picture = CAPPicture


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

    picture = LiftPicture
