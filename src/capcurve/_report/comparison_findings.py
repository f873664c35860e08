"""Say in sentences how models compare: with each other, with before, with their PDs."""

from capcurve._arrays.sample_comparisons import ask_for_ratio, may_be_ratio
from capcurve._inference.implied import FEW_ERRORS
from capcurve._inference.options import FEW_EVENTS
from capcurve._report.options import Facts
from capcurve._report.phrases import (
    FEW_IN_PLAN,
    SMALLEST_SHOWN,
    explain_no_variance,
    is_none,
    is_significant,
    lower_first,
    say_count,
    say_few_in_test,
    say_interval,
    say_level,
    say_list,
    say_p_value,
    say_percent,
    say_ratio,
    say_size,
)

TEST_ALONE = (
    "a report without the other scores tests it there, perhaps with another verdict"
)
LAST_ALONE = "a report of the rows of the last one tests that one alone"
ONE_ALONE = "a report of the rows of one of them tests that one alone"
POOLED = (
    "where event rates differ between them, right probabilities are rejected more often "
    "than the level says; reports of the rows of each test them one by one"
)
FEW_ERRORS_IMPLIED = (
    f"Fewer than {FEW_ERRORS} wrongly ranked events are to be expected, so this test may "
    "not keep its level."
)
OF_AMOUNTS = (
    "Unless the outcome and the score hold the classes of the ECB's template, this gAUC "
    "ranks amounts; that of classes is another number, higher or lower, so the initial "
    "one must be of the same kind."
)


def find_challenger(facts: Facts) -> str:
    """Say whether challengers rank better or worse than the champion."""
    champion = facts["models"][0]["name"]
    rows = [row for row in facts["challengers"] if row["against"] == champion]
    if len(rows) == 1:
        return " ".join([say_challenger(rows[0], champion), *say_reversed(facts)])
    if not rows:
        return ""
    told = say_challengers(rows, champion, len(facts["challengers"]))
    return " ".join([told, *say_reversed(facts)])


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


def say_challenger(row: Facts, champion: str) -> str:
    """Say the difference of one challenger from the champion, with its interval."""
    if row["p_holm"] is None:
        return f"{row['model']} could not be tested against {champion}."
    if row["value"] == row["standard_error"] == 0:
        return f"{row['model']} ranks all rows as {champion} does."
    if is_none(row["value"]):
        evidence = f"{say_interval(row)}, {say_p_value(row['p_holm'])}"
        text = f"{row['model']} and {champion} have the same AR: the difference is 0"
        return say_reliable(f"{text} ({evidence}).", row)
    sign = -1 if row["value"] < 0 else 1
    side, size = ("lower" if sign < 0 else "higher"), say_size(row["value"])
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
    return say_reliable(text, row)


def say_reliable(text: str, row: Facts) -> str:
    """Add why the test may not keep its level, if the sample is small for it."""
    return text if row["is_reliable"] else f"{text} {say_few_in_test(row)}"


def say_challengers(rows: list[Facts], champion: str, n_pairs: int) -> str:
    """Say which of several challengers rank better or worse than the champion."""
    words = "better", "worse", "alike", "untested"
    named: dict[str, list[str]] = {word: [] for word in words}
    same: list[str] = []
    for row in rows:
        if is_significant(row["p_holm"], row["confidence_level"]):
            side = "lower" if row["value"] < 0 else "higher"
            size, p_value = say_size(row["value"]), say_p_value(row["p_holm"])
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
        text += f" {say_list(named['untested'])} could not be tested against {champion}."
    if same:
        verb = "ranks" if len(same) == 1 else "rank"
        text += f" {say_list(same)} {verb} all rows as {champion} does."
    text += f" p-values are adjusted for {n_pairs} comparisons."
    return " ".join([text.strip(), *say_unreliable(rows, champion)])


def say_unreliable(rows: list[Facts], champion: str) -> list[str]:
    """Say of which challengers the test may not keep its level, by reason."""
    named: dict[str, list[str]] = {}
    for row in rows:
        if not row["is_reliable"]:
            named.setdefault(say_few_in_test(row), []).append(row["model"])
    return [
        why
        if len(names) == len(rows)
        else f"Of {say_list(names)} against {champion}: {lower_first(why)}"
        for why, names in named.items()
    ]


