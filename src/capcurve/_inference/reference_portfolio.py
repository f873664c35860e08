"""Accuracy ratio of a sample if its grades had the shares of a reference portfolio."""

from collections.abc import Mapping
from math import copysign, inf, nan, sqrt
from typing import Any

import numpy as np

from capcurve._inference.accuracy_ratio import compute_ratio_covariance
from capcurve._inference.estimate import Estimate, make_estimate
from capcurve._inference.grades import Grades, make_grades
from capcurve._inference.limits import (
    NEGLIGIBLE_ERROR,
    Limits,
    clip,
    logit_limits,
    nan_limits,
    t_quantile,
    two_sided_p_value,
)
from capcurve._inference.mixture import find_variance, make_portfolios, mix
from capcurve._inference.options import IntervalOptions
from capcurve._inference.reliability import has_few_events
from capcurve._inference.share_influence import count_smaller_class
from capcurve._inference.wording import AR_OF_AMOUNTS
from capcurve._input.column import as_array, as_row_values, flatten_column, format_labels
from capcurve._input.columns import Columns
from capcurve._input.options import is_real, show
from capcurve._input.score import name_grades, read_score
from capcurve._input.weights import check_shapes, read_weight
from capcurve._tally.dtypes import Array, FloatArray
from capcurve.exceptions import CapcurveError

AR_AT_REFERENCE = "AR at reference"


def estimate_at_reference(
    columns: Columns, grades: Grades, share: FloatArray, confidence_level: float
) -> tuple[Estimate, bool]:
    """Estimate AR at known shares of the grades, and whether its events are too few."""
    options = IntervalOptions(confidence_level, "logit-t")
    name = AR_AT_REFERENCE if columns.has_events else AR_OF_AMOUNTS
    value, error, df, limits = nan, nan, inf, nan_limits()
    if not columns.is_constant:
        portfolios = make_portfolios(
            columns, np.zeros(len(columns.target), np.int64), grades
        )
        found = mix(portfolios, share, np.zeros(len(share), np.int64))
        variance, df = find_variance(portfolios, found, portfolios.unseen_events)
        value, error = found.ratio, sqrt(variance)
        if 1 - abs(value) < NEGLIGIBLE_ERROR:  # a perfect ranking, rounded by the weights
            value = copysign(1, value)
        if error > NEGLIGIBLE_ERROR:
            limits = find_limits(value, error, confidence_level, df)
    estimate = make_estimate(
        columns.class_counts,
        options,
        limits,
        value=value,
        standard_error=error,
        name=name,
        degrees_of_freedom=df,
        n_effective=count_effective(columns),
    )
    return estimate, has_few_events(columns, value, estimate.n_effective)


def count_effective(columns: Columns) -> float:
    """Count the effective rows of the smaller class; of amounts, the effective pairs."""
    if columns.has_events or columns.is_constant:
        return count_smaller_class(columns)
    return compute_ratio_covariance(columns)[1].effective_size


def find_limits(value: float, error: float, level: float, df: float) -> Limits:
    """Compute limits on the logit scale, or from the end of the scale inwards."""
    if abs(value) < 1:
        return logit_limits(value, error, level, df)
    reach = t_quantile((1 + level) / 2, df) * error
    low, high = (clip(value + side * reach, -1, 1) for side in (-1, 1))
    return Limits(low, high, two_sided_p_value(value / error, df))


def grade_like_reference(
    columns: Columns,
    reference: Any,
    reference_weight: Any = None,
    bands: int | None = None,
    names: tuple[str, ...] | None = None,
) -> tuple[Grades, FloatArray]:
    """Grade rows, and return the share of each grade in the reference portfolio.

    ``reference`` maps grades to shares, or lists the scores of the reference portfolio;
    ``names`` are those of the scores 0, 1, ..., where the score is an ordered grade.
    """
    mass = columns.mass / columns.mass.sum()
    if isinstance(reference, Mapping):
        if bands is not None or reference_weight is not None:
            given = "bands" if reference_weight is None else "reference_weight"
            raise CapcurveError(
                f"`{given}` requires `reference` to hold the scores of a portfolio, got "
                "shares of grades; pass the scores, or leave it out"
            )
        grades = make_grades(columns, mass, None)
        return grades, look_up_shares(grades, reference, names)
    score, weight = read_reference(reference, reference_weight)
    both = Columns(np.zeros(len(mass) + len(score)), np.append(columns.score, score))
    grades = make_grades(both, np.append(mass, weight / weight.sum()), bands)
    of_rows, of_reference = np.split(grades.number, [len(mass)])
    share = np.bincount(of_reference, weight, minlength=grades.size) / weight.sum()
    has_rows = np.bincount(of_rows, minlength=grades.size) > 0
    lacking = (share > 0) & ~has_rows
    if lacking.any():
        refuse_unknown_rates(name_grades(grades.lowest[lacking], names).tolist())
    return grades._replace(number=of_rows), share


def read_reference(reference: Any, reference_weight: Any) -> tuple[Array, FloatArray]:
    """Check the scores of a reference portfolio and their weights, without those of 0."""
    arrays = {"reference": flatten_column(as_row_values(reference, "reference"))}
    if reference_weight is not None:
        weight = as_array(reference_weight, "reference_weight")
        arrays["reference_weight"] = flatten_column(weight)
    check_shapes(arrays, None)
    score = arrays["reference"]
    if reference_weight is None:
        return read_score(score, "reference"), np.ones(len(score))
    weight = read_weight(arrays["reference_weight"], "reference_weight")
    if not weight.any():
        raise CapcurveError(
            "`reference_weight` must hold at least one positive weight, got only zeros; "
            "pass the weights of the rows of the reference portfolio"
        )
    return read_score(score[weight > 0], "reference"), weight[weight > 0]


def look_up_shares(
    grades: Grades, reference: Mapping[Any, Any], names: tuple[str, ...] | None
) -> FloatArray:
    """Return the share of each grade of the sample in a mapping, which names all."""
    for grade, share in reference.items():
        if not is_real(share) or not 0 <= share < inf:
            raise CapcurveError(
                "the shares of `reference` must be numbers that are not negative, got "
                f"{show(share)} for {show(grade)}; pass the number or share of its rows"
            )
    found = name_grades(grades.lowest, names).tolist()
    if missing := [grade for grade in found if grade not in reference]:
        unknown = [grade for grade in reference if grade not in found]
        but = f" and names {format_labels(unknown)}" if unknown else ""
        raise CapcurveError(
            "`reference` must name each grade of the sample, but it lacks "
            f"{format_labels(missing)}{but}; correct the names, or give a share of 0"
        )
    rest = [grade for grade, share in reference.items() if share and grade not in found]
    if rest:
        refuse_unknown_rates(rest)
    share = np.array([reference[grade] for grade in found], dtype=np.float64)
    if not share.any():
        raise CapcurveError(
            "the shares of `reference` must not all be 0, got "
            f"{len(reference)} of 0; pass the number or share of rows of each grade"
        )
    share /= share.max()  # first, so that the sum is finite
    return np.asarray(share / share.sum())


def refuse_unknown_rates(grades: list[Any]) -> None:
    """Raise for grades of the reference without rows in the sample."""
    raise CapcurveError(
        "the sample must have rows of each grade of `reference`, as its outcomes are "
        f"unknown otherwise, got none of {format_labels(grades)}; merge grades, or leave "
        "them out of the reference"
    )
