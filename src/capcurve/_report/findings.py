"""Say what a report found, in sentences made from its facts by fixed rules.

docs/report.md lists the rules. No limit is built in but the confidence level of the report:
a difference is called significant if its p-value is below 1 minus that level.
"""

from collections.abc import Callable

from capcurve._inference.reliability import METHODS_WITHOUT_DEGREES
from capcurve._inference.wording import format_apart, format_degrees
from capcurve._report.comparison_findings import find_challenger
from capcurve._report.effective_size import list_unequal, say_effective
from capcurve._report.implied_findings import find_implied
from capcurve._report.initial_findings import find_initial
from capcurve._report.interval_methods import FREE
from capcurve._report.left_out_findings import find_left_out
from capcurve._report.method import WITH_DEGREES
from capcurve._report.options import Facts
from capcurve._report.period_findings import find_trend
from capcurve._report.phrases import (
    FEW_FREEDOM,
    FREE_LIMITS,
    choose_few,
    has_few_deciding,
    is_none,
    say_count,
    say_few_behind,
    say_interval,
    say_list,
    say_own_outcome,
    say_ratio,
)
from capcurve._report.power_findings import find_power
from capcurve._report.segment_findings import find_segments
from capcurve._report.uncounted_bins import UNKNOWN

COLOURS = ("green", "amber", "red")
MOST_LABELS = 3  # named in a finding
CHANCE = 0.5  # gAUC of a score that ranks nothing


def list_findings(facts: Facts) -> list[Facts]:
    """List the findings of a report, in a fixed order."""
    rules: dict[str, Callable[[Facts], str]] = {
        "accuracy_ratio": find_ratio,
        "leakage": find_leakage,
        "challenger": find_challenger,
        "initial": find_initial,
        "segments": find_segments,
        "trend": find_trend,
        "implied": find_implied,
        "left_out": find_left_out,
        "power": find_power,
    }
    return [
        {
            "topic": topic,
            "text": text,
            "status": find_colour(facts) if topic == "accuracy_ratio" else None,
        }
        for topic, rule in rules.items()
        if (text := rule(facts))
    ]


def find_colour(facts: Facts) -> str | None:
    """Return the colour of the champion's AR by the limits given; None without limits."""
    if facts["thresholds"]["green"] is None:
        return None
    return choose_colour(facts["models"][0]["accuracy_ratio"]["value"], facts["thresholds"])


def choose_colour(ratio: float, thresholds: Facts) -> str:
    """Choose the colour of an AR by the limits of green and amber."""
    return COLOURS[(ratio < thresholds["green"]) + (ratio < thresholds["amber"])]


def find_leakage(facts: Facts) -> str:
    """Name the scores that are the outcome itself, or 1 minus it."""
    named: dict[tuple[bool, bool], list[str]] = {}
    for model in facts["models"]:
        if model["equals_outcome"]:
            order = model["descending"], model["accuracy_ratio"]["value"] > 0
            named.setdefault(order, []).append(model["name"])
    return " ".join(
        f"{say_list(names)} {say_own_outcome(*order, number=len(names))}; check that the "
        "score was known before the outcome."
        for order, names in named.items()
    )


def find_ratio(facts: Facts) -> str:
    """Say AR with its interval, what it rests on, and how it stands to the limits."""
    model = facts["models"][0]
    ratio = model["accuracy_ratio"]
    concordance = model["auc"] or model["gauc"]
    also = ""
    if concordance is not None:
        also = f" ({concordance['name']} {say_ratio(concordance['value'])})"
    value = (
        f"The accuracy ratio (AR) of {name_ranked(facts)} is {say_ratio(ratio['value'])}"
    )
    interval = "" if ratio["low"] is None else f", {say_interval(ratio)}"
    rests_on = [say_sample(facts), *say_other_labels(facts), *say_effective(facts)]
    rests_on += say_bounds(model)
    told = [f"{value}{interval}{also}.", *rests_on, *say_doubts(facts)]
    return " ".join([*told, *say_colour(facts)])


def name_ranked(facts: Facts) -> str:
    """Name what AR is of: the score, or amounts that it ranks; and what weighs them."""
    name, details = facts["models"][0]["name"], []
    if facts["outcome"] == "amounts":
        name, details = "amounts", [f"ranked by {name}"]
    if facts["sample"]["weights"] == "sampling":
        column = facts["sample"]["weights_column"]
        details.append("weighted" if column is None else f"weighted by {column}")
    return f"{name}, {say_list(details)}," if details else name


def say_sample(facts: Facts) -> str:
    """Say how many rows, events and clusters AR rests on."""
    sample = facts["sample"]
    rows, events = say_count(sample["n_rows"], "row"), sample["n_events"]
    if events is None:
        return f"It rests on {rows}; {UNKNOWN[facts['outcome'] == 'events']}."
    text = f"It rests on {say_count(events, 'event')} among {rows}"
    is_amount = facts["outcome"] == "amounts"
    if is_amount:
        text = f"It rests on {rows}"
    if (clusters := sample["clusters"]) is not None:
        text += f" in {say_count(clusters['n'], 'cluster')}"
    if is_amount:
        text += f"; {say_count(events)} of the rows have an amount above 0"
    return f"{text}."


def say_bounds(model: Facts) -> list[str]:
    """Say within which bounds AR lies, where scores share bins."""
    bounds = model["limits"]
    if bounds is None or is_none(bounds["high"] - bounds["low"]):
        return []
    low, high = say_ratio(bounds["low"]), say_ratio(bounds["high"])
    return [f"Scores share bins, so AR of the rows is only known to be {low} to {high}."]


