"""Say what a report found, in sentences made from its facts by fixed rules.

docs/report.md lists the rules. No limit is built in but the confidence level of the report:
a difference is called significant if its p-value is below 1 minus that level.
"""

from collections.abc import Callable

from capcurve._report.group_findings import find_segments, find_trend
from capcurve._report.options import Facts
from capcurve._report.phrases import (
    FEW_IN_INTERVAL,
    FEW_IN_TEST,
    is_significant,
    say_count,
    say_interval,
    say_level,
    say_list,
    say_p_value,
    say_percent,
    say_rate,
    say_ratio,
)

COLOURS = ("green", "amber", "red")


def list_findings(facts: Facts) -> list[Facts]:
    """List the findings of a report, in a fixed order."""
    rules: dict[str, Callable[[Facts], str]] = {
        "accuracy_ratio": find_ratio,
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
    green, amber = facts["thresholds"]["green"], facts["thresholds"]["amber"]
    if green is None:
        return None
    ratio = facts["models"][0]["accuracy_ratio"]["value"]
    return COLOURS[(ratio < green) + (ratio < amber)]


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
    told = [f"{value}{interval}{also}.", say_sample(facts), *say_doubts(model)]
    return " ".join([*told, *say_colour(facts)])


def say_sample(facts: Facts) -> str:
    """Say how many rows, events and clusters AR rests on."""
    sample = facts["sample"]
    rows, events = say_count(sample["n_rows"], "row"), sample["n_events"]
    if events is None:
        return f"It rests on {rows}."
    text = f"It rests on {say_count(events, 'event')} among {rows}"
    if facts["outcome"] == "amounts":
        text = f"It rests on {rows}, {say_count(events)} of them with an amount above 0"
    if (clusters := sample["clusters"]) is not None:
        text += f" in {say_count(clusters['n'], 'cluster')}"
    return f"{text}."


def say_doubts(model: Facts) -> list[str]:
    """Say why AR is uncertain: no interval, one that includes 0, or few events."""
    ratio, told = model["accuracy_ratio"], []
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
        told.append(f"{FEW_IN_INTERVAL}{limits}.")
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
    return [
        told[colour],
        f"The interval includes {say_list(inside)}, so the colour is uncertain.",
    ]


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
        text += f" No significant difference from {champion}: {say_list(named['alike'])}."
    text += f" p-values are adjusted for {n_pairs} comparisons."
    if not all(row["is_reliable"] for row in rows):
        text += f" {FEW_IN_TEST}"
    return text.strip()


def find_initial(facts: Facts) -> str:
    """Say whether the champion's AUC has decreased since initial validation."""
    champion = facts["models"][0]["name"]
    rows = [row for row in facts["initial"] if row["model"] == champion]
    if not rows:
        return ""
    row = rows[-1]  # the two-sample test, if there is one
    name, initial, current = row["name"], *map(say_ratio, (row["first"], row["second"]))
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
    if row["p_value"] is None:
        return f"{text}; the observed {observed} could not be tested against it."
    p_value = say_p_value(row["p_value"])
    verdict = f"does not differ significantly from it ({p_value})"
    if is_significant(row["p_value"], row["confidence_level"]):
        side = "below" if row["difference"] < 0 else "above"
        verdict = f"is significantly {side} it ({p_value})"
    text = f"{text}; the observed {observed} {verdict}."
    return text if row["is_reliable"] else f"{text} {FEW_IN_TEST}"


def find_left_out(facts: Facts) -> str:
    """Say which rows were left out, and whether they differ from those used."""
    rows, query = facts["rows"], facts["provenance"]["query"]
    told = []
    if query is not None and query["rows_before"] is not None:
        after, before = say_count(query["rows_after"]), say_count(query["rows_before"])
        told.append(f"The query returned {after} rows of {before}.")
    if not rows["left_out"]:
        return " ".join([*told, f"All {say_count(rows['read'])} rows were used."])
    share = say_percent(rows["left_out"] / rows["read"])
    columns = [
        f"{reason['column']} ({say_count(reason['n_rows'])})" for reason in rows["reasons"]
    ]
    verb = "was" if rows["left_out"] == 1 else "were"
    told.append(
        f"{say_count(rows['left_out'])} of {say_count(rows['read'], 'row')} ({share}) "
        f"{verb} left out, because a value is missing in {say_list(columns)}."
    )
    return " ".join([*told, say_left_out_rate(facts), *say_own_rows(facts)])


def say_left_out_rate(facts: Facts) -> str:
    """Say how the event rate of rows left out stands to that of the rows used."""
    has_events = facts["outcome"] == "events"
    total, used = facts["rows"]["left_out_total"], facts["rows"]["used_response_rate"]
    if total["response_rate"] is None:
        return "The outcomes of the rows left out are unknown."
    word = "event rate" if has_events else "mean outcome"
    rate = say_rate(total["response_rate"], has_events=has_events)
    other = say_rate(used, has_events=has_events)
    text = f"The {word} of the rows left out is {rate}, compared with {other} of those used"
    if total["p_value"] is None:
        return f"{text}."
    p_value = say_p_value(total["p_value"])
    if is_significant(total["p_value"], facts["confidence_level"]):
        return f"{text}: a significant difference ({p_value})."
    return f"{text}, which is not a significant difference ({p_value})."


def say_own_rows(facts: Facts) -> list[str]:
    """Say how AR of the champion moves by leaving out rows that it alone could rank."""
    for row in facts["rows"]["own_rows"][:1]:
        if row["n_rows"] != row["n_rows_common"] and row["accuracy_ratio"] is not None:
            own, common = (
                say_ratio(row[name]) for name in ("accuracy_ratio", "accuracy_ratio_common")
            )
            against = f"compared with {common} on the rows of all models"
            if own == common:
                against = "which the rows of all models do not change at three digits"
            text = (
                f"On the {say_count(row['n_rows'])} rows that {row['model']} alone can "
                f"rank, its AR is {own}, {against}."
            )
            return [text]
    return []


def find_power(facts: Facts) -> str:
    """Say which changes these rows would probably not have shown."""
    power = facts["power"]
    if power is None or power["models"][0]["detectable_fall"] is None:
        return ""
    fall = say_ratio(power["models"][0]["detectable_fall"])
    level, chance = say_level(1 - power["level"]), say_percent(power["power"], 0)
    text = (
        f"A decrease in AR of less than {fall} would probably go unnoticed: a one-sided "
        f"test at {level} on these rows finds one of {fall} with a probability of {chance}."
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
    return text
