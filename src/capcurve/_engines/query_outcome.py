"""What an engine sees of a column, so that outcomes are decided as in memory."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import narwhals.stable.v2 as nw

from capcurve._engines.plan import ColumnRange
from capcurve._engines.query import (
    as_integer_flag,
    collect,
    find_extremes,
    take_first,
    wrap_engine_errors,
)
from capcurve._engines.query_rows import QueryChecks, drop_incomplete_rows
from capcurve._engines.row_rankings import CheckedQuery
from capcurve._input.dtypes import Label, LazyFrame
from capcurve._input.meaning import Meaning, Roles
from capcurve._input.outcome import OutcomeRule, decide_outcomes
from capcurve._input.score import decide_scores
from capcurve._input.seen import Flags, Kind, Seen, is_categorical
from capcurve.exceptions import CapcurveError


class SeenQuery(Seen):
    """A column of a query; each look is a query of its own, unless the checks know."""

    def __init__(self, rows: LazyFrame, name: str, checked: CheckedQuery) -> None:
        self.rows, self.name, self.checks = rows, name, checked.checks
        self.column = checked.query.names[name]
        schema = rows.collect_schema()
        self.dtype = schema[self.column]
        self.kind = find_kind(schema[checked.query.rounded.get(name, self.column)])
        self.levels, self.is_ordered = checked.levels[name]
        self.is_categorical = is_categorical(self.dtype)
        self.counts_every_row = not (checked.query.weighted or self.checks.incomplete)

    @property
    def is_empty(self) -> bool:
        """Whether there is no complete row."""
        return not self.checks.n_rows - self.checks.incomplete

    @cached_property
    def ends(self) -> tuple[float, float]:
        """Smallest and largest number, as the checks found them if all rows count."""
        if self.column == self.checks.outcome and self.checks.labels:
            return min(self.checks.labels), max(self.checks.labels)
        known = self.checks.ranges.get(self.name)
        if self.counts_every_row and known is not None:
            return float(known.low), float(known.high)
        return find_extremes(self.rows, self.column)

    def holds_only(self, *values: float) -> bool:
        """Whether every number is one of these."""
        if (
            values == (0.0, 1.0)
            and self.column == self.checks.outcome
            and self.checks.labels
        ):
            return True
        low, high = self.ends
        if low < min(values) or high > max(values):
            return False
        value = nw.col(self.column)
        others = [value != one for one in values]
        return not self._some(nw.all_horizontal(*others, ignore_nulls=True))

    def holds_fractions(self) -> bool:
        """Whether some number is not whole."""
        value = nw.col(self.column)
        return self._some(value != value.floor())

    def count_flags(self) -> Flags:
        """Count the numbers that are 0, that are 1, and that are neither."""
        value = nw.col(self.column)
        marks = {"zeros": value == 0, "ones": value == 1, "others": self._is_other}
        sums = [as_integer_flag(mark).sum().alias(name) for name, mark in marks.items()]
        found = collect(self.rows.select(*sums))
        return Flags(*(int(take_first(found, name)) for name in marks))

    def find_other(self) -> float:
        """Return a number that is neither 0 nor 1."""
        found = collect(self.rows.filter(self._is_other).select(self.column).head(1))
        return float(found.get_column(self.column)[0])

    def holds_label(self, label: Label) -> bool:
        """Whether the levels name a label, or some row has it."""
        if self.levels is not None:
            return label in self.levels
        if self.kind == "text" and not isinstance(label, str):
            return False
        if self.kind != "text" and isinstance(label, str):
            return False
        return self._some(self._values == label)

    def labels(self, most: int) -> list[Any]:
        """List up to ``most`` distinct values, sorted."""
        found = collect(self.rows.select(v=self._values).unique().head(most))
        return sorted(found.get_column("v").to_list())

    @property
    def _is_other(self) -> nw.Expr:
        """Whether a number is neither 0 nor 1."""
        value = nw.col(self.column)
        return (value != 0) & (value != 1)

    @property
    def _values(self) -> nw.Expr:
        """The column, categories as text."""
        column = nw.col(self.column)
        return column.cast(nw.String) if self.is_categorical else column

    def _some(self, condition: nw.Expr) -> bool:
        """Whether a condition holds in some row."""
        return bool(len(collect(self.rows.filter(condition).select(self.column).head(1))))


def find_kind(dtype: Any) -> Kind:
    """Say what a column of a query holds."""
    if dtype == nw.Boolean:
        return "boolean"
    if dtype.is_integer():
        return "integer"
    return "number" if dtype.is_numeric() else "text"


def decide_in_engine(
    checked: CheckedQuery, roles: Roles, meaning: Meaning
) -> list[OutcomeRule] | None:
    """Decide what the outcome of a query means; None if a score is no number.

    Grades in text are few, so that their distinct rows are fetched.
    """
    query, checks = checked.query, checked.checks
    if roles.truth is None:
        return [OutcomeRule("flag", estimate=name) for name in roles.estimates]
    with wrap_engine_errors():
        rows = drop_incomplete_rows(query, roles, checks)
        seen = {
            name: SeenQuery(rows, name, checked) for name in (roles.truth, *roles.estimates)
        }
        truth = seen.pop(roles.truth)
        rules = decide_scores(seen, meaning)
        if any(rule.grades is not None for rule in rules.values()):
            return None
        if truth.is_empty or (query.weighted and not checks.weights[1]):
            raise CapcurveError(f"the CAP curve is undefined: {roles.explain_no_row()}")
        return decide_outcomes(truth, seen, meaning)


def find_ranges(
    checks: QueryChecks, roles: Roles, estimate: str, rule: OutcomeRule
) -> dict[str, ColumnRange]:
    """Return the ranges of outcome and score, with totals of 0/1 events if known."""
    scales = {
        short: checks.ranges.get(str(name), ColumnRange(0.0, 0.0))
        for short, name in (("y", roles.truth), ("s", estimate))
    }
    if checks.labels and rule.kind == "flag":
        weight, target = float(checks.n_rows), float(checks.labels.get(1, 0))
        scales["s"] = scales["s"]._replace(weight=weight, target=target)
    return scales
