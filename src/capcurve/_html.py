"""A curve as a small inline drawing with its numbers, for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from capcurve.curve import CapCurve, Profile

ROW = '<tr><th scope="row" style="text-align:left">{name}</th><td>{number}</td></tr>'
SIDE = 240
CELLS = 240  # a point is never off by more than a pixel

CAPTURED_AT = (0.1, 0.2, 0.5)

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


def curve_html(curve: CapCurve) -> str:
    """Draw a curve and list its numbers; nothing in it comes from the caller's text."""
    worst, best = curve.tie_bounds
    numbers = {
        "accuracy ratio": f"{curve.accuracy_ratio:.4f}",
        "over tie orders": f"{worst:.4f} to {best:.4f}",
        "KS": f"{curve.ks:.4f}",
        **{
            f"captured at {share:.0%}": f"{curve.capture_rate_at(share):.1%}"
            for share in CAPTURED_AT
        },
        "population": f"{curve.total_weight:,.6g}",
        "outcome": f"{curve.total_target:,.6g}",
    }
    return TEMPLATE.format(
        label=f"AR = {curve.accuracy_ratio:.3f}",
        side=SIDE,
        box=SIDE + 4,
        perfect=svg_path(curve.perfect),
        model=svg_path(curve.profile),
        rows="\n".join(
            ROW.format(name=name, number=number) for name, number in numbers.items()
        ),
    )


def svg_path(profile: Profile) -> str:
    """Write a profile as the data of an SVG path."""
    x, y = profile.thinned(CELLS)
    points = zip(SIDE * x, SIDE * (1 - y), strict=True)
    return "M" + "L".join(f"{across:.1f} {down:.1f}" for across, down in points)
