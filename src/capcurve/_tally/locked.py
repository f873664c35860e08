"""Results that never change: their arrays are read-only, and those of copies too."""

from collections.abc import Hashable
from dataclasses import fields
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray


class Locked:
    """Part of a frozen dataclass that holds arrays.

    Copies and pickles are made from the fields alone, and so are locked again; what was
    computed from the fields is computed again. Two results are equal if all fields are.
    """

    __dataclass_fields__: ClassVar[dict[str, Any]]

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                lock(value)

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        return type(self), list_values(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Locked) or type(self) is not type(other):
            return NotImplemented
        return all(map(are_equal, list_values(self), list_values(other)))

    def __hash__(self) -> int:
        return hash(tuple(map(summarise, list_values(self))))


def list_values(result: Locked) -> tuple[Any, ...]:
    """List the values of the fields."""
    return tuple(getattr(result, field.name) for field in fields(result))


def are_equal(one: Any, other: Any) -> bool:
    """Whether two values are the same; nan equals nan."""
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other, equal_nan=True)
    return bool(one == other)


def summarise(value: Hashable | NDArray[Any]) -> Hashable:
    """Replace an array by its shape, which equal arrays share."""
    return value.shape if isinstance(value, np.ndarray) else value


def lock(array: NDArray[Any]) -> NDArray[Any]:
    """Make an array read-only and return it; frozen results hold only such arrays."""
    array.flags.writeable = False
    return array
