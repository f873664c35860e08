"""Sheet of a workbook that holds the points of its charts."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from capcurve._report.book_models import write_level
from capcurve._report.book_table import Column, Sheet, make_table, pick
from capcurve._report.charts import find_lift
from capcurve._report.options import Facts
from capcurve._report.scored import show_key

SHARE, CAPTURED, LIFT = "Population share", "Capture rate", "Lift"
LOWER, UPPER = "Lower limit", "Upper limit"
RANDOM, PERFECT, BAND = "random", "perfect", "band"
GROUP, RATIO, BELOW, ABOVE = "group", "ratio", "below", "above"
LONGEST_NAME = 32  # characters
MOST_GROUPS = 40  # of a chart that can be read


def make_chart_data_sheet(facts: Facts) -> Sheet:
    """Describe the points of all charts, side by side."""
    columns: list[Column] = []
    for number, model in enumerate(facts["models"]):
        columns += list_curve(model["curve"], shorten(model["name"]), number)
    columns += list_path({SHARE: [0, 1], CAPTURED: [0, 1]}, "Random ranking", RANDOM)
    perfect = facts["perfect"]
    path = {SHARE: perfect["population_share"], CAPTURED: perfect["capture_rate"]}
    columns += list_path(path, "Perfect ranking", PERFECT)
    if facts["band"] is not None:
        columns += list_band(facts)
    for kind in ("segments", "periods"):
        for number, section in enumerate(facts[kind]):
            columns += list_groups(section, kind, number)
    return Sheet(
        name="Chart data",
        title="Points of the charts",
        notes=[
            "The charts of this workbook are drawn from these points.",
            "Curves are thinned; all other numbers are computed from all rows.",
        ],
        tables=[make_table(columns, n_names=0, undefined="")],
    )


def shorten(name: str) -> str:
    """Shorten a name that would fill a chart; other sheets hold it in full."""
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def list_path(path: dict[str, Sequence[float]], span: str, *key: str | int) -> list[Column]:
    """List the points of a line."""
    return [
        Column(name, "share", values, span, (*key, name)) for name, values in path.items()
    ]


def list_curve(curve: Facts, span: str, number: int) -> list[Column]:
    """List the points of a curve with score cut-offs, and those of lift."""
    share, captured = curve["population_share"], curve["capture_rate"]
    at, lift = find_lift(np.array(share), np.array(captured))
    return [
        *list_path({SHARE: share, CAPTURED: captured}, span, number),
        Column("Score cut-off", "score", curve["threshold"], span),
        Column(SHARE, "share", at.tolist(), span, (name_lift(number), SHARE)),
        Column(LIFT, "lift", lift.tolist(), span, (name_lift(number), LIFT)),
    ]


def name_lift(number: int) -> str:
    """Name the lift of a model among the points of charts."""
    return f"{LIFT} {number}"


def list_band(facts: Facts) -> list[Column]:
    """List the limits of the champion's confidence band."""
    band = facts["band"]
    path = {SHARE: band["population_share"], LOWER: band["low"], UPPER: band["high"]}
    champion = shorten(facts["models"][0]["name"])
    return list_path(path, f"{write_level(facts)} confidence band of {champion}", BAND)


def is_charted(section: Facts) -> bool:
    """Whether there is a chart of a column of segments or periods."""
    has_ratio = any(row["accuracy_ratio"] is not None for row in section["groups"])
    return has_ratio and len(section["wide"]) <= MOST_GROUPS


def list_groups(section: Facts, *key: str | int) -> list[Column]:
    """List AR by group and model, with the distances to its limits."""
    if not is_charted(section):
        return []
    rows, by = section["wide"], section["by"]
    groups = [shorten(show_key(row["group"])) for row in rows]
    span = f"Groups of {shorten(by)}"
    columns = [Column(shorten(by), "text", groups, span, (*key, GROUP))]
    for number, total in enumerate(section["total"]):
        ratios = [row["models"][number]["accuracy_ratio"] for row in rows]
        value, low, high = (pick(ratios, name) for name in ("value", "low", "high"))
        span, own = shorten(total["model"]), (*key, number)
        columns += [
            Column("AR", "ratio", value, span, (*own, RATIO)),
            Column(
                "AR minus lower limit", "ratio", subtract(value, low), span, (*own, BELOW)
            ),
            Column(
                "Upper limit minus AR", "ratio", subtract(high, value), span, (*own, ABOVE)
            ),
        ]
    return columns


def subtract(first: Sequence[Any], second: Sequence[Any]) -> list[float | None]:
    """Return the differences; None where a number is undefined."""
    return [
        None if a is None or b is None else a - b
        for a, b in zip(first, second, strict=True)
    ]
