"""Constructors and plotting of displays of curves, with the interface of scikit-learn's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, Unpack

from numpy.typing import ArrayLike

from capcurve._curve.curve import CapCurve
from capcurve._inference.band import Band
from capcurve._inference.options import BandKind
from capcurve._input.dtypes import Label, TargetType
from capcurve._input.estimator import ask_estimator, split_folds
from capcurve._input.options import check_flags
from capcurve._plot.axes import OwnStyles, check_axes, draw_picture, new_axes
from capcurve._plot.curve_picture import CurvePicture
from capcurve._plot.interactive import Interactive
from capcurve._plot.options import PictureOptions, PlotOptions, Style
from capcurve._plot.picture import Picture
from capcurve._plot.request import Curve, check_curves, read_request

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D


class CurveDisplay(Interactive):
    """Display of one or several curves; subclasses name the picture that is drawn."""

    picture: ClassVar[type[CurvePicture]]

    picture_: Picture
    ax_: Axes
    figure_: Figure
    line_: Any  # Line2D, or a list of them for several curves
    mean_line_: Line2D | None
    chance_level_: Line2D | None
    perfect_level_: Line2D | None

    def __init__(
        self,
        curve: Curve | Sequence[Curve],
        name: str | Sequence[str] | None = None,
        *,
        pos_label: Label | None = None,
    ) -> None:
        check_curves(curve)
        self.curve = curve
        self.name = name
        self.pos_label = pos_label

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Label | None = None,
        target_type: TargetType = "auto",
        descending: bool = True,
        name: str | None = "Model",
        ax: Axes | None = None,
        **options: Unpack[PlotOptions],
    ) -> Self:
        """Draw the curve of one score.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Outcomes: 0/1, -1/1 or boolean events; other labels with ``pos_label``; or
            amounts per unit of weight that are not negative.
        y_score : array-like of shape (n_samples,)
            Scores; higher is ranked earlier. Tied rows are one straight segment.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, finite and not negative. A weight of 2 means the same as two equal
            rows, 0 as no row.
        pos_label : int, float, bool or str, default=None
            Label of the event, named on the vertical axis. None: 1, or True.
        target_type : {'auto', 'binary', 'continuous'}, default='auto'
            Whether ``y_true`` holds events or amounts; see `CapCurve.from_predictions`.
        descending : bool, default=True
            Whether high scores rank first; False for a scorecard where low scores do.
        name : str, default='Model'
            Name in the legend, before the AR. None: the AR alone.
        ax : matplotlib Axes, default=None
            Axes to draw on. None: the axes of a new figure. To compare models on the same
            axes, pass the ``ax_`` of the first display.
        **options
            Further keyword arguments of ``plot``, where they are described:
            ``curve_kwargs``, ``plot_chance_level``, ``chance_level_kwargs``,
            ``plot_perfect``, ``perfect_level_kwargs``, ``despine``, ``normalize_scale``,
            ``mark``, ``shade``, ``band``, ``random_band``.

        Returns
        -------
        display
            With the artists as attributes.

        Raises
        ------
        CapcurveError
            Values are missing, lengths differ, a weight or an amount is negative or
            infinite, labels require ``pos_label``, all outcomes are equal, or an option is
            invalid.
        MissingDependencyError
            matplotlib is not installed, or SciPy where a band requires it.
        """
        curve = CapCurve.from_predictions(
            y_true,
            y_score,
            sample_weight=sample_weight,
            pos_label=pos_label,
            target_type=target_type,
            descending=descending,
        )
        return cls(curve, name=name, pos_label=pos_label).plot(ax, **options)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,  # noqa: N803 -- scikit-learn's name
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        response_method: str = "auto",
        pos_label: Label | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        **options: Unpack[PlotOptions],
    ) -> Self:
        """Draw the curve of a fitted binary classifier or a regressor.

        Parameters
        ----------
        estimator : object
            Fitted scikit-learn classifier, regressor or pipeline. The predictions of a
            regressor are ranked against the amounts in ``y``.
        X : array-like of shape (n_samples, n_features)
            Rows to score.
        y : array-like of shape (n_samples,)
            Labels of the rows, or amounts that are not negative.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, finite and not negative. A weight of 2 means the same as two equal
            rows, 0 as no row.
        response_method : {'auto', 'predict_proba', 'decision_function'}, default='auto'
            Method of a classifier that gives the score. 'auto' takes the first of the two
            that it has; predicted classes are never ranked.
        pos_label : int, float, bool or str, default=None
            Label of the event. None: the last of ``estimator.classes_``.
        name : str, default=None
            Name in the legend, before the AR. None: the class name of the estimator.
        ax : matplotlib Axes, default=None
            Axes to draw on. None: the axes of a new figure.
        **options
            Further keyword arguments of ``plot``, where they are described:
            ``curve_kwargs``, ``plot_chance_level``, ``chance_level_kwargs``,
            ``plot_perfect``, ``perfect_level_kwargs``, ``despine``, ``normalize_scale``,
            ``mark``, ``shade``, ``band``, ``random_band``.

        Returns
        -------
        display
            With the artists as attributes.

        Raises
        ------
        CapcurveError
            ``estimator`` is neither a binary classifier nor a regressor, lacks the response
            method or the class ``pos_label``, all of ``y`` is equal, values are missing, or
            an option is invalid.
        sklearn.exceptions.NotFittedError
            ``estimator`` is not fitted.
        MissingDependencyError
            matplotlib is not installed, or SciPy where a band requires it.
        """
        response = ask_estimator(
            estimator, X, response_method=response_method, pos_label=pos_label
        )
        return cls.from_predictions(
            y,
            **response._asdict(),
            sample_weight=sample_weight,
            name=type(estimator).__name__ if name is None else name,
            ax=ax,
            **options,
        )

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: Any,  # noqa: N803 -- scikit-learn's name
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        response_method: str = "auto",
        pos_label: Label | None = None,
        name: str | Sequence[str] | None = None,
        ax: Axes | None = None,
        **options: Unpack[PlotOptions],
    ) -> Self:
        """Draw the curve of each fold of a cross-validation, on its test rows.

        Parameters
        ----------
        cv_results : dict
            Result of scikit-learn's ``cross_validate`` with ``return_estimator=True`` and
            ``return_indices=True``, for any splitter.
        X, y, sample_weight
            The data that were cross-validated, as in ``from_estimator``.
        response_method, pos_label
            As in ``from_estimator``.
        name : str or sequence of str, default=None
            One name for all folds, or a list with a name for each.
        ax : matplotlib Axes, default=None
            Axes to draw on. None: the axes of a new figure.
        **options
            Further keyword arguments of ``plot``, where they are described:
            ``curve_kwargs``, ``plot_chance_level``, ``chance_level_kwargs``,
            ``plot_perfect``, ``perfect_level_kwargs``, ``despine``, ``normalize_scale``,
            ``mark``, ``shade``, ``band``, ``random_band``.
            Unless ``name`` or ``curve_kwargs`` is a list, all folds share one style and one
            legend entry, which gives the mean AR and its standard deviation over folds.

        Returns
        -------
        display
            With the artists as attributes; ``line_`` is a list.

        Raises
        ------
        CapcurveError
            ``cv_results`` lacks the estimators or the indices, the test rows of a fold are
            invalid as in ``from_estimator``, or an option is invalid.
        MissingDependencyError
            matplotlib is not installed, or SciPy where a band requires it.
        """
        curves, event = [], pos_label
        for estimator, (features, truth, weight) in split_folds(
            cv_results, X, y, sample_weight
        ):
            response = ask_estimator(
                estimator,
                features,
                response_method=response_method,
                pos_label=pos_label,
            )
            event = response.pos_label
            curves.append(
                CapCurve.from_predictions(truth, **response._asdict(), sample_weight=weight)
            )
        return cls(curves, name=name, pos_label=event).plot(ax, **options)

    def plot(  # noqa: PLR0913 -- scikit-learn's names, by keyword
        self,
        ax: Axes | None = None,
        *,
        name: str | Sequence[str] | None = None,
        curve_kwargs: Style | Sequence[Style] | None = None,
        plot_chance_level: bool = True,
        chance_level_kwargs: Style | None = None,
        plot_perfect: bool = True,
        perfect_level_kwargs: Style | None = None,
        despine: bool = False,
        normalize_scale: bool = True,
        mark: float | Sequence[float] = (),
        shade: bool = False,
        band: Band | BandKind | None = None,
        random_band: Band | BandKind | None = None,
        title: str | None = None,
    ) -> Self:
        """Draw the curves with their reference lines; the curves do not change.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on. None: the axes of a new figure.
        name : str or sequence of str, default=None
            Name in the legend, before the AR; for several curves one name for all, or a
            list with a name for each. None: as passed to the constructor.
        curve_kwargs : dict or list of dict, default=None
            Keyword arguments of matplotlib's ``plot`` for the curve; a list has one entry
            per curve.
        plot_chance_level : bool, default=True
            Whether to draw the line of a random ranking.
        chance_level_kwargs : dict, default=None
            Keyword arguments of matplotlib's ``plot`` for that line.
        plot_perfect : bool, default=True
            Whether to draw the line of the perfect ranking; several curves have one each
            where their perfect rankings differ.
        perfect_level_kwargs : dict, default=None
            Keyword arguments of matplotlib's ``plot`` for that line.
        despine : bool, default=False
            Whether to remove the top and right spines.
        normalize_scale : bool, default=True
            Whether the axes show shares; False shows total weight and outcome instead.
        mark : float or sequence of float, default=()
            Population shares at which to mark the curve, with its value as text.
        shade : bool, default=False
            Whether to fill the area between the random and the perfect line.
        band : Band, 'pointwise' or 'simultaneous', default=None
            Confidence band to fill around each curve; a kind stands for the 95 % band of
            `CapCurve.band`, for 0/1 events without weights.
        random_band : Band, 'pointwise' or 'simultaneous', default=None
            Band of an uninformative score to fill around the random line; a kind stands for
            the 95 % band of `random_band`, for 0/1 events without weights.
        title : str, default=None
            Title of the axes, unless they have one. None: the kind of curve, with the AR of
            a single curve; an empty text for none.

        Returns
        -------
        display
            The display itself, with ``ax_``, ``figure_``, ``line_`` (a list for several
            curves), ``chance_level_`` and ``perfect_level_`` (None if not drawn).

        Raises
        ------
        CapcurveError
            A share in ``mark`` is not in [0, 1] (for lift, in (0, 1]), ``name`` or
            ``curve_kwargs`` is a list of another length than the curves, or a kind of band
            was passed for amounts or weighted rows.
        MissingDependencyError
            matplotlib is not installed, or SciPy where a band requires it.

        Notes
        -----
        Long curves are thinned: of the points in one cell of a 2048 by 2048 grid only the
        first and the last are drawn, so no line moves by more than 1/2048 of either axis.
        """
        check_flags(despine=despine)
        picture = self.describe(
            name,
            has_own_styles=isinstance(curve_kwargs, Sequence),
            plot_chance_level=plot_chance_level,
            plot_perfect=plot_perfect,
            normalize_scale=normalize_scale,
            mark=mark,
            shade=shade,
            band=band,
            random_band=random_band,
            title=title,
        )
        own = OwnStyles(curve_kwargs, chance_level_kwargs, perfect_level_kwargs, despine)
        self.ax_ = new_axes() if ax is None else check_axes(ax)
        drawn = draw_picture(self.ax_, picture, own)
        self.picture_ = picture
        self.figure_ = drawn.figure
        self.mean_line_ = drawn.mean
        self.line_ = drawn.lines[0] if len(drawn.lines) == 1 else drawn.lines
        self.chance_level_, self.perfect_level_ = drawn.chance, drawn.perfect
        return self

    def describe(
        self,
        name: str | Sequence[str] | None = None,
        *,
        has_own_styles: bool = False,
        **options: Unpack[PictureOptions],
    ) -> Picture:
        """Describe the picture of the curves, which both renderers draw."""
        request = read_request(
            self.curve,
            self.name if name is None else name,
            pos_label=self.pos_label,
            has_own_styles=has_own_styles,
            marks_above_zero=self.picture.marks_above_zero,
            **options,
        )
        return self.picture(request).make()
