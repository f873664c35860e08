"""Arrays of torch and JAX give the numbers of NumPy arrays, fetched or sorted in place.

Both run on the processor here. NumPy reads what lies there, so these tests say of it that
it lies on a device; no GPU has to be had.
"""

import subprocess
import sys

import jax
import numpy as np
import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

import capcurve
from capcurve import CapcurveError, accuracy_ratio_interval, accuracy_ratio_score
from capcurve._engines.rows import count_pairs, tally_rows
from capcurve._input import device_array
from capcurve._input.column import as_array
from capcurve._input.device_columns import DeviceColumns
from capcurve._input.reading import read_columns

jax.config.update("jax_enable_x64", val=True)
LIBRARIES = {"torch": lambda a: torch.from_numpy(np.array(a)), "jax": jax.numpy.asarray}
FLOATS = ["float16", "float32", "float64"]
INTEGERS = ["uint8", "int8", "int16", "int32", "int64", "bool"]


@pytest.fixture
def pretend(monkeypatch):
    """Say of every array that it lies on a device."""
    monkeypatch.setattr(device_array, "may_stay", lambda *_: True)


@pytest.fixture(params=LIBRARIES)
def put(request):
    return LIBRARIES[request.param]


def make_rows(dtype, n, rate):
    rng = np.random.default_rng(18)
    event = rng.random(n) < rate
    event[:2] = True, False
    score = 9 * (rng.normal(size=n) + event)
    if dtype in INTEGERS:
        return event, np.abs(score).astype(dtype)
    tiny = float(np.finfo(dtype).smallest_subnormal)
    for special in (0.0, -0.0, np.inf, -np.inf, tiny, -tiny):
        score[rng.random(n) < 0.06] = special
    return event, score.astype(dtype)


@pytest.mark.usefixtures("pretend")
@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize("rate", [0.05, 0.9])
@pytest.mark.parametrize("n", [2, 2000])
@pytest.mark.parametrize("dtype", FLOATS + INTEGERS)
def test_every_count_is_that_of_numpy(put, dtype, n, rate, descending):
    event, score = make_rows(dtype, n, rate)
    expected = read_columns(event, score, descending=descending)
    for truth in (put(event), event, put(event.astype(np.float32))):
        found = read_columns(truth, put(score), descending=descending)
        assert isinstance(found, DeviceColumns)
        assert count_pairs(found) == count_pairs(expected)
        ours, theirs = tally_rows(found), tally_rows(expected)
        for name in ("score", "weight", "target"):
            assert getattr(ours, name).tolist() == getattr(theirs, name).tolist()
            assert getattr(ours, name).dtype == getattr(theirs, name).dtype
        assert found.score.dtype == expected.score.dtype
        assert found.target.tolist() == expected.target.tolist()


@pytest.mark.parametrize("dtype", FLOATS + INTEGERS)
def test_arrays_on_the_processor_are_read_by_numpy(put, dtype):
    event, score = make_rows(dtype, 300, 0.3)
    assert type(read_columns(put(event), put(score))) is not DeviceColumns
    found = accuracy_ratio_interval(put(event), put(score))
    assert repr(vars(found)) == repr(vars(accuracy_ratio_interval(event, score)))


def test_memory_of_the_processor_is_shared():
    tensor = torch.zeros(3, dtype=torch.float64)
    assert np.shares_memory(as_array(tensor, "y_score"), tensor.numpy())


@pytest.mark.usefixtures("pretend")
@pytest.mark.parametrize("is_near", [True, False])
def test_bfloat16_is_read_as_float32(put, is_near, monkeypatch):
    if is_near:
        monkeypatch.undo()
    event, _ = make_rows("float64", 500, 0.3)
    upper = np.random.default_rng(3).integers(0, 0x7F80, 500).astype(np.int32) << 16
    score = upper.view(np.float32)  # each is a bfloat16; some are the smallest of all
    score[::7] *= -1
    if put is LIBRARIES["torch"]:
        narrow = torch.from_numpy(score).to(torch.bfloat16)
    else:
        narrow = jax.numpy.asarray((score.view(np.int32) >> 16).astype(np.int16)).view(
            jax.numpy.bfloat16
        )
    assert as_array(narrow, "y_score").tolist() == score.tolist()
    found = capcurve.cap_curve(put(event), narrow)
    expected = capcurve.cap_curve(event, score)
    for ours, theirs in zip(found, expected, strict=True):
        assert ours.tolist() == theirs.tolist()
        assert ours.dtype == theirs.dtype


@pytest.mark.parametrize("is_near", [True, False])
def test_a_tensor_that_has_a_gradient_is_taken_as_it_is(is_near, monkeypatch):
    if not is_near:
        monkeypatch.setattr(device_array, "may_stay", lambda *_: True)
    score = torch.tensor([0.9, 0.8, 0.3, 0.3], requires_grad=True)
    assert accuracy_ratio_score(torch.tensor([1, 0, 1, 0]), score) == 0.25
    parameter = torch.nn.Parameter(score.detach()[:, None])
    assert accuracy_ratio_score([1, 0, 1, 0], parameter) == 0.25


def test_traced_arrays_are_refused():
    traced = jax.jit(lambda s: accuracy_ratio_score([1, 0], s))
    with pytest.raises(CapcurveError, match=r"`y_score` must hold values, got a traced"):
        traced(jax.numpy.zeros(2))
    truth = jax.jit(lambda y: accuracy_ratio_score(y, [0.2, 0.6]))
    with pytest.raises(CapcurveError, match=r"`y_true` must hold values, got a traced"):
        truth(jax.numpy.zeros(2))


def test_tensors_without_data_are_refused():
    with FakeTensorMode():
        fake = torch.zeros(2)
    for tensor in (fake, torch.zeros(2, device="meta")):
        with pytest.raises(CapcurveError, match=r"`y_score` must hold .* without data; "):
            accuracy_ratio_score([1, 0], tensor)


@pytest.mark.usefixtures("pretend")
def test_an_outcome_that_may_not_be_written_is_sent(put):
    event = np.array([True, False])
    event.flags.writeable = False
    assert accuracy_ratio_score(event, put([0.6, 0.2])) == 1


def test_sparse_tensors_are_refused():
    with pytest.raises(CapcurveError, match="whose values can be read, got torch Tensor"):
        accuracy_ratio_score([1, 0], torch.tensor([0.0, 1.0]).to_sparse())


def test_arrays_without_64_bits_are_read_by_numpy():
    program = """
import jax
from capcurve import accuracy_ratio_score
from capcurve._input import device_libraries
device_libraries.DEVICES = ("cpu",)  # as if it were a GPU
zeros = jax.numpy.zeros(2)
assert not device_libraries.may_stay(zeros, "jax")
print(accuracy_ratio_score(jax.numpy.asarray([1, 0, 1]), jax.numpy.asarray([3, 2, 1])))
jax.config.update("jax_enable_x64", True)
assert device_libraries.may_stay(zeros, "jax")
"""
    command = [sys.executable, "-c", program]
    run = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
    assert run.stdout == "0.0\n"


def test_importing_capcurve_imports_no_library_of_arrays():
    program = """
import sys
from capcurve import accuracy_ratio_score
accuracy_ratio_score([0, 1], [0.2, 0.6])
print({"torch", "jax", "cupy", "array_api_compat"} & set(sys.modules))
"""
    command = [sys.executable, "-c", program]
    run = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
    assert run.stdout == "set()\n"
