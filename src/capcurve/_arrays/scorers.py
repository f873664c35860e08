"""Scorers, which scikit-learn takes as `scoring`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from numpy.typing import ArrayLike

from capcurve._arrays.metrics import accuracy_ratio_score, compute_or_nan
from capcurve._curve.curve import CapCurve, make_curve
from capcurve._engines.rows import compute_accuracy_ratio
from capcurve._input.column import as_row_values, flatten_column, format_labels
from capcurve._input.columns import Columns
from capcurve._input.dtypes import Average, Label
from capcurve._input.estimator import (
    RESPONSE_METHODS,
    ask_estimator,
    ask_every_class,
    has_several_classes,
    list_classes,
    mark_event,
)
from capcurve._input.options import (
    check_average,
    check_fraction,
    check_label,
    check_word,
    read_fractions,
    show,
)
from capcurve._input.reading import read_columns
from capcurve._input.row_order import check_row_order
from capcurve._public import public
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from sklearn.utils.metadata_routing import MetadataRequest

Measure = Literal["accuracy_ratio", "ks", "capture_rate", "lift", "response_rate"]
ResponseMethod = Literal["auto", "predict_proba", "decision_function"]

OF_ALL_ROWS: Mapping[Measure, Callable[[Columns], float]] = {
    "accuracy_ratio": compute_accuracy_ratio,
    "ks": lambda columns: make_curve(columns).ks,
}
OF_TOP_ROWS: Mapping[Measure, Callable[[CapCurve, float], float]] = {
    "capture_rate": CapCurve.capture_rate_at,
    "lift": CapCurve.lift_at,
    "response_rate": CapCurve.response_rate_at,
}
TITLES: Mapping[Measure, str] = {
    "accuracy_ratio": "the accuracy ratio",
    "ks": "KS",
    "capture_rate": "the capture rate",
    "lift": "lift",
    "response_rate": "the response rate",
}


@public
@dataclass(frozen=True)
class Scorer:
    """Scorer for scikit-learn: a score of a fitted estimator on rows with known outcomes.

    Pass one as ``scoring`` of ``cross_validate``, ``GridSearchCV``,
    ``permutation_importance`` or ``learning_curve``. `accuracy_ratio_scorer` is the ready
    ``Scorer("accuracy_ratio")``; `scorers` returns several under their names.

    A binary classifier is ranked by its probability, or else its decision function, never
    by its predicted labels, which rank rows in two groups only. A regressor is ranked by
    its prediction, against amounts. A scorer can be pickled and is never changed. It judges
    a ranking, which no threshold alters: ``TunedThresholdClassifierCV``, which tunes one,
    takes scorers of predicted labels only, and stops with an ``AttributeError`` here.

    Parameters
    ----------
    measure : {'accuracy_ratio', 'ks', 'capture_rate', 'lift', 'response_rate'}
        What to compute. Higher is better.
    fraction : float, default=None
        Share of the population's weight that is selected; for 'capture_rate', 'lift'
        and 'response_rate' only, which require it.
    pos_label : int, float, bool or str, default=None
        Class that counts as the event; one of several classes is ranked against the rest.
        By default 1 or True of labels 0/1, -1/1 and booleans. Of two other labels
        'accuracy_ratio' and 'ks' are the same for either; the other measures require
        ``pos_label``. Ignored for regressors.
    response_method : {'auto', 'predict_proba', 'decision_function'}, default='auto'
        Method of a classifier that gives the score. 'auto' takes the first of the two that
        it has.
    average : {'macro', 'weighted'}, default='macro'
        How the accuracy ratios of several classes are averaged, each against the rest; see
        `accuracy_ratio_score`.
    weight_request : bool, str or None, default=None
        Whether scikit-learn's metadata routing passes ``sample_weight`` to this scorer, or
        the name that it has there. Set it with ``set_score_request``.

    Raises
    ------
    CapcurveError
        If an option is unknown or does not apply to the measure. When called: if the
        estimator or the rows cannot be scored, as in `CAPCurveDisplay.from_estimator`, or
        if the measure depends on which label is the event, and ``pos_label`` is missing.

    Warns
    -----
    UndefinedMetricWarning
        When called, if all outcomes are equal; the score is nan.

    See Also
    --------
    accuracy_ratio_score : The accuracy ratio of arrays.
    CAPCurveDisplay.from_cv_results : The curves of the folds.

    Examples
    --------
    >>> from capcurve import Scorer, accuracy_ratio_scorer
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> cross_val_score(GaussianNB(), X, y, scoring=accuracy_ratio_scorer).round(3)
    array([0.944, 0.971, 0.986, 0.983, 0.989])
    >>> model = GaussianNB().fit(X, y)
    >>> round(Scorer("capture_rate", fraction=0.5, pos_label=0)(model, X, y), 3)
    0.991
    """

    measure: Measure
    fraction: float | None = None
    pos_label: Label | None = None
    response_method: ResponseMethod = "auto"
    average: Average = "macro"
    weight_request: bool | str | None = None

    def __post_init__(self) -> None:
        check_word(self.measure, "measure", (*OF_ALL_ROWS, *OF_TOP_ROWS))
        check_word(self.response_method, "response_method", ("auto", *RESPONSE_METHODS))
        check_average(self.average)
        check_label(self.pos_label, "pos_label")
        if self.measure in OF_TOP_ROWS and self.fraction is None:
            raise CapcurveError(
                f"the measure {self.measure!r} requires `fraction`, got None; pass the "
                "share of rows that is selected, such as 0.1"
            )
        if self.measure in OF_ALL_ROWS and self.fraction is not None:
            raise CapcurveError(
                f"`fraction` does not apply to {self.measure!r}, got {self.fraction!r}; "
                "leave it out"
            )
        if self.fraction is not None:
            check_fraction(
                self.fraction, "fraction", above_zero=self.measure != "capture_rate"
            )

    def __call__(
        self,
        estimator: Any,
        X: Any,  # noqa: N803 -- scikit-learn's name
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
    ) -> float:
        """Score a fitted estimator.

        Parameters
        ----------
        estimator : object
            Fitted scikit-learn classifier, regressor or pipeline.
        X : array-like of shape (n_samples, n_features)
            Rows to score.
        y : array-like of shape (n_samples,)
            Classes of the rows, or amounts that are not negative.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weight of each row. By default every row weighs 1.

        Returns
        -------
        float
            The score; nan if all outcomes are equal.
        """
        check_row_order({"y": y, "X": X, "sample_weight": sample_weight})
        if self.pos_label is None and has_several_classes(estimator):
            if self.measure != "accuracy_ratio":
                raise_several_classes(TITLES[self.measure], list_classes(estimator))
            score, classes = ask_every_class(estimator, X, self.response_method)
            return accuracy_ratio_score(
                flatten_column(as_row_values(y, "y")),
                score,
                labels=classes,
                average=self.average,
                sample_weight=sample_weight,
            )
        response = ask_estimator(
            estimator, X, response_method=self.response_method, pos_label=self.pos_label
        )
        is_asked = response.pos_label is not None and self.pos_label is None
        if is_asked and self.measure in OF_TOP_ROWS:
            require_known_event(TITLES[self.measure], list_classes(estimator))
        columns = read_columns(
            mark_event(y, response.pos_label, estimator),
            response.y_score,
            sample_weight=sample_weight,
            target_type=response.target_type,
        )
        return compute_or_nan(self.compute, columns, TITLES[self.measure])

    def compute(self, columns: Columns) -> float:
        """Compute the measure of checked rows."""
        if self.fraction is None:
            return OF_ALL_ROWS[self.measure](columns)
        return OF_TOP_ROWS[self.measure](make_curve(columns), self.fraction)

    def set_score_request(self, *, sample_weight: bool | str | None) -> Scorer:
        """Return the same scorer that requests weights by scikit-learn's metadata routing.

        Parameters
        ----------
        sample_weight : bool, str or None
            True to receive ``sample_weight``, False to do without, a name to receive the
            metadata of that name, None to have scikit-learn raise if weights are passed.

        Returns
        -------
        Scorer
            A new one; this one is not changed.
        """
        return replace(self, weight_request=sample_weight)

    def get_metadata_routing(self) -> MetadataRequest:
        """Return which metadata this scorer requests, for scikit-learn."""
        from sklearn.utils.metadata_routing import MetadataRequest

        request = MetadataRequest(owner=repr(self))
        request.score.add_request(param="sample_weight", alias=self.weight_request)
        return request

    def __repr__(self) -> str:
        options = [
            f", {field.name}={getattr(self, field.name)!r}"
            for field in fields(self)[1:]
            if getattr(self, field.name) != field.default
        ]
        return f"Scorer({self.measure!r}{''.join(options)})"

    def _accept_sample_weight(self) -> bool:
        """Tell scikit-learn's searches to pass on the weights of ``fit``."""
        return True

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Pickle and copy the ready scorer by name, so that it stays itself."""
        if self is accuracy_ratio_scorer:
            return "accuracy_ratio_scorer"
        values = (self.measure, self.fraction, self.pos_label, self.response_method)
        return Scorer, (*values, self.average, self.weight_request)


accuracy_ratio_scorer: Scorer = Scorer("accuracy_ratio")


@public
def scorers(
    *,
    fractions: Sequence[float] = (0.1,),
    pos_label: Label | None = None,
    response_method: ResponseMethod = "auto",
    average: Average = "macro",
) -> dict[str, Scorer]:
    """Return scorers under their names, as ``scoring`` of scikit-learn takes several.

    Parameters
    ----------
    fractions : sequence of float, default=(0.1,)
        Shares of the population at which capture rate, lift and response rate are scored,
        above 0 and at most 1. The names give them in percent.
    pos_label, response_method, average
        Options of each `Scorer`.

    Returns
    -------
    dict of str to Scorer
        'accuracy_ratio' and 'ks', then 'capture_rate_at_10', 'lift_at_10' and
        'response_rate_at_10' for each fraction. Only the accuracy ratio averages several
        classes; the others require ``pos_label`` then.

    Raises
    ------
    CapcurveError
        If a fraction is outside of (0, 1], or an option is unknown.

    See Also
    --------
    Scorer : A single scorer.

    Examples
    --------
    >>> from capcurve import scorers
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_validate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> results = cross_validate(GaussianNB(), X, y, cv=3, scoring=scorers())
    >>> for name in scorers():
    ...     print(name, results[f"test_{name}"].round(3))
    accuracy_ratio [0.957 0.98  0.983]
    ks [0.891 0.907 0.918]
    capture_rate_at_10 [0.16  0.16  0.159]
    lift_at_10 [1.597 1.597 1.588]
    response_rate_at_10 [1. 1. 1.]
    """
    shares = read_fractions(fractions, "fractions", above_zero=True)
    if shares.ndim != 1:
        raise CapcurveError(
            f"`fractions` must be a sequence of fractions, got {show(fractions)}; pass a "
            "list, such as [0.05, 0.1]"
        )
    found: dict[str, Scorer] = {
        "accuracy_ratio": Scorer(
            "accuracy_ratio",
            pos_label=pos_label,
            response_method=response_method,
            average=average,
        ),
        "ks": Scorer("ks", pos_label=pos_label, response_method=response_method),
    }
    for fraction in shares.tolist():
        for measure in OF_TOP_ROWS:
            found[f"{measure}_at_{100 * fraction:g}"] = Scorer(
                measure,
                fraction=fraction,
                pos_label=pos_label,
                response_method=response_method,
            )
    return found


def raise_several_classes(title: str, classes: list[Label]) -> NoReturn:
    """Refuse several classes for a measure that does not average them."""
    raise CapcurveError(
        f"{title} is undefined for several classes, as it needs a single event, got "
        f"{len(classes)} ({format_labels(classes)}); pass one of them as `pos_label`, or "
        "score the accuracy ratio, which averages them"
    )


def require_known_event(title: str, classes: list[Label]) -> None:
    """Refuse labels that do not say which is the event."""
    if not any(set(classes) <= {other, 1} for other in (0, -1)):
        raise CapcurveError(
            f"{title} depends on which label is the event, got {format_labels(classes)} "
            "without `pos_label`; pass one of them as `pos_label`"
        )
