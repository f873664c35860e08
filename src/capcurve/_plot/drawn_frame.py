"""The lines, areas and bars of a picture as a tidy data frame."""

from __future__ import annotations

import re
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from capcurve._curve.points import BACKENDS, Backend
from capcurve._plot.picture import Axis, Layer, Picture
from capcurve._tally.dtypes import Array
from capcurve.exceptions import CapcurveError, MissingDependencyError


def make_frame(picture: Picture, backend: Backend) -> Any:
    """Return a row for each point drawn: curve, role, both coordinates and upper edge."""
    if backend not in BACKENDS:
        raise CapcurveError(
            f"`backend` must be one of {', '.join(map(repr, BACKENDS))}, got "
            f"{backend!r}; other libraries can convert one of these"
        )
    parts = [list_points(layer, picture.x) for layer in picture.layers]
    joined = [np.concatenate(columns).tolist() for columns in zip(*parts, strict=True)]
    names = ("curve", "role", name_column(picture.x), name_column(picture.y), "upper")
    try:
        frame = nw.from_dict(dict(zip(names, joined, strict=True)), backend=backend)
    except ModuleNotFoundError as error:
        raise MissingDependencyError(backend, purpose="`frame`") from error
    return frame.to_native()


def name_column(axis: Axis) -> str:
    """Return the label of an axis, without its remarks, as the name of a column."""
    return re.sub(r" \(.*", "", axis.label).lower().replace(" ", "_")


def list_points(layer: Layer, axis: Axis) -> tuple[Array, ...]:
    """Return the columns of a layer; nan as upper edge of a line."""
    drawn = ~np.isnan(layer.x)
    x, y = layer.x[drawn], layer.y[drawn]
    top = np.full(len(x), np.nan) if layer.top is None else np.asarray(layer.top)[drawn]
    across: Array = x
    if axis.unit == "name":
        across = np.array([name_place(place, axis) for place in x.tolist()], dtype=object)
    return (
        np.full(len(x), layer.name, dtype=object),
        np.full(len(x), layer.role, dtype=object),
        across,
        y,
        top,
    )


def name_place(place: float, axis: Axis) -> str:
    """Name a place on an axis of names; the ends of a line may lie beside the names."""
    last = len(axis.names) - 1
    return axis.names[int(min(max(round(place), 0), last))]
