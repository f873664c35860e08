"""Say in sentences how AR varies by period, and whether it has a trend."""

from collections.abc import Sequence
from typing import Any

from capcurve._inference.options import FEW_EVENTS
from capcurve._inference.segments import PAIR
from capcurve._report.group_findings import (
    OF_PERIODS,
    count_adjusted,
    list_own,
    list_periods,
    may_miss,
    say_absent,
    say_effectively,
    say_few,
    say_fewer_rows,
    say_how,
    say_if_few,
    say_names,
    say_single,
    say_why,
)
from capcurve._report.options import Facts
from capcurve._report.period_labels import find_length
from capcurve._report.phrases import (
    FEW_IN_TEST,
    is_significant,
    is_small,
    say_count,
    say_interval,
    say_list,
    say_p_value,
    say_ratio,
    say_size,
    say_status,
)
from capcurve._report.scored import say_key
from capcurve._report.segment_findings import find_segments
from capcurve._report.untested_groups import explain_untested, has_clusters

NO_ROWS = "no rows"  # the status of a group
AS_SEGMENTS = f"two of them are compared as segments are{OF_PERIODS}"
SINGLE_PERIOD = ", as all rows are of one period"
SINGLE_KNOWN = ", as all rows with a period are of one"


def find_trend(facts: Facts) -> str:
    """Say whether AR has a linear trend, and how the last period stands.

    Where periods are text that need not sort by time, say whether they differ.
    """
    if not facts["periods"]:
        return ""
    split, level = facts["periods"][0], facts["confidence_level"]
    own = list_periods(split)
    if not split["in_time_order"]:
        told = [say_no_order(split, own, facts), *say_differences(split, own, level)]
        if split["homogeneity"][0]["p_value"] is None:
            told += say_undefined(own)
        else:
            told += say_left_out(split, own, facts, "That test")
        return join_told(told, split, own, facts)
    told = [*say_length(facts), say_trend(split, own, facts)]
    if not has_trend(split):
        told += say_undefined(own[:-1])  # the last one has a sentence
    told += say_differences(split, own, level)
    if len(own) > 1:
        n_adjusted = sum(row["p_adjusted"] is not None for row in own)
        told += [
            say_last(own[-1], level, n_adjusted, say_others(split)),
            *say_last_alone(split, own[-1], facts),
        ]
    return join_told(told, split, own, facts)


def join_told(told: Sequence[str], split: Facts, own: Sequence[Facts], facts: Facts) -> str:
    """Add on which rows the sentences about periods rest."""
    rest = [
        *say_few_periods(split, own),
        *say_no_period(split),
        *say_fewer_rows(facts, "periods"),
    ]
    return " ".join([*told, *rest])


def has_trend(split: Facts) -> bool:
    """Whether the trend of the champion was tested."""
    trend = split["trend"][0]
    return trend is not None and trend["p_value"] is not None


def say_no_period(split: Facts) -> list[str]:
    """Say how many rows have no period, and that no test of periods includes them."""
    n_rows = sum(row["n_rows"] for row in list_own(split) if row["group"] is None)
    if not n_rows:
        return []
    text = f"{say_count(n_rows, 'row')} {'has' if n_rows == 1 else 'have'} no period"
    if split["homogeneity"][0]["p_value"] is not None:
        text += f", so no test of periods includes {'it' if n_rows == 1 else 'them'}"
    return [f"{text}."]


def say_few_periods(split: Facts, own: Sequence[Facts]) -> list[str]:
    """Say of which periods the intervals may miss more often.

    A test names those that it leaves out. Distribution-free limits hold for any number of
    events.
    """
    test = split["trend"][0] if split["in_time_order"] else split["homogeneity"][0]
    named = split["homogeneity"][0]["left_out"]
    if test is None or test["p_value"] is None:
        named = []
    defined = [
        row
        for row in own
        if row["accuracy_ratio"] is not None
        and not row["has_free_limits"]
        and row["group"] not in named
    ]
    few = list(filter(may_miss, defined))
    if not few:
        return []
    names = say_list([say_key(row["group"]) for row in few])
    return [say_few(f"The period{'s' * (len(few) > 1)} {names}", few)]


