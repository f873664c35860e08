"""Describe the rows that were read, used and left out, and what leaving out changes."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from capcurve._engines.row_rankings import keep_rows, rank_rows
from capcurve._inference.limits import import_scipy
from capcurve._inference.options import IntervalOptions
from capcurve._input.dtypes import Frame
from capcurve._input.meaning import Meaning, Roles
from capcurve._input.missing import find_missing_rows
from capcurve._input.source import take_column
from capcurve._report.labels import list_other_labels
from capcurve._report.options import Facts
from capcurve._report.outcomes import Outcomes, read_numbers, read_outcomes
from capcurve._report.report_input import Split
from capcurve._report.scored import ScoredRows, score_rankings
from capcurve._tally.dtypes import Array, FloatArray

REASONS = {
    "truth": "missing outcome",
    "weights": "missing weight",
    "counts": "missing count",
    "events": "missing number of events",
    "clusters": "missing cluster",
}

NO_WEIGHT = REASONS["weights"]
ZERO = "weight of 0"


class Cause(NamedTuple):
    """Why rows are left out, the column at fault, and where they are."""

    reason: str
    column: str
    rows: Array


class Lines(NamedTuple):
    """What each line of the data stands for.

    Attributes
    ----------
    rows : ndarray of float64
        Number of rows; 1 where it is missing.
    mass : ndarray of float64
        Weight; nan where it is missing.
    outcome : ndarray of float64
        Outcome times weight; nan where either is missing.
    has_outcome : ndarray of bool
        Whether the outcome is known; of counted rows, with their count.
    is_weighted : bool
        Whether the mass is a sampling weight, without which a row does not count.
    odd : sequence of dict
        Odd outcomes, which rows that are left out hold alone.
    """

    rows: FloatArray
    mass: FloatArray
    outcome: FloatArray
    has_outcome: Array
    is_weighted: bool
    odd: Sequence[Facts] = ()

    @property
    def is_known(self) -> Array:
        """Whether the outcome is known, and the weight known and above 0."""
        return self.has_outcome & (self.mass > 0) if self.is_weighted else self.has_outcome


def describe_rows(
    frame: Frame,
    roles: Roles,
    meaning: Meaning,
    whole: Sequence[ScoredRows],
    splits: Sequence[Split],
) -> Facts:
    """Describe the rows of a data frame that were used, and those that were not."""
    causes = list_causes(frame, roles)
    left_out: Array = np.logical_or.reduce([cause.rows for cause in causes])
    lines = measure_lines(frame, roles, meaning, whole[0], known=not left_out.any())
    n_read, n_left_out = round(lines.rows.sum()), round(lines.rows[left_out].sum())
    return {
        "read": n_read,
        "used": n_read - n_left_out,
        "left_out": n_left_out,
        "missing": {
            cause.column: int(cause.rows.sum())
            for cause in causes
            if cause.reason != ZERO and cause.rows.any()
        },
        "missing_words": [],
        "other_labels": list_other_labels(frame, roles, meaning, ~left_out, lines.rows),
        "reasons": [
            {
                "reason": cause.reason,
                "column": cause.column,
                "model": cause.column if cause.column in roles.estimates else None,
                **describe_part(lines, cause.rows),
            }
            for cause in causes
            if cause.rows.any()
        ],
        "left_out_total": {
            **describe_part(lines, left_out),
            "p_value": compare_with_used(lines, left_out, whole[0])
            if are_independent(frame, roles)
            else None,
        },
        "used_response_rate": find_rate(whole[0]),
        "odd_outcomes": list(lines.odd),
        "by": [describe_split(lines, left_out, split) for split in splits],
        "own_rows": list_own_rows(frame, roles, meaning, causes, whole),
    }


def list_causes(frame: Frame, roles: Roles) -> list[Cause]:
    """List why rows may be left out: a weight of 0, or else a missing value in a column."""
    mass = roles.weights or roles.counts
    zero = np.zeros(len(frame), dtype=np.bool_)
    if mass is not None:
        zero = read_numbers(frame, mass) == 0
    causes = [
        Cause(
            name_reason(roles, name),
            name,
            find_missing_rows(take_column(frame, name)) & ~zero,
        )
        for name in roles.values
    ]
    if roles.weights is not None:
        causes.append(Cause(ZERO, roles.weights, zero))
    return causes


def make_rows(n_rows: int, response_rate: float | None) -> Facts:
    """Describe binned rows, of which nobody knows how many were left out before."""
    unknown = {
        "n_rows": None,
        "n_rows_with_outcome": None,
        "n_rows_without_weight": None,
        "n_events": None,
        "response_rate": None,
        "is_weighted": False,
        "p_value": None,
    }
    return {
        "read": None,
        "used": n_rows,
        "left_out": None,
        "missing": {},
        "missing_words": [],
        "other_labels": [],
        "reasons": [],
        "left_out_total": unknown,
        "used_response_rate": response_rate,
        "odd_outcomes": [],
        "by": [],
        "own_rows": [],
    }


def name_reason(roles: Roles, column: str) -> str:
    """Say what a row lacks whose value in a column is missing."""
    if column in roles.estimates:
        return "missing score"
    reasons = {getattr(roles, part): reason for part, reason in REASONS.items()}
    return reasons[column]


def find_rate(scored: ScoredRows) -> float | None:
    """Return the response rate of the rows used; None if there are none."""
    columns = scored.columns
    mass = float(columns.mass.sum())
    return float(columns.target_mass) / mass if mass else None


def measure_lines(
    frame: Frame, roles: Roles, meaning: Meaning, used: ScoredRows, *, known: bool
) -> Lines:
    """Measure what each line stands for; outcomes only if some are left out."""
    name = roles.counts or roles.weights
    mass = np.ones(len(frame)) if name is None else read_numbers(frame, name)
    has_counts = roles.counts is not None
    rows = np.nan_to_num(mass, nan=1.0) if has_counts else np.ones(len(frame))
    found, odd = Outcomes(np.full(len(frame), np.nan), [])
    if not known:
        found, odd = read_outcomes(
            frame, roles, meaning, has_events=used.has_events, n_rows=rows
        )
    outcome = found if roles.truth is None else found * mass
    is_weighted = roles.weights is not None
    has_outcome = ~np.isnan(found if is_weighted else mass + outcome)
    return Lines(rows, mass, outcome, has_outcome, is_weighted, odd)


def describe_part(lines: Lines, part: Array) -> Facts:
    """Count some of the rows, and their events where the outcome is known.

    Weighted events and rates are those of rows with a weight, as those of the rows used.
    """
    known, has_outcome = part & lines.is_known, part & lines.has_outcome
    mass = float(lines.mass[known].sum())
    outcome = float(lines.outcome[known].sum())
    return {
        "n_rows": round(lines.rows[part].sum()),
        "n_rows_with_outcome": round(lines.rows[has_outcome].sum()),
        "n_rows_without_weight": round(lines.rows[has_outcome & ~known].sum()),
        "n_events": outcome if known.any() else None,
        "response_rate": outcome / mass if mass else None,
        "is_weighted": lines.is_weighted,
    }


def are_independent(frame: Frame, roles: Roles) -> bool:
    """Whether no cluster has two of the rows that were read; a missing one is a cluster."""
    if roles.clusters is None:
        return True
    return take_column(frame, roles.clusters).n_unique() == len(frame)


def compare_with_used(lines: Lines, left_out: Array, used: ScoredRows) -> float | None:
    """Test whether rows left out have another event rate than those used.

    The doubled mid-P value of the hypergeometric distribution, for events of equal weight;
    None for others.
    """
    known = left_out & lines.is_known
    if lines.is_weighted or not (used.has_events and known.any()):
        return None
    events, others = used.columns.class_counts
    n_left_out, events_left_out = (
        round(each[known].sum()) for each in (lines.mass, lines.outcome)
    )
    return compute_mid_p_value(events_left_out, n_left_out, events, events + others)


def compute_mid_p_value(events: int, n: int, other_events: int, n_others: int) -> float:
    """Compute the doubled mid-P value of so many events among n, given all events."""
    all_events = events + other_events
    others = n + n_others - all_events
    found = np.arange(max(0, n - others), min(n, all_events) + 1)
    log_factorial = import_scipy("special").gammaln
    log_chance = -sum(
        log_factorial(count + 1)
        for count in (found, all_events - found, n - found, others - n + found)
    )
    chance = np.exp(log_chance - log_chance.max())
    half = chance[found == events].sum() / 2
    tails = (chance[found < events].sum() + half, chance[found > events].sum() + half)
    return min(1.0, 2 * float(min(tails) / chance.sum()))


def describe_split(lines: Lines, left_out: Array, split: Split) -> Facts:
    """Count the rows that were read and left out by segment or period."""
    read = np.bincount(split.segment, lines.rows, len(split.labels))
    groups = []
    for number, label in enumerate(split.labels):
        part = describe_part(lines, left_out & (split.segment == number))
        groups.append(
            {
                "group": label,
                "n_read": round(read[number]),
                "n_left_out": part["n_rows"],
                "n_left_out_with_outcome": part["n_rows_with_outcome"],
                "n_left_out_without_weight": part["n_rows_without_weight"],
                "n_events_left_out": part["n_events"],
                "response_rate_left_out": part["response_rate"],
            }
        )
    return {"by": split.by, "is_weighted": lines.is_weighted, "groups": groups}


def list_own_rows(
    frame: Frame,
    roles: Roles,
    meaning: Meaning,
    causes: Sequence[Cause],
    whole: Sequence[ScoredRows],
) -> list[dict[str, Any]]:
    """Compare AR on the rows that all models rank with AR on those that one alone ranks.

    Empty if there is one model, or no row was left out.
    """
    if len(roles.estimates) == 1 or not any(cause.rows.any() for cause in causes):
        return []
    found = []
    graded = tuple(scored.estimate for scored in whole if scored.grades is not None)
    meaning = replace(meaning, ordered=graded)  # numbers stay numbers, also alone
    for scored in whole:
        own = replace(roles, estimates=(scored.estimate,))
        lacking = np.logical_or.reduce(
            [cause.rows for cause in causes if cause.column in own.values]
        )
        kept, _ = keep_rows(frame, np.zeros(len(frame)), ~lacking)
        (alone,) = score_rankings(rank_rows(kept, own, meaning))
        common, ratio = scored.find_ratio(), alone.find_ratio()
        found.append(
            {
                "model": scored.estimate,
                "n_rows": alone.n_rows,
                "n_rows_common": scored.n_rows,
                "accuracy_ratio": ratio,
                "accuracy_ratio_common": common,
                "difference": common - ratio,
                "gauc": find_gauc(alone),
                "gauc_common": find_gauc(scored),
            }
        )
    return found


def find_gauc(scored: ScoredRows) -> float | None:
    """Return gAUC of amounts; None for events."""
    found = scored.estimate_somers_d(IntervalOptions())
    return None if found is None else found.to_auc().value
