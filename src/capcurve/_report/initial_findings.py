"""Say in sentences whether the AUC has decreased since initial validation."""

from collections.abc import Sequence

from capcurve._arrays.sample_comparisons import ask_for_ratio, may_be_ratio
from capcurve._inference.options import FEW_ERROR_PAIRS, FEW_ERRORS, FEW_EVENTS
from capcurve._report.group_findings import say_absent, say_names
from capcurve._report.options import Facts
from capcurve._report.phrases import (
    PAIRS,
    explain_few_in_test,
    explain_no_variance,
    has_few_deciding,
    is_few_in_test,
    is_none,
    name_units,
    raise_first,
    say_all,
    say_count,
    say_few_misranked,
    say_level,
    say_p_value,
    say_ratio,
    say_size,
)
from capcurve._report.scored import say_key

TEST_ALONE = (
    "a report without the other scores tests it there, perhaps with another verdict"
)
LAST_ALONE = "a report of the rows of the last one tests that one alone"
ONE_ALONE = "a report of the rows of one of them tests that one alone"
CURRENT = "the current sample"
OF_AMOUNTS = (
    "Unless the outcome and the score hold the classes of the ECB's template, this gAUC "
    "ranks amounts; that of classes is another number, higher or lower, so the initial "
    "one must be of the same kind."
)


WEIGHTED = (
    "The {} of this sample is weighted by {}; an initial one without weights is another "
    "number, and the test may find another verdict."
)


def find_initial(facts: Facts) -> str:
    """Say whether the AUC of each model has decreased since its initial validation."""
    told, is_tested = [], False
    for model in facts["models"]:
        rows = [row for row in facts["initial"] if row["model"] == model["name"]]
        if not rows:
            continue
        row = rows[-1]  # the two-sample test, if there is one
        whose = f" of {model['name']}" * (len(facts["models"]) > 1)
        told.append(say_initial(row, model, whose))
        told += say_other_verdict(rows, model)
        if row["p_value"] is not None:
            is_tested = True
            told += say_few_in_initial(rows, name_units(facts))
            told += say_common_rows(facts, model["name"])
    if is_tested:
        told += [*say_all_periods(facts, LAST_ALONE), *say_weighted(facts)]
    if told:
        told += say_of_amounts(facts)
    return " ".join(told)


def say_weighted(facts: Facts) -> list[str]:
    """Say that the current AUC has weights, which the initial one must have, too."""
    if facts["sample"]["weights"] != "sampling":
        return []
    name, column = facts["initial"][0]["name"], facts["sample"]["weights_column"]
    return [WEIGHTED.format(name, column or "weights of its rows")]


def say_other_verdict(rows: list[Facts], model: Facts) -> list[str]:
    """Say what the ECB's test finds, if the two-sample test finds something else."""
    ecb, last = rows[0], rows[-1]
    if ecb["is_significant"] == last["is_significant"]:
        return []
    if ecb["p_value"] is None:
        why = explain_no_variance(model, 2 * ecb["second"] - 1)
        text = f"The ECB's test could not be made, because {why}"
        if last["value"] <= 0:  # otherwise the sentence before has its p-value
            text += f"; the two-sample test finds no decrease ({say_one_sided(last)})"
        return [f"{text}."]
    verdict = "a decrease" if ecb["is_significant"] else "no decrease"
    text = (
        f"The ECB's test, which takes the initial {ecb['name']} as known, finds {verdict} "
        f"({say_p_value(ecb['p_value'], ecb['confidence_level'])})."
    )
    return [text]


def say_one_sided(row: Facts) -> str:
    """Write the p-value of a test of a decrease."""
    return f"one-sided {say_p_value(row['p_value'], row['confidence_level'])}"


def say_common_rows(facts: Facts, name: str) -> list[str]:
    """Say that a test of a model is made on fewer rows than it alone could rank."""
    rows = {row["model"]: row for row in facts["rows"]["own_rows"]}
    row = rows.get(name)
    if row is None or row["n_rows"] == row["n_rows_common"]:
        return []
    own, common = say_count(row["n_rows"]), say_count(row["n_rows_common"])
    text = f"This test is made on the {common} rows that all scores rank"
    what, key = "AR", "accuracy_ratio"
    if facts["outcome"] == "amounts":  # whose AR is not tested
        what, key = "gAUC", "gauc"
    if row[key] is None:
        return [f"{text}; {own} have a score of {name}."]
    ratio, known = say_ratio(row[f"{key}_common"]), say_ratio(row[key])
    text += f", where the {what} of {name} is {ratio}; on the {own} with its score"
    if ratio == known:
        return [f"{text}, it is the same at three digits."]
    return [f"{text}, its {what} is {known}, and {TEST_ALONE}."]


