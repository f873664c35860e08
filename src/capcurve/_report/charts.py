"""Facts of a report -> Vega-Lite specifications, made with Altair."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import altair as alt

Facts = dict[str, Any]

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")  # Okabe-Ito
PERCENT = alt.Axis(format="%", tickCount=6)
ROW_HEIGHT = 22
SHARE, CAPTURED = "Population share", "Captured share"


def charts_of(facts: Facts) -> dict[str, Facts]:
    """Make the charts that the facts have something to show in."""
    names = names_of(facts)
    makers: dict[str, Callable[[Datasets], Any]] = {
        "cap": lambda data: cap_chart(facts, data),
        "lift": lambda data: lift_chart(facts, data),
    }
    for kind, make in (("segments", forest_chart), ("periods", trend_chart)):
        makers |= {
            f"{kind}-{number}": partial(make, each, names)
            for number, each in enumerate(facts[kind])
        }
    return {name: specification(make) for name, make in makers.items()}


def specification(make: Callable[["Datasets"], Any]) -> Facts:
    """Write a chart down beside its rows."""
    data = Datasets()
    return {**make(data).to_dict(), "datasets": data}


def names_of(facts: Facts) -> list[str]:
    """List the models."""
    return [model["name"] for model in facts["models"]]


def by_model(names: Sequence[str]) -> alt.Color:
    """Colour marks by their model."""
    scale = alt.Scale(domain=list(names), range=list(COLOURS[: len(names)]))
    legend = alt.Legend(title=None, orient="top", labelLimit=400)
    return alt.Color("model:N", scale=scale, legend=legend)


def points_of(facts: Facts) -> list[Facts]:
    """List the points of all models, with what is read off each."""
    return [
        {
            "model": model["name"],
            "x": rounded(share),
            "y": rounded(captured),
            "lift": rounded(captured / share) if share else None,
            "score": rounded(threshold),
        }
        for model in facts["models"]
        for share, captured, threshold in zip(*model["curve"].values(), strict=True)
    ]


def rounded(value: float | None) -> float | None:
    """Keep what can be seen."""
    return None if value is None else float(f"{value:.6g}")


def marks_of(facts: Facts) -> list[Facts]:
    """List what is captured at the shares that the page has a table of."""
    return [
        {
            "model": model["name"],
            "x": at["population_share"],
            "y": rounded(at["capture_rate"]),
        }
        for model in facts["models"]
        for at in model["captured"]
    ]


class Datasets(dict[str, list[Facts]]):
    """The rows that charts draw, kept aside: Altair copies and checks what it is given."""

    def add(self, rows: Sequence[Facts]) -> Any:
        """Keep rows and refer to them by a name."""
        name = f"rows-{len(self)}"
        self[name] = list(rows)
        return alt.NamedData(name)


def cut_rule(data: Datasets) -> Any:
    """Draw where the slider stands."""
    return (
        alt.Chart(data.add([{}]))
        .transform_calculate(x="cut")
        .mark_rule(strokeDash=[5, 4], strokeWidth=1.2, color="#8a8a8a")
        .encode(x="x:Q")
    )


def hovered(points: Any, y: str) -> list[Any]:
    """Read the nearest point off."""
    nearest = alt.selection_point(
        name="nearest", nearest=True, on="pointerover", fields=["x"], empty=False
    )
    tooltip = [
        alt.Tooltip("model:N", title="Model"),
        alt.Tooltip("x:Q", title=SHARE, format=".2%"),
        alt.Tooltip("y:Q", title=CAPTURED, format=".2%"),
        alt.Tooltip("lift:Q", title="Lift", format=".3f"),
        alt.Tooltip("score:Q", title="Score cut-off", format=".6~g"),
    ]
    chart = alt.Chart(points, name="points").encode(x="x:Q", y=y)
    seen = alt.condition(nearest, alt.value(1), alt.value(0))
    marks = chart.mark_point(size=60, filled=True, color="#8a8a8a")
    return [marks.encode(opacity=seen, tooltip=tooltip).add_params(nearest)]


def cap_chart(facts: Facts, data: Datasets) -> Any:
    """Draw the curves with the random and the perfect line, and a band."""
    names = names_of(facts)
    points = data.add(points_of(facts))
    x = alt.X("x:Q", title=SHARE, axis=PERCENT, scale=alt.Scale(domain=[0, 1]))
    y = alt.Y("y:Q", title=CAPTURED, axis=PERCENT, scale=alt.Scale(domain=[0, 1]))
    band = (
        []
        if facts["band"] is None
        else [
            {"x": rounded(share), "low": rounded(low), "high": rounded(high)}
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
        .mark_area(opacity=0.2, color=COLOURS[0])
        .encode(x="x:Q", y="low:Q", y2="high:Q"),
        alt.Chart(data.add(diagonal))
        .mark_line(strokeDash=[2, 3], strokeWidth=1.2, color="#8a8a8a")
        .encode(x=x, y=y),
        alt.Chart(data.add(perfect))
        .mark_line(strokeWidth=1.2, color="#8a8a8a")
        .encode(x="x:Q", y="y:Q"),
        alt.Chart(points)
        .mark_line(strokeWidth=2.2)
        .encode(x="x:Q", y="y:Q", color=by_model(names), order="x:Q"),
        alt.Chart(data.add(marks_of(facts)))
        .mark_point(size=45, filled=True, opacity=1)
        .encode(x="x:Q", y="y:Q", color=by_model(names)),
        cut_rule(data),
        *hovered(points, "y:Q"),
    ]
    cut = alt.param(name="cut", value=0.1)
    return finished(alt.layer(*layers).add_params(cut), height=420)


def lift_chart(facts: Facts, data: Datasets) -> Any:
    """Draw cumulative lift."""
    points = [point for point in points_of(facts) if point["lift"] is not None]
    shown = data.add([point for point in points if point["x"] >= 1 / 1000] or points)
    lines = (
        alt.Chart(shown)
        .mark_line(strokeWidth=2.2)
        .encode(
            x=alt.X("x:Q", title=SHARE, axis=PERCENT, scale=alt.Scale(domain=[0, 1])),
            y=alt.Y("lift:Q", title="Lift", scale=alt.Scale(zero=True)),
            color=by_model(names_of(facts)),
            order="x:Q",
        )
    )
    random = (
        alt.Chart(data.add([{"y": 1}]))
        .mark_rule(strokeDash=[2, 3], color="#8a8a8a")
        .encode(y="y:Q")
    )
    cut = alt.param(name="cut", value=0.1)
    layers = (lines, random, cut_rule(data), *hovered(shown, "lift:Q"))
    return finished(alt.layer(*layers).add_params(cut), height=260)


def interval_rows(groups: Sequence[Facts]) -> list[Facts]:
    """List the intervals of groups that have one."""
    return [
        {
            "group": each["group"],
            "model": each["model"],
            "value": each["accuracy_ratio"]["value"],
            "low": each["accuracy_ratio"]["low"],
            "high": each["accuracy_ratio"]["high"],
            "events": each["n_events"],
            "few": "fewer than 20 events" if each["few_events"] else "",
        }
        for each in groups
        if each["accuracy_ratio"] is not None
    ]


def interval_tooltip(by: str) -> list[alt.Tooltip]:
    """Say what an interval is of."""
    return [
        alt.Tooltip("group:N", title=by),
        alt.Tooltip("model:N", title="Model"),
        alt.Tooltip("value:Q", title="AR", format=".4f"),
        alt.Tooltip("low:Q", title="Low", format=".4f"),
        alt.Tooltip("high:Q", title="High", format=".4f"),
        alt.Tooltip("events:Q", title="Events", format=",.6~g"),
        alt.Tooltip("few:N", title="Note"),
    ]


def forest_chart(each: Facts, names: Sequence[str], data: Datasets) -> Any:
    """Draw the AR of each segment with its interval; hollow where events are few."""
    by, groups = each["by"], each["groups"]
    rows = interval_rows(groups)
    base = alt.Chart(data.add(rows)).encode(
        y=alt.Y("group:N", title=by, sort=None, axis=alt.Axis(labelLimit=220)),
        yOffset=alt.YOffset("model:N", sort=list(names)),
        color=by_model(names),
        tooltip=interval_tooltip(by),
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
    return finished(alt.layer(*layers), height=max(60, ROW_HEIGHT * n_rows))


def trend_chart(each: Facts, names: Sequence[str], data: Datasets) -> Any:
    """Draw the AR of each period with its interval."""
    by, groups = each["by"], each["groups"]
    base = alt.Chart(data.add(interval_rows(groups))).encode(
        x=alt.X("group:O", title=by, sort=None, axis=alt.Axis(labelAngle=-40)),
        xOffset=alt.XOffset("model:N", sort=list(names)),
        color=by_model(names),
        tooltip=interval_tooltip(by),
    )
    y = alt.Y("low:Q", title="Accuracy ratio", scale=alt.Scale(zero=False))
    filled = alt.condition("datum.few == ''", alt.value(1), alt.value(0.15))
    layers = (
        base.mark_rule(strokeWidth=2).encode(y=y, y2="high:Q"),
        base.mark_point(size=70, filled=True, opacity=1).encode(
            y="value:Q", fillOpacity=filled
        ),
    )
    return finished(alt.layer(*layers), height=260)


def finished(chart: Any, *, height: int) -> Any:
    """Fit a chart to the width of the page."""
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
