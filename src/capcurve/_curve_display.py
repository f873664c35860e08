"""What displays of CAP curves share, after scikit-learn's Display contract."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from capcurve import _drawing, _estimators, bands
from capcurve._drawing import LegendLocation, Path
from capcurve._input import Label, TargetType
from capcurve.bands import Band
from capcurve.binned_curve import BinnedCurve
from capcurve.curve import DIAGONAL, CapCurve, Profile
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.lines import Line2D

Style = Mapping[str, Any]
Curve = CapCurve | BinnedCurve


class CurveDisplay(ABC):
    """What all displays of CAP curves share; subclasses say which path they draw."""

    legend_location: ClassVar[LegendLocation]
    marks_below: ClassVar[bool]  # where the curve leaves room for what is written

    line_: Line2D | list[Line2D]
    chance_level_: Line2D | None
    perfect_level_: Line2D | None
    ax_: Axes
    figure_: Figure | SubFigure

    def __init__(
        self,
        curve: Curve | Sequence[Curve],
        *,
        name: str | Sequence[str] | None = None,
        pos_label: Label | None = None,
    ) -> None:
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
        **options: Any,
    ) -> Self:
        """Draw the curve of one score.

        Parameters
        ----------
        y_true, y_score, sample_weight, pos_label, target_type, descending
            As in `CapCurve.from_predictions`.
        name : str, default='Model'
            Name in the legend; None leaves the number alone.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure. Give the ``ax_`` of another display to
            draw several models on one axes.
        **options
            As in ``plot``.

        Returns
        -------
        display
            With the artists as attributes.
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
        **options: Any,
    ) -> Self:
        """Draw the curve of a fitted binary classifier or a regressor.

        Parameters
        ----------
        estimator : object
            Fitted; a pipeline will do. A regressor ranks by ``predict`` and ``y`` holds
            amounts.
        X : array-like of shape (n_samples, n_features)
            Rows to score.
        y : array-like of shape (n_samples,)
            Their labels or amounts.
        sample_weight : array-like of shape (n_samples,), default=None
            As in `CapCurve.from_predictions`.
        response_method : {'auto', 'predict_proba', 'decision_function'}, default='auto'
            'auto' takes the first that the classifier has. Hard predictions are never
            ranked.
        pos_label : int, float, bool or str, default=None
            The label of the event. None: the last of ``estimator.classes_``.
        name : str, default=None
            Name in the legend. None: the class of the estimator.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        **options
            As in ``plot``.

        Returns
        -------
        display
            With the artists as attributes.
        """
        response = _estimators.response_of(
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
        **options: Any,
    ) -> Self:
        """Draw a curve for the test rows of each fold of a cross-validation.

        Parameters
        ----------
        cv_results : dict
            What ``cross_validate`` returns with ``return_estimator=True`` and
            ``return_indices=True``, whatever the splitter.
        X, y, sample_weight
            The data that were cross-validated.
        response_method, pos_label
            As in ``from_estimator``.
        name : str or sequence of str, default=None
            One name for all folds, or one each together with a list of ``curve_kwargs``.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        **options
            As in ``plot``. Unless ``curve_kwargs`` is a list, all folds look alike and
            the legend gives the mean AR and its standard deviation.

        Returns
        -------
        display
            With the artists as attributes; ``line_`` is a list.
        """
        curves, event = [], pos_label
        for estimator, (features, truth, weight) in _estimators.folds_of(
            cv_results, X, y, sample_weight
        ):
            response = _estimators.response_of(
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
        mark: Sequence[float] = (),
        shade: bool = False,
        band: Band | bands.Kind | None = None,
        random_band: Band | bands.Kind | None = None,
    ) -> Self:
        """Draw; the curve itself never changes.

        Long curves are drawn thinned: of the points in one cell of a 2048 by 2048 grid
        only the first and the last, so no line strays by more than 1/2048 of either axis.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        name : str or sequence of str, default=None
            Name in the legend. None: as given to the constructor.
        curve_kwargs : dict or list of dict, default=None
            Style of the curve, or of each of several, as matplotlib's ``plot`` takes it.
        plot_chance_level : bool, default=True
            Whether to draw what a random ranking reaches.
        chance_level_kwargs : dict, default=None
            Its style.
        plot_perfect : bool, default=True
            Whether to draw what a perfect ranking reaches: a line for each of several
            curves whose perfect rankings differ.
        perfect_level_kwargs : dict, default=None
            Its style.
        despine : bool, default=False
            Whether to leave out the upper and right frame.
        normalize_scale : bool, default=True
            Shares on both axes; False gives weights and outcomes as they are counted.
        mark : sequence of float, default=()
            Population shares to read off: dashed lines, with the value written out.
        shade : bool, default=False
            Whether to fill the area between chance and perfect.
        band : Band, 'pointwise' or 'simultaneous', default=None
            Confidence band to fill around each curve. A kind makes that of 95 % by
            `CapCurve.band`, which needs SciPy.
        random_band : Band, 'pointwise' or 'simultaneous', default=None
            Band to fill around the diagonal: how far a score that says nothing may stray.
            A kind makes that of 95 % by `random_band`.

        Returns
        -------
        display
            Itself, with ``ax_``, ``figure_``, ``line_`` (a list for several curves),
            ``chance_level_`` and ``perfect_level_`` (None where not drawn).
        """
        self.ax_ = ax = _drawing.new_axes() if ax is None else ax
        self.figure_ = ax.figure
        drawn = [self.curve] if isinstance(self.curve, Curve) else list(self.curve)
        curves = [each.curve if isinstance(each, BinnedCurve) else each for each in drawn]
        sizes = [(1.0, 1.0) if normalize_scale else self.size(curve) for curve in curves]
        styles = self.styles(curves, self.name if name is None else name, curve_kwargs)
        lines = [
            _drawing.draw_model(ax, scaled(self.path(curve.profile), size), style)
            for curve, size, style in zip(curves, sizes, styles, strict=True)
        ]
        self.line_ = lines[0] if len(lines) == 1 else lines
        chance = [scaled(self.path(DIAGONAL), size) for size in sizes]
        perfect = [
            scaled(self.path(curve.perfect), size)
            for curve, size in zip(curves, sizes, strict=True)
        ]
        self.chance_level_ = self.perfect_level_ = None
        if plot_chance_level:
            self.chance_level_ = _drawing.draw_reference(
                ax, chance, _drawing.CHANCE, chance_level_kwargs
            )
        if plot_perfect:
            self.perfect_level_ = _drawing.draw_reference(
                ax, perfect, _drawing.PERFECT, perfect_level_kwargs
            )
        if shade:
            _drawing.draw_shade(ax, chance, perfect)
        for each, size, line in zip(drawn, sizes, lines, strict=True):
            self.fill_limits(each, size, line.get_color())
        for curve, size, line in zip(curves, sizes, lines, strict=True):
            self.draw_marks(
                curve, mark, size, line.get_color(), normalize_scale=normalize_scale
            )
            if band is not None:
                self.fill_band(band_of(curve, band), size, line.get_color())
            if random_band is not None:
                self.fill_band(band_by_chance(curve, random_band), size, _drawing.BY_CHANCE)
        self.finish_axes(normalize_scale=normalize_scale, despine=despine)
        return self

    def draw_marks(
        self,
        curve: CapCurve,
        mark: Sequence[float],
        size: tuple[float, float],
        color: Any,
        *,
        normalize_scale: bool,
    ) -> None:
        """Read a curve off at the shares marked."""
        for share in mark:
            text = self.mark_text(curve, share, normalize_scale=normalize_scale)
            point = share * size[0], self.height(curve, share) * size[1]
            _drawing.draw_mark(self.ax_, point, text, color, below=self.marks_below)

    def fill_band(self, band: Band, size: tuple[float, float], color: Any) -> None:
        """Fill a band and name it, once, in the legend."""
        around = "" if band.around == "curve" else "Random, "
        name = f"{around}{100 * band.confidence_level:.4g}% band ({band.kind})"
        share = band.population_share
        self.fill((Profile(share, band.low), Profile(share, band.high)), size, color, name)

    def fill_limits(self, curve: Curve, size: tuple[float, float], color: Any) -> None:
        """Fill where the curve of rows in bins lies for certain."""
        if isinstance(curve, CapCurve):
            return
        share, _, low, high = curve.cap_curve()
        if np.any(high > low):
            limits = Profile(share, low), Profile(share, high)
            self.fill(limits, size, color, "Limits for certain")

    def fill(
        self,
        limits: tuple[Profile, Profile],
        size: tuple[float, float],
        color: Any,
        name: str,
    ) -> None:
        """Fill between two profiles and name the area, once, in the legend."""
        low, high = (scaled(self.path(limit), size) for limit in limits)
        named = name in self.ax_.get_legend_handles_labels()[1]
        label = "_nolegend_" if named else name
        _drawing.draw_band(self.ax_, low, high, label, color)

    def styles(
        self,
        curves: Sequence[CapCurve],
        name: str | Sequence[str] | None,
        curve_kwargs: Style | Sequence[Style] | None,
    ) -> list[dict[str, Any]]:
        """Work out label and style of each curve."""
        ratios = [curve.accuracy_ratio for curve in curves]
        names = spread(name, "name", len(curves))
        own = spread(curve_kwargs, "curve_kwargs", len(curves))
        if len(curves) == 1 or is_list(curve_kwargs):
            labels = [
                legend_text(each, f"AR = {ratio:.3f}")
                for each, ratio in zip(names, ratios, strict=True)
            ]
            default = _drawing.model_styles(self.ax_, len(curves))
        elif is_list(name):
            raise CapcurveError(
                "`name` is a list, but all curves look alike; give `curve_kwargs` as a "
                "list too, or one name"
            )
        else:
            mean = f"AR = {np.mean(ratios):.3f} ± {np.std(ratios):.3f}"
            labels = [legend_text(names[0], mean), *["_nolegend_"] * (len(curves) - 1)]
            default = [_drawing.FOLD_STYLE] * len(curves)
        return [
            _drawing.merge_style({"label": label, **style}, over)
            for label, style, over in zip(labels, default, own, strict=True)
        ]

    def finish_axes(self, *, normalize_scale: bool, despine: bool) -> None:
        """Label and frame the axes."""
        event = "" if self.pos_label is None else f" (positive label: {self.pos_label})"
        x_label = "Population share" if normalize_scale else "Population"
        self.ax_.set(xlabel=x_label, ylabel=self.y_label(normalize_scale) + event)
        if normalize_scale:
            self.ax_.set(xlim=_drawing.SHARES)
        else:
            self.ax_.set(xlim=(0, None), ylim=(0, None))
        _drawing.format_axis(self.ax_.xaxis, percent=normalize_scale)
        if despine:
            _drawing.remove_spines(self.ax_)
        _drawing.draw_legend([self.ax_], self.legend_location)

    @staticmethod
    @abstractmethod
    def size(curve: CapCurve) -> tuple[float, float]:
        """Return what 1 stands for on each axis where scales are not normalised."""

    @staticmethod
    @abstractmethod
    def path(profile: Profile) -> Path:
        """Turn a profile into the path to draw."""

    @staticmethod
    @abstractmethod
    def height(curve: CapCurve, share: float) -> float:
        """Read the curve off at a population share."""

    @staticmethod
    @abstractmethod
    def mark_text(curve: CapCurve, share: float, *, normalize_scale: bool) -> str:
        """Write out what is read off."""

    @staticmethod
    @abstractmethod
    def y_label(normalize_scale: bool) -> str:  # noqa: FBT001 -- the only argument
        """Name the vertical axis."""


