"""Say which groups have no test against the others, and which no adjusted p-value."""

from collections.abc import Iterator, Mapping
from itertools import groupby

from capcurve._report.group_findings import are_periods, list_own
from capcurve._report.options import Facts
from capcurve._report.phrases import say_list, say_status
from capcurve._report.scored import say_key


def has_clusters(facts: Facts) -> bool:
    """Whether rows of a report are in clusters."""
    return facts["sample"]["clusters"] is not None


def explain_untested(split: Facts, *, in_clusters: bool) -> Mapping[str | None, str]:
    """Explain by group what it has, or lacks, that it is not compared with the others.

    Where no group is compared, as of amounts, findings say why. The reasons are those of
    rows, which all models share.
    """
    own = list_own(split)
    if all(row["p_value"] is None for row in own):
        return {}
    reasons = {
        row["group"]: say_status(row)
        if row["accuracy_ratio"] is None
        else name_single(row["accuracy_ratio"], in_clusters=in_clusters)
        for row in own
        if row["p_value"] is None
    }
    if are_periods(split) and None in reasons:
        reasons[None] = "no period"
    return reasons


def name_single(ratio: Facts, *, in_clusters: bool) -> str:
    """Name what a group has a single one of, so that its AR shows no variance."""
    for noun in ("event", "non-event"):
        if ratio[f"n_{noun.replace('-', '')}s"] == 1:
            return f"one {noun}"
    if in_clusters:
        return "all events or non-events in one cluster"
    return "effectively one event or non-event"


def list_untested(split: Facts, *, in_clusters: bool) -> Iterator[str]:
    """List the sentences on dashes in tests of each group against the others."""
    reasons = explain_untested(split, in_clusters=in_clusters)
    if reasons:
        ordered = sorted(reasons.items(), key=lambda item: item[1])
        told = [
            f"{say_list([say_key(group) for group, _ in groups])} ({reason})"
            for reason, groups in groupby(ordered, key=lambda item: item[1])
        ]
        yield (
            "AR within the others leaves these groups out, and no test compares them: "
            f"{'; '.join(told)}."
        )
    own = list_own(split)
    alone = [
        say_key(row["group"])
        for row in own
        if row["p_value"] is not None and row["p_adjusted"] is None
    ]
    if alone:
        yield (
            "No adjusted p-value, as the test of all groups leaves them out: "
            f"{say_list(alone)}."
        )
