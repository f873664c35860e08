"""Verdicts of the command ``compare``: on pairs, on decreases of AUC, and on samples."""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from capcurve._cli.request import Reading
from capcurve._cli.rows import Row
from capcurve._cli.undefined import explain_no_curve
from capcurve._inference.options import IntervalOptions
from capcurve._report.gate_limits import GateLimits
from capcurve._report.gates import (
    EVENT,
    NO_VARIANCE,
    ROW,
    ROW_ABOVE_0,
    Challenge,
    Gate,
    Judged,
    judge_changes,
    judge_initial,
)
from capcurve._report.phrases import explain_no_variance
from capcurve._report.scored import ScoredRows, show_key


def judge_against(rows: Sequence[Row], limits: GateLimits) -> list[Gate]:
    """Judge each sample against the reference, which is the initial one."""
    found = []
    for group, cells in rows:
        subject = name_subject(group, cells["estimate"])
        samples = f"{cells['sample_a']} against {cells['sample_b']}"
        n_events = min(cells["n_events_a"], cells["n_events_b"])
        reason = explain_no_difference(cells)
        judged = Judged(f"{subject}, {samples}", cells["p_holm"], n_events, reason)
        found.append(Challenge(judged, cells["difference"], is_one_sided(cells)))
    return judge_changes(found, limits, "worse")


def explain_no_difference(cells: Mapping[str, Any]) -> str:
    """Say why a difference between samples would have no test, and which is undefined."""
    unit = "ar" if "ar_a" in cells else "capture"
    names = [cells[f"sample_{end}"] for end in "ab" if not is_known(cells[f"{unit}_{end}"])]
    if not names:
        return NO_VARIANCE
    has, its = ("has", "its") if len(names) == 1 else ("have", "their")
    return f"{' and '.join(names)} {has} no complete row, or all {its} outcomes are equal"


def is_one_sided(cells: Mapping[str, Any]) -> bool:
    """Whether a test looks for a difference in one direction."""
    return str(cells["alternative"]) != "two-sided"


def is_known(value: float | None) -> bool:
    """Whether a number is neither None nor nan."""
    return value is not None and not isnan(value)


def judge_pairs(rows: Sequence[Row], reading: Reading, limits: GateLimits) -> list[Gate]:
    """Judge each later score against the first one, which is the champion."""
    known = index_groups(reading.groups)
    champion = rows[0].cells["estimate_a"]
    found = []
    for group, cells in rows:
        if cells["estimate_a"] == champion:
            subject = f"{name_subject(group, cells['estimate_b'])} against {champion}"
            scored = known[name_subject(group, cells["estimate_b"])]
            reason = explain_no_curve(scored, reading.no_rows) or NO_VARIANCE
            unit = EVENT if scored.has_events else ROW_ABOVE_0
            n_events = cells["n_events"]
            judged = Judged(subject, cells["p_holm"], n_events, reason, unit=unit)
            gain = -(cells["difference"] or 0.0)
            found.append(Challenge(judged, gain, is_one_sided(cells)))
    return judge_changes(found, limits, "better")


def judge_decreases(
    rows: Sequence[Row], reading: Reading, limits: GateLimits
) -> list[Gate]:
    """Judge the test that allows for the variance of the initial AUC, or the ECB's."""
    known, found, is_adjusted = index_groups(reading.groups), {}, False
    for group, cells in rows:  # the deciding test of a score is the last one
        subject = name_subject(group, cells["estimate"])
        p_value, n_events = cells["p_holm"], cells["n_events"]
        reason = explain_untested(known[subject], reading.no_rows)
        is_adjusted |= is_known(p_value) and p_value != cells["p_value"]
        unit = EVENT if known[subject].has_events else ROW  # of amounts, all are compared
        judged = Judged(subject, p_value, n_events, reason, cells["test"], unit=unit)
        found[subject] = judged
    return judge_initial(found.values(), limits, is_adjusted=is_adjusted)


def index_groups(scored_groups: Sequence[ScoredRows]) -> dict[str, ScoredRows]:
    """Return the groups by the names that gates give them."""
    return {name_subject(each.group, each.estimate): each for each in scored_groups}


def explain_untested(scored: ScoredRows, no_rows: str) -> str:
    """Say why a score would have no test against its initial AUC."""
    if scored.curve is None:
        return explain_no_curve(scored, no_rows)
    model = {"is_constant": scored.is_constant}
    ratio = scored.estimate_concordance(IntervalOptions()).value
    return explain_no_variance(model, ratio)


def name_subject(group: Mapping[str, Any], estimate: str) -> str:
    """Name a group of rows and the score that a gate judges there."""
    return ", ".join((*map(show_key, group.values()), estimate))
