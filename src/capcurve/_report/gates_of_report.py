"""What gates judge of a report: its champion, challengers and rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from capcurve._report.gate_limits import GateLimits
from capcurve._report.gates import (
    EVENT,
    NO_INTERVAL,
    NO_VARIANCE,
    ROW,
    ROW_ABOVE_0,
    Challenge,
    Gate,
    Judged,
    judge_changes,
    judge_initial,
    judge_left_out,
    judge_ratios,
)
from capcurve._report.options import Facts, InitialValues
from capcurve._report.phrases import FEW, explain_no_variance, say_effective_of, say_status
from capcurve._report.scored import say_key
from capcurve._report.uncounted_bins import refuse_unknown_events
from capcurve.exceptions import CapcurveError


def judge_report(facts: Mapping[str, Any], limits: GateLimits) -> list[Gate]:
    """Judge the facts of a report: its champion, overall and in each segment.

    Periods are not judged, as a period of the past cannot be mended. Challengers are judged
    against the champion, and against their own AUC at initial validation if it was given.
    """
    champion = facts["models"][0]["name"]
    check_needs(
        limits,
        has_initial=bool(facts["initial"]),
        has_challengers=bool(facts["challengers"]),
    )
    has_events = facts["outcome"] == "events"
    is_unknown = facts["models"][0]["accuracy_ratio"]["n_events"] is None
    if limits.min_events is not None and is_unknown:
        refuse_unknown_events("make the report of the rows", has_events=has_events)
    unit, of_initial = (EVENT, EVENT) if has_events else (ROW_ABOVE_0, ROW)
    challenges = list_challenges(facts["challengers"], champion)
    return judge_all(
        (each._replace(unit=unit) for each in list_ratios(facts, champion, limits)),
        [
            each._replace(unit=of_initial)
            for each in list_initial(facts["initial"], facts["models"])
        ],
        (each._replace(judged=each.judged._replace(unit=unit)) for each in challenges),
        facts["rows"],
        limits,
    )


def judge_without_report(
    estimates: Sequence[str],
    initial: Mapping[str, InitialValues],
    rows: Mapping[str, Any] | None,
    limits: GateLimits,
    reason: str,
) -> list[Gate]:
    """Judge what is undefined as a whole for the given reason, by the gates of a report."""
    champion, *challengers = estimates
    tests = {
        name: "ECB" if each.variance is None else "two samples"
        for name, each in initial.items()
    }
    return judge_all(
        [Judged(champion, None, 0, reason)],
        [Judged(name, None, 0, reason, test) for name, test in tests.items()],
        [
            Challenge(Judged(f"{name} against {champion}", None, 0, reason), 0.0)
            for name in challengers
        ],
        rows,
        limits,
    )


def judge_all(
    ratios: Iterable[Judged],
    initial: Sequence[Judged],
    challenges: Iterable[Challenge],
    rows: Mapping[str, Any] | None,
    limits: GateLimits,
) -> list[Gate]:
    """Judge by all gates of a report: the one list of them."""
    return [
        *judge_ratios(ratios, limits),
        *judge_initial(initial, limits),
        *judge_changes(challenges, limits, "better"),
        *([] if rows is None else judge_left_out(rows, limits)),
    ]


def check_needs(limits: GateLimits, *, has_initial: bool, has_challengers: bool) -> None:
    """Raise for a limit on a test that there is not."""
    if limits.fail_if_worse_than_initial is not None and not has_initial:
        raise CapcurveError(
            "`fail_if_worse_than_initial` requires the AUC at initial validation, which "
            "was not given; add `initial_auc`"
        )
    if limits.fail_if_challenger_better is not None and not has_challengers:
        raise CapcurveError(
            "`fail_if_challenger_better` requires a challenger, got one score; add another "
            "one as `compare`"
        )


def list_ratios(
    facts: Mapping[str, Any], champion: str, limits: GateLimits
) -> Iterator[Judged]:
    """List AR of the champion, of all rows and of each segment."""
    key = "low" if limits.fail_on_lower_bound else "value"
    model = facts["models"][0]
    whole, bounds = model["accuracy_ratio"], None
    if model["limits"] is not None and key == "value":
        bounds = model["limits"]["low"], model["limits"]["high"]
    yield Judged(champion, whole[key], whole["n_events"], NO_INTERVAL, bounds=bounds)
    for by in facts["segments"]:
        for group in by["groups"]:
            if group["model"] == champion:
                found = group["accuracy_ratio"] or {key: None, "n_events": 0}
                subject = f"{by['by']} {say_key(group['group'])}, {champion}"
                reason = NO_INTERVAL if group["accuracy_ratio"] else say_status(group)
                yield Judged(
                    subject,
                    found[key],
                    found["n_events"],
                    reason,
                    effective=say_few_effective(group),
                )


def say_few_effective(group: Facts) -> str:
    """Say what few events of a group come down to, with unequal weights or clusters."""
    if group["status"] != FEW or group["n_non_events"] is None:  # None of amounts
        return ""
    return say_effective_of(group)


def list_initial(
    tests: Sequence[Mapping[str, Any]], models: Sequence[Facts]
) -> list[Judged]:
    """List the test of each model that allows for the variance of its initial AUC.

    Without that variance, it is the ECB's test.
    """
    last = {each["model"]: each for each in tests}
    known = {model["name"]: model for model in models}
    return [
        Judged(
            name,
            each["p_value"],
            each["n_events"],
            explain_no_variance(known[name], 2 * each["second"] - 1),
            test=each["test"],
        )
        for name, each in last.items()
    ]


def list_challenges(
    tests: Sequence[Mapping[str, Any]], champion: str
) -> Iterator[Challenge]:
    """List the tests of challengers against the champion, with adjusted p-values."""
    for each in tests:
        if each["against"] == champion:
            subject = f"{each['model']} against {champion}"
            judged = Judged(subject, each["p_holm"], each["n_events"], NO_VARIANCE)
            yield Challenge(judged, each["value"])
