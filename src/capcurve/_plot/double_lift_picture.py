"""Pictures of double lift: outcome and two predictions by band of their ratio."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from capcurve._curve.double_lift import DoubleLift
from capcurve._input.dtypes import Label
from capcurve._plot.numbers import format_count, format_ratio
from capcurve._plot.picture import Axis, Detail, Layer, Picture

NAMES = ("A", "B")


def describe_double_lift(
    found: DoubleLift,
    names: Sequence[str],
    *,
    pos_label: Label | None,
    plot_chance_level: bool,
    title: str | None,
) -> Picture:
    """Describe the mean outcome and both mean predictions of each band as lines."""
    places = np.arange(len(found.band), dtype=np.float64)
    ratio = f"{names[1]} / {names[0]}"
    details = (
        Detail("Population", "amount", found.n),
        Detail(f"Lowest {ratio}", "number", found.lowest_ratio),
        Detail(f"Highest {ratio}", "number", found.highest_ratio),
    )
    layers = [
        Layer("curve", places, mean, number=i, name=name, entry=name, details=details)
        for i, (name, mean) in enumerate(
            (
                ("Outcome", found.outcome),
                (names[0], found.prediction_a),
                (names[1], found.prediction_b),
            )
        )
    ]
    if plot_chance_level:
        mean = np.full(2, found.total_outcome)
        entry = f"All rows ({format_count(found.total_outcome)})"
        layers.insert(0, Layer("chance", places[[0, -1]], mean, entry=entry))
    label = "Mean" if pos_label is None else f"Mean (positive label: {pos_label})"
    remark = ", rescaled" if found.rescaled else ""
    return Picture(
        title=f"Double lift, {ratio}{remark}" if title is None else title,
        x=Axis(f"Band ({ratio}, smallest first)", "name", names=name_bands(found)),
        y=Axis(label, "amount"),
        layers=tuple(layers),
        corner="upper left",
    )


def name_bands(found: DoubleLift) -> tuple[str, ...]:
    """Name each band by its ratios; bands of the same ratio by their number too."""
    ends = [
        (format_ratio(low), format_ratio(high))
        for low, high in zip(found.lowest_ratio, found.highest_ratio, strict=True)
    ]
    names = [low if low == high else f"{low}\N{EN DASH}{high}" for low, high in ends]
    return tuple(
        name if names.count(name) == 1 else f"{name} ({number})"
        for number, name in enumerate(names, start=1)
    )
