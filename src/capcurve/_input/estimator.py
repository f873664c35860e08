"""Score rows with fitted scikit-learn estimators."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from capcurve._input.column import (
    as_row_values,
    flatten_column,
    format_labels,
    list_distinct,
    name_type,
    unwrap_labels,
)
from capcurve._input.dtypes import Label, TargetType
from capcurve._input.missing import refuse_missing
from capcurve._input.options import check_label, check_word, show
from capcurve._tally.dtypes import Array
from capcurve.exceptions import CapcurveError

RESPONSE_METHODS = ("predict_proba", "decision_function")
BINARY = 2  # classes


class Response(NamedTuple):
    """Scores of an estimator, and the matching arguments of `CapCurve.from_predictions`."""

    y_score: Array
    pos_label: Label | None
    target_type: TargetType


def ask_estimator(
    estimator: Any, features: Any, *, response_method: str, pos_label: Label | None
) -> Response:
    """Return the score that a fitted classifier or regressor gives each row.

    Without ``pos_label`` the event is the last of two classes, as in scikit-learn; with it,
    one of several classes is ranked against the rest.
    """
    if find_kind(estimator) == "regressor":
        amounts = flatten_column(np.asarray(estimator.predict(features)))
        return Response(amounts, None, "continuous")
    classes = list_classes(estimator)
    position = choose_event(classes, pos_label)
    method = choose_response_method(estimator, response_method, len(classes))
    score = flatten_column(np.asarray(getattr(estimator, method)(features)))
    if score.ndim > 1:
        check_columns(score, classes, estimator, method)
        score = score[:, position]
    elif position == 0:
        score = -score  # a single column scores the last class
    return Response(score, classes[position], "binary")


def ask_every_class(
    estimator: Any, features: Any, response_method: str
) -> tuple[Array, list[Label]]:
    """Return a column of scores for each of several classes, and the classes."""
    classes = list_classes(estimator)
    method = choose_response_method(estimator, response_method, len(classes))
    score = np.asarray(getattr(estimator, method)(features))
    check_columns(score, classes, estimator, method)
    return score, classes


def find_kind(estimator: Any) -> Literal["classifier", "regressor"]:
    """Return what an estimator says it is; older ones than scikit-learn 1.6 do so too."""
    if isinstance(estimator, type):
        found = f"the class {estimator.__name__}"
    else:
        found = name_type(estimator)
        tags = getattr(estimator, "__sklearn_tags__", None)
        kind = tags().estimator_type if tags else None
        match kind or getattr(estimator, "_estimator_type", None):
            case "classifier":
                return "classifier"
            case "regressor":
                return "regressor"
    raise CapcurveError(
        "`estimator` must be a fitted scikit-learn estimator, a classifier or a regressor, "
        f"got {found}; pass its scores to `from_predictions`"
    )


def name_of(estimator: Any) -> str:
    """Return the name of an estimator's class, as scikit-learn's messages do."""
    return type(estimator).__name__


def has_several_classes(estimator: Any) -> bool:
    """Whether an estimator is a classifier of more than two classes."""
    return find_kind(estimator) == "classifier" and len(list_classes(estimator)) > BINARY


def list_classes(estimator: Any) -> list[Label]:
    """Return the classes of a classifier, which may hold them as an array or a list."""
    classes = getattr(estimator, "classes_", None)
    if classes is None or len(classes) == 0:
        from sklearn.utils.validation import check_is_fitted

        # Asked here only: some fitted estimators of other libraries do not pass it.
        check_is_fitted(estimator)
        raise CapcurveError(
            f"`estimator` must list its classes as `classes_`, got {name_of(estimator)} "
            "without them; pass its scores to `from_predictions`"
        )
    if any(np.ndim(label) for label in classes):
        raise CapcurveError(
            f"`estimator` must predict a single outcome, got {len(classes)} outcomes; pass "
            "the scores of one of them to `from_predictions`"
        )
    return unwrap_labels(classes)


def choose_event(classes: list[Label], pos_label: Label | None) -> int:
    """Return the position of the event among the classes."""
    if len(classes) < BINARY:
        raise CapcurveError(
            f"`estimator` must know two classes, got one ({format_labels(classes)}); "
            "fit it on events and non-events"
        )
    if pos_label is None:
        if len(classes) > BINARY:
            raise CapcurveError(
                f"`estimator` must be a binary classifier, got {len(classes)} classes "
                f"({format_labels(classes)}); pass one of them as `pos_label`, to rank it "
                "against the rest"
            )
        return 1
    check_label(pos_label, "pos_label")
    if pos_label not in classes:
        raise CapcurveError(
            f"`pos_label` is {pos_label!r}, which is not among the classes: "
            f"{format_labels(classes)}"
        )
    return classes.index(pos_label)


def choose_response_method(
    estimator: Any, response_method: str, n_classes: int = BINARY
) -> str:
    """Return the name of the method that gives scores; never a hard prediction."""
    check_word(response_method, "response_method", ("auto", *RESPONSE_METHODS))
    wanted = RESPONSE_METHODS if response_method == "auto" else (response_method,)
    for method in wanted:
        if hasattr(estimator, method):
            if n_classes > BINARY and method == "decision_function":
                refuse_pairs(estimator)
            return method
    raise CapcurveError(
        f"{name_of(estimator)} has no {' or '.join(wanted)} to score rows with; "
        "pass another `response_method`, or pass scores to `from_predictions`"
    )


def refuse_pairs(estimator: Any) -> None:
    """Raise if a decision function compares pairs of classes; three classes have three."""
    found = getattr(estimator, "best_estimator_", estimator)
    parameters = found.get_params() if hasattr(found, "get_params") else {}
    for name, value in parameters.items():
        if name.endswith("decision_function_shape") and value == "ovo":
            raise CapcurveError(
                f"`{name_of(estimator)}.decision_function` must score classes, got pairs "
                f"of classes ({name}='ovo'); set that to 'ovr'"
            )


def mark_event(y: ArrayLike, event: Label | None, estimator: Any) -> Array:
    """Return a mask of the rows of the event, or amounts if there is none.

    Raise for labels that the estimator was not fitted on.
    """
    truth = flatten_column(as_row_values(y, "y"))
    if event is None:
        return truth
    if truth.size:
        refuse_missing(truth, "y")
    classes = list_classes(estimator)
    known = np.zeros(truth.shape, dtype=np.bool_)
    for label in classes:
        known |= truth == label
    if not known.all():
        unknown = format_labels(list_distinct(truth[~known]))
        raise CapcurveError(
            f"`y` must hold the classes of the estimator ({format_labels(classes)}), got "
            f"{unknown}; pass the labels that it was fitted on"
        )
    return np.asarray(truth == event, dtype=np.bool_)


def check_columns(score: Array, classes: list[Label], estimator: Any, method: str) -> None:
    """Raise if there is not one column of scores per class."""
    if score.shape[1:] != (len(classes),):
        raise CapcurveError(
            f"`{name_of(estimator)}.{method}` must return one column per class, got shape "
            f"{score.shape} for {len(classes)} classes; pass the scores to "
            "`from_predictions`"
        )


def split_folds(
    cv_results: Mapping[str, Any], *data: Any
) -> Iterator[tuple[Any, Sequence[Any]]]:
    """Yield the estimator and the test rows of each cross-validation fold."""
    if not isinstance(cv_results, Mapping):
        raise CapcurveError(
            "`cv_results` must be what cross_validate returns, got "
            f"{name_type(cv_results)}; pass that dict"
        )
    missing = {"estimator", "indices"} - set(cv_results)
    if missing:
        raise CapcurveError(
            f"`cv_results` lacks {' and '.join(sorted(missing))}; call cross_validate with "
            "`return_estimator=True` and `return_indices=True`"
        )
    folds = zip(cv_results["estimator"], cv_results["indices"]["test"], strict=True)
    for estimator, rows in folds:
        yield estimator, [take_rows(part, rows) for part in data]


def take_rows(data: Any, rows: Array) -> Any:
    """Take the rows of a fold; raise for data that were not cross-validated."""
    from sklearn.utils import _safe_indexing

    if data is None:
        return None
    try:
        n_rows = data.shape[0] if hasattr(data, "shape") else len(data)
        if n_rows > np.max(rows):
            return _safe_indexing(data, rows)
        found = f"data of {n_rows} rows"
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        found = show(data)
    raise CapcurveError(
        f"the test rows of `cv_results` go up to row {np.max(rows)}, got {found}; pass the "
        "data that were cross-validated"
    )
