"""The door for data frames in memory: tidy verbs in every library."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pandas as pd

from capcurve import (
    CapCurve,
    DroppedRowsWarning,
    UndefinedMetricWarning,
    gain_capture,
    gain_capture_vec,
    gain_curve,
    gains_table,
)
from fuzz.arrays import check_bands
from fuzz.cases import Case, counted_rows, is_missing
from fuzz.checks import Answer, Checker
from fuzz.containers import FRAMES, columns_of
from fuzz.oracle import Rows, accuracy_ratio
from fuzz.tables import (
    Group,
    average_labels,
    draw_table,
    is_complete,
    read_group,
    split_groups,
)

POINTS = (
    "n",
    "n_events",
    "population_share",
    "capture_rate",
    "threshold",
    "accuracy_ratio",
)


def draw_frames(rng: random.Random, profile: str) -> Case:
    return draw_table(rng, profile, frames=True)


def check_frames(case: Case) -> Checker:
    checker = Checker(case)
    library = list(FRAMES)[case.choice % len(FRAMES)]
    data = FRAMES[library](case)
    groups = split_groups(case)
    check_capture(checker, f"{library} gain_capture", data, groups)
    check_curves(checker, f"{library} gain_curve", data, groups)
    check_tables(checker, f"{library} gains_table", data, groups)
    if not case.by and case.levels is None:
        check_single(checker, data, groups[0])
    return checker


def arguments(case: Case) -> dict[str, Any]:
    """List the arguments of the verbs; one model as its name, several as a list."""
    several = len(case.estimates) > 1 or case.choice % 7 == 0
    return {
        "truth": case.truth,
        "estimate": list(case.estimates) if several else case.estimates[0],
        **({"by": list(case.by) if case.choice % 2 else case.by} if case.by else {}),
        **case.weight_role,
        **case.options,
    }


def label_column(case: Case) -> str | None:
    """Name the column that tells models or levels apart."""
    if case.levels is not None and counted_rows(case):
        return "level"
    return "model" if isinstance(arguments(case)["estimate"], list) else None


def list_rankings(case: Case) -> list[tuple[str, str, Any]]:
    """List how each ranking is shown, its score column, and its label if it has one."""
    if case.levels is None:
        return [(name, name, None) for name in case.estimates]
    pairs = zip(case.levels, case.estimates, strict=True)
    return [(str(level), name, level) for level, name in pairs]


def check_dropped(checker: Checker, what: str, answer: Answer) -> None:
    """Rows with a missing value are announced, and no others."""
    case = checker.case
    lost = any(not is_complete(case, row) for row in range(case.n))
    checker.warns(what, answer, DroppedRowsWarning, due=lost)


def check_columns(
    checker: Checker, what: str, found: dict[str, list[Any]], names: list[str], n_rows: int
) -> bool:
    """Check names and length of a result."""
    checker.same(f"{what} columns", list(found), names)
    lengths = {len(column) for column in found.values()}
    if list(found) != names:
        return False
    checker.same(f"{what} rows", lengths, {n_rows})
    return lengths == {n_rows}


def check_keys(
    checker: Checker, what: str, found: dict[str, list[Any]], row: int, group: Group
) -> None:
    for name, key in zip(checker.case.by, group.keys, strict=True):
        got = found[name][row]
        checker.same(f"{what} {name}", None if is_missing(got) else got, key)


# -- Accuracy ratios -----------------------------------------------------------------------


def check_capture(checker: Checker, what: str, data: Any, groups: list[Group]) -> None:
    """Compare the table of accuracy ratios."""
    case = checker.case
    asked = arguments(case)
    kind = "binary" if case.levels is None else "macro"
    if case.levels is not None and case.choice % 2:
        kind = asked["estimator"] = "macro_weighted"
    answer = checker.ask(what, gain_capture, data, **asked)
    if answer is None:
        return
    if case.levels is not None and not counted_rows(case):
        return  # no label is seen, so that scores are those of models
    found = columns_of(answer.value)
    expected = list(list_ratios(case, groups, kind))
    label = None if case.levels is not None else label_column(case)
    names = [*case.by, *([label] if label else []), "metric", "estimator", "estimate"]
    if not check_columns(checker, what, found, names, len(expected)):
        return
    for row, (group, model, ratio) in enumerate(expected):
        at = f"{what} {group.keys} {model}"
        check_keys(checker, at, found, row, group)
        checker.near(at, found["estimate"][row], ratio)
        checker.same(at, found["estimator"][row], kind)
        if label:
            checker.same(f"{at} model", found[label][row], model)
    check_dropped(checker, what, answer)
    if case.levels is None:
        undefined = any(ratio is None for _, _, ratio in expected)
        checker.warns(what, answer, UndefinedMetricWarning, due=undefined)


def list_ratios(
    case: Case, groups: list[Group], kind: str
) -> Iterator[tuple[Group, str, Fraction | None]]:
    """List the exact accuracy ratios in the order of the rows of the result."""
    for group in groups:
        if case.levels is not None:
            weighted = kind == "macro_weighted"
            yield group, kind, average_labels(case, group, weighted=weighted)
            continue
        for name in case.estimates:
            yield group, name, accuracy_ratio(read_group(case, group, name))


# -- Curves and tables ---------------------------------------------------------------------


def is_undefined_as_a_whole(case: Case, groups: list[Group]) -> bool:
    """Whether there is one group only, without rows or with equal outcomes."""
    if case.by:
        return False
    if not groups[0].rows:
        return True
    return (
        case.levels is None and read_group(case, groups[0], case.estimates[0]).is_constant
    )


def list_shown(case: Case, groups: list[Group]) -> list[tuple[Group, str, Rows]]:
    """List the rankings of groups that have complete rows, in the order of the result."""
    return [
        (group, shown, read_group(case, group, name, label))
        for group in groups
        if group.rows
        for shown, name, label in list_rankings(case)
    ]


def check_curves(checker: Checker, what: str, data: Any, groups: list[Group]) -> None:
    """Compare the points of all curves."""
    case = checker.case
    if case.refusal is None and is_undefined_as_a_whole(case, groups):
        checker.expect_refusal(what, gain_curve, data, **arguments(case))
        return
    answer = checker.ask(what, gain_curve, data, **arguments(case))
    if answer is None:
        return
    found, expected = columns_of(answer.value), list_shown(case, groups)
    label = label_column(case)
    names = [*case.by, *([label] if label else []), *POINTS]
    n_rows = sum(len(rows.curve.shares) for _, _, rows in expected)
    if not check_columns(checker, what, found, names, n_rows):
        return
    start = 0
    for group, shown, rows in expected:
        stop = start + len(rows.curve.shares)
        at = f"{what} {group.keys} {shown}"
        check_keys(checker, at, found, start, group)
        if label:
            checker.same(f"{at} {label}", set(found[label][start:stop]), {shown})
        part = {name: found[name][start:stop] for name in POINTS}
        check_curve(checker, at, rows, part)
        start = stop
    check_dropped(checker, what, answer)
    empty = any(not rows.curve.masses[-1] for _, _, rows in expected)
    checker.warns(what, answer, UndefinedMetricWarning, due=empty)


def check_curve(
    checker: Checker, what: str, rows: Rows, part: dict[str, list[Any]]
) -> None:
    """Compare the points of one curve, shares and totals."""
    curve = rows.curve
    checker.all_near(f"{what} share", part["population_share"], curve.shares)
    rates = curve.rates if curve.masses[-1] else [None] * len(curve.shares)
    checker.all_near(f"{what} rate", part["capture_rate"], rates)
    origin = math.inf if checker.case.descending else -math.inf
    expected = [origin, *(float(score) for score in curve.scores)]
    checker.same(f"{what} thresholds", part["threshold"], expected)
    ratio = accuracy_ratio(rows)
    may_be_hidden = any("extreme range" in reason for reason in checker.case.may)
    for value in part["accuracy_ratio"]:
        if not (may_be_hidden and math.isnan(value)):  # by the rounding of sums
            checker.near(f"{what} AR", value, ratio)
    weight, outcome = rows.total_weight, rows.total_outcome
    for place, share in enumerate(curve.shares):
        checker.near(f"{what} n", part["n"][place], share * weight, unit=weight)
        reached = curve.masses[place] * rows.weight_unit * rows.outcome_unit
        checker.near(
            f"{what} events", part["n_events"][place], reached, unit=outcome or None
        )


def choose_bands(case: Case, rows: Rows) -> tuple[Any, list[Fraction]]:
    """Choose how to cut, and where that cuts a curve."""
    count = 1 + case.choice % 7
    ways: tuple[tuple[Any, list[Fraction]], ...] = (
        (count, [Fraction(band / count) for band in range(1, count + 1)]),
        (list(case.shares), [*map(Fraction, case.shares), Fraction(1)]),
        ("scores", rows.curve.shares[1:]),
    )
    return ways[case.choice % 3]


def check_tables(checker: Checker, what: str, data: Any, groups: list[Group]) -> None:
    """Compare gains tables."""
    case = checker.case
    bands = 10
    expected = list_shown(case, groups) if case.refusal is None else []
    if expected:
        bands = choose_bands(case, expected[0][2])[0]
    asked = {**arguments(case), "bands": bands}
    if case.refusal is None and is_undefined_as_a_whole(case, groups):
        checker.expect_refusal(what, gains_table, data, **asked)
        return
    answer = checker.ask(what, gains_table, data, **asked)
    if answer is None:
        return
    found, start, label = columns_of(answer.value), 0, label_column(case)
    for group, shown, rows in expected:
        edges = choose_bands(case, rows)[1]
        stop = start + len(edges)
        at = f"{what} {group.keys} {shown} {bands}"
        part = {name: column[start:stop] for name, column in found.items()}
        if len(part["band"]) == len(edges):
            check_keys(checker, at, part, 0, group)
            if label:
                checker.same(f"{at} {label}", set(part[label]), {shown})
        check_bands(checker, at, rows, part, edges)
        start = stop
    checker.same(f"{what} rows", len(found["band"]), start)
    check_dropped(checker, what, answer)
    constant = any(rows.is_constant for _, _, rows in expected)
    checker.warns(what, answer, UndefinedMetricWarning, due=constant)


# -- One model, no groups ------------------------------------------------------------------


def check_single(checker: Checker, data: Any, group: Group) -> None:
    """Compare the curve and the number of one score without groups."""
    case, name = checker.case, checker.case.estimates[0]
    if len(case.estimates) > 1:
        return
    rows = None if case.refusal is not None else read_group(case, group, name)
    if "event_level" not in case.options:  # which `from_frame` does not take
        check_from_frame(checker, data, rows)
    if rows is not None and isinstance(data, pd.DataFrame) and case.choice % 5 == 0:
        answer = checker.ask(
            "gain_capture_vec",
            gain_capture_vec,
            data[case.truth],
            data[name],
            case_weights=data[case.weight] if case.weight else None,
            **case.options,
        )
        if answer is not None:
            checker.near("gain_capture_vec", answer.value, accuracy_ratio(rows))


def check_from_frame(checker: Checker, data: Any, rows: Rows | None) -> None:
    """Compare the curve of a column; without rows it must be refused."""
    case = checker.case
    columns = (data, case.truth, case.estimates[0])
    options = {**case.options, **case.weight_role}
    if rows is not None and rows.is_constant:
        checker.expect_refusal("from_frame", CapCurve.from_frame, *columns, **options)
        return
    curve = checker.ask("from_frame", CapCurve.from_frame, *columns, **options)
    if curve is not None and rows is not None:
        ratio = checker.ask("from_frame AR", getattr, curve.value, "accuracy_ratio")
        if ratio is not None:
            checker.near("from_frame AR", ratio.value, accuracy_ratio(rows))
