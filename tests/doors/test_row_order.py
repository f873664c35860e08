"""Series of pandas with rows in another order, at every door that takes arrays."""

import inspect

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import capcurve
from capcurve import CapcurveError
from doors.test_odd_inputs import S2, USES, N, S, Y

pytestmark = pytest.mark.filterwarnings("ignore")

LABELS = pd.Index([f"row {number}" for number in range(N)])
OTHER_ROWS = {"reference"}  # of another portfolio
TWO = {"y_true": Y, "y_score": {"a": S, "b": S2}}
DOORS = {
    **USES,
    "DoubleLiftDisplay.from_predictions": (
        capcurve.DoubleLiftDisplay.from_predictions,
        TWO,
    ),
    "plot_summary": (capcurve.plot_summary, {"y_true": Y, "y_score": S}),
    "CAPCurveDisplay.from_predictions, of classes": (
        capcurve.CAPCurveDisplay.from_predictions,
        {"y_true": Y, "y_score": np.column_stack([1 - S, S])},
    ),
    "CAPCurveDisplay.from_predictions, of models": (
        capcurve.CAPCurveDisplay.from_predictions,
        TWO,
    ),
}


def is_of_rows(values):
    """Whether an argument has a value, or values, for each row."""
    if isinstance(values, dict):
        return all(map(is_of_rows, values.values()))
    return np.ndim(values) > 0 and len(values) == N


def list_rows(function, given):
    """List the arguments that have a value for each row, with those that may be added."""
    found = {
        name: values
        for name, values in given.items()
        if name not in OTHER_ROWS and not hasattr(values, "columns") and is_of_rows(values)
    }
    more = {"sample_weight": np.ones(N), "clusters": np.arange(N) // 2}
    known = inspect.signature(function).parameters
    if np.ndim(found.get("y_score")) > 1:
        more.pop("clusters")
    return found | {name: more[name] for name in more if name in known and found}


ROWS = {door: list_rows(*use) for door, use in DOORS.items()}
PAIRED = {door: list(rows) for door, rows in ROWS.items() if len(rows) > 1}
ARGUMENTS = [
    pytest.param(door, name, id=f"{door}({name})")
    for door, names in PAIRED.items()
    for name in names
]


def call(door, index, **others):
    """Call a door with rows that have an index, and some arguments with another one."""
    function, given = DOORS[door]
    fresh = {"ax": Figure().subplots()} if "ax" in given else {}
    rows = {
        name: add_index(values, others.get(name, index))
        for name, values in ROWS[door].items()
    }
    function(**{**given, **fresh, **rows})


def add_index(values, index):
    """Make a series or a data frame of values, or several by name."""
    if isinstance(values, dict):
        return {name: add_index(each, index) for name, each in values.items()}
    kind = pd.DataFrame if np.ndim(values) > 1 else pd.Series
    return kind(np.asarray(values), index=index)


def test_most_doors_take_rows():
    assert len(PAIRED) >= 30
    names = {name for names in PAIRED.values() for name in names}
    assert {"X", "y", "y_scores", "segments", "sample", "sample_weight"} <= names


@pytest.mark.parametrize(("door", "argument"), ARGUMENTS)
def test_rows_in_another_order_are_refused(door, argument):
    told = (
        r"^`\S+` must have the index of `\S+` in the same order, got the same labels in "
        r"another order; pass `.*\.reindex\(.*\.index\)` to pair rows by label, or "
        r"`\.to_numpy\(\)` of both"
    )
    with pytest.raises(CapcurveError, match=told) as refusal:
        call(door, LABELS, **{argument: LABELS[::-1]})
    assert f"`{argument}" in str(refusal.value)


@pytest.mark.slow
@pytest.mark.parametrize("door", PAIRED)
def test_rows_in_the_same_order_or_with_another_index_are_paired_by_position(door):
    call(door, LABELS[::-1])
    for argument in ROWS[door]:
        call(door, LABELS, **{argument: pd.RangeIndex(N)})
