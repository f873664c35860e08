"""Arrays of torch, CuPy and JAX: which of them stay on their device, and how others come.

A library is recognised by the type's module, so none is imported that is not in use.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from capcurve._input.device_libraries import (
    copy_to_host,
    may_stay,
    refuse_placeholder,
)
from capcurve._tally.dtypes import Array
from capcurve.exceptions import CapcurveError, MissingDependencyError

LIBRARIES = {"torch", "cupy", "jax", "jaxlib", "array_api_strict"}
MAX_ROWS = 2**31 - 1  # torch sorts, and JAX ranks, no more
FLOATS = ("float16", "bfloat16", "float32", "float64")
SORTABLE = (*FLOATS, "bool", "uint8", "int8", "int16", "int32", "int64")


def find_library(values: object) -> str | None:
    """Name the library of a device array; None for whatever else."""
    if type(values) in {np.ndarray, list} or not hasattr(values, "dtype"):
        return None
    roots = (base.__module__.partition(".")[0] for base in type(values).__mro__)
    library = next((root for root in roots if root in LIBRARIES), None)
    return "jax" if library == "jaxlib" else library


class DeviceArray:
    """A one-dimensional array that stays where it lies.

    Parameters
    ----------
    values : array of torch, CuPy or JAX
        One value for each row.
    name : str
        Its argument, for messages.
    """

    ndim = 1

    def __init__(self, values: Any, name: str) -> None:
        self.library, self.name = find_library(values), name
        self.values = values.detach() if self.library == "torch" else values
        self.dtype = name_dtype(values)
        self.xp = load_namespace(values)

    def __len__(self) -> int:
        return int(self.values.shape[0])

    @cached_property
    def on_host(self) -> Array:
        """The values as a NumPy array, fetched once."""
        return fetch(self.values, self.name)

    @property
    def has_nan(self) -> bool:
        """Whether a value is missing."""
        return self.dtype in FLOATS and bool(self.xp.any(self.xp.isnan(self.values)))

    @property
    def numbers(self) -> Any:
        """The values, on the device, with booleans as 0 and 1."""
        is_flag = self.dtype == "bool"
        return self.xp.astype(self.values, self.xp.uint8) if is_flag else self.values

    @cached_property
    def ends(self) -> tuple[Any, Any]:
        """Smallest and largest value, on the device."""
        return self.xp.min(self.numbers), self.xp.max(self.numbers)

    def holds_only_ends(self) -> bool:
        """Whether every value is the smallest or the largest."""
        low, high = self.ends
        return bool(self.xp.all((self.numbers == low) | (self.numbers == high)))

    @property
    def device(self) -> Any:
        """Where the values lie."""
        import array_api_compat

        return array_api_compat.device(self.values)

    def send(self, marked: Array) -> Any:
        """Bring a NumPy array of booleans to the device of this one."""
        own = np.require(marked, requirements="W")  # torch warns of memory of others
        return self.xp.asarray(own, dtype=self.xp.bool, device=self.device)


def find_device_array(values: Any, name: str) -> DeviceArray | None:
    """Return an array that is sorted where it lies; None for one that NumPy is to read.

    NumPy reads what lies in the memory of the host. It also reads what a device does not
    sort exactly: JAX without 64-bit types, the GPU of a Mac, a TPU, and types that some
    library does not sort.
    """
    if isinstance(values, DeviceArray):
        return values
    library = find_library(values)
    if library is None:
        return None
    refuse_placeholder(values, library, name)
    if not may_stay(values, library) or name_dtype(values) not in SORTABLE:
        return None
    if values.ndim == 2 and values.shape[1] == 1:  # noqa: PLR2004 -- (n, 1), as a network gives
        values = values[:, 0]
    fits = values.ndim == 1 and 0 < values.shape[0] <= MAX_ROWS
    return DeviceArray(values, name) if fits else None


def load_namespace(values: Any) -> Any:
    """Return the functions of the library of an array, by their standard names."""
    try:
        import array_api_compat
    except ImportError as error:
        raise MissingDependencyError(
            "array-api-compat", purpose="arrays on a device", extra="device"
        ) from error
    return array_api_compat.array_namespace(values)


def name_dtype(values: Any) -> str:
    """Name the type of the values of an array, such as 'float32'."""
    return str(getattr(values.dtype, "name", values.dtype)).rpartition(".")[2]


def fetch(values: Any, name: str) -> Array:
    """Return the values of an array of any library as a NumPy array, bit for bit."""
    library = str(find_library(values))
    refuse_placeholder(values, library, name)
    try:
        return copy_to_host(values, library)
    except (TypeError, ValueError, RuntimeError) as error:
        raise CapcurveError(
            f"`{name}` must be an array whose values can be read, got {library} "
            f"{type(values).__name__} of dtype {name_dtype(values)}; pass it as a NumPy "
            "array"
        ) from error
