"""Which arrays stay on their device, and how the others come to NumPy."""

import sys

import array_api_strict
import numpy as np
import pytest

from capcurve import CapcurveError, MissingDependencyError, accuracy_ratio_score
from capcurve._input.device_array import (
    DeviceArray,
    fetch,
    find_device_array,
    find_library,
)
from capcurve._input.device_libraries import order_bits

FAR = array_api_strict.Device("device1")


def far(values):
    return array_api_strict.asarray(np.asarray(values), device=FAR)


@pytest.mark.parametrize("values", [[0, 1], (0, 1), np.zeros(2), np.float64(1), None])
def test_what_numpy_knows_is_no_device_array(values):
    assert find_library(values) is None
    assert find_device_array(values, "y_score") is None


def test_an_array_in_the_memory_of_the_host_is_read_by_numpy():
    near = array_api_strict.asarray(np.array([0.2, 0.6]))
    assert find_library(near) == "array_api_strict"
    assert find_device_array(near, "y_score") is None
    assert fetch(near, "y_score").tolist() == [0.2, 0.6]


def test_an_array_on_a_device_stays_there_until_it_is_fetched():
    found = find_device_array(far([0.2, 0.6]), "y_score")
    assert find_device_array(found, "y_score") is found
    assert (found.dtype, found.ndim, len(found)) == ("float64", 1, 2)
    assert found.on_host.tolist() == [0.2, 0.6]
    assert found.device == FAR


def test_one_column_is_one_dimension():
    assert find_device_array(far([[1.0], [2.0]]), "y").on_host.tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    "values", [np.zeros((2, 2)), np.zeros(0), np.float64(1), np.zeros(2, np.uint32)]
)
def test_what_is_not_sorted_on_a_device_is_read_by_numpy(values):
    found = far(values)
    assert find_device_array(found, "y") is None
    assert fetch(found, "y").tolist() == values.tolist()


@pytest.mark.parametrize(
    ("values", "only_ends", "has_nan"),
    [
        ([True, False, True], True, False),
        ([3, 7, 3], True, False),
        ([3, 7, 5], False, False),
        ([1.0, 1.0], True, False),
        ([1.0, np.nan], False, True),
    ],
)
def test_a_device_array_tells_what_it_holds(values, only_ends, has_nan):
    found = find_device_array(far(values), "y")
    assert (found.holds_only_ends(), found.has_nan) == (only_ends, has_nan)


def test_marks_are_sent_to_the_device():
    sent = find_device_array(far([0.2, 0.6]), "y").send(np.array([True, False]))
    assert sent.device == FAR
    assert fetch(sent, "y").tolist() == [True, False]


def test_the_extra_that_a_device_needs_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "array_api_compat", None)
    with pytest.raises(MissingDependencyError, match=r'run: pip install "capcurve\[device'):
        accuracy_ratio_score(far([0, 1]), far([0.2, 0.6]))


class Sealed:
    """An array that does not give its values."""

    dtype = np.dtype("float32")

    def __array__(self, dtype=None, copy=None):
        raise TypeError("sealed")


def test_values_that_cannot_be_read_are_refused():
    with pytest.raises(CapcurveError, match=r"`y_score` must be an array whose values can"):
        fetch(Sealed(), "y_score")


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_bits_sort_as_the_floats_that_they_are(dtype):
    tiny, large = np.finfo(dtype).smallest_subnormal, np.finfo(dtype).max
    ascending = [-np.inf, -large, -1, -tiny, 0, tiny, 1, large, np.inf]
    keys = order_bits(np.array(ascending, dtype), np)
    assert np.all(np.diff(keys.astype(object)) > 0)
    assert order_bits(np.array([-0.0], dtype), np) == [0]


def test_a_namespace_is_found_for_numpy_itself():
    assert len(DeviceArray(np.zeros(3), "y")) == 3
