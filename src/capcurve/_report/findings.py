"""Say what a report found, in sentences made from its facts by fixed rules.

docs/report.md lists the rules. No limit is built in but the confidence level of the report:
a difference is called significant if its p-value is below 1 minus that level.
"""

from collections.abc import Callable

from capcurve._report.group_findings import find_segments, find_trend
from capcurve._report.left_out_findings import find_left_out
from capcurve._report.options import Facts
from capcurve._report.phrases import (
    FEW_IN_INTERVAL,
    FEW_IN_PLAN,
    FEW_IN_TEST,
    is_significant,
    say_count,
    say_few_rows,
    say_interval,
    say_level,
    say_list,
    say_p_value,
    say_percent,
    say_ratio,
)

COLOURS = ("green", "amber", "red")
MOST_LABELS = 3  # named in a finding
MANY_EFFECTIVE = 0.8  # share of events, above which unequal weights need no word


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
    """Name the scores that are the outcome itself."""
    names = [model["name"] for model in facts["models"] if model["equals_outcome"]]
    if not names:
        return ""
    verb = "equals" if len(names) == 1 else "equal"
    return (
        f"{say_list(names)} {verb} the outcome in every row, so AR is 1; check that the "
        "score was known before the outcome."
    )


def find_ratio(facts: Facts) -> str:
    """Say AR with its interval, what it rests on, and how it stands to the limits."""
    model = facts["models"][0]
    ratio = model["accuracy_ratio"]
    concordance = model["auc"] or model["gauc"]
    also = ""
    if concordance is not None:
        also = f" ({concordance['name']} {say_ratio(concordance['value'])})"
    value = f"The accuracy ratio (AR) of {model['name']} is {say_ratio(ratio['value'])}"
    interval = "" if ratio["low"] is None else f", {say_interval(ratio)}"
    rests_on = [say_sample(facts), *say_other_labels(facts), *say_effective(facts)]
    told = [f"{value}{interval}{also}.", *rests_on, *say_doubts(facts)]
    return " ".join([*told, *say_colour(facts)])


def say_sample(facts: Facts) -> str:
    """Say how many rows, events and clusters AR rests on."""
    sample = facts["sample"]
    rows, events = say_count(sample["n_rows"], "row"), sample["n_events"]
    if events is None:
        return f"It rests on {rows}."
    text = f"It rests on {say_count(events, 'event')} among {rows}"
    is_amount = facts["outcome"] == "amounts"
    if is_amount:
        text = f"It rests on {rows}"
    if (clusters := sample["clusters"]) is not None:
        text += f" in {say_count(clusters['n'], 'cluster')}"
    if is_amount:
        text += f"; {say_count(events)} of the rows have an amount above 0"
    return f"{text}."


def say_other_labels(facts: Facts) -> list[str]:
    """Say which labels count as non-events, if there are several."""
    labels = facts["rows"]["other_labels"]
    if not labels:
        return []
    told = [f"{say_count(each['n'])} {each['label']}" for each in labels[:MOST_LABELS]]
    more = ["others"] if len(labels) > MOST_LABELS else []
    return [f"Non-events are {say_list([*told, *more])}."]


def say_effective(facts: Facts) -> list[str]:
    """Say how many events of equal weight are as telling, where weights cost many."""
    sample, n = facts["sample"], facts["models"][0]["n_effective"]
    if facts["outcome"] == "amounts" or sample["weights"] != "sampling" or n is None:
        return []
    events, others = sample["n_events"], sample["n_non_events"]
    if n > MANY_EFFECTIVE * min(events, others):
        return []
    noun = "events" if events <= others else "non-events"
    causes = "unequal weights" + (" and clusters" if sample["clusters"] else "")
    return [f"With {causes} they tell as much as {n:,.0f} {noun} of equal weight."]


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
    if ratio["high"] < 0:
        told.append("The score ranks worse than chance; it may be reversed.")
    elif ratio["low"] <= 0:
        told.append(
            "The interval includes 0, so the rows do not show that the score ranks better "
            "than chance."
        )
    if model["few_events"]:
        exact = model["exact_limits"]
        limits = ""
        if exact is not None:
            low, high = say_ratio(exact["low"]), say_ratio(exact["high"])
            limits = f"; limits that hold for any distribution are {low} to {high}"
        n_rows = model["n_effective"] if facts["outcome"] == "amounts" else None
        few = FEW_IN_INTERVAL if n_rows is None else say_few_rows(n_rows)
        told.append(f"{few}{limits}.")
    return told


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


