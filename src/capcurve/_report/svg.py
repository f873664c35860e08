"""Write SVG that fits any width: places in percent, lines in a box that is stretched."""

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10

import numpy as np

from capcurve._plot.thinning import choose_points
from capcurve._report.page_format import MINUS
from capcurve._tally.dtypes import Array

SIDE = 1_000  # units of the stretched box, along each axis
SCREEN = (900, 450)  # pixels of a chart, for which lines are thinned
STEPS = (1, 2, 2.5, 5, 10)  # between ticks, times a power of ten


def tag(name: str, content: str = "", /, **attributes: object) -> str:
    """Write an element; underscores of attributes are hyphens, None leaves one out."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{content}</{name}>"


def percent(share: float) -> str:
    """Write a place along an axis."""
    return f"{100 * share:.4g}%"


def text(shown: str, x: str, y: str, style: str, **attributes: object) -> str:
    """Write a text at a place."""
    return tag("text", escape(shown), x=x, y=y, class_=style, **attributes)


def icon(path: str, x: str, y: str, style: str) -> str:
    """Draw a path of pixels at a place."""
    return tag("svg", tag("path", d=path, class_=style), x=x, y=y, overflow="visible")


def stretched(paths: str) -> str:
    """Draw paths in a box of SIDE by SIDE that fills the chart."""
    return tag(
        "svg",
        paths,
        viewBox=f"0 0 {SIDE} {SIDE}",
        preserveAspectRatio="none",
        width="100%",
        height="100%",
        overflow="visible",
        class_="box",
    )


def write_path(across: Array, up: Array) -> str:
    """Write a line through places from 0 to 1, thinned to the points that can be seen."""
    width, height = SCREEN
    kept = choose_points(across * width, up * height, width)
    points = (
        f"{SIDE * x:.4g},{SIDE * (1 - y):.4g}"
        for x, y in zip(across[kept], up[kept], strict=True)
    )
    return "M" + " ".join(points)


def write_area(across: Array, low: Array, high: Array) -> str:
    """Write the area between two lines."""
    there, back = write_path(across, low), write_path(across, high)
    return f"{there} L{' '.join(reversed(back[1:].split(' ')))}Z"


def list_ticks(low: float, high: float, most: int = 6) -> Sequence[float]:
    """List round numbers from one limit to the other, at most so many steps apart."""
    power = 10.0 ** floor(log10((high - low) / most))
    step = next(size * power for size in STEPS if (high - low) / (size * power) <= most)
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [float(f"{step * number:.12g}") for number in range(first, last + 1)]


def write_ticks(ticks: Sequence[float]) -> list[str]:
    """Write the numbers of an axis, with the same decimals."""
    digits = max(len(f"{abs(tick) % 1:.10g}".partition(".")[2]) for tick in ticks)
    return [f"{tick:,.{digits}f}".replace("-", MINUS) for tick in ticks]


def rescale(values: Array, low: float, high: float) -> Array:
    """Move values to places between 0 and 1."""
    return (np.asarray(values, dtype=float) - low) / (high - low)
