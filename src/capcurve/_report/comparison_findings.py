"""Say in sentences how models compare: with each other, and with before."""

from capcurve._arrays.sample_comparisons import ask_for_ratio, may_be_ratio
from capcurve._inference.options import FEW_ERRORS, FEW_EVENTS
from capcurve._report.options import Facts
from capcurve._report.phrases import (
    explain_no_variance,
    is_few_in_test,
    is_none,
    is_significant,
    lower_first,
    say_count,
    say_few_in_test,
    say_interval,
    say_level,
    say_list,
    say_p_value,
    say_ratio,
    say_size,
)

TEST_ALONE = (
    "a report without the other scores tests it there, perhaps with another verdict"
)
LAST_ALONE = "a report of the rows of the last one tests that one alone"
ONE_ALONE = "a report of the rows of one of them tests that one alone"
SAME_RANKING = "{} all pairs of rows with different outcomes as {} does"
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
        return f"{row['model']} {SAME_RANKING.format('ranks', champion)}."
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
        text += f" {say_list(same)} {SAME_RANKING.format(verb, champion)}."
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
            told += say_few_in_initial(rows)
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


def say_few_in_initial(rows: list[Facts]) -> list[str]:
    """Say that the sample of initial validation is small, and that of now."""
    ecb, row = rows[0], rows[-1]
    if row is ecb:
        return [] if row["is_reliable"] else [say_few_in_test(row)]
    told = say_few_initial_sample(row)
    own = row | {key: ecb[key] for key in ("n_effective", "n_errors")}
    if is_few_in_test(own):
        told.append(say_few_in_test(own))
    return told


def say_few_initial_sample(row: Facts) -> list[str]:
    """Say that the sample of initial validation is small, or ranked almost perfectly."""
    n_events = row["n_effective_initial"]
    if n_events is None:  # infinite: the initial value is known exactly
        return []
    noun = "event" if row["name"] == "AUC" else "row"
    if n_events < FEW_EVENTS:
        few = say_count(max(1, round(n_events)), noun)
        text = (
            f"The variance of the initial {row['name']} is that of a sample of about "
            f"{few}, so this test finds large decreases only and may not keep its level."
        )
        return [text]
    if round(n_events * min(row["first"], 1 - row["first"]), 9) < FEW_ERRORS:
        text = (
            f"The variance of the initial {row['name']} is that of a sample with fewer "
            f"than {FEW_ERRORS} wrongly ranked {noun}s, so this test may not keep its "
            "level."
        )
        return [text]
    return []


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
    if bounds := find_open_bounds(row, model):
        return (
            f"{name} is {current}, compared with {initial} at initial validation; as "
            f"scores share bins, it is only known to be {bounds}, so whether it has "
            "decreased is open."
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


def find_open_bounds(row: Facts, model: Facts) -> str:
    """Write the bounds of AUC if scores share bins and its initial value lies in them."""
    if model["limits"] is None:
        return ""
    low, high = ((1 + model["limits"][end]) / 2 for end in ("low", "high"))
    is_open = low <= row["first"] <= high and not is_none(high - low)
    return f"{say_ratio(low)} to {say_ratio(high)}" if is_open else ""
