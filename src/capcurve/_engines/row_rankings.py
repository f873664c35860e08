"""Rows of a frame, or distinct rows of a query -> checked rankings, grouped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._engines.groups import number_groups
from capcurve._engines.plan import fits_into_memory, is_too_large_to_fetch
from capcurve._engines.query import log_plan, runs_in_this_process, wrap_engine_errors
from capcurve._engines.query_rows import (
    Query,
    QueryChecks,
    check_query,
    count_distinct_rows,
    fetch_complete_rows,
    number_all_groups,
    refuse_rounded,
    select_columns,
)
from capcurve._input.column import to_array
from capcurve._input.columns import Columns, Weights
from capcurve._input.dtypes import Frame, LazyFrame
from capcurve._input.meaning import Meaning, Roles
from capcurve._input.missing import announce_missing, find_missing_rows
from capcurve._input.outcome import decide_outcomes
from capcurve._input.score import decide_scores
from capcurve._input.seen import Levels, list_levels, see_series
from capcurve._input.source import take_column
from capcurve._input.weights import (
    ignore_weightless_rows,
    read_clusters,
    read_counts,
    read_weight,
    refuse_event_counts,
    refuse_extreme_weights,
    split_events,
)
from capcurve._tally.dtypes import Array, FloatArray, IntArray
from capcurve.exceptions import CapcurveError


class Ranking(NamedTuple):
    """One score against one outcome: of a model, or of a class label against the rest.

    Attributes
    ----------
    name : str
        The score column, or the class label.
    columns : Columns
        The rows of all groups.
    estimate : str
        The score column.
    grades : tuple of str or None
        Names of the scores 0, 1, ..., where the score is an ordered grade.
    """

    name: str
    columns: Columns
    estimate: str
    grades: tuple[str, ...] | None = None


class Dropped(NamedTuple):
    """How many rows were left out, and how many values are missing, by column."""

    n_rows: int
    missing: Mapping[str, int]


@dataclass(frozen=True, eq=False)
class Groups:
    """The groups of a result.

    Attributes
    ----------
    keys : data frame or None
        The columns of ``by``, a row for each group; None without ``by``.
    backend : narwhals Implementation
        Library of the data frames that are returned.
    are_levels : bool
        Whether each group holds a ranking per class label, not per model.
    """

    keys: Frame | None
    backend: Any
    are_levels: bool = False

    @property
    def number(self) -> int:
        """Number of groups; 1 without ``by``."""
        return 1 if self.keys is None else len(self.keys)


@dataclass(frozen=True, eq=False)
class RowRankings:
    """Checked rows, grouped and ranked by each score.

    Attributes
    ----------
    frame : data frame
        The complete rows, in the library of the data.
    keys : data frame or None
        The columns of ``by``, a row for each group; None without ``by``.
    group : ndarray of int64, shape (n_rows,)
        Number of the group of each row, from 0.
    rankings : list of Ranking
        Rows of each model, or of each class label against the rest.
    are_levels : bool
        Whether the rankings are class labels of one outcome, not models.
    dropped : Dropped
        Rows that were left out.
    """

    frame: Frame
    keys: Frame | None
    group: IntArray
    rankings: list[Ranking]
    are_levels: bool
    dropped: Dropped

    @property
    def groups(self) -> Groups:
        """The groups, including those without a complete row."""
        return Groups(self.keys, self.frame.implementation, self.are_levels)

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return self.groups.number


class CheckedQuery(NamedTuple):
    """A query whose rows its engine has checked.

    Attributes
    ----------
    query : Query
    checks : QueryChecks
        What the engine found.
    levels : mapping of str to Levels
        Of the columns of values.
    limit : float or None
        Bytes that the caller grants for rows; None: a share of what is free.
    """

    query: Query
    checks: QueryChecks
    levels: Mapping[str, Levels]
    limit: float | None = None

    def is_large(self, roles: Roles) -> bool:
        """Whether it has more rows than are fetched as distinct ones if bins will do."""
        n_rows = self.checks.n_rows
        if self.limit is not None and not fits_into_memory(n_rows, roles, self.limit):
            return True
        return is_too_large_to_fetch(n_rows)

    def is_fetched(self, roles: Roles) -> bool:
        """Whether all rows are fetched and counted here, as those of a data frame.

        Rows that stand for several are few, and their engine adds equal ones up.
        """
        return (
            roles.counts is None
            and roles.events is None
            and runs_in_this_process(self.query.frame)
            and fits_into_memory(self.checks.n_rows, roles, self.limit)
        )


class Grouped(NamedTuple):
    """Complete rows, the keys of their groups, the group of each row, and all levels."""

    frame: Frame
    keys: Frame | None
    group: IntArray
    levels: Mapping[str, Levels]


class Masses(NamedTuple):
    """What rows weigh, and the number of events among them where they are counted."""

    weights: Weights
    events: FloatArray | None = None


def rank_rows(frame: Frame, roles: Roles, meaning: Meaning) -> RowRankings:
    """Check the rows of a data frame and rank them."""
    levels = list_levels(frame, roles.values)
    keys, group = number_groups(frame, list(roles.by))
    missing = {name: find_missing_rows(take_column(frame, name)) for name in roles.values}
    mass = roles.weights or roles.counts
    if mass is not None:
        missing = ignore_weightless_rows(missing, take_column(frame, mass))
    incomplete: Array = np.logical_or.reduce(list(missing.values()))
    counts = {name: int(rows.sum()) for name, rows in missing.items()}
    announce_missing(counts, int(incomplete.sum()), len(frame), roles, meaning)
    n_read = len(frame)
    frame, group = keep_rows(frame, group, ~incomplete)
    if mass is not None and len(frame):
        weight = read_weight(to_array(take_column(frame, mass)), mass)
        frame, group = keep_rows(frame, group, weight > 0)
    masses = read_masses(frame, roles)
    missed = {name: count for name, count in counts.items() if count}
    dropped = Dropped(n_read - len(frame), missed)
    grouped = Grouped(frame, keys, group, levels)
    return make_rankings(grouped, masses, roles, meaning, dropped)


def number_values(frame: Frame, name: str) -> tuple[list[Any], IntArray]:
    """Return the distinct values of a column, None for null, and which each row holds."""
    column = frame.get_column(name)
    if frame.implementation.is_pyarrow() and column.dtype != nw.Categorical:
        encoded = column.to_native().combine_chunks().dictionary_encode("encode")
        return encoded.dictionary.to_pylist(), encoded.indices.to_numpy().astype(np.int64)
    keys, number = number_groups(frame, [name])
    if keys is None or not len(keys):
        return [], number
    values = keys.get_column(name)
    found = zip(values.is_null(), values.to_list(), strict=True)
    return [None if is_null else value for is_null, value in found], number


def read_masses(frame: Frame, roles: Roles) -> Masses:
    """Read weights, counts and clusters of complete rows that weigh something."""
    if not len(frame):
        return Masses(Weights(), np.zeros(0) if roles.events else None)
    columns = {
        name: to_array(take_column(frame, column))
        for name, column in (
            ("weights", roles.weights),
            ("counts", roles.counts),
            ("events", roles.events),
            ("clusters", roles.clusters),
        )
        if column is not None
    }
    if "counts" in columns:
        counts = read_counts(columns["counts"], str(roles.counts))
        return Masses(Weights(value=counts, counts_rows=True), columns.get("events"))
    value = cluster = None
    if "weights" in columns:
        value = read_weight(columns["weights"], str(roles.weights))
    if "clusters" in columns:
        cluster = read_clusters(columns["clusters"], name=str(roles.clusters))
    return Masses(Weights(value=value, cluster=cluster))


def make_rankings(
    grouped: Grouped, masses: Masses, roles: Roles, meaning: Meaning, dropped: Dropped
) -> RowRankings:
    """Decide what outcome and scores mean, and pair them."""
    frame, keys, group, levels = grouped
    scores = {
        name: see_series(take_column(frame, name), levels[name]) for name in roles.estimates
    }
    rules = decide_scores(scores, meaning)
    values = {
        name: rule.of_series(take_column(frame, name)) for name, rule in rules.items()
    }
    weights = masses.weights
    if roles.truth is None:
        rows, target, weights = split_events(masses.events, weights, roles)
        values = {name: score[rows] for name, score in values.items()}
        frame, group = frame[rows.tolist(), :], group[rows]
        targets = [(name, name, target) for name in roles.estimates]
        are_levels = False
    else:
        column = take_column(frame, roles.truth)
        try:
            seen = see_series(column, levels[roles.truth])
            outcomes = decide_outcomes(seen, scores, meaning)
        except CapcurveError:
            refuse_event_counts(to_array(column), weights, roles, meaning)
            raise
        targets = [
            (rule.level or rule.estimate, rule.estimate, rule.of_series(column))
            for rule in outcomes
        ]
        are_levels = outcomes[0].level is not None
    return RowRankings(
        frame=frame,
        keys=keys,
        group=group,
        rankings=[
            Ranking(
                name,
                Columns(target, values[estimate], weights, meaning.descending),
                estimate,
                rules[estimate].grades,
            )
            for name, estimate, target in targets
        ],
        are_levels=are_levels,
        dropped=dropped,
    )


def check_rows(
    frame: LazyFrame,
    roles: Roles,
    meaning: Meaning,
    levels: Mapping[str, Levels] | None = None,
    limit: float | None = None,
) -> CheckedQuery:
    """Let the engine of a query check its rows.

    ``levels`` are those of its data frame, and ``limit`` the bytes granted for rows.
    """
    with wrap_engine_errors():
        query = select_columns(frame, roles)
        checks = check_query(query, roles)
    announce_missing(checks.missing, checks.incomplete, checks.n_rows, roles, meaning)
    mass = str(roles.weights or roles.counts)
    wrong = {"negative": checks.negative, "infinite": checks.infinite}
    if got := ", ".join(f"{count} {kind}" for kind, count in wrong.items() if count):
        raise CapcurveError(
            f"`{mass}` must be finite and not negative, got {got}; give a row weight 0 to "
            "leave it out"
        )
    refuse_extreme_weights(*checks.weights, mass)
    with wrap_engine_errors():
        refuse_rounded(query, roles, checks)
    return CheckedQuery(query, checks, levels or list_levels(frame, roles.values), limit)


def rank_query(checked: CheckedQuery, roles: Roles, meaning: Meaning) -> RowRankings:
    """Rank the rows of a query here: all of them, or the distinct ones with counts."""
    if checked.is_fetched(roles):
        return rank_fetched_rows(checked, roles, meaning)
    return rank_distinct_rows(checked, roles, meaning)


def rank_fetched_rows(checked: CheckedQuery, roles: Roles, meaning: Meaning) -> RowRankings:
    """Fetch the complete rows of a query and rank them as those of a data frame."""
    query, checks = checked.query, checked.checks
    with wrap_engine_errors():
        frame, value = fetch_complete_rows(query, roles, checks)
        keys, group = number_all_groups(frame, query, roles, checks, are_sorted=False)
    log_plan("fetch", len(frame), "rows")
    cluster = None
    if roles.clusters is not None and len(frame):
        name = roles.clusters
        cluster = read_clusters(to_array(take_column(frame, name)), name=name)
    missing = {name: count for name, count in checks.missing.items() if count}
    masses = Masses(Weights(value=value, cluster=cluster))
    grouped = Grouped(frame, keys, group, checked.levels)
    return make_rankings(
        grouped, masses, roles, meaning, Dropped(checks.incomplete, missing)
    )


def rank_distinct_rows(
    checked: CheckedQuery, roles: Roles, meaning: Meaning
) -> RowRankings:
    """Fetch the distinct rows of a query, counted by its engine, and rank them."""
    with wrap_engine_errors():
        found = count_distinct_rows(checked.query, roles, checked.checks)
        keys, group = number_all_groups(found.frame, checked.query, roles, checked.checks)
    log_plan("direct", len(found.frame), "distinct rows")
    missing = {name: count for name, count in checked.checks.missing.items() if count}
    dropped = Dropped(checked.checks.incomplete, missing)
    if roles.counts is not None:
        counts = found.rows if found.weight is None else found.weight
        counts = read_counts(counts, roles.counts)
        masses = Masses(Weights(value=counts, counts_rows=True), found.events)
    elif roles.clusters is not None:
        weight = found.rows if found.weight is None else found.weight
        name = roles.clusters
        cluster = read_clusters(to_array(take_column(found.frame, name)), name=name)
        own = found.rows if found.squares is None else found.squares
        weights = Weights(value=weight, rows=found.rows, squares=own, cluster=cluster)
        masses = Masses(weights)
    elif found.weight is None:
        masses = Masses(Weights(value=found.rows, counts_rows=True))
    else:
        masses = Masses(
            Weights(
                value=found.weight,
                rows=found.rows,
                squares=found.squares,
                fourths=found.fourths,
            )
        )
    grouped = Grouped(found.frame, keys, group, checked.levels)
    return make_rankings(grouped, masses, roles, meaning, dropped)


def keep_rows(frame: Frame, group: Array, rows: Array) -> tuple[Frame, Array]:
    """Return the rows of a mask, and their groups."""
    if rows.all():
        return frame, group
    mask = nw.new_series("rows", rows, backend=frame.implementation)
    return nw.maybe_reset_index(frame).filter(mask), group[rows]
