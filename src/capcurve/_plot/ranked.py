"""Curves of predictions, of estimators and of folds, by name where there are several."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn

from numpy.typing import ArrayLike

from capcurve._curve.curve import CapCurve, make_curve
from capcurve._input.column import as_row_values, flatten_column, name_type
from capcurve._input.columns import Columns, explain_constant
from capcurve._input.dtypes import Label, TargetType
from capcurve._input.estimator import (
    ask_estimator,
    ask_every_class,
    has_several_classes,
    mark_event,
    split_folds,
)
from capcurve._input.options import refuse_inapplicable
from capcurve._input.reading import read_columns, read_one_vs_rest, read_paired_scores
from capcurve._input.row_order import check_row_order
from capcurve._plot.request import check_keys
from capcurve.exceptions import CapcurveError, UndefinedMetricWarning, warn_caller

MATRIX = 2  # dimensions of a score with a column for each class label
Rows = Mapping[Any, Columns]  # by name, or by class label; None if there is one alone


class Ranked(NamedTuple):
    """Curves as displays keep them, with their rows and the event.

    Attributes
    ----------
    curve : CapCurve, list of CapCurve, or dict of either
        One curve; those of folds; or either by name where there are several names.
    rows : tuple of Columns
        Rows of each curve, in the order of the curves.
    pos_label : int, float, bool, str or None
        Label of the event, if there is one for all curves.
    """

    curve: Any
    rows: tuple[Columns, ...]
    pos_label: Label | None


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How outcomes and scores are read; see `read_columns`."""

    pos_label: Label | None = None
    labels: Sequence[Label] | None = None
    target_type: TargetType = "auto"
    descending: bool = True


def rank_predictions(
    y_true: ArrayLike,
    y_score: Any,
    sample_weight: ArrayLike | None,
    reading: Reading,
) -> Ranked:
    """Rank rows by one score, by each of several by name, or by that of each label."""
    if isinstance(y_score, Mapping):
        refuse_inapplicable(vars(reading), {"labels": None}, "dict as")
        rows = read_by_name(y_true, y_score, sample_weight, reading)
        return gather([rows], reading.pos_label)
    check_row_order({"y_true": y_true, "y_score": y_score, "sample_weight": sample_weight})
    score = flatten_column(as_row_values(y_score, "y_score"))
    refuse_list_of_scores(y_score, score.shape, as_row_values(y_true, "y_true").size)
    if score.ndim == MATRIX:
        neutral = {"pos_label": None, "target_type": "auto"}
        refuse_inapplicable(vars(reading), neutral, "two-dimensional")
        return gather([read_labels(y_true, y_score, sample_weight, reading)], None)
    refuse_inapplicable(vars(reading), {"labels": None}, "one-dimensional")
    columns = read_columns(
        y_true,
        score,
        sample_weight=sample_weight,
        pos_label=reading.pos_label,
        target_type=reading.target_type,
        descending=reading.descending,
    )
    return gather([{None: columns}], reading.pos_label)


def rank_estimator(
    estimator: Any,
    features: Any,
    y: ArrayLike,
    sample_weight: ArrayLike | None,
    *,
    response_method: str,
    pos_label: Label | None,
    every_class: bool = True,
) -> Ranked:
    """Rank rows by a fitted estimator, or by each of several by name.

    Without ``pos_label`` a classifier of several classes gives each a curve, or is refused
    unless ``every_class``.
    """
    check_row_order({"y": y, "X": features, "sample_weight": sample_weight})
    ask = Asking(response_method, pos_label, every_class=every_class)
    rows: dict[Any, Columns] = {}
    for name, each in name_models(estimator, "estimator").items():
        found = ask.rank(each, features, y, sample_weight)
        rows |= {join_keys(name, key): columns for key, columns in found.items()}
    return gather([rows], ask.event)


def rank_folds(
    cv_results: Any,
    features: Any,
    y: ArrayLike,
    sample_weight: ArrayLike | None,
    *,
    response_method: str,
    pos_label: Label | None,
    every_class: bool = True,
) -> Ranked:
    """Rank the test rows of each fold by its estimator; of several models by name."""
    check_row_order({"y": y, "X": features, "sample_weight": sample_weight})
    ask = Asking(response_method, pos_label, every_class=every_class)
    folds: list[Rows] = []
    are_named = isinstance(cv_results, Mapping) and all(
        isinstance(each, Mapping) for each in cv_results.values()
    )
    are_several = are_named or isinstance(cv_results, list | tuple)
    named = name_models(cv_results, "cv_results") if are_several else {None: cv_results}
    for name, results in named.items():
        parts = split_folds(results, features, y, sample_weight)
        for number, (estimator, (x, truth, weight)) in enumerate(parts, start=1):
            found = ask.rank(estimator, x, truth, weight)
            refuse_constant_fold(found, number)
            folds.append({join_keys(name, key): columns for key, columns in found.items()})
    return gather(folds, ask.event, are_folds=True)


