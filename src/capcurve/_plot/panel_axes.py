"""Axes of panels: shared, with room for what all show, where they mean the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from capcurve._plot.picture import Axis, Picture
from capcurve._tally.dtypes import Array

MARGIN = 0.05  # beside the curves on an axis without ends, as matplotlib has it


def share_axes(pictures: Sequence[Picture]) -> list[Picture]:
    """Give pictures equal axes, unless they have other labels, units or names.

    Names of bands or of grades that differ would stand under what they do not name.
    """
    curves = [layer for picture in pictures for layer in picture.curves]
    across = share_axis([each.x for each in pictures], [layer.x for layer in curves])
    up = share_axis([each.y for each in pictures], [layer.y for layer in curves])
    return [
        replace(picture, x=x, y=y)
        for picture, x, y in zip(pictures, across, up, strict=True)
    ]


def share_axis(axes: Sequence[Axis], values: Sequence[Array]) -> list[Axis]:
    """Return an axis for each panel, with room for the values of the curves of all."""
    if len({(axis.label, axis.unit, axis.names) for axis in axes}) > 1:
        return list(axes)
    lows = [axis.low for axis in axes if axis.low is not None]
    highs = [axis.high for axis in axes if axis.high is not None]
    low = min(lows) if len(lows) == len(axes) else None
    high = max(highs) if len(highs) == len(axes) else None
    if low is None and high is None and values:
        low, high = find_ends(values)
    return [replace(axes[0], low=low, high=high)] * len(axes)


def find_ends(values: Sequence[Array]) -> tuple[float, float]:
    """Find the ends of an axis with room beside the finite values."""
    every = np.concatenate(values)
    every = every[np.isfinite(every)]
    low, high = float(every.min()), float(every.max())
    margin = MARGIN * (high - low) or 0.5
    return low - margin, high + margin


def are_shared(axes: Sequence[Axis]) -> bool:
    """Whether panels have one axis, so that one of them can show its ticks for all."""
    return all(axis == axes[0] for axis in axes)


def join_labels(axes: Sequence[Axis]) -> str:
    """Join the labels of the axes of all panels, each once."""
    return " or ".join(dict.fromkeys(axis.label for axis in axes))
