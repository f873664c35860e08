"""Display of double lift."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self, Unpack

import numpy as np
from numpy.typing import ArrayLike

from capcurve._curve.double_lift import DoubleLift, compare_predictions
from capcurve._input.columns import Columns
from capcurve._input.dtypes import Label, TargetType
from capcurve._input.options import check_flags, show
from capcurve._input.reading import read_paired_scores
from capcurve._plot.display import Display, make_styles
from capcurve._plot.double_lift_picture import NAMES, describe_double_lift
from capcurve._plot.options import LineOptions, Style
from capcurve._plot.picture import Picture
from capcurve._plot.ranked import rank_estimator, rank_folds
from capcurve._plot.request import Name, check_keys, check_title, read_names
from capcurve._public import public
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PAIR = 2  # models


@public
class DoubleLiftDisplay(Display):
    """Display of double lift: outcome and two predictions where they disagree.

    Create one with `DoubleLiftDisplay.from_predictions`, ``from_estimator`` or
    ``from_cv_results``, which draw it at once, or from a `DoubleLift`, and call ``plot``.
    Requires matplotlib. They take a dict of two models by name, the current one first.

    Parameters
    ----------
    double_lift : DoubleLift
        Outcome and predictions by band.
    name : sequence of two str, default=None
        Names of the predictions. None: A and B.
    pos_label : int, float, bool or str, default=None
        Label of the event, named on the vertical axis.

    Attributes
    ----------
    double_lift, name, pos_label
        As passed.
    line_ : list of matplotlib Line2D
        Outcome, prediction A and prediction B.
    mean_line_, perfect_level_ : None
        Not drawn.
    chance_level_ : matplotlib Line2D or None
        The mean outcome of all rows.
    ax_ : matplotlib Axes
        Axes with the lines.
    figure_ : matplotlib Figure
        Figure of the axes.

    See Also
    --------
    LorenzCurveDisplay : How well one model ranks risks.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from capcurve import DoubleLiftDisplay
    >>> display = DoubleLiftDisplay.from_predictions(
    ...     [0.5, 2.0, 2.0, 6.5],
    ...     {"Current": [2, 2, 4, 4], "New": [1, 2, 4, 8]},
    ...     bands=2,
    ... )
    >>> display
    DoubleLiftDisplay(New / Current in 2 bands)
    >>> plt.close(display.figure_)
    """

    def __init__(
        self,
        double_lift: DoubleLift,
        name: Sequence[str] | None = None,
        *,
        pos_label: Label | None = None,
    ) -> None:
        if not isinstance(double_lift, DoubleLift):
            raise CapcurveError(
                f"`double_lift` must be a DoubleLift, got {show(double_lift)}; call "
                "`from_predictions` to draw arrays"
            )
        self.double_lift = double_lift
        self.name = name
        self.pos_label = pos_label

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: Mapping[str, ArrayLike],
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Label | None = None,
        target_type: TargetType = "auto",
        bands: int = 10,
        rescale: bool = False,
        name: Sequence[str] | None = None,
        ax: Axes | None = None,
        **options: Unpack[LineOptions],
    ) -> Self:
        """Draw two predictions of the same rows.

        Parameters
        ----------
        y_true, sample_weight, pos_label, target_type, bands, rescale
            As in `DoubleLift.from_predictions`.
        y_score : dict of two array-like of shape (n_samples,) by name
            Predictions above 0, the current model first.
        name : sequence of two str, default=None
            Names in the legend. None: the names in ``y_score``.
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
            ``y_score`` is not a dict of two, or for the reasons listed in
            `DoubleLift.from_predictions`.
        MissingDependencyError
            matplotlib is not installed.
        """
        check_pair(y_score, "y_score")
        own = name_arguments(y_score, "y_score")
        first, second = read_paired_scores(
            y_true,
            dict(zip(own, y_score.values(), strict=True)),
            sample_weight=sample_weight,
            pos_label=pos_label,
            target_type=target_type,
            descending=True,
            weights="sampling",
            clusters=None,
        )
        found = compare_predictions(first, second, own, bands=bands, rescale=rescale)
        names = list(y_score) if name is None else name
        return cls(found, names, pos_label=pos_label).plot(ax, **options)

    @classmethod
    def from_estimator(  # noqa: PLR0913 -- scikit-learn's names, by keyword
        cls,
        estimator: Mapping[str, Any],
        X: Any,  # noqa: N803 -- scikit-learn's name
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        response_method: str = "auto",
        pos_label: Label | None = None,
        bands: int = 10,
        rescale: bool = False,
        name: Sequence[str] | None = None,
        ax: Axes | None = None,
        **options: Unpack[LineOptions],
    ) -> Self:
        """Draw the predictions of two fitted estimators of the same rows.

        Parameters
        ----------
        estimator : dict of two objects by name
            Fitted scikit-learn regressors or classifiers, the current one first.
        X, y, sample_weight, response_method, pos_label
            As in `CAPCurveDisplay.from_estimator`; classifiers of several classes require
            ``pos_label``.
        bands, rescale
            As in `DoubleLift.from_predictions`.
        name, ax, **options
            As in ``from_predictions``.

        Returns
        -------
        display
            With the artists as attributes.

        Raises
        ------
        CapcurveError
            ``estimator`` is not a dict of two, a prediction is not above 0, or for the
            reasons listed in `CAPCurveDisplay.from_estimator`.
        MissingDependencyError
            matplotlib is not installed.
        """
        check_pair(estimator, "estimator")
        own = name_arguments(estimator, "estimator")
        ranked = rank_estimator(
            estimator,
            X,
            y,
            sample_weight,
            response_method=response_method,
            pos_label=pos_label,
            every_class=False,
        )
        found = compare_rows(ranked.rows, own, bands=bands, rescale=rescale)
        names = list(estimator) if name is None else name
        return cls(found, names, pos_label=ranked.pos_label).plot(ax, **options)

    @classmethod
    def from_cv_results(  # noqa: PLR0913 -- scikit-learn's names, by keyword
        cls,
        cv_results: Mapping[str, Mapping[str, Any]],
        X: Any,  # noqa: N803 -- scikit-learn's name
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        response_method: str = "auto",
        pos_label: Label | None = None,
        bands: int = 10,
        rescale: bool = False,
        name: Sequence[str] | None = None,
        ax: Axes | None = None,
        **options: Unpack[LineOptions],
    ) -> Self:
        """Draw the predictions of two cross-validated models for all test rows together.

        Parameters
        ----------
        cv_results : dict of two dicts by name
            Results of scikit-learn's ``cross_validate`` with ``return_estimator=True`` and
            ``return_indices=True``, of the same folds, the current model first.
        X, y, sample_weight, response_method, pos_label
            As in `CAPCurveDisplay.from_estimator`; classifiers of several classes require
            ``pos_label``.
        bands, rescale
            As in `DoubleLift.from_predictions`.
        name, ax, **options
            As in ``from_predictions``.

        Returns
        -------
        display
            With the artists as attributes.

        Raises
        ------
        CapcurveError
            ``cv_results`` is not a dict of two results of the same folds, or for the
            reasons listed in ``from_estimator``.
        MissingDependencyError
            matplotlib is not installed.
        """
        check_pair(cv_results, "cv_results")
        own = name_arguments(cv_results, "cv_results")
        ranked = rank_folds(
            cv_results,
            X,
            y,
            sample_weight,
            response_method=response_method,
            pos_label=pos_label,
            every_class=False,
        )
        check_same_folds(*cv_results.values())
        found = compare_rows(ranked.rows, own, bands=bands, rescale=rescale)
        names = list(cv_results) if name is None else name
        return cls(found, names, pos_label=ranked.pos_label).plot(ax, **options)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: Sequence[str] | None = None,
        curve_kwargs: Style | Sequence[Style] | None = None,
        plot_chance_level: bool = True,
        chance_level_kwargs: Style | None = None,
        despine: bool = False,
        title: str | None = None,
    ) -> Self:
        """Draw the lines; the numbers do not change.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on, whose figure gets constrained layout: leave out
            ``tight_layout()``. None: the axes of a new figure.
        name : sequence of two str, default=None
            Names of the predictions. None: as passed to the constructor.
        curve_kwargs : dict or list of dict, default=None
            Keyword arguments of matplotlib's ``plot`` for the lines; a list has one entry
            each for outcome, prediction A and prediction B.
        plot_chance_level : bool, default=True
            Whether to draw the mean outcome of all rows.
        chance_level_kwargs : dict, default=None
            Keyword arguments of matplotlib's ``plot`` for that line.
        despine : bool, default=False
            Whether to remove the top and right spines.
        title : str, default=None
            Title of the axes, unless they have one. None: the ratio; an empty text: none.

        Returns
        -------
        display
            The display itself, with its artists.

        Raises
        ------
        CapcurveError
            ``name`` does not hold two names, or an option is invalid.
        MissingDependencyError
            matplotlib is not installed.
        """
        picture = self.describe(name, plot_chance_level=plot_chance_level, title=title)
        styles = make_styles(curve_kwargs, chance_level_kwargs, None, despine=despine)
        return self.draw(ax, picture, styles)

    def describe(
        self,
        name: Name = None,
        *,
        plot_chance_level: bool = True,
        title: str | None = None,
    ) -> Picture:
        """Describe the picture, which both renderers draw."""
        check_flags(plot_chance_level=plot_chance_level)
        check_title(title)
        return describe_double_lift(
            self.double_lift,
            self._names(name),
            pos_label=self.pos_label,
            plot_chance_level=plot_chance_level,
            title=title,
        )

    def summarize(self) -> str:
        """Return names and bands as one short line."""
        first, second = self._names(None)
        return f"{second} / {first} in {len(self.double_lift.band)} bands"

    def _names(self, name: Name) -> list[str]:
        given = self.name if name is None else name
        if isinstance(given, str):
            given = [given]
        return [str(each) for each in read_names(NAMES if given is None else given, PAIR)]


def check_pair(models: object, argument: str) -> None:
    """Raise unless there are two models by name."""
    if not isinstance(models, Mapping) or len(models) != PAIR:
        raise CapcurveError(
            f"`{argument}` must be a dict of two models by name, got {show(models)}; pass "
            "{'current': ..., 'new': ...}"
        )
    check_keys(models, argument)


def name_arguments(models: Mapping[str, Any], argument: str) -> list[str]:
    """Name each of two models as a part of an argument, for errors."""
    return [f"{argument}[{name!r}]" for name in models]


def compare_rows(
    rows: Sequence[Columns], names: Sequence[str], *, bands: int, rescale: bool
) -> DoubleLift:
    """Compare two models, whose rows follow each other, fold by fold."""
    half = len(rows) // 2
    first, second = (join_rows(rows[part]) for part in (slice(half), slice(half, None)))
    return compare_predictions(first, second, names, bands=bands, rescale=rescale)


def join_rows(rows: Sequence[Columns]) -> Columns:
    """Join the rows of all folds of a model."""
    weights = replace(rows[0].weights, value=np.concatenate([each.mass for each in rows]))
    return Columns(
        target=np.concatenate([each.target for each in rows]),
        score=np.concatenate([each.score for each in rows]),
        weights=weights,
    )


def check_same_folds(first: Mapping[str, Any], second: Mapping[str, Any]) -> None:
    """Raise unless two cross-validations tested on the same rows, fold by fold."""
    folds = [results["indices"]["test"] for results in (first, second)]
    same = len(folds[0]) == len(folds[1]) and all(
        np.array_equal(one, other) for one, other in zip(*folds, strict=True)
    )
    if not same:
        raise CapcurveError(
            "`cv_results` must be of the same folds, got test rows that differ; pass the "
            "same `cv` with a fixed `random_state` to both"
        )
