"""Inline SVG drawings of curves, for notebooks; they need no drawing library."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from capcurve._curve.profile import Profile

SIDE = 240
SVG_CELLS = 240  # one cell per pixel, so no point is off by more than a pixel
LEFT, BELOW = 18, 20  # room for the names of the axes
COLOUR = "#2a8fd0"  # stands out from light and dark
TEMPLATE = """\
<svg role="img" aria-label="{label}" width="{width}" height="{height}"
 viewBox="-{left} -2 {width} {height}" fill="none" stroke="currentColor">
<title>{label}</title>
<rect width="{side}" height="{side}" stroke-opacity="0.3"/>
<path d="M0 {side}L{side} 0" stroke-dasharray="2 3" stroke-opacity="0.7"/>
{paths}
<g fill="currentColor" stroke="none" font-size="11" text-anchor="middle">
<text x="{middle}" y="{under}">Population share</text>
<text x="-{middle}" y="-6" transform="rotate(-90)">Capture rate</text>
</g>
</svg>"""


def draw(label: str, *paths: str) -> str:
    """Draw paths in a square with the diagonal; ``label`` holds no text from the user."""
    return TEMPLATE.format(
        label=label,
        paths="\n".join(paths),
        side=SIDE,
        middle=SIDE // 2,
        under=SIDE + BELOW - 6,
        left=LEFT,
        width=SIDE + LEFT + 2,
        height=SIDE + BELOW + 2,
    )


def draw_line(profile: Profile) -> str:
    """Draw the line of a model."""
    points = join_points(list_points(profile))
    return f'<path d="{points}" stroke="{COLOUR}" stroke-width="2"/>'


def draw_perfect_line(profile: Profile) -> str:
    """Draw the line of the perfect ranking."""
    points = join_points(list_points(profile))
    return f'<path d="{points}" stroke-opacity="0.7"/>'


def draw_area(low: Profile, high: Profile) -> str:
    """Draw the area between two lines."""
    there, back = list_points(high), list_points(low)[::-1]
    outline = join_points([*there, *back])
    return f'<path d="{outline}Z" fill="{COLOUR}" fill-opacity="0.3" stroke="none"/>'


def list_points(profile: Profile) -> list[str]:
    """List the points of a profile, few of them, as an SVG path writes them."""
    x, y = profile.thinned(SVG_CELLS)
    points = zip(SIDE * x, SIDE * (1 - y), strict=True)
    return [f"{across:.1f} {down:.1f}" for across, down in points]


def join_points(points: list[str]) -> str:
    """Join points as the data of an SVG path."""
    return f"M{'L'.join(points)}"