def band_of(curve: CapCurve, band: Band | bands.Kind) -> Band:
    """Make the band of a curve, unless it is there already."""
    return curve.band(band) if isinstance(band, str) else band


def band_by_chance(curve: CapCurve, band: Band | bands.Kind) -> Band:
    """Make the band of a useless score for as many rows as a curve has."""
    if not isinstance(band, str):
        return band
    if curve.tally.weight.dtype.kind == "f":
        raise CapcurveError(
            "`random_band` takes a curve of 0/1 events without weights; for others pass "
            "what `capcurve.random_band` makes for the number of rows that you think apt"
        )
    events = int(curve.total_target)
    return bands.random_band(events, int(curve.total_weight) - events, kind=band)


def scaled(path: Path, size: tuple[float, float]) -> Path:
    """Stretch a path of shares to what 1 stands for."""
    return path[0] * size[0], path[1] * size[1]


def legend_text(name: str | None, number: str) -> str:
    """Put a number behind a name, if there is one."""
    return number if name is None else f"{name} ({number})"


def is_list(value: object) -> bool:
    """Whether an option is given for each curve, not once for all."""
    return not (value is None or isinstance(value, str | Mapping))


def spread(value: Any, option: str, n_curves: int) -> list[Any]:
    """Repeat an option that is given once; check that a list has an entry per curve."""
    values = list(value) if is_list(value) else [value] * n_curves
    if len(values) != n_curves:
        raise CapcurveError(
            f"`{option}` must have one entry per curve, got {len(values)} for "
            f"{n_curves} curves"
        )
    return values
