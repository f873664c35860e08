"""What a picture shows, decided once; the renderers draw it and decide nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from capcurve._tally.dtypes import Array
from capcurve.exceptions import CapcurveError

Path = tuple[Array, Array]
# What a layer stands for, from which a renderer takes its looks.
Role = Literal[
    "curve",  # a line for a model, a class label or a group
    "fold",  # a line for one of several samples that belong together
    "chance",
    "perfect",
    "band",  # the area between two lines, around the curve of the same number
    "random band",
    "bounds",
    "spread",
    "shade",
    "gap",  # a line between two curves
    "bars",
    "limits",  # the interval of each bar
]
Unit = Literal["share", "amount", "number", "score", "name"]
Corner = Literal["lower right", "upper right", "upper left"]
MOST_CURVES = 20  # that a reader can tell apart by colour, dashes and markers

ROUNDING = 1e-9  # relative difference of totals of the same rows, in another order


def printable(text: str) -> str:
    """Replace halves of characters, which no font has and no file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


@dataclass(frozen=True, slots=True, eq=False)
class Detail:
    """A further value at each point of a layer, for the reader who points at it."""

    label: str
    unit: Unit
    values: Array


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """A line, an area or the bars of a picture.

    ``top`` is the upper edge of an area, or the upper limit of an interval; ``y`` is the
    lower one then. ``number`` is the position, among all curves of the picture, of the one
    that the layer belongs to, which gives it its colour, dashes and marker. ``entry`` is
    its text in the legend; None leaves it out. ``read`` returns the heights of the curve
    itself at places along x; None where the line has all its points.
    """

    role: Role
    x: Array
    y: Array
    top: Array | None = None
    number: int = 0
    name: str | None = None
    entry: str | None = None
    details: tuple[Detail, ...] = ()
    read: Callable[[Array], Array] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.name and printable(self.name))
        object.__setattr__(self, "entry", self.entry and printable(self.entry))


@dataclass(frozen=True, slots=True)
class Mark:
    """A point of a curve that is read off, with its value as text.

    ``brief`` is a shorter text for a legend.
    """

    number: int
    x: float
    y: float
    text: str
    brief: str = ""


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis: its label, the unit of its values, and its limits where they are known."""

    label: str
    unit: Unit
    low: float | None = None
    high: float | None = None
    names: tuple[str, ...] = ()  # of the whole numbers from 0 on, if the unit is a name

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", printable(self.label))
        object.__setattr__(self, "names", tuple(map(printable, self.names)))


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A picture as data: layers, marks, axes and title.

    ``corner`` is where there is usually room for a legend. ``room_below`` tells whether
    there is room for text below the curves, or above them. ``is_alone`` tells whether no
    other picture can be on its axes, as its lines have no name of their own, or stand at
    places that those of another have as well.
    """

    title: str
    x: Axis
    y: Axis
    layers: tuple[Layer, ...]
    marks: tuple[Mark, ...] = ()
    corner: Corner = "lower right"
    room_below: bool = True
    is_square: bool = False
    is_alone: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", printable(self.title))

    @property
    def curves(self) -> tuple[Layer, ...]:
        """The lines of models, labels or groups, without folds and references."""
        return tuple(layer for layer in self.layers if layer.role == "curve")


def refuse_many_curves(n_curves: int, instead: str, lines_each: int = 1) -> None:
    """Raise for more curves than a reader can tell apart."""
    most = MOST_CURVES // lines_each
    if n_curves > most:
        raise CapcurveError(
            f"a picture must have at most {most} curves to be told apart, got "
            f"{n_curves}; {instead}"
        )


def merge_distinct(paths: Sequence[Path]) -> Path:
    """Join the distinct paths to one, with gaps between them."""
    distinct: list[Path] = []
    for path in paths:
        if not any(map(partial(are_alike, path), distinct)):
            distinct.append(path)
    gap = np.array([np.nan])
    x, y = (
        np.concatenate([part for path in distinct for part in (path[axis], gap)])[:-1]
        for axis in (0, 1)
    )
    return x, y


def are_alike(first: Path | Array, second: Path | Array) -> bool:
    """Whether two paths are the same but for the rounding of their sums.

    Totals of the same rows that were added in another order differ in the last digits.
    """
    return all(
        a.shape == b.shape
        and np.allclose(a, b, rtol=0, atol=ROUNDING * find_largest(a), equal_nan=True)
        for a, b in zip(first, second, strict=True)
    )


def find_largest(values: Array) -> float:
    """Return the largest size of a finite number; 0 where there is none."""
    return float(np.max(np.abs(values), where=np.isfinite(values), initial=0.0))
