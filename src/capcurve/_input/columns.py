"""Checked rows: target, score, weights and clusters."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Self

import numpy as np

from capcurve._tally.dtypes import Array, FloatArray, IntArray
from capcurve._tally.sums import dot
from capcurve.exceptions import CapcurveError


@dataclass(frozen=True, eq=False, kw_only=True)
class Weights:
    """Weights of the rows, what a weight means, and the cluster of each row.

    Attributes
    ----------
    value : ndarray of float64, shape (n_rows,), or None
        Weight of each row, above 0; None if every row has weight 1.
    counts_rows : bool
        Whether weights are frequencies: a weight is the number of equal rows that the row
        stands for.
    rows, squares, fourths : ndarray of float64, shape (n_rows,), or None
        For rows aggregated from rows of unequal weight: the number of original rows, and
        the sums of the second and fourth powers of their weights.
    cluster : ndarray of int64, shape (n_rows,), or None
        Cluster number of each row, from 0. Rows of the same cluster are not independent;
        None if all rows are.
    """

    value: FloatArray | None = None
    counts_rows: bool = False
    rows: FloatArray | None = None
    squares: FloatArray | None = None
    fourths: FloatArray | None = None
    cluster: IntArray | None = None

    def __getitem__(self, rows: Any) -> Self:
        """Take some of the rows."""
        return replace(
            self,
            **{
                field.name: column[rows]
                for field in fields(self)
                if isinstance(column := getattr(self, field.name), np.ndarray)
            },
        )


@dataclass(frozen=True, eq=False)
class Columns:
    """Checked rows of positive weight.

    Attributes
    ----------
    target : ndarray of bool or float64, shape (n_rows,)
        Event indicator, or the amount per unit of weight.
    score : ndarray of any numeric dtype, shape (n_rows,)
        Score by which the rows are ranked.
    weights : Weights
        Weights and clusters; by default every row has weight 1 and is independent.
    descending : bool
        Whether high scores are ranked first.
    """

    target: Array
    score: Array
    weights: Weights = Weights()
    descending: bool = True

    def __getitem__(self, rows: Any) -> Self:
        """Take some of the rows."""
        return replace(
            self,
            target=self.target[rows],
            score=self.score[rows],
            weights=self.weights[rows],
        )

    @property
    def weight(self) -> FloatArray | None:
        """Weight of each row; None if every row has weight 1."""
        return self.weights.value

    @property
    def cluster(self) -> IntArray | None:
        """Cluster of each row, numbered from 0 without gaps; None without clusters.

        Rows of a group may hold some of the clusters only.
        """
        cluster = self.weights.cluster
        if cluster is None:
            return None
        held = np.bincount(cluster) > 0
        return cluster if held.all() else (np.cumsum(held) - 1)[cluster]

    @property
    def mass(self) -> FloatArray:
        """Weight of each row, as an array of ones if there are no weights."""
        return np.ones(len(self.target)) if self.weight is None else self.weight

    @property
    def row_counts(self) -> FloatArray:
        """Number of original rows that each row stands for."""
        if self.weights.rows is not None:
            return self.weights.rows
        return self.mass if self.weights.counts_rows else np.ones(len(self.target))

    @property
    def squared_weights(self) -> FloatArray:
        """Sum of the squared weights of the original rows that each row stands for."""
        if self.weights.squares is not None:
            return self.weights.squares
        return self.mass if self.weights.counts_rows else self.mass**2

    @property
    def unit_powers(self) -> tuple[FloatArray, FloatArray]:
        """Sums of the 2nd and 4th powers of the shares that original rows have in a row."""
        weights = self.weights
        if weights.squares is not None and weights.fourths is not None:
            square = self.mass**2
            return weights.squares / square, weights.fourths / square / square
        if weights.counts_rows and weights.value is not None:
            return 1 / self.mass, self.mass**-3.0
        ones = np.ones(len(self.target))
        return ones, ones

    @property
    def has_events(self) -> bool:
        """Whether the target is a 0/1 event, not an amount."""
        return self.target.dtype == np.bool_

    @property
    def ranks_by_outcome(self) -> bool:
        """Whether each score is the outcome, or 1 minus it where low scores rank first."""
        if np.array_equal(self.score, self.target):
            return True
        mirrors = self.has_events and not self.descending
        return mirrors and np.array_equal(self.score, ~self.target)

    @property
    def has_counted_events(self) -> bool:
        """Whether rows are independent 0/1 events, unweighted or with frequency weights."""
        weighted = self.weight is not None and not self.weights.counts_rows
        return self.has_events and self.weights.cluster is None and not weighted

    @property
    def may_be_counted(self) -> bool:
        """Whether sampling weights are whole numbers, as counts of rows would be."""
        weight = self.weight
        if weight is None or self.weights.counts_rows or self.weights.rows is not None:
            return False
        return bool(weight.max(initial=0) > 1 and np.all(weight == np.floor(weight)))

    @property
    def is_constant(self) -> bool:
        """Whether all targets are equal, so that the accuracy ratio is undefined."""
        if self.has_events:
            return int(np.count_nonzero(self.target)) in {0, len(self.target)}
        return bool(self.target.min() == self.target.max())

    @property
    def target_mass(self) -> float:
        """Weighted sum of the targets: the weight of the events, or the total amount."""
        return float(
            self.target.sum() if self.weight is None else dot(self.target, self.weight)
        )

    @property
    def class_counts(self) -> tuple[int, int]:
        """Numbers of events and non-events (for amounts: of rows above 0 and of zeros)."""
        event = self.target if self.has_events else self.target > 0
        if self.weights.rows is None and not self.weights.counts_rows:
            n, events = len(event), int(np.count_nonzero(event))
        else:
            counts = self.row_counts
            n, events = round(counts.sum()), round(counts[event].sum())
        return events, n - events

    @property
    def n_minority(self) -> int:
        """Number of rows or clusters of the minority class (for amounts: above 0)."""
        events, rest = self.class_counts
        cluster = self.weights.cluster
        if cluster is not None:
            events = len(np.unique(cluster[self.target > 0]))
            rest = len(np.unique(cluster[self.target == 0]))
        return min(events, rest) if self.has_events else events

    def with_target(self, target: Array) -> Columns:
        """Return the same rows with another target."""
        return Columns(target, self.score, self.weights, self.descending)

    def ranked_by_target(self) -> Self:
        """Return the same rows, scored by the perfect model."""
        return replace(self, score=self.target, descending=True)


def refuse_constant(columns: Columns, what: str = "the CAP curve") -> None:
    """Raise if all targets are equal, so that the result is undefined."""
    if columns.is_constant:
        raise CapcurveError(
            f"{what} is undefined: {explain_constant(columns)}; "
            "it requires both events and non-events, or amounts that differ"
        )


def explain_constant(columns: Columns) -> str:
    """Return the reason why the accuracy ratio is undefined."""
    if not columns.has_events:
        return f"all amounts in `y_true` equal {columns.target[0]:g}"
    kind = "events" if columns.target[0] else "non-events"
    return f"`y_true` holds only {kind}"