def find_challenger(facts: Facts) -> str:
    """Say whether challengers rank better or worse than the champion."""
    champion = facts["models"][0]["name"]
    rows = [row for row in facts["challengers"] if row["against"] == champion]
    if len(rows) == 1:
        return say_challenger(rows[0], champion)
    return say_challengers(rows, champion, len(facts["challengers"])) if rows else ""


def say_challenger(row: Facts, champion: str) -> str:
    """Say the difference of one challenger from the champion, with its interval."""
    if row["p_holm"] is None:
        return f"{row['model']} could not be tested against {champion}."
    if row["value"] == row["standard_error"] == 0:
        return f"{row['model']} ranks all rows as {champion} does."
    sign = -1 if row["value"] < 0 else 1
    side, size = ("lower" if sign < 0 else "higher"), say_ratio(abs(row["value"]))
    evidence = f"{say_interval(row, sign)}, {say_p_value(row['p_holm'])}"
    if is_significant(row["p_holm"], row["confidence_level"]):
        verdict = "worse" if sign < 0 else "better"
        text = (
            f"{row['model']} ranks {verdict} than {champion}: its AR is {side} by {size} "
            f"({evidence})."
        )
    else:
        text = (
            f"The AR of {row['model']} is {side} than that of {champion} by {size} "
            f"({evidence}), which is not statistically significant."
        )
    return text if row["is_reliable"] else f"{text} {FEW_IN_TEST}"


def say_challengers(rows: list[Facts], champion: str, n_pairs: int) -> str:
    """Say which of several challengers rank better or worse than the champion."""
    named: dict[str, list[str]] = {"better": [], "worse": [], "alike": []}
    for row in rows:
        if is_significant(row["p_holm"], row["confidence_level"]):
            side = "lower" if row["value"] < 0 else "higher"
            size, p_value = say_ratio(abs(row["value"])), say_p_value(row["p_holm"])
            told = f"{row['model']} (AR {side} by {size}, {p_value})"
            named["worse" if row["value"] < 0 else "better"].append(told)
        else:
            named["alike"].append(row["model"])
    parts = [
        f"{word} than {champion}: {say_list(named[word])}"
        for word in ("better", "worse")
        if named[word]
    ]
    text = f"Challengers that rank {'; '.join(parts)}." if parts else ""
    if named["alike"]:
        text += f" No significant difference from {champion}: {say_list(named['alike'])}"
        text += f"{say_clearest(rows, named['alike'])}."
    text += f" p-values are adjusted for {n_pairs} comparisons."
    if not all(row["is_reliable"] for row in rows):
        text += f" {FEW_IN_TEST}"
    return text.strip()


def say_clearest(rows: list[Facts], alike: list[str]) -> str:
    """Say how near challengers of a higher AR are to a significant difference."""
    higher = [row for row in rows if row["model"] in alike and row["value"] > 0]
    tested = [row for row in higher if row["p_holm"] is not None]
    if not tested:
        return ""
    row = min(tested, key=lambda row: row["p_value"])
    p_value, alone = say_p_value(row["p_holm"]), say_p_value(row["p_value"])
    return (
        f"; the clearest is that of {row['model']} (AR higher by "
        f"{say_ratio(row['value'])}, {p_value}; {alone} if it were the only test)"
    )


def find_initial(facts: Facts) -> str:
    """Say whether the AUC of each model has decreased since its initial validation."""
    told = []
    for model in facts["models"]:
        rows = [row for row in facts["initial"] if row["model"] == model["name"]]
        if not rows:
            continue
        row = rows[-1]  # the two-sample test, if there is one
        is_champion = model is facts["models"][0]
        told.append(say_initial(row, "" if is_champion else f" of {model['name']}"))
        if row["p_value"] is not None and model["few_events"]:
            told.append(FEW_IN_TEST)
    return " ".join(told)


