"""Sheet of a workbook that holds the points of its charts."""

from collections.abc import Sequence

from capcurve._report.book_table import Column, Sheet, dig, make_table
from capcurve._report.options import Facts
from capcurve._report.scored import show_key

SHARE, CAPTURED, LIFT = "Population share", "Capture rate", "Lift"
RANDOM, PERFECT = "Random ranking", "Perfect ranking"
GROUP, RATIO, BELOW, ABOVE = "Group", "AR", "AR - lower limit", "Upper limit - AR"
MOST_GROUPS = 40  # of a chart that can be read


def make_chart_data_sheet(facts: Facts) -> Sheet:
    """Describe the points of all charts, side by side."""
    columns: list[Column] = []
    for model in facts["models"]:
        columns += list_curve(model["curve"], model["name"])
    columns += list_path({SHARE: [0, 1], CAPTURED: [0, 1]}, RANDOM)
    perfect = facts["perfect"]
    path = {SHARE: perfect["population_share"], CAPTURED: perfect["capture_rate"]}
    columns += list_path(path, PERFECT)
    if facts["band"] is not None:
        columns += list_band(facts)
    for kind in ("segments", "periods"):
        for section in facts[kind]:
            columns += list_groups(section)
    return Sheet(
        name="Chart data",
        title="Points of the charts",
        notes=[
            "The charts of this workbook are drawn from these points. Curves are thinned; "
            "all other numbers are computed from all rows."
        ],
        tables=[make_table(columns, n_names=0)],
    )


def list_path(path: dict[str, Sequence[float]], span: str) -> list[Column]:
    """List the points of a line."""
    return [Column(name, "share", values, span) for name, values in path.items()]


def list_curve(curve: Facts, span: str) -> list[Column]:
    """List the points of a curve, with lift and score cut-off."""
    share, captured = curve["population_share"], curve["capture_rate"]
    lift = [y / x if x else None for x, y in zip(share, captured, strict=True)]
    return [
        *list_path({SHARE: share, CAPTURED: captured}, span),
        Column(LIFT, "lift", lift, span),
        Column("Score cut-off", "score", curve["threshold"], span),
    ]


def name_band(facts: Facts) -> str:
    """Name the champion's confidence band."""
    level = facts["confidence_level"]
    return f"{100 * level:.4g}% confidence band of {facts['models'][0]['name']}"


def list_band(facts: Facts) -> list[Column]:
    """List the limits of the champion's confidence band."""
    band = facts["band"]
    path = {
        SHARE: band["population_share"],
        "Lower limit": band["low"],
        "Upper limit": band["high"],
    }
    return list_path(path, name_band(facts))


def is_charted(section: Facts) -> bool:
    """Whether there is a chart of a column of segments or periods."""
    return len(section["wide"]) <= MOST_GROUPS


def list_groups(section: Facts) -> list[Column]:
    """List AR by group and model, with the distances to its limits."""
    if not is_charted(section):
        return []
    rows = section["wide"]
    by = section["by"]
    columns = [Column(GROUP, "text", [show_key(row["group"]) for row in rows], by)]
    for number, total in enumerate(section["total"]):
        ratios = [row["models"][number]["accuracy_ratio"] for row in rows]
        span = name_series(by, total["model"])
        below = [subtract(dig(each, "value"), dig(each, "low")) for each in ratios]
        above = [subtract(dig(each, "high"), dig(each, "value")) for each in ratios]
        columns += [
            Column(RATIO, "ratio", [dig(each, "value") for each in ratios], span),
            Column(BELOW, "ratio", below, span),
            Column(ABOVE, "ratio", above, span),
        ]
    return columns


def name_series(by: str, model: str) -> str:
    """Name a model in the groups of a column."""
    return f"{model} by {by}"


def subtract(first: float | None, second: float | None) -> float | None:
    """Return the difference; None if one of the numbers is undefined."""
    return None if first is None or second is None else first - second
