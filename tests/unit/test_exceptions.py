"""Errors and warnings travel between processes: copied and pickled, they stay the same."""

import copy
import inspect
import pickle

import polars as pl
import pytest

from capcurve import (
    DroppedRowsWarning,
    MissingDependencyError,
    exceptions,
    gain_capture,
)

MADE = [
    kind(f"in a {kind.__name__}")
    for _, kind in inspect.getmembers(exceptions, inspect.isclass)
    if issubclass(kind, Exception) and kind is not MissingDependencyError
]
MISSING = [
    MissingDependencyError("matplotlib", purpose="plotting", extra="plot"),
    MissingDependencyError("polars", purpose="`to_frame`"),
]
WAYS = [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))]  # noqa: S301 -- our own


def test_code_without_a_module_name_is_warned_too():
    rows = pl.DataFrame({"y": [1, 0, None], "s": [3, 2, 1]})
    names = {"gain_capture": gain_capture, "rows": rows}  # as `exec` of a text has
    with pytest.warns(DroppedRowsWarning, match="left out 1 of 3 rows"):
        eval("gain_capture(rows, 'y', 's')", names)  # noqa: S307 -- our own text


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("error", [*MADE, *MISSING], ids=str)
def test_they_can_be_copied_and_pickled(error, way):
    error.add_note("in block 3")
    again = way(error)
    assert type(again) is type(error)
    assert (str(again), again.args) == (str(error), error.args)
    assert again.__notes__ == error.__notes__
    assert getattr(again, "name", None) == getattr(error, "name", None)


def test_a_warning_of_dropped_rows_keeps_its_numbers():
    warning = exceptions.DroppedRowsWarning("left out 2 rows", 2, {"s": 1, "y": 2})
    again = pickle.loads(pickle.dumps(warning))  # noqa: S301 -- our own
    assert (again.n_rows, again.missing) == (2, {"s": 1, "y": 2})
    assert exceptions.DroppedRowsWarning().missing == {}


def test_code_without_a_name_is_warned_too():
    called = "warn('it is so', UserWarning)"
    with pytest.warns(UserWarning, match="it is so"):
        eval(called, {"warn": exceptions.warn_caller})  # noqa: S307 -- our own text
