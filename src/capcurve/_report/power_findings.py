"""Say in sentences which changes a test on the rows of a report would find."""

from capcurve._inference.limits import NEGLIGIBLE_ERROR
from capcurve._inference.planning import FEWEST_MISRANKED
from capcurve._inference.power import LEAST_DF
from capcurve._inference.wording import format_degrees
from capcurve._report.initial_findings import explain_few_initial_sample
from capcurve._report.options import Facts
from capcurve._report.phrases import (
    FEW_MISRANKED_EXPECTED,
    PAIRS,
    explain_no_variance,
    has_few_deciding,
    lower_first,
    name_units,
    raise_first,
    say_level,
    say_list,
    say_percent,
    say_ratio,
)

# The initial variance is taken as known, so a test that allows for it has more of them.
MORE_DEGREES = (
    "The decrease since initial validation is the smaller one, as its test has more "
    "degrees of freedom than the one from a known AR."
)

# The variance is known, but a row or a cluster has so much of it that its degrees of
# freedom are not.
UNSURE = "{} rests on too few independent {} to tell how uncertain it is"


def list_power_notes(power: Facts | None) -> list[str]:
    """Explain a decrease that the test which allows for the initial variance finds."""
    return [MORE_DEGREES] * has_smaller_initial_fall(power)


def has_smaller_initial_fall(power: Facts | None) -> bool:
    """Whether the test that allows for the initial variance finds a smaller decrease."""
    rows = [] if power is None else power["models"]
    falls = [(row["detectable_fall_initial"], row["detectable_fall"]) for row in rows]
    return any(None not in (initial, known) and initial < known for initial, known in falls)


def find_power(facts: Facts) -> str:
    """Say which changes a test on these rows finds, and how probably."""
    power = facts["power"]
    if power is None:
        return ""
    model, champion = power["models"][0], facts["models"][0]["name"]
    is_known = model["detectable_fall"] is not None or (
        model["detectable_fall_initial"] is not None
    )
    told = [say_decrease(facts) if is_known else say_no_power(facts)]
    pairs = [pair for pair in power["pairs"] if pair["against"] == champion]
    found = [pair for pair in pairs if pair["detectable_difference"] is not None]
    if found:
        told.append(say_differences(facts, found, is_first=not is_known))
    told += say_unknown_differences(facts, pairs)
    if is_known and (few := explain_approximate(facts, model)):
        told.append(say_approximate(few))
    else:
        told += say_approximate_differences(facts, found)
    return " ".join(told)


def say_approximate(few: list[str]) -> str:
    """Say that the power of a test is approximate, and why."""
    return f"{raise_first(', and '.join(few))}, so these probabilities are approximate."


def explain_approximate(facts: Facts, row: Facts) -> list[str]:
    """List what makes the power of a test approximate, in its rows or the initial ones."""
    few = [] if row["is_reliable"] else explain_few(facts, row)
    if row.get("detectable_fall_initial") is not None:
        own = [each for each in facts["initial"] if each["model"] == row["model"]]
        for two_samples in own[-1:]:  # the other row is the ECB's test of the same sample
            few += explain_few_initial_sample(two_samples)
    return few


def explain_few(facts: Facts, row: Facts) -> list[str]:
    """List what is few in the rows of the report: those that decide, or rank wrongly."""
    df, is_amount = row["degrees_of_freedom"], facts["outcome"] == "amounts"
    told = []
    if df is None:
        told.append("the rows show no variance of AR")
    elif has_few_deciding(row | {"n_effective": facts["models"][0]["n_effective"]}):
        units = name_units(facts)
        told.append(f"few {units} have most of the variance ({format_degrees(df)})")
    if row["n_errors"] is not None and row["n_errors"] < FEWEST_MISRANKED:
        few = (2 * FEWEST_MISRANKED, PAIRS) if is_amount else (FEWEST_MISRANKED, "events")
        told.append(lower_first(FEW_MISRANKED_EXPECTED.format(*few)))
    return told


def say_approximate_differences(facts: Facts, pairs: list[Facts]) -> list[str]:
    """Say of which differences the power is approximate, by reason."""
    named: dict[str, list[str]] = {}
    for pair in pairs:
        if few := explain_approximate(facts, pair):
            why = lower_first(say_approximate(few))
            named.setdefault(why, []).append(pair["model"])
    return [
        f"Of the difference from {say_list(names)}: {why}" for why, names in named.items()
    ]


