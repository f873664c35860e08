"""Displays of CAP, lift and ordered Lorenz curves, of KS and of gains tables."""

from typing import ClassVar

from capcurve._plot.cap_picture import CAPPicture
from capcurve._plot.curve_display import CurveDisplay
from capcurve._plot.gains_picture import GainsPicture
from capcurve._plot.ks_picture import KSPicture
from capcurve._plot.lift_picture import LiftPicture
from capcurve._plot.lorenz_picture import LorenzPicture
from capcurve._plot.series_picture import SeriesPicture
from capcurve._public import public


@public
class CAPCurveDisplay(CurveDisplay):
    """Display of CAP curves with the random and the perfect line; requires matplotlib.

    Create one with `CAPCurveDisplay.from_predictions`, ``from_estimator`` or
    ``from_cv_results``, which draw it at once, or from curves, and call ``plot``.

    Parameters
    ----------
    curve : CapCurve, BinnedCurve or CapSketch, or a sequence or dict of them
        Curves to draw. Those from bins are drawn with the area between their guaranteed
        bounds. Those of a sequence are folds, unless they have a name each; a dict holds
        curves, or sequences of the curves of folds, by name.
    name : str or sequence of str, default=None
        Name in the legend, before the AR; a sequence has a name for each curve. None: the
        AR alone, or the names of the dict.
    pos_label : int, float, bool or str, default=None
        Label of the event, named on the vertical axis.

    Attributes
    ----------
    curve, name, pos_label
        As passed.
    line_ : matplotlib Line2D, or list of them for several curves
        The drawn curve; of folds, their lines.
    mean_line_ : matplotlib Line2D, list of them or None
        The mean curve of folds.
    chance_level_, perfect_level_ : matplotlib Line2D or None
        The random and the perfect line; None if not drawn.
    ax_ : matplotlib Axes
        Axes with the curves.
    figure_ : matplotlib Figure
        Figure of the axes.

    See Also
    --------
    LiftCurveDisplay : The same curves as lift.
    LorenzCurveDisplay : The same curves from the other end, as insurers draw them.
    KSDisplay : The distributions of the score of events and of non-events.
    GainsTableDisplay : The response rate of bands of the ranking.
    CapCurve.plot : Shorthand for a single curve.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from capcurve import CAPCurveDisplay
    >>> display = CAPCurveDisplay.from_predictions(
    ...     [1, 0, 1, 1, 0], [0.2, 0.6, 0.8, 0.7, 0.4], name="Champion", mark=0.5
    ... )
    >>> display
    CAPCurveDisplay(Champion (AR = 0.333))
    >>> plt.close(display.figure_)
    """

    picture: ClassVar[type[SeriesPicture]] = CAPPicture


@public
class LiftCurveDisplay(CurveDisplay):
    """Display of cumulative lift with the random line, at 1, and the perfect line.

    Create one with `LiftCurveDisplay.from_predictions`, ``from_estimator`` or
    ``from_cv_results``, which draw it at once, or from curves, and call ``plot``. Requires
    matplotlib.

    Parameters
    ----------
    curve, name, pos_label
        As in `CAPCurveDisplay`. The legend gives lift at the first share in ``mark``, or at
        10 %.

    Attributes
    ----------
    curve, name, pos_label, line_, mean_line_, chance_level_, perfect_level_, ax_, figure_
        As in `CAPCurveDisplay`.

    See Also
    --------
    CAPCurveDisplay : The same curves as capture rates.

    Notes
    -----
    Between two points of a CAP curve lift is not linear, so it is drawn through 512 evenly
    spaced population shares as well, from 1 % on, or from the smallest share in ``mark``.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from capcurve import LiftCurveDisplay
    >>> display = LiftCurveDisplay.from_predictions([1, 0, 1, 1, 0], [2, 6, 8, 7, 4])
    >>> float(display.line_.get_ydata()[-1])
    1.0
    >>> plt.close(display.figure_)
    """

    picture: ClassVar[type[SeriesPicture]] = LiftPicture


