"""Make the charts of a report as Vega-Lite specifications."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import altair as alt

from capcurve._inference.options import FEW_EVENTS
from capcurve._report.options import Facts
from capcurve._report.scored import show_key

MODEL_COLOURS = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#E69F00",
)  # Okabe-Ito
PERCENT = alt.Axis(format="%", tickCount=6)
ROW_HEIGHT = 22
SHARE = "Population share"
CAPTURE_RATE = "Capture rate"
FEW_EVENTS_NOTE = f"fewer than {FEW_EVENTS} events or non-events"


def make_charts(facts: Facts) -> dict[str, Facts]:
    """Return the Vega-Lite specification of each chart, by name."""
    names = list_names(facts)
    makers: dict[str, Callable[[Datasets], Any]] = {
        "cap": lambda data: make_cap_chart(facts, data),
        "lift": lambda data: make_lift_chart(facts, data),
    }
    for kind, make in (("segments", make_forest_chart), ("periods", make_trend_chart)):
        makers |= {
            f"{kind}-{number}": partial(make, section, names)
            for number, section in enumerate(facts[kind])
        }
    return {name: make_specification(make) for name, make in makers.items()}


def make_specification(make: Callable[["Datasets"], Any]) -> Facts:
    """Return the specification of a chart together with its data sets."""
    data = Datasets()
    return {**make(data).to_dict(), "datasets": data}


def list_names(facts: Facts) -> list[str]:
    """Return the names of the models, the champion first."""
    return [model["name"] for model in facts["models"]]


def color_by_model(names: Sequence[str]) -> alt.Color:
    """Return an encoding that gives each model its own colour."""
    scale = alt.Scale(domain=list(names), range=list(MODEL_COLOURS[: len(names)]))
    legend = alt.Legend(title=None, orient="top", labelLimit=400)
    return alt.Color("model:N", scale=scale, legend=legend)


def list_points(facts: Facts) -> list[Facts]:
    """Return the curve points of all models, with lift and score cut-off."""
    return [
        {
            "model": model["name"],
            "x": round_for_chart(share),
            "y": round_for_chart(captured),
            "lift": round_for_chart(captured / share) if share else None,
            "score": format_score(threshold),
        }
        for model in facts["models"]
        for share, captured, threshold in zip(*model["curve"].values(), strict=True)
    ]


def round_for_chart(value: float | None) -> float | None:
    """Round to 6 significant digits; None stays None."""
    return None if value is None else float(f"{value:.6g}")


def format_score(score: float | str | None) -> str:
    """Format a score or the name of a grade; None is a dash."""
    if score is None:
        return "-"
    return score if isinstance(score, str) else f"{score:.6g}"


def list_marks(facts: Facts) -> list[Facts]:
    """Return the curve points at the population shares of the table below the chart."""
    return [
        {
            "model": model["name"],
            "x": at["population_share"],
            "y": round_for_chart(at["capture_rate"]),
        }
        for model in facts["models"]
        for at in model["captured"]
    ]


class Datasets(dict[str, list[Facts]]):
    """Data sets by name, kept out of the charts: Altair would copy and validate them."""

    def add(self, rows: Sequence[Facts]) -> Any:
        """Add a data set and return a reference to it."""
        name = f"rows-{len(self)}"
        self[name] = list(rows)
        return alt.NamedData(name)


def make_cut_rule(data: Datasets) -> Any:
    """Draw a vertical line at the population share selected with the slider."""
    return (
        alt.Chart(data.add([{}]))
        .transform_calculate(x="cut")
        .mark_rule(strokeDash=[5, 4], strokeWidth=1.2, color="#8a8a8a")
        .encode(x="x:Q")
    )


def make_hover_layer(points: Any, y: str) -> list[Any]:
    """Show a tooltip for the curve point that is nearest to the pointer."""
    nearest = alt.selection_point(
        name="nearest", nearest=True, on="pointerover", fields=["x"], empty=False
    )
    tooltip = [
        # Without a format, Vega-Lite 6 looks a name up in the wrong place ("undefined").
        alt.Tooltip("model:N", title="Model", format=""),
        alt.Tooltip("x:Q", title=SHARE, format=".2%"),
        alt.Tooltip("y:Q", title=CAPTURE_RATE, format=".2%"),
        alt.Tooltip("lift:Q", title="Lift", format=".3f"),
        alt.Tooltip("score:N", title="Score cut-off", format=""),
    ]
    chart = alt.Chart(points, name="points").encode(x="x:Q", y=y)
    opacity = alt.condition(nearest, alt.value(1), alt.value(0))
    marks = chart.mark_point(size=60, filled=True, color="#8a8a8a")
    return [marks.encode(opacity=opacity, tooltip=tooltip).add_params(nearest)]


def make_cap_chart(facts: Facts, data: Datasets) -> Any:
    """Draw the CAP curves, the random and the perfect curve, and the champion's band."""
    names = list_names(facts)
    points = data.add(list_points(facts))
    x = alt.X("x:Q", title=SHARE, axis=PERCENT, scale=alt.Scale(domain=[0, 1]))
    y = alt.Y("y:Q", title=CAPTURE_RATE, axis=PERCENT, scale=alt.Scale(domain=[0, 1]))
    band = (
        []
        if facts["band"] is None
        else [
            {
                "x": round_for_chart(share),
                "low": round_for_chart(low),
                "high": round_for_chart(high),
            }
            for share, low, high in zip(*facts["band"].values(), strict=True)
        ]
    )
    perfect = [
        {"x": share, "y": captured}
        for share, captured in zip(*facts["perfect"].values(), strict=True)
    ]
    diagonal = [{"x": 0, "y": 0}, {"x": 1, "y": 1}]
    layers = [
        alt.Chart(data.add(band))
        .mark_area(opacity=0.2, color=MODEL_COLOURS[0])
        .encode(x="x:Q", y="low:Q", y2="high:Q"),
        alt.Chart(data.add(diagonal))
        .mark_line(strokeDash=[2, 3], strokeWidth=1.2, color="#8a8a8a")
        .encode(x=x, y=y),
        alt.Chart(data.add(perfect))
        .mark_line(strokeWidth=1.2, color="#8a8a8a")
        .encode(x="x:Q", y="y:Q"),
        alt.Chart(points)
        .mark_line(strokeWidth=2.2)
        .encode(x="x:Q", y="y:Q", color=color_by_model(names), order="x:Q"),
        alt.Chart(data.add(list_marks(facts)))
        .mark_point(size=45, filled=True, opacity=1)
        .encode(x="x:Q", y="y:Q", color=color_by_model(names)),
        make_cut_rule(data),
        *make_hover_layer(points, "y:Q"),
    ]
    cut = alt.param(name="cut", value=0.1)
    return fit_to_page(alt.layer(*layers).add_params(cut), height=420)


def make_lift_chart(facts: Facts, data: Datasets) -> Any:
    """Draw cumulative lift."""
    points = [point for point in list_points(facts) if point["lift"] is not None]
    shown = data.add([point for point in points if point["x"] >= 1 / 1000] or points)
    lines = (
        alt.Chart(shown)
        .mark_line(strokeWidth=2.2)
        .encode(
            x=alt.X("x:Q", title=SHARE, axis=PERCENT, scale=alt.Scale(domain=[0, 1])),
            y=alt.Y("lift:Q", title="Lift", scale=alt.Scale(zero=True)),
            color=color_by_model(list_names(facts)),
            order="x:Q",
        )
    )
    random = (
        alt.Chart(data.add([{"y": 1}]))
        .mark_rule(strokeDash=[2, 3], color="#8a8a8a")
        .encode(y="y:Q")
    )
    cut = alt.param(name="cut", value=0.1)
    layers = (lines, random, make_cut_rule(data), *make_hover_layer(shown, "lift:Q"))
    return fit_to_page(alt.layer(*layers).add_params(cut), height=260)


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