def say_unknown_differences(facts: Facts, pairs: list[Facts]) -> list[str]:
    """Say of which challengers no difference is known that a test finds, and why."""
    named: dict[str, list[str]] = {}
    for pair in pairs:
        if pair["detectable_difference"] is None:
            named.setdefault(explain_unknown(facts, pair), []).append(pair["model"])
    return [
        f"Which difference from {say_list(names)} a test finds is not known, because {why}."
        for why, names in named.items()
    ]


def explain_unknown(facts: Facts, pair: Facts) -> str:
    """Say why nobody knows which difference of two scores a test finds."""
    df, sides = pair["degrees_of_freedom"], (pair["model"], pair["against"])
    names = [model["name"] for model in facts["models"] if model["is_constant"]]
    if shared := [name for name in names if name in sides]:
        return f"all rows share one score of {say_list(shared)}"
    if df is None:
        for row in facts["challengers"]:
            if (row["model"], row["against"]) == sides and has_error(row):
                return UNSURE.format("the variance of this difference", name_units(facts))
        return "the rows do not show the variance of this difference"
    if df < LEAST_DF:
        return f"its variance has fewer than {LEAST_DF} degree of freedom ({df:.2g})"
    return "even the largest possible one is found less often"


def say_decrease(facts: Facts) -> str:
    """Say which decrease in AR a test finds."""
    power = facts["power"]
    whose = f" of {facts['models'][0]['name']}" * (len(facts["models"]) > 1)
    text = (
        f"With a probability of {say_percent(power['power'], 0)}, a one-sided test at "
        f"{say_level(1 - power['level'])} on these rows finds a decrease in AR{whose} of "
        f"{say_fall(facts)}; it finds a smaller one less often."
    )
    if facts["outcome"] == "amounts" and is_initial_given(facts):
        text += (
            " This is the AR of amounts; the power of the test of gAUC against initial "
            "validation is not known."
        )
    return text


def is_initial_given(facts: Facts) -> bool:
    """Whether the champion is compared with its initial validation."""
    champion = facts["models"][0]["name"]
    return any(row["model"] == champion for row in facts["initial"])


def say_differences(facts: Facts, pairs: list[Facts], *, is_first: bool) -> str:
    """Say which differences between champion and challengers a test finds."""
    power, n_tests = facts["power"], len(facts["challengers"])
    level, champion = say_level(1 - power["level"]), facts["models"][0]["name"]
    adjusted = f", before adjustment for {n_tests} comparisons," * (n_tests > 1)
    shown = [
        f"{say_ratio(pair['detectable_difference'])} (from {pair['model']})"
        for pair in pairs
    ]
    chance = "the same probability"
    if is_first:
        chance = f"a probability of {say_percent(power['power'], 0)}"
    return (
        f"With {chance}, a two-sided test at {level}{adjusted} finds a difference between "
        f"{champion} and a challenger of {say_list(shown)}."
    )


def say_no_power(facts: Facts) -> str:
    """Say why nobody knows which changes a test on these rows finds."""
    champion = facts["models"][0]
    df, ratio = (
        facts["power"]["models"][0]["degrees_of_freedom"],
        champion["accuracy_ratio"],
    )
    why = explain_no_variance(champion, ratio["value"], df)
    if df is None and not champion["is_constant"] and has_error(ratio):
        why = UNSURE.format("the variance of AR", name_units(facts))
    return f"Which decrease in AR a test on these rows finds is not known, because {why}."


def has_error(estimate: Facts) -> bool:
    """Whether rows show a variance of an AR, or of a difference."""
    error = estimate["standard_error"]
    return error is not None and error > NEGLIGIBLE_ERROR and abs(estimate["value"]) != 1


def say_fall(facts: Facts) -> str:
    """Say the decrease that a test finds, from a known AR or from that of a sample."""
    model = facts["power"]["models"][0]
    fall, found = model["detectable_fall"], model["detectable_fall_initial"]
    if found is None:
        is_initial = facts["outcome"] == "events" and is_initial_given(facts)
        known = f"the {'initial' if is_initial else 'present'} {say_ratio(model['known'])}"
        return f"{say_ratio(fall)} from {known}, taken as known exactly"
    return (
        f"{say_ratio(found)} since initial validation, allowing for the variance of the "
        "initial AUC"
    )
