"""Results with arrays: read-only, in copies and pickles too, and equal by value."""

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest

from capcurve import CapCurve, CapSketch, GainsTable, random_band
from capcurve._tally.locked import list_values

Y, S = [1, 0, 1, 0, 0], [0.9, 0.5, 0.5, 0.3, 0.1]
CURVE = CapCurve.from_predictions(Y, S)
SKETCH = CapSketch(max_bins=3)
SKETCH.update(Y, S)
RESULTS = {
    "tally": CURVE.tally,
    "curve": CURVE,
    "bins": SKETCH.curve.by_score,
    "binned curve": SKETCH.curve,
    "gains table": GainsTable.from_curve(CURVE, 2),
    "band": random_band(2, 3),
}
WAYS = {
    "as it is": lambda result: result,
    "copied": copy.copy,
    "copied in depth": copy.deepcopy,
    "pickled": lambda result: pickle.loads(pickle.dumps(result)),  # noqa: S301 -- our own
    "replaced": replace,
}
every_result = pytest.mark.parametrize("name", RESULTS)
every_way = pytest.mark.parametrize("way", WAYS)


def list_arrays(result):
    """List the arrays of a result, and of the results in its fields."""
    for value in list_values(result):
        if isinstance(value, np.ndarray):
            yield value
        elif hasattr(value, "__dataclass_fields__"):
            yield from list_arrays(value)


@every_result
@every_way
def test_arrays_are_read_only(name, way):
    arrays = list(list_arrays(WAYS[way](RESULTS[name])))
    assert len(arrays) > 2
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


@every_way
def test_what_is_computed_from_a_curve_is_read_only(way):
    assert len(CURVE.population_share) == 5  # so that it is held
    again = WAYS[way](CURVE)
    for array in (again.population_share, again.capture_rate, again.thresholds):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


@every_result
@every_way
def test_copies_are_equal(name, way):
    result, again = RESULTS[name], WAYS[way](RESULTS[name])
    assert result == again
    assert hash(result) == hash(again)
    assert {result, again} == {result}


def test_results_of_other_rows_or_kinds_differ():
    other = CapCurve.from_predictions(Y, S[::-1])
    assert other != CURVE
    assert other.tally != CURVE.tally
    assert replace(CURVE, tie_slack=None) != CURVE
    assert CURVE.tally != CURVE
    assert CURVE.tally != 3
    assert CapCurve.from_predictions(Y[::-1], S[::-1]) == CURVE


def test_nan_equals_nan():
    table = replace(RESULTS["gains table"], lift=np.array([np.nan, 1.0]))
    assert table == replace(table, lift=np.array([np.nan, 1.0]))
    assert table != RESULTS["gains table"]
