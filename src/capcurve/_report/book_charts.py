"""Native charts of a workbook, drawn from its own cells."""

from math import ceil, floor
from typing import Any

from capcurve._plot.palette import OKABE_ITO
from capcurve._report.book_chart_data import (
    ABOVE,
    BAND,
    BELOW,
    CAPTURED,
    GROUP,
    LIFT,
    LOWER,
    PERFECT,
    RANDOM,
    RATIO,
    SHARE,
    UPPER,
    name_lift,
)
from capcurve._report.book_models import name_rate, write_level
from capcurve._report.book_page import Placed
from capcurve._report.book_styles import INK, LINE, QUIET
from capcurve._report.options import Facts

MOST_MODELS = 6  # of a chart that can be read; each has its own colour
DASHES = ("solid", "dash", "dash_dot", "long_dash", "square_dot", "long_dash_dot")
GREY, PALE = "#8A8A8A", "#9CC3DE"  # the second is the champion's colour, paler
SHARES = {"num_format": "0%", "min": 0, "max": 1}
NO_GRID = {"major_gridlines": {"visible": False}}
STEPS = 5  # ends of the axis of AR are multiples of 0.2
FEW_PERCENT = 0.05  # below this, whole percentages would be the same


def draw_cap(book: Any, facts: Facts, data: Placed) -> Any:
    """Draw the CAP curves, the champion's band, and the perfect and random lines."""
    chart = book.add_chart({"type": "scatter", "subtype": "straight"})
    for number in range(len(facts["models"][:MOST_MODELS])):
        add_path(chart, data, (number, CAPTURED), style_model(number))
    unnamed = []
    if facts["band"] is not None:
        edge = {"color": PALE, "width": 1}
        for limit in (LOWER, UPPER):
            add_path(chart, data, (BAND, limit), edge)
        unnamed = [len(facts["models"][:MOST_MODELS]) + 1]
    add_path(chart, data, (PERFECT, CAPTURED), {"color": GREY, "width": 1.25})
    dots = {"color": GREY, "width": 1.25, "dash_type": "round_dot"}
    add_path(chart, data, (RANDOM, CAPTURED), dots)
    set_axis(chart.set_x_axis, f"{SHARE}, {name_first(facts)} first", SHARES)
    set_axis(chart.set_y_axis, CAPTURED, SHARES)
    return finish(chart, "Cumulative accuracy profile (CAP)", unnamed)


def draw_lift(book: Any, facts: Facts, data: Placed) -> Any:
    """Draw cumulative lift from a small share on."""
    chart = book.add_chart({"type": "scatter", "subtype": "straight"})
    for number, _ in enumerate(facts["models"][:MOST_MODELS]):
        add_path(chart, data, (name_lift(number), LIFT), style_model(number), number)
    set_axis(chart.set_x_axis, f"{SHARE}, {name_first(facts)} first", SHARES)
    set_axis(chart.set_y_axis, "Cumulative lift", {"min": 0, "num_format": "0.0"})
    return finish(chart, "Lift", [])


def style_model(number: int) -> Facts:
    """Return the line of a model, which is told apart without colours too."""
    return {"color": OKABE_ITO[number], "width": 2.25, "dash_type": DASHES[number]}


def add_path(
    chart: Any,
    data: Placed,
    path: tuple[str | int, str],
    line: Facts,
    named: int | None = None,
) -> None:
    """Add a line: its key among the chart data, and the name of its heights.

    It is called as what stands above it, or above the curve of a model.
    """
    key, name = path
    chart.add_series(
        {
            "name": data.refer_span(key if named is None else named, SHARE),
            "categories": data.refer(key, SHARE),
            "values": data.refer(key, name),
            "line": line,
        }
    )


def name_first(facts: Facts) -> str:
    """Say which scores are ranked first."""
    return "high scores" if facts["models"][0]["descending"] else "low scores"


