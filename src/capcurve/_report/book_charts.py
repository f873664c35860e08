"""Native charts of a workbook, drawn from its own cells."""

from typing import Any

from capcurve._plot.palette import OKABE_ITO
from capcurve._report.book_chart_data import (
    ABOVE,
    BELOW,
    CAPTURED,
    GROUP,
    LIFT,
    PERFECT,
    RANDOM,
    RATIO,
    SHARE,
    name_band,
    name_series,
)
from capcurve._report.book_page import Placed
from capcurve._report.book_styles import INK, LINE, QUIET
from capcurve._report.options import Facts

MOST_MODELS = 6  # of a chart that can be read; each has its own colour
DASHES = ("solid", "dash", "dash_dot", "long_dash", "square_dot", "long_dash_dot")
SYMBOLS = ("circle", "square", "triangle", "diamond", "x", "plus")
GREY = "#8A8A8A"
FIRST_LIFT = 0.01  # smallest share shown: the lift of single rows is very large
SHARES = {"num_format": "0%", "min": 0, "max": 1}
RATIOS = {"num_format": "0.0"}


def draw_cap(book: Any, facts: Facts, data: Placed) -> Any:
    """Draw the CAP curves, the champion's band, and the perfect and random lines."""
    chart = book.add_chart({"type": "scatter", "subtype": "straight"})
    for number, model in enumerate(facts["models"][:MOST_MODELS]):
        line = {"color": OKABE_ITO[number], "width": 2.25, "dash_type": DASHES[number]}
        add_path(chart, data, model["name"], CAPTURED, line)
    unnamed = []
    if facts["band"] is not None:
        line = {"color": OKABE_ITO[0], "width": 0.75, "dash_type": "round_dot"}
        band = name_band(facts)
        add_path(chart, data, band, "Lower limit", line)
        add_path(chart, data, band, "Upper limit", line)
        unnamed = [len(chart.series) - 1]
    add_path(chart, data, PERFECT, CAPTURED, {"color": GREY, "width": 1.25})
    dots = {"color": GREY, "width": 1.25, "dash_type": "round_dot"}
    add_path(chart, data, RANDOM, CAPTURED, dots)
    set_axis(chart.set_x_axis, f"{SHARE}, {name_first(facts)} first", SHARES)
    set_axis(chart.set_y_axis, CAPTURED, SHARES)
    return finish(chart, "Cumulative accuracy profile (CAP)", unnamed)


def draw_lift(book: Any, facts: Facts, data: Placed) -> Any:
    """Draw cumulative lift from a small share on."""
    chart = book.add_chart({"type": "scatter", "subtype": "straight"})
    for number, model in enumerate(facts["models"][:MOST_MODELS]):
        line = {"color": OKABE_ITO[number], "width": 2.25, "dash_type": DASHES[number]}
        shares = model["curve"]["population_share"]
        skipped = sum(share < min(FIRST_LIFT, shares[1]) for share in shares)
        skipped = sum(share < FIRST_LIFT for share in shares)
        add_path(chart, data, model["name"], LIFT, line, skipped)
    set_axis(chart.set_x_axis, f"{SHARE}, {name_first(facts)} first", SHARES)
    set_axis(chart.set_y_axis, "Cumulative lift", {"min": 0, "num_format": "0.0"})
    return finish(chart, "Lift", [])


def add_path(
    chart: Any, data: Placed, span: str, name: str, line: Facts, skipped: int = 0
) -> None:
    """Add a line from the points of the sheet of chart data."""
    chart.add_series(
        {
            "name": data.refer_span(span),
            "categories": data.refer(SHARE, span, skipped),
            "values": data.refer(name, span, skipped),
            "line": line,
        }
    )


def name_first(facts: Facts) -> str:
    """Say which scores are ranked first."""
    return "high scores" if facts["models"][0]["descending"] else "low scores"


def draw_groups(book: Any, facts: Facts, section: Facts, data: Placed) -> Any:
    """Draw AR by group as points with their intervals."""
    chart = book.add_chart({"type": "line"})
    by = section["by"]
    for number, total in enumerate(section["total"][:MOST_MODELS]):
        color, span = OKABE_ITO[number], name_series(by, total["model"])
        chart.add_series(
            {
                "name": data.refer_span(span),
                "categories": data.refer(GROUP, by),
                "values": data.refer(RATIO, span),
                "line": {"none": True},
                "marker": {
                    "type": SYMBOLS[number],
                    "size": 8,
                    "fill": {"color": color},
                    "border": {"color": color},
                },
                "y_error_bars": {
                    "type": "custom",
                    "plus_values": to_formula(data.refer(ABOVE, span)),
                    "minus_values": to_formula(data.refer(BELOW, span)),
                    "line": {"color": color, "width": 1.5},
                },
            }
        )
    set_axis(chart.set_x_axis, by, {"label_position": "low"})
    set_axis(chart.set_y_axis, "Accuracy ratio", RATIOS)
    level = f"{100 * facts['confidence_level']:.4g}%"
    return finish(chart, f"Accuracy ratio with {level} confidence intervals", [])


def to_formula(cells: list[str | int]) -> str:
    """Write a range of cells as a formula of the chart."""
    from xlsxwriter.utility import xl_range_formula

    return str(xl_range_formula(*cells))


def draw_rates(book: Any, facts: Facts, gains: Placed) -> Any:
    """Draw the response rate of each band of the champion."""
    rate = "Event rate" if facts["outcome"] == "events" else "Mean outcome"
    chart = book.add_chart({"type": "column"})
    start = 0
    for number, model in enumerate(facts["models"][:MOST_MODELS]):
        end = start + len(model["gains"]) - 1
        chart.add_series(
            {
                "name": [gains.sheet, gains.first + start, 0],
                "categories": gains.refer_rows("Band", start, end),
                "values": gains.refer_rows(rate, start, end),
                "fill": {"color": OKABE_ITO[number]},
                "gap": 60,
            }
        )
        start = end + 1
    set_axis(chart.set_x_axis, "Band, best first", {})
    number_format = {"num_format": "0%", "min": 0} if facts["outcome"] == "events" else {}
    set_axis(chart.set_y_axis, rate, number_format)
    return finish(chart, f"{rate} by band", [])


def set_axis(setter: Any, name: str, options: Facts) -> None:
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