def say_all_periods(facts: Facts, alone: str, some: str = "") -> list[str]:
    """Say that a test is of the rows of all periods, and why to test one of them alone.

    ``some`` says which rows a test is made on, if it leaves others out: those may be all
    rows of a period.
    """
    if not facts["periods"]:
        return []
    split = facts["periods"][0]
    n_rows = {row["group"]: row["n_rows"] for row in split["groups"]}
    n_without = n_rows.pop(None, 0)
    labels = [label for label, n in n_rows.items() if n]
    if len(labels) < 2:  # noqa: PLR2004 -- one period is what was tested
        return []
    if some:
        return [f"{some} were tested together, whatever their period; {alone}."]
    span = f", {labels[0]} to {labels[-1]}" if split["in_time_order"] else ""
    alone = qualify(alone, split, labels)
    periods = say_all(len(labels), "period")
    if len(labels) < len(n_rows):
        periods = f"{say_count(len(labels))} of {say_count(len(n_rows), 'period')}"
    if without := say_without_rows(split, [label for label, n in n_rows.items() if not n]):
        span += f" ({without})"
    if n_without:
        periods += f", and {say_count(n_without, 'row')} without a period,"
    return [f"Rows of {periods} were tested together{span}; {alone}."]


def qualify(alone: str, split: Facts, labels: list[str]) -> str:
    """Say which periods can be tested alone: those in which AR is defined."""
    has_last = split["in_time_order"] and has_ratio(split, labels[-1])
    if alone == LAST_ALONE and not has_last:
        alone = ONE_ALONE
    if all(has_ratio(split, label) for label in labels):
        return alone
    return f"{alone}, if its outcomes differ"


def has_ratio(split: Facts, label: str) -> bool:
    """Whether any model has an AR in a period, so that a test of it alone can be made."""
    return any(
        row["accuracy_ratio"] is not None
        for row in split["groups"]
        if row["group"] == label
    )


def say_without_rows(split: Facts, unused: Sequence[str]) -> str:
    """Name the periods that have no rows, and those of which none was used."""
    told = [say_absent(split)] if split["absent"] else []
    if unused:
        verb = "has" if len(unused) == 1 else "have"
        told.append(f"{say_names(list(map(say_key, unused)))} {verb} no used row")
    return "; ".join(told)


def say_of_amounts(facts: Facts) -> list[str]:
    """Say that gAUC of amounts is not the one of classes, which the ECB asks for."""
    if all(row["name"] != "gAUC" for row in facts["initial"]):
        return []
    return [OF_AMOUNTS]


def say_few_in_initial(rows: list[Facts], units: str) -> list[str]:
    """Say that the sample of initial validation is small, or that of now."""
    ecb, row = rows[0], rows[-1]
    dominated = f"few {units} of {CURRENT} have most of the variance of its {row['name']}"
    if row is ecb:
        if row["is_reliable"]:
            return []
        reason = explain_few_in_test(row, CURRENT, dominated)
        return [f"{raise_first(reason)}, so the ECB's test may not keep its level."]
    own = row | {key: ecb[key] for key in ("n_effective", "n_errors")}
    few = [explain_few_in_test(own, CURRENT, dominated)] if is_few_in_test(own) else []
    of_ecb = (
        [explain_few_in_test(ecb, CURRENT, dominated)]
        if ecb["is_reliable"] is False
        else []
    )
    if of_ecb and has_few_deciding(own):
        few = of_ecb  # the same rows, with other degrees of freedom
    told = say_few_in_two_samples(row, few, with_ecb=few == of_ecb != [])
    if of_ecb and of_ecb != few:
        told.append(f"{raise_first(of_ecb[0])}, so the ECB's test may not keep its level.")
    return told


