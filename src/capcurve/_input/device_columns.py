"""Read outcome and score of 0/1 events where they lie on a device."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from capcurve._input.column import as_array, flatten_column
from capcurve._input.columns import Columns, Weights
from capcurve._input.device_array import FLOATS, DeviceArray, fetch, find_device_array
from capcurve._input.dtypes import Label, TargetType
from capcurve._input.meaning import Meaning
from capcurve._input.outcome import OutcomeRule, decide_event, read_target
from capcurve._input.seen import SeenArray
from capcurve._tally.dtypes import Array


class SeenOnDevice(SeenArray):
    """A column that is looked at on its device, and fetched only to list its values."""

    is_empty = False  # what has no rows is left to NumPy

    def __init__(self, column: DeviceArray) -> None:
        self.column, self.name = column, column.name
        self.kind = "number" if column.dtype in FLOATS else "integer"
        if column.dtype == "bool":
            self.kind = "boolean"

    @cached_property
    def values(self) -> Array:  # type: ignore[override]
        """The values as a NumPy array."""
        return self.column.on_host

    @cached_property
    def ends(self) -> tuple[float, float]:
        """Smallest and largest number."""
        low, high = self.column.ends
        return float(low), float(high)

    def holds_only(self, *values: float) -> bool:
        """Whether every number is one of these two."""
        return set(self.ends) <= set(values) and self.column.holds_only_ends()


class DeviceColumns(Columns):
    """Unweighted 0/1 events and their scores on a device; fetched if rows are needed.

    Parameters
    ----------
    event : array of booleans on the device, shape (n_rows,)
        Event indicator.
    ranked : DeviceArray
        Score by which the rows are ranked.
    descending : bool
        Whether high scores are ranked first.
    """

    def __init__(self, event: Any, ranked: DeviceArray, *, descending: bool) -> None:
        events = int(ranked.xp.count_nonzero(event))
        vars(self).update(
            event=event,
            ranked=ranked,
            descending=descending,
            class_counts=(events, len(ranked) - events),
        )

    event: Any
    ranked: DeviceArray
    weights = Weights()
    has_events = True
    class_counts: tuple[int, int]

    @cached_property
    def target(self) -> Array:
        """Event indicator, as a NumPy array."""
        return fetch(self.event, "y_true")

    @cached_property
    def score(self) -> Array:
        """Score, as a NumPy array."""
        values = self.ranked.on_host
        return values.astype(np.uint8) if self.ranked.dtype == "bool" else values

    def __getitem__(self, rows: Any) -> Columns:  # type: ignore[override]
        return self.with_target(self.target)[rows]

    @property
    def is_constant(self) -> bool:
        """Whether all targets are equal."""
        return 0 in self.class_counts

    @property
    def target_mass(self) -> float:
        """Number of events."""
        return float(self.class_counts[0])

    def ranked_by_target(self) -> Columns:  # type: ignore[override]
        """Return the same rows, scored by the perfect model, as NumPy arrays."""
        return self.with_target(self.target).ranked_by_target()


def read_device_columns(
    y_true: Any,
    ranked: DeviceArray,
    pos_label: Label | None,
    target_type: TargetType,
    *,
    descending: bool,
) -> DeviceColumns | None:
    """Read events whose score stays on its device; the outcome follows the score.

    Returns None for amounts, and for whatever NumPy would refuse, so that it is read, and
    refused, in one place.
    """
    if ranked.has_nan:
        return None
    truth = find_device_array(y_true, "y_true")
    if truth is None or not may_be_read_beside(truth, ranked):
        event = read_on_host(y_true, ranked, pos_label, target_type)
    elif len(truth) != len(ranked) or truth.has_nan:
        return None
    else:
        meaning = Meaning(pos_label=pos_label, target_type=target_type)
        event = read_on_device(truth, ranked, meaning)
    return None if event is None else DeviceColumns(event, ranked, descending=descending)


def may_be_read_beside(truth: DeviceArray, ranked: DeviceArray) -> bool:
    """Whether an outcome lies beside the score, and is told exactly from 0 and 1 there."""
    flushes = ranked.library == "jax" and truth.dtype in FLOATS  # 5e-324 would equal 0
    same = truth.library == ranked.library and truth.device == ranked.device
    return bool(same) and not flushes


def read_on_host(
    y_true: Any, ranked: DeviceArray, pos_label: Label | None, target_type: TargetType
) -> Any:
    """Read an outcome with NumPy, and bring it to the score; None if it is no events."""
    truth = flatten_column(as_array(y_true, "y_true"))
    if truth.shape != (len(ranked),):
        return None
    target = read_target(truth, pos_label, target_type)
    return ranked.send(target) if target.dtype == np.bool_ else None


def read_on_device(truth: DeviceArray, ranked: DeviceArray, meaning: Meaning) -> Any:
    """Return which rows are events, on the device; None if the outcome is no events."""
    seen = SeenOnDevice(truth)
    rule = decide_event(seen, meaning, {ranked.name: SeenOnDevice(ranked)})
    if not rule.has_events:
        return None
    if seen.kind == "boolean" and rule.label is None:
        return truth.values
    if rule in {OutcomeRule("flag"), OutcomeRule("label", 1)} and seen.kind != "boolean":
        return truth.values == 1
    return truth.send(rule.of_array(seen.values))
