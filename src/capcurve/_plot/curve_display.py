"""Constructors and plotting of displays of curves, with the interface of scikit-learn's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, Unpack, cast

from numpy.typing import ArrayLike

from capcurve._inference.band import Band
from capcurve._inference.options import BandKind
from capcurve._input.columns import Columns
from capcurve._input.dtypes import Label, TargetType
from capcurve._plot.display import Display, make_styles
from capcurve._plot.options import OwnOptions, PictureOptions, PlotOptions, Style
from capcurve._plot.picture import Picture
from capcurve._plot.ranked import (
    Ranked,
    Reading,
    rank_estimator,
    rank_folds,
    rank_predictions,
)
from capcurve._plot.request import Curves, Name, check_curves, read_request
from capcurve._plot.series_picture import SeriesPicture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Shown = TypeVar("Shown", bound="CurveDisplay")
ONE_NAME = "Model"  # of the curve of a score without a name


class CurveDisplay(Display):
    """Display of one or several curves; subclasses name the picture that is drawn."""

    picture: ClassVar[type[SeriesPicture]]

    def __init__(
        self, curve: Curves, name: Name = None, *, pos_label: Label | None = None
    ) -> None:
        check_curves(curve)
        self.curve: Any = curve
        self.name = name
        self.pos_label = pos_label
        self._rows: tuple[Columns, ...] = ()  # of each curve, where they were passed

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike | Mapping[str, ArrayLike],
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Label | None = None,
        labels: Sequence[Label] | None = None,
        target_type: TargetType = "auto",
        descending: bool = True,
        name: Name = ONE_NAME,
        ax: Axes | None = None,
        **options: Unpack[PlotOptions],
    ) -> Self:
        """Draw the curve of a score, or of several.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Outcomes: 0/1, -1/1 or boolean events; other labels with ``pos_label``; or
            amounts per unit of weight that are not negative.
        y_score : array-like of shape (n_samples,) or (n_samples, n_labels), or dict
            Scores; higher is ranked earlier. Tied rows are one straight segment. A dict
            holds several scores of the same rows by name, each of which has a curve. In two
            dimensions, one column of scores per class label: each label has a curve against
            the rest, as in `accuracy_ratio_score`. Two models are no such columns.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, not negative. In the curve 2 means the same as two equal rows, 0 as no
            row. Limits take a row as one observation, and a ``band`` refuses weights.
        pos_label : int, float, bool or str, default=None
            Label of the event, which is ranked against the rest and named on the vertical
            axis. None: 1, or True.
        labels : sequence of class labels, default=None
            Class labels in the order of the columns of a two-dimensional ``y_score``. None:
            the sorted labels of ``y_true``, or the names of the columns of a data frame.
        target_type : {'auto', 'binary', 'continuous'}, default='auto'
            Whether ``y_true`` holds events or amounts; see `CapCurve.from_predictions`.
        descending : bool, default=True
            Whether high scores rank first; False for a scorecard where low scores do.
        name : str or sequence of str, default='Model'
            Name in the legend, before the number. None: the number alone. Several curves
            have the names of the dict, or the class labels; a list has a name for each.
        ax : matplotlib Axes, default=None
            Axes to draw on, such as the ``ax_`` of an earlier display, but for KS and gains
            tables. None: the axes of a new figure of a size of its own, whatever
            ``rcParams["figure.figsize"]`` says. Leave out ``tight_layout()``.
        **options
            Further keyword arguments of ``plot``, where they are described.

        Returns
        -------
        display
            With the artists as attributes.

        Raises
        ------
        CapcurveError
            Values are missing, lengths differ, a weight or amount is negative or infinite,
            labels require ``pos_label``, all outcomes are equal, or an option is invalid.
        MissingDependencyError
            matplotlib is not installed, or SciPy where a band requires it.
        """
        reading = Reading(
            pos_label=pos_label,
            labels=labels,
            target_type=target_type,
            descending=descending,
        )
        ranked = rank_predictions(y_true, y_score, sample_weight, reading)
        shared = isinstance(ranked.curve, Mapping) and name == ONE_NAME
        return show_ranked(cls, ranked, None if shared else name).plot(
            ax, **cast("Any", options)
        )

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
        name: Name = None,
        ax: Axes | None = None,
        **options: Unpack[PlotOptions],
    ) -> Self:
        """Draw the curve of a fitted classifier or regressor, or of several.

        A classifier with more than two classes has a curve for each, against the rest,
        unless ``pos_label`` names one.

        Parameters
        ----------
        estimator : object, or dict of them by name
            Fitted scikit-learn classifier, regressor or pipeline. The predictions of a
            regressor are ranked against the amounts in ``y``.
        X : array-like of shape (n_samples, n_features)
            Rows to score.
        y : array-like of shape (n_samples,)
            Labels of the rows, or amounts that are not negative.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, not negative. In the curve 2 means the same as two equal rows, 0 as no
            row. Limits take a row as one observation, and a ``band`` refuses weights.
        response_method : {'auto', 'predict_proba', 'decision_function'}, default='auto'
            Method of a classifier that gives the score. 'auto' takes the first of the two
            that it has; predicted classes are never ranked.
        pos_label : int, float, bool or str, default=None
            Label of the event. None: the last of two ``estimator.classes_``, or each of
            more than two.
        name : str or sequence of str, default=None
            Name in the legend, before the number. None: the class name of the estimator,
            the names of the dict, or the class labels. A list has a name for each curve.
        ax : matplotlib Axes, default=None
            Axes to draw on. None: the axes of a new figure.
        **options
            Further keyword arguments of ``plot``, where they are described.

        Returns
        -------
        display
            With the artists as attributes.

        Raises
        ------
        CapcurveError
            ``estimator`` is neither a classifier nor a regressor, lacks the response
            method or the class ``pos_label``, all of ``y`` is equal, values are missing, or
            an option is invalid.
        sklearn.exceptions.NotFittedError
            ``estimator`` is not fitted.
        MissingDependencyError
            matplotlib is not installed, or SciPy where a band requires it.
        """
        ranked = rank_estimator(
            estimator,
            X,
            y,
            sample_weight,
            response_method=response_method,
            pos_label=pos_label,
        )
        if name is None and not isinstance(ranked.curve, Mapping):
            name = type(estimator).__name__
        return show_ranked(cls, ranked, name).plot(ax, **cast("Any", options))

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
        name: Name = None,
        ax: Axes | None = None,
        **options: Unpack[PlotOptions],
    ) -> Self:
        """Draw the folds of a cross-validation, on their test rows, with their mean.

        The area around the mean curve is one standard deviation (by `numpy.std`) each side.

        Parameters
        ----------
        cv_results : dict
            Result of scikit-learn's ``cross_validate`` with ``return_estimator=True`` and
            ``return_indices=True``, for any splitter; or a dict of several such results, of
            the same data, by name.
        X, y, sample_weight
            The data that were cross-validated, as in ``from_estimator``.
        response_method, pos_label
            As in ``from_estimator``.
        name : str or sequence of str, default=None
            One name for all folds, or a list with a name for each.
        ax : matplotlib Axes, default=None
            Axes to draw on. None: the axes of a new figure.
        **options
            Further keyword arguments of ``plot``, where they are described.
            Unless ``name`` or ``curve_kwargs`` is a list, all folds share one style, and
            the legend gives the mean number and its standard deviation over folds. Several
            models, or several classes without ``pos_label``, have a mean curve each.

        Returns
        -------
        display
            With the artists as attributes; ``line_`` is a list of the folds, ``mean_line_``
            the mean curve, or a list of them.

        Raises
        ------
        CapcurveError
            ``cv_results`` lacks the estimators or the indices, the test rows of a fold are
            invalid as in ``from_estimator``, or an option is invalid.
        MissingDependencyError
            matplotlib is not installed, or SciPy where a band requires it.
        """
        ranked = rank_folds(
            cv_results,
            X,
            y,
            sample_weight,
            response_method=response_method,
            pos_label=pos_label,
        )
        return show_ranked(cls, ranked, name).plot(ax, **cast("Any", options))

    def plot(  # noqa: PLR0913 -- scikit-learn's names, by keyword
        self,
        ax: Axes | None = None,
        *,
        name: Name = None,
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
        **own: Unpack[OwnOptions],
    ) -> Self:
        """Draw the curves with their reference lines; the curves do not change.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on, in constrained layout: no ``tight_layout()``. Legends of axes
            below 2.35 inches before that layout name no references. None: a new figure.
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
            Population shares at which to mark the curve, with its value as text; of folds
            the mean curve, with the mean and the standard deviation of their values.
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
        **own
            Options of one display alone, which its class describes: ``over`` of
            `KSDisplay`; ``bands``, ``statistic``, ``confidence_level`` of
            `GainsTableDisplay`.

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
            **own,
        )
        styles = make_styles(
            curve_kwargs, chance_level_kwargs, perfect_level_kwargs, despine=despine
        )
        return self.draw(ax, picture, styles)

    def describe(
        self,
        name: Name = None,
        *,
        has_own_styles: bool = False,
        **options: Unpack[PictureOptions],
    ) -> Picture:
        """Describe the picture of the curves, which both renderers draw."""
        return self._make(name, has_own_styles=has_own_styles, **options).make()

    def summarize(self) -> str:
        """Return names and numbers as one short line."""
        return self._make(None, has_own_styles=False).summarize()

    def _make(
        self, name: Name, *, has_own_styles: bool, **options: Unpack[PictureOptions]
    ) -> SeriesPicture:
        given: dict[str, Any] = dict(options)
        names = self.picture.own_options
        own = {key: given.pop(key) for key in names & set(given)}
        if strange := given.keys() & OwnOptions.__annotations__.keys():
            raise TypeError(
                f"{type(self).__name__} got an unexpected keyword argument {min(strange)!r}"
            )
        request = read_request(
            self.curve,
            self.name if name is None else name,
            rows=self._rows,
            has_own_styles=has_own_styles,
            event=self.pos_label,
            marks_above_zero=self.picture.marks_above_zero,
            **given,
        )
        return cast("Callable[..., SeriesPicture]", self.picture)(request, **own)


def show_ranked(kind: type[Shown], ranked: Ranked, name: Name) -> Shown:
    """Return a display of curves that knows their rows."""
    display = kind(ranked.curve, name=name, pos_label=ranked.pos_label)
    display._rows = ranked.rows  # noqa: SLF001 -- which the constructor does not take
    return display
