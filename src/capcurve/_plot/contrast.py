"""Contrast of colours, and colours that have enough of it on a background."""

from __future__ import annotations

import colorsys
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

RGB = tuple[float, float, float]
# Least contrasts that the Web Content Accessibility Guidelines ask for (WCAG 2.2, success
# criteria 1.4.11 for graphics and 1.4.3 for text).
GRAPHIC, TEXT = 3.0, 4.5
STEPS = 200  # of lightness, between the colour and black or white


def read_color(color: Any, behind: RGB = (1.0, 1.0, 1.0)) -> RGB:
    """Return the red, green and blue of a colour; what is transparent shows the rest."""
    from matplotlib.colors import to_rgba

    *rgb, alpha = to_rgba(color)
    return mix(behind, as_rgb(rgb), alpha)


def as_rgb(values: Iterable[float]) -> RGB:
    """Return three numbers as a colour."""
    red, green, blue = (float(value) for value in values)
    return red, green, blue


def mix(first: RGB, second: RGB, share: float) -> RGB:
    """Return a colour between two, which holds a share of the second one."""
    return as_rgb(np.array(first) * (1 - share) + np.array(second) * share)


def luminance(color: RGB) -> float:
    """Return the relative luminance of a colour, as WCAG 2.2 defines it."""
    rgb = np.array(color)
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)  # noqa: PLR2004 -- of sRGB
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(first: RGB, second: RGB) -> float:
    """Return the contrast ratio of two colours, from 1 to 21, as WCAG 2.2 defines it."""
    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def is_dark(background: RGB) -> bool:
    """Whether white stands out from a background more than black does."""
    return contrast(background, (1, 1, 1)) > contrast(background, (0, 0, 0))


def move_lightness(color: RGB, share: float, *, lighter: bool) -> RGB:
    """Go a share of the way to white, or to black, keeping the hue."""
    hue, light, saturation = colorsys.rgb_to_hls(*color)
    light += share * ((1.0 if lighter else 0.0) - light)
    return colorsys.hls_to_rgb(hue, light, saturation)


def stand_out(color: RGB, backgrounds: Sequence[RGB], least: float) -> RGB:
    """Return the colour, made lighter or darker until it has a contrast everywhere.

    Parameters
    ----------
    color : RGB
    backgrounds : sequence of RGB
        The first one decides whether the colour is made lighter or darker.
    least : float
        Contrast ratio to reach.

    Returns
    -------
    RGB
        Of the same hue; black or white if nothing else stands out.
    """
    if min(contrast(color, each) for each in backgrounds) >= least:
        return color
    lighter = is_dark(backgrounds[0])
    for share in np.linspace(0, 1, STEPS, endpoint=False):
        moved = move_lightness(color, float(share), lighter=lighter)
        if min(contrast(moved, each) for each in backgrounds) >= least:
            return moved
    return (1.0, 1.0, 1.0) if lighter else (0.0, 0.0, 0.0)
