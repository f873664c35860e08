"""Say in sentences whether challengers rank better or worse than the champion."""

from capcurve._inference.wording import AR_OF_AMOUNTS
from capcurve._report.options import Facts
from capcurve._report.phrases import (
    TOO_FEW,
    is_none,
    is_significant,
    lower_first,
    name_units,
    say_few_in_test,
    say_interval,
    say_list,
    say_p_value,
    say_size,
)

SAME_RANKING = "{} all pairs of rows with different outcomes as {} does"
UNTESTED = f"could not be tested against {{}}, because {TOO_FEW}"


def find_challenger(facts: Facts) -> str:
    """Say whether challengers rank better or worse than the champion."""
    champion = facts["models"][0]["name"]
    rows = [row for row in facts["challengers"] if row["against"] == champion]
    if facts["outcome"] == "amounts":  # the sentences count rows in the place of events
        rows = [row | {"name": AR_OF_AMOUNTS} for row in rows]
    if len(rows) == 1:
        told = say_challenger(rows[0], champion, name_units(facts))
        return " ".join([told, *say_poor(facts)])
    if not rows:
        return ""
    told = say_challengers(rows, champion, len(facts["challengers"]))
    why = say_unreliable(rows, champion, name_units(facts))
    return " ".join([told, *why, *say_poor(facts)])


def say_poor(facts: Facts) -> list[str]:
    """Name the challengers that rank nothing, and those that rank worse than chance."""
    return [*say_uninformative(facts), *say_reversed(facts)]


def say_uninformative(facts: Facts) -> list[str]:
    """Name the challengers of which all rows share one score."""
    names = [model["name"] for model in facts["models"][1:] if model["is_constant"]]
    if not names:
        return []
    verb, shared, whose = "is", "one score", "its"
    if len(names) > 1:
        verb, shared, whose = "are", "one score of each", "their"
    text = f"{say_list(names)} {verb} uninformative: all rows share {shared}, so {whose} AR"
    return [f"{text} is 0."]


def say_reversed(facts: Facts) -> list[str]:
    """Name the challengers that rank worse than chance."""
    names = [
        model["name"]
        for model in facts["models"][1:]
        if model["accuracy_ratio"]["low"] is not None
        and model["accuracy_ratio"]["high"] < 0
    ]
    if not names:
        return []
    verb, it = ("ranks", "it") if len(names) == 1 else ("rank", "they")
    return [f"{say_list(names)} {verb} worse than chance; {it} may be reversed."]


def say_challenger(row: Facts, champion: str, units: str) -> str:
    """Say the difference of one challenger from the champion, with its interval."""
    if row["p_holm"] is None:
        return f"{row['model']} {UNTESTED.format(champion)}."
    if row["value"] == row["standard_error"] == 0:
        return f"{row['model']} {SAME_RANKING.format('ranks', champion)}."
    if is_none(row["value"]):
        evidence = (
            f"{say_interval(row)}, {say_p_value(row['p_holm'], row['confidence_level'])}"
        )
        text = f"{row['model']} and {champion} have the same AR: the difference is 0"
        return say_reliable(f"{text} ({evidence}).", row, units)
    sign = -1 if row["value"] < 0 else 1
    side, size = ("lower" if sign < 0 else "higher"), say_size(row["value"])
    evidence = (
        f"{say_interval(row, sign)}, {say_p_value(row['p_holm'], row['confidence_level'])}"
    )
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
    return say_reliable(text, row, units)


def say_reliable(text: str, row: Facts, units: str) -> str:
    """Add why the test may not keep its level, if the sample is small for it."""
    return text if row["is_reliable"] else f"{text} {say_few_in_test(row, units)}"


def say_challengers(rows: list[Facts], champion: str, n_pairs: int) -> str:
    """Say which of several challengers rank better or worse than the champion."""
    words = "better", "worse", "alike", "untested"
    named: dict[str, list[str]] = {word: [] for word in words}
    same: list[str] = []
    for row in rows:
        if is_significant(row["p_holm"], row["confidence_level"]):
            side = "lower" if row["value"] < 0 else "higher"
            size = say_size(row["value"])
            p_value = say_p_value(row["p_holm"], row["confidence_level"])
            told = f"{row['model']} (AR {side} by {size}, {p_value})"
            named["worse" if row["value"] < 0 else "better"].append(told)
        elif row["value"] == row["standard_error"] == 0:
            same.append(row["model"])
        else:
            named["untested" if row["p_holm"] is None else "alike"].append(row["model"])
    parts = [
        f"{word} than {champion}: {say_list(named[word])}"
        for word in ("better", "worse")
        if named[word]
    ]
    text = f"Challengers that rank {'; '.join(parts)}." if parts else ""
    if named["alike"]:
        text += f" No significant difference from {champion}: {say_list(named['alike'])}"
        text += f"{say_clearest(rows, named['alike'])}."
    if named["untested"]:
        text += f" {say_list(named['untested'])} {UNTESTED.format(champion)}."
    if same:
        verb = "ranks" if len(same) == 1 else "rank"
        text += f" {say_list(same)} {SAME_RANKING.format(verb, champion)}."
    if len(named["untested"]) < len(rows):
        text += f" p-values are adjusted for {n_pairs} comparisons."
    return text.strip()


def say_unreliable(rows: list[Facts], champion: str, units: str) -> list[str]:
    """Say of which challengers the test may not keep its level, by reason."""
    named: dict[str, list[str]] = {}
    for row in rows:
        if row["is_reliable"] is False:
            named.setdefault(say_few_in_test(row, units), []).append(row["model"])
    return [
        why
        if len(names) == len(rows)
        else f"Of {say_list(names)} against {champion}: {lower_first(why)}"
        for why, names in named.items()
    ]


def say_clearest(rows: list[Facts], alike: list[str]) -> str:
    """Say how near the challengers are to a significant difference, in either direction."""
    others = [row for row in rows if row["model"] in alike]
    apart = [row for row in others if not is_none(row["value"])]
    if not apart:
        return ""
    row = min(apart, key=lambda row: row["p_value"])
    side = "higher" if row["value"] > 0 else "lower"
    level = row["confidence_level"]
    p_value, alone = (say_p_value(row[key], level) for key in ("p_holm", "p_value"))
    which = f"; the clearest is that of {row['model']}" if len(alike) > 1 else ""
    return (
        f"{which} (AR {side} by {say_size(row['value'])}, {p_value}; {alone} if it were "
        "the only test)"
    )
