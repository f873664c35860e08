"""HTML view of a curve for notebooks: an inline SVG drawing and a table of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capcurve._curve.profile import Profile

if TYPE_CHECKING:
    from capcurve._curve.curve import CapCurve

SHARES_SHOWN = (0.1, 0.2, 0.5)
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


def render_curve(curve: CapCurve) -> str:
    """Render a curve and its numbers as HTML; no text comes from the user."""
    return TEMPLATE.format(
        label=f"AR = {curve.accuracy_ratio:.3f}",
        side=SIDE,
        box=SIDE + 4,
        perfect=draw_svg_path(curve.perfect),
        model=draw_svg_path(curve.profile),
        rows="\n".join(
            ROW.format(name=name, number=number)
            for name, number in list_numbers(curve).items()
        ),
    )


def list_numbers(curve: CapCurve) -> dict[str, str]:
    """List the numbers of a curve, as text."""
    numbers = {"Accuracy ratio (AR)": f"{curve.accuracy_ratio:.4f}"}
    if curve.tie_bounds is not None:
        worst, best = curve.tie_bounds
        numbers["AR over all tie orders"] = f"{worst:.4f} to {best:.4f}"
    return numbers | {
        "KS": f"{curve.ks:.4f}",
        **{
            f"Capture rate at {share:.0%}": f"{curve.capture_rate_at(share):.1%}"
            for share in SHARES_SHOWN
        },
        "Total weight": format_total(curve.total_weight),
        "Total outcome": format_total(curve.total_target),
    }


def draw_svg_path(profile: Profile) -> str:
    """Format a profile as the data of an SVG path."""
    x, y = profile.thinned(SVG_CELLS)
    points = zip(SIDE * x, SIDE * (1 - y), strict=True)
    return "M" + "L".join(f"{across:.1f} {down:.1f}" for across, down in points)


def format_total(value: float) -> str:
    """Format a count or an amount with thousands separators, never as a power of ten."""
    return f"{value:,.0f}" if abs(value) >= WHOLE_NUMBERS_FROM else f"{value:,.6g}"
