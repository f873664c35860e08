"""Rows of tests: of pairs of scores, and against the AUC at initial validation."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, groupby
from math import isnan
from typing import Any

from capcurve._arrays.sample_comparisons import accuracy_ratio_test_initial
from capcurve._cli.rows import Row, name_first
from capcurve._inference.capture_difference import compare_scores
from capcurve._inference.capture_rate import is_any_few, warn_few_selected
from capcurve._inference.comparison import Hypothesis, compare_jointly
from capcurve._inference.contrasts import adjust_holm
from capcurve._inference.estimate import Comparison
from capcurve._inference.few_events import warn_no_variance
from capcurve._inference.open_limit import hide_open_limit
from capcurve._inference.options import IntervalOptions, TestMethod
from capcurve._inference.reliability import list_shortages, warn_few_in_pairs
from capcurve._input.columns import Columns
from capcurve._report.options import InitialValues
from capcurve._report.scored import Group, ScoredRows, name_group
from capcurve.exceptions import CapcurveError

TEST_COLUMNS = (
    *("estimate_a", "estimate_b", "estimate", "level", "test"),
    *("ar_a", "ar_b", "capture_a", "capture_b", "auc_initial", "auc_current"),
    *("difference", "std_error", "low", "high"),
    *("statistic", "p_value", "p_holm", "p_all_equal", "alternative", "margin"),
    *("n_events", "n"),
)
RARE_TEST_COLUMNS = ("std_error", "statistic", "alternative", "margin")
NUMBERS = (
    *("difference", "std_error", "low", "high", "statistic", "p_value", "p_holm"),
    *("alternative", "margin"),
)
INITIAL_TESTS = ("ECB", "two samples")


def make_pair_rows(
    scored_groups: Sequence[ScoredRows],
    share: float | None,
    hypothesis: Hypothesis,
    method: TestMethod = "score",
) -> list[Row]:
    """List the tests of each pair of scores in each group.

    Their accuracy ratios are compared or, at a population share, their capture rates. The
    p-values are adjusted for the number of tests that are listed.
    """
    rows: list[Row] = []
    tests: dict[str, Comparison] = {}
    few_selected: list[str] = []
    for group, members in groupby(scored_groups, key=lambda scored: scored.group):
        same_group = list(members)
        refuse_labels(same_group)
        if same_group[0].curve is None:
            unit = "ar" if share is None else "capture"
            rows += list_undefined_pairs(group, same_group, unit)
            continue
        names = [scored.estimate for scored in same_group]
        columns = [scored.columns for scored in same_group]
        if share is None:
            joint = compare_jointly(names, columns, None, method, hypothesis)
        else:
            joint = compare_scores(names, columns, share, hypothesis)
            if is_any_few(columns, share):
                few_selected.append(", ".join([*name_group(group), *names]))
        of_all = {}
        if share is None and len(joint.pairs) > 1:
            of_all["p_all_equal"] = joint.p_value
        for (first, second), comparison in joint.pairs.items():
            pair = {"estimate_a": first, "estimate_b": second}
            numbers = list_test_numbers(comparison, "ar" if share is None else "capture")
            rows.append(Row(group, pair | numbers | list_counts(comparison) | of_all))
            tests[", ".join([*name_group(group), first, second])] = comparison
    rows_of_all = (scored.columns for scored in scored_groups)
    warn_about_pairs(tests, rows_of_all, share)
    warn_few_selected(name_first(few_selected))
    return add_holm(rows)


def warn_about_pairs(
    tests: Mapping[str, Comparison], rows: Iterable[Columns], share: float | None
) -> None:
    """Warn once of the tests that may not keep their level, and of those not made."""
    untested = [name for name, test in tests.items() if isnan(test.p_value)]
    few = {
        name: shortages
        for name, test in tests.items()
        if name not in untested and (shortages := list_shortages(test))
    }
    warn_few_in_pairs(name_first(list(few)), rows, share, few.values())
    if untested:
        warn_no_variance("the test", name_first(untested))


def refuse_labels(same_group: Sequence[ScoredRows]) -> None:
    """Raise if each class label has a score of its own."""
    if any(scored.level is not None for scored in same_group):
        raise CapcurveError(
            "compare requires an outcome with two class labels, got a score for each "
            "of several; pass one label as --pos-label"
        )


def list_undefined_pairs(
    group: Group, same_group: Sequence[ScoredRows], unit: str
) -> list[Row]:
    """List the pairs of a group whose outcomes are all equal, with its counts only."""
    cells = list_undefined(unit) | list_own_counts(same_group[0])
    return [
        Row(group, {"estimate_a": first.estimate, "estimate_b": second.estimate} | cells)
        for first, second in combinations(same_group, 2)
    ]


def add_holm(rows: Sequence[Row]) -> list[Row]:
    """Adjust the p-values of all rows by Holm's method; undefined ones are no tests."""
    tested = [place for place, row in enumerate(rows) if "p_holm" not in row.cells]
    adjusted = adjust_holm([rows[place].cells["p_value"] for place in tested])
    found = dict(zip(tested, adjusted, strict=True))
    return [
        Row(group, {**cells, "p_holm": found[place]} if place in found else cells)
        for place, (group, cells) in enumerate(rows)
    ]


