"""Make the charts of a report as Vega-Lite specifications."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import altair as alt
import numpy as np

from capcurve._curve.profile import DIAGONAL
from capcurve._inference.options import FEW_EVENTS
from capcurve._plot.chart import draw_hover
from capcurve._plot.chart_layers import (
    Canvas,
    draw_areas,
    draw_curves,
    draw_references,
    give,
)
from capcurve._plot.chart_legend import color_curve
from capcurve._plot.chart_marks import place_marks
from capcurve._plot.chart_rows import read_scale
from capcurve._plot.chart_slider import draw_rule
from capcurve._plot.picture import Axis, Detail, Layer, Picture
from capcurve._report.options import Facts
from capcurve._report.scored import show_key

ROW_HEIGHT = 22
SHARE = "Population share"
CAPTURE_RATE = "Capture rate"
CUT_OFF = "Score cut-off"
FIRST_LIFT = 0.001  # smallest share shown: the lift of single rows is very large
PAGE_WIDTH = 1000  # pixels, about which a page is wide
FEW_EVENTS_NOTE = f"fewer than {FEW_EVENTS} events or non-events"


def make_charts(facts: Facts) -> dict[str, Facts]:
    """Return the Vega-Lite specification of each chart, by name."""
    names = list_names(facts)
    curves = {
        "cap": draw_page_chart(describe_cap(facts), list_marks(facts), height=420),
        "lift": draw_page_chart(describe_lift(facts), [], height=260),
    }
    makers: dict[str, Callable[[Datasets], Any]] = {}
    for kind, make in (("segments", make_forest_chart), ("periods", make_trend_chart)):
        makers |= {
            f"{kind}-{number}": partial(make, section, names)
            for number, section in enumerate(facts[kind])
        }
    return {name: chart.to_dict() for name, chart in curves.items()} | {
        name: make_specification(make) for name, make in makers.items()
    }


def make_specification(make: Callable[["Datasets"], Any]) -> Facts:
    """Return the specification of a chart together with its data sets."""
    data = Datasets()
    return {**make(data).to_dict(), "datasets": data}


def list_names(facts: Facts) -> list[str]:
    """Return the names of the models, the champion first."""
    return [model["name"] for model in facts["models"]]


def color_by_model(names: Sequence[str]) -> alt.Color:
    """Return an encoding that gives each model its own colour."""
    colors = [color_curve(number) for number in range(len(names))]
    scale = alt.Scale(domain=list(names), range=colors)
    legend = alt.Legend(title=None, orient="top", labelLimit=400)
    return alt.Color("model:N", scale=scale, legend=legend)


def format_score(score: float | str | None) -> str:
    """Format a score or the name of a grade; None is a dash."""
    if score is None:
        return "-"
    return score if isinstance(score, str) else f"{score:.6g}"


class Datasets(dict[str, list[Facts]]):
    """Data sets by name, kept out of the charts: Altair would copy and validate them."""

    def add(self, rows: Sequence[Facts]) -> Any:
        """Add a data set and return a reference to it."""
        name = f"rows-{len(self)}"
        self[name] = list(rows)
        return alt.NamedData(name)


def describe_cap(facts: Facts) -> Picture:
    """Describe the CAP curves, the random and perfect ones, and the champion's band."""
    layers = [] if facts["band"] is None else [describe_band(facts["band"])]
    layers.append(Layer("chance", *DIAGONAL))
    share, captured = map(np.array, facts["perfect"].values())
    layers.append(Layer("perfect", share, captured))
    for number, model in enumerate(facts["models"]):
        share, captured, lift, scores = read_points(model)
        details = Detail("Lift", "number", lift), Detail(CUT_OFF, "score", scores)
        name = model["name"]
        layers.append(
            Layer("curve", share, captured, None, number, name, name, details=details)
        )
    return Picture(
        title="",
        x=Axis(SHARE, "share", 0, 1),
        y=Axis(CAPTURE_RATE, "share", 0, 1),
        layers=tuple(layers),
    )


def describe_lift(facts: Facts) -> Picture:
    """Describe cumulative lift and the random line."""
    layers = [Layer("chance", np.array([0.0, 1.0]), np.ones(2))]
    for number, model in enumerate(facts["models"]):
        share, captured, lift, scores = read_points(model)
        shown = share >= min(FIRST_LIFT, share[1])
        shown[0] = False
        details = (
            Detail(CAPTURE_RATE, "share", captured[shown]),
            Detail(CUT_OFF, "score", scores[shown]),
        )
        path, name = (share[shown], lift[shown]), model["name"]
        layers.append(Layer("curve", *path, None, number, name, name, details=details))
    return Picture(
        title="",
        x=Axis(SHARE, "share", 0, 1),
        y=Axis("Lift", "number", 0),
        layers=tuple(layers),
    )


def describe_band(band: Facts) -> Layer:
    """Describe the champion's confidence band."""
    share, low, high = (np.array(each) for each in band.values())
    return Layer("band", share, low, top=high)