def say_initial(row: Facts, whose: str) -> str:
    """Say how AUC stands to that of initial validation, and by which test."""
    name, initial = row["name"] + whose, say_ratio(row["first"])
    current = say_ratio(row["second"])
    if row["p_value"] is None:
        return (
            f"{name} is {current}, compared with {initial} at initial validation; the "
            "difference could not be tested."
        )
    if row["value"] <= 0:
        return f"{name} is {current}, which is not below the {initial} of the initial one."
    level = say_level(row["confidence_level"])
    test = "two-sample test" if row["test"] == "two samples" else "the ECB's test"
    p_value = f"one-sided {say_p_value(row['p_value'])}, {test}"
    if not row["is_significant"]:
        return (
            f"{name} is {current}, compared with {initial} at initial validation; the "
            f"decrease of {say_ratio(row['value'])} is not significant at {level} "
            f"({p_value})."
        )
    text = (
        f"{name} has decreased since initial validation, from {initial} to {current}: the "
        f"decrease of {say_ratio(row['value'])} is significant at {level} ({p_value})."
    )
    if row["test"] == "ECB":
        text += " This test takes the initial value as known exactly."
    return text


def find_implied(facts: Facts) -> str:
    """Say whether AR differs from the one that probabilities imply."""
    return " ".join(map(say_implied, facts["implied"]))


def say_implied(row: Facts) -> str:
    """Say how the AR of one model stands to the one that its probabilities imply."""
    observed, implied = say_ratio(row["observed"]), say_ratio(row["implied"])
    text = f"The probabilities of {row['model']} imply an AR of {implied}"
    if row["score"] != row["model"]:
        text += f" for {row['score']}"
    if row["p_value"] is None:
        return f"{text}; the observed {observed} could not be tested against it."
    p_value = say_p_value(row["p_value"])
    verdict = f"does not differ significantly from it ({p_value})"
    if is_significant(row["p_value"], row["confidence_level"]):
        side = "below" if row["difference"] < 0 else "above"
        verdict = f"is significantly {side} it ({p_value})"
    text = f"{text}; the observed {observed} {verdict}."
    if row["n_left_out"]:
        left_out = say_count(row["n_left_out"], "row")
        verb = "was" if row["n_left_out"] == 1 else "were"
        text += f" {left_out} without a probability {verb} left out of this test."
    return text if row["is_reliable"] else f"{text} {FEW_IN_TEST}"


def find_power(facts: Facts) -> str:
    """Say which changes a test on these rows finds, and how probably."""
    power = facts["power"]
    if power is None or power["models"][0]["detectable_fall"] is None:
        return ""
    fall, level = say_fall(power["models"][0]), say_level(1 - power["level"])
    chance = say_percent(power["power"], 0)
    text = (
        f"With a probability of {chance}, a one-sided test at {level} on these rows finds "
        f"a decrease in AR of {fall}; it finds a smaller one less often."
    )
    champion = facts["models"][0]["name"]
    pairs = [
        f"{say_ratio(pair['detectable_difference'])} (from {pair['model']})"
        for pair in power["pairs"]
        if pair["against"] == champion and pair["detectable_difference"] is not None
    ]
    if pairs:
        text += (
            " With the same probability, a two-sided test finds a difference between "
            f"{champion} and a challenger of {say_list(pairs)}."
        )
    return text if power["models"][0]["is_reliable"] else f"{text} {FEW_IN_PLAN}"


def say_fall(model: Facts) -> str:
    """Say the decrease that a test finds, from a known AR or from that of a sample."""
    known, found = model["detectable_fall"], model["detectable_fall_initial"]
    if found is None:
        return f"{say_ratio(known)} from a value that is known exactly"
    return (
        f"{say_ratio(found)} since initial validation, allowing for the variance of the "
        f"initial AUC ({say_ratio(known)} if that were known exactly)"
    )