def say_few_in_two_samples(row: Facts, few: list[str], *, with_ecb: bool) -> list[str]:
    """Say that the two-sample test may not keep its level, and the ECB's if that holds."""
    few_initial = explain_few_initial_sample(row)
    if not few_initial and not few:
        return []
    if few_initial and few:  # the same words, once
        same = few_initial[0].rpartition(", ")[2]
        if few[0].endswith(f", {same}"):
            few_initial = [few_initial[0].removesuffix(f", {same}")]
    reasons = raise_first(", and ".join([*few_initial, *few]))
    subject = "the two-sample test"
    if with_ecb and is_few_initial(row):
        subject += " finds large decreases only, and it"
    elif is_few_initial(row):
        subject += " finds large decreases only and"
    if with_ecb:
        subject += " and the ECB's test"
    whose = "their" if with_ecb else "its"
    return [f"{reasons}, so {subject} may not keep {whose} level."]


def explain_few_initial_sample(row: Facts) -> list[str]:
    """Say that the sample of initial validation is small, or ranked almost perfectly."""
    n_events, name = row["n_effective_initial"], row["name"]
    if n_events is None:  # infinite: the initial value is known exactly
        return []
    is_event = name == "AUC"
    noun, least = ("events", FEW_ERRORS) if is_event else (PAIRS, FEW_ERROR_PAIRS)
    if is_few_initial(row):
        few = say_count(max(1, round(n_events)), "event" if is_event else "pair")
        few += "" if is_event else " of equal rows"
        return [f"the variance of the initial {name} is that of a sample of about {few}"]
    if round(n_events * min(row["first"], 1 - row["first"]), 9) < least:
        few = say_few_misranked(noun)
        return [f"in the initial sample, by the variance of its {name}, {few}"]
    return []


def is_few_initial(row: Facts) -> bool:
    """Whether the variance of the initial AUC is that of few events."""
    n_events = row["n_effective_initial"]
    return n_events is not None and n_events < FEW_EVENTS


def say_initial(row: Facts, model: Facts, whose: str) -> str:
    """Say how AUC stands to that of initial validation, and by which test."""
    name, initial = row["name"] + whose, say_ratio(row["first"])
    current = say_ratio(row["second"])
    compared = f"compared with {initial} at initial validation"
    if row["p_value"] is None:
        return say_untested(row, model, name)
    if bounds := find_open_bounds(row, model):
        return (
            f"{name} is {current}, {compared}; as "
            f"scores share bins, it is only known to be {bounds}, so whether it has "
            "decreased is open."
        )
    if row["value"] <= 0:
        text = say_not_below(row, name)
        if may_be_ratio(row["first"], row["second"], row["s"]):
            return f"{text}; {ask_for_ratio(row['first'], row['name'])}."
        return f"{text}."
    level = say_level(row["confidence_level"])
    test = "two-sample test" if row["test"] == "two samples" else "the ECB's test"
    p_value = f"{say_one_sided(row)}, {test}"
    if not row["is_significant"]:
        return (
            f"{name} is {current}, {compared}; the "
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


def say_untested(row: Facts, model: Facts, name: str) -> str:
    """Say how AUC stands to that of initial validation, and why there is no test."""
    current, initial = say_ratio(row["second"]), say_ratio(row["first"])
    text = f"{name} is {current}, compared with {initial} at initial validation"
    if row["value"] <= 0:
        text = say_not_below(row, name)
    why = explain_no_variance(model, 2 * row["second"] - 1)
    return f"{text}; whether it has decreased could not be tested, because {why}."


def say_not_below(row: Facts, name: str) -> str:
    """Say that AUC is at least that of initial validation, whatever a test says."""
    current, initial = say_ratio(row["second"]), say_ratio(row["first"])
    return f"{name} is {current}, which is not below {initial} at initial validation"


def find_open_bounds(row: Facts, model: Facts) -> str:
    """Write the bounds of AUC if scores share bins and its initial value lies in them."""
    if model["limits"] is None:
        return ""
    low, high = ((1 + model["limits"][end]) / 2 for end in ("low", "high"))
    is_open = low <= row["first"] <= high and not is_none(high - low)
    return f"{say_ratio(low)} to {say_ratio(high)}" if is_open else ""