def draw_groups(book: Any, facts: Facts, data: Placed, kind: str, number: int) -> Any:
    """Draw AR by group as columns with their intervals."""
    chart = book.add_chart({"type": "column"})
    section = facts[kind][number]
    for place in range(len(section["total"][:MOST_MODELS])):
        key = (kind, number, place)
        chart.add_series(
            {
                "name": data.refer_span(*key, RATIO),
                "categories": data.refer(kind, number, GROUP),
                "values": data.refer(*key, RATIO),
                "fill": {"color": OKABE_ITO[place]},
                "gap": 80,
                "y_error_bars": {
                    "type": "custom",
                    "plus_values": to_formula(data.refer(*key, ABOVE)),
                    "minus_values": to_formula(data.refer(*key, BELOW)),
                    "line": {"color": INK, "width": 1.25},
                },
            }
        )
    # The cell of the name, as a name can look like a formula.
    name = [data.sheet, data.first - 1, data.find(kind, number, GROUP)]
    set_axis(chart.set_x_axis, name, {**NO_GRID, "label_position": "low"})
    limits = find_range(section)
    set_axis(chart.set_y_axis, "Accuracy ratio", {"num_format": "0.0", **limits})
    title = f"Accuracy ratio with {write_level(facts)} confidence intervals"
    return finish(chart, title, [])


def find_range(section: Facts) -> Facts:
    """Find the range of an axis that holds all intervals: a cut one would show no sign."""
    ratios = [row["accuracy_ratio"] for row in section["groups"]]
    known = [ratio for ratio in ratios if ratio is not None]
    limits = [ratio[end] for ratio in known for end in ("low", "high")]
    ends = [0.0, *(ratio["value"] for ratio in known)]
    ends += [limit for limit in limits if limit is not None]
    return {
        "min": floor(min(ends) * STEPS) / STEPS,
        "max": max(1, ceil(max(ends) * STEPS)) / STEPS,
    }


def to_formula(cells: list[str | int]) -> str:
    """Write a range of cells as a formula of the chart."""
    from xlsxwriter.utility import xl_range_formula

    return str(xl_range_formula(*cells))


def draw_rates(book: Any, facts: Facts, data: Placed, gains: Placed) -> Any:
    """Draw the response rate of each band and model."""
    rate = name_rate(facts)
    chart = book.add_chart({"type": "column"})
    keys = [column.key for column in gains.table.columns]
    band = "score" if ("score",) in keys else "band"  # grades go by their names
    start = 0
    for number, model in enumerate(facts["models"][:MOST_MODELS]):
        rows = {"first": start, "last": start + len(model["gains"]) - 1}
        chart.add_series(
            {
                "name": data.refer_span(number, SHARE),
                "categories": gains.refer(band, **rows),
                "values": gains.refer("rate", **rows),
                "fill": {"color": OKABE_ITO[number]},
                "gap": 60,
            }
        )
        start += len(model["gains"])
    set_axis(chart.set_x_axis, f"{band.title()}, as ranked", NO_GRID)
    set_axis(chart.set_y_axis, rate, {"min": 0, **format_rates(facts)})
    return finish(chart, f"{rate} by band", [])


def format_rates(facts: Facts) -> Facts:
    """Return the number format of an axis of rates, that of the cells for amounts."""
    if facts["outcome"] == "amounts":
        return {}
    rates = [row["response_rate"] for model in facts["models"] for row in model["gains"]]
    return {"num_format": "0.0%" if max(rates) < FEW_PERCENT else "0%"}


def set_axis(setter: Any, name: Any, options: Facts) -> None:
    """Name and style an axis."""
    line = {"color": GREY}
    setter(
        {
            "name": name,
            "name_font": {"size": 10, "bold": False, "color": QUIET},
            "num_font": {"size": 9, "color": QUIET},
            "line": line,
            "major_gridlines": {"visible": True, "line": {"color": LINE, "width": 0.5}},
            **options,
        }
    )


def finish(chart: Any, title: str, unnamed: list[int]) -> Any:
    """Set the title, the legend and the frame of a chart."""
    font = {"size": 12, "bold": True, "color": INK}
    chart.set_title({"name": title, "name_font": font, "overlay": False})
    chart.set_legend(
        {
            "position": "bottom",
            "font": {"size": 9, "color": INK},
            "delete_series": unnamed,
        }
    )
    chart.set_chartarea({"border": {"color": LINE}})
    return chart
