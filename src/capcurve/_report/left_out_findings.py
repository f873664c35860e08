"""Say in sentences which rows a query or missing values took away."""

from collections.abc import Sequence

from capcurve._report.left_out import NO_WEIGHT, ZERO
from capcurve._report.options import Facts
from capcurve._report.phrases import (
    is_significant,
    say_count,
    say_list,
    say_p_value,
    say_percent,
    say_rates,
    say_ratio,
)


def say_several_reasons(rows: Facts) -> str:
    """Say under which reason a row counts that is left out for several."""
    has_zero = any(each["reason"] == ZERO for each in rows["reasons"])
    of_zero = ", a row of weight 0 under its weight alone" * has_zero
    return f"A row that is left out for several reasons counts under each{of_zero}."


def find_left_out(facts: Facts) -> str:
    """Say which rows were left out, and whether they differ from those used."""
    rows, told = facts["rows"], say_query(facts)
    if rows["left_out"] is None:
        return (
            f"{say_count(rows['used'], 'binned row')} were used; how many rows were left "
            "out before they were binned is not known."
        )
    if not rows["left_out"]:
        return " ".join([*told, f"All {say_count(rows['read'])} rows were used."])
    share = say_percent(rows["left_out"] / rows["read"])
    verb = "was" if rows["left_out"] == 1 else "were"
    told.append(
        f"{say_count(rows['left_out'])} of {say_count(rows['read'], 'row')} ({share}) "
        f"{verb} left out, because {say_causes(rows['reasons'])}."
    )
    if sum(reason["n_rows"] for reason in rows["reasons"]) > rows["left_out"]:
        told.append(say_several_reasons(rows))
    return " ".join([*told, say_left_out_rate(facts), *say_own_rows(facts)])


def say_causes(reasons: Sequence[Facts]) -> str:
    """Say which columns lack a value or hold a weight of 0, and how often."""
    columns: dict[bool, list[str]] = {False: [], True: []}
    for reason in reasons:
        counted = f"{reason['column']} ({say_count(reason['n_rows'])})"
        columns[reason["reason"] == ZERO].append(counted)
    words = {False: "a value is missing in", True: "the weight is 0 in"}
    told = [f"{words[key]} {say_list(names)}" for key, names in columns.items() if names]
    return " or ".join(told)


def say_left_out_rate(facts: Facts) -> str:
    """Say how the event rate of rows left out stands to that of the rows used."""
    has_events = facts["outcome"] == "events"
    total, used = facts["rows"]["left_out_total"], facts["rows"]["used_response_rate"]
    if total["response_rate"] is None and total["n_rows_with_outcome"]:
        return "None of the rows left out that have an outcome has a weight above 0."
    if total["response_rate"] is None:
        return "The outcomes of the rows left out are unknown."
    word = "event rate" if has_events else "mean outcome"
    rate, other = say_rates(total["response_rate"], used, has_events=has_events)
    which, those = "rows left out", "those used"
    if total["is_weighted"]:
        which, those = "rows left out, by weight,", "those used, by weight"
    base = say_base(facts)
    text = f"The {word} of the {which} is {rate}{base}, compared with {other} of {those}"
    text += say_unweighted(facts)
    if total["p_value"] is None:
        return f"{text}. {say_why_untested(facts)}"
    level = facts["confidence_level"]
    p_value = say_p_value(total["p_value"], level)
    if is_significant(total["p_value"], level):
        return f"{text}: a significant difference ({p_value})."
    return f"{text}, which is not a significant difference ({p_value})."


def say_unweighted(facts: Facts) -> str:
    """Say how many rows count in no weighted rate, as they have no weight above 0."""
    words = {NO_WEIGHT: "without a weight", ZERO: "of weight 0"}
    n_rows = {each["reason"]: each["n_rows"] for each in facts["rows"]["reasons"]}
    found = {reason: n_rows[reason] for reason in words if reason in n_rows}
    if not found:
        return ""
    told = [f"{say_count(n, 'row')} {words[reason]}" for reason, n in found.items()]
    verb = "counts" if sum(found.values()) == 1 else "count"
    return f"; {say_list(told)} {verb} in neither"