def make_initial_rows(
    scored_groups: Sequence[ScoredRows],
    initial: Mapping[str, InitialValues],
    confidence: float,
) -> list[Row]:
    """List the tests of each current AUC against the AUC at initial validation.

    The p-values are adjusted for the groups. Each score is tested on its own, so that its
    verdict does not depend on the others.
    """
    alike: dict[tuple[str, str], list[Row]] = defaultdict(list)
    listed = []
    for scored in scored_groups:
        if scored.estimate not in initial:
            continue
        auc, variance = initial[scored.estimate]
        found: dict[str, Any] = {}
        if scored.curve is not None:
            comparisons = accuracy_ratio_test_initial(
                scored.estimate_concordance(IntervalOptions(confidence)),
                initial_auc=auc,
                initial_variance=variance,
                confidence_level=confidence,
            )
            tests = (comparisons.ecb, comparisons.two_sample)
            found = dict(zip(INITIAL_TESTS, tests, strict=True))
        for test in INITIAL_TESTS[: 1 if variance is None else 2]:
            names = scored.names | {"test": test}
            row = Row(scored.group, names | list_initial(scored, found.get(test)))
            listed.append((scored.estimate, test))
            alike[listed[-1]].append(row)
    adjusted = {key: iter(add_holm(rows)) for key, rows in alike.items()}
    return [next(adjusted[key]) for key in listed]


def list_initial(scored: ScoredRows, test: Comparison | None) -> dict[str, Any]:
    """List the numbers of a test, or the counts alone if it is undefined."""
    if test is None:
        return list_undefined("auc") | list_own_counts(scored)
    return list_test_numbers(test, "auc") | list_counts(test)


def list_test_numbers(comparison: Comparison, unit: str) -> dict[str, Any]:
    """List the numbers of a test of AR, AUC or capture rates, the unit."""
    first, second = name_compared(unit)
    numbers = {
        first: comparison.first,
        second: comparison.second,
        "difference": comparison.value,
        "std_error": comparison.standard_error,
        "low": comparison.low,
        "high": comparison.high,
        "statistic": comparison.statistic,
        "p_value": comparison.p_value,
        "alternative": comparison.alternative,
        "margin": comparison.margin,
    }
    return hide_open_limit(numbers, comparison.alternative)


def name_compared(unit: str) -> tuple[str, str]:
    """Name the two numbers that a test compares."""
    first, second = ("initial", "current") if unit == "auc" else ("a", "b")
    return f"{unit}_{first}", f"{unit}_{second}"


def list_undefined(unit: str) -> dict[str, None]:
    """List the numbers of a test that is undefined, its adjusted p-value included."""
    return dict.fromkeys((*name_compared(unit), *NUMBERS))


def list_counts(comparison: Comparison) -> dict[str, int]:
    """List the numbers of events and of rows that a test is based on."""
    n_rows = comparison.n_events + comparison.n_nonevents
    return {"n_events": comparison.n_events, "n": n_rows}


def list_own_counts(scored: ScoredRows) -> dict[str, int]:
    """List the numbers of events and of rows of a group."""
    return {"n_events": scored.columns.class_counts[0], "n": scored.n_rows}
