"""What torch, CuPy and JAX each do in a way of their own.

Tests of these lines need the libraries, so they stand in tests/integrations.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from capcurve._tally.dtypes import Array
from capcurve.exceptions import CapcurveError

DEVICES = ("cuda", "gpu", "rocm")  # of torch and JAX; others do not compare as NumPy does


def may_stay(values: Any, library: str) -> bool:
    """Whether an array lies on a device on which numbers are told apart as on the host."""
    match library:
        case "torch":
            is_dense = str(values.layout) == "torch.strided"
            return is_dense and values.device.type in DEVICES
        case "jax":
            places = list(values.devices())
            has_64_bits = bool(sys.modules["jax"].config.jax_enable_x64)
            return len(places) == 1 and places[0].platform in DEVICES and has_64_bits
        case "array_api_strict":  # whose devices are pretended, for tests
            return "CPU_DEVICE" not in str(values.device)
    return True


def refuse_placeholder(values: Any, library: str, name: str) -> None:
    """Refuse what a compiler passes in place of an array that has values."""
    found = ""
    if library == "jax" and isinstance(values, sys.modules["jax"].core.Tracer):
        found = "a traced JAX array"
    if library == "torch" and (values.is_meta or "FakeTensor" in type(values).__name__):
        found = "a torch tensor without data"
    if found:
        raise CapcurveError(
            f"`{name}` must hold values, got {found}; call capcurve outside of `jax.jit`, "
            "`jax.grad` and the like, on the arrays that they return"
        )


def copy_to_host(values: Any, library: str) -> Array:
    """Copy an array to the host; share the memory of one that lies there, if possible.

    Floats that NumPy does not have become float32, which holds them exactly.
    """
    match library:
        case "torch":
            values = values.detach().cpu()
            if "float8" in str(values.dtype) or "bfloat16" in str(values.dtype):
                values = values.float()
            return np.asarray(values.numpy())
        case "cupy":
            return np.asarray(values.get())
        case "array_api_strict":
            return np.asarray(values.to_device(type(values.device)("CPU_DEVICE")))
    array = np.asarray(values)
    is_narrow = array.dtype.name.startswith(("bfloat16", "float8"))
    return array.astype(np.float32) if is_narrow else array


def order_bits(values: Any, xp: Any) -> Any:
    """Return the bits of JAX floats as integers that sort as the floats do.

    JAX takes the smallest floats for 0, so it cannot compare the floats themselves.
    """
    bits = values.view(getattr(xp, f"int{8 * values.dtype.itemsize}"))
    limits = xp.iinfo(bits.dtype)
    keys = xp.where(bits < 0, bits ^ limits.max, bits)
    return xp.where(bits == limits.min, 0, keys)  # -0.0 equals 0.0
