"""Notes on scores: the outcome itself, reversed, odd, or without a curve."""

import shlex
from collections.abc import Callable, Sequence

from capcurve._cli.rows import name_first
from capcurve._cli.undefined import AllEqualError, NoRowsError, explain_no_curve
from capcurve._files.quoting import quote_name
from capcurve._inference.options import IntervalOptions
from capcurve._report.odd_scores import list_odd
from capcurve._report.phrases import say_own_outcome
from capcurve._report.scored import ScoredBins, ScoredGroup, ScoredRows

Notify = Callable[[str], None]


def notify_leakage(scored_groups: Sequence[ScoredGroup], notify: Notify) -> None:
    """Print which scores are the outcome itself."""
    in_memory = [scored for scored in scored_groups if isinstance(scored, ScoredRows)]
    for name in dict.fromkeys(scored.estimate for scored in in_memory):
        own = [scored for scored in in_memory if scored.estimate == name]
        if all(scored.equals_outcome for scored in own):
            ranks_first = any(scored.find_ratio() > 0 for scored in own)
            equals = say_own_outcome(own[0].columns.descending, ranks_first)
            notify(
                f"capcurve: note: {name!r} {equals}; check that it was known before the "
                "outcome"
            )


def notify_undefined(
    scored_groups: Sequence[ScoredGroup],
    notify: Notify,
    *,
    may_be_all: bool = False,
    has_query: bool = False,
) -> None:
    """Print which scores may be reversed or odd, and which curves are undefined.

    Raise if all are, unless they may be. ``has_query`` is whether a query made the rows.
    """
    notify_reversed(scored_groups, notify, has_query=has_query)
    notify_odd(scored_groups, notify)
    notify_constant(scored_groups, notify)
    undefined = [scored for scored in scored_groups if scored.curve is None]
    if len(undefined) == len(scored_groups) and not may_be_all:
        raise AllEqualError(
            "the CAP curve requires outcomes that differ, but within each group all are "
            "equal; choose another --truth or coarser groups"
        )
    for reason in (AllEqualError.reason, NoRowsError.reason):
        own = [
            scored.label
            for scored in undefined
            if explain_no_curve(scored, NoRowsError.reason) == reason
        ]
        if own:
            notify(f"capcurve: note: undefined because {reason}: {name_first(own)}")


def notify_odd(scored_groups: Sequence[ScoredGroup], notify: Notify) -> None:
    """Print which scores are infinite, or may stand for a missing value."""
    for odd in list_odd(scored_groups):
        notify(
            f"capcurve: note: {odd.text}; if that means a missing value, leave {odd.these} "
            f"out (of text files by {odd.remedy})"
        )


def notify_constant(scored_groups: Sequence[ScoredGroup], notify: Notify) -> None:
    """Print which scores are the same in all rows: a score of chance has AR 0, too."""
    alike = [each for each in scored_groups if each.curve is not None and is_flat(each)]
    for name in dict.fromkeys(scored.estimate for scored in alike):
        own = [each for each in alike if each.estimate == name]
        places = name_first([", ".join(each.place) for each in own if each.place])
        where = f" of {places}" if places else ""
        notify(
            f"capcurve: note: {name!r} is the same in all rows{where}, so that its AR is "
            "0; check it"
        )


def is_flat(scored: ScoredGroup) -> bool:
    """Whether all rows share one score; of bins, if they tell."""
    if isinstance(scored, ScoredBins):
        bins = scored.binned.by_score
        return len(bins) == 1 and bool(bins.lowest[0] == bins.highest[0])
    return isinstance(scored, ScoredRows) and scored.is_constant


def notify_reversed(
    scored_groups: Sequence[ScoredGroup], notify: Notify, *, has_query: bool
) -> None:
    """Print which scores may be reversed, and how to turn them."""
    estimates = dict.fromkeys(scored.estimate for scored in scored_groups)
    turned = [scored for scored in scored_groups if seems_reversed(scored)]
    reversed_names = dict.fromkeys(scored.estimate for scored in turned)
    for name in reversed_names:
        places = name_first(
            [", ".join(each.place) for each in turned if each.estimate == name]
        )
        where = f" in {places}" if places else ""
        remedy = "--ascending ranks low scores first"
        if not all(each.curve and each.curve.descending for each in turned):
            remedy = "without --ascending, high scores rank first"
        if len(reversed_names) < len(estimates):
            remedy = explain_turn(name, has_query=has_query)
        notify(
            f"capcurve: note: the AR of {name!r} is negative{where}, so the score may be "
            f"reversed; {remedy}"
        )


def explain_turn(name: str, *, has_query: bool) -> str:
    """Say how a query turns a score alone: one of its own, or the one given."""
    turned = f"-{quote_name(name)} as turned"
    if has_query:
        return f"the column {turned}, added to what --query selects, turns it alone"
    query = f"select *, {turned} from data"  # noqa: S608 -- quoted
    return f"--query {shlex.quote(query)} turns it alone"


def seems_reversed(scored: ScoredGroup) -> bool:
    """Whether AR is below 0 beyond chance, as it often is by chance with few events."""
    if scored.curve is None or scored.curve.accuracy_ratio >= 0:
        return False
    return scored.estimate_ratio(IntervalOptions()).high < 0
