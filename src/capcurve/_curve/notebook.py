"""HTML view of a curve for notebooks: an inline SVG drawing and a table of numbers."""

from __future__ import annotations

from collections.abc import Mapping

from capcurve._curve.profile import Profile

ROW = '<tr><th scope="row" style="text-align:left">{name}</th><td>{number}</td></tr>'
SIDE = 240
SVG_CELLS = 240  # one cell per pixel, so no point is off by more than a pixel
WHOLE_NUMBERS_FROM = 100_000  # below, totals have six significant digits
TEMPLATE = """\
<div style="display:flex;flex-wrap:wrap;gap:1.5em;align-items:center">
<svg role="img" aria-label="CAP curve, {label}" width="{side}" height="{side}"
 viewBox="-2 -2 {box} {box}" fill="none" stroke="currentColor">
<title>CAP curve, {label}</title>
<rect width="{side}" height="{side}" stroke-opacity="0.3"/>
<path d="M0 {side}L{side} 0" stroke-dasharray="2 3" stroke-opacity="0.7"/>
<path d="{perfect}" stroke-opacity="0.7"/>
<path d="{model}" stroke="#2a8fd0" stroke-width="2"/>
</svg>
<table style="text-align:left"><tbody>
{rows}
</tbody></table>
</div>"""


def render_curve(
    label: str, numbers: Mapping[str, str], model: Profile, perfect: Profile
) -> str:
    """Render a curve and its numbers as HTML.

    Nothing is escaped: ``label`` and ``numbers`` must not contain text from the user.
    """
    return TEMPLATE.format(
        label=label,
        side=SIDE,
        box=SIDE + 4,
        perfect=draw_svg_path(perfect),
        model=draw_svg_path(model),
        rows="\n".join(
            ROW.format(name=name, number=number) for name, number in numbers.items()
        ),
    )


def draw_svg_path(profile: Profile) -> str:
    """Format a profile as the data of an SVG path."""
    x, y = profile.thinned(SVG_CELLS)
    points = zip(SIDE * x, SIDE * (1 - y), strict=True)
    return "M" + "L".join(f"{across:.1f} {down:.1f}" for across, down in points)


def format_total(value: float) -> str:
    """Format a count or an amount with thousands separators, never as a power of ten."""
    return f"{value:,.0f}" if abs(value) >= WHOLE_NUMBERS_FROM else f"{value:,.6g}"