def read_points(model: Facts) -> tuple[Any, Any, Any, Any]:
    """Return the points of a curve: share, capture rate, lift and score cut-off."""
    share, captured, scores = model["curve"].values()
    share, captured = np.array(share), np.array(captured)
    with np.errstate(invalid="ignore"):  # 0 / 0
        lift = captured / share
    return share, captured, lift, np.array([format_score(each) for each in scores])


def list_marks(facts: Facts) -> list[Facts]:
    """Return the curve points at the population shares of the table below the chart."""
    return [
        {"curve": model["name"], "x": at["population_share"], "y": at["capture_rate"]}
        for model in facts["models"]
        for at in model["captured"]
    ]


def draw_page_chart(picture: Picture, marks: Sequence[Facts], *, height: int) -> Any:
    """Draw curves, the points of a table, and a rule that the page's own slider moves."""
    scale = read_scale(picture, PAGE_WIDTH, height)
    canvas = Canvas.of(picture, scale, word="Model", legend="top")
    points = alt.Chart(give(list(marks))).mark_point(size=45, filled=True)
    layers = [
        *draw_hover(canvas),
        *draw_areas(canvas),
        *draw_references(canvas),
        *draw_curves(canvas),
        *([points.encode(**place_marks(canvas))] if marks else []),
        draw_rule("cut").add_params(alt.param(name="cut", value=0.1)),
    ]
    return fit_to_page(alt.layer(*layers), height=height)


def list_interval_rows(groups: Sequence[Facts]) -> list[Facts]:
    """Return the intervals of the groups whose AR is defined."""
    return [
        {
            "group": show_key(row["group"]),
            "model": row["model"],
            "value": row["accuracy_ratio"]["value"],
            "low": row["accuracy_ratio"]["low"],
            "high": row["accuracy_ratio"]["high"],
            "events": row["n_events"],
            "few": FEW_EVENTS_NOTE if row["few_events"] else "",
        }
        for row in groups
        if row["accuracy_ratio"] is not None
    ]


def make_interval_tooltip(by: str) -> list[alt.Tooltip]:
    """Return the tooltip of an interval."""
    return [
        alt.Tooltip("group:N", title=by),
        alt.Tooltip("model:N", title="Model"),
        alt.Tooltip("value:Q", title="AR", format=".4f"),
        alt.Tooltip("low:Q", title="Lower limit", format=".4f"),
        alt.Tooltip("high:Q", title="Upper limit", format=".4f"),
        alt.Tooltip("events:Q", title="Events", format=",.6~g"),
        alt.Tooltip("few:N", title="Note"),
    ]


def make_forest_chart(section: Facts, names: Sequence[str], data: Datasets) -> Any:
    """Draw AR by segment with its interval; points of few events are pale."""
    by = section["by"]
    rows = list_interval_rows(section["groups"])
    base = alt.Chart(data.add(rows)).encode(
        y=alt.Y("group:N", title=by, sort=None, axis=alt.Axis(labelLimit=220)),
        yOffset=alt.YOffset("model:N", sort=list(names)),
        color=color_by_model(names),
        tooltip=make_interval_tooltip(by),
    )
    filled = alt.condition("datum.few == ''", alt.value(1), alt.value(0.15))
    layers = (
        base.mark_rule(strokeWidth=2).encode(
            x=alt.X("low:Q", title="Accuracy ratio", scale=alt.Scale(zero=False)),
            x2="high:Q",
        ),
        base.mark_point(size=70, filled=True, opacity=1).encode(
            x="value:Q", fillOpacity=filled
        ),
    )
    n_rows = len({row["group"] for row in rows}) * len(names)
    return fit_to_page(alt.layer(*layers), height=max(60, ROW_HEIGHT * n_rows))


def make_trend_chart(section: Facts, names: Sequence[str], data: Datasets) -> Any:
    """Draw AR by period with its interval; points of few events are pale."""
    by = section["by"]
    base = alt.Chart(data.add(list_interval_rows(section["groups"]))).encode(
        x=alt.X("group:O", title=by, sort=None, axis=alt.Axis(labelAngle=-40)),
        xOffset=alt.XOffset("model:N", sort=list(names)),
        color=color_by_model(names),
        tooltip=make_interval_tooltip(by),
    )
    y = alt.Y("low:Q", title="Accuracy ratio", scale=alt.Scale(zero=False))
    filled = alt.condition("datum.few == ''", alt.value(1), alt.value(0.15))
    layers = (
        base.mark_rule(strokeWidth=2).encode(y=y, y2="high:Q"),
        base.mark_point(size=70, filled=True, opacity=1).encode(
            y="value:Q", fillOpacity=filled
        ),
    )
    return fit_to_page(alt.layer(*layers), height=260)


def fit_to_page(chart: Any, *, height: int) -> Any:
    """Fit a chart to the page width and set its fonts."""
    return (
        chart.properties(
            width="container",
            height=height,
            autosize=alt.AutoSizeParams(type="fit", contains="padding"),
        )
        .configure(background="transparent", font="system-ui, sans-serif")
        .configure_axis(labelFontSize=12, titleFontSize=13, gridOpacity=0.25)
        .configure_legend(labelFontSize=13)
        .configure_view(stroke=None)
    )
