"""Say in sentences how AR varies by segment and by period."""

from collections.abc import Sequence
from typing import Any

from capcurve._inference.segments import FEW_ERRORS_ON_AVERAGE, PAIR
from capcurve._report.options import Facts
from capcurve._report.phrases import (
    FEW_IN_TEST,
    is_few,
    is_none,
    is_significant,
    is_small,
    name_few,
    say_count,
    say_effective_of,
    say_group,
    say_interval,
    say_list,
    say_p_value,
    say_ratio,
    say_size,
    say_status,
)
from capcurve._report.scored import name_key, show_key

MISRANKED_IN_GROUPS = (
    f"Fewer than {FEW_ERRORS_ON_AVERAGE} events of a group are ranked wrongly, on average, "
    "so the test may not keep its level."
)
MAX_SPLITS = 3  # columns of segments in a finding
MOST_FEW = 3  # groups with few events in a sentence
SINGLE_PERIOD = ", as all rows are of one period"
UNDEFINED = ("no rows", "no events", "no non-events", "equal amounts")


def find_segments(facts: Facts) -> str:
    """Say for each column of segments whether AR differs, and which one is weakest."""
    level = facts["confidence_level"]
    told = [say_split(split, level) for split in facts["segments"][:MAX_SPLITS]]
    n_others = len(facts["segments"]) - MAX_SPLITS
    if n_others > 0:
        told.append(f"The tables show {say_count(n_others, 'more column')} of segments.")
    return " ".join(told)


def list_own(split: Facts) -> list[Facts]:
    """List the groups of the champion."""
    champion = split["total"][0]["model"]
    return [row for row in split["groups"] if row["model"] == champion]


def say_split(split: Facts, level: float) -> str:
    """Say the range of AR over the groups of one column, and whether it may be chance."""
    own = list_own(split)
    defined = [row for row in own if row["accuracy_ratio"] is not None]
    certain = find_comparable(defined, split["homogeneity"][0])
    if len(certain) < 2:  # noqa: PLR2004 -- a range
        told = [f"By {split['by']}, fewer than two groups have an AR that can be compared."]
    else:
        ranked = sorted(certain, key=lambda row: row["accuracy_ratio"]["value"])
        told = [
            say_range(split, ranked, level),
            *say_weakest(split, ranked[0], level),
            *say_all_below(split, ranked[-1]),
        ]
        if len(certain) < len(defined):
            told += say_left_out(split, certain, defined, level)
        if few := [row for row in certain if is_uncertain(row)]:
            told.append(say_few(split["by"], few, are_all=len(few) == len(certain)))
    return " ".join([*told, *say_undefined(split["by"], own)])


def is_uncertain(row: Facts) -> bool:
    """Whether the interval of a group may not cover at its level."""
    return row["status"] is not None and row["accuracy_ratio"].get("method") != "exact"


def find_comparable(defined: Sequence[Facts], test: Facts) -> Sequence[Facts]:
    """Find the groups that the test of all compares; without one, those of enough rows."""
    certain = [row for row in defined if not is_small(row)]
    if test["p_value"] is None and len(certain) > 1:
        return certain
    return [row for row in defined if row["group"] not in test["left_out"]] or defined


def say_range(split: Facts, ranked: Sequence[Facts], level: float) -> str:
    """Say the lowest and the highest AR, and whether the groups differ significantly."""
    test, by, lowest, highest = split["homogeneity"][0], split["by"], ranked[0], ranked[-1]
    least, most = (row["accuracy_ratio"]["value"] for row in (lowest, highest))
    if is_none(most - least):
        groups = say_count(len(ranked), "group")
        text = f"By {by}, AR is {say_ratio(least)} in all {groups}"
        if test["p_value"] is None:
            return f"{text}; differences were not tested{say_why([lowest])}."
        return f"{text} ({say_p_value(test['p_value'])}).{say_if_few(split, test)}"
    span = f"ranges from {say_group(by, lowest)} to {say_group(by, highest)}"
    if say_ratio(least) == say_ratio(most):
        span = f"is {say_ratio(least)} in all {say_count(len(ranked), 'group')}, rounded"
    if test["p_value"] is None:
        why = say_why([lowest])
        return f"By {by}, AR {span}; differences were not tested{why}."
    p_value = say_p_value(test["p_value"])
    verdict = f"the differences are not statistically significant ({p_value})."
    if is_significant(test["p_value"], level):
        verdict = f"the differences are statistically significant ({p_value})."
    return f"By {by}, AR {span}; {verdict}{say_if_few(split, test)}"


