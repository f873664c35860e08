"""Colours, dashes and markers by which curves are told apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from capcurve._plot.contrast import (
    GRAPHIC,
    RGB,
    TEXT,
    is_dark,
    mix,
    move_lightness,
    read_color,
    stand_out,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Six of the colours of Okabe and Ito (2008), "Color universal design", for colour-blind
# readers; in an order in which those next to each other, or two apart, differ most.
OKABE_ITO: Sequence[str] = (
    "#0072B2",
    "#D55E00",
    "#CC79A7",
    "#56B4E9",
    "#E69F00",
    "#009E73",
)
# Curves can be told apart without colours: five dashes, each with four markers.
DASHES: Sequence[Any] = (
    "-",
    (0, (5, 1.5)),
    (0, (6, 1.3, 1.3, 1.3)),
    (0, (1.8, 1.2)),
    (0, (9, 1.5, 1.5, 1.5, 1.5, 1.5)),
)
MARKERS: Sequence[str] = ("None", "s", "^", "D")
HATCHES: Sequence[str] = ("", "///", "...", "xxx")  # of bars
MARKER_SIZE = 5.0  # points
SHADE = 0.12  # opacity of the shaded area
AREA = 0.2  # opacity of bands
ROUND = 0.3  # how far each further round through the colours moves to black, or white
FAINT = 0.35  # how far reference lines go from the ink to the background
FOLDED = 0.45  # how far folds go from the colour of their mean to the background


@dataclass(frozen=True)
class Palette:
    """The colours of a picture on the background of its axes.

    ``cycle`` holds the colours of curves, ``ink`` is that of texts.
    """

    background: RGB
    ink: RGB
    cycle: Sequence[RGB]

    def color(self, number: int) -> RGB:
        """Return the colour of a curve; each round through the cycle has its lightness."""
        turn, place = divmod(number, len(self.cycle))
        share = 1 - (1 - ROUND) ** turn
        return move_lightness(self.cycle[place], share, lighter=is_dark(self.background))

    def faint(self) -> RGB:
        """Return the colour of reference lines."""
        paler = mix(self.ink, self.background, FAINT)
        return stand_out(paler, [self.background], GRAPHIC)

    def fold(self, color: RGB) -> RGB:
        """Return the colour of the folds of a mean of that colour."""
        paler = mix(color, self.background, FOLDED)
        return stand_out(paler, [self.background], GRAPHIC)

    def text(self, color: RGB) -> RGB:
        """Return a colour for text beside a line of that colour, on any shade or band."""
        shaded = mix(self.background, self.ink, SHADE)
        covered = mix(shaded, color, AREA)
        return stand_out(color, [self.background, shaded, covered], TEXT)

    def style(self, number: int) -> Mapping[str, Any]:
        """Return the style of a curve by its number, as keywords of ``plot``."""
        marker = MARKERS[number // len(DASHES) % len(MARKERS)]
        start = 0.04 + 0.017 * (number % 7)  # so that markers of curves seldom meet
        return {
            "color": self.color(number),
            "linestyle": DASHES[number % len(DASHES)],
            "marker": marker,
            "markersize": MARKER_SIZE,
            "markevery": (start, 0.13),
        }


def read_palette(ax: Axes) -> Palette:
    """Return the palette of the active matplotlib style on the background of axes."""
    import matplotlib as mpl

    background = read_background(ax)
    cycle = mpl.rcParams["axes.prop_cycle"]
    listed = cycle.by_key().get("color")
    if listed is None or cycle == mpl.rcParamsDefault["axes.prop_cycle"]:
        listed = OKABE_ITO
    colors = [read_color(each, background) for each in listed]
    seen = [stand_out(each, [background], GRAPHIC) for each in colors]
    ink = read_color(mpl.rcParams["text.color"], background)
    return Palette(
        background=background,
        ink=stand_out(ink, [background], TEXT),
        cycle=drop_twins(seen),
    )


def read_background(ax: Axes) -> RGB:
    """Return the colour behind what is drawn on axes."""
    return read_color(ax.get_facecolor(), read_color(ax.figure.get_facecolor()))


def drop_twins(colors: Sequence[RGB]) -> list[RGB]:
    """Leave out colours that became the same as an earlier one, such as light greys."""
    kept: list[RGB] = []
    for color in colors:
        if not any(np.allclose(color, each, atol=0.01) for each in kept):
            kept.append(color)
    return kept