def say_clearest(rows: list[Facts], alike: list[str]) -> str:
    """Say how near challengers of a higher AR are to a significant difference."""
    others = [row for row in rows if row["model"] in alike and row["value"] > 0]
    higher = [row for row in others if not is_none(row["value"])]
    if not higher:
        return ""
    row = min(higher, key=lambda row: row["p_value"])
    p_value, alone = say_p_value(row["p_holm"]), say_p_value(row["p_value"])
    which = f"; the clearest is that of {row['model']}" if len(alike) > 1 else ""
    return (
        f"{which} (AR higher by {say_size(row['value'])}, {p_value}; {alone} if it were "
        "the only test)"
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
        told.append(say_initial(row, model, "" if is_champion else f" of {model['name']}"))
        told += say_other_verdict(rows, model)
        if row["p_value"] is not None:
            told += say_few_in_initial(row)
            told += say_common_rows(facts, model["name"])
    if told:
        told += [*say_all_periods(facts, LAST_ALONE), *say_of_amounts(facts)]
    return " ".join(told)


def say_other_verdict(rows: list[Facts], model: Facts) -> list[str]:
    """Say what the ECB's test finds, if the two-sample test finds something else."""
    ecb, last = rows[0], rows[-1]
    if ecb["is_significant"] == last["is_significant"]:
        return []
    if ecb["p_value"] is None:
        why = explain_no_variance(model, 2 * ecb["second"] - 1)
        return [f"The ECB's test could not be made, because {why}."]
    verdict = "a decrease" if ecb["is_significant"] else "no decrease"
    text = (
        f"The ECB's test, which takes the initial {ecb['name']} as known, finds {verdict} "
        f"({say_p_value(ecb['p_value'])})."
    )
    return [text]


def say_common_rows(facts: Facts, name: str) -> list[str]:
    """Say that a test of a model is made on fewer rows than it alone could rank."""
    rows = {row["model"]: row for row in facts["rows"]["own_rows"]}
    row = rows.get(name)
    if row is None or row["n_rows"] == row["n_rows_common"]:
        return []
    own, common = say_count(row["n_rows"]), say_count(row["n_rows_common"])
    text = f"This test is made on the {common} rows that all scores rank"
    if row["accuracy_ratio"] is None:
        return [f"{text}; {name} alone can rank {own}."]
    ratio, known = say_ratio(row["accuracy_ratio_common"]), say_ratio(row["accuracy_ratio"])
    text = f"{text}, where the AR of {name} is {ratio}; on the {own} that it alone can rank"
    if ratio == known:
        return [f"{text}, it is the same at three digits."]
    return [f"{text}, its AR is {known}, and {TEST_ALONE}."]


def say_all_periods(facts: Facts, alone: str) -> list[str]:
    """Say that a test is of the rows of all periods, and why to test one of them alone."""
    if not facts["periods"]:
        return []
    split = facts["periods"][0]
    labels = [row["group"] for row in split["groups"] if row["group"] is not None]
    labels = list(dict.fromkeys(labels))
    if len(labels) < 2:  # noqa: PLR2004 -- one period is what was tested
        return []
    span = f", {labels[0]} to {labels[-1]}" if split["in_time_order"] else ""
    if alone == LAST_ALONE and not split["in_time_order"]:
        alone = ONE_ALONE
    return [f"Rows of all {len(labels)} periods were tested together{span}; {alone}."]


def say_of_amounts(facts: Facts) -> list[str]:
    """Say that gAUC of amounts is not the one of classes, which the ECB asks for."""
    if all(row["name"] != "gAUC" for row in facts["initial"]):
        return []
    return [OF_AMOUNTS]


def say_few_in_initial(row: Facts) -> list[str]:
    """Say that the sample of now, or that of initial validation, is small."""
    n_events = row["n_effective_initial"]
    if n_events is not None and n_events < FEW_EVENTS:
        events = say_count(max(1, round(n_events)), "event")
        text = (
            f"The variance of the initial {row['name']} is that of a sample of about "
            f"{events}, so this test finds large decreases only and may not keep its level."
        )
        return [text]
    return [] if row["is_reliable"] else [say_few_in_test(row)]


def say_initial(row: Facts, model: Facts, whose: str) -> str:
    """Say how AUC stands to that of initial validation, and by which test."""
    name, initial = row["name"] + whose, say_ratio(row["first"])
    current = say_ratio(row["second"])
    if row["p_value"] is None:
        why = explain_no_variance(model, 2 * row["second"] - 1)
        return (
            f"{name} is {current}, compared with {initial} at initial validation; the "
            f"difference could not be tested, because {why}."
        )
    if row["value"] <= 0:
        text = f"{name} is {current}, which is not below the {initial} of the initial one"
        if may_be_ratio(row["first"], row["second"], row["s"]):
            return f"{text}; {ask_for_ratio(row['first'], row['name'])}."
        return f"{text}."
    level = say_level(row["confidence_level"])
    test = "two-sample test" if row["test"] == "two samples" else "the ECB's test"
    p_value = f"one-sided {say_p_value(row['p_value'])}, {test}"
    if not row["is_significant"]:
        return (
            f"{name} is {current}, compared with {initial} at initial validation; the "
            f"decrease of {say_size(row['value'])} is not significant at {level} "
            f"({p_value})."
        )
    text = (
        f"{name} has decreased since initial validation, from {initial} to {current}: the "
        f"decrease of {say_size(row['value'])} is significant at {level} ({p_value})."
    )
    if row["test"] == "ECB":
        text += " This test takes the initial value as known exactly."
    return text


def find_implied(facts: Facts) -> str:
    """Say whether AR differs from the one that probabilities imply."""
    if not facts["implied"]:
        return ""
    return " ".join([*map(say_implied, facts["implied"]), *say_all_periods(facts, POOLED)])


def say_implied(row: Facts) -> str:
    """Say how the AR of one model stands to the one that its probabilities imply."""
    observed, implied = say_ratio(row["observed"]), say_ratio(row["implied"])
    text = f"The probabilities of {row['model']} imply an AR of {implied}"
    if row["score"] != row["model"]:
        text += f" for {row['score']}"
    if row["p_value"] is None:
        return f"{text}; the observed {observed} could not be tested against it."
    text += f"; the observed {observed} {say_side_of_implied(row)}."
    if row["n_left_out"]:
        left_out = say_count(row["n_left_out"], "row")
        verb = "was" if row["n_left_out"] == 1 else "were"
        text += f" {left_out} without a probability {verb} left out of this test."
    return text if row["is_reliable"] else f"{text} {FEW_ERRORS_IMPLIED}"


def say_side_of_implied(row: Facts) -> str:
    """Say on which side of the implied AR the observed one is, and whether by chance."""
    p_value = say_p_value(row["p_value"])
    is_clear = is_significant(row["p_value"], row["confidence_level"])
    size = say_size(row["difference"])
    by = f", by {size}" if is_clear and size == SMALLEST_SHOWN else ""
    if row["alternative"] == "two-sided":
        side = "below" if row["difference"] < 0 else "above"
        if is_clear:
            return f"is significantly {side} it{by} ({p_value})"
        return f"does not differ significantly from it ({p_value})"
    side = "below" if row["alternative"] == "less" else "above"
    verb = "is" if is_clear else "is not"
    return f"{verb} significantly {side} it{by} (one-sided {p_value})"


def find_power(facts: Facts) -> str:
    """Say which changes a test on these rows finds, and how probably."""
    power = facts["power"]
    if power is None:
        return ""
    if power["models"][0]["detectable_fall"] is None:
        return say_no_power(facts)
    level, chance = say_level(1 - power["level"]), say_percent(power["power"], 0)
    champion = facts["models"][0]["name"]
    text = (
        f"With a probability of {chance}, a one-sided test at {level} on these rows finds "
        f"a decrease in AR of {say_fall(power['models'][0])}; it finds a smaller one less "
        "often."
    )
    pairs = [
        pair
        for pair in power["pairs"]
        if pair["against"] == champion and pair["detectable_difference"] is not None
    ]
    if pairs:
        shown = [
            f"{say_ratio(pair['detectable_difference'])} (from {pair['model']})"
            for pair in pairs
        ]
        n_tests = len(facts["challengers"])
        adjusted = f", before adjustment for {n_tests} comparisons," * (n_tests > 1)
        text += (
            f" With the same probability, a two-sided test at {level}{adjusted} finds a "
            f"difference between {champion} and a challenger of {say_list(shown)}."
        )
    if not power["models"][0]["is_reliable"]:
        return f"{text} {FEW_IN_PLAN}"
    few = [pair["model"] for pair in pairs if not pair["is_reliable"]]
    if few:
        text += f" Of the difference from {say_list(few)}: {lower_first(FEW_IN_PLAN)}"
    return text


def say_no_power(facts: Facts) -> str:
    """Say why nobody knows which changes a test on these rows finds."""
    champion = facts["models"][0]
    df = facts["power"]["models"][0]["degrees_of_freedom"]
    why = explain_no_variance(champion, champion["accuracy_ratio"]["value"], df)
    return f"Which decrease in AR a test on these rows finds is not known, because {why}."


def say_fall(model: Facts) -> str:
    """Say the decrease that a test finds, from a known AR or from that of a sample."""
    known, found = model["detectable_fall"], model["detectable_fall_initial"]
    if found is None:
        return f"{say_ratio(known)} from a value that is known exactly"
    return (
        f"{say_ratio(found)} since initial validation, allowing for the variance of the "
        f"initial AUC ({say_ratio(known)} if that were known exactly)"
    )