def say_length(facts: Facts) -> list[str]:
    """Say what the periods are, if a length of periods was asked for."""
    length = find_length(facts)
    by = facts["periods"][0]["by"]
    return [f"Periods are the {length}s of the dates in {by}."] if length else []


def say_no_order(split: Facts, own: Sequence[Facts], facts: Facts) -> str:
    """Say why there is no trend over periods whose order need not be that of time.

    Amounts have none in any order, which labels that sort by time would not change.
    """
    by, order = split["by"], "text, whose order need not be that of time."
    if facts["outcome"] == "amounts":
        why = say_why_no_trend(split, own, facts)
        return f"A trend over periods was not tested{why}. Those of {by} are {order}"
    return f"A trend over the periods of {by} was not tested, because they are {order}"


def say_differences(split: Facts, own: Sequence[Facts], level: float) -> list[str]:
    """Say whether periods differ, and which of them are worse than the others."""
    told, test = [], split["homogeneity"][0]
    if test["p_value"] is not None:
        differs = is_significant(test["p_value"], level)
        verdict = "differ significantly" if differs else "do not differ significantly"
        p_value = say_p_value(test["p_value"], level)
        few = say_if_few(split, test)
        if has_trend(split) and few:  # the trend has the reason
            few = " This test may not keep its level either."
        told.append(f"Tested together, periods {verdict} ({p_value}).{few}")
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
            f"Tested one by one, AR is significantly below that within {say_others(split)} "
            f"in {say_list([say_worse(row, level) for row in worse])}"
            f"{f', adjusted for {n_adjusted} periods' * bool(n_adjusted)}."
        )
    return told


def say_others(split: Facts) -> str:
    """Name what a period is compared with, which may be a single other one."""
    return "the other period" if len(list_periods(split)) == PAIR else "the other periods"


def say_worse(row: Facts, level: float) -> str:
    """Name a period with its AR and the p-value against the others."""
    ratio = say_ratio(row["accuracy_ratio"]["value"])
    return f"{say_key(row['group'])} ({ratio}, {say_p_value(row['p_adjusted'], level)})"


def say_trend(split: Facts, own: Sequence[Facts], facts: Facts) -> str:
    """Say the change of AR per period, and whether it may be chance."""
    trend = split["trend"][0]
    if not has_trend(split):
        why = say_why_no_trend(split, own, facts)
        absent = f" {say_absent(split)}." if split["absent"] else ""
        return f"A trend over periods was not tested{why}.{absent}"
    left_out = split["homogeneity"][0]["left_out"]
    span = say_span(trend, [row for row in own if row["group"] not in left_out])
    sign = -1 if trend["change"] < 0 else 1
    p_value = say_p_value(trend["p_value"], facts["confidence_level"])
    if is_significant(trend["p_value"], facts["confidence_level"]):
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
    text = " ".join([text, *say_left_out(split, own, facts, "The trend")])
    if split["absent"]:
        text += (
            f" {say_absent(split)}: the trend counts periods that have rows as equally far "
            "apart."
        )
    return f"{text}{say_if_few(split, trend)}"


def say_left_out(
    split: Facts, own: Sequence[Facts], facts: Facts, subject: str
) -> list[str]:
    """Say which periods a test leaves out, and for which size, or without any used row."""
    left_out = split["homogeneity"][0]["left_out"]
    others = [row for row in own if row["group"] in left_out]
    unused = [say_key(row["group"]) for row in others if row["status"] == NO_ROWS]
    others = [row for row in others if row["status"] != NO_ROWS]
    told = []
    if others:
        few = say_limit(own, others, left_out, facts)
        told.append(f"{subject} leaves out periods with {few}: {name_left_out(others)}.")
    if unused:
        subject = "It also" if told else subject
        told.append(f"{subject} leaves out {say_names(unused)}, without any used row.")
    return told


