"""Say in sentences how AR stands to the one that probabilities imply."""

from capcurve._inference.implied import FEW_ERRORS
from capcurve._report.initial_findings import say_all_periods
from capcurve._report.options import Facts
from capcurve._report.phrases import (
    FEW_MISRANKED_EXPECTED,
    SMALLEST_SHOWN,
    is_significant,
    say_count,
    say_p_value,
    say_ratio,
    say_size,
)

REJECTED = {  # simulated: "Several years in one sample" in docs/inference.md
    "two-sided": "more often than the level says",
    "less": "more often than the level says",
    "greater": "more or less often than the level says, by how they differ",
}
POOLED = (
    "where event rates differ between them, right probabilities that do not follow the "
    "rate of each period (through the cycle) are rejected {}; a report made of the rows of "
    "one period tests that one alone"
)
BEYOND = (  # on the side that a one-sided test does not look at
    "further than most samples would be if the probabilities were right, which a test of "
    "'{}' does not look for"
)
OPEN = "all rows with a probability between 0 and 1"  # which may turn out either way
UNTESTED = (
    f"could not be tested against it, because {OPEN} share one score, so no other AR was "
    "possible"
)
FEW_ERRORS_IMPLIED = (
    f"{FEW_MISRANKED_EXPECTED.format(FEW_ERRORS, 'events')}, so this test may not keep its "
    "level."
)


def find_implied(facts: Facts) -> str:
    """Say whether AR differs from the one that probabilities imply."""
    if not facts["implied"]:
        return ""
    pooled = POOLED.format(REJECTED[facts["implied"][0]["alternative"]])
    some = "Rows with a probability" * any(row["n_left_out"] for row in facts["implied"])
    told = list(map(say_implied, facts["implied"]))
    if any(row["p_value"] is not None for row in facts["implied"]):
        told += say_all_periods(facts, pooled, some)
    return " ".join(told)


def say_implied(row: Facts) -> str:
    """Say how the AR of one model stands to the one that its probabilities imply."""
    if row["implied"] is None:
        return f"The probabilities of {row['model']} imply no AR: {explain_none(row)}."
    observed, implied = say_ratio(row["observed"]), say_ratio(row["implied"])
    text = f"The probabilities of {row['model']} imply an AR of {implied}"
    if row["score"] != row["model"]:
        text += f" for {row['score']}"
    if row["p_value"] is None:
        return f"{text}; its observed AR of {observed} {UNTESTED}."
    text += f"; its observed AR of {observed} {say_side_of_implied(row)}."
    if row["n_left_out"]:
        left_out = say_count(row["n_left_out"], "row")
        verb = "was" if row["n_left_out"] == 1 else "were"
        text += f" {left_out} without a probability {verb} left out of this test."
    return text if row["is_reliable"] else f"{text} {FEW_ERRORS_IMPLIED}"


def explain_none(row: Facts) -> str:
    """Say why probabilities imply no AR: the outcomes that they are about are all equal."""
    if row["observed"] is None:
        return f"all rows with a probability are {'' if row['n_events'] else 'non-'}events"
    return f"{OPEN} have the same outcome"


def say_side_of_implied(row: Facts) -> str:
    """Say on which side of the implied AR the observed one is, and whether by chance."""
    p_value = say_p_value(row["p_value"], row["confidence_level"])
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
    text = f"{verb} significantly {side} it{by} (one-sided {p_value})"
    if row["p_value"] > row["confidence_level"]:  # the test of the other side is clear
        other = "above" if row["alternative"] == "less" else "below"
        text += f", but {size} {other} it, {BEYOND.format(row['alternative'])}"
    return text
