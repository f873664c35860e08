"""Fitted scikit-learn estimators -> the score and the event that they rank by."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from capcurve._input import Array, Label, TargetType, listed
from capcurve.exceptions import CapcurveError

RESPONSES = ("predict_proba", "decision_function")


class Response(NamedTuple):
    """What an estimator says of some rows, as `CapCurve.from_predictions` takes it."""

    y_score: Array
    pos_label: Label | None
    target_type: TargetType


def response_of(
    estimator: Any, features: Any, *, response_method: str, pos_label: Label | None
) -> Response:
    """Ask a fitted binary classifier or a regressor for its score of each row."""
    from sklearn.base import is_classifier, is_regressor
    from sklearn.utils.validation import check_is_fitted

    check_is_fitted(estimator)
    if is_regressor(estimator):
        return Response(np.asarray(estimator.predict(features)), None, "continuous")
    if not is_classifier(estimator):
        raise CapcurveError(
            "`estimator` must be a classifier or a regressor, "
            f"got {type(estimator).__name__}"
        )
    classes = np.asarray(estimator.classes_)
    if len(classes) != 2:  # noqa: PLR2004 -- two classes are what binary means
        raise CapcurveError(
            f"`estimator` must be a binary classifier, got {len(classes)} classes "
            f"({listed(classes)}); plot one class against the rest by `from_predictions`"
        )
    event = classes[1].item() if pos_label is None else pos_label
    if event not in classes:
        raise CapcurveError(
            f"`pos_label` is {event!r}, which is not among the classes: {listed(classes)}"
        )
    method = pick_response(estimator, response_method)
    score = np.asarray(getattr(estimator, method)(features))
    if score.ndim > 1:
        score = score[:, int(event == classes[1])]
    elif event == classes[0]:
        score = -score
    return Response(score, event, "binary")


def pick_response(estimator: Any, response_method: str) -> str:
    """Choose the method to ask; a hard prediction is never ranked."""
    if response_method not in {"auto", *RESPONSES}:
        raise CapcurveError(
            "`response_method` must be 'auto', 'predict_proba' or 'decision_function', "
            f"got {response_method!r}"
        )
    wanted = RESPONSES if response_method == "auto" else (response_method,)
    for method in wanted:
        if hasattr(estimator, method):
            return method
    raise CapcurveError(
        f"{type(estimator).__name__} has no {' or '.join(wanted)}, so there is no score "
        "to rank by"
    )


def folds_of(
    cv_results: Mapping[str, Any], *data: Any
) -> Iterator[tuple[Any, Sequence[Any]]]:
    """Yield the estimator and the test rows of each fold, whatever the splitter."""
    from sklearn.utils import _safe_indexing

    missing = {"estimator", "indices"} - set(cv_results)
    if missing:
        raise CapcurveError(
            f"`cv_results` lacks {' and '.join(sorted(missing))}; call cross_validate with "
            "`return_estimator=True` and `return_indices=True`"
        )
    folds = zip(cv_results["estimator"], cv_results["indices"]["test"], strict=True)
    for estimator, rows in folds:
        yield (
            estimator,
            [None if part is None else _safe_indexing(part, rows) for part in data],
        )
