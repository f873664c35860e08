"""Rows of a query of DuckDB, batch by batch -> a sketch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import narwhals.stable.v2 as nw

from capcurve._curve.sketch import CapSketch
from capcurve._engines.query import wrap_engine_errors
from capcurve._engines.query_outcome import decide_in_engine
from capcurve._engines.query_rows import drop_incomplete_rows
from capcurve._engines.row_rankings import CheckedQuery, check_rows
from capcurve._input.dtypes import TargetType
from capcurve._input.meaning import Meaning, Roles
from capcurve._input.outcome import OutcomeRule
from capcurve._input.source import check_columns
from capcurve._tally.dtypes import Array
from capcurve.exceptions import CapcurveError

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

BATCH_ROWS = 1 << 20  # some 25 MB
WEIGHT = "w"
COMPARED_AS_INTEGERS = (nw.Int64, nw.UInt64)


def sketch_query(
    relation: DuckDBPyRelation, roles: Roles, meaning: Meaning, max_bins: int
) -> CapSketch:
    """Make a sketch of the complete rows of a query, of which one batch is in memory.

    What the outcome means is decided from all rows, so that it is the same in each batch.

    Parameters
    ----------
    relation : DuckDBPyRelation
        Scanned several times: to check, and to read the rows.
    roles, meaning
        Which column plays which part, and how to read it; one score, without groups.
    max_bins : int
        Largest number of bins.

    Returns
    -------
    CapSketch
        With the arguments that the caller gave, as `CapSketch.merge` compares them.
    """
    found = CapSketch(
        max_bins,
        pos_label=meaning.pos_label,
        target_type=meaning.target_type,
        descending=meaning.descending,
    )
    frame = check_columns(nw.from_native(relation), roles)
    checked = check_rows(frame, roles, meaning)
    if checked.checks.n_rows == checked.checks.incomplete:
        return found
    rule = decide_one_rule(checked, roles, meaning)
    kind: TargetType = "binary" if rule.has_events else "continuous"
    read = CapSketch(max_bins, target_type=kind, descending=meaning.descending)
    for outcome, score, weight in read_batches(checked, roles, rule):
        truth = outcome == 1 if rule.has_events else outcome
        read.update(truth, score, sample_weight=weight)
    found.curve = read.curve
    return found


def decide_one_rule(checked: CheckedQuery, roles: Roles, meaning: Meaning) -> OutcomeRule:
    """Decide what the outcome means; raise if a sketch cannot hold the score."""
    (name,) = roles.estimates
    rules = decide_in_engine(checked, roles, meaning)
    if rules is None:
        raise CapcurveError(
            f"a sketch requires a score that is a number, got grades in `{name}`; replace "
            "them by numbers in a --query"
        )
    return rules[0]


def read_batches(
    checked: CheckedQuery, roles: Roles, rule: OutcomeRule
) -> Iterator[tuple[Array, Array, Array | None]]:
    """Yield outcomes, scores and weights of the complete rows."""
    names = checked.query.names
    truth, score = names[str(roles.truth)], names[roles.estimates[0]]
    with wrap_engine_errors():
        rows = drop_incomplete_rows(checked.query, roles, checked.checks)
        weight = {} if roles.weights is None else {WEIGHT: nw.col(WEIGHT)}
        as_held = nw.col(score)
        if rows.collect_schema()[score] not in COMPARED_AS_INTEGERS:
            as_held = as_held.cast(nw.Float64)
        rows = rows.select(
            y=rule.of_query(nw.col(truth), rows.collect_schema()[truth]),
            s=as_held,
            **weight,
        )
        for batch in rows.to_native().to_arrow_reader(BATCH_ROWS):
            columns = {
                name: batch.column(name).to_numpy(zero_copy_only=False)
                for name in batch.schema.names
            }
            yield columns["y"], columns["s"], columns.get(WEIGHT)