def refuse_constant_fold(rows: Rows, number: int) -> None:
    """Raise for a fold whose test rows have equal outcomes, for all of its classes."""
    if all(columns.is_constant for columns in rows.values()):
        raise CapcurveError(
            f"the curve of fold {number} is undefined: "
            f"{explain_constant(next(iter(rows.values())))}; stratify or shuffle the folds "
            "(`StratifiedKFold`, `KFold(shuffle=True)`)"
        )


class Asking:
    """Asks estimators for their scores, and keeps the event that they name."""

    def __init__(
        self, response_method: str, pos_label: Label | None, *, every_class: bool
    ) -> None:
        self.response_method = response_method
        self.pos_label = pos_label
        self.every_class = every_class and pos_label is None
        self.event = pos_label

    def rank(
        self, estimator: Any, features: Any, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> Rows:
        """Return the rows of the event, or those of each of several classes."""
        if self.every_class and has_several_classes(estimator):
            score, classes = ask_every_class(estimator, features, self.response_method)
            return read_labels(y, score, sample_weight, Reading(labels=classes))
        response = ask_estimator(
            estimator,
            features,
            response_method=self.response_method,
            pos_label=self.pos_label,
        )
        self.event = response.pos_label
        return {
            None: read_columns(
                mark_event(y, response.pos_label, estimator),
                response.y_score,
                sample_weight=sample_weight,
                target_type=response.target_type,
            )
        }


def name_models(models: Any, argument: str) -> Mapping[Any, Any]:
    """Return models by name; a single one has no name."""
    if isinstance(models, list | tuple):
        raise_nameless(models, argument, "models")
    if not isinstance(models, Mapping):
        return {None: models}
    if not models:
        raise CapcurveError(
            f"`{argument}` must hold models by name if it is a dict, got an empty one; "
            "pass {'name': model}"
        )
    check_keys(models, argument)
    return models


def refuse_list_of_scores(y_score: Any, shape: tuple[int, ...], n_rows: int) -> None:
    """Raise for a list of several scores, rather than of the scores of a row each."""
    if isinstance(y_score, list | tuple) and shape[1:] == (n_rows,) != shape[:1]:
        raise_nameless(y_score, "y_score", "scores")


def raise_nameless(values: Sequence[Any], argument: str, what: str) -> NoReturn:
    """Refuse several models or scores that have no names."""
    raise CapcurveError(
        f"several {what} must have names, got a {name_type(values)} of {len(values)} as "
        f"`{argument}`; pass a dict, such as {{'champion': ..., 'challenger': ...}}"
    )


def join_keys(name: str | None, key: Any) -> Any:
    """Join the name of a model and a class label, either of which may be missing."""
    if name is None:
        return key
    return name if key is None else f"{name}, {key}"


def read_by_name(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    sample_weight: ArrayLike | None,
    reading: Reading,
) -> Rows:
    """Read several scores of the same rows, each under its name."""
    named = {name: f"y_score[{name!r}]" for name in name_models(scores, "y_score")}
    columns = read_paired_scores(
        y_true,
        {named[name]: score for name, score in scores.items()},
        sample_weight=sample_weight,
        pos_label=reading.pos_label,
        target_type=reading.target_type,
        descending=reading.descending,
        weights="sampling",
        clusters=None,
    )
    return dict(zip(named, columns, strict=True))


def read_labels(
    y_true: ArrayLike,
    y_score: Any,
    sample_weight: ArrayLike | None,
    reading: Reading,
) -> Rows:
    """Read the rows of each class label against the rest."""
    return dict(
        read_one_vs_rest(
            y_true,
            y_score,
            sample_weight=sample_weight,
            labels=reading.labels,
            descending=reading.descending,
        )
    )


def gather(
    folds: Sequence[Rows], pos_label: Label | None, *, are_folds: bool = False
) -> Ranked:
    """Make the curves of each fold, and gather those of a name.

    Of several class labels those whose outcomes are all equal are left out, with a warning.
    """
    by_name: dict[Any, list[Columns]] = {}
    for rows in folds:
        for name, columns in leave_out_constant(rows):
            by_name.setdefault(name, []).append(columns)
    kept = tuple(columns for rows in by_name.values() for columns in rows)
    pack: Callable[[list[CapCurve]], Any] = list if are_folds else unpack
    curves = {
        name: pack([make_curve(columns) for columns in rows])
        for name, rows in by_name.items()
    }
    if list(curves) == [None]:
        return Ranked(curves[None], kept, pos_label)
    return Ranked(curves, kept, pos_label)


def unpack(curves: list[CapCurve]) -> CapCurve:
    """Return the only curve."""
    (curve,) = curves
    return curve


def leave_out_constant(rows: Rows) -> Iterator[tuple[Any, Columns]]:
    """Leave out class labels without events or non-events, unless none would remain."""
    some = any(not columns.is_constant for columns in rows.values())
    for name, columns in rows.items():
        if columns.is_constant and some:
            warn_caller(
                f"the curve of label {name!r} is undefined and left out: "
                f"{explain_constant(columns)}",
                UndefinedMetricWarning,
            )
        else:
            yield name, columns