@public
class LorenzCurveDisplay(CurveDisplay):
    """Display of ordered Lorenz curves with the Gini index; requires matplotlib.

    The curve shows which share of the outcome the population ranked last has: a point
    (x, y) of the CAP curve becomes (1 - x, 1 - y). Create one with
    `LorenzCurveDisplay.from_predictions`, ``from_estimator`` or ``from_cv_results``, which
    draw it at once, or from curves, and call ``plot``.

    Parameters
    ----------
    curve, name, pos_label
        As in `CAPCurveDisplay`. The legend gives the Gini index and AR.

    Attributes
    ----------
    curve, name, pos_label, line_, mean_line_, chance_level_, perfect_level_, ax_, figure_
        As in `CAPCurveDisplay`.

    See Also
    --------
    CAPCurveDisplay : The same curves, best-ranked rows first.
    DoubleLiftDisplay : Two models, where they disagree.

    Notes
    -----
    The ordered Lorenz curve of Frees, Meyers and Cummings (2011), "Summarizing insurance
    scores using a Gini index", doi:10.1198/jasa.2011.tm10506, has the share of premiums on
    one axis and the share of losses on the other, with risks in the order of relativity, a
    score divided by the premium. So pass

    - the premium as ``sample_weight``,
    - the loss divided by the premium, the loss ratio, as ``y_true``, with
      ``target_type='continuous'``,
    - the relativity, ``relativity = score / premium``, as ``y_score``, rounded as a share
      of its median: ``np.round(relativity / np.nanmedian(relativity), 9)``. Division leaves
      equal relativities apart in the sixteenth digit, and only equal scores tie. Without
      the median, which risks of premium 0 do not move, the decimals of tiny relativities,
      such as 4e-7, would be lost.

    With exposure as ``sample_weight`` and loss cost as ``y_true`` it is the usual Lorenz
    curve of a loss model. The Gini index is twice the area between curve and diagonal.
    It cannot reach 1: AR is its share of the Gini index of the perfect ranking. Risks with
    the same score are a straight line, so their order has no influence. The index as a
    number is `CapCurve.gini_index`.

    Examples
    --------
    Relativities that rank four risks of unequal premium:

    >>> import matplotlib.pyplot as plt
    >>> import numpy as np
    >>> from capcurve import LorenzCurveDisplay
    >>> premium = np.array([100.0, 200.0, 200.0, 500.0])
    >>> loss = np.array([200.0, 0.0, 300.0, 0.0])
    >>> score = np.array([180.0, 220.0, 250.0, 350.0])
    >>> relativity = score / premium
    >>> display = LorenzCurveDisplay.from_predictions(
    ...     loss / premium,
    ...     np.round(relativity / np.nanmedian(relativity), 9),
    ...     sample_weight=premium,
    ...     target_type="continuous",
    ... )
    >>> display
    LorenzCurveDisplay(Model (Gini = 0.720, AR = 1.000))
    >>> plt.close(display.figure_)
    """

    picture: ClassVar[type[SeriesPicture]] = LorenzPicture