def say_if_few(split: Facts, test: Facts) -> str:
    """Say after a sentence why a test of all groups, or a trend, may not keep its level."""
    return "" if test["is_reliable"] else f" {say_few_in_groups(split, test['model'])}"


def say_few_in_groups(split: Facts, model: str) -> str:
    """Say why the test of all groups may not keep its level: what is few in them."""
    (left_out,) = (
        test["left_out"] for test in split["homogeneity"] if test["model"] == model
    )
    tested = [
        row
        for row in split["groups"]
        if row["model"] == model and row["group"] not in left_out
    ]
    return FEW_IN_TEST if any(map(is_small, tested)) else MISRANKED_IN_GROUPS


def say_weakest(split: Facts, lowest: Facts, level: float) -> list[str]:
    """Say that the weakest group is worse than the rest, if that is significant."""
    if not is_significant(lowest["p_adjusted"], level):
        return []
    if lowest["rest"] is None or lowest["accuracy_ratio"]["value"] >= lowest["rest"]:
        return []
    n_adjusted = count_adjusted(split)
    n_groups = say_count(n_adjusted, "group") if n_adjusted else ""
    p_value = say_p_value(lowest["p_adjusted"], adjusted=n_groups)
    name, rest = name_key(split["by"], lowest["group"]), say_ratio(lowest["rest"])
    text = f"{name} ranks worse than {say_others(split)} AR is {rest} ({p_value})"
    together = split["homogeneity"][0]["p_value"]
    if together is not None and not is_significant(together, level):
        text += "; the test of all groups together does not find a difference"
    return [f"{text}."]


def say_others(split: Facts) -> str:
    """Name the groups that one group is compared with."""
    is_pair = len(list_own(split)) == PAIR
    return "the other group, whose" if is_pair else "the other groups, within which"


def count_adjusted(split: Facts) -> int:
    """Count the groups for which p-values are adjusted; 0 of two, each the other's rest."""
    own = list_own(split)
    n_tested = sum(row["p_value"] is not None for row in own)
    return sum(row["p_adjusted"] is not None for row in own) if n_tested > PAIR else 0


def say_all_below(split: Facts, highest: Facts) -> list[str]:
    """Say why the AR of all rows is above that of each group."""
    total = split["total"][0]
    whole, pooled = total["accuracy_ratio"]["value"], total["pooled"]
    if pooled is None:
        return []
    above = whole - max(highest["accuracy_ratio"]["value"], pooled["value"])
    if above < 0 or is_none(above):
        return []
    text = (
        f"Each group compared is below the {say_ratio(whole)} of all rows, as the score "
        f"also separates the groups; within groups AR is {say_ratio(pooled['value'])}."
    )
    return [text]


def say_why(rows: Sequence[Facts]) -> str:
    """Say why amounts were not tested; nothing of events."""
    if any(row["n_non_events"] is not None for row in rows):
        return ""
    return (
        ", as there is no test for amounts; the table has the interval of each group, and "
        "capcurve compare with --sample and --against compares two of them that are "
        "independent (no obligor is in both)"
    )


def say_left_out(
    split: Facts, certain: Sequence[Facts], defined: Sequence[Facts], level: float
) -> list[str]:
    """Name the groups with few events, which the range and the test leave out."""
    kept = [row["group"] for row in certain]
    others = [row for row in defined if row["group"] not in kept]
    shown = say_names([name_few_group(row, split["by"]) for row in others])
    subject = "The range and the test of all groups leave"
    if split["homogeneity"][0]["p_value"] is None:
        subject = "The range leaves"
    text = f"{subject} out groups with {name_few(others)}: {shown}."
    lowest = min(others, key=lambda row: row["accuracy_ratio"]["value"])
    return [text, *say_weak_alone(split["by"], lowest, level)]


