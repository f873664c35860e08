"""Render the facts of a run as one self-contained HTML page."""

from __future__ import annotations

from importlib.resources import files
from math import floor
from typing import Any

from capcurve._report.control_characters import escape_all_controls
from capcurve._report.options import Facts
from capcurve._report.page_format import write_signed
from capcurve._report.prose import choose_prose

SECTIONS = {
    "Needs attention": ("error", "failed"),
    "Not judged": ("unjudged",),
    "Skipped": ("skipped",),
    "In order": ("ok",),
}
WIDTH = 160  # of the drawing of an interval, in its own units


def render_run_page(facts: Facts) -> str:
    """Render the page template with the facts of a run."""
    import jinja2

    environment = jinja2.Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    facts = escape_all_controls(facts)
    environment.filters |= {
        "ratio": format_ratio,
        "count": format_count,
        "link": quote_link,
        "prose": choose_prose(facts),
    }
    template = environment.from_string(read_text("run_page.html.j2"))
    sections = {
        heading: [p for p in facts["portfolios"] if p["status"] in statuses]
        for heading, statuses in SECTIONS.items()
    }
    axis = Axis(find_lowest(facts))
    return template.render(
        **facts, sections=sections, axis=axis, style=read_text("run_page.css")
    )


class Axis:
    """Where an AR stands on the drawings of intervals, which share it."""

    width = WIDTH

    def __init__(self, lowest: float) -> None:
        self.lowest: float = lowest

    def __call__(self, ratio: float) -> float:
        """Return the place of an AR, from 0 to the width."""
        return round(WIDTH * (ratio - self.lowest) / (1 - self.lowest), 1)


def find_lowest(facts: Facts) -> float:
    """Find the lowest end of the axis: 0, or a tenth below all intervals."""
    lows: list[float] = [
        model[end]
        for portfolio in facts["portfolios"]
        for model in portfolio["models"]
        for end in ("accuracy_ratio", "low")
        if model[end] is not None
    ]
    return max(-1.0, floor(10 * min([0.0, *lows])) / 10)


def read_text(name: str) -> str:
    """Read a text file of this package."""
    return files("capcurve._report").joinpath(name).read_text("utf-8")


def format_ratio(value: float | None) -> str:
    """Format an AR with three digits; None is a dash."""
    return "-" if value is None else write_signed(f"{value:.3f}")


def format_count(value: float | None) -> str:
    """Format a number of rows; None is a dash."""
    return "-" if value is None else f"{value:,.0f}"


def quote_link(path: Any) -> str:
    """Quote a path for a link."""
    from urllib.parse import quote

    return quote(str(path))