@public
class KSDisplay(CurveDisplay):
    """Display of the score distributions of events and non-events, with KS.

    KS, the largest gap between the two distribution functions, is marked with its cut-off:
    the last score that is selected, best first. "KS = 0.667 at score 8" means that
    selecting scores of 8 and better selects a share of the events and a share of the
    non-events that are 0.667 apart, and that no other cut-off has them further apart. Of
    several such cut-offs the one that selects fewest rows is named.

    Create one with `KSDisplay.from_predictions`, ``from_estimator`` or ``from_cv_results``,
    which draw it at once, or from curves, and call ``plot``. Requires matplotlib, and
    outcomes that are 0/1 events.

    Parameters
    ----------
    curve, name, pos_label
        As in `CAPCurveDisplay`. A score in grades is drawn over their names. Two
        distributions of each curve are drawn, so at most 10 curves.

    Attributes
    ----------
    curve, name, pos_label, ax_, figure_
        As in `CAPCurveDisplay`.
    line_ : list of matplotlib Line2D
        The distribution of events, then that of non-events, for each curve or fold.
    mean_line_, perfect_level_ : None
        Not drawn.
    chance_level_ : matplotlib Line2D or None
        The diagonal, where both lines of a random score lie; over the population only.

    See Also
    --------
    ks_interval : KS with a confidence interval.
    CapCurve.ks : KS alone.

    Notes
    -----
    ``plot`` and the constructors have one option more, ``over``:

    - 'score' (default) draws the distribution functions: the share of events, and that of
      non-events, with each score or a lower one. A good score has few events at low scores,
      so its line of events lies below; with ``descending=False`` above.
    - 'population_share' draws the share of events, and that of non-events, among the rows
      selected at each population share, best score first. The line of events is the CAP
      curve, and the legend gives the population share of the cut-off.

    ``shade`` fills the area between the lines, of folds none, and ``mark`` reads the gap
    off at population shares, which is refused of folds; ``normalize_scale`` and bands do
    not apply.

    KS is that of Kolmogorov and Smirnov for two samples (Hodges, 1958,
    doi:10.1007/BF02589501). Rows with the same score are selected together, in one step, so
    their order has no influence. The gap counts in either direction: KS does not tell a
    good score from the same one reversed, as AR does.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from capcurve import KSDisplay
    >>> display = KSDisplay.from_predictions([1, 0, 1, 1, 0, 0], [9, 6, 8, 5, 4, 2])
    >>> display
    KSDisplay(Model (KS = 0.667 at score 8))
    >>> plt.close(display.figure_)
    """

    picture: ClassVar[type[SeriesPicture]] = KSPicture


@public
class GainsTableDisplay(CurveDisplay):
    """Display of a gains table: a bar for each band of the ranking, best band first.

    Create one with `GainsTableDisplay.from_predictions`, ``from_estimator`` or
    ``from_cv_results``, which draw it at once, or from curves, and call ``plot``. Requires
    matplotlib.

    Parameters
    ----------
    curve, name, pos_label
        As in `CAPCurveDisplay`. The bars of several curves stand side by side; those of
        folds have the mean height, with a standard deviation over folds to each side.

    Attributes
    ----------
    curve, name, pos_label, ax_, figure_
        As in `CAPCurveDisplay`.
    line_, mean_line_, perfect_level_ : None
        Not drawn.
    chance_level_ : matplotlib Line2D or None
        What a random ranking would reach: the response rate of all rows, lift 1, or the
        population share.

    See Also
    --------
    GainsTable : The numbers of a curve.
    gains_table : The numbers as a data frame, by group and for several models.

    Notes
    -----
    ``plot`` and the constructors have three options more:

    - ``bands``, as in `GainsTable.from_curve`: a number of bands (default 10), population
      shares at which they end, or 'scores' for a band of each grade;
    - ``statistic``: 'response_rate' (default) of each band, or 'capture_rate' or 'lift' to
      the end of the band;
    - ``confidence_level``: adds confidence limits of the bars, as in `gains_table`. They
      require SciPy and, for amounts or weighted events, the rows, as ``from_predictions``
      has them. An infinite limit is not drawn.

    The options ``mark``, ``shade``, ``band``, ``random_band`` and ``normalize_scale`` do
    not apply. Capture rate and lift of a curve from bins have their guaranteed bounds as
    limits.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from capcurve import GainsTableDisplay
    >>> display = GainsTableDisplay.from_predictions([1, 0, 1, 0], [4, 3, 2, 1], bands=2)
    >>> [float(bar.get_height()) for bar in display.ax_.patches]
    [0.5, 0.5]
    >>> plt.close(display.figure_)
    """

    picture: ClassVar[type[SeriesPicture]] = GainsPicture
