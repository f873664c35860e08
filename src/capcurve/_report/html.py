"""Facts of a report -> one page of HTML that needs nothing else."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from capcurve._report.charts import charts_of

Facts = dict[str, Any]

SMALL = 0.00005  # what four decimals would write as 0


def page_of(facts: Facts) -> str:
    """Fill the template."""
    import jinja2

    environment = jinja2.Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {"number": number, "percent": percent, "count": count}
    curves = [model["curve"] for model in facts["models"]]
    template = environment.from_string(read("page.html.j2"))
    return template.render(
        **facts,
        style=read("page.css"),
        script=read("page.js"),
        library=library(),
        embedded=embedded({"charts": charts_of(facts), "curves": curves}),
    )


def read(name: str) -> str:
    """Read a file of this package."""
    return files("capcurve._report").joinpath(name).read_text("utf-8")


@cache
def library() -> str:
    """Bundle the scripts that draw charts."""
    import vl_convert

    bundle: str = vl_convert.javascript_bundle()  # type: ignore[call-arg]
    return bundle.replace("</script", "<\\/script")


def embedded(data: Facts) -> str:
    """Write data for a script, so that no text in it can end the script."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def number(value: float | None, digits: int = 4) -> str:
    """Write a number for a person."""
    if value is None:
        return "-"
    if 0 < abs(value) < SMALL:
        return f"{value:.1e}"
    return f"{value:,.{digits}f}" if abs(value) < 10_000 else f"{value:,.6g}"  # noqa: PLR2004 -- beyond, decimals say nothing


def percent(value: float | None, digits: int = 2) -> str:
    """Write a share for a person."""
    return "-" if value is None else f"{value:.{digits}%}"


def count(value: float | None) -> str:
    """Write a count, which may be a weight."""
    if value is None:
        return "-"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}"