def say_weak_alone(by: str, row: Facts, level: float) -> list[str]:
    """Say that a group left out is worse than the rest, if its own test finds that."""
    if not is_significant(row["p_value"], level):
        return []
    if row["rest"] is None or row["accuracy_ratio"]["value"] >= row["rest"]:
        return []
    text = (
        f"{name_key(by, row['group'])} alone ranks worse than the other groups, within "
        f"which AR is {say_ratio(row['rest'])} ({say_p_value(row['p_value'])}, not "
        f"adjusted). {FEW_IN_TEST}"
    )
    return [text]


def name_few_group(row: Facts, by: str) -> str:
    """Name a group with its AR, and what its events come down to."""
    told = f"AR {say_ratio(row['accuracy_ratio']['value'])}"
    return f"{name_key(by, row['group'])} ({told}{say_effectively(row)})"


def say_effectively(row: Facts) -> str:
    """Say what the events of a group come down to, if unequal weights or clusters count."""
    is_defined = row["accuracy_ratio"] and row["n_non_events"] is not None
    effective = say_effective_of(row) if is_defined else ""
    return f", effectively {effective}" if effective else ""


def say_few(by: str, few: Sequence[Facts], *, are_all: bool, groups: str = "groups") -> str:
    """Say of which groups the intervals may not cover at their level.

    Unequal weights or clusters leave few events of many.
    """
    names = f"These {groups}"
    if not are_all:
        names = say_list([name_key(by, row["group"]) for row in few])
    verb, whose = ("has", "its interval") if len(few) == 1 else ("have", "their intervals")
    adverb = "effectively " * any(map(say_effectively, filter(is_small, few)))
    return f"{names} {verb} {adverb}{name_few(few)}, so {whose} may miss more often."


def say_undefined(by: str, own: Sequence[Facts]) -> list[str]:
    """Name the groups in which AR is undefined, by reason."""
    told = []
    for status in UNDEFINED:
        names = [name_key(by, row["group"]) for row in own if row["status"] == status]
        if names:
            told.append(f"AR is undefined with {status} in {say_list(names)}.")
    return told


def find_trend(facts: Facts) -> str:
    """Say whether AR has a linear trend, and how the last period stands.

    Where periods are text that need not sort by time, say whether they differ.
    """
    if not facts["periods"]:
        return ""
    split, level = facts["periods"][0], facts["confidence_level"]
    own = [row for row in list_own(split) if row["group"] is not None]
    if not split["in_time_order"]:
        told = [say_no_order(split["by"]), *say_differences(split, own, level)]
        return " ".join([*told, *say_few_periods(split, own)])
    told = [say_trend(split, own, level), *say_differences(split, own, level)]
    if len(own) > 1:
        told.append(say_last(own[-1], level))
    return " ".join([*told, *say_few_periods(split, own)])


def say_few_periods(split: Facts, own: Sequence[Facts]) -> list[str]:
    """Say of which periods that are compared the intervals may miss more often."""
    defined = [row for row in own if row["accuracy_ratio"] is not None]
    compared = find_comparable(defined, split["homogeneity"][0])
    few = list(filter(is_few, compared))
    if not few:
        return []
    are_all = len(few) == len(compared)
    return [say_few(split["by"], few, are_all=are_all, groups="periods")]


def say_no_order(by: str) -> str:
    """Say why there is no trend over periods whose order need not be that of time."""
    return (
        f"A trend over the periods of {by} was not tested, because they are text, whose "
        "order need not be that of time."
    )


def say_differences(split: Facts, own: Sequence[Facts], level: float) -> list[str]:
    """Say whether periods differ, and which of them are worse than the others."""
    told, test = [], split["homogeneity"][0]
    if test["p_value"] is not None:
        differs = is_significant(test["p_value"], level)
        verdict = "differ significantly" if differs else "do not differ significantly"
        told.append(f"Tested together, periods {verdict} ({say_p_value(test['p_value'])}).")
    worse = [
        row
        for row in own
        if is_significant(row["p_adjusted"], level)
        and row["accuracy_ratio"]["value"] < row["rest"]
    ]
    if worse:
        worse.sort(key=lambda row: row["p_adjusted"])
        n_adjusted = count_adjusted(split)
        told.append(
            "Tested one by one, AR is significantly below that of the other periods in "
            f"{say_list(list(map(say_worse, worse)))}"
            f"{f', adjusted for {n_adjusted} periods' * bool(n_adjusted)}."
        )
    return told


