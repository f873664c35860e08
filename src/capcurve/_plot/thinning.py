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
    spans = [(0, len(x) - 1)]
    while spans:
        start, stop = spans.pop()
        if stop - start > 1:
            far, distance = find_farthest(x[start : stop + 1], y[start : stop + 1])
            if distance > TOLERANCE:
                kept[start + far] = True
                spans += [(start, start + far), (start + far, stop)]
    columns = np.floor(x * (COLUMNS / width))
    kept[np.unique(columns, return_index=True)[1]] = True
    return np.flatnonzero(kept)


def find_farthest(x: Array, y: Array) -> tuple[int, float]:
    """Find the point farthest from the segment between both ends, and its distance."""
    across, up = x[-1] - x[0], y[-1] - y[0]
    beside, above = x - x[0], y - y[0]
    squared = across**2 + up**2
    along = (beside * across + above * up) / squared if squared else np.zeros(len(x))
    along = np.clip(along, 0, 1)
    distance = np.hypot(beside - along * across, above - along * up)
    far = int(np.argmax(distance))
    return far, float(distance[far])
