"""Ranked rows -> rows of named numbers, as the command line prints them."""

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from capcurve._contrasts import Question, check_question
from capcurve._precision import FEW_EVENTS, Options
from capcurve._ratio_estimates import average_estimate
from capcurve._request import Ranked, RankedRows
from capcurve._results import PLACES_NAMED
from capcurve.comparisons import accuracy_ratio_test_initial, joint_comparison
from capcurve.curve import CapCurve
from capcurve.estimates import Comparison, Estimate
from capcurve.exceptions import CapcurveError
from capcurve.table import Bands


def score_rows(ranked: Sequence[Ranked], confidence: float) -> list[dict[str, Any]]:
    """List the numbers of each curve, and of levels their averages."""
    options = Options(confidence)
    rows = []
    for group, curves in groupby(ranked, key=lambda one: one.group):
        own = list(curves)
        for one in own:
            estimate = None if one.curve is None else one.ratio(options)
            rows.append({**one.keys, **limits(estimate), **numbers(one)})
        if own[0].level is not None:
            rankings = [
                (str(one.level), one.columns)
                for one in own
                if one.curve and isinstance(one, RankedRows)
            ]
            for name in ("macro", "macro_weighted"):
                keys = {**group, "estimate": "", "level": name}
                weighted = name == "macro_weighted"
                average = None
                if rankings:
                    average = average_estimate(rankings, options, weighted=weighted)
                nothing = dict.fromkeys(numbers(own[0]))
                rows.append({**keys, **limits(average), **nothing})
    return rows


class Limit(NamedTuple):
    """The least that a column of the scores should be."""

    least: float
    column: str


def judged(
    rows: Sequence[dict[str, Any]], limit: Limit
) -> tuple[list[dict[str, Any]], list[str]]:
    """Say of each row whether it passes, and name those that do not."""
    failed, marked = [], []
    for row in rows:
        value = row[limit.column]
        passed = value is not None and value >= limit.least
        marked.append({**row, "passed": "yes" if passed else "no"})
        if not passed:
            name = ", ".join(str(each) for each in row.values() if isinstance(each, str))
            shown = "undefined" if value is None else f"{value:.4f}"
            failed.append(
                f"{limit.column.replace('_', ' ')} of {name} is {shown}, below "
                f"{limit.least:g}"
            )
    return marked, failed


def limits(estimate: Estimate | None) -> dict[str, Any]:
    """List AR and its limits; of none, nothing but their names."""
    if estimate is None:
        return dict.fromkeys(("accuracy_ratio", "low", "high"))
    return {
        "accuracy_ratio": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
    }


def pair_rows(ranked: Sequence[RankedRows], confidence: float) -> list[dict[str, Any]]:
    """List the pairs of estimates of each group."""
    rows = []
    question = Question(confidence_level=confidence)
    check_question(question)
    for group, curves in groupby(ranked, key=lambda one: one.group):
        own = [one for one in curves if one.curve is not None]
        if any(one.level is not None for one in own):
            raise CapcurveError(
                "compare takes estimates of one event; pass it as --pos-label"
            )
        if own:
            names, rivals = [one.estimate for one in own], [one.columns for one in own]
            joint = joint_comparison(names, rivals, None, "auto", question)
            for (first, second), found in joint.pairs.items():
                pair = {**group, "estimate_a": first, "estimate_b": second}
                holm = {"p_holm": joint.p_holm[first, second]}
                rows.append({**pair, **test_numbers(found, "ar"), **holm, **counts(found)})
    return rows


def initial_rows(
    ranked: Sequence[Ranked],
    initial_auc: float,
    initial_variance: float | None,
    confidence: float,
) -> list[dict[str, Any]]:
    """List the tests of each estimate against the AUC at initial validation."""
    rows = []
    for one in ranked:
        if one.curve is not None:
            found = accuracy_ratio_test_initial(
                one.ratio(Options(confidence)),
                initial_auc=initial_auc,
                initial_variance=initial_variance,
                confidence_level=confidence,
            )
            for test in (found.ecb, found.two_sample):
                if test is not None:
                    keys = {**one.keys, "test": test.method}
                    rows.append({**keys, **test_numbers(test, "auc"), **counts(test)})
    return rows


def test_numbers(found: Comparison, unit: str) -> dict[str, Any]:
    """List the numbers of a test."""
    first, second = ("initial", "current") if unit == "auc" else ("a", "b")
    return {
        f"{unit}_{first}": found.first,
        f"{unit}_{second}": found.second,
        "difference": found.value,
        "std_error": found.standard_error,
        "low": found.low,
        "high": found.high,
        "statistic": found.statistic,
        "p_value": found.p_value,
    }


def counts(found: Comparison) -> dict[str, int]:
    """List what a test rests on."""
    return {"n_events": found.n_events, "n": found.n_events + found.n_nonevents}


def numbers(one: Ranked) -> dict[str, Any]:
    """List the numbers of one curve; of none, nothing but their names."""
    counts: dict[str, Callable[[CapCurve], float]] = {
        "n": lambda curve: whole(curve.total_weight),
        "n_events": lambda curve: whole(curve.total_target),
        "response_rate": lambda curve: curve.response_rate,
    }
    curve = one.curve
    return one.measures() | {
        name: None if curve is None else count(curve) for name, count in counts.items()
    }


def gains_rows(ranked: Sequence[Ranked], bands: Bands) -> list[dict[str, Any]]:
    """List the bands of each curve that is defined."""
    rows = []
    for one in ranked:
        if one.curve is not None:
            columns = one.table(bands)
            cells = zip(*(column.tolist() for column in columns.values()), strict=True)
            for named in (dict(zip(columns, row, strict=True)) for row in cells):
                counts = {name: whole(named[name]) for name in ("n", "n_events")}
                rows.append({**one.keys, **named, **counts})
    return rows


def whole(count: float) -> float:
    """Write a count without a fraction as an integer."""
    return int(count) if count.is_integer() else count


def names_of_few(ranked: Sequence[Ranked]) -> list[str]:
    """Name the estimates whose interval rests on few events."""
    names = [
        ", ".join(one.keys.values())
        for one in ranked
        if one.curve is not None and one.rarest < FEW_EVENTS
    ]
    more = len(names) - PLACES_NAMED
    return names if more <= 0 else [*names[:PLACES_NAMED], f"{more} more"]