def say_worse(row: Facts) -> str:
    """Name a period with its AR and the p-value against the others."""
    ratio = say_ratio(row["accuracy_ratio"]["value"])
    return f"{show_key(row['group'])} ({ratio}, {say_p_value(row['p_adjusted'])})"


def say_trend(split: Facts, own: Sequence[Facts], level: float) -> str:
    """Say the change of AR per period, and whether it may be chance."""
    trend = split["trend"][0]
    if trend is None or trend["p_value"] is None:
        why = SINGLE_PERIOD * (len(own) == 1) or say_why(own)
        return f"A trend over periods was not tested{why}."
    span = f"{say_count(trend['n_periods'])} periods"
    left_out = split["homogeneity"][0]["left_out"]
    tested = [row for row in own if row["accuracy_ratio"] and row["group"] not in left_out]
    if trend["n_periods"] < len(own):
        span = f"{say_count(trend['n_periods'])} of {say_count(len(own))} periods"
    if trend["n_periods"] == len(tested) < len(own):
        span += f", {say_list([show_key(row['group']) for row in tested])}"
    elif own:
        span += f", {show_key(own[0]['group'])} to {show_key(own[-1]['group'])}"
    sign = -1 if trend["change"] < 0 else 1
    p_value = say_p_value(trend["p_value"])
    if is_significant(trend["p_value"], level):
        verb = "decreases" if sign < 0 else "increases"
        text = (
            f"AR {verb} significantly by {say_size(trend['change'])} per period over "
            f"{span} ({say_interval(trend, sign)}, {p_value})."
        )
    else:
        text = (
            f"AR has no significant trend over {span}: its change per period is "
            f"{say_ratio(trend['change'])} ({say_interval(trend)}, {p_value})."
        )
    if left_out:
        text += (
            " The trend leaves out periods with few or no events or non-events: "
            f"{say_names(name_left_out(split, left_out))}."
        )
    if split["absent"]:
        text += (
            f" {say_absent(split)}: the trend counts the {say_count(len(own))} periods "
            "that have rows as equally far apart."
        )
    return f"{text}{say_if_few(split, trend)}"


def name_left_out(split: Facts, left_out: Sequence[Any]) -> list[str]:
    """Name the periods that the trend leaves out, and why where it can be told."""
    told = {row["group"]: say_effectively(row)[2:] for row in list_own(split)}
    return [
        show_key(group) + (f" ({told[group]})" if told.get(group) else "")
        for group in left_out
    ]


def say_names(names: Sequence[str]) -> str:
    """Name the first groups, and count the others."""
    shown = ", ".join(names[:MOST_FEW])
    more = f" and {len(names) - MOST_FEW} more" if len(names) > MOST_FEW else ""
    return f"{shown}{more}"


def say_absent(split: Facts) -> str:
    """Name the periods without rows between others."""
    verb = "has" if len(split["absent"]) == 1 else "have"
    return f"{say_names(split['absent'])} {verb} no rows"


def say_last(row: Facts, level: float) -> str:
    """Say AR of the last period, and whether it differs from that of the others."""
    name, ratio = show_key(row["group"]), row["accuracy_ratio"]
    if ratio is None:
        return f"In the last period, {name}, AR is undefined: {row['status']}."
    text = f"In the last period, {name}, AR is {say_ratio(ratio['value'])}"
    if row["status"] is not None:
        text += f" ({say_status(row)})"
    if row["p_value"] is None:
        return f"{text}."
    rest, p_value = say_ratio(row["rest"]), say_p_value(row["p_value"])
    adjusted = row["p_adjusted"]
    if adjusted is not None and adjusted != row["p_value"]:
        p_value += f" alone, {say_p_value(adjusted)} adjusted for all periods"
    if is_significant(row["p_value"], level):
        side = "below" if ratio["value"] < row["rest"] else "above"
        return f"{text}, significantly {side} the {rest} of the other periods ({p_value})."
    return (
        f"{text}, which does not differ significantly from the {rest} of the other "
        f"periods ({p_value})."
    )
