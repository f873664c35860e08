"""Say in sentences how AR varies by segment."""

from collections.abc import Iterator, Sequence

from capcurve._inference.options import FEW_EVENTS
from capcurve._inference.segments import PAIR
from capcurve._report.group_findings import (
    count_adjusted,
    find_comparable,
    list_own,
    may_miss,
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
from capcurve._report.phrases import (
    FEW_IN_TEST,
    is_none,
    is_significant,
    is_small,
    name_smaller,
    say_all,
    say_count,
    say_group,
    say_list,
    say_p_value,
    say_ratio,
    say_status,
)
from capcurve._report.scored import name_key
from capcurve._report.untested_groups import has_clusters

AS_BEFORE = "two of them are compared in the same way"
MAX_SPLITS = 3  # columns of segments in a finding
UNDEFINED = ("no rows", "no events", "no non-events", "a single row", "equal amounts")


def find_segments(facts: Facts) -> str:
    """Say for each column of segments whether AR differs, and which one is weakest."""
    told = [say_split(split, facts) for split in facts["segments"][:MAX_SPLITS]]
    if facts["outcome"] == "amounts":
        told = list(say_once(say_how(facts), told))
    n_others = len(facts["segments"]) - MAX_SPLITS
    if n_others > 0:
        told.append(f"The tables show {say_count(n_others, 'more column')} of segments.")
    if told:
        told += say_fewer_rows(facts, "segments")
    return " ".join(told)


def say_once(how: str, texts: Sequence[str]) -> Iterator[str]:
    """Say how to compare two groups in the first text that does, and refer to it."""
    is_said = False
    for text in texts:
        yield text.replace(how, AS_BEFORE) if is_said else text
        is_said = is_said or how in text


def say_split(split: Facts, facts: Facts) -> str:
    """Say the range of AR over the groups of one column, and whether it may be chance."""
    own, level = list_own(split), facts["confidence_level"]
    defined = [row for row in own if row["accuracy_ratio"] is not None]
    certain = find_comparable(defined, split["homogeneity"][0])
    if len(certain) < 2:  # noqa: PLR2004 -- a range
        told = [say_no_range(split["by"], own, certain)]
    else:
        ranked = sorted(certain, key=lambda row: row["accuracy_ratio"]["value"])
        told = [
            say_range(split, ranked, facts),
            *say_weakest(split, ranked[0], level),
            *say_all_below(split, ranked[-1]),
        ]
        if len(certain) < len(defined):
            told += say_left_out(split, certain, defined, facts)
        if few := [row for row in certain if may_miss(row)]:
            names = [name_key(split["by"], row["group"]) for row in few]
            told.append(say_few(say_list(names), few))
    return " ".join([*told, *say_undefined(split["by"], own)])


def say_no_range(by: str, own: Sequence[Facts], defined: Sequence[Facts]) -> str:
    """Say the AR of the single group that has one, or that none has."""
    if len(own) == 1:
        return f"By {by}, all rows are of one group, so there is nothing to compare."
    if not defined:
        return f"By {by}, no group has an AR."
    only = say_group(by, defined[0])
    return f"By {by}, one group alone has an AR, so none can be compared: {only}."


def say_range(split: Facts, ranked: Sequence[Facts], facts: Facts) -> str:
    """Say the lowest and the highest AR, and whether the groups differ significantly."""
    level = facts["confidence_level"]
    test, by, lowest, highest = split["homogeneity"][0], split["by"], ranked[0], ranked[-1]
    least, most = (row["accuracy_ratio"]["value"] for row in (lowest, highest))
    if is_none(most - least):
        groups = say_all(len(ranked), "group")
        text = f"By {by}, AR is {say_ratio(least)} in {groups}"
        if test["p_value"] is None:
            return f"{text}; differences were not tested{say_why(facts)}."
        return f"{text} ({say_p_value(test['p_value'], level)}).{say_if_few(split, test)}"
    span = f"ranges from {say_group(by, lowest)} to {say_group(by, highest)}"
    if say_ratio(least) == say_ratio(most):
        span = f"is {say_ratio(least)} in {say_all(len(ranked), 'group')}, rounded"
    if test["p_value"] is None:
        return f"By {by}, AR {span}; differences were not tested{say_why(facts)}."
    p_value = say_p_value(test["p_value"], level)
    verdict = f"the differences are not statistically significant ({p_value})."
    if is_significant(test["p_value"], level):
        verdict = f"the differences are statistically significant ({p_value})."
    return f"By {by}, AR {span}; {verdict}{say_if_few(split, test)}"


def say_weakest(split: Facts, lowest: Facts, level: float) -> list[str]:
    """Say that the weakest group is worse than the rest, if that is significant."""
    if not is_significant(lowest["p_adjusted"], level):
        return []
    if lowest["rest"] is None or lowest["accuracy_ratio"]["value"] >= lowest["rest"]:
        return []
    n_adjusted = count_adjusted(split)
    p_value = say_p_value(lowest["p_adjusted"], level)
    if n_adjusted:
        p_value += f", adjusted for {say_count(n_adjusted, 'group')}"
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


def say_all_below(split: Facts, highest: Facts) -> list[str]:
    """Say why the AR of all rows is above that of each group."""
    total = split["total"][0]
    whole, pooled = total["accuracy_ratio"]["value"], total["pooled"]
    if pooled is None:
        return []
    best, within = highest["accuracy_ratio"]["value"], pooled["value"]
    if within > best and not is_none(within - best):  # groups left out raise AR of all rows
        return []
    above = whole - max(best, within)
    if above < 0 or is_none(above):
        return []
    text = (
        f"Each group compared is below the {say_ratio(whole)} of all rows, as pairs of "
        "rows from different groups are ranked better than those within a group; within "
        f"groups AR is {say_ratio(pooled['value'])}."
    )
    return [text]


def say_left_out(
    split: Facts, certain: Sequence[Facts], defined: Sequence[Facts], facts: Facts
) -> list[str]:
    """Name the groups with few events, which the range and the test leave out."""
    kept = [row["group"] for row in certain]
    others = [row for row in defined if row["group"] not in kept]
    shown = say_names([name_few_group(row, split["by"]) for row in others])
    subject = "The range and the test of all groups leave"
    if split["homogeneity"][0]["p_value"] is None:
        subject = "The range leaves"
    in_clusters = has_clusters(facts)
    limit = say_limit(certain, others, in_clusters=in_clusters)
    text = f"{subject} out groups with {limit}: {shown}."
    lowest = min(others, key=lambda row: row["accuracy_ratio"]["value"])
    weak = say_lowest_left_out(split["by"], lowest, len(others), facts["confidence_level"])
    return [text, *weak]


def say_limit(
    certain: Sequence[Facts], others: Sequence[Facts], *, in_clusters: bool
) -> str:
    """Say which size the groups lack that are left out, and why it is as low as two."""
    nouns = name_smaller(others)
    if any(map(is_small, certain)):
        rows = [*certain, *others]
        return say_single(nouns, "groups", rows, in_clusters=in_clusters)
    adverb = "effectively " * any(map(say_effectively, others))
    return f"{adverb}fewer than {FEW_EVENTS} {nouns}"


def say_lowest_left_out(by: str, row: Facts, n_groups: int, level: float) -> list[str]:
    """Say that the lowest of the groups left out is worse than the rest, if that is known.

    The p-value is adjusted for the number of these groups, by Bonferroni's method.
    """
    if row["p_value"] is None or row["rest"] is None:
        return []
    p_value = min(n_groups * row["p_value"], 1.0)
    is_below = row["accuracy_ratio"]["value"] < row["rest"]
    if not (is_below and is_significant(p_value, level)):
        return []
    told, name = say_p_value(p_value, level), name_key(by, row["group"])
    if n_groups > 1:
        told += f", adjusted for {say_count(n_groups, 'group')}"
        name = f"The lowest of these, {name},"
    text = (
        f"{name} ranks worse than the other groups, within which AR is "
        f"{say_ratio(row['rest'])} ({told}). {FEW_IN_TEST}"
    )
    return [text]


def name_few_group(row: Facts, by: str) -> str:
    """Name a group with its AR, and what its events come down to."""
    told = f"AR {say_ratio(row['accuracy_ratio']['value'])}"
    return f"{name_key(by, row['group'])} ({told}{say_effectively(row)})"


def say_undefined(by: str, own: Sequence[Facts]) -> list[str]:
    """Name the groups in which AR is undefined, by reason."""
    told = []
    for status in UNDEFINED:
        alike = [row for row in own if row["status"] == status]
        if alike:
            names = say_list([name_key(by, row["group"]) for row in alike])
            told.append(f"AR is undefined with {say_status(alike[0])} in {names}.")
    return told