def say_base(facts: Facts) -> str:
    """Say on how many rows the rate of those left out is based, if others do not count.

    Others lack an outcome or a weight above 0. Weighted events are no number of rows.
    """
    total, n_left_out = facts["rows"]["left_out_total"], facts["rows"]["left_out"]
    n_known = total["n_rows_with_outcome"] - total["n_rows_without_weight"]
    if n_known >= n_left_out:
        return ""
    is_counted = facts["outcome"] == "events" and not total["is_weighted"]
    events = f"{say_count(total['n_events'])} of " if is_counted else "of "
    weight = " and a weight above 0" * bool(say_unweighted(facts))
    return f" ({events}{say_count(n_known)} with an outcome{weight})"


def say_own_rows(facts: Facts) -> list[str]:
    """Say how AR of a model moves by leaving out rows that it alone could rank.

    Of the champion, and of a challenger that moves more.
    """
    champion, *others = facts["rows"]["own_rows"] or [None]
    moved = [row for row in others if row["difference"] is not None]
    most = max(moved, key=lambda row: abs(row["difference"]), default=None)
    change = 0.0 if champion is None else abs(champion["difference"] or 0.0)
    told = [] if champion is None else [say_own_ratio(champion)]
    if most is not None and abs(most["difference"]) > change:
        told.append(say_own_ratio(most))
    return list(filter(None, told))


def say_own_ratio(row: Facts) -> str:
    """Say AR of a model on its own rows and on those of all; nothing if both are equal."""
    if row["n_rows"] == row["n_rows_common"] or row["accuracy_ratio"] is None:
        return ""
    own, common = (
        say_ratio(row[name]) for name in ("accuracy_ratio", "accuracy_ratio_common")
    )
    against = f"compared with {common} on the rows of all models"
    if own == common:
        against = "which the rows of all models do not change at three digits"
    return (
        f"On the {say_count(row['n_rows'])} rows with a score of {row['model']}, its AR is "
        f"{own}, {against}."
    )


def say_why_untested(facts: Facts) -> str:
    """Say why the difference of rows left out from those used was not tested."""
    if facts["outcome"] == "amounts":
        reason = "the test compares event rates, not amounts"
    elif facts["sample"]["weights"] == "sampling":
        reason = "the test counts each row once, whatever its weight"
    else:
        reason = "the test takes rows as independent, which rows of one cluster are not"
    return f"This difference was not tested, because {reason}."


def say_query(facts: Facts) -> list[str]:
    """Say what a query did to the number of rows and to the event rate."""
    query = facts["provenance"]["query"]
    if query is None or query["rows_before"] is None:
        return []
    before, after = query["rows_before"], query["rows_after"]
    told = [f"The query returned {say_count(after)} rows of {say_count(before)}."]
    if after > before:
        told = [f"{told[0]} These are more than the files hold; does it repeat rows?"]
    if query["response_rate_before"] is None or query["response_rate_after"] is None:
        return [*told, "Its effect on the outcome is not assessed."]
    sides = "before", "after"
    rates = say_rates(
        *(query[f"response_rate_{side}"] for side in sides),
        has_events=facts["outcome"] == "events",
    )
    first, second = (
        say_side(facts, side, rate) for side, rate in zip(sides, rates, strict=True)
    )
    return [*told, f"Before it, {first}; after it, {second}."]


def say_side(facts: Facts, side: str, rate: str) -> str:
    """Say the events and the event rate on one side of a query."""
    query, has_events = facts["provenance"]["query"], facts["outcome"] == "events"
    if not has_events:
        return f"the mean outcome is {rate}"
    return f"the event rate is {rate} ({say_count(query[f'events_{side}'], 'event')})"