def say_limit(
    own: Sequence[Facts], others: Sequence[Facts], left_out: Sequence[Any], facts: Facts
) -> str:
    """Say which size the periods lack that are left out."""
    adverb = "effectively " * any(map(say_effectively, others))
    if any(is_small(row) for row in own if row["group"] not in left_out):
        nouns = "events or non-events"
        return say_single(nouns, "periods", own, in_clusters=has_clusters(facts))
    return f"{adverb}fewer than {FEW_EVENTS} events or non-events"


def say_undefined(rows: Sequence[Facts]) -> list[str]:
    """Say of which periods AR is undefined, and why, where no test names them."""
    told = [
        f"{say_key(row['group'])} ({row['status']})"
        for row in rows
        if row["accuracy_ratio"] is None
    ]
    return [f"AR is undefined in {say_list(told)}."] if told else []


def say_span(trend: Facts, fitted: Sequence[Facts]) -> str:
    """Say how many periods a trend is fitted to, of those from the first to the last."""
    first, last = (say_key(row["group"]) for row in (fitted[0], fitted[-1]))
    n, n_spanned = say_count(trend["n_periods"]), say_count(trend["n_spanned"])
    if n == n_spanned:
        return f"{n} periods, {first} to {last}"
    return f"{n} of the {n_spanned} periods from {first} to {last}"


def say_why_no_trend(split: Facts, own: Sequence[Facts], facts: Facts) -> str:
    """Say why there is no test of a trend."""
    if len(own) == 1:
        return SINGLE_PERIOD if len(list_own(split)) == 1 else SINGLE_KNOWN
    why = say_why(facts, "periods")
    if facts["outcome"] == "amounts" and say_how(facts) in find_segments(facts):
        return why.replace(say_how(facts, OF_PERIODS), AS_SEGMENTS)
    return why


def name_left_out(others: Sequence[Facts]) -> str:
    """Name the periods that the trend leaves out, and why where it can be told."""
    told = [(say_key(row["group"]), say_effectively(row)[2:]) for row in others]
    return say_names([name + f" ({few})" * bool(few) for name, few in told])


def say_last_alone(split: Facts, row: Facts, facts: Facts) -> list[str]:
    """Say why the last period is not compared with the others, although they are."""
    reasons = explain_untested(split, in_clusters=has_clusters(facts))
    if row["accuracy_ratio"] is None or row["group"] not in reasons:
        return []
    return [f"It is not compared with the others, as it has {reasons[row['group']]}."]


def say_last(row: Facts, level: float, n_adjusted: int, others: str) -> str:
    """Say AR of the last period, and whether it differs from that of the others."""
    name, ratio = say_key(row["group"]), row["accuracy_ratio"]
    if ratio is None:
        return f"In the last period, {name}, AR is undefined: {row['status']}."
    text = f"In the last period, {name}, AR is {say_ratio(ratio['value'])}"
    if row["status"] is not None:
        text += f" ({say_status(row)})"
    if row["p_value"] is None:
        return f"{text}."
    rest, p_value = say_ratio(row["rest"]), say_p_value(row["p_value"], level)
    adjusted = row["p_adjusted"]
    if adjusted is not None and adjusted != row["p_value"]:
        p_value += (
            f" alone, {say_p_value(adjusted, level)} adjusted for {n_adjusted} periods"
        )
    small = ""
    if adjusted is None and n_adjusted:  # too few events to be tested with the others
        p_value += ", not adjusted"
        small = f" {FEW_IN_TEST}" * is_small(row)
    if is_significant(row["p_value"], level):
        side = "below" if ratio["value"] < row["rest"] else "above"
        return (
            f"{text}, significantly {side} the {rest} within {others} ({p_value}).{small}"
        )
    return (
        f"{text}, which does not differ significantly from the {rest} within {others} "
        f"({p_value})."
    )
