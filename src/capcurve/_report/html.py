"""Render the facts of a report as one self-contained HTML page."""

from importlib.resources import files

from capcurve._inference.options import FEW_EVENTS
from capcurve._plot.offline import read_chart_library, write_json
from capcurve._report.charts import make_charts
from capcurve._report.control_characters import escape_all_controls
from capcurve._report.options import Facts
from capcurve._report.scored import show_key

SMALLEST_DECIMAL = 0.00005  # smaller numbers would round to 0.0000


def render_page(facts: Facts) -> str:
    """Render the page template with the facts, the charts and the scripts."""
    import jinja2

    environment = jinja2.Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {
        "number": format_number,
        "percent": format_percent,
        "count": format_count,
        "key": show_key,
    }
    facts = escape_all_controls(facts)
    curves = [model["curve"] for model in facts["models"]]
    template = environment.from_string(read_resource("page.html.j2"))
    return template.render(
        **facts,
        few_events_limit=FEW_EVENTS,
        style=read_resource("page.css"),
        script=read_resource("page.js"),
        library=read_chart_library(),
        embedded=write_json({"charts": make_charts(facts), "curves": curves}),
    )


def read_resource(name: str) -> str:
    """Read a text file of this package."""
    return files("capcurve._report").joinpath(name).read_text("utf-8")


def format_number(value: float | None, digits: int = 4) -> str:
    """Format a number with fixed decimals; None is a dash."""
    if value is None:
        return "-"
    if 0 < abs(value) < SMALLEST_DECIMAL:
        return f"{value:.1e}"
    return f"{value:,.{digits}f}" if abs(value) < 10_000 else f"{value:,.6g}"  # noqa: PLR2004 -- decimals of large numbers are noise


def format_percent(value: float | None, digits: int = 2) -> str:
    """Format a share as a percentage; None is a dash."""
    return "-" if value is None else f"{value:.{digits}%}"


def format_count(value: float | None) -> str:
    """Format a count or a weight; None is a dash."""
    if value is None:
        return "-"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}"
