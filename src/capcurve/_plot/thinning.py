"""Thin a line to the points that can be seen."""

from __future__ import annotations

import numpy as np

from capcurve._tally.dtypes import Array

TOLERANCE = 0.5  # pixels that a line may move
COLUMNS = 150  # each of which keeps a point, so that there is one to point at


def choose_points(x: Array, y: Array, width: float) -> Array:
    """Choose the points of a line that are drawn, by position.

    Parameters
    ----------
    x, y : ndarray of shape (n_points,)
        Points in pixels, without gaps.
    width : float
        Width of the picture in pixels.

    Returns
    -------
    ndarray of int
        Positions of the points to keep, in order: the fewest for which the line moves by no
        more than half a pixel, after Douglas and Peucker (1973),
        doi:10.3138/FM57-6770-U75U-7727, and the first point in each column.
    """
    kept = np.zeros(len(x), dtype=bool)
    kept[[0, -1]] = True
    while len(far := find_farthest(x, y, np.flatnonzero(kept))):
        kept[far] = True
    columns = np.floor(x * (COLUMNS / width))
    kept[np.unique(columns, return_index=True)[1]] = True
    return np.flatnonzero(kept)


def find_farthest(x: Array, y: Array, ends: Array) -> Array:
    """Find the point farthest from each segment between ends, where a line would move."""
    segment = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
    start, stop = ends[segment], ends[segment + 1]
    across, up = x[stop] - x[start], y[stop] - y[start]
    beside, above = x[:-1] - x[start], y[:-1] - y[start]
    squared = across**2 + up**2
    along = np.clip((beside * across + above * up) / np.where(squared, squared, 1), 0, 1)
    distance = np.hypot(beside - along * across, above - along * up)
    largest = np.maximum.reduceat(distance, ends[:-1])[segment]
    far = np.flatnonzero((distance == largest) & (largest > TOLERANCE))
    return far[np.unique(segment[far], return_index=True)[1]]
