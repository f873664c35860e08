"""Axes of panels: shared, with room for what all show, where they mean the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from capcurve._plot.picture import Axis, Picture
from capcurve._tally.dtypes import Array

MARGIN = 0.05  # beside the curves on an axis without ends, as matplotlib has it
# Share of a common axis that the curves of each panel must span, as those of a score from
# 0 to 1 would be a vertical line on the axis of a scorecard from 300 to 850.
LEAST = 0.2


def share_axes(pictures: Sequence[Picture]) -> list[Picture]:
    """Give pictures equal axes, unless these have other labels, units, names or scales.

    Names of bands or of grades that differ would stand under what they do not name.
    """
    across = share_axis(
        [each.x for each in pictures],
        [[layer.x for layer in each.curves] for each in pictures],
    )
    up = share_axis(
        [each.y for each in pictures],
        [[layer.y for layer in each.curves] for each in pictures],
    )
    return [
        replace(picture, x=x, y=y)
        for picture, x, y in zip(pictures, across, up, strict=True)
    ]


def share_axis(axes: Sequence[Axis], values: Sequence[Sequence[Array]]) -> list[Axis]:
    """Return an axis for each panel, with room for the values of the curves of all.

    Where no ends are given and the values of some panel span less than a fifth of those of
    all, each panel has the ends of its own values.
    """
    if len({(axis.label, axis.unit, axis.names) for axis in axes}) > 1:
        return list(axes)
    lows = [axis.low for axis in axes if axis.low is not None]
    highs = [axis.high for axis in axes if axis.high is not None]
    if lows or highs or not all(values):
        low = min(lows) if len(lows) == len(axes) else None
        high = max(highs) if len(highs) == len(axes) else None
        return [replace(axes[0], low=low, high=high)] * len(axes)
    ends = [find_ends(each) for each in values]
    if axes[0].unit == "name" or are_alike(ends):
        low, high = min(low for low, _ in ends), max(high for _, high in ends)
        ends = [(low, high)] * len(axes)
    return [add_margin(axis, *each) for axis, each in zip(axes, ends, strict=True)]


def find_ends(values: Sequence[Array]) -> tuple[float, float]:
    """Find the least and the largest finite value."""
    every = np.concatenate(values)
    every = every[np.isfinite(every)]
    return float(every.min()), float(every.max())


def are_alike(ends: Sequence[tuple[float, float]]) -> bool:
    """Whether no values span but a small part of those of all; a single one may."""
    spans = [high - low for low, high in ends if high > low]
    whole = max(high for _, high in ends) - min(low for low, _ in ends)
    return not spans or min(spans) >= LEAST * whole


def add_margin(axis: Axis, low: float, high: float) -> Axis:
    """Return an axis with room beside its values."""
    margin = MARGIN * (high - low) or 0.5
    return replace(axis, low=low - margin, high=high + margin)


def are_shared(axes: Sequence[Axis]) -> bool:
    """Whether panels have one axis, so that one of them can show its ticks for all."""
    return all(axis == axes[0] for axis in axes)


def join_labels(axes: Sequence[Axis]) -> str:
    """Join the labels of the axes of all panels, each once."""
    return " or ".join(dict.fromkeys(axis.label for axis in axes))
