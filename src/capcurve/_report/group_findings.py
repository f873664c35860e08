"""Say what findings on segments and on periods have in common."""

from collections.abc import Sequence

from capcurve._inference.options import FEW_EVENTS
from capcurve._inference.segments import FEW_ERRORS_ON_AVERAGE, PAIR
from capcurve._report.interval_methods import FREE
from capcurve._report.options import Facts
from capcurve._report.phrases import (
    FEW_IN_TEST,
    FEW_MISRANKED_EXPECTED,
    FEW_PAIRS_OF_ROWS,
    is_few,
    is_small,
    name_few,
    say_count,
    say_effective_of,
)

MISRANKED_IN_GROUPS = (
    f"{FEW_MISRANKED_EXPECTED.format(FEW_ERRORS_ON_AVERAGE, 'events')} in a {{}}, on "
    "average, so the test may not keep its level."
)
OF_AMOUNTS = (
    ", as there is no test of all {} for amounts. The table has the interval of each, and "
)
TWO_OF_AMOUNTS = (
    "capcurve compare with {}--sample{} and --against compares two of them if they are "
    "independent ({}){}"
)
GROUPS = "groups"
OF_PERIODS = " (a column of periods, not of dates)"  # which a report alone cuts
SHARED = (  # runs on any score, also of segments that lack some bands
    ". If not, the rows total of capcurve change with {}--sample, --cluster, --bands 10 "
    "and --empty-grades other are the change of AR from one to the next, or between the "
    "two of which a --query keeps the rows, allowing for clusters in both; bands move its "
    "limits a little, itself not{}"
)
SAME_ROWS = (
    ", and the rows are those of this report if each of its models is an --estimate there"
)
WEIGHTED = {"none": "", "sampling": "--weight, ", "counts": "--counts, "}
FEW_PAIRS = (
    f"{FEW_PAIRS_OF_ROWS} (fewer than {FEW_EVENTS}: those of about "
    f"{2 * FEW_EVENTS} rows of equal weight, or of more rows with unequal amounts, weights "
    "or clusters)"
)
MOST_FEW = 3  # groups with few events in a sentence


def list_own(split: Facts) -> list[Facts]:
    """List the groups of the champion."""
    champion = split["total"][0]["model"]
    return [row for row in split["groups"] if row["model"] == champion]


def are_periods(split: Facts) -> bool:
    """Whether groups are periods, of which rows without one are none."""
    return "in_time_order" in split


def list_periods(split: Facts) -> list[Facts]:
    """List the periods of the champion, without the rows that have none."""
    return [row for row in list_own(split) if row["group"] is not None]


def find_comparable(defined: Sequence[Facts], test: Facts) -> Sequence[Facts]:
    """Find the groups that the test of all compares.

    Without one, they are those of enough rows; if fewer than two are, all. What a test
    that was not made would leave out does not matter then.
    """
    if test["p_value"] is None:
        certain = [row for row in defined if not is_small(row)]
        return certain if len(certain) > 1 else defined
    return [row for row in defined if row["group"] not in test["left_out"]]


def count_adjusted(split: Facts) -> int:
    """Count the groups for which p-values are adjusted; 0 of two, each the other's rest."""
    own = list_own(split)
    n_tested = sum(row["p_value"] is not None for row in own)
    return sum(row["p_adjusted"] is not None for row in own) if n_tested > PAIR else 0


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
    if any(map(is_small, tested)):
        return FEW_IN_TEST
    return MISRANKED_IN_GROUPS.format("period" if are_periods(split) else "group")


def say_why(facts: Facts, groups: str = GROUPS) -> str:
    """Say why groups were not tested: of amounts, or of events without a variance."""
    clusters = facts["sample"]["clusters"]
    if facts["outcome"] == "amounts":
        return (
            f"{OF_AMOUNTS.format(groups)}{say_how(facts, OF_PERIODS * (groups != GROUPS))}"
        )
    if clusters is not None and clusters["n_event_clusters"] == 1:
        return ", as all events are in one cluster, which shows no variance of AR"
    apart = "" if clusters is None else " in different clusters"
    return f", as fewer than two {groups} have two or more events and non-events{apart}"


