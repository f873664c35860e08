"""Colours, dashes and markers by which curves are told apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

# Okabe and Ito's colours are safe for colour-blind readers.
OKABE_ITO: Sequence[str] = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
)
# So that curves can be told apart in greyscale too.
DASHES: Sequence[Any] = (
    "-",
    (0, (6, 1.5)),
    (0, (6, 1.5, 1, 1.5)),
    (0, (2, 1)),
    (0, (10, 2)),
    (0, (4, 1, 1, 1, 1, 1)),
)


def style_curve(number: int) -> Mapping[str, Any]:
    """Return the style of a curve by its number, as keywords of matplotlib's ``plot``."""
    return {
        "color": OKABE_ITO[number % len(OKABE_ITO)],
        "linestyle": DASHES[number % len(DASHES)],
    }
