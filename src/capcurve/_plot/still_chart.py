"""Charts for images, where nothing moves."""

from __future__ import annotations

import re
from typing import Any

import altair as alt

STILL = frozenset({"png", "svg", "pdf"})  # formats of images, and names of renderers
# By which the layers that follow a slider name it.
SLIDER = re.compile(r"\bat_[0-9a-f]{8}\b")


def make_still(chart: Any) -> Any:
    """Return a chart without what follows its slider.

    An image would show the slider's start for good, as if it were a fact of the data.
    """
    for part in ("layer", "concat"):
        listed: Any = getattr(chart, part, alt.Undefined)
        if listed is not alt.Undefined:
            still = chart.copy(deep=False)
            still[part] = [make_still(each) for each in listed if not follows_slider(each)]
            return still
    return chart


def follows_slider(layer: Any) -> bool:
    """Whether what a layer shows depends on where a slider stands."""
    return bool(SLIDER.search(str(getattr(layer, "transform", ""))))