def say_how(facts: Facts, column: str = "") -> str:
    """Say how to compare two groups of amounts; ``column`` is what is said of theirs."""
    clusters = facts["sample"]["clusters"]
    same = SAME_ROWS * (len(facts["models"]) > 1)
    weight = WEIGHTED[facts["sample"]["weights"]]
    shared = "" if clusters is None else SHARED.format(weight, same)
    needed = weight + "--cluster, " * (clusters is not None)
    return TWO_OF_AMOUNTS.format(needed, column, say_independent(clusters), shared)


def say_independent(clusters: Facts | None) -> str:
    """Say when two groups are independent, by the column of clusters if there is one."""
    if clusters is None or clusters["column"] is None:
        return "no rows of one depend on rows of the other, as loans of one borrower do"
    return f"no {clusters['column']} is in both"


def may_miss(row: Facts) -> bool:
    """Whether the interval of a group may not cover at its level.

    Distribution-free limits hold for any number of events.
    """
    return is_few(row) and row["accuracy_ratio"].get("method") not in FREE


def say_few(names: str, few: Sequence[Facts]) -> str:
    """Say of which groups the intervals may not cover at their level.

    Unequal weights or clusters leave few events of many.
    """
    verb, whose = ("has", "its interval") if len(few) == 1 else ("have", "their intervals")
    adverb = "effectively " * any(map(say_effectively, filter(is_small, few)))
    return f"{names} {verb} {adverb}{name_few(few)}, so {whose} may miss more often."


def say_single(nouns: str, groups: str, rows: Sequence[Facts], *, in_clusters: bool) -> str:
    """Say what groups lack that no test compares, where it compares small ones too.

    ``rows`` are all groups, of which fewer than two are large.
    """
    few = f"fewer than two {nouns}"
    if in_clusters:
        few = f"{nouns} in fewer than two clusters"
    adverb = "effectively " * any(map(say_effectively, filter(is_small, rows)))
    least = f"{adverb}{FEW_EVENTS} {nouns.replace(' or ', ' and ')}"
    return f"{few}, as fewer than two {groups} have {least}"


def say_hollow(few: Sequence[Facts]) -> str:
    """Say what is few where points are hollow, in the unit of the table."""
    return name_few(few).replace(FEW_PAIRS_OF_ROWS, FEW_PAIRS)


def say_effectively(row: Facts) -> str:
    """Say what the events of a group come down to, if unequal weights or clusters count."""
    is_defined = row["accuracy_ratio"] and row["n_non_events"] is not None
    effective = say_effective_of(row) if is_defined else ""
    return f", effectively {effective}" if effective else ""


def say_names(names: Sequence[str]) -> str:
    """Name the first groups, and count the others."""
    shown = ", ".join(names[:MOST_FEW])
    more = f" and {len(names) - MOST_FEW} more" if len(names) > MOST_FEW else ""
    return f"{shown}{more}"


def say_fewer_rows(facts: Facts, groups: str) -> list[str]:
    """Say that groups hold fewer rows than the champion alone could rank."""
    champion = next(iter(facts["rows"]["own_rows"]), None)
    if champion is None or champion["n_rows"] == champion["n_rows_common"]:
        return []
    own, common = say_count(champion["n_rows"]), say_count(champion["n_rows_common"])
    text = (
        f"The {groups} hold the {common} rows that all scores rank; a report without the "
        f"other scores compares them on the {own} with a score of {champion['model']}, "
        "perhaps with another verdict."
    )
    return [text]


def say_absent(split: Facts) -> str:
    """Name the periods without rows between others."""
    verb = "has" if len(split["absent"]) == 1 else "have"
    return f"{say_names(split['absent'])} {verb} no rows"