def say_other_labels(facts: Facts) -> list[str]:
    """Say which labels count as non-events, if there are several."""
    labels = facts["rows"]["other_labels"]
    if not labels:
        return []
    told = [f"{say_count(each['n'])} {each['label']}" for each in labels[:MOST_LABELS]]
    more = ["others"] if len(labels) > MOST_LABELS else []
    return [f"Non-events are {say_list([*told, *more])}."]


def say_doubts(facts: Facts) -> list[str]:
    """Say why AR is uncertain: no interval, one that includes 0, or few events."""
    model = facts["models"][0]
    ratio, told = model["accuracy_ratio"], []
    if model["is_constant"]:
        return ["The score is uninformative: all rows share one score, so AR is 0."]
    if ratio["low"] is None:
        return [
            "It has no confidence interval, which requires the individual rows."
            if model["limits"]
            else "It has no confidence interval, because the rows show no variance."
        ]
    told += say_free_limits(facts, ratio)
    if ratio["low"] <= 0:
        told += say_no_better(model, is_amount=facts["outcome"] == "amounts")
    told += say_few_degrees(facts, ratio)
    told += say_concordance(ratio, model["gauc"])
    if not model["few_events"] or choose_few(ratio) == FEW_FREEDOM:
        return told
    if ratio["method"] != "exact":
        exact = model["exact_limits"]
        limits = ""
        if exact is not None:
            low, high = say_ratio(exact["low"]), say_ratio(exact["high"])
            limits = f"; limits that hold for any distribution are {low} to {high}"
        told.append(f"{say_few_behind(ratio, list_unequal(facts))}{limits}.")
    return told


def say_free_limits(facts: Facts, ratio: Facts) -> list[str]:
    """Say that limits are distribution-free, where another method was asked for."""
    if ratio["method"] not in FREE or facts["provenance"]["options"].get("method") in FREE:
        return []
    return [f"Its interval has {FREE_LIMITS}."]


def say_no_better(model: Facts, *, is_amount: bool) -> list[str]:
    """Say that an interval does not lie above 0."""
    is_worse = model["accuracy_ratio"]["high"] < 0
    what = "these bins" if model["limits"] else "the rows"
    shown, subject = "the score ranks better than chance", "The score"
    if is_amount:
        shown = "the largest amounts are captured first"
        subject = "By the amounts captured, the score"
    text = f"The interval includes 0, so {what} do not show that {shown}."
    if is_worse:
        text = f"{subject} ranks worse than chance; it may be reversed."
    return [text]


def say_concordance(ratio: Facts, gauc: Facts | None) -> list[str]:
    """Say that gAUC, to which all pairs weigh the same, is not where AR is from chance."""
    if gauc is None or gauc["low"] is None:
        return []
    by_amount, side = find_side(ratio, 0), find_side(gauc, CHANCE)
    if side == by_amount:
        return []
    verb = f"is {side}" if side else f"is not shown to be {by_amount}"
    low, high = (format_apart(gauc[end], CHANCE) for end in ("low", "high"))
    told = f"{verb} {CHANCE}: its interval is {low} to {high}."
    return [f"gAUC, which does not weigh pairs by amount, {told}"]


def find_side(estimate: Facts, chance: float) -> str:
    """Return the side of chance on which an interval lies; an empty string on neither."""
    if estimate["low"] > chance:
        return "above"
    return "below" if estimate["high"] < chance else ""


def say_few_degrees(facts: Facts, ratio: Facts) -> list[str]:
    """Say that few rows decide, and whether the method of the interval allows for that."""
    df, method = ratio["degrees_of_freedom"], ratio["method"]
    if not has_few_deciding(ratio):
        return []
    units = "rows" if facts["sample"]["clusters"] is None else "clusters"
    few, degrees = f"Few {units} have most of its variance", format_degrees(df)
    if method in WITH_DEGREES:
        return [f"{few}, so the interval is wide ({degrees})."]
    if method not in METHODS_WITHOUT_DEGREES:  # distribution-free limits
        return []
    missed = f"which the method '{method}' does not allow for"
    return [f"{few} ({degrees}), {missed}, so the interval may be too narrow."]


def say_colour(facts: Facts) -> list[str]:
    """Say how AR stands to the limits of green and amber, if they are given."""
    colour, ratio = find_colour(facts), facts["models"][0]["accuracy_ratio"]
    if colour is None:
        return []
    green, amber = facts["thresholds"]["green"], facts["thresholds"]["amber"]
    told = {
        "green": f"AR reaches the limit of {say_ratio(green)} for green.",
        "amber": f"AR is below the limit of {say_ratio(green)} for green, and reaches that "
        f"of {say_ratio(amber)} for amber.",
        "red": f"AR is below the limit of {say_ratio(amber)} for amber.",
    }
    inside = [
        say_ratio(limit)
        for limit in (green, amber)
        if ratio["low"] is not None and ratio["low"] < limit <= ratio["high"]
    ]
    if not inside:
        return [told[colour]]
    others = say_other_colours(ratio, facts["thresholds"])
    return [told[colour], f"The interval includes {say_list(inside)}, so {others}."]


def say_other_colours(ratio: Facts, thresholds: Facts) -> str:
    """Say which colours the interval of AR allows besides that of its value."""
    best, worst = (choose_colour(ratio[end], thresholds) for end in ("high", "low"))
    if {best, worst} == {COLOURS[0], COLOURS[-1]}:
        return "any colour is possible"
    own = choose_colour(ratio["value"], thresholds)
    return f"{worst if own == best else best} is possible, too"
